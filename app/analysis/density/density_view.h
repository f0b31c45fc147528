/* SPDX-License-Identifier: MIT */
/* Where a density is looked at from: a reference that moves, each of its copies, or the centre of some atoms. */
#pragma once

#include "data/molecule/gather.h"
#include "data/molecule/topology.h"
#include "kernels/density/density_map.h"

/* Atoms that frames are superposed by, one residue each where there are copies. */
typedef struct {
  gsize n_copies, n_each;
  guint32 *atoms;    /* n_each of the first copy, then those of the second, … */
  guint32 *owners;   /* the copies' residues; NULL: it isn't a residue */
  DebyeFrame *model; /* the first copy in the first frame: n_each atoms, whole */
  DebyeFrame *copy;  /* of the frame at hand, likewise */
  DebyeFrame *whole; /* all atoms of a frame whose molecules are put together; NULL: nothing is to be */
  DebyeTopology *bonded;
  DebyeMolecules *molecules;
  DebyeGather *gather;
} DebyeDensityReference;

void debye_density_reference_clear(DebyeDensityReference *reference);
/* `atoms` of guint32; all zero before. DEBYE_ERROR_MISMATCH where copies are not alike. */
gboolean debye_density_reference_init(DebyeDensityReference *reference, DebyeTopology *topology,
                                      const GArray *atoms, gboolean copies, const DebyeFrame *first,
                                      GError **error);
/* A view of each copy. */
gboolean debye_density_reference_look(DebyeDensityReference *reference, const DebyeFrame *frame,
                                      DebyeDensityView *views, GError **error);

/* “WAT 12”. To be freed. */
char *debye_density_describe_residue(DebyeTopology *topology, guint32 number);

/* The centre of mass of atoms that the cell may cut, about the mean of their directions on circles around it (Bai & Breen,
 * J. Graphics Tools 13 (2008) 53). Atoms of no known mass count alike. */
DebyeVec3 debye_density_find_center(DebyeTopology *topology, const GArray *atoms, const DebyeFrame *frame);
/* From `from`, which is at `to`, without turning. */
void debye_density_view_init(DebyeDensityView *view, DebyeVec3 from, DebyeVec3 to);
