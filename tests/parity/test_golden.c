/* The numbers themselves: a hash over every dataset of every parity study. test_bits.c shows that engines of one build agree;
 * these constants show that builds do, whatever compiler, sanitizer or machine made them. */
#include "tests/parity/parity.h"

/* To renew: run this test, which prints the table as it should read. Legitimate only after equations, numerics, draws or the
 * studies beside this file were changed on purpose; a change of compiler, flags, lanes, batching or machine is none. */
static const struct golden {
  const char *study, *precision, *hash;
  const char *law; /* word of contact.law to run the study under; NULL: its own */
} golden[] = {
    {"parity", "double", "d3be0608e415239d3de351c9dc382e5e", NULL},
    {"parity", "single", "a602af43b3104433816b213393c334ec", NULL},
    {"bearing", "double", "ea8b9416333838d345a723ebd0c88716", NULL},
    {"bearing", "single", "6797eaee561b8c28c287609ed0e973bf", NULL},
    {"four_wheels", "double", "307ce8cea724bd994128c0d8a279e89e", NULL},
    {"four_wheels", "single", "31e5c22a8028d75f710ec17d11f0761d", NULL},
    {"five_wheels", "double", "2732ee570db8900351a0faf22197e9d4", NULL},
    {"five_wheels", "single", "adf3d115efdc61e532bf4d6e1270c358", NULL},
    {"tracking", "double", "646b23c18b6c8fac2ccb9e0082ef7584", NULL},
    {"tracking", "single", "8ab35fec41557db14f6b4b2cab6e1e7d", NULL},
    {"one_wheel", "double", "754de10b060c27b98d46f9a7796c8791", NULL},
    {"one_wheel", "single", "23fd19a49194ef41954abf885a62eef1", NULL},
    {"uk_wheel", "double", "f8b3ccf6b02f9fe6d465ccc104837d15", NULL},
    {"uk_wheel", "single", "a816e2573e98f7ccfeda35483dce7974", NULL},
    {"uk_braking", "double", "65af3ed37b52962079befdd25050ad99", NULL},
    {"uk_braking", "single", "bd9f52ad93bc3d0e3dd7fdbe4280c1cb", NULL},
    {"disc_slope", "double", "93443b039225f4491ab5ac96a7957ba2", NULL},
    {"disc_slope", "single", "a1d6fe707df68534a960f3051c955116", NULL},
    {"disc_zone", "double", "db71e74ae0bd8ecbb8ac2b8013ef21c3", NULL},
    {"disc_zone", "single", "1db7827e841249856e334b57ca4e7b99", NULL},
    {"snakeboard", "double", "c3276756aa042ccd4c36fbf7c54ea016", NULL},
    {"snakeboard", "single", "09c7edde91ffad1a74e64103e97eb0d9", NULL},
    {"disc_rolling", "double", "290c492c5e75b116182359a90ad2a615", NULL},
    {"disc_rolling", "single", "da9e90f219586b2eaa32627d227e7a3b", NULL},
    {"wheelset", "double", "b7269ca40a13a174ec902a1edd5212d7", NULL},
    {"wheelset", "single", "f42ba2e12bbe4d07ef3c45275efab2c2", NULL},
    {"edges", "double", "95e4c3bc239884b3481246c0e2ed5136", NULL},
    {"edges", "single", "fb93d122b03f25d3257d8945f36d2536", NULL},
    {"edges", "double", "554908ace1ae91458e3474bdeabdf0fb", "udwadia_kalaba"},
    {"laws", "double", "47aae611718bf36dc2447adb67b9eeaa", "regularized_coulomb"},
    {"laws", "double", "fa8d859f2a2b5deec91b7610038b4b70", "ideal_rolling"},
    {"laws", "double", "0c0762da38d6cd5cf58aca1ae9da8c08", "udwadia_kalaba"},
    {"laws", "double", "2d8d2aa91f7c41f14a724bd2455d495a", "massless_rollers"},
    {"laws", "double", "8ad1cb71be9b1bce121f65e4305352ff", "classical_rollers"},
    {"laws", "single", "f62bf4df626662c9ac32e5ef0f2abaee", "ideal_rolling"},
    {"laws", "single", "8f15668cb26bf9d375b66a3df160c38d", "udwadia_kalaba"},
};
enum { GOLDEN = sizeof golden / sizeof *golden };

static void hash_result(const omr_result *r, char hex[33]) {
  cr_assert_eq(omr_result_hash(r, hex, NULL), OMR_OK);
}

static void hash_study(const struct golden *g, char hex[33]) {
  char path[64], law[64];
  snprintf(path, sizeof path, "tests/parity/%s.json", g->study);
  snprintf(law, sizeof law, "parameters.contact.law=%s", g->law ? g->law : "");
  engine e = {.backend = "openmp", .precision = g->precision, .other = g->law ? law : NULL};
  omr_result *result = run_study(path, &e);
  hash_result(result, hex);
  omr_result_destroy(result);
}

Test(golden, every_build_gives_the_same_numbers) {
  char table[8192] = "";
  size_t length = 0, different = 0;
  for (int i = 0; i < GOLDEN; i++) {
    char hex[33];
    hash_study(&golden[i], hex);
    different += strcmp(hex, golden[i].hash) != 0;
    length += (size_t)snprintf(table + length, sizeof table - length, "  {\"%s\", \"%s\", \"%s\"", golden[i].study,
                               golden[i].precision, hex);
    if (golden[i].law)
      length += (size_t)snprintf(table + length, sizeof table - length, ", \"%s\"},\n", golden[i].law);
    else
      length += (size_t)snprintf(table + length, sizeof table - length, ", NULL},\n");
  }
  cr_expect_eq(different, 0, "%zu of %d hashes differ; if the numbers were changed on purpose, the table is now:\n%s", different,
               GOLDEN, table);
}

Test(golden, one_changed_bit_changes_the_hash) {
  engine e = {.backend = "openmp"};
  omr_result *result = run_study("tests/parity/one_wheel.json", &e);
  char before[33], after[33];
  hash_result(result, before);
  double *last = &result->wheel_samples[OMR_WS_FRICTION][result->traced_count * result->sample_count - 1];
  cr_assert_not(isnan(*last));
  *last = nextafter(*last, 1e9);
  hash_result(result, after);
  cr_expect_str_neq(before, after);
  omr_result_destroy(result);
}
