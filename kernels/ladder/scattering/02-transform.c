/* By transforms: the series, padded with zeros to at least twice its length, is
 * transformed, multiplied with its conjugate and transformed back. The library
 * plans each of them anew, for each atom. */
#ifndef ATOMS
#define ATOMS 1 /* of a block */
#endif

float cosf(float), sinf(float);

void
compute_series(float *series, const float *x, const float *y, const float *z,
               int n_atoms, int n_frames, const float *q, int n_vectors, int first,
               int n_block, int length, int thread, int n_threads)
{
  (void)thread, (void)n_threads;
  for (int atom = 0; atom < n_block; atom++)
    for (int vector = 0; vector < n_vectors; vector++) {
      float *a = series + 2l * length * (atom * n_vectors + vector);
      for (int t = 0; t < length; t++) {
        long at = (long)t * n_atoms + first + atom;
        float phase = t < n_frames
                          ? q[3 * vector] * x[at] + q[3 * vector + 1] * y[at] +
                                q[3 * vector + 2] * z[at]
                          : 0.0f;
        a[2 * t] = t < n_frames ? cosf(phase) : 0.0f;
        a[2 * t + 1] = t < n_frames ? sinf(phase) : 0.0f;
      }
    }
}

void
multiply_series(float *series, long n, int thread, int n_threads)
{
  for (long i = thread; i < n; i += n_threads) {
    float *a = series + 2 * i;
    a[0] = a[0] * a[0] + a[1] * a[1];
    a[1] = 0.0f;
  }
}

void
add_series(float *f, const float *series, int n_frames, int n_vectors, int n_block,
           int length, int thread, int n_threads)
{
  (void)thread, (void)n_threads;
  for (int one = 0; one < n_block * n_vectors; one++) {
    const float *a = series + 2l * length * one;
    float *sums = f + 2l * n_frames * (one % n_vectors);
    for (int lag = 0; lag < n_frames; lag++) {
      float pairs = (float)length * (n_frames - lag);
      sums[2 * lag] += a[2 * lag] / pairs;
      sums[2 * lag + 1] += a[2 * lag + 1] / pairs;
    }
  }
}
