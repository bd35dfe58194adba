/* Joints (source 3, section 2.2) and the servo-constraint of the testbench (source 1, section 4.2).
 */
#include "joints.h"

#include "joint_rows.h"
#include <string.h>

/* F n on A and -F n on B, both at B's point, along a direction n. */
static void apply_force(const joint_state *s, omr_vec n, double force, omr_mb_effect *out) {
  omr_vec f = omr_scale(force, n);
  out->force[0] = omr_add(out->force[0], f);
  out->torque[0] = omr_add(out->torque[0], omr_cross(s->pa, f));
  out->force[1] = omr_sub(out->force[1], f);
  out->torque[1] = omr_sub(out->torque[1], omr_cross(s->pb, f));
}

/* u' = a.d + v.(w_A x d): the part with the third body's acceleration goes into the condition
 * (appendix/reference.md#bodies). */
static void follow_row(const omr_joint *j, const omr_mb_view *view, omr_mb_row *row) {
  const omr_vec along = omr_times(&view->a->t, j->law.along);
  const double gain = j->law.gain(j->law.self, view->t);
  row->move[2] = omr_scale(-gain, along);
  row->rhs += gain * omr_dot(view->mb->frame[j->base.carrier].v, omr_cross(view->a->w, along));
}

/* Rows and wrench of a joint (appendix/reference.md#bodies). */
static void joint_effect(const omr_mb_constraint *c, const omr_mb_view *view, omr_mb_effect *out) {
  const omr_joint *j = (const omr_joint *)c;
  joint_state s = look(j, view->a, view->b);
  double angle = view->own[0], rate = omr_dot(s.turning, s.n);
  out->rate[0] = rate;
  const bool fixed = j->slide == OMR_SLIDE_FIXED || j->slide == OMR_SLIDE_ACROSS;

  /* the point stays on the axis, and the axes stay parallel */
  slide_row(&s, view->a, view->b, s.e1, 0, &out->row[out->rows++]);
  if (j->slide != OMR_SLIDE_ACROSS)
    slide_row(&s, view->a, view->b, s.e2, 0, &out->row[out->rows++]);
  turn_row(&s, view->a, s.e1, 0, &out->row[out->rows++]);
  turn_row(&s, view->a, s.e2, 0, &out->row[out->rows++]);

  /* along the axis: fixed, free, or a spring; a spring may act across it instead */
  if (fixed) slide_row(&s, view->a, view->b, s.n, 0, &out->row[out->rows++]);
  if (j->slide == OMR_SLIDE_SPRING)
    apply_force(&s, s.n,
                j->preload + j->law.stiffness * omr_dot(s.gap, s.n) +
                    j->law.damping * omr_dot(s.slip, s.n),
                out);
  if (j->slide == OMR_SLIDE_ACROSS)
    apply_force(&s, s.e2,
                j->preload + j->law.stiffness * omr_dot(s.gap, s.e2) +
                    j->law.damping * omr_dot(s.slip, s.e2),
                out);

  /* about the axis: fixed, or driven by an acceleration or a torque */
  if (j->turn == OMR_TURN_FIXED) turn_row(&s, view->a, s.n, 0, &out->row[out->rows++]);
  if (j->turn == OMR_TURN_SERVO) {
    omr_mb_row *row = &out->row[out->rows++];
    turn_row(&s, view->a, s.n, j->law.of(j->law.self, view->t, angle, rate), row);
    if (j->law.gain) follow_row(j, view, row);
  }

  if (j->turn == OMR_TURN_TORQUE) {
    omr_vec m = omr_scale(j->law.of(j->law.self, view->t, angle, rate), s.n);
    out->torque[0] = omr_add(out->torque[0], m);
    out->torque[1] = omr_sub(out->torque[1], m);
  }
}

/* Violations: distances of the axes and angle between them, and their rates; a servo's own angle is
 * not judged. */
static omr_mb_drift joint_drift(const omr_mb_constraint *c, const omr_mb_view *view) {
  const omr_joint *j = (const omr_joint *)c;
  joint_state s = look(j, view->a, view->b);
  omr_vec tilt = omr_cross(s.n, omr_times(&view->b->t, j->axis_b));

  /* distance of the point from the axis, and tilt of the axis */
  const bool slides = j->slide == OMR_SLIDE_ACROSS;
  double across = hypot(omr_dot(s.gap, s.e1), slides ? 0 : omr_dot(s.gap, s.e2));
  double slip = hypot(omr_dot(s.slip, s.e1), slides ? 0 : omr_dot(s.slip, s.e2));
  double turning = hypot(omr_dot(s.turning, s.e1), omr_dot(s.turning, s.e2));

  omr_mb_drift d = {fmax(across, omr_norm(tilt)), fmax(slip, turning)};

  /* joints that are fixed along the axis or about it have more to keep */
  if (j->slide == OMR_SLIDE_FIXED || slides) {
    d.position = fmax(d.position, fabs(omr_dot(s.gap, s.n)));
    d.velocity = fmax(d.velocity, fabs(omr_dot(s.slip, s.n)));
  }

  if (j->turn == OMR_TURN_FIXED) {
    omr_vec marks = omr_cross(omr_times(&view->a->t, j->mark_a), omr_times(&view->b->t, j->mark_b));
    d.position = fmax(d.position, fabs(omr_dot(marks, s.n)));
    d.velocity = fmax(d.velocity, fabs(omr_dot(s.turning, s.n)));
  }
  return d;
}

#define JOINT(name)                                                                                \
  { name, 1, joint_effect, joint_drift, false }

/* Classes of the source, by the motions that they leave free. */
static const struct {
  omr_mb_kind is;
  omr_joint_slide slide;
  omr_joint_turn turn;
} classes[] = {
    [OMR_JOINT_FIXED_IDEAL] = {JOINT("FixedIdealJoint"), OMR_SLIDE_FIXED, OMR_TURN_FREE},
    [OMR_JOINT_FREE_IDEAL] = {JOINT("FreeIdealJoint"), OMR_SLIDE_FREE, OMR_TURN_FREE},
    [OMR_JOINT_SPRING_IDEAL] = {JOINT("SpringIdealJoint"), OMR_SLIDE_SPRING, OMR_TURN_FREE},
    [OMR_JOINT_FIXED_CONTROLLED] = {JOINT("FixedControlledJoint"), OMR_SLIDE_FIXED,
                                    OMR_TURN_TORQUE},
    [OMR_JOINT_FREE_SLIDE] = {JOINT("FreeSlideJoint"), OMR_SLIDE_FREE, OMR_TURN_FIXED},
    [OMR_JOINT_FIXED_SERVO] = {JOINT("FixedServoJoint"), OMR_SLIDE_FIXED, OMR_TURN_SERVO},
    [OMR_JOINT_WELD] = {JOINT("weld"), OMR_SLIDE_FIXED, OMR_TURN_FIXED},
};

static const omr_mb_kind sprung = JOINT("SprungJoint");

void omr_joint_add(omr_mb *mb, omr_joint *joint, const char *name, omr_joint_place place,
                   omr_joint_law law) {
  const omr_frame *a = &mb->frame[place.a], *b = &mb->frame[place.b];
  omr_joint j = {.base = {.a = place.a, .b = place.b, .carrier = law.lead},
                 .slide = classes[law.class].slide,
                 .turn = classes[law.class].turn,
                 .law = law,
                 .axis = omr_unit(place.axis),
                 .point_a = place.point_a,
                 .point_b = place.point_b};

  /* a weld keeps B's point where it is */
  if (law.class == OMR_JOINT_WELD) {
    const omr_vec point = omr_add(b->r, omr_times(&b->t, place.point_b));
    j.point_a = omr_transposed_times(&a->t, omr_sub(point, a->r));
  }

  /* directions at the start, in both bodies */
  omr_perpendicular(j.axis, &j.e1, &j.e2);
  j.axis_b = omr_transposed_times(&b->t, omr_times(&a->t, j.axis));
  j.mark_a = j.e1;
  j.mark_b = omr_transposed_times(&b->t, omr_times(&a->t, j.e1));
  *joint = j;
  omr_mb_add_constraint(mb, &joint->base, &classes[law.class].is, name);
  if (!mb->failed) *omr_mb_own(mb, &joint->base) = law.angle;
}

/* e2 becomes the track, e1 stays across both
 * (appendix/reference.md#bodies). */
void omr_joint_slide_across(omr_joint *j, omr_joint_track track) {
  omr_joint_slide_along(j, track);
  j->slide = OMR_SLIDE_ACROSS;
  j->e2 = omr_unit(omr_axpy(track.along, -omr_dot(track.along, j->axis), j->axis));
  j->e1 = omr_cross(j->e2, j->axis);
}

void omr_joint_slide_along(omr_joint *j, omr_joint_track track) {
  j->base.kind = &sprung;
  j->slide = OMR_SLIDE_SPRING;
  j->preload = track.preload;
  j->law.stiffness = track.stiffness;
  j->law.damping = track.damping;
}

void omr_joint_travel(const omr_mb *mb, const omr_joint *j, double *travel, double *rate) {
  joint_state s = look(j, &mb->frame[j->base.a], &mb->frame[j->base.b]);
  const omr_vec track = j->slide == OMR_SLIDE_SPRING ? s.n : s.e2;
  *travel = omr_dot(s.gap, track);
  *rate = omr_dot(s.slip, track);
}

void omr_joint_motion(const omr_mb *mb, const omr_joint *j, double *displacement, double *speed,
                      double *rate) {
  joint_state s = look(j, &mb->frame[j->base.a], &mb->frame[j->base.b]);
  *displacement = omr_dot(s.gap, s.n);
  *speed = omr_dot(s.slip, s.n);
  *rate = omr_dot(s.turning, s.n);
}

void omr_joint_effort(const omr_mb *mb, const omr_joint *j, double *force, double *torque) {
  const omr_force_torque p = omr_mb_wrench(mb, &j->base, 0);
  joint_state s = look(j, &mb->frame[j->base.a], &mb->frame[j->base.b]);
  *force = omr_dot(p.force, s.n);
  *torque =
      omr_dot(omr_sub(p.torque, omr_cross(s.pa, p.force)), s.n); /* about B's point, on the axis */
}

/* d2/dt2 (k.n) = (e x k + w x (w x k)).n = 0 */
static void upright_effect(const omr_mb_constraint *c, const omr_mb_view *view,
                           omr_mb_effect *out) {
  const omr_upright *u = (const omr_upright *)c;
  const omr_vec up = {0, 1, 0};
  omr_vec k = omr_times(&view->b->t, u->axis), across = omr_cross(k, up);
  out->rows = 1;
  omr_mb_turn_row(&out->row[0], across, -omr_dot(omr_centripetal(view->b, k), up));
  out->row[0].torque[1] = omr_unit(across); /* M = lambda l */
  out->row[0].torque[0] = omr_neg(out->row[0].torque[1]);
}

static omr_mb_drift upright_drift(const omr_mb_constraint *c, const omr_mb_view *view) {
  const omr_upright *u = (const omr_upright *)c;
  const omr_vec up = {0, 1, 0};
  omr_vec k = omr_times(&view->b->t, u->axis);
  return (omr_mb_drift){omr_dot(k, up), omr_dot(omr_cross(view->b->w, k), up)};
}

static const omr_mb_kind upright_kind = {"upright servo-constraint", 0, upright_effect,
                                         upright_drift, false};

void omr_upright_servo(omr_mb *mb, omr_upright *servo, const char *name, int body, omr_vec axis) {
  *servo = (omr_upright){.base = {.a = 0, .b = body}, .axis = omr_unit(axis)};
  omr_mb_add_constraint(mb, &servo->base, &upright_kind, name);
}
