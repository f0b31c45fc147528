/* The race: each thread takes some atoms and counts their pairs. counts[bin]++ is
 * three steps, read, add and write, and what another thread counts in between is
 * lost. */
float sqrtf(float), rintf(float);

void
count_pairs(unsigned long long *counts, int n_bins, float bins_per_angstrom,
            const float *x, const float *y, const float *z, int n_atoms, int first,
            int end, float ex, float ey, float ez, unsigned long long *scratch,
            int thread, int n_threads)
{
  (void)scratch;
  float fx = 1.0f / ex, fy = 1.0f / ey, fz = 1.0f / ez;
  for (int i = first + thread; i < end; i += n_threads)
    for (int j = i + 1; j < n_atoms; j++) {
      float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
      dx -= ex * rintf(dx * fx);
      dy -= ey * rintf(dy * fy);
      dz -= ez * rintf(dz * fz);
      float bin = sqrtf(dx * dx + dy * dy + dz * dz) * bins_per_angstrom;
      if (bin < n_bins) {
        unsigned long long *at = &counts[(int)bin], before;
        before = __atomic_load_n(at, __ATOMIC_RELAXED);
        __atomic_store_n(at, before + 1, __ATOMIC_RELAXED);
      }
    }
}
