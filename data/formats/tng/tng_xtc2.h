/* SPDX-License-Identifier: MIT */
/* TNG's XTC2: numbers in a mixed base, as XTC packs them, with instructions between.
 * Called by tng_coding.c. */
#pragma once

#include <glib.h>

/* n coordinates, three an atom. FALSE: damaged. */
gboolean debye_tng_xtc2_unpack(const guint8 *bytes, gsize n_bytes, gint32 *values, gsize n);
