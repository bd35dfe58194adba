/* The second pass over a multibody system: the values of bodies and edges. Kinds and keys are rows
 * of lists/graph_*.def. */
#include "../units/units_dimension.h"
#include "graph_build.h"

#include <stdlib.h>
#include <string.h>

enum { SHAPE_PATH = 256 };

/* BODIES */

/* Six numbers xx yy zz xy xz yz of three, or of six. */
static omr_status read_inertia(omr_graph_reader *g, const omr_graph_scope *scope, const cJSON *item,
                               omr_slot *slot) {
  const omr_graph_wanted wanted = {.unit = "kg m2", .element = -1};

  /* The list holds the moments, or the moments and the products. */
  const int count = cJSON_GetArraySize(item);
  if (!cJSON_IsArray(item) || (count != 3 && count != 6))
    return OMR_REFUSE(g->reader, item,
                      "expected the moments about the body's axes through its centre of mass, "
                      "[Ixx, Iyy, Izz], or these and the products [Ixx, Iyy, Izz, Ixy, Ixz, Iyz] "
                      "of the inertia matrix (Ixy = -sum m x y)");

  /* A full list is taken as it is. */
  if (count == 6) return omr_graph_read_list(g, scope, item, 6, wanted, slot);

  /* Missing products become zeros behind the moments. */
  OMR_TRY(omr_graph_read_list(g, scope, item, 3, wanted, slot));
  omr_slot number;
  for (int i = 0; i < 3; i++) /* products of a body whose axes are principal ones */
    OMR_TRY(omr_graph_add_constant(g, 0, &number));
  return OMR_OK;
}

static omr_status read_shape(omr_graph_reader *g, const omr_graph_scope *scope, const cJSON *item,
                             int body, int *number);

static omr_status read_pictures(omr_graph_reader *g, const omr_graph_scope *scope,
                                const cJSON *object, int body) {
  const cJSON *shapes = omr_json_get(object, "shapes"), *shape;
  int number;
  if (!shapes) return OMR_OK;
  OMR_TRY(omr_require_array(g->reader, shapes, 0, "shapes"));
  cJSON_ArrayForEach(shape, shapes) OMR_TRY(read_shape(g, scope, shape, body, &number));
  return OMR_OK;
}

static omr_status read_body(omr_graph_reader *g, int body) {
  static const char *const keys[] = {"mass", "inertia", "shapes", "meaning", OMR_GRAPH_POSE_KEYS};
  const cJSON *item = g->body[body].item, *member;
  const omr_graph_scope *scope = g->body[body].scope;
  const omr_graph_wanted mass = {.unit = "kg", .element = -1};
  omr_slot slot;

  /* The body is an object with known keys only. */
  if (!cJSON_IsObject(item))
    return OMR_MISTAKEN(g->reader, item, OMR_MISTAKE_TYPE,
                        "expected {\"mass\": \"1 kg\", \"inertia\": [...], \"at\": [...]}");
  OMR_TRY(OMR_CHECK_KEYS(g->reader, item, keys));

  /* Its mass and its inertia are required. */
  OMR_TRY(omr_require(g->reader, item, "mass", "\"1 kg\"", &member));
  OMR_TRY(omr_graph_read_number(g, scope, member, mass, &slot));
  g->graph->body[body].mass = slot;
  OMR_TRY(omr_require(g->reader, item, "inertia", "[0.1, 0.1, 0.1]", &member));
  OMR_TRY(read_inertia(g, scope, member, &slot));
  g->graph->body[body].inertia = slot;

  /* Its pose and its pictures are optional. */
  omr_graph_pose pose;
  OMR_TRY(omr_graph_read_pose(g, scope, item, &pose));
  g->graph->body[body].pose = pose;
  return read_pictures(g, scope, item, body);
}

omr_status omr_graph_read_bodies(omr_graph_reader *g) {
  for (int b = 1; b < g->graph->bodies; b++) OMR_TRY(read_body(g, b));
  return OMR_OK;
}

/* ELEMENTS */

/* The kind of an element by the word that its class has for it. Nothing need be said where the
 * class has but one, and of a contact between surfaces, which name the kind themselves. */
static omr_status read_kind(omr_graph_reader *g, const cJSON *item, omr_graph_class class,
                            omr_graph_kind *kind) {
  /* The words of this class are the choices. */
  const char *words[OMR_GRAPH_ALL_KINDS];
  int kinds[OMR_GRAPH_ALL_KINDS], count = 0, choice = -1;
  for (int k = 0; k < (g->built_in ? OMR_GRAPH_ALL_KINDS : OMR_GRAPH_KINDS); k++) {
    if (omr_graph_kind_rows[k].class != class) continue;
    words[count] = omr_graph_kind_rows[k].word;
    kinds[count++] = k;
  }

  /* One choice needs no word, nor does a contact with surfaces. */
  const char *key = omr_graph_kind_keys[class];
  if (count == 1 || omr_json_get(item, "surfaces")) choice = 0;
  OMR_TRY(omr_read_choice(g->reader, item, key, words, (size_t)count, &choice));
  if (choice < 0)
    return OMR_REFUSE(
        g->reader, item,
        "\"%s\" is missing: one of %s, %s ... (`omniroll describe multibody` lists them)", key,
        words[0], words[1]);
  *kind = (omr_graph_kind)kinds[choice];
  return OMR_OK;
}

static bool has_surfaces(omr_graph_kind kind) {
  return kind == OMR_GRAPH_KIND_CONTACT_SURFACE;
}

static int keys_of(const omr_graph_reader *g) {
  return g->built_in ? OMR_GRAPH_ALL_KEYS : OMR_GRAPH_KEYS;
}

static omr_status check_keys(omr_graph_reader *g, const cJSON *item, omr_graph_kind kind) {
  static const char *const others[OMR_GRAPH_CLASSES][3] = {
      [OMR_GRAPH_CONSTRAINT] = {"between", "meaning"},
      [OMR_GRAPH_CONTACT] = {"between", "meaning", "surfaces"},
      [OMR_GRAPH_FORCE] = {"between", "meaning"},
      [OMR_GRAPH_MEASURE] = {"meaning"}};
  const char *keys[OMR_GRAPH_ALL_KEYS + 4];
  const omr_graph_class class = omr_graph_kind_rows[kind].class;
  size_t count = 0;
  keys[count++] = omr_graph_kind_keys[class];
  const int more = class == OMR_GRAPH_CONTACT && !has_surfaces(kind) ? 2 : 3;
  for (int i = 0; i < more && others[class][i]; i++) keys[count++] = others[class][i];
  for (int k = 0; k < keys_of(g); k++)
    if (omr_graph_has_key(kind, (omr_graph_key)k)) keys[count++] = omr_graph_key_rows[k].name;
  return omr_json_check_keys(&g->reader->json, item, keys, count, g->reader->error);
}

static omr_status read_word(omr_graph_reader *g, const cJSON *item, omr_graph_key key, int *word) {
  char text[256];
  const char *words[16];
  size_t count = 0;
  snprintf(text, sizeof text, "%s", omr_graph_key_rows[key].unit);
  char *rest = NULL;
  for (char *at = strtok_r(text, " ", &rest); at && count < 16; at = strtok_r(NULL, " ", &rest))
    words[count++] = at;
  return omr_read_word(g->reader, item, words, count, word);
}

/* Three expressions of time, or null. */
static omr_status read_motions(omr_graph_reader *g, const omr_graph_scope *scope, const cJSON *item,
                               int element, omr_graph_key key) {
  const omr_graph_wanted wanted = {omr_graph_key_rows[key].unit, OMR_GRAPH_KINEMATIC, false, -1};
  const cJSON *entry;
  int at = key == OMR_GRAPH_KEY_CONSTRAINT_ANGLES ? 3 : 0;

  /* Three entries stand for the three axes. */
  if (!cJSON_IsArray(item) || cJSON_GetArraySize(item) != 3)
    return OMR_REFUSE(g->reader, item, "expected three expressions of t; null leaves one free");
  cJSON_ArrayForEach(entry, item) {
    omr_slot slot = -1;

    /* Each entry is a number or an expression; null leaves its axis free. */
    if (!cJSON_IsNull(entry)) OMR_TRY(omr_graph_read_number(g, scope, entry, wanted, &slot));
    const omr_expression *e = slot >= 0 ? g->graph->slot[slot].formula : NULL;

    /* Prescribed motions may not depend on the state. */
    for (size_t c = 0; e && c < e->column_count; c++) {
      const omr_graph_slot *used = &g->graph->slot[e->columns[c]];
      if (used->level != OMR_GRAPH_STATIC && used->quantity != OMR_GRAPH_SYSTEM_TIME)
        return OMR_REFUSE(g->reader, entry,
                          "a prescribed motion follows from t and parameters alone; for one that "
                          "depends on the state use a \"fixed_servo\" joint or a force");
    }
    g->graph->element[element].motion[at++] = slot;
  }
  return OMR_OK;
}

static omr_status find_body(omr_graph_reader *g, const omr_graph_scope *scope, const cJSON *name,
                            int *body) {
  *body = cJSON_IsString(name) ? omr_graph_find_body(g, scope, name->valuestring) : -1;
  if (*body >= 0) return OMR_OK;
  const char *names[OMR_GRAPH_BODIES];
  for (int b = 0; b < g->graph->bodies; b++) names[b] = g->graph->body[b].path;
  const char *near =
      cJSON_IsString(name) ? omr_nearest(name->valuestring, names, (size_t)g->graph->bodies) : NULL;
  return OMR_MISTAKEN(g->reader, name, OMR_MISTAKE_WORD, "there is no such body%s%s%s",
                      near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

static omr_status read_value(omr_graph_reader *g, const omr_graph_scope *scope, const cJSON *item,
                             int element, omr_graph_key key) {
  const omr_graph_key_row *row = &omr_graph_key_rows[key];
  const bool law = row->type == OMR_GRAPH_LAW || row->type == OMR_GRAPH_LAWS;
  const omr_graph_class class = row->class;

  /* A law may follow the motion; every other number is constant. */
  const omr_graph_level most = !law                         ? OMR_GRAPH_STATIC
                               : class == OMR_GRAPH_MEASURE ? OMR_GRAPH_DYNAMIC
                                                            : OMR_GRAPH_KINEMATIC;
  const omr_graph_wanted wanted = {row->unit, most, key == OMR_GRAPH_KEY_MEASURE_WHEN,
                                   law ? element : -1};
  const bool three = row->type == OMR_GRAPH_VECTOR || row->type == OMR_GRAPH_LAWS;
  omr_slot slot;
  int word = 0;

  /* Motions, words and bodies are no numbers. */
  if (row->type == OMR_GRAPH_MOTIONS) return read_motions(g, scope, item, element, key);
  if (row->type == OMR_GRAPH_WORD || row->type == OMR_GRAPH_BODY) {
    OMR_TRY(row->type == OMR_GRAPH_WORD ? read_word(g, item, key, &word)
                                        : find_body(g, scope, item, &word));
    g->graph->element[element].word[key] = word;
    return OMR_OK;
  }

  /* The rest is one number or three. */
  OMR_TRY(three ? omr_graph_read_list(g, scope, item, 3, wanted, &slot)
                : omr_graph_read_number(g, scope, item, wanted, &slot));
  g->graph->element[element].slot[key] = slot;
  return OMR_OK;
}

/* A default is JSON of the list; numbers in it depend on nothing. */
static omr_status read_default(omr_graph_reader *g, const omr_graph_scope *scope, int element,
                               omr_graph_key key) {
  cJSON *item = cJSON_Parse(omr_graph_key_rows[key].standard);
  const omr_status status =
      item ? read_value(g, scope, item, element, key) : omr_fail_memory(g->reader);
  cJSON_Delete(item);
  return status;
}

static omr_status read_keys(omr_graph_reader *g, const omr_graph_scope *scope, const cJSON *item,
                            int element) {
  const omr_graph_kind kind = g->graph->element[element].kind;

  /* Keys of other kinds are refused. */
  OMR_TRY(check_keys(g, item, kind));
  for (int k = 0; k < keys_of(g); k++) {
    const omr_graph_key_row *row = &omr_graph_key_rows[k];
    if (!omr_graph_has_key(kind, (omr_graph_key)k)) continue;

    /* A key that is left out takes its default, if it has one. */
    const cJSON *value = omr_json_get(item, row->name);
    if (value)
      OMR_TRY(read_value(g, scope, value, element, (omr_graph_key)k));
    else if (!row->standard)
      return omr_json_missing(&g->reader->json, item, row->name,
                              row->type == OMR_GRAPH_VECTOR ? "[0, 0, 1]"
                              : row->type == OMR_GRAPH_BODY ? "\"disc\""
                                                            : "1",
                              g->reader->error);
    else if (*row->standard)
      OMR_TRY(read_default(g, scope, element, (omr_graph_key)k));
  }
  return OMR_OK;
}

static omr_status read_shape(omr_graph_reader *g, const omr_graph_scope *scope, const cJSON *item,
                             int body, int *number) {
  omr_graph_kind kind;
  char path[SHAPE_PATH];
  if (!cJSON_IsObject(item))
    return OMR_MISTAKEN(g->reader, item, OMR_MISTAKE_TYPE,
                        "expected {\"shape\": \"sphere\", \"radius\": ...}");
  OMR_TRY(read_kind(g, item, OMR_GRAPH_SHAPE, &kind));
  snprintf(path, sizeof path, "%.200s shape %d", g->graph->body[body].path, g->graph->elements);
  OMR_TRY(omr_graph_add_element(g, OMR_GRAPH_SHAPE, path, g->graph->body[body].group, number));
  g->graph->element[*number].kind = kind;
  g->graph->element[*number].body[0] = body;
  return read_keys(g, scope, item, *number);
}

/* "between": [A, B]; a force may leave A out. A constraint has two bodies. */
static omr_status read_between(omr_graph_reader *g, const omr_graph_scope *scope, const cJSON *item,
                               int element) {
  const cJSON *between, *name;
  int body[2] = {0, 0}, at = 0;
  OMR_TRY(omr_require(g->reader, item, "between", "[\"base\", \"wheel\"]", &between));
  if (!cJSON_IsArray(between) || cJSON_GetArraySize(between) != 2)
    return OMR_REFUSE(g->reader, between,
                      "expected the names of two bodies, [A, B]: every constraint, contact and "
                      "force acts between two (\"base\" is the body at rest)");
  cJSON_ArrayForEach(name, between) {
    OMR_TRY(find_body(g, scope, name, &body[at++]));
  }
  if (body[0] == body[1])
    return OMR_REFUSE(g->reader, between,
                      "both are the body \"%s\": an edge of the graph joins two bodies",
                      g->graph->body[body[0]].path);
  memcpy(g->graph->element[element].body, body, sizeof body);
  return OMR_OK;
}

static omr_status read_surfaces(omr_graph_reader *g, const omr_graph_scope *scope,
                                const cJSON *item, int element) {
  const cJSON *surfaces, *surface;
  int number[2] = {-1, -1}, at = 0;

  /* A contact lies between exactly two shapes. */
  OMR_TRY(omr_require(g->reader, item, "surfaces",
                      "[{\"shape\": \"plane\"}, {\"shape\": \"sphere\", \"radius\": \"5 cm\"}]",
                      &surfaces));
  if (!cJSON_IsArray(surfaces) || cJSON_GetArraySize(surfaces) != 2)
    return OMR_REFUSE(g->reader, surfaces, "expected two shapes, that of A and that of B");
  cJSON_ArrayForEach(surface, surfaces) {
    /* Each shape belongs to the body on its side. */
    const int body = g->graph->element[element].body[at];
    OMR_TRY(read_shape(g, scope, surface, body, &number[at]));
    if (g->graph->element[number[at]].kind == OMR_GRAPH_KIND_SHAPE_BOX)
      return OMR_REFUSE(g->reader, surface,
                        "a box is for pictures; a contact needs a plane, a sphere, an ellipsoid, a "
                        "disc, a torus, a cylinder or a roller");
    at++;
  }
  memcpy(g->graph->element[element].surfaces, number, sizeof number);
  return OMR_OK;
}

/* The floor carries it, and another body has it. */
static omr_status check_roller(omr_graph_reader *g, const cJSON *item, int element) {
  const omr_graph_element *e = &g->graph->element[element];
  const int wheel = e->word[OMR_GRAPH_KEY_CONTACT_WHEEL];
  if (e->body[0] != 0)
    return OMR_REFUSE(g->reader, item,
                      "a roller stands on the floor: \"between\": [\"base\", \"%s\"]",
                      g->graph->body[e->body[1]].path);
  if (wheel != 0 && wheel != e->body[1]) return OMR_OK;
  return OMR_REFUSE(g->reader, item, "\"wheel\" is the body that carries the roller \"%s\"",
                    g->graph->body[e->body[1]].path);
}

/* Where a joint sits is said once: at the start in the axes of its group, or in both bodies. */
static omr_status check_place(omr_graph_reader *g, const cJSON *item, int element) {
  const omr_graph_element *e = &g->graph->element[element];
  if (!omr_graph_has_key(e->kind, OMR_GRAPH_KEY_CONSTRAINT_AT)) return OMR_OK; /* the centres */
  const bool at = e->slot[OMR_GRAPH_KEY_CONSTRAINT_AT] >= 0,
             a = e->slot[OMR_GRAPH_KEY_CONSTRAINT_POINT_A] >= 0,
             b = e->slot[OMR_GRAPH_KEY_CONSTRAINT_POINT_B] >= 0;
  if (at && (a || b))
    return OMR_REFUSE(g->reader, item,
                      "\"at\" says where the joint is; \"point_a\" and \"point_b\" say it too");
  if (at || a || b) return OMR_OK;
  return OMR_REFUSE(g->reader, item,
                    "where is the joint? \"at\": [x, y, z] at the start, or \"point_a\" and "
                    "\"point_b\" from the centres of mass");
}

static omr_status read_element(omr_graph_reader *g, int element) {
  const cJSON *item = g->element[element].item;
  const omr_graph_scope *scope = g->element[element].scope;
  const omr_graph_class class = g->graph->element[element].class;
  omr_graph_kind kind;
  if (!cJSON_IsObject(item))
    return OMR_MISTAKEN(g->reader, item, OMR_MISTAKE_TYPE,
                        "expected {\"type\": ..., \"between\": [A, B], ...}");
  OMR_TRY(read_kind(g, item, class, &kind));
  g->graph->element[element].kind = kind;
  OMR_TRY(read_keys(g, scope, item, element));
  OMR_TRY(read_between(g, scope, item, element));
  if (has_surfaces(kind)) OMR_TRY(read_surfaces(g, scope, item, element));
  if (kind == OMR_GRAPH_KIND_CONTACT_ROLLER) OMR_TRY(check_roller(g, item, element));
  return check_place(g, item, element);
}

omr_status omr_graph_read_elements(omr_graph_reader *g) {
  const int count = g->graph->elements; /* shapes are added behind */
  for (int e = 0; e < count; e++)
    if (g->element[e].item) OMR_TRY(read_element(g, e));
  return OMR_OK;
}

/* MEASURES */

static void measure_unit(const omr_graph *graph, const omr_graph_element *e, char *unit,
                         size_t size) {
  const omr_slot of = e->slot[OMR_GRAPH_KEY_MEASURE_OF];
  const char *measured = of >= 0 ? graph->slot[of].formula->unit : "1";
  omr_dimension dimension, second;
  char *message = NULL;
  snprintf(unit, size, "%s", e->kind == OMR_GRAPH_KIND_MEASURE_FIRST ? "s" : measured);
  if (e->kind != OMR_GRAPH_KIND_MEASURE_INTEGRAL) return;
  if (omr_unit_dimension(measured, &dimension, &message) &&
      omr_unit_dimension("s", &second, &message) &&
      omr_dimension_times(dimension, second, 1, &dimension))
    omr_dimension_print(dimension, unit, size);
  free(message);
}

omr_status omr_graph_read_measure(omr_graph_reader *g, const cJSON *item, char *unit, size_t size,
                                  int *element) {
  omr_graph_kind kind;
  if (!cJSON_IsObject(item))
    return OMR_MISTAKEN(g->reader, item, OMR_MISTAKE_TYPE,
                        "expected {\"take\": \"max\", \"of\": \"stone.wy\"}");
  OMR_TRY(read_kind(g, item, OMR_GRAPH_MEASURE, &kind));
  OMR_TRY(omr_graph_add_element(g, OMR_GRAPH_MEASURE, item->string, 0, element));
  g->graph->element[*element].kind = kind;
  OMR_TRY(read_keys(g, g->scope[0], item, *element));
  measure_unit(g->graph, &g->graph->element[*element], unit, size);
  return OMR_OK;
}
