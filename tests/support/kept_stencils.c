/* SPDX-License-Identifier: MIT */
/* Stencils in the list of remembered.h, called instead of what makes them. */
#include "kept_stencils.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/potential/multilevel_stencil.h"
#include "remembered.h"

typedef DebyeStatusCode (*Maker)(const DebyeMultilevel *multilevel, const DebyeMultilevelFrame *frame,
                                 DebyeMultilevelStencil *stencil, DebyeStatus *status);

DebyeStatusCode __real_debye_multilevel_level_stencil(const DebyeMultilevel *multilevel,
                                                      const DebyeMultilevelFrame *frame,
                                                      DebyeMultilevelStencil *stencil, DebyeStatus *status);
DebyeStatusCode __real_debye_multilevel_top_stencil(const DebyeMultilevel *multilevel,
                                                    const DebyeMultilevelFrame *frame,
                                                    DebyeMultilevelStencil *stencil, DebyeStatus *status);
DebyeStatusCode __wrap_debye_multilevel_level_stencil(const DebyeMultilevel *multilevel,
                                                      const DebyeMultilevelFrame *frame,
                                                      DebyeMultilevelStencil *stencil, DebyeStatus *status);
DebyeStatusCode __wrap_debye_multilevel_top_stencil(const DebyeMultilevel *multilevel,
                                                    const DebyeMultilevelFrame *frame,
                                                    DebyeMultilevelStencil *stencil, DebyeStatus *status);

bool debye_stencils_are_kept = true;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* lanes make their plans beside one another */

static size_t
count_bytes(const DebyeMultilevelStencil *stencil)
{
  return (size_t)stencil->n[0] * (size_t)stencil->n[1] * (size_t)stencil->n[2] * sizeof *stencil->weight;
}

/* The padding of both is left out. */
static uint64_t
find_key(const DebyeMultilevel *multilevel, const DebyeMultilevelFrame *frame, bool is_top)
{
  uint64_t key = debye_remembered_key(0, &is_top, sizeof is_top);
  key = debye_remembered_key(key, &multilevel->order, sizeof multilevel->order);
  key = debye_remembered_key(key, &multilevel->cutoff, sizeof multilevel->cutoff);
  key = debye_remembered_key(key, &multilevel->spacing, sizeof multilevel->spacing);
  key = debye_remembered_key(key, &multilevel->window, sizeof multilevel->window);
  key = debye_remembered_key(key, &multilevel->rounds, sizeof multilevel->rounds);
  key = debye_remembered_key(key, frame->step, sizeof frame->step);
  key = debye_remembered_key(key, frame->inverse, sizeof frame->inverse);
  if (!is_top)
    return key;
  key = debye_remembered_key(key, &frame->order, sizeof frame->order);
  key = debye_remembered_key(key, frame->shift, sizeof frame->shift);
  key = debye_remembered_key(key, frame->periodic, sizeof frame->periodic);
  key = debye_remembered_key(key, frame->start, sizeof frame->start);
  return debye_remembered_key(key, frame->lattice, frame->n_levels * sizeof frame->lattice[0]);
}

/* A copy of what is kept, whose weights are the caller's. */
static bool
copy(const DebyeMultilevelStencil *kept, DebyeMultilevelStencil *stencil)
{
  *stencil = *kept;
  stencil->weight = malloc(count_bytes(kept));
  if (stencil->weight != NULL)
    memcpy(stencil->weight, kept->weight, count_bytes(kept));
  return stencil->weight != NULL;
}

static DebyeStatusCode
get(const DebyeMultilevel *multilevel, const DebyeMultilevelFrame *frame, Maker make, bool is_top,
    DebyeMultilevelStencil *stencil, DebyeStatus *status)
{
  bool is_new;
  DebyeStatusCode code = DEBYE_STATUS_OK;
  if (!debye_stencils_are_kept)
    return make(multilevel, frame, stencil, status);
  pthread_mutex_lock(&mutex);
  DebyeMultilevelStencil *kept =
      debye_remembered_get(find_key(multilevel, frame, is_top), sizeof *kept, &is_new);
  /* What couldn't be made is tried anew. */
  if (kept->weight == NULL)
    code = make(multilevel, frame, kept, status);
  if (code != DEBYE_STATUS_OK || !copy(kept, stencil))
    *stencil = (DebyeMultilevelStencil){0};
  pthread_mutex_unlock(&mutex);
  if (code == DEBYE_STATUS_OK && stencil->weight == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for a copy.");
  return code == DEBYE_STATUS_OK ? debye_status_ok(status) : code;
}

DebyeStatusCode
__wrap_debye_multilevel_level_stencil(const DebyeMultilevel *multilevel, const DebyeMultilevelFrame *frame,
                                      DebyeMultilevelStencil *stencil, DebyeStatus *status)
{
  return get(multilevel, frame, __real_debye_multilevel_level_stencil, false, stencil, status);
}

DebyeStatusCode
__wrap_debye_multilevel_top_stencil(const DebyeMultilevel *multilevel, const DebyeMultilevelFrame *frame,
                                    DebyeMultilevelStencil *stencil, DebyeStatus *status)
{
  return get(multilevel, frame, __real_debye_multilevel_top_stencil, true, stencil, status);
}
