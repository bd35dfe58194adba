/* omniroll new: a commented starter study. */
#include "cli.h"
#include <cjson/cJSON.h>
#include <string.h>
#include <unistd.h>

enum { STEPS = 4 };

typedef struct next_steps {
  char command[STEPS][512];
  omr_starter_step step[STEPS];
  size_t count;
} next_steps;

static void add_step(next_steps *next, const char *command, const char *operand, int length,
                     const char *ending, const char *meaning) {
  if (!cli_is_command(command)) return;
  snprintf(next->command[next->count], sizeof next->command[0], "omniroll %s %.*s%s", command,
           length, operand, ending);
  next->step[next->count] = (omr_starter_step){next->command[next->count], meaning};
  next->count++;
}

/* The next steps with a study: run takes the result's name from it and puts it into the current
 * folder. */
static void find_next(const char *kind, const char *path, next_steps *next) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path,
             *dot = strrchr(name, '.');
  const int length = (int)strlen(path),
            stem = dot && dot != name ? (int)(dot - name) : (int)strlen(name);
  next->count = 0;
  add_step(next, "validate", path, length, "", "check it and see what it would run");
  if (strcmp(kind, "calibrate") == 0) {
    add_step(next, "excite", path, length, "", "which run to drive, and log");
    add_step(next, "calibrate", path, length, "", "what its logs say, once \"data\" names them");
    return;
  }
  add_step(next, "run", path, length, "", "run it, with the result in an HDF5 file");
  if (cli_is_command("report"))
    add_step(next, "report", name, stem, ".h5", "look at the result");
  else
    add_step(next, "analyze", name, stem, ".h5", "statistics of the result");
}

static omr_status print_list_json(omr_error *error) {
  const char *name;
  cJSON *root = cJSON_CreateObject(), *kinds = cJSON_CreateArray(), *models = cJSON_CreateArray();

  /* The kinds of studies. */
  for (size_t i = 0; (name = omr_starter_kind_name(i)) != NULL; i++) {
    cJSON *row = cJSON_CreateObject();
    cli_add_text(row, "name", name);
    cli_add_text(row, "question", omr_starter_kind_question(i));
    cli_add_text(row, "model", omr_starter_kind_model(i));
    cli_add(kinds, NULL, row);
  }

  /* The models. */
  for (size_t i = 0; (name = omr_starter_model_name(i)) != NULL; i++) {
    cJSON *row = cJSON_CreateObject();
    cli_add_text(row, "name", name);
    cli_add_text(row, "model", omr_starter_model_base(i));
    cli_add_text(row, "title", omr_starter_model_title(i));
    cli_add(models, NULL, row);
  }

  cli_add(root, "kinds", kinds);
  cli_add(root, "models", models);
  return cli_print_json(root, error);
}

static void print_list(FILE *out) {
  const char *name;
  cli_heading(out, "Kinds:");
  for (size_t i = 0; (name = omr_starter_kind_name(i)) != NULL; i++)
    fprintf(out, "  %-18s%s\n", name, omr_starter_kind_question(i));
  fprintf(out, "\n");
  cli_heading(out, "Models, for --model:");
  for (size_t i = 0; (name = omr_starter_model_name(i)) != NULL; i++)
    fprintf(out, "  %-18s%s\n", name, omr_starter_model_title(i));
}

static omr_status write_text(const char *path, const char *text, omr_error *error) {
  omr_output *output;
  const omr_status status = omr_output_open(path, &output, error);
  if (status != OMR_OK) return status;
  fputs(text, omr_output_stream(output));
  return omr_output_finish(output, error);
}

static omr_status check_target(const char *path, bool force, omr_error *error) {
  omr_status status = omr_check_output(path, NULL, error);
  if (status != OMR_OK || force || access(path, F_OK) != 0) return status;
  return omr_fail(error, OMR_ERR_USAGE,
                  "%s is there already; give another name with -o FILE, or --force to replace it",
                  path);
}

static void print_next(const char *path, const next_steps *next) {
  printf("starter study written to %s; next:\n", path);
  for (size_t i = 0; i < next->count; i++)
    printf("  %-36s  %s\n", next->step[i].command, next->step[i].meaning);
}

/* Whether this kind is about one model only. */
static bool has_own_model(const char *kind) {
  const char *name;
  for (size_t i = 0; (name = omr_starter_kind_name(i)) != NULL; i++)
    if (strcmp(kind, name) == 0) return omr_starter_kind_model(i) != NULL;
  return false;
}

/* Where the study goes without -o FILE. */
static void name_target(const char *kind, const char *model, char *path, size_t size) {
  const bool named = model && !has_own_model(kind);
  snprintf(path, size, "%s%s%s.json", kind, named ? "_" : "", named ? model : "");
}

/* Into the file, or to standard output (path ""). */
static omr_status put(const cli_arguments *arguments, const char *path, const next_steps *next,
                      const char *text, omr_error *error) {
  if (!path[0]) {
    fputs(text, stdout);
    return OMR_OK;
  }
  omr_status status = check_target(path, arguments->force, error);
  if (status == OMR_OK) status = write_text(path, text, error);
  if (status == OMR_OK && !arguments->quiet) print_next(path, next);
  return status;
}

omr_status cli_new(const cli_arguments *arguments, omr_error *error) {
  /* A list of kinds and models. */
  if (arguments->list_kinds && arguments->json) return print_list_json(error);
  if (arguments->list_kinds) {
    print_list(stdout);
    return OMR_OK;
  }
  if (arguments->json)
    return omr_fail(error, OMR_ERR_USAGE, "omniroll new prints JSON with --list alone");

  /* Without -o the study goes into a file of its kind's name. */
  const char *kind = arguments->operand ? arguments->operand : omr_starter_kind_name(0);
  const bool print = arguments->output && strcmp(arguments->output, "-") == 0;
  char path[1024], *text = NULL;
  next_steps next;
  snprintf(path, sizeof path, "%s", arguments->output && !print ? arguments->output : "");
  if (!path[0]) name_target(kind, arguments->model, path, sizeof path);
  find_next(kind, path, &next);

  /* Write it with the steps that follow. */
  omr_status status = omr_starter_text(kind, arguments->model, next.step, next.count, &text, error);
  if (status == OMR_OK) status = put(arguments, print ? "" : path, &next, text, error);
  omr_text_destroy(text);
  return status;
}
