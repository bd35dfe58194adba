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

static void man_see_also(FILE *out, const cli_command *command) {
  fputs(".SH \"SEE ALSO\"\n", out);
  if (command) fprintf(out, ".BR omniroll (1)");
  for (size_t i = 0; i < cli_command_count; i++)
    if (&cli_commands[i] != command)
      fprintf(out, "%s.BR omniroll\\-%s (1)", command || i ? ",\n" : "", cli_commands[i].name);
  fputs("\n", out);
}

static void man_section(FILE *out, const cli_command *command, cli_section section,
                        const char *heading) {
  cli_entry entry;
  bool any = false;
  for (size_t i = 0; cli_find_entry(command, section, i, &entry); i++) {
    if (!entry.text) continue;
    if (!any) fprintf(out, ".SH %s\n", heading);
    any = true;
    man_entry(out, entry.label + strspn(entry.label, " "), entry.text);
  }
}

/* The sections that end every page. */
static void man_end(FILE *out, const cli_command *command) {
  man_section(out, command, CLI_EXAMPLES, "EXAMPLES");
  man_section(out, command, CLI_FILES, "FILES");
  man_section(out, command, CLI_EXIT_CODES, "\"EXIT STATUS\"");
  man_section(out, command, CLI_VARIABLES, "ENVIRONMENT");
  man_see_also(out, command);
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
  man_section(out, command, CLI_OPTIONS, "OPTIONS");
  man_end(out, command);
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

  man_end(out, NULL);
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
