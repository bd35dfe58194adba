/* A path of points, and the loop that follows it. */
#include "parse.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#define ROWS "[[0, 0], [\"2 m\", 0], [\"2 m\", \"1 m\"]]"

static omr_status read_place(omr_reader *reader, const cJSON *row, double place[2]) {
  if (!cJSON_IsArray(row) || cJSON_GetArraySize(row) != 2)
    return OMR_MISTAKEN(reader, row, OMR_MISTAKE_TYPE,
                        "expected a point of the path in the world: [\"1 m\", \"0.5 m\"]");
  OMR_TRY(omr_read_quantity(reader, row->child, "m", &place[0]));
  OMR_TRY(omr_read_quantity(reader, row->child->next, "m", &place[1]));
  place[1] =
      omr_turned(omr_parameter_turn(reader->study->frame, false, OMR_VP_INITIAL_Z), place[1]);
  return OMR_OK;
}

/* Appends the way to the point and its place to the table of the path. */
static omr_status add_point(omr_reader *reader, const cJSON *row, omr_table *table) {
  double *place = table->value + 2 * table->rows, *way = table->time + table->rows;
  OMR_TRY(read_place(reader, row, place));
  if (table->rows > 0) {
    const double length = hypot(place[0] - place[-2], place[1] - place[-1]);
    if (!(length > 0))
      return OMR_REFUSE(reader, row, "point %zu is where the one before is; leave one of them out",
                        table->rows);
    *way = way[-1] + length;
  }
  table->rows++;
  return OMR_OK;
}

omr_status omr_read_way(omr_reader *reader, const cJSON *command) {
  const cJSON *list, *row, *period;
  omr_table *table = &reader->study->command.table;
  const bool closed = reader->study->command.way.closed;
  OMR_TRY(omr_require(reader, command, "period", "\"20 ms\"", &period));
  OMR_TRY(omr_require(reader, command, "points", ROWS, &list));
  OMR_TRY(omr_require_array(reader, list, closed ? 3 : 2, "points of a path"));

  const size_t count = (size_t)cJSON_GetArraySize(list);
  *table = (omr_table){.time = calloc(count, sizeof *table->time),
                       .value = calloc(count, 2 * sizeof *table->value),
                       .columns = 2};
  if (!table->time || !table->value) return omr_fail_memory(reader);
  cJSON_ArrayForEach(row, list) OMR_TRY(add_point(reader, row, table));

  const double *first = table->value, *last = first + 2 * (count - 1);
  if (closed && first[0] == last[0] && first[1] == last[1])
    return OMR_REFUSE(reader, list,
                      "a closed path goes from its last point to the first one by itself; leave "
                      "the last one out");
  return OMR_OK;
}

omr_status omr_check_way(omr_reader *reader) {
  const omr_study *study = reader->study;
  const cJSON *command = omr_json_get(reader->parameters, "command"), *item;
  if (study->command.kind != OMR_COMMAND_PATH) return OMR_OK;
  OMR_TRY(omr_require_body(reader, command, "path"));
  if (!study->command.way.cross)
    OMR_TRY(omr_require(reader, command, "look_ahead", "\"30 cm\"", &item));
  return omr_require_whole_periods(reader, omr_json_get(command, "period"), "a period",
                                   study->command.way.period, 1, INT_MAX);
}
