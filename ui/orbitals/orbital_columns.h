/* SPDX-License-Identifier: MIT */
/* The columns of the lists in orbital_panel.c and vibration_panel.c. */
#pragma once

#include <gtk/gtk.h>

/* In place of those that the list has: number, symmetry (if `has_symmetry`), energy in
 * hartree and in electronvolts, occupation and frontier. */
void debye_orbital_columns_set(GtkColumnView *view, gboolean has_symmetry);
/* The same for modes: number, wavenumber, infrared intensity and reduced mass. */
void debye_vibration_columns_set(GtkColumnView *view, gboolean has_intensity, gboolean has_mass);
