#include "../result/failures.h"
#include "../study/designs/distributions.h"
#include "../study/expression/goal.h"
#include "../study/grammar/reader.h"
#include "../study/json/json.h"
#include "describe_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef void fill_fn(omr_listing *t);
enum { KEY_VALUES = 256 };

static void fill_vehicle(omr_listing *t) {
  for (int i = 0; i < OMR_VP_COUNT; i++) omr_listing_parameter(t, false, i);
}

static void fill_wheel(omr_listing *t) {
  for (int i = 0; i < OMR_WP_COUNT; i++) omr_listing_parameter(t, true, i);
}

static void add_two(omr_listing *t, const char *name, const char *second, const char *meaning) {
  const char *cells[] = {name, second};
  omr_listing_row(t, cells, meaning);
}

/* Words of the laws stand in a table of their own, where the weights have their meanings. */
static void fill_words_of(omr_listing *t, bool of_laws) {
  const omr_key_list *list = &omr_key_lists[OMR_SECTION_WORDS];
  for (int k = 0; k < list->count; k++) {
    const omr_key *word = &list->keys[k];
    char values[KEY_VALUES];
    if ((word->laws && !word->models) != of_laws || !omr_word_belongs(word, t->model)) continue;
    const char *name = of_laws ? word->name + sizeof "contact." - 1 : word->name;
    if (word->kinds != omr_weights_kinds)
      add_two(t, name, omr_key_values(word, values, sizeof values),
              of_laws ? word->meaning : omr_framed_word(t->frame, word->name, word->meaning));
    else
      for (int i = 0; i < OMR_WEIGHTS_KINDS; i++)
        add_two(t, i ? "" : name, omr_weights_kinds[i].name, omr_weights_kinds[i].meaning);
  }
}

static void fill_words(omr_listing *t) {
  fill_words_of(t, false);
}

static void fill_law_words(omr_listing *t) {
  fill_words_of(t, true);
}

static void fill_methods(omr_listing *t) {
  for (int i = 0; omr_model_is_own(t->model) && i < 2; i++) /* the reference's */
    omr_listing_row(t, &omr_own_methods[i], omr_own_method_meanings[i]);
  if (omr_model_is_own(t->model)) return;
  for (int i = 0; i < OMR_METHOD_KINDS; i++) {
    const omr_method method = (omr_method)i;
    if (omr_small_list_of(t->model) && (!omr_is_explicit(method) || omr_is_pair(method))) continue;
    omr_listing_row(t, &omr_method_kinds[i].name, omr_method_kinds[i].meaning);
  }
}

static void fill_backends(omr_listing *t) {
  for (int i = 0; i < OMR_BACKEND_KINDS; i++)
    if (i == OMR_BACKEND_REFERENCE || !omr_model_is_own(t->model))
      omr_listing_row(t, &omr_backend_kinds[i].name, omr_backend_kinds[i].meaning);
}

static void add_sample(omr_listing *t, omr_framing turn, omr_sample_info as_listed) {
  const omr_sample_info info = omr_framed_sample(turn, as_listed);
  add_two(t, info.name, info.unit, info.meaning);
}

/* Lists of samples, and what a sample of them is called where a frame turns it. */
enum { OF_VEHICLE, OF_WHEELS, SHAPES, DRIFTS };
static const struct samples {
  const char *of;
  const omr_sample_info *list;
  int count;
  omr_framing (*turn)(omr_frame_kind frame, int index);
} samples[] = {
    [OF_VEHICLE] = {"sample", omr_vehicle_samples, OMR_VS_COUNT, omr_vehicle_sample_turn},
    [OF_WHEELS] = {"wheel sample", omr_wheel_samples, OMR_WS_COUNT, omr_wheel_sample_turn},
    [SHAPES] = {"wheel shape", omr_wheel_shapes, OMR_SHAPE_COUNT, omr_wheel_shape_turn},
    [DRIFTS] = {"", omr_drift_samples, OMR_DRIFT_COUNT, omr_drift_turn}};

static void fill_samples(omr_listing *t, const struct samples *of) {
  for (int i = 0; i < of->count; i++) add_sample(t, of->turn(t->frame, i), of->list[i]);
}

static void fill_observables(omr_listing *t) {
  for (int i = 0; i < OMR_OBS_COUNT; i++) {
    const omr_observable o = omr_framed_observable(t->frame, i);
    const bool sprung = o.group & OMR_OF_COMPLIANT && omr_has_platform(t->model);
    const char *cells[] = {o.name, o.unit,
                           o.group & OMR_ON_DEMAND ? "if named"
                           : sprung                ? "compliant"
                                                   : "on"};
    if (omr_observable_fits(i, t->model, -1)) omr_listing_row(t, cells, o.meaning);
  }
}

static void fill_statuses(omr_listing *t) {
#define X(id, code, name, meaning) add_two(t, #code, name, meaning);
#include "../lists/statuses.def"
#undef X
}

static void add_meaning(omr_listing *t, const char *word, const char *meaning) {
  omr_listing_row(t, &word, meaning);
}

static void fill_mistakes(omr_listing *t) {
#define X(id, word, meaning) add_meaning(t, word, meaning);
#include "../lists/mistakes.def"
#undef X
}

static void fill_doubts(omr_listing *t) {
#define X(id, word, meaning) add_meaning(t, word, meaning);
#include "../lists/doubts.def"
#undef X
}

/* As a study of the model without more words has them. */
static void fill_last_states(omr_listing *t) {
  const omr_study study = {.model = t->model,
                           .frame = t->frame,
                           .wheels = 1,
                           .time.budget = t->model != OMR_MODEL_DISC_VEHICLE,
                           .contact.penalty = t->model == OMR_MODEL_DISC_VEHICLE};
  omr_failures failures;
  if (omr_failures_make(&study, &failures, NULL) != OMR_OK) return;
  for (size_t j = 0; j < failures.vehicle_count; j++)
    add_two(t, failures.vehicle[j].name, failures.vehicle[j].unit, failures.vehicle[j].meaning);
  for (size_t j = 0; j < failures.wheel_count; j++)
    add_two(t, failures.wheel[j].name, failures.wheel[j].unit, failures.wheel[j].meaning);
}

static void fill_draws(omr_listing *t) {
  for (int i = 0; i < OMR_DRAWS; i++) {
    const char *cells[] = {omr_draw_kinds[i].name, omr_draw_kinds[i].form};
    omr_listing_row(t, cells, omr_draw_kinds[i].meaning);
  }
}

static void fill_designs(omr_listing *t) {
  for (int i = 0; i < OMR_DESIGNS; i++)
    if (!omr_design_is_given((omr_design)i))
      omr_listing_row(t, &omr_design_kinds[i].name, omr_design_kinds[i].meaning);
}

static void fill_goal_terms(omr_listing *t) {
  for (int i = 0; i < OMR_TERM_KINDS; i++)
    omr_listing_row(t, &omr_term_rows[i].form, omr_term_rows[i].meaning);
}

static void fill_small_words(omr_listing *t) {
  const omr_small_list *small = omr_small_list_of(t->model);
  for (int w = 0; w < small->words; w++) {
    for (int i = 0; i < omr_word_choices(&small->word_list[w]); i++) {
      const omr_small_choice *choice = &small->word_list[w].choices[i];
      const char *cells[] = {i ? "" : small->word_list[w].path, choice->name};
      omr_listing_row(t, cells, choice->meaning);
    }
  }
}

/* Names that a study of a model without lists gives. */
static void fill_own(omr_listing *t) {
#define X(id, place, form, meaning) add_two(t, place, form, meaning);
#include "../lists/keys/own.def"
#undef X
}

static void fill_small_samples(omr_listing *t) {
  const omr_small_list *small = omr_small_list_of(t->model);
  for (int i = 0; i < small->samples; i++)
    add_sample(t, omr_small_sample_turn(t->frame, t->model, small->sample_ids[i]),
               small->sample_list[i]);
}

static void fill_frames(omr_listing *t) {
  if (omr_model_is_own(t->model)) return; /* its axes are the study's */
  for (int f = 0; f < OMR_FRAMES; f++)
    omr_listing_row(t, &omr_frame_list[f].name, omr_frame_list[f].meaning);
}

/* A quantity that another frame than the first turns: its name in the first one, and here. */
static void add_turn(omr_listing *t, omr_frame_kind frame, const char *of, const char *name,
                     omr_framing turn) {
  const char *cells[] = {omr_frame_list[frame].name, of, name, turn.name ? turn.name : name,
                         turn.how & OMR_TURN_NEGATED ? "-" : "+"};
  if (turn.how & (OMR_TURN_NEGATED | OMR_TURN_RENAMED))
    omr_listing_row(t, cells, turn.meaning ? turn.meaning : "");
}

static void add_turns(omr_listing *t, omr_model model, omr_frame_kind frame) {
  const omr_small_list *small = omr_small_list_of(model);
  for (int i = 0; i < OMR_VP_COUNT; i++)
    if (omr_parameter_belongs(&omr_vehicle_parameters[i], model))
      add_turn(t, frame, "parameter", omr_vehicle_parameters[i].path,
               omr_parameter_turn(frame, false, i));
  for (int i = 0; i < OMR_WP_COUNT; i++)
    if (omr_parameter_belongs(&omr_wheel_parameters[i], model))
      add_turn(t, frame, "of wheels", omr_wheel_parameters[i].path,
               omr_parameter_turn(frame, true, i));
  for (int i = 0; i < OMR_OBS_COUNT; i++)
    if (omr_observable_fits(i, model, -1))
      add_turn(t, frame, "observable", omr_observables[i].name, omr_observable_turn(frame, i));
  for (int i = 0; small && i < small->samples; i++)
    add_turn(t, frame, "sample", small->sample_list[i].name,
             omr_small_sample_turn(frame, model, small->sample_ids[i]));
  for (int s = 0; !small && s < DRIFTS; s++)
    for (int i = 0; i < samples[s].count; i++)
      add_turn(t, frame, samples[s].of, samples[s].list[i].name, samples[s].turn(frame, i));
}

static void fill_turns(omr_listing *t) {
  for (int f = 0; f < OMR_FRAMES; f++) add_turns(t, t->model, (omr_frame_kind)f);
}

static void fill_manoeuvres(omr_listing *t) {
  if (!omr_has_measured(t->model)) return;
#define X(id, word, numbers, meaning) add_meaning(t, word, meaning);
#include "../lists/manoeuvres.def"
#undef X
}

/* Models that have a table. */
enum { FOR_OMNI = 1, FOR_SMALL = 2, FOR_ALL = 3, FOR_PLATFORM = 4, FOR_ROLLERS = 8, FOR_OWN = 16 };

/* A table: its heading as text, its key and the names of its cells as JSON (but the last one,
 * "meaning"), the models that have it, and the line over its rows, where it has one. Rows are
 * printed by a function, or they are the keys of `sections` sections from `section` on, with a word
 * for each in the column "of", or the `count` kinds or the samples of a list. */
static const struct table {
  const char *heading, *key, *names[OMR_LISTING_COLUMNS];
  int models;
  fill_fn *fill;
  const char *heads[OMR_LISTING_COLUMNS];
  omr_section section;
  int sections;
  const char *of[4];
  const omr_kind *kinds;
  int count;
  const struct samples *samples;
} tables[] = {
#define NAMES(...)                                                                                 \
  { __VA_ARGS__ }
#define FILL(function) .fill = function
#define HEADS(...) .heads = {__VA_ARGS__}
#define KEYS(section_) .section = section_, .sections = 1
#define LISTS(first, count, ...) .section = first, .sections = count, .of = {__VA_ARGS__}
#define KINDS(list, count_) .kinds = list, .count = count_
#define SAMPLES(list) .samples = &samples[list]
#define TABLE(heading, key, names, models, ...) {heading, key, names, models, __VA_ARGS__},
#include "../lists/described.def"
#undef TABLE
};
enum { TABLES = sizeof tables / sizeof *tables };

static bool belongs(const struct table *table, omr_model model) {
  const bool small = omr_small_list_of(model) != NULL, vehicle = omr_has_platform(model);
  const int of = (small ? FOR_SMALL : FOR_OMNI) | (vehicle ? FOR_PLATFORM : 0) |
                 (small || model == OMR_MODEL_DISC_VEHICLE ? 0 : FOR_ROLLERS) |
                 (omr_model_is_own(model) ? FOR_OWN : 0);
  return table->models & of;
}

/* The cell of a key under the name of a column. */
static const char *key_cell(const omr_key *key, const char *of, const char *column, char *buffer,
                            size_t size) {
  if (strcmp(column, "of") == 0) return of;
  if (strcmp(column, "name") == 0) return key->name;
  if (strcmp(column, "unit") == 0) return key->unit;
  return strcmp(column, "default") == 0 ? key->standard : omr_key_values(key, buffer, size);
}

static bool is_of_measured(omr_section section) {
  return section == OMR_SECTION_DATA || section == OMR_SECTION_CALIBRATE ||
         section == OMR_SECTION_EXCITE;
}

static void fill_keys(omr_listing *t, const struct table *table) {
  const char *cells[OMR_LISTING_COLUMNS];
  char values[KEY_VALUES];

  /* Keys of several columns stand under a line of heads. */
  for (int c = 0; c < t->columns; c++)
    cells[c] = strcmp(table->names[c], "name") == 0 ? "key" : table->names[c];
  if (t->columns > 2) omr_listing_heads(t, cells);

  for (int s = 0; s < table->sections; s++) {
    const omr_key_list *list = &omr_key_lists[table->section + (unsigned)s];
    for (int k = 0; k < list->count; k++) {
      for (int c = 0; c < t->columns; c++)
        cells[c] = key_cell(&list->keys[k], table->of[s], table->names[c], values, sizeof values);
      omr_listing_row(t, cells, list->keys[k].meaning);
    }
  }
}

static void fill(omr_listing *t, const struct table *table) {
  /* A chosen row stands in the words of its frame already, and rules between keys would be more
   * rows than the keys that were chosen: `describe MODEL rules` lists them. */
  if (t->choice && !t->whole && (table->fill == fill_turns || table->fill == omr_fill_rules))
    return;

  if (table->heads[0]) omr_listing_heads(t, table->heads);
  if (table->fill)
    table->fill(t);
  else if (table->kinds)
    omr_fill_kinds(t, table->kinds, table->count, false);
  else if (table->samples)
    fill_samples(t, table->samples);
  else if (!is_of_measured(table->section) || omr_has_measured(t->model))
    fill_keys(t, table);
}

static void print_table(omr_page *page, const struct table *table, omr_model model) {
  /* A listing of the table's rows, or of the chosen ones. */
  omr_listing t = {
      .model = model, .frame = page->frame, .choice = page->choice, .names = table->names};
  while (t.columns < OMR_LISTING_COLUMNS && table->names[t.columns]) {
    if (strcmp(table->names[t.columns], "name") == 0) t.name_column = t.columns;
    t.columns++;
  }
  t.whole = t.choice && omr_choice_takes_table(t.choice, table->key);

  if (page->json) {
    t.rows = omr_tree_list(page->json, table->key);
    if (t.rows) fill(&t, table);
    return;
  }
  fill(&t, table); /* counts the rows and measures the columns */
  if (t.count == 0) return;
  fputc('\n', page->out);
  omr_listing_text(page->out, table->heading, 0);
  fputc('\n', page->out);
  t.out = page->out;
  t.above_shown = false;
  fill(&t, table);
}

static void print_head(omr_page *page, omr_model model, const char *meaning) {
  if (page->json) {
    omr_tree_text(page->json, "model", omr_model_names[model]);
    omr_tree_text(page->json, "meaning", meaning);
    omr_tree_text(page->json, "frame", omr_frame_list[page->frame].name);
    return;
  }
  fprintf(page->out, "%s:\n", omr_model_names[model]);
  omr_listing_text(page->out, meaning, 2);
  fprintf(page->out, "A number is SI, text may carry a unit: \"45 deg\", \"0.2 ms\", \"30 cm\".\n");
  if (page->frame != OMR_FRAME_Y_UP)
    fprintf(page->out, "Names, signs and meanings of the frame %s.\n",
            omr_frame_list[page->frame].name);
}

void omr_page_print(omr_page *page, omr_model model) {
  print_head(page, model, omr_model_meanings[model]);
  for (int i = 0; i < TABLES; i++)
    if (belongs(&tables[i], model)) print_table(page, &tables[i], model);
}

cJSON *omr_page_tree(omr_model model, omr_frame_kind frame, const omr_row_choice *choice) {
  omr_page page = {.frame = frame, .json = cJSON_CreateObject(), .choice = choice};
  if (page.json) omr_page_print(&page, model);
  omr_add_classes(page.json);
  if (omr_tree_whole(page.json)) return page.json;
  cJSON_Delete(page.json);
  return NULL;
}

const char *omr_page_heading(const char *key, omr_model model) {
  for (int i = 0; i < TABLES; i++)
    if (belongs(&tables[i], model) && strcmp(tables[i].key, key) == 0) return tables[i].heading;
  return NULL;
}

static omr_status find_model(const char *model, omr_model *found, omr_error *error) {
  for (int i = 0; i < OMR_MODELS; i++) {
    if (strcmp(model, omr_model_names[i]) != 0) continue;
    *found = (omr_model)i;
    return OMR_OK;
  }
  const char *nearest = omr_nearest(model, omr_model_names, OMR_MODELS);
  if (nearest)
    return omr_fail(error, OMR_ERR_USAGE, "unknown model \"%s\"; did you mean \"%s\"?", model,
                    nearest);
  char names[160] = "";
  for (int i = 0; i < OMR_MODELS; i++)
    omr_print_more(names, sizeof names, "%s\"%s\"", i ? ", " : "", omr_model_names[i]);
  return omr_fail(error, OMR_ERR_USAGE, "unknown model \"%s\"; there is: %s", model, names);
}

static omr_status find_frame(const char *frame, omr_frame_kind *found, omr_error *error) {
  const char *names[OMR_FRAMES];
  char list[OMR_FRAMES * 16] = "";
  *found = OMR_FRAME_Y_UP;
  for (int f = 0; f < OMR_FRAMES; f++) {
    names[f] = omr_frame_list[f].name;
    if (frame && strcmp(frame, names[f]) == 0) *found = (omr_frame_kind)f;
    omr_print_more(list, sizeof list, "%s\"%s\"", f ? ", " : "", names[f]);
  }
  if (!frame || strcmp(frame, names[*found]) == 0) return OMR_OK;
  return omr_fail(error, OMR_ERR_USAGE, "unknown frame \"%s\"; there is: %s", frame, list);
}

omr_status omr_page_find(const char *model, const char *frame, omr_model *found,
                         omr_frame_kind *found_frame, omr_error *error) {
  OMR_TRY(find_model(model, found, error));
  return find_frame(frame, found_frame, error);
}

omr_status omr_describe_in(const char *model, const char *frame, FILE *out, omr_error *error) {
  omr_page page = {.out = out};
  omr_model found = OMR_MODEL_VEHICLE;
  OMR_TRY(omr_page_find(model, frame, &found, &page.frame, error));
  omr_page_print(&page, found);
  return ferror(out) ? omr_fail(error, OMR_ERR_IO, "cannot write the description of %s", model)
                     : OMR_OK;
}

omr_status omr_describe_json_in(const char *model, const char *frame, char **json,
                                omr_error *error) {
  omr_model found = OMR_MODEL_VEHICLE;
  omr_frame_kind in;
  *json = NULL;
  OMR_TRY(omr_page_find(model, frame, &found, &in, error));
  return omr_json_give(omr_page_tree(found, in, NULL), json, error);
}

omr_status omr_describe(const char *model, FILE *out, omr_error *error) {
  return omr_describe_in(model, NULL, out, error);
}

omr_status omr_describe_json(const char *model, char **json, omr_error *error) {
  return omr_describe_json_in(model, NULL, json, error);
}

const char *omr_model_name(size_t index) {
  return index < OMR_MODELS ? omr_model_names[index] : NULL;
}
