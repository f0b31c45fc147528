/* SPDX-License-Identifier: MIT */
/* Measuring in a window's picture: the atoms that are clicked one after the other are a distance, then an angle,
 * then a dihedral; the next click begins anew. */
#pragma once

#include "window_computing.h"

/* Once. */
void debye_window_measure_add(DebyeWindowDocument *self);
void debye_window_measure_set_measuring(DebyeWindowDocument *self, gboolean measuring);
/* The next click begins a measurement: another scene has come. */
void debye_window_measure_forget_picks(DebyeWindowDocument *self);
/* The two atoms that were picked last; FALSE: there are not so many. */
gboolean debye_window_measure_get_pair(DebyeWindowDocument *self, guint32 atoms[2]);
/* All measurements of the scene over the trajectory, as an analysis. */
void debye_window_measure_plot(DebyeWindowComputing *computing);
