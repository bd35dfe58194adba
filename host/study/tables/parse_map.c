/* The map of the floor's heights: a CSV file with a row for each node of a regular grid. */
#include "../measured/log.h"
#include "height_map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 3 }; /* x, z, height */

static size_t line_of(const omr_log *t, size_t row) {
  return t->columns.line[row];
}

/* A place as the file has it, in its frame. */
static double written(const omr_log *t, int axis, double place) {
  return omr_turned(t->wanted[axis].turn, place);
}

static omr_status fail_hole(const omr_log *t, const omr_height_map *map,
                            const omr_map_fault *fault) {
  char where[160] = "";
  if (!isnan(fault->place[0]))
    snprintf(where, sizeof where, ", and the one at %s = %.9g m, %s = %.9g m has no height",
             t->wanted[0].name, written(t, 0, fault->place[0]), t->wanted[1].name,
             written(t, 1, fault->place[1]));
  return OMR_REFUSE(t->reader, t->file,
                    "%s: the places of its %zu rows make a grid of %zu by %zu nodes%s; a map of "
                    "heights has a row for each node",
                    t->path, t->columns.rows, map->nodes[0], map->nodes[1], where);
}

static omr_status fail_rows(const omr_log *t, const omr_height_map *map,
                            const omr_map_fault *fault) {
  const omr_log_column *axis = &t->wanted[fault->axis];

  /* Each kind of fault has its own message. */
  switch (fault->mistake) {
  case OMR_MAP_NARROW:
    return OMR_REFUSE(t->reader, t->file,
                      "%s has one place along %s; a map of heights has 2 by 2 nodes at least",
                      t->path, axis->name);
  case OMR_MAP_UNEVEN:
    return OMR_REFUSE(t->reader, t->file,
                      "%s:%zu: %s \"%.60s\" = %.9g is none of the places along %s, which are "
                      "%.9g m apart; nodes of a map of heights have equal spacings",
                      t->path, line_of(t, fault->row), "column", axis->column,
                      axis->found->values[fault->row], axis->name, fault->spacing);
  case OMR_MAP_TWICE:
    return OMR_REFUSE(t->reader, t->file,
                      "%s:%zu: this node has its height in line %zu already; leave one of the "
                      "rows out",
                      t->path, line_of(t, fault->row), line_of(t, fault->other));
  case OMR_MAP_HOLE: return fail_hole(t, map, fault);
  default: return omr_fail_memory(t->reader);
  }
}

/* room: [COLUMNS][rows] */
static omr_status take_map(omr_log *t, double *room, omr_height_map *map) {
  const size_t rows = t->columns.rows;
  for (size_t c = 0; c < COLUMNS; c++) OMR_TRY(omr_log_take(t, &t->wanted[c], room + c * rows, 1));
  const omr_map_rows found = {rows, {room, room + rows}, room + 2 * rows};
  const omr_map_fault fault = omr_height_map_make(map, &found);
  return fault.mistake ? fail_rows(t, map, &fault) : OMR_OK;
}

static omr_status read_map(omr_log *t, omr_height_map *map) {
  omr_reader *reader = t->reader;
  double choice = 0;
  OMR_TRY(omr_log_read_names(t, "\"map.csv\""));
  OMR_TRY(omr_read_member(reader, t->item, OMR_SECTION_REPLAY, "interpolation", &choice));
  if (choice == 2)
    return OMR_REFUSE(reader, omr_json_get(t->item, "interpolation"),
                      "a floor with held heights would have walls; say \"linear\" or \"cubic\"");
  map->smooth = choice == 1;
  map->given = true;
  if (reader->values_file) return OMR_OK;
  OMR_TRY(omr_log_read_file(t));
  const size_t rows = t->columns.rows;
  if (rows < 4 || rows > OMR_MAP_NODES)
    return OMR_REFUSE(reader, t->file,
                      "%s has %zu row%s; a map of heights has 4 to %d, one for each node", t->path,
                      rows, rows == 1 ? "" : "s", OMR_MAP_NODES);
  double *room = calloc(rows, COLUMNS * sizeof *room);
  const omr_status status = room ? take_map(t, room, map) : omr_fail_memory(reader);
  free(room);
  return status;
}

omr_status omr_read_floor_map(omr_reader *reader, const cJSON *item) {
  static const omr_framing as_listed = {OMR_TURN_LISTED, NULL, NULL};
  const omr_frame_kind frame = reader->study->frame;
  omr_height_map *map = &reader->study->floor.map;
  omr_log t = {.reader = reader, .item = item, .what = "a map of heights"};
  omr_log_want(&t, "x", "m", as_listed);
  omr_log_want(&t, strrchr(omr_vehicle_path(frame, OMR_VP_FLOOR_MAP_Z), '.') + 1, "m",
               omr_parameter_turn(frame, false, OMR_VP_FLOOR_MAP_Z));
  omr_log_want(&t, "height", "m", as_listed);
  omr_height_map_free(map); /* of a reading before (read_again) */
  const omr_status status = read_map(&t, map);
  omr_log_free(&t);
  return status;
}
