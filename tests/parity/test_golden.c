/* The numbers themselves: a hash over every dataset of every parity study. test_bits.c shows that engines of one build agree;
 * these constants show that builds do, whatever compiler, sanitizer or machine made them. */
#include "tests/parity/parity.h"

/* To renew: run this test, which prints the table as it should read. Legitimate only after equations, numerics, draws or the
 * studies beside this file were changed on purpose; a change of compiler, flags, lanes, batching or machine is none. */
static const struct golden {
  const char *study, *precision, *hash;
  const char *law; /* word of contact.law to run the study under; NULL: its own */
} golden[] = {
    {"parity", "double", "fcf9874237c7a7b4a269767731ced809", NULL},
    {"parity", "single", "1f6d6d3dfd067fa7e673821a6ded05e3", NULL},
    {"bearing", "double", "1a63c41d8976858abae27cb6ddfc82e0", NULL},
    {"bearing", "single", "3b860726561662cace7d49c8dc96cd42", NULL},
    {"four_wheels", "double", "1556b9c182291ca0d70447fc6eab35d1", NULL},
    {"four_wheels", "single", "889f4741ccb615cc46bb45ded39e636b", NULL},
    {"five_wheels", "double", "2732ee570db8900351a0faf22197e9d4", NULL},
    {"five_wheels", "single", "adf3d115efdc61e532bf4d6e1270c358", NULL},
    {"tracking", "double", "287c2748220197a9bfa048a7dd752029", NULL},
    {"tracking", "single", "13bf857654c754da38271343383123de", NULL},
    {"one_wheel", "double", "dee603fc94676e20f860838ff7342a2a", NULL},
    {"one_wheel", "single", "cd078041ef8bcc20c6a011f63485de25", NULL},
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
    {"laws", "double", "b69c804b24f2c14e70d8a30d0987fec4", "regularized_coulomb"},
    {"laws", "double", "d140a06d98bee3a89b04336c230cecbc", "ideal_rolling"},
    {"laws", "double", "94d25658d946e5e4acd130c564457b44", "udwadia_kalaba"},
    {"laws", "double", "623705f82454d112e0ce4426b8034516", "massless_rollers"},
    {"laws", "double", "8ad1cb71be9b1bce121f65e4305352ff", "classical_rollers"},
    {"laws", "single", "5da24dbd1b8a7cc9d0b55be5707d41f0", "ideal_rolling"},
    {"laws", "single", "df0a36c42698fc2112d1cd3e94c7ccd2", "udwadia_kalaba"},
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
  double *last = &result->wheel_samples[OMR_WS_COUNT - 1][result->traced_count * result->sample_count - 1];
  cr_assert_not(isnan(*last));
  *last = nextafter(*last, 1e9);
  hash_result(result, after);
  cr_expect_str_neq(before, after);
  omr_result_destroy(result);
}
