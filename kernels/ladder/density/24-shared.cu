/* Shared memory: a block owns 8192 voxels, reads all atoms of eight frames
 * and counts those that are its own where an atomic addition is much
 * faster. But each atom is read by as many blocks as the grid has such
 * tiles. */
#ifndef BLOCK_X
#define BLOCK_X 256
#endif
#ifndef VOXELS
#define VOXELS 8192 /* of a block, 4 bytes each */
#endif
#ifndef BLOCK_FRAMES
#define BLOCK_FRAMES 8
#endif

extern "C" __global__ void
fill_voxels(unsigned *counts, unsigned *marks, int nx, int ny, int nz,
            double corner_x, double corner_y, double corner_z,
            double per_angstrom, const float *x, const float *y,
            const float *z, int n_atoms, int first, int end)
{
  __shared__ unsigned local[VOXELS];
  int begin = blockIdx.x * VOXELS, all = nx * ny * nz;
  for (int voxel = threadIdx.x; voxel < VOXELS; voxel += BLOCK_X)
    local[voxel] = 0;
  __syncthreads();
  first += blockIdx.y * BLOCK_FRAMES;
  for (int t = first; t < min(first + BLOCK_FRAMES, end); t++)
    for (int n = threadIdx.x; n < n_atoms; n += BLOCK_X) {
      int at = t * n_atoms + n;
      double u = (x[at] - corner_x) * per_angstrom;
      double v = (y[at] - corner_y) * per_angstrom;
      double w = (z[at] - corner_z) * per_angstrom;
      if (!(u >= 0.0 && u < nx && v >= 0.0 && v < ny && w >= 0.0 && w < nz))
        continue;
      int voxel = ((int)w * ny + (int)v) * nx + (int)u - begin;
      if (voxel >= 0 && voxel < VOXELS)
        atomicAdd(&local[voxel], 1u);
    }
  __syncthreads();
  for (int voxel = threadIdx.x; voxel < min(VOXELS, all - begin);
       voxel += BLOCK_X)
    if (local[voxel] > 0)
      atomicAdd(&counts[begin + voxel], local[voxel]);
}
