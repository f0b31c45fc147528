/* All threads: each takes some of the rows, and makes the factors in x for itself.
 * No two write the same row, so that nothing has to be locked. */
#ifndef PRIMITIVES
#define PRIMITIVES 32 /* of a shell, at most */
#endif
#ifndef POINTS
#define POINTS 16 /* of a strip */
#endif

float expf(float), sqrtf(float);

void
compute_orbital(float *psi, int nx, int ny, int nz, float hx, float hy, float hz,
                float z, const float *atoms, int n_atoms, const int *first_shell,
                const int *shells, const float *primitives,
                const float *coefficients, float *scratch, int thread,
                int n_threads)
{
  scratch += thread * PRIMITIVES * (nx + POINTS);
  for (int row = thread; row < ny * nz; row += n_threads)
    for (int i = 0; i < nx; i++)
      psi[row * nx + i] = 0.0f;
  for (int n = 0; n < n_atoms; n++)
    for (int s = first_shell[n]; s < first_shell[n + 1]; s++) {
      const int *shell = shells + 3 * s;
      const float *atom = atoms + 4 * n, *c = coefficients + shell[2];
      const float *first = primitives + 3 * shell[1];
      int all = shell[4] - shell[1];
      float yz[PRIMITIVES];
      for (int p = 0; p < all; p++)
        for (int i = 0; i < nx; i++) {
          float dx = hx * i - atom[0];
          scratch[p * (nx + POINTS) + i] =
              first[3 * p + 1] * expf(-first[3 * p] * dx * dx);
        }
      for (int row = thread; row < ny * nz; row += n_threads) {
        float dy = hy * (row % ny) - atom[1], dz = z + hz * (row / ny) - atom[2];
        float d2 = dy * dy + dz * dz;
        int count = 0;
        for (; count < all && d2 < first[3 * count + 2]; count++)
          yz[count] = expf(-first[3 * count] * d2);
        if (count == 0)
          continue;
        float half = sqrtf(first[2] - d2);
        float low = (atom[0] - half) / hx, high = (atom[0] + half) / hx;
        int begin = low > 0.0f ? (low < nx ? (int)low : nx) : 0;
        int end = high < nx - 1 ? (high < 0.0f ? 0 : (int)high + 1) : nx;
        float one = c[0], x1 = 0.0f, x2 = 0.0f; /* one + x1 · dx + x2 · dx² */
        if (shell[0] == 1) {
          one = c[1] * dy + c[2] * dz;
          x1 = c[0];
        } else if (shell[0] == 2) {
          one = dy * (c[3] * dy + c[4] * dz) + c[5] * dz * dz;
          x1 = c[1] * dy + c[2] * dz;
          x2 = c[0];
        }
        for (int strip = begin; strip < end; strip += POINTS) {
          int length = end - strip < POINTS ? end - strip : POINTS;
          float radial[POINTS] = {0.0f};
          for (int p = 0; p < count; p++)
            for (int i = 0; i < POINTS; i++)
              radial[i] += scratch[p * (nx + POINTS) + strip + i] * yz[p];
          for (int i = 0; i < length; i++) {
            float dx = hx * (strip + i) - atom[0];
            psi[row * nx + strip + i] += radial[i] * (one + dx * (x1 + dx * x2));
          }
        }
      }
    }
}
