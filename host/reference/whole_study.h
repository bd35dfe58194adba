/* Whole studies on the reference: chunks, designs, statistics and resumed runs as on the engine. */
#ifndef OMR_WHOLE_STUDY_H
#define OMR_WHOLE_STUDY_H

#include "../engine/integrator.h"

/* The reference as an integrator. Instances run side by side on engine.threads threads, each
 * independently; any of them reports progress and checks for a stop, one at a time. An instance
 * that its integration cannot finish is diverged and harms no other. */
extern const omr_integrator_ops omr_reference_integrator;

#endif
