/* SPDX-License-Identifier: MIT */
/* The page of a molecule's normal modes: their list, and how far the atoms of the one that is played move.
 *
 * Signals: "chosen" (guint index in the list's order): this mode shall be played; "amplitude-changed"; "stopped": the
 * atoms go back to where they were. */
#pragma once

#include <adwaita.h>

#define DEBYE_TYPE_VIBRATION_PANEL (debye_vibration_panel_get_type())
G_DECLARE_FINAL_TYPE(DebyeVibrationPanel, debye_vibration_panel, DEBYE, VIBRATION_PANEL, AdwBin)

/* Of a file, in its order; NULL: there are none. Nothing is chosen but what
 * was waited for. (element-type DebyeVibrationItem) */
void debye_vibration_panel_set_modes(DebyeVibrationPanel *self, GListModel *modes);
/* As if a person had chosen it, by its number in the file; nothing where there is none of this number. */
void debye_vibration_panel_choose(DebyeVibrationPanel *self, guint number);
/* The same as soon as there are modes; 0: none is waited for any more. */
void debye_vibration_panel_wait_for(DebyeVibrationPanel *self, guint number);
/* The number in the file of what is chosen or waited for; 0: nothing. */
guint debye_vibration_panel_get_chosen(DebyeVibrationPanel *self);
/* Of the atom that moves farthest, Å; what is beyond the slider's ends is their value. */
void debye_vibration_panel_set_amplitude(DebyeVibrationPanel *self, double amplitude);
double debye_vibration_panel_get_amplitude(DebyeVibrationPanel *self);
