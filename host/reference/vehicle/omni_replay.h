/* A table that a drive or the command replays, at the place of an instance. */
#ifndef OMR_REFERENCE_OMNI_REPLAY_H
#define OMR_REFERENCE_OMNI_REPLAY_H

#include "study/tables/replay.h"

typedef struct omr_replayed {
  const omr_replay *table;
  double offset, scale; /* of its time */
  double within;        /* s: an instant of the present stretch between two stops */
} omr_replayed;

/* Value of a column at the run's time t; *slope (or NULL): its derivative in time. */
double omr_replayed_value(const omr_replayed *replayed, size_t column, double t, double *slope);
/* The first corner after t; infinite for none. */
double omr_replayed_stop(const omr_replayed *replayed, double t);
/* The motion goes on from t: corners are evaluated on that side. */
void omr_replayed_go_on(omr_replayed *replayed, double t);

#endif
