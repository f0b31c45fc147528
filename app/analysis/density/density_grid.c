/* SPDX-License-Identifier: MIT */
/* Lays the voxels of maps and the bins of profiles; called by density_plan.c. */
#include <math.h>

#include "data/files/error.h"
#include "data/molecule/periodic.h"
#include "density_plan.h"

#define MAX_VOXELS 2e6         /* of a suggested grid … */
#define LEAST_COUNTS 1.5       /* … and points in each of its voxels, over all frames */
#define MOST_VOXELS 2147483647 /* that can be asked for */
#define USUAL_BINS 100
#define USUAL_MAX 15.0  /* Å */
#define USUAL_WIDTH 0.1 /* Å, of bins by distance */
#define MAX_BINS 1000000
#define FILE_ROUNDING 1e-3 /* of a cell vector, in a map's file */

double
debye_density_cell_height(const DebyeCell *cell, int k)
{
  const DebyeVec3 v[3] = {cell->a, cell->b, cell->c};
  return fabs(debye_cell_volume(cell)) / debye_vec3_length(debye_vec3_cross(v[(k + 1) % 3], v[(k + 2) % 3]));
}

static void
suggest_spacing(DebyeDensityPlan *plan, double spacing)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  if (!isnan(plan->options.spacing))
    return;
  plan->options.spacing = spacing;
  debye_request_set(plan->request, "spacing", g_ascii_formatd(number, sizeof number, "%g", spacing), NULL);
}

/* The finest of some round numbers with which so large a volume takes a moment, and voxels hold more than noise. */
static double
spacing_for(const DebyeDensityPlan *plan, double volume)
{
  const double counts = (double)plan->max_points * (double)plan->frames.n_frames * (double)plan->n_views;
  const double least = LEAST_COUNTS * (plan->volume > 0.0 ? plan->volume : volume) / MAX(counts, 1.0);
  static const double steps[] = {0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.5, 10.0, 20.0, 50.0};
  for (gsize i = 0; i < G_N_ELEMENTS(steps); i++)
    if (volume <= MAX_VOXELS * steps[i] * steps[i] * steps[i] && least <= steps[i] * steps[i] * steps[i])
      return steps[i];
  return steps[G_N_ELEMENTS(steps) - 1];
}

/* --- Bins --- */

/* "40" or "40,40,60": how many numbers; 0 with an error. */
static gsize
parse_bins(const char *text, gsize *bins, GError **error)
{
  g_auto(GStrv) words = g_strsplit(text, ",", -1);
  const gsize n = g_strv_length(words);
  for (gsize i = 0; i < n && (n == 1 || n == 3); i++) {
    guint64 value;
    if (!g_ascii_string_to_unsigned(g_strstrip(words[i]), 10, 1, MAX_BINS, &value, NULL))
      break;
    bins[i] = (gsize)value;
    if (i + 1 == n)
      return n;
  }
  debye_error_set(error, DEBYE_ERROR_VALUE, "Bins: expected N or N,N,N, each from 1 to %d, found “%s”",
                  MAX_BINS, text);
  return 0;
}

/* Of a map: one number holds for all three vectors. */
static gboolean
parse_shape(const char *text, gsize shape[3], GError **error)
{
  const gsize n = parse_bins(text, shape, error);
  if (n == 1)
    shape[1] = shape[2] = shape[0];
  return n > 0;
}

static gboolean
lay_fractions(DebyeDensityPlan *plan, GError **error)
{
  const DebyeCell *cell = &plan->frames.first->cell;
  const DebyeVec3 vectors[3] = {cell->a, cell->b, cell->c};
  if (!parse_shape(plan->options.bins, plan->grid.shape, error))
    return FALSE;
  plan->placing = DEBYE_DENSITY_FRACTIONS;
  plan->grid.origin = plan->frames.first->cell_origin;
  for (int k = 0; k < 3; k++)
    plan->grid.step[k] = debye_vec3_scale(vectors[k], 1.0 / (double)plan->grid.shape[k]);
  return TRUE;
}

DebyeVec3
debye_density_plan_get_corner(const DebyeDensityPlan *plan)
{
  DebyeVec3 corner = plan->grid.origin;
  for (int k = 0; k < 3; k++)
    corner = debye_vec3_subtract(corner, debye_vec3_scale(plan->grid.step[k], 0.5));
  return corner;
}

gboolean
debye_density_plan_check_bins(const DebyeDensityPlan *plan, const char **key, GError **error)
{
  const DebyeFrame *first = plan->frames.first;
  const DebyeVec3 vectors[3] = {first->cell.a, first->cell.b, first->cell.c};
  const DebyeVec3 off = debye_vec3_subtract(debye_density_plan_get_corner(plan), first->cell_origin);
  gsize shape[3];
  *key = "bins";
  if (!parse_shape(plan->options.bins, shape, error))
    return FALSE;
  gboolean is_alike = TRUE;
  for (int k = 0; k < 3; k++) {
    const DebyeVec3 edge = debye_vec3_scale(plan->grid.step[k], (double)plan->grid.shape[k]);
    const double rounding = FILE_ROUNDING * debye_vec3_length(vectors[k]);
    is_alike = is_alike && plan->grid.shape[k] == shape[k] && debye_vec3_length(off) <= rounding &&
               debye_vec3_length(debye_vec3_subtract(edge, vectors[k])) <= rounding;
  }
  return is_alike ||
         debye_error_set(error, DEBYE_ERROR_MISMATCH,
                         "Blobs of map: the map isn't of %s bins of the cell. Leave out --bins, or give the "
                         "number that it was made with",
                         plan->options.bins);
}

/* --- Voxels of a fixed size --- */

static void
lay_cell(DebyeDensityPlan *plan)
{
  const DebyeCell *cell = &plan->frames.first->cell;
  const DebyeVec3 vectors[3] = {cell->a, cell->b, cell->c};
  suggest_spacing(plan, spacing_for(plan, plan->volume));
  plan->grid.origin = plan->frames.first->cell_origin;
  for (int k = 0; k < 3; k++) {
    const double n = fmax(1.0, rint(debye_vec3_length(vectors[k]) / plan->options.spacing));
    plan->grid.shape[k] = (gsize)fmin(n, MAX_BINS);
    plan->grid.step[k] = debye_vec3_scale(vectors[k], 1.0 / (double)plan->grid.shape[k]);
  }
}

/* Upright, around the reference or the atoms, or where one said: points are centres of voxels, so the corner is half a step
 * before the first. */
static void
lay_upright(DebyeDensityPlan *plan, DebyeVec3 low, DebyeVec3 high)
{
  const DebyeDensityOptions *options = &plan->options;
  const double padding = options->padding;
  const double extent[3] = {high.x - low.x + 2.0 * padding, high.y - low.y + 2.0 * padding,
                            high.z - low.z + 2.0 * padding};
  suggest_spacing(plan, spacing_for(plan, extent[0] * extent[1] * extent[2]));
  const double h = options->spacing;
  const double middle[3] = {0.5 * (low.x + high.x), 0.5 * (low.y + high.y), 0.5 * (low.z + high.z)};
  double corner[3];
  for (int k = 0; k < 3; k++) {
    const double n = fmin(fmax(ceil(extent[k] / h - 1e-9), 1.0), MAX_BINS);
    plan->grid.shape[k] = options->has_shape ? options->shape[k] : (gsize)n;
    corner[k] = middle[k] - 0.5 * h * (double)plan->grid.shape[k];
  }
  plan->grid.step[0] = debye_vec3(h, 0.0, 0.0);
  plan->grid.step[1] = debye_vec3(0.0, h, 0.0);
  plan->grid.step[2] = debye_vec3(0.0, 0.0, h);
  plan->grid.origin = debye_vec3(corner[0], corner[1], corner[2]);
}

static gboolean
lay_places(DebyeDensityPlan *plan, GError **error)
{
  const DebyeDensityOptions *options = &plan->options;
  const gboolean has_reference = plan->reference.n_copies > 0;
  const gboolean is_free = !options->has_origin && !options->has_shape && !options->has_padding;
  DebyeVec3 low, high;
  plan->placing = !plan->is_periodic                      ? DEBYE_DENSITY_OPEN
                  : has_reference || plan->center != NULL ? DEBYE_DENSITY_NEAREST
                                                          : DEBYE_DENSITY_PARALLEL;
  if (plan->is_periodic && !has_reference && is_free) {
    plan->placing = DEBYE_DENSITY_PARALLEL;
    lay_cell(plan);
    return TRUE;
  }
  const gboolean is_known =
      has_reference ? debye_frame_get_bounds(plan->reference.model, NULL, plan->reference.n_each, &low, &high)
                    : debye_frame_get_bounds(plan->frames.first, (const guint32 *)plan->atoms->data,
                                             plan->atoms->len, &low, &high);
  if (!is_known)
    return debye_error_set(error, DEBYE_ERROR_VALUE,
                           "%s: none of the chosen atoms has finite coordinates in frame %" G_GSIZE_FORMAT,
                           has_reference ? "Reference" : "Atoms", plan->frames.first->index);
  lay_upright(plan, low, high);
  return TRUE;
}

static gboolean
lay_map(DebyeDensityPlan *plan, const char **key, GError **error)
{
  const gboolean has_bins = debye_density_is_asked(plan->options.bins);
  *key = has_bins ? "bins" : "about";
  if (has_bins ? !lay_fractions(plan, error) : !lay_places(plan, error))
    return FALSE;
  /* The grid's points are the centres. */
  for (int k = 0; k < 3; k++)
    plan->grid.origin = debye_vec3_add(plan->grid.origin, debye_vec3_scale(plan->grid.step[k], 0.5));
  if (plan->options.has_origin && !has_bins)
    plan->grid.origin = plan->options.origin;
  const double count =
      (double)plan->grid.shape[0] * (double)plan->grid.shape[1] * (double)plan->grid.shape[2];
  *key = plan->options.has_shape ? "shape" : has_bins ? "bins" : "spacing";
  if (count > MOST_VOXELS)
    return debye_error_set(error, DEBYE_ERROR_VALUE,
                           "Grid spacing: %" G_GSIZE_FORMAT "×%" G_GSIZE_FORMAT "×%" G_GSIZE_FORMAT
                           " voxels are too many, at most %d are counted",
                           plan->grid.shape[0], plan->grid.shape[1], plan->grid.shape[2], MOST_VOXELS);
  *key = "gaussian";
  if (!isnan(plan->options.gaussian)) {
    double longest = 0.0;
    char asked[G_ASCII_DTOSTR_BUF_SIZE], edge[G_ASCII_DTOSTR_BUF_SIZE];
    for (int k = 0; k < 3; k++)
      longest = fmax(longest, debye_vec3_length(plan->grid.step[k]));
    if (plan->options.gaussian < longest * (1.0 - 1e-6))
      return debye_error_set(error, DEBYE_ERROR_VALUE,
                             "Gaussian width: expected at least the edge of a voxel, %s Å, found %s Å",
                             g_ascii_formatd(edge, sizeof edge, "%.4g", longest),
                             g_ascii_formatd(asked, sizeof asked, "%g", plan->options.gaussian));
  }
  *key = NULL;
  return TRUE;
}

/* --- Profiles --- */

static double
suggest_max(const DebyeDensityPlan *plan)
{
  if (!plan->is_periodic)
    return USUAL_MAX;
  const DebyeCell *cell = &plan->frames.first->cell;
  const double width = fmin(debye_density_cell_height(cell, 0),
                            fmin(debye_density_cell_height(cell, 1), debye_density_cell_height(cell, 2)));
  return fmax(0.1, fmin(USUAL_MAX, floor(5.0 * width) / 10.0));
}

static gboolean
lay_profile(DebyeDensityPlan *plan, const char **key, GError **error)
{
  const DebyeDensityOptions *options = &plan->options;
  const gboolean is_axis = debye_density_plan_is_along_axis(plan);
  const int axis = (int)options->profile - (int)DEBYE_PROFILE_X;
  gsize bins[3];
  double length;
  *key = "bins";
  if (is_axis)
    length = debye_density_cell_height(&plan->frames.first->cell, axis);
  else
    length = isnan(options->max) ? suggest_max(plan) : options->max;
  if (debye_density_is_asked(options->bins)) {
    const gsize n = parse_bins(options->bins, bins, error);
    if (n == 0)
      return FALSE;
    plan->n_bins = bins[is_axis && n == 3 ? axis : 0];
  } else {
    *key = "spacing";
    suggest_spacing(plan, is_axis ? length / USUAL_BINS : USUAL_WIDTH);
    const double n = is_axis ? rint(length / options->spacing) : ceil(length / options->spacing - 1e-9);
    if (!(n <= MAX_BINS))
      return debye_error_set(error, DEBYE_ERROR_VALUE,
                             "Grid spacing: %.0f bins are too many, at most %d are possible", n, MAX_BINS);
    plan->n_bins = (gsize)fmax(n, 1.0);
    if (!is_axis)
      length = options->spacing * (double)plan->n_bins;
  }
  plan->width = (is_axis ? 1.0 : length) / (double)plan->n_bins;
  *key = NULL;
  return TRUE;
}

gboolean
debye_density_plan_lay(DebyeDensityPlan *plan, const char **key, GError **error)
{
  return debye_density_plan_is_profile(plan) ? lay_profile(plan, key, error) : lay_map(plan, key, error);
}
