/* SPDX-License-Identifier: MIT */
/* The diagram of orbitals' energies: a bar a level, degenerate ones beside each other, spins in
 * two columns where there are both; electrons as arrows; an axis in electronvolts and one in
 * hartree. It shows a range about the frontier; the wheel zooms.
 *
 * Signal: "picked" (guint position of the list): a click on a level. */
#pragma once

#include <gtk/gtk.h>

#define DEBYE_TYPE_ORBITAL_LEVELS (debye_orbital_levels_get_type())
G_DECLARE_FINAL_TYPE(DebyeOrbitalLevels, debye_orbital_levels, DEBYE, ORBITAL_LEVELS, GtkWidget)

/* (element-type DebyeOrbitalItem) */
void debye_orbital_levels_set_orbitals(DebyeOrbitalLevels *self, GListModel *orbitals);
/* GTK_INVALID_LIST_POSITION: none. The range moves so that it is seen. */
void debye_orbital_levels_set_selected(DebyeOrbitalLevels *self, guint position);
