/* Building a multibody system and its kinematics. */
#include "multibody.h"

#include <stdlib.h>
#include <string.h>

bool omr_mb_reserve(void **block, int *room, int count, size_t size) {
  if (count <= *room) return true;
  int more = *room < 8 ? 8 : 2 * *room;
  if (more < count) more = count;
  void *grown = realloc(*block, (size_t)more * size);
  if (!grown) return false;
  memset((char *)grown + (size_t)*room * size, 0, (size_t)(more - *room) * size);
  *block = grown;
  *room = more;
  return true;
}

/* Of bodies, the base included, and what goes with each. */
static bool reserve_bodies(omr_mb *mb, int count) {
  int room[3] = {mb->body_room, mb->body_room, 2 * mb->body_room};
  return omr_mb_reserve((void **)&mb->body, &mb->body_room, count, sizeof *mb->body) &&
         omr_mb_reserve((void **)&mb->frame, &room[0], mb->body_room, sizeof *mb->frame) &&
         omr_mb_reserve((void **)&mb->acceleration, &room[1], mb->body_room,
                        sizeof *mb->acceleration) &&
         omr_mb_reserve((void **)&mb->load, &room[2], 2 * mb->body_room, sizeof *mb->load);
}

static const omr_frame at_rest = {
    {0, 0, 0}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {0, 0, 0}, {0, 0, 0}};

omr_mb *omr_mb_create(omr_vec gravity) {
  omr_mb *mb = calloc(1, sizeof *mb);
  if (!mb) return NULL;
  mb->gravity = gravity;
  if (!reserve_bodies(mb, 1)) {
    omr_mb_destroy(mb);
    return NULL;
  }
  mb->frame[0] = at_rest;
  snprintf(mb->body[0].name, OMR_MB_NAME, "base");
  return mb;
}

void omr_mb_destroy(omr_mb *mb) {
  if (!mb) return;
  omr_pool_free(&mb->solver.memory);
  omr_pool_free(&mb->branch_memory);
  free(mb->body);
  free(mb->frame);
  free(mb->acceleration);
  free(mb->constraint);
  free(mb->effect);
  free(mb->own_rate);
  free(mb->state);
  free(mb->row);
  free(mb->row_constraint);
  free(mb->multiplier);
  free(mb->load);
  free(mb);
}

/* Room for the state vector; new states are 0. */
static bool grow_state(omr_mb *mb, int at, int count) {
  if (!omr_mb_reserve((void **)&mb->state, &mb->state_room, mb->states + count, sizeof *mb->state))
    return false;
  memmove(mb->state + at + count, mb->state + at, (size_t)(mb->states - at) * sizeof *mb->state);
  memset(mb->state + at, 0, (size_t)count * sizeof *mb->state);
  mb->states += count;
  return true;
}

/* Order of states: bodies, own states, quadratures. An addition shifts all states behind it. */
static int first_own(const omr_mb *mb) {
  return OMR_MB_BODY_STATES * mb->bodies;
}

int omr_mb_add_body(omr_mb *mb, const char *name, double mass, omr_vec inertia) {
  if (mb->failed || !reserve_bodies(mb, mb->bodies + 2) ||
      !grow_state(mb, first_own(mb), OMR_MB_BODY_STATES)) {
    mb->failed = true;
    return 0;
  }
  int body = ++mb->bodies;
  for (int i = 0; i < mb->constraints; i++) mb->constraint[i]->own += OMR_MB_BODY_STATES;
  mb->body[body] = (omr_mb_body){.mass = mass, .inertia = inertia};
  snprintf(mb->body[body].name, OMR_MB_NAME, "%s", name);
  omr_mb_place(mb, body, omr_vec_of(0, 0, 0), (const double[4]){1, 0, 0, 0}, omr_vec_of(0, 0, 0),
               omr_vec_of(0, 0, 0));
  return body;
}

int omr_mb_add_body_tensor(omr_mb *mb, const char *name, double mass, omr_mat inertia) {
  int body = omr_mb_add_body(mb, name, mass,
                             omr_vec_of(inertia.row[0].x, inertia.row[1].y, inertia.row[2].z));
  if (body == 0) return 0;
  mb->body[body].full = true;
  mb->body[body].tensor = inertia;
  mb->body[body].inverse = omr_mb_inverted(&inertia);
  return body;
}

void omr_mb_add_constraint(omr_mb *mb, omr_mb_constraint *c, const omr_mb_kind *kind,
                           const char *name) {
  /* own states follow the states of all bodies */
  int room = mb->constraint_room, count = mb->constraints + 1, own = first_own(mb) + mb->own_states,
      states = mb->own_states + kind->states;
  double *rates = realloc(mb->own_rate, (size_t)(states + 1) * sizeof *rates);
  if (rates) mb->own_rate = rates;
  if (mb->failed || !rates ||
      !omr_mb_reserve((void **)&mb->constraint, &mb->constraint_room, count,
                      sizeof *mb->constraint) ||
      !omr_mb_reserve((void **)&mb->effect, &room, mb->constraint_room, sizeof *mb->effect) ||
      !grow_state(mb, own, kind->states)) {
    mb->failed = true;
    return;
  }
  mb->own_states = states;
  *c = (omr_mb_constraint){.kind = kind, .a = c->a, .b = c->b, .carrier = c->carrier, .own = own};
  snprintf(c->name, OMR_MB_NAME, "%s", name);
  mb->constraint[mb->constraints++] = c;
}

void omr_mb_set_choice(omr_mb *mb, omr_mb_choice *choice, void *self) {
  mb->choose = choice;
  mb->choose_self = self;
}

void omr_mb_set_prepare(omr_mb *mb, omr_status (*prepare)(void *self, omr_mb *mb, omr_error *error),
                        void *self) {
  mb->prepare = prepare;
  mb->prepare_self = self;
}

static void set_base(omr_mb *mb) {
  if (mb->motion) mb->motion(mb->motion_self, mb->time, &mb->frame[0], &mb->acceleration[0]);
}

void omr_mb_move_base(omr_mb *mb, omr_mb_motion *motion, void *self) {
  mb->motion = motion;
  mb->motion_self = self;
  if (!mb->failed) set_base(mb);
}

void omr_mb_add_quadratures(omr_mb *mb, int count,
                            void (*rate)(void *self, const omr_mb *mb, double *rate), void *self) {
  if (mb->failed || !grow_state(mb, mb->states, count)) {
    mb->failed = true;
    return;
  }
  mb->quadratures += count;
  mb->quadrature_rate = rate;
  mb->quadrature_self = self;
}

static void put(double *to, omr_vec v) {
  to[0] = v.x;
  to[1] = v.y;
  to[2] = v.z;
}

static omr_vec get(const double *from) {
  return omr_vec_of(from[0], from[1], from[2]);
}

static double *states_of(const omr_mb *mb, int body) {
  return mb->state + OMR_MB_BODY_STATES * (body - 1);
}

static void set_frame(omr_mb *mb, int body) {
  const double *y = states_of(mb, body);
  omr_frame *f = &mb->frame[body];
  f->r = get(y + OMR_MB_R);
  f->t = omr_rotation(y + OMR_MB_Q);
  f->v = get(y + OMR_MB_V);
  f->w = omr_times(&f->t, get(y + OMR_MB_W));
}

void omr_mb_place(omr_mb *mb, int body, omr_vec r, const double q[4], omr_vec v, omr_vec w) {
  if (mb->failed || body < 1) return;
  double *y = states_of(mb, body);
  put(y + OMR_MB_R, r);
  memcpy(y + OMR_MB_Q, q, 4 * sizeof *q);
  omr_mb_set_velocity(mb, body, v, w);
}

void omr_mb_set_velocity(omr_mb *mb, int body, omr_vec v, omr_vec w) {
  if (mb->failed || body < 1) return;
  double *y = states_of(mb, body);
  omr_mat t = omr_rotation(y + OMR_MB_Q);
  put(y + OMR_MB_V, v);
  put(y + OMR_MB_W, omr_transposed_times(&t, w));
  set_frame(mb, body);
}

omr_status omr_mb_complete(omr_mb *mb, omr_error *error) {
  if (mb->failed)
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory for the multibody reference");
  for (int i = 1; i <= mb->bodies; i++) {
    omr_status status = omr_mb_check_inertia(&mb->body[i], error);
    if (status != OMR_OK) return status;
  }
  return OMR_OK;
}

double *omr_mb_own(const omr_mb *mb, const omr_mb_constraint *c) {
  return mb->state + c->own;
}
double *omr_mb_quadratures(const omr_mb *mb) {
  return mb->state + mb->states - mb->quadratures;
}

void omr_mb_set_state(omr_mb *mb, double t, const double *y) {
  if (y != mb->state) memcpy(mb->state, y, (size_t)mb->states * sizeof *y);
  mb->time = t;
  mb->looks++;
  set_base(mb);
  for (int i = 1; i <= mb->bodies; i++) set_frame(mb, i);
}

double omr_mb_kinetic(const omr_mb *mb) {
  double energy = 0;
  for (int i = 1; i <= mb->bodies; i++) {
    const omr_mb_body *b = &mb->body[i];
    omr_vec w = get(states_of(mb, i) + OMR_MB_W);
    double turning =
        b->full ? omr_dot(w, omr_times(&b->tensor, w))
                : b->inertia.x * w.x * w.x + b->inertia.y * w.y * w.y + b->inertia.z * w.z * w.z;
    energy += 0.5 * b->mass * omr_dot(mb->frame[i].v, mb->frame[i].v) + 0.5 * turning;
  }
  return energy;
}

double omr_mb_body_kinetic(const omr_mb *mb, int body) {
  const omr_mb_body *b = &mb->body[body];
  omr_vec w = get(states_of(mb, body) + OMR_MB_W);
  return 0.5 * b->mass * omr_dot(mb->frame[body].v, mb->frame[body].v) +
         0.5 * omr_dot(w, omr_mb_spin(b, w));
}

double omr_mb_potential(const omr_mb *mb) {
  double energy = 0;
  for (int i = 1; i <= mb->bodies; i++)
    energy -= mb->body[i].mass * omr_dot(mb->gravity, mb->frame[i].r);
  return energy;
}

omr_mb_drift omr_mb_drift_of(const omr_mb *mb, const omr_mb_constraint *c) {
  const omr_mb_view view = omr_mb_view_of(mb, c);
  return c->kind->drift ? c->kind->drift(c, &view) : (omr_mb_drift){0, 0};
}

void omr_mb_make_ideal(omr_mb_row *row) {
  memcpy(row->force, row->move, sizeof row->force);
  memcpy(row->torque, row->turn, sizeof row->torque);
}

void omr_mb_point_row(omr_mb_row *row, omr_vec n, omr_vec da, omr_vec db, double rhs) {
  *row = (omr_mb_row){
      .move = {omr_neg(n), n}, .turn = {omr_cross(n, da), omr_cross(db, n)}, .rhs = rhs};
  omr_mb_make_ideal(row);
}

void omr_mb_turn_row(omr_mb_row *row, omr_vec n, double rhs) {
  *row = (omr_mb_row){.turn = {omr_neg(n), n}, .rhs = rhs};
  omr_mb_make_ideal(row);
}
