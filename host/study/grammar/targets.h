/* Parameters by name, and whether a study has a use for them. Every function that has a status
 * fails with file, line and JSON path. */
#ifndef OMR_STUDY_TARGETS_H
#define OMR_STUDY_TARGETS_H

#include "reader.h"

/* A parameter of the study: an OMR_VP_ index, or an OMR_WP_ index with a wheel (-1: of all wheels).
 */
typedef struct omr_target {
  bool per_wheel;
  int index;
  int wheel;
} omr_target;

/* parse_kinds.c: the words of the study file that are no parameters, for reader and `describe`. */

extern const char *const omr_layout_names[3];
/* True for the parameters of wheels below "drive."; for those of the vehicle below a path that ends
 * with a dot. */
bool omr_is_drive_parameter(int index);
bool omr_is_below(int index, const char *path);
/* True for the parameters of the laws of contact: those below "contact." and "tyre.", and
 * "slip_speed". */
bool omr_is_law_parameter(int index);
/* The patch of the ground whose parameter it is, or -1. */
int omr_patch_of(int index);
/* + - - + for front-left, front-right, rear-left, rear-right. */
double omr_mecanum_sign(int wheel);

/* parse_target.c: parameters by name. */

static inline omr_target omr_target_of(const omr_variation *variation) {
  return (omr_target){variation->per_wheel, variation->index, variation->wheel};
}
const omr_parameter *omr_target_parameter(omr_target target);
/* Its path in the study's frame, after "wheel." where it is one of wheels. */
const char *omr_target_path(const omr_reader *reader, omr_target target);
/* How the study's frame turns it; given in the unit `unit`, since a torque turns, and the factor of
 * a torque table does not: the table does. */
omr_framing omr_target_turn(const omr_reader *reader, omr_target target, const char *unit);
/* Unit in which the study gives the parameter: the list's, but "1" for the factor of a torque
 * table. */
const char *omr_target_unit(const omr_reader *reader, omr_target target);
/* Fails where the study's model, layout, command or drive has no use for the parameter. */
omr_status omr_require_usable(omr_reader *reader, const cJSON *item, omr_target target);
/* Whether a slope is given by its rise over its way, "12 %", in place of its angle. */
bool omr_in_per_cent(omr_target target, const cJSON *item);
/* The parameter's value in that unit: a quantity, or one of the words that stand for numbers
 * (contact.tracking). */
omr_status omr_read_target(omr_reader *reader, const cJSON *item, omr_target target,
                           const char *unit, double *value);
/* parse_compliant.c: whether an omni_vehicle has a use for it only with compliant contact; and
 * whether a disc_vehicle has, whose penalty contact has springs too. */
bool omr_is_of_compliant(omr_target target);
bool omr_is_of_compliant_alone(omr_target target);
/* parse_compliant.c: the same for the parameters that an omni_vehicle ignores. */
omr_status omr_require_usable_compliant(omr_reader *reader, const cJSON *item, omr_target target);
/* Fails where a value lies outside the parameter's bounds. */
omr_status omr_require_bounds(omr_reader *reader, const cJSON *item, omr_target target,
                              double value);
/* A dotted path as in "vary": "platform.mass", "wheel.friction", "wheels[0].friction". */
omr_status omr_find_target(omr_reader *reader, const cJSON *item, const char *path,
                           omr_target *target);
/* Whether the path in "parameters" has a word and no number: "layout.type". */
bool omr_is_word_path(const char *path);
/* Fails: `what` ("drive" or "command") of this kind has no use for `key`. */
omr_status omr_fail_unused(omr_reader *reader, const cJSON *item, const char *what,
                           const omr_kind *kind, const char *key);
/* First and past-the-last wheel that the target means. */
int omr_target_first(omr_target target);
int omr_target_end(const omr_reader *reader, omr_target target);
/* Kind of drive that the parameter works on: of the first wheel that uses it, else of the first. */
omr_drive omr_target_drive(const omr_reader *reader, omr_target target);

#endif
