/* Blocked for the cache: a tile of atoms stays in the first-level cache while a
 * whole row of points passes. */
#ifndef TILE
#define TILE 512 /* atoms */
#endif
#ifndef POINTS
#define POINTS 8
#endif

float sqrtf(float);

void
sum_slice(float *energy, int nx, int ny, float hx, float hy, float z,
          const float *atoms, int n_atoms, float core2, float *scratch, int thread,
          int n_threads)
{
  float atom_x[TILE], charge[TILE], dysqdzsq[TILE];
  (void)scratch, (void)thread, (void)n_threads;
  for (int j = 0; j < ny; j++)
    for (int begin = 0; begin < n_atoms; begin += TILE) {
      int count = n_atoms - begin < TILE ? n_atoms - begin : TILE;
      for (int n = 0; n < count; n++) {
        const float *atom = atoms + 4 * (begin + n);
        float dy = hy * j - atom[1], dz = z - atom[2];
        atom_x[n] = atom[0];
        charge[n] = atom[3];
        dysqdzsq[n] = dy * dy + dz * dz;
      }
      for (int first = 0; first < nx; first += POINTS) {
        float x[POINTS], sum[POINTS] = {0.0f};
        for (int p = 0; p < POINTS; p++)
          x[p] = hx * (first + p);
        for (int n = 0; n < count; n++)
          for (int p = 0; p < POINTS; p++) {
            float dx = x[p] - atom_x[n];
            float r2 = dx * dx + dysqdzsq[n];
            sum[p] += charge[n] / sqrtf(r2 > core2 ? r2 : core2);
          }
        for (int p = 0; p < POINTS && first + p < nx; p++)
          energy[j * nx + first + p] += sum[p];
      }
    }
}
