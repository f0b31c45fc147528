/* SPDX-License-Identifier: MIT */
/* The page that prepares structures in a window, and the electrostatic surface of any structure, bare ones included. Made by
 * window_controller.c; called by the window's actions. */
#pragma once

#include "window_opening.h"

#define DEBYE_TYPE_WINDOW_PREPARE (debye_window_prepare_get_type())
G_DECLARE_FINAL_TYPE(DebyeWindowPrepare, debye_window_prepare, DEBYE, WINDOW_PREPARE, GObject)

DebyeWindowPrepare *debye_window_prepare_new(DebyeWindowOpening *opening, DebyeWindowComputing *computing,
                                             DebyeWindowFrames *frames);
/* Shows the page. */
void debye_window_prepare_show(DebyeWindowPrepare *self);
/* Prepares the model that is shown, with the page's settings. */
void debye_window_prepare_run(DebyeWindowPrepare *self);
/* One step back. */
void debye_window_prepare_undo(DebyeWindowPrepare *self);
/* Chain, residue ("HIS 57") and its state. */
void debye_window_prepare_choose_state(DebyeWindowPrepare *self, GVariant *values);
/* Chain and residue: in the picture. */
void debye_window_prepare_show_residue(DebyeWindowPrepare *self, GVariant *values);
/* Into the file, PQR or PDB by its ending. */
void debye_window_prepare_save(DebyeWindowPrepare *self, const char *path);
/* The potential on the molecule's surface; a structure without charges is prepared first. */
void debye_window_prepare_show_electrostatic(DebyeWindowPrepare *self);
