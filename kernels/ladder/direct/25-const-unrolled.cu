/* Const+Precalc+Loop Unrolling: a thread sums four neighbours of a row, which share
 * dy² + dz² and what is read of an atom: half of the reads of constant memory and
 * of the other operations are left. */
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
#define POINTS 4 /* in x */
#endif
#ifndef SQUARES
#define SQUARES 1 /* the host puts dz² in z's place */
#endif

__constant__ float4 bank[CHUNK]; /* x, y, dz², charge */

extern "C" __global__ void
sum_slice(float *energy, int nx, int ny, float hx, float hy, float z,
          const float4 *atoms, int n_atoms, float core2, float *scratch)
{
  int first = (blockIdx.x * BLOCK_X + threadIdx.x) * POINTS,
      j = blockIdx.y * BLOCK_Y + threadIdx.y;
  if (first >= nx || j >= ny)
    return;
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
      energy[j * nx + first + p] += sum[p];
}
