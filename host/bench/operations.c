/* Operations per step of each case, counted once for all cases that differ only in backend, threads
 * or number of instances. */
#include "cases.h"

#include "count.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct counted {
  char *text; /* of the overrides that matter */
  double operations;
} counted;

struct bench_operations {
  counted *list;
  size_t count;
};

static bool changes_no_equation(const char *override) {
  return !strncmp(override, "engine.", 7) || !strncmp(override, "design.instances=", 17);
}

static void describe(const bench_case *c, omr_text *text) {
  omr_text_print(text, "%s", omr_bench_precisions[c->precision]);
  for (int i = 0; i < c->override_count; i++)
    if (!changes_no_equation(c->overrides[i])) omr_text_print(text, " %s", c->overrides[i]);
}

bench_operations *bench_operations_make(void) {
  return calloc(1, sizeof(bench_operations));
}

void bench_operations_free(bench_operations *o) {
  for (size_t i = 0; o && i < o->count; i++) free(o->list[i].text);
  if (o) free(o->list);
  free(o);
}

/* Takes over the text. */
static void keep(bench_operations *o, omr_text *text, double operations) {
  if (omr_grow(&o->list, o->count + 1, sizeof *o->list) && !text->failed)
    o->list[o->count++] = (counted){text->data, operations};
  else
    omr_text_free(text);
}

double bench_operations_of(bench_operations *o, const bench_case *c, const omr_study *study) {
  omr_text text = {0};
  omr_operations operations;
  describe(c, &text);
  for (size_t i = 0; i < o->count; i++) {
    if (text.failed || strcmp(o->list[i].text, text.data) != 0) continue;
    omr_text_free(&text);
    return o->list[i].operations;
  }
  const omr_status status = omr_count_operations(study, &operations, NULL);
  const double useful = status == OMR_OK ? omr_useful_operations(&operations) : (double)NAN;
  keep(o, &text, useful);
  return useful;
}
