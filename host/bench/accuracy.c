/* The section "accuracy": the cost of accuracy on one vehicle, by fixed steps and by tolerances,
 * against the truth of the same run (host/converge). */
#include "cases.h"

#include "../converge/converge.h"
#include "../study/derived.h"
#include "../study/grammar/reader.h"
#include "../support/tree.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TRUTH_FROM 1e-5 /* the least tolerance; the truth has a hundredth of it */
#define SECONDS 60.0    /* in which measurements are repeated; hardly a quarter is needed */
enum { INSTANCES = 32, QUICK_INSTANCES = 8, MOST_WAYS = 20 };

struct bench_accuracy {
  omr_study *study;
  omr_converge converge;
  char error[400]; /* why there are no numbers */
};

static const double steps[] = {1e-3, 0.5e-3, 0.25e-3, 0.125e-3, 0.0625e-3, 0.03125e-3};
static const double tolerances[] = {0.3, 0.1, 0.03, 0.01, 3e-3, 1e-3, 1e-4};

/* The quantities, of which the slowest counts, and the error over the scale. */
static const struct aim {
  const char *name, *words, *quantities[2];
  double error;
  bool median; /* of instances; else of the mean */
} aims[] = {
    {"path", "path to 1e-3 of its length, median vehicle", {"final_x", "final_z"}, 1e-3, true},
    {"vibration_rms", "vibration_rms to 1 %, mean", {"vibration_rms", NULL}, 0.01, false},
    {"dissipated_energy",
     "dissipated_energy to 1 %, mean",
     {"dissipated_energy", NULL},
     0.01,
     false},
};
enum { AIMS = sizeof aims / sizeof *aims };

static size_t list_ways(const omr_study *study, omr_way *ways) {
  size_t count = 0;
  for (int pair = 0; pair < 2; pair++)
    for (size_t i = 0; i < sizeof tolerances / sizeof *tolerances; i++)
      ways[count++] = (omr_way){pair ? OMR_METHOD_ROS2 : omr_study_pair(study),
                                study->engine.precision, 0, tolerances[i]};
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
    ways[count++] = (omr_way){OMR_METHOD_ROSENBROCK, study->engine.precision, steps[i], 0};
  return count;
}

static omr_status read_study(const omr_bench_request *o, const bench_machine *m, omr_study **study,
                             omr_error *error) {
  char backend[64], device[64], precision[64], threads[64];
  snprintf(backend, sizeof backend, "engine.backend=%s", omr_bench_backends[m->main]);
  snprintf(device, sizeof device, "engine.device=\"%s\"", m->main_device);
  snprintf(precision, sizeof precision, "engine.precision=%s",
           omr_bench_precisions[o->one_precision ? o->precision : OMR_DOUBLE]);
  snprintf(threads, sizeof threads, "engine.threads=%d", m->threads);
  const char *const overrides[] = {backend, device, precision, threads};
  return omr_study_parse(bench_yardstick, "yardstick", overrides,
                         m->main == OMR_BACKEND_OPENCL ? 3 : 4, study, error);
}

static omr_status measure(const omr_bench_request *o, const bench_machine *m, bench_accuracy *a,
                          omr_error *error) {
  omr_way ways[MOST_WAYS];
  size_t chosen[INSTANCES];
  omr_status status = read_study(o, m, &a->study, error);
  if (status != OMR_OK) return status;
  const size_t count = o->quick ? QUICK_INSTANCES : INSTANCES;
  for (size_t i = 0; i < count; i++) chosen[i] = i * a->study->instances / count;
  const omr_converge_request options = {.budget = SECONDS,
                                        .chosen = chosen,
                                        .chosen_count = count,
                                        .one_precision = true,
                                        .ways = ways,
                                        .way_count = list_ways(a->study, ways),
                                        .least_tolerance = TRUTH_FROM,
                                        .progress = o->progress,
                                        .progress_user = o->progress_user};
  return omr_converge_make(a->study, &options, &a->converge, error);
}

omr_status bench_accuracy_measure(const omr_bench_request *o, const bench_machine *m,
                                  bench_accuracy **accuracy, omr_error *error) {
  bench_accuracy *a = *accuracy = calloc(1, sizeof *a);
  omr_error own = {0};
  if (!a) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  const omr_status status = measure(o, m, a, &own);
  if (status == OMR_OK) return OMR_OK;
  snprintf(a->error, sizeof a->error, "%.399s", own.message);
  return status == OMR_ERR_INTERRUPTED || status == OMR_ERR_MEMORY
             ? omr_fail(error, status, "%s", own.message)
             : OMR_OK;
}

void bench_accuracy_free(bench_accuracy *a) {
  if (!a) return;
  omr_converge_free(&a->converge);
  omr_study_destroy(a->study);
  free(a);
}

/* The speed of one kind of steps, fixed or controlled. */
static double speed_of(const omr_converge *all, const struct aim *aim, bool controlled,
                       omr_way *way) {
  omr_converge c = *all;
  double slowest = (double)NAN;

  /* Keep the rows of this kind of steps. */
  c.rows = calloc(all->row_count + 1, sizeof *c.rows);
  c.row_count = 0;
  for (size_t i = 0; c.rows && i < all->row_count; i++) {
    if ((all->rows[i].way.tolerance > 0) != controlled) continue;
    c.rows[c.row_count] = all->rows[i];
    c.rows[c.row_count++].way.precision = OMR_DOUBLE; /* all have the same */
  }

  /* The slowest quantity counts; where one misses the error, there is no speed. */
  for (size_t i = 0; c.rows && i < 2 && aim->quantities[i]; i++) {
    ptrdiff_t best;
    const double speed = omr_converge_speed_at(&c, omr_converge_find(&c, aim->quantities[i]),
                                               aim->error, aim->median, &best);
    if (best < 0) {
      slowest = (double)NAN;
      break;
    }
    if (speed >= slowest) continue;
    slowest = speed;
    *way = c.rows[best].way;
  }

  free(c.rows);
  return slowest;
}

static void print_aims(const omr_converge *c, FILE *out) {
  fprintf(out, "\n  %-46s %10s %12s %8s\n", "", "tolerance", "fixed steps", "ratio");
  for (size_t i = 0; i < AIMS; i++) {
    omr_way way;
    const double controlled = speed_of(c, &aims[i], true, &way),
                 fixed = speed_of(c, &aims[i], false, &way);
    fprintf(out, "  %-46s %10.4g %12.4g %8.3g\n", aims[i].words, controlled, fixed,
            controlled / fixed);
  }
}

void bench_accuracy_print(const bench_accuracy *a, FILE *out) {

  if (!a) return;
  fprintf(out, "\n%s\n", omr_bench_sections[OMR_BENCH_ACCURACY].heading);
  if (*a->error) {
    fprintf(out, "  not measured: %s\n", a->error);
    return;
  }

  /* The head of the table, a column for each quantity. */
  const omr_converge *c = &a->converge;
  fprintf(out, "  %-28s %10s %10s %12s %14s %18s\n", "", "v-s/s/core", "passes/s", "path",
          "vibration_rms", "dissipated_energy");
  const size_t x = omr_converge_find(c, "final_x"), z = omr_converge_find(c, "final_z"),
               v = omr_converge_find(c, "vibration_rms"),
               d = omr_converge_find(c, "dissipated_energy");

  /* A row for each method and step or tolerance. */
  for (size_t i = 0; i < c->row_count; i++) {
    const omr_converge_row *row = &c->rows[i];
    char at[48], name[96];
    snprintf(name, sizeof name, "%s, %s", omr_method_kinds[row->way.method].name,
             omr_way_at(&row->way, at));
    fprintf(out, "  %-28s %10.4g %10.4g %12.2g %12.2g %% %16.2g %%\n", name, row->speed,
            row->passes, fmax(row->errors[x].median, row->errors[z].median),
            100 * row->errors[v].mean, 100 * row->errors[d].mean);
  }

  print_aims(c, out);
}

cJSON *bench_accuracy_json(const bench_accuracy *a) {
  if (!a) return cJSON_CreateNull();
  cJSON *root = *a->error ? cJSON_CreateObject() : omr_converge_tree(&a->converge);
  if (!root) return NULL;
  omr_tree_text(root, "error", a->error);
  cJSON *list = omr_tree_list(root, "speeds");
  for (size_t i = 0; i < AIMS && !*a->error; i++) {
    omr_way way;
    cJSON *one = omr_tree_row(list);
    omr_tree_text(one, "name", aims[i].name);
    omr_tree_number(one, "error", aims[i].error);
    omr_tree_text(one, "of", aims[i].median ? "median" : "mean");
    omr_tree_number(one, "tolerance", speed_of(&a->converge, &aims[i], true, &way));
    omr_tree_number(one, "fixed", speed_of(&a->converge, &aims[i], false, &way));
  }
  return root;
}
