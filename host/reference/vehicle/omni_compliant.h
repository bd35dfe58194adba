/* Vehicles whose rollers stand on springs, and whose platform is free to heave, pitch and roll;
 * private to host/reference. Each roller is a separate contact; events change the discrete states
 * that tell which of them reach the floor. */
#ifndef OMR_REFERENCE_OMNI_COMPLIANT_H
#define OMR_REFERENCE_OMNI_COMPLIANT_H

#include "omni.h"

struct omr_roller;
struct omr_vehicle_body;

/* Spring and damper of the rollers of a wheel; damping ratios refer to its share of the weight, or
 * to its preload. */
omr_compliant_law omr_omni_spring(const omr_omni *omni, int wheel, const struct omr_roller *shape);
/* omni_rest.c: the suspension of the wheels, and the height, pitch and roll in which the vehicle
 * rests on its springs with the wheels at their initial angles; pitch, roll and travel are 0 if the
 * study gives the height. False with a reason if it needs a rest and has none. */
bool omr_omni_rest(omr_omni *omni, const struct omr_vehicle_body *body, double rest[3],
                   omr_reason *why);
/* Sets the discrete states of all contacts from the present state. */
void omr_omni_compliant_begin(omr_omni *omni, omr_mb *mb);

/* In the state set last: the contacts of a wheel together, and the motion of the platform. */
omr_omni_contact omr_omni_compliant_contact(const omr_omni_wheel *w, const omr_mb *mb);
omr_omni_motion omr_omni_free_motion(const omr_omni *omni, const omr_mb *mb);
/* Angle of the roller in contact, by the angle of the wheel on its platform, rad. */
double omr_omni_compliant_angle(const omr_omni *omni, const omr_omni_wheel *w, const omr_mb *mb);
/* Power lost in the contacts of a wheel, W. */
double omr_omni_compliant_lost(const omr_omni_wheel *w, const omr_mb *mb);
/* Energy of all springs below rollers and of suspensions, J; 0 on rigid contacts. */
double omr_omni_spring_energy(const omr_omni *omni, const omr_mb *mb);
/* Power lost in the dampers of suspensions, W. */
double omr_omni_suspension_power(const omr_omni *omni, const omr_mb *mb);
/* Ends a run that has left the model: tipped over, or too deep in the floor. */
void omr_omni_compliant_check(const omr_omni *omni);

/* Quadratures of the vertical motion, and the place of the first one, after all others. */
enum {
  OMR_OMNI_VERTICAL_SUM,
  OMR_OMNI_VERTICAL_SQUARE,
  OMR_OMNI_PITCH_SQUARE,
  OMR_OMNI_ROLL_SQUARE,
  OMR_OMNI_FEW_TIME,
  OMR_OMNI_SUSPENSION_LOSS,
  OMR_OMNI_VERTICALS
};
int omr_omni_vertical_quadrature(const omr_omni *omni);
void omr_omni_vertical_rates(const omr_omni *omni, const omr_mb *mb, const omr_omni_motion *m,
                             double *rate);
void omr_omni_reduce_vertical(const omr_omni *omni, const omr_mb *mb, double *observables);

/* True if a contact of the wheel carries, by its discrete states. */
bool omr_omni_is_loaded(const omr_omni_wheel *w);
/* omni_compliant_switch.c: events that replace the ones of rigid contacts. */
void omr_omni_compliant_switches(omr_omni *omni, omr_mb_switches *switches);

#endif
