/* Single precision: an atom so near to a face that rounding moves it across
 * is counted next door. */
void
fill_voxels(unsigned *counts, unsigned *marks, int nx, int ny, int nz,
            double corner_x, double corner_y, double corner_z,
            double per_angstrom, const float *x, const float *y,
            const float *z, int n_atoms, int first, int end, int thread,
            int n_threads)
{
  (void)marks, (void)thread, (void)n_threads;
  float cx = corner_x, cy = corner_y, cz = corner_z, per = per_angstrom;
  for (int t = first; t < end; t++)
    for (int n = 0; n < n_atoms; n++) {
      int at = t * n_atoms + n;
      float u = (x[at] - cx) * per, v = (y[at] - cy) * per,
            w = (z[at] - cz) * per;
      if (u >= 0.0f && u < nx && v >= 0.0f && v < ny && w >= 0.0f && w < nz)
        counts[((int)w * ny + (int)v) * nx + (int)u]++;
    }
}
