/* Tables of describe of the keys of a study's sections. */
#ifndef OMR_DESCRIBE_KEYS_H
#define OMR_DESCRIBE_KEYS_H

#include "describe_listing.h"

/* Name, unit, default and values (4). */
void omr_fill_section_keys(omr_listing *t, omr_model model);
void omr_fill_vary_keys(omr_listing *t, omr_model model);
void omr_fill_design_keys(omr_listing *t, omr_model model);
void omr_fill_integrator_keys(omr_listing *t, omr_model model);
void omr_fill_output_keys(omr_listing *t, omr_model model);
void omr_fill_trajectories_keys(omr_listing *t, omr_model model);
void omr_fill_engine_keys(omr_listing *t, omr_model model);
/* Of measured runs, with what the key is of before the name (5); none where the model has no
 * measured runs. */
void omr_fill_data_keys(omr_listing *t, omr_model model);
/* How parameters are fitted to them (4). */
void omr_fill_calibrate_keys(omr_listing *t, omr_model model);
/* How a manoeuvre is looked for (4), and families of them (1). */
void omr_fill_excite_keys(omr_listing *t, omr_model model);
void omr_fill_manoeuvres(omr_listing *t, omr_model model);

#endif
