/* Gather: each thread takes some of the points and sums all atoms there. Nobody
 * writes where another does. */
float sqrtf(float);

void
sum_slice(float *energy, int nx, int ny, float hx, float hy, float z,
          const float *atoms, int n_atoms, float core2, float *scratch, int thread,
          int n_threads)
{
  (void)scratch;
  for (int point = thread; point < nx * ny; point += n_threads) {
    float x = hx * (point % nx), y = hy * (point / nx), sum = 0.0f;
    for (int n = 0; n < 4 * n_atoms; n += 4) {
      float dx = x - atoms[n], dy = y - atoms[n + 1], dz = z - atoms[n + 2];
      float r2 = dx * dx + dy * dy + dz * dz;
      sum += atoms[n + 3] / sqrtf(r2 > core2 ? r2 : core2);
    }
    energy[point] += sum;
  }
}
