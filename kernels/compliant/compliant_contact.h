/* Contacts of vehicles on compliant contacts: each roller that reaches the floor is one of its own,
 * whose load follows from how deep it is (appendix/springs.md#springs). Vectors of a wheel are
 * along its axes (i, j, k), j being the body's own vertical. */

#if OMR_COMPLIANT

/* From body axes (x, y, z) to wheel axes, and back. Both are vectors of three components. */
FN vector3 to_wheel(const real *w, vector3 a) {
  return vector_of(fma_real(a.i, w[W_COS], -(a.k * w[W_SIN])), a.j,
                   fma_real(a.i, w[W_SIN], a.k * w[W_COS]));
}

FN vector3 to_body(const real *w, vector3 a) {
  return vector_of(fma_real(a.i, w[W_COS], a.k * w[W_SIN]), a.j,
                   fma_real(a.k, w[W_COS], -(a.i * w[W_SIN])));
}

/* The rollers of a wheel that may carry: the nearest to the floor, and its neighbours, number less
 * one and plus one (appendix/springs.md#springs). */
enum { ROLLER_NEAREST, ROLLER_BEFORE, ROLLER_AFTER, ROLLERS_LOOKED_AT };

/* How many of them may touch: a disc has no neighbours, and a wheel on a soft spring stands only on
 * the nearest roller. */
FN int rollers_touching(GLOBAL const int *c, int i) {
  const int one = SETTING(c, CONTACT) == CONTACT_DISC || is_bare(c, i) || is_tracked(c, i);
  return one ? 1 : ROLLERS_LOOKED_AT;
}

/* How the platform lies and moves. */
typedef struct attitude {
  real sin_pitch, cos_pitch, sin_roll, cos_roll;
  vector3 up;               /* the normal of the floor's mean plane, body axes */
  vector3 lift;             /* the direction against gravity, body axes: `up` but on a slope */
  vector3 world_x, world_z; /* the world's axes, body axes; only of a floor with a profile */
  vector3 velocity;         /* of the body origin, body axes */
  vector3 turn;             /* angular velocity, body axes */
} attitude;

FN attitude attitude_of(const real *y) {
  attitude a;
  sincos_real(y[Y_PITCH], &a.sin_pitch, &a.cos_pitch);
  sincos_real(y[Y_ROLL], &a.sin_roll, &a.cos_roll);
  a.up = vector_of(a.sin_pitch, a.cos_pitch * a.cos_roll, -(a.cos_pitch * a.sin_roll));
  a.lift = a.up;
  a.world_x = a.world_z = vector_of(R(0.0), R(0.0), R(0.0)); /* look_along_floor */
  a.velocity = vector_of(y[Y_VX], y[Y_VY], y[Y_VZ]);
  a.turn = vector_of(y[Y_ROLL_RATE], y[Y_OMEGA], y[Y_PITCH_RATE]);
  return a;
}

/* A wheel as its contacts see it, in its own axes. */
typedef struct wheel_motion {
  const real *w;              /* its parameters, of wheel_at */
  vector3 up, velocity, turn; /* of the vehicle */
  vector3 centre;             /* of the wheel, from the body origin */
  real sin_q, cos_q;          /* of the contact angle of the nearest roller */
  real rate;
  int law, bare, fork; /* of contact; no rollers; it swivels */
  real sag;            /* by which the spring of a tracking wheel is compressed at height 0, m */
  real inv_flat;       /* 1/|up x k| */
  real height;         /* of the body origin over the floor */
  real row; /* axial displacement of the nearest roller's row; its neighbours stand in the other */
  vector3 world_x,
      world_z; /* the world's axes, and the place of the body origin: of a floor with a */
  real x, z;   /* only with a profile */
} wheel_motion;

/* w: of wheel_at, whose place along and across the axle is the swivel axis's. */
FN wheel_motion wheel_motion_of(const real *w, GLOBAL const int *c, const attitude *a,
                                const real *y, int i) {
  wheel_motion m;
  m.w = w;
  m.up = to_wheel(w, a->up);
  m.velocity = to_wheel(w, a->velocity);
  m.turn = to_wheel(w, a->turn);
  m.centre = vector_of(w[W_ALONG], w[W_RADIUS], w[W_ACROSS]);
  if (SETTING(c, SUSPENSION)) {
    m.centre.j = m.centre.j + y[Y_TRAVEL(i)];
    m.velocity.j = m.velocity.j + y[Y_TRAVEL_RATE(i)];
  }
  m.fork = swivels(c, i);
  if (m.fork) { /* the fork has the angle */
    m.centre.i = m.centre.i - w[W_TRAIL];
    m.sin_q = R(0.0);
    m.cos_q = R(1.0);
  } else {
    sincos_small(y[Y_Q(i)], &m.sin_q, &m.cos_q);
  }
  m.rate = y[Y_RATE(i)];
  m.law = law_of(c, i);
  m.bare = SETTING(c, CONTACT) == CONTACT_DISC || is_bare(c, i);
  m.sag = is_tracked(c, i) ? w[W_TRACKED_SAG] : R(0.0);
  m.inv_flat = R(1.0) / sqrt_real(fma_real(m.up.i, m.up.i, m.up.j * m.up.j));
  m.height = y[Y_HEIGHT];
  m.row = R(0.0); /* the caller's */
  m.world_x = m.world_z = vector_of(R(0.0), R(0.0), R(0.0));
  m.x = m.z = R(0.0);
  if (SETTING(c, FLOOR) & FLOOR_PROFILE) {
    m.world_x = to_wheel(w, a->world_x);
    m.world_z = to_wheel(w, a->world_z);
    m.x = y[Y_X];
    m.z = y[Y_Z];
  }
  return m;
}

/* Angles of the rollers looked at from straight down. */
FN void roller_angles(const real *w, const wheel_motion *m, real sine[ROLLERS_LOOKED_AT],
                      real cosine[ROLLERS_LOOKED_AT]) {
  const real cos_pitch = w[W_COS_PITCH], sin_pitch = w[W_SIN_PITCH];
  sine[ROLLER_NEAREST] = m->sin_q;
  cosine[ROLLER_NEAREST] = m->cos_q;
  sine[ROLLER_BEFORE] = fma_real(m->sin_q, cos_pitch, -(m->cos_q * sin_pitch));
  cosine[ROLLER_BEFORE] = fma_real(m->cos_q, cos_pitch, m->sin_q * sin_pitch);
  sine[ROLLER_AFTER] = fma_real(m->sin_q, cos_pitch, m->cos_q * sin_pitch);
  cosine[ROLLER_AFTER] = fma_real(m->cos_q, cos_pitch, -(m->sin_q * sin_pitch));
}

/* Rate at which the contact runs along a tyre's rim, rad/s: by the wheel and by its carrier
 * (appendix/laws.md#friction). */
FN real rolling_rate(const wheel_motion *m) {
  return m->rate + m->turn.k;
}

/* The directions along which slip is counted: along n x k and across it. */
FN void slip_axes(const wheel_motion *m, vector3 *tau_i, vector3 *tau_k) {
  real a = m->up.j * m->inv_flat, b = -(m->up.i * m->inv_flat);
  *tau_i = vector_of(a, b, R(0.0));
  *tau_k = vector_of(b * m->up.k, -(a * m->up.k), fma_real(a, m->up.j, -(b * m->up.i)));
}

/* Where a roller is nearest to the floor (appendix/springs.md#springs). */
typedef struct touch {
  vector3 axis;  /* e; of a fork the upright */
  vector3 spot;  /* the deepest point of the roller, from the wheel's centre */
  vector3 swing; /* e x (the point from the roller's centre): its velocity per phi' */
  real depth;    /* how far it is in the floor, m; on a profile the vertical gap */
  real steep;    /* on a profile: 1 over the vertical part of its normal */
} touch;

/* sine, cosine: of the roller's angle from straight down; row: axial displacement of its row. The
 * profile is the envelope of appendix/rollers.md#contact-point, cut at its ends, whose
 * normal at the axial component `along` of the floor's normal is known in closed form
 * (appendix/springs.md#springs). A disc is such a body about the wheel's own axle, all end:
 * it touches with the lowest point of its edge, and has no spin (omr_fold_compliant_disc). A fork,
 * which turns about the upright, stands in the place of a roller. */
FN touch touch_of(const real *w, GLOBAL const int *c, const wheel_motion *m, real sine, real cosine,
                  real row) {
  touch t;
  t.axis = vector_of(w[W_COS_PSI] * cosine, w[W_COS_PSI] * sine, w[W_SIN_PSI]);
  real along = dot3(t.axis, m->up);
  real sin_t = clamp_real(along * w[W_INV_COS_PSI], -w[W_SIN_END], w[W_SIN_END]);
  real inv_cos = R(1.0) / sqrt_real(fma_real(-sin_t, sin_t, R(1.0)));
  real foot = w[W_CENTER] * inv_cos; /* R_1/cos: from the wheel's centre to the foot on the axis */
  real height = (w[W_RADIUS] - foot) - w[W_FILLET];
  real normal_along = sin_t * w[W_COS_PSI];

  /* axial place of the point, and its distance from the axis over the floor normal's */
  real place = fma_real(height, normal_along, foot * sin_t * w[W_INV_COS_PSI]);
  real across = max_real(fma_real(-along, along, R(1.0)), R(1e-12));
  real ratio =
      height * sqrt_real(max_real(fma_real(-normal_along, normal_along, R(1.0)), R(0.0)) / across);
  real reach = ratio + (w[W_FILLET] - w[W_UNDERSIZE]);
  t.spot = vector_of(w[W_CENTER] * sine, -(w[W_CENTER] * cosine), row);
  t.spot = added3(t.spot, fma_real(ratio, along, -place), t.axis);
  t.spot = added3(t.spot, -reach, m->up);
  vector3 turned = cross3(t.axis, m->up);
  t.swing = vector_of(-(reach * turned.i), -(reach * turned.j), -(reach * turned.k));
  if (m->bare) t.swing = vector_of(R(0.0), R(0.0), R(0.0));
  if (m->fork) {
    t.axis = vector_of(R(0.0), R(1.0), R(0.0));
    t.swing = vector_of(t.spot.k, R(0.0), w[W_TRAIL] - t.spot.i);
  }
  t.depth = -((dot3(m->up, m->centre) + m->height) + dot3(m->up, t.spot));
  if (KINDS_OF(c) & KINDS_TRACKED) t.depth = t.depth + m->sag;
  t.steep = R(1.0);
  return t;
}

/* The profile around a place at which it is known, up to its curvature. */
typedef struct floor_near {
  floor_spot at;
  real x, z;
} floor_near;

/* Height of the profile at (x, z), and its slopes there. */
FN real floor_beside(const floor_near *f, real x, real z, real *slope_x, real *slope_z) {
  real dx = x - f->x, dz = z - f->z;
  real bent_x = fma_real(f->at.xx, dx, f->at.xz * dz),
       bent_z = fma_real(f->at.xz, dx, f->at.zz * dz);
  *slope_x = f->at.x + bent_x;
  *slope_z = f->at.z + bent_z;
  real rise =
      fma_real(fma_real(R(0.5), bent_x, f->at.x), dx, fma_real(R(0.5), bent_z, f->at.z) * dz);
  return f->at.height + rise;
}

/* Turns `up` of m, the normal of the mean plane, to the normal of a profile with these slopes;
 * returns 1 over its part along the former. */
FN real lean(vector3 up, real slope_x, real slope_z, wheel_motion *m) {
  real squares = fma_real(slope_x, slope_x, fma_real(slope_z, slope_z, R(1.0)));
  real steep = sqrt_real(squares), flat = R(1.0) / steep;
  vector3 normal = added3(added3(up, -slope_x, m->world_x), -slope_z, m->world_z);
  m->up = vector_of(flat * normal.i, flat * normal.j, flat * normal.k);
  m->inv_flat = R(1.0) / sqrt_real(fma_real(m->up.i, m->up.i, m->up.j * m->up.j));
  return steep;
}

/* How often the profile is looked at, and how often each time the roller is turned to it. */
enum { PROFILE_LOOKS = 2, PROFILE_TURNS = 4 };

/* touch_of on a floor with a profile: where the roller's normal equals the normal of the profile
 * below. m is left with the normal there (appendix/springs.md#floors). */
FN touch touch_profile(const parameters *p, GLOBAL const int *c, const real *w, wheel_motion *m,
                       real sine, real cosine, real row) {
  const vector3 up = m->up;
  const real top = floor_parameter(p, c, F_TOP);
  touch t = touch_of(w, c, m, sine, cosine, row);
  t.depth = t.depth + top;

  /* a roller above the floor's highest place hangs there, whatever its neighbours do */
  const real over_top = t.depth;
  const mask reaches = gt(over_top, R(0.0));
  if (!any_lane(reaches)) return t;
  real low = R(0.0), slope_x = R(0.0), slope_z = R(0.0), height = R(0.0);
  for (int look = 0; look < PROFILE_LOOKS; look++) {
    floor_near f;
    vector3 spot = added3(m->centre, R(1.0), t.spot);
    f.x = m->x + dot3(m->world_x, spot);
    f.z = m->z + dot3(m->world_z, spot);
    floor_at(p, c, f.x, f.z, &f.at);
    slope_x = f.at.x;
    slope_z = f.at.z;
    for (int turn = 0; turn < PROFILE_TURNS; turn++) {
      lean(up, slope_x, slope_z, m);
      t = touch_of(w, c, m, sine, cosine, row);
      spot = added3(m->centre, R(1.0), t.spot);
      height = floor_beside(&f, m->x + dot3(m->world_x, spot), m->z + dot3(m->world_z, spot),
                            &slope_x, &slope_z);
      low = dot3(up, spot) + m->height;
    }
  }
  t.steep = lean(up, slope_x, slope_z, m);
  t.depth = select_real(reaches, height - low, over_top);
  if (KINDS_OF(c) & KINDS_TRACKED) t.depth = select_real(reaches, t.depth + m->sag, over_top);
  return t;
}

/* Force of a contact and its effects. */
typedef struct pressing {
  real load, force_i, force_k; /* along the floor's normal, tau_i and tau_k */
  real slip_i, slip_k, slip2;
  vector3 force; /* wheel axes */
  real on_spin;  /* torque about the roller's axis */
  real lost;     /* power lost */
  real friction; /* coefficient */
} pressing;

/* Load of a contact at this depth, which grows at this rate, m/s; steep: as in touch; *spring: the
 * load of the spring without the damper (appendix/springs.md#springs). */
FN real contact_load(const real *w, GLOBAL const int *c, real depth, real steep, real deepens,
                     real *spring) {
  real deep = max_real(depth, R(0.0));
  real bent = deep;
  if (SETTING(c, HERTZ)) bent = deep * sqrt_real(deep);
  *spring = w[W_CONTACT_STIFFNESS] * bent;
  if (SETTING(c, FLOOR) & FLOOR_PROFILE) *spring = *spring * steep;
  real load;
  if (SETTING(c, KELVIN_VOIGT))
    load = fma_real(w[W_CONTACT_DAMPING], deepens, *spring);
  else
    load = *spring * fma_real(w[W_CROSSLEY], deepens, R(1.0));
  return select_real(gt(depth, R(0.0)), max_real(load, R(0.0)), R(0.0));
}

/* roll: phi', the rate of the roller relative to its wheel; at: as for ground_friction. z: of
 * its bristles, looked at where the law has them (appendix/springs.md#springs). */
FN pressing press(const parameters *p, GLOBAL const int *c, const real *w, const wheel_motion *m,
                  const touch *t, real roll, const place *at, deflection z) {
  pressing f;
  vector3 from_origin = added3(m->centre, R(1.0), t->spot);
  vector3 moves = added3(m->velocity, R(1.0), cross3(m->turn, from_origin));
  moves = added3(moves, m->rate, vector_of(-t->spot.j, t->spot.i, R(0.0)));
  moves = added3(moves, roll, t->swing);
  real spring, deepens = -dot3(m->up, moves);
  f.load = contact_load(w, c, t->depth, t->steep, deepens, &spring);
  vector3 tau_i, tau_k;
  slip_axes(m, &tau_i, &tau_k);
  f.slip_i = dot3(tau_i, moves);
  f.slip_k = dot3(tau_k, moves);
  f.slip2 = fma_real(f.slip_i, f.slip_i, f.slip_k * f.slip_k);
  contact under;
  under.offset = -t->spot.k; /* all that patches ask of it */
  f.friction = ground_friction(p->v, c, w, &under, at);
  slippage slip = {f.slip_i, f.slip_k, f.slip2, rolling_rate(m), R(0.0)};
  real unit_i, unit_k;
  push per_load;
  if (HAS_BRISTLES(c)) {
    const bending b = bend_bristles(w, f.friction, slip, gt(f.load, R(0.0)), z.bent);
    per_load = bristle_force(w, &b, slip, z.bent);
    unit_i = per_load.i;
    unit_k = per_load.k;
    z.bends[0] = b.i;
    z.bends[1] = b.k;
  } else {
    per_load = law_force(m->law, w, c, f.friction, slip, &unit_i, &unit_k);
  }
  f.force_i = f.load * unit_i;
  f.force_k = f.load * unit_k;
  f.force = added3(
      added3(vector_of(f.load * m->up.i, f.load * m->up.j, f.load * m->up.k), f.force_i, tau_i),
      f.force_k, tau_k);
  f.on_spin = dot3(t->swing, f.force);
  f.lost = fma_real(f.load - spring, deepens, f.load * per_load.gain * per_load.dissipation);
  return f;
}

#endif
