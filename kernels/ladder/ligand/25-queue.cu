/* A queue: threads reject the samples of all voxels of a block and write down those
 * that are left. Then each of these has a thread: no warp waits for its last one. */
#ifndef BLOCK_X
#define BLOCK_X 32
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 4
#endif
#define VOXELS (BLOCK_X * BLOCK_Y)
#define MOST 27 /* samples of a voxel */

extern "C" __global__ void
sample_planes(float *mean, int nx, int ny, int nz, float hx, float hy, float hz,
              float z, float margin, int samples, const float4 *atoms,
              const float2 *pairs, int n_atoms, const int *start, int bins_x,
              int bins_y, float edge, float cutoff2)
{
  __shared__ float sum_of[VOXELS];
  __shared__ short queue[VOXELS * MOST];
  __shared__ int n_left;
  int thread = threadIdx.y * BLOCK_X + threadIdx.x;
  int of_voxel = samples * samples * samples;
  float half = 0.5f * (samples - 1);
  sum_of[thread] = 0.0f;
  if (thread == 0)
    n_left = 0;
  __syncthreads();
  for (int pass = 0; pass < 2; pass++) {
    int count = pass == 0 ? VOXELS * of_voxel : n_left;
    for (int at = thread; at < count; at += VOXELS) {
      int item = pass == 0 ? at : queue[at];
      int voxel = item % VOXELS, s = item / VOXELS;
      int i = blockIdx.x * BLOCK_X + voxel % BLOCK_X;
      int j = blockIdx.y * BLOCK_Y + voxel / BLOCK_X, k = blockIdx.z;
      if (i >= nx || j >= ny)
        continue;
      float sx = margin + hx * (i + (s % samples - half) / samples);
      float sy = margin + hy * (j + (s / samples % samples - half) / samples);
      float sz = z + hz * (k + (s / samples / samples - half) / samples);
      int bx = (int)(sx / edge), by = (int)(sy / edge), bz = (int)(sz / edge);
      int reach = pass == 0 ? 1 : 2, width = 2 * reach + 1;
      bool hits = false;
      float energy = 0.0f;
      for (int row = 0; row < width * width && !hits; row++) {
        int y = by + row % width - reach, z_bin = bz + row / width - reach;
        int bin = (z_bin * bins_y + y) * bins_x + bx;
        for (int n = start[bin - reach]; n < start[bin + reach + 1] && !hits; n++) {
          float4 atom = atoms[n];
          float dx = sx - atom.x, dy = sy - atom.y, dz = sz - atom.z;
          float r2 = dx * dx + dy * dy + dz * dz;
          if (pass == 0) {
            hits = r2 < atom.w;
          } else if (r2 < cutoff2) {
            float s2 = __frcp_rn(fmaxf(r2, 1e-4f)), s6 = s2 * s2 * s2;
            energy += (pairs[n].x * s6 - pairs[n].y) * s6;
          }
        }
      }
      if (pass == 0 && !hits)
        queue[atomicAdd(&n_left, 1)] = item;
      if (pass == 1 && energy < 80.0f)
        atomicAdd(&sum_of[voxel], __expf(-energy));
    }
    __syncthreads();
  }
  int i = blockIdx.x * BLOCK_X + threadIdx.x,
      j = blockIdx.y * BLOCK_Y + threadIdx.y;
  if (i < nx && j < ny)
    mean[(blockIdx.z * ny + j) * nx + i] = sum_of[thread] / of_voxel;
}
