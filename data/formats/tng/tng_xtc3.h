/* SPDX-License-Identifier: MIT */
/* TNG's XTC3: atoms far from the one before, near it, or near where they were, by instructions; each kind of
 * number is packed together, in one base or by tng_bwlzh.h. After what the format's library writes
 * (github.com/gromacs/tng, BSD). */
#pragma once

#include <glib.h>

/* n coordinates, three an atom, of frames of so many atoms one after the other. FALSE: damaged. */
gboolean debye_tng_xtc3_unpack(const guint8 *bytes, gsize n_bytes, gint32 *values, gsize n, gsize n_atoms);
