/* Clocks, sensors, outliers and summaries by themselves: the model as a shifted and stretched clock
 * sees it, poses from where the log begins, bias and gain, the order of their coordinates; noise
 * with outliers against its integral and its moments; spectra of tones. */
#include "calibrate/ensemble.h"
#include "calibrate/outliers.h"
#include "calibrate/sensors.h"
#include "calibrate/summary.h"
#include "study/designs/special_functions.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

enum { INSTANTS = 11, LONGER = 14, SAMPLES = 3 };
static const double interval = 0.1, pi = 3.14159265358979323846;

static double x_series[2 * LONGER], z_series[2 * LONGER], yaw_series[2 * LONGER];

/* A path of cubics, whose slopes at the samples the reader takes from parabolas. */
static void lay_path(omr_result *result, double (*at)(double t, int sample)) {
  *result = (omr_result){.sample_count = LONGER};
  result->vehicle_samples[OMR_VS_X] = x_series;
  result->vehicle_samples[OMR_VS_Z] = z_series;
  result->vehicle_samples[OMR_VS_YAW] = yaw_series;
  for (int i = 0; i < LONGER; i++) {
    x_series[LONGER + i] = at(i * interval, 0); /* the second trajectory */
    z_series[LONGER + i] = at(i * interval, 1);
    yaw_series[LONGER + i] = at(i * interval, 2);
  }
}

static omr_measured_sample samples[SAMPLES] = {
    {.index = OMR_VS_X}, {.index = OMR_VS_Z}, {.index = OMR_VS_YAW}};
static omr_unknown clocks[] = {{.kind = OMR_UNKNOWN_TIME_OFFSET}};

static omr_study study_of(omr_frame_kind frame, bool world, bool clock) {
  return (omr_study){.frame = frame,
                     .measured = {.sample = samples,
                                  .samples = SAMPLES,
                                  .world = world,
                                  .interval = interval,
                                  .instants = INSTANTS,
                                  .unknown = clocks,
                                  .unknowns = clock}};
}

static omr_sensed sensed_of(double offset, double scale) {
  omr_sensed sensed = {{{0}}};
  sensed.value[OMR_UNKNOWN_TIME_OFFSET][0] = offset;
  sensed.value[OMR_UNKNOWN_CLOCK_SCALE][0] = scale;
  for (int s = 0; s < OMR_MOST_MEASURED; s++) sensed.value[OMR_UNKNOWN_GAIN][s] = 1;
  return sensed;
}

static double parabola(double t, int sample) {
  const double a[] = {0.7, -0.4, 1.1}, b[] = {0.3, 0.9, -0.6};
  return a[sample] * t + b[sample] * t * t;
}

/* Of a parabola all slopes are exact, so that every clock sees it exactly, between its samples and
 * after them; here the last instants are after the run's end, before that of the samples. */
Test(sensors, a_clock_reads_the_path_at_its_own_time) {
  const omr_study study = study_of(OMR_FRAME_ROS, true, true);
  const omr_sensed sensed = sensed_of(-0.037, 0.985);
  double told[SAMPLES * INSTANTS];
  omr_result result;
  lay_path(&result, parabola);
  omr_sensors_tell(&study, &result, 1, &sensed, told);
  for (int s = 0; s < SAMPLES; s++)
    for (int i = 0; i < INSTANTS; i++) {
      const double expected = parabola((i * interval + 0.037) / 0.985, s);
      cr_expect_float_eq(told[s * INSTANTS + i], expected, 1e-14, "%d at %d: %g, not %g", s, i,
                         told[s * INSTANTS + i], expected);
    }
}

/* Long before its start a run stands as it did there, or goes on in a straight line; after its last
 * sample it goes on along a parabola. */
Test(sensors, a_run_goes_on_beyond_its_ends) {
  const omr_study study = study_of(OMR_FRAME_ROS, true, true);
  double told[SAMPLES * INSTANTS];
  omr_result result;
  lay_path(&result, parabola);
  const omr_sensed late = sensed_of(0.25, 1), early = sensed_of(-0.5, 1);
  omr_sensors_tell(&study, &result, 1, &late, told);
  cr_expect_float_eq(told[0], -0.25 * 0.7, 1e-14);
  omr_sensors_tell(&study, &result, 1, &early, told);
  cr_expect_float_eq(told[INSTANTS - 1], parabola(1.5, 0), 1e-14);
}

/* A known clock reads the samples themselves, to the bit. */
Test(sensors, without_a_clock_nothing_changes) {
  const omr_study study = study_of(OMR_FRAME_Y_UP, false, false);
  const omr_sensed sensed = sensed_of(0, 1);
  double told[SAMPLES * INSTANTS];
  omr_result result;
  lay_path(&result, parabola);
  omr_sensors_tell(&study, &result, 1, &sensed, told);
  cr_expect(memcmp(told, x_series + LONGER, INSTANTS * sizeof *told) == 0);
  cr_expect(memcmp(told + 2 * INSTANTS, yaw_series + LONGER, INSTANTS * sizeof *told) == 0);
}

/* A circle looks the same from each of its points: a log that begins later on it sees the path from
 * its start, of which the model's own pose at 0 is kept. In the frame y_up yaw turns the second
 * axis away. */
static double hand;
static double circle(double t, int sample) {
  const double yaw = 0.2 + 0.8 * t;
  return sample == 0 ? 1 + 1.5 * sin(yaw) : sample == 1 ? -2 - hand * 1.5 * cos(yaw) : yaw;
}

static void expect_circle(omr_frame_kind frame) {
  const omr_study study = study_of(frame, false, true);
  const omr_sensed sensed = sensed_of(-0.15, 1);
  double told[SAMPLES * INSTANTS];
  omr_result result;
  hand = frame == OMR_FRAME_Y_UP ? -1 : 1;
  lay_path(&result, circle);
  omr_sensors_tell(&study, &result, 1, &sensed, told);
  for (int s = 0; s < SAMPLES; s++)
    for (int i = 0; i < INSTANTS; i++)
      /* the cubic errs by (0.8 h)^4 3/128 of the radius at most, twice where both ends do */
      cr_expect_float_eq(told[s * INSTANTS + i], circle(i * interval, s), 3e-6, "%d at %d: %g", s,
                         i, told[s * INSTANTS + i] - circle(i * interval, s));
}

Test(sensors, poses_are_seen_from_where_the_log_begins) {
  expect_circle(OMR_FRAME_ROS);
  expect_circle(OMR_FRAME_Y_UP);
}

/* What is told, put behind the wrong start again, is the path: e o told = p, e as a motion. */
static void expect_moved(omr_frame_kind frame) {
  static omr_unknown starts[] = {{.kind = OMR_UNKNOWN_START_ERROR, .sample = 2}};
  const double e[] = {0.03, -0.02, 0.4};
  omr_study study = study_of(frame, false, true);
  omr_sensed sensed = sensed_of(0, 1);
  double told[SAMPLES * INSTANTS];
  omr_result result;
  hand = frame == OMR_FRAME_Y_UP ? -1 : 1;
  study.measured.unknown = starts;
  for (int s = 0; s < SAMPLES; s++) sensed.value[OMR_UNKNOWN_START_ERROR][s] = e[s];
  lay_path(&result, circle);
  omr_sensors_tell(&study, &result, 1, &sensed, told);
  for (int i = 0; i < INSTANTS; i++) {
    const double x = told[i], z = told[INSTANTS + i], yaw = told[2 * INSTANTS + i], c = cos(e[2]),
                 s = hand * sin(e[2]);
    cr_expect_float_eq(e[0] + c * x - s * z, circle(i * interval, 0), 1e-14);
    cr_expect_float_eq(e[1] + c * z + s * x, circle(i * interval, 1), 1e-14);
    cr_expect_float_eq(e[2] + yaw, circle(i * interval, 2), 1e-14);
  }
}

Test(sensors, a_wrong_start_turns_and_shifts_the_run) {
  expect_moved(OMR_FRAME_ROS);
  expect_moved(OMR_FRAME_Y_UP);
}

Test(sensors, a_sensor_multiplies_and_adds) {
  const omr_study study = study_of(OMR_FRAME_ROS, true, false);
  omr_sensed sensed = sensed_of(0, 1);
  double told[SAMPLES * INSTANTS];
  omr_result result;
  sensed.value[OMR_UNKNOWN_GAIN][1] = 1.25;
  sensed.value[OMR_UNKNOWN_BIAS][1] = -0.5;
  lay_path(&result, parabola);
  omr_sensors_tell(&study, &result, 1, &sensed, told);
  for (int i = 0; i < INSTANTS; i++) {
    cr_expect_eq(told[i], x_series[LONGER + i]);
    cr_expect_eq(told[INSTANTS + i], 1.25 * z_series[LONGER + i] - 0.5);
  }
}

/* ---- coordinates */

/* An offset of each of three runs, then a bias of all; between the model's and the noises. */
Test(sensors, coordinates_stand_between_the_models_and_the_noises) {
  omr_variation offset = {.draw = OMR_DRAW_NORMAL, .a = 0.01, .b = 0.002, .sensed = true},
                bias = {.draw = OMR_DRAW_UNIFORM, .a = -1, .b = 3, .sensed = true};
  const omr_unknown unknown[] = {
      {.kind = OMR_UNKNOWN_TIME_OFFSET, .per_run = true, .prior = &offset},
      {.kind = OMR_UNKNOWN_BIAS, .sample = 2, .prior = &bias}};
  size_t fitted[] = {0, 1, 2, SIZE_MAX};
  const omr_coordinates layout = {.drawn = 2,
                                  .runs = 3,
                                  .fitted = fitted,
                                  .noises = 1,
                                  .unknown = unknown,
                                  .unknowns = 2,
                                  .sensors = 4,
                                  .seed = 4};
  const double member[] = {7, 7, -1, 0.5, 2, 0, 9};
  omr_sensed sensed, again, other;
  size_t run = 9;
  cr_assert_eq(omr_coordinates_of_model(&layout), 6);
  cr_assert_eq(omr_coordinates_all(&layout), 7);
  for (size_t r = 0; r < 3; r++) {
    omr_coordinates_sense(&layout, member, 5, r, &sensed);
    cr_expect_float_eq(sensed.value[OMR_UNKNOWN_TIME_OFFSET][0], 0.01 + 0.002 * member[2 + r],
                       1e-15);
    cr_expect_float_eq(sensed.value[OMR_UNKNOWN_BIAS][2], 1, 1e-12, "the median");
    cr_expect_eq(omr_coordinates_unknown_at(&layout, 2 + r, &run), 0);
    cr_expect_eq(run, r);
  }
  cr_expect_eq(omr_coordinates_unknown_at(&layout, 5, &run), 1);
  cr_expect_eq(sensed.value[OMR_UNKNOWN_BIAS][1], 0, "known");
  cr_expect_eq(sensed.value[OMR_UNKNOWN_GAIN][2], 1, "known");
  cr_expect_eq(sensed.value[OMR_UNKNOWN_CLOCK_SCALE][0], 1, "known");
  /* a run that is not fitted has an offset of its own for each member, and the bias of all */
  omr_coordinates_sense(&layout, member, 5, 3, &sensed);
  omr_coordinates_sense(&layout, member, 5, 3, &again);
  omr_coordinates_sense(&layout, member, 6, 3, &other);
  cr_expect(memcmp(&sensed, &again, sizeof sensed) == 0);
  cr_expect_neq(sensed.value[OMR_UNKNOWN_TIME_OFFSET][0], other.value[OMR_UNKNOWN_TIME_OFFSET][0]);
  cr_expect_float_eq(sensed.value[OMR_UNKNOWN_BIAS][2], 1, 1e-12);
}

/* ---- outliers */

/* The density integrates to the probability below, by Simpson's rule; without outliers both are the
 * normal ones. */
Test(outliers, density_integrates_to_the_probability) {
  const double share = 0.07, step = 0.01;
  double sum = omr_outliers_below(share, -60);
  for (int i = 0; i < 6300; i++) {
    const double r = -60 + i * step;
    const double a = exp(omr_outliers_log_density(share, r)),
                 b = exp(omr_outliers_log_density(share, r + step / 2)),
                 c = exp(omr_outliers_log_density(share, r + step));
    sum += step / 6 * (a + 4 * b + c) / sqrt(2 * pi);
  }
  cr_expect_float_eq(sum, omr_outliers_below(share, 3), 1e-9);
  cr_expect_float_eq(omr_outliers_log_density(0, 3), -4.5, 1e-15);
  cr_expect_float_eq(omr_outliers_below(0, 1.3), omr_normal_cdf(1.3), 1e-15);
}

/* Bayes' rule at r = 3: p/k phi(r/k) over that and (1 - p) phi(r). */
Test(outliers, a_value_is_an_outlier_by_its_odds) {
  const double share = 0.05, outlier = share / 10 * exp(-0.045), usual = 0.95 * exp(-4.5);
  cr_expect_float_eq(omr_outliers_probability(share, -3), outlier / (outlier + usual), 1e-14);
  cr_expect_float_eq(omr_outliers_probability(share, 60), 1, 1e-12);
  cr_expect_eq(omr_outliers_probability(0, 60), 0);
}

/* Scores of made residuals are N(0, 1): 4 deviations of mean and variance; odd, rising, and finite
 * where no tail is left. */
Test(outliers, scores_are_normal) {
  enum { MANY = 20000 };
  const double share = 0.2;
  double sum = 0, squares = 0, before = -HUGE_VAL;
  for (size_t j = 0; j < MANY; j++) {
    const double size = omr_normal_cdf(omr_ensemble_prior(8, j, 0)) < share ? OMR_OUTLIER_NOISE : 1;
    const double score = omr_outliers_score(share, size * omr_ensemble_prior(8, j, 1));
    sum += score / MANY;
    squares += score * score / MANY;
  }
  cr_expect_float_eq(sum, 0, 4 / sqrt(MANY));
  cr_expect_float_eq(squares, 1, 4 * sqrt(2. / MANY));
  for (double r = -2000; r <= 2000; r += 0.5) {
    const double score = omr_outliers_score(0.05, r);
    cr_assert(isfinite(score) && score > before, "at %g", r);
    cr_assert_float_eq(score, -omr_outliers_score(0.05, -r), 1e-12);
    before = score;
  }
  cr_expect_eq(omr_outliers_score(0, 77), 77);
}

/* Half the square is Huber's loss, quadratic and then straight, without a step of loss or slope. */
Test(outliers, a_clipped_residual_has_hubers_loss) {
  const double k = OMR_HUBER, far = omr_outliers_clip(0.1, -20), near = 1e-7;
  cr_expect_eq(omr_outliers_clip(0.1, 1.2), 1.2);
  cr_expect_eq(omr_outliers_clip(0, 20), 20);
  cr_expect_lt(far, 0);
  cr_expect_float_eq(far * far / 2, k * 20 - k * k / 2, 1e-12);
  const double rise = omr_outliers_clip(0.1, k + near) - omr_outliers_clip(0.1, k - near);
  cr_expect_float_eq(rise / (2 * near), 1, 1e-6);
}

/* ---- summaries */

/* The rate of change a w cos(w t) has the power (a w)^2/2, all of it in its octave; over the sums
 * of a band, times the distance of its frequencies, that power comes back. */
Test(summary, a_tone_has_its_power_in_its_octave) {
  enum { COUNT = 513, BANDS = 4 };
  static double values[COUNT], work[COUNT];
  const double h = 0.02, a = 0.3;
  for (int band = 0; band < BANDS; band++) {
    /* between the ends of the octave, 48 frequencies of the highest: the window leaks by one */
    const double turns = 0.75 * 256 / (1 << (BANDS - 1 - band)),
                 rate = 2 * pi * turns / ((COUNT - 1) * h);
    double power[BANDS];
    for (int i = 0; i < COUNT; i++) values[i] = a * sin(rate * i * h) + 0.7 * i * h;
    omr_summary_spectrum(values, COUNT, h, BANDS, work, power);
    /* differences see a rate of change over an interval, times sin(x)/x */
    const double x = 0.5 * rate * h, seen = a * rate * sin(x) / x,
                 frequencies = 128. / (1 << (BANDS - 1 - band));
    const double expected = log(seen * seen / 2 * (COUNT - 1) * h / frequencies);
    for (int other = 0; other < BANDS; other++)
      if (other == band)
        cr_expect_float_eq(power[other], expected, 1e-9, "octave %d: %g, not %g", band,
                           power[other], expected);
      else
        cr_expect_lt(power[other], expected - 20, "octave %d of a tone in %d", other, band);
  }
}

Test(summary, what_is_compared) {
  double edges[] = {0, 4, 400}, orders[] = {1};
  omr_measured_sample sample[] = {
      {.compared = OMR_COMPARE_END},
      {.compared = OMR_COMPARE_TRACE},
      {.compared = OMR_COMPARE_SPECTRUM, .bands = 2},
      {.compared = OMR_COMPARE_BINS, .number = edges, .numbers = 3, .against = 0},
      {.compared = OMR_COMPARE_ORDERS, .number = orders, .numbers = 1, .against = 1}};
  omr_measured measured = {.sample = sample, .samples = 5, .instants = 20, .interval = 1};
  double values[5 * 20], work[20], to[20];
  for (int s = 0; s < 5; s++)
    for (int i = 0; i < 20; i++) values[s * 20 + i] = s == 3 ? i : i * i;
  const size_t counts[] = {1, 19, 2, 2, 1};
  for (size_t s = 0; s < 5; s++) cr_expect_eq(omr_summary_count(&measured, s), counts[s], "%zu", s);
  omr_summary_of(&measured, 0, values, work, to);
  cr_expect_eq(to[0], 361);
  omr_summary_of(&measured, 1, values, work, to);
  cr_expect(to[0] == 1 && to[18] == 361);
  omr_summary_of(&measured, 3, values, work, to); /* i*i is below 4 at 0 and 1 */
  cr_expect(to[0] == 0.5 && to[1] == 10.5, "%g %g", to[0], to[1]);
  measured.world = true;
  cr_expect_eq(omr_summary_count(&measured, 1), 20);
}

/* A wave of the phase has its mean square at its order, whatever the speed; what rises evenly with
 * the phase, and another order, have nothing there. A cosine of amplitude a over whole cycles is
 * seen by its rises: sin(x)/x of it, x half the wave's step. */
enum { WAVES = 4001 };
static double phase[WAVES], wave[WAVES];

static void expect_order(double amplitude, double order, double turn, double error, double below) {
  const double here = omr_summary_order(wave, phase, WAVES, turn, order),
               expected = log(amplitude * amplitude / 2);
  cr_expect_float_eq(here, expected, error, "order %g: %.9g, not %.9g", order, here, expected);
  for (int other = 0; other < 2; other++)
    cr_expect_lt(omr_summary_order(wave, phase, WAVES, turn, order + (other ? 3 : -3)),
                 expected - below);
}

Test(summary, a_wave_of_the_phase_has_its_mean_square_at_its_order) {
  const double a = 0.02, order = 9;
  for (int i = 0; i < WAVES; i++) {
    phase[i] = 0.4 + 2 * pi * 20 * i / (WAVES - 1.); /* 20 turns, evenly */
    wave[i] = 0.7 * phase[i] + a * cos(order * phase[i] + 1);
  }
  const double x = 0.5 * order * 2 * pi * 20 / (WAVES - 1.);
  expect_order(a * sin(x) / x, order, 2 * pi, 1e-6, 14);
  for (int i = 0; i < WAVES; i++) { /* three times as fast at the end as at the start */
    const double u = i / (WAVES - 1.);
    phase[i] = 2 * pi * 20 * (0.5 * u + 0.5 * u * u);
    wave[i] = a * cos(order * phase[i]) - 0.2 * phase[i];
  }
  /* a wave is seen too small by x^2/6, twice that in its square, of steps up to half as long again
   */
  expect_order(a, order, 2 * pi, 1.5 * 1.5 * x * x / 3, 14);
}

/* There and back: the way counts, not where it ends. Here in waves for a metre. Each half has half
 * a window, whose end at the turn leaks: 1/(2 pi 3 m) of a wave that is 3/m off, over 1 m. */
Test(summary, a_phase_may_go_back) {
  const double a = 1e-3, order = 12.5;
  for (int i = 0; i < WAVES; i++) {
    const double u = i / (WAVES - 1.);
    phase[i] = u < 0.5 ? 4 * u : 4 * (1 - u); /* 2 m and back */
    wave[i] = a * cos(2 * pi * order * phase[i]);
  }
  expect_order(a, order, 1, 1e-3, 4);
  for (int i = 0; i < WAVES; i++) phase[i] = 0.3;
  cr_expect_lt(omr_summary_order(wave, phase, WAVES, 1, order), -600, "at rest there is no order");
}

/* A bin where nothing is takes the mean of the nearest one, of two the lower; values beyond the
 * edges count nowhere. */
Test(summary, bins_have_means) {
  const double by[] = {-1, 0.1, 0.9, 1.0, 5.5, 9}, values[] = {100, 1, 3, 7, 20, 100},
               edges[] = {0, 1, 2, 3, 4, 5, 6}, expected[] = {2, 7, 7, 7, 20, 20};
  double to[6];
  omr_summary_bins(values, by, 6, edges, 6, to);
  for (int k = 0; k < 6; k++) cr_expect_eq(to[k], expected[k], "bin %d: %g", k, to[k]);
  const double nowhere[] = {50, 60};
  omr_summary_bins(values, by, 6, nowhere, 1, to);
  cr_expect_float_eq(to[0], 231. / 6, 1e-13);
}

/* ---- wheels */

/* Samples of wheels stand side by side; the angle counts from the log's first instant, the rate as
 * it is, by the same clock. */
Test(sensors, wheels_are_read_each_by_itself) {
  enum { WHEELS = 3, RATE = OMR_VS_COUNT + OMR_WS_RATE, ANGLE = OMR_VS_COUNT + OMR_WS_ANGLE };
  static double rates[2 * LONGER * WHEELS], angles[2 * LONGER * WHEELS];
  omr_measured_sample wheels[] = {{.index = RATE, .wheel = 2}, {.index = ANGLE, .wheel = 1}};
  omr_result result = {.sample_count = LONGER};
  omr_study study = study_of(OMR_FRAME_ROS, true, true);
  const omr_sensed sensed = sensed_of(-0.037, 0.985);
  double told[2 * INSTANTS];
  study.wheels = WHEELS;
  study.measured.sample = wheels;
  study.measured.samples = 2;
  study.measured.from_start = true;
  result.wheel_samples[OMR_WS_RATE] = rates;
  result.wheel_samples[OMR_WS_ANGLE] = angles;
  for (int i = 0; i < LONGER; i++)
    for (int w = 0; w < WHEELS; w++) {
      rates[(LONGER + i) * WHEELS + w] =
          w == 1 ? -0.4 + 1.8 * i * interval : parabola(i * interval, w); /* of the angle */
      angles[(LONGER + i) * WHEELS + w] = parabola(i * interval, w) + 10;
    }
  omr_sensors_tell(&study, &result, 1, &sensed, told);
  for (int i = 0; i < INSTANTS; i++) {
    const double t = (i * interval + 0.037) / 0.985, first = 0.037 / 0.985;
    cr_expect_float_eq(told[i], parabola(t, 2), 1e-14);
    cr_expect_float_eq(told[INSTANTS + i], parabola(t, 1) - parabola(first, 1), 1e-13);
  }
}
