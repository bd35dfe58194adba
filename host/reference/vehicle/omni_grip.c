/* Slides of the wheels of an omni vehicle, of which those count that outlast the time in which
 * friction spins a new roller up (appendix/observables.md#observables). Looks at both sides of
 * every event, with straight lines between them. */
#include "omni.h"
#include "study/own_names.h"

static const omr_vec up = {0, 1, 0};

void omr_omni_start_grip(omr_omni *omni) {
  omni->looks_at_grip = omr_may_lose_grip(omni->study);
  for (int i = 0; i < omni->wheels; i++) {
    const double *v = omni->values.wheel[i], given = v[OMR_WP_GRIP_SPEED];
    omni->grip[i] = (omr_omni_grip){.speed = isnan(given) ? v[OMR_WP_SLIP_SPEED] : given};
  }
}

/* Part of the time between two looks in which the slip speed is above the wheel's. */
static double part_above(const omr_omni_grip *g, double slip) {
  const double least = fmin(g->slip, slip), most = fmax(g->slip, slip);
  if (least > g->speed) return 1;
  return most > g->speed ? (most - g->speed) / (most - least) : 0;
}

/* across: the part of the slip that the roller's spin could take off. */
static void look_at_wheel(omr_omni_grip *g, double time, double slip, double across,
                          double spins_up) {
  /* the stretch since the last look */
  const double slid = part_above(g, slip) * (time - g->time);
  if (g->slip > g->speed)
    g->left -= slid * g->spins_up;
  else
    g->left = across;
  g->slide += slid;

  /* a slide that is over counts, or does not */
  if (!(slip > g->speed)) {
    if (g->left < 0) g->lost += g->slide;
    g->slide = 0;
  }

  g->time = time;
  g->slip = slip;
  g->spins_up = spins_up;
}

void omr_omni_look_at_grip(omr_omni *omni, const omr_mb *mb) {
  for (int i = 0; i < omni->wheels; i++) {
    const omr_omni_wheel *w = &omni->wheel[i];
    const omr_omni_contact c = omr_omni_contact_of(w, mb);
    const double load = omr_omni_load_of(w, mb);
    const double square = w->soft ? c.most_slip : c.slip_i * c.slip_i + c.slip_k * c.slip_k;

    /* a wheel without rollers has none to spin up: its slides always count */
    if (w->disc) {
      look_at_wheel(&omni->grip[i], mb->time, load > 0 ? sqrt(square) : 0, -1, 0);
      continue;
    }

    /* friction across the roller's axis, and its lever about that axis */
    const omr_vec axis = omr_times(&mb->frame[c.body].t, omr_vec_of(1, 0, 0)),
                  across = omr_unit(omr_cross(axis, up));
    const double lever = omr_dot(omr_cross(axis, c.point.d), across);
    const double limit = omr_omni_friction_under(w, mb, &c) * load;

    look_at_wheel(&omni->grip[i], mb->time, load > 0 ? sqrt(square) : 0,
                  fabs(omr_dot(c.velocity, across)),
                  0.5 * limit * lever * lever / w->roller_inertia);
  }
}
