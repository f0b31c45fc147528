/* SPDX-License-Identifier: MIT */
/* Stencils from the kernels' transforms. */
#include "multilevel_stencil.h"

#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
/* More points than this a top lattice can't sum all of. */
#define LARGEST_TOP (1 << 17)
#define LARGEST_MODES (1 << 27)

/* The modes of a periodic box of lattice points, and which points' values are wanted. */
typedef struct {
  const DebyeMultilevelFrame *frame;
  int modes[3];
  int low[3], n[3];
  double scale; /* 2^level: of the lattice's spacing against the finest's */
} Transform;

/* A function of a wave vector with the number of its mode along each axis. */
typedef double (*Kernel)(const void *context, DebyeVec3 k, const int mode[3]);

static size_t
product(const int n[3])
{
  return (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
}

static double
lattice_volume(const DebyeMultilevelFrame *frame)
{
  const DebyeCell cell = {frame->step[0], frame->step[1], frame->step[2]};
  return fabs(debye_cell_volume(&cell));
}

/* Values of all modes, factor[axis] multiplied in, over the volume: what is to be summed. */
static void
fill_modes(const Transform *transform, Kernel kernel, const void *context, double *const factor[3],
           double *values)
{
  const DebyeMultilevelFrame *frame = transform->frame;
  const int *n = transform->modes;
  const double per_volume = 1.0 / (lattice_volume(frame) * pow(transform->scale, 3.0) * (double)product(n));
  for (int z = 0; z < n[2]; z++)
    for (int y = 0; y < n[1]; y++)
      for (int x = 0; x < n[0]; x++) {
        const int index[3] = {x, y, z};
        DebyeVec3 k = {0.0, 0.0, 0.0};
        int mode[3];
        double weight = per_volume;
        for (int axis = 0; axis < 3; axis++) {
          mode[axis] = debye_ewald_mode(index[axis], n[axis]);
          const double angle = 2.0 * PI * mode[axis] / (n[axis] * transform->scale);
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
        const double angle = 2.0 * PI * (double)((long)j * (low + m) % modes) / modes;
        const double c = cos(angle), s = sin(angle);
        const double *from = in + 2 * (o * (size_t)modes + (size_t)j) * inner;
        double *to = out + 2 * (o * (size_t)n + (size_t)m) * inner;
        for (size_t i = 0; i < inner; i++) {
          to[2 * i] += c * from[2 * i] - s * from[2 * i + 1];
          to[2 * i + 1] += s * from[2 * i] + c * from[2 * i + 1];
        }
      }
}

/* The wanted points' values. False on exhausted memory. */
static bool
run_transform(const Transform *transform, Kernel kernel, const void *context, double *const factor[3],
              double *points)
{
  const size_t p0 = (size_t)transform->modes[0], p1 = (size_t)transform->modes[1];
  const size_t n2 = (size_t)transform->n[2], n1 = (size_t)transform->n[1], n0 = (size_t)transform->n[0];
  const size_t n_modes = product(transform->modes);
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

static bool
make_factors(const Transform *transform, double *factor[3])
{
  bool good = true;
  for (int axis = 0; axis < 3; axis++) {
    factor[axis] = calloc((size_t)transform->modes[axis], sizeof *factor[axis]);
    good = good && factor[axis] != NULL;
  }
  return good;
}

static void
free_factors(double *factor[3])
{
  for (int axis = 0; axis < 3; axis++)
    free(factor[axis]);
}

/* A level's stencil. */

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
    return 6.0 * PI * a * a * debye_multilevel_window_square(level->window);
  return 4.0 * PI / square *
         (debye_multilevel_window(level->window, length * a) -
          debye_multilevel_window(level->window, 2.0 * length * a));
}

/* U² of a mode; the one at half the box, which has no sign, is dropped. */
static void
spread_factors(unsigned order, int n, double *factor)
{
  for (int i = 0; i < n; i++) {
    const double half_angle = PI * debye_ewald_mode(i, n) / n;
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

static void
fold_axis(const Matrix *matrix, const double *in, double *out, size_t outer, int n, size_t inner)
{
  memset(out, 0, outer * (size_t)n * inner * sizeof *out);
  for (size_t o = 0; o < outer; o++)
    for (int to = 0; to < n; to++)
      for (int from = 0; from < n; from++) {
        const unsigned apart = (unsigned)abs(to - from);
        if (apart > matrix->half)
          continue;
        const double weight = matrix->sequence[apart];
        const double *source = in + (o * (size_t)n + (size_t)from) * inner;
        double *target = out + (o * (size_t)n + (size_t)to) * inner;
        for (size_t i = 0; i < inner; i++)
          target[i] += weight * source[i];
      }
}

/* out = M·in on the stencil's points. */
static void
multiply(const Matrix *matrix, const double *in, double *out)
{
  const int *n = matrix->stencil->n;
  const size_t plane = (size_t)n[0] * (size_t)n[1], all = product(n);
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
  const size_t n = product(matrix->stencil->n);
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
  Transform transform = {.frame = frame, .scale = 1.0};
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
  bool *wanted = calloc(product(stencil->n), sizeof *wanted);
  stencil->weight = calloc(product(stencil->n), sizeof *stencil->weight);
  bool good = make_factors(&transform, factor) && wanted != NULL && stencil->weight != NULL;
  if (good) {
    for (int axis = 0; axis < 3; axis++)
      spread_factors(multilevel->order, transform.modes[axis], factor[axis]);
    good = run_transform(&transform, level_kernel, &level, factor, stencil->weight);
  }
  if (good) {
    find_wanted(frame, stencil, reach, wanted);
    matrix.wanted = wanted;
    make_sequence(multilevel->order, &matrix);
    good = solve(&matrix, multilevel->rounds, stencil->weight);
  }
  free_factors(factor);
  free(wanted);
  if (good)
    return debye_status_ok(status);
  debye_multilevel_stencil_clear(stencil);
  return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for a lattice's stencil.");
}

/* The top level's. */

typedef struct {
  double cutoff, window;
  double reach; /* beyond which the kernel is cut off along open axes */
  int n_periodic;
  int wire; /* the periodic axis, where there is one */
  int open; /* the open axis, where there is one */
  /* Bessel functions of each mode along the wire's axis. */
  double *k0, *k1;
  int n_wire;
} TopKernel;

/* K_ν(x) = ∫₀^∞ exp(−x cosh t) cosh(νt) dt; the trapezoidal rule is exact to all digits here. */
static double
bessel_k(double nu, double x)
{
  const double step = 0.05;
  double sum = 0.5 * exp(-x);
  for (int i = 1; i < 400; i++)
    sum += exp(-x * cosh(step * i)) * cosh(nu * step * i);
  return step * sum;
}

/* 1/d cut off beyond a sphere. */
static double
cluster_kernel(const TopKernel *top, double square)
{
  const double kt = sqrt(square) * top->reach;
  return kt < 1e-4 ? 2.0 * PI * top->reach * top->reach : 4.0 * PI / square * (1.0 - cos(kt));
}

/* Beyond two planes. */
static double
layer_kernel(const TopKernel *top, DebyeVec3 k, DebyeVec3 normal, bool in_line)
{
  const double t = top->reach, across = debye_vec3_dot(k, normal), square = debye_vec3_dot(k, k);
  const double along = sqrt(fmax(square - across * across, 0.0));
  if (!in_line)
    return 4.0 * PI / square * (1.0 + exp(-along * t) * (across / along * sin(across * t) - cos(across * t)));
  if (fabs(across) * t < 1e-4)
    return -2.0 * PI * t * t;
  return 4.0 * PI / square * (1.0 - cos(across * t) - across * t * sin(across * t));
}

/* Beyond a cylinder. */
static double
wire_kernel(const TopKernel *top, DebyeVec3 k, DebyeVec3 axis, int mode)
{
  const double r = top->reach, along = debye_vec3_dot(k, axis), square = debye_vec3_dot(k, k);
  const double across = sqrt(fmax(square - along * along, 0.0));
  if (mode != 0) {
    const int index = abs(mode);
    return 4.0 * PI / square *
           (1.0 + across * r * j1(across * r) * top->k0[index] -
            fabs(along) * r * j0(across * r) * top->k1[index]);
  }
  if (across * r < 1e-4)
    return -PI * r * r * (2.0 * log(r) - 1.0);
  return 4.0 * PI / square * (1.0 - j0(across * r) - across * r * log(r) * j1(across * r));
}

typedef struct {
  TopKernel top;
  DebyeVec3 direction; /* of the wire or the layer's normal */
} TopContext;

static double
top_kernel(const void *context, DebyeVec3 k, const int mode[3])
{
  const TopContext *given = context;
  const TopKernel *top = &given->top;
  const double square = debye_vec3_dot(k, k), a = top->cutoff;
  const double window = debye_multilevel_window(top->window, sqrt(square) * a);
  if (top->n_periodic == 0)
    return window * cluster_kernel(top, square);
  if (top->n_periodic == 1)
    return window * wire_kernel(top, k, given->direction, mode[top->wire]);
  if (top->n_periodic == 2)
    return window * layer_kernel(top, k, given->direction,
                                 mode[(top->open + 1) % 3] == 0 && mode[(top->open + 2) % 3] == 0);
  if (mode[0] == 0 && mode[1] == 0 && mode[2] == 0)
    /* What makes the mean of all levels and pairs zero: the neutralising background. */
    return -2.0 * PI * a * a * debye_multilevel_window_square(top->window);
  return 4.0 * PI / square * window;
}

static bool
make_bessel(const DebyeMultilevelFrame *frame, const Transform *transform, TopKernel *top)
{
  if (top->n_periodic != 1)
    return true;
  const int n = transform->modes[top->wire];
  top->k0 = calloc((size_t)n, sizeof *top->k0);
  top->k1 = calloc((size_t)n, sizeof *top->k1);
  if (top->k0 == NULL || top->k1 == NULL)
    return false;
  for (int i = 1; i < n; i++) {
    const double k = 2.0 * PI * i / (n * transform->scale) * debye_vec3_length(frame->inverse[top->wire]);
    top->k0[i] = bessel_k(0.0, k * top->reach);
    top->k1[i] = bessel_k(1.0, k * top->reach);
  }
  return true;
}

/* Where the kernel is cut off, and how many modes keep its images off the lattice. */
static void
set_reach(const DebyeMultilevel *multilevel, const DebyeMultilevelFrame *frame, Transform *transform,
          TopKernel *top)
{
  const int *n = frame->lattice[frame->n_levels - 1].n;
  double square = 0.0, spacing = 0.0;
  for (int axis = 0; axis < 3; axis++)
    if (!frame->periodic[axis]) {
      const double step = transform->scale * debye_vec3_length(frame->step[axis]);
      square += (n[axis] - 1) * step * ((n[axis] - 1) * step);
      spacing = fmax(spacing, step);
    }
  /* The splines' inverse falls by a half from point to point. */
  const double margin = 2.0 * multilevel->order * spacing;
  top->reach = sqrt(square) + top->cutoff + margin;
  for (int axis = 0; axis < 3; axis++) {
    const double step = transform->scale * debye_vec3_length(frame->step[axis]);
    transform->low[axis] = frame->periodic[axis] ? 0 : 1 - n[axis];
    transform->n[axis] = frame->periodic[axis] ? n[axis] : 2 * n[axis] - 1;
    transform->modes[axis] =
        frame->periodic[axis] ? n[axis] : n[axis] + (int)ceil((top->reach + margin) / step);
  }
}

static bool
fill_top(const DebyeMultilevel *multilevel, const Transform *transform, TopContext *context, double *weight)
{
  double *factor[3];
  bool good = make_factors(transform, factor) && make_bessel(transform->frame, transform, &context->top);
  if (good) {
    for (int axis = 0; axis < 3; axis++)
      debye_ewald_factors(multilevel->order, (size_t)transform->modes[axis], factor[axis]);
    good = run_transform(transform, top_kernel, context, factor, weight);
  }
  free_factors(factor);
  free(context->top.k0);
  free(context->top.k1);
  return good;
}

DebyeStatusCode
debye_multilevel_top_stencil(const DebyeMultilevel *multilevel, const DebyeMultilevelFrame *frame,
                             DebyeMultilevelStencil *stencil, DebyeStatus *status)
{
  const double scale = ldexp(1.0, (int)frame->n_levels - 1);
  Transform transform = {.frame = frame, .scale = scale};
  TopContext context = {.top = {.cutoff = scale * multilevel->cutoff, .window = multilevel->window}};
  *stencil = (DebyeMultilevelStencil){0};
  for (int axis = 0; axis < 3; axis++) {
    context.top.n_periodic += frame->periodic[axis];
    if (frame->periodic[axis])
      context.top.wire = axis;
    else
      context.top.open = axis;
  }
  const int chosen = context.top.n_periodic == 1 ? context.top.wire : context.top.open;
  context.direction = debye_vec3_scale(frame->step[chosen], 1.0 / debye_vec3_length(frame->step[chosen]));
  set_reach(multilevel, frame, &transform, &context.top);
  const double modes = (double)transform.modes[0] * transform.modes[1] * transform.modes[2];
  if (debye_multilevel_points(&frame->lattice[frame->n_levels - 1]) > LARGEST_TOP || modes > LARGEST_MODES)
    return debye_status_set(status, DEBYE_STATUS_UNSUPPORTED,
                            "Multilevel summation can't do a period this short beside such an extent across "
                            "it: a cell of several copies can be done.");
  for (int axis = 0; axis < 3; axis++) {
    stencil->low[axis] = transform.low[axis];
    stencil->n[axis] = transform.n[axis];
  }
  stencil->weight = calloc(product(stencil->n), sizeof *stencil->weight);
  if (stencil->weight != NULL && fill_top(multilevel, &transform, &context, stencil->weight))
    return debye_status_ok(status);
  debye_multilevel_stencil_clear(stencil);
  return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for the highest lattice.");
}

void
debye_multilevel_stencil_clear(DebyeMultilevelStencil *stencil)
{
  free(stencil->weight);
  *stencil = (DebyeMultilevelStencil){0};
}
