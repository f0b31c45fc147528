/* SPDX-License-Identifier: MIT */
/* Plans densities from a request; called by density_analysis.c. */
#include "density_plan.h"

#include <math.h>

#include "app/analysis/driver/memory_size.h"
#include "data/files/error.h"
#include "density_points.h"
#include "density_regions.h"
#include "density_statistic.h"
#include "kernels/host_memory.h"

/* Bytes of each voxel beside its statistic: a lane's grid, values and sums, the map and its error twice. */
#define VOXEL_BYTES 40

void
debye_density_plan_clear(gpointer own)
{
  DebyeDensityPlan *plan = own;
  g_clear_object(&plan->request);
  debye_charge_choice_clear(&plan->charges);
  debye_frame_choice_clear(&plan->frames);
  g_clear_pointer(&plan->selection, debye_selection_unref);
  g_clear_pointer(&plan->atoms, g_array_unref);
  g_clear_pointer(&plan->about, g_array_unref);
  g_clear_pointer(&plan->center, g_array_unref);
  debye_density_reference_clear(&plan->reference);
  g_clear_object(&plan->map);
  g_clear_pointer(&plan->blob, g_free);
}

gsize
debye_density_plan_n_values(const DebyeDensityPlan *plan)
{
  return debye_density_plan_is_profile(plan)
             ? plan->n_bins
             : plan->grid.shape[0] * plan->grid.shape[1] * plan->grid.shape[2];
}

gboolean
debye_density_look(DebyeDensityPlan *plan, const DebyeFrame *frame, DebyeDensityView *views, GError **error)
{
  DebyeVec3 middle = debye_density_plan_get_corner(plan);
  if (plan->reference.n_copies > 0)
    return debye_density_reference_look(&plan->reference, frame, views, error);
  for (int k = 0; k < 3; k++)
    middle = debye_vec3_add(middle, debye_vec3_scale(plan->grid.step[k], 0.5 * (double)plan->grid.shape[k]));
  DebyeVec3 from =
      plan->center != NULL ? debye_density_find_center(plan->topology, plan->center, frame) : middle;
  if (plan->placing == DEBYE_DENSITY_FRACTIONS) {
    const DebyeCell *cell = &frame->cell;
    const DebyeVec3 half = debye_vec3_scale(debye_vec3_add(cell->a, debye_vec3_add(cell->b, cell->c)), 0.5);
    from = plan->center != NULL ? debye_vec3_subtract(from, half) : frame->cell_origin;
  }
  debye_density_view_init(views, from, middle);
  return TRUE;
}

/* --- What contradicts --- */

typedef struct {
  gboolean is_wrong;
  const char *key, *sentence;
} Contradiction;

static gboolean
check_options(const DebyeDensityPlan *plan, const char **key, GError **error)
{
  const DebyeDensityOptions *options = &plan->options;
  const gboolean has_about = debye_density_is_asked(options->about);
  const gboolean has_center = debye_density_is_asked(options->center);
  const gboolean has_bins = debye_density_is_asked(options->bins);
  const gboolean is_profile = debye_density_plan_is_profile(plan),
                 is_axis = debye_density_plan_is_along_axis(plan);
  const gboolean is_plain = options->weight == DEBYE_WEIGHT_OCCUPANCY ||
                            options->weight == DEBYE_WEIGHT_CHARGE || options->weight == DEBYE_WEIGHT_DIPOLE;
  const Contradiction all[] = {
      {options->copies && !has_about, "copies",
       N_("Each residue is a reference: expected a reference (--about), found none")},
      {is_profile && options->copies, "copies",
       N_("Each residue is a reference: a profile has one reference")},
      {is_profile && !is_axis && !has_about && !has_center, "about",
       N_("Reference: a profile by distance needs atoms to measure from (--about), found none")},
      {!is_profile && has_about && has_center, "center",
       N_("Centre: expected a reference or a centre, found both")},
      {!is_profile && has_about && has_bins, "bins",
       N_("Bins: fractions of the cell don't turn with a reference, expected a spacing")},
      {is_axis && has_about, "about",
       N_("Reference: a profile along an axis is centred by --center, not by --about")},
      {options->symmetrise && !is_axis, "symmetrise", N_("Symmetrise: expected a profile along an axis")},
      {is_profile && (options->weight == DEBYE_WEIGHT_OCCUPANCY || options->weight == DEBYE_WEIGHT_DIPOLE),
       "weight",
       N_("Density of: occupancies and dipoles apply to maps, expected another weight for a profile")},
      {!isnan(options->gaussian) && (is_profile || options->weight == DEBYE_WEIGHT_OCCUPANCY), "gaussian",
       N_("Gaussian width: occupancies and profiles are counted exactly")},
      {options->relative && is_plain, "relative",
       N_("Relative to bulk: occupancies, charges and dipoles have no bulk density to divide by")},
      {options->has_blob_at && !debye_density_is_asked(options->blobs), "blob-at",
       N_("Position of blob: expected a map that has the blob (--blobs), found none")},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(all); i++)
    if (all[i].is_wrong) {
      *key = all[i].key;
      return debye_error_set(error, DEBYE_ERROR_SETTING, "%s", all[i].sentence);
    }
  return TRUE;
}

static gboolean
check_cell(const DebyeDensityPlan *plan, const char **key, GError **error)
{
  const DebyeDensityOptions *options = &plan->options;
  const char *what = NULL;
  if (plan->is_periodic)
    return TRUE;
  if (debye_density_plan_is_along_axis(plan) || options->profile == DEBYE_PROFILE_AXIAL) {
    *key = "profile";
    what = "Profile";
  } else if (!debye_density_plan_is_profile(plan) && debye_density_is_asked(options->bins)) {
    *key = "bins";
    what = "Bins";
  } else if (options->relative || options->profile == DEBYE_PROFILE_PROXIMAL) {
    *key = options->relative ? "relative" : "profile";
    what = options->relative ? "Relative to bulk" : "Profile";
  }
  return what == NULL || debye_error_set(error, DEBYE_ERROR_MISSING,
                                         "%s: frame %" G_GSIZE_FORMAT " has no cell, expected one (--cell)",
                                         what, plan->frames.first->index);
}

/* An axis along z repeats itself only in a cell that stands upright. */
static gboolean
check_upright(const DebyeDensityPlan *plan, const char **key, GError **error)
{
  const DebyeCell *cell = &plan->frames.first->cell;
  const double skew = fabs(cell->a.z) + fabs(cell->b.z) + fabs(cell->c.x) + fabs(cell->c.y);
  if (plan->options.profile != DEBYE_PROFILE_AXIAL || skew < 1e-3)
    return TRUE;
  *key = "profile";
  return debye_error_set(
      error, DEBYE_ERROR_SETTING,
      "Profile: the cell's third vector isn't along z, expected so for a profile about an axis");
}

/* --- Atoms --- */

/* One that must be the same in all frames, or (`selection` wanted) may follow positions. */
static GArray *
choose(const DebyeDensityPlan *plan, const char *label, const char *text, DebyeSelection **kept,
       GError **error)
{
  g_autoptr(DebyeSelection) selection = debye_selection_parse(text, NULL, error);
  if (selection == NULL)
    return NULL;
  if (kept == NULL && debye_selection_is_dynamic(selection)) {
    debye_error_set(error, DEBYE_ERROR_SELECTION,
                    "%s: the selection “%s” depends on positions and may choose nothing in some frames, "
                    "expected the same atoms in all of them",
                    label, text);
    return NULL;
  }
  g_autoptr(GArray) atoms = debye_selection_evaluate(selection, plan->topology, plan->frames.first, error);
  if (atoms == NULL)
    return NULL;
  if (atoms->len == 0 && (kept == NULL || !debye_selection_is_dynamic(selection))) {
    debye_error_set(error, DEBYE_ERROR_SELECTION,
                    "%s: the selection “%s” chooses none of %" G_GSIZE_FORMAT " atoms", label, text,
                    debye_topology_get_n_atoms(plan->topology));
    return NULL;
  }
  if (kept != NULL)
    *kept = g_steal_pointer(&selection);
  return g_steal_pointer(&atoms);
}

static gboolean
choose_atoms(DebyeDensityPlan *plan, const char **key, GError **error)
{
  const DebyeDensityOptions *options = &plan->options;
  *key = "select";
  plan->atoms = choose(plan, "Atoms", options->select, &plan->selection, error);
  if (plan->atoms == NULL)
    return FALSE;
  plan->is_dynamic = debye_selection_is_dynamic(plan->selection);
  plan->max_points = plan->is_dynamic ? debye_topology_get_n_atoms(plan->topology) : plan->atoms->len;
  *key = "about";
  if (debye_density_is_asked(options->about)) {
    plan->about = choose(plan, "Reference", options->about, NULL, error);
    if (plan->about == NULL)
      return FALSE;
  }
  *key = "center";
  if (debye_density_is_asked(options->center)) {
    plan->center = choose(plan, "Centre", options->center, NULL, error);
    if (plan->center == NULL)
      return FALSE;
  } else if (debye_density_plan_is_profile(plan) && plan->about != NULL) {
    plan->center = g_array_ref(plan->about);
  }
  *key = NULL;
  return TRUE;
}

static gboolean
choose_reference(DebyeDensityPlan *plan, const char **key, GError **error)
{
  plan->n_views = 1;
  if (plan->about == NULL || debye_density_plan_is_profile(plan))
    return TRUE;
  *key = plan->options.copies ? "copies" : "about";
  if (!debye_density_reference_init(&plan->reference, plan->topology, plan->about, plan->options.copies,
                                    plan->frames.first, error))
    return FALSE;
  plan->n_views = plan->reference.n_copies;
  if ((double)plan->n_views * (double)plan->max_points > (double)DEBYE_DENSITY_MAX_ADDED)
    return debye_error_set(error, DEBYE_ERROR_VALUE,
                           "Each residue is a reference: %" G_GSIZE_FORMAT " copies among %" G_GSIZE_FORMAT
                           " atoms are too many pairs for a frame, expected at most %zu; choose fewer",
                           plan->n_views, plan->max_points, DEBYE_DENSITY_MAX_ADDED);
  *key = NULL;
  return TRUE;
}

static gboolean
choose_charges(DebyeDensityPlan *plan, DebyeDataset *dataset, const char **key, GError **error)
{
  const DebyeDensityWeight weight = plan->options.weight;
  plan->topology = debye_dataset_get_topology(dataset);
  if (weight != DEBYE_WEIGHT_CHARGE && weight != DEBYE_WEIGHT_ELECTRONS && weight != DEBYE_WEIGHT_DIPOLE)
    return TRUE;
  if (!debye_charge_choice_init(&plan->charges, dataset, plan->options.charges, key, error))
    return FALSE;
  plan->topology = plan->charges.topology;
  return TRUE;
}

/* --- Memory --- */

static gboolean
check_memory(DebyeDensityPlan *plan, const char **key, GError **error)
{
  *key = "memory";
  if (!debye_memory_size_parse(plan->options.lanes.memory, &plan->memory_limit, error))
    return FALSE;
  const guint n = MAX(debye_density_weight_components(plan->options.weight), 1);
  const double each = (double)(n * (VOXEL_BYTES + debye_density_statistic_bytes(plan->blocks)));
  const double bytes = (double)debye_density_plan_n_values(plan) * each;
  const double limit = (double)(plan->memory_limit > 0 ? plan->memory_limit : debye_host_memory_available());
  plan->host_bytes = (guint64)bytes;
  if (bytes <= limit) {
    *key = NULL;
    return TRUE;
  }
  g_autofree char *needed = debye_memory_size_to_string((guint64)bytes);
  g_autofree char *available = debye_memory_size_to_string((guint64)limit);
  *key = plan->options.has_shape ? "shape" : "spacing";
  return debye_error_set(
      error, DEBYE_ERROR_MEMORY,
      "Grid spacing: %" G_GSIZE_FORMAT "×%" G_GSIZE_FORMAT "×%" G_GSIZE_FORMAT
      " voxels need %s of memory, but only %s may be used; a cube of %.0f voxels per side fits",
      plan->grid.shape[0], plan->grid.shape[1], plan->grid.shape[2], needed, available,
      floor(cbrt(limit / each)));
}

/* In voxels, whose centres are the grid's points. */
static void
place_in_grid(const DebyeGrid *grid, DebyeVec3 point, double place[3])
{
  const DebyeVec3 from = debye_vec3_subtract(point, grid->origin);
  for (int k = 0; k < 3; k++) {
    const DebyeVec3 across = debye_vec3_cross(grid->step[(k + 1) % 3], grid->step[(k + 2) % 3]);
    place[k] = debye_vec3_dot(from, across) / debye_vec3_dot(grid->step[k], across);
  }
}

static gboolean
find_blob(DebyeDensityPlan *plan, GError **error)
{
  const DebyeDensityOptions *options = &plan->options;
  double place[3];
  place_in_grid(&plan->grid, options->blob_at, place);
  plan->blob =
      debye_density_regions_find(debye_field_get_values(plan->map), plan->grid.shape, options->level, place);
  if (plan->blob != NULL)
    return TRUE;
  char level[G_ASCII_DTOSTR_BUF_SIZE];
  return debye_error_set(
      error, DEBYE_ERROR_VALUE,
      "Position of blob: the map doesn't reach the level %s there, expected a position in a blob",
      g_ascii_formatd(level, sizeof level, "%g", options->level));
}

/* The map's own grid takes the place of one that is laid. */
static gboolean
open_map(DebyeDensityPlan *plan, const char **key, GError **error)
{
  const DebyeDensityOptions *options = &plan->options;
  *key = "level";
  if (isnan(options->level))
    return debye_error_set(error, DEBYE_ERROR_SETTING, "Level of blobs: expected one (--level), found none");
  *key = "blobs";
  if (options->copies || debye_density_plan_is_profile(plan))
    return debye_error_set(
        error, DEBYE_ERROR_SETTING,
        "Blobs of map: they need a map around one reference or none, without copies or a profile");
  GObject *attached = debye_request_get_attached(plan->request, "blobs");
  plan->map =
      attached != NULL ? DEBYE_FIELD(g_object_ref(attached)) : debye_field_load(options->blobs, error);
  if (plan->map == NULL)
    return FALSE;
  plan->grid = *debye_field_get_grid(plan->map);
  plan->placing = !plan->is_periodic                                     ? DEBYE_DENSITY_OPEN
                  : debye_density_is_asked(options->bins)                ? DEBYE_DENSITY_FRACTIONS
                  : plan->reference.n_copies > 0 || plan->center != NULL ? DEBYE_DENSITY_NEAREST
                                                                         : DEBYE_DENSITY_PARALLEL;
  if (debye_density_is_asked(options->bins) && !debye_density_plan_check_bins(plan, key, error))
    return FALSE;
  *key = "blob-at";
  if (options->has_blob_at && !find_blob(plan, error))
    return FALSE;
  *key = NULL;
  return TRUE;
}

gboolean
debye_density_plan_init(DebyeDensityPlan *plan, DebyeDataset *dataset, DebyeRequest *request,
                        const char **key, GError **error)
{
  *key = NULL;
  plan->request = g_object_ref(request);
  debye_request_fill(request, &plan->options);
  if (!check_options(plan, key, error) || !choose_charges(plan, dataset, key, error) ||
      !debye_frame_choice_init(&plan->frames, dataset, plan->options.frames, key, error))
    return FALSE;
  const DebyeFrame *first = plan->frames.first;
  plan->is_periodic = first->has_cell && debye_cell_is_valid(&first->cell);
  plan->volume = plan->is_periodic ? fabs(debye_cell_volume(&first->cell)) : 0.0;
  plan->blocks = debye_frame_blocks(plan->frames.n_frames, (gsize)plan->options.blocks);
  return check_cell(plan, key, error) && check_upright(plan, key, error) && choose_atoms(plan, key, error) &&
         choose_reference(plan, key, error) &&
         (debye_density_is_asked(plan->options.blobs) ? open_map(plan, key, error)
                                                      : debye_density_plan_lay(plan, key, error)) &&
         check_memory(plan, key, error);
}
