/* SPDX-License-Identifier: MIT */
/* Overlapping selections as sums over pairs of groups: against the definition, ordered pairs counted one by
 * one. */
#include <stdlib.h>
#include <string.h>

#include "kernels/pairs/pair_groups.h"
#include "tests/support/check.h"
#include "tests/support/oracle_potential.h"

#define N_ATOMS 60
#define N_SELECTIONS 5

/* Every pair of atoms has a "bin" of its own kind: one bin, so that the counts of pairs of groups are known.
 */
static void
check_sums(const DebyePairGroups *groups, const DebyePairSelection *selections,
           const DebyeSelectionPair *wanted, size_t n_wanted)
{
  uint64_t *counts = calloc(groups->n_pairs + 1, sizeof *counts);
  for (size_t i = 0; i < N_ATOMS; i++)
    for (size_t j = i + 1; j < N_ATOMS; j++)
      for (size_t p = 0; p < groups->n_pairs; p++) {
        uint32_t g = groups->group[i], h = groups->group[j], a = groups->pairs[p].a, b = groups->pairs[p].b;
        counts[p] += (g == a && h == b) || (g == b && h == a);
      }
  for (size_t w = 0; w < n_wanted; w++) {
    const DebyePairSelection *u = &selections[wanted[w].a], *v = &selections[wanted[w].b];
    uint64_t expected = 0, found;
    for (size_t i = 0; i < u->n; i++)
      for (size_t j = 0; j < v->n; j++)
        expected += u->atoms[i] != v->atoms[j];
    debye_pair_groups_combine(groups, w, 1, counts, &found);
    CHECK_THAT(found == expected, "pair %zu: %lu, not %lu", w, (unsigned long)found, (unsigned long)expected);
    CHECK(groups->n_ordered[w] == expected);
  }
  free(counts);
}

static void
check_groups(const DebyePairGroups *groups)
{
  uint64_t size[64] = {0};
  for (size_t i = 0; i < N_ATOMS; i++)
    if (groups->group[i] != DEBYE_PAIR_NO_GROUP && groups->group[i] < 64)
      size[groups->group[i]]++;
  CHECK(groups->n_groups >= 1 && groups->n_groups <= 1u << N_SELECTIONS);
  for (size_t g = 0; g < groups->n_groups; g++)
    CHECK(groups->group_size[g] == size[g]);
  for (size_t p = 0; p < groups->n_pairs; p++)
    for (size_t q = 0; q < p; q++)
      CHECK(groups->pairs[p].a != groups->pairs[q].a || groups->pairs[p].b != groups->pairs[q].b);
}

static void
test_random_selections(void)
{
  uint32_t atoms[N_SELECTIONS][N_ATOMS];
  DebyePairSelection selections[N_SELECTIONS];
  DebyeSelectionPair wanted[N_SELECTIONS * N_SELECTIONS];
  for (unsigned seed = 1; seed <= 20; seed++) {
    unsigned state = seed;
    size_t n_wanted = 0;
    for (uint32_t s = 0; s < N_SELECTIONS; s++) {
      double part = debye_random(&state);
      selections[s] = (DebyePairSelection){atoms[s], 0};
      for (uint32_t i = 0; i < N_ATOMS; i++)
        if (debye_random(&state) < part)
          atoms[s][selections[s].n++] = i;
      for (uint32_t other = 0; other < N_SELECTIONS; other++)
        wanted[n_wanted++] = (DebyeSelectionPair){s, other};
    }
    DebyePairGroups groups;
    DebyeStatus status;
    CHECK(debye_pair_groups_init(&groups, N_ATOMS, selections, N_SELECTIONS, wanted, n_wanted, &status) ==
          DEBYE_STATUS_OK);
    check_groups(&groups);
    check_sums(&groups, selections, wanted, n_wanted);
    debye_pair_groups_clear(&groups);
  }
}

/* The same selection twice, one within another, none at all; an atom named twice counts once. */
static void
test_special_selections(void)
{
  static const uint32_t some[] = {3, 4, 5, 9}, within[] = {4, 9}, again[] = {7, 7, 8, 7};
  const DebyePairSelection selections[] = {{some, 4}, {some, 4}, {within, 2}, {NULL, 0}, {again, 4}};
  const DebyeSelectionPair wanted[] = {{0, 0}, {0, 1}, {0, 2}, {2, 2}, {3, 0}, {3, 3}, {4, 4}, {4, 0}};
  static const uint64_t expected[] = {12, 12, 6, 2, 0, 0, 2, 8};
  DebyePairGroups groups;
  DebyeStatus status;
  CHECK(debye_pair_groups_init(&groups, N_ATOMS, selections, 5, wanted, 8, &status) == DEBYE_STATUS_OK);
  for (size_t w = 0; w < 8; w++)
    CHECK_THAT(groups.n_ordered[w] == expected[w], "pair %zu has %lu", w, (unsigned long)groups.n_ordered[w]);
  CHECK(groups.n_groups == 3);
  debye_pair_groups_clear(&groups);
  CHECK(debye_pair_groups_init(&groups, 0, NULL, 0, NULL, 0, &status) == DEBYE_STATUS_OK);
  CHECK(groups.n_pairs == 0 && groups.n_groups == 1);
  debye_pair_groups_clear(&groups);
}

static void
test_wrong_selections(void)
{
  static const uint32_t beyond[] = {1, N_ATOMS};
  const DebyePairSelection selections[] = {{beyond, 2}};
  const DebyeSelectionPair wanted[] = {{0, 0}, {0, 1}};
  DebyePairGroups groups;
  DebyeStatus status;
  CHECK(debye_pair_groups_init(&groups, N_ATOMS, selections, 1, wanted, 1, &status) == DEBYE_STATUS_INVALID);
  CHECK(strstr(status.text, "atom 61") != NULL && groups.group == NULL);
  CHECK(debye_pair_groups_init(&groups, N_ATOMS, selections, 1, wanted, 2, &status) == DEBYE_STATUS_INVALID);
}

/* 13 selections of a random half each make more groups of 20,000 atoms than there may be. */
static void
test_too_many_groups(void)
{
  enum { N = 20000, SELECTIONS = 13 };
  uint32_t *atoms = calloc((size_t)N * SELECTIONS, sizeof *atoms);
  DebyePairSelection selections[SELECTIONS];
  unsigned state = 7;
  for (size_t s = 0; s < SELECTIONS; s++) {
    uint32_t *mine = atoms + s * N;
    size_t n = 0;
    for (uint32_t i = 0; i < N; i++)
      if (debye_random(&state) < 0.5)
        mine[n++] = i;
    selections[s] = (DebyePairSelection){mine, n};
  }
  DebyePairGroups groups;
  DebyeStatus status;
  CHECK(debye_pair_groups_init(&groups, N, selections, SELECTIONS, NULL, 0, &status) == DEBYE_STATUS_INVALID);
  CHECK(strstr(status.text, "4096") != NULL);
  free(atoms);
}

int
main(void)
{
  test_random_selections();
  test_special_selections();
  test_wrong_selections();
  test_too_many_groups();
  return debye_check_finish();
}
