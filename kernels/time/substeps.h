/* Lanes with shorter steps than the run's. A lane of r substeps takes r steps of its own, each an
 * r-th as long, where its neighbours take one, and meets the run's times exactly: r is a power of
 * two, so that step / r and until r are exact. */

/* The run's step over the lane's substeps. Chosen, not divided: a division need not be exact where
 * a device rounds in its own way, and a lane of one substep has the run's very step. */
FN real substep(real step, real substeps) {
  real shorter = select_real(gt(substeps, R(1.5)), step * R(0.5), step);
  return select_real(gt(substeps, R(3.0)), step * R(0.25), shorter);
}
