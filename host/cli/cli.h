/* The program: one table of commands, one of options, one function per command. */
#ifndef OMR_CLI_H
#define OMR_CLI_H

#include "text.h"

/* Commands as bits: which of them take an option. */
enum {
#define X(id, ...) CLI_##id##_BIT,
#include "../lists/commands.def"
#undef X
};
enum {
#define X(id, ...) CLI_##id = 1 << CLI_##id##_BIT,
#include "../lists/commands.def"
#undef X
  CLI_ALL = 0x7fffffff
};

/* Options: the code of a letter, or a number from CLI_OPT_LONG on. */
enum {
#define NAME(id, ...) CLI_PLACE_##id,
#define USE(...)
#include "../lists/options.def"
#undef NAME
#undef USE
  CLI_PLACES
};
typedef enum cli_option_id {
  CLI_OPT_LONG = 256,
#define NAME(id, letter, ...) CLI_OPT_##id = letter ? letter : 256 + CLI_PLACE_##id,
#define USE(...)
#include "../lists/options.def"
#undef NAME
#undef USE
} cli_option_id;

typedef struct cli_option {
  cli_option_id id;
  const char *name, *dashed; /* dashed: behind two dashes */
  const char *argument;      /* NULL: none; in brackets: may be left out */
  const char *help;          /* NULL: not shown */
  int commands;
} cli_option;

/* The parsed command line. Destroyed with cli_arguments_free. */
typedef struct cli_arguments {
  const char *operand; /* STUDY, MODEL or COMMAND; NULL if not given */
  char **operands;     /* all of them; argv's */
  size_t operand_count;
  const char *shard; /* NULL if not given */
  bool restart, overwrite, foreign_folder, strict, oversize, partial, in_place;
  bool hash;
  const char *output;
  const char *backend, *device, *precision; /* as given; runs take them from the overrides */
  int threads;                              /* likewise; 0 if not given */
  const char *columns;                      /* NULL if not given */
  const char *observables;                  /* NULL if not given */
  const char *formats;                      /* figures; NULL if not given */
  const char *completion;                   /* shell; NULL if not given */
  bool trajectories;
  bool list;        /* figures */
  char **overrides; /* "path=value", shorthands included, in the order given */
  size_t override_count;
  const char *instances;              /* LIST; NULL if not given */
  size_t sample;                      /* 0 if not given */
  double tolerance, single_tolerance; /* negative if not given */
  double reference_tolerance;         /* 0 if not given */
  bool reference_bdf;                 /* BDF and Newton instead of Adams */
  const char *with;                   /* compare: another study; NULL if not given */
  bool json, quiet, verbose, help, man;
  const char *sections, *json_file, *csv; /* bench; NULL if not given */
  int rounds;                             /* 0 if not given */
  double seconds;                         /* 0 if not given */
  bool quick;
  const char *model;      /* of a starter study; NULL if not given */
  const char *frame;      /* describe; NULL if not given */
  const char *search;     /* describe; NULL if not given */
  bool all;               /* describe */
  bool list_kinds, force; /* new */
  const char *man_folder; /* NULL if not given */
  bool paths;             /* help: the paths that --set takes */
  char *accept;           /* members of integrator.accept as JSON; NULL if not given; owned */
  double budget;          /* s; 0 if not given */
  bool reference;         /* converge */
  bool nominal;
  const char *instance;   /* LIST; NULL if not given */
  bool check;             /* calibrate, export-model */
  int sbc;                /* calibrate; 0 if not given */
  const char *variant;    /* of the study; NULL if not given */
  bool untold;            /* run: what the result says is printed later */
  const char *candidates; /* evaluate: a CSV file; NULL if not given */
  const char *mjcf, *newton, *cheap, *shape, *shape_error; /* export-model; NULL if not given */
  const char *search_budget, *search_seconds, *seed, *population; /* optimize; NULL if not given */
  const char *trace;                          /* INTERVAL, "" without one; NULL if not given */
  int tasks;                                  /* plan; 0 if not given */
  const char *emit, *image, *storage, *queue; /* plan; NULL if not given */
} cli_arguments;

typedef struct cli_command {
  int id;
  const char *name;
  const char *group;   /* in the overview: commands of a group stand together */
  const char *operand; /* NULL: none; in brackets: optional; with dots at its end: one or more */
  const char *summary;
  const char *text; /* paragraphs, separated by empty lines */
} cli_command;

typedef struct cli_exit_code {
  omr_status status;
  const char *meaning;
} cli_exit_code;

extern const cli_command cli_commands[];
extern const size_t cli_command_count;
extern const cli_option cli_options[];
extern const size_t cli_option_count;
extern const cli_exit_code cli_exit_codes[];
extern const size_t cli_exit_code_count;
extern const char cli_about[], cli_about_json[];

typedef struct cli_variable {
  const char *name, *meaning;
  int commands;
} cli_variable;
extern const cli_variable cli_variables[];
extern const size_t cli_variable_count;

/* argv[0] is the command's name. On failure the error names the option and the nearest known one.
 */
omr_status cli_parse(const cli_command *command, int argc, char **argv, cli_arguments *arguments,
                     omr_error *error);
void cli_arguments_free(cli_arguments *arguments);
/* Whether a flag or a word that goes into no member of the study is given, and the word. */
bool cli_is_given(const cli_arguments *arguments, const cli_option *option, const char **value);

/* Examples of a command, and files that it reads and writes, by the command's name. */
typedef struct cli_example {
  const char *command, *line, *meaning;
} cli_example;
extern const cli_example cli_examples[];
extern const size_t cli_example_count;
extern const cli_example cli_files[]; /* line: a file */
extern const size_t cli_file_count;

bool cli_is_command(const char *name);
/* The command of that name; otherwise NULL and an error with the nearest one. */
const cli_command *cli_find_command(const char *name, omr_error *error);

/* The meaning of an option that the command lacks; NULL where it is not known. */
const char *cli_option_hint(const cli_command *command, const char *name);
/* A word such as -output, which getopt would read as -o utput. OMR_OK: there is none. */
omr_status cli_refuse_single_dash(const cli_command *command, int argc, char **argv,
                                  omr_error *error);
/* operands[most] and all that follow are too many. */
omr_status cli_refuse_operands(const cli_command *command, const cli_arguments *arguments, int most,
                               int count, char **operands, omr_error *error);
/* Refuses a word in the place of a command that is a study, a result, a model or another program's
 * word; OMR_OK: nothing known. */
omr_status cli_explain_word(const char *name, omr_error *error);

void cli_print_overview(FILE *out);
void cli_print_help(const cli_command *command, FILE *out);
/* omniroll.1, or with a command omniroll-COMMAND.1. */
void cli_print_man(const cli_command *command, FILE *out);
/* All of them into a folder. */
omr_status cli_write_man(const char *folder, omr_error *error);
/* Exit codes that a command can end with. */
bool cli_ends_with(const cli_command *command, const cli_exit_code *code);
/* Entry i of a section of a command's page (NULL: the program's own page); its text is NULL where
 * it is another command's. False beyond the last one. */
typedef enum cli_section {
  CLI_OPTIONS,
  CLI_EXAMPLES,
  CLI_FILES,
  CLI_VARIABLES,
  CLI_EXIT_CODES
} cli_section;
typedef struct cli_entry {
  char label[256];
  const char *text;
} cli_entry;
bool cli_find_entry(const cli_command *command, cli_section section, size_t i, cli_entry *entry);
/* Completion of "bash" or "zsh". */
omr_status cli_print_completion(const char *shell, FILE *out, omr_error *error);
/* Whether the stream is a terminal with colour, and NO_COLOR is not set. */
bool cli_has_colour(FILE *stream);
/* From here on, text printed to stdout may come from studies, results and devices:
 * omr_shown_stream. */
omr_status cli_show_output(omr_error *error);
/* Ends cli_show_output: later text is written as it is. */
void cli_end_output(void);
/* A line, bold on a terminal. */
void cli_heading(FILE *out, const char *text);
/* "omniroll: MESSAGE" on standard error. */
void cli_print_error(const omr_error *error);

struct cJSON;
/* Adds the item to the object, or without a name to the list, and takes it over; NULL is an item
 * that could not be made. An item that cannot be added marks the tree, which is then not printed.
 */
void cli_add(struct cJSON *to, const char *name, struct cJSON *item);
void cli_add_text(struct cJSON *to, const char *name, const char *text); /* NULL: null */
/* Prints the tree and deletes it; NULL, or one that is not whole, is out of memory. */
omr_status cli_print_json(struct cJSON *root, omr_error *error);
/* Prints the text and destroys it; returns status, the status of its making, after which *text is
 * read. */
omr_status cli_print_text(char **text, omr_status status);
/* The output, where there is one: it can be written, and is not the operand. */
omr_status cli_check_output(const cli_arguments *arguments, omr_error *error);
/* A stream that takes a table as CSV and writes it as JSON to `out`, {"columns": [{"name", "unit"},
 * ...], "rows": [[...], ...]}; NULL when out of memory. The caller closes it. */
FILE *cli_table_to_json(FILE *out);

/* Called once, before all else: fills closed standard descriptors, and makes a file that grows over
 * the limit of the process an error. */
void cli_guard(void);
/* From now on a crash is an error of the last result that was read (OMR_ERR_IO): for commands that
 * read results and run no study. */
void cli_catch_crashes(void);
/* The first SIGINT, SIGTERM or SIGHUP asks the command to stop, the second has its usual effect. An
 * ignored SIGHUP stays ignored. */
void cli_catch_signals(void);
bool cli_interrupted(void);
/* From now on a signal ends the process about a second later where the work has not stopped by
 * itself, as in a long launch; the text says which work is kept, as the end of a sentence. For work
 * that leaves nothing half done. NULL: the process waits for the work again. */
void cli_leave_soon(const char *told);

/* Standard input as a study ("-") from its beginning, where it was kept (variants.h). */
void cli_rewind(const char *operand);
/* The study of the command line whole, with its changes. The caller destroys *study. */
omr_status cli_load_whole(const cli_arguments *arguments, omr_study **study, omr_error *error);
/* The study of the command line, or a study of the vehicles that --nominal and --instance choose.
 * The caller destroys *study. */
omr_status cli_load(const cli_arguments *arguments, omr_study **study, omr_error *error);

struct cli_progress;
/* The study and the output of a command that works on some instances, checked before the work. The
 * caller destroys *study. */
omr_status cli_begin_instances(const cli_arguments *arguments, omr_study **study, omr_error *error);
/* The instances that the command line chooses, and the way in which the reference integrates them.
 */
omr_reference_choice cli_choice(const cli_arguments *arguments);
/* compare_with.c: omniroll compare --with. */
omr_status cli_compare_with(const cli_arguments *arguments, omr_error *error);
/* Warns once where the reference will take long (progress.h). */
void cli_reference_forewarn(struct cli_progress *progress, double done, double total);
/* cli_progress_watch, and the forewarning. */
bool cli_reference_watch(void *progress, double done, double total);

/* Becomes `python3 -m module words...`, with the package that belongs to this program: it returns
 * only where that fails. The module prints its own errors and ends with the exit codes of this
 * program. Python: $OMNIROLL_PYTHON, else /usr/bin/python3, else python3; package:
 * $OMNIROLL_ANALYSIS, else next to the program, installed or in its source tree. */
omr_status cli_run_python(const char *module, size_t count, const char *const *words,
                          omr_error *error);
/* The path of this program; false where the system does not say. */
bool cli_program_path(char path[4096]);

/* The function of each command. */
#define X(id, word, ...) omr_status cli_##word(const cli_arguments *arguments, omr_error *error);
#include "../lists/commands.def"
#undef X
/* The name of the result of a run without -o (run.c). */
void cli_default_output(const cli_arguments *arguments, cli_text *path);
/* cli_run in memory, without a file (hash.c). */
omr_status cli_run_hash(const cli_arguments *arguments, omr_error *error);

#endif
