/* All atoms: each point tests every atom, and adds those within the cutoff, with
 * 1/d smoothed so that it ends there at 0. Few are within; finding them takes
 * all the time. */
#ifndef EDGE
#define EDGE 8 /* points of a region along each axis; a bin is as wide */
#endif

float sqrtf(float);

void
sum_regions(float *energy, int nx, int ny, int nz, float hx, float hy, float hz,
            const float *atoms, int n_atoms, const float *bins, const int *head,
            const int *next, int bins_x, int bins_y, const int *reach,
            const int *offsets, int n_offsets, float cutoff2, float core2,
            int first, int end, int thread, int n_threads)
{
  (void)bins, (void)head, (void)next, (void)bins_x, (void)bins_y, (void)reach,
      (void)offsets, (void)n_offsets, (void)thread, (void)n_threads;
  int regions_x = (nx + EDGE - 1) / EDGE, regions_y = (ny + EDGE - 1) / EDGE;
  float inv_cutoff2 = 1.0f / cutoff2;
  for (int region = first; region < end; region++) {
    int rx = region % regions_x, ry = region / regions_x % regions_y,
        rz = region / (regions_x * regions_y);
    for (int k = rz * EDGE; k < nz && k < (rz + 1) * EDGE; k++)
      for (int j = ry * EDGE; j < ny && j < (ry + 1) * EDGE; j++)
        for (int i = rx * EDGE; i < nx && i < (rx + 1) * EDGE; i++) {
          float x = hx * i, y = hy * j, z = hz * k, sum = 0.0f;
          for (int n = 0; n < 4 * n_atoms;
               n += 4) { /* x, y, z and charge of each */
            float dx = x - atoms[n], dy = y - atoms[n + 1], dz = z - atoms[n + 2];
            float r2 = dx * dx + dy * dy + dz * dz;
            if (r2 < cutoff2) {
              float s = 1.0f - r2 * inv_cutoff2;
              sum += atoms[n + 3] * s * s / sqrtf(r2 > core2 ? r2 : core2);
            }
          }
          energy[(k * ny + j) * nx + i] += sum;
        }
  }
}
