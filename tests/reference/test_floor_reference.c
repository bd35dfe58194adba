/* Vehicles on compliant contacts over floors with heights, in the reference alone: the balance of
 * energy while they drive over waves, lift and land. */
#include "assembled.h"
#include "compliant_vehicle.h"

#include "host/reference/vehicle/omni_compliant.h"

enum { WHEELS = 3 };

/* Two crossing waves of the same kind, 6 mm high and 0.4 m long. */
static void lay_waves(omr_omni *omni, omr_mb *mb) {
  omni->terrain.waves = 2;
  for (int n = 0; n < 2; n++)
    omni->terrain.wave[n] = (omr_terrain_wave){.amplitude = 3e-3,
                                               .kx = 2 * M_PI / 0.4 * cos(0.5 + 1.6 * n),
                                               .kz = 2 * M_PI / 0.4 * sin(0.5 + 1.6 * n),
                                               .phase = n};
  omr_omni_compliant_begin(omni, mb);
}

static double energy_left(const omr_omni *omni, const omr_mb *mb) {
  const double *q = omr_mb_quadratures(mb);
  return omr_omni_energy(omni, mb) + q[OMR_OMNI_DISSIPATED] - q[OMR_OMNI_WORK];
}

static void balance(const char *what, omr_study *study) {
  omr_error error = {0};
  assembled a;
  assemble_instance(study, &a);
  omr_omni *omni = a.reference.self;
  omr_mb *mb = a.reference.mb;
  lay_waves(omni, mb);
  const omr_mb_tolerance tolerance = {.relative = 1e-12, .absolute = 1e-13};
  omr_mb_integrator *g = NULL;
  const double before = energy_left(omni, mb);
  cr_assert_eq(omr_mb_integrator_create(mb, &tolerance, &a.reference.switches, &g, &error), OMR_OK,
               "%s", error.message);
  cr_assert_eq(omr_mb_advance(g, 0.3, &error), OMR_OK, "%s", error.message);
  const double lost = omr_mb_quadratures(mb)[OMR_OMNI_DISSIPATED],
               off = energy_left(omni, mb) - before;
  cr_log_info("%s: %.2g J off, %.3g J lost, %ld liftings, %ld steps", what, off, lost,
              omni->liftings, omr_mb_count(g).steps);
  cr_expect_gt(lost, 0.1);
  cr_expect_geq(omni->liftings, 3);
  cr_expect_lt(fabs(off), 1e-8 * lost);
  omr_mb_integrator_destroy(g);
  release_instance(&a);
  omr_study_destroy(study);
}

#define ROLLS                                                                                      \
  "parameters.wheel.friction=0.3", "parameters.initial.height=0.002", "parameters.initial.vx=1.2", \
      "parameters.wheel.roller.bearing=2e-5"

Test(floor_reference, energy_is_balanced_over_waves) {
  omr_study *study = compliant_study(vehicle_text, (const char *const[]){ROLLS, NULL});
  balance("linear", study);
  study = compliant_study(vehicle_text, (const char *const[]){ROLLS, NULL});
  study->contact.hertz = study->contact.kelvin_voigt = true;
  balance("Hertz, Kelvin-Voigt", study);
}
