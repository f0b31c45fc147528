/* SPDX-License-Identifier: MIT */
/* debye_field_load for whoever waits: with progress, which also stops it. */
#pragma once

#include "field.h"
#include "input.h"

G_BEGIN_DECLS

/* See debye_input_open_watched. */
DebyeField *debye_field_load_watched(const char *path, DebyeProgressFunc progress, gpointer data,
                                     GError **error);

G_END_DECLS
