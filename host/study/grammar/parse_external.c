/* The external force and torque: parameters.external. */
#include "parse.h"

#include <string.h>

/* Rows have the components in the order x, y, z of the study's frame; the kernels' z is to the
 * right, and their y is up. */
static void turn_table(omr_frame_kind frame, omr_table *table) {
  if (frame != OMR_FRAME_ROS) return;
  for (size_t r = 0; r < table->rows; r++) {
    double *row = table->value + r * table->columns;
    for (int c = 0; c < 6; c += 3) {
      const double left = row[c + 1], up = row[c + 2];
      row[c + 1] = up;
      row[c + 2] = -left;
    }
  }
}

static omr_status read_external_table(omr_reader *reader, const cJSON *external) {
  static const char *const units[] = {"s", "N", "N", "N", "N m", "N m", "N m"};
  omr_table *table = &reader->study->external.table;
  const omr_external type = reader->study->external.kind;
  const cJSON *item = omr_json_get(external, "table");
  if (item && type != OMR_EXTERNAL_TABLE)
    return omr_fail_unused(reader, item, "external force", &omr_external_kinds[type], "table");
  if (type != OMR_EXTERNAL_TABLE) return OMR_OK;
  OMR_TRY(omr_require(reader, external, "table",
                      "[[0, 0, 0, 0, 0, 0, 0], [1, \"5 N\", 0, 0, 0, 0, 0]] (time, force x, y, z, "
                      "torque x, y, z)",
                      &item));
  table->columns = sizeof units / sizeof *units - 1;
  OMR_TRY(omr_read_table(reader, item, units, table));
  turn_table(reader->study->frame, table);
  return OMR_OK;
}

omr_status omr_read_external(omr_reader *reader) {
  const cJSON *external, *item;
  OMR_TRY(omr_read_object(reader, reader->parameters, "external", &external));
  if (!external) return OMR_OK;
  OMR_TRY(omr_require(reader, external, "type", "\"constant\"", &item));
  OMR_TRY(omr_read_words(reader, external, "external."));
  const omr_external type = reader->study->external.kind;
  item = omr_json_get(external, "axes");
  if (item && type == OMR_EXTERNAL_NONE)
    return omr_fail_unused(reader, item, "external force", &omr_external_kinds[type], "axes");
  return read_external_table(reader, external);
}
