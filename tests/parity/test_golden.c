/* The numbers themselves: a hash over every dataset of every parity study. test_bits.c shows that engines of one build agree;
 * these constants show that builds do, whatever compiler, sanitizer or machine made them. */
#include "tests/parity/parity.h"

/* To renew: run this test, which prints the table as it should read. Legitimate only after equations, numerics, draws or the
 * studies beside this file were changed on purpose; a change of compiler, flags, lanes, batching or machine is none. */
static const struct golden {
  const char *study, *precision, *hash;
} golden[] = {
    {"parity", "double", "1492c838fec9a107a717217ae01ddd0d"},      {"parity", "single", "fc96e795524192d81c11167357c4bdd6"},
    {"bearing", "double", "d68523033bd933c4258d788504dc4e9c"},     {"bearing", "single", "e19c45fbf094dd6b7cc6976b8a863b38"},
    {"four_wheels", "double", "1ffd7083c381dc5288e5a89c2ff53e81"}, {"four_wheels", "single", "a7f4a14024560ba31457ae61e7e19993"},
    {"five_wheels", "double", "e3801ead6b799cab659614bd0dcbdf2a"}, {"five_wheels", "single", "825b931560e3b51432cc359512983eec"},
    {"patches", "double", "acebbab9a916d0d526cde5c30aaedb5a"},     {"patches", "single", "91f1c646109793367b487bc6785de69c"},
    {"dip", "double", "0515dd0aab28e0ccb3ca6af4449500c0"},         {"dip", "single", "f4d0e6d043a59a4a78727ff96df0cd7d"},
    {"one_wheel", "double", "5aad3ba1fc39a7cb27cde7454dc9acb1"},   {"one_wheel", "single", "3e78744a35e5da455b9362bd0b7fb1eb"},
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
  cr_assert_not(bytes.failed);
  omr_hash_hex(bytes.data, bytes.length, hex);
  omr_text_free(&bytes);
}

static void hash_study(const struct golden *g, char hex[33]) {
  char path[64];
  snprintf(path, sizeof path, "tests/parity/%s.json", g->study);
  engine e = {.backend = "openmp", .precision = g->precision};
  omr_result *result = run_study(path, &e);
  hash_result(result, hex);
  omr_result_destroy(result);
}

Test(golden, every_build_gives_the_same_numbers) {
  char table[4096] = "";
  size_t length = 0, different = 0;
  for (int i = 0; i < GOLDEN; i++) {
    char hex[33];
    hash_study(&golden[i], hex);
    different += strcmp(hex, golden[i].hash) != 0;
    length += (size_t)snprintf(table + length, sizeof table - length, "  {\"%s\", \"%s\", \"%s\"},\n", golden[i].study,
                               golden[i].precision, hex);
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
