/* What tests/data/accelerations.json says of law 4 (Udwadia-Kalaba with relaxed constraints, as
 * published) at its states. */
#ifndef TESTS_RECORDED_RELAXED_H
#define TESTS_RECORDED_RELAXED_H

#include "recorded.h"

typedef struct recorded_relaxed {
  machine machine;
  double baumgarte, k_s, k_f, v_ref;
  double ax, az, yaw_acceleration;
  struct {
    double demand, stiction, acceleration, spin_acceleration[OMR_MAX_ROLLERS], load, force[2];
  } wheel[OMR_MAX_WHEELS];
} recorded_relaxed;

static inline void read_relaxed_outcome(const cJSON *law, recorded_relaxed *r) {
  r->baumgarte = number(law, "baumgarte");
  r->k_s = number(law, "k_s");
  r->k_f = number(law, "k_F");
  r->v_ref = number(law, "v_ref");
  r->ax = entry(member(law, "acceleration"), 0);
  r->az = entry(member(law, "acceleration"), 1);
  r->yaw_acceleration = number(law, "yaw_acceleration");
  for (int i = 0; i < r->machine.wheels; i++) {
    r->wheel[i].demand = entry(member(law, "demand"), i);
    r->wheel[i].stiction = entry(member(law, "stiction"), i);
    r->wheel[i].acceleration = entry(member(law, "wheel_acceleration"), i);
    r->wheel[i].load = entry(member(law, "normal_load"), i);
    for (int c = 0; c < 2; c++)
      r->wheel[i].force[c] = entry(cJSON_GetArrayItem(member(law, "force"), i), c);
    const cJSON *spins = cJSON_GetArrayItem(member(law, "spin_acceleration"), i);
    for (int j = 0; j < r->machine.rollers; j++) r->wheel[i].spin_acceleration[j] = entry(spins, j);
  }
}

/* RECORDED_STATES of them; free with free(). */
static inline recorded_relaxed *read_recorded_relaxed(void) {
  char *data;
  size_t size;
  omr_error error = {0};
  recorded *states = read_recorded();
  recorded_relaxed *r = calloc(RECORDED_STATES, sizeof *r);
  cr_assert_eq(omr_read_file("tests/data/accelerations.json", &data, &size, &error), OMR_OK, "%s",
               error.message);
  cJSON *root = cJSON_ParseWithLength(data, size);
  cr_assert(r && root);
  int k = 0;
  const cJSON *item;
  cJSON_ArrayForEach(item, member(root, "cases")) {
    r[k].machine = states[k].machine;
    read_relaxed_outcome(member(item, "relaxed_udwadia_kalaba"), &r[k]);
    k++;
  }
  cJSON_Delete(root);
  free(data);
  free(states);
  return r;
}

#endif
