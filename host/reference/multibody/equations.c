/* The equations of motion: wrenches and conditions of all constraints, accelerations, impacts. */
#include "multibody.h"

#include <stdlib.h>
#include <string.h>

static bool reserve_rows(omr_mb *mb, int count) {
  int room[2] = {mb->row_room, mb->row_room};
  mb->failed =
      !omr_mb_reserve((void **)&mb->row, &mb->row_room, count, sizeof *mb->row) ||
      !omr_mb_reserve((void **)&mb->row_constraint, &room[0], mb->row_room,
                      sizeof *mb->row_constraint) ||
      !omr_mb_reserve((void **)&mb->multiplier, &room[1], mb->row_room, sizeof *mb->multiplier);
  return !mb->failed;
}

/* Collects the effects of all constraints, and the list of all rows. */
bool omr_mb_gather(omr_mb *mb) {
  int rows = 0;
  mb->solver.factored = false;

  /* effect of each constraint on its bodies in the present state */
  for (int i = 0; i < mb->constraints; i++) {
    omr_mb_constraint *c = mb->constraint[i];
    omr_mb_effect *e = &mb->effect[i];
    *e = (omr_mb_effect){.rate = mb->own_rate + (c->own - OMR_MB_BODY_STATES * mb->bodies)};
    const omr_mb_view view = omr_mb_view_of(mb, c);
    c->kind->effect(c, &view, e);
    c->first = rows;
    c->rows = e->rows;
    rows += e->rows;
  }

  if (!reserve_rows(mb, rows)) return false;
  mb->rows = rows;

  /* row k of the list belongs to its constraint */
  for (int i = 0; i < mb->constraints; i++) {
    for (int k = 0; k < mb->effect[i].rows; k++) {
      mb->row[mb->constraint[i]->first + k] = &mb->effect[i].row[k];
      mb->row_constraint[mb->constraint[i]->first + k] = i;
    }
  }

  return true;
}

/* Gravity, gyroscopic torques -w x (I w), and wrenches that depend on no multiplier. */
static void gather_loads(omr_mb *mb) {
  mb->load[0] = mb->load[1] = omr_vec_of(0, 0, 0);
  for (int i = 1; i <= mb->bodies; i++) {
    const omr_frame *f = &mb->frame[i];
    omr_vec w = omr_transposed_times(&f->t, f->w);
    omr_vec spin = omr_times(&f->t, omr_mb_spin(&mb->body[i], w));
    mb->load[2 * i] = omr_scale(mb->body[i].mass, mb->gravity);
    mb->load[2 * i + 1] = omr_cross(spin, f->w);
  }
  for (int i = 0; i < mb->constraints; i++) {
    const omr_mb_constraint *c = mb->constraint[i];
    for (int s = 0; s < omr_mb_sides(c); s++) {
      omr_vec *load = &mb->load[2 * omr_mb_side(c, s)];
      load[0] = omr_add(load[0], mb->effect[i].force[s]);
      load[1] = omr_add(load[1], mb->effect[i].torque[s]);
    }
  }
}

/* a = M^-1 (loads) of every body but the base. */
static void accelerate(omr_mb *mb) {
  for (int i = 1; i <= mb->bodies; i++) {
    mb->acceleration[i].a = omr_scale(1 / mb->body[i].mass, mb->load[2 * i]);
    mb->acceleration[i].e = omr_mb_inverse_inertia(mb, i, mb->load[2 * i + 1]);
  }
}

/* What a row asks about, for the present accelerations or velocities: move.a + turn.e. */
static double row_sum(const omr_mb *mb, int k, bool accelerations) {
  const omr_mb_row *row = mb->row[k];
  const omr_mb_constraint *c = mb->constraint[mb->row_constraint[k]];
  double sum = 0;
  for (int s = 0; s < omr_mb_sides(c); s++) {
    const omr_acceleration *a = &mb->acceleration[omr_mb_side(c, s)];
    const omr_frame *f = &mb->frame[omr_mb_side(c, s)];
    sum = sum + omr_dot(row->move[s], accelerations ? a->a : f->v) +
          omr_dot(row->turn[s], accelerations ? a->e : f->w);
  }
  return sum;
}

static void add_multipliers(omr_mb *mb) {
  for (int k = 0; k < mb->rows; k++) {
    const omr_mb_row *row = mb->row[k];
    const omr_mb_constraint *c = mb->constraint[mb->row_constraint[k]];
    for (int s = 0; s < omr_mb_sides(c); s++) {
      omr_vec *load = &mb->load[2 * omr_mb_side(c, s)];
      load[0] = omr_axpy(load[0], mb->multiplier[k], row->force[s]);
      load[1] = omr_axpy(load[1], mb->multiplier[k], row->torque[s]);
    }
  }
}

/* The part of a row's acceleration that the given motion of the base causes; 0 if the base is at
 * rest. */
static double base_acceleration(const omr_mb *mb, int k) {
  const omr_mb_row *row = mb->row[k];
  const omr_mb_constraint *c = mb->constraint[mb->row_constraint[k]];
  double sum = 0;
  for (int s = 0; s < 2 && mb->motion; s++)
    if (omr_mb_side(c, s) == 0)
      sum += omr_dot(row->move[s], mb->acceleration[0].a) +
             omr_dot(row->turn[s], mb->acceleration[0].e);
  return sum;
}

/* Multipliers and accelerations from the loads: by S and the residuals of the conditions under the
 * loads, in `multiplier`, or, with light bodies, by the saddle point and the right side of each
 * condition. */
static omr_status solve_motion(omr_mb *mb, bool impact, omr_error *error) {
  if (!mb->solver.light) {
    omr_status status = omr_mb_solve(mb, mb->multiplier, mb->multiplier, error);
    if (status != OMR_OK) return status;
  }
  if (!mb->solver.light) {
    add_multipliers(mb);
    accelerate(mb);
    return OMR_OK;
  }
  double *rhs = malloc(((size_t)mb->rows + 1) * sizeof *rhs);
  if (!rhs) return omr_fail(error, OMR_ERR_MEMORY, "out of memory for the multibody reference");
  for (int k = 0; k < mb->rows; k++)
    rhs[k] = mb->row[k]->rhs - (impact ? 0 : base_acceleration(mb, k));
  omr_status status = omr_mb_saddle(mb, rhs, mb->multiplier, error);
  free(rhs);
  return status;
}

/* Kinematics, Newton and Euler of one body. */
static void body_rate(const omr_mb *mb, int body, double *rate) {
  const double *y = mb->state + OMR_MB_BODY_STATES * (body - 1);
  const omr_acceleration *a = &mb->acceleration[body];
  double *to = rate + OMR_MB_BODY_STATES * (body - 1);
  memcpy(to + OMR_MB_R, y + OMR_MB_V, 3 * sizeof *y);
  const double spin[4] = {0, 0.5 * y[OMR_MB_W], 0.5 * y[OMR_MB_W + 1], 0.5 * y[OMR_MB_W + 2]};
  omr_quaternion_product(y + OMR_MB_Q, spin,
                         to + OMR_MB_Q); /* q' = 1/2 q o (0, w), w in body axes */
  to[OMR_MB_V] = a->a.x;
  to[OMR_MB_V + 1] = a->a.y;
  to[OMR_MB_V + 2] = a->a.z;
  omr_vec e =
      omr_transposed_times(&mb->frame[body].t, a->e); /* the rate of w is the same in both axes */
  to[OMR_MB_W] = e.x;
  to[OMR_MB_W + 1] = e.y;
  to[OMR_MB_W + 2] = e.z;
}

static omr_status prepare(omr_mb *mb, omr_error *error) {
  if (!mb->prepare || mb->preparing) return OMR_OK;
  mb->preparing = true;
  omr_status status = mb->prepare(mb->prepare_self, mb, error);
  mb->preparing = false;
  return status;
}

/* Accelerations of all bodies (appendix/reference.md#bodies). */
omr_status omr_mb_evaluate(omr_mb *mb, double *rate, omr_error *error) {
  omr_status status = prepare(mb, error);
  if (status != OMR_OK) return status;
  if (mb->failed || !omr_mb_gather(mb))
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory for the multibody reference");
  gather_loads(mb);
  accelerate(mb);
  for (int k = 0; k < mb->rows; k++) mb->multiplier[k] = mb->row[k]->rhs - row_sum(mb, k, true);
  status = solve_motion(mb, false, error);
  if (status != OMR_OK) return status;
  mb->looks++;
  if (!rate) return OMR_OK;
  for (int i = 1; i <= mb->bodies; i++) body_rate(mb, i, rate);
  if (mb->own_states)
    memcpy(rate + OMR_MB_BODY_STATES * mb->bodies, mb->own_rate,
           (size_t)mb->own_states * sizeof *rate);
  if (mb->quadratures)
    mb->quadrature_rate(mb->quadrature_self, mb, rate + mb->states - mb->quadratures);
  return OMR_OK;
}

/* Sets the jump that a row of an impact requires. */
static void ask(omr_mb *mb, int k, double jump) {
  mb->row[k]->rhs = jump;
  mb->multiplier[k] = jump;
}

/* Finds the impulses for the required jumps, and applies them to the bodies. */
static omr_status apply_impulses(omr_mb *mb, omr_error *error) {
  memset(mb->load, 0, 2 * ((size_t)mb->bodies + 1) * sizeof *mb->load);
  omr_status status = solve_motion(mb, true, error); /* of impulses: changes of velocity */
  if (status != OMR_OK) return status;
  for (int i = 1; i <= mb->bodies; i++) {
    const omr_acceleration change = mb->acceleration[i];
    omr_mb_set_velocity(mb, i, omr_add(mb->frame[i].v, change.a),
                        omr_add(mb->frame[i].w, change.e));
  }
  return OMR_OK;
}

/* Jumps of the velocities that meet the conditions
 * (appendix/reference.md#bodies). */
omr_status omr_mb_impact(omr_mb *mb, double *lost, omr_error *error) {
  if (mb->failed || !omr_mb_gather(mb))
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory for the multibody reference");
  double before = omr_mb_kinetic(mb);
  for (int k = 0; k < mb->rows; k++) {
    omr_mb_make_ideal(mb->row[k]) /* friction takes no part */;
    ask(mb, k, -row_sum(mb, k, false));
  }
  omr_status status = apply_impulses(mb, error);
  if (status != OMR_OK) return status;
  if (lost) *lost = before - omr_mb_kinetic(mb);
  return OMR_OK;
}

/* Impulses and changes of velocity of an impact with given jumps
 * (appendix/reference.md#bodies). */
omr_status omr_mb_collide(omr_mb *mb, omr_mb_jump *jump, void *self, omr_error *error) {
  mb->strikes = true;
  bool gathered = !mb->failed && omr_mb_gather(mb);
  mb->strikes = false;
  if (!gathered)
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory for the multibody reference");
  for (int k = 0; k < mb->rows; k++) {
    const omr_mb_constraint *c = mb->constraint[mb->row_constraint[k]];
    if (!mb->row[k]->impulsive) omr_mb_make_ideal(mb->row[k]) /* friction takes no part */;
    ask(mb, k, jump(self, c, k - c->first, row_sum(mb, k, false)));
  }
  return apply_impulses(mb, error);
}

double omr_mb_multiplier(const omr_mb *mb, const omr_mb_constraint *c, int row) {
  return row < c->rows ? mb->multiplier[c->first + row] : 0;
}

omr_force_torque omr_mb_wrench(const omr_mb *mb, const omr_mb_constraint *c, int side) {
  int at = 0;
  while (at < mb->constraints && mb->constraint[at] != c) at++;
  if (at == mb->constraints || side >= omr_mb_sides(c)) return (omr_force_torque){0};
  const omr_mb_effect *e = &mb->effect[at];
  omr_force_torque p = {e->force[side], e->torque[side]};
  for (int k = 0; k < e->rows; k++) {
    double multiplier = mb->multiplier[c->first + k];
    p.force = omr_axpy(p.force, multiplier, e->row[k].force[side]);
    p.torque = omr_axpy(p.torque, multiplier, e->row[k].torque[side]);
  }
  return p;
}

double omr_mb_power_on(const omr_mb *mb, const omr_mb_constraint *c, int side) {
  const omr_frame *f = &mb->frame[omr_mb_side(c, side)];
  const omr_force_torque p = omr_mb_wrench(mb, c, side);
  return omr_dot(p.force, f->v) + omr_dot(p.torque, f->w);
}

double omr_mb_power(const omr_mb *mb, const omr_mb_constraint *c) {
  double power = 0;
  for (int side = 0; side < omr_mb_sides(c); side++)
    if (omr_mb_side(c, side) != 0) power += omr_mb_power_on(mb, c, side);
  return power;
}
