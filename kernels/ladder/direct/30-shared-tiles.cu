/* Tiles in shared memory: a block brings the atoms itself, some at a time, from the
 * device's memory. So there are as many as one likes, and one launch takes them
 * all. */
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
#define POINTS 8 /* in x, BLOCK_X apart */
#endif

extern "C" __global__ void
sum_slice(float *energy, int nx, int ny, float hx, float hy, float z,
          const float4 *atoms, int n_atoms, float core2, float *scratch)
{
  __shared__ float4 tile[TILE]; /* x, y, dz², charge */
  int first = blockIdx.x * BLOCK_X * POINTS + threadIdx.x,
      j = blockIdx.y * BLOCK_Y + threadIdx.y;
  float x = hx * first, y = hy * j, sum[POINTS] = {};
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
      float dy = y - atom.y, dysqdzsq = dy * dy + atom.z, dx = x - atom.x;
#pragma unroll
      for (int p = 0; p < POINTS; p++) {
        sum[p] += atom.w * rsqrtf(fmaxf(dx * dx + dysqdzsq, core2));
        dx += hx * BLOCK_X;
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int p = 0; p < POINTS; p++)
    if (j < ny && first + p * BLOCK_X < nx)
      energy[j * nx + first + p * BLOCK_X] += sum[p];
}
