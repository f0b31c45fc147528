/* All atoms: one thread per point, which tests every atom and adds those within
 * the cutoff, with 1/d smoothed so that it ends there at 0. */
#ifndef EDGE
#define EDGE 8 /* points of a region along each axis; a bin is as wide */
#endif
#ifndef BLOCK_X
#define BLOCK_X 8
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 8
#endif
#ifndef BLOCK_Z
#define BLOCK_Z 8
#endif

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
  int i = rx * EDGE + threadIdx.x, j = ry * EDGE + threadIdx.y,
      k = rz * EDGE + threadIdx.z;
  float inv_cutoff2 = 1.0f / cutoff2;
  float x = hx * i, y = hy * j, z = hz * k, sum = 0.0f;
  for (int n = 0; n < n_atoms; n++) {
    float4 atom = atoms[n];
    float dx = x - atom.x, dy = y - atom.y, dz = z - atom.z;
    float r2 = dx * dx + dy * dy + dz * dz;
    if (r2 < cutoff2) {
      float s = 1.0f - r2 * inv_cutoff2;
      sum += atom.w * s * s * rsqrtf(fmaxf(r2, core2));
    }
  }
  if (i < nx && j < ny && k < nz)
    energy[(k * ny + j) * nx + i] = sum;
}
