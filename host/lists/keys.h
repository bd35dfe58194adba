/* The keys of a study's sections besides its parameters: name, unit, default, values, meaning. What
 * reads a section refuses all others; `omniroll describe` prints the lists, and the pages of
 * studies/ has them as tables. "Heading" is a heading of that page. */
#ifndef OMR_STUDY_KEYS_H
#define OMR_STUDY_KEYS_H

/* clang-format off */
#define OMR_SECTION_KEYS(X)                                                                                                    \
  X(TITLE, "title", "", "none", "text", "stands above summary and plots") \
  X(DESCRIPTION, "description", "", "none", "text, or a list of lines", "kept with the study, otherwise not used") \
  X(MODEL, "model", "", "required", "a model", "what is simulated: see \"Models\"") \
  X(PARAMETERS, "parameters", "", "{}", "object", "what differs from the defaults: see \"Parameters\"") \
  X(VARY, "vary", "", "none", "list", "the varied parameters and their values: see \"Varying parameters\"") \
  X(DESIGN, "design", "", "grid", "object", "how the values combine into instances: see \"Designs\"") \
  X(INTEGRATOR, "integrator", "", "required", "object", "step and duration: see \"Integrator\"") \
  X(OUTPUT, "output", "", "observables that are on", "object", "observables and trajectories to keep: see \"Output\"") \
  X(STATISTICS, "statistics", "", "{}", "object", "quantiles, histograms, criteria: see \"Statistics\"") \
  X(ENGINE, "engine", "", "{}", "object", "backend, device, precision: see \"Engine\"")

#define OMR_VARY_KEYS(X)                                                                                                      \
  X(PATH, "path", "", "required", "text", "the parameter: \"platform.mass\", \"wheel.friction\" (all wheels alike), \"wheels[0].friction\" (one wheel)") \
  X(EACH, "each", "", "false", "true, false", "a path that starts with `wheel.` takes a value of its own for every wheel; not in a grid")

#define OMR_INTEGRATOR_KEYS(X)                                                                                                \
  X(METHOD, "method", "", "rk4, or a pair", "a method", "method of integration; with a tolerance an embedded pair, by default that of the law: see \"Methods\"") \
  X(STEP, "step", "s", "required", "> 0", "step h, the same for all, unless `tolerance` stands in its place: see \"Choosing the step\"") \
  X(TOLERANCE, "tolerance", "1", "none", "1e-10 .. 0.5", "in place of `step`: every instance takes the steps that this accuracy asks for, in single precision from 1e-5 on: see \"Error-controlled steps\"") \
  X(DURATION, "duration", "s", "required", "> 0", "time simulated, a whole number of fixed steps") \
  X(EXCHANGE, "exchange", "", "split", "split, straddle", "`split`: a step in which a roller takes over is split at that instant and keeps the method's order; `straddle`: the exchange is made at the end of the step, which lowers the order; only of models with rollers") \
  X(STABILITY, "stability", "", "warn", "warn, refuse, ignore", "what to do where the step is too long for the method: see \"Choosing the step\"") \
  X(BUDGET, "budget", "1", "none", ">= 1", "most passes that an instance may take, as a multiple of the number of fixed steps; with a tolerance their number, by default a million and as many in each second: see \"Instances that fail\"") \
  X(STEP_ERROR, "step_error", "", "measure", "measure, off", "`measure`: some instances are run again with shorter steps, which tells the error of the study's step: see \"The step error\"; `off`: they are not") \
  X(ACCEPT, "accept", "", "from criteria", "object", "error by the step that is accepted of observables and criteria, a larger one is warned of: {\"vibration_rms\": \"2 %\", \"fail.slides\": \"1 %\"}; by default 2 % of the thresholds in criteria: see \"The step error\"") \
  X(ON_FAILURE, "on_failure", "", "record", "record, retry_half_step, abort", "what becomes of an instance that fails: see \"Instances that fail\"") \
  X(RETRIES, "retries", "1", "1", "1 .. 8", "with `retry_half_step`: how often an instance is run again, each time with half the step, or a tenth of the tolerance")

#define OMR_OUTPUT_KEYS(X)                                                                                                    \
  X(OBSERVABLES, "observables", "", "those that are on", "list of names", "the observables to keep: see \"Observables\"") \
  X(TRAJECTORIES, "trajectories", "", "none", "object", "the instances to trace, and how often: see \"Trajectories\"")

#define OMR_TRAJECTORIES_KEYS(X)                                                                                              \
  X(INSTANCES, "instances", "", "required", "all, or a list of numbers", "instances to trace") \
  X(INTERVAL, "interval", "s", "required", "> 0", "time between samples, a whole number of fixed steps, at most the duration")

#define OMR_DESIGN_KEYS(X)                                                                                                    \
  X(TYPE, "type", "", "required", "a type", "how values combine: the table above") \
  X(INSTANCES, "instances", "1", "required", "1 .. 2^53", "random designs: number of instances; all but `monte_carlo` at most 2^32. `subset_simulation`: of a level, a multiple of 1/`level_probability` and at least ten times that") \
  X(SEED, "seed", "1", "0", "0 .. 2^64 - 1", "random designs: chooses the random numbers; as text above 2^53") \
  X(SCRAMBLE, "scramble", "", "owen", "none, owen", "`sobol`, `halton`, `saltelli`: nested uniform scrambling, or the sequence itself") \
  X(CRITERION, "criterion", "", "plain", "plain, maximin", "`latin_hypercube`: parts combined at random, or so that the points keep away from each other (up to 1024 points)") \
  X(CORRELATION, "correlation", "", "none", "list", "random designs: {\"paths\": [a, b], \"rank\": r}, Spearman's rank correlation of two drawn parameters") \
  X(SAMPLE, "sample", "", "required", "a random design", "`nested`: what is drawn in each cell, `monte_carlo`, `latin_hypercube`, `sobol` or `halton`") \
  X(PER_CELL, "per_cell", "1", "required", "as instances", "`nested`: instances in each cell") \
  X(COMMON, "common_random_numbers", "", "true", "true, false", "`nested`: every cell has the same sample, or one of its own") \
  X(PATHS, "paths", "", "required", "list", "`list`: the parameters") \
  X(ROWS, "rows", "", "required", "list of lists", "`list`: for each instance a row with a value for each of the paths") \
  X(FILE_NAME, "file", "", "required", "path", "`table`: CSV or HDF5 file, its place counted from the study's folder") \
  X(HASH, "hash", "", "not checked", "text", "`table`: what the file's hash has to be; the study kept with a result has it") \
  X(GROUPS, "groups", "1", "required", "2 .. 2^32", "`saltelli`: number of groups N; N (d + 2) instances") \
  X(TRAJECTORIES, "trajectories", "1", "required", "2 .. 2^53", "`morris`: number of trajectories r; r (d + 1) instances") \
  X(LEVELS, "levels", "1", "4; 10", "2 .. 1000", "`morris`: number p of levels of each parameter, even; `subset_simulation`: most levels, from 1 on") \
  X(LEVEL_PROBABILITY, "level_probability", "1", "0.1", "1/2, 1/3, .. 1/1000", "`subset_simulation`: part of a level that goes on to the next") \
  X(FAIL, "fail", "", "the only one", "name", "`subset_simulation`: the criterion whose probability is wanted: see \"Criteria\"")

#define OMR_ENGINE_KEYS(X)                                                                                                    \
  X(BACKEND, "backend", "", "auto", "auto, openmp, scalar, opencl, reference", "`openmp`: packs of instances in vector registers, on all cores; `scalar`: the same, one instance at a time; `opencl`: a device; `auto`: `opencl` where there is a GPU that has the precision, otherwise `openmp`, and says which; `reference`: each instance as a multibody system, thousands of times slower: see \"A whole study on the reference\"") \
  X(DEVICE, "device", "", "chosen", "text", "OpenCL: `platform:device` numbers or part of the device's name; OpenMP: `avx512`, `avx2`, `baseline`; `omniroll devices` lists them") \
  X(PRECISION, "precision", "", "double", "double, single", "of all arithmetic in the kernels; `single` counts up to 2^24 steps") \
  X(NUMERICS, "numerics", "", "exact", "exact, fast", "`exact`: the same bits on every backend; `fast`: other bits on each, on some sooner; not with `scalar`: see \"Fast numerics\"") \
  X(THREADS, "threads", "1", "all cores", "1 .. 65536", "OpenMP threads; default: all cores, or `OMP_NUM_THREADS`") \
  X(LANES, "lanes", "1", "chosen", "1, 2, 4, 8, 16", "OpenCL: instances of a pack") \
  X(CHUNK, "chunk", "1", "chosen", ">= 1", "instances of a chunk, and the most that a device holds at a time; default: about 5e8 instance-steps, a power of two from 1024 to 65536; fewer, down to 64, where trajectories would need more than 64 MiB: see \"Long runs\"") \
  X(LAUNCH_SECONDS, "launch_seconds", "s", "0.25", "> 0", "time that one kernel launch should take; progress and Ctrl-C act between launches") \
  X(MAX_REGISTERS, "max_registers", "1", "0", "0 .. 65536", "OpenCL, NVIDIA: most registers of a work-item (`-cl-nv-maxrregcount`); fewer let more of them run at a time and spill more; 0: no limit") \
  X(WORK_GROUP, "work_group", "1", "0", "0 .. 65536", "OpenCL: packs of a work-group; 0: chosen, 1 on a processor; on a GPU its preferred multiple (a warp), twice or four times as many where each compute unit still gets 32 groups")
/* clang-format on */

/* The name alone, as a member of a list. */
#define OMR_KEY_NAME(id, name, unit, standard, values, meaning) name,

#endif
