/* The object compiled for a run: whether it is worth compiling, when the run takes it, and whether
 * its results are right (host/DESIGN.md, "Compiled for the run"). A NULL `own` stands for the
 * general object. Only the thread that runs the engine may call these functions. */
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

/* The wish's contents stay the caller's and, apart from the options, must outlive the object. *own
 * is NULL where the study never compiles. Fast numerics have no general object: theirs is compiled
 * here, and OMR_ERR_DEVICE says why where that fails. */
omr_status omr_own_object_open(const omr_own_wish *wish, struct omr_run_record *record,
                               omr_own_object **own, omr_error *error);
void omr_own_object_close(omr_own_object *own);

/* Seconds that the run still needs at its present speed; the watch (NULL allowed) may end a wait.
 */
void omr_own_object_expect(omr_own_object *own, double seconds, omr_watch *watch);
/* The object for the next launch. Requests a compiled one where that pays, and takes it once it has
 * given the bits of the general object on every stored pack. */
const omr_lane_object *omr_own_object_next(omr_own_object *own);
const omr_lane_object *omr_own_object_now(const omr_own_object *own);
/* Threads for the kernels: a compiler takes one of those granted. */
int omr_own_object_threads(const omr_own_object *own, int granted);
/* The check of a launch with so many packs; NULL: it is not checked. */
omr_pack_check *omr_own_object_begin(omr_own_object *own, int packs);
/* Adds the core seconds of a launch. */
void omr_own_object_spent(omr_own_object *own, double core_seconds);

/* After a launch: OMR_ERR_SELFTEST where the object gave other bits than the general one. The
 * object is then discarded, and its results must not be used. */
omr_status omr_own_object_judge(omr_own_object *own, omr_error *error);

/* The arguments of a sampling launch, in the object's precision. */
typedef struct omr_sample_launch {
  const void *params, *state, *samples;
  int stride, packs;
} omr_sample_launch;
/* From time to time the general object samples the same. Fails as omr_own_object_judge. */
omr_status omr_own_object_sampled(omr_own_object *own, const omr_sample_launch *launch,
                                  omr_error *error);

/* Whether the object was discarded. */
bool omr_own_object_was_wrong(const omr_own_object *own);

/* Compiles the object, or finds it in the cache, and describes it; OMR_ERR_DEVICE where that fails,
 * OMR_ERR_INTERRUPTED where the watch ends it. */
omr_status omr_own_object_warm(omr_own_object *own, omr_watch *watch, char told[256],
                               omr_error *error);
/* Describes the object of a run that takes so many core seconds; true where it is compiled. */
bool omr_own_object_foretell(const omr_engine_options *options, double core_seconds,
                             char told[256]);

/* For `omniroll devices`. */
bool omr_own_object_has_compiler(void);
void omr_own_object_print_compiler(FILE *out);

#endif
