/* Small dense systems of lane packs. */

FN real determinant_3x3(real m[3][3]) {
  real c0 = fma_real(m[1][1], m[2][2], -(m[1][2] * m[2][1]));
  real c1 = fma_real(m[1][2], m[2][0], -(m[1][0] * m[2][2]));
  real c2 = fma_real(m[1][0], m[2][1], -(m[1][1] * m[2][0]));
  return fma_real(m[0][0], c0, fma_real(m[0][1], c1, m[0][2] * c2));
}

/* x := m^-1 x for the first n unknowns, by elimination without pivots: for matrices whose diagonals
 * dominate. m is lost. */
FN void solve_wheels(int n, real m[WHEELS_MAX][WHEELS_MAX], real x[WHEELS_MAX]) {
  for (int k = 0; k < n; k++) {
    real inverse = R(1.0) / m[k][k];
    for (int r = k + 1; r < n; r++) {
      real factor = m[r][k] * inverse;
      for (int j = k + 1; j < n; j++) m[r][j] = fma_real(-factor, m[k][j], m[r][j]);
      x[r] = fma_real(-factor, x[k], x[r]);
    }
  }
  for (int k = n - 1; k >= 0; k--) {
    for (int j = k + 1; j < n; j++) x[k] = fma_real(-m[k][j], x[j], x[k]);
    x[k] = x[k] / m[k][k];
  }
}
