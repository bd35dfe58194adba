#include "omni.h"

#include "omni_drive.h"

static const omr_vec up = {0, 1, 0};

/* A wrench: force, torque about the body's centre of mass, world axes. */
typedef struct wrench {
  omr_vec force, torque;
} wrench;

void omr_omni_external_read(omr_omni_external *e, const omr_study *study,
                            const omr_values *values) {
  const double *v = values->vehicle;
  *e = (omr_omni_external){.kind = study->external.kind,
                           .world = study->external.in_world,
                           .wheel = !omr_has_platform(study->model),
                           .value = {v[OMR_VP_EXTERNAL_X], v[OMR_VP_EXTERNAL_Y],
                                     v[OMR_VP_EXTERNAL_Z], v[OMR_VP_EXTERNAL_TURN_X],
                                     v[OMR_VP_EXTERNAL_TURN_Y], v[OMR_VP_EXTERNAL_TURN_Z]},
                           .factor = v[OMR_VP_EXTERNAL_FACTOR],
                           .frequency = v[OMR_VP_EXTERNAL_FREQUENCY],
                           .phase = v[OMR_VP_EXTERNAL_PHASE],
                           .table = &study->external.table};
}

static double value_at(const omr_omni_external *e, size_t component, double t) {
  switch (e->kind) {
  case OMR_EXTERNAL_CONSTANT: return e->value[component];
  case OMR_EXTERNAL_SINE: return e->value[component] * sin(2 * PI * e->frequency * t + e->phase);
  case OMR_EXTERNAL_TABLE: return e->factor * omr_table_value(e->table, component, t);
  default: return 0;
  }
}

/* The components' axes in the world: columns x, y, z. The wheel of the testbench turns about k =
 * (sin heading, 0, cos heading) of the body axes. */
static omr_mat axes_of(const omr_omni_external *e, const omr_frame *f) {
  omr_vec x = {1, 0, 0};
  if (!e->world && e->tilts) return f->t;
  if (!e->world && e->wheel) {
    omr_vec k = omr_times(&f->t, omr_vec_of(0, 0, 1)), i = omr_cross(up, k);
    x = omr_axpy(omr_scale(cos(e->heading), i), sin(e->heading), k);
  } else if (!e->world) {
    x = omr_times(&f->t, omr_vec_of(1, 0, 0));
  }
  omr_vec z = omr_cross(x, up);
  return (omr_mat){{{x.x, 0, z.x}, {x.y, 1, z.y}, {x.z, 0, z.z}}};
}

static wrench wrench_at(const omr_omni_external *e, const omr_frame *f, double t) {
  omr_mat axes = axes_of(e, f);
  omr_vec force = {value_at(e, 0, t), value_at(e, 1, t), value_at(e, 2, t)},
          torque = {value_at(e, 3, t), value_at(e, 4, t), value_at(e, 5, t)};
  omr_vec arm = e->wheel ? e->arm : omr_times(&f->t, e->arm);
  wrench w = {.force = omr_times(&axes, force)};
  w.torque = omr_add(omr_times(&axes, torque), omr_cross(arm, w.force));
  return w;
}

static void external_effect(const omr_mb_constraint *base, const omr_mb_view *view,
                            omr_mb_effect *out) {
  const wrench w = wrench_at((const omr_omni_external *)base, view->b, view->t);
  out->force[1] = w.force;
  out->torque[1] = w.torque;
  out->force[0] = omr_neg(w.force);
  out->torque[0] = omr_neg(w.torque);
}

static const omr_mb_kind external_kind = {"external force", 0, external_effect, NULL, false};

void omr_omni_external_add(omr_mb *mb, omr_omni_external *e, int body) {
  if (e->kind == OMR_EXTERNAL_NONE) return;
  e->base = (omr_mb_constraint){.a = 0, .b = body};
  omr_mb_add_constraint(mb, &e->base, &external_kind, "external force");
}

double omr_omni_external_power(const omr_omni_external *e, const omr_mb *mb) {
  const omr_frame *f = &mb->frame[e->base.b];
  const wrench w = wrench_at(e, f, mb->time);
  return omr_dot(w.force, f->v) + omr_dot(w.torque, f->w);
}

double omr_omni_external_stop(const omr_omni_external *e, double t) {
  return e->kind == OMR_EXTERNAL_TABLE ? omr_table_stop(e->table, t) : HUGE_VAL;
}
