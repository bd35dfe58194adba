/* What a calibration may meet on its way. It goes on where it was killed: FILE.journal keeps what
 * the runs gave, so that the same command ends with the bits of one that nobody killed, wherever
 * that was, with another number of threads and on another backend; it goes with the file, and
 * nothing that another put in its place is read or written. And instances may fail, whatever they
 * are. */
#include "tests/cli/program.h"
#include "tests/skip.h"

#include <math.h>
#include <signal.h>
#include <time.h>

static const char study[] =
    "{\"title\": \"three torques\", \"model\": \"omni_vehicle\", \"parameters\": {\"platform\": "
    "{\"center_of_mass\": {\"height\": 0.06}}, \"layout\": {\"type\": \"ring\", \"wheels\": 3, "
    "\"radius\": 0.15}, \"wheel\": {\"radius\": 0.05, \"rollers\": 12}, \"wheels\": [{\"drive\": "
    "{\"type\": \"constant\", \"torque\": 0.1}}, {\"drive\": {\"type\": \"constant\", \"torque\": "
    "0.03}}, {\"drive\": {\"type\": \"constant\", \"torque\": -0.05}}]}, \"engine\": {\"backend\": "
    "\"openmp\", \"precision\": \"double\"}, \"integrator\": {\"method\": \"rosenbrock\", "
    "\"step\": \"1 ms\"}, \"data\": "
    "{\"runs\": [{\"file\": \"log.csv\"}, {\"file\": \"log.csv\", \"use\": \"predict\"}], "
    "\"interval\": \"50 ms\", \"measured\": [{\"sample\": \"x\", \"column\": \"x\", \"noise\": "
    "\"0.1 mm\"}, {\"sample\": \"z\", \"column\": \"z\", \"noise\": \"0.1 mm\"}, {\"sample\": "
    "\"yaw\", \"column\": \"yaw\", \"noise\": \"0.05 deg\"}]}, \"calibrate\": {\"members\": 10, "
    "\"points\": 12, \"seed\": 3}, \"vary\": [{\"path\": \"platform.mass\", \"normal\": [6, 0.5]}, "
    "{\"path\": \"platform.yaw_inertia\", \"normal\": [0.08, 0.01]}], \"design\": {\"type\": "
    "\"monte_carlo\", \"instances\": 8}}";

/* What this vehicle does with 6.4 kg and 0.07 kg m2. */
static const char measured[] = "time,x,z,yaw\n"
                               "0,0,0,0\n"
                               "0.05,-0.00029341,0.00018496,-0.002082\n"
                               "0.1,-0.0012326,0.00077418,-0.008673\n"
                               "0.15,-0.0028224,0.0017639,-0.019782\n"
                               "0.2,-0.0050678,0.0031457,-0.03541\n";

static char whole[TEXT]; /* what the command prints that nobody kills */

static void start_up(void) {
  set_up();
  write_file("s.json", study);
  write_file("log.csv", measured);
}

TestSuite(calibrate_resume, .init = start_up, .fini = tear_down, .timeout = 240);

#define FIT(FILE, ...)                                                                             \
  OMNIROLL("calibrate", "s.json", "-q", "--json", "-o", FILE, "--threads", __VA_ARGS__)

static const outcome *fit_until(const char *point, const char *file) {
  cr_assert_eq(setenv("OMNIROLL_FAILPOINT", point, 1), 0);
  const outcome *o = FIT(file, "1");
  cr_assert_eq(unsetenv("OMNIROLL_FAILPOINT"), 0);
  return o;
}

static bool is_there(const char *name) {
  struct stat there;
  return lstat(name, &there) == 0;
}

static size_t read_bytes(const char *name, char *bytes) {
  FILE *file = fopen(name, "r");
  cr_assert_not_null(file, "%s", name);
  const size_t count = fread(bytes, 1, TEXT, file);
  fclose(file);
  return count;
}

/* An HDF5 file says when it was written: 20 characters, the checksum of the group that they are in,
 * and what HDF5 itself sums over the two. */
static bool same(const char *a, const char *b) {
  static char one[TEXT], two[TEXT];
  const size_t count = read_bytes(a, one), other = read_bytes(b, two);
  size_t off = 0;
  for (size_t i = 0; i < count && i < other; i++) off += one[i] != two[i];
  return count == other && off <= (strstr(a, ".h5") ? 36 : 0);
}

/* The command that nobody kills, into FILE. */
static void fit_whole(const char *file) {
  expect(FIT(file, "1"), OMR_OK);
  strcpy(whole, last.out);
  cr_assert(!is_there("w.h5.journal") && !is_there("w.csv.journal"));
}

static void expect_same(const outcome *o, const char *file, const char *whole_file) {
  char journal[64];
  snprintf(journal, sizeof journal, "%s.journal", file);
  expect(o, OMR_OK);
  cr_expect_str_eq(o->out, whole);
  cr_expect(same(file, whole_file), "%s", file);
  cr_expect(!is_there(journal));
}

/* Killed within a block, of the prior's, the ensemble's and the points' runs, and of what follows;
 * once more while it goes on; and between the file and the end of the journal. */
Test(calibrate_resume, a_killed_fit_goes_on_to_the_same_bits) {
  static const char *const points[] = {"calibrate:1", "calibrate:4", "calibrate:9"};
  fit_whole("w.h5");
  for (size_t k = 0; k < sizeof points / sizeof *points; k++) {
    cr_expect_eq(fit_until(points[k], "a.h5")->code, -1);
    cr_expect(is_there("a.h5.journal") && !is_there("a.h5"), "%s", points[k]);
    cr_expect_eq(fit_until("calibrate:2", "a.h5")->code, -1);
    expect_same(FIT("a.h5", "1"), "a.h5", "w.h5");
    cr_assert_eq(unlink("a.h5"), 0);
  }
  cr_expect_eq(fit_until("calibrated", "a.h5")->code, -1);
  cr_expect(is_there("a.h5.journal") && same("a.h5", "w.h5"));
  expect_same(FIT("a.h5", "1"), "a.h5", "w.h5");
}

Test(calibrate_resume, threads_may_be_others) {
  fit_whole("w.csv");
  cr_expect_eq(fit_until("calibrate:5", "a.csv")->code, -1);
  expect_same(FIT("a.csv", "2"), "a.csv", "w.csv");
}

/* A device goes on with what a thread has begun, and computes the whole, to the same bits. */
Test(calibrate_resume, the_backend_may_be_another) {
  fit_whole("w.csv");
  cr_expect_eq(fit_until("calibrate:4", "a.csv")->code, -1);
  const outcome *o = FIT("a.csv", "2", "--backend", "opencl");
  if (o->code == OMR_ERR_DEVICE) cr_skip_test("%s", o->err);
  expect_same(o, "a.csv", "w.csv");
  if (!short_form()) expect_same(FIT("b.csv", "2", "--backend", "opencl"), "b.csv", "w.csv");
}

/* After 0 to 128 ms, which is before its first block or within any. */
Test(calibrate_resume, killed_at_any_time) {
  unsigned state = 1;
  fit_whole("w.csv");
  for (int k = 0; k < 12; k++) {
    const pid_t child = start("/dev/null", (const char *const[]){"calibrate", "s.json", "-q", "-o",
                                                                 "a.csv", "--overwrite", NULL});
    state = state * 1664525u + 1013904223u;
    nanosleep(&(struct timespec){.tv_nsec = (long)(state >> 5)}, NULL);
    kill(child, SIGKILL);
    finish(child);
  }
  expect_same(FIT("a.csv", "1", "--overwrite"), "a.csv", "w.csv");
}

#define REPEAT(...) OMNIROLL("calibrate", "s.json", "-q", "--sbc", "6", "--json", __VA_ARGS__)

Test(calibrate_resume, repeated_fits_go_on_too) {
  expect(REPEAT("-o", "w.json", "--set", "calibrate.points=0"), OMR_OK);
  strcpy(whole, last.out);
  cr_assert_eq(setenv("OMNIROLL_FAILPOINT", "calibrate:4", 1), 0);
  cr_expect_eq(REPEAT("-o", "a.json", "--set", "calibrate.points=0")->code, -1);
  cr_assert_eq(unsetenv("OMNIROLL_FAILPOINT"), 0);
  expect(FIT("a.json", "1", "--set", "calibrate.points=0"), OMR_ERR_IO);
  expect_text(last.err, "the work differs (\"6 fits to made runs\" there, \"a fit\" now)");
  expect_same(REPEAT("-o", "a.json", "--set", "calibrate.points=0"), "a.json", "w.json");
}

/* ---- what stands in the journal's place */

static void copy(const char *from, const char *to) {
  char command[128];
  snprintf(command, sizeof command, "cp %s %s", from, to);
  cr_assert_eq(system(command), 0);
}

static off_t size_of(const char *name) {
  struct stat there;
  cr_assert_eq(stat(name, &there), 0);
  return there.st_size;
}

static void flip(const char *name, off_t at) {
  char byte;
  const int file = open(name, O_RDWR);
  cr_assert_eq(pread(file, &byte, 1, at), 1);
  byte ^= 1;
  cr_assert_eq(pwrite(file, &byte, 1, at), 1);
  close(file);
}

/* Cut anywhere, with a bit that changed, or zeros alone, as a power loss leaves it: what is not
 * whole is computed again. */
Test(calibrate_resume, a_damaged_journal_costs_time_alone) {
  fit_whole("w.csv");
  cr_expect_eq(fit_until("calibrate:8", "k.csv")->code, -1);
  const off_t size = size_of("k.csv.journal");
  for (off_t left = 0; left < size; left += size / 4) {
    copy("k.csv.journal", "a.csv.journal");
    cr_assert_eq(truncate("a.csv.journal", left), 0);
    expect_same(FIT("a.csv", "1"), "a.csv", "w.csv");
    if (left < size / 5) continue;
    copy("k.csv.journal", "a.csv.journal");
    flip("a.csv.journal", left);
    expect_same(FIT("a.csv", "1"), "a.csv", "w.csv");
  }
  write_file("a.csv.journal", "");
  cr_assert_eq(truncate("a.csv.journal", 5000), 0);
  expect_same(FIT("a.csv", "1"), "a.csv", "w.csv");
}

/* Another seed, other data under the same name, or single precision is another calibration. */
Test(calibrate_resume, the_journal_of_another_study_is_refused) {
  cr_expect_eq(fit_until("calibrate:5", "a.csv")->code, -1);
  const off_t size = size_of("a.csv.journal");
  expect(FIT("a.csv", "1", "--set", "calibrate.seed=4"), OMR_ERR_IO);
  expect_text(last.err, "a.csv.journal keeps what another calibration has done: the study, or a "
                        "file of its data, differs");
  expect_text(last.err, "forget it with --restart, or choose another file with -o");
  expect(FIT("a.csv", "1", "--precision", "single"), OMR_ERR_IO);
  expect_text(last.err, "the precision differs (\"double, exact");
  cr_assert_eq(system("sed -i '3s/$/1/' log.csv"), 0);
  expect(FIT("a.csv", "1"), OMR_ERR_IO);
  expect_text(last.err, "the study, or a file of its data, differs");
  cr_expect_eq(size_of("a.csv.journal"), size);
  expect(FIT("a.csv", "1", "--restart"), OMR_OK);
  cr_expect(!is_there("a.csv.journal"));
}

static void expect_refusal(const char *words) {
  expect(FIT("a.csv", "1", "--restart"), OMR_ERR_IO);
  expect_text(last.err, words);
  cr_assert_eq(unlink("a.csv.journal"), 0);
}

/* Who can write in the folder could have another file read or overwritten. */
Test(calibrate_resume, what_is_no_journal_is_neither_read_nor_written) {
  static char text[TEXT];
  write_file("precious", "my only copy\n");
  cr_assert_eq(symlink("precious", "a.csv.journal"), 0);
  expect_refusal("a.csv.journal is a symbolic link");
  cr_assert_eq(link("precious", "a.csv.journal"), 0);
  expect_refusal("has 2 names (hard links)");
  copy("precious", "a.csv.journal");
  expect_refusal("stands where the journal of a calibration has to be, and is none");
  read_file("precious", text);
  cr_expect_str_eq(text, "my only copy\n");
  cr_assert_eq(mkfifo("a.csv.journal", 0600), 0);
  expect_refusal("a.csv.journal is a FIFO");
  cr_assert_eq(mkdir("a.csv.journal", 0700), 0);
  expect(FIT("a.csv", "1"), OMR_ERR_IO);
  expect_text(last.err, "a.csv.journal is a folder");
}

/* ---- who works on it */

static void wait_for(const char *name) {
  for (int k = 0; k < 2000 && !is_there(name); k++)
    nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
  cr_assert(is_there(name), "%s", name);
}

Test(calibrate_resume, who_is_interrupted_hears_how_to_go_on_and_nobody_else_works_on_it) {
  const pid_t child =
      start("/dev/null", (const char *const[]){"calibrate", "s.json", "-q", "-o", "a.csv", "--set",
                                               "calibrate.points=2000", NULL});
  wait_for("a.csv.journal");
  expect(FIT("a.csv", "1", "--set", "calibrate.points=2000"), OMR_ERR_IO);
  expect_text(last.err, "another process works on a.csv.journal");
  cr_assert_eq(kill(child, SIGINT), 0);
  expect(finish(child), OMR_ERR_INTERRUPTED);
  expect_text(last.err, "a.csv.journal keeps what is done, and the same command goes on");
  cr_expect(is_there("a.csv.journal"));
}

Test(calibrate_resume, restart_needs_a_file) {
  expect(OMNIROLL("calibrate", "s.json", "-q", "--restart"), OMR_ERR_USAGE);
  expect_text(last.err, "give --output FILE with it");
}

/* ---- instances that fail */

/* Of a parameter of what the last command printed. */
static double number_of(const char *path, const char *name) {
  char key[64];
  snprintf(key, sizeof key, "\"path\": \"%s\"", path);
  const char *at = strstr(last.out, key);
  snprintf(key, sizeof key, "\"%s\":", name);
  at = at ? strstr(at, key) : NULL;
  cr_assert_not_null(at, "%s of %s in %s", name, path, last.out);
  return strtod(at + strlen(key), NULL);
}

/* The same on rollers without mass, which are quick. */
static const char rolled[] = "time,x,z,yaw\n"
                             "0,0,0,0\n"
                             "0.05,-0.00032362,0.00020363,-0.0022633\n"
                             "0.1,-0.0012955,0.00081285,-0.0090532\n"
                             "0.15,-0.0029188,0.0018226,-0.02037\n"
                             "0.2,-0.0051987,0.0032245,-0.036213\n";

enum { FITS = 4, PATHS = 2 };

/* Adds the means of the parameters over FITS seeds to sum, and their deviations. */
static void fit_seeds(const char *points, double sum[PATHS], double deviation[PATHS]) {
  static const char *const path[PATHS] = {"platform.mass", "platform.yaw_inertia"};
  char seed[32], set[32];
  snprintf(set, sizeof set, "calibrate.points=%s", points);
  for (int k = 0; k < FITS; k++) {
    snprintf(seed, sizeof seed, "calibrate.seed=%d", k);
    expect(OMNIROLL("calibrate", "s.json", "-q", "--json", "--threads", "1", "--set", seed, "--set",
                    set, "--set", "calibrate.members=300", "--set",
                    "parameters.contact.law=classical_rollers", "--set",
                    "integrator={\"method\": \"rk4\", \"step\": \"10 ms\"}"),
           OMR_OK);
    for (int p = 0; p < PATHS; p++) {
      sum[p] += number_of(path[p], "mean") / FITS;
      deviation[p] += number_of(path[p], "deviation") / FITS;
    }
  }
}

/* A fifth of the instances fails, by number, in each batch: of the members, which are redrawn, and
 * of the points, which stay. Two means over 4 fits of 300 members or 400 points differ by
 * sqrt(2/1200) = 0.04 of a deviation by chance. */
Test(calibrate_resume, a_fifth_that_fails_by_number_shifts_no_mean) {
  static const char *const points[] = {"0", "400"};
  write_file("log.csv", rolled);
  for (int k = 0; k < (short_form() ? 1 : 2); k++) { /* points: test_tempering.c */
    double all[PATHS] = {0}, left[PATHS] = {0}, deviation[PATHS] = {0}, of_left[PATHS] = {0};
    fit_seeds(points[k], all, deviation);
    cr_assert_eq(setenv("OMNIROLL_FAILPOINT", "member:5", 1), 0);
    fit_seeds(points[k], left, of_left);
    cr_assert_eq(unsetenv("OMNIROLL_FAILPOINT"), 0);
    expect_text(last.out, "20 % of the ensemble's instances failed");
    cr_expect_null(strstr(last.out, "changes no observation"), "%s", last.out);
    cr_expect_null(strstr(last.out, "Runs failed in which"), "%s", last.out);
    for (int p = 0; p < PATHS; p++) {
      cr_expect_float_eq(left[p], all[p], 0.1 * deviation[p], "%s points: %g, not %g +- %g",
                         points[k], left[p], all[p], deviation[p]);
      cr_expect_float_eq(of_left[p], deviation[p], 0.2 * deviation[p]);
    }
  }
}
