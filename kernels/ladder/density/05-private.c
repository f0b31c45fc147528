/* Private grids: each thread counts into a grid of its own, and when all
 * are done they are added up. Nothing is atomic, but there are as many
 * grids as threads. */
void
fill_voxels(unsigned *counts, unsigned *marks, int nx, int ny, int nz,
            double corner_x, double corner_y, double corner_z,
            double per_angstrom, const float *x, const float *y,
            const float *z, int n_atoms, int first, int end, int thread,
            int n_threads)
{
  (void)counts;
  unsigned *mine = marks + (long)thread * nx * ny * nz;
  for (int t = first + thread; t < end; t += n_threads)
    for (int n = 0; n < n_atoms; n++) {
      int at = t * n_atoms + n;
      double u = (x[at] - corner_x) * per_angstrom;
      double v = (y[at] - corner_y) * per_angstrom;
      double w = (z[at] - corner_z) * per_angstrom;
      if (u >= 0.0 && u < nx && v >= 0.0 && v < ny && w >= 0.0 && w < nz)
        mine[((int)w * ny + (int)v) * nx + (int)u]++;
    }
}

/* Called by all threads when the frames are counted. */
void
fold_marks(unsigned *counts, unsigned *marks, int n_voxels, int thread,
           int n_threads)
{
  long begin = (long)n_voxels * thread / n_threads;
  long end = (long)n_voxels * (thread + 1) / n_threads;
  for (int grid = 0; grid < n_threads; grid++)
    for (long voxel = begin; voxel < end; voxel++) {
      counts[voxel] += marks[(long)grid * n_voxels + voxel];
      marks[(long)grid * n_voxels + voxel] = 0;
    }
}
