/* Impacts of a group of contacts: Newton's law with restitution for every contact that touches and
 * approaches, Coulomb's law for the impulses along the surfaces, while closed contacts, joints and
 * other constraints keep their conditions. Impulses never pull: a contact with a pulling impulse is
 * left out, and the impact is computed anew. */
#include "body_contact_inside.h"

#include <stdlib.h>
#include <string.h>

/* Enters contacts into an impact: the velocity along n becomes -e times its old value; a rebound
 * slower than the rest speed is none. */
static void enter(omr_body_contact *c, const omr_contact_place *p, bool lock) {
  c->strike = OMR_STRIKE_NONE;
  if (!omr_contact_is_rigid(c)) return;
  bool touches = !lock && p->gap <= c->floor + OMR_CONTACT_TOUCH && p->gap_rate < OMR_CONTACT_TOUCH;
  if (!c->closed && !touches) return;
  bool bounces = c->law.normal == OMR_NORMAL_UNILATERAL && !lock && p->gap_rate < 0;
  double back = bounces ? -c->law.restitution * p->gap_rate : 0;
  if (back < omr_contact_rest_speed(&c->law)) back = 0;
  c->strike_rebound = back;
  omr_vec s = omr_contact_tangent(p);
  c->strike_along = omr_norm(s) > 1e-12 ? omr_unit(s) : omr_vec_of(0, 0, 0);
  bool sticks = omr_contact_has_stick_rows(c) || (!lock && omr_contact_is_dry(c));
  c->strike = sticks ? OMR_STRIKE_STICKS : OMR_STRIKE_FREE;
}

/* Change of the velocity of a row: none, except for rows of contacts. */
static double jump(void *self, const omr_mb_constraint *base, int row, double velocity) {
  const omr_contact_group *g = self;
  for (int i = 0; i < g->count; i++) {
    const omr_body_contact *c = g->contact[i];
    if (&c->base == base) return (row == 0 ? c->strike_rebound : 0) - velocity;
  }
  return 0;
}

static double impulse(const omr_contact_group *g, const omr_body_contact *c) {
  return omr_mb_multiplier(g->mb, &c->base, 0);
}

/* Contacts that stick outside of the friction cone slide; true if there were any. */
static bool let_slide(omr_contact_group *g) {
  bool any = false;
  for (int i = 0; i < g->count; i++) {
    omr_body_contact *c = g->contact[i];
    if (c->strike != OMR_STRIKE_STICKS || !omr_contact_is_dry(c)) continue;
    double one = omr_mb_multiplier(g->mb, &c->base, 1), two = omr_mb_multiplier(g->mb, &c->base, 2),
           across = hypot(one, two);
    if (across <= c->law.friction * fabs(impulse(g, c))) continue;
    if (omr_norm(c->strike_along) == 0) {
      omr_contact_place p = omr_body_contact_place(g->mb, c);
      omr_vec e1, e2;
      omr_perpendicular(p.n, &e1, &e2);
      c->strike_along = omr_axpy(omr_scale(-one / across, e1), -two / across, e2);
    }
    c->strike = OMR_STRIKE_SLIDES;
    any = true;
  }
  return any;
}

/* Leaves out the contact that pulls most; true if there was one. */
static bool let_go(omr_contact_group *g) {
  omr_body_contact *worst = NULL;
  double least = 0, size = 0;
  for (int i = 0; i < g->count; i++) {
    omr_body_contact *c = g->contact[i];
    if (c->strike == OMR_STRIKE_NONE) continue;
    size = fmax(size, fabs(impulse(g, c)));
    if (c->law.normal == OMR_NORMAL_HELD || !(impulse(g, c) < least)) continue;
    least = impulse(g, c);
    worst = c;
  }
  if (!worst || least >= -1e-12 * size) return false;
  worst->strike = OMR_STRIKE_NONE;
  return true;
}

static omr_status solve(omr_contact_group *g, bool cone, omr_error *error) {
  omr_mb *mb = g->mb;
  const size_t bytes = (size_t)mb->states * sizeof(double);
  double *before = malloc(bytes);
  if (!before) return omr_fail(error, OMR_ERR_MEMORY, "out of memory for an impact");
  memcpy(before, mb->state, bytes);
  omr_status status = OMR_OK;
  bool again = true;
  for (int turn = 0; again && turn <= 2 * g->count; turn++) {
    omr_mb_set_state(mb, mb->time, before);
    status = omr_mb_collide(mb, jump, g, error);
    again = status == OMR_OK && cone && (let_slide(g) || let_go(g));
  }
  free(before);
  return status;
}

/* Sets the state of a contact after the impact. */
static void leave(omr_contact_group *g, omr_body_contact *c, bool hit) {
  const omr_frame *a = &g->mb->frame[c->base.a];
  omr_contact_place p = omr_body_contact_place(g->mb, c);
  bool took_part = c->strike != OMR_STRIKE_NONE;
  if (hit && took_part) {
    c->impacts++;
    g->impacts++;
  }
  if (c->law.normal == OMR_NORMAL_UNILATERAL && (took_part || c->closed)) {
    c->closed = took_part && c->strike_rebound == 0;
    if (!c->closed) c->floor = fmin(0, p.gap);
  }
  c->strike = OMR_STRIKE_NONE;
  if (c->closed) omr_contact_settle_slip(c, &p, a);
}

/* Impact of all contacts that touch and approach. With `lock`, the small impact that ends the
 * remaining slip of contacts that stick (appendix/reference.md#bodies). */
static omr_status collide(omr_contact_group *g, bool lock, omr_error *error) {
  double before = omr_mb_kinetic(g->mb);
  bool *hit = calloc((size_t)g->count + 1, sizeof *hit);
  if (!hit) return omr_fail(error, OMR_ERR_MEMORY, "out of memory for an impact");
  for (int i = 0; i < g->count; i++) {
    omr_contact_place p = omr_body_contact_place(g->mb, g->contact[i]);
    enter(g->contact[i], &p, lock);
    hit[i] = !lock && !g->contact[i]->closed && p.gap_rate < -OMR_CONTACT_TOUCH;
  }
  omr_status status = solve(g, !lock, error);
  for (int i = 0; i < g->count; i++) leave(g, g->contact[i], hit[i]);
  free(hit);
  g->lost += before - omr_mb_kinetic(g->mb);
  return status;
}

omr_status omr_contact_collide(omr_contact_group *g, omr_error *error) {
  return collide(g, false, error);
}

omr_status omr_contact_lock(omr_contact_group *g, omr_error *error) {
  return collide(g, true, error);
}
