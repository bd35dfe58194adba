#include "targets.h"

#include <string.h>

const char *const omr_layout_names[3] = {[OMR_LAYOUT_RING] = "ring",
                                         [OMR_LAYOUT_RECTANGLE] = "rectangle",
                                         [OMR_LAYOUT_EXPLICIT] = "explicit"};

bool omr_is_drive_parameter(int index) {
  return strncmp(omr_wheel_parameters[index].path, "drive.", 6) == 0;
}

bool omr_is_below(int index, const char *path) {
  return strncmp(omr_vehicle_parameters[index].path, path, strlen(path)) == 0;
}

bool omr_is_law_parameter(int index) {
  if (index == OMR_WP_STIFFNESS || index == OMR_WP_DAMPING || index == OMR_WP_HERTZ_STIFFNESS ||
      index == OMR_WP_DAMPING_RATIO || index == OMR_WP_DISSIPATION)
    return false; /* of the contact's spring and damper */
  return index == OMR_WP_SLIP_SPEED ||
         strncmp(omr_wheel_parameters[index].path, "contact.", 8) == 0 ||
         strncmp(omr_wheel_parameters[index].path, "tyre.", 5) == 0;
}

int omr_patch_of(int index) {
  const char *path = omr_vehicle_parameters[index].path;
  return strncmp(path, "ground.patch", 12) == 0 ? path[12] - '0' : -1;
}

double omr_mecanum_sign(int wheel) {
  return wheel == 0 || wheel == 3 ? 1.0 : -1.0;
}
