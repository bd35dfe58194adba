/* Completion for bash and zsh, from the same tables as --help. */
#include "cli.h"
#include <string.h>

enum { BRIEF = 90 };

static const char *command_name(size_t i) {
  return i < cli_command_count ? cli_commands[i].name : NULL;
}

/* Kinds of operands by how they begin; those of `name` are words. */
typedef struct word_kind {
  const char *begins, *bash, *zsh;
  const char *(*name)(size_t i);
} word_kind;
static const word_kind word_kinds[] = {{"STUDY", "json", "_files -g \"*.json\"", NULL},
                                       {"RESULT", "h5", "_files -g \"*.h5\"", NULL},
                                       {"FILE", "h5", "_files -g \"*.h5\"", NULL},
                                       {"DIR", "dirs", "_files -/", NULL},
                                       {"[MODEL", "models", NULL, omr_model_name},
                                       {"[COMMAND]", "commands", NULL, command_name},
                                       {"[KIND]", "kinds", NULL, omr_starter_kind_name},
                                       {"[NAME", "none", NULL, NULL},
                                       {"", "files", "_files", NULL}};

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

static void print_names(const char *(*name)(size_t i), FILE *out) {
  for (size_t i = 0; name(i); i++) fprintf(out, "%s%s", i ? " " : "", name(i));
}

/* The words that a value can be, between two texts; false where it can be anything. */
static bool print_words(const cli_option *option, const char *before, const char *after,
                        FILE *out) {
  size_t i = 0;
  const size_t count = sizeof option_words / sizeof *option_words;
  while (i < count && option_words[i].id != option->id) i++;
  if (i == count && option->id != CLI_OPT_MODEL) return false;
  fputs(before, out);
  if (i < count)
    fputs(option_words[i].words, out);
  else
    print_names(omr_starter_model_name, out);
  fputs(after, out);
  return true;
}

/* An operand may be a list, "RESULT..."; NULL where there is none. */
static const word_kind *kind_of(const char *operand) {
  const word_kind *kind = word_kinds;
  if (!operand) return NULL;
  while (strncmp(operand, kind->begins, strlen(kind->begins)) != 0) kind++;
  return kind;
}

static bool has_option(const cli_command *command, const cli_option *option) {
  return (option->commands & command->id) && option->help;
}

static bool has_letter(const cli_option *option) {
  return option->id < CLI_OPT_LONG && option->id != CLI_OPT_SET;
}

static void bash_options(const cli_command *command, FILE *out) {
  for (size_t i = 0; i < cli_option_count; i++) {
    const cli_option *option = &cli_options[i];
    if (!has_option(command, option)) continue;
    fprintf(out, "--%s ", option->name);
    if (has_letter(option)) fprintf(out, "-%c ", (char)option->id);
  }
}

static void bash_command(const cli_command *command, FILE *out) {
  const word_kind *kind = kind_of(command->operand);
  fprintf(out, "    %s) options=\"", command->name);
  bash_options(command, out);
  fprintf(out, "\" operand=%s ;;\n", kind ? kind->bash : "none");
}

/* Values of options: words where there are some, files for FILE, else nothing. */
static void bash_values(FILE *out) {
  for (size_t i = 0; i < cli_option_count; i++) {
    const cli_option *option = &cli_options[i];
    bool again = false;
    for (size_t j = 0; j < i; j++) again = again || cli_options[j].id == option->id;
    if (!option->argument || !option->help || again) continue;
    fprintf(out, "    --%s", option->name);
    if (has_letter(option)) fprintf(out, "|-%c", (char)option->id);
    if (option->id == CLI_OPT_SET)
      fprintf(out, ") _omniroll_paths; return ;;\n");
    else if (!print_words(option, ") _omniroll_words \"", "\"; return ;;\n", out))
      fprintf(out, ") %sreturn ;;\n",
              strcmp(option->argument, "FILE") == 0 ? "_omniroll_files ''; " : "");
  }
}

/* Functions for words, files and the paths of --set, and the first lines of the one that uses them.
 */
static void bash_functions(FILE *out) {
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
}

static void print_bash(FILE *out) {
  fprintf(out,
          "# shellcheck shell=bash\n# Completion of omniroll %s; made by `omniroll help "
          "--completion bash`\n",
          omr_version());
  bash_functions(out);

  /* The first word is a command, a later one may be the value of an option. */
  print_names(command_name, out);
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

  for (const word_kind *kind = word_kinds; *kind->begins; kind++) {
    if (!kind->name) continue;
    fprintf(out, "    %s) _omniroll_%s \"", kind->bash,
            kind->name == omr_model_name ? "names" : "words");
    print_names(kind->name, out);
    fputs("\" ;;\n", out);
  }
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
  if (!option->argument) return;
  fprintf(out, ":%s:", option->argument);
  const bool words = print_words(option, "(", ")", out);
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
  const word_kind *kind = kind_of(command->operand);
  if (!kind || (!kind->zsh && !kind->name)) return;

  /* The operand may be a list; behind a model come names of its description. */
  const bool model = kind->name == omr_model_name;
  const char *many = !model && strstr(command->operand, "...") ? "*" : "1";
  fprintf(out, " \\\n        '%s:%.*s:", many, model ? 5 : (int)strcspn(command->operand, "."),
          model ? "MODEL" : command->operand);

  /* Some operands are words, the others are files. */
  if (kind->zsh) {
    fputs(kind->zsh, out);
  } else {
    fputc('(', out);
    print_names(kind->name, out);
    fputc(')', out);
  }
  fputs(model ? "' '*:NAME:_omniroll_names'" : "'", out);
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
