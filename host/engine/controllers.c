#include "controllers.h"

#include "../../kernels/layout.h"
#include "../model/prepare.h"
#include "feedback_loop.h"
#include "stability_rates.h"

#include <math.h>
#include <stdio.h>

enum { LOOKED_AT = 64 };

#define ALTERNATES -0.5 /* a pole below makes the torque change its sign at every sample */
#define RINGS 0.9       /* a complex pair beyond this radius rings, */
#define DAMPING 0.4     /* with less damping, which overshoots by more than a quarter */

/* Classifies the loop by the roots of its sampled form (appendix/drives.md#drives).
 */
omr_loop omr_judge_loop(double gain, double reset) {
  if (gain == 0 && reset == 0) return OMR_LOOP_SETTLES;
  const bool proportional = reset == 0;
  if (!(gain > 0) || reset < 0 || !(gain + 0.5 * reset < 2)) return OMR_LOOP_UNSTABLE;
  if (proportional) return 1 - gain < ALTERNATES ? OMR_LOOP_ALTERNATES : OMR_LOOP_SETTLES;
  const double half = 1 - 0.5 * (gain + reset), square = half * half - (1 - gain);
  if (square >= 0) return half - sqrt(square) < ALTERNATES ? OMR_LOOP_ALTERNATES : OMR_LOOP_SETTLES;
  const double radius = sqrt(1 - gain), decay = -log(radius), turn = atan2(sqrt(-square), half);
  if (half < ALTERNATES) return OMR_LOOP_ALTERNATES;
  return radius > RINGS && decay < DAMPING * hypot(decay, turn) ? OMR_LOOP_RINGS : OMR_LOOP_SETTLES;
}

/* The worst loop so far. */
typedef struct omr_worst {
  omr_loop loop;
  size_t instance;
  int wheel;
  double kp, inertia, gain, reset, torque;
} omr_worst;

/* Torque at the wheel per unit of the controller's output: 1 for a torque, otherwise the motor's at
 * rest under one volt or, by duty, under the supply voltage. Its back-EMF, which damps the loop, is
 * left out. */
static double torque_per_drive(const omr_study *study, const double *params, int wheel) {
  if (study->drives.by[wheel] == OMR_BY_TORQUE) return 1;
  const double volts =
      study->drives.by[wheel] == OMR_BY_DUTY ? params[(size_t)P_SUPPLY_VOLTAGE * OMR_PAD] : 1;
  return volts * params[(size_t)OMR_PARAM_COLUMN(wheel, W_CONDUCTANCE) * OMR_PAD] *
         fabs(params[(size_t)OMR_PARAM_COLUMN(wheel, W_PULL) * OMR_PAD]);
}

static void look_at(const omr_study *study, const omr_run_settings *settings, const double *params,
                    size_t instance, omr_worst *worst) {
  for (int i = 0; i < study->wheels; i++) {
    if (!omr_is_controller(study->drives.law[i])) continue;
    if (study->drives.law[i] == OMR_DRIVE_FEEDBACK) continue;
    const double torque = torque_per_drive(study, params, i);
    const double kp = torque * params[(size_t)OMR_PARAM_COLUMN(i, W_DRIVE_2) * OMR_PAD];
    const double ki_period = torque * params[(size_t)OMR_PARAM_COLUMN(i, W_DRIVE_3) * OMR_PAD];
    const double inertia = omr_least_inertia(settings->integers, params, i),
                 share = study->drives.period / inertia;
    const omr_loop loop = omr_judge_loop(kp * share, ki_period * share);
    const double gain = kp * share, reset = ki_period * share;
    if (loop < worst->loop || loop == OMR_LOOP_SETTLES) continue;
    if (loop == worst->loop && gain + 0.5 * reset <= worst->gain + 0.5 * worst->reset) continue;
    *worst = (omr_worst){loop, instance, i, kp, inertia, gain, reset, torque};
  }
}

static void describe(const omr_study *study, const omr_worst *w, char *text, size_t size) {
  static const char *const what[] = {[OMR_LOOP_RINGS] = "is badly damped",
                                     [OMR_LOOP_ALTERNATES] = "is badly damped",
                                     [OMR_LOOP_UNSTABLE] = "is unstable"};
  static const char *const units[] = {[OMR_BY_TORQUE] = "N m s",
                                      [OMR_BY_VOLTAGE] = "V s (voltage_kp)",
                                      [OMR_BY_DUTY] = "s (duty_kp)"};

  /* The reason of the finding and its remedy. */
  char why[300];
  if (w->loop == OMR_LOOP_RINGS)
    snprintf(
        why, sizeof why,
        "its wheel rate rings, with less than %.2g of the critical damping: raise kp or lower ki",
        DAMPING);
  else if (!(w->gain > 0) || w->reset < 0)
    snprintf(why, sizeof why, "kp has to be above 0 and ki not below: change them");
  else
    snprintf(why, sizeof why,
             "kp Tc/J + ki Tc^2/(2 J) is %.3g, %s: lower kp and ki, kp to less than %.3g %s, or "
             "shorten controller_period",
             w->gain + 0.5 * w->reset,
             w->loop == OMR_LOOP_UNSTABLE ? "and has to be below 2"
                                          : "so that its torque changes sign at every sample",
             w->inertia / study->drives.period / w->torque, units[study->drives.by[w->wheel]]);

  /* The whole line: loop, period, inertia, reason. */
  snprintf(text, size,
           "controller: the sampled loop of wheel %d in instance %zu %s (period Tc %.4g ms, "
           "inertia J %.3g kg m2%s): %s",
           w->wheel, w->instance, what[w->loop], 1e3 * study->drives.period, w->inertia,
           !omr_law_has_impacts(study->contact.law)
               ? ", the wheel's own, which it has where it slides"
               : ", the least that the wheels have while they roll",
           why);
}

/* Whether the loop of the heading, with all of its gains times `share`, grows on a vehicle that
 * turns as it is asked: its recursion from an error of 1, whose largest errors are compared between
 * two halves (appendix/drives.md#drives). */
static bool heading_grows(const omr_study *study, const double *v, double share) {
  enum { SAMPLES = 800, KEPT = 16 };
  const double period = study->command.hold.period, late = study->command.hold.delay / period;
  const int whole = (int)floor(late + 1e-9);
  double asked[SAMPLES + KEPT] = {0}, error = 1, before = 1, sum = 0, early = 0, later = 0;
  for (int n = KEPT; n < SAMPLES + KEPT; n++) {
    sum += error;
    asked[n] = share * (v[OMR_VP_HOLD_GAIN] * error + v[OMR_VP_HOLD_INTEGRAL] * period * sum +
                        v[OMR_VP_HOLD_RATE] * (error - before) / period);
    before = error;
    error -= period * v[OMR_VP_GYRO_SCALE] *
             ((late - whole) * asked[n - whole - 1] + (1 - (late - whole)) * asked[n - whole]);
    if (!(fabs(error) < 1e6)) return true;
    double *most = n < KEPT + SAMPLES / 2 ? &early : &later;
    if (n % (SAMPLES / 2) >= SAMPLES / 4) *most = fmax(*most, fabs(error));
  }
  return later > early && later > 1e-9;
}

/* The first instance of those looked at whose loop of the heading grows. */
static bool judge_heading(const omr_study *study, const omr_values *values, size_t instance,
                          char *text, size_t size) {
  const double *v = values->vehicle;
  if (!study->command.hold.given || !heading_grows(study, v, 1)) return false;
  double share = 1;
  while (share > 1e-3 && heading_grows(study, v, share)) share *= 0.95;
  snprintf(
      text, size,
      "controller: the sampled loop of the heading in instance %zu is unstable (period %.4g s, "
      "delay %.4g s): multiply the gains of heading_hold by %.2g or less, or shorten both times",
      instance, study->command.hold.period, study->command.hold.delay, share);
  return true;
}

/* The first instance of those looked at whose loop that follows a path grows near a line, on a
 * vehicle that moves as it is asked (appendix/drives.md#drives). */
static bool judge_path(const omr_study *study, const omr_values *values, size_t instance,
                       char *text, size_t size) {
  const double *v = values->vehicle, period = study->command.way.period,
               gain = v[OMR_VP_COMMAND_GAIN] * period,
               reset = v[OMR_VP_COMMAND_INTEGRAL] * period * period,
               heading = isnan(v[OMR_VP_COMMAND_HEADING_GAIN])
                             ? 4 * gain
                             : v[OMR_VP_COMMAND_HEADING_GAIN] * period;
  const bool cross = study->command.way.cross, translate = study->command.way.translate;
  if (study->command.kind != OMR_COMMAND_PATH) return false;

  /* What has to be below a bound, and what lowers it. */
  const char *what = "speed period/look_ahead", *remedy = "lengthen look_ahead";
  double found = v[OMR_VP_COMMAND_SPEED] * period / v[OMR_VP_COMMAND_LOOK_AHEAD],
         most = translate ? 2 : 1;
  if (cross) {
    const bool turns = !translate && heading > gain;
    what = translate ? "gain period + integral_gain period^2/2"
           : turns   ? "heading_gain period"
                     : "gain period";
    remedy = turns ? "lower heading_gain" : "lower the gains";
    found = translate ? gain + 0.5 * reset : fmax(heading, gain);
    most = 2;
  }
  if (found < most) return false;
  snprintf(text, size,
           "controller: the sampled loop of the path in instance %zu is unstable: %s is %.3g, and "
           "has to be below %g: %s, or shorten period",
           instance, what, found, most, remedy);
  return true;
}

void omr_judge_controllers(const omr_study *study, char *warning, size_t size) {
  omr_run_settings settings;
  omr_batch batch;
  omr_worst worst = {.loop = OMR_LOOP_SETTLES};
  warning[0] = '\0';

  /* Studies without controllers have nothing to check. */
  bool any = false;
  for (int i = 0; i < study->wheels; i++) any = any || omr_is_controller(study->drives.law[i]);
  if (!any || omr_settings_make(study, &settings, NULL) != OMR_OK) return;

  /* Instances spread evenly over the study; the worst loop is kept. */
  bool grows = false;
  const bool made = omr_batch_make(&settings, OMR_PAD, &batch);
  const size_t looked = study->instances < LOOKED_AT ? study->instances : LOOKED_AT;
  for (size_t j = 0; made && j < looked && !grows; j++) {
    const size_t k = looked > 1 ? j * (study->instances - 1) / (looked - 1) : 0;
    omr_values values;
    char reason[400];
    omr_study_values(study, k, &values, NULL);
    if (omr_prepare_instance(study, &settings, &values, &batch, 0, reason, sizeof reason)) {
      look_at(study, &settings, batch.params, k, &worst);
      grows = omr_judge_feedback(study, batch.params, k, warning, size);
    }
    grows = grows || judge_heading(study, &values, k, warning, size) ||
            judge_path(study, &values, k, warning, size);
  }

  omr_batch_free(&batch);
  omr_settings_free(&settings);
  if (!grows && worst.loop != OMR_LOOP_SETTLES) describe(study, &worst, warning, size);
}
