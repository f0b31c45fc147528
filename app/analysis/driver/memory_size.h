/* SPDX-License-Identifier: MIT */
/* Amounts of memory: as people type them and as people read them. */
#pragma once

#include <glib.h>

/* "512M", "1.5 GiB", "8G", "1048576": bytes, prefixes to base 1024. NULL or empty: 0. FALSE with
 * DEBYE_ERROR_VALUE. */
gboolean debye_memory_size_parse(const char *text, guint64 *bytes, GError **error);
/* "1.5 GiB", with a dot in every locale. */
char *debye_memory_size_to_string(guint64 bytes);
