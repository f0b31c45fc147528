/* SPDX-License-Identifier: MIT */
/* What lies between the charges of a potential: notes, legends and forms say it, since potentials without a
 * solvent are far larger than those that surfaces are usually coloured by. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* "no continuum solvent, ε = 1", of a request with a setting “permittivity”. Free with g_free. */
char *debye_medium_describe(double permittivity);

G_END_DECLS
