/* SPDX-License-Identifier: MIT */
/* Times the teaching variants of densities on all frames; called by bench_ladder.c. */
#include "bench_ladder_private.h"

#include "app/analysis/driver/device_choice.h"
#include "bench_density.h"
#include "data/files/error.h"

gboolean
debye_bench_fill(const DebyeBenchProblem *problem, const DebyeBenchLimits *limits, gsize number, guint repeat,
                 DebyeBenchResult *result, GError **error)
{
  const DebyeDeviceEntry *device = limits->device;
  g_autoptr(DebyeBenchDensity) subject = debye_bench_density_new(
      problem->field_points > 0.0 ? problem->field_points : DEBYE_BENCH_DENSITY_VOXELS);
  g_autofree uint32_t *counts =
      subject != NULL ? g_try_new0(uint32_t, debye_ladder_density_n_voxels(&subject->density)) : NULL;
  if (counts == NULL)
    return debye_error_set(error, DEBYE_ERROR_MEMORY, "bench: no memory for the map; choose fewer points");
  double seconds = 0.0;
  DebyeBenchRuns runs = debye_bench_runs_begin(repeat, TRUE, device->info.id);
  gboolean ok = TRUE;
  while (ok && debye_bench_runs_want_more(&runs)) {
    DebyeStatus status = {0};
    ok = debye_device_check(device->backend->ladder->fill_voxels(device->device, number, &subject->density,
                                                                 counts, &seconds, problem->cancel, &status),
                            &status, error);
    debye_bench_runs_note(&runs, seconds);
  }
  debye_bench_runs_end(&runs, 1.0, ok ? result : NULL);
  if (!ok)
    return FALSE;
  result->rate = debye_bench_density_count(subject) / runs.best;
  result->error =
      debye_bench_density_find_error(subject, counts, device->backend->ladder->variants[number].is_occupancy);
  debye_bench_fill_result(limits, number, 1.0, 1.0, result);
  return TRUE;
}
