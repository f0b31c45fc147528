/* The cylinder: eight points of a column in y share dx² + dz². Where that is
 * beyond the cutoff already, the atom is outside of the cylinder round the
 * column, and none of the eight has to be tested. */
#ifndef EDGE
#define EDGE 8 /* points of a region along each axis; a bin is as wide */
#endif
#ifndef CAPACITY
#define CAPACITY 8 /* atoms in a bin; what is left of it are dummies, far away */
#endif

float sqrtf(float);

void
sum_regions(float *energy, int nx, int ny, int nz, float hx, float hy, float hz,
            const float *atoms, int n_atoms, const float *bins, const int *head,
            const int *next, int bins_x, int bins_y, const int *reach,
            const int *offsets, int n_offsets, float cutoff2, float core2,
            int first, int end, int thread, int n_threads)
{
  (void)atoms, (void)n_atoms, (void)head, (void)next, (void)thread, (void)n_threads;
  int regions_x = (nx + EDGE - 1) / EDGE, regions_y = (ny + EDGE - 1) / EDGE;
  float inv_cutoff2 = 1.0f / cutoff2;
  for (int region = first; region < end; region++) {
    int rx = region % regions_x, ry = region / regions_x % regions_y,
        rz = region / (regions_x * regions_y);
    int home = ((rz + reach[2]) * bins_y + ry + reach[1]) * bins_x + rx + reach[0];
    for (int k = rz * EDGE; k < nz && k < (rz + 1) * EDGE; k++)
      for (int i = rx * EDGE; i < nx && i < (rx + 1) * EDGE; i++) {
        float x = hx * i, z = hz * k, y = hy * ry * EDGE, sum[EDGE] = {0.0f};
        for (int list = 0; list < n_offsets; list++) {
          const float *bin = bins + 4 * CAPACITY * (home + offsets[list]);
          for (int n = 0; n < 4 * CAPACITY; n += 4) {
            float dx = x - bin[n], dz = z - bin[n + 2], dxdz2 = dx * dx + dz * dz;
            if (dxdz2 >= cutoff2)
              continue;
            for (int p = 0; p < EDGE; p++) {
              float dy = y + hy * p - bin[n + 1], r2 = dy * dy + dxdz2;
              if (r2 < cutoff2) {
                float s = 1.0f - r2 * inv_cutoff2;
                sum[p] += bin[n + 3] * s * s / sqrtf(r2 > core2 ? r2 : core2);
              }
            }
          }
        }
        for (int p = 0; p < EDGE && ry * EDGE + p < ny; p++)
          energy[(k * ny + ry * EDGE + p) * nx + i] += sum[p];
      }
  }
}
