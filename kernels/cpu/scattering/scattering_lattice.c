/* SPDX-License-Identifier: MIT */
/* All amplitudes of a reciprocal lattice on the CPU; its twin is cuda/scattering/scattering_lattice.cu.
 *
 * Atoms are sorted into slabs of the mesh's planes, at least as thick as the kernel is wide. A thread owns a
 * slab's values and adds to them the atoms that begin in it and in the slab before, in the order of the sort:
 * nothing is shared, and the sums are the same for any number of threads. */
#include "kernels/scattering/scattering_lattice.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/common/cpu_kernels.h"
#include "kernels/cpu/common/fourier.h"
#include "lattice_block.h"
#include "unpacked_frame.h"
#include "kernels/cpu/common/parallel.h"
#include "kernels/cpu/common/cpu_settings.h"
#include "kernels/plan.h"

#define CHUNK_ATOMS ((size_t)4096)
#define LEAST_SLAB ((size_t)8)
/* Rows of the mesh that atoms of one sorting bin begin in: they stay in a cache together. */
#define BIN_ROWS ((size_t)8)
/* Of the lattice's planes, each with sums by length of its own: their order is the same for any number of threads. */
#define PARTS ((size_t)16)

typedef struct {
  double real, imaginary;
} Amplitude;

typedef struct {
  DebyeLatticeSettings settings;
  DebyeMiller *chosen;
  DebyeLatticeSpread spread;
  const DebyeLatticeBlock *block;
  DebyePool *pool;
  DebyeFourier *fourier;
  double *factor[3];
  size_t n_values;  /* of a half array */
  size_t max_atoms; /* of the largest group */
  size_t slab_planes, n_slabs, bins_wide;
  DebyeLatticeAtom *atoms, *sorted; /* of a group */
  uint32_t *bin;                    /* of an atom */
  size_t *bin_first;                /* n_slabs·bins_wide + 1 */
  void *mesh, *transform;
  Amplitude *amplitudes; /* n_groups half arrays */
  double *sums;          /* n_sums for each pair of groups; NULL without */
  double *parts;         /* by length: the frame's sums of each part of the planes */
  float *unpacked;       /* x, y, z of a packed frame */
  bool has_frame;
} DebyeLatticeCpuPlan;

/* One frame, shared by its chunks. */
typedef struct {
  DebyeLatticeCpuPlan *plan;
  const DebyeScatteringFrame *frame;
  DebyeLatticeTurn turn;
  size_t group, n_atoms; /* of the group */
  _Atomic uint64_t first_bad;
} Execution;

static size_t
at_most(size_t value, size_t limit)
{
  return value < limit ? value : limit;
}

static size_t
largest_group(const DebyeScatteringGroups *groups)
{
  size_t largest = 0;
  for (size_t g = 0; g < groups->n_groups; g++)
    if (groups->first[g + 1] - groups->first[g] > largest)
      largest = groups->first[g + 1] - groups->first[g];
  return largest;
}

static DebyeFourierSettings
fourier_settings(const DebyeLatticeSpread *spread)
{
  return (DebyeFourierSettings){.real = true,
                                .double_precision = spread->double_precision,
                                .shape = {spread->mesh[0], spread->mesh[1], spread->mesh[2]},
                                .batch = 1};
}

static size_t
real_bytes(const DebyeLatticeSpread *spread)
{
  return spread->double_precision ? sizeof(double) : sizeof(float);
}

static size_t
n_pairs(const DebyeLatticeSettings *settings)
{
  return settings->sums ? debye_lattice_n_pairs(settings->groups.n_groups) : 0;
}

/* Of all pairs. */
static size_t
n_sums(const DebyeLatticeSettings *settings)
{
  return n_pairs(settings) * debye_lattice_n_sums(settings);
}

static DebyeStatusCode
set_up(void *made, int device, const void *settings, DebyeStatus *status)
{
  DebyeLatticeCpuPlan *plan = made;
  (void)device;
  plan->settings = *(const DebyeLatticeSettings *)settings;
  const DebyeStatusCode code = debye_lattice_settings_check(&plan->settings, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  plan->spread = debye_lattice_spread(&plan->settings);
  plan->n_values = debye_lattice_n_values(plan->settings.extent);
  plan->max_atoms = largest_group(&plan->settings.groups);
  plan->slab_planes = plan->spread.width > LEAST_SLAB ? plan->spread.width : LEAST_SLAB;
  plan->n_slabs = plan->spread.mesh[2] / plan->slab_planes;
  plan->n_slabs = plan->n_slabs > 0 ? plan->n_slabs : 1;
  plan->bins_wide = (plan->spread.mesh[1] + BIN_ROWS - 1) / BIN_ROWS;
  return code;
}

static void
list_memory(void *made, DebyePlanMemory *memory)
{
  DebyeLatticeCpuPlan *plan = made;
  const DebyeLatticeSettings *settings = &plan->settings;
  const DebyeFourierSettings fourier = fourier_settings(&plan->spread);
  const size_t real = real_bytes(&plan->spread);
  for (int axis = 0; axis < 3; axis++)
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->factor[axis], 2 * (uint64_t)settings->extent[axis] + 1);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->chosen, settings->n_chosen);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->atoms, plan->max_atoms);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->sorted, plan->max_atoms);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->bin, plan->max_atoms);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->bin_first, plan->n_slabs * plan->bins_wide + 1);
  debye_plan_memory_add(memory, DEBYE_MEMORY_HOST, &plan->mesh, debye_fourier_n_real(&fourier), real);
  debye_plan_memory_add(memory, DEBYE_MEMORY_HOST, &plan->transform, debye_fourier_n_complex(&fourier),
                        2 * real);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->amplitudes, plan->n_values * settings->groups.n_groups);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->sums, n_sums(settings));
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->parts,
                   settings->by_length ? PARTS * n_sums(settings) : 0);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->unpacked,
                   settings->may_be_packed ? 3 * (uint64_t)settings->n_atoms : 0);
}

static DebyeStatusCode
no_memory(const void *made, DebyeStatus *status)
{
  (void)made;
  return debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                          "There is no memory for the mesh of a reciprocal lattice.");
}

static DebyeStatusCode
prepare(void *made, DebyeStatus *status)
{
  DebyeLatticeCpuPlan *plan = made;
  const DebyeLatticeSettings *settings = &plan->settings;
  const DebyeFourierSettings fourier = fourier_settings(&plan->spread);
  plan->block = debye_lattice_block(debye_cpu_get_level(), plan->spread.double_precision);
  plan->pool = debye_pool_new(debye_cpu_threads_beside(settings->spare_cores));
  if (plan->pool == NULL)
    return no_memory(plan, status);
  if (settings->n_chosen > 0)
    memcpy(plan->chosen, settings->chosen, settings->n_chosen * sizeof *plan->chosen);
  for (int axis = 0; axis < 3; axis++)
    debye_lattice_factors(&plan->spread, axis, settings->extent[axis], plan->factor[axis]);
  return debye_fourier_create(&fourier, plan->pool, &plan->fourier, status);
}

static void
clear(void *made)
{
  DebyeLatticeCpuPlan *plan = made;
  debye_fourier_destroy(plan->fourier);
  debye_pool_free(plan->pool);
}

DEBYE_PLAN(DebyeLatticeCpuPlan, debye_host_memory_source, .no_memory = no_memory, .prepare = prepare,
           .clear = clear)

/* Sorting. */

static size_t
slab_of(const DebyeLatticeCpuPlan *plan, size_t plane)
{
  return at_most(plane / plan->slab_planes, plan->n_slabs - 1);
}

static size_t
first_point(const DebyeLatticeCpuPlan *plan, int axis, double place)
{
  const int first = debye_lattice_first(&plan->spread, place);
  return first < 0 ? (size_t)(first + (int)plan->spread.mesh[axis]) : (size_t)first;
}

static void
note_bad(Execution *execution, uint64_t atom)
{
  uint64_t known = atomic_load(&execution->first_bad);
  while (atom < known && !atomic_compare_exchange_weak(&execution->first_bad, &known, atom))
    ;
}

static void
place_atoms(void *context, size_t chunk)
{
  Execution *execution = context;
  DebyeLatticeCpuPlan *plan = execution->plan;
  const DebyeScatteringGroups *groups = &plan->settings.groups;
  const DebyeScatteringFrame *frame = execution->frame;
  const size_t end = at_most((chunk + 1) * CHUNK_ATOMS, execution->n_atoms);
  for (size_t i = chunk * CHUNK_ATOMS; i < end; i++) {
    const size_t entry = groups->first[execution->group] + i;
    const size_t atom = groups->atoms != NULL ? groups->atoms[entry] : entry;
    DebyeLatticeAtom placed = {.weight = groups->weight != NULL ? (double)groups->weight[entry] : 1.0};
    if (debye_scattering_is_good(frame->x[atom], frame->y[atom], frame->z[atom]))
      for (int axis = 0; axis < 3; axis++)
        placed.place[axis] =
            debye_lattice_place(&execution->turn, axis, (double)frame->x[atom], (double)frame->y[atom],
                                (double)frame->z[atom], (double)plan->spread.mesh[axis]);
    else
      note_bad(execution, atom);
    plan->atoms[i] = placed;
    plan->bin[i] = (uint32_t)(slab_of(plan, first_point(plan, 2, placed.place[2])) * plan->bins_wide +
                              first_point(plan, 1, placed.place[1]) / BIN_ROWS);
  }
}

/* By bins, and in a bin in the order of the group. */
static void
sort_atoms(DebyeLatticeCpuPlan *plan, size_t n)
{
  const size_t n_bins = plan->n_slabs * plan->bins_wide;
  memset(plan->bin_first, 0, (n_bins + 1) * sizeof *plan->bin_first);
  for (size_t i = 0; i < n; i++)
    plan->bin_first[plan->bin[i] + 1]++;
  for (size_t b = 0; b < n_bins; b++)
    plan->bin_first[b + 1] += plan->bin_first[b];
  for (size_t i = 0; i < n; i++)
    plan->sorted[plan->bin_first[plan->bin[i]]++] = plan->atoms[i];
  /* Each begins now where the one after it did. */
  memmove(plan->bin_first + 1, plan->bin_first, n_bins * sizeof *plan->bin_first);
  plan->bin_first[0] = 0;
}

/* Spreading. */

static void
spread_slab(void *context, size_t slab)
{
  const Execution *execution = context;
  const DebyeLatticeCpuPlan *plan = execution->plan;
  const DebyeLatticeSpread *spread = &plan->spread;
  const size_t first = slab * plan->slab_planes, plane = spread->mesh[0] * spread->mesh[1];
  const size_t end = slab + 1 < plan->n_slabs ? first + plan->slab_planes : spread->mesh[2];
  const size_t before = (slab + plan->n_slabs - 1) % plan->n_slabs, slabs[2] = {before, slab};
  memset((char *)plan->mesh + first * plane * real_bytes(spread), 0,
         (end - first) * plane * real_bytes(spread));
  for (int i = before == slab ? 1 : 0; i < 2; i++) {
    const size_t from = plan->bin_first[slabs[i] * plan->bins_wide];
    plan->block->spread(spread, plan->sorted + from, plan->bin_first[(slabs[i] + 1) * plan->bins_wide] - from,
                        first, end, plan->mesh);
  }
}

/* Out of the transform, whose sign of the exponent is the other one. */
static void
take_plane(void *context, size_t plane)
{
  const Execution *execution = context;
  const DebyeLatticeCpuPlan *plan = execution->plan;
  const unsigned *extent = plan->settings.extent;
  const size_t *mesh = plan->spread.mesh, width = (size_t)extent[0] + 1, height = 2 * (size_t)extent[1] + 1;
  const size_t z = (plane + mesh[2] - extent[2]) % mesh[2];
  Amplitude *out = plan->amplitudes + execution->group * plan->n_values + plane * height * width;
  for (size_t row = 0; row < height; row++) {
    const size_t y = (row + mesh[1] - extent[1]) % mesh[1], from = (z * mesh[1] + y) * (mesh[0] / 2 + 1);
    const double factor = plan->factor[2][plane] * plan->factor[1][row];
    const double *const along = plan->factor[0] + extent[0];
    const float *const floats = (const float *)plan->transform + 2 * from;
    const double *const doubles = (const double *)plan->transform + 2 * from;
    for (size_t h = 0; h < width; h++) {
      const double real = plan->spread.double_precision ? doubles[2 * h] : (double)floats[2 * h];
      const double imaginary = plan->spread.double_precision ? doubles[2 * h + 1] : (double)floats[2 * h + 1];
      out[row * width + h] = (Amplitude){factor * along[h] * real, -factor * along[h] * imaginary};
    }
  }
}

static DebyeStatusCode
compute_group(Execution *execution, size_t group, const volatile bool *cancel, DebyeStatus *status)
{
  DebyeLatticeCpuPlan *plan = execution->plan;
  const size_t *first = plan->settings.groups.first;
  execution->group = group;
  execution->n_atoms = first[group + 1] - first[group];
  atomic_store(&execution->first_bad, UINT64_MAX);
  bool going = debye_parallel_for(plan->pool, (execution->n_atoms + CHUNK_ATOMS - 1) / CHUNK_ATOMS,
                                  place_atoms, execution, cancel);
  if (going && atomic_load(&execution->first_bad) != UINT64_MAX)
    return debye_scattering_bad_atom(execution->frame, (size_t)atomic_load(&execution->first_bad), status);
  if (going) {
    sort_atoms(plan, execution->n_atoms);
    going = debye_parallel_for(plan->pool, plan->n_slabs, spread_slab, execution, cancel);
  }
  if (going && !debye_is_cancelled(cancel)) {
    debye_fourier_real_forward_low(plan->fourier, plan->mesh, plan->transform, plan->settings.extent);
    going = debye_parallel_for(plan->pool, 2 * (size_t)plan->settings.extent[2] + 1, take_plane, execution,
                               cancel);
  }
  if (!going || debye_is_cancelled(cancel))
    return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.");
  return debye_status_ok(status);
}

/* Results. */

static void
add_products(void *context, size_t plane)
{
  const Execution *execution = context;
  const DebyeLatticeCpuPlan *plan = execution->plan;
  const size_t n_groups = plan->settings.groups.n_groups;
  const size_t length = plan->n_values / (2 * (size_t)plan->settings.extent[2] + 1), from = plane * length;
  for (size_t a = 0; a < n_groups; a++)
    for (size_t b = a; b < n_groups; b++) {
      const Amplitude *one = plan->amplitudes + a * plan->n_values + from;
      const Amplitude *two = plan->amplitudes + b * plan->n_values + from;
      double *sum = plan->sums + debye_lattice_pair(n_groups, a, b) * plan->n_values + from;
      for (size_t i = 0; i < length; i++)
        sum[i] += one[i].real * two[i].real + one[i].imaginary * two[i].imaginary;
    }
}

/* Of a row of both halves, those of a length that the lattice has all vectors of. */
static void
add_row_by_length(const Amplitude *one, const Amplitude *two, size_t square, size_t n_lengths, double *sums)
{
  sums[square] += one[0].real * two[0].real + one[0].imaginary * two[0].imaginary;
  for (size_t h = 1; square + h * h < n_lengths; h++)
    sums[square + h * h] += 2.0 * (one[h].real * two[h].real + one[h].imaginary * two[h].imaginary);
}

/* Every so many planes. */
static void
add_part_by_length(void *context, size_t part)
{
  const Execution *execution = context;
  const DebyeLatticeCpuPlan *plan = execution->plan;
  const unsigned *extent = plan->settings.extent;
  const int height = (int)extent[1], depth = (int)extent[2];
  const size_t n_groups = plan->settings.groups.n_groups, n_lengths = debye_lattice_n_lengths(extent);
  double *sums = plan->parts + part * n_sums(&plan->settings);
  memset(sums, 0, n_sums(&plan->settings) * sizeof *sums);
  for (size_t a = 0; a < n_groups; a++)
    for (size_t b = a; b < n_groups; b++, sums += n_lengths)
      for (int l = (int)part - depth; l <= depth; l += (int)PARTS)
        for (int k = -height; k <= height; k++) {
          const size_t square = (size_t)(k * k) + (size_t)(l * l), at = debye_lattice_index(extent, 0, k, l);
          if (square < n_lengths)
            add_row_by_length(plan->amplitudes + a * plan->n_values + at,
                              plan->amplitudes + b * plan->n_values + at, square, n_lengths, sums);
        }
}

static void
add_sums(Execution *execution)
{
  const DebyeLatticeCpuPlan *plan = execution->plan;
  const size_t n = n_sums(&plan->settings);
  if (!plan->settings.sums)
    return;
  if (!plan->settings.by_length) {
    debye_parallel_for(plan->pool, 2 * (size_t)plan->settings.extent[2] + 1, add_products, execution, NULL);
    return;
  }
  debye_parallel_for(plan->pool, PARTS, add_part_by_length, execution, NULL);
  for (size_t part = 0; part < PARTS; part++)
    for (size_t i = 0; i < n; i++)
      plan->sums[i] += plan->parts[part * n + i];
}

static void
take_chosen(const DebyeLatticeCpuPlan *plan, double *out)
{
  for (size_t g = 0; g < plan->settings.groups.n_groups; g++)
    for (size_t i = 0; i < plan->settings.n_chosen; i++, out += 2) {
      const DebyeMiller m = plan->chosen[i];
      const int sign = m.h < 0 ? -1 : 1;
      const Amplitude value =
          plan->amplitudes[g * plan->n_values +
                           debye_lattice_index(plan->settings.extent, sign * m.h, sign * m.k, sign * m.l)];
      out[0] = value.real;
      out[1] = sign * value.imaginary;
    }
}

static DebyeStatusCode
execute(DebyeKernelPlan *handle, const DebyeScatteringFrame *frame, double *chosen,
        const volatile bool *cancel, DebyeStatus *status)
{
  DebyeLatticeCpuPlan *plan = (DebyeLatticeCpuPlan *)handle;
  plan->has_frame = false;
  DebyeScatteringFrame given = *frame;
  if (debye_lattice_cell_check(frame->cell, status) != DEBYE_STATUS_OK ||
      debye_scattering_unpack(&given, plan->settings.n_atoms, plan->settings.may_be_packed, plan->unpacked,
                              plan->pool, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  Execution execution = {
      .plan = plan, .frame = &given, .turn = debye_lattice_turn(&plan->spread, frame->cell)};
  for (size_t g = 0; g < plan->settings.groups.n_groups; g++) {
    const DebyeStatusCode code = compute_group(&execution, g, cancel, status);
    if (code != DEBYE_STATUS_OK)
      return code;
  }
  plan->has_frame = true;
  add_sums(&execution);
  if (chosen != NULL)
    take_chosen(plan, chosen);
  return debye_status_ok(status);
}

static DebyeStatusCode
get_amplitudes(DebyeKernelPlan *handle, size_t group, double *amplitudes, DebyeStatus *status)
{
  const DebyeLatticeCpuPlan *plan = (const DebyeLatticeCpuPlan *)handle;
  if (!plan->has_frame || group >= plan->settings.groups.n_groups)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "There are no amplitudes of a group %zu.", group);
  memcpy(amplitudes, plan->amplitudes + group * plan->n_values, plan->n_values * sizeof *plan->amplitudes);
  return debye_status_ok(status);
}

static DebyeStatusCode
get_sums(DebyeKernelPlan *handle, size_t pair, double *sums, DebyeStatus *status)
{
  const DebyeLatticeCpuPlan *plan = (const DebyeLatticeCpuPlan *)handle;
  const size_t n = debye_lattice_n_sums(&plan->settings);
  if (pair >= n_pairs(&plan->settings))
    return debye_status_set(status, DEBYE_STATUS_INVALID, "There are no sums of a pair %zu.", pair);
  memcpy(sums, plan->sums + pair * n, n * sizeof *sums);
  return debye_status_ok(status);
}

static DebyeStatusCode
clear_sums(DebyeKernelPlan *handle, DebyeStatus *status)
{
  const DebyeLatticeCpuPlan *plan = (const DebyeLatticeCpuPlan *)handle;
  memset(plan->sums, 0, n_sums(&plan->settings) * sizeof *plan->sums);
  return debye_status_ok(status);
}

const DebyeLatticeKernel debye_cpu_lattice = {
    .head = {bytes_needed, create, destroy},
    .execute = execute,
    .get_amplitudes = get_amplitudes,
    .get_sums = get_sums,
    .clear_sums = clear_sums,
};
