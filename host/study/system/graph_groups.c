/* The first pass over a multibody system: bodies, edges and groups get their names and numbers, and
 * each use of a class a scope of its own. Their values are read when all names are known. */
#include "graph_build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 12, PATH = 256, MOST_COPIES = 200 };

static omr_status check_room(const omr_graph_reader *g, const cJSON *item, int count, int most,
                             const char *what) {
  if (count < most) return OMR_OK;
  return OMR_MISTAKEN(g->reader, item, OMR_MISTAKE_RANGE, "a system has at most %d %s", most, what);
}

/* Names are parts of paths and of columns. */
static omr_status graph_check_name(const omr_graph_reader *g, const cJSON *item) {
  const char *name = item->string;
  size_t length = 0;
  while (name[length] == '_' || (name[length] >= '0' && name[length] <= '9') ||
         (name[length] >= 'a' && name[length] <= 'z') ||
         (name[length] >= 'A' && name[length] <= 'Z'))
    length++;
  const bool good = length > 0 && !name[length] && length < 32 && !(*name >= '0' && *name <= '9');
  if (good && strcmp(name, "base") != 0) return OMR_OK;
  return OMR_MISTAKEN(g->reader, item, OMR_MISTAKE_WORD,
                      good ? "\"%s\" is the body at rest that every system has: choose another name"
                           : "\"%s\" is no name: expected at most 31 letters, digits and "
                             "underscores, the first of them no digit",
                      name);
}

static char *path_of(const omr_graph_reader *g, int group, const char *name, int copy) {
  char path[PATH], number[16] = "";
  const char *outer = g->graph->group[group].path;
  if (copy >= 0) snprintf(number, sizeof number, "[%d]", copy);
  snprintf(path, sizeof path, "%.180s%s%s%s", outer, *outer ? "." : "", name, number);
  return strdup(path);
}

static omr_status check_path(const omr_graph_reader *g, const cJSON *item, const char *path) {
  if (!path) return omr_fail_memory(g->reader);
  if (strlen(path) <= OMR_GRAPH_PATH) return OMR_OK;
  return OMR_MISTAKEN(
      g->reader, item, OMR_MISTAKE_RANGE,
      "with the groups around it the name has more than %d letters: choose shorter ones",
      OMR_GRAPH_PATH);
}

/* Room for one more. */
static bool grow(void *list, int count, size_t size) {
  return omr_grow(list, (size_t)count + 1, size);
}

static omr_status add_body(omr_graph_reader *g, const omr_graph_scope *scope, const cJSON *item) {
  omr_graph *graph = g->graph;
  OMR_TRY(graph_check_name(g, item));
  OMR_TRY(check_room(g, item, graph->bodies, OMR_GRAPH_BODIES, "bodies"));
  if (!grow(&graph->body, graph->bodies, sizeof *graph->body) ||
      !grow(&g->body, graph->bodies, sizeof *g->body))
    return omr_fail_memory(g->reader);
  graph->body[graph->bodies] =
      (omr_graph_body){.path = path_of(g, scope->group, item->string, -1), .group = scope->group};
  g->body[graph->bodies] = (omr_graph_pending){item, scope};
  return check_path(g, item, graph->body[graph->bodies++].path);
}

omr_status omr_graph_add_element(omr_graph_reader *g, omr_graph_class class, const char *path,
                                 int group, int *number) {
  omr_graph *graph = g->graph;
  if (!grow(&graph->element, graph->elements, sizeof *graph->element) ||
      !grow(&g->element, graph->elements, sizeof *g->element))
    return omr_fail_memory(g->reader);
  omr_graph_element *e = &graph->element[graph->elements];
  *e = (omr_graph_element){.class = class, .group = group, .path = strdup(path)};
  for (int k = 0; k < OMR_GRAPH_ALL_KEYS; k++) e->slot[k] = -1;
  for (int m = 0; m < 6; m++) e->motion[m] = -1;
  g->element[graph->elements] = (omr_graph_pending){0};
  *number = graph->elements++;
  return e->path ? OMR_OK : omr_fail_memory(g->reader);
}

static omr_status add_edge(omr_graph_reader *g, const omr_graph_scope *scope, const cJSON *item,
                           omr_graph_class class) {
  int number;
  OMR_TRY(graph_check_name(g, item));
  OMR_TRY(check_room(g, item, g->graph->elements, OMR_GRAPH_ELEMENTS, "edges"));
  char *path = path_of(g, scope->group, item->string, -1);
  omr_status status = check_path(g, item, path);
  if (status == OMR_OK) status = omr_graph_add_element(g, class, path, scope->group, &number);
  free(path);
  if (status == OMR_OK) g->element[number] = (omr_graph_pending){item, scope};
  return status;
}

/* USES OF CLASSES */

static omr_status add_scope(omr_graph_reader *g, const omr_graph_scope *outer, int group,
                            omr_graph_scope **scope) {
  if (!grow(&g->scope, g->scopes, sizeof *g->scope) || !(*scope = calloc(1, sizeof **scope)))
    return omr_fail_memory(g->reader);
  g->scope[g->scopes++] = *scope;
  (*scope)->outer = outer;
  (*scope)->group = group;
  return OMR_OK;
}

static omr_status add_own(omr_graph_reader *g, omr_graph_scope *scope, const char *name,
                          omr_slot slot) {
  if (!grow(&scope->own, scope->owns, sizeof *scope->own)) return omr_fail_memory(g->reader);
  scope->own[scope->owns].name = name;
  scope->own[scope->owns++].slot = slot;
  return OMR_OK;
}

/* Parameters of the class: a value of the use is an expression in the scope around it, a default
 * one of the parameters before it. */
static omr_status read_own(omr_graph_reader *g, omr_graph_scope *scope, const cJSON *class,
                           const cJSON *use) {
  const cJSON *parameters, *with, *entry;
  const omr_graph_wanted wanted = {"", g->built_in ? OMR_GRAPH_KINEMATIC : OMR_GRAPH_STATIC, false,
                                   -1};

  /* Each name in "with" has to be a parameter of the class. */
  OMR_TRY(omr_read_object(g->reader, class, "parameters", &parameters));
  OMR_TRY(omr_read_object(g->reader, use, "with", &with));
  cJSON_ArrayForEach(entry, with) {
    if (parameters && omr_json_get(parameters, entry->string)) continue;
    return OMR_MISTAKEN(g->reader, entry, OMR_MISTAKE_UNKNOWN_KEY,
                        "the class has no parameter \"%s\"", entry->string);
  }

  /* Each parameter takes the value of the use, or its default. */
  cJSON_ArrayForEach(entry, parameters) {
    const cJSON *given = with ? omr_json_get(with, entry->string) : NULL;
    omr_slot slot;
    OMR_TRY(graph_check_name(g, entry));
    OMR_TRY(check_room(g, entry, scope->owns, OMR_GRAPH_PARAMETERS, "parameters of a class"));
    if (!given && cJSON_IsNull(entry))
      return OMR_REFUSE(g->reader, use, "the class needs \"with\": {\"%s\": ...}", entry->string);

    /* A given value is read in the scope of the use, a default in the scope of the class. */
    OMR_TRY(omr_graph_read_number(g, given ? scope->outer : scope, given ? given : entry, wanted,
                                  &slot));
    OMR_TRY(add_own(g, scope, entry->string, slot));
  }
  return OMR_OK;
}

/* The parameters of the study that a number depends on must not vary where it says how many copies
 * there are: names would come and go. */
static void mark_structural(omr_graph *graph, omr_slot slot) {
  const omr_expression *e = graph->slot[slot].formula;
  if (graph->slot[slot].structural) return;
  graph->slot[slot].structural = true;
  if (slot < graph->parameters) graph->structural[slot] = true;
  for (size_t c = 0; e && c < e->column_count; c++) mark_structural(graph, (omr_slot)e->columns[c]);
}

static omr_status read_count(omr_graph_reader *g, const omr_graph_scope *scope, const cJSON *item,
                             int *count) {
  omr_slot slot;
  OMR_TRY(
      omr_graph_read_number(g, scope, item, (omr_graph_wanted){.unit = "1", .element = -1}, &slot));
  const double value = g->value[slot];
  if (!(value >= 1 && value <= MOST_COPIES) || value != rint(value))
    return OMR_MISTAKEN(g->reader, item, OMR_MISTAKE_RANGE,
                        "expected a whole number of copies from 1 to %d, this is %.9g", MOST_COPIES,
                        value);
  mark_structural(g->graph, slot);
  *count = (int)value;
  return OMR_OK;
}

static omr_status collect(omr_graph_reader *g, const omr_graph_scope *scope, const cJSON *object,
                          int depth);

static omr_status check_ports(const omr_graph_reader *g, const cJSON *ports) {
  const cJSON *port;
  cJSON_ArrayForEach(port, ports) {
    if (!cJSON_IsString(port))
      return OMR_MISTAKEN(g->reader, port, OMR_MISTAKE_TYPE, "expected the name of a body");
  }
  return OMR_OK;
}

static omr_status add_number_of_copy(omr_graph_reader *g, omr_graph_scope *scope, const char *name,
                                     int copy) {
  omr_slot slot;
  OMR_TRY(omr_graph_add_constant(g, copy, &slot));
  return add_own(g, scope, name, slot);
}

static omr_status add_use(omr_graph_reader *g, const omr_graph_scope *outer, const cJSON *use,
                          const cJSON *class, int copy, int depth) {
  omr_graph *graph = g->graph;
  omr_graph_scope *scope;
  const cJSON *index = omr_json_get(use, "index");

  /* The copy becomes a group of the graph. */
  OMR_TRY(check_room(g, use, graph->groups, OMR_GRAPH_ELEMENTS, "groups"));
  if (!grow(&graph->group, graph->groups, sizeof *graph->group)) return omr_fail_memory(g->reader);
  const int number = graph->groups;
  graph->group[number] = (omr_graph_group){.path = path_of(g, outer->group, use->string, copy),
                                           .class_name = strdup(class->string ? class->string : ""),
                                           .parent = outer->group,
                                           .pose = {-1, -1, -1, {.quaternion = -1}}};
  graph->groups++;
  OMR_TRY(check_path(g, use, graph->group[number].path));
  if (!graph->group[number].class_name) return omr_fail_memory(g->reader);

  /* The scope inside the group knows the number of the copy. */
  OMR_TRY(add_scope(g, outer, number, &scope));
  if (copy >= 0) /* where "with" and the pose are written, and in the class */
    OMR_TRY(add_number_of_copy(g, scope, index && cJSON_IsString(index) ? index->valuestring : "i",
                               copy));

  /* The scope around the group knows it too, for "with", the ports and the pose. */
  omr_graph_scope *around;
  OMR_TRY(add_scope(g, outer, outer->group, &around));
  if (copy >= 0) OMR_TRY(add_own(g, around, scope->own[0].name, scope->own[0].slot));
  scope->outer = around;
  scope->ports = omr_json_get(use, "ports");

  /* Parameters and the pose come before the members of the class. */
  OMR_TRY(read_own(g, scope, class, use));
  omr_graph_pose pose;
  OMR_TRY(omr_graph_read_pose(g, around, use, &pose));
  graph->group[number].pose = pose;
  return collect(g, scope, class, depth + 1);
}

static omr_status add_group(omr_graph_reader *g, const omr_graph_scope *scope, const cJSON *use,
                            int depth) {
  static const char *const keys[] = {"class", "count", "index",
                                     "with",  "ports", OMR_GRAPH_POSE_KEYS};
  const cJSON *name, *class, *count, *ports;
  int copies = 1;

  /* The use has a name, its own keys and the class. */
  OMR_TRY(graph_check_name(g, use));
  if (!cJSON_IsObject(use))
    return OMR_MISTAKEN(g->reader, use, OMR_MISTAKE_TYPE, "expected {\"class\": NAME, ...}");
  OMR_TRY(OMR_CHECK_KEYS(g->reader, use, keys));
  OMR_TRY(omr_require(g->reader, use, "class", "\"wheel\"", &name));

  /* The class has to exist, and must not use itself. */
  class = cJSON_IsString(name) && g->classes ? omr_json_get(g->classes, name->valuestring) : NULL;
  if (!class)
    return OMR_MISTAKEN(g->reader, name, OMR_MISTAKE_WORD,
                        "there is no such class: \"classes\" of the system lists them");
  if (depth >= DEEPEST)
    return OMR_REFUSE(g->reader, use, "classes are nested more than %d deep: does one use itself?",
                      DEEPEST);

  /* The ports join the group to bodies of its surroundings. */
  OMR_TRY(omr_read_object(g->reader, use, "ports", &ports));
  OMR_TRY(check_ports(g, ports));

  /* Each copy is added on its own. */
  count = omr_json_get(use, "count");
  if (count) OMR_TRY(read_count(g, scope, count, &copies));
  for (int i = 0; i < copies; i++) OMR_TRY(add_use(g, scope, use, class, count ? i : -1, depth));
  return OMR_OK;
}

/* Members of the world or of a class. */
static omr_status collect(omr_graph_reader *g, const omr_graph_scope *scope, const cJSON *object,
                          int depth) {
  static const omr_graph_class edges[] = {OMR_GRAPH_CONSTRAINT, OMR_GRAPH_CONTACT, OMR_GRAPH_FORCE};
  const cJSON *section, *item;
  OMR_TRY(omr_read_object(g->reader, object, "bodies", &section));
  cJSON_ArrayForEach(item, section) OMR_TRY(add_body(g, scope, item));
  for (size_t c = 0; c < sizeof edges / sizeof *edges; c++) {
    OMR_TRY(omr_read_object(g->reader, object, omr_graph_sections[edges[c]], &section));
    cJSON_ArrayForEach(item, section) OMR_TRY(add_edge(g, scope, item, edges[c]));
  }
  OMR_TRY(omr_read_object(g->reader, object, "groups", &section));
  cJSON_ArrayForEach(item, section) OMR_TRY(add_group(g, scope, item, depth));
  return OMR_OK;
}

/* Defaults that no use of the class falls back to are looked at too. */
static omr_status check_defaults(const omr_graph_reader *g, const cJSON *class) {
  const cJSON *parameters, *entry;
  OMR_TRY(omr_read_object(g->reader, class, "parameters", &parameters));
  cJSON_ArrayForEach(entry, parameters) {
    if (cJSON_IsNull(entry) || cJSON_IsNumber(entry) || cJSON_IsString(entry)) continue;
    return OMR_MISTAKEN(
        g->reader, entry, OMR_MISTAKE_TYPE,
        "expected a number or an expression in quotes, or null where each use gives one");
  }
  return OMR_OK;
}

static omr_status check_classes(const omr_graph_reader *g) {
  static const char *const keys[] = {"meaning",  "parameters", "bodies", "constraints",
                                     "contacts", "forces",     "groups"};
  const cJSON *class;
  cJSON_ArrayForEach(class, g->classes) {
    OMR_TRY(graph_check_name(g, class));
    if (!cJSON_IsObject(class))
      return OMR_MISTAKEN(g->reader, class, OMR_MISTAKE_TYPE,
                          "expected {\"parameters\": {...}, \"bodies\": {...}, ...}");
    OMR_TRY(OMR_CHECK_KEYS(g->reader, class, keys));
    OMR_TRY(check_defaults(g, class));
  }
  return OMR_OK;
}

/* Numbers of a built-in system that its expressions have names for. One with the name of a
 * parameter is the default where that has no value. */
static omr_status add_numbers(omr_graph_reader *g, omr_graph_scope *world, const cJSON *numbers,
                              omr_graph_level most) {
  const omr_graph_wanted wanted = {.unit = "", .level = most, .element = -1};
  const cJSON *item;
  omr_slot slot;
  cJSON_ArrayForEach(item, numbers) {
    OMR_TRY(omr_graph_read_number(g, world, item, wanted, &slot));
    for (int p = 0; p < g->graph->parameters; p++)
      if (strcmp(g->graph->parameter[p].name, item->string) == 0)
        g->graph->slot[slot].given = p + 1;
    OMR_TRY(add_own(g, world, item->string, slot));
  }
  return OMR_OK;
}

/* All numbers that names may mean in a built-in system: measures, too, and numbers that follow from
 * the motion. */
static omr_status collect_built_in(omr_graph_reader *g, omr_graph_scope *world,
                                   const cJSON *system) {
  const cJSON *measure;
  int number = 0;
  OMR_TRY(add_numbers(g, world, omr_json_get(system, "numbers"), OMR_GRAPH_STATIC));
  cJSON_ArrayForEach(measure, omr_json_get(system, "measures")) {
    const omr_graph_slot so_far = {.level = OMR_GRAPH_KINEMATIC,
                                   .quantity = OMR_GRAPH_MEASURE_SO_FAR,
                                   .owner_number = number++};
    omr_slot slot;
    OMR_TRY(omr_graph_add_slot(g, so_far, &slot));
    OMR_TRY(add_own(g, world, measure->string, slot));
  }
  OMR_TRY(collect(g, world, system, 0));
  return add_numbers(g, world, omr_json_get(system, "moving"), OMR_GRAPH_DYNAMIC);
}

omr_status omr_graph_collect(omr_graph_reader *g, const cJSON *system) {
  omr_graph *graph = g->graph;
  omr_graph_scope *world;

  /* The classes are checked before anything uses them. */
  OMR_TRY(omr_read_object(g->reader, system, "classes", &g->classes));
  OMR_TRY(check_classes(g));

  /* The system is the first group, and the base its first body. */
  graph->group = calloc(1, sizeof *graph->group);
  graph->body = calloc(1, sizeof *graph->body);
  g->body = calloc(1, sizeof *g->body);
  if (!graph->group || !graph->body || !g->body) return omr_fail_memory(g->reader);
  const omr_graph_pose still = {-1, -1, -1, {.quaternion = -1}};
  graph->group[0] = (omr_graph_group){
      .path = strdup(""), .class_name = strdup("system"), .parent = -1, .pose = still};
  graph->body[0] =
      (omr_graph_body){.path = strdup("base"), .mass = -1, .inertia = -1, .pose = still};
  graph->groups = graph->bodies = 1;
  if (!graph->group[0].path || !graph->group[0].class_name || !graph->body[0].path)
    return omr_fail_memory(g->reader);

  /* Everything else is read in the world's scope. */
  OMR_TRY(add_scope(g, NULL, 0, &world));
  return g->built_in ? collect_built_in(g, world, system) : collect(g, world, system, 0);
}
