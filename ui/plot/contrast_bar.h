/* SPDX-License-Identifier: MIT */
/* How much deuterium takes the place of hydrogen in a scattering curve: a slider, and whether the series from
 * none to all stands beside.
 *
 * Signal "changed": by hand. */
#pragma once

#include <gtk/gtk.h>

#define DEBYE_TYPE_CONTRAST_BAR (debye_contrast_bar_get_type())
G_DECLARE_FINAL_TYPE(DebyeContrastBar, debye_contrast_bar, DEBYE, CONTRAST_BAR, GtkBox)

/* As a result has it; without "changed". */
void debye_contrast_bar_set(DebyeContrastBar *self, double fraction, gboolean series);
double debye_contrast_bar_get_fraction(DebyeContrastBar *self); /* 0 … 1 */
gboolean debye_contrast_bar_get_series(DebyeContrastBar *self);
