/* SPDX-License-Identifier: MIT */
/* Shares the maps of frames over all devices. Inputs are frames, items layers of tiles, each written to its own place: so
 * neither the devices nor their number show. */
#include "ligand_lanes.h"

typedef struct {
  DebyeSharing share;
  /* The execution under way. */
  const DebyeLigandFrame *frames;
  float *means;
} LigandShare;

static const DebyeLigandKernel *
kernel_of(const DebyeSharingLane *lane)
{
  return (const DebyeLigandKernel *)lane->kernel;
}

static DebyeStatusCode
set_frame(const DebyeSharing *share, DebyeSharingLane *lane, size_t input, DebyeStatus *status)
{
  return kernel_of(lane)->set_frame(lane->plan, &((const LigandShare *)share)->frames[input], status);
}

static DebyeStatusCode
compute_layers(DebyeSharing *share, DebyeSharingLane *lane, DebyeSharingRun run, const volatile bool *cancel,
               DebyeStatus *status)
{
  const size_t n = debye_grid_n_points(&((const DebyeLigandSettings *)share->settings)->grid);
  return kernel_of(lane)->execute(lane->plan, run.first, run.count,
                                  ((const LigandShare *)share)->means + run.input * n, cancel, status);
}

static const DebyeSharingFamily family = {
    .task = "sample a ligand",
    .kernel = offsetof(DebyeBackend, ligand),
    .size = sizeof(LigandShare),
    .settings_size = sizeof(DebyeLigandSettings),
    .spare_cores = offsetof(DebyeLigandSettings, spare_cores),
    .set = set_frame,
    .execute = compute_layers,
};

DebyeStatusCode
debye_ligand_lanes_create(const DebyeLigandLanesSettings *settings, const DebyeDeviceEntry *const *devices,
                          size_t n_devices, DebyeSharing **share, DebyeStatus *status)
{
  *share = NULL;
  const DebyeStatusCode code = debye_ligand_settings_check(&settings->ligand, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  void *made = debye_sharing_new(&family, &settings->ligand, settings->memory_limit, devices, n_devices);
  return debye_sharing_start(made, made != NULL, share, status);
}

DebyeStatusCode
debye_ligand_lanes_execute(DebyeSharing *share, const DebyeLigandFrame *frames, size_t n_frames, float *means,
                           const volatile bool *cancel, DebyeSharingProgress progress, void *data,
                           DebyeStatus *status)
{
  LigandShare *ligand = (LigandShare *)share;
  const DebyeLigandSettings *settings = share->settings;
  ligand->frames = frames;
  ligand->means = means;
  if (n_frames == 0)
    return debye_status_ok(status);
  const double samples = (double)(settings->subsamples * settings->subsamples * settings->subsamples) *
                         (double)settings->n_orientations;
  const double layer =
      (double)(settings->grid.shape[0] * settings->grid.shape[1] * DEBYE_LIGAND_TILE) * samples;
  const DebyeSharingJob job = {.n_inputs = n_frames,
                               .n_items = debye_ligand_n_tiles(settings, 2),
                               .item_cost = layer * DEBYE_LIGAND_SAMPLE_COST,
                               .apart = true,
                               .cancel = cancel,
                               .progress = progress,
                               .data = data};
  return debye_sharing_run(share, &job, status);
}
