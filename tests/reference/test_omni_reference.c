/* The omni models in maximal coordinates against recorded accelerations, the engine, and the laws of mechanics. */
#include "assembled.h"
#include "tests/physics/motion.h"
#include "tests/physics/recorded.h"

#include "host/reference/omni.h"

/* ---- accelerations of tests/data/accelerations.json, found there by an independent program from the reduced equations */

/* Largest differences, each over 1 + |expected|. */
typedef struct differences {
  double acceleration, load, slip, force;
} differences;

static void note(double *largest, double found, double expected) {
  double difference = fabs(found - expected) / (1 + fabs(expected));
  if (!(difference <= *largest)) *largest = difference;
}

static void compare_state(const recorded *r, differences *d) {
  omr_study *study = read_machine(&r->machine);
  assembled a;
  assemble_instance(study, &a);
  const omr_omni *omni = a.reference.self;
  double *s = sample_instance(&a, study->wheels);
  /* the file has the derivatives of the components in body axes: without omega j x V */
  note(&d->acceleration, s[OMR_VS_AX] - s[OMR_VS_YAW_RATE] * s[OMR_VS_VZ], r->ax);
  note(&d->acceleration, s[OMR_VS_AZ] + s[OMR_VS_YAW_RATE] * s[OMR_VS_VX], r->az);
  note(&d->acceleration, s[OMR_VS_YAW_ACCELERATION], r->yaw_acceleration);
  for (int i = 0; i < study->wheels; i++) {
    const double *w = wheel_samples(s, i);
    const recorded_wheel *e = &r->wheel[i];
    cr_assert_eq((int)w[OMR_WS_ROLLER], e->active);
    note(&d->slip, w[OMR_WS_CONTACT_ANGLE], e->contact_angle);
    note(&d->slip, w[OMR_WS_SLIP_I], e->slip[0]);
    note(&d->slip, w[OMR_WS_SLIP_K], e->slip[1]);
    note(&d->acceleration, w[OMR_WS_ACCELERATION], e->acceleration);
    note(&d->load, w[OMR_WS_LOAD], e->load);
    note(&d->force, w[OMR_WS_FORCE_I], e->force[0]);
    note(&d->force, w[OMR_WS_FORCE_K], e->force[1]);
    for (int j = 0; j < r->machine.rollers; j++) {
      int body = omni->wheel[i].first_roller + j;
      omr_vec axis = omr_times(&omr_mb_frame(a.reference.mb, body)->t, omr_vec_of(1, 0, 0));
      note(&d->acceleration, omr_dot(omr_mb_acceleration(a.reference.mb, body)->e, axis), e->spin_acceleration[j]);
    }
  }
  free(s);
  release_instance(&a);
  omr_study_destroy(study);
}

Test(omni_reference, recorded_accelerations_loads_slips_and_forces) {
  recorded *all = read_recorded();
  for (int wheels = 1; wheels <= OMR_MAX_WHEELS; wheels++) {
    differences d = {0};
    int states = 0;
    for (int k = 0; k < RECORDED_STATES; k++) {
      if (all[k].machine.wheels != wheels) continue;
      compare_state(&all[k], &d);
      states++;
    }
    if (states == 0) continue;
    cr_log_info("%d wheels, %d states: acceleration %.2g, load %.2g, slip %.2g, force %.2g", wheels, states, d.acceleration,
                d.load, d.slip, d.force);
    cr_assert(d.slip < 1e-12 && d.load < 1e-9 && d.force < 1e-9 && d.acceleration < 1e-9,
              "%d wheels: acceleration %.2g, load %.2g, slip %.2g, force %.2g", wheels, d.acceleration, d.load, d.slip, d.force);
  }
  free(all);
}
