/* The compliant contact of rollers in the reference: the deepest point of the surface, what its
 * motion does to the depth, and impacts whose result is known. */
#include "against_engine.h"
#include "assembled.h"
#include "compliant_vehicle.h"

#include "host/model/roller.h"
#include "host/reference/vehicle/omni_compliant.h"

/* ---- the support function against the profile itself */

typedef struct shape {
  omr_roller roller;
  double end, fillet, undersize; /* end: angle where the profile ends, rad */
} shape;

/* Centre curve of the fillet at q: the profile moved inwards along its normal, which stands across
 * the difference of its neighbours. */
static void inner_profile(const shape *s, double q, double *axial, double *radius) {
  const double step = 1e-5;
  double x[2], r[2];
  omr_roller_profile(&s->roller, q, axial, radius);
  if (s->fillet == 0) return;
  omr_roller_profile(&s->roller, q - step, &x[0], &r[0]);
  omr_roller_profile(&s->roller, q + step, &x[1], &r[1]);
  const double length = hypot(x[1] - x[0], r[1] - r[0]);
  *axial += s->fillet * (r[1] - r[0]) / length;
  *radius -= s->fillet * (x[1] - x[0]) / length;
}

static double reach(const shape *s, double q, double c) {
  double axial, radius;
  inner_profile(s, q, &axial, &radius);
  return axial * c + radius * sqrt(1 - c * c);
}

/* How far the body reaches along a direction of component c on its axis: searched. */
static double searched_reach(const shape *s, double c, double *best) {
  enum { CUTS = 400 };
  double low = -s->end, high = s->end;
  *best = low;
  for (int n = 0; n <= CUTS; n++) {
    const double q = -s->end + 2 * s->end * n / CUTS;
    if (reach(s, q, c) > reach(s, *best, c)) *best = q;
  }
  low = fmax(*best - 2 * s->end / CUTS, -s->end);
  high = fmin(*best + 2 * s->end / CUTS, s->end);
  for (int n = 0; n < 80; n++) {
    const double a = low + (high - low) / 3, b = high - (high - low) / 3;
    if (reach(s, a, c) < reach(s, b, c))
      low = a;
    else
      high = b;
  }
  *best = (low + high) / 2;
  return reach(s, *best, c) + s->fillet - s->undersize;
}

static void compare_shape(const shape *s, double tolerance) {
  omr_compliant_law law = {.radius = s->roller.radius,
                           .center = s->roller.center,
                           .cos_psi = s->roller.cos_psi,
                           .end = s->roller.cos_psi * sin(s->end),
                           .fillet = s->fillet,
                           .undersize = s->undersize};
  omr_compliant_complete(&law);
  double worst = 0, place = 0;
  for (double c = -0.98; c < 0.99; c += 0.07) {
    double slope, q, axial, radius;
    const double found = omr_compliant_support(&law, c, omr_compliant_end_of(&law, c), &slope);
    worst = fmax(worst, fabs(found - searched_reach(s, c, &q)));
    inner_profile(s, q, &axial, &radius);
    axial += (s->fillet - s->undersize) * c; /* from the centre curve along the direction */
    place = fmax(place, fabs(c * found + (1 - c * c) * slope - axial));
  }
  cr_log_info("fillet %g: reach %.2g m, place %.2g m", s->fillet, worst, place);
  cr_expect_lt(worst, tolerance);
  cr_expect_lt(place, 1e-7); /* the search's own, a root of its error in reach */
}

Test(compliant_contact, touches_at_the_point_of_the_profile_that_reaches_farthest) {
  const double inclinations[] = {0, 0.3, 0.7854}, ends[] = {0.85, 1, 1.2}, fillets[] = {0, 0.004};
  for (int a = 0; a < 3; a++) {
    for (int b = 0; b < 3; b++) {
      for (int f = 0; f < 2; f++) {
        shape s = {.roller = {.radius = 0.1, .rollers = 9, .inclination = inclinations[a]},
                   .fillet = fillets[f],
                   .undersize = f * 1e-4};
        cr_assert_null(omr_roller_shape(&s.roller, 0.006, (double)NAN));
        s.end = ends[b] * s.roller.alpha;
        compare_shape(&s, f ? 1e-11 : 1e-15);
      }
    }
  }
}

/* ---- the depth and its rate */

/* Depths of all rollers in the state y. */
static void depths_at(assembled *a, const double *y, double *depths) {
  const omr_omni *omni = a->reference.self;
  omr_mb_set_state(a->reference.mb, 0, y);
  for (int i = 0; i < omni->wheels; i++)
    for (int j = 0; j < omni->wheel[i].rollers; j++)
      *depths++ = omr_compliant_depth(a->reference.mb, &omni->wheel[i].soft[j]);
}

static void compare_rates(const char *const *overrides) {
  omr_study *study = compliant_study(vehicle_text, overrides);
  assembled a;
  assemble_instance(study, &a);
  const omr_omni *omni = a.reference.self;
  omr_mb *mb = a.reference.mb;
  const size_t states = (size_t)mb->states;
  double *y = malloc(3 * states * sizeof *y), *rate = y + states, *moved = rate + states;
  double before[64], after[64], worst = 0;
  const double step = 1e-6;
  memcpy(y, mb->state, states * sizeof *y);
  cr_assert_eq(omr_mb_evaluate(mb, rate, NULL), OMR_OK);
  for (size_t n = 0; n < states; n++) moved[n] = y[n] - step * rate[n];
  depths_at(&a, moved, before);
  for (size_t n = 0; n < states; n++) moved[n] = y[n] + step * rate[n];
  depths_at(&a, moved, after);
  omr_mb_set_state(mb, 0, y);
  for (int i = 0; i < omni->wheels; i++) {
    for (int j = 0; j < omni->wheel[i].rollers; j++) {
      const int n = i * omni->wheel[i].rollers + j;
      const double deepens = omr_compliant_at(mb, &omni->wheel[i].soft[j]).deepens;
      worst = fmax(worst, fabs((after[n] - before[n]) / (2 * step) - deepens));
    }
  }
  cr_log_info("rates of depths: %.2g m/s", worst);
  cr_expect_lt(worst, 1e-8);
  free(y);
  release_instance(&a);
  omr_study_destroy(study);
}

/* Of every roller, also those high in the air, in a vehicle that lies and turns in any way. */
Test(compliant_contact, deepens_as_its_material_point_moves_down) {
  compare_rates((const char *const[]){
      "parameters.initial.height=-0.002", "parameters.initial.pitch=0.31",
      "parameters.initial.roll=-0.22", "parameters.initial.pitch_rate=1.3",
      "parameters.initial.roll_rate=-2.1", "parameters.initial.heave_rate=0.4", NULL});
}

/* ---- impacts with next to no weight: a vehicle that flies at the floor with all its wheels alike
 */

#define FLIES                                                                                      \
  "parameters.gravity=1e-9", "parameters.platform.center_of_mass.x=0",                             \
      "parameters.platform.center_of_mass.z=0", "parameters.initial.height=0.001",                 \
      "parameters.initial.heave_rate=-0.2", "parameters.initial.vx=0", "parameters.initial.vz=0",  \
      "parameters.initial.yaw_rate=0"

static const double speed = 0.2; /* of what flies, m/s */

/* Speed after the impact over that before it; the vehicle's mass. */
static double rebound(omr_study *study) {
  omr_reference_run run = integrate_reference(study);
  const double *last = run.samples + (run.times - 1) * (size_t)run.columns;
  const double e = last[OMR_VS_VY] / speed;
  cr_expect_eq(run.status, 0);
  cr_expect_eq(run.observables[OMR_OBS_WHEEL_LIFTINGS], 3);
  cr_expect_lt(fabs(run.observables[OMR_OBS_ENERGY_ERROR]), 1e-7);
  cr_expect_lt(fabs(last[OMR_VS_PITCH]), 1e-9);
  omr_reference_run_free(&run);
  return e;
}

static omr_study *flying(const char *const *more) {
  const char *all[20] = {FLIES, "integrator.duration=0.05 s", NULL};
  int count = 0;
  while (all[count]) count++;
  for (; *more; more++) all[count++] = *more;
  omr_study *study = compliant_study(vehicle_text, all);
  for (int i = 0; i < study->wheels; i++) study->base.wheel[i][OMR_WP_RATE] = 0;
  return study;
}

/* m d'' = -f(d) (1 + c d') has v/c - ln(1 + c v)/c^2 alike before and after, whatever f. */
static double crossley_left(double v, double c) {
  return v - log(1 + c * v) / c;
}

static void compare_crossley(bool hertz, double c) {
  omr_study *study = flying((const char *const[]){NULL});
  study->contact.hertz = hertz;
  for (int i = 0; i < study->wheels; i++) study->base.wheel[i][OMR_WP_DISSIPATION] = c;
  const double e = rebound(study);
  const double before = crossley_left(speed, c), after = crossley_left(-e * speed, c);
  cr_log_info("c v = %g: restitution %.9g, 1 - 2/3 c v = %.9g", c * speed, e,
              1 - c * speed * 2 / 3);
  cr_expect_float_eq(after / before, 1, 1e-7, "%.3g", after / before - 1);
  omr_study_destroy(study);
}

Test(compliant_contact, bounces_by_the_law_of_hunt_and_crossley) {
  compare_crossley(false, 0.05);
  compare_crossley(false, 2);
  compare_crossley(true, 0.5);
}

/* m d'' = -k d - D d' until that is 0: T. Schwager and T. Poeschel, Granular Matter 9 (2007) 465.
 */
Test(compliant_contact, bounces_by_the_law_of_kelvin_and_voigt) {
  omr_study *study = flying((const char *const[]){NULL});
  study->contact.kelvin_voigt = true;
  for (int i = 0; i < study->wheels; i++) {
    study->base.wheel[i][OMR_WP_DAMPING] = 300;
    study->base.wheel[i][OMR_WP_STIFFNESS] = 1e5;
  }
  const double e = rebound(study), mass = 10 + 3 * (1.2 + 6 * 0.11), beta = 3 * 300 / (2 * mass),
               omega = sqrt(3e5 / mass - beta * beta);
  const double expected =
      exp(-beta / omega * (M_PI - atan2(2 * beta * omega, omega * omega - beta * beta)));
  cr_log_info("restitution %.9g", e);
  cr_expect_float_eq(e, expected, 1e-7, "%.12g instead of %.12g", e, expected);
  omr_study_destroy(study);
}

/* ---- floors with heights */

/* How far a point of the surface lies below the floor: q along the profile, turned about the axis.
 */
typedef struct lying {
  shape body;
  omr_terrain terrain;
  omr_vec centre, axis, e1, e2;
} lying;

static double below_at(const lying *l, double q, double turn) {
  double axial, radius;
  omr_roller_profile(&l->body.roller, q, &axial, &radius);
  const omr_vec out = omr_axpy(omr_scale(cos(turn), l->e1), sin(turn), l->e2),
                at = omr_add(omr_axpy(l->centre, axial, l->axis), omr_scale(radius, out));
  return omr_terrain_at(&l->terrain, at.x, at.z).height - at.y;
}

/* Searched on ever finer grids around the best point of the last one. */
static double searched_depth(const lying *l) {
  enum { CUTS = 24, GRIDS = 34 };
  double q = 0, turn = 0, width = l->body.end, round = M_PI, best = -HUGE_VAL;
  for (int n = 0; n < GRIDS; n++, width /= 3, round /= 3) {
    const double middle = q, about = turn;
    for (int a = -CUTS; a <= CUTS; a++) {
      for (int b = -CUTS; b <= CUTS; b++) {
        const double at = fmax(-l->body.end, fmin(l->body.end, middle + width * a / CUTS)),
                     to = about + round * b / CUTS, found = below_at(l, at, to);
        if (found <= best) continue;
        best = found;
        q = at;
        turn = to;
      }
    }
  }
  return best;
}

/* Bends of the floor up to 0.8 of what the wheel's rim has. */
static void compare_on_waves(int k, double *worst) {
  lying l = {.body = {.roller = {.radius = 0.1, .rollers = 7, .inclination = 0.3 * (k % 3)}}};
  cr_assert_null(omr_roller_shape(&l.body.roller, 0.006, (double)NAN));
  l.body.end = l.body.roller.alpha;
  const double length = 0.3 + 0.05 * k, kx = 2 * M_PI / length * cos(k),
               kz = 2 * M_PI / length * sin(k);
  l.terrain = (omr_terrain){
      .waves = 1, .wave = {{0.8 / 0.1 * length * length / (4 * M_PI * M_PI), kx, kz, 1.7 * k}}};
  l.axis = omr_unit(omr_vec_of(cos(2.0 * k), 0.3 * sin(3.0 * k), sin(2.0 * k)));
  omr_perpendicular(l.axis, &l.e1, &l.e2);
  l.centre = omr_vec_of(0.1 * k, 0.02, -0.07 * k);
  omr_compliant_law law = {.radius = l.body.roller.radius,
                           .center = l.body.roller.center,
                           .cos_psi = l.body.roller.cos_psi,
                           .end = l.body.roller.cos_psi * sin(l.body.end)};
  omr_compliant_complete(&law);
  const omr_terrain_touch touch =
      omr_compliant_meet(&law, &l.terrain, l.centre, l.axis, OMR_ANY_END);
  const omr_vec at = omr_add(l.centre, touch.point);
  const omr_relief relief = omr_terrain_at(&l.terrain, at.x, at.z);
  *worst = fmax(*worst, fabs(touch.depth - searched_depth(&l)));
  cr_expect_lt(fabs(omr_dot(touch.normal, omr_vec_of(1, relief.slope[0], 0))), 1e-12);
  cr_expect_lt(fabs(omr_dot(touch.normal, omr_vec_of(0, relief.slope[1], 1))), 1e-12);
}

Test(compliant_contact, meets_a_wave_where_the_search_over_its_surface_does) {
  double worst = 0;
  for (int k = 0; k < 12; k++) compare_on_waves(k, &worst);
  cr_log_info("depths: %.2g m", worst);
  cr_expect_lt(worst, 1e-14);
}
