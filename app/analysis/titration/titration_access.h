/* SPDX-License-Identifier: MIT */
/* How far the solvent reaches a site, for who looks at its pKa. Called by titration_run.c.
 *
 *   a = A(protein)/A(model compound) in [0, 1]
 *
 * A: the area that the center of a probe of 1.4 Å can be on, of the atoms whose charges differ between the site's states. */
#pragma once

#include "data/prepare/titration_sites.h"

/* Of each site a, as many as there are sites; free with g_free. NULL with an error: a device's, of memory. */
double *debye_titration_access_measure(const DebyeTitrationSites *sites, GError **error);
