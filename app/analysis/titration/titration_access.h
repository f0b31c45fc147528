/* SPDX-License-Identifier: MIT */
/* How far the solvent reaches a site, and what its charge does to others by that. Called by titration_run.c.
 *
 *   W'(s_i, s_j) = W(s_i, s_j) · (1 − (a_i + a_j)/2),   a_i = A_i(protein)/A_i(model compound) in [0, 1]
 *
 * A: the area that the center of a probe of 1.4 Å can be on, of the atoms whose charges differ between the site's states. A side
 * chain that the solvent reaches moves, and is where the crystal has it for a part of the time only; the crystal was grown where it is
 * charged. So one structure has salt bridges at the surface too strong, whatever the permittivity within. The factor has no
 * parameter; it is that of the Tanford-Kirkwood model with static accessibility (S. J. Shire, G. I. H. Hanania & F. R. N. Gurd,
 * Biochemistry 13 (1974) 2967; J. B. Matthew et al., CRC Crit. Rev. Biochem. 18 (1985) 91; both from memory: they weren't at
 * hand), there of a sphere's interactions. Reaction field and permanent charges keep their whole effect; so do the hydroxyls that only
 * turn, and an end of a chain and the side chain of its residue, which bonds hold beside each other. tests/bench/RESULTS.md has what it gains. */
#pragma once

#include "data/prepare/titration_sites.h"
#include "data/titration/titration_model.h"

G_BEGIN_DECLS

/* Of each site a, as many as there are sites; free with g_free. NULL with an error: a device's, of memory. */
double *debye_titration_access_measure(const DebyeTitrationSites *sites, GError **error);
/* W to W' of all pairs of sites that have a pKa and are of different residues. */
void debye_titration_access_attenuate(const DebyeTitrationSites *sites, const double *access,
                                      DebyeTitrationModel *model);

G_END_DECLS
