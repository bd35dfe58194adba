/* Commands that the Python package of analysis/ carries out: finds Python and the package and
 * becomes them. */
#define _GNU_SOURCE /* readlink */
#include "cli.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Runs a module of its own package, after a check that Python has the modules that the package
 * needs. */
#define LAUNCHER "omniroll/launch.py"

#define PYTHON_PACKAGES                                                                            \
  "python3 python3-numpy python3-h5py python3-matplotlib python3-xarray python3-xxhash"

static const char *environment(const char *name) {
  const char *value = getenv(name);
  return value && *value ? value : NULL;
}

static omr_status find_python(const char **python, omr_error *error) {
  const char *asked = environment("OMNIROLL_PYTHON");
  *python = asked ? asked : access("/usr/bin/python3", X_OK) == 0 ? "/usr/bin/python3" : "python3";
  if (asked && strchr(asked, '/') && access(asked, X_OK) != 0)
    return omr_fail(error, OMR_ERR_DEVICE,
                    "OMNIROLL_PYTHON names %s, which cannot be run: %s; unset it or name a python3",
                    asked, strerror(errno));
  return OMR_OK;
}

static bool has_launcher(const char *folder, const char *between, cli_text *launcher) {
  cli_text_free(launcher);
  *launcher = (cli_text){0};
  cli_text_print(launcher, "%s%s/%s", folder, between, LAUNCHER);
  return !launcher->failed && access(launcher->data, R_OK) == 0;
}

/* Installed, PREFIX/bin/omniroll has PREFIX/share/omniroll/analysis; in a source tree the program
   is build/omniroll or build/NAME/omniroll. */
static bool beside_program(const char *program, cli_text *launcher) {
  static const char *const places[] = {"/../share/omniroll/analysis", "/../analysis",
                                       "/../../analysis"};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    if (has_launcher(program, places[i], launcher)) return true;
  return false;
}

bool cli_program_path(char path[PATH_MAX]) {
  const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
  path[length > 0 ? length : 0] = '\0';
  return length > 0;
}

static omr_status find_launcher(cli_text *launcher, omr_error *error) {
  char folder[PATH_MAX];
  const char *asked = environment("OMNIROLL_ANALYSIS");

  /* The user's folder comes first. */
  if (asked && has_launcher(asked, "", launcher)) return OMR_OK;
  if (asked)
    return omr_fail(error, OMR_ERR_DEVICE,
                    "OMNIROLL_ANALYSIS names %s, which is not the folder analysis of this version "
                    "of omniroll: it has no file %s",
                    asked, LAUNCHER);

  /* Otherwise the package lies near the program. */
  if (!cli_program_path(folder))
    return omr_fail(error, OMR_ERR_DEVICE, "where this program lies cannot be read: %s",
                    strerror(errno));
  *strrchr(folder, '/') = '\0';
  if (beside_program(folder, launcher)) return OMR_OK;

  return omr_fail(
      error, OMR_ERR_DEVICE,
      "the Python package that makes reports, figures and imports is missing: it is installed as "
      "share/omniroll/analysis beside bin/ (this program lies in %s); install omniroll whole, with "
      "cmake --install, or set OMNIROLL_ANALYSIS to the folder analysis of its sources",
      folder);
}

/* Returns where Python could not be started. */
static omr_status become_python(const char *python, const char *launcher, const char *module,
                                size_t count, const char *const *words, omr_error *error) {
  const char **argv = calloc(count + 4, sizeof *argv);
  if (!argv) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  argv[0] = python;
  argv[1] = launcher;
  argv[2] = module;
  for (size_t i = 0; i < count; i++) argv[3 + i] = words[i];
  fflush(NULL);
  execvp(python,
         (char *const *)(uintptr_t)argv); /* takes them as char *const * and does not change them */
  free(argv);
  return omr_fail(
      error, OMR_ERR_DEVICE,
      "Python 3 cannot be run (%s: %s); on Debian and Ubuntu: sudo apt-get install " PYTHON_PACKAGES
      ". OMNIROLL_PYTHON names another Python",
      python, strerror(errno));
}

omr_status cli_run_python(const char *module, size_t count, const char *const *words,
                          omr_error *error) {
  const char *python = NULL;
  cli_text launcher = {0};
  omr_status status = find_python(&python, error);
  if (status == OMR_OK) status = find_launcher(&launcher, error);
  if (status == OMR_OK) status = become_python(python, launcher.data, module, count, words, error);
  cli_text_free(&launcher);
  return status;
}
