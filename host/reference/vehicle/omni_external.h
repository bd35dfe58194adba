/* The external force and torque on the platform, or on the wheel of the testbench, as a constraint
 * without rows: a wrench between the floor and that body. */
#ifndef OMR_REFERENCE_OMNI_EXTERNAL_H
#define OMR_REFERENCE_OMNI_EXTERNAL_H

#include "../multibody/multibody.h"
#include "study/study.h"

typedef struct omr_omni_external {
  omr_mb_constraint base;
  omr_external kind;
  bool world;      /* its components are along world axes */
  bool wheel;      /* on the testbench's wheel, whose axis z defines the body axes */
  bool tilts;      /* body axes are the body's own, and none of them stays vertical */
  double heading;  /* then: direction of that axis in them, rad */
  double value[6]; /* force x, y, z, torque x, y, z: N, N m */
  double factor, frequency, phase; /* 1, Hz, rad */
  const omr_table *table;
  omr_vec arm; /* point of the force, from the body's centre of mass; axes of the platform, on the
                  testbench world axes */
} omr_omni_external;

/* Reads it; kind none adds nothing. */
void omr_omni_external_read(omr_omni_external *external, const omr_study *study,
                            const omr_values *values);
/* Adds it to the body. */
void omr_omni_external_add(omr_mb *mb, omr_omni_external *external, int body);
/* Its power in the state set last, W. */
double omr_omni_external_power(const omr_omni_external *external, const omr_mb *mb);
/* First time after t at which it has a kink; infinite for none. */
double omr_omni_external_stop(const omr_omni_external *external, double t);

#endif
