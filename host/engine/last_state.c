/* The last good state of an instance, for the list of failed instances. */
#include "reduce.h"

#include "../../kernels/layout.h"
#include "../../kernels/small/small_layout.h"

static double state_at(const omr_batch *batch, size_t slot, int column) {
  return batch->state[(size_t)column * batch->stride + slot];
}

static double vehicle_quantity(const omr_run_settings *settings, const omr_batch *batch,
                               size_t slot, int source) {
  switch (source) {
  case OMR_VS_X: return state_at(batch, slot, S_X);
  case OMR_VS_Z: return state_at(batch, slot, S_Z);
  case OMR_VS_YAW: return omr_total_yaw(batch, slot);
  case OMR_VS_VX: return state_at(batch, slot, S_VX);
  case OMR_VS_VZ: return state_at(batch, slot, S_VZ);
  case OMR_VS_YAW_RATE: return state_at(batch, slot, S_YAW_RATE);
  case OMR_VS_PITCH: return state_at(batch, slot, S_PITCH);
  case OMR_VS_ROLL: return state_at(batch, slot, S_ROLL);
  case OMR_VS_HEIGHT:
    if (settings->integers[K_COMPLIANT]) return state_at(batch, slot, S_HEIGHT);
    return state_at(batch, slot, OMR_STATE_COLUMN(0, T_SPIN)); /* Y_HEAVE of kernels/motion.h */
  default: return state_at(batch, slot, S_PASSES);
  }
}

static double wheel_quantity(const omr_batch *batch, size_t slot, int wheel, int source) {
  const double q = state_at(batch, slot, OMR_STATE_COLUMN(wheel, T_Q));
  switch (source) {
  case OMR_WS_ANGLE: {
    const double alpha =
        batch->params[(size_t)OMR_PARAM_COLUMN(wheel, W_ALPHA) * batch->stride + slot];
    return __builtin_fma(state_at(batch, slot, OMR_STATE_COLUMN(wheel, T_INDEX)), 2 * alpha,
                         q); /* as sample_omni does */
  }
  case OMR_WS_RATE: return state_at(batch, slot, OMR_STATE_COLUMN(wheel, T_RATE));
  case OMR_WS_ROLLER: return state_at(batch, slot, OMR_STATE_COLUMN(wheel, T_ACTIVE));
  case OMR_WS_SPIN: return state_at(batch, slot, OMR_STATE_COLUMN(wheel, T_SPIN));
  default: return q;
  }
}

void omr_last_state(const omr_failures *failures, const omr_run_settings *settings,
                    const omr_batch *batch, size_t slot, double *state) {
  const bool small = settings->integers[K_MODEL] != 0;
  for (size_t j = 0; j < failures->vehicle_count; j++) {
    const int source = failures->vehicle[j].source;
    *state++ = small ? state_at(batch, slot, SMALL_FIRST + source)
                     : vehicle_quantity(settings, batch, slot, source);
  }
  for (size_t j = 0; j < failures->wheel_count; j++) {
    for (size_t i = 0; i < failures->wheels; i++)
      *state++ = wheel_quantity(batch, slot, (int)i, failures->wheel[j].source);
  }
}
