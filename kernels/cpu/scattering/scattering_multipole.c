/* SPDX-License-Identifier: MIT */
/* Multipoles on the CPU; its twin is cuda/scattering/scattering_multipole.cu. A chunk of the loop is some q of a
 * slice of a group's atoms, a tile of which at a time has its angular parts made once for all these q. Slices
 * follow from the settings alone and are added in their order. */
#include <string.h>

#include "kernels/cpu/common/cpu_kernels.h"
#include "kernels/cpu/common/cpu_settings.h"
#include "kernels/cpu/common/parallel.h"
#include "kernels/cpu/common/scratch.h"
#include "kernels/plan.h"
#include "kernels/scattering/scattering_multipole.h"

#define TILE 64           /* atoms whose angular parts are kept */
#define CHUNK_Q 16        /* q of a chunk */
#define LEAST_SLICE 2048  /* atoms */
#define SLICES_BYTES 64e6 /* of the coefficients of all slices, but for one slice a group */

typedef struct {
  size_t group, first, count;
} Slice;

typedef struct {
  DebyeMultipoleSettings settings;
  DebyeMultipoleAcross across;
  size_t n_harmonics;
  size_t slice_atoms, n_slices;
  Slice *slices;
  double *parts; /* [slice][q][harmonic], complex */
  unsigned n_threads;
  DebyePool *pool;
  DebyeScratch scratch; /* a Tile and its arrays */
  DebyeScatteringFrame frame;
  DebyeVec3 center;
} Plan;

/* Some atoms as the sums see them, in a thread's scratch. */
typedef struct {
  size_t n;
  double distance[TILE];
  double *re, *im; /* [harmonic][atom] */
  double *radial;  /* [order][atom] */
} Tile;

typedef struct {
  Plan *plan;
  const double *q;
  size_t n_q, n_chunks; /* of q */
  double *out;
  const volatile bool *cancel;
} Execution;

static size_t
count_slices(const DebyeScatteringGroups *groups, size_t slice_atoms)
{
  size_t n = 0;
  for (size_t g = 0; g < groups->n_groups; g++)
    n += (groups->first[g + 1] - groups->first[g] + slice_atoms - 1) / slice_atoms;
  return n;
}

static DebyeStatusCode
set_up(void *made, int device, const void *settings, DebyeStatus *status)
{
  Plan *plan = made;
  (void)device;
  plan->settings = *(const DebyeMultipoleSettings *)settings;
  const DebyeStatusCode code = debye_multipole_settings_check(&plan->settings, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  const DebyeScatteringGroups *groups = &plan->settings.groups;
  plan->n_threads = debye_cpu_threads_beside(plan->settings.spare_cores);
  plan->across = debye_multipole_across(&plan->settings.multipole);
  plan->n_harmonics = debye_multipole_n_harmonics(&plan->settings.multipole);
  const double slice_bytes = 2.0 * sizeof(double) * (double)plan->n_harmonics * (double)plan->settings.max_q;
  plan->slice_atoms = LEAST_SLICE;
  while (plan->slice_atoms < debye_scattering_n_entries(groups) &&
         slice_bytes * (double)count_slices(groups, plan->slice_atoms) > SLICES_BYTES)
    plan->slice_atoms *= 2;
  plan->n_slices = count_slices(groups, plan->slice_atoms);
  return code;
}

static size_t
scratch_values(const Plan *plan)
{
  return (2 * plan->n_harmonics + plan->settings.multipole.order + 1) * TILE;
}

static void
list_memory(void *made, DebyePlanMemory *memory)
{
  Plan *plan = made;
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->slices, plan->n_slices);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->parts,
                   2 * plan->n_slices * plan->settings.max_q * plan->n_harmonics);
  debye_scratch_list(&plan->scratch, plan->n_threads, sizeof(Tile) + scratch_values(plan) * sizeof(double),
                     memory);
}

static DebyeStatusCode
no_memory(const void *made, DebyeStatus *status)
{
  const Plan *plan = made;
  return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for multipoles of order %u.",
                          plan->settings.multipole.order);
}

static DebyeStatusCode
prepare(void *made, DebyeStatus *status)
{
  Plan *plan = made;
  const DebyeScatteringGroups *groups = &plan->settings.groups;
  for (size_t g = 0, slice = 0; g < groups->n_groups; g++)
    for (size_t first = groups->first[g]; first < groups->first[g + 1]; first += plan->slice_atoms, slice++) {
      const size_t left = groups->first[g + 1] - first;
      plan->slices[slice] = (Slice){g, first, left < plan->slice_atoms ? left : plan->slice_atoms};
    }
  debye_scratch_init(&plan->scratch);
  plan->pool = debye_pool_new(plan->n_threads);
  return plan->pool != NULL ? debye_status_ok(status) : no_memory(plan, status);
}

DEBYE_SCRATCH_CLEAR_PLAN(Plan)
DEBYE_PLAN(Plan, debye_host_memory_source, .no_memory = no_memory, .prepare = prepare, .clear = clear)

static DebyeStatusCode
set_frame(DebyeKernelPlan *handle, const DebyeScatteringFrame *frame, DebyeVec3 center, DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  plan->frame = *frame;
  plan->center = center;
  return debye_multipole_frame_check(&plan->settings, frame, status);
}

static void
load_tile(const Plan *plan, Tile *tile, size_t first, size_t n)
{
  const DebyeScatteringGroups *groups = &plan->settings.groups;
  tile->n = n;
  for (size_t i = 0; i < n; i++) {
    const size_t atom = groups->atoms != NULL ? groups->atoms[first + i] : first + i;
    const double weight = groups->weight != NULL ? (double)groups->weight[first + i] : 1.0;
    tile->distance[i] = debye_multipole_angles(
        &plan->settings.multipole, &plan->across, weight, (double)plan->frame.x[atom] - plan->center.x,
        (double)plan->frame.y[atom] - plan->center.y, (double)plan->frame.z[atom] - plan->center.z,
        tile->re + i, tile->im + i, TILE);
  }
}

/* All harmonics of an order have its radial part. */
static void
add_order(const Tile *tile, const DebyeMultipoleOrder *order, const double *radial, double *sum)
{
  for (unsigned m = 0; m < order->count; m++) {
    const size_t k = order->first + m * order->step;
    const double *re = tile->re + k * TILE, *im = tile->im + k * TILE;
    double sum_re = 0.0, sum_im = 0.0;
    for (size_t i = 0; i < tile->n; i++) {
      sum_re += radial[i] * re[i];
      sum_im += radial[i] * im[i];
    }
    sum[2 * k] += sum_re;
    sum[2 * k + 1] += sum_im;
  }
}

static void
add_tile(const Plan *plan, const Tile *tile, double q, double *sum)
{
  const DebyeMultipole *multipole = &plan->settings.multipole;
  for (size_t i = 0; i < tile->n; i++)
    debye_multipole_radial(multipole, q, tile->distance[i], tile->radial + i, TILE);
  for (unsigned l = 0; l <= multipole->order; l++) {
    const DebyeMultipoleOrder order = debye_multipole_of_order(multipole, l);
    add_order(tile, &order, tile->radial + l * TILE, sum);
  }
}

static void
sum_slice(void *context, size_t chunk)
{
  const Execution *execution = context;
  Plan *plan = execution->plan;
  const Slice *slice = plan->slices + chunk / execution->n_chunks;
  const size_t first_q = chunk % execution->n_chunks * CHUNK_Q, left = execution->n_q - first_q;
  const size_t n_q = left < CHUNK_Q ? left : CHUNK_Q, n_values = 2 * plan->n_harmonics;
  double *sums = plan->parts + ((size_t)(slice - plan->slices) * execution->n_q + first_q) * n_values;
  Tile *tile = debye_scratch_take(&plan->scratch);
  tile->re = (double *)(tile + 1);
  tile->im = tile->re + plan->n_harmonics * TILE;
  tile->radial = tile->im + plan->n_harmonics * TILE;
  memset(sums, 0, n_q * n_values * sizeof *sums);
  for (size_t done = 0; done < slice->count && !debye_is_cancelled(execution->cancel); done += TILE) {
    load_tile(plan, tile, slice->first + done, slice->count - done < TILE ? slice->count - done : TILE);
    for (size_t i = 0; i < n_q; i++)
      add_tile(plan, tile, execution->q[first_q + i], sums + i * n_values);
  }
  debye_scratch_give(&plan->scratch, tile);
}

static void
add_slices(void *context, size_t i)
{
  const Execution *execution = context;
  const Plan *plan = execution->plan;
  const size_t n_values = 2 * plan->n_harmonics, n_groups = plan->settings.groups.n_groups;
  double *out = execution->out + i * n_groups * n_values;
  memset(out, 0, n_groups * n_values * sizeof *out);
  for (size_t slice = 0; slice < plan->n_slices; slice++) {
    const double *part = plan->parts + (slice * execution->n_q + i) * n_values;
    double *sum = out + plan->slices[slice].group * n_values;
    for (size_t k = 0; k < n_values; k++)
      sum[k] += part[k];
  }
}

static DebyeStatusCode
execute(DebyeKernelPlan *handle, const double *q, size_t n_q, double *out, const volatile bool *cancel,
        DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  const DebyeStatusCode code = debye_multipole_q_check(&plan->settings, q, n_q, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  Execution execution = {plan, q, n_q, (n_q + CHUNK_Q - 1) / CHUNK_Q, out, cancel};
  if (!debye_parallel_for(plan->pool, plan->n_slices * execution.n_chunks, sum_slice, &execution, cancel) ||
      !debye_parallel_for(plan->pool, n_q, add_slices, &execution, cancel) || debye_is_cancelled(cancel))
    return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.");
  return debye_status_ok(status);
}

const DebyeMultipoleKernel debye_cpu_multipole = {
    .head = {bytes_needed, create, destroy},
    .set_frame = set_frame,
    .execute = execute,
};
