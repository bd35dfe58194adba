/* Tables of describe for what has a type: kinds and the parameters that each of them uses. */
#ifndef OMR_DESCRIBE_KINDS_H
#define OMR_DESCRIBE_KINDS_H

#include "describe_listing.h"

/* Laws of contact (1 cell); the others: name and parameters (2). */
void omr_fill_laws(omr_listing *t, omr_model model);
void omr_fill_drives(omr_listing *t, omr_model model);
void omr_fill_commands(omr_listing *t, omr_model model);
/* Keys of what drives and commands replay, and of its columns: of, name, default, values (4). */
void omr_fill_replay_keys(omr_listing *t, omr_model model);
void omr_fill_grounds(omr_listing *t, omr_model model);
void omr_fill_externals(omr_listing *t, omr_model model);
void omr_fill_patches(omr_listing *t, omr_model model);

#endif
