/* SPDX-License-Identifier: MIT */
/* Passes up and down the lattices on the CPU, a row or a plane at a time; called by multilevel_lattices.c. */
#include <stdlib.h>
#include <string.h>

#include "multilevel_lattices_private.h"

/* A step of the way, whose rows are the chunks. */
typedef struct {
  const DebyeMultilevelLattices *lattices;
  const DebyeMultilevelLevel *level, *above;
  DebyeMultilevelFolding folding;
} Step;

static size_t
groups_of_rows(int n)
{
  return ((size_t)n + DEBYE_MULTILEVEL_ROWS - 1) / DEBYE_MULTILEVEL_ROWS;
}

static void
restrict_plane(void *context, size_t chunk)
{
  const Step *step = context;
  for (int y = 0; y < step->above->n[1]; y++)
    step->lattices->loops->restrict_row(&step->lattices->frame, step->level, step->above, y, (int)chunk);
}

static void
prolong_plane(void *context, size_t chunk)
{
  const Step *step = context;
  for (int y = 0; y < step->level->n[1]; y++)
    step->lattices->loops->prolong_row(&step->lattices->frame, step->level, step->above, y, (int)chunk);
}

static void
fold_rows(void *context, size_t chunk)
{
  const Step *step = context;
  const size_t groups = groups_of_rows(step->level->n[1]);
  step->lattices->loops->fold(&step->folding, step->level, (int)(chunk % groups) * DEBYE_MULTILEVEL_ROWS,
                              (int)(chunk / groups));
}

/* Fills what lies beyond the ends of periodic axes: of the rows of plane z, then whole rows, then planes. */

static char *
row_begin(const DebyeMultilevelLevel *level, size_t value, int y, int z)
{
  const ptrdiff_t at = z * (ptrdiff_t)level->plane + y * (ptrdiff_t)level->row - level->before[0];
  return (char *)level->charge + at * (ptrdiff_t)value;
}

static void
wrap_plane(void *context, size_t chunk)
{
  const Step *step = context;
  const DebyeMultilevelLevel *level = step->level;
  const bool *periodic = step->lattices->frame.periodic;
  const size_t value = debye_multilevel_value_bytes(step->lattices);
  const int n = level->n[0], before = level->before[0], z = (int)chunk;
  for (int y = 0; y < level->n[1] && periodic[0]; y++) {
    char *row = row_begin(level, value, y, z);
    for (int x = -before; x < n + level->after[0]; x++)
      if (x < 0 || x >= n)
        memcpy(row + (size_t)(x + before) * value,
               row + (size_t)(debye_multilevel_wrap(x, n) + before) * value, value);
  }
  for (int y = -level->before[1]; y < level->n[1] + level->after[1] && periodic[1]; y++)
    if (y < 0 || y >= level->n[1])
      memcpy(row_begin(level, value, y, z), row_begin(level, value, debye_multilevel_wrap(y, level->n[1]), z),
             level->row * value);
}

static void
wrap_outer_plane(void *context, size_t chunk)
{
  const Step *step = context;
  const DebyeMultilevelLevel *level = step->level;
  const size_t value = debye_multilevel_value_bytes(step->lattices);
  const int outside = (int)chunk, first = -level->before[1];
  const int z =
      outside < level->before[2] ? outside - level->before[2] : outside - level->before[2] + level->n[2];
  memcpy(row_begin(level, value, first, z),
         row_begin(level, value, first, debye_multilevel_wrap(z, level->n[2])), level->plane * value);
}

static void
wrap(const Step *step)
{
  const DebyeMultilevelLevel *level = step->level;
  DebyePool *pool = step->lattices->pool;
  debye_parallel_for(pool, (size_t)level->n[2], wrap_plane, (void *)step, NULL);
  if (step->lattices->frame.periodic[2])
    debye_parallel_for(pool, (size_t)(level->before[2] + level->after[2]), wrap_outer_plane, (void *)step,
                       NULL);
}

static void
fold(Step *step, unsigned number)
{
  const DebyeMultilevelLattices *lattices = step->lattices;
  const bool is_top = number + 1 == lattices->frame.n_levels;
  const DebyeMultilevelFold *with = is_top ? &lattices->top_fold : &lattices->level_fold;
  step->folding = (DebyeMultilevelFolding){.rows = with->rows.rows,
                                           .n_rows = with->rows.n_rows,
                                           .weights = with->weights.memory,
                                           .scale = is_top ? 1.0 : ldexp(1.0, -(int)number)};
  debye_parallel_for(lattices->pool, groups_of_rows(step->level->n[1]) * (size_t)step->level->n[2], fold_rows,
                     step, NULL);
}

void
debye_multilevel_up_and_down(const DebyeMultilevelLattices *lattices)
{
  const unsigned n = lattices->frame.n_levels;
  for (unsigned i = 0; i < n; i++) {
    Step step = {.lattices = lattices, .level = &lattices->level[i], .above = &lattices->level[i + 1]};
    wrap(&step);
    fold(&step, i);
    if (i + 1 < n)
      debye_parallel_for(lattices->pool, (size_t)step.above->n[2], restrict_plane, &step, NULL);
  }
  for (unsigned i = n - 1; i-- > 0;) {
    Step step = {.lattices = lattices, .level = &lattices->level[i], .above = &lattices->level[i + 1]};
    debye_parallel_for(lattices->pool, (size_t)step.level->n[2], prolong_plane, &step, NULL);
  }
}
