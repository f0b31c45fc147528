/* SPDX-License-Identifier: MIT */
/* How a picture places the molecules of periodic frames, which files often cut at the cell's faces or let
 * drift away. Frames of a picture come in any order, so there is no following through time here. */
#pragma once

#include "data/settings/setting.h"
#include "data/molecule/topology.h"
#include "data/molecule/frame.h"

typedef enum {
  DEBYE_PLACING_FILE,  /* as the file has them */
  DEBYE_PLACING_WHOLE, /* molecules that the cell cuts, from their first atoms on */
  DEBYE_PLACING_CELL   /* whole, with their centres in the cell */
} DebyePlacing;
#define DEBYE_LAST_PLACING DEBYE_PLACING_CELL

/* Their words, in their order. */
extern const DebyeChoice debye_placing_choices[];

typedef struct _DebyePlacer DebyePlacer;

/* Molecules are found with the first frame that is placed: those of the topology's bonds and, of atoms that
 * have none, of bonds guessed from that frame. */
DebyePlacer *debye_placer_new(DebyeTopology *topology);
void debye_placer_free(DebyePlacer *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyePlacer, debye_placer_free)
DebyeTopology *debye_placer_get_topology(const DebyePlacer *self);
/* A frame that is placed, the given one left as it is; that one itself where there is nothing to do, also
 * without a cell. NULL: DEBYE_ERROR_MEMORY, or DEBYE_ERROR_MISMATCH of another number of atoms. */
DebyeFrame *debye_placer_place(DebyePlacer *self, DebyePlacing placing, DebyeFrame *frame, GError **error);
