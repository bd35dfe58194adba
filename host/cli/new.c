/* omniroll new: a commented starter study. */
#include "cli.h"
#include "study/json.h"
#include "study/starter.h"
#include "support/replace.h"
#include "support/support.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { STEPS = 4 };

typedef struct next_steps {
  char command[STEPS][512];
  omr_starter_step step[STEPS];
  size_t count;
} next_steps;

static bool has_command(const char *name) {
  for (size_t i = 0; i < cli_command_count; i++)
    if (strcmp(cli_commands[i].name, name) == 0) return true;
  return false;
}

static void add_step(next_steps *next, const char *command, const char *operand, int length,
                     const char *ending, const char *meaning) {
  if (!has_command(command)) return;
  snprintf(next->command[next->count], sizeof next->command[0], "omniroll %s %.*s%s", command,
           length, operand, ending);
  next->step[next->count] = (omr_starter_step){next->command[next->count], meaning};
  next->count++;
}

/* What follows on a study: run takes the result's name from it and puts it into the current folder.
 */
static void find_next(const char *path, next_steps *next) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path,
             *dot = strrchr(name, '.');
  const int length = (int)strlen(path),
            stem = dot && dot != name ? (int)(dot - name) : (int)strlen(name);
  next->count = 0;
  add_step(next, "validate", path, length, "", "check it and see what it would run");
  add_step(next, "run", path, length, "", "run it, with the result in an HDF5 file");
  if (has_command("report"))
    add_step(next, "report", name, stem, ".h5", "look at the result");
  else
    add_step(next, "analyze", name, stem, ".h5", "statistics of the result");
}

static omr_status print_list_json(omr_error *error) {
  cJSON *root = cJSON_CreateObject(), *kinds = cJSON_AddArrayToObject(root, "kinds"),
        *models = cJSON_AddArrayToObject(root, "models");
  for (size_t i = 0; i < omr_starter_kind_count; i++) {
    cJSON *row = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "name", omr_starter_kinds[i].name);
    cJSON_AddStringToObject(row, "question", omr_starter_kinds[i].question);
    cJSON_AddItemToObject(row, "model",
                          omr_starter_kinds[i].machine
                              ? cJSON_CreateString(omr_starter_kinds[i].machine)
                              : cJSON_CreateNull());
    cJSON_AddItemToArray(kinds, row);
  }
  for (size_t i = 0; i < omr_starter_machine_count; i++) {
    cJSON *row = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "name", omr_starter_machines[i].name);
    cJSON_AddStringToObject(row, "model", omr_model_names[omr_starter_machines[i].model]);
    cJSON_AddStringToObject(row, "title", omr_starter_machines[i].title);
    cJSON_AddItemToArray(models, row);
  }
  return cli_print_json(root, error);
}

static void print_list(FILE *out) {
  cli_heading(out, "Kinds:");
  for (size_t i = 0; i < omr_starter_kind_count; i++)
    fprintf(out, "  %-14s%s\n", omr_starter_kinds[i].name, omr_starter_kinds[i].question);
  fprintf(out, "\n");
  cli_heading(out, "Models, for --model:");
  for (size_t i = 0; i < omr_starter_machine_count; i++)
    fprintf(out, "  %-14s%s\n", omr_starter_machines[i].name, omr_starter_machines[i].title);
}

static omr_status write_text(const char *path, const omr_text *text, omr_error *error) {
  omr_replace file;
  omr_status status = omr_replace_open(&file, path, error);
  if (status != OMR_OK) return status;
  for (size_t done = 0; done < text->length;) {
    const ssize_t count = write(file.descriptor, text->data + done, text->length - done);
    if (count < 0) {
      status = omr_replace_fail(&file, errno, error);
      omr_replace_discard(&file);
      return status;
    }
    done += (size_t)count;
  }
  return omr_replace_finish(&file, error);
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

omr_status cli_new(const cli_arguments *arguments, omr_error *error) {
  const omr_starter_kind *kind;
  const omr_starter_machine *machine;
  if (arguments->list_kinds && arguments->json) return print_list_json(error);
  if (arguments->list_kinds) {
    print_list(stdout);
    return OMR_OK;
  }
  if (arguments->json)
    return omr_fail(error, OMR_ERR_USAGE, "omniroll new prints JSON with --list alone");
  omr_status status =
      omr_starter_find(arguments->operand ? arguments->operand : omr_starter_kinds[0].name,
                       arguments->model, &kind, &machine, error);
  if (status != OMR_OK) return status;
  char path[1024];
  next_steps next;
  omr_text text = {0};
  const bool print = arguments->output && strcmp(arguments->output, "-") == 0;
  snprintf(path, sizeof path, "%s", arguments->output && !print ? arguments->output : "");
  if (!path[0])
    snprintf(path, sizeof path, "%s%s%s.json", kind->name,
             arguments->model && !kind->machine ? "_" : "",
             arguments->model && !kind->machine ? arguments->model : "");
  if (!print) status = check_target(path, arguments->force, error);
  find_next(path, &next);
  if (status == OMR_OK)
    status = omr_starter_write(kind, machine, next.step, next.count, &text, error);
  if (status == OMR_OK && print) fputs(text.data, stdout);
  if (status == OMR_OK && !print) status = write_text(path, &text, error);
  if (status == OMR_OK && !print && !arguments->quiet) print_next(path, &next);
  omr_text_free(&text);
  return status;
}
