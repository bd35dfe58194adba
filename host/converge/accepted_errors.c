/* The quantities of a convergence, the errors of a way, and whether they are accepted. */
#include "../study/accept.h"
#include "work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDING 1e-10  /* of another's scale */
#define BY_DEFAULT 0.01 /* of an observable's scale, without a demand */
#define DOUBT                                                                                      \
  0.5 /* of the change by a tenth of the tolerance: an error of order 1/2 or more of it leaves at  \
         most 0.46 */

static const double *row_of(const work *w, const outcome *o, size_t k) {
  return o->values + k * (w->columns + 1);
}

/* SCALES */

/* An observable that may be small by chance, and another that shows the true size; over_time: by
 * its rate over the duration. */
static const struct kin {
  const char *name, *other;
  bool over_time;
} kin[] = {
    {"final_x", "final_z", false},         {"final_z", "final_x", false},
    {"final_x", "path_length", false},     {"final_z", "path_length", false},
    {"final_x", "distance", false},        {"final_z", "distance", false},
    {"final_vx", "final_vz", false},       {"final_vz", "final_vx", false},
    {"final_vx", "path_length", true},     {"final_vz", "path_length", true},
    {"final_vx", "max_speed", false},      {"final_vz", "max_speed", false},
    {"final_yaw_rate", "final_yaw", true}, {"yaw_deviation", "final_yaw", false},
};

static double mean_size(const work *w, size_t column) {
  double sum = 0, n = 0;
  for (size_t k = 0; k < w->instances; k++) {
    const double value = row_of(w, &w->truth, k)[column];
    if (!w->used[k] || isnan(value)) continue;
    sum += fabs(value);
    n++;
  }
  return n > 0 ? sum / n : (double)NAN;
}

static double mean_of(const work *w, const outcome *o, size_t column) {
  double sum = 0, n = 0;
  for (size_t k = 0; k < w->instances; k++) {
    const double value = row_of(w, o, k)[column];
    if (!w->used[k] || isnan(value) || isnan(row_of(w, &w->truth, k)[column])) continue;
    sum += value;
    n++;
  }
  return n > 0 ? sum / n : (double)NAN;
}

static void find_scale(const work *w, const omr_result *columns, omr_converge_quantity *q) {
  q->scale = mean_size(w, q->index);
  snprintf(q->relative, sizeof q->relative, "mean size");

  /* An observable that may be small by chance takes the size of its kin. */
  for (size_t i = 0; i < sizeof kin / sizeof *kin; i++) {
    if (strcmp(kin[i].name, q->name) != 0) continue;
    for (size_t j = w->parameters; j < w->columns; j++) {
      if (strcmp(columns->columns[j].name, kin[i].other) != 0) continue;
      const double size = mean_size(w, j) / (kin[i].over_time ? w->study->time.duration : 1);
      if (!(size > q->scale)) continue;
      q->scale = size;
      snprintf(q->relative, sizeof q->relative, "%s%s", kin[i].other,
               kin[i].over_time ? " / duration" : "");
    }
  }

  /* A straight drive turns by rounding errors: angles have a least scale. */
  const double least = strcmp(q->name, "final_yaw") == 0        ? 1
                       : strcmp(q->name, "final_yaw_rate") == 0 ? 1 / w->study->time.duration
                                                                : 0;

  if (!(q->scale < least)) return;
  q->scale = least;
  snprintf(q->relative, sizeof q->relative, "%s",
           strcmp(q->name, "final_yaw") == 0 ? "1 rad" : "1 rad / duration");
}

/* ERRORS */

/* Of an observable at an outcome, against the truth. */
static void error_of(const work *w, const omr_converge_quantity *q, const outcome *o, double *sizes,
                     omr_converge_error *e) {
  double sum = 0;
  size_t n = 0;
  *e = (omr_converge_error){(double)NAN, (double)NAN, (double)NAN};
  for (size_t k = 0; k < w->instances; k++) {
    const double truth = row_of(w, &w->truth, k)[q->index], value = row_of(w, o, k)[q->index];
    if (!w->used[k] || o->status[k] != OMR_INSTANCE_OK || isnan(truth) || isnan(value)) continue;
    sum += value - truth;
    sizes[n++] = fabs(value - truth);
  }
  if (n == 0 || !(q->scale > 0)) return;
  qsort(sizes, n, sizeof *sizes, omr_by_value);
  *e = (omr_converge_error){.mean = fabs(sum) / (double)n / q->scale,
                            .median = 0.5 * (sizes[(n - 1) / 2] + sizes[n / 2]) / q->scale,
                            .worst = sizes[n - 1] / q->scale};
}

static int truth_of(const work *w, size_t quantity, const outcome *o, size_t k) {
  return omr_margin_truth(&w->margins[quantity], o->values + k * (w->columns + 1), o->status[k]);
}

/* Share of instances whose criterion has another value than in the truth. */
static double flips(const work *w, size_t quantity, const outcome *o) {
  double changed = 0, n = 0;
  for (size_t k = 0; k < w->instances; k++) {
    const int truth = truth_of(w, quantity, &w->truth, k), found = truth_of(w, quantity, o, k);
    if (truth < 0 && found < 0) continue;
    changed += truth != found;
    n++;
  }
  return n > 0 ? changed / n : (double)NAN;
}

static omr_status errors_of(const work *w, const outcome *o, omr_converge_error *errors,
                            omr_error *error) {
  double *sizes = calloc(w->instances + 1, sizeof *sizes);
  if (!sizes) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  for (size_t i = 0; i < w->c->quantity_count; i++) {
    const omr_converge_quantity *q = &w->c->quantities[i];
    if (q->of_criterion)
      errors[i] = (omr_converge_error){flips(w, i, o), (double)NAN, (double)NAN};
    else
      error_of(w, q, o, sizes, &errors[i]);
  }
  free(sizes);
  return OMR_OK;
}

/* QUANTITIES */

static void find_used(work *w) {
  for (size_t k = 0; k < w->instances; k++) {
    w->used[k] = w->truth.status[k] == OMR_INSTANCE_OK &&
                 (!w->doubt.status || w->doubt.status[k] == OMR_INSTANCE_OK);
    w->c->used += w->used[k];
  }
}

static omr_converge_quantity *add_quantity(omr_converge *c, const char *name, const char *unit,
                                           size_t index) {
  omr_converge_quantity *q = &c->quantities[c->quantity_count++];
  *q = (omr_converge_quantity){.index = index, .most = (double)NAN};
  snprintf(q->name, sizeof q->name, "%s", name);
  snprintf(q->unit, sizeof q->unit, "%s", unit);
  return q;
}

static void add_observables(work *w, const omr_result *columns) {
  for (size_t j = w->parameters; j < w->columns; j++) {
    const double truth = mean_of(w, &w->truth, j);
    if (isnan(truth)) continue;
    omr_converge_quantity *q =
        add_quantity(w->c, columns->columns[j].name, columns->columns[j].unit, j);
    q->truth = truth;
    find_scale(w, columns, q);
  }
}

/* The entries of integrator.accept, and criteria by their thresholds. */
static omr_status add_accepted(work *w, omr_error *error) {
  omr_converge *c = w->c;
  for (size_t i = 0; i < w->study->step_error.accept_count; i++) {
    const omr_accept *accept = &w->study->step_error.accept[i];

    /* An observable is a quantity already. */
    omr_converge_quantity *q = NULL;
    for (size_t j = 0; j < c->quantity_count && !accept->of_criterion; j++)
      if (!c->quantities[j].of_criterion && c->quantities[j].index == accept->index)
        q = &c->quantities[j];

    /* A criterion is a quantity of its own, with its margin. */
    if (accept->of_criterion) {
      char name[100];
      omr_accept_name(w->study, accept, name, sizeof name);
      omr_status status =
          omr_margin_make(w->study, accept->index, &w->margins[c->quantity_count], error);
      if (status != OMR_OK) return status;
      q = add_quantity(c, name, "1", accept->index);
      q->of_criterion = true;
      q->scale = 1;
      snprintf(q->relative, sizeof q->relative, "all instances");
    }

    /* Take over the accepted error. */
    if (!q) continue;
    q->most = accept->most * (accept->relative ? fabs(q->truth) : 1);
    q->given = accept->given;
    omr_accept_text(w->study, accept, q->asked, sizeof q->asked);
  }
  return OMR_OK;
}

/* Counts of how the run went are no numbers of the vehicle. */
static bool is_of_the_run(const omr_converge_quantity *q) {
  return strcmp(q->name, "energy_error") == 0 || strcmp(q->name, "edge_holds") == 0;
}

/* Negligible against others of its unit: exact arithmetic would leave zero. */
static bool is_rounding(const omr_converge *c, const omr_converge_quantity *q) {
  for (size_t i = 0; i < c->quantity_count; i++)
    if (strcmp(c->quantities[i].unit, q->unit) == 0 && q->scale < ROUNDING * c->quantities[i].scale)
      return true;
  return false;
}

static void accept_by_default(omr_converge *c) {
  bool any = false;
  for (size_t i = 0; i < c->quantity_count; i++) any = any || !isnan(c->quantities[i].most);
  for (size_t i = 0; i < c->quantity_count && !any; i++) {
    omr_converge_quantity *q = &c->quantities[i];
    if (q->scale > 0 && !is_of_the_run(q) && !is_rounding(c, q)) q->most = BY_DEFAULT * q->scale;
  }
  c->by_default = !any;
}

/* By default, numbers that the truth does not settle are left out: pure rounding (slip of wheels
 * that roll), or chaos. */
static void judge_doubt(omr_converge *c, omr_converge_quantity *q, omr_text *unknown) {
  if (isnan(q->most) || !(q->doubt * q->scale > q->most / 2)) return;
  if (c->by_default) {
    q->most = (double)NAN;
    omr_text_print(unknown, "%s%s (%.2g)", unknown->length ? ", " : "", q->name, q->doubt);
    return;
  }
  converge_note(c,
                "%s: the truth itself is known to %.2g of its %s only, since shorter steps go on "
                "to change it (rounding, chaos, or contact that chatters): its errors say little",
                q->name, q->doubt, q->relative);
}

static omr_status find_doubt(work *w, omr_error *error) {
  omr_converge *c = w->c;
  if (!w->doubt.values) return OMR_OK;
  omr_converge_error *errors = calloc(c->quantity_count + 1, sizeof *errors);
  if (!errors) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");

  /* The truth's doubt follows from the errors of a coarser run. */
  const omr_status status = errors_of(w, &w->doubt, errors, error);
  omr_text unknown = {0};
  for (size_t i = 0; status == OMR_OK && i < c->quantity_count; i++) {
    omr_converge_quantity *q = &c->quantities[i];
    q->doubt = isnan(errors[i].mean) ? 0 : DOUBT * errors[i].mean;
    q->doubt_worst = q->of_criterion ? (double)NAN : DOUBT * errors[i].worst;
    judge_doubt(c, q, &unknown);
  }

  /* Name the quantities that the truth does not settle. */
  if (unknown.length && !unknown.failed)
    converge_note(
        c, "not judged, since the truth itself is known to that part of the scale only: %.200s",
        unknown.data);

  omr_text_free(&unknown);
  free(errors);
  return status;
}

omr_status converge_quantities_make(work *w, omr_error *error) {
  omr_converge *c = w->c;
  const omr_part some = omr_part_choose(w->study, w->chosen, w->instances);
  omr_result *columns = NULL;

  /* Some instance has to reach the end. */
  find_used(w);
  if (c->used == 0)
    return omr_fail(
        error, OMR_ERR_STUDY,
        "%s: none of the %zu instances reaches the end with short steps, so that there is no "
        "number to compare; choose others with --instances, or shorten integrator.duration",
        w->study->name, w->instances);

  /* An empty result has the columns of a full one. */
  omr_status status = omr_result_make(&some, &columns, error);
  if (status != OMR_OK) return status;
  const size_t most = w->columns + w->study->step_error.accept_count + 1;
  c->quantities = calloc(most, sizeof *c->quantities);
  w->margins = calloc(most, sizeof *w->margins);
  if (!c->quantities || !w->margins) status = omr_fail(error, OMR_ERR_MEMORY, "out of memory");

  /* Collect the quantities, then find the doubt of each. */
  if (status == OMR_OK) add_observables(w, columns);
  if (status == OMR_OK) status = add_accepted(w, error);
  if (status == OMR_OK) accept_by_default(c);
  if (status == OMR_OK) status = find_doubt(w, error);

  omr_result_destroy(columns);
  return status;
}

/* JUDGING */

omr_status converge_judge(work *w, size_t number, omr_error *error) {
  omr_converge_row *row = &w->c->rows[number];
  const outcome *o = &w->outcomes[number];
  row->errors = calloc(w->c->quantity_count + 1, sizeof *row->errors);
  if (!row->errors) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  for (size_t k = 0; k < w->instances; k++)
    row->failed += w->used[k] && o->status[k] != OMR_INSTANCE_OK;
  const omr_status status = errors_of(w, o, row->errors, error);
  row->worst = (double)NAN;
  for (size_t i = 0; status == OMR_OK && i < w->c->quantity_count; i++) {
    const omr_converge_quantity *q = &w->c->quantities[i];
    if (isnan(q->most) || isnan(row->errors[i].mean)) continue;
    const double over = (row->errors[i].mean + q->doubt) * q->scale / q->most;
    if (over <= row->worst) continue;
    row->worst = over;
    row->worst_of = i;
  }
  return status;
}

void converge_accept(omr_converge *c) {
  for (size_t i = 0; i < c->row_count; i++) {
    omr_converge_row *row = &c->rows[i];
    row->accepted = true;
    for (size_t j = 0; j < c->row_count && row->accepted; j++) {
      const omr_converge_row *finer = &c->rows[j];
      if (!same_family(&finer->way, &row->way) || way_size(&finer->way) > way_size(&row->way))
        continue;
      row->accepted = finer->failed == 0 && finer->worst <= 1;
    }
  }
}

double converge_difference(const work *w, size_t one, size_t other) {
  double largest = (double)NAN;
  for (size_t i = 0; i < w->c->quantity_count; i++) {
    const omr_converge_quantity *q = &w->c->quantities[i];
    if (q->of_criterion || isnan(q->most) || !(q->scale > 0)) continue;
    const double difference =
        fabs(mean_of(w, &w->outcomes[one], q->index) - mean_of(w, &w->outcomes[other], q->index)) /
        q->scale;
    if (isnan(largest) || difference > largest) largest = difference;
  }
  return largest;
}
