/* omniroll reference and omniroll compare as a user meets them: choice of instances, what is
 * printed and written, refusals, exit codes. In a build without the reference: that it says so. */
#include "tests/cli/program.h"

#include <ctype.h>
#include <hdf5.h>
#include <signal.h>
#include <time.h>

static const char vehicle[] =
    "{\"title\": \"pair\", \"model\": \"omni_vehicle\", \"parameters\": {"
    "\"platform\": {\"mass\": 10, \"yaw_inertia\": 0.3, \"center_of_mass\": {\"height\": 0.1}},"
    "\"layout\": {\"type\": \"ring\", \"wheels\": 3, \"radius\": 0.25},"
    "\"wheel\": {\"radius\": 0.1, \"rollers\": 4, \"friction\": 0.3, \"slip_speed\": 0.2,"
    "\"disc\": {\"mass\": 0.5, \"axial_inertia\": 1e-3, \"diametral_inertia\": 6e-4}, \"roller\": "
    "{\"density\": 2700}},"
    "\"wheels\": [{\"initial\": {\"rate\": 5}}, {\"initial\": {\"rate\": 5}}, {\"initial\": "
    "{\"rate\": 5}}],"
    "\"initial\": {\"vx\": 0.2, \"vz\": 0.1, \"yaw_rate\": 2}},"
    "\"vary\": [{\"path\": \"platform.mass\", \"values\": [8, 9, 10, 11, 12]}], \"design\": "
    "{\"type\": \"grid\"},"
    "\"integrator\": {\"step\": \"0.1 ms\", \"duration\": \"0.05 s\"}, \"engine\": {\"backend\": "
    "\"scalar\"}}";

static bool built;

/* A build without the reference is held to its message alone. */
static void set_up_pair(void) {
  set_up();
  write_file("pair.json", vehicle);
  const outcome *o = OMNIROLL("reference", "pair.json", "--set", "integrator.duration=1e-3");
  built = o->code != OMR_ERR_DEVICE;
  if (!built) expect_text(o->err, "bash studies/first.sh");
}

TestSuite(pair, .init = set_up_pair, .fini = tear_down, .timeout = 120);

#define REQUIRE_REFERENCE()                                                                        \
  if (!built) cr_skip_test("this build has no reference")

Test(pair, a_build_without_the_reference_says_so_with_exit_code_4) {
  expect(OMNIROLL("compare", "pair.json"), built ? OMR_OK : OMR_ERR_DEVICE);
}

Test(pair, reference_prints_system_work_drift_and_end) {
  REQUIRE_REFERENCE();
  const outcome *o = OMNIROLL("reference", "pair.json", "--instances", "1,3-4");
  expect(o, OMR_OK);
  /* 3 wheels with 4 rollers and the platform: 16 bodies of 13 states */
  const char *parts[] = {"instance 1: ok at 0.05 s",
                         "instance 3: ok",
                         "instance 4: ok",
                         "16 bodies",
                         "evaluations",
                         "events",
                         "s per simulated second",
                         "m/s or rad/s",
                         "state at 0.05 s",
                         "final_yaw",
                         "wheel_rate"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) expect_text(o->out, parts[i]);
  cr_expect_null(strstr(o->out, "instance 0"));
  cr_expect_not(exists("pair.h5"), "no file unless -o asks for one");
}

static bool holds(const char *file, const char *path) {
  hid_t id = H5Fopen(file, H5F_ACC_RDONLY, H5P_DEFAULT);
  cr_assert_geq(id, 0, "%s is no HDF5 file", file);
  H5E_auto2_t print;
  void *user;
  H5Eget_auto2(H5E_DEFAULT, &print, &user);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  const bool found = H5Oexists_by_name(id, path, H5P_DEFAULT) > 0;
  H5Eset_auto2(H5E_DEFAULT, print, user);
  H5Fclose(id);
  return found;
}

Test(pair, reference_writes_the_layout_of_run_and_the_drift) {
  REQUIRE_REFERENCE();
  expect(OMNIROLL("reference", "pair.json", "--sample", "2", "-o", "out.h5"), OMR_OK);
  const char *paths[] = {
      "instances/final_x",           "instances/platform_mass",   "trajectories/vx",
      "trajectories/normal_load",    "trajectories/wheel_radius", "trajectories/drift_position",
      "trajectories/drift_velocity", "trajectories/drift_contact"};
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
    cr_expect(holds("out.h5", paths[i]), "no %s", paths[i]);
}

Test(pair, compare_agrees_and_names_every_backend) {
  REQUIRE_REFERENCE();
  const outcome *o = OMNIROLL("compare", "pair.json", "--sample", "2", "-o", "pair.h5");
  expect(o, OMR_OK);
  const char *parts[] = {"instances    0, 4 of 5",
                         "h = 0.0001 s and h/2",
                         "scalar double",
                         "scalar single",
                         "s per simulated second",
                         "normal_load",
                         "about a hundredth",
                         "\nagree within 1e-06 beyond the step error; scalar double: models",
                         "Not judged without --single-tolerance: scalar single"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) expect_text(o->out, parts[i]);
  const char *paths[] = {"reference/vx",
                         "reference_again/vx",
                         "reference/drift_position",
                         "fast/scalar_double/vx",
                         "fast/scalar_double_half/normal_load",
                         "fast/scalar_single/time",
                         "fast/scalar_single_half/wheel"};
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
    cr_expect(holds("pair.h5", paths[i]), "no %s", paths[i]);
}

Test(pair, precision_and_backend_restrict_what_is_compared) {
  REQUIRE_REFERENCE();
  const outcome *o =
      OMNIROLL("compare", "pair.json", "--backend", "openmp", "--precision", "double");
  expect(o, OMR_OK);
  expect_text(o->out, "openmp double");
  cr_expect_null(strstr(o->out, "single"));
  cr_expect_null(strstr(o->out, "scalar"));
}

/* The reference integrated to 1e-3 is off by much more than the step error: a difference that is
 * there, and that is the reference's own, as its second integration tells. It is not called
 * agreement. */
Test(pair, what_the_reference_leaves_is_undecided_with_exit_code_9) {
  REQUIRE_REFERENCE();
  const outcome *o = OMNIROLL("compare", "pair.json", "--reference-tolerance", "1e-3",
                              "--precision", "double", "--tolerance", "1e-8");
  expect(o, OMR_ERR_DIFFERS);
  expect_text(o->out, "its own error: the difference from itself at the tolerance 0.0001");
  expect_text(o->out, "  UNDECIDED");
  expect_text(o->out, "\nNOT DECIDED: scalar double:");
  expect_text(o->err, "omniroll: NOT DECIDED: scalar double:");
  expect_text(o->err, "integrate it more exactly, --reference-tolerance 1e-");
  o = OMNIROLL("compare", "pair.json", "--reference-tolerance", "1e-3", "--precision", "double",
               "--tolerance", "1e-8", "--json");
  expect(o, OMR_ERR_DIFFERS);
  const char *parts[] = {"\"limited_by_reference\": true", "\"limited\": true", "\"own\": {",
                         "\"reference_again_tolerance\": 0.0001", "\"differs\": true"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) expect_text(o->out, parts[i]);
}

/* Driving for 10 ms moves the wheel's energy by 4e-8 J, beside which the absolute tolerance of the
 * reference is not small. What the message says to do is done, and decides. */
Test(pair, a_short_wheel_is_decided_by_the_tolerance_that_the_message_names) {
  REQUIRE_REFERENCE();
  write_file(
      "short.json",
      "{\"model\": \"uk_wheel\", \"parameters\": {\"drive\": {\"type\": \"tanh\", \"torque\": "
      "\"20 N m\", \"rate\": \"0.5 s-1\"}}, \"integrator\": {\"method\": \"rk4\", \"step\": \"1 "
      "ms\", \"duration\": \"10 ms\"}, \"engine\": {\"backend\": \"scalar\", \"precision\": "
      "\"double\"}}");
  const outcome *o = OMNIROLL("compare", "short.json");
  expect(o, OMR_ERR_DIFFERS);
  const char *remedy = strstr(o->err, "--reference-tolerance ");
  cr_assert_not_null(remedy, "%s", o->err);
  char tolerance[16] = "";
  cr_assert_eq(sscanf(remedy, "--reference-tolerance %15s", tolerance), 1);
  o = OMNIROLL("compare", "short.json", "--reference-tolerance", tolerance);
  expect(o, OMR_OK);
  expect_text(o->out, "agree within 1e-06");
}

Test(pair, json_has_the_table_and_the_verdict) {
  REQUIRE_REFERENCE();
  const outcome *o = OMNIROLL("compare", "pair.json", "--json", "--precision", "double");
  expect(o, OMR_OK);
  const char *parts[] = {"\"verdict\": \"agree within",
                         "\"differs\": false",
                         "\"name\": \"normal_load\"",
                         "\"model\": {",
                         "\"seconds_per_simulated_second\"",
                         "\"unit\": \"rad s-1\"",
                         "\"evaluations\""};
  cr_expect_eq(o->out[0], '{');
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) expect_text(o->out, parts[i]);
}

Test(pair, quiet_prints_nothing) {
  REQUIRE_REFERENCE();
  const outcome *o = OMNIROLL("compare", "pair.json", "-q", "--precision", "double");
  expect(o, OMR_OK);
  cr_expect_str_eq(o->out, "");
  cr_expect_str_eq(o->err, "");
}

Test(pair, instances_that_are_not_there_are_a_usage_error) {
  const outcome *o = OMNIROLL("compare", "pair.json", "--instances", "3,5");
  expect(o, OMR_ERR_USAGE);
  expect_text(o->err, "there is no instance 5: pair.json has 5");
  expect(OMNIROLL("reference", "pair.json", "--instances", "4-2"), OMR_ERR_USAGE);
  expect(OMNIROLL("reference", "pair.json", "--sample", "6"), OMR_ERR_USAGE);
  expect(OMNIROLL("reference", "pair.json", "--sample", "0"), OMR_ERR_USAGE);
  o = OMNIROLL("compare", "pair.json", "--instances", "1", "--sample", "2");
  expect(o, OMR_ERR_USAGE);
  expect_text(o->err, "give one of them");
}

Test(pair, numbers_and_words_that_make_no_sense_are_a_usage_error) {
  expect(OMNIROLL("compare", "pair.json", "--tolerance", "-1"), OMR_ERR_USAGE);
  expect(OMNIROLL("compare", "pair.json", "--tolerance", "1e-6x"), OMR_ERR_USAGE);
  expect(OMNIROLL("compare", "pair.json", "--single-tolerance", "nan"), OMR_ERR_USAGE);
  expect(OMNIROLL("reference", "pair.json", "--reference-tolerance", "0"), OMR_ERR_USAGE);
  expect(OMNIROLL("reference", "pair.json", "--reference-method", "euler"), OMR_ERR_USAGE);
  expect(OMNIROLL("reference", "pair.json", "--tolerance", "1e-6"),
         OMR_ERR_USAGE); /* an option of compare */
}

Test(pair, a_law_without_a_counterpart_is_refused_with_the_reason) {
  REQUIRE_REFERENCE();
  write_file(
      "massless.json",
      "{\"model\": \"omni_vehicle\", \"parameters\": {\"contact\": {\"law\": \"massless_rollers\"},"
      "\"wheel\": {\"radius\": 0.1, \"rollers\": 4}}, \"integrator\": {\"step\": \"0.1 ms\", "
      "\"duration\": \"1 ms\"}}");
  const outcome *o = OMNIROLL("compare", "massless.json");
  expect(o, OMR_ERR_STUDY);
  expect_text(o->err, "massless.json: the reference");
  o = OMNIROLL("reference", "massless.json");
  expect(o, OMR_ERR_STUDY);
  expect_text(o->err, "massless rollers");
}

Test(pair, an_instance_that_makes_no_machine_is_named_and_the_others_are_compared) {
  REQUIRE_REFERENCE();
  const char *const vary =
      "vary=[{\"path\": \"wheel.tip_radius\", \"values\": [0, 0.008]}]"; /* blunt rollers run into
                                                                            each other */
  const outcome *o = OMNIROLL("compare", "pair.json", "--set", vary, "--instances", "0,1",
                              "--precision", "double");
  expect(o, OMR_OK);
  expect_text(o->out, "not compared, since the values make no machine: instance 1:");
  o = OMNIROLL("reference", "pair.json", "--set", vary, "--instances", "1");
  expect(o, OMR_ERR_STUDY);
  expect_text(o->err, "none of the instances chosen makes a machine; instance 1:");
}

Test(pair, interruption_leaves_no_file) {
  REQUIRE_REFERENCE();
  pid_t child = start("/dev/null",
                      (const char *const[]){"reference", "pair.json", "--set",
                                            "integrator.duration=100000", "-o", "long.h5", NULL});
  nanosleep(&(struct timespec){.tv_nsec = 700000000}, NULL);
  cr_assert_eq(kill(child, SIGINT), 0);
  expect(finish(child), OMR_ERR_INTERRUPTED);
  cr_expect_not(exists("long.h5"));
}

Test(pair, a_file_that_cannot_be_written_is_refused_before_the_run) {
  expect(OMNIROLL("compare", "pair.json", "-o", "nowhere/pair.h5"), OMR_ERR_IO);
  expect(OMNIROLL("reference", "pair.json", "-o", "pair.json"), OMR_ERR_USAGE);
}

/* `compare --with`: the same machine from two files differs by nothing; a heavier one does, and the
 * message names where. */
Test(pair, two_studies_of_one_machine_are_compared_sample_by_sample) {
  REQUIRE_REFERENCE();
  write_file("twin.json", vehicle);
  const outcome *o =
      OMNIROLL("compare", "pair.json", "--with", "twin.json", "--tolerance", "1e-12");
  expect(o, OMR_OK);
  const char *parts[] = {"pair.json and twin.json on the reference", "  yaw_rate",
                         "agree within 1e-12", "run time"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) expect_text(o->out, parts[i]);
  o = OMNIROLL("compare", "pair.json", "--with", "twin.json", "--set",
               "parameters.platform.mass=10.5", "--set", "vary=[]", "--set", "design=null");
  expect(o, OMR_ERR_DIFFERS);
  expect_text(o->err, "DIFFER: ");
  o = OMNIROLL("compare", "pair.json", "--with", "twin.json", "--json");
  expect(o, OMR_OK);
  expect_text(o->out, "\"differs\": false");
  expect_text(o->out, "\"own_error\": ");
}

/* Instance 0 of the twin has 8 kg. 1.2e-6 of the mass, seen through a coarse integration, is
 * less than what the integration leaves at 1e-4, and more than at 1e-11. */
Test(pair, two_studies_that_their_integrations_blur_are_undecided) {
  REQUIRE_REFERENCE();
  write_file("twin.json", vehicle);
  const char *const mass = "parameters.platform.mass=8.00001";
  const outcome *o =
      OMNIROLL("compare", "pair.json", "--with", "twin.json", "--set", mass, "--set", "vary=[]",
               "--set", "design=null", "--tolerance", "1e-9", "--reference-tolerance", "1e-4");
  expect(o, OMR_ERR_DIFFERS);
  expect_text(o->out, "  UNDECIDED");
  expect_text(o->err, "NOT DECIDED: ");
  expect_text(o->err, "--reference-tolerance 1e-");
  o = OMNIROLL("compare", "pair.json", "--with", "twin.json", "--set", mass, "--set", "vary=[]",
               "--set", "design=null", "--tolerance", "1e-9");
  expect(o, OMR_ERR_DIFFERS);
  expect_text(o->err, "DIFFER: ");
}

Test(pair, studies_that_cannot_be_laid_beside_each_other_are_refused) {
  REQUIRE_REFERENCE();
  write_file("twin.json", vehicle);
  write_file("stone.json",
             "{\"model\": \"multibody\", \"parameters\": {}, \"system\": {\"bodies\": {\"stone\": "
             "{\"mass\": 1, \"inertia\": [1, 1, 1]}}},"
             "\"integrator\": {\"step\": \"0.1 ms\", \"duration\": \"0.05 s\"}}");
  const outcome *o =
      OMNIROLL("compare", "pair.json", "--with", "twin.json", "--set", "integrator.duration=0.02");
  expect(o, OMR_ERR_STUDY);
  expect_text(o->err, "sampled at different times; give both the same integrator.duration");
  o = OMNIROLL("compare", "pair.json", "--with", "stone.json");
  expect(o, OMR_ERR_STUDY);
  expect_text(o->err, "no sample of pair.json has the name of one of stone.json");
  o = OMNIROLL("compare", "pair.json", "--with", "twin.json", "-o", "pair.h5");
  expect(o, OMR_ERR_USAGE);
  expect_text(o->err, "compare --with writes no file");
  expect(OMNIROLL("compare", "pair.json", "--with", "none.json"), OMR_ERR_IO);
}
