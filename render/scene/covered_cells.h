/* SPDX-License-Identifier: MIT */
/* Where a picture has atoms, on a coarse grid of cells: labels that stand aside avoid them. Called by overlay_labels.c. */
#pragma once

#include "renderer.h"

typedef struct _DebyeCoveredCells DebyeCoveredCells;

/* `whole`: from the world to clip space. */
DebyeCoveredCells *debye_covered_cells_new(GListModel *layers, const DebyePicture *picture, mat4 whole);
void debye_covered_cells_free(DebyeCoveredCells *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeCoveredCells, debye_covered_cells_free)

/* How many cells of this rectangle, in pixels from the top left, are covered. */
guint debye_covered_cells_count(const DebyeCoveredCells *self, double left, double top, double width,
                                double height);
