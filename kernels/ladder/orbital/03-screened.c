/* Screened: a Gaussian ends where it is too small to be seen. Rows out of its reach
 * are skipped, and of the others the points on both sides. The first Gaussian of a
 * shell reaches farthest. */
#ifndef PRIMITIVES
#define PRIMITIVES 32 /* of a shell, at most */
#endif

float expf(float), sqrtf(float);

void
compute_orbital(float *psi, int nx, int ny, int nz, float hx, float hy, float hz,
                float z, const float *atoms, int n_atoms, const int *first_shell,
                const int *shells, const float *primitives,
                const float *coefficients, float *scratch, int thread,
                int n_threads)
{
  (void)thread, (void)n_threads;
  for (int at = 0; at < nx * ny * nz; at++)
    psi[at] = 0.0f;
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
          scratch[p * nx + i] = first[3 * p + 1] * expf(-first[3 * p] * dx * dx);
        }
      for (int row = 0; row < ny * nz; row++) {
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
        for (int i = begin; i < end; i++) {
          float dx = hx * i - atom[0], radial = 0.0f, value;
          for (int p = 0; p < count; p++)
            radial += scratch[p * nx + i] * yz[p];
          if (shell[0] == 0)
            value = c[0];
          else if (shell[0] == 1)
            value = c[0] * dx + c[1] * dy + c[2] * dz;
          else
            value = dx * (c[0] * dx + c[1] * dy + c[2] * dz) +
                    dy * (c[3] * dy + c[4] * dz) + c[5] * dz * dz;
          psi[row * nx + i] += radial * value;
        }
      }
    }
}
