/* SPDX-License-Identifier: MIT */
/* What a result's note is about. A note begins with its subject and a colon ("g(r): normalised by …",
 * "Frames: …"): the label of a quantity, or one of a few subjects that belong to the whole result. Who shows
 * a plot asks for those that belong into its caption. */
#pragma once

#include "quantity.h"

G_BEGIN_DECLS

/* Whether the note says how the quantity is normalised, what was taken off, or of which frames it is. */
gboolean debye_note_is_in_caption(const char *note, const DebyeQuantity *quantity);

G_END_DECLS
