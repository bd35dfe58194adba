/* Words in the place of a command that are something else. */
#include "cli.h"
#include "support/input.h"
#include "support/support.h"
#include <string.h>

/* Commands of other programs. */
static const struct {
  const char *word, *meant;
} other_words[] = {{"simulate", "run"},    {"sim", "run"},         {"start", "run"},          {"continue", "resume"},
                   {"check", "validate"},  {"lint", "validate"},   {"init", "new"},           {"create", "new"},
                   {"template", "new"},    {"stats", "analyze"},   {"statistics", "analyze"}, {"analyse", "analyze"},
                   {"summary", "analyze"}, {"csv", "export"},      {"convert", "export"},     {"info", "devices"},
                   {"list", "devices"},    {"gpus", "devices"},    {"benchmark", "bench"},    {"test", "selftest"},
                   {"estimate", "plan"},   {"params", "describe"}, {"models", "describe"},    {"join", "merge"},
                   {"plot", "report"},     {"show", "report"},     {"view", "report"},        {"version", "--version"}};

static bool is_command(const char *name) {
  for (size_t i = 0; i < cli_command_count; i++)
    if (strcmp(name, cli_commands[i].name) == 0) return true;
  return name[0] == '-';
}

static bool is_model(const char *name) {
  const char *model;
  for (size_t i = 0; (model = omr_model_name(i)) != NULL; i++)
    if (strcmp(name, model) == 0) return true;
  return false;
}

omr_status cli_explain_word(const char *name, omr_error *error) {
  if (is_model(name))
    return omr_fail(error, OMR_ERR_USAGE, "\"%s\" is a model, no command; did you mean omniroll describe %s?", name, name);
  switch (omr_input_kind_of(name)) {
  case OMR_INPUT_JSON:
    return omr_fail(error, OMR_ERR_USAGE, "\"%s\" is a study, no command; did you mean omniroll run %s?", name, name);
  case OMR_INPUT_HDF5:
    return omr_fail(error, OMR_ERR_USAGE, "\"%s\" is a result, no command; did you mean omniroll %s %s?", name,
                    is_command("report") ? "report" : "analyze", name);
  case OMR_INPUT_PARTS:
    return omr_fail(error, OMR_ERR_USAGE,
                    "\"%s\" is the folder of an unfinished run, no command; did you mean omniroll resume %s?", name, name);
  default: break;
  }
  if (strchr(name, '.') || strchr(name, '/'))
    return omr_fail(error, OMR_ERR_USAGE,
                    "there is no command \"%s\", nor a study or result of that name; a command comes first, as in "
                    "omniroll run STUDY.json",
                    name);
  for (size_t i = 0; i < sizeof other_words / sizeof *other_words; i++)
    if (strcmp(name, other_words[i].word) == 0 && is_command(other_words[i].meant))
      return omr_fail(error, OMR_ERR_USAGE, "there is no command \"%s\"; did you mean omniroll %s?", name, other_words[i].meant);
  return OMR_OK;
}
