/* SPDX-License-Identifier: MIT */
/* The lattices of a frame on the CPU: their memory, charges onto them, and the map from them.
 *
 * Charges are sorted into blocks of the finest lattice's second and third axis that are at least as wide as a
 * spline, and blocks are done in four rounds, every second one along each axis at a time, as on Ewald's mesh:
 * no two threads meet, and no sum depends on how many there are. All else gathers, a row at a time. */
#include <string.h>

#include "multilevel_lattices_private.h"

/* Rows of the map, or atoms, in a piece of work. */
#define ROWS 8
#define ATOMS 4096

static DebyeStatusCode
set_up(void *made, int device, const void *data, DebyeStatus *status)
{
  DebyeMultilevelLattices *lattices = made;
  const DebyeMultilevelLatticeSettings *settings = data;
  (void)device;
  lattices->multilevel = settings->multilevel;
  lattices->settings = settings->potential;
  lattices->pool = settings->pool;
  if (lattices->settings.max_charges > UINT32_MAX)
    return debye_status_set(status, DEBYE_STATUS_UNSUPPORTED, "%zu charges are more than a lattice can sort.",
                            lattices->settings.max_charges);
  return debye_multilevel_usual_levels(&settings->multilevel, &settings->potential, lattices->level, status);
}

/* All levels are in it, since a frame may have more of them than a typical one: those have no size yet. */
static void
list_memory(void *made, DebyePlanMemory *memory)
{
  DebyeMultilevelLattices *lattices = made;
  const size_t value = debye_multilevel_value_bytes(lattices);
  DebyeMultilevelSorting *sorting = &lattices->sorting;
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, sorting->block, lattices->settings.max_charges);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, sorting->order, lattices->settings.max_charges);
  for (int i = 0; i < DEBYE_MULTILEVEL_MAX_LEVELS; i++) {
    const DebyeMultilevelLevel *level = &lattices->level[i];
    const size_t spill = level->n_charges > 0 ? DEBYE_MULTILEVEL_SPILL : 0;
    DebyeMultilevelRooms *rooms = &lattices->rooms[i];
    debye_plan_memory_add_room(memory, DEBYE_MEMORY_HOST, &rooms->charges, level->n_charges + spill, value);
    debye_plan_memory_add_room(memory, DEBYE_MEMORY_HOST, &rooms->potential, level->n_potential, value);
  }
  debye_plan_memory_add_room(memory, DEBYE_MEMORY_HOST, &sorting->begin, 0, 1);
  debye_plan_memory_add_room(memory, DEBYE_MEMORY_HOST, &lattices->level_fold.weights, 0, 1);
  debye_plan_memory_add_room(memory, DEBYE_MEMORY_HOST, &lattices->top_fold.weights, 0, 1);
}

static DebyeStatusCode
no_memory(const void *made, DebyeStatus *status)
{
  const DebyeMultilevelLattices *lattices = made;
  return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory to sort %zu charges.",
                          lattices->settings.max_charges);
}

static DebyeStatusCode
prepare(void *made, DebyeStatus *status)
{
  DebyeMultilevelLattices *lattices = made;
  lattices->loops = debye_multilevel_block(debye_cpu_get_level(), lattices->settings.double_precision);
  return debye_status_ok(status);
}

static void
clear(void *made)
{
  DebyeMultilevelLattices *lattices = made;
  debye_multilevel_stencils_clear(&lattices->stencils);
  debye_multilevel_rows_clear(&lattices->level_fold.rows);
  debye_multilevel_rows_clear(&lattices->top_fold.rows);
}

const DebyePlanKind debye_multilevel_lattices_kind =
    DEBYE_PLAN_KIND(DebyeMultilevelLattices, debye_host_memory_source, .no_memory = no_memory,
                    .prepare = prepare, .clear = clear);

/* Room for a frame. */

static bool
reserve(DebyeRoom *room, uint64_t count, size_t size)
{
  return debye_room_reserve(room, DEBYE_MEMORY_HOST, count, size, &debye_host_memory_source);
}

/* As many blocks as are wide enough: an even number, or one. */
static size_t
blocks_along(int n, unsigned order)
{
  size_t blocks = (size_t)n / order / 2 * 2;
  return blocks > 0 ? blocks : 1;
}

static DebyeStatusCode
set_fold(const DebyeMultilevelLattices *lattices, const DebyeMultilevelStencil *stencil,
         DebyeMultilevelFold *fold, DebyeStatus *status)
{
  debye_multilevel_rows_clear(&fold->rows);
  DebyeStatusCode code = debye_multilevel_rows_set(stencil, 0, 1, &fold->rows, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  if (!reserve(&fold->weights, fold->rows.n_weights + 1, debye_multilevel_value_bytes(lattices)))
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for a lattice's stencil.");
  for (size_t i = 0; i < fold->rows.n_weights; i++)
    if (lattices->settings.double_precision)
      ((double *)fold->weights.memory)[i] = fold->rows.weights[i];
    else
      ((float *)fold->weights.memory)[i] = (float)fold->rows.weights[i];
  return DEBYE_STATUS_OK;
}

static bool
set_levels(DebyeMultilevelLattices *lattices)
{
  const DebyeMultilevelFrame *frame = &lattices->frame;
  const size_t value = debye_multilevel_value_bytes(lattices);
  for (unsigned i = 0; i < frame->n_levels; i++) {
    DebyeMultilevelLevel *level = &lattices->level[i];
    DebyeMultilevelRooms *rooms = &lattices->rooms[i];
    *level = debye_multilevel_level(frame, i, &lattices->stencils, DEBYE_MULTILEVEL_SPILL);
    if (!reserve(&rooms->charges, level->n_charges, value) ||
        !reserve(&rooms->potential, level->n_potential, value))
      return false;
    memset(rooms->charges.memory, 0, level->n_charges * value);
    level->charge = (char *)rooms->charges.memory + level->origin * value;
    level->potential = rooms->potential.memory;
  }
  DebyeMultilevelSorting *sorting = &lattices->sorting;
  for (int axis = 0; axis < 2; axis++)
    sorting->blocks[axis] = blocks_along(frame->lattice[0].n[axis + 1], frame->order);
  return reserve(&sorting->begin, sorting->blocks[0] * sorting->blocks[1] + 1, sizeof(size_t));
}

static DebyeStatusCode
set_frame(DebyeMultilevelLattices *lattices, const DebyeCharges *charges, const DebyeCell *cell,
          DebyeStatus *status)
{
  const DebyeChunkRunner runner = debye_pool_runner(lattices->pool);
  bool changed = false;
  DebyeStatusCode code = debye_multilevel_frame_set(&lattices->multilevel, &lattices->settings, cell, charges,
                                                    &runner, &lattices->frame, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_multilevel_stencils_set(&lattices->stencils, &lattices->multilevel, &lattices->frame,
                                         &changed, status);
  if (code == DEBYE_STATUS_OK && changed)
    code = set_fold(lattices, &lattices->stencils.level, &lattices->level_fold, status);
  if (code == DEBYE_STATUS_OK && changed)
    code = set_fold(lattices, &lattices->stencils.top, &lattices->top_fold, status);
  if (code != DEBYE_STATUS_OK) {
    lattices->stencils.frame.n_levels = 0;
    return code;
  }
  if (set_levels(lattices))
    return DEBYE_STATUS_OK;
  return debye_status_set(
      status, DEBYE_STATUS_NO_MEMORY, "There is no memory for a lattice of %d × %d × %d points.",
      lattices->frame.lattice[0].n[0], lattices->frame.lattice[0].n[1], lattices->frame.lattice[0].n[2]);
}

/* Spreading. */

typedef struct {
  DebyeMultilevelLattices *lattices;
  const DebyeCharges *charges;
} Placing;

static void
find_blocks(void *context, size_t chunk)
{
  const Placing *placing = context;
  const DebyeCharges *charges = placing->charges;
  const DebyeMultilevelFrame *frame = &placing->lattices->frame;
  DebyeMultilevelSorting *sorting = &placing->lattices->sorting;
  const size_t end = (chunk + 1) * ATOMS < charges->n ? (chunk + 1) * ATOMS : charges->n;
  for (size_t i = chunk * ATOMS; i < end; i++) {
    double at[3];
    DebyeEwaldPlace place;
    debye_multilevel_atom(frame, (double)charges->x[i], (double)charges->y[i], (double)charges->z[i], at);
    debye_multilevel_place(frame, at, &place);
    const size_t y = (size_t)place.first[1] * sorting->blocks[0] / (size_t)frame->lattice[0].n[1];
    const size_t z = (size_t)place.first[2] * sorting->blocks[1] / (size_t)frame->lattice[0].n[2];
    sorting->block[i] = (uint32_t)(y + sorting->blocks[0] * z);
  }
}

static void
sort_atoms(DebyeMultilevelLattices *lattices, const DebyeCharges *charges)
{
  Placing placing = {lattices, charges};
  DebyeMultilevelSorting *sorting = &lattices->sorting;
  size_t *begin = sorting->begin.memory;
  const size_t n_blocks = sorting->blocks[0] * sorting->blocks[1];
  debye_parallel_for(lattices->pool, (charges->n + ATOMS - 1) / ATOMS, find_blocks, &placing, NULL);
  memset(begin, 0, (n_blocks + 1) * sizeof *begin);
  for (size_t i = 0; i < charges->n; i++)
    begin[sorting->block[i] + 1]++;
  for (size_t block = 0; block < n_blocks; block++)
    begin[block + 1] += begin[block];
  /* begin[b] walks to the end of block b, which is the begin of the next: one step back restores it. */
  for (size_t i = 0; i < charges->n; i++)
    sorting->order[begin[sorting->block[i]]++] = (uint32_t)i;
  memmove(begin + 1, begin, n_blocks * sizeof *begin);
  begin[0] = 0;
}

typedef struct {
  const DebyeMultilevelLattices *lattices;
  const DebyeCharges *charges;
  size_t parity[2]; /* of the blocks of this round */
  size_t across[2]; /* blocks of this round along each axis */
} Spreading;

static void
spread_block(void *context, size_t chunk)
{
  const Spreading *spreading = context;
  const DebyeMultilevelLattices *lattices = spreading->lattices;
  const DebyeMultilevelSorting *sorting = &lattices->sorting;
  const size_t *begin = sorting->begin.memory;
  const size_t y = 2 * (chunk % spreading->across[0]) + spreading->parity[0];
  const size_t z = 2 * (chunk / spreading->across[0]) + spreading->parity[1];
  const size_t block = y + sorting->blocks[0] * z, first = begin[block];
  lattices->loops->spread(&lattices->frame, spreading->charges, sorting->order + first,
                          begin[block + 1] - first, &lattices->level[0]);
}

static void
spread(const DebyeMultilevelLattices *lattices, const DebyeCharges *charges)
{
  for (size_t round = 0; round < 4; round++) {
    Spreading spreading = {.lattices = lattices, .charges = charges, .parity = {round % 2, round / 2}};
    for (int axis = 0; axis < 2; axis++)
      spreading.across[axis] = (lattices->sorting.blocks[axis] + 1 - spreading.parity[axis]) / 2;
    debye_parallel_for(lattices->pool, spreading.across[0] * spreading.across[1], spread_block, &spreading,
                       NULL);
  }
}

DebyeStatusCode
debye_multilevel_lattices_set_charges(DebyeMultilevelLattices *lattices, const DebyeCharges *charges,
                                      const DebyeCell *cell, DebyeStatus *status)
{
  const DebyeChunkRunner runner = debye_pool_runner(lattices->pool);
  DebyeStatusCode code = debye_charges_check(charges, lattices->settings.max_charges, &runner, NULL, status);
  if (code == DEBYE_STATUS_OK)
    code = set_frame(lattices, charges, cell, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  sort_atoms(lattices, charges);
  spread(lattices, charges);
  debye_multilevel_up_and_down(lattices);
  return debye_status_ok(status);
}

/* Interpolating. */

typedef struct {
  const DebyeMultilevelLattices *lattices;
  DebyeEwaldGrid turned;
  DebyeSlab slab;
  char *out;
  size_t groups; /* of rows, in a plane */
} Interpolation;

static void
interpolate_rows(void *context, size_t chunk)
{
  const Interpolation *work = context;
  const DebyeMultilevelLattices *lattices = work->lattices;
  const size_t *shape = lattices->settings.grid.shape, in_slab = chunk / work->groups;
  const size_t first = chunk % work->groups * ROWS, end = first + ROWS < shape[1] ? first + ROWS : shape[1];
  for (size_t j = first; j < end; j++) {
    const size_t row = (in_slab * shape[1] + j) * shape[0];
    lattices->loops->interpolate(&lattices->frame, &work->turned, &lattices->level[0], j,
                                 work->slab.first + in_slab, shape[0],
                                 work->out + row * debye_multilevel_value_bytes(lattices));
  }
}

DebyeStatusCode
debye_multilevel_lattices_interpolate(const DebyeMultilevelLattices *lattices, DebyeSlab slab, void *out,
                                      const volatile bool *cancel, DebyeStatus *status)
{
  Interpolation work = {
      .lattices = lattices,
      .turned = debye_multilevel_grid(&lattices->frame, &lattices->settings.grid),
      .slab = slab,
      .out = out,
      .groups = (lattices->settings.grid.shape[1] + ROWS - 1) / ROWS,
  };
  if (!debye_parallel_for(lattices->pool, slab.count * work.groups, interpolate_rows, &work, cancel))
    return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.");
  return debye_status_ok(status);
}
