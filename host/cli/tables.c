/* Every word that --help and the manual page say about commands, options and exit codes. */
#include "cli.h"

const char cli_about[] =
    "Runs ensembles of omni-wheel and mecanum vehicles with explicit rollers: a study in JSON goes in, an HDF5 file with one "
    "value per instance comes out.";

const cli_command cli_commands[] = {
    {CLI_RUN, "run", "STUDY", "run a study and write its result",
     "Runs every instance of STUDY (a JSON file; \"-\" reads standard input), writes the result as HDF5 and prints a summary. "
     "On a terminal, progress is shown on standard error. An existing result is replaced only when the new one is complete.\n\n"
     "Ctrl-C stops the run at the next kernel launch and leaves no file; a second Ctrl-C stops at once.",
     cli_run},
    {CLI_VALIDATE, "validate", "STUDY", "check a study and say what it would run",
     "Reads and checks STUDY without running it and prints model, design, instances and steps, or the error with file, line and "
     "JSON path.",
     cli_validate},
    {CLI_DESCRIBE, "describe", "MODEL", "list parameters and observables of a model",
     "Lists every parameter and observable of MODEL (omni_vehicle, omni_wheel, disc_vehicle, uk_wheel, rolling_disc, "
     "wheelset or snakeboard) with unit, default, bounds and meaning.",
     cli_describe},
    {CLI_DEVICES, "devices", NULL, "list the backends and devices of this machine",
     "Lists instruction sets and OpenCL devices with what they can do, and the names that --backend and --device take.",
     cli_devices},
    {CLI_SELFTEST, "selftest", NULL, "compare every device with a known answer",
     "Runs a small study with a known answer on every backend, device and precision of this machine. Ends with exit code 8 where "
     "one gives wrong numbers.",
     cli_selftest},
    {CLI_HELP, "help", "[COMMAND]", "explain the program or a command", "Explains the program, or COMMAND.", cli_help},
};
const size_t cli_command_count = sizeof cli_commands / sizeof *cli_commands;

const cli_option cli_options[] = {
    {CLI_OPT_OUTPUT, "output", "FILE", "where the result goes; default: the study's name with .h5, in the current folder",
     CLI_RUN},
    {CLI_OPT_SET, "set", "PATH=VALUE",
     "replace or add a member of the study, such as integrator.step=1e-4; VALUE is JSON or a bare word; may be given many times",
     CLI_RUN | CLI_VALIDATE},
    {CLI_OPT_BACKEND, "backend", "NAME", "auto, openmp, scalar or opencl; the same as --set engine.backend=NAME",
     CLI_RUN | CLI_VALIDATE},
    {CLI_OPT_DEVICE, "device", "NAME",
     "OpenCL: platform:device or part of the device's name; OpenMP: avx512, avx2 or baseline; the same as --set "
     "engine.device=NAME",
     CLI_RUN | CLI_VALIDATE},
    {CLI_OPT_PRECISION, "precision", "NAME", "double or single; the same as --set engine.precision=NAME", CLI_RUN | CLI_VALIDATE},
    {CLI_OPT_THREADS, "threads", "N", "number of OpenMP threads; the same as --set engine.threads=N", CLI_RUN | CLI_VALIDATE},
    {CLI_OPT_QUIET, "quiet", NULL, "no progress, no log, no summary; errors still are printed", CLI_RUN},
    {CLI_OPT_MAN, "man", NULL, NULL, CLI_HELP},
    {CLI_OPT_HELP, "help", NULL, "explain the command", CLI_ALL},
};
const size_t cli_option_count = sizeof cli_options / sizeof *cli_options;

const cli_exit_code cli_exit_codes[] = {
    {OMR_OK, "done; instances that failed are data in the result"},
    {OMR_ERR_INTERNAL, "internal error"},
    {OMR_ERR_USAGE, "wrong command line"},
    {OMR_ERR_STUDY, "the study is wrong"},
    {OMR_ERR_DEVICE, "backend, device or driver"},
    {OMR_ERR_IO, "a file cannot be read or written"},
    {OMR_ERR_MEMORY, "out of memory"},
    {OMR_ERR_INTERRUPTED, "interrupted; no result is written"},
    {OMR_ERR_SELFTEST, "a device gives wrong numbers"},
};
const size_t cli_exit_code_count = sizeof cli_exit_codes / sizeof *cli_exit_codes;

const char cli_environment[] =
    "NO_COLOR, set to anything, keeps progress free of colour. OMNIROLL_CACHE=0 switches off the cache of OpenCL programs in "
    "$XDG_CACHE_HOME/omniroll. OMP_WAIT_POLICY=passive keeps waiting threads from taking the cores of other programs.";
