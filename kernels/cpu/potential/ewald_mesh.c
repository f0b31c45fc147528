/* SPDX-License-Identifier: MIT */
/* Ewald's mesh on the CPU.
 *
 * Charges are sorted into blocks of the mesh's second and third axis that are at least as wide as a spline,
 * so that what a block spreads ends within the next one. Blocks are then done in four rounds, every second
 * one along each axis at a time: no two threads meet, and each mesh point gets its charges in an order that
 * does not depend on how many threads there are. */
#include "ewald_mesh.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "ewald_block.h"

/* Rows of the map, or of the modes, in a piece of work; atoms likewise. */
#define ROWS 8
#define ATOMS 4096

typedef struct {
  size_t blocks[2]; /* along the second and the third axis: 1, or even */
  uint32_t *block;  /* of each atom */
  uint32_t *order;  /* atoms by block, and within a block as they were given */
  size_t *begin;    /* of each block in `order`, and the end */
} Sorting;

struct DebyeEwaldMesh {
  DebyeEwaldFrame frame;
  DebyeEwaldMeshSettings settings;
  const DebyeEwaldBlock *loops;
  DebyeFourier *fourier;
  double *factors;
  void *values; /* real */
  void *modes;  /* complex */
  Sorting sorting;
};

static DebyeFourierSettings
transform_of(const DebyeEwaldMesh *mesh)
{
  const size_t *n = mesh->settings.ewald.mesh;
  return (DebyeFourierSettings){.real = true,
                                .double_precision = mesh->settings.double_precision,
                                .shape = {n[0], n[1], n[2]},
                                .batch = 1};
}

static size_t
value_bytes(const DebyeEwaldMesh *mesh)
{
  return mesh->settings.double_precision ? sizeof(double) : sizeof(float);
}

/* As many blocks as are wide enough: an even number, or one. */
static size_t
blocks_along(size_t n, unsigned order)
{
  size_t blocks = n / order / 2 * 2;
  return blocks > 0 ? blocks : 1;
}

static DebyeStatusCode
set_up(void *made, int device, const void *settings, DebyeStatus *status)
{
  DebyeEwaldMesh *mesh = made;
  (void)device;
  mesh->settings = *(const DebyeEwaldMeshSettings *)settings;
  const DebyeEwald *ewald = &mesh->settings.ewald;
  for (int axis = 0; axis < 2; axis++)
    mesh->sorting.blocks[axis] = blocks_along(ewald->mesh[axis + 1], ewald->order);
  if (mesh->settings.max_charges > UINT32_MAX)
    return debye_status_set(status, DEBYE_STATUS_UNSUPPORTED, "%zu charges are more than a mesh can sort.",
                            mesh->settings.max_charges);
  return debye_status_ok(status);
}

static void
list_memory(void *made, DebyePlanMemory *memory)
{
  DebyeEwaldMesh *mesh = made;
  const DebyeFourierSettings transform = transform_of(mesh);
  const size_t value = value_bytes(mesh), *n = mesh->settings.ewald.mesh;
  Sorting *sorting = &mesh->sorting;
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, mesh->factors, n[0] + n[1] + n[2]);
  debye_plan_memory_add(memory, DEBYE_MEMORY_HOST, &mesh->values, debye_fourier_n_real(&transform), value);
  debye_plan_memory_add(memory, DEBYE_MEMORY_HOST, &mesh->modes, debye_fourier_n_complex(&transform),
                        2 * value);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, sorting->block, mesh->settings.max_charges);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, sorting->order, mesh->settings.max_charges);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, sorting->begin, sorting->blocks[0] * sorting->blocks[1] + 1);
}

static DebyeStatusCode
no_memory(const void *made, DebyeStatus *status)
{
  const size_t *n = ((const DebyeEwaldMesh *)made)->settings.ewald.mesh;
  return debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                          "There is no memory for a mesh of %zu × %zu × %zu points.", n[0], n[1], n[2]);
}

static DebyeStatusCode
prepare(void *made, DebyeStatus *status)
{
  DebyeEwaldMesh *mesh = made;
  const DebyeEwald *ewald = &mesh->settings.ewald;
  const DebyeFourierSettings transform = transform_of(mesh);
  double *factor = mesh->factors;
  for (int axis = 0; axis < 3; axis++) {
    debye_ewald_factors(ewald->order, ewald->mesh[axis], factor);
    mesh->frame.factor[axis] = factor;
    factor += ewald->mesh[axis];
  }
  mesh->loops = debye_ewald_block(debye_cpu_get_level(), mesh->settings.double_precision);
  return debye_fourier_create(&transform, mesh->settings.pool, &mesh->fourier, status);
}

static void
clear(void *made)
{
  debye_fourier_destroy(((DebyeEwaldMesh *)made)->fourier);
}

const DebyePlanKind debye_ewald_mesh_kind = DEBYE_PLAN_KIND(
    DebyeEwaldMesh, debye_host_memory_source, .no_memory = no_memory, .prepare = prepare, .clear = clear);

/* Sorting the charges. */

typedef struct {
  DebyeEwaldMesh *mesh;
  const DebyeCharges *charges;
  atomic_size_t first_bad; /* atom that can't be summed; SIZE_MAX: none */
} Placing;

static bool
is_usable(const DebyeCharges *charges, size_t i)
{
  double x = (double)charges->x[i], y = (double)charges->y[i], z = (double)charges->z[i];
  /* Also false for what is not a number. */
  return debye_vec3_length(debye_vec3(x, y, z)) < DEBYE_DIRECT_FARTHEST && isfinite(charges->charge[i]);
}

static void
remember_bad(Placing *placing, size_t atom)
{
  size_t known = atomic_load(&placing->first_bad);
  while (atom < known && !atomic_compare_exchange_weak(&placing->first_bad, &known, atom))
    ;
}

static void
find_blocks(void *context, size_t chunk)
{
  Placing *placing = context;
  DebyeEwaldMesh *mesh = placing->mesh;
  const DebyeCharges *charges = placing->charges;
  const size_t end = (chunk + 1) * ATOMS < charges->n ? (chunk + 1) * ATOMS : charges->n;
  for (size_t i = chunk * ATOMS; i < end; i++) {
    double fraction[3];
    DebyeEwaldPlace place;
    size_t block[2];
    if (!is_usable(charges, i)) {
      remember_bad(placing, i);
      return;
    }
    debye_ewald_fraction(&mesh->frame, (double)charges->x[i], (double)charges->y[i], (double)charges->z[i],
                         fraction);
    debye_ewald_place(mesh->frame.mesh, fraction, &place);
    for (int axis = 0; axis < 2; axis++)
      block[axis] =
          (size_t)place.first[axis + 1] * mesh->sorting.blocks[axis] / mesh->settings.ewald.mesh[axis + 1];
    mesh->sorting.block[i] = (uint32_t)(block[0] + mesh->sorting.blocks[0] * block[1]);
  }
}

static void
sort_atoms(Sorting *sorting, size_t n_atoms)
{
  const size_t n_blocks = sorting->blocks[0] * sorting->blocks[1];
  memset(sorting->begin, 0, (n_blocks + 1) * sizeof *sorting->begin);
  for (size_t i = 0; i < n_atoms; i++)
    sorting->begin[sorting->block[i] + 1]++;
  for (size_t block = 0; block < n_blocks; block++)
    sorting->begin[block + 1] += sorting->begin[block];
  /* begin[b] walks to the end of block b, which is the begin of the next: one step back restores it. */
  for (size_t i = 0; i < n_atoms; i++)
    sorting->order[sorting->begin[sorting->block[i]]++] = (uint32_t)i;
  memmove(sorting->begin + 1, sorting->begin, n_blocks * sizeof *sorting->begin);
  sorting->begin[0] = 0;
}

static DebyeStatusCode
place_atoms(DebyeEwaldMesh *mesh, const DebyeCharges *charges, DebyeStatus *status)
{
  Placing placing = {.mesh = mesh, .charges = charges, .first_bad = SIZE_MAX};
  debye_parallel_for(mesh->settings.pool, (charges->n + ATOMS - 1) / ATOMS, find_blocks, &placing, NULL);
  size_t bad = atomic_load(&placing.first_bad);
  if (bad != SIZE_MAX)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "Atom %zu can't be summed: position (%g, %g, %g) Å, charge %g e.", bad + 1,
                            (double)charges->x[bad], (double)charges->y[bad], (double)charges->z[bad],
                            (double)charges->charge[bad]);
  sort_atoms(&mesh->sorting, charges->n);
  return DEBYE_STATUS_OK;
}

/* Spreading and the way through the modes. */

typedef struct {
  const DebyeEwaldMesh *mesh;
  const DebyeCharges *charges;
  size_t parity[2]; /* of the blocks of this round */
  size_t across[2]; /* blocks of this round along each axis */
} Spreading;

static void
spread_block(void *context, size_t chunk)
{
  const Spreading *spreading = context;
  const DebyeEwaldMesh *mesh = spreading->mesh;
  const Sorting *sorting = &mesh->sorting;
  const size_t y = 2 * (chunk % spreading->across[0]) + spreading->parity[0];
  const size_t z = 2 * (chunk / spreading->across[0]) + spreading->parity[1];
  const size_t block = y + sorting->blocks[0] * z, first = sorting->begin[block];
  mesh->loops->spread(&mesh->frame, spreading->charges, sorting->order + first,
                      sorting->begin[block + 1] - first, mesh->values);
}

static void
spread(const DebyeEwaldMesh *mesh, const DebyeCharges *charges)
{
  const DebyeFourierSettings transform = transform_of(mesh);
  memset(mesh->values, 0, debye_fourier_n_real(&transform) * value_bytes(mesh));
  for (size_t round = 0; round < 4; round++) {
    Spreading spreading = {.mesh = mesh, .charges = charges, .parity = {round % 2, round / 2}};
    for (int axis = 0; axis < 2; axis++)
      spreading.across[axis] = (mesh->sorting.blocks[axis] + 1 - spreading.parity[axis]) / 2;
    debye_parallel_for(mesh->settings.pool, spreading.across[0] * spreading.across[1], spread_block,
                       &spreading, NULL);
  }
}

static void
scale_rows(void *context, size_t chunk)
{
  const DebyeEwaldMesh *mesh = context;
  const size_t n_rows = mesh->settings.ewald.mesh[1] * mesh->settings.ewald.mesh[2], first = chunk * ROWS;
  const size_t left = n_rows - first;
  mesh->loops->scale(&mesh->frame, first, left < ROWS ? left : ROWS, mesh->modes);
}

DebyeStatusCode
debye_ewald_mesh_set_charges(DebyeEwaldMesh *mesh, const DebyeCharges *charges, const DebyeCell *cell,
                             DebyeStatus *status)
{
  if (charges->n > mesh->settings.max_charges)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "%zu charges were given; the plan holds at most %zu.", charges->n,
                            mesh->settings.max_charges);
  debye_ewald_frame_set(&mesh->settings.ewald, cell, &mesh->frame);
  DebyeStatusCode code = place_atoms(mesh, charges, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  const size_t n_rows = mesh->settings.ewald.mesh[1] * mesh->settings.ewald.mesh[2];
  spread(mesh, charges);
  debye_fourier_real_forward(mesh->fourier, mesh->values, mesh->modes);
  debye_parallel_for(mesh->settings.pool, (n_rows + ROWS - 1) / ROWS, scale_rows, mesh, NULL);
  debye_fourier_real_backward(mesh->fourier, mesh->modes, mesh->values);
  return debye_status_ok(status);
}

/* Interpolating. */

typedef struct {
  const DebyeEwaldMesh *mesh;
  const DebyeGrid *grid;
  DebyeEwaldGrid turned;
  DebyeSlab slab;
  char *out;
  size_t groups; /* of rows, in a plane */
} Interpolation;

static void
interpolate_rows(void *context, size_t chunk)
{
  const Interpolation *work = context;
  const size_t *shape = work->grid->shape, in_slab = chunk / work->groups;
  const size_t first = chunk % work->groups * ROWS, end = first + ROWS < shape[1] ? first + ROWS : shape[1];
  for (size_t j = first; j < end; j++) {
    size_t row = (in_slab * shape[1] + j) * shape[0];
    work->mesh->loops->interpolate(&work->mesh->frame, &work->turned, work->mesh->values, j,
                                   work->slab.first + in_slab, shape[0],
                                   work->out + row * value_bytes(work->mesh));
  }
}

DebyeStatusCode
debye_ewald_mesh_interpolate(const DebyeEwaldMesh *mesh, const DebyeGrid *grid, DebyeSlab slab, void *out,
                             const volatile bool *cancel, DebyeStatus *status)
{
  Interpolation work = {
      .mesh = mesh,
      .grid = grid,
      .turned = debye_ewald_grid(&mesh->frame, grid),
      .slab = slab,
      .out = out,
      .groups = (grid->shape[1] + ROWS - 1) / ROWS,
  };
  if (!debye_parallel_for(mesh->settings.pool, slab.count * work.groups, interpolate_rows, &work, cancel))
    return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.");
  return debye_status_ok(status);
}
