/* SPDX-License-Identifier: MIT */
/* Who is who in files whose frames hold different atoms and don't number them: the k-th atom of a label (an element, a type)
 * in one frame is the k-th of that label in every frame. All atoms are those of the first frame in its order, then others
 * as they are first met. Private to the readers of text formats. */
#pragma once

#include "data/files/text_fields.h"

#define DEBYE_ATOM_LABELS_NO_ATOM G_MAXUINT32

typedef struct _DebyeAtomLabels DebyeAtomLabels;

DebyeAtomLabels *debye_atom_labels_new(void);
void debye_atom_labels_free(DebyeAtomLabels *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeAtomLabels, debye_atom_labels_free)

/* Before the first atom of each frame. */
void debye_atom_labels_begin_frame(DebyeAtomLabels *self);
/* The number of the frame's next atom, which has that label. *is_new: nothing before was it, and it has been added. */
guint32 debye_atom_labels_add(DebyeAtomLabels *self, DebyeTextField label, gboolean *is_new);
/* The same of atoms that are known; DEBYE_ATOM_LABELS_NO_ATOM: it is none of them. */
guint32 debye_atom_labels_find(DebyeAtomLabels *self, DebyeTextField label);
gsize debye_atom_labels_get_n_atoms(const DebyeAtomLabels *self);
