/* SPDX-License-Identifier: MIT */
/* The error of a wrong command line, whatever the files hold: exit status 2. Set by arguments.c and picture.c. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define DEBYE_USAGE_ERROR (debye_usage_error_quark())
GQuark debye_usage_error_quark(void);

G_END_DECLS
