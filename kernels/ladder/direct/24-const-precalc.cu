/* Const+Precalc: the host puts dz² in z's place before each slice, so that the
 * kernel has two operations less. */
#ifndef BLOCK_X
#define BLOCK_X 16
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 16
#endif
#ifndef CHUNK
#define CHUNK 4000 /* atoms in constant memory */
#endif
#ifndef SQUARES
#define SQUARES 1 /* the host puts dz² in z's place */
#endif

__constant__ float4 bank[CHUNK]; /* x, y, dz², charge */

extern "C" __global__ void
sum_slice(float *energy, int nx, int ny, float hx, float hy, float z,
          const float4 *atoms, int n_atoms, float core2, float *scratch)
{
  int i = blockIdx.x * BLOCK_X + threadIdx.x,
      j = blockIdx.y * BLOCK_Y + threadIdx.y;
  if (i >= nx || j >= ny)
    return;
  float x = hx * i, y = hy * j, sum = 0.0f;
  for (int n = 0; n < n_atoms; n++) {
    float dx = x - bank[n].x, dy = y - bank[n].y;
    sum += bank[n].w * rsqrtf(fmaxf(dx * dx + dy * dy + bank[n].z, core2));
  }
  energy[j * nx + i] += sum;
}
