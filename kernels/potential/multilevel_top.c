/* SPDX-License-Identifier: MIT */
/* The top level's stencil, from a kernel that knows the boundary; called by multilevel_levels.c. */
#include <stdlib.h>

#include "multilevel.h"
#include "multilevel_stencil.h"
#include "multilevel_transform.h"

/* More points than this a top lattice can't sum all of. */
#define LARGEST_TOP (1 << 17)
#define LARGEST_MODES (1 << 27)

typedef struct {
  double cutoff, window;
  double reach; /* beyond which the kernel is cut off along open axes */
  int n_periodic;
  int wire; /* the periodic axis, where there is one */
  int open; /* the open axis, where there is one */
  /* Bessel functions of each mode along the wire's axis. */
  double *k0, *k1;
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
  return kt < 1e-4 ? 2.0 * DEBYE_STENCIL_PI * top->reach * top->reach
                   : 4.0 * DEBYE_STENCIL_PI / square * (1.0 - cos(kt));
}

/* Beyond two planes. */
static double
layer_kernel(const TopKernel *top, DebyeVec3 k, DebyeVec3 normal, bool in_line)
{
  const double t = top->reach, across = debye_vec3_dot(k, normal), square = debye_vec3_dot(k, k);
  const double along = sqrt(fmax(square - across * across, 0.0));
  if (!in_line)
    return 4.0 * DEBYE_STENCIL_PI / square *
           (1.0 + exp(-along * t) * (across / along * sin(across * t) - cos(across * t)));
  if (fabs(across) * t < 1e-4)
    return -2.0 * DEBYE_STENCIL_PI * t * t;
  return 4.0 * DEBYE_STENCIL_PI / square * (1.0 - cos(across * t) - across * t * sin(across * t));
}

/* Beyond a cylinder. */
static double
wire_kernel(const TopKernel *top, DebyeVec3 k, DebyeVec3 axis, int mode)
{
  const double r = top->reach, along = debye_vec3_dot(k, axis), square = debye_vec3_dot(k, k);
  const double across = sqrt(fmax(square - along * along, 0.0));
  if (mode != 0) {
    const int index = abs(mode);
    return 4.0 * DEBYE_STENCIL_PI / square *
           (1.0 + across * r * j1(across * r) * top->k0[index] -
            fabs(along) * r * j0(across * r) * top->k1[index]);
  }
  if (across * r < 1e-4)
    return -DEBYE_STENCIL_PI * r * r * (2.0 * log(r) - 1.0);
  return 4.0 * DEBYE_STENCIL_PI / square * (1.0 - j0(across * r) - across * r * log(r) * j1(across * r));
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
    return -2.0 * DEBYE_STENCIL_PI * a * a * debye_multilevel_window_square(top->window);
  return 4.0 * DEBYE_STENCIL_PI / square * window;
}

static bool
make_bessel(const DebyeMultilevelFrame *frame, const DebyeStencilTransform *transform, TopKernel *top)
{
  if (top->n_periodic != 1)
    return true;
  const int n = transform->modes[top->wire];
  top->k0 = calloc((size_t)n, sizeof *top->k0);
  top->k1 = calloc((size_t)n, sizeof *top->k1);
  if (top->k0 == NULL || top->k1 == NULL)
    return false;
  for (int i = 1; i < n; i++) {
    const double k =
        2.0 * DEBYE_STENCIL_PI * i / (n * transform->scale) * debye_vec3_length(frame->inverse[top->wire]);
    top->k0[i] = bessel_k(0.0, k * top->reach);
    top->k1[i] = bessel_k(1.0, k * top->reach);
  }
  return true;
}

/* Where the kernel is cut off, and how many modes keep its images off the lattice. */
static void
set_reach(const DebyeMultilevel *multilevel, const DebyeMultilevelFrame *frame,
          DebyeStencilTransform *transform, TopKernel *top)
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
fill_top(const DebyeMultilevel *multilevel, const DebyeStencilTransform *transform, TopContext *context,
         double *weight)
{
  double *factor[3];
  bool good =
      debye_stencil_factors_new(transform, factor) && make_bessel(transform->frame, transform, &context->top);
  if (good) {
    for (int axis = 0; axis < 3; axis++)
      debye_ewald_factors(multilevel->order, (size_t)transform->modes[axis], factor[axis]);
    good = debye_stencil_transform_run(transform, top_kernel, context, factor, weight);
  }
  debye_stencil_factors_free(factor);
  free(context->top.k0);
  free(context->top.k1);
  return good;
}

DebyeStatusCode
debye_multilevel_top_stencil(const DebyeMultilevel *multilevel, const DebyeMultilevelFrame *frame,
                             DebyeMultilevelStencil *stencil, DebyeStatus *status)
{
  const double scale = ldexp(1.0, (int)frame->n_levels - 1);
  DebyeStencilTransform transform = {.frame = frame, .scale = scale};
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
                            "Multilevel summation can't handle a period this short beside such an extent "
                            "across it. Use a cell of several copies.");
  for (int axis = 0; axis < 3; axis++) {
    stencil->low[axis] = transform.low[axis];
    stencil->n[axis] = transform.n[axis];
  }
  stencil->weight = calloc(debye_stencil_product(stencil->n), sizeof *stencil->weight);
  if (stencil->weight != NULL && fill_top(multilevel, &transform, &context, stencil->weight))
    return debye_status_ok(status);
  debye_multilevel_stencil_clear(stencil);
  return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for the highest lattice.");
}
