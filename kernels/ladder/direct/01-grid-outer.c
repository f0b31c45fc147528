/* Grid points outside: each point sums over all atoms, as the formula reads. */
float sqrtf(float);

void
sum_slice(float *energy, int nx, int ny, float hx, float hy, float z,
          const float *atoms, int n_atoms, float core2, float *scratch, int thread,
          int n_threads)
{
  (void)scratch, (void)thread, (void)n_threads;
  for (int j = 0; j < ny; j++)
    for (int i = 0; i < nx; i++) {
      float x = hx * i, y = hy * j, sum = 0.0f;
      for (int n = 0; n < 4 * n_atoms;
           n += 4) { /* x, y, z and charge of each atom */
        float dx = x - atoms[n], dy = y - atoms[n + 1], dz = z - atoms[n + 2];
        float r2 = dx * dx + dy * dy + dz * dz;
        sum += atoms[n + 3] / sqrtf(r2 > core2 ? r2 : core2);
      }
      energy[j * nx + i] += sum;
    }
}
