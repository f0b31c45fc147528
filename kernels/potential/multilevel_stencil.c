/* SPDX-License-Identifier: MIT */
/* A level's stencil, the one with the least error; called by multilevel_levels.c. */
#include "multilevel_stencil.h"

#include <stdlib.h>
#include <string.h>

#include "multilevel.h"
#include "multilevel_transform.h"

typedef struct {
  double cutoff, window;
} LevelKernel;

/* 4π/k² (ψ̂(ka) − ψ̂(2ka)); at zero by the window's width. */
static double
level_kernel(const void *context, DebyeVec3 k, const int mode[3])
{
  const LevelKernel *level = context;
  const double square = debye_vec3_dot(k, k), length = sqrt(square), a = level->cutoff;
  (void)mode;
  if (length * a < 1e-4)
    return 6.0 * DEBYE_STENCIL_PI * a * a * debye_multilevel_window_square(level->window);
  return 4.0 * DEBYE_STENCIL_PI / square *
         (debye_multilevel_window(level->window, length * a) -
          debye_multilevel_window(level->window, 2.0 * length * a));
}

/* U² of a mode; the one at half the box, which has no sign, is dropped. */
static void
spread_factors(unsigned order, int n, double *factor)
{
  for (int i = 0; i < n; i++) {
    const double half_angle = DEBYE_STENCIL_PI * debye_ewald_mode(i, n) / n;
    factor[i] = i == 0 ? 1.0 : 2 * i == n ? 0.0 : pow(sin(half_angle) / half_angle, 2.0 * order);
  }
}

typedef struct {
  const DebyeMultilevelStencil *stencil;
  const bool *wanted;
  unsigned half;                                       /* of the sequence below */
  double sequence[4 * DEBYE_MULTILEVEL_LARGEST_ORDER]; /* S² along an axis: at 0, 1, 2 … */
  double *scratch;
} Matrix;

/* S is the sequence of the spline of twice the order at the integers; S² that one folded with itself. */
static void
make_sequence(unsigned order, Matrix *matrix)
{
  const double zero = 0.0;
  double at[2 * DEBYE_MULTILEVEL_LARGEST_ORDER] = {0.0};
  debye_ewald_spline_double((int)(2 * order), 1, &zero, at);
  const int n = (int)(2 * order), reach = n - 2;
  matrix->half = (unsigned)reach;
  for (int i = 0; i <= reach; i++) {
    double sum = 0.0;
    for (int j = 0; j < n; j++)
      if (j + i < n)
        sum += at[j] * at[j + i];
    matrix->sequence[i] = sum;
  }
}

typedef struct {
  const Matrix *matrix;
  const double *in;
  double *out;
  int n;
  size_t inner;
} Fold;

/* One row of out[outer][n][inner]. */
static void
fold_row(const void *context, size_t row)
{
  const Fold *fold = context;
  const size_t inner = fold->inner, before = row / (size_t)fold->n * (size_t)fold->n;
  const int to = (int)(row - before), half = (int)fold->matrix->half;
  double *target = fold->out + row * inner;
  memset(target, 0, inner * sizeof *target);
  for (int from = to > half ? to - half : 0; from < fold->n && from <= to + half; from++) {
    const double weight = fold->matrix->sequence[abs(to - from)];
    const double *source = fold->in + (before + (size_t)from) * inner;
    for (size_t i = 0; i < inner; i++)
      target[i] += weight * source[i];
  }
}

static void
fold_axis(const Matrix *matrix, const double *in, double *out, size_t outer, int n, size_t inner)
{
  const Fold fold = {matrix, in, out, n, inner};
  debye_stencil_rows_run(outer * (size_t)n, (2 * (size_t)matrix->half + 1) * inner, fold_row, &fold);
}

/* out = M·in on the stencil's points. */
static void
multiply(const Matrix *matrix, const double *in, double *out)
{
  const int *n = matrix->stencil->n;
  const size_t plane = (size_t)n[0] * (size_t)n[1], all = debye_stencil_product(n);
  fold_axis(matrix, in, out, 1, n[2], plane);
  fold_axis(matrix, out, matrix->scratch, (size_t)n[2], n[1], (size_t)n[0]);
  fold_axis(matrix, matrix->scratch, out, (size_t)n[2] * (size_t)n[1], n[0], 1);
  for (size_t i = 0; i < all; i++)
    if (!matrix->wanted[i])
      out[i] = 0.0;
}

static double
dot(const double *a, const double *b, size_t n)
{
  double sum = 0.0;
  for (size_t i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

/* `weight` holds b and becomes the solution. */
static bool
solve(Matrix *matrix, unsigned rounds, double *weight)
{
  const size_t n = debye_stencil_product(matrix->stencil->n);
  double *room = calloc(4 * n, sizeof *room);
  if (room == NULL)
    return false;
  double *rest = room, *direction = room + n, *image = room + 2 * n;
  matrix->scratch = room + 3 * n;
  for (size_t i = 0; i < n; i++) {
    rest[i] = direction[i] = matrix->wanted[i] ? weight[i] : 0.0;
    weight[i] = 0.0;
  }
  double square = dot(rest, rest, n);
  for (unsigned round = 0; round < rounds && square > 0.0; round++) {
    multiply(matrix, direction, image);
    const double step = square / dot(direction, image, n);
    for (size_t i = 0; i < n; i++) {
      weight[i] += step * direction[i];
      rest[i] -= step * image[i];
    }
    const double next = dot(rest, rest, n);
    for (size_t i = 0; i < n; i++)
      direction[i] = rest[i] + next / square * direction[i];
    square = next;
  }
  free(room);
  return true;
}

/* Which points of the stencil's box are within reach. */
static void
find_wanted(const DebyeMultilevelFrame *frame, const DebyeMultilevelStencil *stencil, double reach,
            bool *wanted)
{
  for (int z = 0; z < stencil->n[2]; z++)
    for (int y = 0; y < stencil->n[1]; y++)
      for (int x = 0; x < stencil->n[0]; x++) {
        DebyeVec3 r = debye_vec3_scale(frame->step[0], x + stencil->low[0]);
        r = debye_vec3_add(r, debye_vec3_scale(frame->step[1], y + stencil->low[1]));
        r = debye_vec3_add(r, debye_vec3_scale(frame->step[2], z + stencil->low[2]));
        wanted[((size_t)z * (size_t)stencil->n[1] + (size_t)y) * (size_t)stencil->n[0] + (size_t)x] =
            debye_vec3_length(r) <= reach * (1.0 + 1e-9);
      }
}

DebyeStatusCode
debye_multilevel_level_stencil(const DebyeMultilevel *multilevel, const DebyeMultilevelFrame *frame,
                               DebyeMultilevelStencil *stencil, DebyeStatus *status)
{
  const LevelKernel level = {multilevel->cutoff, multilevel->window};
  const double reach = 2.0 * multilevel->cutoff - multilevel->spacing;
  DebyeStencilTransform transform = {.frame = frame, .scale = 1.0};
  *stencil = (DebyeMultilevelStencil){0};
  for (int axis = 0; axis < 3; axis++) {
    /* Points along the axis to a length across it. */
    const double points = debye_vec3_length(frame->inverse[axis]);
    const int half = (int)(reach * points * (1.0 + 1e-9));
    transform.low[axis] = stencil->low[axis] = -half;
    transform.n[axis] = stencil->n[axis] = 2 * half + 1;
    /* The kernel with its splines must not reach around the box into what is wanted. */
    transform.modes[axis] = half + (int)ceil(2.0 * multilevel->cutoff * points) + (int)multilevel->order + 2;
  }
  Matrix matrix = {.stencil = stencil};
  double *factor[3];
  bool *wanted = calloc(debye_stencil_product(stencil->n), sizeof *wanted);
  stencil->weight = calloc(debye_stencil_product(stencil->n), sizeof *stencil->weight);
  bool good = debye_stencil_factors_new(&transform, factor) && wanted != NULL && stencil->weight != NULL;
  if (good) {
    for (int axis = 0; axis < 3; axis++)
      spread_factors(multilevel->order, transform.modes[axis], factor[axis]);
    good = debye_stencil_transform_run(&transform, level_kernel, &level, factor, stencil->weight);
  }
  if (good) {
    find_wanted(frame, stencil, reach, wanted);
    matrix.wanted = wanted;
    make_sequence(multilevel->order, &matrix);
    good = solve(&matrix, multilevel->rounds, stencil->weight);
  }
  debye_stencil_factors_free(factor);
  free(wanted);
  if (good)
    return debye_status_ok(status);
  debye_multilevel_stencil_clear(stencil);
  return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for a lattice's stencil.");
}

void
debye_multilevel_stencil_clear(DebyeMultilevelStencil *stencil)
{
  free(stencil->weight);
  *stencil = (DebyeMultilevelStencil){0};
}
