/* Measured inputs: tables of a file that drives and the command replay. */
#include "distributions.h"
#include "named_file.h"
#include "replay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static omr_status read_keys(omr_named_file *t, omr_replay *replay) {
  static const char *const keys[] = {
#define X(id, name, ...) name,
#include "../lists/keys_replay.def"
#undef X
  };
  static const char *const words[] = {"linear", "cubic"};
  omr_reader *reader = t->reader;
  int choice = 0;
  OMR_TRY(
      omr_json_check_keys(&reader->json, t->item, keys, sizeof keys / sizeof *keys, reader->error));
  OMR_TRY(omr_named_file_keys(t));
  OMR_TRY(omr_read_choice(reader, t->item, "interpolation", words, 2, &choice));
  replay->corners = choice == 0;
  return OMR_OK;
}

static omr_status check_times(const omr_named_file *t, const omr_table *table) {
  for (size_t row = 1; row < table->rows; row++)
    if (!(table->time[row] > table->time[row - 1]))
      return omr_json_fail(&t->reader->json, omr_wanted_place(t, &t->wanted[0]), t->reader->error,
                           "%s:%zu: time %.9g s does not come after %.9g s; times must rise",
                           t->path, t->columns.line[row], table->time[row], table->time[row - 1]);
  return OMR_OK;
}

static omr_status take_table(omr_named_file *t, omr_replay *replay) {
  omr_table *table = &replay->table;
  const size_t rows = t->columns.rows;
  if (rows < 2 || rows > OMR_REPLAY_ROWS)
    return omr_json_fail(&t->reader->json, t->file, t->reader->error,
                         "%s has %zu row%s; a table that is replayed has 2 to %d", t->path, rows,
                         rows == 1 ? "" : "s", OMR_REPLAY_ROWS);
  table->columns = t->count - 1;
  table->time = calloc(rows, sizeof *table->time);
  table->value = calloc(rows, table->columns * sizeof *table->value);
  if (!table->time || !table->value) return omr_fail_memory(t->reader);
  OMR_TRY(omr_named_file_take(t, &t->wanted[0], table->time, 1));
  for (size_t c = 0; c < table->columns; c++)
    OMR_TRY(omr_named_file_take(t, &t->wanted[c + 1], table->value + c, table->columns));
  table->rows = rows;
  replay->largest = 0;
  for (size_t row = 0; row < rows; row++)
    replay->largest = fmax(replay->largest, fabs(table->value[row * table->columns]));
  OMR_TRY(check_times(t, table));
  return omr_replay_fit(replay) ? OMR_OK : omr_fail_memory(t->reader);
}

/* Takes the table at `item` whose columns are the time and those in t->wanted. */
static omr_status read_replay(omr_named_file *t, omr_replay *replay) {
  OMR_TRY(read_keys(t, replay));
  /* a study that is kept with its result is looked at and never run */
  if (t->reader->values_file) return OMR_OK;
  OMR_TRY(omr_named_file_read(t));
  return take_table(t, replay);
}

static omr_status finish(omr_named_file *t, omr_replay *replay) {
  omr_replay_free(replay); /* of a reading before (read_again) */
  const omr_status status = read_replay(t, replay);
  omr_named_file_free(t);
  return status;
}

static omr_named_file named_at(omr_reader *reader, const cJSON *item) {
  return (omr_named_file){
      .reader = reader, .item = item, .what = "a table that is replayed", .example = "\"run.csv\""};
}

static const omr_framing as_listed = {OMR_TURN_LISTED, NULL, NULL};

/* A motor has no more than the whole voltage; a log in percent needs a factor. */
static omr_status check_duty(const omr_named_file *t, const omr_replay *replay, int wheel) {
  if (t->reader->study->drive[wheel] != OMR_DRIVE_REPLAY_DUTY || !(replay->largest > 1))
    return OMR_OK;
  return omr_json_fail(
      &t->reader->json, t->item, t->reader->error,
      "the duties of %.200s go up to %.9g; a duty is from -1 to 1: give its column "
      "a \"unit\" such as \"%%\", or a \"factor\"",
      t->file->valuestring, replay->largest);
}

omr_status omr_read_drive_replay(omr_reader *reader, const cJSON *item, int wheel) {
  const omr_study *study = reader->study;
  const bool rate = study->drive[wheel] == OMR_DRIVE_REPLAY_RATE;
  const int index = rate ? OMR_WP_SPEED : omr_drive_amount(study, wheel);
  const char *name = rate ? "rate" : omr_drive_quantities[study->drive_by[wheel]].name;
  omr_named_file t = named_at(reader, item);
  reader->replay_item[wheel] = item;
  omr_named_file_want(&t, "time", "s", as_listed);
  omr_named_file_want(&t, name, omr_wheel_parameters[index].unit,
                      omr_parameter_turn(study->frame, true, index));
  OMR_TRY(finish(&t, &reader->study->drive_replay[wheel]));
  return check_duty(&t, &study->drive_replay[wheel], wheel);
}

omr_status omr_read_command_replay(omr_reader *reader, const cJSON *item) {
  static const int columns[] = {OMR_VP_COMMAND_VX, OMR_VP_COMMAND_VZ, OMR_VP_COMMAND_YAW_RATE};
  const omr_frame_kind frame = reader->study->frame;
  omr_named_file t = named_at(reader, item);
  reader->command_replay_item = item;
  omr_named_file_want(&t, "time", "s", as_listed);
  for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
    omr_named_file_want(&t, strrchr(omr_vehicle_path(frame, columns[c]), '.') + 1,
                        omr_vehicle_parameters[columns[c]].unit,
                        omr_parameter_turn(frame, false, columns[c]));
  return finish(&t, &reader->study->command_replay);
}

/* ---- whether the tables suffice, after the variations are read */

typedef struct range {
  double low, high;
} range;

/* Where the values of a parameter lie in all instances; infinite where no end is known. */
static range range_of(const omr_study *study, int wheel, int index) {
  const double base = wheel < 0 ? study->base.vehicle[index] : study->base.wheel[wheel][index];
  range all = {base, base};
  for (size_t v = 0; v < study->variation_count; v++) {
    const omr_variation *variation = &study->variations[v];
    if (variation->index != index || variation->per_wheel != (wheel >= 0)) continue;
    if (wheel >= 0 && variation->wheel >= 0 && variation->wheel != wheel) continue;
    const bool one = study->design == OMR_DESIGN_ONE_AT_A_TIME;
    range own = {-HUGE_VAL, HUGE_VAL};
    if (omr_is_random(variation->draw) && !variation->values) {
      double low, high;
      if (omr_draw_ends(variation, &low, &high)) own = (range){low, high};
    } else if (variation->levels > 0) {
      own = (range){HUGE_VAL, -HUGE_VAL};
      for (size_t k = 0; k < variation->levels; k++) {
        own.low = fmin(own.low, variation->values[k]);
        own.high = fmax(own.high, variation->values[k]);
      }
    }
    all = one ? (range){fmin(all.low, own.low), fmax(all.high, own.high)} : own;
  }
  return all;
}

/* What is missing at the start and at the end, in the worst instance; a range without ends is left
 * to the instances, which are refused one by one (omr_replay_lasts). */
static omr_status check_length(omr_reader *reader, const cJSON *item, const omr_replay *replay,
                               range offset, range scale) {
  const omr_study *study = reader->study;
  if (replay->table.rows == 0) return OMR_OK;
  const double first = replay->table.time[0], last = replay->table.time[replay->table.rows - 1];
  const double start = offset.high + fmax(first * scale.low, first * scale.high);
  const double end = offset.low + fmin(last * scale.low, last * scale.high);
  const double slack = 1e-9 * study->duration;
  const bool varies = offset.low < offset.high || scale.low < scale.high;
  const char *who = varies ? " in some instances" : "";
  const char *file = cJSON_GetStringValue(omr_json_get(item, "file"));
  if (isfinite(start) && start > slack)
    return omr_json_fail(&reader->json, item, reader->error,
                         "the table of %.200s begins at %.9g s of the run%s, which starts at 0: "
                         "%.9g s are missing; lower \"time_offset\" by as much",
                         file, start, who, start);
  if (isfinite(end) && end < study->duration - slack)
    return omr_json_fail(&reader->json, item, reader->error,
                         "the table of %.200s ends at %.9g s of the run%s, which takes %.9g s: "
                         "%.9g s are missing; shorten integrator.duration, or change "
                         "\"time_offset\" or \"time_scale\"",
                         file, end, who, study->duration, study->duration - end);
  return OMR_OK;
}

/* The rate of a wheel at the start is the table's. */
static omr_status check_rate(omr_reader *reader, int wheel) {
  const omr_study *study = reader->study;
  const cJSON *given = reader->wheel_item[wheel][OMR_WP_RATE];
  const char *remedy = "leave \"initial.rate\" out, since a drive of type replay_rate starts with "
                       "the rate of its table";
  if (given) return omr_json_fail(&reader->json, given, reader->error, "%s", remedy);
  for (size_t v = 0; v < study->variation_count; v++) {
    const omr_variation *variation = &study->variations[v];
    if (variation->per_wheel && variation->index == OMR_WP_RATE &&
        (variation->wheel < 0 || variation->wheel == wheel))
      return omr_json_fail(&reader->json, reader->replay_item[wheel], reader->error,
                           "\"initial.rate\" of this wheel is varied; %s", remedy);
  }
  if (omr_law_is_friction(study->law)) return OMR_OK;
  return omr_json_fail(&reader->json, reader->replay_item[wheel], reader->error,
                       "the law %s forbids slip, and rates that are prescribed for every wheel "
                       "would leave it nothing to choose; take a law of friction, or a drive of "
                       "type \"speed\" or \"body\"",
                       omr_law_kinds[study->law].name);
}

omr_status omr_check_replays(omr_reader *reader) {
  const omr_study *study = reader->study;
  if (study->command == OMR_COMMAND_REPLAY)
    OMR_TRY(check_length(reader, reader->command_replay_item, &study->command_replay,
                         range_of(study, -1, OMR_VP_COMMAND_OFFSET),
                         range_of(study, -1, OMR_VP_COMMAND_SCALE)));
  for (int wheel = 0; wheel < study->wheels; wheel++) {
    if (!omr_is_replay(study->drive[wheel])) continue;
    OMR_TRY(check_length(reader, reader->replay_item[wheel], &study->drive_replay[wheel],
                         range_of(study, wheel, OMR_WP_REPLAY_OFFSET),
                         range_of(study, wheel, OMR_WP_REPLAY_SCALE)));
    if (study->drive[wheel] == OMR_DRIVE_REPLAY_RATE) OMR_TRY(check_rate(reader, wheel));
  }
  return OMR_OK;
}
