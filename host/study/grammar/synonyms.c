/* Words of other programs and of other languages for the keys and words of a study. */
#include "hints.h"

/* clang-format off: a table, a row a line */
#define IS(word, known)                                                                            \
  { word, known, "that is \"" known "\"" }
#define MOTOR                                                                                      \
  "a drive gives a torque: \"constant\" with its \"torque\", and what the motor cannot give "      \
  "is cut off by the limits in \"motor\""

const omr_synonym omr_synonyms_of_words[] = {
    /* backends */
    {"gpu GPU metal vulkan hip rocm sycl", "opencl", "GPUs are run by \"opencl\""},
    {"cuda nvidia", "opencl", "NVIDIA's GPUs are run by \"opencl\""},
    {"cpu CPU", "openmp", "the processor is run by \"openmp\""},
    {"multiprocessing parallel", "openmp", "the processor is run by \"openmp\", on all cores"},
    {"serial", "scalar", "one instance at a time is \"scalar\""},
    /* precisions */
    IS("float float32 fp32 f32", "single"),
    IS("float64 fp64 f64", "double"),
    {"half fp16 float16", "single", "the shortest is \"single\""},
    /* laws */
    IS("coulomb", "saturated_coulomb"),
    IS("coulomb", "set_valued"),
    IS("pacejka", "magic_formula"),
    {"tyre tire", "brush", "tyres are \"brush\" and \"magic_formula\""},
    /* methods */
    IS("euler explicit_euler", "semi_implicit_euler"),
    IS("runge_kutta runge-kutta ode4", "rk4"),
    {"ode45 rk45 RK45 dopri5", "dormand_prince",
     "that is \"dormand_prince\", which takes \"tolerance\" in place of \"step\""},
    {"ode15s ode23s implicit stiff backward_euler bdf BDF Radau cvode", "rosenbrock",
     "stiff laws are integrated by \"rosenbrock\""},
    /* designs */
    IS("random mc MC", "monte_carlo"),
    IS("lhs LHS", "latin_hypercube"),
    IS("factorial full_factorial sweep", "grid"),
    IS("oat", "one_at_a_time"),
    IS("csv file", "table"),
    IS("qmc", "sobol"),
    {"sensitivity", "saltelli",
     "sensitivity indices take \"saltelli\", or \"morris\" for many parameters"},
    /* drives */
    {"pid pi PID velocity", "body",
     "PI control is \"speed\" (of a wheel's rate) and \"body\" (of the vehicle's velocity)"},
    {"torque step", "constant", "a torque that stays is \"constant\""},
    {"pwm voltage dc_motor motor", "constant", MOTOR},
    IS("sin sinusoidal", "sine"),
    IS("ramp", "tanh"),
    /* commands */
    IS("straight", "line"),
    {"sine sin sinusoidal", "way_points", "a velocity that swings is a \"table\" or a \"replay\""},
    IS("rectangle", "square"),
    IS("round arc", "circle"),
    IS("eight 8 lemniscate", "figure_eight"),
    IS("waypoints trajectory points", "way_points"),
    {"pure_pursuit pursuit cross_track follow", "path",
     "a loop that follows points is \"path\", with the \"law\" \"pure_pursuit\" or "
     "\"cross_track\""},
    /* models */
    {"mecanum mecanum_vehicle", "omni_vehicle",
     "mecanum wheels are those of \"omni_vehicle\" with \"layout\": {\"type\": \"rectangle\", "
     "\"mecanum\": true}; omniroll new mecanum writes such a study"},
    IS("omni kiwi robot vehicle omnidirectional holonomic mobile_robot", "omni_vehicle"),
    IS("wheel", "omni_wheel"),
    /* observables */
    {"position pose", "final_y",
     "the place at the end is \"final_x\", \"final_y\" and \"final_yaw\""},
    {"velocity", "final_vy",
     "the velocity at the end is \"final_vx\", \"final_vy\" and \"final_yaw_rate\""},
    {"position pose", "final_x",
     "the place at the end is \"final_x\", \"final_z\" and \"final_yaw\""},
    {"velocity", "final_vx",
     "the velocity at the end is \"final_vx\", \"final_vz\" and \"final_yaw_rate\""},
    {0}};

#define CALLED(word, known)                                                                        \
  { word, known, "it is called \"" known "\"" }
#define IN(word, known)                                                                            \
  { word, known, "it stands in \"" known "\"" }
#define IN_AS(word, section, name)                                                                 \
  { word, section, "it is \"" name "\" in \"" section "\"" }

const omr_synonym omr_synonyms_of_keys[] = {
    /* of other sections */
    IN("method step duration tolerance step_error accept", "integrator"),
    IN("backend device threads precision", "engine"),
    IN("instances seed", "design"),
    IN("trajectories observables", "output"),
    IN_AS("dt timestep time_step", "integrator", "step"),
    IN_AS("time sim_time t_end", "integrator", "duration"),
    IN_AS("samples runs", "design", "instances"),
    /* sections */
    CALLED("params robot vehicle physics", "parameters"),
    CALLED("sweep variations variables ranges uncertainties", "vary"),
    CALLED("sampling doe sampler", "design"),
    CALLED("solver simulation sim", "integrator"),
    CALLED("results recording logging", "output"),
    CALLED("stats", "statistics"),
    CALLED("compute hardware gpu", "engine"),
    CALLED("name", "title"),
    {"criteria", "statistics", "criteria stand in \"statistics\", as \"fail\": {...}"},
    /* the vehicle */
    CALLED("geometry", "layout"),
    CALLED("body chassis base", "platform"),
    CALLED("floor terrain", "ground"),
    CALLED("wind external_force disturbance", "external"),
    CALLED("g", "gravity"),
    IN_AS("mass weight", "platform", "mass"),
    IN_AS("mu", "wheel", "friction"),
    IN_AS("wheel_radius", "wheel", "radius"),
    IN_AS("n_rollers", "wheel", "rollers"),
    IN_AS("n_wheels num_wheels", "layout", "wheels"),
    {"velocity speed", "command",
     "the velocity to drive at stands in \"command\", the one at the start in \"initial\""},
    CALLED("weight m", "mass"),
    CALLED("inertia Izz izz", "yaw_inertia"),
    CALLED("com cog cg", "center_of_mass"),
    {"y", "height", "x points forward, z to the right, and up is \"height\""},
    {"y", "z", "x points forward and z to the right: there is no y"},
    {"vy", "vz", "x points forward and z to the right: that velocity is \"vz\""},
    CALLED("vx velocity", "speed"),
    CALLED("theta heading psi", "yaw"),
    CALLED("omega wz yaw_velocity", "yaw_rate"),
    {"velocity", "vy", "a velocity is \"vx\" forward and \"vy\" to the left"},
    {"velocity", "vx", "a velocity is \"vx\" forward and \"vz\" to the right"},
    CALLED("count number n_wheels num_wheels wheel_count", "wheels"),
    {"wheelbase length", "half_length", "half of it is \"half_length\""},
    {"track width", "half_width", "half of it is \"half_width\""},
    /* a wheel */
    CALLED("mu friction_coefficient friction_coeff coefficient_of_friction", "friction"),
    {"diameter", "rollers", "give the \"radius\", half the diameter"},
    CALLED("r wheel_radius", "radius"),
    CALLED("roller_count num_rollers n_rollers number_of_rollers", "rollers"),
    CALLED("angle roller_angle gamma tilt skew_angle", "inclination"),
    CALLED("tire", "tyre"),
    {"friction", "lateral_stiffness", "it is the wheel's own \"friction\", beside \"tyre\""},
    IN_AS("mass", "disc", "mass"),
    IN_AS("inertia", "disc", "axial_inertia"),
    IN_AS("torque", "drive", "torque"),
    CALLED("tau moment", "torque"),
    {"force", "torque", "a drive gives a \"torque\": the force at the floor times the radius"},
    {"voltage pwm", "torque", MOTOR},
    /* keys of lists */
    CALLED("gaussian gauss", "normal"),
    {"distribution dist mean std sigma stddev", "uniform",
     "the distribution is the key: \"normal\": [mean, standard deviation], \"uniform\": [low, "
     "high]"},
    {"min max range from to start stop steps low high lower upper", "uniform",
     "a range is \"uniform\": [low, high], or \"linspace\": [first, last, count]"},
    CALLED("list levels", "values"),
    CALLED("name parameter param variable key", "path"),
    CALLED("samples n N runs n_samples size", "instances"),
    /* times */
    {"dt time_step timestep h delta_t", "step", "the step is called \"step\""},
    CALLED("time sim_time t_end tspan end_time tf t_final simulation_time", "duration"),
    CALLED("solver scheme", "method"),
    CALLED("tol rtol reltol", "tolerance"),
    {"rate dt frequency period every", "interval", "the time between two samples is \"interval\""},
    /* output, statistics, engine */
    CALLED("columns variables quantities", "observables"),
    CALLED("time_series", "trajectories"),
    CALLED("criteria criterion", "fail"),
    CALLED("n_jobs workers cores num_threads nthreads", "threads"),
    CALLED("dtype", "precision"),
    CALLED("kind", "type"),
    {0}};
/* clang-format on */
