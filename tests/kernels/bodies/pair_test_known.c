/* SPDX-License-Identifier: MIT */
/* Crystals with known shells, edges and the ideal gas. */
#include "pair_test_known.h"

#include <math.h>
#include <stdlib.h>

#include "tests/support/check.h"

/* Shells at squared distances (in units of a²) with so many neighbours of each atom; everything else empty.
 */
static void
check_shells(const DebyePairPath *path, DebyePairSystem *system, double a, const double (*shells)[2],
             size_t n_shells)
{
  system->frame.cell = &system->cell;
  /* No shell on an edge: those are at √(k/4)·a, edges at multiples of 0.0437. */
  DebyePairSettings settings = debye_pair_settings_for(system, &debye_pair_like, 1, 1, 0.0437 * 180.0, 180);
  uint64_t *found = debye_pair_test_count(path, &settings, &system->frame), others = 0, sum = 0;
  for (size_t bin = 0; bin < settings.n_bins; bin++)
    others += found[bin];
  for (size_t s = 0; s < n_shells; s++) {
    size_t bin = (size_t)(a * sqrt(shells[s][0]) / 0.0437);
    uint64_t expected = (uint64_t)((double)system->frame.n * shells[s][1] / 2.0);
    CHECK_THAT(bin < settings.n_bins && found[bin] == expected, "shell %zu has %lu pairs, not %lu", s + 1,
               bin < settings.n_bins ? (unsigned long)found[bin] : 0ul, (unsigned long)expected);
    sum += expected;
  }
  CHECK_THAT(others == sum, "%lu pairs in all, %lu in shells", (unsigned long)others, (unsigned long)sum);
  free(found);
}

/* Also for crystals of one cell, where most neighbours are images, an atom's own among them. */
void
debye_pair_test_crystals(const DebyePairPath *path)
{
  static const double fcc[][2] = {{0.5, 12}, {1.0, 6}, {1.5, 24}, {2.0, 12}, {2.5, 24}, {3.0, 8}, {3.5, 48}};
  static const double bcc[][2] = {{0.75, 8}, {1.0, 6}, {2.0, 12}, {2.75, 24}, {3.0, 8}, {4.0, 6}};
  for (size_t repeats = 1; repeats <= 5; repeats += repeats < 3 ? 1 : 2) {
    /* r_max is 7.866 Å: before the shells at 4a² (fcc, 8.1 Å) and 4.75a² (bcc, 8.08 Å). */
    DebyePairSystem system = debye_pair_fcc(4.05, repeats);
    check_shells(path, &system, 4.05, fcc, sizeof fcc / sizeof fcc[0]);
    debye_pair_system_clear(&system);
    system = debye_pair_bcc(3.71, repeats);
    check_shells(path, &system, 3.71, bcc, sizeof bcc / sizeof bcc[0]);
    debye_pair_system_clear(&system);
  }
}

/* One atom in fcc's primitive cell, given as skew as can be: every pair is an atom and its own image. */
void
debye_pair_test_primitive_cell(const DebyePairPath *path)
{
  static const double fcc[][2] = {{0.5, 12}, {1.0, 6}, {1.5, 24}, {2.0, 12}, {2.5, 24}, {3.0, 8}, {3.5, 48}};
  DebyePairSystem system = debye_pair_random(1, NULL, 1, 0.0, 3);
  DebyeVec3 u = {2.025, 2.025, 0.0}, v = {2.025, 0.0, 2.025}, w = {0.0, 2.025, 2.025};
  system.cell.a = u;
  system.cell.b = debye_vec3_add(v, debye_vec3_scale(u, 5.0));
  system.cell.c = debye_vec3_add(w, debye_vec3_add(debye_vec3_scale(u, -3.0), debye_vec3_scale(v, 4.0)));
  check_shells(path, &system, 4.05, fcc, sizeof fcc / sizeof fcc[0]);

  DebyePairSettings settings = debye_pair_settings_for(&system, &debye_pair_like, 1, 1, 9.0, 90);
  settings.without_self_images = true;
  uint64_t *found = debye_pair_test_count(path, &settings, &system.frame);
  for (size_t bin = 0; bin < settings.n_bins; bin++)
    CHECK(found[bin] == 0);
  free(found);
  debye_pair_system_clear(&system);
}

/* Edges belong to the bin above them; r_max to none. */
void
debye_pair_test_edges(const DebyePairPath *path)
{
  float x[] = {0.0f, 0.0f, 1.0f, 2.5f, 4.0f}, zero[] = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
  DebyePairFrame frame = {.x = x, .y = zero, .z = zero, .n = 5};
  DebyePairSettings settings = {
      .max_atoms = 5, .n_groups = 1, .pairs = &debye_pair_like, .n_pairs = 1, .r_max = 4.0, .n_bins = 8};
  /* Distances: 0 once, 1 twice, 2.5 and 4 twice, and 1.5, 3, 1.5. */
  static const uint64_t expected[8] = {1, 0, 2, 2, 0, 2, 1, 0};
  uint64_t *found = debye_pair_test_count(path, &settings, &frame);
  for (size_t bin = 0; bin < 8; bin++)
    CHECK_THAT(found[bin] == expected[bin], "bin %zu has %lu pairs, not %lu", bin, (unsigned long)found[bin],
               (unsigned long)expected[bin]);
  free(found);
}

/* Bins of an ideal gas, far beyond the cell: as many as there is room, within the standard error of
 * independent pairs. 40 bins in each of the cells; at 5 standard errors one in a million would fail by
 * chance, and the seed is fixed. */
void
debye_pair_test_ideal_gas(const DebyePairPath *path)
{
  const size_t n = 500, n_bins = 40;
  for (size_t c = 0; c < debye_n_test_cells; c++) {
    DebyePairSystem system = debye_pair_random(n, &debye_test_cells[c].cell, 1, 0.0, 17 + (unsigned)c);
    system.frame.cell = &system.cell;
    double volume = fabs(debye_cell_volume(&system.cell)), r_max = 2.0 * cbrt(volume), chi2 = 0.0;
    DebyePairSettings settings = debye_pair_settings_for(&system, &debye_pair_like, 1, 1, r_max, n_bins);
    settings.without_self_images = true;
    uint64_t *found = debye_pair_test_count(path, &settings, &system.frame);
    for (size_t bin = 0; bin < n_bins; bin++) {
      double low = r_max * (double)bin / (double)n_bins, high = r_max * (double)(bin + 1) / (double)n_bins;
      double shell = 4.0 / 3.0 * 3.14159265358979324 * (high * high * high - low * low * low);
      double expected = 0.5 * (double)n * (double)(n - 1) * shell / volume;
      /* A pair with several images in a bin counts them all, which makes the spread larger than that of
       * independent counts by at most so many as there are cells in the shell. */
      double spread = sqrt(expected * (1.0 + shell / volume)), off = ((double)found[bin] - expected) / spread;
      chi2 += off * off;
      CHECK_THAT(fabs(off) < 5.0, "%s: bin %zu is off by %.1f standard errors", debye_test_cells[c].name, bin,
                 off);
    }
    CHECK_AT_MOST(chi2 / (double)n_bins, 3.0);
    free(found);
    debye_pair_system_clear(&system);
  }
}
