/* SPDX-License-Identifier: MIT */
/* Runs a teaching variant of the direct sum in place of the production kernel; called by the runs of maps. */
#include "map_variant.h"

#include "data/files/error.h"

/* So many parts have a map: progress is seen and a Stop is soon done. */
#define N_PARTS 16

gboolean
debye_map_variant_check(const DebyeMapSettings *settings, const DebyePotentialSettings *potential,
                        const char **key, GError **error)
{
  const char *id = debye_map_settings_get_variant(settings);
  if (id == NULL)
    return TRUE;
  *key = "variant";
  if (potential->method != DEBYE_POTENTIAL_DIRECT)
    debye_error_set_about(error, DEBYE_ERROR_VALUE, "Variant",
                          "“%s” is a variant of the direct sum, expected method direct, found %s", id,
                          debye_potential_method_name(potential->method));
  else if (potential->periodic != DEBYE_PERIODIC_NONE)
    debye_error_set_about(error, DEBYE_ERROR_VALUE, "Variant",
                          "“%s” sums an open system, expected periodic none, found %s", id,
                          debye_map_periodic_name(settings->periodic));
  else if (potential->double_precision)
    debye_error_set_about(error, DEBYE_ERROR_VALUE, "Variant",
                          "“%s” sums in single precision, expected precision single, found double", id);
  else
    *key = NULL;
  return *key == NULL;
}

/* "on cpu: grid-outer, atom-outer …; on cuda:0: scatter …" */
static char *
list_variants(const DebyeDeviceEntry *const *devices, gsize n_devices)
{
  GString *text = g_string_new(NULL);
  for (gsize i = 0; i < n_devices; i++) {
    const DebyeLadderKernel *ladder = devices[i]->backend->ladder;
    gsize n_variants = ladder != NULL ? ladder->n_variants : 0;
    g_string_append_printf(text, "%son %s:", i > 0 ? "; " : "", devices[i]->info.id);
    for (gsize variant = 0; variant < n_variants; variant++)
      if (ladder->variants[variant].kind == DEBYE_LADDER_MAP)
        g_string_append_printf(text, " %s", ladder->variants[variant].id);
  }
  return g_string_free(text, FALSE);
}

gboolean
debye_map_variant_choose(DebyeMapVariant *self, const DebyeMapSettings *settings,
                         const DebyeDeviceEntry *const *devices, gsize n_devices, GError **error)
{
  const char *id = debye_map_settings_get_variant(settings);
  *self = (DebyeMapVariant){0};
  if (id == NULL)
    return TRUE;
  for (gsize i = 0; i < n_devices; i++) {
    const DebyeLadderKernel *ladder = devices[i]->backend->ladder;
    gsize number = ladder != NULL ? debye_ladder_find(ladder, id) : 0;
    if (ladder != NULL && number < ladder->n_variants && ladder->variants[number].kind == DEBYE_LADDER_MAP) {
      *self = (DebyeMapVariant){devices[i], number};
      return TRUE;
    }
  }
  g_autofree char *there = list_variants(devices, n_devices);
  return debye_error_set_about(error, DEBYE_ERROR_VALUE, "Variant",
                               "none of the chosen devices has “%s”, expected one of those %s", id, there);
}

DebyeStatusCode
debye_map_variant_execute(const DebyeMapVariant *self, const DebyePotentialSettings *potential,
                          const DebyeCharges *charges, float *map, const volatile bool *cancel,
                          DebyePotentialProgress progress, gpointer data, DebyeLaneReport *report,
                          DebyeStatus *status)
{
  const DebyeGrid *grid = &potential->grid;
  const gsize plane = grid->shape[0] * grid->shape[1], n_planes = grid->shape[2];
  const gsize step = (n_planes + N_PARTS - 1) / N_PARTS;
  DebyeStatusCode code = DEBYE_STATUS_OK;
  *report = (DebyeLaneReport){0};
  g_strlcpy(report->device, self->device->info.name, sizeof report->device);
  g_strlcpy(report->id, self->device->info.id, sizeof report->id);
  for (gsize first = 0; first < n_planes && code == DEBYE_STATUS_OK; first += step) {
    const DebyeSlab slab = {first, MIN(step, n_planes - first)};
    DebyeLadderProblem problem = {.grid = *grid, .charges = *charges, .core_radius = potential->core_radius};
    double seconds = 0.0;
    problem.grid.origin = debye_grid_point(grid, 0.0, 0.0, (double)first);
    problem.grid.shape[2] = slab.count;
    code = self->device->backend->ladder->run(self->device->device, self->number, &problem,
                                              map + first * plane, &seconds, cancel, status);
    if (code != DEBYE_STATUS_OK)
      break;
    report->items_done++;
    report->busy_seconds += seconds;
    progress(data, slab, (first + slab.count) * plane, n_planes * plane);
  }
  return code;
}

void
debye_map_variant_add_note(const DebyeMapVariant *self, DebyeResult *result)
{
  if (self->device == NULL)
    return;
  const DebyeLadderVariant *variant = &self->device->backend->ladder->variants[self->number];
  debye_result_add_note(result, "Teaching variant: %s on %s. %s", variant->title, self->device->info.id,
                        variant->lesson);
}
