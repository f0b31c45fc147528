/* SPDX-License-Identifier: MIT */
/* Units as people read them. */
#pragma once

#include <glib.h>

/* For texts that can't raise letters: "bohr⁻³ᐟ²" for "bohr^-3/2". NULL is "". Free with g_free. */
char *debye_unit_to_text(const char *unit);
