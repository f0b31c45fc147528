/* SPDX-License-Identifier: MIT */
/* Sums products of amplitudes on a reciprocal lattice over frames, on all devices, for the analysis of
 * scattering. A lane's sums of a run of frames are fetched when the run is done, so that one that fails takes
 * nothing with it but frames that another lane repeats. */
#include "scattering_lattice_lanes.h"

#include <stdlib.h>
#include <string.h>

/* What spreading an atom and transforming a point cost against the Coulomb pair of devices' scores. */
#define ATOM_COST 500.0
#define POINT_COST 100.0

typedef struct {
  DebyeSharing share;
  size_t n_values;      /* of all pairs */
  double *totals;       /* what each lane has added, one after the other. One that retires leaves it here */
  const double **found; /* a lane: its total of the execution under way; NULL: it has added nothing */
  const double **parts; /* those of them that are there */
  const DebyeScatteringFrame *frames; /* of the execution under way */
} LatticeShare;

static const DebyeLatticeKernel *
kernel_of(const DebyeSharingLane *lane)
{
  return (const DebyeLatticeKernel *)lane->kernel;
}

/* All pairs are fetched before any counts: a run counts whole or not at all. */
static DebyeStatusCode
fetch(const LatticeShare *lattice, DebyeSharingLane *lane, DebyeStatus *status)
{
  const DebyeLatticeSettings *settings = lattice->share.settings;
  const size_t n = debye_lattice_n_sums(settings), n_pairs = lattice->n_values / n;
  double *total = lattice->totals + lane->number * lattice->n_values;
  const bool is_first = lattice->found[lane->number] == NULL;
  double *values = is_first ? total : debye_sharing_values(lane, lattice->n_values * sizeof *values);
  if (values == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for the sums of a lattice.");
  for (size_t pair = 0; pair < n_pairs; pair++) {
    const DebyeStatusCode code = kernel_of(lane)->get_sums(lane->plan, pair, values + pair * n, status);
    if (code != DEBYE_STATUS_OK)
      return code;
  }
  if (!is_first)
    debye_sharing_add_values(total, values, lattice->n_values, 1);
  lattice->found[lane->number] = total;
  return DEBYE_STATUS_OK;
}

static DebyeStatusCode
add_frames(DebyeSharing *share, DebyeSharingLane *lane, DebyeSharingRun run, const volatile bool *cancel,
           DebyeStatus *status)
{
  const LatticeShare *lattice = (const LatticeShare *)share;
  DebyeStatusCode code = kernel_of(lane)->clear_sums(lane->plan, status);
  for (size_t i = run.first; i < run.first + run.count && code == DEBYE_STATUS_OK; i++) {
    lane->bad = i;
    code = kernel_of(lane)->execute(lane->plan, &lattice->frames[i], NULL, cancel, status);
  }
  return code == DEBYE_STATUS_OK ? fetch(lattice, lane, status) : code;
}

static void
clear(DebyeSharing *share)
{
  LatticeShare *lattice = (LatticeShare *)share;
  free(lattice->totals);
  free(lattice->found);
  free(lattice->parts);
}

static const DebyeSharingFamily family = {
    .task = "transform to a reciprocal lattice",
    .kernel = offsetof(DebyeBackend, lattice),
    .size = sizeof(LatticeShare),
    .settings_size = sizeof(DebyeLatticeSettings),
    .spare_cores = offsetof(DebyeLatticeSettings, spare_cores),
    .execute = add_frames,
    .clear = clear,
};

static bool
prepare(LatticeShare *lattice)
{
  DebyeLatticeSettings *settings = lattice->share.settings;
  settings->sums = true;
  settings->chosen = NULL;
  settings->n_chosen = 0;
  lattice->n_values = debye_lattice_n_sums(settings) * debye_lattice_n_pairs(settings->groups.n_groups);
  lattice->totals = calloc(lattice->share.n_lanes * lattice->n_values, sizeof *lattice->totals);
  lattice->found = calloc(lattice->share.n_lanes, sizeof *lattice->found);
  lattice->parts = calloc(lattice->share.n_lanes, sizeof *lattice->parts);
  return lattice->totals != NULL && lattice->found != NULL && lattice->parts != NULL;
}

DebyeStatusCode
debye_lattice_lanes_create(const DebyeLatticeLanesSettings *settings, const DebyeDeviceEntry *const *devices,
                           size_t n_devices, DebyeSharing **share, DebyeStatus *status)
{
  *share = NULL;
  DebyeStatusCode code = debye_lattice_settings_check(&settings->lattice, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  LatticeShare *made =
      debye_sharing_new(&family, &settings->lattice, settings->memory_limit, devices, n_devices);
  return debye_sharing_start(made, made != NULL && prepare(made), share, status);
}

static double
cost_of_frame(const DebyeLatticeSettings *settings)
{
  const double points = 8.0 * 2.0 * (double)debye_lattice_n_values(settings->extent);
  return ATOM_COST * (double)debye_scattering_n_entries(&settings->groups) +
         POINT_COST * points * (double)settings->groups.n_groups;
}

static void
sum_lanes(const LatticeShare *lattice, double *out)
{
  size_t n = 0;
  for (size_t lane = 0; lane < lattice->share.n_lanes; lane++)
    if (lattice->found[lane] != NULL)
      lattice->parts[n++] = lattice->found[lane];
  debye_sharing_sum_values(out, lattice->parts, lattice->n_values, n);
}

DebyeStatusCode
debye_lattice_lanes_execute(DebyeSharing *share, const DebyeScatteringFrame *frames, size_t n_frames,
                            double *out, size_t *bad_frame, const volatile bool *cancel, DebyeStatus *status)
{
  LatticeShare *lattice = (LatticeShare *)share;
  const DebyeSharingJob job = {.n_inputs = 1,
                               .n_items = n_frames,
                               .item_cost = cost_of_frame(share->settings),
                               .cancel = cancel,
                               .bad = bad_frame};
  lattice->frames = frames;
  memset(lattice->found, 0, share->n_lanes * sizeof *lattice->found);
  const DebyeStatusCode code = debye_sharing_run(share, &job, status);
  if (code == DEBYE_STATUS_OK)
    sum_lanes(lattice, out);
  return code;
}
