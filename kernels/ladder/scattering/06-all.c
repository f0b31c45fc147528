/* All instead of self: the phases of all atoms are summed first, A(t) = Σ exp(i
 * q·r(t)), and only that sum is correlated: one series per vector instead of one
 * per vector and atom. */

float cosf(float), sinf(float);

void
compute_series(float *series, const float *x, const float *y, const float *z,
               int n_atoms, int n_frames, const float *q, int n_vectors, int first,
               int n_block, int length, int thread, int n_threads)
{
  for (int vector = thread; vector < n_vectors; vector += n_threads) {
    const float *k = q + 3 * vector;
    float *a = series + 2l * length * vector;
    for (int t = 0; t < length; t++) {
      float real = 0.0f, imaginary = 0.0f;
      for (int atom = first; atom < first + n_block && t < n_frames; atom++) {
        long at = (long)t * n_atoms + atom;
        float phase = k[0] * x[at] + k[1] * y[at] + k[2] * z[at];
        real += cosf(phase);
        imaginary += sinf(phase);
      }
      a[2 * t] = real;
      a[2 * t + 1] = imaginary;
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
  for (int vector = thread; vector < n_vectors; vector += n_threads)
    for (int lag = 0; lag < n_frames; lag++) {
      float real = 0.0f, imaginary = 0.0f;
      for (int atom = 0; atom < n_block; atom++) {
        const float *a = series + 2l * (length * (atom * n_vectors + vector) + lag);
        real += a[0];
        imaginary += a[1];
      }
      float *sum = f + 2l * (n_frames * vector + lag),
            pairs = (float)length * (n_frames - lag);
      sum[0] += real / pairs;
      sum[1] += imaginary / pairs;
    }
}
