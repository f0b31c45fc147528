/* SPDX-License-Identifier: MIT */
/* Makes S(hkl) a map; called by scattering_method.c and scattering_result.c. */
#include "scattering_volume.h"

#include <math.h>

#include "data/files/error.h"
#include "kernels/scattering/scattering_lattice.h"
#include "app/analysis/scattering/system/scattering_norm.h"
#include "scattering_sums.h"

struct _DebyeScatteringVolume {
  const DebyeScatteringPlan *plan; /* borrowed */
  unsigned extent[3];
  gsize n_values, n_frames;
  double *values; /* a half array: Σ over frames and pairs, weighted */
};

DebyeScatteringVolume *
debye_scattering_volume_new(const DebyeScatteringPlan *plan, const unsigned extent[3], GError **error)
{
  DebyeScatteringVolume *volume = g_new0(DebyeScatteringVolume, 1);
  volume->plan = plan;
  for (guint k = 0; k < 3; k++)
    volume->extent[k] = extent[k];
  volume->n_values = debye_lattice_n_values(extent);
  volume->values = g_try_new0(double, volume->n_values);
  if (volume->values != NULL)
    return volume;
  debye_error_set_about(error, DEBYE_ERROR_MEMORY, "S(hkl) as a volume",
                        "no memory for %" G_GSIZE_FORMAT " values", volume->n_values);
  g_free(volume);
  return NULL;
}

void
debye_scattering_volume_free(DebyeScatteringVolume *volume)
{
  g_free(volume->values);
  g_free(volume);
}

/* w_a w_b* of a pair in both orders. */
static double
pair_weight(const DebyeScatteringPlan *plan, guint a, guint b, double q)
{
  double complex first = debye_scatterers_coherent(&plan->scatterers, a, q);
  double complex second = debye_scatterers_coherent(&plan->scatterers, b, q);
  return (a == b ? 1.0 : 2.0) * creal(first * conj(second));
}

static double
weigh_point(const DebyeScatteringVolume *volume, const double *sums, gsize place, double q)
{
  guint n_species = volume->plan->scatterers.species->len;
  double sum = 0.0;
  for (guint a = 0; a < n_species; a++)
    for (guint b = a; b < n_species; b++)
      sum += pair_weight(volume->plan, a, b, q) *
             sums[debye_scattering_pair(n_species, a, b) * volume->n_values + place];
  return sum;
}

void
debye_scattering_volume_add(DebyeScatteringVolume *volume, const double *sums, gsize n_frames)
{
  const int h_max = (int)volume->extent[0], k_max = (int)volume->extent[1], l_max = (int)volume->extent[2];
  const DebyeCell *cell = &volume->plan->frames.first->cell;
  for (int l = -l_max; l <= l_max; l++)
    for (int k = -k_max; k <= k_max; k++)
      for (int h = 0; h <= h_max; h++) {
        gsize place = debye_lattice_index(volume->extent, h, k, l);
        double q = debye_vec3_length(debye_reciprocal_vector(cell, (const int[3]){h, k, l}));
        volume->values[place] += weigh_point(volume, sums, place, q);
      }
  volume->n_frames += n_frames;
}

void
debye_scattering_volume_list_state(DebyeScatteringVolume *volume, DebyeFrameState *state)
{
  debye_frame_state_add(state, "volume", DEBYE_STATE_SUM, volume->values, volume->n_values);
  debye_frame_state_add_counts(state, "volume_frames", DEBYE_STATE_SUM, (guint64 *)&volume->n_frames, 1);
}

static double
get_sum(const DebyeScatteringVolume *volume, int h, int k, int l)
{
  const int sign = h < 0 ? -1 : 1;
  return volume->values[debye_lattice_index(volume->extent, sign * h, sign * k, sign * l)];
}

static double
get_value(const DebyeScatteringVolume *volume, double cell_volume, int h, int k, int l)
{
  const DebyeCell *cell = &volume->plan->frames.first->cell;
  const double q = debye_vec3_length(debye_reciprocal_vector(cell, (const int[3]){h, k, l}));
  const DebyeScatteringScale scale =
      debye_scattering_scale(volume->plan, DEBYE_SCATTERING_COHERENT, cell_volume, NAN, q);
  return scale.factor * get_sum(volume, h, k, l) / (double)MAX(volume->n_frames, 1) + scale.offset;
}

/* The forward beam, which is as bright as all atoms together and no structure, would hide all else. */
static double
get_middle(const DebyeScatteringVolume *volume, double cell_volume)
{
  /* The opposite ones are the same. */
  return (get_value(volume, cell_volume, 1, 0, 0) + get_value(volume, cell_volume, 0, 1, 0) +
          get_value(volume, cell_volume, 0, 0, 1)) /
         3.0;
}

DebyeField *
debye_scattering_volume_make_field(const DebyeScatteringVolume *volume, double cell_volume)
{
  const DebyeCell *cell = &volume->plan->frames.first->cell;
  const int h_max = (int)volume->extent[0], k_max = (int)volume->extent[1], l_max = (int)volume->extent[2];
  DebyeGrid grid = {.origin = debye_reciprocal_vector(cell, (const int[3]){-h_max, -k_max, -l_max})};
  for (int axis = 0; axis < 3; axis++) {
    grid.step[axis] = debye_reciprocal_vector(cell, (const int[3]){axis == 0, axis == 1, axis == 2});
    grid.shape[axis] = 2 * (gsize)volume->extent[axis] + 1;
  }
  float *values = g_new(float, grid.shape[0] * grid.shape[1] * grid.shape[2]), *at = values;
  for (int l = -l_max; l <= l_max; l++)
    for (int k = -k_max; k <= k_max; k++)
      for (int h = -h_max; h <= h_max; h++)
        *at++ = (float)(h == 0 && k == 0 && l == 0 ? get_middle(volume, cell_volume)
                                                   : get_value(volume, cell_volume, h, k, l));
  const char *unit = debye_scattering_quantity(volume->plan).unit;
  DebyeField *field = debye_field_new_take("S(hkl)", &grid, values, unit);
  debye_field_set_length_unit(field, "Å⁻¹");
  return field;
}
