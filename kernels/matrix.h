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
  for (int pivot = 0; pivot < n; pivot++) {
    real inverse = R(1.0) / m[pivot][pivot];
    for (int row = pivot + 1; row < n; row++) {
      real factor = m[row][pivot] * inverse;
      for (int j = pivot + 1; j < n; j++) m[row][j] = fma_real(-factor, m[pivot][j], m[row][j]);
      x[row] = fma_real(-factor, x[pivot], x[row]);
    }
  }
  for (int pivot = n - 1; pivot >= 0; pivot--) {
    for (int j = pivot + 1; j < n; j++) x[pivot] = fma_real(-m[pivot][j], x[j], x[pivot]);
    x[pivot] = x[pivot] / m[pivot][pivot];
  }
}
