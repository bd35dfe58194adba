/* The group of a measure of sensitivity: datasets over (quantity, parameter), whose scales are
 * their names. */
#include "../result/hdf5_file.h"
#include "sensitivity_table.h"

enum { QUANTITY, PARAMETER };

typedef struct place {
  omr_hdf5 *h5;
  hid_t group;
  const omr_sensitivity *table;
  omr_hdf5_scale scales[2];
} place;

/* A dimension scale of the names of so many columns. */
static omr_hdf5_scale names_of(const place *p, const char *name, const char *meaning,
                               const omr_sample_info *info, size_t count) {
  const omr_field field = OMR_FIELD(TEXT, omr_sample_info, name, name, NULL, meaning);
  return omr_hdf5_scale_texts(
      p->h5, &(omr_structures){p->group, info, count, sizeof *info, 0, 1, NULL}, &field);
}

static void numbers(const place *p, omr_hdf5_name name, hid_t type, int rank, const void *values) {
  omr_hdf5_put_variable(p->h5, p->group, name, type, rank, p->scales, values);
}

/* Writes name, name_low, name_high. Units differ by quantity; the group's attribute `unit` explains
 * that. */
static void estimates(const place *p, const char *name, const char *meaning, int rank,
                      const omr_estimate *values, size_t count) {
  static const char *const ends[] = {"", "_low", "_high"}, *const words[] = {
                                                               "", "lower end of the interval: ",
                                                               "upper end of the interval: "};
  static const size_t at[] = {offsetof(omr_estimate, value), offsetof(omr_estimate, low),
                              offsetof(omr_estimate, high)};
  for (int end = 0; end < 3; end++) {
    char label[64], text[256];
    snprintf(label, sizeof label, "%s%s", name, ends[end]);
    snprintf(text, sizeof text, "%s%s", words[end], meaning);
    omr_hdf5_put_fields(
        p->h5, &(omr_structures){p->group, values, count, sizeof *values, 0, rank, p->scales},
        &(omr_field){{label, NULL, text}, OMR_FIELD_NUMBER, at[end]}, 1);
  }
}

static void write_counts(const place *p) {
  const omr_sensitivity *t = p->table;
  char name[64];
  omr_hdf5_text(p->h5, p->group, "rows", omr_measures[t->measure].rows);
  omr_hdf5_integer(p->h5, p->group, "count", (int64_t)t->groups);
  omr_hdf5_integer(p->h5, p->group, "ok", (int64_t)t->ok);
  omr_hdf5_integer(p->h5, p->group, "group_rows", (int64_t)t->group_rows);
  if (t->rest) omr_hdf5_integer(p->h5, p->group, "rows_beyond_the_last_group", (int64_t)t->rest);
  for (int code = 1; code < OMR_INSTANCE_STATUS_COUNT; code++) {
    snprintf(name, sizeof name, "failed_%s", omr_instance_status_name(code));
    if (t->failed[code]) omr_hdf5_integer(p->h5, p->group, name, (int64_t)t->failed[code]);
  }
  omr_hdf5_number(p->h5, p->group, "confidence", t->confidence);
  if (t->measure == OMR_MEASURE_SOBOL)
    omr_hdf5_integer(p->h5, p->group, "bootstrap", (int64_t)t->bootstrap);
}

static void write_reasons(const place *p) {
#define X(id, ...) OMR_REASON_##id,
  static const int8_t codes[] = {OMR_REASONS(X)};
#undef X
#define X(id, name, ...) name " "
  static const char names[] = OMR_REASONS(X);
#undef X
  const omr_hdf5_name name = {"reason", NULL, "why there is no value"};
  const hid_t dataset =
      omr_hdf5_variable(p->h5, p->group, name, H5T_NATIVE_INT8, 2, p->scales, p->table->reason);
  omr_hdf5_bytes(p->h5, dataset, "flag_values", codes, sizeof codes);
  omr_hdf5_text(p->h5, dataset, "flag_meanings", names);
  if (dataset >= 0) H5Dclose(dataset);
}

static void write_table(const place *p) {
  const omr_sensitivity *t = p->table;
  const omr_measure_info *m = &omr_measures[t->measure];

  const size_t cells = t->quantities * t->parameters;
  numbers(p, (omr_hdf5_name){"used", NULL, "ok rows or groups in which every instance has a value"},
          H5T_NATIVE_UINT64, 1, t->used);

  /* moments of the observable, which Sobol' indices are parts of */
  if (t->measure == OMR_MEASURE_SOBOL) {
    estimates(p, "mean", "mean of the observable, in its unit", 1, t->mean, t->quantities);
    estimates(p, "variance", "variance of the observable, in its unit squared", 1, t->variance,
              t->quantities);
  }

  if (t->measure == OMR_MEASURE_CORRELATION)
    numbers(p, (omr_hdf5_name){"rank_used", NULL, "rows that the ranks are taken of"},
            H5T_NATIVE_UINT64, 1, t->rank_used);

  /* the two estimates with their intervals */
  for (int e = 0; e < 2; e++) {
    char meaning[160];
    snprintf(meaning, sizeof meaning, "%s%s", m->meanings[e],
             m->in_units ? ", in the observable's unit" : "");
    estimates(p, m->estimates[e], meaning, 2, t->estimates[e], cells);
  }

  if (t->measure == OMR_MEASURE_MORRIS)
    numbers(
        p,
        (omr_hdf5_name){"sigma", NULL,
                        "standard deviation of the elementary effects, in the observable's unit"},
        H5T_NATIVE_DOUBLE, 2, t->sigma);
  write_reasons(p);
}

void omr_sensitivity_write(const omr_sensitivity *s, omr_hdf5 *h5) {
  if (s->measure == OMR_MEASURE_NONE || s->quantities == 0) return;
  place p = {h5,
             omr_hdf5_subgroup(h5, "statistics", omr_measures[s->measure].name),
             s,
             {{-1, 0}, {-1, 0}}};
  write_counts(&p);
  p.scales[QUANTITY] =
      names_of(&p, "quantity", "observable", s->info + s->parameters, s->quantities);
  p.scales[PARAMETER] = names_of(&p, "parameter", "varied parameter", s->info, s->parameters);
  write_table(&p);
  for (int d = 0; d < 2; d++) omr_hdf5_scale_close(&p.scales[d]);
  if (p.group >= 0) H5Gclose(p.group);
}
