/* Completion for bash and zsh, from the same tables as --help. */
#include "cli.h"
#include <string.h>

enum { BRIEF = 90 };

/* The kind of an operand or a value. */
typedef enum word_kind {
  WORD_NONE,
  WORD_STUDY,
  WORD_RESULT,
  WORD_FILE,
  WORD_FOLDER,
  WORD_MODEL,
  WORD_COMMAND,
  WORD_KIND
} word_kind;

static const struct {
  const char *name;
  word_kind kind;
} word_kinds[] = {{"STUDY", WORD_STUDY}, {"RESULT", WORD_RESULT},     {"FILE", WORD_RESULT},
                  {"DIR", WORD_FOLDER},  {"[COMMAND]", WORD_COMMAND}, {"[MODEL", WORD_MODEL},
                  {"[KIND]", WORD_KIND}, {"[NAME", WORD_NONE}};

static const struct {
  cli_option_id id;
  const char *words;
} option_words[] = {{CLI_OPT_BACKEND, "auto openmp scalar opencl"},
                    {CLI_OPT_DEVICE, "avx512 avx2 baseline"},
                    {CLI_OPT_PRECISION, "double single"},
                    {CLI_OPT_REFERENCE_METHOD, "adams bdf"},
                    {CLI_OPT_FRAME, "y_up ros"},
                    {CLI_OPT_SHAPE, "ellipsoid spheres mesh"},
                    {CLI_OPT_COMPLETION, "bash zsh"}};

/* The models that --model of new takes. */
static const char *machine_names(void) {
  static char names[256];
  const char *name;
  for (size_t i = 0, length = 0;
       (name = omr_starter_model_name(i)) != NULL && length < sizeof names; i++)
    length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", i ? " " : "", name);
  return names;
}

static const char *words_of(const cli_option *option) {
  if (option->id == CLI_OPT_MODEL) return machine_names();
  for (size_t i = 0; i < sizeof option_words / sizeof *option_words; i++)
    if (option_words[i].id == option->id) return option_words[i].words;
  return NULL;
}

/* An operand may be a list, "RESULT...". */
static word_kind kind_of(const char *operand) {
  if (!operand) return WORD_NONE;
  for (size_t i = 0; i < sizeof word_kinds / sizeof *word_kinds; i++)
    if (strncmp(operand, word_kinds[i].name, strlen(word_kinds[i].name)) == 0)
      return word_kinds[i].kind;
  return WORD_FILE;
}

static bool has_option(const cli_command *command, const cli_option *option) {
  return (option->commands & command->id) && option->help;
}

static bool has_letter(const cli_option *option) {
  return option->id < CLI_OPT_LONG && option->id != CLI_OPT_SET;
}

static void print_command_names(FILE *out) {
  for (size_t i = 0; i < cli_command_count; i++)
    fprintf(out, "%s%s", i ? " " : "", cli_commands[i].name);
}

static void print_model_names(FILE *out) {
  const char *name;
  for (size_t i = 0; (name = omr_model_name(i)) != NULL; i++)
    fprintf(out, "%s%s", i ? " " : "", name);
}

static void print_kind_names(FILE *out) {
  const char *name;
  for (size_t i = 0; (name = omr_starter_kind_name(i)) != NULL; i++)
    fprintf(out, "%s%s", i ? " " : "", name);
}

static void bash_options(const cli_command *command, FILE *out) {
  for (size_t i = 0; i < cli_option_count; i++) {
    const cli_option *option = &cli_options[i];
    if (!has_option(command, option)) continue;
    fprintf(out, "--%s ", option->name);
    if (has_letter(option)) fprintf(out, "-%c ", (char)option->id);
  }
}

static void bash_words(const char *label, const char *function, void (*print)(FILE *), FILE *out) {
  fprintf(out, "    %s) %s \"", label, function);
  print(out);
  fprintf(out, "\" ;;\n");
}

static void bash_command(const cli_command *command, FILE *out) {
  static const char *const operand[] = {
      [WORD_NONE] = "none",        [WORD_STUDY] = "json",  [WORD_RESULT] = "h5",
      [WORD_FILE] = "files",       [WORD_FOLDER] = "dirs", [WORD_MODEL] = "models",
      [WORD_COMMAND] = "commands", [WORD_KIND] = "kinds"};
  fprintf(out, "    %s) options=\"", command->name);
  bash_options(command, out);
  fprintf(out, "\" operand=%s ;;\n", operand[kind_of(command->operand)]);
}

/* Values of options: words where there are some, files for FILE, else nothing. */
static void bash_values(FILE *out) {
  for (size_t i = 0; i < cli_option_count; i++) {
    const cli_option *option = &cli_options[i];
    const char *words = words_of(option);
    bool again = false;
    for (size_t j = 0; j < i; j++) again = again || cli_options[j].id == option->id;
    if (!option->argument || !option->help || again) continue;
    fprintf(out, "    --%s", option->name);
    if (has_letter(option)) fprintf(out, "|-%c", (char)option->id);
    if (option->id == CLI_OPT_SET)
      fprintf(out, ") _omniroll_paths; return ;;\n");
    else if (words)
      fprintf(out, ") _omniroll_words \"%s\"; return ;;\n", words);
    else
      fprintf(out, ") %sreturn ;;\n",
              strcmp(option->argument, "FILE") == 0 ? "_omniroll_files ''; " : "");
  }
}

static void print_bash(FILE *out) {
  fprintf(out,
          "# shellcheck shell=bash\n# Completion of omniroll %s; made by `omniroll help "
          "--completion bash`\n",
          omr_version());

  /* Functions for words, files and the paths of --set. */
  fputs("_omniroll_words() { mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$cur\"); }\n"
        "_omniroll_files() {\n"
        "  compopt -o filenames 2>/dev/null\n"
        "  if [[ $1 ]]; then mapfile -t COMPREPLY < <(compgen -d -- \"$cur\"; compgen -f -X "
        "\"!*.$1\" -- \"$cur\")\n"
        "  else mapfile -t COMPREPLY < <(compgen -f -- \"$cur\"); fi\n"
        "}\n"
        "_omniroll_paths() {\n"
        "  local word study=''\n"
        "  for word in \"${COMP_WORDS[@]:2}\"; do [[ $word == *.json && -r $word ]] && "
        "study=$word; done\n"
        "  compopt -o nospace 2>/dev/null\n"
        "  _omniroll_words \"$(\"${COMP_WORDS[0]/#\\~/$HOME}\" help --paths ${study:+\"$study\"} "
        "2>/dev/null)\"\n"
        "}\n"
        "_omniroll_names() {\n"
        "  local word model=''\n"
        "  for word in \"${COMP_WORDS[@]:2:COMP_CWORD-2}\"; do "
        "[[ \" $1 \" != *\" $word \"* ]] || model=$word; done\n"
        "  [[ $model ]] || { _omniroll_words \"$1\"; return; }\n"
        "  _omniroll_words \"$(\"${COMP_WORDS[0]/#\\~/$HOME}\" describe \"$model\" --all "
        "2>/dev/null | sed -n 's/^  \\([a-z][a-z0-9_.]*\\)  .*/\\1/p')\"\n"
        "}\n"
        "_omniroll() {\n"
        "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} options='' "
        "operand=none\n"
        "  COMPREPLY=()\n"
        "  [[ $prev != '=' ]] || prev=${COMP_WORDS[COMP_CWORD-2]}\n"
        "  [[ $cur != '=' ]] || cur=\n"
        "  if ((COMP_CWORD == 1)); then\n"
        "    _omniroll_words \"",
        out);

  /* The first word is a command, a later one may be the value of an option. */
  print_command_names(out);
  fputs(" --help --version\"\n    return\n  fi\n  case $prev in\n", out);
  bash_values(out);

  /* Each command has its options and its operand. */
  fputs("  esac\n  case ${COMP_WORDS[1]} in\n", out);
  for (size_t i = 0; i < cli_command_count; i++) bash_command(&cli_commands[i], out);

  /* A word that begins with a dash is an option, any other an operand. */
  fputs("  esac\n"
        "  if [[ $cur == -* ]]; then\n"
        "    _omniroll_words \"$options\"\n"
        "    return\n"
        "  fi\n"
        "  case $operand in\n"
        "    json|h5) _omniroll_files $operand ;;\n"
        "    files) _omniroll_files '' ;;\n"
        "    dirs) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "
        "\"$cur\") ;;\n",
        out);

  bash_words("models", "_omniroll_names", print_model_names, out);
  bash_words("commands", "_omniroll_words", print_command_names, out);
  bash_words("kinds", "_omniroll_words", print_kind_names, out);
  fputs("  esac\n}\ncomplete -F _omniroll omniroll\n", out);
}

/* The first clause of a help text, for zsh in single quotes and brackets. */
static void zsh_text(FILE *out, const char *text) {
  size_t length = strcspn(text, ";\n");
  if (length > BRIEF) {
    length = BRIEF;
    while (length > 0 && text[length] != ' ') length--;
  }
  for (size_t i = 0; i < length; i++) {
    if (text[i] == '\'')
      fputs("'\\''", out);
    else if (strchr("[]\\", text[i]))
      fprintf(out, "\\%c", text[i]);
    else
      fputc(text[i], out);
  }
}

static void zsh_value(const cli_option *option, FILE *out) {
  const char *words = words_of(option);
  if (!option->argument) return;
  fprintf(out, ":%s:", option->argument);
  if (words) fprintf(out, "(%s)", words);
  if (option->id == CLI_OPT_SET) fputs("_omniroll_paths", out);
  if (!words && strcmp(option->argument, "FILE") == 0) fputs("_files", out);
}

static void zsh_option(const cli_option *option, FILE *out) {
  const char *equals = option->argument ? "=" : "", *letter = option->argument ? "+" : "";
  if (has_letter(option))
    fprintf(out, " \\\n        '(-%c --%s)'{-%c%s,--%s%s}'[", (char)option->id, option->name,
            (char)option->id, letter, option->name, equals);
  else
    fprintf(out, " \\\n        '%s--%s%s[", option->id == CLI_OPT_SET ? "*" : "", option->name,
            equals);
  zsh_text(out, option->help);
  fputc(']', out);
  zsh_value(option, out);
  fputc('\'', out);
}

static void zsh_operand(const cli_command *command, FILE *out) {
  const word_kind kind = kind_of(command->operand);
  if (kind == WORD_NONE) return;

  /* A model, and names of its description. */
  if (kind == WORD_MODEL) {
    fputs(" \\\n        '1:MODEL:(", out);
    print_model_names(out);
    fputs(")' '*:NAME:_omniroll_names'", out);
    return;
  }

  /* The operand may be a list. */
  const char *many = strstr(command->operand, "...") ? "*" : "1";
  fprintf(out, " \\\n        '%s:%.*s:", many, (int)strcspn(command->operand, "."),
          command->operand);

  /* Some operands are words, the others are files. */
  if (kind == WORD_COMMAND || kind == WORD_KIND) {
    fputc('(', out);
    if (kind == WORD_KIND)
      print_kind_names(out);
    else
      print_command_names(out);
    fputc(')', out);
  } else {
    fputs(kind == WORD_STUDY    ? "_files -g \"*.json\""
          : kind == WORD_RESULT ? "_files -g \"*.h5\""
          : kind == WORD_FOLDER ? "_files -/"
                                : "_files",
          out);
  }

  fputc('\'', out);
}

static void print_zsh(FILE *out) {
  fprintf(out,
          "#compdef omniroll\n# zsh completion of omniroll %s; made by `omniroll help --completion "
          "zsh`\n",
          omr_version());

  /* The paths of --set, with the study on the command line. */
  fputs("_omniroll_paths() {\n"
        "  local -a paths\n"
        "  paths=(${(f)\"$(omniroll help --paths ${words[(r)*.json]} 2>/dev/null)\"})\n"
        "  compadd -S '' -- $paths\n"
        "}\n"
        "_omniroll_names() {\n"
        "  local -a names\n"
        "  names=(${(f)\"$(omniroll describe $words[2] --all 2>/dev/null | "
        "sed -n 's/^  \\([a-z][a-z0-9_.]*\\)  .*/\\1/p')\"})\n"
        "  compadd -- $names\n"
        "}\n",
        out);

  /* The commands with their summaries. */
  fputs("_omniroll() {\n  local -a commands\n  commands=(\n", out);
  for (size_t i = 0; i < cli_command_count; i++) {
    fprintf(out, "    '%s:", cli_commands[i].name);
    zsh_text(out, cli_commands[i].summary);
    fputs("'\n", out);
  }

  /* The first word is a command. */
  fputs("  )\n"
        "  if (( CURRENT == 2 )); then\n"
        "    _describe -t commands command commands\n"
        "    _arguments --help'[explain the program]' --version'[version, compiler, flags and "
        "instruction sets]'\n"
        "    return\n"
        "  fi\n"
        "  local command=$words[2]\n"
        "  shift words\n"
        "  (( CURRENT-- ))\n"
        "  case $command in\n",
        out);

  /* Options and operand of each command. */
  for (size_t i = 0; i < cli_command_count; i++) {
    fprintf(out, "    %s)\n      _arguments -s -S", cli_commands[i].name);
    for (size_t j = 0; j < cli_option_count; j++)
      if (has_option(&cli_commands[i], &cli_options[j])) zsh_option(&cli_options[j], out);
    zsh_operand(&cli_commands[i], out);
    fputs(" ;;\n", out);
  }

  fputs("  esac\n}\nif [[ $funcstack[1] == _omniroll ]]; then _omniroll \"$@\"; else compdef "
        "_omniroll omniroll; fi\n",
        out);
}

omr_status cli_print_completion(const char *shell, FILE *out, omr_error *error) {
  if (strcmp(shell, "bash") == 0)
    print_bash(out);
  else if (strcmp(shell, "zsh") == 0)
    print_zsh(out);
  else
    return omr_fail(error, OMR_ERR_USAGE, "--completion %s: expected bash or zsh", shell);
  return OMR_OK;
}
