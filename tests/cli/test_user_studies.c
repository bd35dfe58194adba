/* The studies of studies/ that answer a question, run small through the built program: their
 * vehicles run to the end, their criteria have values, and what the figures read is in the file. */
#include "program.h"

#include <hdf5.h>
#include <math.h>

static char studies[400];

static void enter(void) {
  char *here = getcwd(studies, sizeof studies - 40);
  cr_assert_not_null(here);
  strcat(studies, "/studies/");
  set_up();
}

TestSuite(user_studies, .init = enter, .fini = tear_down, .timeout = 120);

/* Runs a study with up to ten options; the result is r.h5. */
static void run_small(const char *name, const char *const *options) {
  char path[512];
  const char *arguments[MAX_ARGUMENTS] = {"run",  path,    "-o",
                                          "r.h5", "--set", "engine.backend=openmp"};
  int count = 6;
  snprintf(path, sizeof path, "%s%s", studies, name);
  unlink("r.h5");
  for (int i = 0; options[i]; i++) {
    arguments[count++] = "--set";
    arguments[count++] = options[i];
  }
  finish(start("/dev/null", arguments));
  cr_assert_eq(last.code, 0, "%s ends with %d: %s", name, last.code, last.err);
}

#define SMALL(name, ...) run_small(name, (const char *const[]){__VA_ARGS__, NULL})

/* How many instances have each status; returns how many there are. */
static size_t count_status(hid_t file, size_t counts[16]) {
  int8_t status[4096];
  hid_t set = H5Dopen2(file, "instances/status", H5P_DEFAULT), space = H5Dget_space(set);
  const size_t rows = (size_t)H5Sget_simple_extent_npoints(space);
  cr_assert_leq(rows, sizeof status);
  cr_assert_geq(H5Dread(set, H5T_NATIVE_INT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, status), 0);
  for (size_t i = 0; i < rows; i++) counts[status[i]]++;
  H5Sclose(space);
  H5Dclose(set);
  return rows;
}

/* A dataset of numbers, at most `most` of them. */
static size_t read_numbers(hid_t file, const char *name, double *values, size_t most) {
  hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
  cr_assert_geq(set, 0, "no %s", name);
  hid_t space = H5Dget_space(set);
  const size_t count = (size_t)H5Sget_simple_extent_npoints(space);
  cr_assert_leq(count, most, "%s", name);
  cr_assert_geq(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0);
  H5Sclose(space);
  H5Dclose(set);
  return count;
}

static hid_t open_result(void) {
  hid_t file = H5Fopen("r.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  cr_assert_geq(file, 0);
  return file;
}

/* 4 and 16 rollers at 0 and 30 degrees; thick rollers at 30 degrees run into each other. */
Test(user_studies, roller_design_sweep) {
  SMALL("roller_design_sweep.json", "vary[0].values=[4, 16]", "vary[1].linspace=[0, \"30 deg\", 2]",
        "design.per_cell=4", "integrator.duration=0.5", "output={}");
  size_t counts[16] = {0};
  double path[16], probability[4];
  hid_t file = open_result();
  cr_assert_eq(count_status(file, counts), 16);
  cr_expect_eq(counts[0], 12);
  cr_expect_eq(counts[5], 4, "one design of four cannot be built");
  cr_assert_eq(read_numbers(file, "instances/max_cross_track", path, 16), 16);
  for (int i = 0; i < 16; i++)
    cr_expect(i / 4 == 1 ? isnan(path[i]) : path[i] > 0 && path[i] < 0.05, "%d: %g", i, path[i]);
  cr_assert_eq(read_numbers(file, "statistics/cell_probability", probability, 4), 4);
  for (int i = 0; i < 4; i++)
    cr_expect(i == 1 ? isnan(probability[i]) : probability[i] >= 0 && probability[i] <= 1);
  H5Fclose(file);
}

/* The first leg and the first corner: the vehicle is there, a little beside and a little turned. */
Test(user_studies, robustness_friction) {
  SMALL("robustness_friction.json", "design.instances=8", "integrator.duration=5", "output={}");
  size_t counts[16] = {0};
  double x[8], yaw[8], across[8], probability[3];
  hid_t file = open_result();
  cr_assert_eq(count_status(file, counts), 8);
  cr_expect_eq(counts[0], 8);
  read_numbers(file, "instances/final_x", x, 8);
  read_numbers(file, "instances/final_yaw", yaw, 8);
  read_numbers(file, "instances/max_cross_track", across, 8);
  for (int i = 0; i < 8; i++) {
    cr_expect_float_eq(x[i], 2, 0.05);
    cr_expect_float_eq(yaw[i], 1.5708, 0.1);
    cr_expect(across[i] > 1e-4 && across[i] < 0.1, "%g", across[i]);
  }
  cr_assert_eq(read_numbers(file, "statistics/probability", probability, 3), 3);
  cr_expect_geq(probability[2], probability[0]);
  H5Fclose(file);
}

/* Gains that leave friction alone come close to the yardstick, gains of source 5 do not. */
Test(user_studies, uk_weight_calibration) {
  double relaxed[4], yardstick[1];
  SMALL("uk_weight_calibration.json", "vary[0].linspace=[1, 5, 2]", "vary[1].linspace=[1, 5, 2]",
        "vary[2].values=[0.01]", "integrator.duration=0.6", "output={}");
  hid_t file = open_result();
  cr_assert_eq(read_numbers(file, "instances/final_x", relaxed, 4), 4);
  H5Fclose(file);
  SMALL("uk_weight_calibration.json", "parameters.contact.law=saturated_coulomb", "vary=[]",
        "integrator.duration=0.6", "output={}");
  file = open_result();
  cr_assert_eq(read_numbers(file, "instances/final_x", yardstick, 1), 1);
  H5Fclose(file);
  cr_expect_lt(fabs(relaxed[3] - yardstick[0]), 0.2 * fabs(relaxed[0] - yardstick[0]), "%g %g %g",
               relaxed[0], relaxed[3], yardstick[0]);
}

/* Few and large levels find a probability of the right size: 5e-4 of the whole study, within a
 * factor of five. */
Test(user_studies, rare_lift_off) {
  SMALL("rare_lift_off.json", "design.instances=100", "integrator.duration=0.3");
  size_t counts[16] = {0};
  double share[10], product = 1;
  hid_t file = open_result();
  cr_expect_gt(count_status(file, counts), 250);
  cr_expect_gt(counts[1], 0, "the last level lifts wheels");
  cr_expect_eq(counts[0] + counts[1], count_status(file, (size_t[16]){0}));
  size_t levels = read_numbers(file, "statistics/subset/conditional_probability", share, 10);
  cr_expect_geq(levels, 3);
  for (size_t l = 0; l < levels; l++) product *= share[l];
  cr_expect(product > 1e-4 && product < 2.7e-3, "%g", product);
  H5Fclose(file);
}
