/* The lane objects of this build; cmake/lanes.cmake makes the list. */
#include "lane_objects.h"
#include "lanes.h"

#define X(isa, kind, precision, law)                                                               \
  extern const omr_lane_object omr_lane_object_##isa##_##kind##_##precision##_##law;
OMR_LANE_OBJECTS(X)
#undef X

static const omr_lane_object *const objects[] = {
#define X(isa, kind, precision, law) &omr_lane_object_##isa##_##kind##_##precision##_##law,
    OMR_LANE_OBJECTS(X)
#undef X
};

const omr_lane_object *omr_lane_object_at(size_t i) {
  return i < sizeof objects / sizeof *objects ? objects[i] : NULL;
}
