/* SPDX-License-Identifier: MIT */
/* Sums over modes, one axis after the other; called by multilevel_stencil.c and multilevel_top.c. */
#include "multilevel_transform.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/chunk_threads.h"

#define FUNCTION_WORK 50             /* multiplications' time that a kernel takes for a mode */
#define CHUNK_WORK ((size_t)1 << 17) /* a tenth of a millisecond */

typedef struct {
  void (*function)(const void *context, size_t row);
  const void *context;
  size_t n_rows, rows_a_chunk;
} Rows;

static void
run_chunk(void *data, size_t chunk)
{
  const Rows *rows = data;
  const size_t first = chunk * rows->rows_a_chunk, left = rows->n_rows - first;
  for (size_t row = first; row < first + (left < rows->rows_a_chunk ? left : rows->rows_a_chunk); row++)
    rows->function(rows->context, row);
}

void
debye_stencil_rows_run(size_t n_rows, size_t row_work, void (*function)(const void *context, size_t row),
                       const void *context)
{
  Rows rows = {function, context, n_rows, CHUNK_WORK / (row_work + 1) + 1};
  const size_t n_chunks = (n_rows + rows.rows_a_chunk - 1) / rows.rows_a_chunk;
  if (n_chunks > 1)
    debye_chunk_threads_run(n_chunks, run_chunk, &rows);
  else
    run_chunk(&rows, 0);
}

static double
lattice_volume(const DebyeMultilevelFrame *frame)
{
  const DebyeCell cell = {frame->step[0], frame->step[1], frame->step[2]};
  return fabs(debye_cell_volume(&cell));
}

/* Values of all modes, factor[axis] multiplied in, over the volume: what is to be summed. */
typedef struct {
  const DebyeStencilTransform *transform;
  DebyeStencilKernel kernel;
  const void *context;
  double *const *factor;
  double per_volume;
  double *values;
} Filling;

static void
fill_row(const void *data, size_t row)
{
  const Filling *filling = data;
  const DebyeStencilTransform *transform = filling->transform;
  const DebyeMultilevelFrame *frame = transform->frame;
  const int *n = transform->modes;
  for (int x = 0; x < n[0]; x++) {
    const int index[3] = {x, (int)(row % (size_t)n[1]), (int)(row / (size_t)n[1])};
    DebyeVec3 k = {0.0, 0.0, 0.0};
    int mode[3];
    double weight = filling->per_volume;
    for (int axis = 0; axis < 3; axis++) {
      mode[axis] = debye_ewald_mode(index[axis], n[axis]);
      const double angle = 2.0 * DEBYE_STENCIL_PI * mode[axis] / (n[axis] * transform->scale);
      k = debye_vec3_add(k, debye_vec3_scale(frame->inverse[axis], angle));
      weight *= filling->factor[axis][index[axis]];
    }
    filling->values[row * (size_t)n[0] + (size_t)x] =
        weight != 0.0 ? weight * filling->kernel(filling->context, k, mode) : 0.0;
  }
}

static void
fill_modes(const DebyeStencilTransform *transform, DebyeStencilKernel kernel, const void *context,
           double *const factor[3], double *values)
{
  const int *n = transform->modes;
  const double per_volume = 1.0 / (lattice_volume(transform->frame) * pow(transform->scale, 3.0) *
                                   (double)debye_stencil_product(n));
  const Filling filling = {transform, kernel, context, factor, per_volume, values};
  debye_stencil_rows_run((size_t)n[2] * (size_t)n[1], FUNCTION_WORK * (size_t)n[0], fill_row, &filling);
}

typedef struct {
  const double *in;
  double *out;
  const double (*turns)[2]; /* cos and sin of −(modes − 1) … modes − 1 parts of a turn in `modes` */
  int modes, low, n;
  size_t inner;
} AxisSum;

/* One row of out[outer][n][inner]. */
static void
sum_row(const void *context, size_t row)
{
  const AxisSum *sum = context;
  const size_t inner = sum->inner, outer = row / (size_t)sum->n;
  const int modes = sum->modes, m = (int)(row % (size_t)sum->n);
  double *to = sum->out + 2 * row * inner;
  memset(to, 0, 2 * inner * sizeof *to);
  for (int j = 0; j < modes; j++) {
    const double *turn = sum->turns[(long)j * (sum->low + m) % modes + modes - 1];
    const double c = turn[0], s = turn[1];
    const double *from = sum->in + 2 * (outer * (size_t)modes + (size_t)j) * inner;
    for (size_t i = 0; i < inner; i++) {
      to[2 * i] += c * from[2 * i] - s * from[2 * i + 1];
      to[2 * i + 1] += s * from[2 * i] + c * from[2 * i + 1];
    }
  }
}

/* Sums along one axis: in[outer][modes][inner], two numbers each, to out[outer][n][inner]. False on exhausted memory. */
static bool
sum_axis(const double *in, double *out, size_t outer, const DebyeStencilTransform *transform, int axis,
         size_t inner)
{
  const int modes = transform->modes[axis];
  double(*turns)[2] = calloc(2 * (size_t)modes, sizeof *turns);
  if (turns == NULL)
    return false;
  for (int i = 1 - modes; i < modes; i++) {
    const double angle = 2.0 * DEBYE_STENCIL_PI * (double)i / modes;
    turns[i + modes - 1][0] = cos(angle);
    turns[i + modes - 1][1] = sin(angle);
  }
  const AxisSum sum = {in,   out, (const double(*)[2])turns, modes, transform->low[axis], transform->n[axis],
                       inner};
  debye_stencil_rows_run(outer * (size_t)sum.n, 4 * inner * (size_t)modes, sum_row, &sum);
  free(turns);
  return true;
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
  bool good = values != NULL && first != NULL && second != NULL && third != NULL;
  if (good) {
    /* Real values first, at the end of the room for pairs. */
    fill_modes(transform, kernel, context, factor, values + n_modes);
    for (size_t i = 0; i < n_modes; i++) {
      const double value = values[n_modes + i];
      values[2 * i] = value;
      values[2 * i + 1] = 0.0;
    }
    good = sum_axis(values, first, 1, transform, 2, p0 * p1) &&
           sum_axis(first, second, n2, transform, 1, p0) && sum_axis(second, third, n2 * n1, transform, 0, 1);
    for (size_t i = 0; good && i < n0 * n1 * n2; i++)
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
