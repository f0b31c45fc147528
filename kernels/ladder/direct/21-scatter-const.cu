/* Scatter: one thread per atom, which adds its atom to all points of the slice.
 * Threads meet at the same points, so that every addition is an atomic one; and
 * each reads another address of constant memory, one after the other. */
#ifndef BLOCK_X
#define BLOCK_X 256
#endif
#ifndef CHUNK
#define CHUNK 4096 /* atoms in constant memory: all that fit */
#endif
#ifndef OVER_ATOMS
#define OVER_ATOMS 1 /* a thread is an atom, not a point */
#endif

__constant__ float4 bank[CHUNK]; /* x, y, z, charge */

extern "C" __global__ void
sum_slice(float *energy, int nx, int ny, float hx, float hy, float z,
          const float4 *atoms, int n_atoms, float core2, float *scratch)
{
  int n = blockIdx.x * BLOCK_X + threadIdx.x;
  if (n >= n_atoms)
    return;
  float4 atom = bank[n];
  float dz = z - atom.z;
  for (int j = 0; j < ny; j++) {
    float dy = hy * j - atom.y, dysqdzsq = dy * dy + dz * dz;
    for (int i = 0; i < nx; i++) {
      float dx = hx * i - atom.x;
      atomicAdd(&energy[j * nx + i],
                atom.w * rsqrtf(fmaxf(dx * dx + dysqdzsq, core2)));
    }
  }
}
