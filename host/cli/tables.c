/* Every word that --help and the manual page say about commands, options and exit codes. */
#include "cli.h"

const char cli_about[] = "Runs ensembles of omni-wheel and mecanum vehicles with explicit rollers: "
                         "a study in JSON goes in, an HDF5 file with one "
                         "value per instance comes out.";

const cli_command cli_commands[] = {
#define X(id, word, operand, summary, text) {CLI_##id, #word, operand, summary, text},
#include "../lists/commands.def"
#undef X
};
const size_t cli_command_count = sizeof cli_commands / sizeof *cli_commands;

const cli_option cli_options[] = {
    {CLI_OPT_OUTPUT, "output", "FILE",
     "where the result goes; run: by default the study's name with .h5, in the current folder; "
     "reference and compare: "
     "trajectories as HDF5, by default none",
     CLI_RUN | CLI_COMPARE | CLI_REFERENCE},
    {CLI_OPT_OUTPUT, "output", "FILE", "where the result goes", CLI_MERGE},
    {CLI_OPT_OUTPUT, "output", "FILE",
     "where the table goes: HDF5 for a name in .h5, else CSV; default: standard output",
     CLI_SAMPLE},
    {CLI_OPT_OUTPUT, "output", "FILE", "where the table goes; default: standard output",
     CLI_EXPORT},
    {CLI_OPT_OUTPUT, "output", "FILE",
     "where the result would go, for the room on that disk; default: the current folder", CLI_PLAN},
    {CLI_OPT_OUTPUT, "output", "PREFIX",
     "where table and figure go: PREFIX.json and PREFIX.png; default: none", CLI_CONVERGE},
    {CLI_OPT_OUTPUT, "output", "FILE",
     "where a copy of the result with the new statistics goes; default: none", CLI_ANALYZE},
    {CLI_OPT_OUTPUT, "output", "FILE",
     "where the page goes; default: the result's name with .html, beside it", CLI_REPORT},
    {CLI_OPT_OUTPUT, "output", "FOLDER",
     "where figures, page and results go; default: omniroll-figures", CLI_FIGURES},
    {CLI_OPT_FORMAT, "format", "LIST",
     "files of each figure, parted by commas: png, svg, pdf; default: png,svg", CLI_FIGURES},
    {CLI_OPT_LIST, "list", NULL, "list the figures, with studies and times, and draw nothing",
     CLI_FIGURES},
    {CLI_OPT_QUICK, "quick", NULL, "fewer instances in the long studies", CLI_FIGURES},
    {CLI_OPT_RESTART, "restart", NULL, "run every study anew, whatever results are there",
     CLI_FIGURES},
    {CLI_OPT_OBSERVABLES, "observables", "LIST",
     "names parted by commas: the observables to show; default: up to three that differ between "
     "the instances",
     CLI_REPORT},
    {CLI_OPT_ACCEPT, "accept", "NAME=ERROR",
     "the error of an observable's mean that is accepted, such as \"vibration_rms=1 %\", or of a "
     "criterion (fail.NAME) the share "
     "of "
     "instances that change sides; may be given many times, in place of the study's "
     "integrator.accept",
     CLI_CONVERGE | CLI_PLAN | CLI_RUN | CLI_VALIDATE},
    {CLI_OPT_BUDGET, "budget", "SECONDS", "how long it may take, about; default 60", CLI_CONVERGE},
    {CLI_OPT_REFERENCE, "reference", NULL,
     "the truth is that of the multibody reference, of 4 instances unless --instances or --sample "
     "chooses",
     CLI_CONVERGE},
    {CLI_OPT_OBSERVABLES, "observables", "LIST",
     "names parted by commas: those to show, at most 3 in the table; default: those that an "
     "accuracy is asked for, or the usual "
     "ones",
     CLI_CONVERGE},
    {CLI_OPT_INSTANCES, "instances", "LIST",
     "the traced instances to show over time, such as 0,3,7-9; default: some of each kind",
     CLI_REPORT},
    {CLI_OPT_COLUMNS, "columns", "LIST",
     "names parted by commas: these columns or samples alone, in this order", CLI_EXPORT},
    {CLI_OPT_TRAJECTORIES, "trajectories", NULL, "the samples of the traced instances", CLI_EXPORT},
    {CLI_OPT_INSTANCES, "instances", "LIST", "the instances to take, such as 0,3,7-9",
     CLI_COMPARE | CLI_REFERENCE | CLI_CONVERGE},
    {CLI_OPT_SAMPLE, "sample", "K", "take K instances, spread evenly from the first to the last",
     CLI_COMPARE | CLI_REFERENCE | CLI_CONVERGE},
    {CLI_OPT_TOLERANCE, "tolerance", "REL",
     "largest difference in double precision beyond the step error, over the scale; default 1e-6: "
     "integration of the reference "
     "and "
     "rounding stay below 1e-8 over seconds, a term that one model lacks does not",
     CLI_COMPARE},
    {CLI_OPT_SINGLE_TOLERANCE, "single-tolerance", "REL",
     "the same in single precision, which otherwise is reported and not judged: what its rounding "
     "leaves grows with the number "
     "of steps",
     CLI_COMPARE},
    {CLI_OPT_REFERENCE_TOLERANCE, "reference-tolerance", "REL",
     "relative tolerance of the reference's integration, a tenth of it absolute in SI units; "
     "default 1e-11",
     CLI_COMPARE | CLI_REFERENCE | CLI_CONVERGE},
    {CLI_OPT_REFERENCE_METHOD, "reference-method", "NAME",
     "adams (default; explicit, orders to 12) or bdf (implicit, orders to 5, for stiff friction)",
     CLI_COMPARE | CLI_REFERENCE | CLI_CONVERGE},
    {CLI_OPT_JSON, "json", NULL, "print as JSON",
     CLI_COMPARE | CLI_PLAN | CLI_CONVERGE | CLI_ANALYZE | CLI_VALIDATE | CLI_DESCRIBE |
         CLI_DEVICES | CLI_SELFTEST | CLI_HELP | CLI_REFERENCE},
    {CLI_OPT_JSON, "json", NULL, "print as JSON in place of CSV", CLI_SAMPLE | CLI_EXPORT},
    {CLI_OPT_HASH, "hash", NULL,
     "run in memory, write nothing, print the hash of the numbers and the speed", CLI_RUN},
    {CLI_OPT_JSON, "json", NULL, "with --hash: print as JSON", CLI_RUN},
    {CLI_OPT_JSON_FILE, "json", "[FILE]", "JSON in place of the table, or in FILE besides it",
     CLI_BENCH},
    {CLI_OPT_CSV, "csv", "FILE", "write the rows as CSV too", CLI_BENCH},
    {CLI_OPT_SECTION, "section", "LIST",
     "these sections alone, parted by commas: backends, threads, instances, rollers, wheels, laws, "
     "methods, numerics, accuracy",
     CLI_BENCH},
    {CLI_OPT_ROUNDS, "rounds", "N", "how often each row is measured; default 3, with --quick 2",
     CLI_BENCH},
    {CLI_OPT_SECONDS, "seconds", "S",
     "integrating time of each row over all rounds; default 0.6, with --quick 0.15", CLI_BENCH},
    {CLI_OPT_INSTANCES, "instances", "N",
     "instances of each row, and most of section instances; default: enough to fill the device, "
     "and up to a million",
     CLI_BENCH},
    {CLI_OPT_QUICK, "quick", NULL, "fewer rows, less time for each", CLI_BENCH},
    {CLI_OPT_BACKEND, "backend", "NAME", "openmp, scalar or opencl alone", CLI_BENCH},
    {CLI_OPT_DEVICE, "device", "NAME",
     "this OpenCL device (platform:device or part of its name) or instruction set alone",
     CLI_BENCH},
    {CLI_OPT_PRECISION, "precision", "NAME", "double or single alone", CLI_BENCH},
    {CLI_OPT_THREADS, "threads", "N", "largest number of threads; default: all", CLI_BENCH},
    {CLI_OPT_SET, "set", "PATH=VALUE",
     "replace or add a member of the study, such as integrator.step=1e-4; VALUE is JSON or a bare "
     "word; may be given many times",
     CLI_RUN | CLI_VALIDATE | CLI_COMPARE | CLI_REFERENCE | CLI_SAMPLE | CLI_PLAN | CLI_CONVERGE},
    {CLI_OPT_SET, "set", "PATH=VALUE",
     "replace or add a member of the study's \"statistics\", such as statistics.confidence=0.99; "
     "may be given many times",
     CLI_ANALYZE},
    {CLI_OPT_BACKEND, "backend", "NAME",
     "auto, openmp, scalar or opencl; the same as --set engine.backend=NAME",
     CLI_RUN | CLI_VALIDATE | CLI_COMPARE | CLI_RESUME | CLI_PLAN},
    {CLI_OPT_DEVICE, "device", "NAME",
     "OpenCL: platform:device or part of the device's name; OpenMP: avx512, avx2 or baseline; the "
     "same as --set "
     "engine.device=NAME",
     CLI_RUN | CLI_VALIDATE | CLI_COMPARE | CLI_RESUME | CLI_PLAN},
    {CLI_OPT_DEVICE, "device", "NAME",
     "test this one alone: avx512, avx2, baseline, or platform:device of OpenCL", CLI_SELFTEST},
    {CLI_OPT_BACKEND, "backend", "NAME",
     "auto, openmp, scalar or opencl; auto: openmp, whose speed is that of a core; the same as "
     "--set engine.backend=NAME",
     CLI_CONVERGE},
    {CLI_OPT_DEVICE, "device", "NAME",
     "OpenCL: platform:device or part of the device's name; OpenMP: avx512, avx2 or baseline; the "
     "same as --set "
     "engine.device=NAME",
     CLI_CONVERGE},
    {CLI_OPT_PRECISION, "precision", "NAME", "double or single alone; default: both", CLI_CONVERGE},
    {CLI_OPT_THREADS, "threads", "N", "number of OpenMP threads for the truth; speeds are of one",
     CLI_CONVERGE},
    {CLI_OPT_PRECISION, "precision", "NAME",
     "double or single; the same as --set engine.precision=NAME",
     CLI_RUN | CLI_VALIDATE | CLI_COMPARE | CLI_PLAN},
    {CLI_OPT_THREADS, "threads", "N",
     "number of OpenMP threads; the same as --set engine.threads=N",
     CLI_RUN | CLI_VALIDATE | CLI_COMPARE | CLI_RESUME | CLI_PLAN},
    {CLI_OPT_SHARD, "shard", "I/N",
     "do only part I of N of the chunks, I from 1 to N: every N-th chunk; none: all, whatever a "
     "launcher's environment says",
     CLI_RUN | CLI_RESUME | CLI_PLAN},
    {CLI_OPT_RESTART, "restart", NULL, "forget the unfinished run that FILE.parts holds", CLI_RUN},
    {CLI_OPT_OVERWRITE, "overwrite", NULL,
     "replace the file that is there, though it is no result of this same study",
     CLI_RUN | CLI_MERGE},
    {CLI_OPT_STRICT, "strict", NULL,
     "end with exit code 11 where the error that the step makes is larger than integrator.accept "
     "allows; the result is written",
     CLI_RUN | CLI_RESUME | CLI_MERGE},
    {CLI_OPT_QUIET, "quiet", NULL, "no progress, no log, no summary; errors still are printed",
     CLI_RUN | CLI_COMPARE | CLI_REFERENCE | CLI_RESUME | CLI_MERGE},
    {CLI_OPT_QUIET, "quiet", NULL, "no progress", CLI_BENCH | CLI_CONVERGE},
    {CLI_OPT_OUTPUT, "output", "FILE",
     "where the study goes, - for standard output; default: KIND.json in the current folder",
     CLI_NEW},
    {CLI_OPT_MODEL, "model", "NAME",
     "what the study is about; default: omni_vehicle, or what KIND says; --list names them",
     CLI_NEW},
    {CLI_OPT_KINDS, "list", NULL, "list kinds and models, and write nothing", CLI_NEW},
    {CLI_OPT_FORCE, "force", NULL, "replace a file that is there", CLI_NEW},
    {CLI_OPT_JSON, "json", NULL, "with --list: print as JSON", CLI_NEW},
    {CLI_OPT_QUIET, "quiet", NULL, "do not say what comes next", CLI_NEW},
    {CLI_OPT_MAN, "man", NULL, NULL, CLI_HELP},
    {CLI_OPT_MAN_FOLDER, "man-folder", "DIR", NULL, CLI_HELP},
    {CLI_OPT_PATHS, "paths", NULL, NULL, CLI_HELP},
    {CLI_OPT_COMPLETION, "completion", "SHELL",
     "print the completion of the command line for bash or zsh", CLI_HELP},
    {CLI_OPT_HELP, "help", NULL, "explain the command", CLI_ALL},
};
const size_t cli_option_count = sizeof cli_options / sizeof *cli_options;

const cli_exit_code cli_exit_codes[] = {
    {OMR_OK, "done; instances that failed are data in the result"},
    {OMR_ERR_INTERNAL, "internal error"},
    {OMR_ERR_USAGE, "wrong command line"},
    {OMR_ERR_STUDY, "the study is wrong"},
    {OMR_ERR_DEVICE, "backend, device or driver; the reference is not in this build; Python or a "
                     "package of it is missing"},
    {OMR_ERR_IO, "a file cannot be read or written"},
    {OMR_ERR_MEMORY, "out of memory"},
    {OMR_ERR_INTERRUPTED, "interrupted; run: omniroll resume goes on"},
    {OMR_ERR_SELFTEST, "a device gives wrong numbers"},
    {OMR_ERR_DIFFERS, "compare: a difference from the reference exceeds the tolerance"},
    {OMR_ERR_FAILURES, "run: more instances failed than statistics.failed_limit allows (the result "
                       "is written), or one failed and "
                       "integrator.on_failure is \"abort\" (it is not)"},
    {OMR_ERR_INACCURATE, "run --strict: the error that the step makes is larger than "
                         "integrator.accept allows, or not known "
                         "where the study asks for it "
                         "(the result is written)"},
};
const size_t cli_exit_code_count = sizeof cli_exit_codes / sizeof *cli_exit_codes;
