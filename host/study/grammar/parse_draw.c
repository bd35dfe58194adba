/* The values of one entry of "vary": levels or a distribution. */
#include "../designs/distributions.h"
#include "parse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LEVELS = 1 << 24 };

static const char *unit_of(const omr_reader *reader, const omr_variation *variation) {
  return variation->sensed ? omr_unknown_unit(variation->index, variation->wheel)
                           : omr_target_unit(reader, omr_target_of(variation));
}

omr_status omr_read_level(omr_reader *reader, const cJSON *item, const omr_variation *variation,
                          double *value) {
  const omr_target target = omr_target_of(variation);
  if (variation->sensed) return omr_read_quantity(reader, item, unit_of(reader, variation), value);
  OMR_TRY(omr_read_target(reader, item, target, omr_target_unit(reader, target), value));
  return omr_require_bounds(reader, item, target, *value);
}

omr_status omr_allocate_levels(omr_reader *reader, omr_variation *variation, size_t levels) {
  variation->values = calloc(levels, sizeof *variation->values);
  if (!variation->values) return omr_fail_memory(reader);
  variation->levels = levels;
  return OMR_OK;
}

static omr_status read_values(omr_reader *reader, const cJSON *item, omr_variation *variation) {
  OMR_TRY(omr_require_array(reader, item, 1, "values"));
  OMR_TRY(omr_allocate_levels(reader, variation, (size_t)cJSON_GetArraySize(item)));
  double *value = variation->values;
  const cJSON *level;
  cJSON_ArrayForEach(level, item) OMR_TRY(omr_read_level(reader, level, variation, value++));
  return OMR_OK;
}

static omr_status read_linspace(omr_reader *reader, const cJSON *item, omr_variation *variation) {
  double first, last, count;
  if (!cJSON_IsArray(item) || cJSON_GetArraySize(item) != 3)
    return OMR_MISTAKEN(reader, item, OMR_MISTAKE_TYPE,
                        "expected [first, last, count], such as [0.2, 0.6, 5]");
  OMR_TRY(omr_read_level(reader, item->child, variation, &first));
  OMR_TRY(omr_read_level(reader, item->child->next, variation, &last));
  OMR_TRY(omr_read_whole(reader, item->child->next->next, 2, MAX_LEVELS, &count));
  OMR_TRY(omr_allocate_levels(reader, variation, (size_t)count));

  /* Slopes in per cent are even in per cent, and others in their angles. */
  const bool rise = omr_in_per_cent(omr_target_of(variation), item->child) &&
                    omr_in_per_cent(omr_target_of(variation), item->child->next);
  const double from = rise ? tan(first) : first, to = rise ? tan(last) : last;
  for (size_t j = 0; j < variation->levels; j++) {
    const double level = from + (to - from) * (double)j / (count - 1);
    variation->values[j] = rise ? atan(level) : level;
    if (j + 1 == variation->levels) variation->values[j] = last;
    OMR_TRY(omr_require_bounds(reader, item, omr_target_of(variation), variation->values[j]));
  }
  return OMR_OK;
}

/* Value and weight of each level; the sums of the weights become probabilities. */
static omr_status read_discrete(omr_reader *reader, const cJSON *item, omr_variation *variation) {
  OMR_TRY(omr_require_array(reader, item, 1, "pairs [value, weight]"));
  OMR_TRY(omr_allocate_levels(reader, variation, (size_t)cJSON_GetArraySize(item)));
  variation->cumulative = calloc(variation->levels, sizeof *variation->cumulative);
  if (!variation->cumulative) return omr_fail_memory(reader);

  /* Weights are summed up to a cumulative distribution. */
  double sum = 0;
  size_t j = 0;
  const cJSON *pair;
  cJSON_ArrayForEach(pair, item) {
    double weight;
    if (!cJSON_IsArray(pair) || cJSON_GetArraySize(pair) != 2)
      return OMR_MISTAKEN(reader, pair, OMR_MISTAKE_TYPE, "expected [value, weight]");
    OMR_TRY(omr_read_level(reader, pair->child, variation, &variation->values[j]));
    OMR_TRY(omr_read_quantity(reader, pair->child->next, "1", &weight));
    if (!(weight > 0))
      return OMR_MISTAKEN(reader, pair->child->next, OMR_MISTAKE_RANGE,
                          "the weight %.9g is not above 0; leave out what never occurs", weight);
    variation->cumulative[j++] = sum += weight;
  }

  /* The distribution ends at 1. */
  if (isinf(sum)) return OMR_REFUSE(reader, item, "the weights' sum is too large for a double");
  for (j = 0; j < variation->levels; j++) variation->cumulative[j] /= sum;
  return OMR_OK;
}

static omr_status read_argument(omr_reader *reader, const cJSON *item,
                                const omr_variation *variation, char kind, double *value) {
  const char *unit = kind == 'p' ? "1" : unit_of(reader, variation);
  if (kind == 'l') return omr_read_level(reader, item, variation, value);
  OMR_TRY(omr_read_quantity(reader, item, unit, value));
  if (kind == 's' && *value < 0)
    return OMR_MISTAKEN(reader, item, OMR_MISTAKE_RANGE,
                        "the standard deviation %.9g is negative; write %.9g", *value, -*value);
  if (kind == 'p' && !(*value > 0))
    return OMR_MISTAKEN(reader, item, OMR_MISTAKE_RANGE, "is %.9g; it must be above 0", *value);
  return OMR_OK;
}

static omr_status require_order(omr_reader *reader, const cJSON *item, double low, double high) {
  if (low < high) return OMR_OK;
  const int digits = omr_digits_apart(low, high, 9);
  return OMR_MISTAKEN(reader, item, OMR_MISTAKE_RANGE, "low %.*g is not below high %.*g; %s",
                      digits, low, digits, high,
                      low > high
                          ? "the low one comes first"
                          : "a single value stands in \"parameters\", or in \"values\": [...]");
}

/* Parameters of a shape for which the quantiles are known to be accurate. */
static omr_status require_shape(omr_reader *reader, const cJSON *item, const char *name,
                                double shape) {
  if (shape >= 0.05 && shape <= 1e4) return OMR_OK;
  return OMR_MISTAKEN(reader, item, OMR_MISTAKE_RANGE,
                      "%s is %.*g; it must be at least 0.05 and at most 10000", name,
                      omr_digits_apart(shape, shape < 1 ? 0.05 : 1e4, 9), shape);
}

static omr_status check_positive(omr_reader *reader, const cJSON *item, const char *what,
                                 double value) {
  if (value > 0) return OMR_OK;
  return OMR_MISTAKEN(reader, item, OMR_MISTAKE_RANGE, "%s is %.9g; it must be above 0", what,
                      value);
}

static omr_status check_truncated(omr_reader *reader, const cJSON *item, const omr_variation *v) {
  OMR_TRY(check_positive(reader, item, "the standard deviation", v->b));
  OMR_TRY(require_order(reader, item, v->c, v->d));
  omr_variation trial = *v;
  omr_draw_fold(&trial);
  if (trial.width > 1e-290) return OMR_OK;
  return OMR_REFUSE(reader, item,
                    "low and high lie so far from the mean that nothing of the normal distribution "
                    "is between them");
}

static omr_status check_triangular(omr_reader *reader, const cJSON *item, const omr_variation *v) {
  OMR_TRY(require_order(reader, item, v->a, v->c));
  if (v->a <= v->b && v->b <= v->c) return OMR_OK;
  const int digits = omr_digits_apart(v->b, v->b < v->a ? v->a : v->c, 9);
  return OMR_MISTAKEN(reader, item, OMR_MISTAKE_RANGE,
                      "the mode %.*g is not between low %.*g and high %.*g", digits, v->b, digits,
                      v->a, digits, v->c);
}

static omr_status check_beta(omr_reader *reader, const cJSON *item, const omr_variation *v) {
  OMR_TRY(require_shape(reader, item->child, "alpha", v->a));
  OMR_TRY(require_shape(reader, item->child->next, "beta", v->b));
  return require_order(reader, item, v->c, v->d);
}

static omr_status check_arguments(omr_reader *reader, const cJSON *item, const omr_variation *v) {
  switch (v->draw) {
  case OMR_DRAW_UNIFORM: return require_order(reader, item, v->a, v->b);
  case OMR_DRAW_LOG_UNIFORM:
    OMR_TRY(check_positive(reader, item->child, "low", v->a));
    return require_order(reader, item, v->a, v->b);
  case OMR_DRAW_LOG_NORMAL: return check_positive(reader, item->child, "the median", v->a);
  case OMR_DRAW_TRUNCATED_NORMAL: return check_truncated(reader, item, v);
  case OMR_DRAW_TRIANGULAR: return check_triangular(reader, item, v);
  case OMR_DRAW_BETA: return check_beta(reader, item, v);
  case OMR_DRAW_WEIBULL:
    OMR_TRY(check_positive(reader, item->child, "the scale", v->a));
    return require_shape(reader, item->child->next, "the shape", v->b);
  default: return OMR_OK;
  }
}

/* Whole numbers from a to b become levels. */
static omr_status list_integers(omr_reader *reader, const cJSON *item, omr_variation *v) {
  if (v->a != rint(v->a) || v->b != rint(v->b))
    return OMR_MISTAKEN(reader, item, OMR_MISTAKE_TYPE, "expected two whole numbers [low, high]");
  OMR_TRY(require_order(reader, item, v->a, v->b));
  if (v->b - v->a >= MAX_LEVELS)
    return OMR_REFUSE(reader, item,
                      "more than %d whole numbers; at most that many can be drawn from",
                      MAX_LEVELS);
  OMR_TRY(omr_allocate_levels(reader, v, (size_t)(v->b - v->a) + 1));
  for (size_t j = 0; j < v->levels; j++) v->values[j] = v->a + (double)j;
  return OMR_OK;
}

static omr_status fail_form(omr_reader *reader, const cJSON *item, const omr_draw_kind *kind) {
  if (!cJSON_IsArray(item))
    return OMR_MISTAKEN(reader, item, OMR_MISTAKE_TYPE,
                        "expected %s, in this order and in brackets", kind->form);
  return OMR_MISTAKEN(reader, item, OMR_MISTAKE_TYPE, "expected %s; the list has %d", kind->form,
                      cJSON_GetArraySize(item));
}

static omr_status read_distribution(omr_reader *reader, const cJSON *item,
                                    omr_variation *variation) {
  const omr_draw_kind *kind = &omr_draw_kinds[variation->draw];
  const omr_parameter *parameter =
      variation->sensed ? NULL : omr_target_parameter(omr_target_of(variation));
  const size_t count = strlen(kind->arguments);
  double argument[4] = {0};

  if (!cJSON_IsArray(item) || (size_t)cJSON_GetArraySize(item) != count)
    return fail_form(reader, item, kind);
  if (parameter && parameter->flags & OMR_P_INTEGER && variation->draw != OMR_DRAW_INTEGER)
    return OMR_REFUSE(reader, item,
                      "%s is a whole number; list its \"values\" instead, or draw it by "
                      "\"integer\" or \"discrete\"",
                      omr_target_path(reader, omr_target_of(variation)));

  /* The arguments, in the order that the kind gives them. */
  const cJSON *given = item->child;
  for (size_t i = 0; i < count; i++, given = given->next)
    OMR_TRY(read_argument(reader, given, variation, kind->arguments[i], &argument[i]));
  variation->a = argument[0], variation->b = argument[1], variation->c = argument[2],
  variation->d = argument[3];

  OMR_TRY(check_arguments(reader, item, variation));
  omr_draw_fold(variation);
  return variation->draw == OMR_DRAW_INTEGER ? list_integers(reader, item, variation) : OMR_OK;
}

static omr_status fail_without_draw(omr_reader *reader, const cJSON *entry) {
  return OMR_REFUSE(reader, entry,
                    "needs one of \"values\": [...], \"linspace\": [first, last, count], "
                    "\"uniform\": [low, high], \"normal\": [mean, standard deviation], or another "
                    "distribution (docs/reference/statistics.md lists them)");
}

omr_status omr_read_draw(omr_reader *reader, const cJSON *entry, omr_variation *variation) {
  const cJSON *item = NULL;
  for (int draw = 0; draw < OMR_DRAWS; draw++) {
    const cJSON *found = omr_json_get(entry, omr_draw_kinds[draw].name);
    if (found && item)
      return OMR_REFUSE(reader, found,
                        "\"%s\" and \"%s\" are given; one of them decides the values", item->string,
                        found->string);
    if (!found) continue;
    item = found;
    variation->draw = (omr_draw)draw;
  }
  if (!item) return fail_without_draw(reader, entry);
  if (variation->draw == OMR_DRAW_VALUES) return read_values(reader, item, variation);
  if (variation->draw == OMR_DRAW_LINSPACE) return read_linspace(reader, item, variation);
  return variation->draw == OMR_DRAW_DISCRETE ? read_discrete(reader, item, variation)
                                              : read_distribution(reader, item, variation);
}
