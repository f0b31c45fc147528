/* SPDX-License-Identifier: MIT */
/* Bins of a cutoff in a window's picture: a click on an atom chooses the bin that is looked at. */
#pragma once

#include "window_document.h"

G_BEGIN_DECLS

/* Once. */
void debye_window_bins_add(DebyeWindowDocument *self);
/* In the layer of bins that is seen, which is added where there is none: the bin of that atom with those that its
 * points have to look at; a negative number: all bins. */
void debye_window_bins_look_at(DebyeWindowDocument *self, int atom);

G_END_DECLS
