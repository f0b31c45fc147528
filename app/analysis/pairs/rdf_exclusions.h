/* SPDX-License-Identifier: MIT */
/* Pairs of atoms that a pair distribution leaves out, as its kernel wants them. */
#pragma once

#include "data/molecule/frame.h"
#include "data/molecule/topology.h"
#include "kernels/pairs/pair_histogram.h"

typedef struct {
  GArray *members, *class_first;    /* guint32; NULL: no classes */
  GArray *partners, *partner_first; /* guint32; NULL: no single pairs */
} DebyeRdfExclusions;

void debye_rdf_exclusions_clear(DebyeRdfExclusions *exclusions);
/* "none", "residue", "molecule" or "bonds:N". DEBYE_ERROR_SETTING where it is nothing of that,
 * DEBYE_ERROR_MISSING where bonds are needed and neither given nor to be guessed from `frame`. */
gboolean debye_rdf_exclusions_init(DebyeRdfExclusions *exclusions, DebyeTopology *topology,
                                   const DebyeFrame *frame, const char *text, GError **error);
/* The kernel's view, valid as long as the exclusions are. */
DebyePairExclusions debye_rdf_exclusions_view(const DebyeRdfExclusions *exclusions);
