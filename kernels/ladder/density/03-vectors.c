/* Vectors: a loop of its own finds the voxels of 256 atoms, without a
 * branch. The second one adds, which no vector can do, as lanes may want
 * the same voxel. */
#ifndef TILE
#define TILE 256 /* atoms */
#endif

void
fill_voxels(unsigned *counts, unsigned *marks, int nx, int ny, int nz,
            double corner_x, double corner_y, double corner_z,
            double per_angstrom, const float *x, const float *y,
            const float *z, int n_atoms, int first, int end, int thread,
            int n_threads)
{
  (void)marks, (void)thread, (void)n_threads;
  int all = nx * ny * nz;
  for (int t = first; t < end; t++)
    for (int begin = 0; begin < n_atoms; begin += TILE) {
      int at = t * n_atoms + begin, voxel[TILE];
      int count = n_atoms - begin < TILE ? n_atoms - begin : TILE;
      for (int n = 0; n < count; n++) {
        double u = (x[at + n] - corner_x) * per_angstrom;
        double v = (y[at + n] - corner_y) * per_angstrom;
        double w = (z[at + n] - corner_z) * per_angstrom;
        int is_in = (u >= 0.0) & (u < nx) & (v >= 0.0) & (v < ny) &
                    (w >= 0.0) & (w < nz);
        int i = is_in ? u : 0.0, j = is_in ? v : 0.0, k = is_in ? w : 0.0;
        voxel[n] = is_in ? (k * ny + j) * nx + i : all;
      }
      for (int n = 0; n < count; n++)
        if (voxel[n] < all)
          counts[voxel[n]]++;
    }
}
