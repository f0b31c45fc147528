/* SPDX-License-Identifier: MIT */
/* Counts as a person reads them, in the window's sentences and in titles. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* "12,345"; with the language's own mark between thousands. Free with g_free. */
char *debye_count_text(guint64 count);

G_END_DECLS
