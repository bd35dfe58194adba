/* Tables of describe for rows with a type: kinds and the parameters that each of them uses. */
#ifndef OMR_DESCRIBE_KINDS_H
#define OMR_DESCRIBE_KINDS_H

#include "describe_listing.h"

/* Laws of contact (1 cell); the others: name and parameters (2). */
void omr_fill_laws(omr_listing *t, omr_model model);
void omr_fill_wheel_kinds(omr_listing *t, omr_model model);
void omr_fill_drives(omr_listing *t, omr_model model);
void omr_fill_commands(omr_listing *t, omr_model model);
void omr_fill_grounds(omr_listing *t, omr_model model);
void omr_fill_externals(omr_listing *t, omr_model model);
void omr_fill_patches(omr_listing *t, omr_model model);
/* describe_rules.c: name, rule, and the other side as the text. */
void omr_fill_rules(omr_listing *t, omr_model model);

#endif
