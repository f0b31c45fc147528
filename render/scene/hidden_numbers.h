/* SPDX-License-Identifier: MIT */
/* Finds the numbers of contour lines that something hides, for overlay.c: drawn over what covers their surface they would
 * seem to belong to it. */
#pragma once

#include "renderer.h"

typedef struct _DebyeHiddenNumbers DebyeHiddenNumbers;

DebyeHiddenNumbers *debye_hidden_numbers_new(void);
void debye_hidden_numbers_free(DebyeHiddenNumbers *self);

/* Before the numbers of a picture, whose content `serial` counts. `plane`: of the clipping plane, what it keeps is where
 * it isn't negative. While the view moves, what was hidden stays so: rays through all atoms for each number take longer
 * than a picture may. */
void debye_hidden_numbers_begin(DebyeHiddenNumbers *self, GListModel *layers, const DebyePicture *picture,
                                guint64 serial, const double plane[4]);
/* The next number, at `place` on `layer`, seen at pixel `at` from the picture's top left. */
gboolean debye_hidden_numbers_next(DebyeHiddenNumbers *self, DebyeLayer *layer, const double at[2],
                                   DebyeVec3 place);
