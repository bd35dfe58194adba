/* The object of a run's own: whether one is worth compiling, when it is taken, and whether it is to
 * be believed (host/DESIGN.md, "Compiled for the run"). Everything here is NULL-safe in `own`,
 * which then is the general object alone. For the thread that runs the engine. */
#ifndef OMR_OWN_OBJECT_H
#define OMR_OWN_OBJECT_H

#include "../lanes/lanes.h"
#include "backend.h"
#include "pack_check.h"

typedef struct omr_own_object omr_own_object;

typedef struct omr_own_wish {
  const omr_engine_options *options;
  const omr_run_settings *settings;
  const omr_lane_object *general; /* of the same instruction set and precision */
  const void *tables;             /* in its precision */
  int threads;
  FILE *log;
} omr_own_wish;

/* What is in the wish stays the caller's and, but for the options, must outlive the object. *own is
 * NULL where the study never compiles. Fast numerics have no general object: theirs is compiled
 * here, and OMR_ERR_DEVICE says why where it cannot be. */
omr_status omr_own_object_open(const omr_own_wish *wish, struct omr_run_record *record,
                               omr_own_object **own, omr_error *error);
void omr_own_object_close(omr_own_object *own);

/* Seconds that the run still needs as it goes; the watch (NULL allowed) may end a waiting. */
void omr_own_object_expect(omr_own_object *own, double seconds, omr_watch *watch);
/* The object for the next launch. Asks for one of its own where that pays, and takes it once it has
 * given the bits of the general object on every pack that was kept. */
const omr_lane_object *omr_own_object_next(omr_own_object *own);
const omr_lane_object *omr_own_object_now(const omr_own_object *own);
/* Threads that the kernels may have: a compiler has one of those that were granted. */
int omr_own_object_threads(const omr_own_object *own, int granted);
/* What a launch of so many packs is checked with; NULL: nothing. */
omr_pack_check *omr_own_object_begin(omr_own_object *own, int packs);
/* Core seconds that a launch took. */
void omr_own_object_spent(omr_own_object *own, double core_seconds);

/* After a launch: OMR_ERR_SELFTEST where the object gave other bits than the general one. It is
 * discarded then; what it has computed is not to be believed. */
omr_status omr_own_object_judge(omr_own_object *own, omr_error *error);

/* What was sampled, in the object's precision. */
typedef struct omr_sample_launch {
  const void *params, *state, *samples;
  int stride, packs;
} omr_sample_launch;
/* Now and then has the general object sample the same. As omr_own_object_judge. */
omr_status omr_own_object_sampled(omr_own_object *own, const omr_sample_launch *launch,
                                  omr_error *error);

/* Whether it was discarded. */
bool omr_own_object_was_wrong(const omr_own_object *own);

/* Compiles it, or finds it kept, and says so; OMR_ERR_DEVICE where it cannot be,
 * OMR_ERR_INTERRUPTED where the watch ends it. */
omr_status omr_own_object_warm(omr_own_object *own, omr_watch *watch, char told[256],
                               omr_error *error);
/* What a run of so many core seconds would have, in words; whether it is compiled for it. */
bool omr_own_object_foretell(const omr_engine_options *options, double core_seconds,
                             char told[256]);

/* For `omniroll devices`. */
bool omr_own_object_has_compiler(void);
void omr_own_object_print_compiler(FILE *out);

#endif
