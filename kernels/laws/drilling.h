/* Contensou's coupling of sliding and drilling on a round area of contact of radius eps, pressed as
 * by Hertz (P. Contensou, Kreiselprobleme, IUTAM symposium 1962, Springer 1963, 201-216): Coulomb
 * friction at each place of it, integrated. With the slip speed |v|, u = eps |omega_n| and m the
 * larger of both, force and moment per unit of mu N are P |v|/m and eps Q u/m; P and Q are
 * polynomials of the square of the smaller speed over the larger one, exact for u >= |v|, within
 * 2e-4 beyond, with continuous derivatives (appendix/laws.md#friction). */

/* Speeds of a contact that slides and drills. */
typedef struct drilling {
  real inverse; /* 1/m, s/m */
  real square;  /* of the smaller speed over the larger one */
  mask slides;  /* more than it drills */
} drilling;

FN drilling weigh_drilling(real slip, real drill) {
  drilling d;
  d.inverse = R(1.0) / max_real(max_real(slip, drill), R(1e-30));
  real ratio = min_real(slip, drill) * d.inverse;
  d.square = ratio * ratio;
  d.slides = gt(slip, drill);
  return d;
}

/* c_0 + c_1 x + ... + c_4 x^4. */
FN real drilling_series(real x, real c0, real c1, real c2, real c3, real c4) {
  return fma_real(x, fma_real(x, fma_real(x, fma_real(x, c4, c3), c2), c1), c0);
}

/* P/m (appendix/laws.md#friction). */
FN real drilling_force(const drilling *d) {
  real x = d->square;
  real far = drilling_series(x, R(0.1), R(0.01071428571428571428), R(0.00682402439290156452),
                             R(-0.01091773067632857154), R(0.00980648674701194441));
  real near = fma_real(R(-0.29452431127404311611), x, R(1.17809724509617246442));
  return d->inverse * select_real(d->slides, fma_real(-x, far, R(1.0)), near);
}

/* How the force grows with the slip speed, per unit of mu N (appendix/laws.md#friction). */
FN real drilling_force_slope(const drilling *d) {
  real x = d->square;
  real far = drilling_series(x, R(0.2), R(0.04285714285714285714), R(0.04094414635740938712),
                             R(-0.08734184541062857231), R(0.09806486747011944415));
  real near = fma_real(R(-0.88357293382212934832), x, R(1.17809724509617246442));
  return d->inverse * select_real(d->slides, x * far, near);
}

/* Q/m (appendix/laws.md#friction). */
FN real drilling_moment(const drilling *d) {
  real x = d->square;
  real far = drilling_series(x, R(0.2), R(0.01428571428571428571), R(0.00818882927148187742),
                             R(-0.01247740648723265319), R(0.01089609638556882713));
  real near = R(0.58904862254808623221) * fma_real(x, fma_real(R(0.375), x, R(-1.0)), R(1.0));
  return d->inverse * select_real(d->slides, far, near);
}
