/* The slice copied in each pass: the same kernel, but the host keeps the map, and
 * the device has room for one slice. For each pass of at most CHUNK atoms the host
 *
 *   cudaMemcpyAsync(energy, slice, bytes, cudaMemcpyHostToDevice, stream);
 *   sum_slice<<<blocks, threads, 0, stream>>>(energy, nx, ny, ...);
 *   cudaMemcpyAsync(slice, energy, bytes, cudaMemcpyDeviceToHost, stream);
 *
 * where the version before it keeps all slices on the device and copies them once. */
#ifndef BLOCK_X
#define BLOCK_X 16 /* half a warp */
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 8
#endif
#ifndef CHUNK
#define CHUNK 4000 /* atoms in constant memory */
#endif
#ifndef POINTS
#define POINTS 8 /* in x, BLOCK_X apart */
#endif
#ifndef SQUARES
#define SQUARES 1 /* the host puts dz² in z's place */
#endif

__constant__ float4 bank[CHUNK]; /* x, y, dz², charge */

extern "C" __global__ void
sum_slice(float *energy, int nx, int ny, float hx, float hy, float z,
          const float4 *atoms, int n_atoms, float core2, float *scratch)
{
  int first = blockIdx.x * BLOCK_X * POINTS + threadIdx.x,
      j = blockIdx.y * BLOCK_Y + threadIdx.y;
  if (j >= ny)
    return;
  float x = hx * first, y = hy * j, sum[POINTS] = {};
  for (int n = 0; n < n_atoms; n++) {
    float dy = y - bank[n].y, dysqdzsq = dy * dy + bank[n].z, dx = x - bank[n].x;
#pragma unroll
    for (int p = 0; p < POINTS; p++) {
      sum[p] += bank[n].w * rsqrtf(fmaxf(dx * dx + dysqdzsq, core2));
      dx += hx * BLOCK_X;
    }
  }
#pragma unroll
  for (int p = 0; p < POINTS; p++)
    if (first + p * BLOCK_X < nx)
      energy[j * nx + first + p * BLOCK_X] += sum[p];
}
