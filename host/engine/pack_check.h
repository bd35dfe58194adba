/* Whether an object that was compiled for a run gives the bits of the general one: on the packs
 * that were the first to go through each kind of event, and on packs drawn at random. */
#ifndef OMR_PACK_CHECK_H
#define OMR_PACK_CHECK_H

#include "../lanes/lanes.h"

#include "../model/batch.h"

typedef struct omr_pack_check omr_pack_check;

/* For packs of so many lanes of a run, that so many threads advance; NULL when out of memory.
 * settings stay the caller's and must outlive it. */
omr_pack_check *omr_pack_check_make(const omr_run_settings *settings,
                                    const omr_lane_object *general, int threads);
void omr_pack_check_free(omr_pack_check *check); /* NULL-safe */

/* One launch over some packs. */
typedef struct omr_launch {
  const omr_lane_object *object; /* that advances */
  omr_lane_buffers buffers;
  double step, until;
} omr_launch;

/* Begins a launch of the compiled object: draws a pack where enough have gone by. */
void omr_pack_check_draw(omr_pack_check *check, int packs);
/* Advances a pack by the launch's object, as a thread. With the general one: keeps the pack, before
 * and after, where it is the first to go through some kind of event. With another: where it is the
 * first, or drawn, has the general object go the same way and compares. */
void omr_pack_check_advance(omr_pack_check *check, const omr_launch *launch, int pack, int thread);

/* Has the object go the ways of all packs that are kept; whether it gave their bits. */
bool omr_pack_check_kept(omr_pack_check *check, const omr_lane_object *object, const void *tables);
/* Whether every comparison so far was good; otherwise what differed, in a form for messages. */
bool omr_pack_check_good(const omr_pack_check *check, char why[256]);

#endif
