/* SPDX-License-Identifier: MIT */
/* From a kernel's transform to its values at the points of a lattice: what both kinds of stencils
 * (multilevel_stencil.h) are made with. */
#pragma once

#include "multilevel_frame.h"

#define DEBYE_STENCIL_PI 3.14159265358979323846

/* The modes of a periodic box of lattice points, and which points' values are wanted. */
typedef struct {
  const DebyeMultilevelFrame *frame;
  int modes[3];
  int low[3], n[3];
  double scale; /* 2^level: of the lattice's spacing against the finest's */
} DebyeStencilTransform;

/* A function of a wave vector with the number of its mode along each axis. */
typedef double (*DebyeStencilKernel)(const void *context, DebyeVec3 k, const int mode[3]);

static inline size_t
debye_stencil_product(const int n[3])
{
  return (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
}

/* What a mode along each axis is multiplied with. False on exhausted memory; to be freed all the same. */
bool debye_stencil_factors_new(const DebyeStencilTransform *transform, double *factor[3]);
void debye_stencil_factors_free(double *factor[3]);
/* Calls function(context, row) for all rows, on all cores where that much work, in multiplications a row, is worth it. */
void debye_stencil_rows_run(size_t n_rows, size_t row_work, void (*function)(const void *context, size_t row),
                            const void *context);
/* The wanted points' values. False on exhausted memory. */
bool debye_stencil_transform_run(const DebyeStencilTransform *transform, DebyeStencilKernel kernel,
                                 const void *context, double *const factor[3], double *points);
