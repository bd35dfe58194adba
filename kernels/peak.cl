/* The yardstick's own program for OpenCL devices, embedded like all.cl. */
#include "compat.h"
#include "peak.h"
