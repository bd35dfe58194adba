#include "times.h"

#include <stdbool.h>

void omr_times_add(omr_times *t, const omr_run_record *record) {
  t->build += record->build_seconds;
  t->kernels += record->kernel_seconds;
  t->transfer += record->transfer_seconds;
  t->prepare += record->prepare_seconds;
  t->statistics += record->statistics_seconds; /* of sums; 0 where rows are kept */
}

/* Parts that took less than half of the last digit shown are left out. */
static void print_part(const char *what, double seconds, double wall, bool *first, FILE *out) {
  const double percent = 100 * seconds / wall;
  if (percent < 0.05) return;
  fprintf(out, "%s%s %.1f %%", *first ? " (" : ", ", what, percent);
  *first = false;
}

void omr_times_print(const omr_times *t, FILE *out) {
  const double wall = omr_seconds() - t->begun;
  bool first = true;
  if (!out || !(t->kernels > 0) || !(wall > 0)) return;
  fprintf(out, "\nintegrating %.1f %% of %.4g s", 100 * t->kernels / wall, wall);
  print_part("building", t->build, wall, &first, out);
  print_part("preparing", t->prepare, wall, &first, out);
  print_part("transfer", t->transfer, wall, &first, out);
  print_part("statistics", t->statistics, wall, &first, out);
  print_part("writing", t->write, wall, &first, out);
  fprintf(out, "%s\n", first ? "" : ")");
}
