/* Several devices as one integrator: every part that runs is cut among them, a thread for each, by
 * the speeds that they have shown. Rows depend on their instance only, so that the result has the
 * bits of one device, whoever computed a row. */
#ifndef OMR_ENGINE_SEVERAL_H
#define OMR_ENGINE_SEVERAL_H

#include "integrator.h"

/* For a study that names engine.devices and runs on OpenCL. Its callers' callbacks come from the
 * thread that calls it. */
extern const omr_integrator_ops omr_several_integrator;

#endif
