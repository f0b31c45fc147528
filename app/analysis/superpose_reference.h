/* SPDX-License-Identifier: MIT */
/* What frames are superposed on: the setting “reference”. */
#pragma once

#include "data/dataset.h"
#include "data/request.h"
#include "data/selection.h"

G_BEGIN_DECLS

/* *reference: a frame of as many atoms as the dataset has, in which those that `superpose` chooses stand
 * where they are to be laid; NULL for “first”, the first frame that is used, as it is edited. “frame:N” is a
 * frame of the trajectory, 0-based, negative from the end, as it is in the file, its molecules made whole
 * where frames are unwrapped. “file:FILE” is the first frame of a structure of the same atoms, or of one in
 * which the selection chooses as many, of the same elements in the same order. DEBYE_ERROR_SETTING,
 * DEBYE_ERROR_MISMATCH, or what reading gives. To be unreffed. */
gboolean debye_superpose_reference_read(DebyeDataset *dataset, DebyeRequest *request,
                                        DebyeSelection *superpose, DebyeFrame **reference, GError **error);
/* How the note calls it: “the first”, “frame 5”, “crystal.pdb”. To be freed. */
char *debye_superpose_reference_describe(DebyeRequest *request);

/* The note about it: what the reference is called, and the selection. */
#define DEBYE_NOTE_SUPERPOSED "Frames were superposed on %s by “%s”, mass-weighted"

G_END_DECLS
