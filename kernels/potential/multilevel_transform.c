/* SPDX-License-Identifier: MIT */
/* Sums over modes, one axis after the other; called by multilevel_stencil.c and multilevel_top.c. */
#include "multilevel_transform.h"

#include <stdlib.h>
#include <string.h>

static double
lattice_volume(const DebyeMultilevelFrame *frame)
{
  const DebyeCell cell = {frame->step[0], frame->step[1], frame->step[2]};
  return fabs(debye_cell_volume(&cell));
}

/* Values of all modes, factor[axis] multiplied in, over the volume: what is to be summed. */
static void
fill_modes(const DebyeStencilTransform *transform, DebyeStencilKernel kernel, const void *context,
           double *const factor[3], double *values)
{
  const DebyeMultilevelFrame *frame = transform->frame;
  const int *n = transform->modes;
  const double per_volume =
      1.0 / (lattice_volume(frame) * pow(transform->scale, 3.0) * (double)debye_stencil_product(n));
  for (int z = 0; z < n[2]; z++)
    for (int y = 0; y < n[1]; y++)
      for (int x = 0; x < n[0]; x++) {
        const int index[3] = {x, y, z};
        DebyeVec3 k = {0.0, 0.0, 0.0};
        int mode[3];
        double weight = per_volume;
        for (int axis = 0; axis < 3; axis++) {
          mode[axis] = debye_ewald_mode(index[axis], n[axis]);
          const double angle = 2.0 * DEBYE_STENCIL_PI * mode[axis] / (n[axis] * transform->scale);
          k = debye_vec3_add(k, debye_vec3_scale(frame->inverse[axis], angle));
          weight *= factor[axis][index[axis]];
        }
        values[((size_t)z * (size_t)n[1] + (size_t)y) * (size_t)n[0] + (size_t)x] =
            weight != 0.0 ? weight * kernel(context, k, mode) : 0.0;
      }
}

/* Sums along one axis: in[outer][modes][inner], two numbers each, to out[outer][n][inner]. */
static void
sum_axis(const double *in, double *out, size_t outer, int modes, size_t inner, int low, int n)
{
  memset(out, 0, outer * (size_t)n * inner * 2 * sizeof *out);
  for (size_t o = 0; o < outer; o++)
    for (int m = 0; m < n; m++)
      for (int j = 0; j < modes; j++) {
        const double angle = 2.0 * DEBYE_STENCIL_PI * (double)((long)j * (low + m) % modes) / modes;
        const double c = cos(angle), s = sin(angle);
        const double *from = in + 2 * (o * (size_t)modes + (size_t)j) * inner;
        double *to = out + 2 * (o * (size_t)n + (size_t)m) * inner;
        for (size_t i = 0; i < inner; i++) {
          to[2 * i] += c * from[2 * i] - s * from[2 * i + 1];
          to[2 * i + 1] += s * from[2 * i] + c * from[2 * i + 1];
        }
      }
}

bool
debye_stencil_transform_run(const DebyeStencilTransform *transform, DebyeStencilKernel kernel,
                            const void *context, double *const factor[3], double *points)
{
  const size_t p0 = (size_t)transform->modes[0], p1 = (size_t)transform->modes[1];
  const size_t n2 = (size_t)transform->n[2], n1 = (size_t)transform->n[1], n0 = (size_t)transform->n[0];
  const size_t n_modes = debye_stencil_product(transform->modes);
  double *values = calloc(2 * n_modes, sizeof *values), *first = calloc(2 * p0 * p1 * n2, sizeof *first);
  double *second = calloc(2 * p0 * n1 * n2, sizeof *second), *third = calloc(2 * n0 * n1 * n2, sizeof *third);
  const bool good = values != NULL && first != NULL && second != NULL && third != NULL;
  if (good) {
    /* Real values first, at the end of the room for pairs. */
    fill_modes(transform, kernel, context, factor, values + n_modes);
    for (size_t i = 0; i < n_modes; i++) {
      const double value = values[n_modes + i];
      values[2 * i] = value;
      values[2 * i + 1] = 0.0;
    }
    sum_axis(values, first, 1, transform->modes[2], p0 * p1, transform->low[2], transform->n[2]);
    sum_axis(first, second, n2, transform->modes[1], p0, transform->low[1], transform->n[1]);
    sum_axis(second, third, n2 * n1, transform->modes[0], 1, transform->low[0], transform->n[0]);
    for (size_t i = 0; i < n0 * n1 * n2; i++)
      points[i] = third[2 * i];
  }
  free(values);
  free(first);
  free(second);
  free(third);
  return good;
}

bool
debye_stencil_factors_new(const DebyeStencilTransform *transform, double *factor[3])
{
  bool good = true;
  for (int axis = 0; axis < 3; axis++) {
    factor[axis] = calloc((size_t)transform->modes[axis], sizeof *factor[axis]);
    good = good && factor[axis] != NULL;
  }
  return good;
}

void
debye_stencil_factors_free(double *factor[3])
{
  for (int axis = 0; axis < 3; axis++)
    free(factor[axis]);
}
