/* The 64 states of tests/data/accelerations.json as machines, and what that file says happens
 * there. Its figures were computed by an independent program from the same equations, for three
 * wheels cross-checked by 3D maximal coordinates. */
#ifndef TESTS_RECORDED_H
#define TESTS_RECORDED_H

#include "kernels/layout.h"
#include "machine.h"

#include <cjson/cJSON.h>

enum { RECORDED_STATES = 64 };

typedef struct recorded_wheel {
  int active;
  double demand, stiction; /* of the relaxed law: rho, s */
  double contact_angle, slip[2], acceleration, spin_acceleration[OMR_MAX_ROLLERS], load, force[2];
} recorded_wheel;

typedef struct recorded {
  machine machine;
  double ax, az, yaw_acceleration; /* derivatives of the velocity's components in body axes, and of
                                      the yaw rate */
  double baumgarte, stiction_gain, friction_gain, reference_speed; /* of the relaxed law */
  recorded_wheel wheel[OMR_MAX_WHEELS];
} recorded;

static inline const cJSON *member(const cJSON *object, const char *key) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
  cr_assert(item, "accelerations.json has no member \"%s\"", key);
  return item;
}

static inline double number(const cJSON *object, const char *key) {
  const cJSON *item = member(object, key);
  cr_assert(cJSON_IsNumber(item), "%s", key);
  return item->valuedouble;
}

static inline double entry(const cJSON *list, int index) {
  const cJSON *item = cJSON_GetArrayItem(list, index);
  cr_assert(cJSON_IsNumber(item), "entry %d of %s", index, list->string ? list->string : "a list");
  return item->valuedouble;
}

static inline void read_bodies(const cJSON *p, machine *m) {
  const cJSON *com = member(p, "center_of_mass");
  m->radius = number(p, "R");
  m->center = number(p, "R1");
  m->row_distance = number(p, "row_distance");
  m->platform_mass = number(p, "platform_mass");
  m->platform_inertia = number(p, "platform_yaw_inertia");
  m->com_x = entry(com, 0);
  m->com_height = entry(com, 1);
  m->com_z = entry(com, 2);
  m->disc_mass = number(p, "disc_mass");
  m->disc_axial = number(p, "disc_axial_inertia");
  m->disc_diametral = number(p, "disc_diametral_inertia");
  m->roller_mass = number(p, "roller_mass");
  m->roller_axial = number(p, "roller_axial_inertia");
  m->roller_diametral = number(p, "roller_diametral_inertia");
  m->roller_bearing = number(p, "roller_bearing");
  m->axle_bearing = number(p, "axle_bearing");
  m->gravity = number(p, "gravity");
  m->friction = number(p, "friction");
  m->slip_speed = number(p, "slip_speed");
}

static inline void read_state(const cJSON *item, machine *m) {
  const cJSON *p = member(item, "parameters"), *state = member(item, "state");
  const cJSON *pose = member(state, "pose"), *velocity = member(state, "velocity");
  m->x = entry(pose, 0);
  m->z = entry(pose, 1);
  m->yaw = entry(pose, 2);
  m->vx = entry(velocity, 0);
  m->vz = entry(velocity, 1);
  m->omega = number(state, "yaw_rate");
  for (int i = 0; i < m->wheels; i++) {
    machine_wheel *w = &m->wheel[i];
    w->a = entry(member(p, "wheel_x"), i);
    w->b = entry(member(p, "wheel_z"), i);
    w->delta = entry(member(p, "axis_angle"), i);
    w->psi = entry(member(p, "psi"), i);
    w->angle = entry(member(state, "wheel_angle"), i);
    w->rate = entry(member(state, "wheel_rate"), i);
    w->torque = entry(member(item, "torque"), i);
    for (int j = 0; j < m->rollers; j++)
      w->spin[j] = entry(cJSON_GetArrayItem(member(state, "axial_spin"), i), j);
  }
}

static inline void read_relaxation(const cJSON *law, recorded *r) {
  r->baumgarte = number(law, "baumgarte");
  r->stiction_gain = number(law, "k_s");
  r->friction_gain = number(law, "k_F");
  r->reference_speed = number(law, "v_ref");
  for (int i = 0; i < r->machine.wheels; i++) {
    r->wheel[i].demand = entry(member(law, "demand"), i);
    r->wheel[i].stiction = entry(member(law, "stiction"), i);
  }
}

static inline void read_outcome(const cJSON *item, const char *name, recorded *r) {
  const cJSON *law = member(item, name);
  r->ax = entry(member(law, "acceleration"), 0);
  r->az = entry(member(law, "acceleration"), 1);
  r->yaw_acceleration = number(law, "yaw_acceleration");
  for (int i = 0; i < r->machine.wheels; i++) {
    recorded_wheel *w = &r->wheel[i];
    w->active = (int)entry(member(item, "active_roller"), i);
    w->contact_angle = entry(member(item, "contact_angle"), i);
    w->acceleration = entry(member(law, "wheel_acceleration"), i);
    w->load = entry(member(law, "normal_load"), i);
    for (int c = 0; c < 2; c++) {
      w->slip[c] = entry(cJSON_GetArrayItem(member(item, "slip"), i), c);
      w->force[c] = entry(cJSON_GetArrayItem(member(law, "force"), i), c);
    }
    const cJSON *spins = cJSON_GetArrayItem(member(law, "spin_acceleration"), i);
    for (int j = 0; j < r->machine.rollers; j++) w->spin_acceleration[j] = entry(spins, j);
  }
}

/* All states with what happens under "saturated_coulomb" or "relaxed_udwadia_kalaba". Free with
 * free(). */
static inline recorded *read_recorded_of(const char *law) {
  char *data;
  size_t size;
  omr_error error = {0};
  cr_assert_eq(omr_read_file("tests/data/accelerations.json", &data, &size, &error), OMR_OK, "%s",
               error.message);
  cJSON *root = cJSON_ParseWithLength(data, size);
  cr_assert(root, "accelerations.json is no JSON");
  const cJSON *cases = member(root, "cases");
  cr_assert_eq(cJSON_GetArraySize(cases), RECORDED_STATES);
  recorded *r = calloc(RECORDED_STATES, sizeof *r);
  cr_assert(r);
  int k = 0;
  const cJSON *item;
  cJSON_ArrayForEach(item, cases) {
    r[k].machine.wheels = (int)number(item, "wheels");
    r[k].machine.rollers = (int)number(item, "rollers");
    read_bodies(member(item, "parameters"), &r[k].machine);
    read_state(item, &r[k].machine);
    read_outcome(item, law, &r[k]);
    if (!strcmp(law, "relaxed_udwadia_kalaba")) read_relaxation(member(item, law), &r[k]);
    k++;
  }
  cJSON_Delete(root);
  free(data);
  return r;
}

static inline recorded *read_recorded(void) {
  return read_recorded_of("saturated_coulomb");
}

#endif
