/* The numbers themselves: a hash over every dataset of every parity study. test_bits.c shows that engines of one build agree;
 * these constants show that builds do, whatever compiler, sanitizer or machine made them. */
#include "tests/parity/parity.h"

/* To renew: run this test, which prints the table as it should read. Legitimate only after equations, numerics, draws or the
 * studies beside this file were changed on purpose; a change of compiler, flags, lanes, batching or machine is none. */
static const struct golden {
  const char *study, *precision, *hash;
  const char *law; /* word of contact.law to run the study under; NULL: its own */
} golden[] = {
    {"parity", "double", "337ceafaf64a0d908791d4b8b3295a73", NULL},
    {"parity", "single", "ea1c53e977eaf3b7eb050155f76e9a3e", NULL},
    {"bearing", "double", "15be0aad484180f777600203e9c0ab34", NULL},
    {"bearing", "single", "caed576b79727c2ce3f6bc7fa3da9360", NULL},
    {"four_wheels", "double", "46ef0b15f1c534809c947d31719a8689", NULL},
    {"four_wheels", "single", "9baa29bd77ac5cef88f9a60e516bdb43", NULL},
    {"five_wheels", "double", "510b93860d44ae63a5fdf0aabb6c908f", NULL},
    {"five_wheels", "single", "beeee30f4323bb19bef37e24df0ed84e", NULL},
    {"tracking", "double", "d1117024cf9a5bf904bde04e7b61f87b", NULL},
    {"tracking", "single", "23dbf34793a4593dfe0e48b6eb46201f", NULL},
    {"one_wheel", "double", "112c12bb2cd20b86e97d91b85ac28174", NULL},
    {"one_wheel", "single", "0d50b5b306365a883eff316932d735ba", NULL},
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
    {"laws", "double", "0cacac0545a7945a175b077fab2ba595", "regularized_coulomb"},
    {"laws", "double", "7912b48b543b1b7668c4d077d6e25c1f", "ideal_rolling"},
    {"laws", "double", "166988453b296a6c75c4ef588b71ecd4", "udwadia_kalaba"},
    {"laws", "double", "cc88bd08f0ddbc99d46e776855121c88", "massless_rollers"},
    {"laws", "double", "6efd6fa43e1613822fb89abb52963a8c", "classical_rollers"},
    {"laws", "single", "c0d97ae95ed0656feeecd994db5be357", "ideal_rolling"},
    {"laws", "single", "5870c82e79c1ead74500ef1a18310a39", "udwadia_kalaba"},
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
