/* The machines of starter studies. All values are chosen, none measured. */
#include "starter.h"

#define SATURATED "    \"contact\": {\"law\": \"saturated_coulomb\"},  @law:saturated_coulomb\n"

#define BODY_DRIVE                                                                                 \
  "      \"drive\": {\n"                                                                           \
  "        \"type\": \"body\",  @drive:body\n"                                                     \
  "        \"kp\": \"1 N m s\",  @wheel.drive.kp\n"                                                \
  "        \"ki\": \"10 N m\",  @wheel.drive.ki\n"                                                 \
  "        \"torque_limit\": \"4 N m\"  @wheel.drive.torque_limit\n"                               \
  "      }\n"                                                                                      \
  "    },\n"

#define COMMAND                                                                                    \
  "    \"command\": {\n"                                                                           \
  "      \"type\": \"tanh\",  @command:tanh\n"                                                     \
  "      \"vx\": \"0.4 m/s\",  @command.vx\n"                                                      \
  "      \"vz\": \"0.3 m/s\",  @command.vz\n"                                                      \
  "      \"yaw_rate\": \"20 deg/s\",  @command.yaw_rate\n"                                         \
  "      \"ramp_time\": \"0.3 s\"  @command.ramp_time\n"                                           \
  "    }\n"

#define PLATFORM                                                                                   \
  "    \"platform\": {\n"                                                                          \
  "      \"mass\": \"14 kg\",  @platform.mass\n"                                                   \
  "      \"yaw_inertia\": \"0.35 kg m2\",  @platform.yaw_inertia\n"                                \
  "      \"center_of_mass\": {\n"                                                                  \
  "        \"x\": \"0 mm\",  @platform.center_of_mass.x\n"                                         \
  "        \"height\": \"12 cm\",  @platform.center_of_mass.height\n"                              \
  "        \"z\": \"0 mm\"  @platform.center_of_mass.z\n"                                          \
  "      }\n"                                                                                      \
  "    },\n"

#define RING                                                                                       \
  "    \"layout\": {\n"                                                                            \
  "      \"type\": \"ring\",  @=or \"rectangle\", or \"explicit\": x, z and axis_angle of each "   \
  "wheel in \"wheels\"\n"                                                                          \
  "      \"wheels\": 3,  @=3 to 8\n"                                                               \
  "      \"radius\": \"22 cm\"  @layout.radius\n"                                                  \
  "    },\n"

#define ALL_WHEELS                                                                                 \
  "    \"wheel\": {  @=all wheels; \"wheels\": [{}, {...}, {}] has what differs in single ones\n"

#define DISC(MASS, AXIAL, DIAMETRAL)                                                               \
  "      \"disc\": {\n"                                                                            \
  "        \"mass\": \"" MASS "\",  @wheel.disc.mass\n"                                            \
  "        \"axial_inertia\": \"" AXIAL "\",  @wheel.disc.axial_inertia\n"                         \
  "        \"diametral_inertia\": \"" DIAMETRAL "\"  @wheel.disc.diametral_inertia\n"              \
  "      },\n"

#define FRICTION                                                                                   \
  "      \"friction\": 0.5,  @wheel.friction\n"                                                    \
  "      \"slip_speed\": \"2 cm/s\",  @wheel.slip_speed\n"

#define VEHICLE_DRAWN                                                                              \
  {                                                                                                \
    "{\"path\": \"wheel.friction\", \"truncated_normal\": [0.5, 0.1, 0.1, 0.9]}  @wheel.friction " \
    "+truncated_normal",                                                                           \
        "{\"path\": \"platform.mass\", \"triangular\": [\"10 kg\", \"14 kg\", \"22 kg\"]}  "       \
        "@platform.mass +triangular",                                                              \
        "{\"path\": \"platform.center_of_mass.x\", \"normal\": [0, \"1 cm\"]}  "                   \
        "@platform.center_of_mass.x +normal"                                                       \
  }

#define VEHICLE_OBSERVABLES                                                                        \
  {                                                                                                \
    "path_length", "deviation", "max_deviation", "yaw_deviation", "max_slip", "vibration_rms",     \
        "min_load"                                                                                 \
  }

const omr_starter_machine omr_starter_machines[] = {
    {.name = "omni_vehicle",
     .model = OMR_MODEL_VEHICLE,
     .title = "A vehicle on three omni wheels",
     .parameters = PLATFORM RING ALL_WHEELS
     "      \"radius\": \"7.5 cm\",  @wheel.radius\n"
     "      \"rollers\": 8,  @wheel.rollers\n"
     "      \"inclination\": \"0 deg\",  @wheel.inclination\n"
     "      \"tip_radius\": \"5 mm\",  @wheel.tip_radius\n"
     "      \"row_distance\": \"5 cm\",  @wheel.row_distance\n" FRICTION DISC(
         "0.35 kg", "4e-4 kg m2",
         "2.5e-4 kg m2") "      \"roller\": {\"density\": \"1500 kg/m3\"},  "
                         "@wheel.roller.density\n" BODY_DRIVE SATURATED COMMAND,
     .levels = {"{\"path\": \"wheel.rollers\", \"values\": [8, 10, 12]}  @wheel.rollers +values",
                "{\"path\": \"wheel.inclination\", \"linspace\": [0, \"30 deg\", 4]}  "
                "@wheel.inclination +linspace"},
     .drawn = VEHICLE_DRAWN,
     .cases = {"[8, 0]", "[8, \"30 deg\"]", "[12, \"30 deg\"]"},
     .fail = "max_deviation > 14 mm",
     .rare = "max_deviation > 3 cm",
     .question = "Does the vehicle stray from its commanded path?",
     .observables = VEHICLE_OBSERVABLES,
     .tolerance = "1e-3",
     .duration = "2 s",
     .interval = "10 ms"},
    {.name = "mecanum",
     .model = OMR_MODEL_VEHICLE,
     .title = "A vehicle on four mecanum wheels",
     .parameters = PLATFORM
     "    \"layout\": {\n"
     "      \"type\": \"rectangle\",  @=wheels: front-left, front-right, rear-left, rear-right\n"
     "      \"mecanum\": true,  @=multiplies the wheels' inclinations by + - - +\n"
     "      \"half_length\": \"22 cm\",  @layout.half_length\n"
     "      \"half_width\": \"18 cm\"  @layout.half_width\n"
     "    },\n" ALL_WHEELS "      \"radius\": \"7.5 cm\",  @wheel.radius\n"
     "      \"rollers\": 9,  @wheel.rollers\n"
     "      \"inclination\": \"45 deg\",  @wheel.inclination\n"
     "      \"tip_radius\": \"6 mm\",  @wheel.tip_radius\n" FRICTION DISC(
         "0.35 kg", "4e-4 kg m2",
         "2.5e-4 kg m2") "      \"roller\": {\"density\": \"1500 kg/m3\"},  "
                         "@wheel.roller.density\n" BODY_DRIVE SATURATED COMMAND,
     .levels = {"{\"path\": \"wheel.rollers\", \"values\": [6, 9, 12]}  @wheel.rollers +values",
                "{\"path\": \"wheel.inclination\", \"values\": [\"30 deg\", \"45 deg\", \"60 "
                "deg\"]}  @wheel.inclination +values"},
     .drawn = VEHICLE_DRAWN,
     .cases = {"[9, \"45 deg\"]", "[12, \"45 deg\"]", "[9, \"30 deg\"]"},
     .fail = "max_deviation > 12 mm",
     .rare = "max_deviation > 35 mm",
     .question = "Does the vehicle stray from its commanded path?",
     .observables = VEHICLE_OBSERVABLES,
     .tolerance = "1e-3",
     .duration = "2 s",
     .interval = "10 ms"},
    {.name = "compliant",
     .model = OMR_MODEL_VEHICLE,
     .title = "A vehicle on four mecanum wheels whose rollers give",
     .parameters = PLATFORM
     "    \"layout\": {\n"
     "      \"type\": \"rectangle\",  @=wheels: front-left, front-right, rear-left, rear-right\n"
     "      \"mecanum\": true,  @=multiplies the wheels' inclinations by + - - +\n"
     "      \"half_length\": \"22 cm\",  @layout.half_length\n"
     "      \"half_width\": \"18 cm\"  @layout.half_width\n"
     "    },\n" ALL_WHEELS "      \"radius\": \"5 cm\",  @wheel.radius\n"
     "      \"rollers\": 10,  @wheel.rollers\n"
     "      \"inclination\": \"45 deg\",  @wheel.inclination\n"
     "      \"tip_radius\": \"4 mm\",  @wheel.tip_radius\n"
     "      \"contact\": {  @=measure the static sag: stiffness is weight over wheels and sag\n"
     "        \"stiffness\": \"100 kN/m\",  @wheel.contact.stiffness\n"
     "        \"damping_ratio\": 0.1  @wheel.contact.damping_ratio\n"
     "      },\n"
     "      \"friction\": 0.5,  @wheel.friction\n"
     "      \"slip_speed\": \"10 cm/s\",  @wheel.slip_speed\n" DISC(
         "0.25 kg", "2e-4 kg m2",
         "1.2e-4 kg m2") "      \"roller\": {\n"
                         "        \"mass\": \"12 g\",  @wheel.roller.mass\n"
                         "        \"axial_inertia\": \"5e-7 kg m2\",  @wheel.roller.axial_inertia\n"
                         "        \"diametral_inertia\": \"1.5e-6 kg m2\",  "
                         "@wheel.roller.diametral_inertia\n"
                         "        \"coverage\": 1,  @wheel.roller.coverage\n"
                         "        \"fillet\": \"1 mm\"  @wheel.roller.fillet\n"
                         "      },\n"
                         "      \"drive\": {\n"
                         "        \"type\": \"body\",  @drive:body\n"
                         "        \"kp\": \"0.2 N m s\",  @wheel.drive.kp\n"
                         "        \"ki\": \"2 N m\"  @wheel.drive.ki\n"
                         "      }\n"
                         "    },\n"
                         "    \"contact\": {\n"
                         "      \"normal\": \"compliant\",  @=every roller that reaches the floor "
                         "stands on a spring "
                         "and a damper; the platform heaves, pitches and rolls\n"
                         "      \"law\": \"saturated_coulomb\"  @law:saturated_coulomb\n"
                         "    },\n" COMMAND,
     .levels = {"{\"path\": \"wheel.rollers\", \"values\": [8, 10, 12]}  @wheel.rollers +values",
                "{\"path\": \"wheel.contact.stiffness\", \"values\": [\"50 kN/m\", \"100 kN/m\", "
                "\"200 kN/m\"]}  @wheel.contact.stiffness +values"},
     .drawn = {"{\"path\": \"wheel.contact.damping_ratio\", \"uniform\": [0.05, 0.2]}  "
               "@wheel.contact.damping_ratio +uniform",
               "{\"path\": \"platform.mass\", \"triangular\": [\"10 kg\", \"14 kg\", \"22 kg\"]}  "
               "@platform.mass +triangular"},
     .cases = {"[8, \"100 kN/m\"]", "[10, \"100 kN/m\"]", "[12, \"200 kN/m\"]"},
     .fail = "vertical_vibration_rms > 1 m/s2",
     .rare = "vertical_vibration_rms > 1.2 m/s2",
     .question = "Do the rollers shake the vehicle too much?",
     .observables = {"vertical_vibration_rms", "vertical_vibration_peak",
                     "vertical_vibration_exchange", "height_exchange", "dynamic_load_coefficient",
                     "max_load", "wheel_liftings", "max_deviation"},
     .step = "50 us",
     .duration = "0.3 s",
     .interval = "1 ms"},
    {.name = "omni_wheel",
     .model = OMR_MODEL_WHEEL,
     .title = "An omni wheel on a test bench",
     .parameters = ALL_WHEELS
     "      \"radius\": \"10 cm\",  @wheel.radius\n"
     "      \"rollers\": 6,  @wheel.rollers\n"
     "      \"inclination\": \"20 deg\",  @wheel.inclination\n"
     "      \"friction\": 0.3,  @wheel.friction\n"
     "      \"slip_speed\": \"2 cm/s\",  @wheel.slip_speed\n" DISC(
         "1.2 kg", "0.006 kg m2",
         "0.0035 kg m2") "      \"roller\": {\"density\": \"1200 kg/m3\"},  @wheel.roller.density\n"
                         "      \"initial\": {\"rate\": \"-60 rpm\"},  @wheel.initial.rate\n"
                         "      \"drive\": {\n"
                         "        \"type\": \"tanh\",  @drive:tanh\n"
                         "        \"torque\": \"-5e-3 N m\",  @wheel.drive.torque\n"
                         "        \"ramp_time\": \"1 s\"  @wheel.drive.ramp_time\n"
                         "      }\n"
                         "    },\n" SATURATED "    \"initial\": {\n"
                         "      \"vx\": \"60 cm/s\",  @initial.vx\n"
                         "      \"vz\": \"10 cm/s\",  @initial.vz\n"
                         "      \"yaw_rate\": \"0.5 rad/s\"  @initial.yaw_rate\n"
                         "    }\n",
     .levels = {"{\"path\": \"wheel.rollers\", \"values\": [4, 6, 8]}  @wheel.rollers +values",
                "{\"path\": \"wheel.inclination\", \"linspace\": [0, \"45 deg\", 4]}  "
                "@wheel.inclination +linspace"},
     .drawn =
         {"{\"path\": \"wheel.friction\", \"uniform\": [0.1, 0.5]}  @wheel.friction +uniform",
          "{\"path\": \"initial.vx\", \"normal\": [\"60 cm/s\", \"5 cm/s\"]}  @initial.vx +normal",
          "{\"path\": \"wheel.disc.mass\", \"triangular\": [\"1 kg\", \"1.2 kg\", \"1.6 kg\"]}  "
          "@wheel.disc.mass +triangular"},
     .cases = {"[4, 0]", "[6, \"20 deg\"]", "[8, \"45 deg\"]"},
     .fail = "max_slip > 25 cm/s",
     .rare = "max_slip > 34 cm/s",
     .question = "Does the wheel slip too fast?",
     .observables = {"path_length", "max_slip", "dissipated_energy", "max_servo_torque",
                     "exchanges"},
     .tolerance = "1e-3",
     .duration = "2 s",
     .interval = "5 ms"},
    {.name = "disc_vehicle",
     .model = OMR_MODEL_DISC_VEHICLE,
     .title = "A vehicle on three discs with painted rollers",
     .parameters = PLATFORM RING ALL_WHEELS
     "      \"radius\": \"7.5 cm\",  @wheel.radius\n"
     "      \"inclination\": \"0 deg\",  @wheel.inclination\n" FRICTION DISC(
         "0.5 kg", "8e-4 kg m2", "5e-4 kg m2") BODY_DRIVE
     "    \"contact\": {\"law\": \"regularized_coulomb\"},  @law:regularized_coulomb\n" COMMAND,
     .levels = {"{\"path\": \"wheel.drive.kp\", \"values\": [\"0.5 N m s\", \"1 N m s\", \"2 N m "
                "s\"]}  @wheel.drive.kp +values",
                "{\"path\": \"wheel.inclination\", \"linspace\": [0, \"45 deg\", 4]}  "
                "@wheel.inclination +linspace"},
     .drawn = VEHICLE_DRAWN,
     .cases = {"[\"1 N m s\", 0]", "[\"2 N m s\", 0]", "[\"2 N m s\", \"30 deg\"]"},
     .fail = "max_deviation > 8 cm",
     .rare = "max_deviation > 15 cm",
     .question = "Does the vehicle stray from its commanded path?",
     .observables = VEHICLE_OBSERVABLES,
     .tolerance = "1e-3",
     .duration = "2 s",
     .interval = "10 ms"},
    {.name = "uk_wheel",
     .model = OMR_MODEL_UK_WHEEL,
     .title = "A driven wheel on ground that is slippery for a while",
     .parameters = "    \"mass\": \"25 kg\",  @mass\n"
                   "    \"radius\": \"30 cm\",  @radius\n"
                   "    \"inertia\": \"1.125 kg m2\",  @inertia\n"
                   "    \"drive\": {\n"
                   "      \"type\": \"tanh\",  @word:drive.type=tanh\n"
                   "      \"torque\": \"20 N m\",  @drive.torque\n"
                   "      \"rate\": \"0.5 s-1\"  @drive.rate\n"
                   "    },\n"
                   "    \"ground\": {\n"
                   "      \"type\": \"dip\",  @word:ground.type=dip\n"
                   "      \"upper\": 0.9,  @ground.upper\n"
                   "      \"lower\": 0.3,  @ground.lower\n"
                   "      \"time\": \"10 s\",  @ground.time\n"
                   "      \"width\": \"1 s\"  @ground.width\n"
                   "    },\n"
                   "    \"resistance\": {\n"
                   "      \"rolling\": \"1.7 kg/m\",  @resistance.rolling\n"
                   "      \"bearing\": \"0.34 N m s\"  @resistance.bearing\n"
                   "    }\n",
     .levels = {"{\"path\": \"drive.torque\", \"values\": [\"10 N m\", \"20 N m\", \"40 N m\"]}  "
                "@drive.torque +values",
                "{\"path\": \"drive.rate\", \"values\": [\"0.25 s-1\", \"0.5 s-1\", \"1 s-1\"]}  "
                "@drive.rate +values"},
     .drawn = {"{\"path\": \"ground.lower\", \"uniform\": [0.1, 0.5]}  @ground.lower +uniform",
               "{\"path\": \"mass\", \"triangular\": [\"20 kg\", \"25 kg\", \"35 kg\"]}  @mass "
               "+triangular",
               "{\"path\": \"ground.width\", \"uniform\": [\"0.5 s\", \"2 s\"]}  @ground.width "
               "+uniform"},
     .cases = {"[\"10 N m\", 0.5]", "[\"20 N m\", 0.5]", "[\"40 N m\", 1]"},
     .fail = "max_slip > 5 m/s",
     .rare = "max_slip > 8 m/s",
     .question = "Does the wheel spin?",
     .observables = {"final_vx", "max_speed", "max_slip", "min_weight", "dissipated_energy"},
     .tolerance = "1e-5",
     .duration = "20 s",
     .interval = "50 ms"},
    {.name = "rolling_disc",
     .model = OMR_MODEL_ROLLING_DISC,
     .title = "A disc that rolls on a circle",
     .parameters = "    \"mass\": \"1 kg\",  @mass\n"
                   "    \"radius\": \"0.5 m\",  @radius\n"
                   "    \"ground\": {\n"
                   "      \"stiffness\": \"1e5 N/m\",  @ground.stiffness\n"
                   "      \"damping\": \"100 N s/m\"  @ground.damping\n"
                   "    },\n"
                   "    \"friction\": {\n"
                   "      \"lateral\": 0.5,  @friction.lateral\n"
                   "      \"longitudinal\": 0.5,  @friction.longitudinal\n"
                   "      \"zone\": \"quadratic\",  @word:friction.zone=quadratic\n"
                   "      \"slip_speed\": \"2 cm/s\"  @friction.slip_speed\n"
                   "    },\n"
                   "    \"initial\": {\n"
                   "      \"tilt\": \"60 deg\",  @initial.tilt\n"
                   "      \"spin\": \"-3.609 rad/s\",  @initial.spin\n"
                   "      \"precession\": \"2 rad/s\"  @initial.precession\n"
                   "    }\n",
     .levels = {"{\"path\": \"initial.tilt\", \"linspace\": [\"50 deg\", \"70 deg\", 5]}  "
                "@initial.tilt +linspace",
                "{\"path\": \"initial.precession\", \"values\": [1.5, 2, 2.5]}  "
                "@initial.precession +values"},
     .drawn = {"{\"path\": \"friction.lateral\", \"truncated_normal\": [0.5, 0.08, 0.1, 0.9]}  "
               "@friction.lateral +truncated_normal",
               "{\"path\": \"friction.longitudinal\", \"truncated_normal\": [0.5, 0.08, 0.1, 0.9]} "
               " @friction.longitudinal "
               "+truncated_normal",
               "{\"path\": \"initial.spin\", \"normal\": [\"-3.609 rad/s\", \"0.2 rad/s\"]}  "
               "@initial.spin +normal"},
     .cases = {"[\"60 deg\", 2]", "[\"60 deg\", 2.5]", "[\"50 deg\", 2]"},
     .fail = "max_slip > 5 cm/s",
     .rare = "max_slip > 1.9 m/s",
     .question = "Does the disc slip off its circle?",
     .observables = {"final_tilt", "final_speed", "max_slip", "dissipated_energy", "min_load"},
     .tolerance = "1e-5",
     .duration = "2 s",
     .interval = "10 ms"},
    {.name = "wheelset",
     .model = OMR_MODEL_WHEELSET,
     .title = "A wheelset on a slope",
     .parameters = "    \"radius\": \"10 cm\",  @radius\n"
                   "    \"half_track\": \"25 cm\",  @half_track\n"
                   "    \"left_wheel\": {\"mass\": \"1 kg\"},  @left_wheel.mass\n"
                   "    \"rod\": {\n"
                   "      \"mass\": \"1 kg\",  @rod.mass\n"
                   "      \"axial_inertia\": \"2e-4 kg m2\"  @rod.axial_inertia\n"
                   "    },\n"
                   "    \"plane\": {\"slope\": \"5 deg\"},  @plane.slope\n"
                   "    \"initial\": {\n"
                   "      \"yaw\": \"90 deg\",  @initial.yaw\n"
                   "      \"vx\": \"0.5 m/s\",  @initial.vx\n"
                   "      \"yaw_rate\": \"1 rad/s\"  @initial.yaw_rate\n"
                   "    }\n",
     .levels = {"{\"path\": \"half_track\", \"linspace\": [\"20 cm\", \"40 cm\", 5]}  @half_track "
                "+linspace",
                "{\"path\": \"left_wheel.mass\", \"values\": [\"0.5 kg\", \"1 kg\", \"2 kg\"]}  "
                "@left_wheel.mass +values"},
     .drawn =
         {"{\"path\": \"plane.slope\", \"uniform\": [\"3 deg\", \"7 deg\"]}  @plane.slope +uniform",
          "{\"path\": \"initial.vx\", \"normal\": [\"0.5 m/s\", \"0.05 m/s\"]}  @initial.vx "
          "+normal",
          "{\"path\": \"initial.yaw_rate\", \"normal\": [\"1 rad/s\", \"0.1 rad/s\"]}  "
          "@initial.yaw_rate +normal"},
     .cases = {"[\"20 cm\", \"1 kg\"]", "[\"25 cm\", \"1 kg\"]", "[\"40 cm\", \"2 kg\"]"},
     .fail = "max_lateral_force > 6.5 N",
     .rare = "max_lateral_force > 7.7 N",
     .question = "Does rolling need more lateral force than the floor gives?",
     .observables = {"path_length", "downhill", "drift", "max_speed", "max_lateral_force",
                     "min_load"},
     .tolerance = "1e-5",
     .duration = "10 s",
     .interval = "20 ms"},
    {.name = "snakeboard",
     .model = OMR_MODEL_SNAKEBOARD,
     .title = "A snakeboard that swings its rotor and wheelsets",
     .parameters = "    \"coupler\": {\n"
                   "      \"mass\": \"2 kg\",  @coupler.mass\n"
                   "      \"half_length\": \"20 cm\"  @coupler.half_length\n"
                   "    },\n"
                   "    \"rotor\": {\"yaw_inertia\": \"0.07 kg m2\"},  @rotor.yaw_inertia\n"
                   "    \"gait\": {\n"
                   "      \"wheelsets\": \"opposite\",  @word:gait.wheelsets=opposite\n"
                   "      \"front\": {\n"
                   "        \"amplitude\": \"0.3 rad\",  @gait.front.amplitude\n"
                   "        \"frequency\": \"2 rad/s\"  @gait.front.frequency\n"
                   "      },\n"
                   "      \"rotor\": {\n"
                   "        \"amplitude\": \"0.7 rad\",  @gait.rotor.amplitude\n"
                   "        \"frequency\": \"2 rad/s\"  @gait.rotor.frequency\n"
                   "      }\n"
                   "    }\n",
     .levels = {"{\"path\": \"gait.front.amplitude\", \"linspace\": [\"0.1 rad\", \"0.6 rad\", 6]} "
                " @gait.front.amplitude +linspace",
                "{\"path\": \"gait.rotor.amplitude\", \"values\": [0.5, 0.7, 1]}  "
                "@gait.rotor.amplitude +values"},
     .drawn = {"{\"path\": \"wheelset.wheel_mass\", \"normal\": [\"0.3 kg\", \"0.02 kg\"]}  "
               "@wheelset.wheel_mass +normal",
               "{\"path\": \"rotor.yaw_inertia\", \"normal\": [0.07, 0.007]}  @rotor.yaw_inertia "
               "+normal",
               "{\"path\": \"coupler.mass\", \"triangular\": [\"1.5 kg\", \"2 kg\", \"3 kg\"]}  "
               "@coupler.mass +triangular"},
     .cases = {"[\"0.3 rad\", \"0.7 rad\"]", "[\"0.3 rad\", \"1 rad\"]",
               "[\"0.6 rad\", \"0.7 rad\"]"},
     .fail = "distance < 8.5 m",
     .rare = "distance < 7 m",
     .question = "Does the board stay short of its aim?",
     .observables = {"distance", "final_yaw", "path_length", "max_speed", "max_servo_torque",
                     "max_lateral_force"},
     .tolerance = "1e-5",
     .duration = "31.42 s",
     .interval = "50 ms"},
    {.name = "sliding_block",
     .model = OMR_MODEL_SLIDING_BLOCK,
     .title = "A block on a belt that sticks and slips",
     .parameters = "    \"mass\": \"1 kg\",  @mass\n"
                   "    \"law\": \"set_valued\",  @word:law=set_valued\n"
                   "    \"friction\": {\n"
                   "      \"kinetic\": 0.2,  @friction.kinetic\n"
                   "      \"static\": 0.4  @friction.static\n"
                   "    },\n"
                   "    \"spring\": {\"stiffness\": \"100 N/m\"},  @spring.stiffness\n"
                   "    \"belt\": {\"speed\": \"0.1 m/s\"},  @belt.speed\n"
                   "    \"initial\": {\"speed\": \"0.1 m/s\"}  @initial.speed\n",
     .levels = {"{\"path\": \"belt.speed\", \"linspace\": [\"5 cm/s\", \"15 cm/s\", 5]}  "
                "@belt.speed +linspace",
                "{\"path\": \"spring.stiffness\", \"values\": [\"50 N/m\", \"100 N/m\", \"200 "
                "N/m\"]}  @spring.stiffness +values"},
     .drawn =
         {"{\"path\": \"friction.static\", \"uniform\": [0.3, 0.5]}  @friction.static +uniform",
          "{\"path\": \"friction.kinetic\", \"truncated_normal\": [0.2, 0.03, 0.1, 0.3]}  "
          "@friction.kinetic +truncated_normal",
          "{\"path\": \"mass\", \"triangular\": [\"0.8 kg\", \"1 kg\", \"1.4 kg\"]}  @mass "
          "+triangular"},
     .cases = {"[\"5 cm/s\", \"100 N/m\"]", "[\"10 cm/s\", \"100 N/m\"]",
               "[\"10 cm/s\", \"200 N/m\"]"},
     .fail = "max_slip > 0.35 m/s",
     .rare = "max_slip > 0.48 m/s",
     .question = "Does the block jerk?",
     .observables = {"max_slip", "max_speed", "stuck_share", "dissipated_energy"},
     .tolerance = "1e-6",
     .duration = "20 s",
     .interval = "10 ms"},
    {.name = "elastic_wheel",
     .model = OMR_MODEL_ELASTIC_WHEEL,
     .title = "A wheel with an elastic rim that sets off",
     .parameters = "    \"mass\": \"25 kg\",  @mass\n"
                   "    \"radius\": \"30 cm\",  @radius\n"
                   "    \"inertia\": \"1.125 kg m2\",  @inertia\n"
                   "    \"rim\": {\n"
                   "      \"share\": 0.4,  @rim.share\n"
                   "      \"stiffness\": \"400 N m/rad\",  @rim.stiffness\n"
                   "      \"damping\": \"0.5 N m s/rad\"  @rim.damping\n"
                   "    },\n"
                   "    \"drive\": {\n"
                   "      \"type\": \"tanh\",  @word:drive.type=tanh\n"
                   "      \"torque\": \"50 N m\",  @drive.torque\n"
                   "      \"rate\": \"20 s-1\"  @drive.rate\n"
                   "    },\n"
                   "    \"ground\": {\"upper\": 0.9}  @ground.upper\n",
     .levels = {"{\"path\": \"rim.stiffness\", \"values\": [\"200 N m/rad\", \"400 N m/rad\", "
                "\"800 N m/rad\"]}  @rim.stiffness +values",
                "{\"path\": \"rim.damping\", \"linspace\": [0, \"4 N m s/rad\", 5]}  @rim.damping "
                "+linspace"},
     .drawn = {"{\"path\": \"rim.share\", \"uniform\": [0.3, 0.5]}  @rim.share +uniform",
               "{\"path\": \"drive.torque\", \"normal\": [\"50 N m\", \"5 N m\"]}  @drive.torque "
               "+normal",
               "{\"path\": \"mass\", \"triangular\": [\"20 kg\", \"25 kg\", \"35 kg\"]}  @mass "
               "+triangular"},
     .cases = {"[\"200 N m/rad\", 0]", "[\"400 N m/rad\", 0]",
               "[\"800 N m/rad\", \"2 N m "
               "s/rad\"]"},
     .fail = "max_twist > 0.22 rad",
     .rare = "max_twist > 0.31 rad",
     .question = "Does the rim twist too far?",
     .observables = {"final_vx", "max_twist", "max_slip", "min_weight", "dissipated_energy"},
     .tolerance = "1e-6",
     .duration = "5 s",
     .interval = "5 ms"},
    {.name = "multibody",
     .model = OMR_MODEL_MULTIBODY,
     .title = "A ball on a spring",
     .parameters = "    \"mass\": \"1 kg\",  @=numbers of the study's own: their names are free, "
                   "and vary[].path takes them\n"
                   "    \"radius\": \"5 cm\",  @=of the ball\n"
                   "    \"stiffness\": \"35 N/m\",  @=of the spring\n"
                   "    \"damping\": \"0.2 N s/m\",  @=of the spring; varied parameters are read "
                   "in the unit that stands here\n"
                   "    \"speed\": \"0.5 m/s\"  @=of the ball at the start\n",
     .system =
         "  \"system\": {\n"
         "    \"bodies\": {  @=rigid bodies with any tensors of inertia; \"base\" is at rest and "
         "always there\n"
         "      \"ball\": {\n"
         "        \"mass\": \"mass\",  @=a number, or an expression of the parameters\n"
         "        \"inertia\": [\"0.4*mass*radius*radius\", \"0.4*mass*radius*radius\", "
         "\"0.4*mass*radius*radius\"],  @=principal moments of inertia\n"
         "        \"at\": [0, \"radius\", 0],  @=the centre of mass at the start; y points up\n"
         "        \"velocity\": [\"speed\", 0, 0],\n"
         "        \"angular_velocity\": [0, 0, \"-speed/radius\"]  @=so that the ball rolls\n"
         "      }\n"
         "    },\n"
         "    \"constraints\": {  @=joints, gears, rods, springs\n"
         "      \"spring\": {\n"
         "        \"type\": \"spring_damper\",\n"
         "        \"between\": [\"base\", \"ball\"],\n"
         "        \"point_a\": [\"-0.5 m\", \"radius\", 0],  @=in the first body; in the second "
         "one it is the centre\n"
         "        \"stiffness\": \"stiffness\",\n"
         "        \"damping\": \"damping\"\n"
         "      }\n"
         "    },\n"
         "    \"contacts\": {  @=surfaces that touch, rollers on the ground, teeth of gears\n"
         "      \"floor\": {\n"
         "        \"between\": [\"base\", \"ball\"],\n"
         "        \"surfaces\": [{\"shape\": \"plane\"}, {\"shape\": \"sphere\", \"radius\": "
         "\"radius\"}],\n"
         "        \"normal\": \"held\",  @=both stay in touch; unilateral and compliant ones may "
         "part\n"
         "        \"law\": \"rolls\"  @=without slip; or a law of friction\n"
         "      }\n"
         "    },\n"
         "    \"measures\": {  @=observables of the study's own: a number of each run\n"
         "      \"farthest\": {\"take\": \"max\", \"of\": \"ball.x\"},\n"
         "      \"least_load\": {\"take\": \"min\", \"of\": \"floor.load\"},\n"
         "      \"energy_error\": {\"take\": \"final\", \"of\": \"balance\"}  @=the check: 0 but "
         "for rounding and step\n"
         "    },\n"
         "    \"samples\": {\"x\": \"ball.x\", \"speed\": \"ball.vx\", \"load\": \"floor.load\"}  "
         "@=what is kept over time\n"
         "  },\n",
     .levels = {"{\"path\": \"stiffness\", \"values\": [20, 35, 50]}",
                "{\"path\": \"mass\", \"linspace\": [0.5, 1.5, 3]}"},
     .drawn =
         {"{\"path\": \"speed\", \"normal\": [0.5, 0.05]}  @=normal [mean, standard deviation]",
          "{\"path\": \"damping\", \"uniform\": [0, 1]}  @=uniform [low, high]"},
     .cases = {"[20, 1]", "[35, 1]", "[50, 1.5]"},
     .fail = "farthest > 11 cm",
     .rare = "farthest > 13.5 cm",
     .question = "Does the ball roll too far?",
     .observables = {"farthest", "least_load", "energy_error"},
     .tolerance = "1e-7",
     .duration = "1.5 s",
     .interval = "10 ms"},
};
const size_t omr_starter_machine_count = sizeof omr_starter_machines / sizeof *omr_starter_machines;
