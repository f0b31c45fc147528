/* SPDX-License-Identifier: MIT */
/* Amplitudes on a GPU; its twin is cpu/scattering/scattering_amplitude.c. */
#include <string.h>
#include <time.h>

#include "amplitude_plan.cuh"
#include "gathered_frames.cuh"

static DebyeStatusCode
set_vectors(DebyeKernelPlan *handle, const DebyeVec3 *q, size_t n_vectors, DebyeStatus *status)
{
  DebyeCudaAmplitudePlan *plan = (DebyeCudaAmplitudePlan *)handle;
  plan->n_vectors = 0;
  if (debye_amplitude_vectors_check(&plan->settings, q, n_vectors, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  cudaError_t error = cudaSetDevice(plan->device);
  if (error == cudaSuccess)
    error = debye_cuda_amplitude_set_vectors(plan, q, n_vectors);
  plan->n_vectors = error == cudaSuccess ? n_vectors : 0;
  return debye_cuda_status(error, "copying q vectors to the device", status);
}

static size_t
frame_out_bytes(const DebyeCudaAmplitudePlan *plan)
{
  return sizeof(double2) * plan->settings.groups.n_groups * plan->n_vectors;
}

/* All x of all frames, then y, then z, as they come gathered. */
static void
bring_frames(const DebyeCudaAmplitudePlan *plan, const DebyeScatteringFrame *frames, DebyeAmplitudeSlot *slot)
{
  const size_t n = plan->n_entries, stride = slot->count * n;
  if (frames->packed == NULL)
    debye_stream_upload(&slot->stream, slot->positions, slot->positions_host, 3 * stride * sizeof(float));
  for (size_t i = 0; i < slot->count && frames->packed != NULL; i++)
    debye_cuda_packed_take(&slot->packed, frames[i].packed, slot->positions + i * n, stride, &slot->stream);
}

static void
start_slot(const DebyeCudaAmplitudePlan *plan, const DebyeScatteringFrame *frames, DebyeAmplitudeSlot *slot)
{
  DebyeStream *stream = &slot->stream;
  bring_frames(plan, frames, slot);
  debye_cuda_amplitude_launch(plan, slot);
  debye_stream_download(stream, slot->out_host, slot->out, slot->count * frame_out_bytes(plan));
  debye_stream_record(stream, slot->done);
}

/* Waits for the slot without spinning long: the CPU lane needs the cores. */
static void
wait_for_slot(DebyeAmplitudeSlot *slot)
{
  long nanoseconds = 2000;
  cudaError_t error;
  while (debye_stream_is_good(&slot->stream) && (error = cudaEventQuery(slot->done)) != cudaSuccess) {
    if (error != cudaErrorNotReady)
      debye_stream_note(&slot->stream, error);
    cudaGetLastError();
    const struct timespec pause = {0, nanoseconds};
    nanosleep(&pause, NULL);
    nanoseconds += nanoseconds < 100000 ? nanoseconds / 4 : 0;
  }
}

static void
finish_slot(const DebyeCudaAmplitudePlan *plan, DebyeAmplitudeSlot *slot, double *out)
{
  const size_t bytes = frame_out_bytes(plan);
  wait_for_slot(slot);
  if (debye_stream_is_good(&slot->stream))
    memcpy((char *)out + slot->first * bytes, slot->out_host, slot->count * bytes);
  slot->count = 0;
}

/* Leaves nothing under way: what the slots still write nobody will read. */
static void
drain(DebyeCudaAmplitudePlan *plan)
{
  for (DebyeAmplitudeSlot &slot : plan->slots) {
    debye_stream_wait(&slot.stream);
    slot.stream.error = cudaSuccess;
    slot.count = 0;
  }
  cudaGetLastError();
}

static bool
is_good(const DebyeCudaAmplitudePlan *plan)
{
  return debye_stream_is_good(&plan->slots[0].stream) && debye_stream_is_good(&plan->slots[1].stream);
}

/* What is still under way. */
static DebyeStatusCode
finish(DebyeCudaAmplitudePlan *plan, double *out, DebyeStatus *status)
{
  for (DebyeAmplitudeSlot &slot : plan->slots)
    if (slot.count > 0 && is_good(plan))
      finish_slot(plan, &slot, out);
  debye_stream_note(&plan->slots[0].stream, plan->slots[1].stream.error);
  const cudaError_t error = plan->slots[0].stream.error;
  if (error != cudaSuccess)
    drain(plan);
  return debye_cuda_status(error, "summing amplitudes", status);
}

/* The first frames of those that are left that go to the device together: all packed, or none. */
static size_t
count_alike(const DebyeScatteringFrame *frames, size_t most)
{
  size_t n = 1;
  while (n < most && (frames[n].packed != NULL) == (frames[0].packed != NULL))
    n++;
  return n;
}

/* Of a slot that is free. INVALID, with nothing left under way, where a frame of the batch can't be used. */
static DebyeStatusCode
take_batch(DebyeCudaAmplitudePlan *plan, const DebyeScatteringFrame *frames, size_t count,
           DebyeAmplitudeSlot *slot, size_t *bad, DebyeStatus *status)
{
  DebyeStatusCode code = debye_status_ok(status);
  for (*bad = 0; frames->packed != NULL && *bad < count; ++*bad) {
    code = debye_packed_atoms_check(&plan->packed_atoms, frames[*bad].packed, status);
    if (code != DEBYE_STATUS_OK)
      break;
  }
  if (frames->packed == NULL) {
    const size_t n_atoms = plan->settings.n_atoms;
    const uint64_t atom =
        debye_cuda_gather_frames(&plan->settings.groups, n_atoms, frames, count, slot->positions_host);
    *bad = atom != UINT64_MAX ? (size_t)(atom / n_atoms) : 0;
    if (atom != UINT64_MAX)
      code = debye_scattering_bad_atom(&frames[*bad], (size_t)(atom % n_atoms), status);
  }
  if (code != DEBYE_STATUS_OK)
    drain(plan);
  return code;
}

static DebyeStatusCode
execute(DebyeKernelPlan *handle, const DebyeScatteringFrame *frames, size_t n_frames, double *out,
        size_t *bad_frame, const volatile bool *cancel, DebyeStatus *status)
{
  DebyeCudaAmplitudePlan *plan = (DebyeCudaAmplitudePlan *)handle;
  if (debye_amplitude_frames_check(&plan->settings, n_frames, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  if (plan->n_vectors == 0)
    return debye_status_ok(status);
  DebyeStatusCode code = debye_cuda_status(cudaSetDevice(plan->device), "choosing the device", status);
  if (code != DEBYE_STATUS_OK)
    return code;
  const size_t batch =
      debye_amplitude_smaller(plan->batch, debye_amplitude_pieces(n_frames, DEBYE_AMPLITUDE_BATCHES));
  size_t started = 0, bad = 0;
  for (size_t next = 0; started < n_frames && is_good(plan); next = 1 - next) {
    DebyeAmplitudeSlot *slot = &plan->slots[next];
    const DebyeScatteringFrame *first = frames + started;
    if (slot->count > 0)
      finish_slot(plan, slot, out);
    if (debye_is_cancelled(cancel)) {
      drain(plan);
      return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.");
    }
    const size_t count = count_alike(first, debye_amplitude_smaller(batch, n_frames - started));
    code = take_batch(plan, first, count, slot, &bad, status);
    if (code != DEBYE_STATUS_OK && bad_frame != NULL)
      *bad_frame = started + bad;
    if (code != DEBYE_STATUS_OK)
      return code;
    slot->first = started;
    slot->count = count;
    started += count;
    start_slot(plan, first, slot);
  }
  return finish(plan, out, status);
}

DEBYE_PLAN_HEAD(debye_cuda_amplitude_plan_kind)

extern "C" const DebyeAmplitudeKernel debye_cuda_amplitude = {
    .head = {bytes_needed, create, destroy},
    .set_vectors = set_vectors,
    .execute = execute,
};
