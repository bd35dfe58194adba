/* --help, from the tables; the manual pages (man.c) have the same. */
#include "cli.h"
#include <cjson/cJSON.h>
#include <string.h>

enum { WIDTH = 80 };

/* Prints text filled to WIDTH columns, every line but the first indented; `at` is the column where
 * the first one starts. */
static void print_filled(FILE *out, const char *text, int indent, int at) {
  for (const char *word = text; *word;) {
    /* An empty line separates paragraphs. */
    if (strncmp(word, "\n\n", 2) == 0) {
      fprintf(out, "\n\n%*s", indent, "");
      at = indent;
      word += 2;
      continue;
    }

    /* Break the line before a word that does not fit. */
    int length = (int)strcspn(word, " \n");
    if (at > indent && at + 1 + length > WIDTH) {
      fprintf(out, "\n%*s", indent, "");
      at = indent;
    } else if (at > indent) {
      at += fprintf(out, " ");
    }

    at += fprintf(out, "%.*s", length, word);
    word += length;
    if (*word == ' ') word++;
  }
  fputc('\n', out);
}

static void print_entry(FILE *out, const char *label, const char *text, int indent) {
  fprintf(out, "  %-*s", indent - 2, label);
  if ((int)strlen(label) + 2 >= indent) fprintf(out, "\n%*s", indent, "");
  print_filled(out, text, indent, indent);
}

static void print_section(FILE *out, const char *heading) {
  fputc('\n', out);
  cli_heading(out, heading);
}

static void print_sections(const cli_command *command, FILE *out) {
  static const struct {
    cli_section section;
    const char *heading;
    int indent;
  } sections[] = {{CLI_OPTIONS, "Options:", 28},
                  {CLI_EXAMPLES, "Examples:", 6},
                  {CLI_FILES, "Files:", 20},
                  {CLI_VARIABLES, "Environment:", 20},
                  {CLI_EXIT_CODES, "Exit codes:", 6}};
  for (size_t s = 0; s < sizeof sections / sizeof *sections; s++) {
    cli_entry entry;
    bool any = false;
    for (size_t i = 0; cli_find_entry(command, sections[s].section, i, &entry); i++) {
      if (!entry.text) continue;
      if (!any) print_section(out, sections[s].heading);
      any = true;
      print_entry(out, entry.label, entry.text, sections[s].indent);
    }
  }
}

/* Commands by their groups, in at most 40 lines. */
void cli_print_overview(FILE *out) {
  const char *group = "";
  fprintf(out, "Usage: omniroll COMMAND [OPTION...] [ARGUMENT]\n\n");
  print_filled(out, cli_about, 0, 0);
  fputc('\n', out);

  /* a heading at each change of the group */
  for (size_t i = 0; i < cli_command_count; i++) {
    const cli_command *command = &cli_commands[i];
    char label[64];
    if (strcmp(group, command->group) != 0) cli_heading(out, group = command->group);
    snprintf(label, sizeof label, "%s%s%s", command->name, command->operand ? " " : "",
             command->operand ? command->operand : "");
    print_entry(out, label, command->summary, 28);
  }

  fprintf(out, "\nomniroll help COMMAND explains a command, its options and exit codes; so does\n"
               "man omniroll-COMMAND. First steps: omniroll new, omniroll run single.json.\n"
               "omniroll --version prints version, compiler, flags and instruction sets.\n");
}

void cli_print_help(const cli_command *command, FILE *out) {
  const char *operand = command->operand;
  fprintf(out, "Usage: omniroll %s [OPTION...]%s%s\n\n", command->name, operand ? " " : "",
          operand ? operand : "");
  print_filled(out, command->text, 0, 0);
  print_sections(command, out);
}

static cJSON *options_json(const cli_command *command) {
  cJSON *rows = cJSON_CreateArray();
  for (size_t i = 0; i < cli_option_count; i++) {
    const cli_option *option = &cli_options[i];
    char letter[] = {'-', (char)option->id, 0};
    if (!(option->commands & command->id) || !option->help) continue;
    cJSON *row = cJSON_CreateObject();
    cli_add_text(row, "name", option->name);
    cli_add_text(row, "letter",
                 option->id < CLI_OPT_LONG && option->id != CLI_OPT_SET ? letter : NULL);
    cli_add_text(row, "argument", option->argument);
    cli_add_text(row, "meaning", option->help);
    cli_add(rows, NULL, row);
  }
  return rows;
}

static cJSON *command_json(const cli_command *command) {
  cJSON *row = cJSON_CreateObject();
  cli_add_text(row, "name", command->name);
  cli_add_text(row, "group", command->group);
  cli_add_text(row, "operand", command->operand);
  cli_add_text(row, "summary", command->summary);
  cli_add_text(row, "meaning", command->text);
  cli_add(row, "options", options_json(command));
  return row;
}

/* Version, commands with their options, exit codes; or a single command. */
static cJSON *help_json(const cli_command *only) {
  cJSON *root = cJSON_CreateObject(), *commands = cJSON_CreateArray(), *codes = cJSON_CreateArray();
  cli_add_text(root, "version", omr_version());
  cli_add_text(root, "build", omr_build_info());
  for (size_t i = 0; i < cli_command_count; i++)
    if (!only || only == &cli_commands[i]) cli_add(commands, NULL, command_json(&cli_commands[i]));
  cli_add(root, "commands", commands);
  for (size_t i = 0; i < cli_exit_code_count; i++) {
    if (!cli_ends_with(only, &cli_exit_codes[i])) continue;
    cJSON *row = cJSON_CreateObject();
    cli_add(row, "code", cJSON_CreateNumber(cli_exit_codes[i].status));
    cli_add_text(row, "name", omr_status_name((int)cli_exit_codes[i].status));
    cli_add_text(row, "meaning", cli_exit_codes[i].meaning);
    cli_add(codes, NULL, row);
  }
  cli_add(root, "exit_codes", codes);
  return root;
}

omr_status cli_help(const cli_arguments *arguments, omr_error *error) {
  if (arguments->completion) return cli_print_completion(arguments->completion, stdout, error);
  if (arguments->man_folder) return cli_write_man(arguments->man_folder, error);
  if (arguments->paths) return omr_study_paths(arguments->operand, stdout, error);
  const cli_command *command =
      arguments->operand ? cli_find_command(arguments->operand, error) : NULL;
  if (arguments->operand && !command) return OMR_ERR_USAGE;
  if (arguments->man)
    cli_print_man(command, stdout);
  else if (arguments->json)
    return cli_print_json(help_json(command), error);
  else if (command)
    cli_print_help(command, stdout);
  else
    cli_print_overview(stdout);
  return OMR_OK;
}
