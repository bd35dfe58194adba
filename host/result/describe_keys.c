/* Keys of the sections of a study, as their lists say them. */
#include "describe_keys.h"

static void add_key(omr_listing *t, const char *name, const char *unit, const char *standard,
                    const char *values, const char *meaning) {
  const char *cells[] = {name, unit, standard, values};
  omr_listing_row(t, cells, meaning);
}

static const char *const key_heads[] = {"key", "unit", "default", "values"};
#define X(id, name, unit, standard, values, meaning)                                               \
  add_key(t, name, unit, standard, values, meaning);
void omr_fill_section_keys(omr_listing *t, omr_model model) {
  (void)model;
  omr_listing_heads(t, key_heads);
#include "../lists/keys_study.def"
}
void omr_fill_vary_keys(omr_listing *t, omr_model model) {
  (void)model;
  omr_listing_heads(t, key_heads);
#include "../lists/keys_vary.def"
}
void omr_fill_design_keys(omr_listing *t, omr_model model) {
  (void)model;
  omr_listing_heads(t, key_heads);
#include "../lists/keys_design.def"
}
void omr_fill_integrator_keys(omr_listing *t, omr_model model) {
  (void)model;
  omr_listing_heads(t, key_heads);
#include "../lists/keys_integrator.def"
}
void omr_fill_output_keys(omr_listing *t, omr_model model) {
  (void)model;
  omr_listing_heads(t, key_heads);
#include "../lists/keys_output.def"
}
void omr_fill_trajectories_keys(omr_listing *t, omr_model model) {
  (void)model;
  omr_listing_heads(t, key_heads);
#include "../lists/keys_trajectories.def"
}
void omr_fill_engine_keys(omr_listing *t, omr_model model) {
  (void)model;
  omr_listing_heads(t, key_heads);
#include "../lists/keys_engine.def"
}
void omr_fill_calibrate_keys(omr_listing *t, omr_model model) {
  if (!omr_has_measured(model)) return;
  omr_listing_heads(t, key_heads);
#include "../lists/keys_calibrate.def"
}
void omr_fill_excite_keys(omr_listing *t, omr_model model) {
  if (!omr_has_measured(model)) return;
  omr_listing_heads(t, key_heads);
#include "../lists/keys_excite.def"
}
#undef X

void omr_fill_manoeuvres(omr_listing *t, omr_model model) {
  const char *heads[] = {"family"};
  if (!omr_has_measured(model)) return;
  omr_listing_heads(t, heads);
#define X(id, word, numbers, meaning)                                                              \
  {                                                                                                \
    const char *cells[] = {word};                                                                  \
    omr_listing_row(t, cells, meaning);                                                            \
  }
#include "../lists/manoeuvres.def"
#undef X
}

#define X(id, name, unit, standard, values, meaning)                                               \
  {                                                                                                \
    const char *cells[] = {OF, name, unit, standard, values};                                      \
    omr_listing_row(t, cells, meaning);                                                            \
  }
void omr_fill_data_keys(omr_listing *t, omr_model model) {
  const char *heads[] = {"of", "key", "unit", "default", "values"};
  if (!omr_has_measured(model)) return;
  omr_listing_heads(t, heads);
#define OF "data"
#include "../lists/keys_data.def"
#undef OF
#define OF "runs[i]"
#include "../lists/keys_data_run.def"
#undef OF
#define OF "measured[i]"
#include "../lists/keys_data_measured.def"
#undef OF
#define OF "its distribution"
#include "../lists/keys_data_unknown.def"
#undef OF
}
#undef X
