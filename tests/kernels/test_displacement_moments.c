/* SPDX-License-Identifier: MIT */
/* Moments of displacements against their definition, summed in long double, and where they are known.
 *
 * Tolerances are of the moment at the same lag: 1e-10 of the second and 1e-8 of the fourth, for random walks
 * of up to 300 steps, whose longest displacement to the fourth is some 1e5 times that of one step. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/common/cpu_settings.h"
#include "kernels/cpu/scattering/displacement_moments.h"
#include "tests/support/check.h"

#define SQUARE_TOLERANCE 1e-10
#define FOURTH_TOLERANCE 1e-8

typedef struct {
  size_t n_frames, n_paths, n_blocks;
  double *paths;
} Paths;

/* Even in [−1, 1], always the same. */
static double
get_random(unsigned long long *state)
{
  *state = *state * 6364136223846793005ull + 1442695040888963407ull;
  return (double)(*state >> 11) / 4503599627370496.0 - 1.0;
}

/* Random walks that begin far from the origin. */
static Paths
make_walks(size_t n_frames, size_t n_paths, size_t n_blocks)
{
  unsigned long long state = 20261125;
  Paths made = {n_frames, n_paths, n_blocks, malloc(3 * n_paths * n_frames * sizeof(double))};
  for (size_t i = 0; i < 3 * n_paths; i++) {
    double place = 100.0 * get_random(&state);
    for (size_t t = 0; t < n_frames; t++) {
      made.paths[i * n_frames + t] = place;
      place += get_random(&state);
    }
  }
  return made;
}

static DebyeDisplacementMoments *
add_all(const Paths *paths, size_t n_at_once)
{
  DebyeDisplacementMoments *moments = NULL;
  DebyeStatus status = {0};
  debye_displacement_moments_create(paths->n_frames, paths->n_blocks, &moments, &status);
  CHECK_THAT(moments != NULL, "%s", status.text);
  for (size_t first = 0; moments != NULL && first < paths->n_paths; first += n_at_once) {
    const size_t left = paths->n_paths - first;
    CHECK(debye_displacement_moments_add(moments, paths->paths + 3 * first * paths->n_frames, paths->n_frames,
                                         first, left < n_at_once ? left : n_at_once, NULL,
                                         &status) == DEBYE_STATUS_OK);
  }
  return moments;
}

/* Of all paths of a block and all origins. */
static void
sum_directly(const Paths *paths, size_t block, size_t lag, double *square, double *fourth)
{
  long double sums[2] = {0.0L, 0.0L};
  for (size_t i = block; i < paths->n_paths; i += paths->n_blocks)
    for (size_t t = 0; t + lag < paths->n_frames; t++) {
      long double d2 = 0.0L;
      for (size_t k = 0; k < 3; k++) {
        const double *r = paths->paths + (3 * i + k) * paths->n_frames;
        const long double d = (long double)r[t + lag] - (long double)r[t];
        d2 += d * d;
      }
      sums[0] += d2;
      sums[1] += d2 * d2;
    }
  *square = (double)sums[0];
  *fourth = (double)sums[1];
}

static void
check_walks(size_t n_frames, size_t n_paths, size_t n_blocks)
{
  Paths paths = make_walks(n_frames, n_paths, n_blocks);
  DebyeDisplacementMoments *moments = add_all(&paths, n_paths);
  double *found = malloc(2 * n_frames * sizeof *found), worst[2] = {0.0, 0.0};
  debye_check_subject("%zu frames, %zu paths, %zu blocks", n_frames, n_paths, n_blocks);
  for (size_t block = 0; block < n_blocks; block++) {
    const size_t n = n_paths / n_blocks + (block < n_paths % n_blocks);
    CHECK(debye_displacement_moments_count(moments, block) == n);
    CHECK(debye_displacement_moments_get(moments, block, found, found + n_frames, NULL) == DEBYE_STATUS_OK);
    for (size_t lag = 0; lag < n_frames; lag++) {
      double square, fourth;
      sum_directly(&paths, block, lag, &square, &fourth);
      worst[0] = fmax(worst[0], fabs(found[lag] - square) / fmax(square, 1e-300));
      worst[1] = fmax(worst[1], fabs(found[n_frames + lag] - fourth) / fmax(fourth, 1e-300));
    }
  }
  CHECK_AT_MOST(worst[0], SQUARE_TOLERANCE);
  CHECK_AT_MOST(worst[1], FOURTH_TOLERANCE);
  debye_displacement_moments_destroy(moments);
  free(found);
  free(paths.paths);
}

/* ⟨d²⟩ = v²τ² and ⟨d⁴⟩ = v⁴τ⁴, where the path is 5,000 times as long as a step. */
static void
check_free_particle(void)
{
  const size_t n = 5000;
  const double v[3] = {0.3, -0.4, 1.2}, v2 = 1.69;
  Paths paths = {n, 1, 1, malloc(3 * n * sizeof(double))};
  double *found = malloc(2 * n * sizeof *found), worst[2] = {0.0, 0.0};
  for (size_t k = 0; k < 3; k++)
    for (size_t t = 0; t < n; t++)
      paths.paths[k * n + t] = 7.0 + v[k] * (double)t;
  DebyeDisplacementMoments *moments = add_all(&paths, 1);
  debye_check_subject("a free particle");
  debye_displacement_moments_get(moments, 0, found, found + n, NULL);
  for (size_t lag = 1; lag < n; lag++) {
    const double square = v2 * (double)(lag * lag), n_origins = (double)(n - lag);
    worst[0] = fmax(worst[0], fabs(found[lag] / n_origins / square - 1.0));
    worst[1] = fmax(worst[1], fabs(found[n + lag] / n_origins / (square * square) - 1.0));
  }
  CHECK_AT_MOST(worst[0], 1e-9);
  CHECK_AT_MOST(worst[1], 3e-5);
  debye_displacement_moments_destroy(moments);
  free(found);
  free(paths.paths);
}

/* To the last bit, whatever the threads and the calls. */
static void
check_invariance(void)
{
  Paths paths = make_walks(100, 150, 4);
  double found[2][200];
  debye_check_subject("threads and calls");
  for (size_t block = 0; block < paths.n_blocks; block++) {
    for (unsigned i = 0; i < 2; i++) {
      debye_cpu_set_threads(i == 0 ? 1 : 5);
      DebyeDisplacementMoments *moments = add_all(&paths, i == 0 ? 150 : 7);
      debye_displacement_moments_get(moments, block, found[i], found[i] + 100, NULL);
      debye_displacement_moments_destroy(moments);
    }
    CHECK(memcmp(found[0], found[1], sizeof found[0]) == 0);
  }
  debye_cpu_set_threads(0);
  free(paths.paths);
}

static void
check_refusals(void)
{
  DebyeDisplacementMoments *moments = NULL;
  DebyeStatus status = {0};
  debye_check_subject("refusals");
  CHECK(debye_displacement_moments_create(0, 1, &moments, &status) == DEBYE_STATUS_INVALID);
  CHECK(moments == NULL);
  CHECK(debye_displacement_moments_create(5, 0, &moments, &status) == DEBYE_STATUS_INVALID);
  Paths paths = make_walks(20, 3, 1);
  bool cancel = true;
  debye_displacement_moments_create(20, 1, &moments, &status);
  CHECK(debye_displacement_moments_add(moments, paths.paths, 20, 0, 3, &cancel, &status) ==
        DEBYE_STATUS_CANCELLED);
  CHECK(debye_displacement_moments_count(moments, 0) == 0);
  debye_displacement_moments_destroy(moments);
  free(paths.paths);
}

int
main(void)
{
  check_walks(1, 2, 1);
  check_walks(2, 3, 2);
  check_walks(60, 13, 3);
  check_walks(257, 5, 1);
  check_walks(300, 70, 100);
  check_free_particle();
  check_invariance();
  check_refusals();
  return debye_check_finish();
}
