/* A multibody system as a study of the model `multibody` writes it: bodies, and constraints,
 * contacts and forces between them, with numbers that are expressions of the study's own parameters
 * (source 3). The graph is constant after it was read; host/reference/system/graph*.c builds a
 * system of each instance's values. */
#ifndef OMR_STUDY_GRAPH_H
#define OMR_STUDY_GRAPH_H

#include "../expression/expression.h"

/* Most of each in a study: parameters take the places OMR_VP_GRAPH_0 and on among the values of an
 * instance, measures the places OMR_OBS_GRAPH_0 and on among the observables. */
enum { OMR_GRAPH_PARAMETERS = 64, OMR_GRAPH_MEASURES = 64 };
/* The most bodies, and edges of all classes, that a system of equations solved at every step can
 * have. */
enum {
  OMR_GRAPH_BODIES = 200,
  OMR_GRAPH_ELEMENTS = 2000,
  OMR_GRAPH_NUMBERS = 50000,
  OMR_GRAPH_PATH = 110, /* characters of a name with its groups */
  OMR_GRAPH_TURNS = 4
};

/* A name that the study gives. Owned by the graph. */
typedef struct omr_graph_name {
  char *name;    /* as written, and as a column is called: letters, digits, underscores */
  char *unit;    /* "m s-1"; "1" for none */
  char *meaning; /* "" where the study says none */
} omr_graph_name;

/* The class of an element: the section of the study that lists it. */
typedef enum omr_graph_class {
  OMR_GRAPH_CONSTRAINT,
  OMR_GRAPH_CONTACT,
  OMR_GRAPH_FORCE,
  OMR_GRAPH_SHAPE,   /* a surface of a contact, or a picture of a body */
  OMR_GRAPH_MEASURE, /* a number that a run leaves: an observable */
  OMR_GRAPH_CLASSES
} omr_graph_class;

/* Kinds of elements, of all classes: OMR_GRAPH_KIND_CONSTRAINT_FIXED_IDEAL ... */
typedef enum omr_graph_kind {
#define X(class, id, ...) OMR_GRAPH_KIND_##class##_##id,
#include "../../lists/graph_kinds.def"
#undef X
  OMR_GRAPH_KINDS, /* of studies; the built-in systems add more */
  OMR_GRAPH_KIND_LAST = OMR_GRAPH_KINDS - 1,
#define KIND(class, id, ...) OMR_GRAPH_KIND_##class##_##id,
#include "../../lists/graph_built_in.def"
  OMR_GRAPH_ALL_KINDS
} omr_graph_kind;

/* Their keys: OMR_GRAPH_KEY_CONSTRAINT_AXIS ... */
typedef enum omr_graph_key {
#define X(class, id, ...) OMR_GRAPH_KEY_##class##_##id,
#include "../../lists/graph_keys.def"
#undef X
  OMR_GRAPH_KEYS,
  OMR_GRAPH_KEY_LAST = OMR_GRAPH_KEYS - 1,
#define KEY(class, id, ...) OMR_GRAPH_KEY_##class##_##id,
#include "../../lists/graph_built_in.def"
  OMR_GRAPH_ALL_KEYS
} omr_graph_key;

typedef enum omr_graph_type {
  OMR_GRAPH_NUMBER,
  OMR_GRAPH_VECTOR,
  OMR_GRAPH_LAW,  /* of time and state */
  OMR_GRAPH_LAWS, /* three of them */
  OMR_GRAPH_WORD,
  OMR_GRAPH_BODY,   /* the number of a body, as a word */
  OMR_GRAPH_MOTIONS /* three laws of time only; a slot that is -1 is free */
} omr_graph_type;

typedef struct omr_graph_kind_row {
  omr_graph_class class;
  const char *word, *source, *meaning;
} omr_graph_kind_row;

typedef struct omr_graph_key_row {
  omr_graph_class class;
  const char *name;
  omr_graph_type type;
  const char *unit;     /* of a word: the words, a blank between them */
  const char *standard; /* JSON text; NULL: required, "": may be left out */
  const char *kinds;    /* words, a blank after each; "*": all of the class */
  const char *meaning;
} omr_graph_key_row;

extern const omr_graph_kind_row omr_graph_kind_rows[OMR_GRAPH_ALL_KINDS];
extern const omr_graph_key_row omr_graph_key_rows[OMR_GRAPH_ALL_KEYS];
/* Name of the section that lists elements of the class, and of the key that says the kind. */
extern const char *const omr_graph_sections[OMR_GRAPH_CLASSES];
extern const char *const omr_graph_kind_keys[OMR_GRAPH_CLASSES];
/* Whether elements of the kind have the key. */
bool omr_graph_has_key(omr_graph_kind kind, omr_graph_key key);

/* Numbers of the moving system. */
typedef enum omr_graph_owner {
  OMR_GRAPH_OF_SYSTEM,
  OMR_GRAPH_OF_BODY,
  OMR_GRAPH_OF_CONSTRAINT,
  OMR_GRAPH_OF_CONTACT,
  OMR_GRAPH_OF_MEASURE /* of built-in systems */
} omr_graph_owner;

typedef enum omr_graph_quantity_kind {
#define X(owner, id, ...) OMR_GRAPH_##owner##_##id,
#include "../../lists/graph_quantities.def"
#undef X
  OMR_GRAPH_QUANTITIES,
  OMR_GRAPH_QUANTITY_LAST = OMR_GRAPH_QUANTITIES - 1,
#define QUANTITY(owner, id, ...) OMR_GRAPH_##owner##_##id,
#include "../../lists/graph_built_in.def"
  OMR_GRAPH_ALL_QUANTITIES
} omr_graph_quantity_kind;

/* The sources from which a number follows: the study's values only, the state, or the
 * accelerations. */
typedef enum omr_graph_level {
  OMR_GRAPH_STATIC,
  OMR_GRAPH_KINEMATIC,
  OMR_GRAPH_DYNAMIC
} omr_graph_level;

typedef struct omr_graph_quantity_row {
  omr_graph_owner owner;
  const char *name;
  omr_graph_level level;
  const char *unit, *meaning;
} omr_graph_quantity_row;
extern const omr_graph_quantity_row omr_graph_quantity_rows[OMR_GRAPH_ALL_QUANTITIES];

/* A place among the numbers of a system; -1: none. */
typedef int omr_slot;

/* Where a number comes from: a parameter of the study (neither of the others), a formula of slots,
 * or a quantity of the moving system. */
typedef struct omr_graph_slot {
  omr_expression *formula; /* its columns are slots */
  omr_graph_level level;
  omr_graph_quantity_kind quantity; /* where `owner_number` is not negative */
  int owner_number; /* of the body (0: the base) or element that the quantity is of; system: 0; no
                       quantity: -1 */
  char *place;      /* JSON path, for messages; NULL of quantities */
  bool structural;  /* how many copies a group has follows from it */
  int given;        /* built-in systems: number + 1 of the parameter whose value stands in place of
                       the formula where it has one; 0: none */
} omr_graph_slot;

/* Rotations one after the other, each about an axis fixed in the group; or a quaternion. */
typedef struct omr_graph_turning {
  int turns;
  struct {
    omr_slot axis, angle;
  } turn[OMR_GRAPH_TURNS];
  omr_slot quaternion; /* first of four; -1: none */
} omr_graph_turning;

/* Where something is at the start, and how it moves, in the axes of its group. */
typedef struct omr_graph_pose {
  omr_slot at, velocity, rate; /* first of three each */
  omr_graph_turning turned;
} omr_graph_pose;

/* One use of a class of the study; group 0 is the world. */
typedef struct omr_graph_group {
  char *path; /* "" of the world, "left.rollers[2]" */
  char *class_name;
  int parent;
  omr_graph_pose pose;
} omr_graph_group;

/* Body 0 is the base. */
typedef struct omr_graph_body {
  char *path;
  int group;
  omr_slot mass, inertia; /* inertia: first of six: xx yy zz xy xz yz */
  omr_graph_pose pose;
} omr_graph_body;

typedef struct omr_graph_element {
  omr_graph_class class;
  omr_graph_kind kind;
  char *path;
  int group;
  int body[2];     /* A, B; a shape: its body first */
  int surfaces[2]; /* a contact: elements that are shapes */
  omr_slot slot[OMR_GRAPH_ALL_KEYS];
  int word[OMR_GRAPH_ALL_KEYS];
  omr_slot motion[6]; /* place and angles of a prescribed motion; -1: free */
} omr_graph_element;

typedef struct omr_graph {
  omr_graph_name *parameter; /* [parameters] */
  int parameters;
  omr_graph_name *measure; /* [measures], the observables */
  int measures;
  omr_graph_name *sample; /* [samples] of a trajectory */
  int samples;
  int measure_element[OMR_GRAPH_MEASURES];
  omr_slot *sample_slot; /* [samples] */
  omr_slot gravity;      /* first of three */
  omr_graph_slot *slot;  /* [slots]; the study's parameters first */
  int slots, slot_room;
  omr_graph_group *group; /* [groups] */
  int groups;
  omr_graph_body *body; /* [bodies], the base included */
  int bodies;
  omr_graph_element *element; /* [elements] */
  int elements;
  bool structural[OMR_GRAPH_PARAMETERS]; /* parameters that numbers of groups depend on */
} omr_graph;

void omr_graph_destroy(omr_graph *graph); /* NULL-safe */

/* The numbers of an instance: value[slots], of which the first `parameters` are given. Numbers that
 * do not follow from the study are NaN. */
void omr_graph_evaluate(const omr_graph *graph, double *value);

/* Whether these numbers make a system: expressions with a value, bodies with mass and inertia, axes
 * with a length. False with the reason. */
bool omr_graph_judge(const omr_graph *graph, const double *value, char *reason, size_t size);

/* Body and element by path; -1: none. "base" is body 0. */
int omr_graph_body_of(const omr_graph *graph, const char *path);
int omr_graph_element_of(const omr_graph *graph, omr_graph_class class, const char *path);

#endif
