/* Chained bins: each bin names its first atom, and each atom the next one of its
 * bin. However many atoms a bin has, none overflows; but they are anywhere in
 * memory, and each waits for the one before. */
#ifndef EDGE
#define EDGE 8 /* points of a region along each axis; a bin is as wide */
#endif
#ifndef BLOCK_X
#define BLOCK_X 8
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 2
#endif
#ifndef BLOCK_Z
#define BLOCK_Z 8
#endif
#ifndef POINTS
#define POINTS 4 /* in y, BLOCK_Y apart; POINTS * BLOCK_Y = EDGE */
#endif
#ifndef CHUNK
#define CHUNK 4096 /* bins of the list, at most */
#endif

__constant__ int
    bank[CHUNK]; /* where bins of the list are, seen from the block's own */

extern "C" __global__ void
sum_regions(float *energy, int nx, int ny, int nz, float hx, float hy, float hz,
            const float4 *atoms, int n_atoms, const float4 *bins, const int *head,
            const int *next, int bins_x, int bins_y, int reach_x, int reach_y,
            int reach_z, int n_offsets, float cutoff2, float core2, int first)
{
  int region = first + blockIdx.x;
  int regions_x = (nx + EDGE - 1) / EDGE, regions_y = (ny + EDGE - 1) / EDGE;
  int rx = region % regions_x, ry = region / regions_x % regions_y,
      rz = region / (regions_x * regions_y);
  int home = ((rz + reach_z) * bins_y + ry + reach_y) * bins_x + rx + reach_x;
  int i = rx * EDGE + threadIdx.x, j = ry * EDGE + threadIdx.y,
      k = rz * EDGE + threadIdx.z;
  float inv_cutoff2 = 1.0f / cutoff2;
  float x = hx * i, y = hy * j, z = hz * k, sum[POINTS] = {};
  for (int list = 0; list < n_offsets; list++)
    for (int n = head[home + bank[list]]; n >= 0; n = next[n]) {
      float4 atom = atoms[n];
      float dx = x - atom.x, dz = z - atom.z, dxdz2 = dx * dx + dz * dz;
      if (dxdz2 >= cutoff2)
        continue;
#pragma unroll
      for (int p = 0; p < POINTS; p++) {
        float dy = y + hy * (p * BLOCK_Y) - atom.y, r2 = dy * dy + dxdz2;
        if (r2 < cutoff2) {
          float s = 1.0f - r2 * inv_cutoff2;
          sum[p] += atom.w * s * s * rsqrtf(fmaxf(r2, core2));
        }
      }
    }
#pragma unroll
  for (int p = 0; p < POINTS; p++)
    if (i < nx && j + p * BLOCK_Y < ny && k < nz)
      energy[(k * ny + j + p * BLOCK_Y) * nx + i] = sum[p];
}
