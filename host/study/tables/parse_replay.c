/* Measured inputs: tables of a file that drives and the command replay. Columns are found by their
 * names, so that a log of a robot can be taken as it is. */
#include "../designs/distributions.h"
#include "../grammar/rules.h"
#include "../measured/log.h"
#include "replay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A table being taken over. */
typedef struct taking {
  omr_log log;  /* the time and the replayed columns */
  bool placed;  /* the study says, or varies, where the file's time 0 is in the run */
  double start; /* time of the file at which the run starts, s */
} taking;

/* ---- the study's settings */

static omr_status read_keys(taking *t, omr_replay *replay) {
  omr_reader *reader = t->log.reader;
  double choice;

  /* The file is the replay's own, or the measured run's. */
  OMR_TRY(omr_check_section(reader, t->log.item, OMR_SECTION_REPLAY, NULL, 0));
  t->log.file = omr_json_get(t->log.item, "file");
  if (!t->log.file && reader->measured_run) { /* the inputs of the run that is compared with */
    t->log.file = omr_json_get(reader->measured_run, "file");
    t->start = reader->study->measured.start;
    t->log.shared = true;
  }
  OMR_TRY(omr_log_read_names(&t->log, "\"run.csv\""));

  /* The kind of interpolation follows. */
  choice = t->log.by_angle;
  OMR_TRY(omr_read_member(reader, t->log.item, OMR_SECTION_REPLAY, "interpolation", &choice));
  replay->held = choice == 2;
  replay->corners = choice != 1;
  if (replay->held && t->log.angle.name)
    return OMR_REFUSE(reader, omr_json_get(t->log.item, "interpolation"),
                      "a held rate would jump at every row; say \"linear\" or \"cubic\"");
  if (!t->log.by_angle || !replay->corners) return OMR_OK;
  return OMR_REFUSE(reader, omr_json_get(t->log.item, "interpolation"),
                    "straight lines through the wheel's angle would make its rate jump at every "
                    "row; leave \"interpolation\" out, or say \"cubic\"");
}

/* ---- angles that wrap */

#define TURN (2 * PI)

static omr_status fail_wrap(const taking *t, size_t row, double turns, const char *why) {
  const omr_log_column *w = &t->log.wanted[1];
  return OMR_REFUSE(
      t->log.reader, w->place ? w->place : t->log.file,
      "%s:%zu: column \"%.60s\" goes from %.9g to %.9g within a row, by %.3g turns of the wheel%s",
      t->log.path, t->log.columns.line[row], w->column, w->found->values[row - 1],
      w->found->values[row], turns, why);
}

/* A sensor wraps at a turn of the wheel, or at a turn of its own before the factor (of a gear). A
 * column is taken for wrapped where all of it lies within one such turn and it is logged three
 * times a turn at least: at less the other way round is less than twice as far. Turns of the sensor
 * need more: numbers with a small factor are mostly counts, which have no turn, so the column has
 * to move twice as often as it jumps. One that counts on over turns jumps nowhere. */
static omr_status unwrap(const taking *t, double *angle, size_t rows, size_t *wraps) {
  const double own = TURN * fabs(t->log.wanted[1].factor),
               periods[2] = {fmin(own, TURN), fmax(own, TURN)};

  /* Turns of the sensor and of the wheel are tried, the shorter one first. */
  for (int p = 0; p < 2; p++) {
    const double period = periods[p];
    const omr_wraps found = omr_wraps_of(angle, rows, period);
    if (!found.within || !found.jumps) continue;

    /* A column that wraps without doubt is unwrapped. */
    const bool wheel = period == TURN, fine = found.longest <= period / 3;
    if (found.turns && fine && (wheel || found.moves >= 2 * found.jumps)) {
      omr_unwrap(angle, rows, period);
      *wraps = found.jumps;
      return OMR_OK;
    }

    /* A doubtful column at the wheel's own turn is refused. */
    const size_t row = found.turns ? found.coarse : found.first;
    if (wheel)
      return fail_wrap(t, row, (angle[row] - angle[row - 1]) / TURN,
                       ", and all of it lies within one: whether it wraps cannot be told; log it "
                       "three times a turn at least, or replay the \"rate\"");
  }

  /* A single jump among steady rows is a counter that overflowed. */
  const size_t row = omr_lone_jump(angle, rows, TURN / 2);
  if (!row) return OMR_OK;
  return fail_wrap(t, row, (angle[row] - angle[row - 1]) / TURN,
                   ", against the rows around it: a counter that overflows or is set anew is not "
                   "followed; take the jump off all rows from there on, or replay the \"rate\"");
}

/* A log that begins late, such as by the clock of a day, is moved to the start of the run; one that
 * begins before its time 0 has that as the start. */
static omr_status move_to_start(taking *t, double first) {
  char line[500];
  if (t->placed || t->log.shared || !(first > 0)) return OMR_OK;
  t->start = first;
  snprintf(line, sizeof line,
           "log: the times of %.200s begin at %.15g s; they are moved by as much, so that the run "
           "starts with the first row; \"time_offset\" moves them otherwise",
           t->log.path, first);
  return omr_log_note(&t->log, line);
}

static omr_status take_table(taking *t, omr_replay *replay) {
  omr_table *table = &replay->table;
  const size_t rows = t->log.columns.rows;

  /* The number of rows is bounded. */
  if (rows < 2 || rows > OMR_REPLAY_ROWS)
    return OMR_REFUSE(t->log.reader, t->log.file,
                      "%s has %zu row%s; a table that is replayed has 2 to %d", t->log.path, rows,
                      rows == 1 ? "" : "s", OMR_REPLAY_ROWS);

  /* The table is copied out of the log, column by column. */
  table->columns = t->log.count - 1;
  table->time = calloc(rows, sizeof *table->time);
  table->value = calloc(rows, table->columns * sizeof *table->value);
  if (!table->time || !table->value) return omr_fail_memory(t->log.reader);
  OMR_TRY(omr_log_take(&t->log, &t->log.wanted[0], table->time, 1));
  for (size_t c = 0; c < table->columns; c++)
    OMR_TRY(omr_log_take(&t->log, &t->log.wanted[c + 1], table->value + c, table->columns));

  /* Angles are unwrapped, and times count from the start of the run. */
  if (t->log.by_angle) OMR_TRY(unwrap(t, table->value, rows, &replay->wraps));
  OMR_TRY(move_to_start(t, table->time[0]));
  for (size_t row = 0; row < rows; row++) table->time[row] -= t->start;
  table->rows = rows;

  /* The largest value stands for the torque of a drive that replays one. */
  replay->largest = 0;
  for (size_t row = 0; row < rows; row++)
    replay->largest = fmax(replay->largest, fabs(table->value[row * table->columns]));

  /* The curve is fitted when the times are known to be sound. */
  OMR_TRY(omr_log_check_times(&t->log, table->time));
  OMR_TRY(omr_log_doubt_unit(&t->log, table->time));
  if (!omr_replay_fit(replay)) return omr_fail_memory(t->log.reader);
  if (t->log.by_angle) omr_replay_differentiate(replay);
  return OMR_OK;
}

/* Takes the table at `item` whose columns are the time and those in t->wanted. */
static omr_status read_replay(taking *t, omr_replay *replay) {
  OMR_TRY(read_keys(t, replay));
  /* a study that is kept with its result is looked at and never run */
  if (t->log.reader->values_file) return OMR_OK;
  OMR_TRY(omr_log_read_file(&t->log));
  return take_table(t, replay);
}

static omr_status finish(taking *t, omr_replay *replay) {
  omr_replay_free(replay); /* of a reading before (read_again) */
  const omr_status status = read_replay(t, replay);
  omr_log_free(&t->log);
  return status;
}

static const char replayed[] = "a table that is replayed";
static const omr_framing as_listed = {OMR_TURN_LISTED, NULL, NULL};

/* A motor has no more than the whole voltage; a log in percent needs a factor. */
static omr_status check_duty(const taking *t, const omr_replay *replay, int wheel) {
  if (t->log.reader->study->drives.law[wheel] != OMR_DRIVE_REPLAY_DUTY || !(replay->largest > 1))
    return OMR_OK;
  return OMR_REFUSE(t->log.reader, t->log.item,
                    "the duties of %.200s go up to %.9g; a duty is from -1 to 1: give its column a "
                    "\"unit\" such as \"%%\", or a \"factor\"",
                    t->log.file->valuestring, replay->largest);
}

/* Whether a string at or below the item is the path of a time offset of a "drive" or "command". */
static bool varies_offset(const cJSON *item, const char *whose) {
  const char *text = cJSON_GetStringValue(item);
  if (text) return strstr(text, whose) && strstr(text, "time_offset");
  for (const cJSON *child = item ? item->child : NULL; child; child = child->next)
    if (varies_offset(child, whose)) return true;
  return false;
}

static bool gives_offset(const omr_reader *reader, const cJSON *place, const char *name) {
  return omr_json_get(omr_json_get(place, name), "time_offset") ||
         varies_offset(omr_json_get(reader->json.root, "vary"), name);
}

omr_status omr_read_drive_replay(omr_reader *reader, const cJSON *item, int wheel) {
  const omr_study *study = reader->study;
  const bool rate = study->drives.law[wheel] == OMR_DRIVE_REPLAY_RATE;
  const int index = rate ? OMR_WP_SPEED : omr_drive_amount(study, wheel);
  const char *name = rate ? "rate" : omr_drive_quantities[study->drives.by[wheel]].name;
  taking t = {.log = {.reader = reader, .item = item, .what = replayed}};
  reader->replay_item[wheel] = item;
  t.placed = gives_offset(reader, reader->shared, "drive") ||
             gives_offset(reader, cJSON_GetArrayItem(reader->wheels, wheel), "drive");
  omr_log_want(&t.log, "time", "s", as_listed);
  omr_log_want(&t.log, name, omr_wheel_parameters[index].unit,
               omr_parameter_turn(study->frame, true, index));
  if (rate)
    t.log.angle = (omr_log_column){.name = "angle",
                                   .unit = "rad",
                                   .column = "angle",
                                   .factor = 1,
                                   .turn = omr_parameter_turn(study->frame, true, index)};
  OMR_TRY(finish(&t, &reader->study->drives.replay[wheel]));
  return check_duty(&t, &study->drives.replay[wheel], wheel);
}

omr_status omr_read_command_replay(omr_reader *reader, const cJSON *item) {
  static const int columns[] = {OMR_VP_COMMAND_VX, OMR_VP_COMMAND_VZ, OMR_VP_COMMAND_YAW_RATE};
  const omr_frame_kind frame = reader->study->frame;
  taking t = {.log = {.reader = reader, .item = item, .what = replayed}};
  reader->command_replay_item = item;
  t.placed = gives_offset(reader, reader->parameters, "command");
  omr_log_want(&t.log, "time", "s", as_listed);
  for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
    omr_log_want(&t.log, strrchr(omr_vehicle_path(frame, columns[c]), '.') + 1,
                 omr_vehicle_parameters[columns[c]].unit,
                 omr_parameter_turn(frame, false, columns[c]));
  return finish(&t, &reader->study->command.replay);
}

/* ---- whether the tables suffice, after the variations are read */

typedef struct range {
  double low, high;
} range;

/* Where the values of a parameter lie in all instances; infinite where no end is known. */
static range range_of(const omr_study *study, int wheel, int index) {
  /* The range starts as the base value. */
  const double base = wheel < 0 ? study->base.vehicle[index] : study->base.wheel[wheel][index];
  range all = {base, base};

  /* Each variation of the parameter widens or replaces the range. */
  for (size_t v = 0; v < study->variation_count; v++) {
    const omr_variation *variation = &study->variations[v];
    if (variation->index != index || variation->per_wheel != (wheel >= 0)) continue;
    if (wheel >= 0 && variation->wheel >= 0 && variation->wheel != wheel) continue;
    const bool one = study->design.type == OMR_DESIGN_ONE_AT_A_TIME;
    range own = {-HUGE_VAL, HUGE_VAL};

    /* A distribution may have ends; levels have a least and a largest one. */
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

    /* In a design of one at a time the base value occurs too. */
    all = one ? (range){fmin(all.low, own.low), fmax(all.high, own.high)} : own;
  }
  return all;
}

/* The gaps at the start and at the end, in the worst instance; a range without ends is left to the
 * instances, which are refused one by one (omr_replay_lasts). */
static omr_status check_length(omr_reader *reader, const cJSON *item, const omr_replay *replay,
                               range offset, range scale) {
  const omr_study *study = reader->study;
  if (replay->table.rows == 0) return OMR_OK;

  /* The table's ends in the time of the run, in the worst instance. */
  const double first = replay->table.time[0], last = replay->table.time[replay->table.rows - 1];
  const double start = offset.high + fmax(first * scale.low, first * scale.high);
  const double end = offset.low + fmin(last * scale.low, last * scale.high);
  const double slack = 1e-9 * study->time.duration;
  const bool varies = offset.low < offset.high || scale.low < scale.high;
  const char *who = varies ? " in some instances" : "";
  const char *file = cJSON_GetStringValue(omr_json_get(item, "file"));
  if (!file) file = study->measured.run[study->measured.chosen].file; /* without one of its own */

  /* The table has to reach back to the start. */
  if (isfinite(start) && start > slack)
    return OMR_REFUSE(reader, item,
                      "the table of %.200s begins at %.9g s of the run%s, which starts at 0: %.9g "
                      "s are missing; lower \"time_offset\" by as much",
                      file, start, who, start);
  const int digits = omr_digits_apart(end, study->time.duration, 9);
  if (isfinite(end) && end < study->time.duration - slack)
    return OMR_REFUSE(
        reader, item,
        "the table of %.200s ends at %.*g s of the run%s, which takes %.*g s: %.9g s are missing; "
        "shorten integrator.duration, or change \"time_offset\" or \"time_scale\"",
        file, digits, end, who, digits, study->time.duration, study->time.duration - end);
  return OMR_OK;
}

/* The drive gives the rate of a wheel at the start too. */
static omr_status check_rate(omr_reader *reader, int wheel) {
  const omr_study *study = reader->study;
  const cJSON *given = reader->wheel_item[wheel][OMR_WP_RATE];
  const bool replays = omr_is_replay(study->drives.law[wheel]);
  const cJSON *drive =
      replays ? reader->replay_item[wheel] : omr_rule_item(reader, OMR_RULE_DRIVE, wheel);

  /* Neither parameters nor variations may give another. */
  const char *remedy = replays ? "leave \"initial.rate\" out, since a drive of type replay_rate "
                                 "starts with the rate of its table"
                               : "leave \"initial.rate\" out, since a drive of type rate starts "
                                 "with its \"rate\"";
  if (given) return OMR_REFUSE(reader, given, "%s", remedy);
  if (omr_variation_of(study, true, OMR_WP_RATE, wheel))
    return OMR_REFUSE(reader, drive, "\"initial.rate\" of this wheel is varied; %s", remedy);
  if (omr_law_is_friction(study->contact.law)) return OMR_OK;
  return OMR_REFUSE(
      reader, drive,
      "the law %s forbids slip, and rates that are prescribed for every wheel would leave it "
      "nothing to choose; take a law of friction, or a drive of type \"speed\" or \"body\"",
      omr_law_kinds[study->contact.law].name);
}

omr_status omr_check_replays(omr_reader *reader) {
  const omr_study *study = reader->study;
  if (study->command.kind == OMR_COMMAND_REPLAY)
    OMR_TRY(check_length(reader, reader->command_replay_item, &study->command.replay,
                         range_of(study, -1, OMR_VP_COMMAND_OFFSET),
                         range_of(study, -1, OMR_VP_COMMAND_SCALE)));
  for (int wheel = 0; wheel < study->wheels; wheel++) {
    if (omr_is_rated(study->drives.law[wheel])) OMR_TRY(check_rate(reader, wheel));
    if (!omr_is_replay(study->drives.law[wheel])) continue;
    OMR_TRY(check_length(reader, reader->replay_item[wheel], &study->drives.replay[wheel],
                         range_of(study, wheel, OMR_WP_REPLAY_OFFSET),
                         range_of(study, wheel, OMR_WP_REPLAY_SCALE)));
  }
  return OMR_OK;
}
