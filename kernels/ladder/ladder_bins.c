/* SPDX-License-Identifier: MIT */
/* Sorts atoms into the bins of the cutoff's teaching variants; called by both back ends' drivers. */
#include "ladder_bins.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "kernels/potential/potential_math.h"

#define ONE_POINT_STEP 0.5 /* Å, along an axis of one point, which has none */
#define DUMMY 1e10f        /* where no atom can be */

/* The map's steps, and whether an axis runs against the turned frame's. */
static void
find_steps(const DebyeLadderProblem *problem, double step[3], bool is_mirrored[3])
{
  const DebyeTurnedGrid grid = debye_turned_grid(&problem->grid);
  const double turned[3] = {grid.step_x, grid.row_y, grid.plane_z};
  for (int axis = 0; axis < 3; axis++) {
    is_mirrored[axis] = turned[axis] < 0.0;
    step[axis] = grid.shape[axis] > 1 ? fabs(turned[axis]) : ONE_POINT_STEP;
  }
}

static int
get_region(const DebyeLadderProblem *problem)
{
  return problem->region > 0 ? problem->region : DEBYE_LADDER_REGION;
}

static int
get_capacity(const DebyeLadderProblem *problem)
{
  return problem->capacity > 0 ? problem->capacity : DEBYE_LADDER_CAPACITY;
}

/* ⌈(C − G/2)/B⌉, 0 where the cutoff ends before the next bin begins. */
static double
find_reach(const DebyeLadderProblem *problem, double step)
{
  return fmax(ceil((problem->cutoff - 0.5 * step) / (get_region(problem) * step)), 0.0);
}

bool
debye_ladder_bins_can_reach(const DebyeLadderProblem *problem)
{
  double step[3];
  bool is_mirrored[3];
  find_steps(problem, step, is_mirrored);
  for (int axis = 0; axis < 3; axis++)
    if (!(find_reach(problem, step[axis]) <= DEBYE_LADDER_MAX_REACH))
      return false;
  return true;
}

DebyeStatusCode
debye_ladder_bins_refuse_reach(const DebyeLadderProblem *problem, DebyeStatus *status)
{
  return debye_status_set(status, DEBYE_STATUS_INVALID,
                          "The teaching variants of the cutoff need a cutoff of at most %d grid steps.",
                          DEBYE_LADDER_MAX_REACH * get_region(problem));
}

static bool
has_sizes(const DebyeLadderProblem *problem)
{
  return get_region(problem) <= DEBYE_LADDER_MAX_REGION && get_capacity(problem) <= DEBYE_LADDER_MAX_CAPACITY;
}

uint64_t
debye_ladder_bins_bytes(const DebyeLadderProblem *problem)
{
  if (!has_sizes(problem))
    return SIZE_MAX;
  double n_points = 1.0, n_bins = 1.0, step[3];
  bool is_mirrored[3];
  find_steps(problem, step, is_mirrored);
  for (int axis = 0; axis < 3; axis++) {
    const double n = (double)problem->grid.shape[axis];
    n_points *= n;
    n_bins *= ceil(n / get_region(problem)) + 2.0 * find_reach(problem, step[axis]);
  }
  const int capacity = get_capacity(problem);
  if (n_points > INT_MAX || n_bins > (double)(INT_MAX / (4 * capacity)) || problem->charges.n > INT_MAX / 4)
    return SIZE_MAX;
  return (uint64_t)n_bins * ((size_t)capacity * sizeof(DebyeLadderAtom) + sizeof(int)) +
         problem->charges.n * (2 * sizeof(DebyeLadderAtom) + sizeof(int)) +
         DEBYE_LADDER_MAX_OFFSETS * sizeof(int);
}

static void
lay_out(DebyeLadderBins *bins, const DebyeLadderProblem *problem)
{
  double step[3];
  bool is_mirrored[3];
  find_steps(problem, step, is_mirrored);
  bins->cutoff2 = (float)(problem->cutoff * problem->cutoff);
  bins->core2 = bins->frame.core2;
  bins->n_regions = bins->n_bins = 1;
  bins->region = get_region(problem);
  bins->capacity = get_capacity(problem);
  for (int axis = 0; axis < 3; axis++) {
    bins->shape[axis] = (int)problem->grid.shape[axis];
    bins->step[axis] = (float)step[axis];
    bins->reach[axis] = (int)find_reach(problem, step[axis]);
    bins->regions[axis] = (bins->shape[axis] + bins->region - 1) / bins->region;
    bins->bins[axis] = bins->regions[axis] + 2 * bins->reach[axis];
    bins->n_regions *= (size_t)bins->regions[axis];
    bins->n_bins *= (size_t)bins->bins[axis];
  }
  for (size_t i = 0; i < bins->frame.n_atoms; i++) {
    DebyeLadderAtom *atom = &bins->frame.atoms[i];
    atom->x = is_mirrored[0] ? -atom->x : atom->x;
    atom->y = is_mirrored[1] ? -atom->y : atom->y;
    atom->z = is_mirrored[2] ? -atom->z : atom->z;
  }
}

static bool
allocate(DebyeLadderBins *bins)
{
  const size_t n_atoms = bins->frame.n_atoms + 1;
  bins->slots = malloc(bins->n_bins * (size_t)bins->capacity * sizeof *bins->slots);
  bins->overflow = malloc(n_atoms * sizeof *bins->overflow);
  bins->head = malloc(bins->n_bins * sizeof *bins->head);
  bins->next = malloc(n_atoms * sizeof *bins->next);
  bins->offsets = malloc(DEBYE_LADDER_MAX_OFFSETS * sizeof *bins->offsets);
  return bins->slots != NULL && bins->overflow != NULL && bins->head != NULL && bins->next != NULL &&
         bins->offsets != NULL;
}

/* Å between the points of a region and the bin so many away. */
static double
find_gap(const DebyeLadderBins *bins, int axis, int away)
{
  const double step = (double)bins->step[axis];
  return away == 0 ? 0.0 : (abs(away) - 1) * bins->region * step + 0.5 * step;
}

static void
list_offsets(DebyeLadderBins *bins)
{
  const int *reach = bins->reach;
  for (int z = -reach[2]; z <= reach[2]; z++)
    for (int y = -reach[1]; y <= reach[1]; y++)
      for (int x = -reach[0]; x <= reach[0]; x++) {
        const double gap[3] = {find_gap(bins, 0, x), find_gap(bins, 1, y), find_gap(bins, 2, z)};
        if (gap[0] * gap[0] + gap[1] * gap[1] + gap[2] * gap[2] < (double)bins->cutoff2)
          bins->offsets[bins->n_offsets++] = (z * bins->bins[1] + y) * bins->bins[0] + x;
      }
}

/* The number of an atom's bin; −1: it is out of range of all regions. */
static int
find_bin(const DebyeLadderBins *bins, const DebyeLadderAtom *atom)
{
  const float at[3] = {atom->x, atom->y, atom->z};
  int number = 0;
  for (int axis = 2; axis >= 0; axis--) {
    const double step = (double)bins->step[axis];
    const double bin = floor(((double)at[axis] + 0.5 * step) / (bins->region * step)) + bins->reach[axis];
    if (!(bin >= 0.0 && bin < bins->bins[axis]))
      return -1;
    number = number * bins->bins[axis] + (int)bin;
  }
  return number;
}

/* Slots in the atoms' order; chains the other way round, as each new atom becomes its bin's first. */
static void
sort_atoms(DebyeLadderBins *bins, unsigned char *n_filled)
{
  for (size_t i = 0; i < bins->n_bins * (size_t)bins->capacity; i++)
    bins->slots[i] = (DebyeLadderAtom){DUMMY, DUMMY, DUMMY, 0.0f};
  for (size_t bin = 0; bin < bins->n_bins; bin++)
    bins->head[bin] = -1;
  for (size_t i = 0; i < bins->frame.n_atoms; i++) {
    const DebyeLadderAtom *atom = &bins->frame.atoms[i];
    const int bin = find_bin(bins, atom);
    if (bin < 0)
      continue;
    bins->count.n_atoms++;
    if (n_filled[bin] < bins->capacity)
      bins->slots[(size_t)bin * (size_t)bins->capacity + n_filled[bin]++] = *atom;
    else
      bins->overflow[bins->count.n_overflowing++] = *atom;
    bins->next[i] = bins->head[bin];
    bins->head[bin] = (int)i;
  }
}

DebyeStatusCode
debye_ladder_bins_init(DebyeLadderBins *bins, const DebyeLadderProblem *problem, DebyeStatus *status)
{
  *bins = (DebyeLadderBins){.n_bins = 0};
  if (!has_sizes(problem))
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "Bins have at most %d points along an edge and %d atoms.",
                            DEBYE_LADDER_MAX_REGION, DEBYE_LADDER_MAX_CAPACITY);
  if (!debye_ladder_bins_can_reach(problem))
    return debye_ladder_bins_refuse_reach(problem, status);
  if (debye_ladder_bins_bytes(problem) == SIZE_MAX)
    return debye_status_set(status, DEBYE_STATUS_UNSUPPORTED,
                            "The grid or the number of charges is beyond the device.");
  const DebyeStatusCode code = debye_ladder_frame_init(&bins->frame, problem, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  lay_out(bins, problem);
  unsigned char *n_filled = calloc(bins->n_bins, 1);
  const bool has_memory = allocate(bins) && n_filled != NULL;
  if (has_memory) {
    list_offsets(bins);
    sort_atoms(bins, n_filled);
  }
  free(n_filled);
  return has_memory ? debye_status_ok(status)
                    : debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for %zu bins.",
                                       bins->n_bins);
}

void
debye_ladder_bins_clear(DebyeLadderBins *bins)
{
  debye_ladder_frame_clear(&bins->frame);
  free(bins->slots);
  free(bins->overflow);
  free(bins->head);
  free(bins->next);
  free(bins->offsets);
  *bins = (DebyeLadderBins){.n_bins = 0};
}

size_t
debye_ladder_bins_at_once(const DebyeLadderBins *bins, bool tests_all, double tests)
{
  const double atoms = tests_all ? (double)bins->frame.n_atoms : (double)bins->n_offsets * bins->capacity;
  const double points = (double)bins->region * bins->region * bins->region;
  return (size_t)fmin(tests / (points * (atoms + 1.0)), (double)bins->n_regions) + 1;
}
