/* SPDX-License-Identifier: MIT */
/* The pairs of a distance as a layer of the scene: found on a worker, again for each frame that is shown, the
 * newest frame winning. */
#pragma once

#include "data/trajectory/dataset.h"
#include "data/settings/request.h"
#include "render/scene/scene.h"

#define DEBYE_TYPE_WINDOW_SHELL (debye_window_shell_get_type())
G_DECLARE_FINAL_TYPE(DebyeWindowShell, debye_window_shell, DEBYE, WINDOW_SHELL, GObject)

/* Emits "found" (string) with what is shown, "failed" (string) with why nothing is. */
DebyeWindowShell *debye_window_shell_new(DebyeDataset *dataset, DebyeScene *scene, DebyeRequest *request,
                                         const char *pair, double from, double to);
/* The first call adds the layer. */
void debye_window_shell_set_frame(DebyeWindowShell *self, DebyeFrame *frame);
void debye_window_shell_get_range(DebyeWindowShell *self, double *from, double *to);
/* Takes the layer away; what is still searched for is dropped. */
void debye_window_shell_close(DebyeWindowShell *self);
