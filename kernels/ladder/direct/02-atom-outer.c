/* Atoms outside: the loops change places. An atom is read once, but each evaluation
 * reads and writes the map. */
float sqrtf(float);

void
sum_slice(float *energy, int nx, int ny, float hx, float hy, float z,
          const float *atoms, int n_atoms, float core2, float *scratch, int thread,
          int n_threads)
{
  (void)scratch, (void)thread, (void)n_threads;
  for (int n = 0; n < 4 * n_atoms; n += 4)
    for (int j = 0; j < ny; j++)
      for (int i = 0; i < nx; i++) {
        float dx = hx * i - atoms[n], dy = hy * j - atoms[n + 1],
              dz = z - atoms[n + 2];
        float r2 = dx * dx + dy * dy + dz * dz;
        energy[j * nx + i] += atoms[n + 3] / sqrtf(r2 > core2 ? r2 : core2);
      }
}
