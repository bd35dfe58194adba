/* How the varied parameters combine to instances. */
#include "../designs/distributions.h"
#include "../designs/drawn.h"
#include "../designs/row_groups.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef enum key {
#define X(id, ...) id,
#include "../../lists/keys/design.def"
#undef X
  KEYS
} key;

#define name_of(k) omr_key_lists[OMR_SECTION_DESIGN].keys[k].name

/* Member number `index` of "vary", as the variations are numbered after "each" was expanded. */
static const cJSON *entry_of(const cJSON *root, const omr_study *study, size_t index) {
  const cJSON *entry = omr_json_get(root, "vary")->child;
  for (size_t v = 0; v < index; v++) {
    const omr_variation *next = &study->variations[v + 1];
    const bool same = next->each_wheel && next->wheel > 0;
    if (!same) entry = entry->next;
  }
  return entry;
}

/* Whether a design has a use for the key; `sample` is its own type, or the type inside the cells.
 */
static bool type_uses(omr_design type, omr_design sample, bool scramble, key k) {
  const omr_drawn *drawn = omr_drawn_of(sample);
  const bool digital = drawn && drawn->scrambles;

  /* Keys of the random draw depend on the sample, the others on the type of the design. */
  switch (k) {
  case TYPE: return true;
  case INSTANCES:
    return omr_design_is_sample(type) || type == OMR_DESIGN_SUBSET || type == OMR_DESIGN_POSTERIOR;
  case SEED:
    return type == OMR_DESIGN_POSTERIOR ||
           (sample == OMR_DESIGN_SINGLE ? type == OMR_DESIGN_CANDIDATES : !digital || scramble);
  case SCRAMBLE: return digital;
  case CRITERION: return drawn && drawn->combines;
  case CORRELATION:
    return (omr_design_is_sample(sample) && type != OMR_DESIGN_SALTELLI) ||
           type == OMR_DESIGN_SUBSET;
  case SAMPLE:
  case PER_CELL:
  case COMMON: return omr_design_has_cells(type);
  case VARIABLES:
  case POSTERIOR:
  case POINTS: return type == OMR_DESIGN_CANDIDATES;
  case PATHS:
  case ROWS: return type == OMR_DESIGN_LIST || type == OMR_DESIGN_CANDIDATES;
  case FILE_NAME:
    return type == OMR_DESIGN_TABLE || type == OMR_DESIGN_POSTERIOR ||
           type == OMR_DESIGN_CANDIDATES;
  case HASH: return type == OMR_DESIGN_TABLE || type == OMR_DESIGN_POSTERIOR;
  case GROUPS: return type == OMR_DESIGN_SALTELLI;
  case TRAJECTORIES: return type == OMR_DESIGN_MORRIS;
  case LEVELS: return type == OMR_DESIGN_MORRIS || type == OMR_DESIGN_SUBSET;
  case LEVEL_PROBABILITY:
  case FAIL: return type == OMR_DESIGN_SUBSET;
  case KEYS: break;
  }

  return false;
}

static bool uses(const omr_study *study, key k) {
  return type_uses(study->design.type, study->sample.type, study->sample.scramble, k);
}

/* The type that draws the instances of a design; the study names it for a nested one. */
static omr_design sample_of(omr_design type) {
  if (type == OMR_DESIGN_SALTELLI) return OMR_DESIGN_SOBOL;
  const bool own =
      omr_design_is_sample(type) || type == OMR_DESIGN_MORRIS || type == OMR_DESIGN_SUBSET;
  return own ? type : OMR_DESIGN_SINGLE;
}

bool omr_design_may_use(omr_design type, const char *name) {
  for (key k = 0; k < KEYS; k++) {
    if (strcmp(name_of(k), name) != 0) continue;
    if (!omr_design_has_cells(type)) return type_uses(type, sample_of(type), true, k);
    if (type_uses(type, OMR_DESIGN_SINGLE, true, k)) return true;
    for (omr_design sample = 0; (int)sample < OMR_DESIGNS; sample++)
      if (omr_design_is_sample(sample) && type_uses(type, sample, true, k)) return true;
  }
  return false;
}

static omr_status refuse_unused(omr_reader *reader) {
  const omr_study *study = reader->study;
  for (key k = 0; k < KEYS; k++) {
    const cJSON *item = omr_json_get(reader->design, name_of(k));
    if (!item || uses(study, k)) continue;

    /* Nested designs have messages of their own, because the type of their sample is at fault. */
    const char *name = omr_design_kinds[study->design.type].name;
    if (k == SEED && omr_design_is_sample(study->sample.type))
      return OMR_REFUSE(reader, item,
                        "a sequence without scrambling draws nothing; leave the seed out");
    const bool cells = omr_design_has_cells(study->design.type);
    if (k == INSTANCES && cells)
      return OMR_REFUSE(reader, item,
                        "a design of type %s has \"per_cell\" instances in each of its cells",
                        name);
    if (cells && omr_design_may_use(study->design.type, name_of(k)))
      return OMR_REFUSE(reader, item, "\"%s\" has no use where the sample is %s", name_of(k),
                        omr_design_kinds[study->sample.type].name);

    /* A design with groups fixes its size and needs independent parameters. */
    if (k == INSTANCES && omr_has_groups(study))
      return OMR_REFUSE(reader, item, "a design of type %s has \"%s\" of %s instances each", name,
                        omr_design_count(study->design.type),
                        study->design.type == OMR_DESIGN_MORRIS ? "d + 1" : "d + 2");
    if (k == CORRELATION && omr_has_groups(study))
      return OMR_REFUSE(reader, item,
                        "a design of type %s changes one parameter while the others keep their "
                        "values, so that they have to be independent; a design of type sobol takes "
                        "correlations and gives rank correlations with the observables",
                        name);

    /* Every other design counts its instances itself. */
    if (k == INSTANCES)
      return OMR_REFUSE(reader, item,
                        "\"instances\" belongs to random and quasi-random designs; a design of "
                        "type %s has as many instances as its %s",
                        name,
                        !omr_design_has_levels(study->design.type) ? "rows" : "levels combine to");
    return OMR_REFUSE(reader, item, "\"%s\" has no use in a design of type %s", name_of(k), name);
  }
  return OMR_OK;
}

omr_status omr_read_seed(omr_reader *reader, const cJSON *design) {
  const cJSON *item = omr_json_get(design, "seed");
  if (!item) return OMR_OK;
  const char *text = cJSON_GetStringValue(item);
  if (text) {
    errno = 0;
    if (*text && strspn(text, "0123456789") == strlen(text))
      reader->study->design.seed = strtoull(text, NULL, 10);
    if (*text && strspn(text, "0123456789") == strlen(text) && errno == 0) return OMR_OK;
    return OMR_REFUSE(reader, item,
                      "seed \"%.200s\" is not a whole number from 0 to 18446744073709551615", text);
  }
  double seed;
  OMR_TRY(omr_read_whole(reader, item, 0, 0x1p53, &seed));
  reader->study->design.seed = (uint64_t)seed;
  return OMR_OK;
}

static omr_status fail_too_many(omr_reader *reader) {
  return OMR_REFUSE(reader, reader->design,
                    "the design has more instances than can be counted (2^53)");
}

/* The study has a times b instances. */
static omr_status count_instances(omr_reader *reader, size_t a, size_t b) {
  size_t *instances = &reader->study->instances;
  if (__builtin_mul_overflow(a, b, instances) || *instances > (size_t)1 << 53)
    return fail_too_many(reader);
  return OMR_OK;
}

/* Only the parameters of `levels` count; grids and the cells of nested designs. */
static omr_status count_cells(omr_reader *reader, const cJSON *root, size_t *cells) {
  const omr_study *study = reader->study;
  *cells = 1;
  for (size_t v = 0; v < study->variation_count; v++) {
    const omr_variation *variation = &study->variations[v];
    const cJSON *entry = entry_of(root, study, v);
    if (variation->dimension >= 0) continue;
    if (variation->each_wheel)
      return OMR_REFUSE(reader, entry,
                        "\"each\" draws at random, which a grid cannot; vary \"wheels[0].%s\" and "
                        "so on, or give \"design\": {\"type\": \"monte_carlo\", ...}",
                        omr_wheel_path(study->frame, variation->index));
    if (__builtin_mul_overflow(*cells, variation->levels, cells) || *cells > (size_t)1 << 53)
      return OMR_REFUSE(reader, entry, "the grid has more instances than can be counted (2^53)");
  }
  return OMR_OK;
}

static omr_status refuse_random(omr_reader *reader, const cJSON *root) {
  const omr_study *study = reader->study;
  for (size_t v = 0; v < study->variation_count; v++) {
    const omr_draw draw = study->variations[v].draw;
    if (!omr_is_random(draw)) continue;
    return OMR_REFUSE(reader, entry_of(root, study, v),
                      "\"%s\" draws at random, which a design of type %s cannot; give \"design\": "
                      "{\"type\": \"monte_carlo\", \"instances\": 1000, \"seed\": \"1\"}",
                      omr_draw_kinds[draw].name, omr_design_kinds[study->design.type].name);
  }
  return OMR_OK;
}

static omr_status read_grid(omr_reader *reader, const cJSON *root) {
  OMR_TRY(refuse_random(reader, root));
  return count_cells(reader, root, &reader->study->instances);
}

static omr_status read_one_at_a_time(omr_reader *reader, const cJSON *root) {
  omr_study *study = reader->study;
  OMR_TRY(refuse_random(reader, root));
  study->instances = 1;
  for (size_t v = 0; v < study->variation_count; v++)
    if (__builtin_add_overflow(study->instances, study->variations[v].levels, &study->instances))
      return fail_too_many(reader);
  if (study->instances > 1) return OMR_OK;
  return OMR_REFUSE(reader, reader->design, "one_at_a_time has nothing to vary: \"vary\" is empty");
}

/* What a design of candidates varies is drawn, since their own values stand in rows. */
static omr_status refuse_levels(omr_reader *reader, const cJSON *root) {
  const omr_study *study = reader->study;
  for (size_t v = 0; v < study->variation_count; v++) {
    const omr_variation *variation = &study->variations[v];
    if (variation->listed || omr_is_random(variation->draw)) continue;
    return OMR_REFUSE(reader, entry_of(root, study, v),
                      "\"%s\" has levels; values of candidates stand in design.rows, and bounds of "
                      "what they may be in design.variables",
                      variation->path);
  }
  return OMR_OK;
}

/* Numbers the sampled parameters: all of them, or those of a nested design that have a
 * distribution. */
static omr_status number_dimensions(omr_reader *reader, const cJSON *root) {
  omr_study *study = reader->study;
  const bool nested = study->design.type == OMR_DESIGN_NESTED;
  const char *name = omr_design_kinds[study->design.type].name;

  /* Each parameter with a distribution becomes a dimension of the sample. */
  for (size_t v = 0; v < study->variation_count; v++) {
    omr_variation *variation = &study->variations[v];
    if (!nested && variation->draw == OMR_DRAW_LINSPACE)
      return OMR_REFUSE(reader, entry_of(root, study, v),
                        "\"linspace\" is for a grid; %s draws from \"uniform\": [low, high]", name);
    if (!nested || omr_is_random(variation->draw))
      variation->dimension = (int)study->sample.dimensions++;
  }

  /* A sample without dimensions is refused. */
  if (study->sample.dimensions == 0 && nested)
    return OMR_REFUSE(reader, reader->design,
                      "no parameter of \"vary\" has a distribution to draw from in the cells; "
                      "without any it is a grid");
  if (study->sample.dimensions == 0)
    return OMR_REFUSE(reader, reader->design,
                      "%s has nothing to draw: \"vary\" is empty, every instance would be the "
                      "same; name there what varies, or leave \"design\" out",
                      name);

  /* A nested design needs a grid around its sample as well. */
  if (nested && study->sample.dimensions == study->variation_count)
    return OMR_REFUSE(reader, reader->design,
                      "no parameter of \"vary\" has \"values\" or \"linspace\" for the grid; "
                      "without any it is a design of type %s",
                      omr_design_kinds[study->sample.type].name);
  return OMR_OK;
}

static omr_status read_points(omr_reader *reader) {
  omr_sampling *sample = &reader->study->sample;
  const bool groups = omr_has_groups(reader->study),
             morris = reader->study->design.type == OMR_DESIGN_MORRIS;
  const char *name = omr_design_count(reader->study->design.type);
  const cJSON *item;
  double points;

  /* The number has the name that the design gives it. */
  OMR_TRY(omr_require(reader, reader->design, name,
                      morris   ? "20"
                      : groups ? "1024"
                               : "1000",
                      &item));
  OMR_TRY(omr_read_whole(reader, item, groups ? 2 : 1, 0x1p53, &points));
  sample->points = (size_t)points;

  /* Sequences end where their integers do. */
  const omr_drawn *drawn = omr_drawn_of(sample->type);
  if (morris || points <= (drawn ? drawn->most : 0x1p32)) return OMR_OK;
  return OMR_REFUSE(
      reader, item, "is %.17g; a design of type %s has at most 2^32 %s, monte_carlo up to 2^53",
      points, omr_design_kinds[groups ? reader->study->design.type : sample->type].name,
      groups ? name : "points");
}

static omr_status read_sampling(omr_reader *reader, const cJSON *root) {
  omr_sampling *sample = &reader->study->sample;
  OMR_TRY(read_points(reader));
  OMR_TRY(omr_read_seed(reader, reader->design));
  OMR_TRY(number_dimensions(reader, root));
  const omr_drawn *drawn = omr_drawn_of(sample->type);
  if (drawn && drawn->prepare) OMR_TRY(drawn->prepare(reader));
  reader->study->instances = sample->points;
  return omr_read_correlation(reader);
}

/* An even number, so that half of them lie below the step (Morris 1991). */
static omr_status read_levels(omr_reader *reader) {
  const cJSON *item = omr_json_get(reader->design, "levels");
  double levels = 4;
  if (item) OMR_TRY(omr_read_whole(reader, item, 2, 1000, &levels));
  reader->study->sample.grid_levels = (size_t)levels;
  if (reader->study->sample.grid_levels % 2 == 0) return OMR_OK;
  return OMR_REFUSE(reader, item,
                    "is %g; the levels of a parameter are an even number, for example 4 or 6",
                    levels);
}

static omr_status read_groups(omr_reader *reader, const cJSON *root) {
  omr_study *study = reader->study;
  OMR_TRY(read_sampling(reader, root));
  if (study->design.type == OMR_DESIGN_MORRIS) OMR_TRY(read_levels(reader));
  return count_instances(reader, study->sample.points, omr_group_rows(study));
}

static omr_status read_nested(omr_reader *reader, const cJSON *root) {
  omr_study *study = reader->study;
  size_t cells;
  if (!study->sample.common && !uses(study, SEED))
    return OMR_REFUSE(reader, omr_json_get(reader->design, "common_random_numbers"),
                      "a sequence without scrambling is the same in every cell; leave this true, "
                      "or \"scramble\" it");
  OMR_TRY(read_sampling(reader, root));
  OMR_TRY(count_cells(reader, root, &cells));
  return count_instances(reader, cells, study->sample.points);
}

static omr_status read_candidates(omr_reader *reader, const cJSON *root) {
  omr_study *study = reader->study;
  omr_sampling *sample = &study->sample;
  const size_t points = study->candidates.points;
  OMR_TRY(refuse_levels(reader, root));
  bool random = false;
  for (size_t v = 0; v < study->variation_count; v++)
    random = random || !study->variations[v].listed;

  /* Only where something is drawn there are several vehicles of a candidate. */
  const cJSON *item, *per_cell = omr_json_get(reader->design, "per_cell");
  if (random) OMR_TRY(omr_require(reader, reader->design, "sample", "\"sobol\"", &item));
  if (!random && sample->type != OMR_DESIGN_SINGLE)
    return OMR_REFUSE(reader, omr_json_get(reader->design, "sample"),
                      "\"vary\" has nothing that is drawn; leave \"sample\" out, or name there "
                      "what is uncertain");
  if (!random && !points && per_cell && cJSON_GetNumberValue(per_cell) != 1)
    return OMR_REFUSE(reader, per_cell,
                      "nothing is drawn, so that all vehicles of a candidate would be the same; "
                      "leave \"per_cell\" out, or name in \"vary\" what is uncertain");
  if (random || points) OMR_TRY(read_points(reader));
  if (!random && !points) sample->points = 1;
  if (points && points != sample->points)
    return OMR_REFUSE(reader, per_cell, "is %zu, and the design has %zu points of a posterior",
                      sample->points, points);

  /* The sample of the cells, as in a nested design. */
  OMR_TRY(omr_read_seed(reader, reader->design));
  for (size_t v = 0; v < study->variation_count; v++)
    if (!study->variations[v].listed) study->variations[v].dimension = (int)sample->dimensions++;
  const omr_drawn *drawn = omr_drawn_of(sample->type);
  if (drawn && drawn->prepare) OMR_TRY(drawn->prepare(reader));
  if (drawn && !sample->common && !uses(study, SEED))
    return OMR_REFUSE(reader, omr_json_get(reader->design, "common_random_numbers"),
                      "a sequence without scrambling is the same for every candidate; leave this "
                      "true, or \"scramble\" it");
  OMR_TRY(count_instances(reader, study->candidates.count, sample->points));
  return omr_read_correlation(reader);
}

static bool can_be_named(omr_design design) {
  return !omr_design_is_given(design);
}

/* The design that the word of a key names, of those that `allowed` lets through. */
static omr_status read_type(omr_reader *reader, const char *key, const char *example,
                            bool (*allowed)(omr_design), omr_design *type) {
  const char *names[OMR_DESIGNS];
  omr_design designs[OMR_DESIGNS];
  const cJSON *item;
  int count = 0, found = 0;
  for (omr_design d = 0; (int)d < OMR_DESIGNS; d++) {
    if (!allowed(d)) continue;
    names[count] = omr_design_kinds[d].name;
    designs[count++] = d;
  }
  OMR_TRY(omr_require(reader, reader->design, key, example, &item));
  OMR_TRY(omr_read_word(reader, item, names, (size_t)count, &found));
  *type = designs[found];
  return OMR_OK;
}

/* The words that decide which of the other keys have a use. */
static omr_status read_words(omr_reader *reader) {
  omr_study *study = reader->study;
  OMR_TRY(read_type(reader, "type", "\"monte_carlo\"", can_be_named, &study->design.type));
  study->sample.type = sample_of(study->design.type);
  if (study->design.type == OMR_DESIGN_NESTED ||
      (study->design.type == OMR_DESIGN_CANDIDATES && omr_json_get(reader->design, "sample")))
    OMR_TRY(read_type(reader, "sample", "\"sobol\"", omr_design_is_sample, &study->sample.type));
  return refuse_unused(reader);
}

omr_status omr_read_design(omr_reader *reader, const cJSON *root) {
  omr_study *study = reader->study;
  OMR_TRY(omr_read_object(reader, root, "design", &reader->design));
  if (!reader->design) {
    study->design.type = OMR_DESIGN_GRID;
  } else {
    OMR_TRY(omr_read_keys(reader, reader->design, OMR_SECTION_DESIGN, study));
    OMR_TRY(read_words(reader));
  }

  /* Each kind of design counts its instances in its own way. */
  switch (study->design.type) {
  case OMR_DESIGN_LIST:
  case OMR_DESIGN_TABLE:
  case OMR_DESIGN_POSTERIOR: return OMR_OK; /* omr_read_rows */
  case OMR_DESIGN_ONE_AT_A_TIME: return read_one_at_a_time(reader, root);
  case OMR_DESIGN_NESTED: return read_nested(reader, root);
  case OMR_DESIGN_CANDIDATES: return read_candidates(reader, root);
  case OMR_DESIGN_SALTELLI:
  case OMR_DESIGN_MORRIS: return read_groups(reader, root);
  case OMR_DESIGN_SUBSET: OMR_TRY(read_sampling(reader, root)); return omr_read_subset(reader);
  case OMR_DESIGN_GRID:
    OMR_TRY(read_grid(reader, root));
    if (study->variation_count == 0) study->design.type = OMR_DESIGN_SINGLE;
    return OMR_OK;
  default: return read_sampling(reader, root);
  }
}
