/* Const+Shared+Loop Unrolling+Precalc: the points' potentials so far wait in shared
 * memory while the atoms pass, so that registers are free for eight points per
 * thread. */
#ifndef BLOCK_X
#define BLOCK_X 8
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 16
#endif
#ifndef CHUNK
#define CHUNK 4000 /* atoms in constant memory */
#endif
#ifndef POINTS
#define POINTS 8 /* in x */
#endif
#ifndef SQUARES
#define SQUARES 1 /* the host puts dz² in z's place */
#endif

__constant__ float4 bank[CHUNK]; /* x, y, dz², charge */

extern "C" __global__ void
sum_slice(float *energy, int nx, int ny, float hx, float hy, float z,
          const float4 *atoms, int n_atoms, float core2, float *scratch)
{
  __shared__ float before[POINTS][BLOCK_X * BLOCK_Y];
  int first = (blockIdx.x * BLOCK_X + threadIdx.x) * POINTS,
      j = blockIdx.y * BLOCK_Y + threadIdx.y;
  int thread = threadIdx.y * BLOCK_X + threadIdx.x;
  if (first >= nx || j >= ny)
    return;
  for (int p = 0; p < POINTS; p++)
    before[p][thread] = first + p < nx ? energy[j * nx + first + p] : 0.0f;
  float x = hx * first, y = hy * j, sum[POINTS] = {};
  for (int n = 0; n < n_atoms; n++) {
    float dy = y - bank[n].y, dysqdzsq = dy * dy + bank[n].z, dx = x - bank[n].x;
#pragma unroll
    for (int p = 0; p < POINTS; p++) {
      sum[p] += bank[n].w * rsqrtf(fmaxf(dx * dx + dysqdzsq, core2));
      dx += hx;
    }
  }
#pragma unroll
  for (int p = 0; p < POINTS; p++)
    if (first + p < nx)
      energy[j * nx + first + p] = before[p][thread] + sum[p];
}
