/* SPDX-License-Identifier: MIT */
/* The points of a frame that a density is made of: chosen atoms, or centres of residues with their dipoles, and what
 * each weighs. */
#pragma once

#include "data/molecule/frame.h"
#include "data/molecule/topology.h"
#include "density_settings.h"

typedef struct {
  gsize n, capacity;
  float *x, *y, *z;
  float *weights;  /* component after component, n each; NULL: each counts 1 */
  guint32 *owners; /* residues; NULL: nobody asks */
} DebyeDensityPoints;

void debye_density_points_clear(DebyeDensityPoints *points);
/* All zero before. FALSE without the memory. */
gboolean debye_density_points_init(DebyeDensityPoints *points, gsize capacity, guint n_components,
                                   gboolean with_owners);
/* Fills in the points of `atoms` (guint32, ascending) with weights by the charges of `topology`; at most the capacity. The
 * coordinates of a packed frame aren't filled in: kernels unpack them. */
void debye_density_points_set(DebyeDensityPoints *points, DebyeTopology *topology, DebyeDensityWeight weight,
                              const GArray *atoms, const DebyeFrame *frame);
/* Components of weights; 0: points are counted. */
guint debye_density_weight_components(DebyeDensityWeight weight);
