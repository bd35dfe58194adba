/* A convergence as text. */
#include "../study/derived.h"
#include "../study/grammar/reader.h"
#include "converge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_PERIOD 1e-3 /* s, of controllers, where steps are parts of it */
#define WORTH 0.9           /* of the time in double precision: below it single is proposed */

/* The observables that say most about the steps, where none is named. */
static const char *const usual[] = {"vibration_rms", "dissipated_energy", "min_load",
                                    "final_x",       "final_yaw",         "max_slip",
                                    "final_vx",      "downhill",          "final_tilt"};

static bool is_named(const char *list, const char *name) {
  const size_t length = strlen(name);
  for (const char *at = list; *at; at += strcspn(at, ","), at += *at == ',')
    if (strcspn(at, ",") == length && strncmp(at, name, length) == 0) return true;
  return false;
}

/* Without a list, the demanded quantities. */
static bool is_shown(const omr_converge_quantity *q, const char *list) {
  return list ? is_named(list, q->name) : !isnan(q->most);
}

size_t omr_converge_shown(const omr_converge *c, const char *list,
                          size_t shown[OMR_CONVERGE_SHOWN]) {
  size_t count = 0;
  if (!list && c->by_default) /* the most useful first */
    for (size_t j = 0; j < sizeof usual / sizeof *usual && count < OMR_CONVERGE_SHOWN; j++) {
      const size_t i = omr_converge_find(c, usual[j]);
      if (i < c->quantity_count && c->quantities[i].scale > 0) shown[count++] = i;
    }
  for (size_t i = 0;
       i < c->quantity_count && count < OMR_CONVERGE_SHOWN && (list || !c->by_default); i++)
    if (is_shown(&c->quantities[i], list)) shown[count++] = i;
  for (size_t i = 0; i < c->quantity_count && count == 0; i++) shown[count++] = i;
  return count;
}

static const char *way_text(const omr_way *way, char text[96]) {
  char at[48];
  snprintf(text, 96, "%s, %s", omr_method_kinds[way->method].name, omr_way_at(way, at));
  return text;
}

static void print_head(const omr_converge *c, FILE *out) {
  const char *title = c->study->title && *c->study->title ? c->study->title : c->study->name;
  char text[96];
  fprintf(out, "%s\n", title);
  fprintf(out, "instances    %zu of %zu, %g s each", c->instances, c->of, c->study->time.duration);
  if (c->used < c->instances)
    fprintf(out, "; %zu of them do not reach the end and are left out", c->instances - c->used);
  fprintf(out, "\ntruth        %s\n",
          c->by_reference ? "the reference in maximal coordinates" : way_text(&c->truth, text));
  fprintf(out, "speed        vehicle-seconds per second of %s, %s",
          c->per_device ? "the device" : "one core", c->device);
  if (c->timed != c->instances) fprintf(out, ", with %zu instances", c->timed);
  fprintf(out, "; the best round of up to 3\n");
}

/* The scales of the errors in the table. */
static void print_scales(const omr_converge *c, const size_t *shown, size_t count, FILE *out) {
  for (size_t i = 0; i < count; i++) {
    const omr_converge_quantity *q = &c->quantities[shown[i]];
    const bool unit = strcmp(q->unit, "1") != 0;
    fprintf(out, "%s", i ? "             " : "errors       ");
    if (q->of_criterion)
      fprintf(out, "%s: share of instances that change sides", q->name);
    else
      fprintf(out, "%s: in %% of its scale, %.4g%s%s (%s)", q->name, q->scale, unit ? " " : "",
              unit ? q->unit : "", q->relative);
    if (!isnan(q->most)) fprintf(out, "; accepted %.3g %%", 100 * q->most / q->scale);
    fprintf(out, "\n");
  }
}

/* A part in per cent in nine columns. */
static void print_part(double part, double doubt, FILE *out) {
  if (isnan(part))
    fprintf(out, "%9s", "-");
  else if (part < doubt)
    fprintf(out, "%*s<%-.2g", doubt >= 1e-3 ? 3 : 1, "", 100 * doubt);
  else
    fprintf(out, "%9.2g", 100 * part);
}

static void print_columns(const omr_converge *c, const size_t *shown, size_t count, FILE *out) {
  fprintf(out, "\n%-40s %8s %8s %8s %-18s", "", "", "", "error /", "");
  for (size_t i = 0; i < count; i++) fprintf(out, "  %-27s", c->quantities[shown[i]].name);
  fprintf(out, "\n%-40s %8s %8s %8s %-18s", "way", "speed", "passes/s", "accepted", "of");
  for (size_t i = 0; i < count; i++) fprintf(out, "  %9s%9s%9s", "mean", "median", "worst");
  fprintf(out, "\n");
}

static void print_row(const omr_converge *c, size_t i, const size_t *shown, size_t count,
                      FILE *out) {
  const omr_converge_row *row = &c->rows[i];
  const omr_precision own = c->study->engine.precision;
  char text[96], name[128];

  /* The way, its speed and its passes. */
  snprintf(name, sizeof name, "%s%s%s", way_text(&row->way, text),
           row->way.precision == OMR_SINGLE_PRECISION ? ", single" : "", row->own ? " (own)" : "");
  fprintf(out, "%-40s %8.4g %8.4g ", name, row->speed, row->passes);

  /* The worst error, or the reason why there is none. */
  if (row->failed)
    fprintf(out, "%8zu %-18s", row->failed, "instances fail");
  else
    fprintf(out, "%8.2g %-18.18s", row->worst,
            isnan(row->worst) ? "" : c->quantities[row->worst_of].name);

  /* The errors of the shown quantities. */
  for (size_t j = 0; j < count; j++) {
    const omr_converge_quantity *q = &c->quantities[shown[j]];
    const omr_converge_error *e = &row->errors[shown[j]];
    fprintf(out, "  ");
    print_part(e->mean, q->doubt, out);
    print_part(e->median, q->doubt, out);
    print_part(e->worst, q->doubt_worst, out);
  }

  fprintf(out, "%s\n", c->choice[own] == (ptrdiff_t)i ? "  <- cheapest" : "");
}

/* "final_x to 1 %, fail.slides to 5 %" */
static void print_asked(const omr_converge *c, FILE *out) {
  size_t count = 0;
  if (c->by_default) {
    fprintf(out, "1 %% of every observable that the truth tells");
    return;
  }
  for (size_t i = 0; i < c->quantity_count; i++) {
    const omr_converge_quantity *q = &c->quantities[i];
    if (isnan(q->most)) continue;
    fprintf(out, "%s%s", count++ ? ", " : "", q->asked);
  }
}

/* The members to put into "integrator", and the ones to take away. */
static void print_line(const omr_converge *c, const omr_way *way, FILE *out) {
  const bool pair = omr_is_pair(way->method), was = omr_controls_steps(c->study);
  char number[32];
  snprintf(number, sizeof number, "%.12g", pair ? way->tolerance : way->step);
  fprintf(out, "  \"integrator\": {\"method\": \"%s\", \"%s\": %s, \"duration\": %.12g}\n",
          omr_method_kinds[way->method].name, pair ? "tolerance" : "step", number,
          c->study->time.duration);
  fprintf(out, "  or --set integrator.method=%s --set integrator.%s=%s",
          omr_method_kinds[way->method].name, pair ? "tolerance" : "step", number);
  if (pair != was) fprintf(out, " --set integrator.%s=null", pair ? "step" : "tolerance");
  if (omr_study_has_controller(c->study) &&
      fabs(c->study->drives.period / DEFAULT_PERIOD - 1) > 1e-9)
    fprintf(out, " --set parameters.controller_period=%.12g",
            c->study->drives.period); /* which may follow from the step */
  if (pair && !c->study->time.split) fprintf(out, " --set integrator.exchange=null");
  fprintf(out, "\n");
}

static void print_own(const omr_converge *c, const omr_converge_row *best, FILE *out) {
  char text[96];
  if (c->own < 0 || c->rows[c->own].rounds == 0) return;
  const omr_converge_row *own = &c->rows[c->own];
  if (own == best) {
    fprintf(out, "That is what the study has.\n");
    return;
  }
  fprintf(out, "The study has %s: %.3g times as fast", way_text(&own->way, text),
          own->speed / best->speed);
  if (own->failed)
    fprintf(out, ", and %zu of its instances fail.\n", own->failed);
  else if (own->accepted || !(own->worst > 1))
    fprintf(out, ", and accurate enough.\n");
  else
    fprintf(out, ", but the error of %s is %.3g times what is accepted.\n",
            c->quantities[own->worst_of].name, own->worst);
}

static void print_single(const omr_converge *c, FILE *out) {
  if (isnan(c->single_time)) return;
  const bool pair = omr_is_pair(
      c->rows[c->choice[OMR_DOUBLE]].way.method); /* its steps depend on the precision */
  const bool better = c->study->engine.precision == OMR_DOUBLE &&
                      c->choice[OMR_SINGLE_PRECISION] >= 0 && c->single_time < WORTH;
  fprintf(out,
          "Single precision takes %.2g of the time of double %s here, and the means that are asked "
          "for differ by %.1g of their scale%s.\n",
          c->single_time, pair ? "at the same tolerance" : "by the same steps",
          c->single_difference, better ? ": \"engine\": {\"precision\": \"single\"}" : "");
}

/* Where no way is accurate enough. */
static void print_nearest(const omr_converge *c, FILE *out) {
  const omr_converge_row *nearest = NULL;
  char text[96];
  for (size_t i = 0; i < c->row_count; i++) {
    const omr_converge_row *row = &c->rows[i];
    if (row->way.precision != c->study->engine.precision || row->failed || isnan(row->worst))
      continue;
    if (!nearest || row->worst < nearest->worst) nearest = row;
  }
  if (!nearest) return;
  fprintf(out, "The nearest is %s, where the error of %s is %.3g times what is accepted%s.\n",
          way_text(&nearest->way, text), c->quantities[nearest->worst_of].name, nearest->worst,
          nearest->worst <= 1 ? ", but shorter steps of it are worse" : "");
}

static void print_choice(const omr_converge *c, FILE *out) {
  const omr_precision precision = c->study->engine.precision;
  char text[96];
  fprintf(out, "\n");

  /* Without an accurate way, show the nearest. */
  if (c->choice[precision] < 0) {
    fprintf(out, "No way that was tried keeps ");
    print_asked(c, out);
    fprintf(out, ": give a longer --budget, or accept more (integrator.accept).\n");
    print_nearest(c, out);
    return;
  }

  /* The cheapest way, and a comparison with the study's own. */
  const omr_converge_row *best = &c->rows[c->choice[precision]];
  fprintf(out, "Cheapest for ");
  print_asked(c, out);
  fprintf(out, ": %s, %.4g vehicle-seconds per second%s.\n", way_text(&best->way, text),
          best->speed, c->per_device ? "" : " and core");

  print_line(c, &best->way, out);
  print_own(c, best, out);
  print_single(c, out);
}

void omr_converge_print(const omr_converge *c, const char *list, FILE *out) {
  size_t shown[OMR_CONVERGE_SHOWN];
  const size_t count = omr_converge_shown(c, list, shown);
  print_head(c, out);
  print_scales(c, shown, count, out);
  print_columns(c, shown, count, out);
  for (size_t i = 0; i < c->row_count; i++) print_row(c, i, shown, count, out);
  for (size_t i = 0; i < c->note_count; i++) fprintf(out, "%s%s\n", i ? "" : "\n", c->notes[i]);
  print_choice(c, out);
}
