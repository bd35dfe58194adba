/* Tyres in the steady state: force by the slip over the rolling speed, combined slip
 * (appendix/laws.md#friction; Pacejka, Tire and Vehicle Dynamics, chapters 3 and 4). */
#ifndef OMR_REFERENCE_TYRE_H
#define OMR_REFERENCE_TYRE_H

typedef enum omr_tyre_law { OMR_NO_TYRE, OMR_TYRE_BRUSH, OMR_TYRE_MAGIC } omr_tyre_law;

/* Stiffnesses are over the normal force. */
typedef struct omr_tyre {
  omr_tyre_law law;
  double friction, lateral, longitudinal; /* mu, C_x, C_y */
  double shape, curvature;                /* magic formula: C, E */
  double low_speed;                       /* v_0, m/s: slip velocity over sqrt(V_r^2 + v_0^2) */
} omr_tyre;

/* Force over the load, across and along the way of the wheel, for the slip velocities [m/s] in
 * these directions and the speed of the contact point along the rim. */
typedef struct omr_tyre_force {
  double across, along;
} omr_tyre_force;
omr_tyre_force omr_tyre_push(const omr_tyre *tyre, double across, double along, double rolling);

#endif
