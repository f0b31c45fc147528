/* SPDX-License-Identifier: MIT */
/* How a picture superposes the frames that it shows, so that a molecule stays in the map that was computed of
 * its superposed frames. */
#pragma once

#include "data/settings/request.h"
#include "data/trajectory/dataset.h"
#include "data/trajectory/frame_edit.h"

typedef struct {
  char *atoms;     /* a selection; NULL: nothing is superposed */
  char *reference; /* as the setting “reference” says it; “first” is the trajectory's first frame */
  gboolean by_mass;
} DebyeAlignment;

void debye_alignment_clear(DebyeAlignment *alignment);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeAlignment, debye_alignment_clear)
void debye_alignment_copy(DebyeAlignment *alignment, const DebyeAlignment *other);
gboolean debye_alignment_equal(const DebyeAlignment *alignment, const DebyeAlignment *other);
/* As the frames of a result were superposed whose request this is, effective settings included; `n_frames`: of
 * the trajectory. Nothing where they weren't. */
void debye_alignment_init_of_request(DebyeAlignment *alignment, DebyeRequest *request, gsize n_frames);

/* Reads the reference. NULL without an error where there is nothing to superpose: no solute, or one that spans
 * the cell. */
DebyeFrameEdit *debye_alignment_new_edit(const DebyeAlignment *alignment, DebyeDataset *dataset,
                                         GError **error);
/* A copy of a frame, superposed, of frames in any order. */
DebyeFrame *debye_alignment_apply(DebyeFrameEdit *edit, const DebyeFrame *frame, GError **error);
