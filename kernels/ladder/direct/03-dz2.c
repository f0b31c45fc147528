/* Squares hoisted: dz² is the same for a whole slice, dy² + dz² for a row. */
float sqrtf(float);

void
sum_slice(float *energy, int nx, int ny, float hx, float hy, float z,
          const float *atoms, int n_atoms, float core2, float *scratch, int thread,
          int n_threads)
{
  (void)scratch, (void)thread, (void)n_threads;
  for (int n = 0; n < 4 * n_atoms; n += 4) {
    float dz = z - atoms[n + 2], dz2 = dz * dz, charge = atoms[n + 3];
    for (int j = 0; j < ny; j++) {
      float dy = hy * j - atoms[n + 1], dysqdzsq = dy * dy + dz2;
      float *row = energy + j * nx;
      for (int i = 0; i < nx; i++) {
        float dx = hx * i - atoms[n];
        float r2 = dx * dx + dysqdzsq;
        row[i] += charge / sqrtf(r2 > core2 ? r2 : core2);
      }
    }
  }
}
