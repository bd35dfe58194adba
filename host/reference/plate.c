/* A plate with a given motion: Cartesian coordinates of one of its points, and turns about x, z and
 * its own normal, one within the other. */
#include "system/graph_system.h"

#include "lists/parameters.h"
#include <math.h>

/* A coordinate with its derivatives. */
typedef struct coordinate {
  double value, rate, change;
} coordinate;

/* rate t + amplitude sin(2 pi f t + phase), the four values in a row. */
static coordinate swing(const double *v, double t) {
  double omega = 2 * acos(-1.0) * v[2], s = sin(omega * t + v[3]), c = cos(omega * t + v[3]);
  return (coordinate){v[0] * t + v[1] * s, v[0] + v[1] * omega * c, -v[1] * omega * omega * s};
}

/* The turn about the normal, whose rate may rise over a time T: 10 x^3 - 15 x^4 + 6 x^5 of it at x
 * = t/T. */
static coordinate turn(const double *values, double t) {
  const double *v = values + OMR_VP_GROUND_TURN_RATE, ramp = values[OMR_VP_GROUND_TURN_RAMP];
  coordinate c = swing(v, t);
  if (t >= ramp) {
    c.value -= v[0] * 0.5 * ramp;
    return c;
  }
  double x = t / ramp;
  c.value += v[0] * (ramp * (2.5 * pow(x, 4) - 3 * pow(x, 5) + pow(x, 6)) - t);
  c.rate += v[0] * (10 * pow(x, 3) - 15 * pow(x, 4) + 6 * pow(x, 5) - 1);
  c.change += v[0] * 30 * pow(x * (1 - x), 2) / ramp;
  return c;
}

static const omr_vec AXIS_X = {1, 0, 0}, AXIS_Y = {0, 1, 0}, AXIS_Z = {0, 0, 1};

omr_vec omr_plate_pivot(const double *values) {
  return omr_vec_of(values[OMR_VP_GROUND_PIVOT_X], values[OMR_VP_GROUND_PIVOT_Y],
                    values[OMR_VP_GROUND_PIVOT_Z]);
}

void omr_plate_quaternion(const double *values, double t, double q[4]) {
  double tilt_x[4], tilt_z[4], normal[4], both[4];
  omr_quaternion(AXIS_X, swing(values + OMR_VP_GROUND_TILT_X_RATE, t).value, tilt_x);
  omr_quaternion(AXIS_Z, swing(values + OMR_VP_GROUND_TILT_Z_RATE, t).value, tilt_z);
  omr_quaternion(AXIS_Y, turn(values, t).value, normal);
  omr_quaternion_product(tilt_x, tilt_z, both);
  omr_quaternion_product(both, normal, q);
}

/* Adds a turn about an axis that moves with the angular velocity and acceleration so far: w = w_0 +
 * rate n, e = e_0 + change n + w_0 x rate n. */
static void add_turn(omr_vec axis, coordinate c, omr_frame *frame, omr_acceleration *to) {
  omr_vec own = omr_scale(c.rate, axis);
  to->e = omr_add(to->e, omr_axpy(omr_cross(frame->w, own), c.change, axis));
  frame->w = omr_add(frame->w, own);
}

void omr_plate_move(void *self, double t, omr_frame *frame, omr_acceleration *to) {
  const double *v = self;
  coordinate along[3];
  double q[4], outer[4];

  /* coordinates and tilts at this time */
  for (int i = 0; i < 3; i++) along[i] = swing(v + OMR_VP_GROUND_X_RATE + 4 * i, t);
  coordinate tilt_x = swing(v + OMR_VP_GROUND_TILT_X_RATE, t),
             tilt_z = swing(v + OMR_VP_GROUND_TILT_Z_RATE, t);
  omr_plate_quaternion(v, t, q);

  /* the pose, and the motion of the pivot */
  frame->t = omr_rotation(q);
  frame->r =
      omr_add(omr_vec_of(along[0].value, along[1].value, along[2].value), omr_plate_pivot(v));
  frame->v = omr_vec_of(along[0].rate, along[1].rate, along[2].rate);

  frame->w = (omr_vec){0, 0, 0};
  *to = (omr_acceleration){.a = {along[0].change, along[1].change, along[2].change}};

  /* turns within each other: each axis moves with the turns before it */
  omr_quaternion(AXIS_X, tilt_x.value, outer);
  omr_mat turned = omr_rotation(outer);
  add_turn(AXIS_X, tilt_x, frame, to);
  add_turn(omr_times(&turned, AXIS_Z), tilt_z, frame, to);
  add_turn(omr_times(&frame->t, AXIS_Y), turn(v, t), frame, to);
}
