/* SPDX-License-Identifier: MIT */
/* The error of a wrong command line, whatever the files hold: exit status 2. */
#pragma once

#include <glib.h>

#define DEBYE_USAGE_ERROR (debye_usage_error_quark())
GQuark debye_usage_error_quark(void);

/* Sets it, in English. Always FALSE, to be returned. */
gboolean debye_usage_refuse(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);
