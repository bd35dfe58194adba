#include "loads.h"

bool omr_plane_loads(const double (*place)[2], int count, const double carried[3], double *loads) {
  /* The normal equations of a plane through the loads; equal loads for a start. */
  double m[3][4] = {{0}}, nu[3], whole[3];
  for (int i = 0; i < count; i++) {
    loads[i] = carried[0] / count;
    const double row[3] = {1, place[i][0], place[i][1]};
    for (int r = 0; r < 3; r++) {
      for (int c = 0; c < 3; c++) m[r][c] += row[r] * row[c];
    }
  }

  /* Elimination; a small pivot shows points on a line. */
  for (int r = 0; r < 3; r++) {
    m[r][3] = carried[r];
    whole[r] = m[r][r];
  }
  for (int p = 0; p < 3; p++) { /* positive definite: rows need no exchange */
    if (!(m[p][p] > 1e-14 * whole[p])) return false;
    for (int r = p + 1; r < 3; r++) {
      for (int c = 3; c >= p; c--) m[r][c] -= m[r][p] / m[p][p] * m[p][c];
    }
  }

  /* Substitution gives the plane. */
  for (int r = 2; r >= 0; r--) {
    nu[r] = m[r][3];
    for (int c = r + 1; c < 3; c++) nu[r] -= m[r][c] * nu[c];
    nu[r] /= m[r][r];
  }

  for (int i = 0; i < count; i++) loads[i] = nu[0] + nu[1] * place[i][0] + nu[2] * place[i][1];
  return true;
}
