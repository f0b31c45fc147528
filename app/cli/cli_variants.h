/* SPDX-License-Identifier: MIT */
/* The teaching variants as debye-cli bench names and shows them, of all back ends, whether or not one is here. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* By family, in the order in which they are taught. */
void debye_cli_print_variants(gboolean json);
/* The code of a variant on each back end that has one of this name. FALSE with an error. */
gboolean debye_cli_print_source(const char *id, gboolean json, GError **error);

G_END_DECLS
