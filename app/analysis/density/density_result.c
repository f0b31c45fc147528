/* SPDX-License-Identifier: MIT */
/* Turns sums of voxels and bins into maps, curves and notes; called by density_analysis.c. */
#include "density_result.h"

#include <math.h>

#include "density_points.h"
#include "kernels/chunk_threads.h"
#include "kernels/host_memory.h"

#define CHUNK_VALUES 65536

typedef struct {
  const char *name, *unit; /* of the quantity, and of a density of it */
} Weight;

static const Weight weights[] = {
    [DEBYE_WEIGHT_NUMBER] = {"Number density", "Å⁻³"},
    [DEBYE_WEIGHT_OCCUPANCY] = {"Occupancy", ""},
    [DEBYE_WEIGHT_MASS] = {"Mass density", "u/Å³"},
    [DEBYE_WEIGHT_CHARGE] = {"Charge density", "e/Å³"},
    [DEBYE_WEIGHT_ELECTRONS] = {"Electron density", "Å⁻³"},
    [DEBYE_WEIGHT_Z] = {"Density of atomic numbers", "Å⁻³"},
    [DEBYE_WEIGHT_DIPOLE] = {"Dipole density", "e/Å²"},
};

static const char *
unit_of(const DebyeDensityPlan *plan)
{
  return plan->options.relative ? "" : weights[plan->options.weight].unit;
}

/* The factor from the mean of a voxel to the unit of the result. */
static double
scale_of(const DebyeDensityCounted *counted)
{
  const DebyeDensityPlan *plan = counted->plan;
  double scale = 1.0;
  if (!debye_density_plan_is_profile(plan)) {
    const DebyeVec3 *step = plan->grid.step;
    scale = 1.0 / (double)plan->n_views;
    if (plan->options.weight != DEBYE_WEIGHT_OCCUPANCY)
      scale /= fabs(debye_vec3_dot(step[0], debye_vec3_cross(step[1], step[2])));
  }
  if (plan->options.relative && counted->bulk > 0.0)
    scale *= (double)counted->statistic.n_frames / counted->bulk;
  return scale;
}

static gboolean
has_errors(const DebyeDensityCounted *counted)
{
  return counted->statistic.progress.n_whole >= 2;
}

/* --- Maps --- */

typedef struct {
  const DebyeDensityStatistic *statistic;
  double scale;
  gboolean is_error;
  gsize first, n; /* of its values */
  float *values;
} Scaling;

static void
scale_chunk(void *context, size_t chunk)
{
  const Scaling *scaling = context;
  const gsize end = MIN((chunk + 1) * CHUNK_VALUES, scaling->n);
  for (gsize i = chunk * CHUNK_VALUES; i < end; i++) {
    const gsize at = scaling->first + i;
    scaling->values[i] =
        (float)(scaling->scale * (scaling->is_error
                                      ? debye_density_statistic_get_error(scaling->statistic, at)
                                      : debye_density_statistic_get_mean(scaling->statistic, at)));
  }
}

static void
add_field(DebyeResult *result, const DebyeDensityCounted *counted, const char *name, gsize component,
          gboolean is_error)
{
  const gsize n = debye_density_plan_n_values(counted->plan);
  float *values = g_try_new(float, n);
  if (values == NULL)
    return;
  Scaling scaling = {&counted->statistic, scale_of(counted), is_error, component * n, n, values};
  debye_host_memory_prefer_large_pages(values, n * sizeof *values);
  debye_chunk_threads_run((n + CHUNK_VALUES - 1) / CHUNK_VALUES, scale_chunk, &scaling);
  g_autoptr(DebyeField) field =
      debye_field_new_take(name, &counted->plan->grid, values, unit_of(counted->plan));
  debye_result_add_field(result, field);
}

/* Without a unit the name alone says what a number is. */
static const char *const *
name_maps(const DebyeDensityPlan *plan)
{
  static const char *const plain[] = {"density", "density_error"};
  static const char *const occupancy[] = {"occupancy", "occupancy_error"};
  static const char *const relative[] = {"relative_density", "relative_density_error"};
  return plan->options.weight == DEBYE_WEIGHT_OCCUPANCY ? occupancy
         : plan->options.relative                       ? relative
                                                        : plain;
}

static void
add_maps(DebyeResult *result, const DebyeDensityCounted *counted)
{
  static const char *const vector[] = {"dipole_x",       "dipole_y",       "dipole_z",
                                       "dipole_x_error", "dipole_y_error", "dipole_z_error"};
  const gsize n = MAX(debye_density_weight_components(counted->plan->options.weight), 1);
  for (gsize i = 0; i < (has_errors(counted) ? 2 * n : n); i++)
    add_field(result, counted, n == 3 ? vector[i] : name_maps(counted->plan)[i], i % n, i >= n);
}

/* --- Profiles --- */

typedef struct {
  gsize n;
  double *position, *value, *error;
} Profile;

static void
profile_clear(Profile *profile)
{
  g_free(profile->position);
  g_free(profile->value);
  g_free(profile->error);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Profile, profile_clear)

static void
profile_init(Profile *profile, const DebyeDensityCounted *counted)
{
  const DebyeDensityPlan *plan = counted->plan;
  const double n_frames = (double)counted->statistic.n_frames, scale = scale_of(counted);
  const double length = debye_density_plan_is_along_axis(plan) ? counted->length / n_frames : 1.0;
  const double begin = debye_density_plan_is_along_axis(plan) && plan->center != NULL ? -0.5 * length : 0.0;
  profile->n = plan->n_bins;
  profile->position = g_new(double, profile->n);
  profile->value = g_new(double, profile->n);
  profile->error = g_new(double, profile->n);
  for (gsize i = 0; i < profile->n; i++) {
    const double volume = counted->volumes != NULL ? counted->volumes[i] / n_frames : 1.0;
    profile->position[i] = begin + length * plan->width * ((double)i + 0.5);
    profile->value[i] = scale * debye_density_statistic_get_mean(&counted->statistic, i) / volume;
    profile->error[i] = scale * debye_density_statistic_get_error(&counted->statistic, i) / volume;
  }
}

static void
add_profile(DebyeResult *result, const DebyeDensityCounted *counted)
{
  static const DebyeQuantity along = {"position", "z", "Å"}, by = {"position", "r", "Å"};
  static const char *const axes[] = {"x", "y", "z"};
  const DebyeDensityPlan *plan = counted->plan;
  const gboolean is_axis = debye_density_plan_is_along_axis(plan);
  DebyeQuantity x = is_axis ? along : by;
  const DebyeQuantity value = {
      "value", plan->options.relative ? "Density relative to bulk" : weights[plan->options.weight].name,
      unit_of(plan)};
  const DebyeQuantity error = {"error", NULL, unit_of(plan)};
  g_auto(Profile) profile = {0};
  if (is_axis)
    x.label = axes[plan->options.profile - DEBYE_PROFILE_X];
  profile_init(&profile, counted);
  g_autoptr(DebyeCurve) curve =
      debye_curve_new(plan->options.select, &x, &value, DEBYE_CURVE_LINE, profile.n, profile.position,
                      profile.value, has_errors(counted) ? profile.error : NULL);
  debye_result_add_curve(result, curve);
  g_autoptr(DebyeTable) table = debye_table_new("profile");
  debye_table_add_numbers(table, &x, profile.n, profile.position);
  debye_table_add_numbers(table, &value, profile.n, profile.value);
  debye_table_add_numbers(table, &error, profile.n, profile.error);
  debye_result_add_table(result, table);
}

/* --- The whole --- */

static void
add_notes(DebyeResult *result, const DebyeDensityCounted *counted)
{
  const DebyeDensityPlan *plan = counted->plan;
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  debye_frame_blocks_add_missing_note(plan->blocks, counted->statistic.progress.n_whole, result);
  if (plan->options.copies)
    debye_result_add_note(result,
                          "%" G_GSIZE_FORMAT
                          " copies of the reference are superposed; each one's own atoms are left out",
                          plan->n_views);
  if (plan->is_periodic && counted->bulk > 0.0 && plan->options.weight == DEBYE_WEIGHT_NUMBER)
    debye_result_add_note(
        result, "Mean density of these atoms in the cell: %s Å⁻³",
        g_ascii_formatd(number, sizeof number, "%.6g", counted->bulk / (double)counted->statistic.n_frames));
  if (plan->options.profile == DEBYE_PROFILE_PROXIMAL)
    debye_result_add_note(result,
                          "Volumes of the bins are estimated with points spread evenly over the cell");
  if (plan->charges.topology != NULL)
    debye_charge_choice_add_notes(&plan->charges, plan->atoms, result);
}

DebyeResult *
debye_density_result_new(const DebyeRunInput *input, const DebyeDensityCounted *counted)
{
  const DebyeDensityPlan *plan = counted->plan;
  DebyeResult *result =
      debye_result_new(input->request, plan->options.relative ? "Density relative to bulk"
                                                              : weights[plan->options.weight].name);
  if (debye_density_plan_is_profile(plan))
    add_profile(result, counted);
  else
    add_maps(result, counted);
  add_notes(result, counted);
  return result;
}
