/* A tangential impact in a pack of two lanes: it changes the lanes that are hit, each as it would
 * be alone, and no bit of the others (kernels/laws/constraint.h). */
#include "host/model/prepare.h"
#include "shared/machine.h"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized" /* as in host/lanes/lanes.c */
#endif
#define OMR_LANES 2
#define OMR_SINGLE 0
#define OMR_CONSTRAINED 1
#include "kernels/all.cl"

/* Vehicles that differ in everything but the numbers of wheels and rollers. */
static fleet vehicles(uint64_t *seed, const char *law) {
  fleet f = {.batch = {.count = 0}};
  machine first = {.wheels = 0};
  for (size_t slot = 0; slot < OMR_LANES;) {
    machine m = random_machine(seed);
    m.roller_bearing = 0;
    if (slot > 0 && (m.wheels != first.wheels || m.rollers != first.rollers)) continue;
    if (slot == 0) first = m;
    omr_text text = machine_text(&m, MACHINE_TIMES);
    omr_study *study;
    omr_error error = {0};
    cr_assert_eq(omr_study_parse(text.data, "machine.json", &law, 1, &study, &error), OMR_OK, "%s",
                 error.message);
    omr_text_free(&text);
    if (slot == 0) f = make_fleet(study, OMR_LANES);
    prepare_slot(&f, study, slot++);
    omr_study_destroy(study);
  }
  return f;
}

typedef struct pack {
  parameters p;
  motion at;
  held_state held;
  real v[S_COUNT], ts[WHEELS_MAX][T_COUNT];
} pack;

static void load_pack(const fleet *f, pack *k) {
  load_parameters(f->batch.params, f->settings.tables, f->settings.integers, (int)f->batch.stride,
                  &k->p);
  load_state(f->batch.state, f->settings.integers, (int)f->batch.stride, &k->at, k->v, k->ts);
  for (int i = 0; i < WHEELS_MAX; i++) k->held.row[i] = k->ts[i][T_ROW];
}

/* Lanes of the bits. */
static mask lanes_of(int bits) {
  real chosen = R(0.0);
  for (int l = 0; l < OMR_LANES; l++) lane_set(&chosen, l, bits >> l & 1);
  return gt(chosen, R(0.5));
}

Test(impact_lanes, lanes_that_are_not_hit_keep_their_bits_and_others_do_not_notice) {
  static const char *const laws[3] = {"parameters.contact.law=ideal_rolling",
                                      "parameters.contact.law=massless_rollers",
                                      "parameters.contact.law=classical_rollers"};
  uint64_t seed = 78;
  for (int n = 0; n < 12; n++) {
    fleet f = vehicles(&seed, laws[n % 3]);
    pack before, all;
    load_pack(&f, &before);
    all = before;
    const real all_lost = impact(&all.p, f.settings.integers, &all.held, lanes_of(3), all.at.y);
    for (int bits = 0; bits < 4; bits++) {
      pack some = before;
      const real lost = impact(&some.p, f.settings.integers, &some.held, lanes_of(bits), some.at.y);
      for (int l = 0; l < OMR_LANES; l++) {
        const bool hit = bits >> l & 1;
        cr_expect_eq(lane_get(lost, l), hit ? lane_get(all_lost, l) : 0);
        for (int j = 0; j < Y_COUNT; j++) {
          const double got = lane_get(some.at.y[j], l),
                       expected = lane_get((hit ? &all : &before)->at.y[j], l);
          cr_expect_eq(memcmp(&got, &expected, sizeof got), 0,
                       "hit %x, lane %d, entry %d: %.17g, not %.17g", (unsigned)bits, l, j, got,
                       expected);
        }
      }
    }
    for (int l = 0; l < OMR_LANES; l++) {
      cr_expect_gt(lane_get(all_lost, l), 0);
      cr_expect_neq(lane_get(all.at.y[Y_RATE(0)], l), lane_get(before.at.y[Y_RATE(0)], l));
    }
    free_fleet(&f);
  }
}
