/* Plain: one thread per point sums all Gaussians of all atoms from the device's
 * memory, each with an exponential of its own. */
#ifndef BLOCK_X
#define BLOCK_X 32
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 8
#endif

extern "C" __global__ void
compute_orbital(float *psi, int nx, int ny, int nz, float hx, float hy, float hz,
                float z, const float4 *atoms, int n_atoms, const int *first_shell,
                const int *shells, const float *primitives,
                const float *coefficients)
{
  int i = blockIdx.x * BLOCK_X + threadIdx.x;
  int j = blockIdx.y * BLOCK_Y + threadIdx.y, k = blockIdx.z;
  if (i >= nx || j >= ny)
    return;
  float sum = 0.0f;
  for (int n = 0; n < n_atoms; n++) {
    float4 atom = atoms[n]; /* x, y, z, reach² */
    float dx = hx * i - atom.x, dy = hy * j - atom.y, dz = z + hz * k - atom.z;
    float r2 = dx * dx + dy * dy + dz * dz;
    for (int s = first_shell[n]; s < first_shell[n + 1]; s++) {
      const int *shell = shells + 3 * s; /* degree, first primitive, coefficient */
      const float *c = coefficients + shell[2];
      float radial = 0.0f, value;
      for (int p = shell[1]; p < shell[4]; p++) /* exponent, weight, reach² */
        radial += primitives[3 * p + 1] * __expf(-primitives[3 * p] * r2);
      if (shell[0] == 0)
        value = c[0];
      else if (shell[0] == 1)
        value = c[0] * dx + c[1] * dy + c[2] * dz;
      else
        value = dx * (c[0] * dx + c[1] * dy + c[2] * dz) +
                dy * (c[3] * dy + c[4] * dz) + c[5] * dz * dz;
      sum += radial * value;
    }
  }
  psi[(k * ny + j) * nx + i] = sum;
}
