/* Plain: one thread per voxel. Each of its samples sums all atoms within the cutoff and
 * tests all others. */
#ifndef BLOCK_X
#define BLOCK_X 32
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 4
#endif

extern "C" __global__ void
sample_planes(float *mean, int nx, int ny, int nz, float hx, float hy, float hz,
              float z, float margin, int samples, const float4 *atoms,
              const float2 *pairs, int n_atoms, const int *start, int bins_x,
              int bins_y, float edge, float cutoff2)
{
  int i = blockIdx.x * BLOCK_X + threadIdx.x;
  int j = blockIdx.y * BLOCK_Y + threadIdx.y, k = blockIdx.z;
  float sum = 0.0f;
  if (i >= nx || j >= ny)
    return;
  for (int s = 0; s < samples * samples * samples; s++) {
    float half = 0.5f * (samples - 1);
    float sx = margin + hx * (i + (s % samples - half) / samples);
    float sy = margin + hy * (j + (s / samples % samples - half) / samples);
    float sz = z + hz * (k + (s / samples / samples - half) / samples);
    float energy = 0.0f; /* kT */
    for (int n = 0; n < n_atoms;
         n++) { /* x, y, z; pairs: A and B of A/r¹² - B/r⁶ */
      float4 atom = atoms[n];
      float dx = sx - atom.x, dy = sy - atom.y, dz = sz - atom.z;
      float r2 = dx * dx + dy * dy + dz * dz;
      if (r2 < cutoff2) {
        float s2 = __frcp_rn(fmaxf(r2, 1e-4f)), s6 = s2 * s2 * s2;
        energy += (pairs[n].x * s6 - pairs[n].y) * s6;
      }
    }
    sum += energy < 80.0f ? __expf(-energy) : 0.0f;
  }
  mean[(k * ny + j) * nx + i] = sum / (samples * samples * samples);
}
