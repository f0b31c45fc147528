/* SPDX-License-Identifier: MIT */
/* A ring that fills clockwise. */
#pragma once

#include <gtk/gtk.h>

#define DEBYE_TYPE_PROGRESS_RING (debye_progress_ring_get_type())
G_DECLARE_FINAL_TYPE(DebyeProgressRing, debye_progress_ring, DEBYE, PROGRESS_RING, GtkWidget)

/* 0…1; negative draws a quarter (unknown). */
void debye_progress_ring_set_fraction(DebyeProgressRing *self, double fraction);
