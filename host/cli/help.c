/* --help and the manual page, both from the tables. */
#include "cli.h"
#include "support/support.h"
#include <string.h>

enum { WIDTH = 80 };

/* Prints text filled to WIDTH columns, every line but the first indented; `at` is the column where the first one starts. */
static void print_filled(FILE *out, const char *text, int indent, int at) {
  for (const char *word = text; *word;) {
    if (strncmp(word, "\n\n", 2) == 0) {
      fprintf(out, "\n\n%*s", indent, "");
      at = indent;
      word += 2;
      continue;
    }
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

/* "-o, --output FILE" */
static void option_label(const cli_option *option, char *label, size_t size) {
  char letter[8] = "    ";
  if (option->id < CLI_OPT_BACKEND && option->id != CLI_OPT_SET) snprintf(letter, sizeof letter, "-%c, ", (char)option->id);
  snprintf(label, size, "%s--%s%s%s", letter, option->name, option->argument ? " " : "",
           option->argument ? option->argument : "");
}

static void print_entry(FILE *out, const char *label, const char *text, int indent) {
  fprintf(out, "  %-*s", indent - 2, label);
  if ((int)strlen(label) + 2 >= indent) fprintf(out, "\n%*s", indent, "");
  print_filled(out, text, indent, indent);
}

static void print_exit_codes(FILE *out) {
  fprintf(out, "\nExit codes:\n");
  for (size_t i = 0; i < cli_exit_code_count; i++) {
    char label[16];
    snprintf(label, sizeof label, "%d", (int)cli_exit_codes[i].status);
    print_entry(out, label, cli_exit_codes[i].meaning, 6);
  }
}

void cli_print_overview(FILE *out) {
  fprintf(out, "Usage: omniroll COMMAND [OPTION...] [ARGUMENT]\n\n");
  print_filled(out, cli_about, 0, 0);
  fprintf(out, "\nCommands:\n");
  for (size_t i = 0; i < cli_command_count; i++) {
    char label[64];
    const char *operand = cli_commands[i].operand;
    snprintf(label, sizeof label, "%s%s%s", cli_commands[i].name, operand ? " " : "", operand ? operand : "");
    print_entry(out, label, cli_commands[i].summary, 20);
  }
  fprintf(out, "\nOptions:\n");
  print_entry(out, "--help", "this text; omniroll COMMAND --help explains a command", 20);
  print_entry(out, "--version", "version, compiler, flags and instruction sets", 20);
  print_exit_codes(out);
}

void cli_print_help(const cli_command *command, FILE *out) {
  const char *operand = command->operand;
  fprintf(out, "Usage: omniroll %s [OPTION...]%s%s\n\n", command->name, operand ? " " : "", operand ? operand : "");
  print_filled(out, command->text, 0, 0);
  fprintf(out, "\nOptions:\n");
  for (size_t i = 0; i < cli_option_count; i++) {
    const cli_option *option = &cli_options[i];
    if (!(option->commands & command->id) || !option->help) continue;
    char label[64];
    option_label(option, label, sizeof label);
    print_entry(out, label, option->help, 28);
  }
  if (command->id & (CLI_RUN | CLI_RESUME)) {
    fprintf(out, "\nEnvironment:\n  ");
    print_filled(out, cli_environment, 2, 2);
  }
  print_exit_codes(out);
}

/* Text with the characters escaped that troff would take for its own. */
static void man_text(FILE *out, const char *text) {
  for (const char *c = text; *c; c++) {
    bool line_start = c == text || c[-1] == '\n';
    if (line_start && strncmp(c, "\n", 1) == 0) {
      fputs(".PP", out);
    } else if (line_start && (*c == '.' || *c == '\'')) {
      fputs("\\&", out);
    }
    if (*c == '\\') {
      fputs("\\e", out);
    } else if (*c == '-') {
      fputs("\\-", out);
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

static void man_command(FILE *out, const cli_command *command) {
  fprintf(out, ".SS omniroll %s [OPTION...] %s\n", command->name, command->operand ? command->operand : "");
  man_text(out, command->text);
  for (size_t i = 0; i < cli_option_count; i++) {
    const cli_option *option = &cli_options[i];
    if (!(option->commands & command->id) || !option->help || option->id == CLI_OPT_HELP) continue;
    char label[64];
    option_label(option, label, sizeof label);
    man_entry(out, label + strspn(label, " "), option->help);
  }
}

void cli_print_man(FILE *out) {
  fprintf(out, ".TH OMNIROLL 1 \"\" \"omniroll %s\"\n.SH NAME\nomniroll \\- ensembles of omni\\-wheel vehicles\n", omr_version());
  fputs(".SH SYNOPSIS\n.B omniroll\n.I COMMAND\n[\\fIOPTION\\fR...] [\\fIARGUMENT\\fR]\n.SH DESCRIPTION\n", out);
  man_text(out, cli_about);
  fputs(".SH COMMANDS\n", out);
  for (size_t i = 0; i < cli_command_count; i++) man_command(out, &cli_commands[i]);
  fputs(".SH \"EXIT STATUS\"\n", out);
  for (size_t i = 0; i < cli_exit_code_count; i++) {
    char label[16];
    snprintf(label, sizeof label, "%d", (int)cli_exit_codes[i].status);
    man_entry(out, label, cli_exit_codes[i].meaning);
  }
  fputs(".SH ENVIRONMENT\n", out);
  man_text(out, cli_environment);
}

omr_status cli_help(const cli_arguments *arguments, omr_error *error) {
  if (arguments->man) {
    cli_print_man(stdout);
  } else if (arguments->completion) {
    return cli_print_completion(arguments->completion, stdout, error);
  } else if (!arguments->operand) {
    cli_print_overview(stdout);
  } else {
    const cli_command *command = cli_find_command(arguments->operand, error);
    if (!command) return OMR_ERR_USAGE;
    cli_print_help(command, stdout);
  }
  return OMR_OK;
}
