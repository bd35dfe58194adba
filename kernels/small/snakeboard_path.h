/* A snakeboard that steers along a curve (appendix/small.md#models). With phi_b = -phi_f the
 * board moves along its coupler and turns by tan(phi_f)/l per length of its way: wheelsets at tan
 * phi_f = l kappa keep its midpoint on a curve of the curvature kappa. The curve's parameter is a
 * state, tau' = u/|C'|. Curves are sums of two harmonics and a drift, eta to the left:
 *
 *   C = (x_0 tau + x_1 cos p tau + x_2 cos q tau, z_1 sin p tau + z_2 sin q tau). */

/* At a point of the curve: l kappa and its derivatives by tau, |C'| and C'.C''. */
typedef struct snake_curve {
  real bend, change, second, pace, along;
} snake_curve;

/* From the first four derivatives of both coordinates (appendix/small.md#models). */
FN void snakeboard_bend(real length, const real x[4], const real z[4], snake_curve *curve) {
  real square = fma_real(x[0], x[0], z[0] * z[0]), inverse = R(1.0) / square;
  curve->pace = sqrt_real(square);
  curve->along = fma_real(x[0], x[1], z[0] * z[1]);
  real turn = fma_real(x[0], z[1], -(z[0] * x[1])), turn1 = fma_real(x[0], z[2], -(z[0] * x[2]));
  real turn2 = fma_real(x[1], z[2], fma_real(x[0], z[3], -fma_real(z[1], x[2], z[0] * x[3])));
  real along1 = fma_real(x[1], x[1], fma_real(z[1], z[1], fma_real(x[0], x[2], z[0] * z[2])));
  real part = length * inverse / curve->pace, fade = R(3.0) * curve->along * inverse;
  curve->bend = part * turn;
  curve->change = part * fma_real(-fade, turn, turn1);
  /* (turn1 - fade turn)', with fade' = 3 along1/v^2 - 2/3 fade^2 and part' = -fade part */
  real fading = fma_real(R(3.0) * along1, inverse, R(-2.0) / R(3.0) * fade * fade);
  curve->second = part * (fma_real(-fading, turn, fma_real(-fade, turn1, turn2)) -
                          fade * fma_real(-fade, turn, turn1));
}

/* The curve at tau. */
FN void snakeboard_curve(const real *p, real tau, snake_curve *curve) {
  real first = p[SNAKE_P_PATH_FIRST], second = p[SNAKE_P_PATH_SECOND], s1, c1, s2, c2;
  sincos_real(first * tau, &s1, &c1);
  sincos_real(second * tau, &s2, &c2);
  real x1 = p[SNAKE_P_PATH_X1] * first, x2 = p[SNAKE_P_PATH_X2] * second,
       z1 = p[SNAKE_P_PATH_Z1] * first, z2 = p[SNAKE_P_PATH_Z2] * second, x[4], z[4];
  x[0] = p[SNAKE_P_PATH_DRIFT] - fma_real(x1, s1, x2 * s2);
  z[0] = fma_real(z1, c1, z2 * c2);
  x1 = x1 * first, x2 = x2 * second, z1 = z1 * first, z2 = z2 * second;
  x[1] = -fma_real(x1, c1, x2 * c2);
  z[1] = -fma_real(z1, s1, z2 * s2);
  x1 = x1 * first, x2 = x2 * second, z1 = z1 * first, z2 = z2 * second;
  x[2] = fma_real(x1, s1, x2 * s2);
  z[2] = -fma_real(z1, c1, z2 * c2);
  x1 = x1 * first, x2 = x2 * second, z1 = z1 * first, z2 = z2 * second;
  x[3] = fma_real(x1, c1, x2 * c2);
  z[3] = fma_real(z1, s1, z2 * s2);
  snakeboard_bend(p[SNAKE_P_HALF_LENGTH], x, z, curve);
}

/* The rear wheelset mirrors the front one. */
FN void snakeboard_mirror(const snake_angle *f, snake_angle *b) {
  b->at = -f->at;
  b->rate = -f->rate;
  b->acceleration = -f->acceleration;
  b->sine = -f->sine;
  b->cosine = f->cosine;
}

/* Angles of the wheelsets on the curve, their rates and accelerations; returns tau'
 * (appendix/small.md#models). */
FN real snakeboard_follow(const real *p, const real *y, real rotor, snake_angle *f,
                          snake_angle *b) {
  snake_curve curve;
  snake_direction n;
  snakeboard_curve(p, y[SNAKE_Y_TRAVEL], &curve);
  /* The angle gives the speed, this the rate of the angle. */
  real inverse = R(1.0) / fma_real(curve.bend, curve.bend, R(1.0)), slope = curve.change * inverse;
  f->cosine = sqrt_real(inverse);
  f->sine = curve.bend * f->cosine;
  f->at = atan2_real(curve.bend, R(1.0));
  f->rate = f->acceleration = R(0.0);
  snakeboard_mirror(f, b);
  snakeboard_direction(p, f, b, &n);
  real inv = R(1.0) / sqrt_real(n.m), sigma = y[SNAKE_Y_MOMENTUM] * inv, over = R(1.0) / curve.pace;
  real pass = sigma * n.u * over;
  f->rate = slope * pass;
  snakeboard_mirror(f, b);
  snakeboard_direction(p, f, b, &n);
  /* The rate's derivative contains the speed's, which steering both ways does not change. */
  real push = -(n.yaw * inv) * p[SNAKE_P_ROTOR] * rotor;
  real change = fma_real(-sigma, n.dm * inv, push) * inv;
  real hurry = fma_real(change, n.u, sigma * n.du) * over - pass * pass * curve.along * over * over;
  real bow = fma_real(R(-2.0) * curve.bend * slope, curve.change, curve.second) * inverse;
  f->acceleration = fma_real(bow * pass, pass, slope * hurry);
  snakeboard_mirror(f, b);
  return pass;
}
