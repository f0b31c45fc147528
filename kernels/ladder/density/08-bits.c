/* Occupancy bits: a word per voxel has a bit for each of 32 frames, which
 * threads set in any order; setting it twice changes nothing. Then bits are
 * counted. */
#define FRAMES 32 /* of a call */

void
fill_voxels(unsigned *counts, unsigned *marks, int nx, int ny, int nz,
            double corner_x, double corner_y, double corner_z,
            double per_angstrom, const float *x, const float *y,
            const float *z, int n_atoms, int first, int end, int thread,
            int n_threads)
{
  (void)counts;
  for (int t = first + thread; t < end; t += n_threads)
    for (int n = 0; n < n_atoms; n++) {
      int at = t * n_atoms + n;
      double u = (x[at] - corner_x) * per_angstrom;
      double v = (y[at] - corner_y) * per_angstrom;
      double w = (z[at] - corner_z) * per_angstrom;
      if (u >= 0.0 && u < nx && v >= 0.0 && v < ny && w >= 0.0 && w < nz)
        __atomic_fetch_or(&marks[((int)w * ny + (int)v) * nx + (int)u],
                          1u << (t - first), __ATOMIC_RELAXED);
    }
}

/* Called by all threads after each 32 frames. */
void
fold_marks(unsigned *counts, unsigned *marks, int n_voxels, int thread,
           int n_threads)
{
  long begin = (long)n_voxels * thread / n_threads;
  long end = (long)n_voxels * (thread + 1) / n_threads;
  for (long voxel = begin; voxel < end; voxel++) {
    counts[voxel] += __builtin_popcount(marks[voxel]);
    marks[voxel] = 0;
  }
}
