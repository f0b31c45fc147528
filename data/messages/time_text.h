/* SPDX-License-Identifier: MIT */
/* Measured times as a person reads them. */
#pragma once

#include <glib.h>

/* "140 s", "21.8 ms", "3.2 µs": three digits and the unit that suits them, whole seconds from a thousand on; a dot in every locale.
 * "–" for NAN. Free with g_free. */
char *debye_time_text(double seconds);
