/* SPDX-License-Identifier: MIT */
/* Computes amplitudes on all devices at once for the analysis of scattering. Inputs are blocks of vectors,
 * items their frames, so that a run of items is one call of the kernel. */
#include "scattering_amplitude_lanes.h"

#include <string.h>

/* Items a lane has at least, so that all end together; and vectors of a block at least. */
#define ITEMS_OF_LANE 8
#define BLOCK_VECTORS 64
/* What a term costs against the Coulomb pair that devices' scores are given in. */
#define TERM_COST 4.0

typedef struct {
  DebyeSharing share;
  /* The execution under way. */
  const DebyeVec3 *q;
  size_t n_vectors;
  const DebyeScatteringFrame *frames;
  double *out;
} AmplitudeShare;

static const DebyeAmplitudeKernel *
kernel_of(const DebyeSharingLane *lane)
{
  return (const DebyeAmplitudeKernel *)lane->kernel;
}

static size_t
block_begin(const DebyeSharing *share, size_t block)
{
  return ((const AmplitudeShare *)share)->n_vectors * block / share->job.n_inputs;
}

static DebyeStatusCode
set_block(const DebyeSharing *share, DebyeSharingLane *lane, size_t block, DebyeStatus *status)
{
  const size_t first = block_begin(share, block), end = block_begin(share, block + 1);
  return kernel_of(lane)->set_vectors(lane->plan, ((const AmplitudeShare *)share)->q + first, end - first,
                                      status);
}

/* A block's values to their places among all vectors. */
static void
spread(const AmplitudeShare *amplitudes, const double *values, DebyeSharingRun run, size_t n_groups)
{
  const size_t first = block_begin(&amplitudes->share, run.input);
  const size_t n = block_begin(&amplitudes->share, run.input + 1) - first;
  for (size_t row = 0; row < run.count * n_groups; row++)
    memcpy(amplitudes->out + 2 * ((run.first * n_groups + row) * amplitudes->n_vectors + first),
           values + 2 * row * n, 2 * n * sizeof *values);
}

static DebyeStatusCode
sum_frames(DebyeSharing *share, DebyeSharingLane *lane, DebyeSharingRun run, const volatile bool *cancel,
           DebyeStatus *status)
{
  const AmplitudeShare *amplitudes = (const AmplitudeShare *)share;
  const size_t n_groups = ((const DebyeAmplitudeSettings *)share->settings)->groups.n_groups;
  const size_t n = block_begin(share, run.input + 1) - block_begin(share, run.input);
  const bool whole = share->job.n_inputs == 1;
  size_t bad = 0;
  double *values = whole ? amplitudes->out + 2 * run.first * n_groups * n
                         : debye_sharing_values(lane, 2 * run.count * n_groups * n * sizeof *values);
  if (values == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                            "There is no memory for the amplitudes of %zu frames.", run.count);
  const DebyeStatusCode code = kernel_of(lane)->execute(lane->plan, amplitudes->frames + run.first, run.count,
                                                        values, &bad, cancel, status);
  lane->bad = run.first + bad;
  if (code == DEBYE_STATUS_OK && !whole)
    spread(amplitudes, values, run, n_groups);
  return code;
}

static const DebyeSharingFamily family = {
    .task = "sum scattering amplitudes",
    .kernel = offsetof(DebyeBackend, amplitude),
    .size = sizeof(AmplitudeShare),
    .settings_size = sizeof(DebyeAmplitudeSettings),
    .spare_cores = offsetof(DebyeAmplitudeSettings, spare_cores),
    .chunk = offsetof(DebyeAmplitudeSettings, max_frames),
    .set = set_block,
    .execute = sum_frames,
};

DebyeStatusCode
debye_amplitude_lanes_create(const DebyeAmplitudeLanesSettings *settings,
                             const DebyeDeviceEntry *const *devices, size_t n_devices, DebyeSharing **share,
                             DebyeStatus *status)
{
  *share = NULL;
  DebyeStatusCode code = debye_amplitude_settings_check(&settings->amplitude, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  DebyeSharing *made =
      debye_sharing_new(&family, &settings->amplitude, settings->memory_limit, devices, n_devices);
  return debye_sharing_start(made, made != NULL, share, status);
}

/* One where frames are enough for all lanes. */
static size_t
count_blocks(const DebyeSharing *share, size_t n_vectors, size_t n_frames)
{
  const size_t wanted = ITEMS_OF_LANE * share->n_lanes;
  if (share->n_lanes < 2 || n_frames >= wanted)
    return 1;
  const size_t blocks = (wanted + n_frames - 1) / n_frames, max_blocks = n_vectors / BLOCK_VECTORS;
  return max_blocks < 1 ? 1 : blocks < max_blocks ? blocks : max_blocks;
}

DebyeStatusCode
debye_amplitude_lanes_execute(DebyeSharing *share, const DebyeVec3 *q, size_t n_vectors,
                              const DebyeScatteringFrame *frames, size_t n_frames, double *out,
                              size_t *bad_frame, const volatile bool *cancel, DebyeStatus *status)
{
  const DebyeAmplitudeSettings *settings = share->settings;
  AmplitudeShare *amplitudes = (AmplitudeShare *)share;
  DebyeStatusCode code = debye_amplitude_vectors_check(settings, q, n_vectors, status);
  if (code != DEBYE_STATUS_OK || n_vectors == 0 || n_frames == 0)
    return code;
  amplitudes->q = q;
  amplitudes->n_vectors = n_vectors;
  amplitudes->frames = frames;
  amplitudes->out = out;
  const size_t n_blocks = count_blocks(share, n_vectors, n_frames);
  const double terms =
      (double)debye_scattering_n_entries(&settings->groups) * (double)n_vectors / (double)n_blocks;
  const DebyeSharingJob job = {.n_inputs = n_blocks,
                               .n_items = n_frames,
                               .item_cost = TERM_COST * terms,
                               .cancel = cancel,
                               .bad = bad_frame};
  return debye_sharing_run(share, &job, status);
}
