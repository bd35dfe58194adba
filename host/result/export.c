/* A result file as CSV. */
#include "reader.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The fields of a line, each by its place in a list of names. */
typedef struct fields {
  size_t *place;
  size_t count;
} fields;

/* A list of names to choose from, without the names that every line begins with. */
typedef struct choice {
  const char **name;
  size_t count;
} choice;

static omr_status unknown_field(const char *path, const char *word, const choice *from,
                                const char *what, omr_error *error) {
  const char *nearest = omr_nearest(word, from->name, from->count);
  if (nearest)
    return omr_fail(error, OMR_ERR_USAGE, "%s has no %s \"%s\"; did you mean \"%s\"?", path, what,
                    word, nearest);
  omr_text list = {0};
  for (size_t i = 0; i < from->count; i++)
    omr_text_print(&list, "%s%s", i ? ", " : "", from->name[i]);
  omr_status status = omr_fail(error, OMR_ERR_USAGE, "%s has no %s \"%s\"; it has %.3000s", path,
                               what, word, list.data && !list.failed ? list.data : "none");
  omr_text_free(&list);
  return status;
}

static omr_status choose_word(const char *path, const char *word, const choice *from,
                              const char *what, fields *chosen, omr_error *error) {
  for (size_t i = 0; i < from->count; i++) {
    if (strcmp(from->name[i], word) != 0) continue;
    chosen->place[chosen->count++] = i;
    return OMR_OK;
  }
  return unknown_field(path, word, from, what, error);
}

/* Chooses fields by a list of names. chosen->place has room for every name once; a name given twice
 * is refused. */
static omr_status choose(const char *path, const char *list, const choice *from, const char *what,
                         fields *chosen, omr_error *error) {
  omr_status status = OMR_OK;
  chosen->place = calloc(from->count + 1, sizeof *chosen->place);
  char *words = strdup(list ? list : ""), *rest = words;
  if (!chosen->place || !words) status = omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  for (size_t i = 0; !list && status == OMR_OK && i < from->count; i++)
    chosen->place[chosen->count++] = i;
  for (char *word; list && status == OMR_OK && (word = strsep(&rest, ","));) {
    word += strspn(word, " ");
    if (chosen->count >= from->count)
      status = omr_fail(error, OMR_ERR_USAGE, "--columns %s names more than the %zu there are",
                        list, from->count);
    else
      status = choose_word(path, word, from, what, chosen, error);
  }
  free(words);
  return status;
}

/* Prints ",name [unit]". */
static void print_name(FILE *out, const char *name, int number, const char *unit) {
  const bool pure = !unit || !*unit || strcmp(unit, "1") == 0;
  fprintf(out, ",%s", name);
  if (number >= 0) fprintf(out, "_%d", number);
  if (!pure) fprintf(out, " [%s]", unit);
}

static void print_value(FILE *out, double value) {
  if (isnan(value))
    fputc(',', out);
  else
    fprintf(out, ",%.17g", value);
}

static omr_status check_output(FILE *out, omr_error *error) {
  if (!ferror(out)) return OMR_OK;
  return omr_fail(error, OMR_ERR_IO, "cannot write the table: %s", omr_cause_of_write(errno).text);
}

/* Prints a block of rows. */
typedef void print_block(const omr_result *block, const fields *chosen, FILE *out);

static omr_status print_blocks(omr_result_file *file, const fields *chosen, print_block *print,
                               FILE *out, omr_error *error) {
  const size_t rows = omr_result_file_rows(file), most = omr_result_file_block(file);
  omr_status status = check_output(out, error);
  for (size_t first = 0; status == OMR_OK && first < rows; first += most) {
    omr_result *block = NULL;
    status =
        omr_result_file_read(file, first, rows - first < most ? rows - first : most, &block, error);
    if (status == OMR_OK) print(block, chosen, out);
    if (status == OMR_OK) status = check_output(out, error);
    omr_result_destroy(block);
  }
  if (status == OMR_OK && fflush(out) != 0) status = check_output(out, error);
  return status;
}

/* Fields after the columns. */
enum { STATUS, STATUS_TIME, ENDS };

static void print_rows(const omr_result *block, const fields *chosen, FILE *out) {
  for (size_t k = 0; k < block->instances; k++) {
    fprintf(out, "%" PRIu64, block->numbers[k]);
    for (size_t i = 0; i < chosen->count; i++) {
      const size_t place = chosen->place[i];
      if (place < block->column_count)
        print_value(out, block->columns[place].values[k]);
      else if (place == block->column_count + STATUS)
        fprintf(out, ",%s", omr_instance_status_name(block->status[k]));
      else
        print_value(out, block->status_time[k]);
    }
    fputc('\n', out);
  }
}

static void print_row_names(const omr_result *head, const fields *chosen, FILE *out) {
  fprintf(out, "instance");
  for (size_t i = 0; i < chosen->count; i++) {
    const size_t place = chosen->place[i];
    if (place < head->column_count)
      print_name(out, head->columns[place].name, -1, head->columns[place].unit);
    else
      print_name(out, place == head->column_count + STATUS ? "status" : "status_time", -1,
                 place == head->column_count + STATUS ? NULL : "s");
  }
  fputc('\n', out);
}

omr_status omr_export_instances(const char *path, const char *columns, FILE *out,
                                omr_error *error) {
  omr_result_file *file;
  fields chosen = {0};
  omr_status status = omr_result_file_open_rows(path, &file, error);
  if (status != OMR_OK) return status;

  /* offer the columns, and the status unless nothing was run */
  const omr_result *head = omr_result_file_head(file);
  choice from = {calloc(head->column_count + ENDS, sizeof *from.name), head->column_count};
  if (!from.name) status = omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  for (size_t c = 0; from.name && c < head->column_count; c++) from.name[c] = head->columns[c].name;
  if (from.name && !head->design_only) {
    from.name[from.count++] = "status";
    from.name[from.count++] = "status_time";
  }
  if (status == OMR_OK && head->partial && omr_result_file_rows(file) == 0)
    status = omr_fail(error, OMR_ERR_USAGE,
                      "%s keeps no row (output.rows), so that there is nothing to write; omniroll "
                      "analyze %s --json has its statistics, and --set "
                      "'output.rows={\"sample\": 1000}' keeps some rows when the study runs again",
                      path, path);
  if (status == OMR_OK) status = choose(path, columns, &from, "column", &chosen, error);

  if (status == OMR_OK) {
    print_row_names(head, &chosen, out);
    status = print_blocks(file, &chosen, print_rows, out, error);
  }

  free(chosen.place);
  free(from.name);
  omr_result_file_close(file);
  return status;
}

static void print_sample_names(const omr_result *like, const fields *chosen, FILE *out) {
  fprintf(out, "instance,time [s]");
  for (size_t i = 0; i < chosen->count; i++) {
    const omr_series series = omr_result_series(like, chosen->place[i]);
    for (int wheel = 0; wheel < (series.over_wheels ? like->wheels : 1); wheel++)
      print_name(out, series.info.name, series.over_wheels ? wheel : -1, series.info.unit);
  }
  fputc('\n', out);
}

/* Prints a sample; a nominal vehicle has `name` instead of the number of an instance. */
static void print_sample(const omr_result *block, const fields *chosen, size_t trace, size_t sample,
                         const char *name, FILE *out) {
  const size_t at = trace * block->sample_count + sample, wheels = (size_t)block->wheels;
  if (name)
    fprintf(out, "%s,%.17g", name, block->sample_time[sample]);
  else
    fprintf(out, "%" PRIu64 ",%.17g", block->traced[trace], block->sample_time[sample]);
  for (size_t i = 0; i < chosen->count; i++) {
    const omr_series series = omr_result_series(block, chosen->place[i]);
    const size_t count = series.over_wheels ? wheels : 1;
    for (size_t wheel = 0; wheel < count; wheel++)
      print_value(out, *series.values ? (*series.values)[at * count + wheel] : (double)NAN);
  }
  fputc('\n', out);
}

/* Prints trajectories in the order of their rows. After an instance's end there are no samples. */
static void print_named(const omr_result *block, const fields *chosen, const char *name,
                        FILE *out) {
  size_t row = 0;
  for (size_t trace = 0; trace < block->traced_count; trace++) {
    while (row + 1 < block->instances && block->numbers[row] != block->traced[trace]) row++;
    const int8_t status = block->status[row];
    for (size_t s = 0; s < block->sample_count && status != OMR_INSTANCE_INVALID; s++)
      if (status == OMR_INSTANCE_OK || block->sample_time[s] <= block->status_time[row])
        print_sample(block, chosen, trace, s, name, out);
  }
}

static void print_traces(const omr_result *block, const fields *chosen, FILE *out) {
  print_named(block, chosen, NULL, out);
}

/* Lists the names of the series over time that the file has, and their places in the list of
 * all. */
static size_t list_series(const omr_result *like, choice *from, size_t *place) {
  for (size_t i = 0; i < omr_result_series_count(like); i++) {
    const omr_series series = omr_result_series(like, i);
    if (!series.over_time || !*series.values) continue;
    place[from->count] = i;
    from->name[from->count++] = series.info.name;
  }
  return from->count;
}

/* Prints the series; nominal: NULL where the file has no such vehicle. */
static omr_status print_series(omr_result_file *file, const omr_result *like,
                               const omr_result *nominal, const char *path, const char *columns,
                               FILE *out, omr_error *error) {
  const size_t most = omr_result_series_count(like);
  choice from = {calloc(most + 1, sizeof *from.name), 0};
  size_t *place = calloc(most + 1, sizeof *place);
  fields chosen = {0};
  omr_status status =
      from.name && place ? OMR_OK : omr_fail(error, OMR_ERR_MEMORY, "out of memory");

  /* choose among the series of this file */
  if (status == OMR_OK) {
    list_series(like, &from, place);
    status = choose(path, columns, &from, "sample", &chosen, error);
  }

  /* print the instances, then the nominal vehicle */
  if (status == OMR_OK) {
    for (size_t i = 0; i < chosen.count; i++) chosen.place[i] = place[chosen.place[i]];
    print_sample_names(like, &chosen, out);
    status = print_blocks(file, &chosen, print_traces, out, error);

    if (status == OMR_OK && nominal) {
      print_named(nominal, &chosen, "nominal", out);
      status = check_output(out, error);
    }
  }

  free(chosen.place);
  free(place);
  free(from.name);
  return status;
}

omr_status omr_export_trajectories(const char *path, const char *columns, FILE *out,
                                   omr_error *error) {
  omr_result_file *file;
  omr_result *like = NULL, *nominal = NULL;

  omr_status status = omr_result_file_open(path, &file, error);
  if (status != OMR_OK) return status;

  status = omr_result_file_nominal(file, &nominal, error);
  if (status == OMR_OK && omr_result_file_traced(file) == 0 && !nominal)
    status = omr_fail(error, OMR_ERR_USAGE,
                      "%s has no trajectories; ask for some with output.trajectories in the study",
                      path);

  /* the names of the series come from a result without rows */
  if (status == OMR_OK) status = omr_result_file_read(file, 0, 0, &like, error);
  if (status == OMR_OK)
    status =
        print_series(file, like->sample_count ? like : nominal, nominal, path, columns, out, error);

  omr_result_destroy(like);
  omr_result_destroy(nominal);
  omr_result_file_close(file);
  return status;
}
