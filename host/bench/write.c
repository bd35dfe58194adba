/* The bench as JSON and CSV, from one list of a row's members. Unknown values are null in JSON and
 * empty fields in CSV. */
#include "cases.h"

#include "../study/json/json.h"
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef enum member_type {
  TEXT,
  NUMBER,
  COUNT,
  SIZE,
  WORD,
  FLAG
} member_type; /* TEXT: always there; WORD: "" is unknown */

typedef struct member {
  const char *name;
  member_type type;
  size_t offset;
} member;

#define ROW(type, field)                                                                           \
  { #field, type, offsetof(omr_bench_row, field) }
static const member row_members[] = {
    ROW(TEXT, name),
    ROW(TEXT, backend),
    ROW(WORD, device),
    ROW(WORD, isa),
    ROW(TEXT, numerics),
    ROW(TEXT, precision),
    ROW(COUNT, lanes),
    ROW(COUNT, threads),
    ROW(WORD, model),
    ROW(COUNT, wheels),
    ROW(COUNT, rollers),
    ROW(WORD, law),
    ROW(WORD, method),
    ROW(WORD, exchange),
    ROW(FLAG, observers),
    ROW(SIZE, instances),
    ROW(NUMBER, steps),
    ROW(NUMBER, seconds),
    ROW(NUMBER, spread),
    ROW(NUMBER, steps_per_second),
    ROW(NUMBER, operations_per_step),
    ROW(NUMBER, flops),
    ROW(NUMBER, fraction_of_peak),
    ROW(NUMBER, bytes_per_step),
    ROW(NUMBER, build_seconds),
    ROW(NUMBER, transfer_seconds),
    ROW(NUMBER, ratio),
    ROW(NUMBER, deviation),
    ROW(COUNT, registers),
    ROW(COUNT, spill_bytes),
    ROW(COUNT, private_bytes),
    ROW(WORD, kernels),
    ROW(WORD, error),
};
#undef ROW
#define PEAK(type, field)                                                                          \
  { #field, type, offsetof(omr_bench_peak, field) }
static const member peak_members[] = {
    PEAK(TEXT, backend),     PEAK(WORD, device),       PEAK(WORD, isa),
    PEAK(TEXT, precision),   PEAK(COUNT, lanes),       PEAK(COUNT, threads),
    PEAK(NUMBER, fma_flops), PEAK(NUMBER, copy_bytes), PEAK(NUMBER, fma_first),
    PEAK(NUMBER, fma_last),  PEAK(WORD, error),
};
#undef PEAK
enum {
  ROW_MEMBERS = sizeof row_members / sizeof *row_members,
  PEAK_MEMBERS = sizeof peak_members / sizeof *peak_members
};

/* NaN where a number is unknown; counts of registers and bytes may be 0, counts of lanes and wheels
 * may not. */
static double number_of(const member *m, const void *from) {
  const void *at = (const char *)from + m->offset;
  const bool may_be_zero = strstr(m->name, "bytes") || !strcmp(m->name, "registers");
  double value = (double)NAN;
  if (m->type == NUMBER) value = *(const double *)at;
  if (m->type == SIZE && *(const size_t *)at) value = (double)*(const size_t *)at;
  if (m->type == COUNT && *(const int *)at >= !may_be_zero) value = *(const int *)at;
  return isfinite(value) ? value : (double)NAN;
}

/* ---- JSON */

static void add_member(cJSON *object, const member *m, const void *from) {
  const void *at = (const char *)from + m->offset;
  if (m->type == FLAG)
    omr_tree_bool(object, m->name, *(const bool *)at);
  else if (m->type == TEXT || (m->type == WORD && *(const char *)at))
    omr_tree_text(object, m->name, at);
  else
    omr_tree_number(object, m->name, m->type == WORD ? (double)NAN : number_of(m, from));
}

static cJSON *machine_object(const omr_bench *b) {
  cJSON *machine = cJSON_CreateObject();
  omr_tree_text(machine, "processor", b->processor);
  omr_tree_number(machine, "cores", b->cores);
  omr_tree_number(machine, "threads", b->threads);
  omr_tree_text(machine, "compiler", b->compiler);
  omr_tree_text(machine, "os", b->os);
  return machine;
}

static char *json_text(const omr_bench *b) {
  cJSON *root = cJSON_CreateObject();

  /* The machine and how busy it was. */
  omr_tree_text(root, "omniroll", omr_version());
  omr_tree_text(root, "date", b->date);
  omr_tree_add(root, "machine", machine_object(b));
  omr_tree_bool(root, "idle", !omr_bench_was_busy(b));
  omr_tree_number(root, "wall_seconds", b->wall_seconds);

  /* Peaks and rows, each by its list of members. */
  cJSON *peaks = omr_tree_list(root, "peaks"), *rows = omr_tree_list(root, "rows");
  for (size_t i = 0; i < b->peak_count; i++) {
    cJSON *peak = omr_tree_row(peaks);
    for (int j = 0; j < PEAK_MEMBERS; j++) add_member(peak, &peak_members[j], &b->peaks[i]);
  }
  for (size_t i = 0; i < b->row_count; i++) {
    cJSON *row = omr_tree_row(rows);
    omr_tree_text(row, "section", omr_bench_sections[b->rows[i].section].name);
    for (int j = 0; j < ROW_MEMBERS; j++) add_member(row, &row_members[j], &b->rows[i]);
  }

  /* Accuracy has an object of its own. */
  omr_tree_add(root, "accuracy", bench_accuracy_json(b->accuracy));
  char *text = omr_json_print(root);
  cJSON_Delete(root);
  return text;
}

static omr_status close_file(FILE *file, const char *path, omr_error *error) {
  const bool failed = ferror(file) || fflush(file) != 0;
  const int reason = errno;
  if (file != stdout && fclose(file) != 0 && !failed)
    return omr_fail(error, OMR_ERR_IO, "cannot write %s: %s", path, omr_cause_of_write(errno).text);
  return failed ? omr_fail(error, OMR_ERR_IO, "cannot write %s: %s", path,
                           omr_cause_of_write(reason).text)
                : OMR_OK;
}

static FILE *open_file(const char *path) {
  return path && strcmp(path, "-") ? fopen(path, "w") : stdout;
}

omr_status omr_bench_write_json(const omr_bench *bench, const char *path, omr_error *error) {
  char *text = json_text(bench);
  if (!text) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  FILE *file = open_file(path);
  omr_status status = OMR_OK;
  if (file) {
    fprintf(file, "%s\n", text);
    status = close_file(file, path ? path : "standard output", error);
  } else {
    status = omr_fail(error, OMR_ERR_IO, "cannot write %s: %s", path, strerror(errno));
  }
  free(text);
  return status;
}

/* ---- CSV: rows, then peaks as rows of section "peak", whose two numbers have their own columns */

/* Quotes a text that holds a separator of fields or lines. */
static void print_text(FILE *file, const char *text) {
  if (!strpbrk(text, ",\"\n")) {
    fputs(text, file);
    return;
  }
  fputc('"', file);
  for (const char *c = text; *c; c++) {
    if (*c == '"') fputc('"', file);
    fputc(*c == '\n' ? ' ' : *c, file);
  }
  fputc('"', file);
}

static void print_member(FILE *file, const member *m, const void *from) {
  const void *at = (const char *)from + m->offset;
  if (m->type == TEXT || m->type == WORD)
    print_text(file, at);
  else if (m->type == FLAG)
    fputs(*(const bool *)at ? "true" : "false", file);
  else if (!isnan(number_of(m, from)))
    fprintf(file, "%.9g", number_of(m, from));
}

static const member *peak_member(const char *name) {
  for (int j = 0; j < PEAK_MEMBERS; j++)
    if (!strcmp(peak_members[j].name, name)) return &peak_members[j];
  return NULL;
}

static void print_csv(const omr_bench *b, FILE *file) {
  /* The head: members of a row, then the numbers that only peaks have. */
  fputs("section", file);
  for (int j = 0; j < ROW_MEMBERS; j++) fprintf(file, ",%s", row_members[j].name);
  fputs(",fma_flops,copy_bytes\n", file);

  /* Rows leave the peaks' columns empty. */
  for (size_t i = 0; i < b->row_count; i++) {
    fputs(omr_bench_sections[b->rows[i].section].name, file);
    for (int j = 0; j < ROW_MEMBERS; j++) {
      fputc(',', file);
      print_member(file, &row_members[j], &b->rows[i]);
    }
    fputs(",,\n", file);
  }

  /* Peaks fill the columns that they share with rows. */
  for (size_t i = 0; i < b->peak_count; i++) {
    const omr_bench_peak *p = &b->peaks[i];
    fputs("peak", file);
    for (int j = 0; j < ROW_MEMBERS; j++) {
      const member *m = peak_member(row_members[j].name);
      fputc(',', file);
      if (m) print_member(file, m, p);
      if (!strcmp(row_members[j].name, "name")) fputs("peak", file);
    }

    fputc(',', file);
    print_member(file, peak_member("fma_flops"), p);
    fputc(',', file);
    print_member(file, peak_member("copy_bytes"), p);
    fputc('\n', file);
  }
}

omr_status omr_bench_write_csv(const omr_bench *bench, const char *path, omr_error *error) {
  FILE *file = open_file(path);
  if (!file) return omr_fail(error, OMR_ERR_IO, "cannot write %s: %s", path, strerror(errno));
  print_csv(bench, file);
  return close_file(file, path ? path : "standard output", error);
}
