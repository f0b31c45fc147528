/* Tiles: a block brings as many atoms as it has threads into shared memory, and
 * each thread holds one atom against all of these: an atom is read once for a whole
 * block. */
#ifndef BLOCK_X
#define BLOCK_X 256
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
  __shared__ float tx[BLOCK_X], ty[BLOCK_X], tz[BLOCK_X];
  int begin = first + blockIdx.x * BLOCK_X, i = begin + threadIdx.x;
  float fx = 1.0f / ex, fy = 1.0f / ey, fz = 1.0f / ez, xi = 0, yi = 0, zi = 0;
  for (int bin = threadIdx.x; bin < BINS; bin += BLOCK_X)
    local[bin] = 0;
  __syncthreads();
  if (i < end)
    xi = x[i], yi = y[i], zi = z[i];
  for (int tile = begin; tile < n_atoms; tile += BLOCK_X) {
    int n = min(BLOCK_X, n_atoms - tile), j = tile + threadIdx.x;
    __syncthreads();
    if (j < n_atoms)
      tx[threadIdx.x] = x[j], ty[threadIdx.x] = y[j], tz[threadIdx.x] = z[j];
    __syncthreads();
    for (int k = i < end ? max(0, i + 1 - tile) : n; k < n; k++) {
      float dx = tx[k] - xi, dy = ty[k] - yi, dz = tz[k] - zi;
      dx -= ex * rintf(dx * fx);
      dy -= ey * rintf(dy * fy);
      dz -= ez * rintf(dz * fz);
      float bin = sqrtf(dx * dx + dy * dy + dz * dz) * bins_per_angstrom;
      if (bin < BINS && bin < n_bins)
        atomicAdd(&local[(int)bin], 1u);
      else if (bin < n_bins)
        atomicAdd(&counts[(int)bin], 1ull);
    }
  }
  __syncthreads();
  for (int bin = threadIdx.x; bin < BINS && bin < n_bins; bin += BLOCK_X)
    if (local[bin] > 0)
      atomicAdd(&counts[bin], (unsigned long long)local[bin]);
}
