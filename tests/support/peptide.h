/* SPDX-License-Identifier: MIT */
/* Polyalanine backbones with any angles: N, CA, C, O of Engh and Huber's (1991) bonds, as a helix of which
 * the answer is known. */
#pragma once

#include "data/molecule/frame.h"
#include "data/molecule/periodic.h"
#include "data/molecule/topology.h"

typedef struct {
  DebyeTopology *topology;
  DebyeFrame *frame;
} Peptide;

/* `phi` and `psi` in degrees, the same for every residue; peptide bonds are trans. */
Peptide peptide_build(double phi, double psi, gsize n_residues);
void peptide_clear(Peptide *peptide);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Peptide, peptide_clear)
