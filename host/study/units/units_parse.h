/* Unit expressions as people write them, built from UDUNITS units. Private to units*.c. */
#ifndef OMR_STUDY_UNITS_PARSE_H
#define OMR_STUDY_UNITS_PARSE_H

#include "../../support/support.h"
#include "../../support/turn.h"
#include "units_dimension.h"

#include <locale.h>
#include <udunits2.h>

typedef struct omr_unit_expression {
  ut_unit *unit;  /* ut_free it */
  bool frequency; /* Hz or a relative of it occurs: a plain 1/s to UDUNITS, turns per second to a
                     reader */
} omr_unit_expression;

/* The database that a relocatable installation has next to the library or the program, in `path` of
 * `size` bytes; NULL where there is none, or where UDUNITS2_XML_PATH names another: then UDUNITS-2
 * looks for it. */
const char *omr_unit_database(char *path, size_t size);

/* UDUNITS keeps its data in variables of its own: every caller of it, or of a function below, has
 * its turn (OMR_TURN_UNITS). */

typedef struct omr_unit_turn {
  locale_t own, before;
} omr_unit_turn;

/* Waits for the turn and takes the locale "C", since UDUNITS reads the factors in its database with
 * the decimal sign of the locale; give puts both back. */
omr_unit_turn omr_unit_turn_take(void);
void omr_unit_turn_give(omr_unit_turn turn);

/* The units of the UDUNITS database, read once and freed at exit; NULL with a message if it cannot
 * be read, or message->failed where UDUNITS would get no memory, which it does not survive. */
ut_system *omr_unit_system(omr_text *message);

/* Products by space, *, point or dot, quotients by / or per (both from left to right), brackets,
 * and exponents such as m2, m^2, m**2, m-2 and superscripts; no other numbers than the 1 in 1/s. On
 * failure the message ends a sentence. */
bool omr_unit_parse(ut_system *system, const char *text, omr_unit_expression *expression,
                    omr_text *message);
/* A unit as the parameter lists write it: "1" for a pure number. */
bool omr_unit_parse_si(ut_system *system, const char *unit, omr_unit_expression *expression,
                       omr_text *message);

typedef struct omr_unit_facts {
  omr_dimension dimension; /* of a unit that is known */
  bool linear;             /* no offset, logarithm or time stamp */
  bool known;              /* of SI units, in powers that the dimension has room for */
} omr_unit_facts;

omr_unit_facts omr_unit_inspect(const ut_unit *unit);

#endif
