/* Rejection: an atom nearer than a pair of 120 kT ends the sample, which adds
 * nothing whatever the others attract. In dense matter most end so. */
float expf(float);

void
sample_planes(float *mean, int nx, int ny, int nz, float hx, float hy, float hz,
              float z, float margin, int samples, const float *atoms,
              const float *pairs, int n_atoms, const int *start, int bins_x,
              int bins_y, float edge, float cutoff2, int thread, int n_threads)
{
  (void)n_atoms, (void)thread, (void)n_threads;
  for (int voxel = 0; voxel < nx * ny * nz; voxel++) {
    int i = voxel % nx, j = voxel / nx % ny, k = voxel / nx / ny;
    float sum = 0.0f;
    for (int s = 0; s < samples * samples * samples; s++) {
      float half = 0.5f * (samples - 1);
      float sx = margin + hx * (i + (s % samples - half) / samples);
      float sy = margin + hy * (j + (s / samples % samples - half) / samples);
      float sz = z + hz * (k + (s / samples / samples - half) / samples);
      float energy = 0.0f; /* kT */
      int bx = (int)(sx / edge), by = (int)(sy / edge), bz = (int)(sz / edge);
      int hits = 0;
      for (int row = 0; row < 9 && !hits; row++) { /* the nearest bins first */
        int bin = ((bz + row / 3 - 1) * bins_y + by + row % 3 - 1) * bins_x + bx;
        for (int n = start[bin - 1]; n < start[bin + 2] && !hits; n++) {
          float dx = sx - atoms[4 * n], dy = sy - atoms[4 * n + 1];
          float dz = sz - atoms[4 * n + 2];
          hits = dx * dx + dy * dy + dz * dz < atoms[4 * n + 3];
        }
      }
      if (hits)
        continue;
      for (int row = 0; row < 25;
           row++) { /* five bins along x stand side by side */
        int bin = ((bz + row / 5 - 2) * bins_y + by + row % 5 - 2) * bins_x + bx;
        for (int n = start[bin - 2]; n < start[bin + 3]; n++) {
          float dx = sx - atoms[4 * n], dy = sy - atoms[4 * n + 1];
          float dz = sz - atoms[4 * n + 2], r2 = dx * dx + dy * dy + dz * dz;
          if (r2 < cutoff2) {
            float s2 = 1.0f / (r2 > 1e-4f ? r2 : 1e-4f), s6 = s2 * s2 * s2;
            energy += (pairs[2 * n] * s6 - pairs[2 * n + 1]) * s6;
          }
        }
      }
      sum += energy < 80.0f ? expf(-energy) : 0.0f;
    }
    mean[voxel] = sum / (samples * samples * samples);
  }
}
