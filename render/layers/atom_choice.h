/* SPDX-License-Identifier: MIT */
/* The atoms that a layer shows, and the selection that chose them, as one value that can be kept and set
 * again: a GVariant, so that the property "choice" of layers needs no type of its own and whoever keeps many
 * shares their memory. */
#pragma once

#include <glib-object.h>

/* Floating. `selection`: NULL: none. `atoms`: `n_atoms` indices from 0, copied; NULL: all. */
GVariant *debye_atom_choice_new(const char *selection, const guint32 *atoms, gsize n_atoms);
/* The text, as long as `choice` lives; NULL: none. */
const char *debye_atom_choice_get_selection(GVariant *choice);
/* As debye_atom_choice_new() has them: NULL where it is all. They live as long as `choice`. */
const guint32 *debye_atom_choice_get_atoms(GVariant *choice, gsize *n_atoms);

/* The property "choice", which can be read and written. */
GParamSpec *debye_atom_choice_spec(void);
