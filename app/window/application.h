/* SPDX-License-Identifier: MIT */
/* The window program: one process, a window a document. */
#pragma once

#include <adwaita.h>

#include "window_controller.h"

#define DEBYE_TYPE_APPLICATION (debye_application_get_type())
G_DECLARE_FINAL_TYPE(DebyeApplication, debye_application, DEBYE, APPLICATION, AdwApplication)

DebyeApplication *debye_application_new(void);
/* A new empty window, presented. */
DebyeWindowController *debye_application_create_window(DebyeApplication *self);
