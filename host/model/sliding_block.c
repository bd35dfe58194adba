/* sliding_block: the block of source 5, section 1 (appendix/small.md#models,
 * kernels/small/sliding_block.h). */
#include "small.h"

#include "../../kernels/layout.h"
#include "../../kernels/scalar_math.h"
#include "../../kernels/small/small_layout.h"
#include "../lists/observables.h"
#include <math.h>

/* The pull at the start. */
static double first_pull(const omr_study *study, const double *p) {
  return study->options[1] == BLOCK_PULL_SINE ? 0 : p[BLOCK_P_FORCE];
}

/* The law set_valued starts in slip if the block moves on its ground, or is torn off at once. */
static void start(const omr_study *study, const double *p, double *y) {
  const double slip = y[BLOCK_Y_V] - p[BLOCK_P_BELT];
  const double applied =
      first_pull(study, p) - p[BLOCK_P_DOWN] - p[BLOCK_P_STIFFNESS] * y[BLOCK_Y_X];
  const bool torn = slip == 0 && fabs(applied) > p[BLOCK_P_STATIC];
  y[BLOCK_Y_FIRST] = y[BLOCK_Y_ONSET] = y[BLOCK_Y_PERIOD] = y[BLOCK_Y_REST] = -1;
  if (study->options[0] != BLOCK_LAW_SET_VALUED) return;
  if (slip != 0) y[BLOCK_Y_DIRECTION] = slip > 0 ? 1 : -1;
  if (torn) y[BLOCK_Y_DIRECTION] = applied > 0 ? 1 : -1;
  if (torn) y[BLOCK_Y_ONSET] = 0;
  if (y[BLOCK_Y_DIRECTION] == 0) return;
  y[BLOCK_Y_FIRST] = 0;
  y[BLOCK_Y_SLIPS] = 1;
}

static bool prepare(const omr_study *study, const double *v, double *p, double *y, double *e,
                    char *reason, size_t size) {
  /* Stiction must not be below friction, and the plane must carry the block. */
  const double m = v[OMR_VP_UK_MASS], weight = m * v[OMR_VP_GRAVITY];
  const double kinetic = v[OMR_VP_BLOCK_FRICTION];
  const double holding = isnan(v[OMR_VP_BLOCK_STATIC]) ? kinetic : v[OMR_VP_BLOCK_STATIC];
  double sine, cosine;
  omr_math_sincos(v[OMR_VP_PLANE_SLOPE], &sine, &cosine);
  if (holding < kinetic) {
    const int digits = omr_digits_apart(holding, kinetic, 6);
    return omr_deny(reason, size,
                    "friction.static is %.*g, less than friction.kinetic, %.*g: stiction holds no "
                    "less; raise friction.static or lower friction.kinetic",
                    digits, holding, digits, kinetic);
  }

  /* The plane must not be vertical. */
  if (!(weight * cosine > 1e-9 * weight))
    return omr_deny(reason, size,
                    "plane.slope is %.6g rad; a vertical plane does not carry the block",
                    v[OMR_VP_PLANE_SLOPE]);

  /* Weight, friction, spring and pull. */
  p[BLOCK_P_MASS] = m;
  p[BLOCK_P_INV_MASS] = 1 / m;
  p[BLOCK_P_LOAD] = weight * cosine;
  p[BLOCK_P_DOWN] = weight * sine;
  p[BLOCK_P_STATIC] = holding * p[BLOCK_P_LOAD];
  p[BLOCK_P_KINETIC] = kinetic * p[BLOCK_P_LOAD];
  p[BLOCK_P_INV_KINETIC] = 1 / p[BLOCK_P_KINETIC];

  /* Law, spring, belt and pull. */
  p[BLOCK_P_INV_SLIP_SPEED] = 1 / v[OMR_VP_DISC_SLIP_SPEED];
  p[BLOCK_P_STIFFNESS] = v[OMR_VP_BLOCK_STIFFNESS];
  p[BLOCK_P_BELT] = v[OMR_VP_BLOCK_BELT];
  p[BLOCK_P_FORCE] = v[OMR_VP_BLOCK_FORCE];
  p[BLOCK_P_PULL_RATE] = v[OMR_VP_BLOCK_PULL_RATE];
  p[BLOCK_P_FREQUENCY] = v[OMR_VP_BLOCK_FREQUENCY];

  /* Position and speed; times start as "never". */
  y[BLOCK_Y_X] = v[OMR_VP_INITIAL_X];
  y[BLOCK_Y_V] = v[OMR_VP_UK_SPEED];
  e[BLOCK_E_FIRST] = e[BLOCK_E_STOP_TIME] = -1;
  start(study, p, y);
  return true;
}

/* Kinetic energy, the spring's, and the height's above the place x = 0 on the plane. */
static double energy(const double *p, const double *y) {
  const double x = y[BLOCK_Y_X], v = y[BLOCK_Y_V];
  return 0.5 * (p[BLOCK_P_MASS] * v * v + p[BLOCK_P_STIFFNESS] * x * x) + p[BLOCK_P_DOWN] * x;
}

static void reduce(const omr_study *study, const double *p, const double *y, const double *e,
                   double time, double initial, double *o) {
  /* Times of the first slip and of the stop. */
  const bool exact = study->options[0] == BLOCK_LAW_SET_VALUED;
  const double first = exact ? y[BLOCK_Y_FIRST] : e[BLOCK_E_FIRST];
  const bool rests = y[BLOCK_Y_DIRECTION] == 0 && y[BLOCK_Y_REST] >= 0;
  const double stop = !exact ? e[BLOCK_E_STOP_TIME] : rests ? y[BLOCK_Y_REST] : -1;

  /* Motion and energy. */
  o[OMR_OBS_FINAL_X] = y[BLOCK_Y_X];
  o[OMR_OBS_FINAL_VX] = y[BLOCK_Y_V];
  omr_reduce_pulled(&(omr_pulled){p[BLOCK_P_MASS], initial, energy(p, y), y[BLOCK_Y_LOST],
                                  y[BLOCK_Y_WORK], e[BLOCK_E_SPEED], e[BLOCK_E_SLIP],
                                  e[BLOCK_E_TRACTION]},
                    o);

  /* Observables that exist only after their event. */
  if (time > 0) o[OMR_OBS_STUCK_SHARE] = y[BLOCK_Y_STUCK] / time;
  if (first >= 0) o[OMR_OBS_FIRST_SLIP] = first;
  if (stop >= 0) o[OMR_OBS_STOP_TIME] = stop;

  /* The set-valued law counts its slips. */
  if (exact) o[OMR_OBS_SLIPS] = y[BLOCK_Y_SLIPS];
  if (exact && y[BLOCK_Y_PERIOD] >= 0) o[OMR_OBS_STICK_SLIP_PERIOD] = y[BLOCK_Y_PERIOD];
}

/* Friction that grows with the slip decays fastest, and a spring oscillates. */
static double fastest_rate(const double *p) {
  return p[BLOCK_P_KINETIC] * p[BLOCK_P_INV_SLIP_SPEED] * p[BLOCK_P_INV_MASS] +
         sqrt(p[BLOCK_P_STIFFNESS] * p[BLOCK_P_INV_MASS]);
}

/* Scales of a block that moves by the order of a metre and a metre per second. Columns that only
 * jump have no error. */
static void scales(const double *p, double *scale) {
  for (int j = 0; j < sliding_block_motion; j++) scale[j] = 1;
  scale[BLOCK_Y_WORK] = scale[BLOCK_Y_LOST] = p[BLOCK_P_MASS];
}

OMR_SMALL_MODEL(SLIDING_BLOCK, sliding_block);
