/* SPDX-License-Identifier: MIT */
/* Brings a frame's charges to the device through pinned memory; called by potential_cutoff.cu and
 * split_sum.cu. */
#include "staged_charges.cuh"

#include <string.h>

#include "kernels/chunk_threads.h"

struct Copy {
  const float *from[4];
  const DebyeStagedCharges *staged;
  size_t n;
};

static void
copy_part(void *context, size_t part)
{
  const Copy *copy = (const Copy *)context;
  const size_t begin = debye_charge_part_begin(copy->n, part);
  const size_t n = debye_charge_part_begin(copy->n, part + 1) - begin;
  if (n == 0)
    return;
  for (size_t i = 0; i < 4; i++)
    memcpy(copy->staged->host + i * copy->n + begin, copy->from[i] + begin, n * sizeof(float));
}

void
debye_staged_charges_set_up(DebyeStagedCharges *staged, const DebyePotentialSettings *settings)
{
  staged->room = settings->max_charges;
  staged->atoms = settings->packed;
  staged->charge = settings->packed_charge;
}

void
debye_staged_charges_list(DebyeStagedCharges *staged, DebyePlanMemory *memory)
{
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, staged->device, 4 * (uint64_t)staged->room);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, staged->host, 4 * (uint64_t)staged->room);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, staged->charge_on_device, (uint64_t)staged->atoms.n_chosen);
  debye_cuda_packed_list(&staged->packed, &staged->atoms, memory);
}

void
debye_staged_charges_open(DebyeStagedCharges *staged, DebyeStream *stream)
{
  staged->packed_total = debye_charges_total(staged->charge, staged->atoms.n_chosen);
  debye_cuda_packed_open(&staged->packed, &staged->atoms, stream);
  debye_stream_upload(stream, staged->charge_on_device, staged->charge,
                      staged->atoms.n_chosen * sizeof(float));
}

void
debye_staged_charges_close(DebyeStagedCharges *staged)
{
  debye_cuda_packed_close(&staged->packed);
}

DebyeStatusCode
debye_staged_charges_set(DebyeStagedCharges *staged, const DebyeCharges *charges, DebyeStream *stream,
                         DebyeStatus *status)
{
  if (charges->n > staged->room)
    return debye_charges_check(charges, staged->room, &debye_chunk_threads, NULL, status);
  DebyeStatusCode code = debye_stream_finish(stream, "computing a frame", status);
  if (code != DEBYE_STATUS_OK)
    return code;
  Copy copy = {{charges->x, charges->y, charges->z, charges->charge}, staged, charges->n};
  debye_chunk_threads_run(debye_charge_parts(charges->n), copy_part, &copy);
  const size_t n = charges->n;
  const float *on_device = staged->device, *host = staged->host;
  staged->charges = {on_device, on_device + n, on_device + 2 * n, on_device + 3 * n, n};
  staged->on_host = {host, host + n, host + 2 * n, host + 3 * n, n};
  /* One copy: each takes some 10 µs more than its bytes. */
  debye_stream_upload(stream, staged->device, staged->host, 4 * n * sizeof(float));
  code = debye_stream_report(stream, "copying the charges to the device", status);
  /* Looked through while the bus is busy; on the device nothing has been done with them yet. */
  return code == DEBYE_STATUS_OK
             ? debye_charges_check(charges, staged->room, &debye_chunk_threads, &staged->total, status)
             : code;
}

DebyeStatusCode
debye_staged_charges_set_packed(DebyeStagedCharges *staged, const DebyePackedCoordinates *packed,
                                bool to_host, DebyeStream *stream, DebyeStatus *status)
{
  const size_t n = staged->atoms.n_chosen;
  const float *on_device = staged->device, *host = staged->host;
  if (n > staged->room)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "%zu charges were given; the plan holds at most %zu.", n, staged->room);
  DebyeStatusCode code = debye_packed_atoms_check(&staged->atoms, packed, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_stream_finish(stream, "computing a frame", status);
  if (code != DEBYE_STATUS_OK)
    return code;
  staged->charges = {on_device, on_device + n, on_device + 2 * n, staged->charge_on_device, n};
  staged->on_host = {host, host + n, host + 2 * n, staged->charge, n};
  staged->total = staged->packed_total;
  debye_cuda_packed_take(&staged->packed, packed, staged->device, n, stream);
  if (to_host)
    debye_stream_download(stream, staged->host, staged->device, 3 * n * sizeof(float));
  return debye_stream_report(stream, "copying the charges to the device", status);
}
