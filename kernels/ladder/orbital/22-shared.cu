/* Shared memory: a block brings an atom's shells, Gaussians and coefficients
 * itself, for all its points at once. */
#ifndef BLOCK_X
#define BLOCK_X 32
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 8
#endif
#define PRIMITIVES 64 /* of an atom, at most, as many as coefficients */
#define SHELLS 32
#define THREADS (BLOCK_X * BLOCK_Y)

extern "C" __global__ void
compute_orbital(float *psi, int nx, int ny, int nz, float hx, float hy, float hz,
                float z, const float4 *atoms, int n_atoms, const int *first_shell,
                const int *shells, const float *primitives,
                const float *coefficients)
{
  __shared__ int shell_of[3 * (SHELLS + 1)];
  __shared__ float primitive[3 * PRIMITIVES], c_of[PRIMITIVES];
  int i = blockIdx.x * BLOCK_X + threadIdx.x;
  int j = blockIdx.y * BLOCK_Y + threadIdx.y, k = blockIdx.z;
  int thread = threadIdx.y * BLOCK_X + threadIdx.x;
  float sum = 0.0f;
  for (int n = 0; n < n_atoms; n++) {
    int s0 = first_shell[n], n_shells = first_shell[n + 1] - s0;
    const int *of = shells + 3 * s0, *end = of + 3 * n_shells;
    int p0 = of[1], n_primitives = end[1] - p0, c0 = of[2], n_c = end[2] - c0;
    __syncthreads();
    for (int at = thread; at < 3 * (n_shells + 1); at += THREADS)
      shell_of[at] = shells[3 * s0 + at];
    for (int at = thread; at < n_c; at += THREADS)
      c_of[at] = coefficients[c0 + at];
    for (int at = thread; at < 3 * n_primitives; at += THREADS)
      primitive[at] = primitives[3 * p0 + at];
    __syncthreads();
    float4 atom = atoms[n];
    float dx = hx * i - atom.x, dy = hy * j - atom.y, dz = z + hz * k - atom.z;
    float r2 = dx * dx + dy * dy + dz * dz;
    for (int s = 0; s < n_shells; s++) {
      const int *shell = shell_of + 3 * s;
      const float *c = c_of + shell[2] - c0;
      float radial = 0.0f, value;
      for (int p = shell[1] - p0; p < shell[4] - p0; p++)
        radial += primitive[3 * p + 1] * __expf(-primitive[3 * p] * r2);
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
  if (i < nx && j < ny)
    psi[(k * ny + j) * nx + i] = sum;
}
