/* Separable: exp(-a r²) is a factor in x, one in y and one in z. A block computes
 * each once for all its points: 44 exponentials of a Gaussian for 1,024 points. */
#ifndef BLOCK_X
#define BLOCK_X 32
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 4
#endif
#ifndef POINTS_Z
#define POINTS_Z 8 /* planes of a block, all a thread's */
#endif
#define PRIMITIVES 64 /* of an atom, at most, as many as coefficients */
#define SHELLS 32
#define THREADS (BLOCK_X * BLOCK_Y)
#define EDGES (BLOCK_X + BLOCK_Y + POINTS_Z) /* factors of a Gaussian */

/* A block's first point and the grid, whose first plane is at z. */
typedef struct {
  int i, j, k;
  float hx, hy, hz, z;
} Block;

/* From the atom to a point on an edge of the block, in the edge's coordinate. */
static __device__ float
offset(Block block, int edge, float4 atom)
{
  if (edge < BLOCK_X)
    return block.hx * (block.i + edge) - atom.x;
  edge -= BLOCK_X;
  if (edge < BLOCK_Y)
    return block.hy * (block.j + edge) - atom.y;
  return block.z + block.hz * (block.k + edge - BLOCK_Y) - atom.z;
}

/* By all threads; a Gaussian's weight goes into its factors in x. */
static __device__ void
fill_factors(float (*factor)[EDGES], const float *primitives, int n_primitives,
             Block block, float4 atom, int thread)
{
  for (int at = thread; at < n_primitives * EDGES; at += THREADS) {
    int edge = at % EDGES;
    const float *primitive = primitives + 3 * (at / EDGES);
    float d = offset(block, edge, atom);
    float weight = edge < BLOCK_X ? primitive[1] : 1.0f;
    factor[at / EDGES][edge] = weight * __expf(-primitive[0] * d * d);
  }
}

/* A shell of l = 0, 1 or 2: its radial part times one + z1 · dz + z2 · dz². */
static __device__ void
add_shell(float *sum, const float *radial, int l, const float *c, float dx,
          float dy, Block block, float4 atom)
{
  float one = c[0], z1 = 0.0f, z2 = 0.0f;
  if (l == 1) {
    one = c[0] * dx + c[1] * dy;
    z1 = c[2];
  } else if (l == 2) {
    one = dx * (c[0] * dx + c[1] * dy) + c[3] * dy * dy;
    z1 = c[2] * dx + c[4] * dy;
    z2 = c[5];
  }
#pragma unroll
  for (int k = 0; k < POINTS_Z; k++) {
    float dz = block.z + block.hz * (block.k + k) - atom.z;
    sum[k] += radial[k] * (one + dz * (z1 + dz * z2));
  }
}

extern "C" __global__ void
compute_orbital(float *psi, int nx, int ny, int nz, float hx, float hy, float hz,
                float z, const float4 *atoms, int n_atoms, const int *first_shell,
                const int *shells, const float *primitives,
                const float *coefficients)
{
  __shared__ int shell_of[3 * (SHELLS + 1)];
  __shared__ float factor[PRIMITIVES][EDGES], c_of[PRIMITIVES];
  int first_i = blockIdx.x * BLOCK_X, first_j = blockIdx.y * BLOCK_Y,
      first_k = blockIdx.z * POINTS_Z;
  Block block = {first_i, first_j, first_k, hx, hy, hz, z};
  int tx = threadIdx.x, ty = threadIdx.y, thread = ty * BLOCK_X + tx;
  float sum[POINTS_Z] = {};
  for (int n = 0; n < n_atoms; n++) {
    float4 atom = atoms[n];
    int s0 = first_shell[n], n_shells = first_shell[n + 1] - s0;
    const int *of = shells + 3 * s0, *end = of + 3 * n_shells;
    int p0 = of[1], n_primitives = end[1] - p0, c0 = of[2], n_c = end[2] - c0;
    __syncthreads();
    for (int at = thread; at < 3 * (n_shells + 1); at += THREADS)
      shell_of[at] = shells[3 * s0 + at];
    for (int at = thread; at < n_c; at += THREADS)
      c_of[at] = coefficients[c0 + at];
    fill_factors(factor, primitives + 3 * p0, n_primitives, block, atom, thread);
    __syncthreads();
    float dx = hx * (first_i + tx) - atom.x, dy = hy * (first_j + ty) - atom.y;
    for (int s = 0; s < n_shells; s++) {
      const int *shell = shell_of + 3 * s;
      const float *c = c_of + shell[2] - c0;
      float radial[POINTS_Z] = {};
      for (int p = shell[1] - p0; p < shell[4] - p0; p++) {
        float xy = factor[p][tx] * factor[p][BLOCK_X + ty];
#pragma unroll
        for (int k = 0; k < POINTS_Z; k++)
          radial[k] += xy * factor[p][BLOCK_X + BLOCK_Y + k];
      }
      add_shell(sum, radial, shell[0], c, dx, dy, block, atom);
    }
  }
  int i = first_i + tx, j = first_j + ty;
#pragma unroll
  for (int k = 0; k < POINTS_Z; k++)
    if (i < nx && j < ny && first_k + k < nz)
      psi[((first_k + k) * ny + j) * nx + i] = sum[k];
}
