/* SPDX-License-Identifier: MIT */
/* Turns overlapping selections into disjoint groups for pair distributions: each selection in turn splits
 * every group into those inside and those outside. */
#include "pair_groups.h"

#include <stdlib.h>
#include <string.h>

/* Group 0 is that of no selection until the end. */
typedef struct {
  uint32_t *group;
  uint32_t *inside;    /* the part of each group that is in the selection at hand; 0: none seen yet */
  uint64_t *size;      /* atoms of each group */
  uint32_t *new_group; /* without the groups that became empty */
  size_t n;
} Refinement;

/* What a selection can make of so many groups, and the one of no selection. */
#define ROOM (2 * ((size_t)DEBYE_PAIR_MAX_GROUPS + 1))

static DebyeStatusCode
no_memory(size_t n_atoms, DebyeStatus *status)
{
  return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for the groups of %zu atoms.",
                          n_atoms);
}

static void
drop_empty(Refinement *refinement, size_t n_atoms)
{
  size_t n = 1;
  refinement->new_group[0] = 0;
  for (size_t g = 1; g < refinement->n; g++) {
    refinement->new_group[g] = (uint32_t)n;
    refinement->size[n] = refinement->size[g];
    n += refinement->size[n] > 0;
  }
  if (n == refinement->n)
    return;
  refinement->n = n;
  for (size_t i = 0; i < n_atoms; i++)
    refinement->group[i] = refinement->new_group[refinement->group[i]];
}

static DebyeStatusCode
split(Refinement *refinement, size_t n_atoms, const DebyePairSelection *selection, DebyeStatus *status)
{
  const size_t n_before = refinement->n;
  memset(refinement->inside, 0, ROOM * sizeof *refinement->inside);
  for (size_t k = 0; k < selection->n; k++) {
    uint32_t atom = selection->atoms[k];
    if (atom >= n_atoms)
      return debye_status_set(status, DEBYE_STATUS_INVALID,
                              "A selection has atom %zu, but there are only %zu atoms.", (size_t)atom + 1,
                              n_atoms);
    if (refinement->group[atom] >= n_before)
      continue; /* named twice */
    uint32_t *inside = &refinement->inside[refinement->group[atom]];
    if (*inside == 0) {
      *inside = (uint32_t)refinement->n;
      refinement->size[refinement->n++] = 0;
    }
    refinement->size[refinement->group[atom]]--;
    refinement->size[*inside]++;
    refinement->group[atom] = *inside;
  }
  drop_empty(refinement, n_atoms);
  if (refinement->n > DEBYE_PAIR_MAX_GROUPS + 1)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "The selections overlap in more than %d ways; choose fewer of them.",
                            DEBYE_PAIR_MAX_GROUPS);
  return debye_status_ok(status);
}

static DebyeStatusCode
refine(DebyePairGroups *groups, const DebyePairSelection *selections, size_t n_selections,
       DebyeStatus *status)
{
  Refinement refinement = {.group = groups->group,
                           .inside = calloc(ROOM, sizeof(uint32_t)),
                           .size = calloc(ROOM, sizeof(uint64_t)),
                           .new_group = calloc(ROOM, sizeof(uint32_t)),
                           .n = 1};
  DebyeStatusCode code = DEBYE_STATUS_OK;
  if (refinement.inside == NULL || refinement.size == NULL || refinement.new_group == NULL)
    code = no_memory(groups->n_atoms, status);
  else
    refinement.size[0] = groups->n_atoms;
  for (size_t s = 0; s < n_selections && code == DEBYE_STATUS_OK; s++)
    code = split(&refinement, groups->n_atoms, &selections[s], status);
  if (code == DEBYE_STATUS_OK) {
    groups->n_groups = refinement.n > 1 ? refinement.n - 1 : 1;
    groups->group_size = calloc(groups->n_groups, sizeof *groups->group_size);
    if (groups->group_size == NULL)
      code = no_memory(groups->n_atoms, status);
    for (size_t g = 1; g < refinement.n && code == DEBYE_STATUS_OK; g++)
      groups->group_size[g - 1] = refinement.size[g];
    for (size_t i = 0; i < groups->n_atoms; i++)
      groups->group[i] = groups->group[i] > 0 ? groups->group[i] - 1 : DEBYE_PAIR_NO_GROUP;
  }
  free(refinement.inside);
  free(refinement.size);
  free(refinement.new_group);
  return code;
}

/* Which groups each selection is made of. */
static bool *
make_members(const DebyePairGroups *groups, const DebyePairSelection *selections, size_t n_selections)
{
  bool *member = calloc((n_selections > 0 ? n_selections : 1) * groups->n_groups, sizeof *member);
  for (size_t s = 0; s < n_selections && member != NULL; s++)
    for (size_t k = 0; k < selections[s].n; k++)
      member[s * groups->n_groups + groups->group[selections[s].atoms[k]]] = true;
  return member;
}

/* How often an unordered pair of atoms from groups g and h is an ordered pair of A and B. */
static uint32_t
count_times(const bool *in_a, const bool *in_b, size_t g, size_t h)
{
  return (in_a[g] && in_b[h] ? 1u : 0u) + (in_a[h] && in_b[g] ? 1u : 0u);
}

/* First counts the terms, then, with room for them, notes them and the pairs they name. */
static size_t
visit_terms(DebyePairGroups *groups, const bool *member, const DebyeSelectionPair *wanted, uint32_t *pair_of)
{
  size_t n_terms = 0, n_groups = groups->n_groups;
  for (size_t w = 0; w < groups->n_wanted; w++) {
    const bool *in_a = member + wanted[w].a * n_groups, *in_b = member + wanted[w].b * n_groups;
    groups->term_first[w] = n_terms;
    for (size_t g = 0; g < n_groups; g++)
      for (size_t h = g; h < n_groups; h++) {
        uint32_t times = count_times(in_a, in_b, g, h);
        if (times == 0)
          continue;
        if (groups->terms != NULL) {
          uint32_t *pair = &pair_of[g * n_groups + h];
          if (*pair == 0) {
            groups->pairs[groups->n_pairs] = (DebyeGroupPair){(uint32_t)g, (uint32_t)h};
            *pair = (uint32_t)++groups->n_pairs;
          }
          groups->terms[n_terms] = (DebyePairTerm){*pair - 1, times};
          uint64_t n_pairs = groups->group_size[g] * (groups->group_size[h] - (g == h));
          groups->n_ordered[w] += g == h ? n_pairs : n_pairs * times;
        }
        n_terms++;
      }
  }
  groups->term_first[groups->n_wanted] = n_terms;
  return n_terms;
}

static DebyeStatusCode
make_terms(DebyePairGroups *groups, const bool *member, const DebyeSelectionPair *wanted, DebyeStatus *status)
{
  size_t n_groups = groups->n_groups;
  groups->term_first = calloc(groups->n_wanted + 1, sizeof *groups->term_first);
  groups->n_ordered = calloc(groups->n_wanted + 1, sizeof *groups->n_ordered);
  uint32_t *pair_of = calloc(n_groups * n_groups, sizeof *pair_of);
  bool made = groups->term_first != NULL && groups->n_ordered != NULL && pair_of != NULL;
  if (made) {
    size_t n_terms = visit_terms(groups, member, wanted, pair_of);
    groups->terms = calloc(n_terms + 1, sizeof *groups->terms);
    groups->pairs = calloc(n_terms + 1, sizeof *groups->pairs);
    made = groups->terms != NULL && groups->pairs != NULL;
  }
  if (made)
    visit_terms(groups, member, wanted, pair_of);
  free(pair_of);
  return made ? debye_status_ok(status) : no_memory(groups->n_atoms, status);
}

DebyeStatusCode
debye_pair_groups_init(DebyePairGroups *groups, size_t n_atoms, const DebyePairSelection *selections,
                       size_t n_selections, const DebyeSelectionPair *wanted, size_t n_wanted,
                       DebyeStatus *status)
{
  *groups = (DebyePairGroups){.n_atoms = n_atoms, .n_wanted = n_wanted};
  for (size_t w = 0; w < n_wanted; w++)
    if (wanted[w].a >= n_selections || wanted[w].b >= n_selections)
      return debye_status_set(status, DEBYE_STATUS_INVALID,
                              "Pair %zu is of selections %u and %u, but there are only %zu.", w + 1,
                              wanted[w].a, wanted[w].b, n_selections);
  groups->group = calloc(n_atoms > 0 ? n_atoms : 1, sizeof *groups->group);
  if (groups->group == NULL)
    return no_memory(n_atoms, status);
  DebyeStatusCode code = refine(groups, selections, n_selections, status);
  bool *member = code == DEBYE_STATUS_OK ? make_members(groups, selections, n_selections) : NULL;
  if (member != NULL)
    code = make_terms(groups, member, wanted, status);
  else if (code == DEBYE_STATUS_OK)
    code = no_memory(n_atoms, status);
  free(member);
  if (code != DEBYE_STATUS_OK)
    debye_pair_groups_clear(groups);
  return code;
}

void
debye_pair_groups_clear(DebyePairGroups *groups)
{
  free(groups->group);
  free(groups->group_size);
  free(groups->pairs);
  free(groups->n_ordered);
  free(groups->term_first);
  free(groups->terms);
  *groups = (DebyePairGroups){0};
}

void
debye_pair_groups_combine(const DebyePairGroups *groups, size_t wanted, size_t n_bins, const uint64_t *counts,
                          uint64_t *ordered)
{
  memset(ordered, 0, n_bins * sizeof *ordered);
  for (size_t t = groups->term_first[wanted]; t < groups->term_first[wanted + 1]; t++) {
    const uint64_t *from = counts + groups->terms[t].pair * n_bins;
    for (size_t bin = 0; bin < n_bins; bin++)
      ordered[bin] += groups->terms[t].times * from[bin];
  }
}
