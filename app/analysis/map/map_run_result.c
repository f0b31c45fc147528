/* SPDX-License-Identifier: MIT */
/* What both ways over the frames of a map use, map_run_slabs.c and map_run_series.c: the charges for the kernel, and the
 * result with its notes. */
#include "data/files/error.h"
#include "map_notes.h"
#include "map_result.h"
#include "map_run_private.h"

gboolean
debye_map_run_set_memory_error(GError **error)
{
  return debye_error_set_about(error, DEBYE_ERROR_MEMORY, "Grid spacing",
                               "no memory for a map of this many points");
}

DebyePotentialSettings
debye_map_run_get_potential(const DebyeMapRun *run)
{
  DebyePotentialSettings settings = run->plan->potential;
  /* A selection that follows the atoms may choose more of them in a later frame. */
  settings.max_charges = debye_topology_get_n_atoms(run->plan->topology);
  settings.packed = run->frames.packed;
  settings.packed_charge = run->frames.packed_charge;
  return settings;
}

static void
add_poisson(const DebyeMapPoisson *poisson, DebyeResult *result)
{
  GListModel *maps = debye_result_get_fields(result);
  for (guint i = 0; i < g_list_model_get_n_items(maps); i++) {
    g_autoptr(DebyeField) map = g_list_model_get_item(maps, i);
    debye_map_poisson_mark(poisson, map);
  }
  debye_map_poisson_add_notes(poisson, result);
}

DebyeResult *
debye_map_run_make_result(const DebyeMapRun *run, const DebyeFrameRun *frames, float *values,
                          const char *items)
{
  if (values == NULL)
    return NULL;
  DebyeResult *result = debye_map_result_new(run->input, run->plan, frames->n_done, values);
  if (!frames->is_over)
    return result;
  if (run->plan->blocks.n_blocks > 0 && run->accumulator != NULL)
    debye_map_result_add_error(result, run->plan, run->accumulator);
  debye_map_notes_add_plan(result, run->plan);
  debye_map_variant_add_note(&run->variant, result);
  debye_map_notes_add_bins(result, run->plan, run->devices, run->n_devices);
  if (run->poisson != NULL)
    add_poisson(run->poisson, result);
  debye_map_notes_add_frames(result, run->plan, frames);
  debye_lane_totals_add_notes(&run->lanes, run->input->registry, items, result);
  return result;
}
