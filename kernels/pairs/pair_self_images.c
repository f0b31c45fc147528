/* SPDX-License-Identifier: MIT */
/* Counts pairs of an atom and its own images for pair_histogram_lanes.c: as many for each atom as there are lattice
 * vectors in range, so that no kernel needs to look at positions for them. */
#include "pair_histogram_lanes.h"

#include "pair_math.h"

#include <stdlib.h>

/* Of R and −R one, by bin. */
static void
count_lattice_vectors(const DebyeLattice *lattice, const DebyePairBins *bins, double r_max, uint64_t *counts)
{
  const double zero[3] = {0.0, 0.0, 0.0};
  const int c_max = (int)(r_max * lattice->inverse[2]) + 1;
  for (int c = 0; c <= c_max; c++) {
    const int b_max = (int)((r_max + c * fabs(lattice->vector[2][1])) * lattice->inverse[1]) + 1;
    for (int b = c == 0 ? 0 : -b_max; b <= b_max; b++) {
      double skew = c * fabs(lattice->vector[2][0]) + abs(b) * fabs(lattice->vector[1][0]);
      const int a_max = (int)((r_max + skew) * lattice->inverse[0]) + 1;
      for (int a = c == 0 && b == 0 ? 1 : -a_max; a <= a_max; a++) {
        const int n[3] = {a, b, c};
        double difference[3];
        debye_pair_difference(lattice, zero, zero, n, difference);
        size_t bin = debye_pair_bin(bins, debye_dot3(difference, difference));
        if (bin < bins->n_bins)
          counts[bin]++;
      }
    }
  }
}

static void
count_groups(const DebyePairFrame *frame, size_t n_groups, uint64_t *n_atoms)
{
  for (size_t i = 0; i < frame->n && frame->group != NULL; i++)
    if (frame->group[i] < n_groups)
      n_atoms[frame->group[i]]++;
  if (frame->group == NULL)
    n_atoms[0] = frame->n;
}

static void
add_vectors(const DebyePairSettings *settings, const uint64_t *vectors, const uint64_t *n_atoms,
            uint64_t *counts)
{
  for (size_t pair = 0; pair < settings->n_pairs; pair++)
    if (settings->pairs[pair].a == settings->pairs[pair].b)
      for (size_t bin = 0; bin < settings->n_bins; bin++)
        counts[pair * settings->n_bins + bin] += n_atoms[settings->pairs[pair].a] * vectors[bin];
}

DebyeStatusCode
debye_pair_add_self_images(const DebyePairSettings *settings, const DebyePairFrame *frame, uint64_t *counts,
                           DebyeStatus *status)
{
  DebyeLattice lattice;
  if (settings->images != DEBYE_PAIR_IMAGES_ALL || settings->without_self_images ||
      !debye_lattice_init(&lattice, frame->cell) || !lattice.periodic || settings->r_max <= lattice.shortest)
    return debye_status_ok(status);
  double *edge2 = calloc(settings->n_bins + 1, sizeof *edge2);
  uint64_t *vectors = calloc(settings->n_bins, sizeof *vectors);
  uint64_t *n_atoms = calloc(settings->n_groups, sizeof *n_atoms);
  DebyeStatusCode code = DEBYE_STATUS_OK;
  if (edge2 != NULL && vectors != NULL && n_atoms != NULL) {
    debye_pair_set_edges(edge2, settings->r_max, settings->n_bins);
    DebyePairBins bins = debye_pair_bins(edge2, settings->r_max, settings->n_bins);
    count_lattice_vectors(&lattice, &bins, settings->r_max, vectors);
    count_groups(frame, settings->n_groups, n_atoms);
    add_vectors(settings, vectors, n_atoms, counts);
  } else {
    code = debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for %zu bins.",
                            settings->n_bins);
  }
  free(edge2);
  free(vectors);
  free(n_atoms);
  return code == DEBYE_STATUS_OK ? debye_status_ok(status) : code;
}
