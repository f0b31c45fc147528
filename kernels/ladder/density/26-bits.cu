/* Occupancy bits: a word per voxel has a bit for each of the 32 frames
 * of a launch, which threads set in any order. A second kernel counts
 * the bits. */
#ifndef BLOCK_X
#define BLOCK_X 256
#endif
#define FRAMES 32 /* of a launch */

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
  if (u >= 0.0 && u < nx && v >= 0.0 && v < ny && w >= 0.0 && w < nz)
    atomicOr(&marks[((int)w * ny + (int)v) * nx + (int)u], 1u << (t - first));
}

/* A thread is a voxel. */
extern "C" __global__ void
fold_marks(unsigned *counts, unsigned *marks, int n_voxels)
{
  int voxel = blockIdx.x * BLOCK_X + threadIdx.x;
  if (voxel >= n_voxels)
    return;
  counts[voxel] += __popc(marks[voxel]);
  marks[voxel] = 0;
}
