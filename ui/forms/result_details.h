/* SPDX-License-Identifier: MIT */
/* The window that shows one result whole: its name, which can be edited, ranges of its values, warnings, settings, and how it
 * was computed. Opened by the action win.result-details. */
#pragma once

#include <adwaita.h>

#include "data/results/result.h"

GtkWidget *debye_result_details_new(GtkWindow *parent, DebyeResult *result);
