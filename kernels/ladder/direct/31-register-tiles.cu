/* Tiles in registers: a thread sums four points in x of four rows. Each difference
 * in x then serves four evaluations, and each dy² + dz² four others. */
#ifndef BLOCK_X
#define BLOCK_X 16
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 8
#endif
#ifndef TILE
#define TILE 256 /* atoms */
#endif
#ifndef POINTS
#define POINTS 4 /* in x, BLOCK_X apart */
#endif
#ifndef POINTS_Y
#define POINTS_Y 4 /* BLOCK_Y apart */
#endif

extern "C" __global__ void
sum_slice(float *energy, int nx, int ny, float hx, float hy, float z,
          const float4 *atoms, int n_atoms, float core2, float *scratch)
{
  __shared__ float4 tile[TILE]; /* x, y, dz², charge */
  int first_i = blockIdx.x * BLOCK_X * POINTS + threadIdx.x,
      first_j = blockIdx.y * BLOCK_Y * POINTS_Y + threadIdx.y;
  float x = hx * first_i, y = hy * first_j, sum[POINTS_Y][POINTS] = {};
  for (int begin = 0; begin < n_atoms; begin += TILE) {
    int count = min(TILE, n_atoms - begin);
    for (int n = threadIdx.y * BLOCK_X + threadIdx.x; n < count;
         n += BLOCK_X * BLOCK_Y) {
      float4 atom = atoms[begin + n];
      float dz = z - atom.z;
      tile[n] = make_float4(atom.x, atom.y, dz * dz, atom.w);
    }
    __syncthreads();
    for (int n = 0; n < count; n++) {
      float4 atom = tile[n];
      float dx2[POINTS];
#pragma unroll
      for (int p = 0; p < POINTS; p++) {
        float dx = x + hx * (p * BLOCK_X) - atom.x;
        dx2[p] = dx * dx;
      }
#pragma unroll
      for (int r = 0; r < POINTS_Y; r++) {
        float dy = y + hy * (r * BLOCK_Y) - atom.y, dysqdzsq = dy * dy + atom.z;
#pragma unroll
        for (int p = 0; p < POINTS; p++)
          sum[r][p] += atom.w * rsqrtf(fmaxf(dx2[p] + dysqdzsq, core2));
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int r = 0; r < POINTS_Y; r++)
#pragma unroll
    for (int p = 0; p < POINTS; p++) {
      int i = first_i + p * BLOCK_X, j = first_j + r * BLOCK_Y;
      if (i < nx && j < ny)
        energy[j * nx + i] += sum[r][p];
    }
}
