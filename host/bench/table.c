/* The bench as text: a block for each section, without the columns that none of its rows knows. */
#include "cases.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { CELL = 32 };

/* Of a member: a number, or a number over steps per second; a count from 0, or from 1; a size. */
typedef enum kind { REAL, PER_STEP, FROM_0, FROM_1, SIZE } kind;

typedef struct column {
  const char *head;   /* NULL: what the section's ratio is called */
  const char *format; /* NULL: of a ratio */
  kind kind;
  size_t at; /* of the member */
  double factor;
} column;

#define AT(field) offsetof(omr_bench_row, field)
static const column columns[] = {
    {"lanes", "%.0f", FROM_1, AT(lanes), 1},
    {"threads", "%.0f", FROM_1, AT(threads), 1},
    {"instances", "%.0f", SIZE, AT(instances), 1},
    {"steps/s", "%.3e", REAL, AT(steps_per_second), 1},
    {"spread", "%.2f", REAL, AT(spread), 1},
    {NULL, NULL, REAL, AT(ratio), 1},
    {"op/step", "%.0f", REAL, AT(operations_per_step), 1},
    {"GFLOP/s", "%.1f", REAL, AT(flops), 1e-9},
    {"of peak", "%.1f %%", REAL, AT(fraction_of_peak), 100},
    {"peak op/step", "%.0f", PER_STEP, AT(peak_flops), 1},
    {"deviation", "%.1e", REAL, AT(deviation), 1},
    {"B/step", "%.3g", REAL, AT(bytes_per_step), 1},
    {"build s", "%.2f", REAL, AT(build_seconds), 1},
    {"transfer s", "%.4f", REAL, AT(transfer_seconds), 1},
    {"registers", "%.0f", FROM_0, AT(registers), 1},
    {"spill B", "%.0f", FROM_0, AT(spill_bytes), 1},
    {"private B", "%.0f", FROM_0, AT(private_bytes), 1},
};

/* NaN: not known. */
static double value_of(const column *c, const omr_bench_row *r) {
  const void *at = (const char *)r + c->at;
  const int least = c->kind == FROM_1;
  switch (c->kind) {
  case REAL: return c->factor * *(const double *)at;
  case PER_STEP: return *(const double *)at / r->steps_per_second;
  case SIZE: return *(const size_t *)at ? (double)*(const size_t *)at : (double)NAN;
  default: return *(const int *)at >= least ? *(const int *)at : (double)NAN;
  }
}

static void fill(const column *c, const omr_bench_row *r, char *cell) {
  const double value = value_of(c, r);
  const char *format = c->format ? c->format : value < 0.0995 ? "%.4f" : "%.3f";
  if (c->at == AT(deviation) && value <= 0) format = "%.0f"; /* the same bits */
  *cell = 0;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  if (!isnan(value)) snprintf(cell, CELL, format, value);
#pragma GCC diagnostic pop
}

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
    fill(c, &rows[i], cell);
    width = longer(width, cell);
  }
  return width ? longer(width, c->head ? c->head : omr_bench_sections[rows[0].section].ratio) : 0;
}

static void print_row(const omr_bench_row *r, int name_width, const int *widths, FILE *out) {
  fprintf(out, "  %-*s", name_width, r->name);
  for (int j = 0; j < COLUMNS && !*r->error; j++) {
    char cell[CELL];
    fill(&columns[j], r, cell);
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
