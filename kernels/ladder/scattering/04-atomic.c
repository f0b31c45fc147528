/* Blocks of atoms on all threads: the series of 32 atoms wait in one buffer, and
 * one call transforms them all. Threads take series; those of one vector meet at
 * the same sums, so that additions are atomic. */
#ifndef ATOMS
#define ATOMS 32 /* of a block */
#endif

float cosf(float), sinf(float);

/* Repeats until no other thread has written in between. */
static void
atomic_add(float *sum, float value)
{
  float before, after;
  __atomic_load(sum, &before, __ATOMIC_RELAXED);
  do
    after = before + value;
  while (!__atomic_compare_exchange(sum, &before, &after, 1, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED));
}

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
  for (int one = thread; one < n_block * n_vectors; one += n_threads) {
    const float *a = series + 2l * length * one;
    float *sums = f + 2l * n_frames * (one % n_vectors);
    for (int lag = 0; lag < n_frames; lag++) {
      float pairs = (float)length * (n_frames - lag);
      atomic_add(&sums[2 * lag], a[2 * lag] / pairs);
      atomic_add(&sums[2 * lag + 1], a[2 * lag + 1] / pairs);
    }
  }
}
