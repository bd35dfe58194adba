#include "omni.h"

#include "../../study/designs/draws.h"
#include <math.h>

static double or_unlimited(double value) {
  return isnan(value) ? HUGE_VAL : value;
}

void omr_heading_read(omr_omni_hold *hold, const omr_study *study, const omr_values *values) {
  const double *v = values->vehicle, inner = study->drives.period;
  *hold = (omr_omni_hold){.given = study->command.hold.given,
                          .inner = inner,
                          .period = study->command.hold.period,
                          .every = lrint(study->command.hold.period / inner),
                          .late = lrint(study->command.hold.delay / inner),
                          .gain = v[OMR_VP_HOLD_GAIN],
                          .integral_gain = v[OMR_VP_HOLD_INTEGRAL],
                          .rate_gain = v[OMR_VP_HOLD_RATE],
                          .scale = v[OMR_VP_GYRO_SCALE],
                          .bias = v[OMR_VP_GYRO_BIAS],
                          .noise = v[OMR_VP_GYRO_NOISE]};
  if (!isnan(v[OMR_VP_GYRO_SEED])) hold->seed = (uint64_t)v[OMR_VP_GYRO_SEED];
}

/* Standard normal number of the n-th sample, by Box and Muller from the first 23 bits of two words.
 */
static double noise_of(uint64_t seed, long n) {
  uint64_t bits[2];
  omr_draw_for(OMR_FOR_GYRO, seed, (uint64_t)n, 0, bits);
  const double first = (double)((uint32_t)bits[0] >> 9), second = (double)(bits[0] >> 41);
  return sqrt(-2 * log((first + 0.5) / 8388608)) * sin(2 * PI * (second + 0.5) / 8388608);
}

/* What the loop adds to the commanded yaw rate by its n-th sample. */
static double correct(omr_omni_hold *hold, long n, double yaw) {
  /* The gyro's mean rate since the last sample. */
  if (n > 0) {
    const double rate = hold->scale * (yaw - hold->yaw) / hold->period + hold->bias;
    hold->seen += hold->period * (rate + hold->noise * noise_of(hold->seed, n));
  }
  hold->yaw = yaw;

  /* Proportional, integral and derivative part. */
  const double error = hold->wanted - hold->seen, slope = (error - hold->before) / hold->period;
  hold->before = error;
  hold->sum += error;
  return hold->gain * error + hold->integral_gain * hold->period * hold->sum +
         hold->rate_gain * slope;
}

double omr_heading_hold(omr_omni_hold *hold, long number, double commanded, double yaw) {
  if (!hold->given) return 0;
  if (number % hold->every == 0) {
    const long n = number / hold->every;
    hold->start = hold->period * (double)n;
    hold->correction[n % OMR_HELD_CORRECTIONS] = correct(hold, n, yaw);
  }
  hold->wanted += hold->inner * commanded;
  hold->until = hold->inner * (double)(number + 1);
  if (number < hold->late) return 0;
  return hold->correction[(number - hold->late) / hold->every % OMR_HELD_CORRECTIONS];
}

double omr_heading_error(const omr_omni_hold *hold, double time, double yaw) {
  const double since = time - hold->start;
  if (!(hold->until > hold->start)) return 0; /* never sampled */
  const double asked = hold->wanted - hold->seen - hold->before,
               rate = asked / (hold->until - hold->start);
  return hold->before + (rate - hold->bias) * since - hold->scale * (yaw - hold->yaw);
}

void omr_asked_read(omr_omni_asked *limit, const omr_study *study, const omr_values *values) {
  const double *v = values->vehicle;
  *limit =
      (omr_omni_asked){.wheels = study->wheels,
                       .each = study->command.each,
                       .most = or_unlimited(v[OMR_VP_ASKED_RATE]),
                       .step = or_unlimited(v[OMR_VP_ASKED_ACCELERATION]) * study->drives.period};
  limit->given = limit->most < HUGE_VAL || limit->step < HUGE_VAL;
  for (int i = 0; i < study->wheels; i++) {
    limit->follows[i] = study->drives.law[i] == OMR_DRIVE_BODY;
    limit->last[i] = values->wheel[i][OMR_WP_RATE];
  }
}

/* The largest part of a change from `from` to `to` that keeps all wheels within the limit. */
static double share_within(const omr_omni_asked *limit, const double *from, const double *to,
                           double most) {
  double share = 1;
  for (int i = 0; i < limit->wheels; i++) {
    const double change = limit->follows[i] ? fabs(to[i] - (from ? from[i] : 0)) : 0;
    if (change > most) share = fmin(share, most / change);
  }
  return share;
}

void omr_limit_asked(omr_omni_asked *limit, double *wanted) {
  if (!limit->given) return;
  const double rates = share_within(limit, NULL, wanted, limit->most);
  for (int i = 0; i < limit->wheels; i++)
    wanted[i] = limit->each ? fmax(fmin(wanted[i], limit->most), -limit->most) : rates * wanted[i];

  const double changes = share_within(limit, limit->last, wanted, limit->step);
  for (int i = 0; i < limit->wheels; i++) {
    const double change = wanted[i] - limit->last[i],
                 taken =
                     limit->each ? fmax(fmin(change, limit->step), -limit->step) : changes * change;
    limit->last[i] += taken;
    wanted[i] = limit->last[i];
  }
}
