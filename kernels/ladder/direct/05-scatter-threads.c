/* Scatter: each thread takes some of the atoms and adds them to all points. Threads
 * meet at the same points, so that every addition has to be an atomic one. */
float sqrtf(float);

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
sum_slice(float *energy, int nx, int ny, float hx, float hy, float z,
          const float *atoms, int n_atoms, float core2, float *scratch, int thread,
          int n_threads)
{
  (void)scratch;
  for (int n = thread; n < n_atoms; n += n_threads) {
    const float *atom = atoms + 4 * n;
    float dz = z - atom[2];
    for (int j = 0; j < ny; j++) {
      float dy = hy * j - atom[1], dysqdzsq = dy * dy + dz * dz;
      for (int i = 0; i < nx; i++) {
        float dx = hx * i - atom[0];
        float r2 = dx * dx + dysqdzsq;
        atomic_add(&energy[j * nx + i], atom[3] / sqrtf(r2 > core2 ? r2 : core2));
      }
    }
  }
}
