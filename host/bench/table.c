/* The bench as text: a block for each section, without the columns that none of its rows knows. */
#include "accuracy.h"

#include <math.h>
#include <string.h>

enum { CELL = 32 };

typedef struct column {
  const char *head; /* NULL: the head of the section's ratio */
  void (*fill)(const omr_bench_row *row, char *cell);
} column;

static void put(char *cell, const char *format, double value) {
  if (isnan(value))
    *cell = 0;
  else
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(cell, CELL, format, value);
#pragma GCC diagnostic pop
}

static void put_count(char *cell, int value) {
  if (value >= 0)
    snprintf(cell, CELL, "%d", value);
  else
    *cell = 0;
}

static void fill_lanes(const omr_bench_row *r, char *cell) {
  put_count(cell, r->lanes > 0 ? r->lanes : -1);
}
static void fill_threads(const omr_bench_row *r, char *cell) {
  put_count(cell, r->threads > 0 ? r->threads : -1);
}
static void fill_instances(const omr_bench_row *r, char *cell) {
  put(cell, "%.0f", r->instances ? (double)r->instances : (double)NAN);
}
static void fill_speed(const omr_bench_row *r, char *cell) {
  put(cell, "%.3e", r->steps_per_second);
}
static void fill_spread(const omr_bench_row *r, char *cell) {
  put(cell, "%.2f", r->spread);
}
static void fill_operations(const omr_bench_row *r, char *cell) {
  put(cell, "%.0f", r->operations_per_step);
}
static void fill_flops(const omr_bench_row *r, char *cell) {
  put(cell, "%.1f", 1e-9 * r->flops);
}
static void fill_fraction(const omr_bench_row *r, char *cell) {
  put(cell, "%.1f %%", 100 * r->fraction_of_peak);
}
static void fill_peak_operations(const omr_bench_row *r, char *cell) {
  put(cell, "%.0f", r->peak_flops / r->steps_per_second);
}
static void fill_ratio(const omr_bench_row *r, char *cell) {
  put(cell, r->ratio < 0.0995 ? "%.4f" : "%.3f", r->ratio);
}
static void fill_deviation(const omr_bench_row *r, char *cell) {
  if (r->deviation > 0 || isnan(r->deviation))
    put(cell, "%.1e", r->deviation);
  else
    snprintf(cell, CELL, "0");
}
static void fill_bytes(const omr_bench_row *r, char *cell) {
  put(cell, "%.3g", r->bytes_per_step);
}
static void fill_build(const omr_bench_row *r, char *cell) {
  put(cell, "%.2f", r->build_seconds);
}
static void fill_transfer(const omr_bench_row *r, char *cell) {
  put(cell, "%.4f", r->transfer_seconds);
}
static void fill_registers(const omr_bench_row *r, char *cell) {
  put_count(cell, r->registers);
}
static void fill_spill(const omr_bench_row *r, char *cell) {
  put_count(cell, r->spill_bytes);
}
static void fill_private(const omr_bench_row *r, char *cell) {
  put_count(cell, r->private_bytes);
}

static const column columns[] = {
    {"lanes", fill_lanes},         {"threads", fill_threads},
    {"instances", fill_instances}, {"steps/s", fill_speed},
    {"spread", fill_spread},       {NULL, fill_ratio},
    {"op/step", fill_operations},  {"GFLOP/s", fill_flops},
    {"of peak", fill_fraction},    {"peak op/step", fill_peak_operations},
    {"deviation", fill_deviation}, {"B/step", fill_bytes},
    {"build s", fill_build},       {"transfer s", fill_transfer},
    {"registers", fill_registers}, {"spill B", fill_spill},
    {"private B", fill_private},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static int longer(int width, const char *text) {
  const int length = (int)strlen(text);
  return length > width ? length : width;
}

/* 0: the column stays out. */
static int column_width(const column *c, const omr_bench_row *rows, size_t count) {
  char cell[CELL];
  int width = 0;
  for (size_t i = 0; i < count; i++) {
    c->fill(&rows[i], cell);
    width = longer(width, cell);
  }
  return width ? longer(width, c->head ? c->head : omr_bench_sections[rows[0].section].ratio) : 0;
}

static void print_row(const omr_bench_row *r, int name_width, const int *widths, FILE *out) {
  fprintf(out, "  %-*s", name_width, r->name);
  for (int j = 0; j < COLUMNS && !*r->error; j++) {
    char cell[CELL];
    columns[j].fill(r, cell);
    if (widths[j]) fprintf(out, "  %*s", widths[j], *cell ? cell : "-");
  }
  fprintf(out, *r->error ? "  not measured: %s\n" : "\n", r->error);
}

static void print_section(const omr_bench_row *rows, size_t count, FILE *out) {
  const omr_bench_section_info *info = &omr_bench_sections[rows[0].section];
  int name_width = 0, widths[COLUMNS];
  for (size_t i = 0; i < count; i++) name_width = longer(name_width, rows[i].name);
  for (int j = 0; j < COLUMNS; j++) widths[j] = column_width(&columns[j], rows, count);
  fprintf(out, "\n%s\n  %-*s", info->heading, name_width, "");
  for (int j = 0; j < COLUMNS; j++)
    if (widths[j])
      fprintf(out, "  %*s", widths[j], columns[j].head ? columns[j].head : info->ratio);
  fputc('\n', out);
  for (size_t i = 0; i < count; i++) print_row(&rows[i], name_width, widths, out);
}

static void print_peak(const omr_bench_peak *p, FILE *out) {
  fprintf(out, "  %-7s %-8s %-7s", p->backend, *p->isa ? p->isa : "", p->precision);
  if (*p->error) {
    fprintf(out, "  not measured: %s\n", p->error);
    return;
  }
  fprintf(out, "%6d lanes %5d threads %10.1f GFLOP/s (%.1f, then %.1f) %8.1f GB/s", p->lanes,
          p->threads, 1e-9 * p->fma_flops, 1e-9 * p->fma_first, 1e-9 * p->fma_last,
          1e-9 * p->copy_bytes);
  fprintf(out, "%s%s\n", *p->device ? "  " : "", p->device);
}

static const char *const notes[][2] = {
    {"steps/s", "accepted steps of all instances per second of integrating, in the best round"},
    {"spread", "time of the worst round over that of the best"},
    {"op/step",
     "useful operations counted from the kernel text: an fma as two, a division or root as one"},
    {"of peak", "of the fused multiply-adds of the same device, instruction set, precision and "
                "threads in this"},
    {"", "run; scalar rows, and the baseline set of x86-64, against the widest set on the same "
         "threads"},
    {"peak op/step", "operations that the peak would do in the time of a step"},
    {"deviation", "of the final poses after 1000 steps from those of the first row, over the "
                  "largest; 0: the same bits"},
    {"B/step", "parameters and state that launches load and store"},
    {"build s", "of kernels that no cache had (OMNIROLL_CACHE=0: ours is left out)"},
};

static void print_notes(const omr_bench *b, FILE *out) {
  fputc('\n', out);
  for (size_t i = 0; i < sizeof notes / sizeof *notes; i++)
    fprintf(out, "  %-13s %s\n", notes[i][0], notes[i][1]);
  if (omr_bench_was_busy(b))
    fputs("\nTHE MACHINE WAS NOT IDLE: a peak changed by more than 10 %, or rounds differ by more "
          "than 15 % in half of the rows.\n"
          "Timings are worth little; measure again with nothing else running.\n",
          out);
  fprintf(out, "\n%.0f s\n", b->wall_seconds);
}

void omr_bench_print(const omr_bench *b, FILE *out) {
  fprintf(out, "omniroll %s, %s, %s\n%s, %d cores, %d threads, %s\n", omr_version(), b->compiler,
          b->date, b->processor, b->cores, b->threads, b->os);
  fputs(
      "\nPeak: fused multiply-adds (before all rows, then after them) and copy (read + written)\n",
      out);
  for (size_t i = 0; i < b->peak_count; i++) print_peak(&b->peaks[i], out);
  for (size_t first = 0; first < b->row_count;) {
    size_t last = first;
    while (last < b->row_count && b->rows[last].section == b->rows[first].section) last++;
    print_section(b->rows + first, last - first, out);
    first = last;
  }
  bench_accuracy_print(b->accuracy, out);
  print_notes(b, out);
}
