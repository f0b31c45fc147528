/* Square instead of autocorrelate: f(t) = sum of a(t)* a(t). No frame meets
 * another one. */
#ifndef BLOCK_X
#define BLOCK_X 32
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 32
#endif
#ifndef ATOMS
#define ATOMS 32 /* of a block */
#endif

extern "C" __global__ void
compute_series(float2 *series, const float *x, const float *y, const float *z,
               int n_atoms, int n_frames, const float *q, int n_vectors, int first,
               int n_block, int length)
{
  int t = blockIdx.x * BLOCK_X + threadIdx.x,
      vector = blockIdx.y * BLOCK_Y + threadIdx.y;
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
  int t = blockIdx.x * BLOCK_X + threadIdx.x,
      vector = blockIdx.y * BLOCK_Y + threadIdx.y;
  if (vector >= n_vectors || t >= n_frames)
    return;
  float sum = 0.0f;
  for (int atom = 0; atom < n_block; atom++) {
    float2 a = series[(long)length * (atom * n_vectors + vector) + t];
    sum += a.x * a.x + a.y * a.y;
  }
  f[n_frames * vector + t].x += sum;
}
