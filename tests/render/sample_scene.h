/* SPDX-License-Identifier: MIT */
/* Made-up things to draw: a helix with bonds, a box of atoms, the map of a few charges. */
#pragma once

#include "data/results/field.h"
#include "data/molecule/frame.h"
#include "data/molecule/topology.h"

typedef struct {
  DebyeTopology *topology;
  DebyeFrame *frame;
} SampleMolecule;

/* A helix of `n` alanines along z, in two chains where `n` is above 10. */
SampleMolecule sample_helix(guint n_residues);
/* Atoms at random, as dense as water, in a cubic cell; the same each time. */
SampleMolecule sample_liquid(gsize n_atoms);
void sample_molecule_clear(SampleMolecule *molecule);

/* Potential of charges of alternating sign along z, softened, in kT/e, on n points a side of `size` Å. */
DebyeField *sample_potential(gsize n, double size);
/* What `value` gives, on the same grid. */
DebyeField *sample_field(gsize n, double size, double (*value)(DebyeVec3 p));
