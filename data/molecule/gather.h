/* SPDX-License-Identifier: MIT */
/* Puts together the molecules that frames are superposed by: a chain that the cell cuts, or a dimer whose
 * halves lie at opposite faces, has another shape than its reference and can't be laid on it. */
#pragma once

#include "molecules.h"

/* Whether some atoms reach from one face of the frame's cell to the opposite one: along one of its edges they
 * leave no gap of 3 Å to their own images. They have no shape of their own then. Without a cell FALSE. */
gboolean debye_gather_spans_cell(const guint32 *atoms, gsize n_atoms, const DebyeFrame *frame);

typedef struct _DebyeGather DebyeGather;

/* Of the molecules that `atoms` (element-type guint32) belong to; `molecule_of`, one per atom of the topology,
 * and `molecules` are of the same bonds and outlive it. `weights`: as for debye_superpose(). Atoms that span
 * the cell in the frame `first` are left as they are in all frames. */
DebyeGather *debye_gather_new(const DebyeMolecules *molecules, const guint32 *molecule_of,
                              const GArray *atoms, const float *weights, const DebyeFrame *first);
void debye_gather_free(DebyeGather *gather);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeGather, debye_gather_free)

/* Makes these molecules whole, then moves each by whole vectors of the frame's cell to where it stands beside
 * the largest of them in `reference`, however that one is turned. Without a reference: so that they lie
 * together, the widest gaps of the cell around them. The largest one's first atom stays, and so do all other
 * molecules and frames without a cell. */
void debye_gather_apply(const DebyeGather *gather, DebyeFrame *frame, const DebyeFrame *reference);
