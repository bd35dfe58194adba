/* A bench from its options to its rows. */
#include "cases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_SECONDS 0.6
#define QUICK_SECONDS 0.15
#define PEAK_SECONDS 0.15
#define QUICK_PEAK_SECONDS 0.06
enum { DEFAULT_ROUNDS = 3, QUICK_ROUNDS = 2 };

omr_status omr_bench_parse_sections(const char *list, unsigned *sections, omr_error *error) {
  *sections = 0;
  for (const char *at = list; *at || at == list;) {
    char word[32];
    const size_t length = strcspn(at, ",");
    int i = 0;

    /* Look the word up among the sections. */
    snprintf(word, sizeof word, "%.*s", (int)length, at);
    while (i < OMR_BENCH_SECTION_COUNT && strcmp(omr_bench_sections[i].name, word)) i++;

    /* An unknown word: list the sections and suggest the nearest. */
    if (i == OMR_BENCH_SECTION_COUNT) {
      const char *names[OMR_BENCH_SECTION_COUNT];
      omr_text all = {0};
      for (i = 0; i < OMR_BENCH_SECTION_COUNT; i++) {
        names[i] = omr_bench_sections[i].name;
        omr_text_print(&all, "%s%s", i ? ", " : "", names[i]);
      }
      const char *nearest = omr_nearest(word, names, OMR_BENCH_SECTION_COUNT);
      omr_fail(error, OMR_ERR_USAGE, "there is no section \"%s\"%s%s%s; the sections are %s", word,
               nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "",
               all.data ? all.data : "");
      omr_text_free(&all);
      return OMR_ERR_USAGE;
    }

    /* Set the section's bit and step over the comma. */
    *sections |= 1u << i;
    at += length;
    if (*at == ',') at++;
  }
  return OMR_OK;
}

/* ---- rows against others */

static void hold_against_peak(const bench_case *c, const omr_bench *bench, omr_bench_row *r) {
  r->peak_flops = bench->peaks[c->peak].fma_flops;
  r->flops = r->operations_per_step * r->steps_per_second;
  r->fraction_of_peak = r->flops / r->peak_flops;
}

static const omr_bench_row *best_of_section(const omr_bench *bench, omr_bench_section section) {
  const omr_bench_row *best = NULL;
  for (size_t i = 0; i < bench->row_count; i++) {
    const omr_bench_row *r = &bench->rows[i];
    if (r->section == section && r->steps_per_second > 0 &&
        (!best || r->steps_per_second > best->steps_per_second))
      best = r;
  }
  return best;
}

/* The ratio that heads the section's column. */
static double ratio_of(const omr_bench_row *r, const omr_bench_row *base) {
  const double speed = r->steps_per_second / base->steps_per_second;
  switch (r->section) {
  case OMR_BENCH_THREADS: return speed * base->threads / r->threads;
  case OMR_BENCH_ROLLERS:
  case OMR_BENCH_WHEELS:
  case OMR_BENCH_LAWS:
  case OMR_BENCH_TRACKING:
  case OMR_BENCH_METHODS: return 1 / speed;
  default: return speed;
  }
}

static void compare_rows(const bench_cases *cases, omr_bench *bench) {
  for (size_t i = 0; i < bench->row_count; i++) {
    omr_bench_row *r = &bench->rows[i];
    hold_against_peak(&cases->list[i], bench, r);
    const int number = cases->list[i].base;
    const omr_bench_row *base = number >= 0 ? &bench->rows[number] : NULL;
    if (r->section == OMR_BENCH_INSTANCES) base = best_of_section(bench, OMR_BENCH_INSTANCES);
    if (base) r->ratio = ratio_of(r, base);
  }
}

/* Rows and peaks of threads carry the processor's name. */
static void name_processor(omr_bench *bench) {
  for (size_t i = 0; i < bench->row_count; i++) {
    omr_bench_row *r = &bench->rows[i];
    if (strcmp(r->backend, "opencl") != 0)
      snprintf(r->device, sizeof r->device, "%s", bench->processor);
  }
  for (size_t i = 0; i < bench->peak_count; i++) {
    omr_bench_peak *p = &bench->peaks[i];
    if (strcmp(p->backend, "opencl") != 0)
      snprintf(p->device, sizeof p->device, "%s", bench->processor);
  }
}

/* ---- running */

static omr_status measure_sections(const omr_bench_request *o, const bench_cases *cases,
                                   omr_bench *bench, omr_error *error) {
  bench_progress progress = {.options = o,
                             .total = (double)cases->count * (o->rounds + 1),
                             .operations = bench_operations_make()};
  omr_status status =
      progress.operations ? OMR_OK : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  for (size_t first = 0; first < cases->count && status == OMR_OK;) {
    size_t last = first;
    while (last < cases->count && cases->list[last].section == cases->list[first].section) last++;
    status =
        bench_measure(o, cases->list + first, last - first, bench->rows + first, &progress, error);
    first = last;
  }
  bench_operations_free(progress.operations);
  return status;
}

static bool has_accuracy(const omr_bench_request *o) {
  return !o->sections || o->sections >> OMR_BENCH_ACCURACY & 1;
}

static omr_status run_cases(const omr_bench_request *o, bench_cases *cases, omr_bench *bench,
                            omr_error *error) {
  const double peak_seconds = o->quick ? QUICK_PEAK_SECONDS : PEAK_SECONDS;
  bench->rows = calloc(cases->count + 1, sizeof *bench->rows);
  bench->row_count = cases->count;
  if (cases->failed || !bench->rows || !bench_peaks_list(cases, bench))
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  if (!cases->count && !has_accuracy(o))
    return omr_fail(error, OMR_ERR_USAGE,
                    "these options leave nothing to measure: section threads is of the backends "
                    "openmp and scalar");
  bench_peaks_measure(bench, peak_seconds, false);
  omr_status status = measure_sections(o, cases, bench, error);
  if (status != OMR_OK) return status;
  bench_peaks_measure(bench, peak_seconds, true);
  compare_rows(cases, bench);
  name_processor(bench);
  return OMR_OK;
}

omr_status omr_bench_run(const omr_bench_request *options, omr_bench *bench, omr_error *error) {
  omr_bench_request o = *options;
  bench_machine machine;
  bench_cases cases;
  const double start = omr_seconds();
  *bench = (omr_bench){0};

  /* Fill in the defaults. */
  if (o.rounds <= 0) o.rounds = o.quick ? QUICK_ROUNDS : DEFAULT_ROUNDS;
  if (!(o.seconds > 0)) o.seconds = o.quick ? QUICK_SECONDS : DEFAULT_SECONDS;

  /* Find the machine and list the cases for it. */
  omr_status status = bench_machine_find(&o, &machine, error);
  if (status != OMR_OK) return status;
  bench_describe_machine(bench);
  bench_cases_make(&o, &machine, &cases);

  /* Measure the cases, then the sections that have no cases. */
  status = run_cases(&o, &cases, bench, error);
  if (status == OMR_OK) status = bench_tracking_measure(&o, bench, error);
  if (status == OMR_OK && has_accuracy(&o))
    status = bench_accuracy_measure(&o, &machine, &bench->accuracy, error);

  /* A failed bench leaves nothing behind. */
  free(cases.list);
  bench->wall_seconds = omr_seconds() - start;
  if (status != OMR_OK) omr_bench_release(bench);
  return status;
}

void omr_bench_release(omr_bench *bench) {
  free(bench->peaks);
  free(bench->rows);
  bench_accuracy_free(bench->accuracy);
  *bench = (omr_bench){0};
}
