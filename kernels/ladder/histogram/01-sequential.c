/* Sequential: two plain loops over all pairs of atoms. rintf takes the nearest
 * image in the cell with edges ex, ey and ez (1e30 where there is no cell). */
float sqrtf(float), rintf(float);

void
count_pairs(unsigned long long *counts, int n_bins, float bins_per_angstrom,
            const float *x, const float *y, const float *z, int n_atoms, int first,
            int end, float ex, float ey, float ez, unsigned long long *scratch,
            int thread, int n_threads)
{
  (void)scratch, (void)thread, (void)n_threads;
  float fx = 1.0f / ex, fy = 1.0f / ey, fz = 1.0f / ez;
  for (int i = first; i < end; i++)
    for (int j = i + 1; j < n_atoms; j++) {
      float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
      dx -= ex * rintf(dx * fx);
      dy -= ey * rintf(dy * fy);
      dz -= ez * rintf(dz * fz);
      float bin = sqrtf(dx * dx + dy * dy + dz * dz) * bins_per_angstrom;
      if (bin < n_bins)
        counts[(int)bin]++;
    }
}
