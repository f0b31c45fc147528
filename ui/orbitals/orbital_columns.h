/* SPDX-License-Identifier: MIT */
/* The columns of the list of orbitals. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Number, symmetry (if `has_symmetry`), energy in hartree and in electronvolts, occupation and frontier. */
void debye_orbital_columns_add(GtkColumnView *view, gboolean has_symmetry);

G_END_DECLS
