/* SPDX-License-Identifier: MIT */
/* What is done to every frame between reading and writing: unwrapped or made whole, centred,
 * translated, wrapped, superposed, in this order. */
#pragma once

#include "data/selection/selection.h"
#include "data/molecule/superpose.h"

typedef struct {
  gboolean unwrap;           /* molecules are followed through the cell; not together with wrap */
  gboolean whole;            /* molecules that the cell cuts, from their first atoms on */
  gboolean wrap;             /* molecules, made whole, into the cell */
  DebyeSelection *center;    /* its centre goes to the middle of the cell (the origin without one); or NULL */
  DebyeVec3 translate;       /* Å, added to all positions; the cell stays where it is */
  DebyeSelection *superpose; /* these atoms onto those of the reference; or NULL. Decided once */
  gboolean by_mass;          /* they count by their masses, where any is known; else all alike */
  gboolean gather;           /* their molecules are put together first, see gather.h */
  const DebyeFrame *reference; /* NULL: the first frame that is edited, as it is edited */
  gboolean edits_reference;    /* it is one of these frames, to be edited as they are */
} DebyeFrameEditOptions;

typedef struct _DebyeFrameEdit DebyeFrameEdit;

/* Selections are decided here, or, where they are dynamic, when a frame comes. DEBYE_ERROR_SELECTION where
 * one chooses no atom, DEBYE_ERROR_VALUE for options that contradict each other. */
DebyeFrameEdit *debye_frame_edit_new(DebyeTopology *topology, const DebyeFrameEditOptions *options,
                                     GError **error);
void debye_frame_edit_free(DebyeFrameEdit *edit);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeFrameEdit, debye_frame_edit_free)
/* Frames in order of time, each once. Molecules are those of the topology's bonds, or, where it has none, of
 * the bonds guessed from the first frame. Wrapping, unwrapping or making whole without a cell is
 * DEBYE_ERROR_MISSING. Superposing turns the cell with the atoms. */
gboolean debye_frame_edit_apply(DebyeFrameEdit *edit, DebyeFrame *frame, GError **error);
/* How centring, translating and superposing moved the frame edited last, as one rigid motion; whole cells that wrapping or
 * unwrapping moved molecules by are not in it. */
DebyeSuperposition debye_frame_edit_get_motion(const DebyeFrameEdit *edit);
