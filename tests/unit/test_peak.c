/* The yardstick of `omniroll bench` does the operations that it counts. */
#include "../../host/engine/backend.h"
#include "../../host/engine/peak.h"
#include "../../host/lanes/lanes.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Every chain is x <- a x + b. From x = i s with a = b = 1/2, n links leave 1 - (1 - i s) / 2^n,
 * all of it exact for s = 1/16 and few links: so each of the chains has each of its links, as many
 * as the operations counted say. */
static void expect_links(const omr_lane_object *o, int rounds) {
  const double links = o->peak_operations / o->lanes / o->peak_chains / 2 * rounds;
  double sum = 0;
  for (int i = 0; i < o->peak_chains; i++) sum += 1 - (1 - i / 16.0) * exp2(-links);
  cr_expect(o->peak(1 / 16.0, 0.5, 0.5, rounds) == sum, "%s %s: %.17g is not %.17g", o->isa,
            o->kind, o->peak(1 / 16.0, 0.5, 0.5, rounds), sum);
}

static void expect_copy(const omr_lane_object *o) {
  enum { PACKS = 37 };
  const size_t bytes = (PACKS + 1) * o->pack_bytes;
  unsigned char *from = omr_aligned_calloc(bytes, 1), *to = omr_aligned_calloc(bytes, 1);
  for (size_t i = 0; i < bytes; i++)
    from[i] = (unsigned char)(i % 61 + 1); /* as numbers: finite ones */
  o->copy(from, to, PACKS);
  cr_expect_arr_eq(from, to, PACKS * o->pack_bytes);
  cr_expect_eq(to[PACKS * o->pack_bytes], 0, "%s: a pack too many", o->isa);
  free(from);
  free(to);
}

Test(peak, every_chain_has_every_link_that_is_counted) {
  const char *isa;
  for (size_t i = 0; (isa = omr_openmp_isa(i)); i++) {
    for (int single = 0; single < 2 && omr_openmp_runs(isa); single++) {
      const omr_lane_object *o = omr_lane_object_with_peak(isa, single != 0);
      cr_assert(o && o->copy, "%s", isa);
      cr_expect_geq(o->peak_chains, 12);
      expect_links(o, 1);
      expect_copy(o);
      if (!single) expect_links(o, 4);
    }
  }
}

Test(peak, measuring_it_gives_rates_and_refuses_what_is_not_there) {
  omr_peak peak;
  omr_error error = {0};
  cr_assert_eq(omr_openmp_peak(omr_openmp_runs("avx512") ? "avx512"
                               : omr_openmp_runs("avx2") ? "avx2"
                                                         : "baseline",
                               OMR_DOUBLE, 2, 0.01, false, &peak, &error),
               OMR_OK, "%s", error.message);
  cr_expect_eq(peak.threads, 2);
  cr_expect_eq(peak.copy_bytes, 0, "not asked for");
  cr_expect(isfinite(peak.fma_flops) && peak.fma_flops > 1e7);
  cr_expect_eq(omr_openmp_peak("mmx", OMR_DOUBLE, 1, 0.01, false, &peak, &error), OMR_ERR_DEVICE);
  cr_expect_not_null(strstr(error.message, "mmx"));
}
