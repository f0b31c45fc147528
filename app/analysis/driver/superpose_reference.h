/* SPDX-License-Identifier: MIT */
/* What frames are superposed on: the setting “reference”. */
#pragma once

#include "data/trajectory/dataset.h"
#include "data/selection/selection.h"

/* For the options of a DebyeFrameEdit. */
typedef struct {
  DebyeFrame *frame; /* NULL: the first frame that is used, as it is edited */
  gboolean is_own;   /* of the trajectory: to be edited as all frames are */
} DebyeSuperposeReference;

/* *reference: a frame of as many atoms as the dataset has, in which those that `superpose` chooses stand
 * where they are to be laid; none for “first” or NULL. “frame:N” is a frame of the trajectory, 0-based, negative from
 * the end. “file:FILE” is the first frame of a structure of the same atoms, or of one in which the selection
 * chooses as many, of the same elements in the same order; its molecules are made whole.
 * DEBYE_ERROR_SETTING, DEBYE_ERROR_MISMATCH, or what reading gives. The frame is to be unreffed. */
gboolean debye_superpose_reference_read(DebyeDataset *dataset, const char *text, DebyeSelection *superpose,
                                        DebyeSuperposeReference *reference, GError **error);
/* How the note calls it: “the first”, “frame 5”, “crystal.pdb”. To be freed. */
char *debye_superpose_reference_describe(const char *text);
