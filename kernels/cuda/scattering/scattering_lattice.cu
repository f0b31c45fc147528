/* SPDX-License-Identifier: MIT */
/* All amplitudes of a reciprocal lattice on a GPU; its twin is cpu/scattering/scattering_lattice.c. */
#include "scattering_lattice.cuh"

#include <string.h>

#include "gathered_frames.cuh"

constexpr unsigned THREADS = 256, MAX_BLOCKS = 132 * 32, MAX_ROWS = 65535; /* of blocks: CUDA's limit */

/* A frame. */

static unsigned
blocks_for(size_t n)
{
  const size_t blocks = (n + THREADS - 1) / THREADS;
  return blocks > MAX_BLOCKS ? MAX_BLOCKS : blocks > 0 ? (unsigned)blocks : 1;
}

/* Puts the entries into bins, where that is worth it. */
static void
order_entries(DebyeCudaLatticePlan *plan, DebyeLatticeLaunch *launch)
{
  DebyeStream *stream = &plan->stream;
  const unsigned blocks = (launch->n_entries + THREADS - 1) / THREADS;
  if (plan->order == NULL || launch->n_entries < DEBYE_LATTICE_BINS)
    return;
  launch->starts = plan->bin_starts;
  launch->order = plan->order;
  debye_stream_clear(stream, plan->bin_starts, DEBYE_LATTICE_BINS * sizeof *plan->bin_starts);
  if (!debye_stream_is_good(stream))
    return;
  debye_lattice_count<<<blocks, THREADS, 0, stream->handle>>>(*launch);
  debye_stream_note_launch(stream);
  debye_lattice_add_counts<<<1, DEBYE_LATTICE_SCAN, 0, stream->handle>>>(plan->bin_starts);
  debye_stream_note_launch(stream);
  debye_lattice_set_order<<<blocks, THREADS, 0, stream->handle>>>(*launch);
  debye_stream_note_launch(stream);
}

static void
spread_group(DebyeCudaLatticePlan *plan, size_t group, const DebyeLatticeTurn *turn)
{
  const size_t first = plan->settings.groups.first[group];
  DebyeLatticeLaunch launch = {};
  launch.spread = plan->spread;
  launch.turn = *turn;
  for (size_t axis = 0; axis < 3; axis++)
    launch.position[axis] = plan->positions + axis * plan->n_entries + first;
  launch.weight = plan->weight != NULL ? plan->weight + first : NULL;
  launch.n_entries = (unsigned)(plan->settings.groups.first[group + 1] - first);
  launch.units = plan->units_host[group];
  launch.whole = plan->whole;
  const unsigned blocks = (launch.n_entries + DEBYE_LATTICE_WARPS - 1) / DEBYE_LATTICE_WARPS;
  debye_stream_clear(&plan->stream, plan->whole, plan->n_mesh * sizeof *plan->whole);
  order_entries(plan, &launch);
  if (!debye_stream_is_good(&plan->stream) || blocks == 0)
    return;
  if (plan->spread.width <= 8)
    debye_lattice_spread_atoms<8><<<blocks, 32 * DEBYE_LATTICE_WARPS, 0, plan->stream.handle>>>(launch);
  else
    debye_lattice_spread_atoms<16><<<blocks, 32 * DEBYE_LATTICE_WARPS, 0, plan->stream.handle>>>(launch);
  debye_stream_note_launch(&plan->stream);
}

/* From the mesh in whole numbers to the group's amplitudes. */
template <class Real, class Complex>
static DebyeStatusCode
transform_group(DebyeCudaLatticePlan *plan, size_t group, Real *mesh, Complex *transform, DebyeStatus *status)
{
  const unsigned *extent = plan->settings.extent;
  debye_lattice_to_real<Real><<<blocks_for(plan->n_mesh), THREADS, 0, plan->stream.handle>>>(
      plan->whole, 1.0 / plan->units_host[group], plan->n_mesh, mesh);
  debye_stream_note_launch(&plan->stream);
  const DebyeStatusCode code = debye_cuda_fourier_real_forward(plan->fourier, mesh, transform, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  debye_lattice_take<Complex><<<blocks_for(plan->n_values), THREADS, 0, plan->stream.handle>>>(
      transform, plan->spread, make_uint3(extent[0], extent[1], extent[2]), plan->factor[0], plan->factor[1],
      plan->factor[2], (Complex *)plan->amplitudes + group * plan->n_values);
  debye_stream_note_launch(&plan->stream);
  return DEBYE_STATUS_OK;
}

/* Waits, so that a cancel meets one group's work at most. */
static DebyeStatusCode
compute_group(DebyeCudaLatticePlan *plan, size_t group, const DebyeLatticeTurn *turn, DebyeStatus *status)
{
  spread_group(plan, group, turn);
  const DebyeStatusCode code =
      plan->spread.double_precision
          ? transform_group<double, double2>(plan, group, (double *)plan->whole, (double2 *)plan->other,
                                             status)
          : transform_group<float, float2>(plan, group, (float *)plan->other, (float2 *)plan->whole, status);
  return code == DEBYE_STATUS_OK ? debye_stream_finish(&plan->stream, "computing amplitudes", status) : code;
}

template <class Complex>
static void
add_sums(DebyeCudaLatticePlan *plan)
{
  const DebyeLatticeSettings *settings = &plan->settings;
  const Complex *amplitudes = (const Complex *)plan->amplitudes;
  const unsigned n_groups = (unsigned)settings->groups.n_groups;
  const unsigned n_lengths = (unsigned)debye_lattice_n_lengths(settings->extent);
  const unsigned n_pairs = (unsigned)debye_lattice_n_pairs(n_groups);
  const dim3 blocks((n_lengths + DEBYE_LATTICE_WARPS - 1) / DEBYE_LATTICE_WARPS,
                    n_pairs < MAX_ROWS ? n_pairs : MAX_ROWS);
  if (!settings->sums || n_groups == 0)
    return;
  if (settings->by_length)
    debye_lattice_add_lengths<Complex><<<blocks, 32 * DEBYE_LATTICE_WARPS, 0, plan->stream.handle>>>(
        amplitudes, plan->n_values, n_groups, plan->of_length, plan->length_starts, n_lengths,
        settings->extent[0] + 1, plan->sums);
  else
    debye_lattice_add_products<Complex><<<blocks_for(plan->n_values), THREADS, 0, plan->stream.handle>>>(
        amplitudes, plan->n_values, n_groups, plan->sums);
  debye_stream_note_launch(&plan->stream);
}

/* Products and chosen amplitudes of a frame that is complete. */
template <class Complex>
static void
take_results(DebyeCudaLatticePlan *plan, bool chosen)
{
  const Complex *amplitudes = (const Complex *)plan->amplitudes;
  const unsigned n_groups = (unsigned)plan->settings.groups.n_groups;
  const unsigned n_chosen = (unsigned)plan->settings.n_chosen;
  add_sums<Complex>(plan);
  if (!chosen || n_chosen == 0)
    return;
  debye_lattice_pick<Complex>
      <<<dim3((n_chosen + THREADS - 1) / THREADS, n_groups), THREADS, 0, plan->stream.handle>>>(
          amplitudes, plan->n_values, plan->places, n_chosen, plan->chosen);
  debye_stream_note_launch(&plan->stream);
  debye_stream_download(&plan->stream, plan->chosen_host, plan->chosen,
                        debye_cuda_lattice_chosen_bytes(plan));
}

static DebyeStatusCode
bring_packed(DebyeCudaLatticePlan *plan, const DebyePackedCoordinates *packed, DebyeStatus *status)
{
  const DebyeStatusCode code = debye_packed_atoms_check(&plan->packed_atoms, packed, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  debye_stream_note(&plan->stream, cudaSetDevice(plan->device));
  debye_cuda_packed_take(&plan->packed, packed, plan->positions, plan->n_entries, &plan->stream);
  return debye_stream_report(&plan->stream, "copying a frame to the device", status);
}

static DebyeStatusCode
bring_frame(DebyeCudaLatticePlan *plan, const DebyeScatteringFrame *frame, DebyeStatus *status)
{
  if (frame->packed != NULL)
    return bring_packed(plan, frame->packed, status);
  const uint64_t bad = debye_cuda_gather_frames(&plan->settings.groups, plan->settings.n_atoms, frame, 1,
                                                plan->positions_host);
  if (bad != UINT64_MAX)
    return debye_scattering_bad_atom(frame, (size_t)bad, status);
  debye_stream_note(&plan->stream, cudaSetDevice(plan->device));
  debye_stream_upload(&plan->stream, plan->positions, plan->positions_host,
                      3 * sizeof(float) * plan->n_entries);
  return debye_stream_report(&plan->stream, "copying a frame to the device", status);
}

static DebyeStatusCode
execute(DebyeKernelPlan *handle, const DebyeScatteringFrame *frame, double *chosen,
        const volatile bool *cancel, DebyeStatus *status)
{
  DebyeCudaLatticePlan *plan = (DebyeCudaLatticePlan *)handle;
  plan->has_frame = false;
  if (debye_lattice_cell_check(frame->cell, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  const DebyeLatticeTurn turn = debye_lattice_turn(&plan->spread, frame->cell);
  DebyeStatusCode code = bring_frame(plan, frame, status);
  for (size_t g = 0; g < plan->settings.groups.n_groups && code == DEBYE_STATUS_OK; g++) {
    code = debye_is_cancelled(cancel) ? debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.")
                                      : compute_group(plan, g, &turn, status);
  }
  if (code != DEBYE_STATUS_OK) {
    debye_stream_finish(&plan->stream, "stopping", NULL);
    return code;
  }
  if (plan->spread.double_precision)
    take_results<double2>(plan, chosen != NULL);
  else
    take_results<float2>(plan, chosen != NULL);
  code = debye_stream_finish(&plan->stream, "adding up amplitudes", status);
  if (code != DEBYE_STATUS_OK)
    return code;
  if (chosen != NULL)
    memcpy(chosen, plan->chosen_host, debye_cuda_lattice_chosen_bytes(plan));
  plan->has_frame = true;
  return debye_status_ok(status);
}

static DebyeStatusCode
get_amplitudes(DebyeKernelPlan *handle, size_t group, double *amplitudes, DebyeStatus *status)
{
  DebyeCudaLatticePlan *plan = (DebyeCudaLatticePlan *)handle;
  if (!plan->has_frame || group >= plan->settings.groups.n_groups)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "There are no amplitudes of a group %zu.", group);
  double2 *wide = (double2 *)plan->whole;
  const size_t n = plan->n_values;
  DebyeStream *stream = &plan->stream;
  debye_stream_note(stream, cudaSetDevice(plan->device));
  if (plan->spread.double_precision)
    debye_lattice_widen<double2><<<blocks_for(n), THREADS, 0, stream->handle>>>(
        (const double2 *)plan->amplitudes + group * n, n, wide);
  else
    debye_lattice_widen<float2><<<blocks_for(n), THREADS, 0, stream->handle>>>(
        (const float2 *)plan->amplitudes + group * n, n, wide);
  debye_stream_note_launch(stream);
  debye_stream_download(stream, amplitudes, wide, n * sizeof *wide);
  return debye_stream_finish(stream, "copying amplitudes to the host", status);
}

static DebyeStatusCode
get_sums(DebyeKernelPlan *handle, size_t pair, double *sums, DebyeStatus *status)
{
  DebyeCudaLatticePlan *plan = (DebyeCudaLatticePlan *)handle;
  const size_t n = debye_lattice_n_sums(&plan->settings), bytes = n * sizeof *sums;
  if (pair * bytes >= debye_cuda_lattice_sum_bytes(plan))
    return debye_status_set(status, DEBYE_STATUS_INVALID, "There are no sums of a pair %zu.", pair);
  debye_stream_note(&plan->stream, cudaSetDevice(plan->device));
  debye_stream_download(&plan->stream, sums, plan->sums + pair * n, bytes);
  return debye_stream_finish(&plan->stream, "copying sums to the host", status);
}

static DebyeStatusCode
clear_sums(DebyeKernelPlan *handle, DebyeStatus *status)
{
  DebyeCudaLatticePlan *plan = (DebyeCudaLatticePlan *)handle;
  debye_stream_note(&plan->stream, cudaSetDevice(plan->device));
  debye_stream_clear(&plan->stream, plan->sums, debye_cuda_lattice_sum_bytes(plan));
  return debye_stream_finish(&plan->stream, "clearing sums", status);
}

DEBYE_PLAN_HEAD(debye_cuda_lattice_plan_kind)

extern "C" const DebyeLatticeKernel debye_cuda_lattice = {
    .head = {bytes_needed, create, destroy},
    .execute = execute,
    .get_amplitudes = get_amplitudes,
    .get_sums = get_sums,
    .clear_sums = clear_sums,
};
