/* SPDX-License-Identifier: MIT */
/* Sorts the atoms of ligand sampling's teaching variants into bins; called by both back ends' drivers. */
#include "ladder_ligand.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#define MARGIN 3 /* bins between the corner and the first voxel */
#define MAX_POINTS 1e8
#define MAX_BINS 1e7
#define MAX_EDGE 100000 /* voxels */
#define MOST_AT_ONCE (1 << 28)

/* --- Checks --- */

static bool
grid_is_good(const DebyeGrid *grid, double edge)
{
  const DebyeVec3 *step = grid->step;
  const double steps[3] = {step[0].x, step[1].y, step[2].z};
  double n_bins = 1.0;
  if (step[0].y != 0.0 || step[0].z != 0.0 || step[1].x != 0.0 || step[1].z != 0.0 || step[2].x != 0.0 ||
      step[2].y != 0.0)
    return false;
  for (int axis = 0; axis < 3; axis++) {
    if (!(steps[axis] > 0.0) || !(steps[axis] <= edge) || grid->shape[axis] > MAX_EDGE)
      return false;
    n_bins *= (double)grid->shape[axis] * steps[axis] / edge + 2.0 * MARGIN + 1.0;
  }
  return n_bins <= MAX_BINS && (double)debye_grid_n_points(grid) <= MAX_POINTS;
}

static bool
ligand_is_good(const DebyeLigandSettings *settings, double edge)
{
  if (settings->n_sites != 1 || settings->n_orientations != 1 || settings->charges != NULL ||
      debye_ligand_reach(settings) != 0.0 || settings->subsamples > DEBYE_LADDER_SUBSAMPLES)
    return false;
  for (size_t type = 0; type < settings->n_types; type++)
    if (!(debye_ligand_hard_radius(settings, type, settings->kinds[0]) <= edge))
      return false;
  return true;
}

DebyeStatusCode
debye_ladder_ligand_check(const DebyeLadderKernel *ladder, size_t variant, const DebyeLadderLigand *ligand,
                          DebyeStatus *status)
{
  const DebyeLigandSettings *settings = ligand->settings;
  if (variant >= ladder->n_variants || ladder->variants[variant].kind != DEBYE_LADDER_LIGAND)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "There is no teaching variant number %zu of this kind.", variant);
  if (debye_ligand_settings_check(settings, status) != DEBYE_STATUS_OK ||
      debye_ligand_frame_check(settings, ligand->frame, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  if (ligand->frame->cell != NULL || ligand->frame->n > INT_MAX / 4 ||
      !ligand_is_good(settings, 0.5 * settings->cutoff) ||
      !grid_is_good(&settings->grid, 0.5 * settings->cutoff))
    return debye_status_set(
        status, DEBYE_STATUS_INVALID,
        "The teaching variants sample a single atom without charge, at most %d³ times in a "
        "voxel of a grid along the axes, without a cell.",
        DEBYE_LADDER_SUBSAMPLES);
  return debye_status_ok(status);
}

/* --- Bins --- */

/* The number of the bin of a place from the corner; −1: it has none. */
static int
find_bin(const DebyeLadderMatter *matter, const double place[3])
{
  int number = 0;
  for (int axis = 2; axis >= 0; axis--) {
    const double bin = floor(place[axis] / (double)matter->edge);
    if (!(bin >= 0.0 && bin < matter->bins[axis]))
      return -1;
    number = number * matter->bins[axis] + (int)bin;
  }
  return number;
}

static void
get_place(const DebyeLadderMatter *matter, const DebyeLadderLigand *ligand, size_t atom, double place[3])
{
  const DebyeVec3 origin = ligand->settings->grid.origin;
  place[0] = (double)ligand->frame->x[atom] - origin.x + (double)matter->margin;
  place[1] = (double)ligand->frame->y[atom] - origin.y + (double)matter->margin;
  place[2] = (double)ligand->frame->z[atom] - origin.z + (double)matter->margin;
}

static void
put_atom(DebyeLadderMatter *matter, const DebyeLadderLigand *ligand, size_t atom, const double place[3],
         size_t at)
{
  const DebyeLigandSettings *settings = ligand->settings;
  const size_t type = ligand->frame->types[atom], pair = type * settings->n_kinds + settings->kinds[0];
  const double hard = debye_ligand_hard_radius(settings, type, settings->kinds[0]);
  for (int axis = 0; axis < 3; axis++)
    matter->atoms[4 * at + (size_t)axis] = (float)place[axis];
  matter->atoms[4 * at + 3] = (float)(hard * hard);
  matter->pairs[2 * at] = (float)settings->repulsion[pair];
  matter->pairs[2 * at + 1] = (float)settings->attraction[pair];
}

/* Counted, then put where the count says, in their order. */
static void
sort_atoms(DebyeLadderMatter *matter, const DebyeLadderLigand *ligand, int *next)
{
  double place[3];
  for (size_t i = 0; i < ligand->frame->n; i++) {
    get_place(matter, ligand, i, place);
    const int bin = find_bin(matter, place);
    if (bin >= 0)
      matter->start[bin + 1]++;
  }
  for (size_t bin = 0; bin < matter->n_bins; bin++) {
    next[bin] = matter->start[bin];
    matter->start[bin + 1] += matter->start[bin];
  }
  for (size_t i = 0; i < ligand->frame->n; i++) {
    get_place(matter, ligand, i, place);
    const int bin = find_bin(matter, place);
    if (bin >= 0)
      put_atom(matter, ligand, i, place, (size_t)next[bin]++);
  }
  matter->n_atoms = (size_t)matter->start[matter->n_bins];
}

DebyeStatusCode
debye_ladder_matter_init(DebyeLadderMatter *matter, const DebyeLadderLigand *ligand, DebyeStatus *status)
{
  const DebyeLigandSettings *settings = ligand->settings;
  const DebyeGrid *grid = &settings->grid;
  const double edge = 0.5 * settings->cutoff, steps[3] = {grid->step[0].x, grid->step[1].y, grid->step[2].z};
  *matter = (DebyeLadderMatter){.subsamples = (int)settings->subsamples,
                                .margin = (float)(MARGIN * edge),
                                .edge = (float)edge,
                                .cutoff2 = (float)(settings->cutoff * settings->cutoff),
                                .n_bins = 1};
  for (int axis = 0; axis < 3; axis++) {
    matter->shape[axis] = grid->shape[axis];
    matter->step[axis] = (float)steps[axis];
    matter->bins[axis] = (int)floor((double)(grid->shape[axis] - 1) * steps[axis] / edge) + 2 * MARGIN + 1;
    matter->n_bins *= (size_t)matter->bins[axis];
  }
  matter->atoms = malloc(4 * (ligand->frame->n + 1) * sizeof *matter->atoms);
  matter->pairs = malloc(2 * (ligand->frame->n + 1) * sizeof *matter->pairs);
  matter->start = calloc(matter->n_bins + 1, sizeof *matter->start);
  int *next = malloc(matter->n_bins * sizeof *next);
  const bool has_memory =
      matter->atoms != NULL && matter->pairs != NULL && matter->start != NULL && next != NULL;
  if (has_memory)
    sort_atoms(matter, ligand, next);
  free(next);
  return has_memory ? debye_status_ok(status)
                    : debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for %zu atoms.",
                                       ligand->frame->n);
}

void
debye_ladder_matter_clear(DebyeLadderMatter *matter)
{
  free(matter->atoms);
  free(matter->pairs);
  free(matter->start);
  *matter = (DebyeLadderMatter){.n_atoms = 0};
}

/* Of the atoms in the bins so far around a sample, those nearer than the cutoff, or of them those that reject it. */
static double
count_around(const DebyeLadderMatter *matter, const double sample[3], int reach, bool rejecting)
{
  const double edge = (double)matter->edge;
  const int x = (int)(sample[0] / edge), y = (int)(sample[1] / edge), z = (int)(sample[2] / edge),
            width = 2 * reach + 1;
  double count = 0.0;
  for (int row = 0; row < width * width && !(rejecting && count > 0.0); row++) {
    const int bin =
        ((z + row / width - reach) * matter->bins[1] + y + row % width - reach) * matter->bins[0] + x;
    for (int n = matter->start[bin - reach]; n < matter->start[bin + reach + 1]; n++) {
      const float *atom = matter->atoms + 4 * n;
      const double dx = sample[0] - (double)atom[0], dy = sample[1] - (double)atom[1],
                   dz = sample[2] - (double)atom[2];
      count += dx * dx + dy * dy + dz * dz < (double)(rejecting ? atom[3] : matter->cutoff2);
    }
  }
  return count;
}

/* Atoms within the cutoff of a sample; 0: one rejects it. */
static double
count_within(const DebyeLadderMatter *matter, const double sample[3])
{
  return count_around(matter, sample, 1, true) > 0.0 ? 0.0 : count_around(matter, sample, 2, false);
}

double
debye_ladder_matter_evaluations(const DebyeLadderMatter *matter)
{
  const int n = matter->subsamples;
  const double half = 0.5 * (n - 1);
  double sum = 0.0;
  for (size_t voxel = 0; voxel < matter->shape[0] * matter->shape[1] * matter->shape[2]; voxel++) {
    const size_t at[3] = {voxel % matter->shape[0], voxel / matter->shape[0] % matter->shape[1],
                          voxel / matter->shape[0] / matter->shape[1]};
    for (int s = 0; s < n * n * n; s++) {
      const int of[3] = {s % n, s / n % n, s / n / n};
      double sample[3];
      for (int axis = 0; axis < 3; axis++)
        sample[axis] = (double)matter->margin +
                       (double)matter->step[axis] * ((double)at[axis] + ((double)of[axis] - half) / n);
      sum += count_within(matter, sample);
    }
  }
  return sum;
}

size_t
debye_ladder_ligand_planes_at_once(const DebyeLadderMatter *matter, double tests)
{
  const double in_plane = (double)matter->shape[0] * (double)matter->shape[1];
  const double each = pow((double)matter->subsamples, 3.0) * ((double)matter->n_atoms + 1.0);
  const double planes = fmin(fmax(tests / (in_plane * each), 1.0), fmax(MOST_AT_ONCE / in_plane, 1.0));
  return planes < (double)matter->shape[2] ? (size_t)planes : matter->shape[2];
}

/* --- The production kernel --- */

DebyeStatusCode
debye_ladder_ligand_ours(const DebyeLigandKernel *kernel, int device, const DebyeLadderLigand *ligand,
                         float *means, double *seconds, const volatile bool *cancel, DebyeStatus *status)
{
  DebyeKernelPlan *plan = NULL;
  DebyeStatusCode code = kernel->head.create(device, ligand->settings, &plan, status);
  if (code == DEBYE_STATUS_OK)
    code = kernel->set_frame(plan, ligand->frame, status);
  const double start = debye_ladder_now();
  if (code == DEBYE_STATUS_OK)
    code = kernel->execute(plan, 0, debye_ligand_n_tiles(ligand->settings, 2), means, cancel, status);
  *seconds = debye_ladder_now() - start;
  kernel->head.destroy(plan);
  return code;
}
