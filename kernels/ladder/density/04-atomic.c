/* Atomics: threads take frames in turn and add to the same voxels, each
 * addition one indivisible step. */
void
fill_voxels(unsigned *counts, unsigned *marks, int nx, int ny, int nz,
            double corner_x, double corner_y, double corner_z,
            double per_angstrom, const float *x, const float *y,
            const float *z, int n_atoms, int first, int end, int thread,
            int n_threads)
{
  (void)marks;
  for (int t = first + thread; t < end; t += n_threads)
    for (int n = 0; n < n_atoms; n++) {
      int at = t * n_atoms + n;
      double u = (x[at] - corner_x) * per_angstrom;
      double v = (y[at] - corner_y) * per_angstrom;
      double w = (z[at] - corner_z) * per_angstrom;
      if (u >= 0.0 && u < nx && v >= 0.0 && v < ny && w >= 0.0 && w < nz)
        __atomic_fetch_add(&counts[((int)w * ny + (int)v) * nx + (int)u], 1u,
                           __ATOMIC_RELAXED);
    }
}
