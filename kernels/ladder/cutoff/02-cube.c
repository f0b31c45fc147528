/* Bins: atoms are sorted into cubes as wide as eight points, eight slots each. A
 * region of 8 x 8 x 8 points looks only at bins that its cutoff reaches along
 * each axis: a cube of bins. What has no slot is added at the end, atom by atom. */
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
  (void)atoms, (void)n_atoms, (void)head, (void)next, (void)offsets,
      (void)n_offsets, (void)thread, (void)n_threads;
  int regions_x = (nx + EDGE - 1) / EDGE, regions_y = (ny + EDGE - 1) / EDGE;
  float inv_cutoff2 = 1.0f / cutoff2;
  for (int region = first; region < end; region++) {
    int rx = region % regions_x, ry = region / regions_x % regions_y,
        rz = region / (regions_x * regions_y);
    for (int k = rz * EDGE; k < nz && k < (rz + 1) * EDGE; k++)
      for (int j = ry * EDGE; j < ny && j < (ry + 1) * EDGE; j++)
        for (int i = rx * EDGE; i < nx && i < (rx + 1) * EDGE; i++) {
          float x = hx * i, y = hy * j, z = hz * k, sum = 0.0f;
          for (int bz = rz; bz <= rz + 2 * reach[2]; bz++)
            for (int by = ry; by <= ry + 2 * reach[1]; by++)
              for (int bx = rx; bx <= rx + 2 * reach[0]; bx++) {
                const float *bin =
                    bins + 4 * CAPACITY * ((bz * bins_y + by) * bins_x + bx);
                for (int n = 0; n < 4 * CAPACITY; n += 4) {
                  float dx = x - bin[n], dy = y - bin[n + 1], dz = z - bin[n + 2];
                  float r2 = dx * dx + dy * dy + dz * dz;
                  if (r2 < cutoff2) {
                    float s = 1.0f - r2 * inv_cutoff2;
                    sum += bin[n + 3] * s * s / sqrtf(r2 > core2 ? r2 : core2);
                  }
                }
              }
          energy[(k * ny + j) * nx + i] += sum;
        }
  }
}

/* What has no slot: each atom adds itself to the points in its sphere, in whole
 * rows. */
void
sum_overflow(float *energy, int nx, int ny, int nz, float hx, float hy, float hz,
             const float *atoms, int n_atoms, float cutoff2, float core2,
             int thread, int n_threads)
{
  float inv_cutoff2 = 1.0f / cutoff2;
  for (int k = thread; k < nz; k += n_threads)
    for (int n = 0; n < 4 * n_atoms; n += 4) {
      float dz = hz * k - atoms[n + 2];
      for (int j = 0; j < ny; j++) {
        float dy = hy * j - atoms[n + 1], dyz2 = dy * dy + dz * dz;
        float left2 = cutoff2 - dyz2;
        if (left2 <= 0.0f)
          continue;
        float half = sqrtf(left2) / hx, middle = atoms[n] / hx;
        int from = middle - half > 0.0f ? (int)(middle - half) : 0;
        int to = middle + half < nx - 1 ? (int)(middle + half) + 1 : nx - 1;
        for (int i = from; i <= to; i++) {
          float dx = hx * i - atoms[n], r2 = dx * dx + dyz2;
          float s = r2 < cutoff2 ? 1.0f - r2 * inv_cutoff2 : 0.0f;
          energy[(k * ny + j) * nx + i] +=
              atoms[n + 3] * s * s / sqrtf(r2 > core2 ? r2 : core2);
        }
      }
    }
}
