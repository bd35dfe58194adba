/* Elementary functions of the kernel dialect, only from + - * / fma and integer operations on the
 * bits, so that every build gives the same bits
 * (explanation/same-bits.md#how-it-is-done). Include compat.h first.
 *
 * The polynomials are weighted minimax fits (Remez exchange, 70 digits), their coefficients rounded
 * one after the other from the lowest power up with the rest fitted again (exp: rounded at once);
 * the bound quoted holds for the rounded polynomial. The errors in ulp (units in the last place)
 * are measured, tests/unit/math_claims.inc. Rounding to an integer adds 1.5 * 2^52 (2^23): the sum
 * is a tie-to-even rounding and its low bits are the integer. */

#define OMR_MAGIC R_BY(12582912.0, 6755399441055744.0)
#define OMR_SIGN_SHIFT BY_PRECISION(31, 63)
#define OMR_EXPONENT_SHIFT BY_PRECISION(23, 52)
#define OMR_ONE_BITS ((sbits)BY_PRECISION(0x3f800000, 0x3ff0000000000000))
#define OMR_SIGN_BIT ((sbits)1 << OMR_SIGN_SHIFT)

/* c0 + c1 x + c2 x^2 ..., summed in pairs: half the dependency chain of Horner's rule. x2 is x^2.
 */
FN real poly3(real x, real x2, real c0, real c1, real c2) {
  return fma_real(c2, x2, fma_real(c1, x, c0));
}
FN real poly4(real x, real x2, real c0, real c1, real c2, real c3) {
  return fma_real(fma_real(c3, x, c2), x2, fma_real(c1, x, c0));
}
FN real poly6(real x, real x2, real c0, real c1, real c2, real c3, real c4, real c5) {
  return fma_real(poly4(x, x2, c2, c3, c4, c5), x2, fma_real(c1, x, c0));
}
/* Of degree 6, from its parts of degree 3 (low) and 2 (high, the coefficients from x^4 on). */
FN real poly7(real x2, real low, real high) {
  return fma_real(high, x2 * x2, low);
}

/* (sin x - x) / x^3 as polynomial of z = x^2, |x| <= pi/4: error relative to sin x 2^-57.9, single
 * 2^-27.9. */
FN real sin_poly(real z, real z2) {
#if OMR_SINGLE
  return poly3(z, z2, R(-0.166666552), R(0.00833218824), R(-0.000195180939));
#else
  return poly6(z, z2, R(-0.1666666666666663), R(0.00833333333332184), R(-0.00019841269829358525),
               R(2.7557313538509795e-06), R(-2.5050734387816978e-08), R(1.5895433168288157e-10));
#endif
}

/* (cos x - 1 + x^2/2) / x^4, |x| <= pi/4: error relative to cos x 2^-63.9, single 2^-33.0. */
FN real cos_poly(real z, real z2) {
#if OMR_SINGLE
  return poly3(z, z2, R(0.0416666456), R(-0.00138873095), R(2.44323273e-05));
#else
  return poly6(z, z2, R(0.041666666666666595), R(-0.0013888888888873325), R(2.4801587288983695e-05),
               R(-2.7557314210082507e-07), R(2.087570427216438e-09), R(-1.1358683389166452e-11));
#endif
}

/* Sine and cosine of h + l, |h| <= pi/4, |l| <= ulp(h)/2, turned by the quadrant in the low two
 * bits of j. */
FN void sincos_quadrant(real h, real l, ireal j, real *sine, real *cosine) {
  real z = h * h;
  real z2 = z * z;
  real leading = fma_real(R(-0.5), z, R(1.0));
  real rest = fma_real(R(-0.5), z, R(1.0) - leading); /* rounding loss of leading */
  real sh = h + fma_real(h * z, sin_poly(z, z2), l * leading);
  real ch = leading + fma_real(z2, cos_poly(z, z2), fma_real(-h, l, rest));
  mask odd = bit_test(j, 1);
  ireal sin_sign = (j << (OMR_SIGN_SHIFT - 1)) & OMR_SIGN_BIT;
  ireal cos_sign = ((j + (sbits)1) << (OMR_SIGN_SHIFT - 1)) & OMR_SIGN_BIT;
  *sine = bits_real(real_bits(select_real(odd, ch, sh)) ^ sin_sign);
  *cosine = bits_real(real_bits(select_real(odd, sh, ch)) ^ cos_sign);
}

/* Sine and cosine of x, error below 0.8 ulp for |x| <= 1e4 (single 1e3). Reduced by multiples of
 * pi/2 (their number is `turns`) in two parts: the first difference is exact, the rounding of the
 * second is carried along as l. The remaining absolute error, |turns| 1e-32 (single |turns| 5e-15),
 * shows only next to a zero; it stays that small for |x| < 1e9 (single 1e5). */
FN void sincos_real(real x, real *sine, real *cosine) {
  real high = R_BY(-1.57079637, -1.5707963267948966),
       low = R_BY(4.37113883e-08, -6.123233995736766e-17);
  real t = fma_real(x, R(0.63661977236758134), OMR_MAGIC);
  real turns = t - OMR_MAGIC;
  real rest = fma_real(turns, high, x);
  real h = fma_real(turns, low, rest);
  real l = fma_real(turns, low, rest - h);
  sincos_quadrant(h, l, real_bits(t), sine, cosine);
}

/* Sine and cosine of x for |x| <= 1.3, without reduction: half the operations of sincos_real, error
 * below 1.5 ulp. Polynomials: 2^-56.9 of sin x, 2^-61.2 of cos x (single 2^-29.7, 2^-33.2). Beyond,
 * the error grows smoothly, to 1e-10 (single 2e-5) at 2. */
FN void sincos_small(real x, real *sine, real *cosine) {
  real z = x * x;
  real z2 = z * z;
  real leading = fma_real(R(-0.5) * x, x, R(1.0));
#if OMR_SINGLE
  real p0 = R(-0.166666657), q0 = R(0.0416666642);
  real odd_part = poly3(z, z2, R(0.00833326392), R(-0.000198278154), R(2.65656672e-06));
  real q = poly3(z, z2, R(-0.0013888781), R(2.47858025e-05), R(-2.66003383e-07));
#else
  real p0 = R(-0.16666666666666635), q0 = R(0.04166666666666658);
  real odd_part =
      poly6(z, z2, R(0.008333333333328644), R(-0.00019841269838907666), R(2.755731865903628e-06),
            R(-2.5052035988029743e-08), R(1.6053934110752166e-10), R(-7.459665408009891e-13));
  real q =
      poly6(z, z2, R(-0.0013888888888880725), R(2.4801587298589723e-05), R(-2.7557318660034814e-07),
            R(2.087669723671039e-09), R(-1.1467135395249142e-11), R(4.663137520419678e-14));
#endif
  *sine = fma_real(x * z, fma_real(odd_part, z, p0), x);
  *cosine = fma_real(z2, fma_real(q, z, q0), leading);
}

/* sin(2 pi u), error below 0.8 ulp. u is reduced exactly before the multiplication, so that no
 * accuracy is lost at large u. */
FN real sin_turns(real u) {
  real high = R_BY(6.28318548, 6.2831853071795862),
       low = R_BY(-1.74845553e-07, 2.4492935982947064e-16);
  real f = u - round_real(u);
  real t = fma_real(f, R(4.0), OMR_MAGIC);
  real g = fma_real(t - OMR_MAGIC, R(-0.25), f);
  real h = g * high;
  real l = fma_real(g, low, fma_real(g, high, -h));
  real sine, cosine;
  sincos_quadrant(h, l, real_bits(t), &sine, &cosine);
  return sine;
}

/* x^-2 (exp x - 1 - x), |x| <= ln2/2: error relative to exp x - 1 2^-59.6, single 2^-28.7. */
FN real exp_poly(real x, real x2) {
#if OMR_SINGLE
  return poly6(x, x2, R(0.5), R(0.166666657), R(0.0416663624), R(0.00833338965), R(0.00139405578),
               R(0.000198456401));
#else
  real low =
      poly4(x, x2, R(0.5), R(0.16666666666666677), R(0.04166666666666651), R(0.008333333333321749));
  real high = poly7(
      x2,
      poly4(x, x2, R(0.0013888888888962088), R(0.00019841269885856861), R(2.4801587172707163e-05),
            R(2.7557244454764816e-06)),
      poly3(x, x2, R(2.755740266418844e-07), R(2.5108959319860248e-08), R(2.0875300031427976e-09)));
  return fma_real(high, x2 * x2, low);
#endif
}

/* power = round(x / ln2); exp(x - power ln2) - 1 is *exact_part + *rest, |*rest| much smaller.
 * Returns power + OMR_MAGIC. */
FN real exp_reduced(real x, real *exact_part, real *rest) {
  real high = R_BY(-0.693147182, -0.69314718055994529),
       low = R_BY(1.90465421e-09, -2.3190468138462996e-17);
  real t = fma_real(x, R(1.4426950408889634), OMR_MAGIC);
  real power = t - OMR_MAGIC;
  real exact = fma_real(power, high, x);
  real lost = power * low;
  real sum = exact + lost;
  real x2 = sum * sum;
  *exact_part = exact;
  *rest = fma_real(x2, exp_poly(sum, x2), lost);
  return t;
}

/* 2^n from t = n + OMR_MAGIC, for normal results. */
FN real exp2_magic(real t) {
  return bits_real((real_bits(t) << OMR_EXPONENT_SHIFT) + OMR_ONE_BITS);
}

/* exp(x) for every x, error below 0.8 ulp for normal results: gradual underflow to 0, overflow to
 * infinity, NaN for NaN. exp(0) = 1. */
FN real exp_real(real x) {
  real lowest = R_BY(-104.0, -746.0), highest = R_BY(89.0, 710.0);
  real exact, rest; /* the order of min and max lets NaN through */
  real t = exp_reduced(min_real(highest, max_real(lowest, x)), &exact, &rest);
  real one = R(1.0) + exact;
  real y = one + (((R(1.0) - one) + exact) + rest);
  real part = fma_real(t - OMR_MAGIC, R(0.5),
                       OMR_MAGIC); /* in two factors: 2^n itself can leave the normal range */
  real other = (t - part) + OMR_MAGIC;
  return y * exp2_magic(part) * exp2_magic(other);
}

/* tanh(x) = e / (e + 2), e = exp(2 |x|) - 1, error below 2 ulp; exactly odd, exactly +-1 at large
 * |x|. The quotient is taken of the rounded denominator d and d - 2; the loss of e by that enters
 * through its derivative 2 / d^2. */
FN real tanh_real(real x) {
  real highest = R_BY(20.0, 40.0);
  real exact, rest;
  real t = exp_reduced(min_real(highest, R(2.0) * abs_real(x)), &exact, &rest);
  real scale = exp2_magic(t);
  real d = fma_real(scale, exact + rest, scale + R(1.0));
  real e = d - R(2.0);
  real lost = fma_real(scale, rest, fma_real(scale, exact, (scale - R(1.0)) - e));
  real y = e / d;
  real g = R(1.0) - y; /* 2 / d */
  y = fma_real(R(0.5) * lost * g, g, y);
  return bits_real(real_bits(y) | (real_bits(x) & OMR_SIGN_BIT));
}

/* Natural logarithm of a normal positive x = 2^power m, sqrt(1/2) <= m < sqrt(2), from 2 atanh((m -
 * 1) / (m + 1)): error below 1 ulp, of the polynomial 2^-59.5 (single 2^-30.2). log(1) = 0. */
FN real log_real(real x) {
  sbits root_half = BY_PRECISION(0x3f3504f3, 0x3fe6a09e667f3bcd),
        exponent_bits = BY_PRECISION(0x4b000000, 0x4330000000000000);
  real bias = R_BY(8388735.0, 4503599627371519.0);
  real high = R_BY(0.693147182, 0.69314718055994529);
  real low = R_BY(-1.90465421e-09, 2.3190468138462996e-17);
  ireal bits = real_bits(x);
  ireal e =
      (bits + (OMR_ONE_BITS - root_half)) >> OMR_EXPONENT_SHIFT; /* power + bias of the exponent */
  real power = bits_real(e | exponent_bits) - bias;
  real f = bits_real((bits - (e << OMR_EXPONENT_SHIFT)) + OMR_ONE_BITS) - R(1.0);
  real ratio = f / (f + R(2.0));
  real z = ratio * ratio;
  real z2 = z * z;
#if OMR_SINGLE
  real series = z * poly3(z, z2, R(0.666667759), R(0.399775863), R(0.298706949));
#else
  real series =
      z * poly7(z2,
                poly4(z, z2, R(0.6666666666666734), R(0.39999999999416935), R(0.28571428741933436),
                      R(0.22222198616177583)),
                poly3(z, z2, R(0.18183562243301915), R(0.153141005462187), R(0.14795478375732038)));
#endif
  real square = R(0.5) * f * f;
  real rest = fma_real(ratio, square + series, fma_real(power, low, -square));
  real whole = fma_real(power, high, f);
  real lost = fma_real(power, high, -whole) + f;
  return whole + (lost + rest);
}
