/* All threads: each takes some of the regions. No two write the same points. */
#ifndef EDGE
#define EDGE 8 /* points of a region along each axis; a bin is as wide */
#endif
#ifndef CAPACITY
#define CAPACITY 8 /* atoms in a bin; what is left of it are dummies, far away */
#endif
#ifndef FAR
#define FAR 1e9f /* dummies are beyond */
#endif

float sqrtf(float);

void
sum_regions(float *energy, int nx, int ny, int nz, float hx, float hy, float hz,
            const float *atoms, int n_atoms, const float *bins, const int *head,
            const int *next, int bins_x, int bins_y, const int *reach,
            const int *offsets, int n_offsets, float cutoff2, float core2,
            int first, int end, int thread, int n_threads)
{
  (void)atoms, (void)n_atoms, (void)head, (void)next;
  int regions_x = (nx + EDGE - 1) / EDGE, regions_y = (ny + EDGE - 1) / EDGE;
  float inv_cutoff2 = 1.0f / cutoff2;
  for (int region = first + thread; region < end; region += n_threads) {
    int rx = region % regions_x, ry = region / regions_x % regions_y,
        rz = region / (regions_x * regions_y);
    int home = ((rz + reach[2]) * bins_y + ry + reach[1]) * bins_x + rx + reach[0];
    for (int k = rz * EDGE; k < nz && k < (rz + 1) * EDGE; k++)
      for (int j = ry * EDGE; j < ny && j < (ry + 1) * EDGE; j++) {
        float x[EDGE], y = hy * j, z = hz * k;
        float sum[EDGE] = {0.0f};
        for (int p = 0; p < EDGE; p++)
          x[p] = hx * (rx * EDGE + p);
        for (int list = 0; list < n_offsets; list++) {
          const float *bin = bins + 4 * CAPACITY * (home + offsets[list]);
          for (int n = 0; n < 4 * CAPACITY && bin[n] < FAR; n += 4) {
            float dy = y - bin[n + 1], dz = z - bin[n + 2],
                  dydz2 = dy * dy + dz * dz;
            if (dydz2 >= cutoff2)
              continue;
#pragma GCC unroll 1
            for (int p = 0; p < EDGE; p++) {
              float dx = x[p] - bin[n], r2 = dx * dx + dydz2;
              float s = r2 < cutoff2 ? 1.0f - r2 * inv_cutoff2 : 0.0f;
              sum[p] += bin[n + 3] * s * s / sqrtf(r2 > core2 ? r2 : core2);
            }
          }
        }
        for (int p = 0; p < EDGE && rx * EDGE + p < nx; p++)
          energy[(k * ny + j) * nx + rx * EDGE + p] += sum[p];
      }
  }
}
