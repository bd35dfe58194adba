/* Angles from their sines and cosines, only by + - * / (kernels/mathfn.h). */

/* atan z for 0 <= z <= 1, absolute error below 2e-16. From the nearest of the angles 0, pi/8, pi/4:
 * the rest is below tan(pi/16) = 0.199, where 12 terms of the series suffice. */
FN real atan_unit(real z) {
  mask past = gt(z, R(0.198912367379658)),
       far = gt(z, R(0.66817863791929892)); /* tan(pi/16), tan(3 pi/16) */
  real from =
      select_real(far, R(1.0), select_real(past, R(0.41421356237309503), R(0.0))); /* tan(pi/8) */
  real angle =
      select_real(far, R(0.78539816339744828), select_real(past, R(0.39269908169872414), R(0.0)));
  real u = (z - from) / fma_real(z, from, R(1.0)), u2 = u * u;
  real sum = R(-0.043478260869565216);
  sum = fma_real(sum, u2, R(0.047619047619047616));
  sum = fma_real(sum, u2, R(-0.052631578947368418));
  sum = fma_real(sum, u2, R(0.058823529411764705));
  sum = fma_real(sum, u2, R(-0.066666666666666666));
  sum = fma_real(sum, u2, R(0.076923076923076927));
  sum = fma_real(sum, u2, R(-0.090909090909090912));
  sum = fma_real(sum, u2, R(0.1111111111111111));
  sum = fma_real(sum, u2, R(-0.14285714285714285));
  sum = fma_real(sum, u2, R(0.2));
  sum = fma_real(sum, u2, R(-0.33333333333333331));
  return angle + fma_real(u * u2, sum, u);
}

/* Angle of (cosine, sine) in [-pi, pi], 0 at the origin: absolute error below 6e-16. */
FN real atan2_real(real sine, real cosine) {
  real a = abs_real(sine), b = abs_real(cosine), low = min_real(a, b), high = max_real(a, b);
  real angle = atan_unit(low / select_real(gt(high, R(0.0)), high, R(1.0)));
  angle = select_real(gt(a, b), R(1.5707963267948966) - angle, angle);
  angle = select_real(lt(cosine, R(0.0)), R(3.1415926535897931) - angle, angle);
  return select_real(lt(sine, R(0.0)), -angle, angle);
}
