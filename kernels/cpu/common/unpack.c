/* SPDX-License-Identifier: MIT */
/* Implementation of unpack.h; called by the kernels of all families that a frame may reach packed. */
#include "unpack.h"

/* That a thread unpacks at a time. */
#define CHUNK_SEGMENTS 32

typedef struct {
  DebyePackedScale scale;
  const DebyePackedCoordinates *packed;
  float *x, *y, *z;
} Unpacking;

static void
unpack_chunk(void *context, size_t chunk)
{
  const Unpacking *unpacking = context;
  const DebyePackedCoordinates *packed = unpacking->packed;
  const size_t end = (chunk + 1) * CHUNK_SEGMENTS;
  for (size_t i = chunk * CHUNK_SEGMENTS; i < end && i < packed->n_segments; i++)
    debye_packed_unpack_segment(packed, &unpacking->scale, i, unpacking->x, unpacking->y, unpacking->z);
}

static void
move_to_front(float *x, const uint32_t *chosen, size_t n)
{
  for (size_t i = 0; i < n; i++)
    x[i] = x[chosen[i]];
}

void
debye_unpack(const DebyePackedCoordinates *packed, const uint32_t *chosen, size_t n_chosen, DebyePool *pool,
             float *x, float *y, float *z)
{
  Unpacking unpacking = {.packed = packed, .x = x, .y = y, .z = z};
  debye_packed_scale_init(&unpacking.scale, packed);
  debye_parallel_for(pool, (packed->n_segments + CHUNK_SEGMENTS - 1) / CHUNK_SEGMENTS, unpack_chunk,
                     &unpacking, NULL);
  if (chosen == NULL)
    return;
  move_to_front(x, chosen, n_chosen);
  move_to_front(y, chosen, n_chosen);
  move_to_front(z, chosen, n_chosen);
}
