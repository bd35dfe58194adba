/* Rates of a vehicle on compliant contact that bound the step (explanation/steps.md#methods). */
#ifndef OMR_STABILITY_COMPLIANT_H
#define OMR_STABILITY_COMPLIANT_H

/* Square root of load times slopes of the friction law of a wheel, over the slips along i and k. */
typedef struct omr_slip_root {
  double ii, ik, kk;
} omr_slip_root;

/* Fastest decay of slip, 1/s, of an upright vehicle whose active rollers stand at `side` (-1, 0, 1)
 * times alpha. params: folded parameters, one column every OMR_PAD numbers; roots: of the wheels.
 */
double omr_compliant_slip_rate(const double *params, int wheels, int side,
                               const omr_slip_root *roots);

/* The stiffest motion of the platform on the springs below its wheels, at up to twice the load at
 * rest, or at the load of a landing: stiffness over inertia [1/s^2] and damping over inertia [1/s].
 */
void omr_compliant_swing(const int *settings, const double *params, double *stiffness,
                         double *damping);

#endif
