/* SPDX-License-Identifier: MIT */
/* Implementation of poisson_levels.h. A loop's chunk is a plane: points of one colour don't depend on each other, so the
 * result is the same on any number of threads. */
#include "poisson_levels.h"

#include <string.h>

/* Grids of fewer points are done by the calling thread. */
#define PARALLEL_POINTS 20000
/* Three planes' three rows, of which a coarse row is the mean. */
#define ROWS ((size_t)9)

typedef struct {
  const DebyePoissonLevels *levels;
  const DebyePoissonLevel *level, *coarse;
  size_t colour;
} Pass;

void
debye_poisson_levels_set_up(DebyePoissonLevels *levels, const size_t shape[3], const bool periodic[3])
{
  size_t shapes[DEBYE_POISSON_MAX_LEVELS][3];
  memcpy(levels->periodic, periodic, sizeof levels->periodic);
  levels->n_levels = debye_poisson_levels(shape, periodic, shapes);
  for (size_t i = 0; i < levels->n_levels; i++) {
    memcpy(levels->levels[i].shape, shapes[i], sizeof shapes[i]);
    levels->levels[i].n = shapes[i][0] * shapes[i][1] * shapes[i][2];
  }
}

void
debye_poisson_levels_list(DebyePoissonLevels *levels, DebyePlanMemory *memory)
{
  for (size_t i = 0; i < levels->n_levels; i++) {
    DebyePoissonLevel *level = &levels->levels[i];
    for (int axis = 0; axis < 3 && i > 0; axis++)
      DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, level->along[axis], level->n);
    if (i > 0)
      DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, level->screening, level->n);
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, level->values, level->n);
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, level->right, level->n);
    if (i + 1 < levels->n_levels)
      DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, level->rows,
                       ROWS * level->shape[0] * levels->levels[i + 1].shape[2]);
  }
}

void
debye_poisson_level_planes(const DebyePoissonLevels *levels, const DebyePoissonLevel *level,
                           void (*function)(void *context, size_t plane), void *context)
{
  const size_t n = level->shape[2] - 2;
  if (level->n >= PARALLEL_POINTS)
    debye_parallel_for(levels->pool, n, function, context, NULL);
  else
    for (size_t plane = 0; plane < n; plane++)
      function(context, plane);
}

static void
run(const Pass *pass, const DebyePoissonLevel *over, void (*function)(void *context, size_t plane))
{
  debye_poisson_level_planes(pass->levels, over, function, (void *)pass);
}

/* Periodic copies. */

static void
wrap(const DebyePoissonLevels *levels, const DebyePoissonLevel *level, float *values)
{
  debye_poisson_wrap(values, sizeof *values, level->shape, levels->periodic);
}

/* Operators. */

/* How far a neighbor of a coarse point's fine one counts to its volume, and to the section of its edges. */
static const float share[3] = {0.5f, 1.0f, 0.5f};

/* The conductance of a coarse edge along an axis from the fine point `at`: each fine line's two edges in series, lines
 * side by side. Outer lines are cut off where the grid ends. */
static float
coarse_conductance(const DebyePoissonLevel *fine, int axis, size_t at, const ptrdiff_t step[3])
{
  const float *along = fine->operator_.along[axis] + at;
  const ptrdiff_t one = step[(axis + 1) % 3], other = step[(axis + 2) % 3];
  float sum = 0.0f;
  for (int i = -1; i <= 1; i++)
    for (int j = -1; j <= 1; j++) {
      const float *line = along + i * one + j * other;
      sum += share[i + 1] * share[j + 1] * (line[0] * line[step[axis]] / (line[0] + line[step[axis]]));
    }
  return sum;
}

static float
coarse_screening(const DebyePoissonLevel *fine, size_t at, const ptrdiff_t step[3])
{
  const float *screening = fine->operator_.screening + at;
  float sum = 0.0f;
  for (int i = -1; i <= 1; i++)
    for (int j = -1; j <= 1; j++)
      for (int k = -1; k <= 1; k++)
        sum +=
            share[i + 1] * share[j + 1] * share[k + 1] * screening[i * step[0] + j * step[1] + k * step[2]];
  return sum;
}

/* Edges that begin at outer points and lead within are theirs, too: their lines are within. */
static void
conduct_plane(void *context, size_t plane)
{
  const Pass *pass = context;
  const DebyePoissonLevel *fine = pass->level, *coarse = pass->coarse;
  const ptrdiff_t step[3] = {1, (ptrdiff_t)fine->shape[0], (ptrdiff_t)(fine->shape[0] * fine->shape[1])};
  for (size_t y = 0; y + 1 < coarse->shape[1]; y++)
    for (size_t x = 0; x + 1 < coarse->shape[0]; x++) {
      const size_t from = 2 * (x + fine->shape[0] * (y + fine->shape[1] * plane));
      const size_t to = x + coarse->shape[0] * (y + coarse->shape[1] * plane);
      const bool inner[3] = {x > 0, y > 0, plane > 0};
      for (int axis = 0; axis < 3; axis++)
        if (inner[(axis + 1) % 3] && inner[(axis + 2) % 3])
          coarse->along[axis][to] = coarse_conductance(fine, axis, from, step);
    }
}

static void
screen_plane(void *context, size_t plane)
{
  const Pass *pass = context;
  const DebyePoissonLevel *fine = pass->level, *coarse = pass->coarse;
  const ptrdiff_t step[3] = {1, (ptrdiff_t)fine->shape[0], (ptrdiff_t)(fine->shape[0] * fine->shape[1])};
  for (size_t y = 1; y + 1 < coarse->shape[1]; y++)
    for (size_t x = 1; x + 1 < coarse->shape[0]; x++) {
      const size_t from = 2 * (x + fine->shape[0] * (y + fine->shape[1] * (plane + 1)));
      coarse->screening[x + coarse->shape[0] * (y + coarse->shape[1] * (plane + 1))] =
          coarse_screening(fine, from, step);
    }
}

void
debye_poisson_levels_set_screening(DebyePoissonLevels *levels, const float *screening)
{
  levels->levels[0].operator_.screening = screening;
  for (size_t i = 1; i < levels->n_levels; i++) {
    const Pass pass = {levels, &levels->levels[i - 1], &levels->levels[i], 0};
    run(&pass, pass.coarse, screen_plane);
    wrap(levels, pass.coarse, pass.coarse->screening);
  }
}

void
debye_poisson_levels_set_operator(DebyePoissonLevels *levels, const DebyePoissonOperator *operator_)
{
  levels->levels[0].operator_ = *operator_;
  for (size_t i = 1; i < levels->n_levels; i++) {
    DebyePoissonLevel *coarse = &levels->levels[i];
    const Pass pass = {levels, &levels->levels[i - 1], coarse, 0};
    debye_parallel_for(levels->pool, coarse->shape[2] - 1, conduct_plane, (void *)&pass, NULL);
    for (int axis = 0; axis < 3; axis++)
      wrap(levels, coarse, coarse->along[axis]);
    coarse->operator_ =
        (DebyePoissonOperator){{coarse->along[0], coarse->along[1], coarse->along[2]}, coarse->screening};
  }
  debye_poisson_levels_set_screening(levels, operator_->screening);
}

/* The cycle. */

static void
relax_plane(void *context, size_t plane)
{
  const Pass *pass = context;
  const DebyePoissonLevel *level = pass->level;
  DebyePoissonRow row;
  for (size_t y = 1; y + 1 < level->shape[1]; y++) {
    const size_t first = debye_poisson_level_row(level, y, plane + 1, &row);
    pass->levels->block->relax(&row, 1 + (y + plane + pass->colour) % 2, level->right + first,
                               level->values + first);
  }
}

/* Colours in this order, and then again. */
static void
relax(const DebyePoissonLevels *levels, const DebyePoissonLevel *level, size_t first_colour, size_t sweeps)
{
  for (size_t i = 0; i < 2 * sweeps; i++) {
    const Pass pass = {levels, level, NULL, (first_colour + i) % 2};
    run(&pass, level, relax_plane);
    wrap(levels, level, level->values);
  }
}

/* What is left in a row within, or in the copy of one. */
static void
leave_row(const Pass *pass, size_t y, size_t z, float *left)
{
  const DebyePoissonLevel *level = pass->level;
  const bool *periodic = pass->levels->periodic;
  DebyePoissonRow row;
  const size_t first = debye_poisson_level_row(level, periodic[1] && y + 1 == level->shape[1] ? 1 : y,
                                               periodic[2] && z + 1 == level->shape[2] ? 1 : z, &row);
  pass->levels->block->subtract(&row, level->right + first, level->values + first, left);
  if (periodic[0])
    left[row.n - 1] = left[1];
}

/* What is left in three planes, only while a coarse row is made of it. Full weighting: equations are sums over volumes, so that
 * weights add up to 8. */
static void
restrict_plane(void *context, size_t plane)
{
  const Pass *pass = context;
  const DebyePoissonLevel *fine = pass->level, *coarse = pass->coarse;
  const size_t z = plane + 1, length = fine->shape[0];
  float *rows[3];
  for (size_t k = 0; k < 3; k++)
    rows[k] = fine->rows + (ROWS * plane + 3 * k) * length;
  for (size_t y = 1; y + 1 < coarse->shape[1]; y++) {
    float *to = coarse->right + coarse->shape[0] * (y + coarse->shape[1] * z);
    for (size_t new_y = y == 1 ? 1 : 2 * y; new_y <= 2 * y + 1; new_y++)
      for (size_t k = 0; k < 3; k++)
        leave_row(pass, new_y, 2 * z + k - 1, rows[k] + new_y % 3 * length);
    memset(to, 0, coarse->shape[0] * sizeof *to);
    for (size_t j = 0; j < 3; j++)
      for (size_t k = 0; k < 3; k++) {
        const float *from = rows[k] + (2 * y + j - 1) % 3 * length;
        const float weight = share[j] * share[k];
        for (size_t x = 1; x + 1 < coarse->shape[0]; x++)
          to[x] += weight * (from[2 * x] + 0.5f * (from[2 * x - 1] + from[2 * x + 1]));
      }
  }
}

/* Adds the coarse values to a fine row: between coarse points the mean of both sides. */
static void
interpolate_row(const DebyePoissonLevel *fine, const DebyePoissonLevel *coarse, size_t y, size_t z)
{
  float *to = fine->values + fine->shape[0] * (y + fine->shape[1] * z);
  const size_t step_y = y % 2 * coarse->shape[0], step_z = z % 2 * coarse->shape[0] * coarse->shape[1];
  const float *from = coarse->values + coarse->shape[0] * (y / 2 + coarse->shape[1] * (z / 2));
  const float *rows[4] = {from, from + step_y, from + step_z, from + step_y + step_z};
  for (size_t x = 0; x + 1 < coarse->shape[0]; x++) {
    const float here = 0.25f * (rows[0][x] + rows[1][x] + rows[2][x] + rows[3][x]);
    const float next = 0.25f * (rows[0][x + 1] + rows[1][x + 1] + rows[2][x + 1] + rows[3][x + 1]);
    to[2 * x] += here;
    to[2 * x + 1] += 0.5f * (here + next);
  }
}

static void
interpolate_plane(void *context, size_t plane)
{
  const Pass *pass = context;
  for (size_t y = 1; y + 1 < pass->level->shape[1]; y++)
    interpolate_row(pass->level, pass->coarse, y, plane + 1);
}

/* The coarsest grid, by as many sweeps as take a value from one end to the other and back. */
static void
solve_coarsest(const DebyePoissonLevels *levels)
{
  const DebyePoissonLevel *level = &levels->levels[levels->n_levels - 1];
  size_t largest = level->shape[0] > level->shape[1] ? level->shape[0] : level->shape[1];
  largest = largest > level->shape[2] ? largest : level->shape[2];
  memset(level->values, 0, level->n * sizeof *level->values);
  relax(levels, level, 0, largest);
  relax(levels, level, 1, largest);
}

void
debye_poisson_levels_cycle(DebyePoissonLevels *levels)
{
  for (size_t i = 0; i + 1 < levels->n_levels; i++) {
    const DebyePoissonLevel *level = &levels->levels[i], *coarse = level + 1;
    const Pass pass = {levels, level, coarse, 0};
    memset(level->values, 0, level->n * sizeof *level->values);
    relax(levels, level, 0, 1);
    run(&pass, coarse, restrict_plane);
  }
  solve_coarsest(levels);
  for (size_t i = levels->n_levels - 1; i-- > 0;) {
    const DebyePoissonLevel *level = &levels->levels[i];
    const Pass pass = {levels, level, level + 1, 0};
    run(&pass, level, interpolate_plane);
    wrap(levels, level, level->values);
    relax(levels, level, 1, 1);
  }
}
