/* SPDX-License-Identifier: MIT */
/* What the page of vibrations shows of a dataset, and the frames of the mode that is chosen: reads the modes, fills the panel.
 * Knows no window: it says what shall be shown.
 *
 * Signals: "job" (DebyeJob, gboolean computing): to be added to the window's; "found" (gboolean): whether there are modes;
 * "mode-changed" (gboolean): another mode shall be played, or none; "amplitude-changed": of the mode that is played; "failed"
 * (char *): why there are none. */
#pragma once

#include "data/formats/quantum/vibrations.h"
#include "data/molecule/frame.h"
#include "data/trajectory/dataset.h"
#include "ui/orbitals/vibration_panel.h"

#define DEBYE_TYPE_VIBRATION_PAGE (debye_vibration_page_get_type())
G_DECLARE_FINAL_TYPE(DebyeVibrationPage, debye_vibration_page, DEBYE, VIBRATION_PAGE, GObject)

DebyeVibrationPage *debye_vibration_page_new(DebyeVibrationPanel *panel);
/* Other files, or NULL; nothing where they are the same. */
void debye_vibration_page_set_dataset(DebyeVibrationPage *self, DebyeDataset *dataset);
/* The chosen mode's frame of this number below DEBYE_VIBRATION_FRAMES; NULL without a mode. */
DebyeFrame *debye_vibration_page_make_frame(DebyeVibrationPage *self, guint number);
/* The chosen mode as it is played, to be cleared; nothing without a mode. */
DebyeVibrationMotion debye_vibration_page_get_motion(DebyeVibrationPage *self);
