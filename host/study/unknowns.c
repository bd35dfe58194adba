/* What a clock or a sensor may have that is unknown. */
#include "measured.h"

#include "../lists/samples.h"

const omr_unknown_info omr_unknown_list[OMR_UNKNOWNS] = {
#define CLOCK false
#define SENSOR true
#define X(id, key, told, of, unit, known, own) {key, told, unit, of, known, own},
#include "../lists/unknowns.def"
#undef X
#undef CLOCK
#undef SENSOR
};

const char *omr_unknown_unit(int kind, int sample) {
  const char *unit = omr_unknown_list[kind].unit;
  return *unit ? unit : omr_vehicle_samples[sample].unit;
}
