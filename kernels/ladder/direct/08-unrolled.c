/* Eight points at once: their sums stay in registers while all atoms pass, and
 * share what is read of an atom. */
#ifndef POINTS
#define POINTS 8
#endif

float sqrtf(float);

void
sum_slice(float *energy, int nx, int ny, float hx, float hy, float z,
          const float *atoms, int n_atoms, float core2, float *scratch, int thread,
          int n_threads)
{
  (void)scratch, (void)thread, (void)n_threads;
  for (int j = 0; j < ny; j++)
    for (int first = 0; first < nx; first += POINTS) {
      float x[POINTS], sum[POINTS] = {0.0f};
      for (int p = 0; p < POINTS; p++)
        x[p] = hx * (first + p);
      for (int n = 0; n < 4 * n_atoms; n += 4) {
        float dy = hy * j - atoms[n + 1], dz = z - atoms[n + 2],
              dysqdzsq = dy * dy + dz * dz;
        float atom_x = atoms[n], charge = atoms[n + 3];
#pragma GCC unroll 16
        for (int p = 0; p < POINTS; p++) {
          float dx = x[p] - atom_x;
          float r2 = dx * dx + dysqdzsq;
          sum[p] += charge / sqrtf(r2 > core2 ? r2 : core2);
        }
      }
      for (int p = 0; p < POINTS && first + p < nx; p++)
        energy[j * nx + first + p] += sum[p];
    }
}
