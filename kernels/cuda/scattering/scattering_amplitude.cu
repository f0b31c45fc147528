/* SPDX-License-Identifier: MIT */
/* Amplitudes on a GPU; its twin is cpu/scattering/scattering_amplitude.c. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "amplitude_plan.cuh"
#include "gathered_frames.cuh"

static DebyeStatusCode
create(int device, const DebyeAmplitudeSettings *settings, DebyeAmplitudePlan **plan, DebyeStatus *status)
{
  DebyeStatus local = {};
  status = status != NULL ? status : &local;
  *plan = (DebyeAmplitudePlan *)debye_cuda_amplitude_plan_new(device, settings, status);
  return *plan != NULL ? DEBYE_STATUS_OK : status->code;
}

static void
destroy(DebyeAmplitudePlan *handle)
{
  debye_cuda_amplitude_plan_free((DebyeCudaAmplitudePlan *)handle);
}

static DebyeStatusCode
set_vectors(DebyeAmplitudePlan *handle, const DebyeVec3 *q, size_t n_vectors, DebyeStatus *status)
{
  DebyeCudaAmplitudePlan *plan = (DebyeCudaAmplitudePlan *)handle;
  plan->n_vectors = 0;
  if (debye_amplitude_vectors_check(&plan->settings, q, n_vectors, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  double *turns = plan->turns_host;
  const size_t stride = plan->padded;
  memset(turns, 0, 6 * stride * sizeof *turns);
  for (size_t i = 0; i < n_vectors; i++) {
    const DebyeTurnVector vector = debye_turn_vector(q[i]);
    const double parts[6] = {vector.x, vector.y, vector.z, vector.rest_x, vector.rest_y, vector.rest_z};
    for (size_t part = 0; part < 6; part++)
      turns[part * stride + i] = parts[part];
  }
  cudaError_t error = cudaSetDevice(plan->device);
  if (error == cudaSuccess)
    error = cudaMemcpy(plan->turns, turns, 6 * stride * sizeof *turns, cudaMemcpyHostToDevice);
  if (error != cudaSuccess)
    return debye_cuda_status(error, "copying q vectors to the device", status);
  plan->n_vectors = n_vectors;
  return debye_status_ok(status);
}

static size_t
frame_out_bytes(const DebyeCudaAmplitudePlan *plan)
{
  return sizeof(double2) * plan->settings.groups.n_groups * plan->n_vectors;
}

static cudaError_t
start_slot(const DebyeCudaAmplitudePlan *plan, const DebyeAmplitudeSlot *slot)
{
  cudaError_t error = cudaMemcpyAsync(slot->positions, slot->positions_host,
                                      slot->count * plan->n_entries * 3 * sizeof(float),
                                      cudaMemcpyHostToDevice, slot->stream);
  if (error == cudaSuccess)
    error = debye_cuda_amplitude_launch(plan, slot);
  if (error == cudaSuccess)
    error = cudaMemcpyAsync(slot->out_host, slot->out, slot->count * frame_out_bytes(plan),
                            cudaMemcpyDeviceToHost, slot->stream);
  return error == cudaSuccess ? cudaEventRecord(slot->done, slot->stream) : error;
}

/* Waits for the slot without spinning long: the CPU lane needs the cores. */
static cudaError_t
wait_for_slot(const DebyeAmplitudeSlot *slot)
{
  for (long nanoseconds = 2000;; nanoseconds += nanoseconds < 100000 ? nanoseconds / 4 : 0) {
    const cudaError_t error = cudaEventQuery(slot->done);
    if (error != cudaErrorNotReady)
      return error;
    cudaGetLastError();
    const struct timespec pause = {0, nanoseconds};
    nanosleep(&pause, NULL);
  }
}

static cudaError_t
finish_slot(const DebyeCudaAmplitudePlan *plan, DebyeAmplitudeSlot *slot, double *out)
{
  const cudaError_t error = wait_for_slot(slot);
  const size_t bytes = frame_out_bytes(plan);
  if (error == cudaSuccess)
    memcpy((char *)out + slot->first * bytes, slot->out_host, slot->count * bytes);
  slot->count = 0;
  return error;
}

/* Leaves nothing under way: what the slots still write nobody will read. */
static void
drain(DebyeCudaAmplitudePlan *plan)
{
  for (DebyeAmplitudeSlot &slot : plan->slots) {
    cudaStreamSynchronize(slot.stream);
    slot.count = 0;
  }
  cudaGetLastError();
}

static DebyeStatusCode
refuse_atom(DebyeCudaAmplitudePlan *plan, const DebyeScatteringFrame *frames, size_t first, uint64_t bad,
            size_t *bad_frame, DebyeStatus *status)
{
  const size_t frame = first + (size_t)(bad / plan->settings.n_atoms);
  drain(plan);
  if (bad_frame != NULL)
    *bad_frame = frame;
  return debye_scattering_bad_atom(&frames[frame], (size_t)(bad % plan->settings.n_atoms), status);
}

static DebyeStatusCode
execute(DebyeAmplitudePlan *handle, const DebyeScatteringFrame *frames, size_t n_frames, double *out,
        size_t *bad_frame, const volatile bool *cancel, DebyeStatus *status)
{
  DebyeCudaAmplitudePlan *plan = (DebyeCudaAmplitudePlan *)handle;
  if (debye_amplitude_frames_check(&plan->settings, n_frames, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  if (plan->n_vectors == 0)
    return debye_status_ok(status);
  cudaError_t error = cudaSetDevice(plan->device);
  const size_t batch =
      debye_amplitude_smaller(plan->batch, debye_amplitude_pieces(n_frames, DEBYE_AMPLITUDE_BATCHES));
  size_t started = 0;
  for (size_t next = 0; started < n_frames && error == cudaSuccess; next = 1 - next) {
    DebyeAmplitudeSlot *slot = &plan->slots[next];
    if (slot->count > 0)
      error = finish_slot(plan, slot, out);
    if (debye_is_cancelled(cancel)) {
      drain(plan);
      return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.");
    }
    const size_t count = debye_amplitude_smaller(batch, n_frames - started);
    const uint64_t bad = debye_cuda_gather_frames(&plan->settings.groups, plan->settings.n_atoms,
                                                  frames + started, count, slot->positions_host);
    if (bad != UINT64_MAX)
      return refuse_atom(plan, frames, started, bad, bad_frame, status);
    slot->first = started;
    slot->count = count;
    started += count;
    if (error == cudaSuccess)
      error = start_slot(plan, slot);
  }
  for (DebyeAmplitudeSlot &slot : plan->slots)
    if (slot.count > 0 && error == cudaSuccess)
      error = finish_slot(plan, &slot, out);
  if (error != cudaSuccess)
    drain(plan);
  return debye_cuda_status(error, "summing amplitudes", status);
}

extern "C" const DebyeAmplitudeKernel debye_cuda_amplitude = {
    .bytes_needed = debye_cuda_amplitude_bytes,
    .create = create,
    .set_vectors = set_vectors,
    .execute = execute,
    .destroy = destroy,
};
