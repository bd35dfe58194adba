/* Reading a multibody system: declarations that the files graph_*.c share. */
#ifndef OMR_STUDY_GRAPH_BUILD_H
#define OMR_STUDY_GRAPH_BUILD_H

#include "../grammar/parse.h"
#include "graph.h"

/* Where names are looked up: the world, or one use of a class and its surroundings. */
typedef struct omr_graph_scope omr_graph_scope;
struct omr_graph_scope {
  const omr_graph_scope *outer; /* NULL: the world */
  int group;
  const cJSON *ports; /* bodies of the outer scope under names of this one; NULL: none */
  struct {
    const char *name;
    omr_slot slot;
  } * own; /* [owns] the class's parameters and the number of the copy */
  int owns;
};

/* The source of a body or an element, which is read once all names are known. */
typedef struct omr_graph_pending {
  const cJSON *item;
  const omr_graph_scope *scope;
} omr_graph_pending;

typedef struct omr_graph_reader {
  omr_reader *reader;
  omr_graph *graph;
  bool built_in; /* a system of host/reference/systems, whose numbers are all in SI */
  const cJSON *classes;
  double *value; /* [slots] with the study's own values; NaN where they do not follow from these */
  omr_graph_scope **scope;
  int scopes;
  omr_graph_pending *body, *element; /* [bodies], [elements] of the first pass */
} omr_graph_reader;

/* How a number is to be read. */
typedef struct omr_graph_wanted {
  const char *unit; /* "": any */
  omr_graph_level level;
  bool truth;  /* a condition */
  int element; /* whose own quantities go by their bare names; -1: of none */
} omr_graph_wanted;

/* graph_lookup.c: the meaning of a name. */

/* Body by its name in the scope; -1: none. */
int omr_graph_find_body(const omr_graph_reader *g, const omr_graph_scope *scope, const char *name);
/* Slot by its name in the scope, "radius" or "disc.wx"; -1: none. Fails where the owner is known
 * and has no such quantity. */
omr_status omr_graph_find_slot(omr_graph_reader *g, const omr_graph_scope *scope, int element,
                               const cJSON *item, const char *name, omr_slot *slot);

/* graph_slots.c: any slot, the expression of a constant, and a slot with one. */
omr_status omr_graph_add_slot(omr_graph_reader *g, omr_graph_slot slot, omr_slot *number);
omr_status omr_graph_constant(const omr_graph_reader *g, double value, omr_expression **formula);
omr_status omr_graph_add_constant(omr_graph_reader *g, double value, omr_slot *number);

/* graph_numbers.c: numbers, and lists and poses of them. */
omr_status omr_graph_read_number(omr_graph_reader *g, const omr_graph_scope *scope,
                                 const cJSON *item, omr_graph_wanted wanted, omr_slot *slot);
/* `count` of them, in slots that follow each other; the first is *slot. */
omr_status omr_graph_read_list(omr_graph_reader *g, const omr_graph_scope *scope, const cJSON *item,
                               int count, omr_graph_wanted wanted, omr_slot *slot);
/* Members "at", "turned", "quaternion", "velocity", "angular_velocity" of an object. */
omr_status omr_graph_read_pose(omr_graph_reader *g, const omr_graph_scope *scope,
                               const cJSON *object, omr_graph_pose *pose);
#define OMR_GRAPH_POSE_KEYS "at", "turned", "quaternion", "velocity", "angular_velocity"

/* graph_groups.c: the first pass, which makes all bodies, elements and groups known by name. */
omr_status omr_graph_collect(omr_graph_reader *g, const cJSON *system);

/* graph_elements.c: the second pass. */
omr_status omr_graph_read_bodies(omr_graph_reader *g);
omr_status omr_graph_read_elements(omr_graph_reader *g);
omr_status omr_graph_add_element(omr_graph_reader *g, omr_graph_class class, const char *path,
                                 int group, int *number);

/* A measure: its element, and the unit of its observable. */
omr_status omr_graph_read_measure(omr_graph_reader *g, const cJSON *item, char *unit, size_t size,
                                  int *element);

/* graph_outputs.c: measures and samples. */
omr_status omr_graph_read_outputs(omr_graph_reader *g, const cJSON *system);

#endif
