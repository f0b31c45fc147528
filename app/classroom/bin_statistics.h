/* SPDX-License-Identifier: MIT */
/* What bins of a cutoff sum cost and bring, as its lecture computes it: which bins the points of one have to look at, and
 * how atoms fill bins of a fixed capacity. Used by classroom_bins.c. */
#pragma once

#include <glib.h>

/* Bins of edge B whose atoms the points of one bin have to look at. Points stand `spacing` G apart, the outermost G/2 from
 * the bin's faces, so that the nearest faces of bin Δ along an axis are (|Δ| − 1)B + G/2 away:
 *
 *   cube     all with |Δ| ≤ Δmax = ⌈(C − G/2)/B⌉ along each axis
 *   sphere   those of them that have a point nearer than the cutoff C
 *
 * (The lecture rounds Δmax down, and then misses bins: B = 4 Å, C = 12 Å, G = 0.5 Å need 3.) */
typedef struct {
  guint reach; /* Δmax */
  guint64 n_cube, n_sphere;
  double valid_cube, valid_sphere; /* the cutoff's volume as a share of theirs */
} DebyeBinNeighbours;

/* Å; edge > 0, cutoff ≥ 0, 0 ≤ spacing. */
DebyeBinNeighbours debye_bin_neighbours(double edge, double cutoff, double spacing);

/* How atoms fill the bins of the box around them, which begins at their lowest coordinates. */
typedef struct {
  guint64 n_bins, n_atoms, n_overflowing; /* atoms beyond the capacity of their bin */
  guint fullest;                          /* atoms of the fullest bin */
  GArray *bins_with;                      /* guint64: so many bins have 0, 1, 2, … atoms */
  double mean;                            /* atoms of a bin */
  double covered, filled; /* shares: of the atoms that have a slot, of the slots that have an atom */
} DebyeBinFilling;

/* FALSE where the box has more than DEBYE_BIN_MAX_BINS bins of that edge. Coordinates are finite. */
#define DEBYE_BIN_MAX_BINS ((guint64)1 << 25)
gboolean debye_bin_filling_init(DebyeBinFilling *filling, const float *const coordinates[3], gsize n_atoms,
                                double edge, guint capacity);
void debye_bin_filling_clear(DebyeBinFilling *filling);
