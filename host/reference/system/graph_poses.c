/* Initial poses of a system's bodies: poses in groups in groups. */
#include "graph_system.h"

#include <string.h>

/* Place and motion of the axes in which something is given. */
typedef struct pose {
  omr_vec r, v, w;
  double q[4];
} pose;

/* Rotations one after the other, each about an axis that the group keeps fixed. */
static bool turning_of(const omr_graph_system *s, const omr_graph_turning *turned, double q[4]) {
  q[0] = 1;
  q[1] = q[2] = q[3] = 0;
  if (turned->quaternion >= 0) {
    memcpy(q, s->value + turned->quaternion, 4 * sizeof *q);
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++) q[i] /= length;
    return length > 0;
  }
  for (int i = 0; i < turned->turns; i++) {
    const omr_vec axis = omr_graph_vector(s, turned->turn[i].axis);
    double turn[4];
    if (!(omr_norm(axis) > 0)) return false;
    omr_quaternion(omr_unit(axis), s->value[turned->turn[i].angle], turn);
    omr_quaternion_product(turn, q, q);
  }
  return true;
}

/* A pose at rest in moving axes shares their motion; its own motion comes on top. */
static bool compose(const omr_graph_system *s, const pose *outer, const omr_graph_pose *in,
                    pose *out) {
  const omr_mat t = omr_rotation(outer->q);
  const omr_vec arm = omr_times(&t, omr_graph_vector(s, in->at));
  pose made = {.r = omr_add(outer->r, arm)};
  made.v = omr_add(omr_add(outer->v, omr_cross(outer->w, arm)),
                   omr_times(&t, omr_graph_vector(s, in->velocity)));
  made.w = omr_add(outer->w, omr_times(&t, omr_graph_vector(s, in->rate)));
  const bool good = turning_of(s, &in->turned, made.q);
  omr_quaternion_product(outer->q, made.q, made.q);
  *out = made;
  return good;
}

/* The world as one has it who stands on a plate: its origin is the pivot's. */
static pose plate_pose(const omr_graph_system *s) {
  const double *v = s->plate->vehicle;
  const omr_frame *f = &s->owner->mb->frame[0];
  const omr_vec arm = omr_neg(omr_times(&f->t, omr_plate_pivot(v)));
  pose p = {.r = omr_add(f->r, arm), .v = omr_point_velocity(f, arm), .w = f->w};
  omr_plate_quaternion(v, 0, p.q);
  return p;
}

static bool group_pose(const omr_graph_system *s, int group, pose *out) {
  const omr_graph_group *g = &s->graph->group[group];
  pose outer;
  *out = (pose){.q = {1, 0, 0, 0}};
  if (g->parent < 0 && s->plate) *out = plate_pose(s);
  if (g->parent < 0) return true;
  return group_pose(s, g->parent, &outer) && compose(s, &outer, &g->pose, out);
}

omr_vec omr_graph_world_point(const omr_graph_system *s, int group, omr_vec point) {
  pose axes;
  if (!group_pose(s, group, &axes)) return point;
  const omr_mat t = omr_rotation(axes.q);
  return omr_add(axes.r, omr_times(&t, point));
}

static int add_body(const omr_graph_system *s, omr_mb *mb, const omr_graph_body *b) {
  const double *i = s->value + b->inertia, mass = s->value[b->mass];
  if (i[3] == 0 && i[4] == 0 && i[5] == 0)
    return omr_mb_add_body(mb, b->path, mass, omr_vec_of(i[0], i[1], i[2]));
  const omr_mat tensor = {{{i[0], i[3], i[4]}, {i[3], i[1], i[5]}, {i[4], i[5], i[2]}}};
  return omr_mb_add_body_tensor(mb, b->path, mass, tensor);
}

bool omr_graph_place_bodies(omr_graph_system *s, omr_mb *mb, omr_reason *why) {
  for (int i = 1; i < s->graph->bodies; i++) {
    const omr_graph_body *b = &s->graph->body[i];
    pose axes, own;
    const int number = add_body(s, mb, b);
    if (!group_pose(s, b->group, &axes) || !compose(s, &axes, &b->pose, &own))
      return omr_refuse(why, "body %.100s: its rotation has an axis or quaternion of length 0",
                        b->path);
    if (number) omr_mb_place(mb, number, own.r, own.q, own.v, own.w);
  }
  return true;
}
