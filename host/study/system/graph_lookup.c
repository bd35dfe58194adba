/* The meaning of names in the expressions of a multibody system. A name is looked up in the use of
 * the class where it is written, then in each scope around it, up to the study's own parameters. */
#include "graph_build.h"

#include <string.h>

enum { PATH = 256 };

/* "left.rollers[2]" and "disc" to "left.rollers[2].disc". */
static void join_path(const omr_graph_reader *g, const omr_graph_scope *scope, const char *name,
                      char path[PATH]) {
  const char *group = g->graph->group[scope->group].path;
  snprintf(path, PATH, "%.120s%s%.120s", group, *group ? "." : "", name);
}

int omr_graph_find_body(const omr_graph_reader *g, const omr_graph_scope *scope, const char *name) {
  char path[PATH];
  for (; scope; scope = scope->outer) {
    const cJSON *port = scope->ports ? omr_json_get(scope->ports, name) : NULL;
    if (port && scope->outer && cJSON_IsString(port))
      return omr_graph_find_body(g, scope->outer, port->valuestring);
    join_path(g, scope, name, path);
    const int found = omr_graph_body_of(g->graph, path);
    if (found >= 0) return found;
  }
  return strcmp(name, "base") == 0 ? 0 : -1;
}

static int find_element(const omr_graph_reader *g, const omr_graph_scope *scope,
                        omr_graph_class class, const char *name) {
  char path[PATH];
  for (; scope; scope = scope->outer) {
    join_path(g, scope, name, path);
    const int found = omr_graph_element_of(g->graph, class, path);
    if (found >= 0) return found;
  }
  return -1;
}

/* "front.angle": a parameter of the class that the group is made of; -1: none. */
static omr_slot find_in_group(const omr_graph_reader *g, const omr_graph_scope *scope,
                              const char *group, const char *name) {
  char path[PATH];
  for (; scope && g->built_in; scope = scope->outer) {
    join_path(g, scope, group, path);
    for (int s = 0; s < g->scopes; s++) {
      const omr_graph_scope *in = g->scope[s];
      for (int i = 0; i < in->owns && strcmp(g->graph->group[in->group].path, path) == 0; i++)
        if (strcmp(in->own[i].name, name) == 0) return in->own[i].slot;
    }
  }
  return -1;
}

static int quantity_of(const omr_graph_reader *g, omr_graph_owner owner, const char *name) {
  for (int q = 0; q < (g->built_in ? OMR_GRAPH_ALL_QUANTITIES : OMR_GRAPH_QUANTITIES); q++)
    if (omr_graph_quantity_rows[q].owner == owner &&
        strcmp(omr_graph_quantity_rows[q].name, name) == 0)
      return q;
  return -1;
}

/* The slot of a quantity, a new one where nothing has used it yet. */
static omr_status slot_of(omr_graph_reader *g, int quantity, int owner, omr_slot *slot) {
  const omr_graph *graph = g->graph;
  for (omr_slot s = 0; s < graph->slots; s++) {
    const omr_graph_slot *known = &graph->slot[s];
    *slot = s;
    if (known->owner_number == owner && (int)known->quantity == quantity && !known->formula)
      return OMR_OK;
  }
  return omr_graph_add_slot(g,
                            (omr_graph_slot){.level = omr_graph_quantity_rows[quantity].level,
                                             .quantity = (omr_graph_quantity_kind)quantity,
                                             .owner_number = owner},
                            slot);
}

static omr_status fail_quantity(const omr_graph_reader *g, const cJSON *item, const char *object,
                                omr_graph_owner owner, const char *name) {
  char list[400] = "";
  for (int q = 0; q < OMR_GRAPH_QUANTITIES; q++)
    if (omr_graph_quantity_rows[q].owner == owner)
      omr_print_more(list, sizeof list, "%s%s", *list ? ", " : "", omr_graph_quantity_rows[q].name);
  return OMR_MISTAKEN(g->reader, item, OMR_MISTAKE_WORD, "\"%s\" has no \"%s\"; it has %s", object,
                      name, list);
}

/* "disc.wx": the object before the last dot. */
static omr_status find_of_object(omr_graph_reader *g, const omr_graph_scope *scope,
                                 const cJSON *item, const char *name, omr_slot *slot) {
  static const struct {
    omr_graph_class class;
    omr_graph_owner owner;
  } classes[] = {{OMR_GRAPH_CONSTRAINT, OMR_GRAPH_OF_CONSTRAINT},
                 {OMR_GRAPH_CONTACT, OMR_GRAPH_OF_CONTACT}};
  char object[PATH];
  const char *dot = strrchr(name, '.');
  snprintf(object, sizeof object, "%.*s", (int)(dot - name), name);

  /* The object is a body, a constraint, a contact or a group in scope. */
  omr_graph_owner owner = OMR_GRAPH_OF_BODY;
  int number = omr_graph_find_body(g, scope, object);
  for (size_t i = 0; number < 0 && i < 2; i++) {
    owner = classes[i].owner;
    number = find_element(g, scope, classes[i].class, object);
  }
  if (number < 0) *slot = find_in_group(g, scope, object, dot + 1);
  if (number < 0) return OMR_OK; /* the parser says that there is no such name */

  /* The quantity has to be one of the object's. */
  const int quantity = quantity_of(g, owner, dot + 1);
  if (quantity < 0) return fail_quantity(g, item, object, owner, dot + 1);
  return slot_of(g, quantity, number, slot);
}

omr_status omr_graph_find_slot(omr_graph_reader *g, const omr_graph_scope *scope, int element,
                               const cJSON *item, const char *name, omr_slot *slot) {
  *slot = -1;

  /* A path with a point names a number of an object. */
  if (strchr(name, '.')) return find_of_object(g, scope, item, name, slot);

  /* The inner scopes hide the outer ones. */
  for (const omr_graph_scope *s = scope; s; s = s->outer)
    for (int i = 0; i < s->owns; i++)
      if (strcmp(s->own[i].name, name) == 0) {
        *slot = s->own[i].slot;
        return OMR_OK;
      }

  /* A constraint knows its own quantities. */
  if (element >= 0 && g->graph->element[element].class == OMR_GRAPH_CONSTRAINT) {
    const int own = quantity_of(g, OMR_GRAPH_OF_CONSTRAINT, name);
    if (own >= 0) return slot_of(g, own, element, slot);
  }

  /* The parameters and quantities of the system come last. */
  for (int p = 0; p < g->graph->parameters; p++)
    if (strcmp(g->graph->parameter[p].name, name) == 0) {
      *slot = p;
      return OMR_OK;
    }
  const int quantity = quantity_of(g, OMR_GRAPH_OF_SYSTEM, name);
  return quantity < 0 ? OMR_OK : slot_of(g, quantity, 0, slot);
}
