/* Force elements (appendix/reference.md#bodies). */
#include "forces.h"

/* Force f on B at db and the opposite on A at da, with the torque m on B. */
static void apply(omr_vec f, omr_vec m, omr_vec da, omr_vec db, omr_mb_effect *out) {
  out->force[1] = f;
  out->torque[1] = omr_add(omr_cross(db, f), m);
  out->force[0] = omr_neg(f);
  out->torque[0] = omr_neg(omr_add(omr_cross(da, f), m));
}

/* ---- spring between points */

typedef struct stretch {
  omr_vec da, db, u; /* u: from A's point to B's */
  double distance, rate, pull;
} stretch;

static stretch look_at_spring(const omr_spring *s, const omr_frame *a, const omr_frame *b) {
  stretch x = {.da = omr_times(&a->t, s->point_a), .db = omr_times(&b->t, s->point_b)};
  omr_vec gap = omr_sub(omr_add(b->r, x.db), omr_add(a->r, x.da));
  omr_vec slip = omr_sub(omr_point_velocity(b, x.db), omr_point_velocity(a, x.da));
  x.distance = omr_norm(gap);
  if (!(x.distance > 0)) return x;
  x.u = omr_scale(1 / x.distance, gap);
  x.rate = omr_dot(x.u, slip);
  x.pull = s->stiffness * (x.distance - s->free_length) + s->damping * x.rate;
  return x;
}

static void spring_effect(const omr_mb_constraint *c, const omr_mb_view *view, omr_mb_effect *out) {
  stretch x = look_at_spring((const omr_spring *)c, view->a, view->b);
  apply(omr_scale(-x.pull, x.u), omr_vec_of(0, 0, 0), x.da, x.db, out);
}

static const omr_mb_kind spring_kind = {"spring", 0, spring_effect, NULL, false};

void omr_point_spring(omr_mb *mb, omr_spring *spring, const char *name, omr_point_place place) {
  spring->base = (omr_mb_constraint){.a = place.a, .b = place.b};
  spring->point_a = place.point_a;
  spring->point_b = place.point_b;
  omr_mb_add_constraint(mb, &spring->base, &spring_kind, name);
}

double omr_spring_energy(const omr_mb *mb, const omr_spring *s) {
  const stretch x = look_at_spring(s, &mb->frame[s->base.a], &mb->frame[s->base.b]);
  return 0.5 * s->stiffness * (x.distance - s->free_length) * (x.distance - s->free_length);
}

/* ---- applied wrench */

static omr_vec in_world(const omr_wrench *w, const omr_mb_view *view, omr_vec v) {
  if (w->axes == OMR_AXES_WORLD) return v;
  return omr_times(w->axes == OMR_AXES_A ? &view->a->t : &view->b->t, v);
}

static void wrench_effect(const omr_mb_constraint *c, const omr_mb_view *view, omr_mb_effect *out) {
  const omr_wrench *w = (const omr_wrench *)c;
  omr_vec force = {0, 0, 0}, torque = {0, 0, 0};
  w->law(w->self, view->mb, view->t, &force, &torque);
  omr_vec db = omr_times(&view->b->t, w->point_b),
          da = omr_sub(omr_add(view->b->r, db), view->a->r);
  apply(in_world(w, view, force), in_world(w, view, torque), da, db, out);
}

static const omr_mb_kind wrench_kind = {"applied wrench", 0, wrench_effect, NULL, false};

void omr_applied_wrench(omr_mb *mb, omr_wrench *wrench, const char *name, omr_point_place place) {
  wrench->base = (omr_mb_constraint){.a = place.a, .b = place.b};
  wrench->point_b = place.point_b;
  omr_mb_add_constraint(mb, &wrench->base, &wrench_kind, name);
}
