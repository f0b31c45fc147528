/* SPDX-License-Identifier: MIT */
/* Checks the problem of the density's teaching variants and runs the production kernel on it; called by both back ends'
 * drivers. */
#include "ladder_density.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "kernels/potential/potential_math.h"

#define MAX_VOXELS ((double)(1 << 27))

size_t
debye_ladder_density_n_voxels(const DebyeLadderDensity *density)
{
  return density->shape[0] * density->shape[1] * density->shape[2];
}

/* The sources number atoms of frames and voxels with an int. */
static bool
sizes_are_good(const DebyeLadderDensity *density)
{
  const size_t *shape = density->shape;
  const double n_voxels = (double)shape[0] * (double)shape[1] * (double)shape[2];
  return n_voxels >= 1.0 && n_voxels <= MAX_VOXELS && density->n_atoms >= 1 && density->n_frames >= 1 &&
         (double)density->n_atoms * (double)density->n_frames <= (double)INT_MAX;
}

DebyeStatusCode
debye_ladder_density_check(const DebyeLadderKernel *ladder, size_t variant, const DebyeLadderDensity *density,
                           DebyeStatus *status)
{
  if (variant >= ladder->n_variants || ladder->variants[variant].kind != DEBYE_LADDER_DENSITY)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "There is no teaching variant number %zu of this kind.", variant);
  if (!sizes_are_good(density))
    return debye_status_set(
        status, DEBYE_STATUS_INVALID,
        "The teaching variants can't count %zu atoms of %zu frames in %zu × %zu × %zu voxels.",
        density->n_atoms, density->n_frames, density->shape[0], density->shape[1], density->shape[2]);
  bool is_good = density->edge >= DEBYE_LADDER_LEAST_VOXEL && density->edge <= DEBYE_DIRECT_FARTHEST;
  for (int axis = 0; axis < 3; axis++)
    is_good &= fabs(density->corner[axis]) <= DEBYE_DIRECT_FARTHEST;
  if (!is_good)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "The teaching variants can't count in voxels of %g Å at %g, %g, %g Å.",
                            density->edge, density->corner[0], density->corner[1], density->corner[2]);
  return debye_status_ok(status);
}

size_t
debye_ladder_density_frames_at_once(const DebyeLadderDensity *density, double atoms, size_t most)
{
  const double frames = fmax(atoms / (double)density->n_atoms, 1.0);
  const size_t some = frames < (double)density->n_frames ? (size_t)frames : density->n_frames;
  return most > 0 && most < some ? most : some;
}

/* --- The production kernel --- */

DebyeDensitySettings
debye_ladder_density_settings(const DebyeLadderDensity *density)
{
  return (DebyeDensitySettings){.shape = {density->shape[0], density->shape[1], density->shape[2]},
                                .placing = DEBYE_DENSITY_OPEN,
                                .sum = DEBYE_DENSITY_OCCUPANCY,
                                .max_points = density->n_atoms,
                                .max_views = 1,
                                .max_frames = density->n_frames};
}

void
debye_ladder_density_set_frames(const DebyeLadderDensity *density, DebyeDensityView *view,
                                DebyeDensityFrame *frames)
{
  *view = (DebyeDensityView){.rotation = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}},
                             .owner = DEBYE_DENSITY_NOBODY};
  const double edge = density->edge;
  for (size_t t = 0; t < density->n_frames; t++)
    frames[t] = (DebyeDensityFrame){.x = density->x + t * density->n_atoms,
                                    .y = density->y + t * density->n_atoms,
                                    .z = density->z + t * density->n_atoms,
                                    .n = density->n_atoms,
                                    .scale = 1.0,
                                    .views = view,
                                    .n_views = 1,
                                    .origin = {density->corner[0], density->corner[1], density->corner[2]},
                                    .step = {{edge, 0.0, 0.0}, {0.0, edge, 0.0}, {0.0, 0.0, edge}}};
}

/* Twice: the first time brings the frames to the device. */
static DebyeStatusCode
count_frames(const DebyeDensityKernel *kernel, DebyeKernelPlan *plan, int64_t *sums, double *seconds,
             const volatile bool *cancel, DebyeStatus *status)
{
  DebyeStatusCode code = DEBYE_STATUS_OK;
  for (int pass = 0; pass < 2 && code == DEBYE_STATUS_OK; pass++) {
    const double start = debye_ladder_now();
    code = kernel->execute(plan, cancel, status);
    *seconds = debye_ladder_now() - start;
    if (code == DEBYE_STATUS_OK)
      code = kernel->fetch(plan, sums, status);
  }
  return code;
}

static DebyeStatusCode
run_kernel(const DebyeDensityKernel *kernel, int device, const DebyeLadderDensity *density,
           DebyeDensityFrame *frames, int64_t *sums, double *seconds, const volatile bool *cancel,
           DebyeStatus *status)
{
  const DebyeDensitySettings settings = debye_ladder_density_settings(density);
  DebyeDensityView view;
  DebyeKernelPlan *plan = NULL;
  debye_ladder_density_set_frames(density, &view, frames);
  DebyeStatusCode code = kernel->head.create(device, &settings, &plan, status);
  if (code == DEBYE_STATUS_OK)
    code = kernel->set_frames(plan, frames, density->n_frames, status);
  if (code == DEBYE_STATUS_OK)
    code = count_frames(kernel, plan, sums, seconds, cancel, status);
  kernel->head.destroy(plan);
  return code;
}

DebyeStatusCode
debye_ladder_density_ours(const DebyeDensityKernel *kernel, int device, const DebyeLadderDensity *density,
                          uint32_t *counts, double *seconds, const volatile bool *cancel, DebyeStatus *status)
{
  const size_t n_voxels = debye_ladder_density_n_voxels(density);
  DebyeDensityFrame *frames = calloc(density->n_frames, sizeof *frames);
  int64_t *sums = calloc(n_voxels, sizeof *sums);
  DebyeStatusCode code = DEBYE_STATUS_NO_MEMORY;
  if (frames != NULL && sums != NULL)
    code = run_kernel(kernel, device, density, frames, sums, seconds, cancel, status);
  else
    debye_status_set(status, code, "There is no memory for a grid of %zu × %zu × %zu voxels.",
                     density->shape[0], density->shape[1], density->shape[2]);
  for (size_t voxel = 0; voxel < n_voxels && code == DEBYE_STATUS_OK; voxel++)
    counts[voxel] = (uint32_t)sums[voxel];
  free(frames);
  free(sums);
  return code;
}
