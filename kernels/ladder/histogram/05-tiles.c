/* Tiles: a loop of its own computes the bins of a tile of atoms, which vectors can do
 * 4, 8 or 16 at a time; counting, which they can't, is left to a second one. What is
 * too far goes into a bin more, so that no branch has to be guessed. */
#ifndef TILE
#define TILE 256 /* atoms */
#endif

float sqrtf(float), rintf(float);

void
count_pairs(unsigned long long *counts, int n_bins, float bins_per_angstrom,
            const float *x, const float *y, const float *z, int n_atoms, int first,
            int end, float ex, float ey, float ez, unsigned long long *scratch,
            int thread, int n_threads)
{
  unsigned long long *mine = scratch + (long)thread * (n_bins + 1);
  float fx = 1.0f / ex, fy = 1.0f / ey, fz = 1.0f / ez;
  float bins[TILE];
  for (int bin = 0; bin <= n_bins; bin++)
    mine[bin] = 0;
  for (int i = first + thread; i < end; i += n_threads)
    for (int tile = i + 1; tile < n_atoms; tile += TILE) {
      int n = n_atoms - tile < TILE ? n_atoms - tile : TILE;
      for (int k = 0; k < n; k++) {
        float dx = x[tile + k] - x[i], dy = y[tile + k] - y[i],
              dz = z[tile + k] - z[i];
        dx -= ex * rintf(dx * fx);
        dy -= ey * rintf(dy * fy);
        dz -= ez * rintf(dz * fz);
        float bin = sqrtf(dx * dx + dy * dy + dz * dz) * bins_per_angstrom;
        bins[k] = bin < n_bins ? bin : n_bins;
      }
      for (int k = 0; k < n; k++)
        mine[(int)bins[k]]++;
    }
  for (int bin = 0; bin < n_bins; bin++)
    if (mine[bin] > 0)
      __atomic_fetch_add(&counts[bin], mine[bin], __ATOMIC_RELAXED);
}
