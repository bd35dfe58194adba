/* The numbers themselves: a hash over every dataset of every parity study. test_bits.c shows that engines of one build agree;
 * these constants show that builds do, whatever compiler, sanitizer or machine made them. */
#include "tests/parity/parity.h"

/* To renew: run this test, which prints the table as it should read. Legitimate only after equations, numerics, draws or the
 * studies beside this file were changed on purpose; a change of compiler, flags, lanes, batching or machine is none. */
static const struct golden {
  const char *study, *precision, *hash;
  const char *law; /* word of contact.law to run the study under; NULL: its own */
} golden[] = {
    {"parity", "double", "3cb8ae1e3dcc96de3a2ada0399fe8d36", NULL},
    {"parity", "single", "5bebefb1e8bce054c9d3972ac95f56d5", NULL},
    {"bearing", "double", "a1386de56dde6a4e9ec72b3934167739", NULL},
    {"bearing", "single", "c9f8c81b80c02801600617a805c1ecbf", NULL},
    {"four_wheels", "double", "21c13ba8e021cafb2ec2dd17e072c2d8", NULL},
    {"four_wheels", "single", "f6b771a2819e2b983d5e7d2faed5e2fe", NULL},
    {"five_wheels", "double", "f479be4731eb8fb630417e49068ff775", NULL},
    {"five_wheels", "single", "1829a9588c6b95eb6794ff54a1165b4b", NULL},
    {"tracking", "double", "5bfcfd4df99eb33b482ecf5a51a98f01", NULL},
    {"tracking", "single", "1685666d1d10bd59acdbcb830fd438e2", NULL},
    {"one_wheel", "double", "d88c684e0b2f5ef5fb146969e427647b", NULL},
    {"one_wheel", "single", "3ece969d382a59d8bf555e83df93a35c", NULL},
    {"uk_wheel", "double", "1661036cbd7ce87424e3c878803c5004", NULL},
    {"uk_wheel", "single", "cb118e2b0c28b8471494e8c01a11812e", NULL},
    {"uk_braking", "double", "71d10f4069dcaf030c1e63c803236857", NULL},
    {"uk_braking", "single", "0c02f8e4dd616db947dc38bd3081eea1", NULL},
    {"disc_slope", "double", "93443b039225f4491ab5ac96a7957ba2", NULL},
    {"disc_slope", "single", "a1d6fe707df68534a960f3051c955116", NULL},
    {"disc_zone", "double", "db71e74ae0bd8ecbb8ac2b8013ef21c3", NULL},
    {"disc_zone", "single", "1db7827e841249856e334b57ca4e7b99", NULL},
    {"laws", "double", "", "regularized_coulomb"},
    {"laws", "double", "", "ideal_rolling"},
    {"laws", "double", "", "udwadia_kalaba"},
    {"laws", "double", "", "massless_rollers"},
    {"laws", "double", "", "classical_rollers"},
    {"laws", "single", "", "ideal_rolling"},
    {"laws", "single", "", "udwadia_kalaba"},
};
enum { GOLDEN = sizeof golden / sizeof *golden };

/* Adds a dataset under its name, every NaN as the same bits. */
static void add_dataset(omr_text *bytes, const char *name, const double *values, size_t count) {
  if (!values) return;
  omr_text_add(bytes, name, strlen(name) + 1);
  for (size_t i = 0; i < count; i++) {
    uint64_t bits = 0x7ff8000000000000u;
    if (!isnan(values[i])) memcpy(&bits, &values[i], sizeof bits);
    omr_text_add(bytes, (const char *)&bits, sizeof bits);
  }
}

static void hash_result(const omr_result *r, char hex[33]) {
  omr_text bytes = {0};
  size_t cells = r->traced_count * r->sample_count;
  for (size_t c = 0; c < r->column_count; c++) add_dataset(&bytes, r->columns[c].name, r->columns[c].values, r->instances);
  omr_text_add(&bytes, (const char *)r->status, r->instances * sizeof *r->status);
  add_dataset(&bytes, "status_time", r->status_time, r->instances);
  for (int j = 0; j < OMR_VS_COUNT; j++) add_dataset(&bytes, omr_vehicle_samples[j].name, r->vehicle_samples[j], cells);
  for (int j = 0; j < OMR_WS_COUNT; j++) {
    add_dataset(&bytes, omr_wheel_samples[j].name, r->wheel_samples[j], cells * (size_t)r->wheels);
  }
  for (int j = 0; j < r->small_sample_count; j++) add_dataset(&bytes, r->small_info[j].name, r->small_samples[j], cells);
  cr_assert_not(bytes.failed);
  omr_hash_hex(bytes.data, bytes.length, hex);
  omr_text_free(&bytes);
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
