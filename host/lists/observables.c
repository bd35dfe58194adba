#include "observables.h"

#include <omniroll/omniroll.h>

const omr_observable omr_observables[OMR_OBS_COUNT] = {
#define X(id, name, unit, group, meaning) [OMR_OBS_##id] = {name, unit, group, meaning},
#define COLUMN(id, column, ...) X(id, __VA_ARGS__)
#define KEPT(id, quantity, columns, start, ...) X(id, __VA_ARGS__)
#include "observables.def"
#undef KEPT
#undef COLUMN
#undef X
#define SLOT(n) [OMR_OBS_GRAPH_##n] = {"", "1", OMR_FOR_OWN, ""},
#include "slots.def"
#undef SLOT
};

const char *omr_instance_status_name(int status) {
  switch (status) {
#define X(id, code, name, meaning)                                                                 \
  case code:                                                                                       \
    return name;
#include "statuses.def"
#undef X
  default: return "unknown";
  }
}
