/* Names that a criterion may use: the columns of a result, and the criteria defined before it. */
#ifndef OMR_STATISTICS_CRITERION_NAMES_H
#define OMR_STATISTICS_CRITERION_NAMES_H

#include "../study.h"

struct omr_expression;

typedef struct omr_name {
  char *name;         /* of the column or criterion: "max_slip", "platform_mass" */
  char *unit;         /* "m s-1" */
  size_t column;      /* of the source: parameters first, then observables */
  const char *absent; /* NULL, or the reason why the study has no such column, with a remedy */
  const struct omr_expression *criterion; /* NULL for columns; not owned */
} omr_name;

typedef struct omr_names {
  omr_name *list;
  size_t count;
  size_t columns; /* of the source; the status has this number among the values of an expression */
  bool of_system; /* of a multibody system (graph.h): no status, no criteria */
  bool bare;      /* all names are numbers without units, and so are angles */
  bool failed;    /* out of memory at some point */
} omr_names;

/* The columns that a run of the study has, and the other observables and parameters of its model,
 * which it could have had. */
void omr_names_of_study(const omr_study *study, omr_names *names);
/* The columns of a finished run: [columns], name and unit of each. */
void omr_names_of_columns(const omr_sample_info *info, size_t columns, omr_names *names);
/* A name more; where memory runs out `failed` is set. */
void omr_names_add(omr_names *names, const char *name, const char *unit, size_t column);
void omr_names_add_criterion(omr_names *names, const char *name,
                             const struct omr_expression *criterion);
void omr_names_free(omr_names *names);

/* By the column's name. */
const omr_name *omr_names_find(const omr_names *names, const char *name);
/* The name that a misspelt one is like, of those that are there first; NULL for none. */
const char *omr_names_nearest(const omr_names *names, const char *name);

/* The column's name of a path, "wheels[0].roller.mass" to "wheel0_roller_mass"; a name without dots
 * stays as it is. */
void omr_names_column(const char *path, size_t length, char *column, size_t size);

#endif
