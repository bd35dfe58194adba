/* The numbers themselves: a hash over every dataset of every parity study. test_bits.c shows that engines of one build agree;
 * these constants show that builds do, whatever compiler, sanitizer or machine made them. */
#include "tests/parity/parity.h"

/* To renew: run this test, which prints the table as it should read. Legitimate only after equations, numerics, draws or the
 * studies beside this file were changed on purpose; a change of compiler, flags, lanes, batching or machine is none. */
static const struct golden {
  const char *study, *precision, *hash;
} golden[] = {
    {"parity", "double", "6be68e717f0f13d88f514c856dcdcd10"},      {"parity", "single", "88b693166504b3de197fad0d61f8f775"},
    {"bearing", "double", "b891cdb47cfa56fa5a547f406c633581"},     {"bearing", "single", "4711cc3de2cf841418b73affb519f7bf"},
    {"four_wheels", "double", "e21811f0b0df590d4ca69efb9921976c"}, {"four_wheels", "single", "6bb3e1d4ba38d66d12d1794ed4053920"},
    {"five_wheels", "double", "b10917e80adcfeae349340e26c690d60"}, {"five_wheels", "single", "478d5ebaa448ed5cd4a223683aeb96ef"},
    {"one_wheel", "double", "4407b0adcc99c33f9c3356d05fa91d78"},   {"one_wheel", "single", "357f93db9923bf9f096a90353ac48fad"},
    {"uk_wheel", "double", "1661036cbd7ce87424e3c878803c5004"},    {"uk_wheel", "single", "cb118e2b0c28b8471494e8c01a11812e"},
    {"uk_braking", "double", "71d10f4069dcaf030c1e63c803236857"},  {"uk_braking", "single", "0c02f8e4dd616db947dc38bd3081eea1"},
    {"disc_slope", "double", "93443b039225f4491ab5ac96a7957ba2"},  {"disc_slope", "single", "a1d6fe707df68534a960f3051c955116"},
    {"disc_zone", "double", "db71e74ae0bd8ecbb8ac2b8013ef21c3"},   {"disc_zone", "single", "1db7827e841249856e334b57ca4e7b99"},
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
