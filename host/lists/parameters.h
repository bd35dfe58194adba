/* Parameters of the models: name in the study file, unit, default, bounds, meaning. The struct, the
 * reader, `describe`, the HDF5 columns and the pages come from parameters/NAME.def. */
#ifndef OMR_PARAMETERS_H
#define OMR_PARAMETERS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#define OMR_UNSET ((double)NAN)
#define OMR_MAX_WHEELS 8
#define OMR_MIN_ROLLERS 3
#define OMR_MAX_ROLLERS 64
#define OMR_PATCHES 4

enum {
  OMR_P_OPEN_LOW = 1, /* the low bound itself is excluded */
  OMR_P_INTEGER = 2,
  OMR_P_WHEEL_ONLY = 4,    /* omni_wheel only */
  OMR_P_VEHICLE_ONLY = 8,  /* omni_vehicle and disc_vehicle */
  OMR_P_ROLLERS_ONLY = 16, /* omni_vehicle and omni_wheel */
  OMR_P_DISC_ONLY = 32,    /* disc_vehicle only */
  /* omni_vehicle and disc_vehicle, with compliant contact; with ROLLERS_ONLY omni_vehicle */
  OMR_P_COMPLIANT = 64 | OMR_P_VEHICLE_ONLY,
  OMR_P_SLOPE = 128, /* an angle that may be given in per cent: 12 % is atan 0.12 */
};

/* Models with a parameter or an observable; without any of these bits they are the omni models. */
enum {
  OMR_FOR_OMNI_BIT = 18,
#define OMNI(...)
#define SMALL(id, word, meaning) OMR_FOR_##id##_BIT,
#define GRAPH SMALL
#include "models.def"
#undef OMNI
#undef SMALL
#undef GRAPH
  OMR_FOR_OWN_BIT,
  OMR_FOR_END_BIT
};
enum {
  OMR_FOR_OMNI = 1 << OMR_FOR_OMNI_BIT,
#define OMNI(...)
#define SMALL(id, word, meaning) OMR_FOR_##id = 1 << OMR_FOR_##id##_BIT,
#define GRAPH SMALL
#include "models.def"
#undef OMNI
#undef SMALL
#undef GRAPH
  OMR_FOR_OWN = 1 << OMR_FOR_OWN_BIT, /* a place that a study names; the lists give it no model */
  OMR_FOR_ALL = 0x1fff << OMR_FOR_OMNI_BIT /* every such bit */
};
/* The rigid wheel of source 5 and the one with an elastic rim. */
#define OMR_FOR_UK_WHEELS (OMR_FOR_UK_WHEEL | OMR_FOR_ELASTIC_WHEEL)
_Static_assert(OMR_FOR_END_BIT <= 31,
               "bits of a positive int; those below have other meanings (observables.h)");

#define OMR_INF HUGE_VAL

enum {
#define X(id, ...) OMR_VP_##id,
#include "parameters/vehicle.def"

#include "lists/small_parameters.def"
#undef X
/* Places for the parameters that a study names itself (host/study/own_names.h). */
#define SLOT(n) OMR_VP_GRAPH_##n,
#include "slots.def"
#undef SLOT
  OMR_VP_COUNT
};

enum {
#define X(id, ...) OMR_WP_##id,
#define KERNEL X
#include "parameters/wheel.def"
#undef KERNEL
#undef X
  OMR_WP_COUNT
};

typedef struct omr_parameter {
  const char *path, *unit;
  double standard, low, high;
  int flags;
  const char *meaning;
} omr_parameter;

extern const omr_parameter omr_vehicle_parameters[OMR_VP_COUNT];
extern const omr_parameter omr_wheel_parameters[OMR_WP_COUNT];

/* All parameter values of one instance, SI. */
typedef struct omr_values {
  double vehicle[OMR_VP_COUNT];
  double wheel[OMR_MAX_WHEELS][OMR_WP_COUNT];
} omr_values;

/* Whether the OMR_WP_ parameter is the value, amplitude or factor of a drive. */
bool omr_is_drive_amount(int index);

#endif
