/* SPDX-License-Identifier: MIT */
/* Selections may overlap; the groups of a pair histogram may not. Atoms that are in the same selections make
 * a group, and a pair of selections is a sum over pairs of groups. */
#pragma once

#include "pair_histogram.h"

/* Atoms by their numbers, each once, in any order; borrowed. */
typedef struct {
  const uint32_t *atoms;
  size_t n;
} DebyePairSelection;

typedef struct {
  uint32_t a, b; /* numbers of selections; a = b for a selection with itself */
} DebyeSelectionPair;

typedef struct {
  uint32_t pair;  /* index into pairs */
  uint32_t times; /* 1 or 2 */
} DebyePairTerm;

typedef struct {
  size_t n_atoms, n_groups; /* at least 1 group, which may be empty */
  uint32_t *group;          /* of each atom; DEBYE_PAIR_NO_GROUP: in no selection */
  uint64_t *group_size;
  size_t n_pairs;
  DebyeGroupPair *pairs; /* all that the pairs of selections need, each once */
  size_t n_wanted;
  uint64_t *n_ordered; /* of each pair of selections: N_a·N_b − N_{a∩b} */
  size_t *term_first;  /* n_wanted + 1 entries: the terms of pair w are [term_first[w], term_first[w + 1]) */
  DebyePairTerm *terms;
} DebyePairGroups;

/* INVALID where an atom's or a selection's number is too large or there would be more than
 * DEBYE_PAIR_MAX_GROUPS groups. Where it fails, nothing is to be cleared. */
DebyeStatusCode debye_pair_groups_init(DebyePairGroups *groups, size_t n_atoms,
                                       const DebyePairSelection *selections, size_t n_selections,
                                       const DebyeSelectionPair *wanted, size_t n_wanted,
                                       DebyeStatus *status);
void debye_pair_groups_clear(DebyePairGroups *groups);

/* The counts of one pair of selections in ORDERED pairs (i in a, j in b, i ≠ j), n_bins of them, from those
 * of the pairs of groups as kernels give them. Ordered, because an unordered pair of overlapping selections
 * would be half a pair sometimes: for a selection with itself this is twice the number of its pairs, for two
 * without common atoms it is their number, and n_ordered is always what it is a part of. */
void debye_pair_groups_combine(const DebyePairGroups *groups, size_t wanted, size_t n_bins,
                               const uint64_t *counts, uint64_t *ordered);
