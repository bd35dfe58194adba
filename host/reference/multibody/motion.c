/* Prescribed motion of a body against another
 * (appendix/reference.md#bodies). */
#include "joint_rows.h"
#include "joints.h"

/* The angles q of Rx(q0) Ry(q1) Rz(q2), their rates, the directions g they turn about and the
 * directions h with h_i.g_k = delta_ik; all in the axes of A. */
typedef struct angles {
  double q[3], rate[3];
  omr_vec g[3], h[3];
  omr_vec known; /* w_rel' in A without the second derivatives: sum of g_k' q_k' */
} angles;

/* Column i of T_A^T T_B. */
static omr_vec relative_column(const omr_frame *a, const omr_frame *b, int i) {
  omr_vec e = {i == 0, i == 1, i == 2};
  return omr_transposed_times(&a->t, omr_times(&b->t, e));
}

static void find_angles(const omr_frame *a, const omr_frame *b, angles *s) {
  omr_vec x = relative_column(a, b, 0), y = relative_column(a, b, 1), z = relative_column(a, b, 2);
  s->q[0] = atan2(-z.y, z.z);
  s->q[1] = atan2(z.x, hypot(z.y, z.z));
  s->q[2] = atan2(-y.x, x.x);
  s->g[0] = omr_vec_of(1, 0, 0);
  s->g[1] = omr_vec_of(0, cos(s->q[0]), sin(s->q[0]));
  s->g[2] = z;
}

static angles look_at_angles(const omr_frame *a, const omr_frame *b) {
  angles s;
  find_angles(a, b, &s);
  omr_vec w = omr_transposed_times(&a->t, omr_sub(b->w, a->w));
  double volume = omr_dot(s.g[0], omr_cross(s.g[1], s.g[2])); /* the cosine of q1 */
  for (int i = 0; i < 3; i++) {
    s.h[i] = omr_scale(1 / volume, omr_cross(s.g[(i + 1) % 3], s.g[(i + 2) % 3]));
    s.rate[i] = omr_dot(s.h[i], w);
  }
  omr_vec first = omr_scale(s.rate[0], s.g[0]), second = omr_axpy(first, s.rate[1], s.g[1]);
  s.known = omr_axpy(omr_scale(s.rate[1], omr_cross(first, s.g[1])), s.rate[2],
                     omr_cross(second, s.g[2]));
  return s;
}

static joint_state look_at_point(const omr_motion *m, const omr_frame *a, const omr_frame *b) {
  omr_joint points = {.axis = {1, 0, 0}, .e1 = {0, 1, 0}, .e2 = {0, 0, 1}};
  points.point_a = m->point_a;
  points.point_b = m->point_b;
  return look(&points, a, b);
}

static void components(const omr_motion *m, const omr_frame *a, const omr_frame *b,
                       double value[OMR_MOTIONS], double rate[OMR_MOTIONS]) {
  joint_state s = look_at_point(m, a, b);
  angles turn = look_at_angles(a, b);
  omr_vec gap = omr_transposed_times(&a->t, s.gap), slip = omr_transposed_times(&a->t, s.slip);
  const double places[] = {gap.x, gap.y, gap.z}, speeds[] = {slip.x, slip.y, slip.z};
  for (int i = 0; i < 3; i++) {
    value[i] = places[i];
    rate[i] = speeds[i];
    value[3 + i] = turn.q[i];
    rate[3 + i] = turn.rate[i];
  }
}

void omr_motion_components(const omr_mb *mb, const omr_motion *m, double value[OMR_MOTIONS],
                           double rate[OMR_MOTIONS]) {
  components(m, &mb->frame[m->base.a], &mb->frame[m->base.b], value, rate);
}

/* Rows of the laws (appendix/reference.md#bodies). */
static void motion_effect(const omr_mb_constraint *c, const omr_mb_view *view, omr_mb_effect *out) {
  const omr_motion *m = (const omr_motion *)c;
  joint_state s = look_at_point(m, view->a, view->b);
  angles turn = look_at_angles(view->a, view->b);
  const omr_vec along[] = {s.n, s.e1, s.e2};
  for (int i = 0; i < OMR_MOTIONS; i++) {
    if (!m->law[i]) continue;
    double value, rate, second;
    m->law[i](m->self[i], view->t, &value, &rate, &second);
    omr_mb_row *row = &out->row[out->rows++];
    if (i < 3)
      slide_row(&s, view->a, view->b, along[i], second, row);
    else /* q'' = h.(w_rel' - known) */
      turn_row(&s, view->a, omr_times(&view->a->t, turn.h[i - 3]),
               second + omr_dot(turn.h[i - 3], turn.known), row);
  }
}

/* Difference of angles within half a turn. */
static double wrapped(double angle) {
  double whole = 2 * acos(-1.0);
  return angle - whole * nearbyint(angle / whole);
}

static omr_mb_drift motion_drift(const omr_mb_constraint *c, const omr_mb_view *view) {
  const omr_motion *m = (const omr_motion *)c;
  double value[OMR_MOTIONS], rate[OMR_MOTIONS];
  components(m, view->a, view->b, value, rate);
  omr_mb_drift d = {0, 0};
  for (int i = 0; i < OMR_MOTIONS; i++) {
    if (!m->law[i]) continue;
    double asked, speed, second, off;
    m->law[i](m->self[i], view->t, &asked, &speed, &second);
    off = i < 3 ? value[i] - asked : wrapped(value[i] - asked);
    d.position = fmax(d.position, fabs(off));
    d.velocity = fmax(d.velocity, fabs(rate[i] - speed));
  }
  return d;
}

static const omr_mb_kind motion_kind = {"prescribed motion", 0, motion_effect, motion_drift, false};

void omr_prescribed_motion(omr_mb *mb, omr_motion *motion, const char *name,
                           omr_point_place place) {
  motion->base = (omr_mb_constraint){.a = place.a, .b = place.b};
  motion->point_a = place.point_a;
  motion->point_b = place.point_b;
  omr_mb_add_constraint(mb, &motion->base, &motion_kind, name);
}
