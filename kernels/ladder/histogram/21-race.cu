/* The race: one thread per atom counts its pairs. counts[bin]++ is three steps,
 * read, add and write, and what another thread counts in between is lost. volatile,
 * so that the compiler leaves them as they are. */
#ifndef BLOCK_X
#define BLOCK_X 256
#endif

extern "C" __global__ void
count_pairs(unsigned long long *counts, int n_bins, float bins_per_angstrom,
            const float *x, const float *y, const float *z, int n_atoms, int first,
            int end, float ex, float ey, float ez)
{
  int i = first + blockIdx.x * BLOCK_X + threadIdx.x;
  float fx = 1.0f / ex, fy = 1.0f / ey, fz = 1.0f / ez;
  if (i >= end)
    return;
  for (int j = i + 1; j < n_atoms; j++) {
    float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
    dx -= ex * rintf(dx * fx);
    dy -= ey * rintf(dy * fy);
    dz -= ez * rintf(dz * fz);
    float bin = sqrtf(dx * dx + dy * dy + dz * dz) * bins_per_angstrom;
    if (bin < n_bins) {
      volatile unsigned long long *at = &counts[(int)bin];
      *at = *at + 1;
    }
  }
}
