/* One thread per vector and frame for one atom at a time, in blocks of 32 x 32.
 * x is over vectors, whose series lie one after the other: neighbouring threads
 * store a whole series apart. The correlation is the sum over all pairs of
 * frames, one thread per lag. */
#ifndef BLOCK_X
#define BLOCK_X 32
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 32
#endif
#ifndef ATOMS
#define ATOMS 1 /* of a block */
#endif
#ifndef ACROSS
#define ACROSS 1 /* x is over vectors */
#endif

extern "C" __global__ void
compute_series(float2 *series, const float *x, const float *y, const float *z,
               int n_atoms, int n_frames, const float *q, int n_vectors, int first,
               int n_block, int length)
{
  int vector = blockIdx.x * BLOCK_X + threadIdx.x,
      t = blockIdx.y * BLOCK_Y + threadIdx.y;
  if (vector >= n_vectors || t >= length)
    return;
  float2 a = make_float2(0.0f, 0.0f);
  if (t < n_frames) {
    long at = (long)t * n_atoms + first + blockIdx.z;
    sincosf(q[3 * vector] * x[at] + q[3 * vector + 1] * y[at] +
                q[3 * vector + 2] * z[at],
            &a.y, &a.x);
  }
  series[(long)length * (blockIdx.z * n_vectors + vector) + t] = a;
}

extern "C" __global__ void
add_series(float2 *f, const float2 *series, int n_frames, int n_vectors,
           int n_block, int length)
{
  int lag = blockIdx.x * BLOCK_X + threadIdx.x,
      vector = blockIdx.y * BLOCK_Y + threadIdx.y;
  if (vector >= n_vectors || lag >= n_frames)
    return;
  float2 sum = make_float2(0.0f, 0.0f);
  for (int atom = 0; atom < n_block; atom++) {
    const float2 *a = series + (long)length * (atom * n_vectors + vector);
    for (int t = 0; t + lag < n_frames; t++) {
      sum.x += a[t].x * a[t + lag].x + a[t].y * a[t + lag].y;
      sum.y += a[t].x * a[t + lag].y - a[t].y * a[t + lag].x;
    }
  }
  f[n_frames * vector + lag].x += sum.x / (n_frames - lag);
  f[n_frames * vector + lag].y += sum.y / (n_frames - lag);
}
