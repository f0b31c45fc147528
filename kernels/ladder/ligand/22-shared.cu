/* Shared memory: a block brings a tile of atoms, which all its samples read from
 * there. */
#ifndef BLOCK_X
#define BLOCK_X 32
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 4
#endif
#ifndef TILE
#define TILE 256 /* atoms */
#endif

extern "C" __global__ void
sample_planes(float *mean, int nx, int ny, int nz, float hx, float hy, float hz,
              float z, float margin, int samples, const float4 *atoms,
              const float2 *pairs, int n_atoms, const int *start, int bins_x,
              int bins_y, float edge, float cutoff2)
{
  __shared__ float4 atom_of[TILE];
  __shared__ float2 pair_of[TILE];
  int i = blockIdx.x * BLOCK_X + threadIdx.x;
  int j = blockIdx.y * BLOCK_Y + threadIdx.y, k = blockIdx.z;
  int thread = threadIdx.y * BLOCK_X + threadIdx.x;
  float sum = 0.0f;
  for (int s = 0; s < samples * samples * samples; s++) {
    float half = 0.5f * (samples - 1);
    float sx = margin + hx * (i + (s % samples - half) / samples);
    float sy = margin + hy * (j + (s / samples % samples - half) / samples);
    float sz = z + hz * (k + (s / samples / samples - half) / samples);
    float energy = 0.0f; /* kT */
    for (int begin = 0; begin < n_atoms; begin += TILE) {
      int count = min(TILE, n_atoms - begin);
      __syncthreads();
      for (int n = thread; n < count; n += BLOCK_X * BLOCK_Y) {
        atom_of[n] = atoms[begin + n];
        pair_of[n] = pairs[begin + n];
      }
      __syncthreads();
      for (int n = 0; n < count; n++) {
        float4 atom = atom_of[n];
        float dx = sx - atom.x, dy = sy - atom.y, dz = sz - atom.z;
        float r2 = dx * dx + dy * dy + dz * dz;
        if (r2 < cutoff2) {
          float s2 = __frcp_rn(fmaxf(r2, 1e-4f)), s6 = s2 * s2 * s2;
          energy += (pair_of[n].x * s6 - pair_of[n].y) * s6;
        }
      }
    }
    sum += energy < 80.0f ? __expf(-energy) : 0.0f;
  }
  if (i < nx && j < ny)
    mean[(k * ny + j) * nx + i] = sum / (samples * samples * samples);
}
