/* Gather by loop fission: y belongs between the loops over j and over i. So that
 * these stand directly within one another, and a thread can take any pair (i, j), a
 * kernel before writes all y into an array. */
#ifndef BLOCK_X
#define BLOCK_X 16
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 16
#endif
#ifndef CHUNK
#define CHUNK 4000 /* atoms in constant memory */
#endif

__constant__ float4 bank[CHUNK]; /* x, y, z, charge */

extern "C" __global__ void
prepare_slice(float *energy, int nx, int ny, float hx, float hy, float z,
              const float4 *atoms, int n_atoms, float core2, float *scratch)
{
  int thread = (blockIdx.y * gridDim.x + blockIdx.x) * BLOCK_X * BLOCK_Y +
               threadIdx.y * BLOCK_X + threadIdx.x;
  if (thread < ny)
    scratch[thread] = hy * thread;
}

extern "C" __global__ void
sum_slice(float *energy, int nx, int ny, float hx, float hy, float z,
          const float4 *atoms, int n_atoms, float core2, float *scratch)
{
  int i = blockIdx.x * BLOCK_X + threadIdx.x,
      j = blockIdx.y * BLOCK_Y + threadIdx.y;
  if (i >= nx || j >= ny)
    return;
  float x = hx * i, y = scratch[j], sum = 0.0f;
  for (int n = 0; n < n_atoms; n++) {
    float dx = x - bank[n].x, dy = y - bank[n].y, dz = z - bank[n].z;
    sum += bank[n].w * rsqrtf(fmaxf(dx * dx + dy * dy + dz * dz, core2));
  }
  energy[j * nx + i] += sum;
}
