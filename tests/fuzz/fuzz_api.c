/* The public interface: calls in any order with any arguments that its headers allow, on objects
 * that are there or not. Studies are starter studies and those of the input, shortened. */
#include "fuzz.h"

#include <omniroll/omniroll.h>

enum { MOST_CALLS = 12, MOST_INSTANCES = 4 };

typedef struct state {
  omr_study *study;
  omr_result *result;
  omr_error error;
  FILE *out;
  int calls_left; /* of progress */
} state;

static bool progress(void *user, double done, double total) {
  state *s = user;
  (void)done, (void)total;
  return s->calls_left-- > 0;
}

static void forget_result(state *s) {
  omr_result_destroy(s->result);
  s->result = NULL;
}

static void starter(state *s, input *in) {
  static const char *const kinds[] = {"single", "sweep", "monte_carlo", "nested", "rare", "cases"};
  static const char *const models[] = {NULL,       "mecanum",    "uk_wheel",
                                       "wheelset", "snakeboard", "omni_wheel"};
  char *word = take_text(in, 0), *text = NULL;
  const char *kind = word[0] ? word : kinds[take_byte(in) % 6];
  const char *few[] = {"engine.backend=scalar", "integrator.duration=2e-3", word};
  if (omr_starter_text(kind, models[take_byte(in) % 6], NULL, 0, &text, &s->error) == OMR_OK) {
    omr_study_destroy(s->study);
    s->study = NULL;
    MUST((omr_study_parse(text, "starter", few, 2 + take_byte(in) % 2u, &s->study, &s->error) ==
          OMR_OK) == (s->study != NULL));
  }
  omr_text_destroy(text);
  free(word);
}

static void parse(state *s, input *in) {
  char *text = take_text(in, 0), *path = take_text(in, 0);
  const char *words[] = {"engine.backend=scalar", path};
  omr_study_destroy(s->study);
  s->study = NULL;
  omr_study_parse(text, path, words, path[0] ? 2 : 1, &s->study, &s->error);
  free(text);
  free(path);
}

/* Short and small studies alone, so that an input takes milliseconds. */
static void run(state *s, input *in) {
  omr_run_options options = OMR_RUN_OPTIONS_INIT;
  if (!s->study || omr_study_instances(s->study) > MOST_INSTANCES) return;
  s->calls_left = take_byte(in) % 4;
  options.progress = progress;
  options.progress_user = s;
  options.no_step_error = take_byte(in) & 1;
  forget_result(s);
  const omr_status status = omr_run(s->study, &options, &s->result, &s->error);
  MUST((status == OMR_OK) == (s->result != NULL));
}

static void look_at_study(state *s) {
  char *text = NULL;
  if (!s->study) return;
  if (omr_study_instances(s->study) > 64) return;
  omr_study_validate_print(s->study, s->out, &s->error);
  if (omr_study_validate_json(s->study, &text, &s->error) == OMR_OK) omr_text_destroy(text);
  forget_result(s);
  omr_study_sample(s->study, &s->result, &s->error);
}

static void look_at_result(state *s, input *in) {
  const omr_result *r = s->result;
  const size_t i = take_byte(in);
  char *name = take_text(in, 0), *text = NULL, hex[33];
  size_t samples, wheels;
  if (r) {
    const size_t column = omr_result_find(r, name), quantity = omr_result_find_quantity(r, name);
    MUST(column == OMR_NONE || omr_result_column(r, column));
    MUST(quantity == OMR_NONE || omr_result_trajectory(r, quantity, &samples, &wheels));
    MUST((omr_result_column_name(r, i) != NULL) == (i < omr_result_columns(r)));
    (void)omr_result_column_unit(r, i), (void)omr_result_traced_row(r, i);
    (void)omr_result_quantity_name(r, i), (void)omr_result_quantity_unit(r, i);
    (void)omr_result_failure(r, i, NULL, NULL, NULL), (void)omr_result_failure_reason(r, i);
    (void)omr_result_failure_state(r, i);
    (void)omr_result_state_quantity(r, i, NULL, NULL, NULL);
    omr_result_hash(r, hex, &s->error);
    omr_print_summary(r, s->out);
    if (omr_result_statistics_json(r, &text, &s->error) == OMR_OK) omr_text_destroy(text);
    if (omr_result_run_json(r, &text, &s->error) == OMR_OK) omr_text_destroy(text);
    if (s->study) omr_result_check_failures(s->study, r, &s->error);
    if (s->study) omr_result_check_accept(s->study, r, &s->error);
  }
  free(name);
}

static void words(state *s, input *in) {
  char *word = take_text(in, 0), *json = NULL, meant[64];
  omr_shard shard;
  const char *const candidates[] = {"step", "duration", word, "tolerance"};
  if (omr_shard_parse(word, &shard, &s->error) == OMR_OK) MUST(shard.shard <= shard.shards);
  (void)omr_nearest(word, candidates, 4);
  if (omr_json_format(word, &json, &s->error) == OMR_OK) {
    char *again = NULL;
    MUST(omr_json_format(json, &again, &s->error) == OMR_OK && strcmp(json, again) == 0);
    omr_text_destroy(again);
  }
  omr_text_destroy(json);
  if (!strchr(word, '/')) omr_find_meant(word, ".json", meant, 1 + take_byte(in) % sizeof meant);
  char *path = omr_result_path(word);
  omr_text_destroy(path);
  if (omr_describe_json(word, &json, &s->error) == OMR_OK) omr_text_destroy(json);
  free(word);
}

static void tables(state *s, input *in) {
  const size_t i = take_byte(in);
  (void)omr_model_name(i), (void)omr_starter_kind_name(i), (void)omr_starter_kind_question(i);
  (void)omr_starter_kind_model(i), (void)omr_starter_model_name(i);
  (void)omr_starter_model_title(i), (void)omr_starter_model_base(i);
  (void)omr_status_name((int)i - 3), (void)omr_instance_status_name((int)i - 3);
  if (omr_model_name(i)) omr_describe(omr_model_name(i), s->out, &s->error);
}

static void mistakes(state *s, input *in) {
  const size_t i = take_byte(in);
  char *json = NULL;
  omr_error error = {0};
  (void)omr_error_code(&s->error, i), (void)omr_error_path(&s->error, i);
  (void)omr_error_line(&s->error, i), (void)omr_error_pointer(&s->error, i);
  (void)omr_error_text(&s->error, i);
  if (omr_error_json(&s->error, &json, &error) == OMR_OK) omr_text_destroy(json);
  char *word = take_text(in, 0);
  omr_fail(&s->error, OMR_ERR_USAGE, "%s: %s", word, s->error.message);
  free(word);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static state s;
  input in = {data, size};
  s.error = (omr_error){0};
  if (!s.out) s.out = fopen("/dev/null", "we");
  MUST(s.out);
  for (int call = 0; in.left && call < MOST_CALLS; call++) {
    switch (take_byte(&in) % 8) {
    case 0: starter(&s, &in); break;
    case 1: parse(&s, &in); break;
    case 2: run(&s, &in); break;
    case 3: look_at_study(&s); break;
    case 4: look_at_result(&s, &in); break;
    case 5: words(&s, &in); break;
    case 6: tables(&s, &in); break;
    default: mistakes(&s, &in);
    }
  }
  forget_result(&s);
  omr_study_destroy(s.study);
  s.study = NULL;
  return 0;
}
