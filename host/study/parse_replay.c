/* Measured inputs: tables of a file that drives and the command replay. Columns are found by their
 * names, so that a log of a robot can be taken as it is. */
#include "../support/input.h"
#include "columns.h"
#include "distributions.h"
#include "parse.h"
#include "replay.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FACTS = 4 };

/* What the table is to give: the time, and what is replayed. */
typedef struct wanted {
  const char *name, *unit;
  const cJSON *place;  /* who says which column; NULL: nobody, it is the one of this name */
  const char *column;  /* its name */
  const char *written; /* unit that the study gives; NULL: none */
  double factor;
  omr_framing turn;
  const omr_named_column *found;
} wanted;

/* A table being taken over. */
typedef struct taking {
  omr_reader *reader;
  const cJSON *item; /* the object "replay" */
  const cJSON *file;
  char *path;
  wanted wanted[FACTS];
  size_t count;
  wanted angle; /* where a rate is wanted: what may be given in its place, and is differentiated */
  bool by_angle;
  omr_columns columns;
} taking;

static const cJSON *place_of(const taking *t, const wanted *w) {
  return w->place ? w->place : t->file;
}

/* ---- what the study says */

static omr_status read_column_object(omr_reader *reader, const cJSON *item, wanted *w) {
  static const char *const keys[] = {
#define X(id, name, ...) name,
#include "../lists/keys_replay_column.def"
#undef X
  };
  const cJSON *column, *unit, *factor;
  OMR_TRY(
      omr_json_check_keys(&reader->json, item, keys, sizeof keys / sizeof *keys, reader->error));
  OMR_TRY(omr_require(reader, item, "column", "\"t_s\"", &column));
  if (!cJSON_IsString(column))
    return omr_json_mistake(&reader->json, column, OMR_MISTAKE_TYPE, reader->error,
                            "expected the name of a column in the file's header");
  w->column = column->valuestring;
  unit = omr_json_get(item, "unit");
  if (unit && !cJSON_IsString(unit))
    return omr_json_mistake(&reader->json, unit, OMR_MISTAKE_TYPE, reader->error,
                            "expected a unit in quotes, such as \"%s\"", w->unit);
  if (unit) w->written = unit->valuestring;
  factor = omr_json_get(item, "factor");
  if (factor) OMR_TRY(omr_json_quantity(&reader->json, factor, "1", &w->factor, reader->error));
  if (factor && !(fabs(w->factor) > 0))
    return omr_json_mistake(&reader->json, factor, OMR_MISTAKE_RANGE, reader->error,
                            "a factor must not be 0");
  return OMR_OK;
}

/* A wheel's rate may be given by a column of its angle, in its place. */
static omr_status choose_angle(taking *t, const cJSON *columns) {
  const cJSON *angle = t->angle.name ? omr_json_get(columns, t->angle.name) : NULL;
  if (!angle) return OMR_OK;
  if (omr_json_get(columns, t->wanted[1].name))
    return omr_json_fail(&t->reader->json, angle, t->reader->error,
                         "the wheel's %s is given beside it; one of the two columns says all",
                         t->wanted[1].name);
  t->wanted[1] = t->angle;
  t->by_angle = true;
  return OMR_OK;
}

static omr_status read_columns(taking *t) {
  omr_reader *reader = t->reader;
  const cJSON *object;
  const char *names[FACTS + 1];
  size_t count = t->count;
  for (size_t i = 0; i < t->count; i++) names[i] = t->wanted[i].name;
  if (t->angle.name) names[count++] = t->angle.name;
  OMR_TRY(omr_read_object(reader, t->item, "columns", &object));
  if (!object) return OMR_OK;
  OMR_TRY(omr_json_check_keys(&reader->json, object, names, count, reader->error));
  OMR_TRY(choose_angle(t, object));
  for (size_t i = 0; i < t->count; i++) {
    wanted *w = &t->wanted[i];
    w->place = omr_json_get(object, w->name);
    if (!w->place) continue;
    if (cJSON_IsString(w->place))
      w->column = w->place->valuestring;
    else if (cJSON_IsObject(w->place))
      OMR_TRY(read_column_object(reader, w->place, w));
    else
      return omr_json_mistake(&reader->json, w->place, OMR_MISTAKE_TYPE, reader->error,
                              "expected a column's name, or {\"column\": ..., \"unit\": ...}");
  }
  return OMR_OK;
}

static omr_status read_keys(taking *t, omr_replay *replay) {
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
  OMR_TRY(omr_require(reader, t->item, "file", "\"run.csv\"", &t->file));
  if (!cJSON_IsString(t->file) || !*t->file->valuestring)
    return omr_json_mistake(&reader->json, t->file, OMR_MISTAKE_TYPE, reader->error,
                            "expected the name of a CSV file");
  OMR_TRY(read_columns(t));
  if (t->by_angle) choice = 1;
  OMR_TRY(omr_read_choice(reader, t->item, "interpolation", words, 2, &choice));
  replay->corners = choice == 0;
  if (!t->by_angle || !replay->corners) return OMR_OK;
  return omr_json_fail(&reader->json, omr_json_get(t->item, "interpolation"), reader->error,
                       "straight lines through the wheel's angle would make its rate jump at every "
                       "row; leave \"interpolation\" out, or say \"cubic\"");
}

/* ---- the file */

static omr_status check_file(const taking *t) {
  const omr_json *json = &t->reader->json;
  struct stat found;
  if (stat(t->path, &found) != 0)
    return errno == ENOENT ? omr_fail_no_table(t->reader, t->file, t->path)
                           : omr_json_fail(json, t->file, t->reader->error,
                                           "cannot read \"%s\": %s", t->path, strerror(errno));
  if (!S_ISREG(found.st_mode))
    return omr_json_fail(json, t->file, t->reader->error,
                         "\"%s\" is %s; a table that is replayed is a CSV file", t->path,
                         S_ISDIR(found.st_mode) ? "a folder" : "no file");
  if (found.st_size > (off_t)OMR_REPLAY_BYTES)
    return omr_json_fail(json, t->file, t->reader->error,
                         "\"%s\" has %.0f MB; a table that is replayed may have %zu MB at most: "
                         "thin it, or leave columns out",
                         t->path, (double)found.st_size / (1 << 20), OMR_REPLAY_BYTES >> 20);
  return OMR_OK;
}

/* The study that is kept with a result says which file it was: by the hash of its bytes. */
static omr_status check_hash(const taking *t, const char *bytes, size_t length) {
  const omr_reader *reader = t->reader;
  const cJSON *given = omr_json_get(t->item, "hash");
  char hash[33];
  omr_hash_hex(bytes, length, hash);
  if (!given)
    return cJSON_AddStringToObject((cJSON *)(uintptr_t)t->item, "hash", hash)
               ? OMR_OK
               : omr_fail_memory(t->reader);
  const char *text = cJSON_GetStringValue(given);
  if (text && strcmp(text, hash) == 0) return OMR_OK;
  return omr_json_fail(&reader->json, given, reader->error,
                       "the table %s is not the one that this study was written for: its hash is "
                       "%s; leave \"hash\" out to take the table as it is",
                       t->path, hash);
}

static omr_status read_table_file(taking *t) {
  omr_error found = {0};
  char *bytes = NULL;
  size_t length = 0;
  OMR_TRY(check_file(t));
  omr_status status = omr_read_file(t->path, &bytes, &length, &found);
  if (status == OMR_OK && length > 4 && memcmp(bytes, "\x89HDF", 4) == 0)
    status =
        omr_fail(&found, OMR_ERR_STUDY, "%s: is HDF5; a table that is replayed is CSV", t->path);
  else if (status == OMR_OK)
    status = omr_columns_read_csv(&t->columns, t->path, bytes, &found);
  if (status == OMR_ERR_MEMORY)
    status = omr_fail_memory(t->reader);
  else if (status != OMR_OK)
    status = omr_json_fail(&t->reader->json, t->file, t->reader->error, "%s", found.message);
  else
    status = check_hash(t, bytes, length);
  free(bytes);
  return status;
}

static const omr_named_column *find_column(const omr_columns *columns, const char *name) {
  for (size_t c = 0; c < columns->count; c++)
    if (strcmp(columns->column[c].name, name) == 0) return &columns->column[c];
  return NULL;
}

/* A column that is not there: the nearest name, and which there are. */
static omr_status fail_no_column(const taking *t, const wanted *w) {
  const char *names[32];
  omr_text listed = {0};
  size_t count = 0;
  for (; count < t->columns.count && count < sizeof names / sizeof *names; count++) {
    names[count] = t->columns.column[count].name;
    omr_text_print(&listed, "%s\"%.40s\"", count ? ", " : "", names[count]);
  }
  const char *nearest = omr_nearest(w->column, names, count);
  const omr_status status = omr_json_fail(
      &t->reader->json, place_of(t, w), t->reader->error,
      "%s has no column \"%.60s\" for the %s%s%s%s; it has %.600s%s", t->path, w->column, w->name,
      nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "",
      listed.data ? listed.data : "none", t->columns.count > count ? ", ..." : "");
  omr_text_free(&listed);
  return status;
}

/* SI per number of the column: by the header's unit, else the study's. */
static omr_status unit_factor(const taking *t, const wanted *w, double *factor) {
  const char *unit = w->found->unit ? w->found->unit : w->written;
  char text[320], *message = NULL;
  *factor = 1;
  if (w->found->unit && w->written && strcmp(w->found->unit, w->written) != 0)
    return omr_json_fail(&t->reader->json, w->place, t->reader->error,
                         "the header of %s says that \"%s\" is in %.40s, and here it is in %.40s; "
                         "leave \"unit\" out",
                         t->path, w->column, w->found->unit, w->written);
  if (!unit || strcmp(unit, w->unit) == 0) return OMR_OK;
  snprintf(text, sizeof text, "1 %.300s", unit);
  if (omr_unit_convert(text, w->unit, factor, &message)) return OMR_OK;
  if (!message) return omr_fail_memory(t->reader);
  const omr_status status = omr_json_fail(&t->reader->json, place_of(t, w), t->reader->error,
                                          "the unit of column \"%.60s\" of %s, the %s: %s",
                                          w->column, t->path, w->name, message);
  free(message);
  return status;
}

/* Copies a column into every `stride`-th place. */
static omr_status take_column(const taking *t, wanted *w, double *to, size_t stride) {
  double factor;
  w->found = find_column(&t->columns, w->column);
  if (!w->found) return fail_no_column(t, w);
  OMR_TRY(unit_factor(t, w, &factor));
  for (size_t row = 0; row < t->columns.rows; row++) {
    const double value = w->found->values[row] * factor * w->factor;
    if (!isfinite(value))
      return omr_json_fail(&t->reader->json, place_of(t, w), t->reader->error,
                           "%s:%zu: column \"%.60s\" has %.9g, which is no value; leave the row "
                           "out, or fill the gap",
                           t->path, t->columns.line[row], w->column, w->found->values[row]);
    to[row * stride] = omr_turned(w->turn, value);
  }
  return OMR_OK;
}

static omr_status check_times(const taking *t, const omr_table *table) {
  for (size_t row = 1; row < table->rows; row++)
    if (!(table->time[row] > table->time[row - 1]))
      return omr_json_fail(&t->reader->json, place_of(t, &t->wanted[0]), t->reader->error,
                           "%s:%zu: time %.9g s does not come after %.9g s; times must rise",
                           t->path, t->columns.line[row], table->time[row], table->time[row - 1]);
  return OMR_OK;
}

static omr_status take_table(taking *t, omr_replay *replay) {
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
  OMR_TRY(take_column(t, &t->wanted[0], table->time, 1));
  for (size_t c = 0; c < table->columns; c++)
    OMR_TRY(take_column(t, &t->wanted[c + 1], table->value + c, table->columns));
  table->rows = rows;
  replay->largest = 0;
  for (size_t row = 0; row < rows; row++)
    replay->largest = fmax(replay->largest, fabs(table->value[row * table->columns]));
  OMR_TRY(check_times(t, table));
  if (!omr_replay_fit(replay)) return omr_fail_memory(t->reader);
  if (t->by_angle) omr_replay_differentiate(replay);
  return OMR_OK;
}

/* Takes the table at `item` whose columns are the time and those in t->wanted. */
static omr_status read_replay(taking *t, omr_replay *replay) {
  OMR_TRY(read_keys(t, replay));
  /* a study that is kept with its result is looked at and never run */
  if (t->reader->values_file) return OMR_OK;
  t->path = omr_beside_study(t->reader->json.name, t->file->valuestring);
  if (!t->path) return omr_fail_memory(t->reader);
  OMR_TRY(read_table_file(t));
  return take_table(t, replay);
}

static void want(taking *t, const char *name, const char *unit, omr_framing turn) {
  t->wanted[t->count++] =
      (wanted){.name = name, .unit = unit, .column = name, .factor = 1, .turn = turn};
}

static omr_status finish(taking *t, omr_replay *replay) {
  omr_replay_free(replay); /* of a reading before (read_again) */
  const omr_status status = read_replay(t, replay);
  omr_columns_free(&t->columns);
  free(t->path);
  return status;
}

static const omr_framing as_listed = {OMR_TURN_LISTED, NULL, NULL};

/* A motor has no more than the whole voltage; a log in percent needs a factor. */
static omr_status check_duty(const taking *t, const omr_replay *replay, int wheel) {
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
  taking t = {.reader = reader, .item = item};
  reader->replay_item[wheel] = item;
  want(&t, "time", "s", as_listed);
  want(&t, name, omr_wheel_parameters[index].unit, omr_parameter_turn(study->frame, true, index));
  if (rate)
    t.angle = (wanted){.name = "angle",
                       .unit = "rad",
                       .column = "angle",
                       .factor = 1,
                       .turn = omr_parameter_turn(study->frame, true, index)};
  OMR_TRY(finish(&t, &reader->study->drive_replay[wheel]));
  return check_duty(&t, &study->drive_replay[wheel], wheel);
}

omr_status omr_read_command_replay(omr_reader *reader, const cJSON *item) {
  static const int columns[] = {OMR_VP_COMMAND_VX, OMR_VP_COMMAND_VZ, OMR_VP_COMMAND_YAW_RATE};
  const omr_frame_kind frame = reader->study->frame;
  taking t = {.reader = reader, .item = item};
  reader->command_replay_item = item;
  want(&t, "time", "s", as_listed);
  for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
    want(&t, strrchr(omr_vehicle_path(frame, columns[c]), '.') + 1,
         omr_vehicle_parameters[columns[c]].unit, omr_parameter_turn(frame, false, columns[c]));
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
