/* Every word that --help and the manual page say about commands, options and exit codes. */
#include "cli.h"

const char cli_about[] = "Runs ensembles of omni-wheel and mecanum vehicles with explicit rollers: "
                         "a study in JSON goes in, an HDF5 file with one "
                         "value per instance comes out.";

const cli_command cli_commands[] = {
    {CLI_NEW, "new", "[KIND]", "write a starter study with comments",
     "Writes a study to begin with, with comments that say what each member is, its unit, bounds "
     "and default. KIND is the "
     "question: "
     "single (one run; the default), sweep, cases, monte_carlo, sensitivity, nested, rare, "
     "testbench or mecanum; --list says "
     "more. "
     "Every starter study runs as it is, in seconds. A file that is there already is kept unless "
     "--force says otherwise.\n\n"
     "Then put in your own values, omniroll validate FILE, and omniroll run FILE.",
     cli_new},
    {CLI_RUN, "run", "STUDY", "run a study and write its result",
     "Runs every instance of STUDY (a JSON file; \"-\" reads standard input), writes the result as "
     "HDF5 and prints a summary. "
     "On a terminal, progress is shown on standard error. A result of the same study that is there "
     "already is replaced when the "
     "new one is complete, and the log says so. A result of another study, precision or version, "
     "or any other file, is refused, "
     "naming what differs, unless --overwrite says otherwise.\n\n"
     "The work is kept in the folder FILE.parts in chunks of instances, until all are there and "
     "FILE is put together. After "
     "Ctrl-C, a full disk, kill -9 or a power loss, omniroll resume FILE goes on, or the same "
     "omniroll run again; the result has "
     "the same bits. A second Ctrl-C stops at once. An unfinished run of another study, precision "
     "or version is refused, naming "
     "what differs.\n\n"
     "Several processes share a run with --shard, in one folder that all of them see or in folders "
     "of their own that omniroll "
     "merge joins. Under mpirun, srun and in Slurm array jobs the shard follows from the "
     "launcher's environment: all that is "
     "needed is mpirun -n 4 omniroll run STUDY -o FILE.\n\n"
     "With --hash it runs in memory, writes nothing and prints the hash of the result's numbers "
     "(instances and trajectories, not "
     "statistics), which is the same on every backend, device and build in the same precision "
     "where they give the same bits, and "
     "how fast the run was.",
     cli_run},
    {CLI_RESUME, "resume", "FILE", "go on with an unfinished run",
     "Goes on with the run whose result is to be FILE, or whose folder is FILE.parts (either name "
     "is taken). The study comes "
     "from "
     "the folder; backend, device and threads may be others than before, since they do not change "
     "the bits. Chunks that are "
     "damaged or missing are found by their checksums and computed again. Where FILE is complete "
     "there is nothing to do.",
     cli_resume},
    {CLI_MERGE, "merge", "DIR...", "join the chunks that shards made",
     "Joins folders FILE.parts of the same study, copied from the machines on which its shards "
     "ran, to one result, which has the "
     "bits of a run in one process. One complete folder is enough, too. Chunks that are missing "
     "are named with the shards they "
     "belong to. The folders stay.",
     cli_merge},
    {CLI_VALIDATE, "validate", "STUDY", "check a study and say what it would run",
     "Reads and checks STUDY without running it and prints model, design, instances and steps, or "
     "the error with file, line and "
     "JSON path.",
     cli_validate},
    {CLI_SAMPLE, "sample", "STUDY", "write the values of the varied parameters",
     "Writes the values that the varied parameters of STUDY have in each instance, without running "
     "it: as CSV to standard "
     "output, or "
     "with -o to a file, HDF5 where its name ends in .h5 and CSV otherwise. Such a file can be the "
     "table of another study "
     "(\"design\": {\"type\": \"table\", \"file\": ...}), which then has the same values to the "
     "last bit.",
     cli_sample},
    {CLI_DESCRIBE, "describe", "MODEL", "list parameters and observables of a model",
     "Lists every parameter and observable of MODEL (omni_vehicle, omni_wheel, disc_vehicle, "
     "uk_wheel, rolling_disc, "
     "wheelset or snakeboard) with unit, default, bounds and meaning.",
     cli_describe},
    {CLI_DEVICES, "devices", NULL, "list the backends and devices of this machine",
     "Lists instruction sets and OpenCL devices with what they can do, and the names that "
     "--backend and --device take.",
     cli_devices},
    {CLI_SELFTEST, "selftest", NULL, "compare every device with a known answer",
     "Runs a small study with a known answer on every backend, device and precision of this "
     "machine, with exact numerics, and "
     "has "
     "every OpenCL device divide, take roots, add fused and round where that is hard. Ends with "
     "exit code 8 where one gives "
     "wrong "
     "numbers or does not round as its driver says; with --json every check is printed then, too.",
     cli_selftest},
    {CLI_REFERENCE, "reference", "STUDY", "integrate instances as multibody systems",
     "Integrates chosen instances of STUDY on the reference: rigid bodies in maximal coordinates "
     "with constraints and contacts "
     "as "
     "objects, sharing no equation with the engine, by SUNDIALS CVODE with event location. Prints "
     "the system, the work, the "
     "drift "
     "of the constraints by class and the final states; -o writes the trajectories and the drift "
     "over time in the layout of "
     "run's "
     "result. Instances are the traced ones of the study, or instance 0, unless --instances or "
     "--sample chooses.\n\n"
     "Exit code 3 where a study has no counterpart in maximal coordinates (the message says why), "
     "4 where this build has no "
     "reference (it needs SUNDIALS and LAPACKE).",
     cli_reference},
    {CLI_COMPARE, "compare", "STUDY", "compare instances on the engine with the reference",
     "Runs chosen instances of STUDY on the reference and on every backend and precision of this "
     "machine that the study, "
     "--backend, "
     "--device and --precision leave open, at the study's step h and at h/2 (of a tolerance h at "
     "h/10). For every state, load, "
     "other sample and observable "
     "it prints the largest difference over the run: of h and reference as a whole; of h and h/2, "
     "the step error; of h/2 and "
     "reference, what the models make differently. Differences are held against the range of the "
     "quantity in the reference over "
     "time and wheels; where that is below a millionth of the largest size among the samples of "
     "the same unit, and for "
     "observables, against that size.\n\n"
     "A quantity differs where the model's difference exceeds twice the step error by more than "
     "the tolerance; then, or where a "
     "run "
     "ends in another way, the exit code is 9. Where an exchange falls within a step of a sample's "
     "time the two sides may have "
     "different rollers in contact: such samples are counted and named, and what jumps there is "
     "left out.",
     cli_compare},
    {CLI_PLAN, "plan", "STUDY", "estimate work, memory, disk and time of a study",
     "Says what STUDY would take without running it: instances, steps and chunks, memory and disk "
     "(upper bounds), the largest "
     "step that is stable, and the time, estimated from about 2 s of running instances spread over "
     "the study for a part of their "
     "duration on the backend that the study would run on. Warns of a step that is too long, of "
     "chunks too few for the shards, "
     "and of too little memory or disk.\n\n"
     "Tells what the step error costs, and measures the step or tolerance that an accuracy needs: "
     "for some seconds it runs a few "
     "instances at a ladder of steps, or of tolerances, and names the largest one whose errors "
     "integrator.accept allows, with "
     "the "
     "speed in vehicle-seconds per second.",
     cli_plan},
    {CLI_CONVERGE, "converge", "STUDY", "measure what accuracy costs, by method and step",
     "Runs some instances of STUDY by every method that its law allows, with a ladder of fixed "
     "steps or of tolerances, in double "
     "and "
     "single precision, and shows the error of its own observables beside the speed in "
     "vehicle-seconds per second and core: the "
     "error "
     "of the mean, and the median and largest error of single instances, in per cent of the scale "
     "that is printed above. The "
     "truth is "
     "a run with a tolerance a hundred times smaller than the smallest, or with --reference the "
     "multibody reference.\n\n"
     "Then it names the cheapest way to the accuracy that integrator.accept or --accept asks for "
     "(without either 2 % of every "
     "criterion's threshold, else 1 % of every observable), as the line to put into the study, and "
     "says what single precision "
     "would "
     "make of it. With -o, PREFIX.json and PREFIX.png have the table and its figure.\n\n"
     "It takes up to --budget seconds, of one core but for the truth. Instances are those that a "
     "run takes again for its step "
     "error, or "
     "16 spread over the study, unless --instances or --sample chooses; designs that end by what "
     "comes out take them from their "
     "first "
     "level.",
     cli_converge},
    {CLI_ANALYZE, "analyze", "RESULT", "compute the statistics of a result anew",
     "Computes the statistics of RESULT, a file of omniroll run, again from its instances, without "
     "running any: with other "
     "criteria (--set statistics.fail=\"path_length > 5 m\"), quantiles, intervals. The study that "
     "is kept in the file says the "
     "rest; a table that it names need not be there any more. With -o, a copy of the file gets the "
     "new statistics.",
     cli_analyze},
    {CLI_EXPORT, "export", "RESULT", "write a result as CSV",
     "Writes the instances of RESULT, a file of omniroll run, as CSV: a line of names with their "
     "units in brackets, then one "
     "line "
     "per instance with number, varied parameters, observables, status as a word and status_time; "
     "values that are missing are "
     "empty fields. With --trajectories, one line per traced instance and time: instance, time, "
     "samples, those of wheel 0 as "
     "name_0; an instance's lines end where it ended. Numbers have the digits that bring back the "
     "same bits.",
     cli_export},
    {CLI_REPORT, "report", "RESULT", "show a result as a page for the browser",
     "Writes one HTML file that needs nothing else, neither network nor server: what the study "
     "was, statistics with their "
     "intervals, figures that suit its design, moving pictures of traced instances, the instances "
     "that failed and why, and how "
     "to "
     "reproduce it. RESULT is a file of omniroll run, a file of trajectories that omniroll compare "
     "wrote, or the JSON or CSV of "
     "omniroll bench. An existing report is replaced only when the new one is complete.\n\n"
     "Python makes it, with numpy, h5py, matplotlib and xarray: OMNIROLL_PYTHON, else "
     "/usr/bin/python3, else python3 of PATH. "
     "OMNIROLL_ANALYSIS names another folder than that of the package installed with the program.",
     cli_report},
    {CLI_FIGURES, "figures", "[NAME...]", "draw the figures of the source papers",
     "Draws the figures of the papers that omniroll is built on, as far as the ready studies "
     "reproduce them, and puts them into "
     "one page, index.html: every figure with paper and figure number, its numbers beside those of "
     "the paper, what agrees, what "
     "differs, what had to be assumed, and for the other figures of the papers why they are not "
     "drawn. Runs the studies that are "
     "needed; results in FOLDER/results that fit are taken as they are. Without NAME all are "
     "drawn, in a few minutes; --list "
     "tells the names, with studies and times.\n\n"
     "A figure that cannot be drawn is named with the reason, and the others are drawn; the exit "
     "code then is that of the first "
     "reason, 1 where the results lack what it shows.\n\n"
     "Python makes them, as it makes the page of omniroll report, and finds the ready studies "
     "beside its package or in "
     "OMNIROLL_STUDIES.",
     cli_figures},
    {CLI_BENCH, "bench", NULL, "measure this machine's speed against its peak",
     "Measures instance-steps per second: of every backend, instruction set, lane width and "
     "precision, and how they change with "
     "the number of threads, instances, rollers and wheels, with laws, methods and numerics. In "
     "the same run it measures what "
     "the "
     "hardware can do at most, fused multiply-adds and a copy, before all rows and again after "
     "them, and holds the rows against "
     "it. The rows of a section take turns for some rounds; the best round counts, and what the "
     "others lost is shown. The "
     "sections besides backends run on a GPU where there is one, else on openmp, in double "
     "precision, unless --backend, --device "
     "and --precision say otherwise.\n\n"
     "Section accuracy has speeds of another kind: vehicle-seconds per second and core at which a "
     "vehicle's path, vibration and "
     "dissipated "
     "energy are right to 1e-3 or 1 %, by fixed steps and by tolerances, against a truth of the "
     "same run (omniroll converge does "
     "that "
     "for any study).\n\n"
     "Prints a table; with --json, JSON in its place or in a file, with --csv, a file of the same "
     "rows with those of section "
     "peak at its end. A row that cannot be measured says why. Takes about three minutes, with "
     "--quick about half a minute.",
     cli_bench},
    {CLI_HELP, "help", "[COMMAND]", "explain the program or a command",
     "Explains the program, or COMMAND.", cli_help},
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
