/* Version and build of the library; the OMR_ macros come from cmake/library.cmake. */
#include "support.h"

#include "sources_hash.h"

#if OMR_HAVE_OPENCL
#define OPENCL "with OpenCL"
#else
#define OPENCL "without OpenCL"
#endif

#if OMR_HAVE_HDF5
#define HDF5 "with HDF5"
#else
#define HDF5 "without HDF5"
#endif

const char *omr_version(void) {
  return OMR_VERSION;
}

const char *omr_build_info(void) {
  return OMR_COMPILER ", " OMR_FLAGS ", lanes " OMR_LANE_FLAGS " for " OMR_LANE_ISAS ", " OPENCL
                      ", " HDF5 ", sources " OMR_SOURCES;
}

const char *omr_sources(void) {
  return OMR_SOURCES;
}
