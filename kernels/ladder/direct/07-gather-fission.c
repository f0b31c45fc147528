/* Gather by loop fission: y belongs between the two loops over points. So that
 * these stand directly within one another, and a thread can take any pair (i, j),
 * the loop over j is split in two: the first writes all y down. */
float sqrtf(float);

void
prepare_slice(float *energy, int nx, int ny, float hx, float hy, float z,
              const float *atoms, int n_atoms, float core2, float *scratch,
              int thread, int n_threads)
{
  (void)energy, (void)nx, (void)hx, (void)z, (void)atoms, (void)n_atoms,
      (void)core2;
  for (int j = thread; j < ny; j += n_threads)
    scratch[j] = hy * j;
}

void
sum_slice(float *energy, int nx, int ny, float hx, float hy, float z,
          const float *atoms, int n_atoms, float core2, float *scratch, int thread,
          int n_threads)
{
  (void)hy;
  for (int point = thread; point < nx * ny; point += n_threads) {
    float x = hx * (point % nx), y = scratch[point / nx], sum = 0.0f;
    for (int n = 0; n < 4 * n_atoms; n += 4) {
      float dx = x - atoms[n], dy = y - atoms[n + 1], dz = z - atoms[n + 2];
      float r2 = dx * dx + dy * dy + dz * dz;
      sum += atoms[n + 3] / sqrtf(r2 > core2 ? r2 : core2);
    }
    energy[point] += sum;
  }
}
