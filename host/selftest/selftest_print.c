/* Prints rows of the self-test as lines and as JSON. */
#include "../engine/backend.h"
#include "../study/json/json.h"
#include "selftest.h"

#include <math.h>

static const char *precision_of(const omr_selftest_row *row) {
  return row->single ? "single" : "double";
}

/* Appends "division: 12 of 2048 wrong (of ... it makes ... instead of ...)". */
static void say_wrong(const omr_probe *probe, omr_text *text) {
  const char *between = "";
  for (int o = 0; o < OMR_PROBE_OPERATIONS; o++) {
    if (!probe->wrong[o]) continue;
    omr_text_print(text, "%s%s: %zu of %d wrong (%s)", between, omr_probe_names[o], probe->wrong[o],
                   OMR_PROBE_CASES, probe->first[o]);
    between = "; ";
  }
}

static void say_rounding(const omr_probe *probe, omr_text *text) {
  if (omr_probe_wrong(probe)) {
    omr_text_print(text, "%s; ",
                   probe->claims ? "the driver says that it rounds correctly"
                                 : "rounded in the device's own way, as the driver says");
    say_wrong(probe, text);
  } else {
    omr_text_print(text,
                   "%d hard cases each of division, square root, fused multiply-add, product and "
                   "sum, rint, NaN, infinity and -0 are right%s",
                   OMR_PROBE_CASES, probe->claims ? "" : ", though the driver does not promise it");
  }
}

static void selftest_say(const omr_selftest_row *row, omr_text *text) {
  if (row->check == OMR_CHECK_ROUNDING) omr_text_print(text, "arithmetic: ");
  if (!row->ran)
    omr_text_print(text, "%s", row->why);
  else if (row->check == OMR_CHECK_ROUNDING)
    say_rounding(&row->probe, text);
  else
    omr_text_print(text, "largest difference %.1e%s", row->difference,
                   row->same_bits ? ", the same bits" : "");
}

void omr_selftest_print_row(FILE *out, const omr_selftest_row *row) {
  omr_text text = {0};
  selftest_say(row, &text);
  fprintf(out, "%-7s %-9s %-7s %s  %s\n", row->backend, row->device, precision_of(row),
          row->passed ? "ok    " : "FAILED", text.data ? text.data : "");
  omr_text_free(&text);
  fflush(out);
}

static void print_row(void *user, const omr_selftest_row *row) {
  omr_selftest_print_row(user, row);
}

omr_status omr_selftest_device(const char *device, FILE *out, omr_error *error) {
  bool no_opencl;
  fprintf(out, "numerics exact (fast ones have no bits that could be known)\n");
  const omr_status status = omr_selftest_rows(device, print_row, out, &no_opencl, error);
  if (no_opencl) omr_opencl_print_devices(out);
  return status;
}

omr_status omr_selftest(FILE *out, omr_error *error) {
  return omr_selftest_device(NULL, out, error);
}

static cJSON *number_or_null(bool known, double value) {
  return known && isfinite(value) ? cJSON_CreateNumber(value) : cJSON_CreateNull();
}

static void add_answers(cJSON *item, const omr_selftest_row *row) {
  omr_tree_add(item, "runs", cJSON_CreateNumber(row->runs));
  omr_tree_add(item, "values", cJSON_CreateNumber(row->values));
  omr_tree_add(item, "largest_difference", number_or_null(row->ran, row->difference));
  omr_tree_add(item, "tolerance", cJSON_CreateNumber(row->tolerance));
  omr_tree_add(item, "same_bits", row->ran ? cJSON_CreateBool(row->same_bits) : cJSON_CreateNull());
}

static void add_operations(cJSON *item, const omr_selftest_row *row) {
  omr_tree_add(item, "claimed",
               row->ran ? cJSON_CreateBool(row->probe.claims) : cJSON_CreateNull());
  cJSON *list = omr_tree_list(item, "operations");
  for (int o = 0; list && o < OMR_PROBE_OPERATIONS; o++) {
    cJSON *operation = omr_tree_row(list);
    const char *first = row->probe.first[o];
    omr_tree_text(operation, "operation", omr_probe_names[o]);
    omr_tree_number(operation, "cases", OMR_PROBE_CASES);
    omr_tree_add(operation, "wrong", number_or_null(row->ran, (double)row->probe.wrong[o]));
    omr_tree_add(operation, "first_wrong", *first ? cJSON_CreateString(first) : cJSON_CreateNull());
  }
}

cJSON *omr_selftest_row_json(const omr_selftest_row *row) {
  cJSON *item = cJSON_CreateObject();
  omr_text text = {0};
  selftest_say(row, &text);
  omr_tree_text(item, "check", row->check == OMR_CHECK_ROUNDING ? "rounding" : "known_answer");
  omr_tree_text(item, "backend", row->backend);
  omr_tree_text(item, "device", row->device);
  omr_tree_text(item, "precision", precision_of(row));
  omr_tree_bool(item, "passed", row->passed);
  omr_tree_text(item, "message", text.data ? text.data : "");
  if (row->check == OMR_CHECK_ROUNDING)
    add_operations(item, row);
  else
    add_answers(item, row);
  omr_text_free(&text);
  return item;
}

static void add_row(void *user, const omr_selftest_row *row) {
  cJSON *checks = user;
  omr_tree_append(checks, omr_selftest_row_json(row));
}

static cJSON *opencl_problem(void) {
  omr_error why = {0};
  cJSON *none = cJSON_CreateArray();
  omr_opencl_list_devices(none, &why);
  cJSON_Delete(none);
  return cJSON_CreateString(why.message);
}

static omr_status make_tree(const char *device, cJSON **root, omr_error *error) {
  bool no_opencl;
  cJSON *checks = cJSON_CreateArray();
  *root = NULL;
  const omr_status status = omr_selftest_rows(device, add_row, checks, &no_opencl, error);
  if (status != OMR_OK && status != OMR_ERR_SELFTEST) {
    cJSON_Delete(checks);
    return status;
  }
  *root = cJSON_CreateObject();
  omr_tree_text(*root, "numerics", "exact");
  omr_tree_bool(*root, "passed", status == OMR_OK);
  omr_tree_add(*root, "opencl_problem", no_opencl ? opencl_problem() : cJSON_CreateNull());
  omr_tree_add(*root, "checks", checks);
  return status;
}

omr_status omr_selftest_json(const char *device, char **json, omr_error *error) {
  cJSON *root;
  *json = NULL;
  const omr_status status = make_tree(device, &root, error);
  if (status != OMR_OK && !root) return status;
  const omr_status given = omr_json_give(root, json, status == OMR_OK ? error : NULL);
  return status == OMR_OK ? given : status;
}
