/* The comparison as a table of at most 130 columns. */
#include "compare.h"

#include "study/grammar/reader.h"
#include <math.h>
#include <string.h>

enum { WIDTH = 116 };

/* Prints words one after another, with a line break when the line is full. */
static void add_words(FILE *out, const char *words, int *column) {
  const int length = (int)strlen(words);
  if (*column + length > WIDTH) *column = fprintf(out, "\n%13s", "") - 1;
  *column += fprintf(out, "%s", words);
}

static void print_list(const omr_comparison *c, FILE *out) {
  char text[32];
  int column = fprintf(out, "instances    ");
  for (size_t i = 0; i < c->count; i++) {
    snprintf(text, sizeof text, "%s%zu", i ? ", " : "", c->instances[i]);
    add_words(out, text, &column);
  }
  fprintf(out, "%s of %zu\n", c->count == 1 ? ", one" : "", c->study[0].instances);
  if (c->reference.result->first_invalid[0])
    fprintf(out, "             not compared, since the values make no machine: %s\n",
            c->reference.result->first_invalid);
}

/* Time of the reference per simulated second. */
static double reference_pace(const omr_ensemble *e) {
  double seconds = 0, simulated = 0;
  for (size_t k = 0; k < e->count; k++) {
    seconds += e->seconds[k];
    simulated += e->runs[k].end;
  }
  return simulated > 0 ? seconds / simulated : (double)NAN;
}

/* The run of one lane: the scalar build if it ran, else the first run that did. */
static const omr_compared_run *lane(const omr_comparison *c) {
  const omr_compared_run *found = NULL;
  for (size_t i = 0; i < c->run_count; i++) {
    const omr_compared_run *run = &c->runs[i];
    if (run->skipped[0]) continue;
    if (!found ||
        (run->engine.backend == OMR_BACKEND_SCALAR && found->engine.backend != OMR_BACKEND_SCALAR))
      found = run;
  }
  return found;
}

static void print_head(const omr_comparison *c, FILE *out) {
  const omr_study *study = &c->study[0];
  const double pace = reference_pace(&c->reference);
  const omr_compared_run *fast = lane(c);

  /* the study */
  fprintf(out, "%s\n", study->title && study->title[0] ? study->title : study->name);
  fprintf(out, "model        %s", omr_model_names[study->model]);
  if (study->wheels > 1) fprintf(out, ", %d wheels", study->wheels);
  if (study->wheels) fprintf(out, ", contact %s", omr_law_kinds[study->contact.law].name);
  fprintf(out, ", method %s\n", omr_method_kinds[study->time.method].name);

  /* its instances and steps */
  print_list(c, out);
  if (omr_controls_steps(study))
    fprintf(out, "steps        as the tolerance h = %g and h/10 ask for", study->time.tolerance);
  else
    fprintf(out, "steps        h = %g s and h/2", study->time.step);
  fprintf(out, " over %g s; %zu samples, every %g s%s\n", study->time.duration,
          c->reference.result->sample_count, omr_study_interval(study),
          c->own_interval ? " (the study has no trajectories: about a hundredth of the duration)"
                          : "");

  /* the first system of the reference that was assembled */
  for (size_t k = 0; k < c->reference.count; k++) {
    const omr_reference_run *run = &c->reference.runs[k];

    if (!run->times) continue;
    fprintf(out,
            "reference    %d bodies, %d states, %d constraints with %d conditions (%d redundant)",
            run->bodies, run->states, run->constraints, run->rows, run->redundant);
    fprintf(out, "\n             relative tolerance %g; %ld steps, %ld evaluations, %ld events%s\n",
            c->reference_tolerance[0], run->counts.steps, run->counts.evaluations,
            run->counts.events, c->reference.count > 1 ? " (first instance)" : "");
    fprintf(out, "             its own error: the difference from itself at the tolerance %g\n",
            c->reference_tolerance[1]);
    break;
  }

  /* how much faster the engine is */
  fprintf(out, "time         reference %.3g s per simulated second; %s %.3g s: a ratio of %.3g\n",
          pace, fast->name, fast->lane_seconds, pace / fast->lane_seconds);
}

/* Severity: a difference, one that may be the reference's own error, or none. */
static int gravity(const omr_compared *d) {
  return d->differs + (d->differs && !d->limited);
}

/* The instance in which the quantity differs most, by its scale; -1: none has it. */
static long worst_instance(const omr_comparison *c, const omr_compared_run *run, size_t quantity) {
  long worst = -1;
  double most = -1;
  int gravest = 0;
  for (size_t k = 0; k < c->count; k++) {
    const omr_compared *d = &run->instances[k].quantities[quantity];
    if (!d->there) continue;
    const double size = d->model.compared ? d->model.largest / d->scale.value : 0;
    if (gravity(d) < gravest || (gravity(d) == gravest && !(size > most))) continue;
    worst = (long)k;
    most = size;
    gravest = gravity(d);
  }
  return worst;
}

static void print_number(FILE *out, const omr_difference *d, double scale) {
  if (d->compared)
    fprintf(out, " %8.2e", d->largest / scale);
  else
    fprintf(out, " %8s", "-");
}

static const char *mark_of(const omr_compared *d) {
  return d->limited ? "  UNDECIDED" : d->differs ? "  DIFFERS" : "";
}

static void print_row(const omr_quantity *q, const omr_compared *d, size_t instance, FILE *out) {
  static const char marks[] = {' ', '*', '+'};
  fprintf(out, "  %-19s %-8s %9.3g%c", q->name, q->unit, d->scale.value, marks[d->scale.kind]);
  print_number(out, &d->whole, 1);
  print_number(out, &d->whole, d->scale.value);
  print_number(out, &d->step, d->scale.value);
  print_number(out, &d->model, 1);
  print_number(out, &d->model, d->scale.value);
  print_number(out, &d->own, d->scale.value);
  char wheel[12] = "-", time[16] = "-";
  if (q->place == OMR_Q_WHEEL) snprintf(wheel, sizeof wheel, "%d", d->model.wheel);
  if (d->model.compared && q->place != OMR_Q_OBSERVABLE)
    snprintf(time, sizeof time, "%.6g", d->model.time);
  fprintf(out, " %8s %5s %8zu%s%s\n", time, wheel, instance, mark_of(d),
          d->model.one_sided ? " (values on one side alone)" : "");
}

static void print_missing(const omr_comparison *c, const omr_compared_run *run, FILE *out) {
  int column = 0;
  for (size_t i = 0; i < c->quantity_count; i++) {
    if (worst_instance(c, run, i) >= 0) continue;
    char words[96];
    snprintf(words, sizeof words, "%s%s", column ? ", " : "", c->quantities[i].name);
    if (!column) column = fprintf(out, "  without a number in the reference: ");
    add_words(out, words, &column);
  }
  if (column) fputc('\n', out);
}

/* Reports samples with different rollers, and the quantities left out because of them. */
static void print_rollers(const omr_comparison *c, const omr_compared_run *run, FILE *out) {
  static const char *const what[] = {"h and reference", "h and h/2", "h/2 and reference"};
  for (size_t k = 0; k < c->count; k++) {
    const omr_compared_instance *instance = &run->instances[k];
    for (int i = 0; i < OMR_PAIR_OWN; i++) {
      const omr_roller_mismatch *m = &instance->rollers[i];
      if (m->differ == 0) continue;

      fprintf(out, "  instance %zu, %s: other rollers in contact at %zu of %zu samples of wheels, ",
              instance->instance, what[i], m->differ, m->compared);

      /* only exchanges near a sample's time explain other rollers */
      if (m->unexplained) {
        fprintf(out, "%zu of them away from an edge, first at %.6g s, wheel %d%s\n", m->unexplained,
                m->time, m->wheel, i == 2 ? ": DIFFERS" : "");
      } else {
        fprintf(out,
                "first at %.6g s, wheel %d:\n    exchanges within a step of a sample's time. There "
                "slip, forces, loads and accelerations are left out.\n",
                m->time, m->wheel);
      }
    }
  }
}

static void print_states(const omr_comparison *c, const omr_compared_run *run, FILE *out) {
  for (size_t k = 0; k < c->count; k++) {
    const omr_compared_instance *i = &run->instances[k];

    /* ends that are early, or differ */
    if (i->status[0] || i->status[2] || i->status_differs)
      fprintf(out,
              "  instance %zu ends as %s at %.9g s (reference), %s at %.9g s (h), %s at %.9g s "
              "(h/2)%s\n",
              i->instance, omr_instance_status_name(i->status[0]), i->end[0],
              omr_instance_status_name(i->status[1]), i->end[1],
              omr_instance_status_name(i->status[2]), i->end[2],
              i->status_differs ? "  DIFFERS" : "");

    /* holds at edges make numbers of exchanges meaningless */
    if (!(i->holds[0] > 0) && !(i->holds[1] > 0)) continue;
    fprintf(out,
            "  instance %zu: wheels came to rest on two rollers %g times at h, %g times at h/2 "
            "(edge_holds). Before, they bounce over\n"
            "    the edge until a bounce is shorter than a step, so that how often depends on the "
            "step, and forces meanwhile are erratic.\n"
            "    Numbers of exchanges and holds are not judged, and %d times the step error is "
            "allowed.\n",
            i->instance, i->holds[0], i->holds[1], OMR_COMPARE_HELD);
  }
}

static void print_table(const omr_comparison *c, const omr_compared_run *run, FILE *out) {
  bool starred = false, plussed = false;

  fprintf(out, "  %-19s %-8s %9s  %17s %8s %17s %8s %8s\n", "", "", "", "whole: h, ref.",
          "step:", "model: h/2, ref.", "own:", "worst");
  fprintf(out, "  %-19s %-8s %9s  %8s %8s %8s %8s %8s %8s %8s %5s %8s\n", "quantity", "unit",
          "scale", "in unit", "of scale", "h, h/2", "in unit", "of scale", "ref.", "at s", "wheel",
          "instance");

  /* the worst instance of each quantity */
  for (size_t i = 0; i < c->quantity_count; i++) {
    const long k = worst_instance(c, run, i);
    if (k < 0) continue;
    const omr_compared *d = &run->instances[k].quantities[i];
    print_row(&c->quantities[i], d, run->instances[k].instance, out);

    starred |= d->scale.kind == OMR_SCALE_KIN;
    plussed |= d->scale.kind == OMR_SCALE_ONE;
  }

  /* explain the marks of the scales */
  if (starred)
    fprintf(out, "  * hardly moves, or is an observable: the scale is the largest size of that "
                 "unit in the reference, or what the motion makes of it\n");
  if (plussed) fprintf(out, "  + nothing of that unit moves: the scale is 1\n");
}

static void print_run(const omr_comparison *c, const omr_compared_run *run, FILE *out) {
  fprintf(out, "\n%s", run->name);

  if (run->skipped[0]) {
    fprintf(out, ": not run; %s\n", run->skipped);
    return;
  }

  fprintf(out, " (%s), ", run->results[0]->record.device);
  if (isinf(run->tolerance))
    fprintf(out, "reported, not judged");
  else
    fprintf(out, "tolerance %g", run->tolerance);

  /* the same bits need no table */
  if (run->same_as >= 0) {
    fprintf(out, ": the same bits as %s\n", c->runs[run->same_as].name);
    return;
  }

  fputc('\n', out);
  print_table(c, run, out);
  print_missing(c, run, out);
  print_rollers(c, run, out);
  print_states(c, run, out);
}

static bool is_worse(const omr_compared_run *run, const omr_compared_run *than) {
  if (run->limited != than->limited) return than->limited;
  return run->largest_model * than->tolerance > than->largest_model * run->tolerance;
}

/* Of the runs that differ, the one with the largest difference. */
static const omr_compared_run *worst_run(const omr_comparison *c) {
  const omr_compared_run *worst = NULL;
  for (size_t i = 0; i < c->run_count; i++) {
    const omr_compared_run *run = &c->runs[i];
    if (run->skipped[0] || run->same_as >= 0 || !run->differs) continue;
    if (!worst || is_worse(run, worst)) worst = run;
  }
  return worst;
}

static void name_difference(const omr_comparison *c, const omr_compared_run *run, char *text,
                            size_t size) {
  /* an instance that ends differently says more than any quantity */
  for (size_t k = 0; k < c->count; k++) {
    const omr_compared_instance *i = &run->instances[k];
    if (i->status_differs && (run->limited || i->status[3] == i->status[0])) {
      snprintf(text, size, "instance %zu ends as %s on the reference, as %s on the engine",
               i->instance, omr_instance_status_name(i->status[0]),
               omr_instance_status_name(i->status[2]));
      return;
    }
  }

  /* the quantity with the largest difference, relative to its scale */
  size_t count = 0;
  const char *first = NULL;
  double most = -1;
  for (size_t q = 0; q < c->quantity_count; q++) {
    const long k = worst_instance(c, run, q);
    const omr_compared *d = k < 0 ? NULL : &run->instances[k].quantities[q];
    if (!d || gravity(d) < (run->limited ? 1 : 2)) continue;

    const double part = d->model.one_sided ? HUGE_VAL : d->model.largest / d->scale.value;
    count++;
    if (part <= most) continue;
    most = part;
    first = c->quantities[q].name;
  }

  if (!first) {
    snprintf(text, size, "the rollers in contact");
  } else if (isinf(most)) {
    snprintf(text, size, "%s has values on one side alone (%zu quantities differ)", first, count);
  } else {
    snprintf(text, size,
             "%s by %.2g of its scale, beyond the step error and the tolerance of %g (%zu "
             "quantities differ)",
             first, most, run->tolerance, count);
  }
}

static bool speaks(const omr_compared_run *run, bool judged) {
  return !run->skipped[0] && run->same_as < 0 && run->worst_model &&
         isinf(run->tolerance) == !judged;
}

/* "openmp double: models 5.2e-09 (slip_k), steps 3e-08 (force_k), reference 2e-10 (slip_k)" */
static void describe_runs(const omr_comparison *c, bool judged, omr_text *text) {
  const char *before = " ";
  for (size_t i = 0; i < c->run_count; i++) {
    const omr_compared_run *run = &c->runs[i];
    if (!speaks(run, judged)) continue;
    omr_text_print(text, "%s%s: models %.2g (%s), steps %.2g (%s), reference %.2g (%s)", before,
                   run->name, run->largest_model, run->worst_model->name, run->largest_step,
                   run->worst_step ? run->worst_step->name : "none", run->largest_own,
                   run->worst_own ? run->worst_own->name : "none");
    before = "; ";
  }
}

static void describe_agreement(const omr_comparison *c, omr_text *text) {
  double told = 0;
  bool judged = false, reported = false;

  /* name each tolerance of the judged runs once */
  for (size_t i = 0; i < c->run_count; i++) {
    const omr_compared_run *run = &c->runs[i];
    reported |= speaks(run, false);
    if (!speaks(run, true)) continue;
    if (!judged) omr_text_print(text, "agree within %g", run->tolerance);
    if (judged && run->tolerance > told)
      omr_text_print(text, ", single precision within %g,", run->tolerance);
    if (!judged || run->tolerance > told) told = run->tolerance;
    judged = true;
  }

  if (judged) {
    omr_text_print(text, " beyond the step error;");
    describe_runs(c, true, text);
  }

  /* say if a step error or the reference's own error hides smaller differences */
  if (c->unresolved)
    omr_text_print(text, ". The step error is larger: a %s says more",
                   omr_controls_steps(&c->study[0]) ? "smaller integrator.tolerance"
                                                    : "shorter step");
  if (c->inexact)
    omr_text_print(
        text, ". The reference's own error is larger: a smaller --reference-tolerance says more");

  if (!reported) return;
  omr_text_print(text, "%sot judged without --single-tolerance:", judged ? ". N" : "n");
  describe_runs(c, false, text);
}

/* The remedy: a tolerance that makes the reference exact enough, or one that it can keep. */
static void describe_remedy(const omr_comparison *c, const omr_compared_run *run, char *text,
                            size_t size) {
  if (!(c->reference_tolerance[1] < c->reference_tolerance[0])) {
    snprintf(text, size,
             "rounding in double leaves no room for a smaller --reference-tolerance: ask for less, "
             "--tolerance %.1g",
             4 * run->largest_own);
    return;
  }
  const double wanted = c->reference_tolerance[0] * run->tolerance / (3 * run->largest_own),
               power = pow(10, floor(log10(fmin(wanted, 0.1 * c->reference_tolerance[0]))));
  snprintf(text, size, "integrate it more exactly, --reference-tolerance %.1g",
           fmax(power, OMR_MB_LEAST));
}

static void describe_difference(const omr_comparison *c, char *text, size_t size) {
  const omr_compared_run *run = worst_run(c);
  char what[256], remedy[160];
  name_difference(c, run, what, sizeof what);
  if (!run->limited) {
    snprintf(text, size, "DIFFER: %s: %s", run->name, what);
    return;
  }
  describe_remedy(c, run, remedy, sizeof remedy);
  snprintf(text, size,
           "NOT DECIDED: %s: %s; the reference's own error, up to %.2g of a scale (%s), may be all "
           "of it: %s",
           run->name, what, run->largest_own, run->worst_own ? run->worst_own->name : "ends",
           remedy);
}

void omr_comparison_verdict(const omr_comparison *c, char *text, size_t size) {
  if (c->differs) {
    describe_difference(c, text, size);
    return;
  }
  omr_text agreement = {0};
  describe_agreement(c, &agreement);
  snprintf(text, size, "%s", agreement.data ? agreement.data : "nothing was compared");
  omr_text_free(&agreement);
}

void omr_comparison_print(const omr_comparison *c, FILE *out) {
  char verdict[1024];
  print_head(c, out);
  for (size_t i = 0; i < c->run_count; i++) print_run(c, &c->runs[i], out);
  omr_comparison_verdict(c, verdict, sizeof verdict);
  fprintf(out, "\n%s\n", verdict);
}
