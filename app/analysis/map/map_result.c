/* SPDX-License-Identifier: MIT */
/* Makes the result of a map, complete or partial; called by the runs of maps. */
#include "map_result.h"

#include "app/analysis/driver/charge_weights.h"
#include "app/analysis/driver/potential_unit.h"
#include "data/messages/message.h"
#include "kernels/chunk_threads.h"
#include "kernels/host_memory.h"
#include "map_effective_settings.h"
#include "map_method.h"
#include "map_solvent.h"

/* One core alone takes as long for a map of 10 million points as a GPU for a frame. */
#define CHUNK_POINTS 65536

static gboolean
is_reaction(const DebyeMapPlan *plan)
{
  return debye_map_is_poisson(&plan->settings) && plan->settings.reaction;
}

static char *
make_title(const DebyeMapPlan *plan, gsize n_frames_done)
{
  static const char *const words[] = {N_("mean"), N_("minimum"), N_("maximum"), N_("standard deviation")};
  /* None is done: a part of the first. */
  if (plan->frames.n_frames == 1 || n_frames_done == 0)
    return g_strdup(is_reaction(plan) ? N_("Reaction field of the solvent") : N_("Electrostatic potential"));
  if (is_reaction(plan))
    return debye_message_new("Reaction field of the solvent, %s of %" G_GSIZE_FORMAT " frames",
                             words[plan->settings.statistic], n_frames_done);
  return debye_message_new("Electrostatic potential, %s of %" G_GSIZE_FORMAT " frames",
                           words[plan->settings.statistic], n_frames_done);
}

DebyeResult *
debye_map_result_new(const DebyeRunInput *input, const DebyeMapPlan *plan, gsize n_frames_done, float *values)
{
  g_autoptr(DebyeRequest) complete = debye_request_copy(input->request);
  g_autofree char *title = make_title(plan, n_frames_done);
  const char *name = is_reaction(plan) ? N_("reaction_field") : N_("potential");
  g_autoptr(DebyeField) field = debye_field_new_take(name, &plan->potential.grid, values,
                                                     debye_potential_unit_name(plan->settings.unit));
  g_autofree char *medium = debye_map_method_describe_medium(&plan->settings);
  debye_field_set_medium(field, medium);
  debye_field_set_kind(field, is_reaction(plan) ? DEBYE_FIELD_ANY : DEBYE_FIELD_POTENTIAL);
  debye_map_set_effective_settings(complete, plan);
  DebyeResult *result = debye_result_new(complete, title);
  debye_result_add_field(result, field);
  debye_charge_weights_add(&plan->charges, plan->atoms, result);
  return result;
}

void
debye_map_result_add_error(DebyeResult *result, const DebyeMapPlan *plan,
                           const DebyeMapAccumulator *accumulator)
{
  const DebyeFrameBlocksProgress *progress = debye_map_accumulator_get_blocks(accumulator);
  debye_frame_blocks_add_missing_note(progress->blocks, progress->n_whole, result);
  g_autofree float *values = g_try_new(float, debye_grid_n_points(&plan->potential.grid));
  if (progress->n_whole < 2 || values == NULL)
    return;
  debye_map_accumulator_get_error(accumulator, plan->scale, values);
  g_autoptr(DebyeField) field =
      debye_field_new_of_kind(DEBYE_FIELD_POTENTIAL_ERROR, &plan->potential.grid, g_steal_pointer(&values),
                              debye_potential_unit_name(plan->settings.unit));
  g_autofree char *medium = debye_map_method_describe_medium(&plan->settings);
  debye_field_set_medium(field, medium);
  debye_result_add_field(result, field);
  g_autoptr(GString) length = g_string_new(NULL);
  g_string_append_printf(length, "%" G_GSIZE_FORMAT, progress->shortest);
  if (progress->longest > progress->shortest)
    g_string_append_printf(length, "–%" G_GSIZE_FORMAT, progress->longest);
  debye_result_add_note(
      result, "Standard error of the mean from %" G_GSIZE_FORMAT " blocks of %s frames: potential_error",
      progress->n_whole, length->str);
}

float *
debye_map_result_new_values(gsize n_points)
{
  float *values = g_try_new(float, n_points);
  debye_host_memory_prefer_large_pages(values, n_points * sizeof *values);
  return values;
}

typedef struct {
  const float *single;
  const double *twice; /* or these */
  double scale;
  gsize n;
  float *values;
} Scaling;

static void
scale_chunk(void *context, size_t chunk)
{
  const Scaling *scaling = context;
  const gsize end = MIN((chunk + 1) * CHUNK_POINTS, scaling->n);
  for (gsize i = chunk * CHUNK_POINTS; i < end; i++)
    scaling->values[i] =
        (float)((scaling->twice != NULL ? scaling->twice[i] : (double)scaling->single[i]) * scaling->scale);
}

float *
debye_map_result_scale(const DebyeMapPlan *plan, const float *single, const double *twice)
{
  const gsize n = debye_grid_n_points(&plan->potential.grid);
  Scaling scaling = {single, twice, plan->scale, n, debye_map_result_new_values(n)};
  if (scaling.values != NULL)
    debye_chunk_threads_run((n + CHUNK_POINTS - 1) / CHUNK_POINTS, scale_chunk, &scaling);
  return scaling.values;
}

float *
debye_map_result_scale_statistic(const DebyeMapPlan *plan, const DebyeMapAccumulator *accumulator)
{
  float *values = debye_map_result_new_values(debye_grid_n_points(&plan->potential.grid));
  if (values != NULL)
    debye_map_accumulator_get(accumulator, plan->scale, values);
  return values;
}
