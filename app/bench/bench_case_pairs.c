/* SPDX-License-Identifier: MIT */
/* Histograms of pair distances, for bench_case.c. */
#include "bench_case.h"

#include <math.h>

#include "app/analysis/driver/device_choice.h"
#include "bench_ladder.h"
#include "kernels/pairs/pair_histogram_lanes.h"
#include "kernels/pairs/pair_math.h"

/* Atoms of which all pairs are counted once more, by two plain loops in double precision. */
#define COMPARED 2000
#define OPERATIONS 11.0

static const DebyeGroupPair all_pairs = {0, 0};

typedef struct {
  const DebyeBenchCase *asked;
  const DebyeBenchAtoms *atoms;
  DebyeBenchAtoms *made_up;
  DebyePairLanesSettings settings;
  const DebyeCell *cell; /* NULL: open */
  DebyePairFrame *frames;
  gsize n_frames;
  guint64 *counts;
  DebyeSharing *share;
} Pairs;

static void
close_pairs(gpointer opened)
{
  Pairs *self = opened;
  debye_sharing_free(self->share);
  g_clear_pointer(&self->made_up, debye_bench_atoms_free);
  g_free(self->frames);
  g_free(self->counts);
  g_free(self);
}

/* Half the least distance of two faces of the cell: up to there the nearest image is the only one. */
static double
find_half_width(const DebyeCell *cell)
{
  const double volume = fabs(debye_cell_volume(cell));
  const double largest = fmax(debye_vec3_length(debye_vec3_cross(cell->a, cell->b)),
                              fmax(debye_vec3_length(debye_vec3_cross(cell->b, cell->c)),
                                   debye_vec3_length(debye_vec3_cross(cell->c, cell->a))));
  return 0.5 * volume / largest;
}

/* The farthest that two atoms of an open system can be apart, in any frame. */
static double
find_range(const Pairs *self)
{
  const DebyeBenchAtoms *atoms = self->atoms;
  const float *const coordinates[3] = {atoms->x, atoms->y, atoms->z};
  double squares = 0.0;
  for (int axis = 0; axis < 3; axis++) {
    float low = INFINITY, high = -INFINITY;
    for (gsize i = 0; i < atoms->n_atoms * self->n_frames; i++) {
      low = MIN(low, coordinates[axis][i]);
      high = MAX(high, coordinates[axis][i]);
    }
    squares += ((double)high - (double)low) * ((double)high - (double)low);
  }
  return 1.001 * sqrt(squares) + 1.0;
}

static void
prepare(Pairs *self)
{
  const DebyeBenchAtoms *atoms = self->atoms;
  const double cutoff = self->asked->sizes[DEBYE_BENCH_CUTOFF];
  const gsize n_atoms = (gsize)self->asked->sizes[DEBYE_BENCH_ATOMS];
  self->n_frames = (gsize)self->asked->sizes[DEBYE_BENCH_FRAMES];
  self->cell = debye_cell_is_valid(&atoms->cell) ? &atoms->cell : NULL;
  self->frames = g_new0(DebyePairFrame, self->n_frames);
  self->counts = g_new(guint64, self->n_frames * DEBYE_BENCH_N_BINS);
  for (gsize t = 0; t < self->n_frames; t++) {
    const gsize first = t * atoms->n_atoms;
    self->frames[t] = (DebyePairFrame){.x = atoms->x + first,
                                       .y = atoms->y + first,
                                       .z = atoms->z + first,
                                       .n = n_atoms,
                                       .cell = self->cell};
  }
  self->settings = (DebyePairLanesSettings){
      .pair = {.max_atoms = n_atoms,
               .n_groups = 1,
               .pairs = &all_pairs,
               .n_pairs = 1,
               .r_max = cutoff > 0.0         ? cutoff
                        : self->cell != NULL ? find_half_width(self->cell)
                                             : find_range(self),
               .n_bins = DEBYE_BENCH_N_BINS,
               .images = DEBYE_PAIR_IMAGES_ALL,
               .without_self_images = true},
      .memory_limit = self->asked->memory_limit,
  };
  /* Up to half the width of the cell both are the same, and all images are what rdf counts. */
  if (self->cell != NULL && self->settings.pair.r_max > find_half_width(self->cell))
    self->settings.pair.images = DEBYE_PAIR_IMAGES_NEAREST;
}

static gpointer
open_pairs(const DebyeBenchCase *asked, GError **error)
{
  Pairs *self = g_new0(Pairs, 1);
  DebyeStatus status = {0};
  self->asked = asked;
  self->atoms = debye_bench_case_get_atoms(asked, &self->made_up, error);
  if (self->atoms != NULL) {
    prepare(self);
    if (debye_device_check(
            debye_pair_lanes_create(&self->settings, asked->devices, asked->n_devices, &self->share, &status),
            &status, error))
      return self;
  }
  close_pairs(self);
  return NULL;
}

static gboolean
run_pairs(gpointer opened, GError **error)
{
  Pairs *self = opened;
  DebyeStatus status = {0};
  return debye_device_check(debye_pair_lanes_execute(self->share, self->frames, self->n_frames, self->counts,
                                                     NULL, self->asked->repeats.cancel, NULL, NULL, &status),
                            &status, error);
}

/* By the definition of a pair's bin, two plain loops. */
static void
count_plainly(const Pairs *self, const DebyePairFrame *frame, guint64 *counts)
{
  DebyeLattice lattice;
  double edge2[DEBYE_BENCH_N_BINS + 1];
  const double r_max = self->settings.pair.r_max;
  const DebyePairBins bins = debye_pair_bins(edge2, r_max, DEBYE_BENCH_N_BINS);
  g_autofree double *places = g_new(double, 3 * frame->n);
  debye_lattice_init(&lattice, self->cell);
  debye_pair_set_edges(edge2, r_max, DEBYE_BENCH_N_BINS);
  for (gsize i = 0; i < frame->n; i++)
    debye_lattice_place(&lattice, frame->x[i], frame->y[i], frame->z[i], places + 3 * i);
  for (gsize i = 0; i < frame->n; i++)
    for (gsize j = 0; j < i; j++) {
      const gsize bin = debye_pair_bin(&bins, debye_pair_nearest(&lattice, places + 3 * i, places + 3 * j));
      if (bin < DEBYE_BENCH_N_BINS)
        counts[bin]++;
    }
}

/* Counts are whole numbers, so the error is the share of pairs in a wrong bin, or in none: 0. */
static gboolean
finish_pairs(gpointer opened, DebyeBenchResult *result, GError **error)
{
  Pairs *self = opened;
  const double n_atoms = self->asked->sizes[DEBYE_BENCH_ATOMS];
  DebyePairFrame few = self->frames[0];
  guint64 counts[DEBYE_BENCH_N_BINS] = {0}, exact[DEBYE_BENCH_N_BINS] = {0};
  double wrong = 0.0, all = 0.0;
  DebyeStatus status = {0};
  few.n = MIN(few.n, COMPARED);
  result->evaluations = 0.5 * n_atoms * (n_atoms - 1.0) * (double)self->n_frames;
  /* Beyond a cutoff tiles of atoms are left out: how many operations remain is not known. */
  result->operations = self->asked->sizes[DEBYE_BENCH_CUTOFF] > 0.0 || self->cell != NULL
                           ? 0.0
                           : OPERATIONS * result->evaluations;
  if (!debye_device_check(debye_pair_lanes_execute(self->share, &few, 1, counts, NULL,
                                                   self->asked->repeats.cancel, NULL, NULL, &status),
                          &status, error))
    return FALSE;
  count_plainly(self, &few, exact);
  for (gsize bin = 0; bin < DEBYE_BENCH_N_BINS; bin++) {
    wrong += fabs((double)counts[bin] - (double)exact[bin]);
    all += (double)exact[bin];
  }
  result->error = all > 0.0 ? wrong / all : NAN;
  return TRUE;
}

const DebyeBenchFamily debye_bench_pairs = {open_pairs, run_pairs, finish_pairs, close_pairs};
