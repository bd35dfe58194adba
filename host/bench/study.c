/* The base study of the rows: three wheels with two rows of pointed rollers turn on the spot under
 * friction. Constant torques drive them (hardly any operations), every wheel starts at its own
 * angle so that exchanges are spread over the steps, and the observables cost nothing while
 * integrating. */
#include "cases.h"

const char bench_study[] =
    "{\"model\": \"omni_vehicle\", \"parameters\": {\"overlap\": \"allow\", \"platform\": "
    "{\"mass\": 12, \"yaw_inertia\": 0.4, \"center_of_mass\": {\"x\": 0.01, \"height\": 0.12}}, "
    "\"layout\": {\"type\": \"ring\", \"wheels\": 3, \"radius\": 0.25}, \"wheel\": {\"radius\": "
    "0.1, \"rollers\": 6, \"row_distance\": 0.04, \"friction\": 0.3, \"slip_speed\": 0.05, "
    "\"disc\": {\"mass\": 0.25, \"axial_inertia\": 2e-4, \"diametral_inertia\": 1.2e-4}, "
    "\"roller\": {\"density\": 4000}, \"drive\": {\"type\": \"constant\", \"torque\": -0.01}, "
    "\"initial\": {\"rate\": -5}}, \"initial\": {\"yaw_rate\": 2}}, \"vary\": [{\"path\": "
    "\"wheel.friction\", \"uniform\": [0.2, 0.6]}, {\"path\": \"wheel.inclination\", \"uniform\": "
    "[0, 0.7]},{\"path\": \"wheel.initial.angle\", \"uniform\": [-3, 3], \"each\": true}], "
    "\"design\": {\"type\": \"monte_carlo\", \"instances\": 4096, \"seed\": \"1\"}, "
    "\"integrator\": {\"method\": \"rk4\", \"step\": 1e-4, \"duration\": 1000, \"stability\": "
    "\"ignore\"}, \"output\": {\"observables\": [\"final_x\", \"final_z\", \"final_yaw\", "
    "\"path_length\", \"max_slip\", \"exchanges\"]}}";

/* Tips are cut: the search for nearest points needs a normal everywhere on the surface. */
#define TESTBENCH                                                                                  \
  "{\"overlap\": \"allow\", \"wheel\": {\"radius\": 0.1, \"rollers\": 4, \"inclination\": \"20 "   \
  "deg\", \"tip_radius\": 0.008, \"friction\": 0.3, \"slip_speed\": 0.02, \"disc\": {\"mass\": "   \
  "1.2, \"axial_inertia\": 0.006, \"diametral_inertia\": 0.0035}, \"roller\": {\"density\": "      \
  "1200}, \"initial\": {\"rate\": \"-60 rpm\"}}, \"initial\": {\"vx\": 0.6, \"vz\": 0.1, "         \
  "\"yaw_rate\": 0.5}}"

const char bench_testbench[] = TESTBENCH;
const char bench_tracking[] =
    "{\"model\": \"omni_wheel\", \"parameters\": " TESTBENCH
    ", \"integrator\": {\"step\": 1e-4, \"duration\": 2, \"stability\": \"ignore\"}}";

const char bench_yardstick[] =
    "{\"title\": \"Yardstick: a mecanum vehicle of 16 kg on 4 x 9 rollers drives forward and to "
    "the right\", \"model\": \"omni_vehicle\", \"parameters\": {\"platform\": {\"mass\": \"16 "
    "kg\", \"yaw_inertia\": \"1 kg m2\", \"center_of_mass\": {\"height\": \"10 cm\"}}, \"layout\": "
    "{\"type\": \"rectangle\", \"mecanum\": true, \"half_length\": \"25 cm\", \"half_width\": \"20 "
    "cm\"}, \"wheel\": {\"radius\": \"10 cm\", \"rollers\": 9, \"inclination\": \"45 deg\", "
    "\"tip_radius\": \"8 mm\", \"friction\": 0.6, \"slip_speed\": \"5 mm/s\", \"roller\": "
    "{\"density\": \"1500 kg/m3\"}, \"drive\": {\"type\": \"body\", \"kp\": \"2 N m s\", \"ki\": "
    "\"20 N m\"}}, \"command\": {\"type\": \"tanh\", \"vx\": \"0.5 m/s\", \"vz\": \"0.3 m/s\", "
    "\"ramp_time\": \"0.5 s\"}}, \"vary\": [{\"path\": \"wheel.friction\", \"uniform\": [0.3, "
    "0.8]}, {\"path\": \"wheel.inclination\", \"uniform\": [\"40 deg\", \"50 deg\"]}], \"design\": "
    "{\"type\": \"monte_carlo\", \"instances\": 2048, \"seed\": \"1\"}, \"integrator\": "
    "{\"method\": \"rosenbrock\", \"step\": \"0.5 ms\", \"duration\": \"2 s\"}}";
