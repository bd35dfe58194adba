/* The numbers themselves: a hash over every dataset of every parity study. test_bits.c shows that
 * engines of one build agree; these constants show that builds do, whatever compiler, sanitizer or
 * machine made them. */
#include "tests/parity/parity.h"

/* To renew: run this test, which prints the table as it should read. Legitimate only after
 * equations, numerics, draws or the studies beside this file were changed on purpose; a change of
 * compiler, flags, lanes, batching or machine is none. */
static const struct golden {
  const char *study, *precision, *hash;
  const char *law; /* word of contact.law to run the study under; NULL: its own */
} golden[] = {
    {"parity", "double", "3c9be031a0b3a0c824b910ee82423579", NULL},
    {"parity", "single", "510576ca4a700a93d86de4a633bed0a1", NULL},
    {"bearing", "double", "6b5cd617b1826c511312ceb60c76bb7f", NULL},
    {"bearing", "single", "398255ecba80463f8bff86574b4a1900", NULL},
    {"four_wheels", "double", "54901f94a83f9c8a6d5f301a71d1ab85", NULL},
    {"four_wheels", "single", "33fe232212dd71a356a2032fb8e09b71", NULL},
    {"five_wheels", "double", "52330091d956e840b1da3e3e8dd3105f", NULL},
    {"five_wheels", "single", "2d59451957aaa11dd3158a611824f4d0", NULL},
    {"motors", "double", "ef0188ba4d5fb4b27874e1ff048a6146", NULL},
    {"motors", "single", "552bc8ae59b68d34aec94f977ef13ecc", NULL},
    {"tracking", "double", "2585dab2fbad20fbf0a6470b9c6b1d4b", NULL},
    {"tracking", "single", "041c9a227e9a9d140ccfdbe5f32e18fc", NULL},
    {"one_wheel", "double", "d9868c70e97430ddab8737da35c330fc", NULL},
    {"one_wheel", "single", "1559a191b190d5f4dc36c69915b5e6fc", NULL},
    {"uk_wheel", "double", "845ca3869df204e9807d4bbdea2a505a", NULL},
    {"uk_wheel", "single", "ed70f67a6465551777a4699d24be051c", NULL},
    {"uk_braking", "double", "17879353621a1cdb09440324bf140eef", NULL},
    {"uk_braking", "single", "85e24f9df712bd36c78e90e429ab5009", NULL},
    {"disc_slope", "double", "4627288c6b2c35cf5eb1d1d63e0fb90a", NULL},
    {"disc_slope", "single", "aaee9bddc7972551f2a84a747ea6f063", NULL},
    {"disc_zone", "double", "db71e74ae0bd8ecbb8ac2b8013ef21c3", NULL},
    {"disc_zone", "single", "1db7827e841249856e334b57ca4e7b99", NULL},
    {"disc_exudyn", "double", "221edc8373dbd0d8f4b3717adb95905d", NULL},
    {"disc_exudyn", "single", "f0b03e5e1cf2976803b4adde6eebc2ea", NULL},
    {"snakeboard", "double", "c3276756aa042ccd4c36fbf7c54ea016", NULL},
    {"snakeboard", "single", "09c7edde91ffad1a74e64103e97eb0d9", NULL},
    {"disc_rolling", "double", "2d53ef8ee57ea83f4a1cfa02856feef4", NULL},
    {"disc_rolling", "single", "7fb63834f1726c69d463471559449c2b", NULL},
    {"wheelset", "double", "fa8fed9e44da71154fcd748c339195f3", NULL},
    {"wheelset", "single", "60d241866d2bdf36e8822bdd38a0a386", NULL},
    {"edges", "double", "005d025b11fee110e92abe10368fa6f6", NULL},
    {"edges", "single", "5d67bfa344ce5e72ff940f6dc8b06b15", NULL},
    {"edges", "double", "dd5c5bd0319a47f2f0e6c1248e68d86f", "udwadia_kalaba"},
    {"laws", "double", "b23f098264f9e7cc535b14b4b2f9be85", "regularized_coulomb"},
    {"laws", "double", "98c1feeeca3b9aac1a1ec551370148bc", "ideal_rolling"},
    {"laws", "double", "be5d4f5318b58082fc481ee73fdf5deb", "udwadia_kalaba"},
    {"laws", "double", "35da6ae47e7ba0908656991ac4565635", "massless_rollers"},
    {"laws", "double", "bdfe48d9818ba25e992d803b9ebbaabb", "classical_rollers"},
    {"laws", "single", "57e3337af7794996ca87392f440dc42a", "ideal_rolling"},
    {"laws", "single", "5fcbf12f3ec7cc2cc4c193e22ba35937", "udwadia_kalaba"},
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
    length += (size_t)snprintf(table + length, sizeof table - length, "  {\"%s\", \"%s\", \"%s\"",
                               golden[i].study, golden[i].precision, hex);
    if (golden[i].law)
      length +=
          (size_t)snprintf(table + length, sizeof table - length, ", \"%s\"},\n", golden[i].law);
    else
      length += (size_t)snprintf(table + length, sizeof table - length, ", NULL},\n");
  }
  cr_expect_eq(
      different, 0,
      "%zu of %d hashes differ; if the numbers were changed on purpose, the table is now:\n%s",
      different, GOLDEN, table);
}

Test(golden, one_changed_bit_changes_the_hash) {
  engine e = {.backend = "openmp"};
  omr_result *result = run_study("tests/parity/one_wheel.json", &e);
  char before[33], after[33];
  hash_result(result, before);
  double *last =
      &result->wheel_samples[OMR_WS_FRICTION][result->traced_count * result->sample_count - 1];
  cr_assert_not(isnan(*last));
  *last = nextafter(*last, 1e9);
  hash_result(result, after);
  cr_expect_str_neq(before, after);
  omr_result_destroy(result);
}
