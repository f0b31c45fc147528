/* SPDX-License-Identifier: MIT */
/* Arrays and stencils of the lattices of multilevel summation for both back ends: sizes of levels, stencils
 * in rows, and when a stencil has to be made again. */
#include "multilevel_levels.h"

#include <stdlib.h>
#include <string.h>

static int
larger(int a, int b)
{
  return a > b ? a : b;
}

DebyeMultilevelLevel
debye_multilevel_level(const DebyeMultilevelFrame *frame, unsigned number,
                       const DebyeMultilevelStencils *stencils, size_t spill)
{
  const DebyeMultilevelLattice *lattice = &frame->lattice[number];
  const DebyeMultilevelStencil *stencil = number + 1 == frame->n_levels ? &stencils->top : &stencils->level;
  const int order = (int)frame->order;
  DebyeMultilevelLevel level = {.charge = NULL};
  size_t n[3];
  for (int axis = 0; axis < 3; axis++) {
    level.n[axis] = lattice->n[axis];
    /* Handing up reaches an order beyond an open end. */
    level.before[axis] = larger(-stencil->low[axis], order);
    level.after[axis] = larger(stencil->n[axis] - 1 + stencil->low[axis], order);
    n[axis] = (size_t)(level.n[axis] + level.before[axis] + level.after[axis]);
  }
  level.row = n[0];
  level.plane = n[0] * n[1];
  level.origin =
      (size_t)level.before[0] + (size_t)level.before[1] * level.row + (size_t)level.before[2] * level.plane;
  level.n_charges = level.plane * n[2] + spill;
  level.n_potential = debye_multilevel_points(lattice);
  return level;
}

static size_t
stencil_stride(const DebyeMultilevelStencil *stencil, int axis)
{
  return axis == 0 ? 1 : axis == 1 ? (size_t)stencil->n[0] : (size_t)stencil->n[0] * (size_t)stencil->n[1];
}

/* The first and the last weight of a row that isn't zero; false where all are. */
static bool
find_row(const double *weight, size_t stride, int n, int *first, int *last)
{
  *first = 0;
  *last = n - 1;
  while (*first < n && weight[(size_t)*first * stride] == 0.0)
    (*first)++;
  while (*last > *first && weight[(size_t)*last * stride] == 0.0)
    (*last)--;
  return *first < n;
}

DebyeStatusCode
debye_multilevel_rows_set(const DebyeMultilevelStencil *stencil, int inner, int multiple,
                          DebyeMultilevelRows *rows, DebyeStatus *status)
{
  const int axes[2] = {inner == 0 ? 1 : 0, inner == 2 ? 1 : 2}, *n = stencil->n;
  const size_t stride = stencil_stride(stencil, inner), max_rows = (size_t)n[axes[0]] * (size_t)n[axes[1]];
  *rows = (DebyeMultilevelRows){0};
  rows->rows = calloc(max_rows, sizeof *rows->rows);
  rows->weights = calloc(max_rows * (size_t)(n[inner] + multiple), sizeof *rows->weights);
  if (rows->rows == NULL || rows->weights == NULL) {
    debye_multilevel_rows_clear(rows);
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for a lattice's stencil.");
  }
  for (int b = 0; b < n[axes[1]]; b++)
    for (int a = 0; a < n[axes[0]]; a++) {
      const double *weight = stencil->weight + (size_t)a * stencil_stride(stencil, axes[0]) +
                             (size_t)b * stencil_stride(stencil, axes[1]);
      int first, last;
      if (!find_row(weight, stride, n[inner], &first, &last))
        continue;
      const int length = (last - first + multiple) / multiple * multiple;
      rows->rows[rows->n_rows++] = (DebyeMultilevelRow){
          .inner = first + stencil->low[inner],
          .outer = {a + stencil->low[axes[0]], b + stencil->low[axes[1]]},
          .n = length,
          .begin = rows->n_weights,
      };
      for (int i = first; i <= last; i++)
        rows->weights[rows->n_weights + (size_t)(i - first)] = weight[(size_t)i * stride];
      rows->n_weights += (size_t)length;
    }
  return DEBYE_STATUS_OK;
}

void
debye_multilevel_rows_clear(DebyeMultilevelRows *rows)
{
  free(rows->rows);
  free(rows->weights);
  *rows = (DebyeMultilevelRows){0};
}

static bool
same_top(const DebyeMultilevelFrame *a, const DebyeMultilevelFrame *b)
{
  return a->n_levels == b->n_levels &&
         memcmp(&a->lattice[a->n_levels - 1], &b->lattice[b->n_levels - 1], sizeof a->lattice[0]) == 0;
}

DebyeStatusCode
debye_multilevel_stencils_set(DebyeMultilevelStencils *stencils, const DebyeMultilevel *multilevel,
                              const DebyeMultilevelFrame *frame, bool *changed, DebyeStatus *status)
{
  const DebyeMultilevelFrame *last = &stencils->frame;
  const bool same_steps = last->n_levels > 0 && memcmp(last->step, frame->step, sizeof frame->step) == 0;
  const bool new_level = !same_steps, new_top = !same_steps || !same_top(last, frame);
  DebyeStatusCode code = DEBYE_STATUS_OK;
  *changed = new_level || new_top;
  if (new_level) {
    debye_multilevel_stencil_clear(&stencils->level);
    code = debye_multilevel_level_stencil(multilevel, frame, &stencils->level, status);
  }
  if (code == DEBYE_STATUS_OK && new_top) {
    debye_multilevel_stencil_clear(&stencils->top);
    code = debye_multilevel_top_stencil(multilevel, frame, &stencils->top, status);
  }
  stencils->frame = *frame;
  if (code != DEBYE_STATUS_OK)
    stencils->frame.n_levels = 0;
  return code;
}

void
debye_multilevel_stencils_clear(DebyeMultilevelStencils *stencils)
{
  debye_multilevel_stencil_clear(&stencils->level);
  debye_multilevel_stencil_clear(&stencils->top);
  stencils->frame.n_levels = 0;
}

DebyeStatusCode
debye_multilevel_usual_levels(const DebyeMultilevel *multilevel, const DebyePotentialSettings *settings,
                              DebyeMultilevelLevel levels[DEBYE_MULTILEVEL_MAX_LEVELS], DebyeStatus *status)
{
  const DebyeCharges none = {0};
  DebyeMultilevelFrame frame;
  const DebyeStatusCode code =
      debye_multilevel_frame_set(multilevel, settings, &settings->cell, &none, NULL, &frame, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  for (unsigned i = 0; i < frame.n_levels; i++) {
    const bool is_top = i + 1 == frame.n_levels;
    double n[3];
    for (int axis = 0; axis < 3; axis++) {
      const double points = debye_vec3_length(frame.inverse[axis]), length = frame.lattice[i].n[axis];
      const double reach = fmax(2.0 * multilevel->cutoff * points, (double)frame.order);
      n[axis] = ceil(length + 2.0 * fmax(reach, is_top ? length : 0.0));
    }
    levels[i] = (DebyeMultilevelLevel){
        .row = (size_t)n[0],
        .plane = (size_t)(n[0] * n[1]),
        .n_charges = (size_t)(n[0] * n[1] * n[2]),
        .n_potential = debye_multilevel_points(&frame.lattice[i]),
    };
  }
  return code;
}
