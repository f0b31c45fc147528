/* Plain: f(t) = Σ a(t), the amplitude itself as it goes in time. */
#ifndef ATOMS
#define ATOMS 32 /* of a block */
#endif

float cosf(float), sinf(float);

void
compute_series(float *series, const float *x, const float *y, const float *z,
               int n_atoms, int n_frames, const float *q, int n_vectors, int first,
               int n_block, int length, int thread, int n_threads)
{
  for (int one = thread; one < n_block * n_vectors; one += n_threads) {
    int atom = first + one / n_vectors;
    const float *k = q + 3 * (one % n_vectors);
    float *a = series + 2l * length * one;
    for (int t = 0; t < n_frames; t++) {
      long at = (long)t * n_atoms + atom;
      float phase = k[0] * x[at] + k[1] * y[at] + k[2] * z[at];
      a[2 * t] = cosf(phase);
      a[2 * t + 1] = sinf(phase);
    }
    for (int t = n_frames; t < length; t++)
      a[2 * t] = a[2 * t + 1] = 0.0f;
  }
}

void
add_series(float *f, const float *series, int n_frames, int n_vectors, int n_block,
           int length, int thread, int n_threads)
{
  for (int vector = thread; vector < n_vectors; vector += n_threads)
    for (int atom = 0; atom < n_block; atom++)
      for (int t = 0; t < n_frames; t++) {
        const float *a = series + 2l * (length * (atom * n_vectors + vector) + t);
        f[2l * (n_frames * vector + t)] += a[0];
        f[2l * (n_frames * vector + t) + 1] += a[1];
      }
}
