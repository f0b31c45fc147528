/* SPDX-License-Identifier: MIT */
/* The sites of a structure that take up and give off protons: Asp, Glu, His, Cys, Tyr, Lys, Arg and the ends of chains, each
 * with its states' charges and the model compound that it is compared with. Of a structure that was made ready
 * (prepare.h). Called by app/analysis/titration.
 *
 * All protons that any state has are there, of one surface: states differ by their charges alone. Charges and radii of
 * proteins are PARSE's, of everything else those that the structure has. A carboxylic acid has its proton at either oxygen,
 * syn or anti; histidine without one of its two has it at either nitrogen; the hydroxyl of tyrosine is at either side of its
 * ring. Those of Ser and Thr turn between three places: sites without a pKa, so that no state of another is held to the
 * hydrogen bonds of one. A proton with several places has no radius: it is in the sphere of its oxygen, so that the surface of
 * a carboxylate is PARSE's (with radii of GROMOS PypKa has the same: Reis et al., J. Chem. Inf. Model. 60 (2020) 4442).
 * Model values are debye_model_pka(); that the pK to Nδ–H is 0.4 above the pK to Nε–H is from Tanokura, Biochim. Biophys.
 * Acta 742 (1983) 576, as others quote it (6.92 and 6.53). */
#pragma once

#include "titration_states.h"

/* What is bound to a metal or by its side chain to another residue, in a disulfide, at a break of a chain, or was decided by a
 * person (settings) titrates not. Residues without a form that are bonded to proteins stay with them; water, sodium, potassium
 * and chloride are left out. An error is debye_prepare()'s, or names a residue whose charge hangs on what isn't there. */
DebyeTitrationSites *debye_titration_sites_new(const DebyePrepared *prepared,
                                               const DebyePrepareSettings *settings, GError **error);
void debye_titration_sites_free(DebyeTitrationSites *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeTitrationSites, debye_titration_sites_free)
