/* A row's array: x, charge and dy² + dz² of all atoms are written down once for a
 * row; then its points are outside again, and each sum stays in a register. */
float sqrtf(float);

void
sum_slice(float *energy, int nx, int ny, float hx, float hy, float z,
          const float *atoms, int n_atoms, float core2, float *scratch, int thread,
          int n_threads)
{
  (void)thread, (void)n_threads;
  for (int j = 0; j < ny; j++) {
    for (int n = 0; n < n_atoms; n++) {
      const float *atom = atoms + 4 * n;
      float dy = hy * j - atom[1], dz = z - atom[2];
      scratch[3 * n] = atom[0];
      scratch[3 * n + 1] = atom[3];
      scratch[3 * n + 2] = dy * dy + dz * dz;
    }
    for (int i = 0; i < nx; i++) {
      float x = hx * i, sum = 0.0f;
      for (const float *row = scratch; row < scratch + 3 * n_atoms; row += 3) {
        float dx = x - row[0];
        float r2 = dx * dx + row[2];
        sum += row[1] / sqrtf(r2 > core2 ? r2 : core2);
      }
      energy[j * nx + i] += sum;
    }
  }
}
