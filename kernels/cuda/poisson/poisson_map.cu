/* SPDX-License-Identifier: MIT */
/* A map's way from a GPU to the host's memory, which isn't pinned: parts of it go through pinned memory, and all threads bring
 * those that have arrived to their places while others are on their way; called by poisson_molecule.cu. */
#include "poisson_plan.cuh"

#include <string.h>

#include "kernels/chunk_threads.h"

/* Parts in pinned memory at a time. */
#define PARTS 3
/* Values that a thread copies at a time. */
#define CHUNK ((size_t)1 << 16)
/* Looks at a part that isn't there, until the stream is asked whether it will come. */
#define LOOKS 4096

typedef struct {
  DebyeCudaPoissonPlan *plan;
  float *map;
  const float *values;
  size_t n, size; /* values of the map, and of a part */
  unsigned n_parts;
  char is_taken;                     /* the stream and what follows, by a thread */
  unsigned sent[PARTS], left[PARTS]; /* the parts in pinned memory, and chunks that aren't at their places */
} Transfer;

/* A quarter, a whole number of chunks: each copy costs as much as some 100,000 values. */
static size_t
part_size(size_t n)
{
  const size_t least = CHUNK, most = 80 * CHUNK, wanted = (n / 4 + CHUNK - 1) / CHUNK * CHUNK;
  return wanted < least ? least : wanted < most ? wanted : most;
}

static size_t
count_parts(size_t n)
{
  return (n + part_size(n) - 1) / part_size(n);
}

void
debye_cuda_poisson_map_list(DebyeCudaPoissonTransfer *transfer, size_t n, DebyePlanMemory *memory)
{
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, transfer->n_bad, 1);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, transfer->mark, 1);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, transfer->n_bad_on_host, 1);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, transfer->stage, PARTS * part_size(n));
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, transfer->arrived, count_parts(n));
}

static size_t
values_of_part(const Transfer *transfer, unsigned part)
{
  const size_t left = transfer->n - part * transfer->size;
  return left < transfer->size ? left : transfer->size;
}

/* Held for as long as a copy takes to be put into the stream. */
static void
take(Transfer *transfer)
{
  while (__atomic_test_and_set(&transfer->is_taken, __ATOMIC_ACQUIRE))
    ;
}

static void
give_back(Transfer *transfer)
{
  __atomic_clear(&transfer->is_taken, __ATOMIC_RELEASE);
}

/* With the stream taken. The mark goes after the part, and so arrives after it. */
static void
send_part(Transfer *transfer, unsigned part)
{
  DebyeCudaPoissonTransfer *self = &transfer->plan->molecule.transfer;
  DebyeStream *stream = &transfer->plan->stream;
  const size_t count = values_of_part(transfer, part);
  transfer->sent[part % PARTS] = part;
  transfer->left[part % PARTS] = (unsigned)((count + CHUNK - 1) / CHUNK);
  debye_stream_download(stream, self->stage + part % PARTS * transfer->size,
                        transfer->values + part * transfer->size, count * sizeof(float));
  debye_stream_download(stream, &self->arrived[part], self->mark, sizeof *self->mark);
}

/* False: it never will be there. */
static bool
wait_for_part(Transfer *transfer, unsigned part)
{
  const unsigned *arrived = &transfer->plan->molecule.transfer.arrived[part];
  for (unsigned look = 1;; look++) {
    if (__atomic_load_n(arrived, __ATOMIC_ACQUIRE) != 0)
      return true;
    if (look % LOOKS != 0)
      continue;
    take(transfer);
    const bool is_good = debye_stream_is_good(&transfer->plan->stream),
               is_sent = transfer->sent[part % PARTS] == part;
    give_back(transfer);
    const bool is_busy = is_sent && cudaStreamQuery(transfer->plan->stream.handle) == cudaErrorNotReady;
    /* That it isn't ready is no error of what this thread launches. */
    if (is_busy)
      (void)cudaGetLastError();
    if (!is_good || (is_sent && !is_busy))
      return __atomic_load_n(arrived, __ATOMIC_ACQUIRE) != 0;
  }
}

/* Chunks are begun in their order, so that a part's room is free before the part that comes there is waited for. */
static void
bring_chunk(void *context, size_t chunk)
{
  Transfer *transfer = (Transfer *)context;
  const size_t first = chunk * CHUNK, left = transfer->n - first, count = left < CHUNK ? left : CHUNK;
  const unsigned part = (unsigned)(first / transfer->size);
  const float *stage = transfer->plan->molecule.transfer.stage + part % PARTS * transfer->size;
  if (wait_for_part(transfer, part))
    memcpy(transfer->map + first, stage + first % transfer->size, count * sizeof(float));
  take(transfer);
  if (transfer->sent[part % PARTS] == part && --transfer->left[part % PARTS] == 0 &&
      part + PARTS < transfer->n_parts) {
    debye_stream_note(&transfer->plan->stream, cudaSetDevice(transfer->plan->device));
    send_part(transfer, part + PARTS);
  }
  give_back(transfer);
}

void
debye_cuda_poisson_fetch_map(DebyeCudaPoissonPlan *part, DebyeCudaPoissonOwn own, float *map)
{
  DebyeCudaPoissonTransfer *self = &part->molecule.transfer;
  const size_t n = own.n, size = part_size(part->levels.grids[0].n);
  const float *values = part->potential.rounded + own.from;
  Transfer transfer = {part, map + own.to, values, n, size, (unsigned)((n + size - 1) / size), 0, {}, {}};
  memset(self->arrived, 0, transfer.n_parts * sizeof *self->arrived);
  for (unsigned i = 0; i < PARTS && i < transfer.n_parts; i++)
    send_part(&transfer, i);
  debye_chunk_threads_run((n + CHUNK - 1) / CHUNK, bring_chunk, &transfer);
}
