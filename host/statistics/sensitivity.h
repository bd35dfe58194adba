/* Which varied parameter matters for which observable: Sobol' indices of a saltelli design,
 * elementary effects of a morris design, linear and rank correlations of the designs that draw or
 * list their rows. */
#ifndef OMR_SENSITIVITY_H
#define OMR_SENSITIVITY_H

#include "../result/result.h"
#include "../result/source.h"

typedef struct omr_sensitivity omr_sensitivity;

/* Reads the rows of `source`, which are those of the study from its first on, block_rows at a time.
 * `bootstrap` replicates make the intervals of Sobol' indices (0: none). Designs that have no such
 * measure give an object that writes and prints nothing. The result depends neither on the blocks
 * that are read nor on the machine's number of threads. */
enum { OMR_SENSITIVITY_ROWS = 65536 }; /* of a block, as a rule */
omr_status omr_sensitivity_of(const omr_study *study, omr_source *source, size_t bootstrap,
                              size_t block_rows, omr_sensitivity **sensitivity, omr_error *error);

/* Makes a group in /statistics (made where it is missing): sobol, morris or correlation. */
void omr_sensitivity_write(const omr_sensitivity *sensitivity, omr_hdf5 *h5);

/* Prints the few largest of every observable, for people. */
void omr_sensitivity_print(const omr_sensitivity *sensitivity, FILE *out);
/* For the summary of a run: correlations in a line per observable, the measure of a design in
 * full. */
void omr_sensitivity_print_brief(const omr_sensitivity *sensitivity, FILE *out);
/* Prints the part of omr_sensitivity_print that the brief form lacks. */
void omr_sensitivity_print_rest(const omr_sensitivity *sensitivity, FILE *out);

/* For the short summary (brief.h): writes the parameters that an observable goes with most into
 * text[room + 1], "" where nothing is known. The heading says what their numbers are. */
void omr_sensitivity_tell(const omr_sensitivity *sensitivity, const char *observable, size_t room,
                          char *text);
void omr_sensitivity_heading(const omr_sensitivity *sensitivity, size_t size, char *text);

/* Prints all of them as an object: {"sobol": {...}}, or {} where there is none, without a line end.
 * False when out of memory. */
bool omr_sensitivity_print_json(const omr_sensitivity *sensitivity, FILE *out);

void omr_sensitivity_destroy(omr_sensitivity *sensitivity); /* NULL-safe */

#endif
