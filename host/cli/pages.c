/* The texts of --help and the manual pages on examples, files, environment and JSON. A line for a
 * command that this build lacks is not printed. */
#include "cli.h"

const cli_example cli_examples[] = {
    {"", "new sweep && omniroll run sweep.json",
     "a first study: write it, run it; the result is sweep.h5"},
    {"", "describe omni_vehicle motor", "the parameters and observables of a motor"},
    {"run", "run studies/first.json", "run it; the result is first.h5 in the current folder"},
    {"run", "run study.json -o results/a.h5 --set parameters.wheel.friction=0.2",
     "with another value, into another file"},
    {"run", "run study.json --set design.instances=10000 --set design.seed=2",
     "with more instances, and others"},
    {"run", "run study.json --backend opencl --device NVIDIA",
     "on the OpenCL device with this in its name"},
    {"run", "run study.json --hash --json", "in memory: hash of the numbers and speed, as JSON"},
    {"run", "run study.json --nominal --trace", "the nominal vehicle alone, with its motion"},
    {"run", "run study.json --instance 217 --trace \"5 ms\"",
     "instance 217 alone, a sample every 5 ms; the result is study.instance217.h5"},
    {"resume", "resume study.h5", "go on after Ctrl-C, a full disk or a power loss"},
    {"merge", "merge -o study.h5 node1/study.h5.parts node2/study.h5.parts",
     "join what two machines did with --shard 1/2 and 2/2"},
    {"merge", "merge --virtual -o study.h5 1.h5.parts 2.h5.parts",
     "the same without a copy of the rows"},
    {"merge", "merge --partial -o branch1.h5 1.h5.parts 2.h5.parts",
     "a branch of a tree: of a study with output.rows=none, for another merge"},
    {"validate", "validate study.json", "check it; errors name line and member"},
    {"warm", "warm study.json", "compile its kernels before a job on many nodes"},
    {"validate", "validate study.json --json | jq .instances", "one number of it"},
    {"show", "show study.json", "the vehicle before it runs, in characters"},
    {"show", "show study.json --instance 3 -o vehicle.svg", "that of instance 3, as a picture"},
    {"sample", "sample study.json | head", "values of the first instances"},
    {"sample", "sample study.json -o table.h5", "as a table that another study can run"},
    {"describe", "describe omni_vehicle", "the groups of names that a model has"},
    {"describe", "describe omni_vehicle motor", "the rows of the motor alone"},
    {"describe", "describe omni_vehicle observables laws", "two of the groups"},
    {"describe", "describe --search battery", "in all models, in names and meanings"},
    {"describe", "describe omni_vehicle initial --frame ros",
     "in the names and signs of the frame of ROS"},
    {"describe", "describe omni_wheel --json | jq -r '.observables[].name'",
     "names of the observables"},
    {"show", "show study.json", "the vehicle in characters, with what is doubted of it"},
    {"show", "show study.json --instance 7 -o vehicle.svg", "a picture of one of the instances"},
    {"schema", "schema > study.schema.json", "for an editor"},
    {"devices", "devices", "what --backend and --device can name here"},
    {"selftest", "selftest",
     "all devices; some minutes the first time, while OpenCL programs are built"},
    {"selftest", "selftest --device avx2", "one of them"},
    {"selftest", "selftest --json | jq '.checks[] | select(.passed | not)'",
     "what did not pass, for a script"},
    {"reference", "reference study.json --instances 0 -o reference.h5",
     "one instance as a multibody system, with its trajectory"},
    {"compare", "compare study.json --sample 3",
     "three instances on the reference and on every backend"},
    {"compare", "compare written_out.json --with built_in.json",
     "two studies of one machine, sample by sample, and how long each takes"},
    {"plan", "plan study.json",
     "instances, memory, disk, longest stable step and time, before a long run"},
    {"converge", "converge study.json",
     "errors and speed of every method and step, and the cheapest for what the study accepts"},
    {"converge", "converge study.json --accept 'vibration_rms=1 %' -o accuracy",
     "for that accuracy, with a figure: accuracy.png"},
    {"calibrate", "calibrate study.json --check",
     "before a fit: whether the prior predicts the data, and which parameters they can tell"},
    {"calibrate", "calibrate study.json -o points.h5",
     "fit, verdict, and the points of the posterior; omniroll report points.h5 shows them"},
    {"calibrate", "calibrate study.json --sbc 100",
     "whether the fit's intervals hold what they say, on 100 sets of made runs"},
    {"evaluate", "evaluate study.json --candidates wheels.csv",
     "the wheels of a table under the same uncertainty: the best, and who cannot be told from it"},
    {"evaluate", "evaluate study.json -o wheels.h5", "its own candidates, into a file"},
    {"optimize", "optimize study.json --seconds 60",
     "the best candidate in a minute; omniroll report study.optimum.json shows it"},
    {"excite", "excite studies/excite.json -o command.csv",
     "which run to drive, before anything is measured"},
    {"analyze", "analyze study.h5", "print the statistics of a result"},
    {"analyze", "analyze study.h5 --set 'statistics.fail=\"max_slip > 0.5 m/s\"'",
     "with another criterion"},
    {"export", "export study.h5 > study.csv", "one line per instance"},
    {"export", "export study.h5 --trajectories --columns x,z,yaw -o paths.csv",
     "paths of the traced instances"},
    {"verify", "verify study.h5", "whether the result is what was written"},
    {"bench", "bench --quick", "half a minute of measuring"},
    {"report", "report study.h5", "one HTML file with statistics and plots"},
    {"report", "report one.h5 other.h5 -o both.html", "two robots side by side"},
    {"figures", "figures --list", "the figures there are, with their studies and times"},
    {"figures", "figures --quick -o figures",
     "all of them in a page, with fewer instances in the long studies"},
    {"new", "new", "one run with its trajectory: single.json"},
    {"new", "new sweep -o wheels.json", "a grid of values, in a file of that name"},
    {"new", "new monte_carlo --model mecanum",
     "robustness of a vehicle on mecanum wheels: monte_carlo_mecanum.json"},
    {"new", "new --list", "all kinds and models"},
    {"import", "import robot.urdf -o study.json", "a study, and a table of what is guessed in it"},
    {"import", "import - -o study.json",
     "of what another program prints, such as xacro robot.xacro in front of a |"},
    {"export-model", "export-model study.json --mjcf robot.xml",
     "a model for MuJoCo, with an ellipsoid a roller"},
    {"export-model", "export-model study.json --mjcf robot.xml --shape spheres --error 0.1mm",
     "a chain of spheres a roller"},
    {"help", "help run", "explain a command"},
    {"help", "help --completion bash > omniroll.bash",
     "completion where the package is not installed: source that file, or have ~/.bashrc do so"},
};
const size_t cli_example_count = sizeof cli_examples / sizeof *cli_examples;

const cli_example cli_files[] = {
    {"run", "NAME.h5",
     "the result of NAME.json, in HDF5: instances, trajectories, statistics, failures and the "
     "study itself"},
    {"run", "FILE.parts/", "finished chunks of a run that is not complete; taken away when it is"},
    {"resume", "FILE.parts/", "finished chunks, manifest and journal"},
    {"merge", "DIR", "a folder FILE.parts of one shard"},
    {"excite", "FILE", "the command of the best manoeuvre as CSV, which a study replays"},
    {"converge", "PREFIX.json", "what --json prints"},
    {"converge", "PREFIX.png", "error over speed, by method and precision"},
    {"calibrate", "FILE.h5",
     "points of the posterior, measured runs and what is predicted of them"},
    {"calibrate", "FILE.csv", "the points alone: a row each, a column per parameter"},
    {"optimize", "FILE.1.json",
     "the best candidate as a study, with the draws that it was judged by"},
    {"optimize", "FILE.json.journal", "every answer of the search, for the same command to go on"},
    {"new", "KIND.json", "the starter study; with --model NAME, KIND_NAME.json"},
    {"export", "RESULT", "a file of omniroll run, reference, compare or sample"},
    {"verify", "FILE", "a result, or the folder FILE.parts of an unfinished run"},
    {"", "STUDY.json", "a study: JSON, in which // and /* */ begin comments"},
    {"", "RESULT.h5", "a result in HDF5; h5dump and h5py read it, and the Python package omniroll"},
    {"", "$XDG_CACHE_HOME/omniroll",
     "kernels compiled for runs and built OpenCL programs; without the variable in "
     "~/.cache/omniroll. May be deleted"},
};
const size_t cli_file_count = sizeof cli_files / sizeof *cli_files;

#define INTEGRATES                                                                                 \
  (CLI_WARM | CLI_RUN | CLI_RESUME | CLI_COMPARE | CLI_PLAN | CLI_CONVERGE | CLI_BENCH |           \
   CLI_SELFTEST | CLI_OPTIMIZE)

/* Commands that a launcher may start in several processes. */
#define SHARES (CLI_RUN | CLI_RESUME | CLI_PLAN | CLI_EVALUATE)

/* Commands that start the Python package. */
#define DRAWS                                                                                      \
  (CLI_REPORT | CLI_FIGURES | CLI_CONVERGE | CLI_IMPORT | CLI_OPTIMIZE | CLI_EXPORT_MODEL)

const cli_variable cli_variables[] = {
    {"NO_COLOR",
     "set and not empty: no colour and no bold text on terminals (pipes and files never get any)",
     CLI_ALL},
    {"TERM", "\"dumb\": no colour, and no progress",
     CLI_RUN | CLI_RESUME | CLI_MERGE | CLI_COMPARE | CLI_REFERENCE | CLI_BENCH | CLI_CONVERGE},
    {"OMNIROLL_CACHE", "0: what is compiled is not kept in $XDG_CACHE_HOME/omniroll", INTEGRATES},
    {"OMNIROLL_CC",
     "the C compiler for kernels of a run, gcc or clang; default: the one that built the program, "
     "else cc of PATH",
     INTEGRATES},
    {"OMNIROLL_COMPILE_SECONDS", "how long it may take; default: 120", INTEGRATES},
    {"OMNIROLL_KERNELS",
     "folder of kernels that were compiled ahead; default: lib/omniroll/kernels beside the "
     "program; empty: none",
     INTEGRATES},
    {"XDG_CACHE_HOME", "where that folder is; default: ~/.cache", INTEGRATES},
    {"OMP_NUM_THREADS", "number of OpenMP threads where neither --threads nor the study says it",
     INTEGRATES},
    {"OMP_WAIT_POLICY", "passive: waiting threads leave the cores to other programs", INTEGRATES},
    {"OMNIROLL_SHARD", "I/N, the shard, as --shard says it; before all variables of launchers",
     SHARES},
#define ARRAY(name, index, base, first, last, step, count)                                         \
  {index, "the shard, by the task: " name, SHARES},
#define RANK(name, rank, size) {rank, "with " size ": the shard under " name, SHARES},
#define LOCAL(variable) {variable, "which of several OpenCL devices that are as good", SHARES},
#include "../lists/launchers.def"
    {"OMNIROLL_PYTHON", "the Python that does it; default: /usr/bin/python3, else python3 of PATH",
     DRAWS},
    {"OMNIROLL_ANALYSIS", "folder of the Python package; default: that installed with the program",
     DRAWS},
    {"OMNIROLL_PROGRAM",
     "the program that reads tables in HDF5, in a process of its own; default: this one",
     CLI_RUN | CLI_VALIDATE | CLI_SAMPLE | CLI_PLAN | CLI_COMPARE | CLI_REFERENCE | CLI_CONVERGE},
    {"OMNIROLL_STUDIES", "folder of the ready studies; default: that beside the package",
     CLI_FIGURES},
};
const size_t cli_variable_count = sizeof cli_variables / sizeof *cli_variables;

const char cli_about_json[] =
    "Commands that read or compute print one JSON object with --json, and nothing else on standard "
    "output: validate, plan, describe, devices, selftest, sample, export, verify, analyze, "
    "compare, reference, converge, calibrate, excite, evaluate, optimize, export-model, bench, new "
    "--list and help. Errors stay text on standard error, with the exit code. run, resume and "
    "merge print what analyze prints of the result that they have made; a shard whose result is "
    "not complete, the numbers of its chunks; run --hash the hash and the speed.\n\n"
    "Names are in snake_case. Quantities are SI: times in seconds, angles in radians, memory and "
    "disk in bytes; of a parameter, observable or column, a member \"unit\" beside it names the "
    "unit, \"1\" for a pure number. null is what is not known, not given, or no finite number. "
    "Later versions add members, and keep the names and meanings of those there are.\n\n"
    "Tables (sample, export) are {\"columns\": [{\"name\", \"unit\"}, ...], \"rows\": [[...], "
    "...]}: a row has one value for each column; words such as the status are strings of a column "
    "whose unit is null.";
