/* Checks that an object compiled for a run gives the bits of the general one: on the first packs to
 * go through each kind of event, and on packs drawn at random. */
#ifndef OMR_PACK_CHECK_H
#define OMR_PACK_CHECK_H

#include "../lanes/lanes.h"

#include "../model/batch.h"

typedef struct omr_pack_check omr_pack_check;

/* Makes the check of a run with packs of the general object's lanes and so many threads; NULL when
 * out of memory. settings stay the caller's and must outlive it. */
omr_pack_check *omr_pack_check_make(const omr_run_settings *settings,
                                    const omr_lane_object *general, int threads);
void omr_pack_check_free(omr_pack_check *check); /* NULL-safe */

/* One launch over some packs. */
typedef struct omr_launch {
  const omr_lane_object *object; /* the object that advances */
  omr_lane_buffers buffers;
  double step, until;
  int origin; /* number of the pack that the buffers begin with */
} omr_launch;

/* Begins a launch. One of the compiled object draws a pack when enough packs have passed. */
void omr_pack_check_begin(omr_pack_check *check, int packs, bool compiled);
/* Whether the pack of a batch that is stepped shall be looked at in this launch: each is once in 64
 * launches, since a look costs more than a few steps. */
bool omr_pack_check_looks(const omr_pack_check *check, int pack);
/* Advances a pack with the launch's object, in a thread. With the general object: stores the pack,
 * before and after, if it is the first to go through a kind of event. With another object: if the
 * pack is the first or drawn, the general object advances it too and the results are compared. */
void omr_pack_check_advance(omr_pack_check *check, const omr_launch *launch, int pack, int thread);

/* The object advances all stored packs; whether it gives their bits. */
bool omr_pack_check_kept(omr_pack_check *check, const omr_lane_object *object, const void *tables);
/* Whether every comparison so far was good; otherwise `why` gets the difference, for messages. */
bool omr_pack_check_good(const omr_pack_check *check, char why[256]);

#endif
