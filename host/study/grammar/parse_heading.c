/* Loops outside of the wheels' controllers: the heading held by a gyro, and limits of the rates
 * that wheels are asked for. */
#include "parse.h"

#include "../../../kernels/layout.h"
#include <limits.h>
#include <math.h>
#include <string.h>

#define HOLD "command.heading_hold."
#define LIMIT "command.wheel_limit."

bool omr_is_outer_parameter(int index) {
  return omr_is_below(index, HOLD) || omr_is_below(index, LIMIT);
}

omr_status omr_read_heading_hold(omr_reader *reader, const cJSON *command) {
  const cJSON *hold, *limit, *item;
  OMR_TRY(omr_read_object(reader, command, "wheel_limit", &limit));
  OMR_TRY(omr_read_words(reader, limit, LIMIT));
  OMR_TRY(omr_read_object(reader, command, "heading_hold", &hold));
  if (!hold) return OMR_OK;
  OMR_TRY(omr_require(reader, hold, "period", "\"10 ms\"", &item));
  OMR_TRY(omr_read_words(reader, hold, HOLD));
  reader->study->command.hold.given = true;
  return OMR_OK;
}

omr_status omr_require_body(omr_reader *reader, const cJSON *item, const char *what) {
  for (int wheel = 0; wheel < reader->study->wheels; wheel++)
    if (reader->study->drives.law[wheel] == OMR_DRIVE_BODY) return OMR_OK;
  return OMR_REFUSE(reader, item,
                    "\"%s\" acts on controllers that follow the command, and no wheel has one; "
                    "give \"wheel\": {\"drive\": {\"type\": \"body\", \"kp\": ..., \"ki\": ...}}",
                    what);
}

omr_status omr_require_usable_outer(omr_reader *reader, const cJSON *item, int index) {
  if (omr_is_below(index, LIMIT)) return omr_require_body(reader, item, "wheel_limit");
  if (reader->study->command.hold.given) return OMR_OK;
  return OMR_REFUSE(reader, item,
                    "no loop holds the heading, so \"%s\" has no effect; give \"command\": "
                    "{\"heading_hold\": {\"period\": \"10 ms\"}, ...} in parameters",
                    omr_vehicle_parameters[index].path);
}

omr_status omr_require_whole_periods(omr_reader *reader, const cJSON *item, const char *what,
                                     double time, double least, double most) {
  const double period = reader->study->drives.period, count = rint(time / period);
  if (count > INT_MAX)
    return OMR_REFUSE(reader, item, "%s of %.9g s takes more than %d controller periods", what,
                      time, INT_MAX);
  if (count >= least && fabs(time - count * period) <= 1e-9 * fmax(time, period)) return OMR_OK;
  return OMR_REFUSE(reader, item,
                    "%s of %.9g s is not a whole number of controller periods of %.9g s; the "
                    "nearest is %.9g s, or give parameters another \"controller_period\"",
                    what, time, period, fmin(fmax(count, least), most) * period);
}

/* What acts late is kept, from sample to sample. */
static omr_status check_delay(omr_reader *reader, const cJSON *item) {
  const double period = reader->study->command.hold.period,
               delay = reader->study->command.hold.delay;
  if (delay < (HOLD_KEPT - 1e-6) * period) return OMR_OK;
  return OMR_REFUSE(reader, item,
                    "a delay of %.9g s takes %.3g periods of the loop, and it has to be below %d "
                    "of them; shorten it to %.9g s, or lengthen \"period\"",
                    delay, delay / period, (int)HOLD_KEPT, (HOLD_KEPT - 1) * period);
}

omr_status omr_check_outer_loops(omr_reader *reader) {
  const omr_study *study = reader->study;
  const cJSON *command = reader->parameters ? omr_json_get(reader->parameters, "command") : NULL,
              *hold = command ? omr_json_get(command, "heading_hold") : NULL,
              *limit = command ? omr_json_get(command, "wheel_limit") : NULL;
  if (limit) OMR_TRY(omr_require_body(reader, limit, "wheel_limit"));
  if (!hold) return OMR_OK;
  OMR_TRY(omr_require_body(reader, hold, "heading_hold"));
  const cJSON *period = omr_json_get(hold, "period"), *delay = omr_json_get(hold, "delay");
  OMR_TRY(omr_require_whole_periods(reader, period, "a period", study->command.hold.period, 1,
                                    INT_MAX));
  if (!delay) return OMR_OK;
  OMR_TRY(check_delay(reader, delay));
  const double most = HOLD_KEPT * rint(study->command.hold.period / study->drives.period) - 1;
  return omr_require_whole_periods(reader, delay, "a delay", study->command.hold.delay, 0, most);
}
