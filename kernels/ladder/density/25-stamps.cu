/* Occupancy: each voxel remembers the last frame that it was counted in.
 * Frames must not mix, so that each has a launch of its own. */
#ifndef BLOCK_X
#define BLOCK_X 256
#endif
#define FRAMES 1 /* of a launch */

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
  double u = (x[at] - corner_x) * per_angstrom;
  double v = (y[at] - corner_y) * per_angstrom;
  double w = (z[at] - corner_z) * per_angstrom;
  if (!(u >= 0.0 && u < nx && v >= 0.0 && v < ny && w >= 0.0 && w < nz))
    return;
  int voxel = ((int)w * ny + (int)v) * nx + (int)u;
  unsigned stamp = t + 1; /* 0: in none so far */
  if (atomicExch(&marks[voxel], stamp) != stamp)
    atomicAdd(&counts[voxel], 1u);
}
