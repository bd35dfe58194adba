/* The whole kernel text in order: embedded in the library for OpenCL (cmake/embed_kernels.cmake), included by
 * host/engine/lanes.c for the processor. */
#include "compat.h"
#include "mathfn.h"
#include "layout.h"
#include "config.h"
#include "geometry.h"
#include "friction.h"
#include "drive.h"
#include "vehicle.h"
#include "observe.h"
#include "exchange.h"
#include "integrate.h"
#include "entry.h"
