/* Inputs of a stepped batch: columns of folded parameters that the study's drives, its command and
 * its external load read as they are (model/fold.c), so that an input gives the bits of a run whose
 * study has the same value. */
#include "stepped.h"

#include "../../kernels/layout.h"
#include "../lists/frames.h"
#include "../study/grammar/parse.h"

#include <math.h>
#include <omniroll/batch.h>

static void add_vehicle(omr_stepped_batch *b, int parameter, int column) {
  omr_input *input = &b->input[b->input_count++];
  *input = (omr_input){.parameter = parameter, .column = column, .state = -1};
  snprintf(input->path, sizeof input->path, "%s",
           omr_vehicle_path(b->engine->study->frame, parameter));
}

static void add_wheel(omr_stepped_batch *b, int wheel, int parameter, int column) {
  omr_input *input = &b->input[b->input_count++];
  *input = (omr_input){.per_wheel = true,
                       .wheel = wheel,
                       .parameter = parameter,
                       .column = OMR_PARAM_COLUMN(wheel, column),
                       .state = -1};
  snprintf(input->path, sizeof input->path, "wheels[%d].%s", wheel,
           omr_wheel_path(b->engine->study->frame, parameter));
}

void omr_stepped_find_inputs(omr_stepped_batch *b) {
  const omr_study *study = b->engine->study;

  /* A drive gives a torque, voltage or duty, or a rate that it holds or prescribes. */
  for (int i = 0; i < study->wheels; i++) {
    switch (study->drives.law[i]) {
    case OMR_DRIVE_CONSTANT: add_wheel(b, i, omr_drive_amount(study, i), W_TORQUE); break;
    case OMR_DRIVE_SPEED: add_wheel(b, i, OMR_WP_SPEED, W_DRIVE_1); break;
    case OMR_DRIVE_RATE:
      add_wheel(b, i, OMR_WP_HELD_RATE, W_DRIVE_1);
      b->input[b->input_count - 1].state = OMR_STATE_COLUMN(i, T_RATE);
      break;
    default: break;
    }
  }

  /* The command, and a constant load. */
  if (study->command.kind == OMR_COMMAND_CONSTANT) {
    add_vehicle(b, OMR_VP_COMMAND_VX, P_COMMAND_VX);
    add_vehicle(b, OMR_VP_COMMAND_VZ, P_COMMAND_VZ);
    add_vehicle(b, OMR_VP_COMMAND_YAW_RATE, P_COMMAND_YAW_RATE);
  }
  if (study->external.kind != OMR_EXTERNAL_CONSTANT) return;
  /* As rows of its table: x, y, z of the frame. */
  const bool ros = study->frame == OMR_FRAME_ROS;
  static const int turned[6] = {0, 2, 1, 3, 5, 4};
  for (int j = 0; j < 6; j++) {
    const int at = ros ? turned[j] : j;
    add_vehicle(b, OMR_VP_EXTERNAL_X + at, P_EXTERNAL_X + at);
  }
}

static omr_parameter parameter_of(const omr_stepped_batch *b, const omr_input *input) {
  return omr_framed_parameter(b->engine->study->frame, input->per_wheel, input->parameter);
}

const char *omr_batch_input(const omr_stepped_batch *b, size_t input) {
  return input < b->input_count ? b->input[input].path : NULL;
}

const char *omr_batch_input_unit(const omr_stepped_batch *b, size_t input) {
  return input < b->input_count ? parameter_of(b, &b->input[input]).unit : NULL;
}

/* Whether a value may stand in a study too. */
static bool allows(const omr_parameter *parameter, double value) {
  return isfinite(value) && value >= parameter->low && value <= parameter->high;
}

static omr_status check_values(const omr_stepped_batch *b, const size_t *inputs, size_t count,
                               const double *values, omr_error *error) {
  for (size_t j = 0; j < count; j++) {
    if (inputs[j] >= b->input_count)
      return omr_fail(error, OMR_ERR_USAGE, "inputs[%zu] is %zu; the batch has %zu inputs%s", j,
                      inputs[j], b->input_count,
                      b->input_count ? ""
                                     : ": give wheels a drive \"constant\", \"speed\" or \"rate\", "
                                       "or the vehicle a command of type \"constant\"");
    const omr_input *input = &b->input[inputs[j]];
    const omr_parameter parameter = parameter_of(b, input);
    for (size_t slot = 0; slot < b->count; slot++) {
      const double value = values[slot * count + j];
      if (!allows(&parameter, value))
        return omr_fail(error, OMR_ERR_USAGE,
                        "%s of vehicle %zu is %.9g, and has to be a finite number from %.9g to "
                        "%.9g; no input was set",
                        input->path, slot, value, parameter.low, parameter.high);
    }
  }
  return OMR_OK;
}

omr_status omr_batch_set(omr_stepped_batch *b, const size_t *inputs, size_t count,
                         const double *values, omr_error *error) {
  omr_engine *r = b->engine;
  int params[OMR_INPUTS], states[OMR_INPUTS];
  omr_columns changed = {.params = params, .states = states};
  omr_status status = omr_stepped_usable(b, error);
  if (status == OMR_OK) status = check_values(b, inputs, count, values, error);
  if (status != OMR_OK) return status;
  if (count > OMR_INPUTS)
    return omr_fail(error, OMR_ERR_USAGE, "an input is named twice among %zu of them", count);

  /* A wheel of prescribed rate has it at once. */
  for (size_t j = 0; j < count; j++) {
    const omr_input *input = &b->input[inputs[j]];
    const omr_framing turn =
        omr_parameter_turn(r->study->frame, input->per_wheel, input->parameter);
    for (size_t slot = 0; slot < b->count; slot++)
      *omr_stepped_param(b, input->column, slot) = omr_turned(turn, values[slot * count + j]);
    params[changed.param_count++] = input->column;
    if (input->state < 0) continue;
    for (size_t slot = 0; slot < b->count; slot++)
      *omr_stepped_state(b, input->state, slot) = *omr_stepped_param(b, input->column, slot);
    states[changed.state_count++] = input->state;
  }

  status = r->ops->put(r->backend, &r->batch, &changed, error);
  b->broken |= status != OMR_OK;
  return status;
}
