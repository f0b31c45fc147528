/* Private histograms: each thread counts into its own, and adds that to the common
 * one when it is done: an atomic addition for each bin instead of one for each
 * pair. */
float sqrtf(float), rintf(float);

void
count_pairs(unsigned long long *counts, int n_bins, float bins_per_angstrom,
            const float *x, const float *y, const float *z, int n_atoms, int first,
            int end, float ex, float ey, float ez, unsigned long long *scratch,
            int thread, int n_threads)
{
  unsigned long long *mine = scratch + (long)thread * n_bins;
  float fx = 1.0f / ex, fy = 1.0f / ey, fz = 1.0f / ez;
  for (int bin = 0; bin < n_bins; bin++)
    mine[bin] = 0;
  for (int i = first + thread; i < end; i += n_threads)
    for (int j = i + 1; j < n_atoms; j++) {
      float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
      dx -= ex * rintf(dx * fx);
      dy -= ey * rintf(dy * fy);
      dz -= ez * rintf(dz * fz);
      float bin = sqrtf(dx * dx + dy * dy + dz * dz) * bins_per_angstrom;
      if (bin < n_bins)
        mine[(int)bin]++;
    }
  for (int bin = 0; bin < n_bins; bin++)
    if (mine[bin] > 0)
      __atomic_fetch_add(&counts[bin], mine[bin], __ATOMIC_RELAXED);
}
