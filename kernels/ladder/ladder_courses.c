/* SPDX-License-Identifier: MIT */
/* What the teaching variants of scattering share; called by both back ends' tables and drivers. */
#include "ladder.h"

#include <limits.h>
#include <stdlib.h>

#include "kernels/fourier_settings.h"

#define MOST_ATOMS_OF_A_BLOCK 32.0

size_t
debye_ladder_series_length(size_t n_frames)
{
  return debye_fourier_good_length(2 * n_frames - 1);
}

float *
debye_ladder_flatten_vectors(const DebyeLadderCourses *courses)
{
  float *q = malloc(3 * courses->n_vectors * sizeof *q);
  for (size_t i = 0; i < courses->n_vectors && q != NULL; i++) {
    q[3 * i] = (float)courses->vectors[i].x;
    q[3 * i + 1] = (float)courses->vectors[i].y;
    q[3 * i + 2] = (float)courses->vectors[i].z;
  }
  return q;
}

static bool
vectors_are_good(const DebyeLadderCourses *courses)
{
  for (size_t i = 0; i < courses->n_vectors; i++)
    if (!(debye_vec3_length(courses->vectors[i]) <= DEBYE_SELF_LONGEST_VECTOR))
      return false;
  return true;
}

/* The sources number the values of a block's series with an int. */
static bool
sizes_are_good(const DebyeLadderCourses *courses)
{
  return courses->n_atoms >= 1 && courses->n_atoms <= INT_MAX && courses->n_frames >= 1 &&
         courses->n_frames <= DEBYE_LADDER_MAX_FRAMES && courses->n_vectors >= 1 &&
         courses->n_vectors <= DEBYE_LADDER_MAX_VECTORS &&
         (double)debye_ladder_series_length(courses->n_frames) * (double)courses->n_vectors *
                 MOST_ATOMS_OF_A_BLOCK <=
             INT_MAX;
}

DebyeStatusCode
debye_ladder_courses_check(const DebyeLadderKernel *ladder, size_t variant, const DebyeLadderCourses *courses,
                           DebyeStatus *status)
{
  if (variant >= ladder->n_variants || ladder->variants[variant].kind != DEBYE_LADDER_SCATTERING)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "There is no teaching variant number %zu of this kind.", variant);
  if (!sizes_are_good(courses))
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "The teaching variants can't scatter %zu atoms in %zu frames along %zu vectors.",
                            courses->n_atoms, courses->n_frames, courses->n_vectors);
  if (!vectors_are_good(courses))
    return debye_status_set(status, DEBYE_STATUS_INVALID, "Vectors must be at most %g 1/Å long.",
                            DEBYE_SELF_LONGEST_VECTOR);
  const DebyeSelfBlock block = {.x = courses->x,
                                .y = courses->y,
                                .z = courses->z,
                                .stride = courses->n_atoms,
                                .n_atoms = courses->n_atoms};
  return debye_self_positions_check(&block, 0, courses->n_frames, status);
}

static DebyeStatusCode
execute(const DebyeSelfKernel *kernel, DebyeKernelPlan *plan, const DebyeLadderCourses *courses, float *f,
        double *seconds, const volatile bool *cancel, DebyeStatus *status)
{
  const size_t n = 2 * courses->n_vectors * courses->n_frames;
  double *exact = calloc(n, sizeof *exact);
  if (exact == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for %zu vectors.",
                            courses->n_vectors);
  const double start = debye_ladder_now();
  const DebyeStatusCode code = kernel->execute(plan, 0, courses->n_vectors, exact, NULL, cancel, status);
  *seconds = debye_ladder_now() - start;
  for (size_t i = 0; i < n; i++)
    f[i] = (float)exact[i];
  free(exact);
  return code;
}

DebyeStatusCode
debye_ladder_scatter_ours(const DebyeSelfKernel *kernel, int device, const DebyeLadderCourses *courses,
                          float *f, double *seconds, const volatile bool *cancel, DebyeStatus *status)
{
  const DebyeSelfSettings settings = {.signal = DEBYE_SIGNAL_AUTOCORRELATE,
                                      .n_frames = courses->n_frames,
                                      .vectors = courses->vectors,
                                      .n_vectors = courses->n_vectors,
                                      .n_groups = 1,
                                      .max_atoms = courses->n_atoms};
  const DebyeSelfBlock block = {.x = courses->x,
                                .y = courses->y,
                                .z = courses->z,
                                .stride = courses->n_atoms,
                                .n_atoms = courses->n_atoms};
  DebyeKernelPlan *plan = NULL;
  DebyeStatusCode code = kernel->head.create(device, &settings, &plan, status);
  if (code == DEBYE_STATUS_OK)
    code = kernel->set_block(plan, &block, status);
  if (code == DEBYE_STATUS_OK)
    code = execute(kernel, plan, courses, f, seconds, cancel, status);
  kernel->head.destroy(plan);
  return code;
}
