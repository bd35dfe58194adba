/* Words of other programs and of other languages for what a study has. */
#include "synonyms.h"

/* clang-format off: a table, a row a line */
#define IS(word, known)                                                                            \
  { word, known, "that is \"" known "\"" }
#define OPENCL(word)                                                                               \
  { word, "opencl", "GPUs are run by \"opencl\"" }
#define STIFF(word)                                                                                \
  { word, "rosenbrock", "stiff laws are integrated by \"rosenbrock\"" }
#define PAIR(word)                                                                                 \
  {                                                                                                \
    word, "dormand_prince",                                                                        \
        "that is \"dormand_prince\", which takes \"tolerance\" in place of \"step\""               \
  }
#define CONTROL                                                                                    \
  "PI control is \"speed\" (of a wheel's rate) and \"body\" (of the vehicle's velocity)"
#define MECANUM                                                                                    \
  "mecanum wheels are those of \"omni_vehicle\" with \"layout\": {\"type\": \"rectangle\", "       \
  "\"mecanum\": true}; omniroll new mecanum writes such a study"
#define MOTOR                                                                                      \
  "a drive gives a torque: \"constant\" with its \"torque\", and what the motor cannot give "      \
  "is cut off by the limits in \"motor\""

const omr_synonym omr_synonyms_of_words[] = {
    /* backends */
    OPENCL("gpu"),
    OPENCL("GPU"),
    OPENCL("metal"),
    OPENCL("vulkan"),
    OPENCL("hip"),
    OPENCL("rocm"),
    OPENCL("sycl"),
    {"cuda", "opencl", "NVIDIA's GPUs are run by \"opencl\""},
    {"nvidia", "opencl", "NVIDIA's GPUs are run by \"opencl\""},
    {"cpu", "openmp", "the processor is run by \"openmp\""},
    {"CPU", "openmp", "the processor is run by \"openmp\""},
    {"multiprocessing", "openmp", "the processor is run by \"openmp\", on all cores"},
    {"parallel", "openmp", "the processor is run by \"openmp\", on all cores"},
    {"serial", "scalar", "one instance at a time is \"scalar\""},
    /* precisions */
    IS("float", "single"),
    IS("float32", "single"),
    IS("fp32", "single"),
    IS("f32", "single"),
    IS("float64", "double"),
    IS("fp64", "double"),
    IS("f64", "double"),
    {"half", "single", "the shortest is \"single\""},
    {"fp16", "single", "the shortest is \"single\""},
    {"float16", "single", "the shortest is \"single\""},
    /* laws */
    IS("coulomb", "saturated_coulomb"),
    /* methods */
    IS("euler", "semi_implicit_euler"),
    IS("explicit_euler", "semi_implicit_euler"),
    IS("runge_kutta", "rk4"),
    IS("runge-kutta", "rk4"),
    IS("ode4", "rk4"),
    PAIR("ode45"),
    PAIR("rk45"),
    PAIR("RK45"),
    PAIR("dopri5"),
    STIFF("ode15s"),
    STIFF("ode23s"),
    STIFF("implicit"),
    STIFF("stiff"),
    STIFF("backward_euler"),
    STIFF("bdf"),
    STIFF("BDF"),
    STIFF("Radau"),
    STIFF("cvode"),
    /* designs */
    IS("random", "monte_carlo"),
    IS("mc", "monte_carlo"),
    IS("MC", "monte_carlo"),
    IS("lhs", "latin_hypercube"),
    IS("LHS", "latin_hypercube"),
    IS("factorial", "grid"),
    IS("full_factorial", "grid"),
    IS("sweep", "grid"),
    IS("oat", "one_at_a_time"),
    IS("csv", "table"),
    IS("file", "table"),
    IS("qmc", "sobol"),
    {"sensitivity", "saltelli",
     "sensitivity indices take \"saltelli\", or \"morris\" for many "
     "parameters"},
    /* drives */
    {"pid", "body", CONTROL},
    {"pi", "body", CONTROL},
    {"PID", "body", CONTROL},
    {"velocity", "body", CONTROL},
    {"torque", "constant", "a torque that stays is \"constant\""},
    {"step", "constant", "a torque that stays is \"constant\""},
    {"pwm", "constant", MOTOR},
    {"voltage", "constant", MOTOR},
    {"dc_motor", "constant", MOTOR},
    {"motor", "constant", MOTOR},
    IS("sin", "sine"),
    IS("sinusoidal", "sine"),
    IS("ramp", "tanh"),
    /* models */
    {"mecanum", "omni_vehicle", MECANUM},
    {"mecanum_vehicle", "omni_vehicle", MECANUM},
    IS("omni", "omni_vehicle"),
    IS("kiwi", "omni_vehicle"),
    IS("robot", "omni_vehicle"),
    IS("vehicle", "omni_vehicle"),
    IS("omnidirectional", "omni_vehicle"),
    IS("holonomic", "omni_vehicle"),
    IS("mobile_robot", "omni_vehicle"),
    IS("wheel", "omni_wheel"),
    /* observables */
    {"position", "final_x", "the place at the end is \"final_x\", \"final_z\" and \"final_yaw\""},
    {"pose", "final_x", "the place at the end is \"final_x\", \"final_z\" and \"final_yaw\""},
    {"velocity", "final_vx",
     "the velocity at the end is \"final_vx\", \"final_vz\" and "
     "\"final_yaw_rate\""},
    {0}};

#define CALLED(word, known)                                                                        \
  { word, known, "it is called \"" known "\"" }
#define IN(word, known)                                                                            \
  { word, known, "it stands in \"" known "\"" }
#define IN_AS(word, section, name)                                                                 \
  { word, section, "it is \"" name "\" in \"" section "\"" }
#define RANGE(word)                                                                                \
  { word, "uniform", "a range is \"uniform\": [low, high], or \"linspace\": [first, last, count]" }
#define DRAWN(word)                                                                                \
  {                                                                                                \
    word, "uniform",                                                                               \
        "the distribution is the key: \"normal\": [mean, standard deviation], \"uniform\": [low, " \
        "high]"                                                                                    \
  }
#define STEP(word)                                                                                 \
  { word, "step", "the step is called \"step\"" }
#define INTERVAL(word)                                                                             \
  { word, "interval", "the time between two samples is \"interval\"" }

const omr_synonym omr_synonyms_of_keys[] = {
    /* of other sections */
    IN("method", "integrator"),
    IN("step", "integrator"),
    IN("duration", "integrator"),
    IN("tolerance", "integrator"),
    IN("step_error", "integrator"),
    IN("accept", "integrator"),
    IN("backend", "engine"),
    IN("device", "engine"),
    IN("threads", "engine"),
    IN("precision", "engine"),
    IN("instances", "design"),
    IN("seed", "design"),
    IN("trajectories", "output"),
    IN("observables", "output"),
    IN_AS("dt", "integrator", "step"),
    IN_AS("timestep", "integrator", "step"),
    IN_AS("time_step", "integrator", "step"),
    IN_AS("time", "integrator", "duration"),
    IN_AS("sim_time", "integrator", "duration"),
    IN_AS("t_end", "integrator", "duration"),
    IN_AS("samples", "design", "instances"),
    IN_AS("runs", "design", "instances"),
    /* sections */
    CALLED("params", "parameters"),
    CALLED("robot", "parameters"),
    CALLED("vehicle", "parameters"),
    CALLED("physics", "parameters"),
    CALLED("sweep", "vary"),
    CALLED("variations", "vary"),
    CALLED("variables", "vary"),
    CALLED("ranges", "vary"),
    CALLED("uncertainties", "vary"),
    CALLED("sampling", "design"),
    CALLED("doe", "design"),
    CALLED("sampler", "design"),
    CALLED("solver", "integrator"),
    CALLED("simulation", "integrator"),
    CALLED("sim", "integrator"),
    CALLED("results", "output"),
    CALLED("recording", "output"),
    CALLED("logging", "output"),
    CALLED("stats", "statistics"),
    CALLED("compute", "engine"),
    CALLED("hardware", "engine"),
    CALLED("gpu", "engine"),
    CALLED("name", "title"),
    {"criteria", "statistics", "criteria stand in \"statistics\", as \"fail\": {...}"},
    /* the vehicle */
    CALLED("geometry", "layout"),
    CALLED("body", "platform"),
    CALLED("chassis", "platform"),
    CALLED("base", "platform"),
    CALLED("floor", "ground"),
    CALLED("terrain", "ground"),
    CALLED("g", "gravity"),
    IN_AS("mass", "platform", "mass"),
    IN_AS("weight", "platform", "mass"),
    IN_AS("mu", "wheel", "friction"),
    IN_AS("wheel_radius", "wheel", "radius"),
    IN_AS("n_rollers", "wheel", "rollers"),
    IN_AS("n_wheels", "layout", "wheels"),
    IN_AS("num_wheels", "layout", "wheels"),
    {"velocity", "command",
     "the velocity to drive at stands in \"command\", the one at the start in \"initial\""},
    {"speed", "command",
     "the velocity to drive at stands in \"command\", the one at the start in \"initial\""},
    CALLED("weight", "mass"),
    CALLED("m", "mass"),
    CALLED("inertia", "yaw_inertia"),
    CALLED("Izz", "yaw_inertia"),
    CALLED("izz", "yaw_inertia"),
    CALLED("com", "center_of_mass"),
    CALLED("cog", "center_of_mass"),
    CALLED("cg", "center_of_mass"),
    {"y", "height", "x points forward, z to the right, and up is \"height\""},
    {"y", "z", "x points forward and z to the right: there is no y"},
    {"vy", "vz", "x points forward and z to the right: that velocity is \"vz\""},
    CALLED("theta", "yaw"),
    CALLED("heading", "yaw"),
    CALLED("psi", "yaw"),
    CALLED("omega", "yaw_rate"),
    CALLED("wz", "yaw_rate"),
    CALLED("yaw_velocity", "yaw_rate"),
    {"velocity", "vx", "a velocity is \"vx\" forward and \"vz\" to the right"},
    CALLED("count", "wheels"),
    CALLED("number", "wheels"),
    CALLED("n_wheels", "wheels"),
    CALLED("num_wheels", "wheels"),
    CALLED("wheel_count", "wheels"),
    {"wheelbase", "half_length", "half of it is \"half_length\""},
    {"length", "half_length", "half of it is \"half_length\""},
    {"track", "half_width", "half of it is \"half_width\""},
    {"width", "half_width", "half of it is \"half_width\""},
    /* a wheel */
    CALLED("mu", "friction"),
    CALLED("friction_coefficient", "friction"),
    CALLED("friction_coeff", "friction"),
    CALLED("coefficient_of_friction", "friction"),
    {"diameter", "rollers", "give the \"radius\", half the diameter"},
    CALLED("r", "radius"),
    CALLED("wheel_radius", "radius"),
    CALLED("roller_count", "rollers"),
    CALLED("num_rollers", "rollers"),
    CALLED("n_rollers", "rollers"),
    CALLED("number_of_rollers", "rollers"),
    CALLED("angle", "inclination"),
    CALLED("roller_angle", "inclination"),
    CALLED("gamma", "inclination"),
    CALLED("tilt", "inclination"),
    CALLED("skew_angle", "inclination"),
    IN_AS("mass", "disc", "mass"),
    IN_AS("inertia", "disc", "axial_inertia"),
    IN_AS("torque", "drive", "torque"),
    CALLED("tau", "torque"),
    CALLED("moment", "torque"),
    {"force", "torque", "a drive gives a \"torque\": the force at the floor times the radius"},
    {"voltage", "torque", MOTOR},
    {"pwm", "torque", MOTOR},
    /* keys of lists */
    CALLED("gaussian", "normal"),
    CALLED("gauss", "normal"),
    DRAWN("distribution"),
    DRAWN("dist"),
    DRAWN("mean"),
    DRAWN("std"),
    DRAWN("sigma"),
    DRAWN("stddev"),
    RANGE("min"),
    RANGE("max"),
    RANGE("range"),
    RANGE("from"),
    RANGE("to"),
    RANGE("start"),
    RANGE("stop"),
    RANGE("steps"),
    RANGE("low"),
    RANGE("high"),
    RANGE("lower"),
    RANGE("upper"),
    CALLED("list", "values"),
    CALLED("levels", "values"),
    CALLED("name", "path"),
    CALLED("parameter", "path"),
    CALLED("param", "path"),
    CALLED("variable", "path"),
    CALLED("key", "path"),
    CALLED("samples", "instances"),
    CALLED("n", "instances"),
    CALLED("N", "instances"),
    CALLED("runs", "instances"),
    CALLED("n_samples", "instances"),
    CALLED("size", "instances"),
    /* times */
    STEP("dt"),
    STEP("time_step"),
    STEP("timestep"),
    STEP("h"),
    STEP("delta_t"),
    CALLED("time", "duration"),
    CALLED("sim_time", "duration"),
    CALLED("t_end", "duration"),
    CALLED("tspan", "duration"),
    CALLED("end_time", "duration"),
    CALLED("tf", "duration"),
    CALLED("t_final", "duration"),
    CALLED("simulation_time", "duration"),
    CALLED("solver", "method"),
    CALLED("scheme", "method"),
    CALLED("tol", "tolerance"),
    CALLED("rtol", "tolerance"),
    CALLED("reltol", "tolerance"),
    INTERVAL("rate"),
    INTERVAL("dt"),
    INTERVAL("frequency"),
    INTERVAL("period"),
    INTERVAL("every"),
    /* output, statistics, engine */
    CALLED("columns", "observables"),
    CALLED("variables", "observables"),
    CALLED("quantities", "observables"),
    CALLED("time_series", "trajectories"),
    CALLED("criteria", "fail"),
    CALLED("criterion", "fail"),
    CALLED("n_jobs", "threads"),
    CALLED("workers", "threads"),
    CALLED("cores", "threads"),
    CALLED("num_threads", "threads"),
    CALLED("nthreads", "threads"),
    CALLED("dtype", "precision"),
    CALLED("kind", "type"),
    {0}};
/* clang-format on */
