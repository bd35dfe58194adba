/* omniroll compare STUDY --with OTHER: two studies of one machine on the reference, sample by
 * sample. */
#include "cli.h"
#include "progress.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One of the two. */
typedef struct side {
  omr_study *study;
  omr_multibody *run, *other; /* other: a second run, for the error of the first */
  const omr_result *result, *again;
  double seconds; /* of wall time, of the first */
} side;

/* A sample that both have by name. */
typedef struct pair {
  const char *name, *unit;
  size_t here, there, wheel; /* quantities; the wheel of the other's */
  double largest, time, size, scale;
  double own;                 /* largest sum of the errors of both sides' integrations */
  bool own_one_sided;         /* an integration has values that its second one has not */
  size_t compared, one_sided; /* values; values that only one of them has */
} pair;

typedef struct sides {
  side here, there;
  const char *name[2]; /* files */
  pair *pair;          /* [pairs] */
  size_t pairs, alone; /* and samples of the first that the other lacks */
  double tolerance;
} sides;

static omr_status integrate(const cli_arguments *arguments, side *s, omr_error *error) {
  cli_progress progress;
  const omr_multibody_options options = {.size = sizeof options,
                                         .choice = cli_choice(arguments),
                                         .progress = cli_reference_watch,
                                         .progress_user = &progress};

  /* Integrate, and once more for the error of the first run. */
  cli_progress_start(&progress, arguments->quiet, "simulated s/s");
  cli_catch_signals();
  const double start = cli_seconds();
  omr_status status = omr_multibody_create(s->study, &options, &s->run, error);
  s->seconds = cli_seconds() - start;
  if (status == OMR_OK && !cli_interrupted())
    status = omr_multibody_again(s->run, &options, &s->other, error);
  cli_progress_clear(&progress);

  /* An interruption leaves no result. */
  if (cli_interrupted() && (status == OMR_OK || status == OMR_ERR_INTERRUPTED))
    return omr_fail(error, OMR_ERR_INTERRUPTED, "interrupted");
  if (status != OMR_OK) return status;

  s->result = omr_multibody_result(s->run);
  s->again = omr_multibody_result(s->other);
  return status;
}

/* Both sides need the same instances at the same times. */
static omr_status check_times(const sides *s, omr_error *error) {
  const omr_result *a = s->here.result, *b = s->there.result;
  const size_t samples = omr_result_samples(a);
  const double *ta = omr_result_sample_times(a), *tb = omr_result_sample_times(b);
  if (omr_result_traced(a) != omr_result_traced(b))
    return omr_fail(error, OMR_ERR_STUDY,
                    "%s traces %zu instances and %s %zu; choose the same with --instances",
                    s->name[0], omr_result_traced(a), s->name[1], omr_result_traced(b));
  bool same = samples == omr_result_samples(b);
  for (size_t i = 0; same && i < samples; i++) same = fabs(ta[i] - tb[i]) <= 1e-9 * ta[samples - 1];
  if (same) return OMR_OK;
  return omr_fail(error, OMR_ERR_STUDY,
                  "%s and %s are sampled at different times; give both the same "
                  "integrator.duration and output.trajectories.interval",
                  s->name[0], s->name[1]);
}

/* "wheel_rate_2" is wheel_rate of wheel 2 where the other has a number for each wheel. */
static bool find_there(const omr_result *other, const char *name, size_t *quantity, size_t *wheel) {
  size_t wheels;
  *wheel = 0;
  *quantity = omr_result_find_quantity(other, name);
  if (*quantity != OMR_NONE)
    return omr_result_trajectory(other, *quantity, NULL, &wheels) && wheels == 1;
  const char *digits = strrchr(name, '_');
  char base[128], *end;
  if (!digits || !digits[1] || strspn(digits + 1, "0123456789") != strlen(digits + 1)) return false;
  snprintf(base, sizeof base, "%.*s", (int)(digits - name), name);
  *wheel = strtoul(digits + 1, &end, 10);
  *quantity = omr_result_find_quantity(other, base);
  return *quantity != OMR_NONE && omr_result_trajectory(other, *quantity, NULL, &wheels) &&
         *wheel < wheels;
}

static bool is_angle(const char *unit) {
  return strcmp(unit, "rad") == 0 || strcmp(unit, "1") == 0;
}

/* The drift of a run's constraints is an error of that run. */
static bool is_drift(const char *name) {
  return strcmp(name, "drift_position") == 0 || strcmp(name, "drift_velocity") == 0 ||
         strcmp(name, "drift_contact") == 0;
}

static omr_status add_pair(sides *s, size_t here, omr_error *error) {
  size_t there, wheel;
  pair *p = &s->pair[s->pairs];
  const char *name = omr_result_quantity_name(s->here.result, here);
  if (is_drift(name)) return OMR_OK;
  if (!find_there(s->there.result, name, &there, &wheel)) {
    s->alone++;
    return OMR_OK;
  }
  const char *unit = omr_result_quantity_unit(s->here.result, here),
             *other = omr_result_quantity_unit(s->there.result, there);
  if (strcmp(unit, other) != 0 && !(is_angle(unit) && is_angle(other)))
    return omr_fail(error, OMR_ERR_STUDY,
                    "%s is in %s in %s and in %s in %s; give what is not the same another name",
                    name, unit, s->name[0], other, s->name[1]);
  *p = (pair){.name = name, .unit = other, .here = here, .there = there, .wheel = wheel};
  s->pairs++;
  return OMR_OK;
}

/* A value of one side, as integrated first and once more. */
typedef struct twice {
  const double *first, *again;
  size_t width, wheel; /* numbers at a time; which of them */
} twice;

static twice twice_of(const side *s, size_t quantity, size_t wheel) {
  twice t = {.wheel = wheel};
  t.first = omr_result_trajectory(s->result, quantity, NULL, &t.width);
  t.again = omr_result_trajectory(s->again, quantity, NULL, &t.width);
  return t;
}

/* The error of the integration; 0 where there is none. */
static double left_by(const twice *t, size_t at, bool *one_sided) {
  const double first = t->first[at * t->width + t->wheel],
               again = t->again[at * t->width + t->wheel];
  *one_sided |= isfinite(first) != isfinite(again);
  return isfinite(first) && isfinite(again) ? fabs(first - again) : 0;
}

/* The error of the comparison itself. */
static void measure_own(const sides *s, pair *p, size_t samples) {
  const twice here = twice_of(&s->here, p->here, 0),
              there = twice_of(&s->there, p->there, p->wheel);
  for (size_t i = 0; i < omr_result_traced(s->here.result) * samples; i++)
    p->own =
        fmax(p->own, left_by(&here, i, &p->own_one_sided) + left_by(&there, i, &p->own_one_sided));
}

/* Largest difference; the range and largest size of the other's values. */
static void measure(const sides *s, pair *p) {
  size_t samples, wheels, width;
  const double *a = omr_result_trajectory(s->here.result, p->here, &samples, &width),
               *b = omr_result_trajectory(s->there.result, p->there, NULL, &wheels);
  const double *time = omr_result_sample_times(s->here.result);
  double low = HUGE_VAL, high = -HUGE_VAL;

  /* Compare the values that both sides have. */
  for (size_t i = 0; i < omr_result_traced(s->here.result) * samples; i++) {
    const double here = a[i * width], there = b[i * wheels + p->wheel];
    p->one_sided += isfinite(here) != isfinite(there);
    if (!isfinite(here) || !isfinite(there)) continue;
    low = fmin(low, there);
    high = fmax(high, there);
    if (p->compared++ > 0 && !(fabs(here - there) > p->largest)) continue;
    p->largest = fabs(here - there);
    p->time = time[i % samples];
  }

  /* The other's values are the scale. */
  p->scale = p->compared ? high - low : 0;
  p->size = p->compared ? fmax(fabs(low), fabs(high)) : 0;
  measure_own(s, p, samples);
}

/* Differences are held against the range of the other's values, as `omniroll compare` does; where
 * the range is rounding, against the largest size among values of the same unit; where nothing of
 * that unit moves, against 1. */
static void choose_scales(sides *s) {
  for (size_t i = 0; i < s->pairs; i++) {
    pair *p = &s->pair[i];
    double kin = 0;
    for (size_t j = 0; j < s->pairs; j++)
      if (strcmp(s->pair[j].unit, p->unit) == 0) kin = fmax(kin, s->pair[j].size);
    if (!(p->scale > 0 && p->scale >= 1e-6 * kin)) p->scale = kin > 0 ? kin : 1;
  }
}

static omr_status compare(sides *s, omr_error *error) {
  const size_t quantities = omr_result_quantities(s->here.result);
  s->pair = calloc(quantities + 1, sizeof *s->pair);
  if (!s->pair) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  omr_status status = check_times(s, error);
  for (size_t q = 0; q < quantities && status == OMR_OK; q++) status = add_pair(s, q, error);
  if (status == OMR_OK && s->pairs == 0)
    return omr_fail(error, OMR_ERR_STUDY,
                    "no sample of %s has the name of one of %s; name samples as the other has "
                    "them, those of wheel 0 as \"wheel_rate_0\"",
                    s->name[0], s->name[1]);
  for (size_t i = 0; i < s->pairs && status == OMR_OK; i++) measure(s, &s->pair[i]);
  choose_scales(s);
  return status;
}

static bool differs(const sides *s, const pair *p) {
  return p->compared == 0 || p->one_sided > 0 || p->largest > s->tolerance * p->scale;
}

/* The sample differs, but the errors of the two integrations may be all of it: twice the errors
 * that are seen, as in `omniroll compare`. */
static bool limited(const sides *s, const pair *p) {
  if (!differs(s, p) || p->compared == 0) return false;
  if (p->one_sided > 0) return p->own_one_sided;
  return p->largest - 2 * p->own <= s->tolerance * p->scale;
}

static int gravity(const sides *s, const pair *p) {
  return differs(s, p) + (differs(s, p) && !limited(s, p));
}

static const pair *worst(const sides *s) {
  const pair *worst = &s->pair[0];
  for (size_t i = 1; i < s->pairs; i++) {
    const pair *p = &s->pair[i];
    const int more = gravity(s, p) - gravity(s, worst);
    if (more > 0 || (more == 0 && p->largest / p->scale > worst->largest / worst->scale)) worst = p;
  }
  return worst;
}

static const char *mark_of(const sides *s, const pair *p) {
  return limited(s, p) ? "  UNDECIDED" : differs(s, p) ? "  DIFFERS" : "";
}

static void print(const sides *s) {
  printf("%s and %s on the reference\n\n", s->name[0], s->name[1]);
  printf("  %-20s %12s %10s %12s %10s %10s\n", "sample", "difference", "at s", "over", "relative",
         "own error");
  for (size_t i = 0; i < s->pairs; i++) {
    const pair *p = &s->pair[i];
    printf("  %-20s %12.3g %10.4g %12.4g %10.2g %10.2g  %s%s\n", p->name, p->largest, p->time,
           p->scale, p->largest / p->scale, p->own / p->scale, p->unit, mark_of(s, p));
  }
  printf("\n%zu samples of the same name", s->pairs);
  if (s->alone > 0) printf("; %zu more of %s alone", s->alone, s->name[0]);
  printf(
      "\nown error: the differences of both from themselves at the tolerances %g and %g, relative",
      omr_multibody_tolerance(s->here.other), omr_multibody_tolerance(s->there.other));
  printf("\nrun time %.3g s and %.3g s, ratio %.3g\n", s->here.seconds, s->there.seconds,
         s->here.seconds / s->there.seconds);
}

static void add_number(cJSON *to, const char *name, double value) {
  cli_add(to, name, cJSON_CreateNumber(value));
}

static cJSON *side_json(const sides *s, int which) {
  cJSON *study = cJSON_CreateObject();
  cli_add_text(study, "file", s->name[which]);
  const side *which_side = which == 0 ? &s->here : &s->there;
  add_number(study, "reference_tolerance", omr_multibody_tolerance(which_side->run));
  add_number(study, "reference_again_tolerance", omr_multibody_tolerance(which_side->other));
  add_number(study, "wall_seconds", which_side->seconds);
  return study;
}

static cJSON *pair_json(const sides *s, const pair *p) {
  cJSON *entry = cJSON_CreateObject();
  cli_add_text(entry, "name", p->name);
  cli_add_text(entry, "unit", p->unit);
  add_number(entry, "difference", p->largest);
  add_number(entry, "time", p->time);
  add_number(entry, "scale", p->scale);
  add_number(entry, "own_error", p->own);
  add_number(entry, "compared", (double)p->compared);
  add_number(entry, "one_sided", (double)p->one_sided);
  cli_add(entry, "differs", cJSON_CreateBool(differs(s, p)));
  cli_add(entry, "limited", cJSON_CreateBool(limited(s, p)));
  return entry;
}

static omr_status print_json(const sides *s, omr_error *error) {
  cJSON *root = cJSON_CreateObject(), *list = cJSON_CreateArray();
  cli_add(root, "study", side_json(s, 0));
  cli_add(root, "with", side_json(s, 1));
  add_number(root, "tolerance", s->tolerance);
  for (size_t i = 0; i < s->pairs; i++) cli_add(list, NULL, pair_json(s, &s->pair[i]));
  cli_add(root, "samples", list);
  add_number(root, "without", (double)s->alone);
  cli_add(root, "differs", cJSON_CreateBool(differs(s, worst(s))));
  cli_add(root, "limited_by_reference", cJSON_CreateBool(limited(s, worst(s))));
  return cli_print_json(root, error);
}

/* A setting that makes both exact enough for the tolerance, or a tolerance that they can keep. */
static void describe_remedy(const sides *s, const pair *p, char *text, size_t size) {
  const double first = omr_multibody_tolerance(s->here.run),
               again = omr_multibody_tolerance(s->here.other), own = p->own / p->scale;
  if (again < first) {
    snprintf(text, size, "integrate both more exactly, --reference-tolerance %g or less", again);
    return;
  }
  snprintf(text, size,
           "rounding in double leaves no room for a smaller --reference-tolerance: ask for less, "
           "--tolerance %.1g",
           4 * own);
}

static omr_status report(const cli_arguments *arguments, const sides *s, omr_error *error) {
  const pair *p = worst(s);
  char remedy[160];

  /* Print the comparison. */
  if (arguments->json) {
    const omr_status status = print_json(s, error);
    if (status != OMR_OK) return status;
  } else if (!arguments->quiet) {
    print(s);
  }

  /* The worst sample decides. */
  if (limited(s, p)) {
    describe_remedy(s, p, remedy, sizeof remedy);
    return omr_fail(error, OMR_ERR_DIFFERS,
                    "NOT DECIDED: %s by %.3g %s at %.6g s, %.2g of its range, of which the "
                    "reference's own error, %.2g, may be all: %s",
                    p->name, p->largest, p->unit, p->time, p->largest / p->scale, p->own / p->scale,
                    remedy);
  }

  if (p->one_sided || !p->compared)
    return omr_fail(error, OMR_ERR_DIFFERS, "DIFFER: %s has values in one of them alone", p->name);
  if (differs(s, p))
    return omr_fail(error, OMR_ERR_DIFFERS, "DIFFER: %s by %.3g %s at %.6g s, %.2g of its range",
                    p->name, p->largest, p->unit, p->time, p->largest / p->scale);

  if (!arguments->json && !arguments->quiet)
    printf("agree within %g: %s by %.2g of its range\n", s->tolerance, p->name,
           p->largest / p->scale);
  return OMR_OK;
}

omr_status cli_compare_with(const cli_arguments *arguments, omr_error *error) {
  sides s = {.name = {arguments->operand, arguments->with},
             .tolerance = arguments->tolerance < 0 ? 1e-6 : arguments->tolerance};

  /* The comparison has no trajectories of its own. */
  if (arguments->output)
    return omr_fail(error, OMR_ERR_USAGE,
                    "compare --with writes no file; omniroll reference STUDY -o writes the "
                    "trajectories of one");

  /* Integrate both studies and compare their samples. */
  omr_status status = cli_begin_instances(arguments, &s.here.study, error);
  if (status == OMR_OK) status = omr_study_load(arguments->with, NULL, 0, &s.there.study, error);
  if (status == OMR_OK) status = integrate(arguments, &s.here, error);
  if (status == OMR_OK) status = integrate(arguments, &s.there, error);
  if (status == OMR_OK) status = compare(&s, error);
  if (status == OMR_OK) status = report(arguments, &s, error);

  free(s.pair);
  omr_multibody_destroy(s.here.run);
  omr_multibody_destroy(s.there.run);
  omr_multibody_destroy(s.here.other);
  omr_multibody_destroy(s.there.other);
  omr_study_destroy(s.here.study);
  omr_study_destroy(s.there.study);
  return status;
}
