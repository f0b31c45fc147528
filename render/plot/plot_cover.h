/* SPDX-License-Identifier: MIT */
/* How much of what is drawn a box laid over it would hide, and where it would hide least. Lengths are points.
 */
#pragma once

#include "plot_layout.h"

typedef struct _DebyePlotCover DebyePlotCover;

/* Of all that was drawn so far inside the frame but rectangles and images, which lie under everything, and, where
 * `bands` is FALSE, the bands of errors, over which words can be read. */
DebyePlotCover *debye_plot_cover_new(const DebyePlotDrawing *drawing, const DebyePlotRectangle *frame,
                                     gboolean bands);
void debye_plot_cover_free(DebyePlotCover *cover);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyePlotCover, debye_plot_cover_free)

/* In points of line; markers count as three times their size, texts as three times their width, bands as a part of
 * theirs. 0:
 * the box, with a little room around it, hides nothing. */
double debye_plot_cover_get(const DebyePlotCover *cover, const DebyePlotRectangle *box);
/* The place inside `room` for a box of that size: in a corner where one is free, else where it hides least.
 * As parts (0…1) of what the room leaves across and down; the return value is what it hides. */
double debye_plot_cover_find(const DebyePlotCover *cover, const DebyePlotRectangle *room, double width,
                             double height, double *across, double *down);
