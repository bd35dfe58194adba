/* Unknowns of a clock or a sensor, and units of measured samples. */
#include "../../support/support.h"
#include "measured.h"

#include <string.h>

const omr_unknown_info omr_unknown_list[OMR_UNKNOWNS] = {
#define CLOCK false
#define SENSOR true
#define X(id, key, told, of, unit, known, own) {key, told, unit, of, known, own},
#include "../../lists/unknowns.def"
#undef X
#undef CLOCK
#undef SENSOR
};

const char *omr_unknown_unit(int kind, int sample) {
  const char *unit = omr_unknown_list[kind].unit;
  return *unit ? unit : omr_measured_unit(sample);
}

omr_sample_info omr_measured_info(omr_frame_kind frame, int index) {
  const int of_wheel = index - OMR_VS_COUNT;
  return of_wheel < 0
             ? omr_framed_sample(omr_vehicle_sample_turn(frame, index), omr_vehicle_samples[index])
             : omr_framed_sample(omr_wheel_sample_turn(frame, of_wheel),
                                 omr_wheel_samples[of_wheel]);
}

const char *omr_measured_unit(int index) {
  return index < OMR_VS_COUNT ? omr_vehicle_samples[index].unit
                              : omr_wheel_samples[index - OMR_VS_COUNT].unit;
}

/* Whether wheels turn by it: an angle that counts from the start of a run. */
static bool measured_is_turned(int index) {
  return index == OMR_VS_COUNT + OMR_WS_ANGLE;
}

void omr_measured_turn_back(const omr_measured *measured, double *values) {
  for (size_t s = 0; s < measured->samples; s++) {
    double *angle = values + s * measured->instants;
    const double first = angle[0];
    if (!measured_is_turned(measured->sample[s].index)) continue;
    for (size_t i = 0; i < measured->instants; i++) angle[i] -= first;
  }
}

double omr_measured_turn(int index) {
  return strcmp(omr_measured_unit(index), "rad") == 0 ? 2 * PI : 1;
}
