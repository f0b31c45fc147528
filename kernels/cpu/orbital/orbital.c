/* SPDX-License-Identifier: MIT */
/* Maps of orbitals on the CPU; its twin is cuda/orbital/orbital.cu. A chunk of work is a tile of points. */
#include "kernels/orbital/orbital.h"

#include <string.h>

#include "kernels/cpu/common/cpu_kernels.h"
#include "kernels/cpu/common/cpu_settings.h"
#include "kernels/cpu/common/parallel.h"
#include "kernels/cpu/common/scratch.h"
#include "kernels/plan.h"
#include "orbital_block.h"

#define TILE_X DEBYE_ORBITAL_TILE_X
#define TILE_Y DEBYE_ORBITAL_TILE_Y
#define TILE_Z DEBYE_ORBITAL_TILE_Z
#define LINES DEBYE_ORBITAL_LINES
#define TILE DEBYE_ORBITAL_TILE

/* Terms that are multiplied at once, so that they stay in the first cache, and the most that one primitive adds. */
#define BATCH 64
#define MAX_TERMS (BATCH + DEBYE_ORBITAL_MAX_DEGREE + 1)
/* Primitives of a tile whose exponentials are kept from function to function. */
#define CACHED 512

typedef struct {
  DebyeOrbitalSettings settings;
  const DebyeOrbitalBlock *block;
  DebyePool *pool;
  DebyeScratch scratch;
  unsigned threads;
  size_t n_tiles[3];
  float *map;
  DebyeOrbitalSet set; /* a copy */
  /* Of the functions that are computed: the farthest of each centre and primitive. */
  float *farthest, *farthest_primitive;
} Plan;

/* A primitive in reach of a tile, and how far the tile is from its centre. */
typedef struct {
  uint32_t centre, primitive;
  float distance;
} Near;

/* A thread's own. */
typedef struct {
  float columns[MAX_TERMS * TILE_X], rows[MAX_TERMS * DEBYE_ORBITAL_ROWS];
  float values[TILE], kept[TILE], total[TILE];
  float cached[CACHED][LINES];
  Near near[]; /* max_primitives */
} Piece;

typedef struct {
  Plan *plan;
  size_t first, count;
  bool adds;
} Call;

static DebyeStatusCode
set_up(void *made, int device, const void *settings, DebyeStatus *status)
{
  static const size_t edges[3] = {TILE_X, TILE_Y, TILE_Z};
  Plan *plan = made;
  (void)device;
  plan->settings = *(const DebyeOrbitalSettings *)settings;
  for (int axis = 0; axis < 3; axis++)
    plan->n_tiles[axis] = (plan->settings.grid.shape[axis] + edges[axis] - 1) / edges[axis];
  plan->threads = debye_cpu_get_threads();
  return debye_orbital_settings_check(&plan->settings, status);
}

static void
list_memory(void *made, DebyePlanMemory *memory)
{
  Plan *plan = made;
  const DebyeOrbitalSettings *most = &plan->settings;
  const uint64_t n = most->max_functions;
  DebyeOrbitalSet *set = &plan->set;
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->map, debye_grid_n_points(&most->grid));
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->farthest, most->max_centres);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->farthest_primitive, most->max_primitives);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, set->x, most->max_centres);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, set->y, most->max_centres);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, set->z, most->max_centres);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, set->first, most->max_centres + 1);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, set->exponents, most->max_primitives);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, set->degrees, most->max_primitives);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, set->first_coefficient, most->max_primitives + 1);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, set->coefficients, n * most->max_coefficients);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, set->reach, n * most->max_primitives);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, set->centre_reach, n * most->max_centres);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, set->uses, n);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, set->weights, n);
  debye_scratch_list(&plan->scratch, plan->threads, sizeof(Piece) + most->max_primitives * sizeof(Near),
                     memory);
}

static DebyeStatusCode
no_memory(const void *made, DebyeStatus *status)
{
  const Plan *plan = made;
  return debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                          "There is no memory for a map of %zu points and %zu orbitals.",
                          debye_grid_n_points(&plan->settings.grid), plan->settings.max_functions);
}

static DebyeStatusCode
prepare(void *made, DebyeStatus *status)
{
  Plan *plan = made;
  debye_scratch_init(&plan->scratch);
  plan->block = debye_orbital_block(debye_cpu_get_level());
  plan->pool = debye_pool_new(plan->threads);
  return plan->pool != NULL ? debye_status_ok(status) : no_memory(plan, status);
}

DEBYE_SCRATCH_CLEAR_PLAN(Plan)
DEBYE_PLAN(Plan, debye_host_memory_source, .no_memory = no_memory, .prepare = prepare, .clear = clear)

#define COPY(member, count) memcpy(mine->member, set->member, (count) * sizeof *mine->member)

static DebyeStatusCode
set_functions(DebyeKernelPlan *handle, const DebyeOrbitalSet *set, DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  DebyeOrbitalSet *mine = &plan->set;
  const DebyeStatusCode code = debye_orbital_set_check(&plan->settings, set, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  mine->n_centres = set->n_centres;
  mine->n_primitives = set->n_primitives;
  mine->n_coefficients = set->n_coefficients;
  mine->n_functions = set->n_functions;
  COPY(x, set->n_centres);
  COPY(y, set->n_centres);
  COPY(z, set->n_centres);
  COPY(first, set->n_centres + 1);
  COPY(exponents, set->n_primitives);
  COPY(degrees, set->n_primitives);
  COPY(first_coefficient, set->n_primitives + 1);
  COPY(coefficients, set->n_functions * set->n_coefficients);
  COPY(reach, set->n_functions * set->n_primitives);
  COPY(centre_reach, set->n_functions * set->n_centres);
  COPY(uses, set->n_functions);
  COPY(weights, set->n_functions);
  return debye_status_ok(status);
}

/* --- A tile --- */

typedef struct {
  const Plan *plan;
  Piece *piece;
  size_t at[3], n[3];      /* the first point and how many of the grid */
  double points[LINES];    /* coordinates of the lines */
  uint32_t centre;         /* whose distances these are; UINT32_MAX: of none yet */
  double distances[LINES]; /* to the centre */
  float distances_float[LINES];
  size_t n_near;
} Tile;

static void
place_tile(Tile *tile, size_t number)
{
  static const size_t edges[3] = {TILE_X, TILE_Y, TILE_Z}, begins[3] = {0, TILE_X, TILE_X + TILE_Y};
  const DebyeGrid *grid = &tile->plan->settings.grid;
  size_t place[3];
  place[0] = number % tile->plan->n_tiles[0];
  place[1] = number / tile->plan->n_tiles[0] % tile->plan->n_tiles[1];
  place[2] = number / tile->plan->n_tiles[0] / tile->plan->n_tiles[1];
  for (int axis = 0; axis < 3; axis++) {
    const double origin = (&grid->origin.x)[axis], step = (&grid->step[axis].x)[axis];
    const size_t left = grid->shape[axis] - place[axis] * edges[axis];
    tile->at[axis] = place[axis] * edges[axis];
    tile->n[axis] = left < edges[axis] ? left : edges[axis];
    /* Beyond the grid's end its last point again, so that the tile reaches no farther. */
    for (size_t i = 0; i < edges[axis]; i++) {
      const size_t point = i < tile->n[axis] ? i : tile->n[axis] - 1;
      tile->points[begins[axis] + i] = origin + step * (double)(tile->at[axis] + point);
    }
  }
}

static double
outside(double value, double end, double other)
{
  return fmax(0.0, fmax(fmin(end, other) - value, value - fmax(end, other)));
}

static double
distance_to(const Tile *tile, const double centre[3])
{
  static const size_t begins[3] = {0, TILE_X, TILE_X + TILE_Y}, ends[3] = {TILE_X, TILE_X + TILE_Y, LINES};
  double square = 0.0;
  for (int axis = 0; axis < 3; axis++) {
    const double away = outside(centre[axis], tile->points[begins[axis]], tile->points[ends[axis] - 1]);
    square += away * away;
  }
  return sqrt(square);
}

static void
find_near(Tile *tile)
{
  const Plan *plan = tile->plan;
  const DebyeOrbitalSet *set = &plan->set;
  for (size_t i = 0; i < set->n_centres; i++) {
    const double distance = distance_to(tile, (const double[3]){set->x[i], set->y[i], set->z[i]});
    if (!(distance < (double)plan->farthest[i]))
      continue;
    for (uint32_t k = set->first[i]; k < set->first[i + 1]; k++)
      if (distance < (double)plan->farthest_primitive[k])
        tile->piece->near[tile->n_near++] = (Near){(uint32_t)i, k, (float)distance};
  }
}

static void
choose_centre(Tile *tile, uint32_t centre)
{
  const DebyeOrbitalSet *set = &tile->plan->set;
  if (tile->centre == centre)
    return;
  tile->centre = centre;
  for (int i = 0; i < LINES; i++) {
    const double from = i < TILE_X ? set->x[centre] : i < TILE_X + TILE_Y ? set->y[centre] : set->z[centre];
    tile->distances[i] = tile->points[i] - from;
    tile->distances_float[i] = (float)tile->distances[i];
  }
}

static void
cache_exponentials(Tile *tile)
{
  for (size_t i = 0; i < tile->n_near && i < CACHED; i++) {
    const Near *near = &tile->piece->near[i];
    choose_centre(tile, near->centre);
    tile->plan->block->exponentials(tile->distances, tile->plan->set.exponents[near->primitive],
                                    tile->piece->cached[i]);
  }
}

/* A function's values at all points of the tile. */
static void
evaluate(Tile *tile, size_t function)
{
  const DebyeOrbitalSet *set = &tile->plan->set;
  const DebyeOrbitalBlock *block = tile->plan->block;
  const float *reach = set->reach + function * set->n_primitives;
  const float *coefficients = set->coefficients + function * set->n_coefficients;
  Piece *piece = tile->piece;
  float spare[LINES];
  size_t n_terms = 0;
  memset(piece->values, 0, sizeof piece->values);
  for (size_t i = 0; i < tile->n_near; i++) {
    const Near near = piece->near[i];
    if (!(near.distance < reach[near.primitive]))
      continue;
    choose_centre(tile, near.centre);
    if (i >= CACHED)
      block->exponentials(tile->distances, set->exponents[near.primitive], spare);
    block->write_terms(set->degrees[near.primitive], coefficients + set->first_coefficient[near.primitive],
                       tile->distances_float, i < CACHED ? piece->cached[i] : spare,
                       piece->columns + n_terms * TILE_X, piece->rows + n_terms * DEBYE_ORBITAL_ROWS);
    n_terms += set->degrees[near.primitive] + 1u;
    if (n_terms >= BATCH) {
      block->multiply(piece->columns, piece->rows, n_terms, piece->values);
      n_terms = 0;
    }
  }
  block->multiply(piece->columns, piece->rows, n_terms, piece->values);
}

static void
use_values(Piece *piece, DebyeOrbitalUse use, float weight)
{
  switch (use) {
  case DEBYE_ORBITAL_VALUE:
    for (int i = 0; i < TILE; i++)
      piece->total[i] += weight * piece->values[i];
    break;
  case DEBYE_ORBITAL_SQUARE:
    for (int i = 0; i < TILE; i++)
      piece->total[i] += weight * piece->values[i] * piece->values[i];
    break;
  case DEBYE_ORBITAL_KEEP:
    memcpy(piece->kept, piece->values, sizeof piece->kept);
    break;
  case DEBYE_ORBITAL_PRODUCT:
    for (int i = 0; i < TILE; i++)
      piece->total[i] += weight * piece->values[i] * piece->kept[i];
    break;
  }
}

static void
store(const Tile *tile, bool adds)
{
  const size_t *shape = tile->plan->settings.grid.shape;
  for (size_t k = 0; k < tile->n[2]; k++)
    for (size_t j = 0; j < tile->n[1]; j++) {
      const float *from = tile->piece->total + (k * TILE_Y + j) * TILE_X;
      float *to = tile->plan->map + tile->at[0] + shape[0] * (tile->at[1] + j + shape[1] * (tile->at[2] + k));
      for (size_t i = 0; i < tile->n[0]; i++)
        to[i] = adds ? to[i] + from[i] : from[i];
    }
}

static void
compute_tile(void *context, size_t number)
{
  const Call *call = context;
  Plan *plan = call->plan;
  Tile tile = {.plan = plan, .piece = debye_scratch_take(&plan->scratch), .centre = UINT32_MAX};
  place_tile(&tile, number);
  find_near(&tile);
  cache_exponentials(&tile);
  memset(tile.piece->total, 0, sizeof tile.piece->total);
  for (size_t i = call->first; i < call->first + call->count && tile.n_near > 0; i++) {
    evaluate(&tile, i);
    use_values(tile.piece, plan->set.uses[i], plan->set.weights[i]);
  }
  store(&tile, call->adds);
  debye_scratch_give(&plan->scratch, tile.piece);
}

/* --- The map --- */

static void
find_farthest(const float *reach, size_t n, size_t first, size_t count, float *farthest)
{
  memset(farthest, 0, n * sizeof *farthest);
  for (size_t function = first; function < first + count; function++)
    for (size_t i = 0; i < n; i++)
      farthest[i] = fmaxf(farthest[i], reach[function * n + i]);
}

static DebyeStatusCode
compute(DebyeKernelPlan *handle, size_t first, size_t count, bool adds, const volatile bool *cancel,
        DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  Call call = {.plan = plan, .first = first, .count = count, .adds = adds};
  const DebyeStatusCode code = debye_orbital_range_check(plan->set.n_functions, first, count, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  find_farthest(plan->set.centre_reach, plan->set.n_centres, first, count, plan->farthest);
  find_farthest(plan->set.reach, plan->set.n_primitives, first, count, plan->farthest_primitive);
  if (!debye_parallel_for(plan->pool, plan->n_tiles[0] * plan->n_tiles[1] * plan->n_tiles[2], compute_tile,
                          &call, cancel))
    return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.");
  return debye_status_ok(status);
}

static DebyeStatusCode
get_map(DebyeKernelPlan *handle, float *map, DebyeStatus *status)
{
  const Plan *plan = (const Plan *)handle;
  memcpy(map, plan->map, debye_grid_n_points(&plan->settings.grid) * sizeof *map);
  return debye_status_ok(status);
}

const DebyeOrbitalKernel debye_cpu_orbital = {
    .head = {bytes_needed, create, destroy},
    .set = set_functions,
    .compute = compute,
    .get_map = get_map,
};
