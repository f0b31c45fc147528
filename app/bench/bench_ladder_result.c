/* SPDX-License-Identifier: MIT */
/* What results of all teaching variants say beside their rate; called by bench_ladder.c and bench_ladder_*.c. */
#include "bench_ladder_private.h"

void
debye_bench_fill_result(const DebyeBenchLimits *limits, gsize number, double n_points, double n_atoms,
                        DebyeBenchResult *result)
{
  const DebyeLadderVariant *variant = &limits->device->backend->ladder->variants[number];
  result->variant = g_strdup(variant->id);
  result->device = g_strdup(limits->device->info.id);
  result->operations = variant->cost.operations * result->rate;
  result->share = debye_bench_share(limits, result->operations);
  result->intensity = debye_ladder_intensity(variant, n_points, n_atoms);
  if (limits->device->backend->ladder->find_resources != NULL)
    limits->device->backend->ladder->find_resources(limits->device->device, number, &result->resources);
  if (limits->device->backend->ladder->find_times != NULL)
    limits->device->backend->ladder->find_times(limits->device->device, number, &result->times);
}

double
debye_bench_share(const DebyeBenchLimits *limits, double operations)
{
  return operations / limits->limits.operations;
}
