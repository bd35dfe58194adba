/* The questions of starter studies. */
#include "starter.h"

#define INTEGRATOR "$integrator\n"

#define STATISTICS                                                                                 \
  "  // Failures are criteria on observables and status: comparisons, units, && || ! and "         \
  "functions; each gets a probability\n"                                                           \
  "  // with its interval. `omniroll analyze RESULT --set statistics.fail=...` tries others "      \
  "without running again.\n"                                                                       \
  "  \"statistics\": {\n"                                                                          \
  "$fail\n"                                                                                        \
  "    \"quantiles\": [0.05, 0.5, 0.95],  @statistics:quantiles\n"                                 \
  "    \"confidence\": 0.95  @statistics:confidence\n"                                             \
  "  },\n"

#define OBSERVABLES                                                                                \
  "  \"output\": {\n"                                                                              \
  "    // One value of each per instance; without this list, all that the model has.\n"            \
  "    \"observables\": [\n"                                                                       \
  "$observables\n"                                                                                 \
  "    ]\n"                                                                                        \
  "  }\n"

#define OBSERVABLES_AND_PATHS(INSTANCES)                                                           \
  "  \"output\": {\n"                                                                              \
  "    // One value of each per instance; without this list, all that the model has.\n"            \
  "    \"observables\": [\n"                                                                       \
  "$observables\n"                                                                                 \
  "    ],\n"                                                                                       \
  "    \"trajectories\": {\n"                                                                      \
  "      \"instances\": " INSTANCES                                                                \
  ",  @=numbers of the instances that are kept over time, from 0; or \"all\"\n"                    \
  "$interval\n"                                                                                    \
  "    }\n"                                                                                        \
  "  }\n"

static const char single_text[] = "$parameters\n" INTEGRATOR OBSERVABLES_AND_PATHS("[0]");

static const char sweep_text[] =
    "$parameters\n"
    "  // Parameters that take several values. \"values\" lists them, \"linspace\" spaces them "
    "evenly.\n"
    "$vary levels\n"
    "  \"design\": {\"type\": \"grid\"},  @design:grid\n" INTEGRATOR OBSERVABLES;

static const char cases_text[] = "$parameters\n"
                                 "  \"design\": {\n"
                                 "    \"type\": \"list\",  @design:list\n"
                                 "$cases\n"
                                 "  },\n" INTEGRATOR OBSERVABLES_AND_PATHS("\"all\"");

static const char monte_carlo_text[] =
    "$parameters\n"
    "  // What is not known exactly, as distributions.\n"
    "$vary drawn\n"
    "  \"design\": {\n"
    "    \"type\": \"sobol\",  @design:sobol\n"
    "    \"instances\": 256,  @=powers of two are balanced\n"
    "    \"seed\": 1  @=the same seed gives the same numbers on every machine\n"
    "  },\n" STATISTICS INTEGRATOR OBSERVABLES_AND_PATHS("[0, 1, 2, 3, 4, 5, 6, 7]");

static const char sensitivity_text[] =
    "$parameters\n"
    "  // What is not known exactly, as distributions.\n"
    "$vary drawn\n"
    "  \"design\": {\n"
    "    \"type\": \"saltelli\",  @design:saltelli\n"
    "    \"groups\": 128,  @=each has as many instances as there are varied parameters, and two\n"
    "    \"seed\": 1  @=the same seed gives the same numbers on every machine\n"
    "  },\n" STATISTICS INTEGRATOR OBSERVABLES;

static const char nested_text[] =
    "$parameters\n"
    "  // First what you choose (values), then what you do not know (distributions).\n"
    "$vary levels drawn\n"
    "  \"design\": {\n"
    "    \"type\": \"nested\",  @design:nested\n"
    "    \"sample\": \"sobol\",  @=the sample in each cell: monte_carlo, latin_hypercube, sobol or "
    "halton\n"
    "    \"per_cell\": 32,  @=instances in each cell\n"
    "    \"common_random_numbers\": true,  @=every cell meets the same sample, so that designs "
    "differ by themselves alone\n"
    "    \"seed\": 1  @=the same seed gives the same numbers on every machine\n"
    "  },\n" STATISTICS INTEGRATOR OBSERVABLES;

static const char rare_text[] =
    "$parameters\n"
    "  // What is not known exactly, as distributions.\n"
    "$vary drawn\n"
    "  \"design\": {\n"
    "    \"type\": \"subset_simulation\",  @design:subset_simulation\n"
    "    \"instances\": 500,  @=of the first level; 1000 to 2000 for results to rely on\n"
    "    \"level_probability\": 0.1,  @=the part of a level that begins the next one\n"
    "    \"seed\": 1  @=the same seed gives the same numbers on every machine\n"
    "  },\n"
    "  \"statistics\": {\n"
    "$rare\n"
    "  },\n" INTEGRATOR OBSERVABLES;

static const char calibrate_text[] =
    "$parameters\n"
    "  // What is not known, as it is known before anything is measured.\n"
    "$vary drawn\n"
    "  // What is measured, and how exactly. Once there are logs, name them and the time, and give "
    "each entry its \"column\":\n"
    "  // \"runs\": [{\"file\": \"run_1.csv\"}, {\"file\": \"run_2.csv\", \"use\": "
    "\"predict\"}], \"time\": \"t\"\n"
    "  \"data\": {\n"
    "    \"measured\": [\n"
    "      {\"sample\": \"x\", \"noise\": \"3 mm\", \"correlation_time\": \"0.5 s\"},  @=noise: "
    "what is between model and log, standard deviation\n"
    "      {\"sample\": \"z\", \"noise\": \"3 mm\", \"correlation_time\": \"0.5 s\"},  @=with "
    "\"frame\": \"ros\" this is y, to the left\n"
    "      {\"sample\": \"yaw\", \"noise\": \"0.3 deg\", \"correlation_time\": \"0.5 s\"}\n"
    "    ],\n"
    "    \"interval\": \"0.1 s\"  @=time between the instants that are compared\n"
    "  },\n"
    "  // omniroll excite STUDY: which run to drive. omniroll calibrate STUDY: what runs say.\n"
    "  \"excite\": {\n"
    "    \"speed\": \"0.5 m/s\",  @=most that the robot may be asked for\n"
    "    \"yaw_rate\": \"90 deg/s\",\n"
    "    \"draws\": 2,  @=of the unknowns, over which a run is judged; the default is 8\n"
    "    \"tries\": 6  @=manoeuvres of each family; the default is 12\n"
    "  },\n"
    "  \"calibrate\": {\n"
    "    \"members\": 100,  @=of the ensemble, which the fit moves\n"
    "    \"polish\": 10  @=steps to the most likely parameters; 0: none\n"
    "  },\n"
    "  \"design\": {\n"
    "    \"type\": \"monte_carlo\",  @design:monte_carlo\n"
    "    \"instances\": 32,\n"
    "    \"seed\": 1  @=the same seed gives the same numbers on every machine\n"
    "  },\n" INTEGRATOR OBSERVABLES;

const omr_starter_kind omr_starter_kinds[] = {
    {"single", NULL, "one run, looked at over time",
     "One run with its trajectory: the first look at a machine.\n", single_text},
    {"sweep", NULL, "how do results change with the design? all combinations of a few values",
     "A grid: every combination of the listed values is run once.\n", sweep_text},
    {"cases", NULL, "what do these cases of mine do? one row of values per run",
     "A list of cases: one row of values, one instance. Rows in a CSV or HDF5 file: \"design\": "
     "{\"type\": \"table\", \"file\": "
     "\"cases.csv\"}.\n",
     cases_text},
    {"monte_carlo", NULL,
     "how robust is one design? distributions, quantiles, probability of failure",
     "Many instances of one design, each with values drawn from distributions: quantiles of the "
     "results and the probability of\n"
     "a failure, with intervals.\n",
     monte_carlo_text},
    {"sensitivity", NULL, "which uncertain parameter matters most? Sobol' indices",
     "Sobol' indices: which part of a result's variance is due to which parameter, by itself "
     "(first order) and with all that it\n"
     "does together with others (total). For many parameters, \"morris\" costs less.\n",
     sensitivity_text},
    {"nested", NULL, "which design is best under uncertainty? a sample in each cell of a grid",
     "Designs under uncertainty: a grid of what you choose, and in each of its cells a sample of "
     "what you do not know.\n",
     nested_text},
    {"rare", NULL, "how probable is a failure that hardly ever happens? subset simulation",
     "A small probability by subset simulation: levels of instances that come closer and closer to "
     "the failure. It takes about\n"
     "a thousand instances for every factor of ten, where plain sampling takes a hundred over the "
     "probability.\n",
     rare_text},
    {"calibrate", "omni_vehicle",
     "what do measured runs say of my robot? first which run to drive, then the fit",
     "Parameters from measured runs: `omniroll excite` proposes the run to drive, and once its log "
     "is named in \"data\", `omniroll\n"
     "calibrate` finds what is unknown, with its uncertainty. studies/calibrate.json is a study "
     "with "
     "logs.\n",
     calibrate_text},
    {"testbench", "omni_wheel", "one wheel on a test bench, looked at over time",
     "One omni wheel that a servo keeps upright, rolling over the floor: contact, slip and "
     "exchange of rollers in detail.\n",
     single_text},
    {"mecanum", "mecanum", "a vehicle on four mecanum wheels, looked at over time",
     "One run of a vehicle on four mecanum wheels with its trajectory.\n", single_text},
    {"vertical", "compliant",
     "a vehicle that heaves, pitches and rolls on rollers that give, looked at over time",
     "One run of a vehicle on compliant contacts with its trajectory: height, pitch, roll, and the "
     "load of each wheel.\n",
     single_text},
    {"system", "multibody", "bodies, joints and contacts of your own, looked at over time",
     "Any vehicle as a list of rigid bodies and of what acts between them: joints, contacts, "
     "gears, "
     "springs and forces.\n"
     "`omniroll show` lists what belongs to what before it runs; it runs on the reference. Larger "
     "ones: studies/multibody.\n",
     single_text},
};
const size_t omr_starter_kind_count = sizeof omr_starter_kinds / sizeof *omr_starter_kinds;
