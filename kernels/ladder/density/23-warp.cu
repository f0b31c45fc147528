/* One for all: threads of a warp whose atoms are in the same voxel find
 * each other, and one of them adds their number. Neighbours in a file are
 * often near. */
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
  int voxel = -1;
  if (n < n_atoms && t < end) {
    int at = t * n_atoms + n;
    double u = (x[at] - corner_x) * per_angstrom;
    double v = (y[at] - corner_y) * per_angstrom;
    double w = (z[at] - corner_z) * per_angstrom;
    if (u >= 0.0 && u < nx && v >= 0.0 && v < ny && w >= 0.0 && w < nz)
      voxel = ((int)w * ny + (int)v) * nx + (int)u;
  }
  unsigned same = __match_any_sync(0xffffffffu, voxel);
  if (voxel >= 0 && __ffs(same) - 1 == threadIdx.x % 32)
    atomicAdd(&counts[voxel], (unsigned)__popc(same));
}
