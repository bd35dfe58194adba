#include "observables.h"

#include <omniroll/omniroll.h>

const omr_observable omr_observables[OMR_OBS_COUNT] = {
#define X(id, name, unit, group, meaning) [OMR_OBS_##id] = {name, unit, group, meaning},
    OMR_OBSERVABLES(X)
#undef X
};

const char *omr_instance_status_name(int status) {
  switch (status) {
#define X(id, code, name, meaning)                                                                 \
  case code: return name;
    OMR_INSTANCE_STATUSES(X)
#undef X
  default: return "unknown";
  }
}
