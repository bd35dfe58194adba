/* Words in the place of a command that are something else. */
#include "cli.h"
#include <string.h>

/* Commands of other programs. */
static const struct {
  const char *word, *meant;
} other_words[] = {{"simulate", "run"},       {"sim", "run"},
                   {"start", "run"},          {"continue", "resume"},
                   {"check", "validate"},     {"lint", "validate"},
                   {"init", "new"},           {"create", "new"},
                   {"template", "new"},       {"stats", "analyze"},
                   {"statistics", "analyze"}, {"analyse", "analyze"},
                   {"summary", "analyze"},    {"csv", "export"},
                   {"convert", "export"},     {"info", "devices"},
                   {"list", "devices"},       {"gpus", "devices"},
                   {"benchmark", "bench"},    {"test", "selftest"},
                   {"estimate", "plan"},      {"params", "describe"},
                   {"models", "describe"},    {"join", "merge"},
                   {"plot", "report"},        {"show", "report"},
                   {"view", "report"},        {"version", "--version"},
                   {"urdf", "import"},        {"mjcf", "import"}};

static bool is_model(const char *name) {
  const char *model;
  for (size_t i = 0; (model = omr_model_name(i)) != NULL; i++)
    if (strcmp(name, model) == 0) return true;
  return false;
}

/* report is not in every build. */
static const char *showing(void) {
  return cli_is_command("report") ? "report" : "analyze";
}

/* "run a.json" or "report a.h5": a command for each kind of file that the folder holds. */
static omr_status explain_folder(const char *folder, omr_error *error) {
  const struct {
    omr_input_kind kind;
    const char *command;
  } wanted[] = {{OMR_INPUT_PARTS, "resume"}, {OMR_INPUT_JSON, "run"}, {OMR_INPUT_HDF5, showing()}};
  cli_text text = {0};
  char found[1024];

  /* Name a command for each kind of file in it. */
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
    if (omr_first_of_kind(folder, wanted[i].kind, found, sizeof found))
      cli_text_print(&text, "%somniroll %s %s", text.length ? " or " : "", wanted[i].command,
                     found);

  /* Suggest them, or say that nothing was found. */
  if (text.data)
    omr_fail(error, OMR_ERR_USAGE, "\"%s\" is a folder, no command; did you mean %s?", folder,
             text.data);
  else
    omr_fail(error, OMR_ERR_USAGE,
             "\"%s\" is a folder, no command, and holds no study, no result and no unfinished run; "
             "a command comes first, as in omniroll run STUDY.json",
             folder);

  cli_text_free(&text);
  return OMR_ERR_USAGE;
}

/* A name that is not there, but whose ending, result or neighbour is. */
static omr_status explain_missing(const char *name, omr_error *error) {
  const struct {
    const char *ending, *command;
  } wanted[] = {{".parts", "resume"}, {".json", "run"}, {".h5", showing()}};
  const bool path = strchr(name, '.') || strchr(name, '/');

  /* Look for a study, a result or a folder of a similar name. */
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
    char meant[1024], whole[1024];
    omr_find_meant(name, wanted[i].ending, meant, sizeof meant);
    snprintf(whole, sizeof whole, "%.1000s%s", name, wanted[i].ending);
    if (!meant[0] || (!path && strcmp(meant, whole) != 0))
      continue; /* a mistyped command looks like a file as well */
    return omr_fail(error, OMR_ERR_USAGE,
                    "there is no command \"%s\", nor a study or result of that name; did you mean "
                    "omniroll %s %s?",
                    name, wanted[i].command, meant);
  }

  /* A word that is no path may be a mistyped command. */
  if (!path) return OMR_OK;
  return omr_fail(error, OMR_ERR_USAGE,
                  "there is no command \"%s\", nor a study or result of that name; a command comes "
                  "first, as in omniroll run STUDY.json",
                  name);
}

/* The file under that name says which command was meant. */
static omr_status explain_path(const char *name, omr_error *error) {
  /* A known kind of file suggests the command that takes it. */
  switch (omr_input_kind_of(name)) {
  case OMR_INPUT_JSON:
    return omr_fail(error, OMR_ERR_USAGE,
                    "\"%s\" is a study, no command; did you mean omniroll run %s?", name, name);
  case OMR_INPUT_HDF5:
    return omr_fail(error, OMR_ERR_USAGE,
                    "\"%s\" is a result, no command; did you mean omniroll %s %s?", name, showing(),
                    name);
  case OMR_INPUT_PARTS:
    return omr_fail(
        error, OMR_ERR_USAGE,
        "\"%s\" is the folder of an unfinished run, no command; did you mean omniroll resume %s?",
        name, name);
  case OMR_INPUT_FOLDER: return explain_folder(name, error);
  case OMR_INPUT_OTHER:
  case OMR_INPUT_SPECIAL:
    return omr_fail(error, OMR_ERR_USAGE,
                    "\"%s\" is a file, no command, and neither a study (JSON) nor a result (HDF5); "
                    "omniroll --help lists the commands",
                    name);
  default: return explain_missing(name, error);
  }
}

static omr_status explain_other_word(const char *name, omr_error *error) {
  for (size_t i = 0; i < sizeof other_words / sizeof *other_words; i++)
    if (strcmp(name, other_words[i].word) == 0 &&
        (cli_is_command(other_words[i].meant) || other_words[i].meant[0] == '-'))
      return omr_fail(error, OMR_ERR_USAGE, "there is no command \"%s\"; did you mean omniroll %s?",
                      name, other_words[i].meant);
  return OMR_OK;
}

omr_status cli_explain_word(const char *name, omr_error *error) {
  if (is_model(name))
    return omr_fail(error, OMR_ERR_USAGE,
                    "\"%s\" is a model, no command; did you mean omniroll describe %s?", name,
                    name);
  const omr_status status = explain_path(name, error);
  return status == OMR_OK ? explain_other_word(name, error) : status;
}
