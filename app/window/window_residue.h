/* SPDX-License-Identifier: MIT */
/* Shows one residue in the picture of a window; called where lists of residues are. */
#pragma once

#include "window_document.h"

/* Its atoms and those near it as layers of their own, in the middle of the view; surfaces that are shown let it be
 * seen until its layer is removed. `residue`: counted from 0. FALSE: there is no picture, or no atom of it. */
gboolean debye_window_residue_show(DebyeWindowDocument *document, guint32 residue);
/* The same of the residue of an atom, counted from 0. FALSE also where the files have no such atom. */
gboolean debye_window_residue_show_of_atom(DebyeWindowDocument *document, guint32 atom);
