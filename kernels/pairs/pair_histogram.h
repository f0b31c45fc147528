/* SPDX-License-Identifier: MIT */
/* Histograms of pair distances: exact integer counts, for any cell, of many pairs of groups at once.
 *
 * What is counted. Atoms are in disjoint groups (pair_groups.h turns overlapping selections into such). A
 * histogram belongs to an unordered pair of groups {a, b} and counts unordered pairs of atoms, each once: for
 * a = b the N(N − 1)/2 pairs within the group, else the N_a·N_b pairs between them. Bin k is
 * [k·Δr, (k + 1)·Δr) with Δr = r_max/n_bins; r_max itself is outside.
 *
 * Images. In a periodic system DEBYE_PAIR_IMAGES_ALL counts a pair once for every image in range: each pair
 * of atoms and lattice vector, {i, j + R} being the same as {j, i − R}. As long as r_max is less than half
 * the shortest lattice vector that is the minimum image; beyond, it is what an infinite periodic system has.
 * An atom and itself is no pair. An atom and its own image at R ≠ 0 is one (of the group with itself, {i, i +
 * R} and {i, i − R} being the same): the neighbours in a crystal of one unit cell are such. They are Σ over
 * lattice vectors, no property of the liquid, so without_self_images leaves them out: then g(r) of an ideal
 * gas, with N_a·N_b − N_{a∩b} ordered pairs in the cell's volume, is 1 at every r. DEBYE_PAIR_IMAGES_NEAREST
 * counts each pair of atoms once, at its minimum image distance (exact also in cells that are strongly skew),
 * as gmx rdf, MDAnalysis and mdtraj mean to; beyond half the shortest lattice vector its g(r) falls off.
 *
 * Exclusions take away a pair's nearest image only.
 *
 * Exactness. Positions are wrapped into the cell in double, and that wrapped position is the atom's. The
 * distance of a pair and image, (x_i − x_j) − R in double, and its bin by comparing d² with the edges'
 * squares, are defined by minimum_image.h and pair_math.h operation by operation, so that counts are the same
 * on every device, for any number of threads and any tiling. The loops compute in float relative to their
 * tiles, with a bound of the error, and ask that definition where a distance comes so near to an edge that
 * the float can't tell. */
#pragma once

#include "data/geometry.h"
#include "data/packed_coordinates.h"
#include "kernels/kernel_head.h"

#include <stdint.h>

DEBYE_BEGIN_DECLS

/* An atom with this group (or any number that is no group's) takes no part. */
#define DEBYE_PAIR_NO_GROUP UINT32_MAX
#define DEBYE_PAIR_MAX_GROUPS 4096
#define DEBYE_PAIR_MAX_BINS ((size_t)1 << 20)
/* Atoms of a frame; coordinates beyond this many Å are refused; images along an axis of the reduced cell. */
#define DEBYE_PAIR_MAX_ATOMS ((size_t)1 << 30)
#define DEBYE_PAIR_FARTHEST 1e9
#define DEBYE_PAIR_MAX_IMAGES 100

typedef struct {
  uint32_t a, b; /* in either order */
} DebyeGroupPair;

typedef enum {
  DEBYE_PAIR_IMAGES_ALL,
  DEBYE_PAIR_IMAGES_NEAREST,
} DebyePairImages;

/* Pairs that don't count, borrowed as long as the plan lives; atoms by their numbers in the frame. */
typedef struct {
  /* Atoms of one class (a residue, a molecule) exclude each other: members[class_first[c]] up to
   * class_first[c + 1] are the atoms of class c, each atom in one class at most. n_classes 0: none. */
  const uint32_t *members, *class_first;
  size_t n_classes;
  /* Single pairs (within n bonds): atom i excludes partners[partner_first[i]] up to partner_first[i + 1].
   * Each pair once, from whichever side, and none whose atoms are of one class above. n_listed 0: none. */
  const uint32_t *partners, *partner_first;
  size_t n_listed; /* atoms i that have a list: partner_first has one more entry */
} DebyePairExclusions;

typedef struct {
  size_t max_atoms;
  size_t max_packed_atoms; /* of frames that may be packed, all that they hold; 0: none is */
  size_t n_groups;
  const DebyeGroupPair *pairs; /* one histogram each, in this order; copied by create; no pair twice */
  size_t n_pairs;
  double r_max; /* Å */
  size_t n_bins;
  DebyePairImages images;
  bool without_self_images;
  DebyePairExclusions exclusions;
  unsigned tile_atoms;  /* for tests: 32, 64, 128 or 256; 0: the program chooses */
  unsigned spare_cores; /* that the CPU leaves to the lanes of accelerators */
} DebyePairSettings;

/* Borrowed during the call. */
typedef struct {
  const float *x, *y, *z; /* Å; of a packed frame NULL */
  const uint32_t *group;  /* NULL: all atoms are in group 0 */
  size_t n;
  const DebyeCell *cell; /* NULL: an open system */
  /* Their numbers, where only some of the caller's are given, for messages and to find them in a packed frame,
   * ascending; NULL: 0, 1 … */
  const uint32_t *atoms;
  /* The kernel unpacks it, then takes its atoms. In a cell only, and every coordinate is one that can be used. NULL: x, y, z. */
  const DebyePackedCoordinates *packed;
  /* Frames of a plan with the same number have the same `group` and `atoms`, which are looked at once; 0: a plan looks at
   * each frame's. */
  uint64_t groups_number;
} DebyePairFrame;

/* The entry of a back end's table. Contract as in backend.h. */
struct DebyePairHistogramKernel {
  DebyeKernelHead head;
  /* INVALID where a position is not a number (the atom is named by its number + 1) or the cell can't be used. */
  DebyeStatusCode (*set_frame)(DebyeKernelPlan *plan, const DebyePairFrame *frame, DebyeStatus *status);
  /* Slices [first, first + count) of the n_slices that the frame's pairs are shared into; which pair is in
   * which slice is the same on every device. Adds to counts[pair·n_bins + bin], but only when it returns OK.
   * Self images are not counted here (pair_histogram_lanes.h adds them); exclusions are taken away, so that
   * a slice's own counts may wrap below zero: only the sum over all slices means anything. */
  DebyeStatusCode (*execute)(DebyeKernelPlan *plan, size_t first, size_t count, size_t n_slices,
                             uint64_t *counts, const volatile bool *cancel, DebyeStatus *status);
};

/* INVALID with the reason where the settings make no sense. */
DebyeStatusCode debye_pair_settings_check(const DebyePairSettings *settings, DebyeStatus *status);
/* Where a slice of n things begins. */
size_t debye_pair_slice_begin(size_t n, size_t slice, size_t n_slices);
/* The histogram's number for groups a and b at [a·n_groups + b]; n_pairs where none was asked for. */
void debye_pair_set_numbers(const DebyePairSettings *settings, uint32_t *histogram_of);
/* All members of all classes, and the class of one of them, looked for first at and after `hint`. */
size_t debye_pair_exclusion_members(const DebyePairExclusions *exclusions);
size_t debye_pair_exclusion_class(const DebyePairExclusions *exclusions, size_t member, size_t hint);
/* Pairs of atoms whose distance will have to be looked at, roughly: for estimates of the time. */
double debye_pair_work(const DebyePairSettings *settings, size_t n_atoms, const DebyeCell *cell);

DEBYE_END_DECLS
