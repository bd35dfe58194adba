/* The numbers themselves: a hash over every dataset of every parity study. test_bits.c shows that
 * engines of one build agree; these constants show that builds do, whatever compiler, sanitizer or
 * machine made them. */
#include "tests/parity/parity.h"

/* Steps chosen by an error estimate, of both pairs; tests/parity/compare_builds.sh compares them
 * between builds, and these constants with what they were. */
#define LOOSE "integrator={\"tolerance\": 0.01, \"duration\": \"0.5 s\", \"budget\": 20000}"
#define TIGHT "integrator={\"tolerance\": 1e-4, \"duration\": \"0.3 s\", \"budget\": 100000}"
#define COUPLED "parameters.wheel.contact.weight_coupling=0.6"
#define DRILLS "parameters.wheel.contact={\"contour_radius\": \"2 mm\"}"
#define WOUND "parameters.wheel.motor.inductance=0.8 mH"
#define SPRINGS "parameters.contact={\"normal\": \"compliant\", \"damper\": \"kelvin_voigt\"}"
#define SPRING_BEARINGS                                                                            \
  "parameters.wheel.roller={\"rolling_resistance\": 0.0003, \"dry\": {\"torque\": 0.002, "         \
  "\"friction\": 0.2, \"pin_radius\": 0.002, \"end_friction\": 0.1, \"end_radius\": 0.003}}"
#define EIGHT "parameters.layout={\"type\": \"ring\", \"wheels\": 8}"
/* Wheels on springs of their own. */
#define SPRUNG "parameters.wheel.suspension={\"stiffness\": 2e4, \"damping\": 60, \"mass\": 0.3}"
/* A floor that is no plane. */
#define ROUGH                                                                                      \
  "parameters.floor={\"slope\": 0.05, \"wave\": {\"amplitude\": 0.001, \"length\": 0.3}, "         \
  "\"roughness\": {\"degree\": 1e-6, \"seed\": 3}}"
/* A map of heights. */
#define MAP                                                                                        \
  "parameters.floor={\"map\": {\"file\": \"bumps.csv\", \"interpolation\": \"cubic\", \"x\": "     \
  "0.1, "                                                                                          \
  "\"direction\": 0.5}}"
/* The observables of the vertical motion that are computed where they are named, in place of the
 * study's output. */
#define HEAVES                                                                                     \
  "output.observables=[\"vertical_vibration_exchange\", \"height_exchange\", "                     \
  "\"roll_vibration_exchange\", \"pitch_vibration_peak\", \"load_deviation\", "                    \
  "\"light_load_share\", \"wheel4_load_mean\"]"
/* Slides of the wheels, beside the study's own observables: a criterion adds what it names. */
#define GRIP "statistics.fail.slides=\"lost_grip_time > 0.1 s\""
#define ENCODERS "statistics.fail.slips=\"max_encoder_slip > 0.2 m/s\""
#define ODOMETRY "parameters.odometry={\"wheels\":[0,1],\"gyro\":{\"bias\":0.1,\"scale\":-0.2}}"
#define TWO                                                                                        \
  "integrator={\"method\": \"ros2\", \"tolerance\": 0.03, \"duration\": \"0.5 s\", \"budget\": "   \
  "20000}"

/* To renew: run this test, which prints the table as it should read. Legitimate only after
 * equations, numerics, draws or the studies beside this file were changed on purpose; a change of
 * compiler, flags, lanes, batching or machine is none. */
static const struct golden {
  const char *study, *precision, *hash;
  const char *law;  /* word of contact.law to run the study under; NULL: its own */
  const char *with; /* a further member to run it with; NULL: none */
} golden[] = {
    {"parity", "double", "3c9be031a0b3a0c824b910ee82423579", NULL, NULL},
    {"parity", "single", "510576ca4a700a93d86de4a633bed0a1", NULL, NULL},
    {"bearing", "double", "6b5cd617b1826c511312ceb60c76bb7f", NULL, NULL},
    {"bearing", "single", "398255ecba80463f8bff86574b4a1900", NULL, NULL},
    {"dry", "double", "e9abe9973d0dc7aeba8695ddd891adc4", NULL, NULL},
    {"dry", "single", "f187e9d522d3381219cdd0ac8535ec12", NULL, NULL},
    {"dry", "double", "281045f72e4a824cafb67c4a91a69e9f", NULL, TWO},
    {"four_wheels", "double", "54901f94a83f9c8a6d5f301a71d1ab85", NULL, NULL},
    {"four_wheels", "single", "33fe232212dd71a356a2032fb8e09b71", NULL, NULL},
    {"loops", "double", "c4ba63015b18f2e4ee08e808f789fbcc", NULL, NULL},
    {"loops", "single", "bf192133ce92883153bca5f3d0e6ef89", NULL, NULL},
    {"loops", "double", "7889ff1dcbe5aa2ebf2de778bb1c8f0e", NULL, LOOSE},
    {"path", "double", "69a5cac95e17682225baadcab8c1a551", NULL, NULL},
    {"path", "single", "e3ceee06b25dc389d0053d9b3a4f49bc", NULL, NULL},
    {"path", "double", "7a360ba5efa35486e285eee940fad80b", NULL, LOOSE},
    {"five_wheels", "double", "52330091d956e840b1da3e3e8dd3105f", NULL, NULL},
    {"five_wheels", "single", "2d59451957aaa11dd3158a611824f4d0", NULL, NULL},
    {"motors", "double", "ef0188ba4d5fb4b27874e1ff048a6146", NULL, NULL},
    {"motors", "single", "552bc8ae59b68d34aec94f977ef13ecc", NULL, NULL},
    {"brushed", "double", "320fda638322bd0ed1f3a5a44d3661d6", NULL, NULL},
    {"brushed", "single", "cc8d2ee7e66a06be20b4c82d6c7aff35", NULL, NULL},
    {"brushed", "double", "2a9e69e7edd393f535b9ca4acb5acf9b", "ideal_rolling", NULL},
    {"brushed", "double", "cef94b21dbe946d53bd46fcfa93aa060", NULL, LOOSE},
    {"brushed", "double", "ddf812f90c30faaafb2b158bcd26147c", NULL, TWO},
    {"brushed", "double", "6fe1af234418c8a4b405adf81ffdb1c1", NULL, WOUND},
    {"brushed", "single", "3f2ac4c934ad232470d41de4e8b59686", NULL, WOUND},
    {"brushed", "double", "2d1d1a0de7021a52e7ed05587c7bcf4f", "ideal_rolling", WOUND},
    {"kinds_compliant", "double", "e94a3f7387f21169c1db52803008acd9", NULL, NULL},
    {"kinds_compliant", "single", "2347a8214425ab1fa8f82cedd260ae47", NULL, NULL},
    {"kinds_compliant", "double", "3ffaeb3c1a5876db1f5acf1b618b3f7a", NULL, TWO},
    {"compliant", "double", "85b4234cd122054f234099694e385b69", NULL, NULL},
    {"compliant", "single", "686f915ec30e0a72f934fb2a2f735db9", NULL, NULL},
    {"compliant", "double", "a604a4dfd404fd7430af9b91b8af1748", NULL, SPRUNG},
    {"compliant", "double", "44bb8b59b46497125afac70d6ed0ffbb", NULL, ROUGH},
    {"compliant", "double", "307e0d21d25ca2c06bd5699b66f50b65", NULL, MAP},
    {"compliant", "single", "6b6f6bec86a000e24a256edf54cea65b", NULL, MAP},
    {"compliant", "double", "e71101722788705178985e8e321c7206", NULL, SPRING_BEARINGS},
    {"bristle", "double", "b524cc948afb1f263dc9f3b41b315c19", NULL, NULL},
    {"bristle", "single", "da8ab1570fb3d99ca091c92051971bea", NULL, NULL},
    {"compliant", "double", "8d5d471263199f74e51f31c94ee86b5d", NULL, HEAVES},
    {"compliant", "single", "13e3d8b93e123dbbcd71b6bc657d5fa4", NULL, HEAVES},
    {"replay", "double", "27a9e34e52b930713a5e76b948a13c83", NULL, NULL},
    {"replay", "single", "e0b4299c90b4155094abe06812e5adc9", NULL, NULL},
    {"tracking", "double", "2585dab2fbad20fbf0a6470b9c6b1d4b", NULL, NULL},
    {"tracking", "single", "041c9a227e9a9d140ccfdbe5f32e18fc", NULL, NULL},
    {"one_wheel", "double", "d9868c70e97430ddab8737da35c330fc", NULL, NULL},
    {"one_wheel", "single", "1559a191b190d5f4dc36c69915b5e6fc", NULL, NULL},
    {"uk_wheel", "double", "845ca3869df204e9807d4bbdea2a505a", NULL, NULL},
    {"uk_wheel", "single", "ed70f67a6465551777a4699d24be051c", NULL, NULL},
    {"uk_braking", "double", "17879353621a1cdb09440324bf140eef", NULL, NULL},
    {"uk_braking", "single", "85e24f9df712bd36c78e90e429ab5009", NULL, NULL},
    {"disc_slope", "double", "4627288c6b2c35cf5eb1d1d63e0fb90a", NULL, NULL},
    {"disc_slope", "single", "aaee9bddc7972551f2a84a747ea6f063", NULL, NULL},
    {"disc_zone", "double", "db71e74ae0bd8ecbb8ac2b8013ef21c3", NULL, NULL},
    {"disc_zone", "single", "1db7827e841249856e334b57ca4e7b99", NULL, NULL},
    {"disc_exudyn", "double", "221edc8373dbd0d8f4b3717adb95905d", NULL, NULL},
    {"disc_exudyn", "single", "f0b03e5e1cf2976803b4adde6eebc2ea", NULL, NULL},
    {"snakeboard", "double", "c3276756aa042ccd4c36fbf7c54ea016", NULL, NULL},
    {"snakeboard", "single", "09c7edde91ffad1a74e64103e97eb0d9", NULL, NULL},
    {"disc_rolling", "double", "2d53ef8ee57ea83f4a1cfa02856feef4", NULL, NULL},
    {"disc_rolling", "single", "7fb63834f1726c69d463471559449c2b", NULL, NULL},
    {"disc_plate", "double", "1a06f3f83232a07891de6fecb04d6901", NULL, NULL},
    {"disc_plate", "single", "21f1a7559614eb1d32a521a4483a2062", NULL, NULL},
    {"disc_table", "double", "cfd33f03900e40dd824c9ba38fd67361", NULL, NULL},
    {"disc_table", "single", "21493d61fea57b49413755e00afd66a5", NULL, NULL},
    {"wheelset", "double", "fa8fed9e44da71154fcd748c339195f3", NULL, NULL},
    {"wheelset", "single", "60d241866d2bdf36e8822bdd38a0a386", NULL, NULL},
    {"edges", "double", "005d025b11fee110e92abe10368fa6f6", NULL, NULL},
    {"edges", "single", "5d67bfa344ce5e72ff940f6dc8b06b15", NULL, NULL},
    {"edges", "double", "dd5c5bd0319a47f2f0e6c1248e68d86f", "udwadia_kalaba", NULL},
    {"laws", "double", "b23f098264f9e7cc535b14b4b2f9be85", "regularized_coulomb", NULL},
    {"laws", "double", "98c1feeeca3b9aac1a1ec551370148bc", "ideal_rolling", NULL},
    {"laws", "double", "be5d4f5318b58082fc481ee73fdf5deb", "udwadia_kalaba", NULL},
    {"laws", "double", "35da6ae47e7ba0908656991ac4565635", "massless_rollers", NULL},
    {"laws", "double", "bdfe48d9818ba25e992d803b9ebbaabb", "classical_rollers", NULL},
    {"laws", "single", "57e3337af7794996ca87392f440dc42a", "ideal_rolling", NULL},
    {"laws", "single", "5fcbf12f3ec7cc2cc4c193e22ba35937", "udwadia_kalaba", NULL},
    {"parity", "double", "4db9b8c0864024fe473d2a608043e0f4", NULL, LOOSE},
    {"motors", "double", "5deb03882ca91a2dfefdd8e813783d14", NULL, LOOSE},
    {"replay", "double", "884e7fcc4fa75654071f8252c0bb7da4", NULL, LOOSE},
    {"four_wheels", "double", "fcf51bdd0f1523214dd26f963bbe04c0", NULL, LOOSE},
    {"five_wheels", "double", "00a3cb22563cd67fe52e790252b91e40", NULL, LOOSE},
    {"laws", "double", "2d3c4de922114d92983cbb6e326fe44f", NULL, LOOSE},
    {"tracking", "double", "5f43b7bef9ebb21f867c398c64263843", NULL, LOOSE},
    {"edges", "double", "1ba07882d41279dfd59ccab909aea367", NULL, LOOSE},
    {"patches", "double", "a1c7e0a633fcfb58beaa91c09f56a50f", NULL, LOOSE},
    {"one_wheel", "double", "bc834472f962952106a4f4228b4811bc", NULL, LOOSE},
    {"bearing", "double", "9f560b8812e9e55efa59d79f1e4d3c1f", NULL, LOOSE},
    {"discs", "double", "88d2bb03aba01fa293befd228618b387", NULL, LOOSE},
    {"parity", "single", "4e7c5df3a0c8e200fdbb029a36136e78", NULL, LOOSE},
    {"edges", "single", "40a0a40813a297a3046eabda04a5c9cf", NULL, LOOSE},
    {"laws", "single", "e5c65e8285e1d941b9a4c7dedc7615d5", NULL, LOOSE},
    {"laws", "double", "a2cb3bf07e7571f4c2d77562f216329d", "massless_rollers", LOOSE},
    {"laws", "double", "f27c78b0c34c5b721b516ffa599fb219", "regularized_coulomb", LOOSE},
    {"laws", "double", "96cc1f4669840ee460f82f94f2058a81", "udwadia_kalaba", LOOSE},
    {"laws", "double", "453c0acbfc8d9dec187c4f673382d8b5", "classical_rollers", LOOSE},
    {"parity", "double", "4e01f9c9b1651ff8697dfb5ac510ddc0", NULL, TWO},
    {"motors", "double", "f00b1eae747dd10b00417fe3adf7deac", NULL, TWO},
    {"tracking", "double", "a3b6215a18da9a82b890bf0909df38c9", NULL, TWO},
    {"edges", "double", "2868f90bf6610be2d74880d06c491dda", NULL, TWO},
    {"bearing", "double", "e127734e08808be27e6f95c667e0a8bd", NULL, TWO},
    {"one_wheel", "single", "56ef733feacd3794305c5c9f1c8c711e", NULL, TWO},
    {"laws", "double", "823baf012da452ba48adf2c026c969b9", NULL, TIGHT},
    {"edges", "double", "9f7f13b32683127aad6e66fd274e6543", NULL, TIGHT},
    {"patches", "double", "0d45a10c920bd2ccbdb353e8403d44e9", NULL, TIGHT},
    {"patches", "double", "45823f586195773ec65599c1362d52cc", NULL, NULL},
    {"dip", "double", "ef5492612f250a5ef6fe855de1a84a0f", NULL, NULL},
    {"discs", "double", "eebcef7a7a94beeb80696fd50fdd63e3", NULL, NULL},
    {"discs", "single", "15cded439ac5af20412c317f4cfef3cc", NULL, NULL},
    {"discs", "double", "bceffbea222502526bbba0f01504afc7", NULL, SPRINGS},
    {"uk_wheel", "double", "e8861989fd1c5fcf20998f0610438fe6", NULL, LOOSE},
    {"snakeboard", "double", "a93d9bad818efd2beb3467b08678f621", NULL, LOOSE},
    {"wheelset", "double", "e7fc03d00c0bdde830c3083eb91105f4", NULL, LOOSE},
    {"disc_rolling", "double", "6f0ae41358a04976b7dc3ceff75af4f4", NULL, LOOSE},
    {"disc_zone", "double", "3110a2c5fa50cf6c7e48c03d02f2342b", NULL, LOOSE},
    {"bearing", "double", "1630a2647c78af4a78d070dc5c1a2771", NULL, EIGHT},
    {"external_wheel", "double", "9ba61dcf33f48c9633cdc3bdf4a1ad3b", NULL, NULL},
    {"external_wheel", "single", "340aa2cbe64284bdbbe9293d1e331fc7", NULL, NULL},
    {"external_vehicle", "double", "2cd017de4da4892f5fb90b1073ab9f7e", NULL, NULL},
    {"external_vehicle", "double", "bbf6a939877cff143ce0c815ee6a9587", NULL, LOOSE},
    {"external_wheel", "double", "116a24a94979da6d63dfebe3a8f45d7c", "ideal_rolling", NULL},
    {"laws", "double", "d14431e5baf3c97dfc64695fbe638aad", "udwadia_kalaba", COUPLED},
    {"tyres", "double", "48e63cf9faf5321bb14d0e5d0e3199a5", NULL, NULL},
    {"tyres", "single", "494d2b3cf2bbadf36f0a246b2103b2c6", NULL, NULL},
    {"tyres", "double", "cd5ba7b2caa1420f55142e12d780b6c1", NULL, LOOSE},
    {"tyres_brush", "double", "b64ff1243ecccbb94988e32a80b138a0", NULL, NULL},
    {"sliding_block", "double", "4aedcd35fea6328ee4bafeb0bad6573c", NULL, NULL},
    {"sliding_block", "single", "375f8986df251fe6102d26d2751caf71", NULL, NULL},
    {"sliding_block", "double", "894c50b3f32c7a5a2e1136a4ab818686", NULL, LOOSE},
    {"elastic_wheel", "double", "fa0130b085d293f60f91b8541b5a51b9", NULL, NULL},
    {"elastic_wheel", "single", "abc02ae4d30f29c15b163682de4052b7", NULL, NULL},
    {"elastic_wheel", "double", "266dfe791204fa1bc963656534799160", NULL, LOOSE},
    {"drilling", "double", "be1615ec4f844d93ce07c9e6a6ff57fa", NULL, NULL},
    {"drilling", "single", "7a706c96b3fee68b1ca36fc5e60375d3", NULL, NULL},
    {"edges", "double", "f90f68b64e4fdbd492de1f37db09b89a", NULL, DRILLS},
    {"dry", "double", "36c6427f5794028721f8b1570ca014c4", NULL, DRILLS},
    {"parity", "double", "81a0a26fc79201bc21406c72248f2741", NULL, GRIP},
    {"edges", "single", "b2bd86bf01a8f3a487668643cfbf139c", NULL, GRIP},
    {"compliant", "double", "c16eb4b9b83cf3e7f424ed11bb6e0f35", NULL, GRIP},
    {"laws", "double", "92295be9639b5a8f7a3bb6fdababc9d4", "udwadia_kalaba", GRIP},
    {"four_wheels", "double", "1902f57d8dc6b69c0e5b25ef6f48a42c", NULL, ENCODERS},
    {"four_wheels", "double", "c5a93b9a4aa987a503f21dab1e5ad2ce", NULL, ODOMETRY},
};
enum { GOLDEN = sizeof golden / sizeof *golden };

static void hash_result(const omr_result *r, char hex[33]) {
  cr_assert_eq(omr_result_hash(r, hex, NULL), OMR_OK);
}

static void hash_study(const struct golden *g, char hex[33]) {
  char path[64], law[64];
  snprintf(path, sizeof path, "tests/parity/%s.json", g->study);
  snprintf(law, sizeof law, "parameters.contact.law=%s", g->law ? g->law : "");
  engine e = {.backend = "openmp",
              .precision = g->precision,
              .other = g->law ? law : NULL,
              .more = g->with};
  omr_result *result = run_study(path, &e);
  hash_result(result, hex);
  omr_result_destroy(result);
}

/* The rest of a row of the table: law, and the name of what it runs with. */
static size_t print_end(char *table, size_t size, const struct golden *g) {
  static const struct {
    const char *name, *text;
  } names[] = {{"LOOSE", LOOSE},      {"TIGHT", TIGHT},     {"TWO", TWO},
               {"EIGHT", EIGHT},      {"SPRINGS", SPRINGS}, {"SPRING_BEARINGS", SPRING_BEARINGS},
               {"COUPLED", COUPLED},  {"DRILLS", DRILLS},   {"SPRUNG", SPRUNG},
               {"ROUGH", ROUGH},      {"HEAVES", HEAVES},   {"MAP", MAP},
               {"WOUND", WOUND},      {"GRIP", GRIP},       {"ENCODERS", ENCODERS},
               {"ODOMETRY", ODOMETRY}};
  const char *with = "NULL", *quote = g->law ? "\"" : "";
  for (size_t i = 0; g->with && i < sizeof names / sizeof *names; i++)
    if (!strcmp(names[i].text, g->with)) with = names[i].name;
  return (size_t)snprintf(table, size, ", %s%s%s, %s},\n", quote, g->law ? g->law : "NULL", quote,
                          with);
}

Test(golden, every_build_gives_the_same_numbers) {
  char table[16384] = "";
  size_t length = 0, different = 0;
  for (int i = 0; i < GOLDEN; i++) {
    char hex[33];
    hash_study(&golden[i], hex);
    different += strcmp(hex, golden[i].hash) != 0;
    length += (size_t)snprintf(table + length, sizeof table - length, "  {\"%s\", \"%s\", \"%s\"",
                               golden[i].study, golden[i].precision, hex);
    length += print_end(table + length, sizeof table - length, &golden[i]);
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
