/* Plain: each point sums all Gaussians of all atoms, as the formula reads, each
 * with an exponential of its own. */
float expf(float);

void
compute_orbital(float *psi, int nx, int ny, int nz, float hx, float hy, float hz,
                float z, const float *atoms, int n_atoms, const int *first_shell,
                const int *shells, const float *primitives,
                const float *coefficients, float *scratch, int thread,
                int n_threads)
{
  (void)scratch, (void)thread, (void)n_threads;
  for (int k = 0; k < nz; k++)
    for (int j = 0; j < ny; j++)
      for (int i = 0; i < nx; i++) {
        float sum = 0.0f;
        for (int n = 0; n < n_atoms; n++) { /* x, y, z and reach² of each */
          float dx = hx * i - atoms[4 * n], dy = hy * j - atoms[4 * n + 1];
          float dz = z + hz * k - atoms[4 * n + 2];
          float r2 = dx * dx + dy * dy + dz * dz;
          for (int s = first_shell[n]; s < first_shell[n + 1]; s++) {
            /* degree, first primitive, first coefficient */
            const int *shell = shells + 3 * s;
            const float *c = coefficients + shell[2];
            float radial = 0.0f, value;
            for (int p = shell[1]; p < shell[4]; p++) /* exponent, weight, reach² */
              radial += primitives[3 * p + 1] * expf(-primitives[3 * p] * r2);
            if (shell[0] == 0)
              value = c[0];
            else if (shell[0] == 1)
              value = c[0] * dx + c[1] * dy + c[2] * dz;
            else
              value = dx * (c[0] * dx + c[1] * dy + c[2] * dz) +
                      dy * (c[3] * dy + c[4] * dz) + c[5] * dz * dz;
            sum += radial * value;
          }
        }
        psi[(k * ny + j) * nx + i] = sum;
      }
}
