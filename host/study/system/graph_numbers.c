/* Numbers of a multibody system: JSON numbers, or expressions of the names that the place knows. */
#include "../expression/expression_units.h"
#include "graph_build.h"

#include <stdlib.h>
#include <string.h>

static omr_status add_name(omr_graph_reader *g, omr_names *names, const char *name, omr_slot slot) {
  const omr_graph *graph = g->graph;
  const omr_graph_slot *from = &graph->slot[slot];
  const char *unit = g->built_in               ? "1"
                     : from->formula           ? from->formula->unit
                     : from->owner_number >= 0 ? omr_graph_quantity_rows[from->quantity].unit
                                               : graph->parameter[slot].unit;
  char column[256];
  omr_names_column(name, strlen(name), column, sizeof column);
  if (!omr_names_find(names, column)) omr_names_add(names, column, unit, (size_t)slot);
  return names->failed ? omr_fail_memory(g->reader) : OMR_OK;
}

/* Names that the text mentions, and all that the place has of its own, which a message lists. */
static omr_status list_names(omr_graph_reader *g, const omr_graph_scope *scope, const cJSON *item,
                             int element, omr_names *names) {
  char name[256];
  omr_slot slot;

  /* Each name in the text is looked up, so that the parser knows it. */
  for (const char *at = item->valuestring; *at;) {
    const size_t length = omr_identifier_length(at);
    if (length == 0 || length >= sizeof name) {
      at += length ? length : 1;
      continue;
    }
    snprintf(name, sizeof name, "%.*s", (int)length, at);
    at += length;
    OMR_TRY(omr_graph_find_slot(g, scope, element, item, name, &slot));
    if (slot >= 0) OMR_TRY(add_name(g, names, name, slot));
  }

  /* The names in scope are added for the hints of messages. */
  for (const omr_graph_scope *s = scope; s; s = s->outer)
    for (int i = 0; i < s->owns; i++) OMR_TRY(add_name(g, names, s->own[i].name, s->own[i].slot));
  for (int p = 0; p < g->graph->parameters; p++)
    OMR_TRY(add_name(g, names, g->graph->parameter[p].name, p));
  return OMR_OK;
}

/* A number without a unit takes the unit of its place; angles are pure numbers. */
static omr_status check_unit(omr_graph_reader *g, const cJSON *item, const omr_expression *e,
                             omr_graph_wanted wanted) {
  omr_dimension has, needs;
  char *message = NULL;
  if (wanted.truth != e->truth)
    return OMR_MISTAKEN(g->reader, item, OMR_MISTAKE_TYPE,
                        wanted.truth ? "expected a condition, such as \"stone.wy > 0\""
                                     : "expected a number, this is a condition");
  if (wanted.truth || !*wanted.unit || strcmp(e->unit, "1") == 0) return OMR_OK;
  const bool good = omr_unit_dimension(e->unit, &has, &message) &&
                    omr_unit_dimension(wanted.unit, &needs, &message);
  free(message);
  if (good && omr_dimension_equal(has, needs, false)) return OMR_OK;
  return OMR_MISTAKEN(g->reader, item, OMR_MISTAKE_UNIT,
                      "expected a quantity in \"%s\", this is one in \"%s\"", wanted.unit, e->unit);
}

static omr_status check_level(omr_graph_reader *g, const cJSON *item, const omr_expression *e,
                              omr_graph_level most, omr_graph_level *level) {
  *level = OMR_GRAPH_STATIC;
  for (size_t c = 0; c < e->column_count; c++) {
    const omr_graph_slot *slot = &g->graph->slot[e->columns[c]];
    if (slot->level > *level) *level = slot->level;
    if (slot->level <= most) continue;
    const char *name =
        slot->owner_number >= 0 ? omr_graph_quantity_rows[slot->quantity].name : "what it mentions";
    return OMR_REFUSE(g->reader, item,
                      most == OMR_GRAPH_STATIC
                          ? "\"%s\" changes while the system moves, and this is a number of its "
                            "build: expected parameters and numbers alone"
                          : "\"%s\" follows from the accelerations, which this expression decides: "
                            "expected time, places and velocities",
                      name);
  }
  return OMR_OK;
}

static omr_status parse_text(omr_graph_reader *g, const omr_graph_scope *scope, const cJSON *item,
                             omr_graph_wanted wanted, omr_expression **e) {
  omr_names names = {.of_system = true, .bare = g->built_in};
  omr_error why = {0};
  omr_status status = list_names(g, scope, item, wanted.element, &names);
  if (status == OMR_OK) {
    status = omr_expression_parse(item->valuestring, &names, e, &why);
    if (status != OMR_OK)
      status = status == OMR_ERR_MEMORY
                   ? omr_fail_memory(g->reader)
                   : OMR_MISTAKEN(g->reader, item, OMR_MISTAKE_WORD, "%s", why.message);
  }
  omr_names_free(&names);
  return status;
}

omr_status omr_graph_read_number(omr_graph_reader *g, const omr_graph_scope *scope,
                                 const cJSON *item, omr_graph_wanted wanted, omr_slot *slot) {
  omr_expression *e = NULL;
  omr_graph_level level = OMR_GRAPH_STATIC;
  char place[160];

  /* The number is plain, or the result of an expression. */
  if (!cJSON_IsNumber(item) && !cJSON_IsString(item))
    return OMR_MISTAKEN(g->reader, item, OMR_MISTAKE_TYPE,
                        "expected a number or an expression in quotes, such as \"2 * radius\"");
  OMR_TRY(cJSON_IsNumber(item) ? omr_graph_constant(g, item->valuedouble, &e)
                               : parse_text(g, scope, item, wanted, &e));

  /* Its unit and its level have to fit the place. */
  omr_status status = check_unit(g, item, e, wanted);
  if (status == OMR_OK) status = check_level(g, item, e, wanted.level, &level);

  /* The slot takes the formula over; a mistake frees it. */
  omr_graph_slot made = {.formula = e, .level = level, .owner_number = -1};
  if (status == OMR_OK) {
    made.place = strdup(omr_json_path(&g->reader->json, item, place, sizeof place));
    status = made.place ? omr_graph_add_slot(g, made, slot) : omr_fail_memory(g->reader);
  }
  if (status != OMR_OK) {
    omr_expression_destroy(e);
    free(made.place);
  }
  return status;
}

omr_status omr_graph_read_list(omr_graph_reader *g, const omr_graph_scope *scope, const cJSON *item,
                               int count, omr_graph_wanted wanted, omr_slot *slot) {
  if (!cJSON_IsArray(item) || cJSON_GetArraySize(item) != count)
    return OMR_REFUSE(g->reader, item, "expected a list of %d numbers", count);

  /* Quantities that an entry mentions for the first time take slots of their own, so that the
   * entries are read before and repeated behind each other. */
  omr_slot read[9];
  int at = 0;
  const cJSON *entry;
  cJSON_ArrayForEach(entry, item)
      OMR_TRY(omr_graph_read_number(g, scope, entry, wanted, &read[at++]));

  /* Entries that lie behind each other already are the list. */
  bool adjacent = true;
  for (int i = 1; i < count; i++) adjacent = adjacent && read[i] == read[0] + i;
  *slot = read[0];
  if (adjacent) return OMR_OK;

  /* Otherwise they are read again, when all their quantities have slots. */
  at = 0;
  cJSON_ArrayForEach(entry, item)
      OMR_TRY(omr_graph_read_number(g, scope, entry, wanted, &read[at++]));
  *slot = read[0];
  return OMR_OK;
}

/* POSES */

static omr_status read_vector(omr_graph_reader *g, const omr_graph_scope *scope,
                              const cJSON *object, const char *key, const char *unit,
                              omr_slot *slot) {
  const cJSON *item = omr_json_get(object, key);
  *slot = -1;
  const omr_graph_wanted wanted = {.unit = unit, .element = -1};
  return item ? omr_graph_read_list(g, scope, item, 3, wanted, slot) : OMR_OK;
}

static omr_status read_turn(omr_graph_reader *g, const omr_graph_scope *scope, const cJSON *item,
                            omr_graph_turning *to) {
  static const char *const keys[] = {"axis", "angle"};
  const cJSON *angle;
  if (!cJSON_IsObject(item) || to->turns == OMR_GRAPH_TURNS)
    return OMR_MISTAKEN(g->reader, item, OMR_MISTAKE_TYPE,
                        "expected {\"axis\": [0, 1, 0], \"angle\": \"30 deg\"}, or a list of at "
                        "most %d of them, one after the other",
                        OMR_GRAPH_TURNS);
  OMR_TRY(OMR_CHECK_KEYS(g->reader, item, keys));
  OMR_TRY(omr_require(g->reader, item, "axis", "[0, 1, 0]", &angle));
  OMR_TRY(read_vector(g, scope, item, "axis", "1", &to->turn[to->turns].axis));
  OMR_TRY(omr_require(g->reader, item, "angle", "\"30 deg\"", &angle));
  const omr_graph_wanted wanted = {.unit = "rad", .element = -1};
  OMR_TRY(omr_graph_read_number(g, scope, angle, wanted, &to->turn[to->turns].angle));
  to->turns++;
  return OMR_OK;
}

omr_status omr_graph_read_pose(omr_graph_reader *g, const omr_graph_scope *scope,
                               const cJSON *object, omr_graph_pose *pose) {
  const cJSON *turned = omr_json_get(object, "turned"), *entry,
              *quaternion = omr_json_get(object, "quaternion");
  *pose = (omr_graph_pose){.turned.quaternion = -1};
  OMR_TRY(read_vector(g, scope, object, "at", "m", &pose->at));
  OMR_TRY(read_vector(g, scope, object, "velocity", "m s-1", &pose->velocity));
  OMR_TRY(read_vector(g, scope, object, "angular_velocity", "rad s-1", &pose->rate));
  if (turned && quaternion)
    return OMR_REFUSE(g->reader, quaternion, "\"turned\" says the same: write one of them");
  if (quaternion)
    return omr_graph_read_list(g, scope, quaternion, 4,
                               (omr_graph_wanted){.unit = "1", .element = -1},
                               &pose->turned.quaternion);
  if (!turned || !cJSON_IsArray(turned))
    return turned ? read_turn(g, scope, turned, &pose->turned) : OMR_OK;
  cJSON_ArrayForEach(entry, turned) OMR_TRY(read_turn(g, scope, entry, &pose->turned));
  return OMR_OK;
}
