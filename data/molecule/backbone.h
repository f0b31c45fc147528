/* SPDX-License-Identifier: MIT */
/* The backbone of proteins and nucleic acids: which residues follow one another, and which of their atoms
 * carry the chain. */
#pragma once

#include "frame.h"
#include "topology.h"

#define DEBYE_NO_ATOM G_MAXUINT32

typedef enum { DEBYE_POLYMER_PROTEIN, DEBYE_POLYMER_NUCLEIC } DebyePolymer;

/* A residue of a chain. Atoms that a file leaves out are DEBYE_NO_ATOM; `trace` is always there. */
typedef struct {
  DebyePolymer polymer;
  guint32 residue;
  guint32 trace;      /* CA (or BB of a coarse-grained model); C3', or P where that is all there is */
  guint32 n, c, o, h; /* of the peptide unit; h is the hydrogen at n */
  guint32 sugar, tip; /* C1', and the atom of the base that is farthest from it (N1 or N3) */
  gboolean is_proline;
} DebyeBackboneUnit;

/* Units in the order of the file. Immutable. */
typedef struct {
  gsize n_units;
  DebyeBackboneUnit *units;
} DebyeBackbone;

DebyeBackbone *debye_backbone_new(DebyeTopology *topology);
void debye_backbone_free(DebyeBackbone *backbone);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeBackbone, debye_backbone_free)

/* One byte a unit: whether the next unit is linked to it in this frame: of the same chain, and as near as a
 * peptide bond (or the next phosphate) demands. With `periodic` through the cell's walls, too. The last is
 * 0. */
guint8 *debye_backbone_find_links(const DebyeBackbone *backbone, DebyeTopology *topology,
                                  const DebyeFrame *frame, gboolean periodic);
/* Whether the cell's walls cut a chain of this frame: links of which are there only through them. */
gboolean debye_backbone_is_cut(DebyeTopology *topology, const DebyeFrame *frame);
