/* Single precision: an atom so near to a face that rounding moves it across
 * is counted next door. */
#ifndef BLOCK_X
#define BLOCK_X 256
#endif

extern "C" __global__ void
fill_voxels(unsigned *counts, unsigned *marks, int nx, int ny, int nz,
            double corner_x, double corner_y, double corner_z,
            double per_angstrom, const float *x, const float *y,
            const float *z, int n_atoms, int first, int end)
{
  int n = blockIdx.x * BLOCK_X + threadIdx.x, t = first + blockIdx.y;
  if (n >= n_atoms || t >= end)
    return;
  int at = t * n_atoms + n;
  float per = (float)per_angstrom;
  float u = (x[at] - (float)corner_x) * per;
  float v = (y[at] - (float)corner_y) * per;
  float w = (z[at] - (float)corner_z) * per;
  if (u >= 0.0f && u < nx && v >= 0.0f && v < ny && w >= 0.0f && w < nz)
    atomicAdd(&counts[((int)w * ny + (int)v) * nx + (int)u], 1u);
}
