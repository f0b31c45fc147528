/* SPDX-License-Identifier: MIT */
/* Exports the coordinates of a window's files, see app/document/coordinate_export.h; called by its actions. */
#pragma once

#include "window_document.h"

/* Asks what is written, then where. */
void debye_window_coordinates_ask(DebyeWindowDocument *self);
