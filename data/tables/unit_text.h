/* SPDX-License-Identifier: MIT */
/* Units as people read them. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* For texts that can't raise letters: "bohr⁻³ᐟ²" for "bohr^-3/2". NULL is "". Free with g_free. */
char *debye_unit_to_text(const char *unit);

G_END_DECLS
