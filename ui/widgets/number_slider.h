/* SPDX-License-Identifier: MIT */
/* A number by hand and by keyboard: a slider with an entry beside it. The entry may go beyond the slider's
 * ends.
 *
 * Property: "value" double. */
#pragma once

#include <gtk/gtk.h>

#define DEBYE_TYPE_NUMBER_SLIDER (debye_number_slider_get_type())
G_DECLARE_FINAL_TYPE(DebyeNumberSlider, debye_number_slider, DEBYE, NUMBER_SLIDER, GtkBox)

/* `name` for screen readers; `unit` may be NULL. */
GtkWidget *debye_number_slider_new(const char *name, double minimum, double maximum, const char *unit);
void debye_number_slider_set_range(DebyeNumberSlider *self, double minimum, double maximum);
void debye_number_slider_set_value(DebyeNumberSlider *self, double value);
double debye_number_slider_get_value(DebyeNumberSlider *self);
