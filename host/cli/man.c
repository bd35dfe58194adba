/* Manual pages: omniroll(1), and one of every command, from the tables of --help. */
#include "cli.h"
#include <ctype.h>
#include <errno.h>
#include <string.h>

/* Text with the characters escaped that troff would take for its own. */
static void man_text(FILE *out, const char *text) {
  for (const char *c = text; *c; c++) {
    /* An empty line is a paragraph; a line must not begin like a request. */
    bool line_start = c == text || c[-1] == '\n';
    if (line_start && strncmp(c, "\n", 1) == 0) {
      fputs(".PP", out);
    } else if (line_start && (*c == '.' || *c == '\'')) {
      fputs("\\&", out);
    }

    /* Escape the characters that troff would change. */
    if (*c == '\\') {
      fputs("\\e", out);
    } else if (*c == '-') {
      fputs("\\-", out);
    } else if (*c == '~' || *c == '^') {
      fputs(*c == '~' ? "\\(ti" : "\\(ha", out);
    } else if (*c == '\'') {
      fputs("\\(aq", out);
    } else {
      fputc(*c, out);
    }
  }

  fputc('\n', out);
}

static void man_entry(FILE *out, const char *label, const char *text) {
  fputs(".TP\n.B ", out);
  man_text(out, label);
  man_text(out, text);
}

static void man_options(FILE *out, const cli_command *command) {
  fputs(".SH OPTIONS\n", out);
  for (size_t i = 0; i < cli_option_count; i++) {
    const cli_option *option = &cli_options[i];
    if (!(option->commands & command->id) || !option->help) continue;
    char label[64];
    cli_option_label(option, label, sizeof label);
    man_entry(out, label + strspn(label, " "), option->help);
  }
}

static void man_examples(FILE *out, const char *name) {
  bool any = false;
  for (size_t i = 0; i < cli_example_count; i++) {
    char line[256];
    if (strcmp(cli_examples[i].command, name) != 0) continue;
    if (!any) fputs(".SH EXAMPLES\n", out);
    any = true;
    snprintf(line, sizeof line, "omniroll %s", cli_examples[i].line);
    man_entry(out, line, cli_examples[i].meaning);
  }
}

static void man_files(FILE *out, const char *name) {
  bool any = false;
  for (size_t i = 0; i < cli_file_count; i++) {
    if (strcmp(cli_files[i].command, name) != 0) continue;
    if (!any) fputs(".SH FILES\n", out);
    any = true;
    man_entry(out, cli_files[i].line, cli_files[i].meaning);
  }
}

static void man_exit_codes(FILE *out, const cli_command *command) {
  fputs(".SH \"EXIT STATUS\"\n", out);
  for (size_t i = 0; i < cli_exit_code_count; i++) {
    char label[16];
    if (!cli_ends_with(command, &cli_exit_codes[i])) continue;
    snprintf(label, sizeof label, "%d", (int)cli_exit_codes[i].status);
    man_entry(out, label, cli_exit_codes[i].meaning);
  }
}

/* Whether the command has the variable, or any command. */
static bool has_variable(const cli_command *command, const cli_variable *variable) {
  int commands = command ? command->id : 0;
  for (size_t i = 0; !command && i < cli_command_count; i++) commands |= cli_commands[i].id;
  return (variable->commands & commands) != 0;
}

static void man_variables(FILE *out, const cli_command *command) {
  bool any = false;
  for (size_t i = 0; i < cli_variable_count; i++) {
    if (!has_variable(command, &cli_variables[i])) continue;
    if (!any) fputs(".SH ENVIRONMENT\n", out);
    any = true;
    man_entry(out, cli_variables[i].name, cli_variables[i].meaning);
  }
}

static void man_see_also(FILE *out, const cli_command *command) {
  fputs(".SH \"SEE ALSO\"\n", out);
  if (command) fprintf(out, ".BR omniroll (1)");
  for (size_t i = 0; i < cli_command_count; i++)
    if (&cli_commands[i] != command)
      fprintf(out, "%s.BR omniroll\\-%s (1)", command || i ? ",\n" : "", cli_commands[i].name);
  fputs("\n", out);
}

static void man_head(FILE *out, const char *name, const char *summary) {
  fputs(".TH OMNIROLL", out);
  if (*name) fputs("\\-", out);
  for (const char *c = name; *c; c++) fputc(toupper((unsigned char)*c), out);
  /* command lines must not be broken within words */
  fprintf(out,
          " 1 \"\" \"omniroll %s\" \"Manual of omniroll\"\n.nh\n.ad l\n.SH NAME\nomniroll%s%s \\- ",
          omr_version(), *name ? "\\-" : "", name);
  man_text(out, summary);
}

static void man_command(FILE *out, const cli_command *command) {
  man_head(out, command->name, command->summary);
  fprintf(out, ".SH SYNOPSIS\n.B omniroll %s\n[\\fIOPTION\\fR...]", command->name);
  if (command->operand) fprintf(out, " \\fI%s\\fR", command->operand);
  fputs("\n.SH DESCRIPTION\n", out);
  man_text(out, command->text);
  man_options(out, command);
  man_examples(out, command->name);
  man_files(out, command->name);
  man_exit_codes(out, command);
  man_variables(out, command);
  man_see_also(out, command);
}

static void man_overview(FILE *out) {
  man_head(out, "", "ensembles of omni-wheel and mecanum vehicles");

  /* Synopsis and description. */
  fputs(".SH SYNOPSIS\n.B omniroll\n.I COMMAND\n[\\fIOPTION\\fR...] [\\fIARGUMENT\\fR]\n.SH "
        "DESCRIPTION\n",
        out);
  man_text(out, cli_about);
  fputs(".PP\nEach command has a page of its own, which\n.B omniroll help\n.I COMMAND\nprints "
        "too.\n.SH COMMANDS\n",
        out);

  /* An entry for each command. */
  for (size_t i = 0; i < cli_command_count; i++) {
    char label[64];
    const char *operand = cli_commands[i].operand;
    snprintf(label, sizeof label, "%s%s%s", cli_commands[i].name, operand ? " " : "",
             operand ? operand : "");
    man_entry(out, label, cli_commands[i].summary);
  }

  /* Options without a command, and JSON. */
  fputs(".SH OPTIONS\n", out);
  man_entry(out, "-h, --help", "list commands and exit codes");
  man_entry(out, "-V, --version", "version, compiler, flags and instruction sets");
  fputs(".SH JSON\n", out);
  man_text(out, cli_about_json);

  /* The sections of every page. */
  man_examples(out, "");
  man_files(out, "");
  man_exit_codes(out, NULL);
  man_variables(out, NULL);
  man_see_also(out, NULL);
}

void cli_print_man(const cli_command *command, FILE *out) {
  if (command)
    man_command(out, command);
  else
    man_overview(out);
}

static omr_status write_page(const char *folder, const cli_command *command, omr_error *error) {
  char path[4096];
  snprintf(path, sizeof path, "%s/omniroll%s%s.1", folder, command ? "-" : "",
           command ? command->name : "");
  FILE *out = fopen(path, "w");
  if (!out) return omr_fail(error, OMR_ERR_IO, "cannot write %s: %s", path, strerror(errno));
  cli_print_man(command, out);
  const bool failed = ferror(out) != 0;
  return fclose(out) != 0 || failed
             ? omr_fail(error, OMR_ERR_IO, "cannot write %s: %s", path, strerror(errno))
             : OMR_OK;
}

omr_status cli_write_man(const char *folder, omr_error *error) {
  omr_status status = write_page(folder, NULL, error);
  for (size_t i = 0; status == OMR_OK && i < cli_command_count; i++)
    status = write_page(folder, &cli_commands[i], error);
  return status;
}
