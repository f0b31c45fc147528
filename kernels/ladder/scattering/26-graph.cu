/* A graph: the launches of an atom (series, transform, squares, transform, sum) are
 * the same each time, but for `first`. The host records them once:
 *
 *   cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
 *   compute_series<<<...>>>(...); cufftExecC2C(...); multiply_series<<<...>>>(...);
 *   cufftExecC2C(...); add_series<<<...>>>(...);
 *   cudaStreamEndCapture(stream, &graph);
 *   cudaGraphInstantiate(&exec, graph, 0);
 *
 * and then, for each atom, changes `first` and starts all of them with one call:
 *
 *   cudaGraphExecKernelNodeSetParams(exec, series_node, &parameters);
 *   cudaGraphLaunch(exec, stream); */
#ifndef BLOCK_X
#define BLOCK_X 32
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 32
#endif
#ifndef ATOMS
#define ATOMS 1 /* of a block */
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
multiply_series(float2 *series, long n)
{
  long i =
      (long)blockIdx.x * BLOCK_X * BLOCK_Y + threadIdx.y * BLOCK_X + threadIdx.x;
  if (i < n)
    series[i] =
        make_float2(series[i].x * series[i].x + series[i].y * series[i].y, 0.0f);
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
    float2 a = series[(long)length * (atom * n_vectors + vector) + lag];
    sum.x += a.x;
    sum.y += a.y;
  }
  float pairs = (float)length * (n_frames - lag);
  f[n_frames * vector + lag].x += sum.x / pairs;
  f[n_frames * vector + lag].y += sum.y / pairs;
}
