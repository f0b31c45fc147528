/* Private histograms: each block counts into its own in shared memory, where an
 * atomic addition is much faster, and adds that to the common one at its end
 * (partial reduction). Bins that don't fit go to memory. */
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
#ifndef BINS
#define BINS 2048 /* in shared memory, 4 bytes each */
#endif

extern "C" __global__ void
count_pairs(unsigned long long *counts, int n_bins, float bins_per_angstrom,
            const float *x, const float *y, const float *z, int n_atoms, int first,
            int end, float ex, float ey, float ez)
{
  __shared__ unsigned local[BINS];
  int thread = threadIdx.y * BLOCK_X + threadIdx.x;
  for (int bin = thread; bin < BINS; bin += BLOCK_X * BLOCK_Y)
    local[bin] = 0;
  __syncthreads();
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
      if (bin < BINS && bin < n_bins)
        atomicAdd(&local[(int)bin], 1u);
      else if (bin < n_bins)
        atomicAdd(&counts[(int)bin], 1ull);
    }
  __syncthreads();
  for (int bin = thread; bin < BINS && bin < n_bins; bin += BLOCK_X * BLOCK_Y)
    if (local[bin] > 0)
      atomicAdd(&counts[bin], (unsigned long long)local[bin]);
}
