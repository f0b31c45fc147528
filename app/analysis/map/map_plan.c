/* SPDX-License-Identifier: MIT */
/* Plans a map from its settings and suggests a spacing; called by everything that computes or estimates maps. */
#include "map_plan.h"

#include <math.h>

#include "data/files/error.h"
#include "data/messages/message.h"
#include "kernels/potential/cutoff_bins.h"
#include "kernels/host_memory.h"
#include "map_grid.h"
#include "map_method.h"
#include "map_followed.h"
#include "map_partners.h"
#include "kernels/potential/potential_rounding.h"
#include "map_solvent.h"
#include "app/analysis/driver/memory_size.h"
#include "app/analysis/driver/potential_unit.h"

/* Atoms that count for a point in all methods but the direct sum, roughly: a sphere of the usual cutoff. */
#define ATOMS_IN_RANGE 700
/* Of each point, that solving the Poisson-Boltzmann equation takes here: the equation, and a solver on the CPU. */
#define POISSON_BYTES 64.0

void
debye_map_plan_clear(gpointer own)
{
  DebyeMapPlan *plan = own;
  g_clear_pointer(&plan->selection, debye_selection_unref);
  debye_superpose_choice_clear(&plan->superpose);
  g_clear_pointer(&plan->reference.frame, debye_frame_unref);
  g_clear_pointer(&plan->center, debye_selection_unref);
  debye_frame_choice_clear(&plan->frames);
  g_clear_pointer(&plan->atoms, g_array_unref);
  g_clear_pointer(&plan->radii, g_array_unref);
  g_clear_pointer(&plan->given, debye_map_given_free);
  debye_charge_choice_clear(&plan->charges);
}

static gboolean
choose_charges(DebyeMapPlan *plan, DebyeDataset *dataset, const char **key, GError **error)
{
  if (!debye_charge_choice_init(&plan->charges, dataset, plan->settings.charges, key, error))
    return FALSE;
  plan->topology = plan->charges.topology;
  return TRUE;
}

static gboolean
choose_center(DebyeMapPlan *plan, const char **key, GError **error)
{
  const char *text = plan->settings.center;
  if (text == NULL || text[0] == '\0')
    return TRUE;
  *key = "center";
  plan->center = debye_selection_parse(text, NULL, error);
  if (plan->center == NULL)
    return FALSE;
  *key = NULL;
  return TRUE;
}

DebyeFrameEdit *
debye_map_plan_new_edit(const DebyeMapPlan *plan, GError **error)
{
  const DebyeFrameEditOptions options = {.wrap = plan->center != NULL,
                                         .center = plan->center,
                                         .superpose = plan->superpose.selection,
                                         .by_mass = plan->superpose.by_mass,
                                         .gather = TRUE,
                                         .reference = plan->reference.frame,
                                         .edits_reference = plan->reference.is_own};
  return debye_frame_edit_new(plan->topology, &options, error);
}

gboolean
debye_map_plan_moves_frames(const DebyeMapPlan *plan)
{
  /* A molecule that a cell cuts is no solute. */
  const gboolean is_cut = debye_map_is_poisson(&plan->settings) && plan->frames.first->has_cell;
  return plan->center != NULL || plan->superpose.selection != NULL || is_cut;
}

/* Where everything repeats and nobody says otherwise, the map is of one cell. */
static gboolean
covers_cell(unsigned periodic, const DebyeMapSettings *settings)
{
  return periodic == DEBYE_PERIODIC_ALL && !settings->has_origin && !settings->has_shape &&
         !settings->has_padding;
}

/* The grid of a Poisson-Boltzmann solution lies along the cell, which repeats: a molecule that is turned, alone or with its
 * cell, would have its images where they aren't. */
static gboolean
check_turning(const DebyeMapPlan *plan, GError **error)
{
  const DebyeMapSettings *settings = &plan->settings;
  if (!settings->superposing.has_superpose || plan->superpose.selection == NULL ||
      !debye_map_is_poisson(settings) || !settings->has_periodic ||
      settings->periodic == DEBYE_MAP_PERIODIC_NONE)
    return TRUE;
  return debye_error_set_about(error, DEBYE_ERROR_VALUE, "Superpose",
                               "it turns the molecule against the grid, which repeats with the cell; "
                               "expected none, or no periodic directions");
}

/* Nobody has said by what to superpose. A moving molecule smears the map of several frames; of one frame, or
 * of frames that are centred, the map is meant where it is. A turned cell no longer fits a grid that is the
 * cell. */
static gboolean
choose_superposing(DebyeMapPlan *plan, GError **error)
{
  const DebyeMapSettings *settings = &plan->settings;
  DebyePotentialSettings potential = {0};
  const char *ignored;
  const gboolean has_reference = g_strcmp0(settings->superposing.reference, "first") != 0;
  const gboolean is_usual = plan->frames.n_frames > 1 || plan->follows_frames || has_reference;
  if (!settings->superposing.has_superpose && (!is_usual || plan->center != NULL))
    return TRUE;
  if (!debye_superpose_choice_init(&plan->superpose, &settings->superposing, plan->topology,
                                   plan->frames.first, error))
    return FALSE;
  if (!check_turning(plan, error))
    return FALSE;
  if (!settings->superposing.has_superpose && plan->superpose.selection != NULL &&
      debye_map_method_choose(settings, plan->frames.first, &potential, &ignored, NULL) &&
      (covers_cell(potential.periodic, settings) ||
       (debye_map_is_poisson(settings) && potential.periodic != DEBYE_PERIODIC_NONE))) {
    debye_superpose_choice_clear(&plan->superpose);
    plan->superpose.obstacle = N_("the grid is the cell");
  }
  return TRUE;
}

/* Edits a copy, because others use the frame as well. */
static gboolean
move_first(DebyeMapPlan *plan, DebyeFrameEdit *edit, GError **error)
{
  DebyeFrame *moved = debye_frame_copy(plan->frames.first);
  if (moved == NULL)
    return debye_error_set_memory(error, NULL, plan->frames.first->n_atoms, "atoms of one more frame");
  debye_frame_unref(plan->frames.first);
  plan->frames.first = moved;
  return debye_frame_edit_apply(edit, moved, error);
}

/* The grid is laid around the atoms where the run will have them. */
static gboolean
place_first(DebyeMapPlan *plan, DebyeDataset *dataset, const char **key, GError **error)
{
  if (!choose_center(plan, key, error))
    return FALSE;
  *key = "superpose";
  if (!choose_superposing(plan, error))
    return FALSE;
  *key = "reference";
  if (!debye_superpose_reference_read(dataset, plan->settings.superposing.reference,
                                      plan->superpose.selection, &plan->reference, error))
    return FALSE;
  *key = NULL;
  if (!debye_map_plan_moves_frames(plan))
    return TRUE;
  *key = plan->center != NULL ? "center" : "superpose";
  g_autoptr(DebyeFrameEdit) edit = debye_map_plan_new_edit(plan, error);
  if (edit == NULL || !move_first(plan, edit, error))
    return FALSE;
  *key = NULL;
  return TRUE;
}

static double
sum_charges(const DebyeMapPlan *plan)
{
  const float *charges = debye_topology_get_charges(plan->topology);
  double sum = 0.0;
  for (guint i = 0; i < plan->atoms->len; i++)
    sum += (double)charges[g_array_index(plan->atoms, guint32, i)];
  return sum;
}

static gboolean
choose_atoms(DebyeMapPlan *plan, const char **key, GError **error)
{
  const char *text = plan->settings.select;
  *key = "select";
  plan->selection = debye_selection_parse(text, NULL, error);
  if (plan->selection == NULL)
    return FALSE;
  plan->atoms = debye_selection_evaluate(plan->selection, plan->topology, plan->frames.first, error);
  if (plan->atoms == NULL)
    return FALSE;
  if (plan->atoms->len == 0)
    return debye_error_set_about(error, DEBYE_ERROR_SELECTION, "Atoms",
                                 "the selection “%s” chooses none of %" G_GSIZE_FORMAT " atoms", text,
                                 debye_topology_get_n_atoms(plan->topology));
  if (!debye_frame_get_bounds(plan->frames.first, (const guint32 *)plan->atoms->data, plan->atoms->len,
                              &plan->low, &plan->high))
    return debye_error_set_about(error, DEBYE_ERROR_VALUE, "Atoms",
                                 "none of the chosen atoms has finite coordinates in frame %" G_GSIZE_FORMAT,
                                 plan->frames.range.first);
  *key = NULL;
  plan->net_charge = sum_charges(plan);
  return TRUE;
}

static DebyeMapSolute
get_solute(const DebyeMapPlan *plan)
{
  return (DebyeMapSolute){plan->topology, plan->frames.first, plan->atoms, plan->low, plan->high};
}

static gboolean
choose_radii(DebyeMapPlan *plan, const char **key, GError **error)
{
  const DebyeMapSolute solute = get_solute(plan);
  *key = "radii";
  plan->radii = debye_map_poisson_choose_radii(&solute, plan->settings.radii, &plan->has_own_radii, error);
  if (plan->radii == NULL)
    return FALSE;
  *key = NULL;
  return TRUE;
}

/* Rounded as a form shows it. */
static double
suggest_spacing(const DebyeMapPlan *plan)
{
  gsize n_atoms = plan->atoms->len;
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  if (debye_map_is_poisson(&plan->settings)) {
    const DebyeMapSolute solute = get_solute(plan);
    return debye_map_poisson_suggest_spacing(&solute, plan->settings.padding);
  }
  if (plan->potential.method != DEBYE_POTENTIAL_DIRECT)
    n_atoms = MIN(n_atoms, ATOMS_IN_RANGE);
  const double spacing = debye_map_grid_suggest_spacing(plan->low, plan->high, plan->settings.padding,
                                                        n_atoms, plan->frames.n_frames);
  return g_ascii_strtod(g_ascii_formatd(number, sizeof number, "%g", spacing), NULL);
}

/* Of equations that are kept at a time, over the points of the map. */
static double
count_solutions(const DebyeMapPlan *plan)
{
  const DebyeMapSettings *settings = &plan->settings;
  double n = settings->grid_error ? 1.125 : 1.0, more = 1.0;
  n += settings->energies ? 1.0 : 0.0;
  n += settings->reaction ? 1.0 : 0.0;
  n += settings->binding != NULL && *settings->binding != '\0' ? 1.0 : 0.0;
  if (settings->boundary == DEBYE_MAP_BOUNDARY_FOCUS) {
    const DebyePoissonMedium medium = debye_map_poisson_medium(settings, &plan->potential.grid);
    DebyeSurfaceGrid outer;
    debye_map_poisson_focus(&medium, plan->low, plan->high, &outer);
    more += (double)outer.shape[0] * (double)outer.shape[1] * (double)outer.shape[2] /
            debye_map_grid_count(&plan->potential.grid);
  }
  return n * more;
}

/* Bytes that a run keeps here for each point: the map, the growing map or the running result and the copy
 * that is handed out, the finished result, and over several frames the statistic. */
static double
bytes_per_point(const DebyeMapPlan *plan)
{
  double bytes = (plan->potential.double_precision ? sizeof(double) : sizeof(float)) + 3.0 * sizeof(float);
  if (plan->radii != NULL)
    bytes += POISSON_BYTES * count_solutions(plan);
  if (plan->frames.n_frames > 1)
    bytes += (double)debye_map_statistic_bytes_per_point(plan->settings.statistic, plan->blocks.n_blocks > 0);
  return bytes;
}

static void
set_memory_error(const DebyeMapPlan *plan, double limit, GError **error)
{
  double each = bytes_per_point(plan);
  g_autofree char *needed =
      debye_memory_size_to_string((guint64)MIN(debye_map_grid_count(&plan->potential.grid) * each, 1e19));
  g_autofree char *available = debye_memory_size_to_string((guint64)limit);
  g_autofree char *advice = NULL;
  if (plan->settings.has_shape) {
    advice = debye_message_new("a cube of %.0f points per side fits", floor(cbrt(limit / each)));
  } else {
    double spacing = debye_map_grid_spacing_for(plan->low, plan->high, plan->settings.padding, limit / each);
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    advice =
        debye_message_new("a spacing of %s Å fits", g_ascii_formatd(number, sizeof number, "%g", spacing));
  }
  debye_error_set_about(error, DEBYE_ERROR_MEMORY, "Grid spacing",
                        "%" G_GSIZE_FORMAT "×%" G_GSIZE_FORMAT "×%" G_GSIZE_FORMAT
                        " points need %s of memory, but only %s may be used; %s",
                        plan->potential.grid.shape[0], plan->potential.grid.shape[1],
                        plan->potential.grid.shape[2], needed, available, advice);
}

static gboolean
check_memory(DebyeMapPlan *plan, const char **key, GError **error)
{
  if (!debye_memory_size_parse(plan->settings.lanes.memory, &plan->memory_limit, error)) {
    *key = "memory";
    return FALSE;
  }
  double bytes = debye_map_grid_count(&plan->potential.grid) * bytes_per_point(plan);
  double limit = (double)(plan->memory_limit > 0 ? plan->memory_limit : debye_host_memory_available());
  if (bytes > limit) {
    *key = plan->settings.has_shape ? "shape" : "spacing";
    set_memory_error(plan, limit, error);
    return FALSE;
  }
  plan->host_bytes = (guint64)(bytes + debye_map_followed_bytes(plan->n_followed, plan->frames.n_frames));
  return TRUE;
}

/* Of the atoms and images that a map sees within a cutoff. */
static double
bytes_within(const DebyeMapPlan *plan, double cutoff)
{
  DebyePotentialSettings settings = plan->potential;
  settings.max_charges = plan->atoms->len;
  return (double)debye_cutoff_bins_bytes(&settings, cutoff);
}

/* The largest cutoff within the limit, rounded down for a message. */
static double
cutoff_that_fits(const DebyeMapPlan *plan, double limit)
{
  double low = 0.0, high = plan->potential.cutoff;
  for (int i = 0; i < 60; i++) {
    const double middle = 0.5 * (low + high);
    if (bytes_within(plan, middle) <= limit)
      low = middle;
    else
      high = middle;
  }
  const double unit = pow(10.0, floor(log10(fmax(low, 0.1))) - 1.0);
  return floor(low / unit) * unit;
}

/* A long cutoff in a small cell sees very many images. */
static gboolean
check_cutoff(DebyeMapPlan *plan, const char **key, GError **error)
{
  const double limit = (double)(plan->memory_limit > 0 ? plan->memory_limit : debye_host_memory_available()) -
                       (double)plan->host_bytes;
  if (plan->potential.method == DEBYE_POTENTIAL_DIRECT || !(plan->potential.cutoff > 0.0))
    return TRUE;
  const double bytes = bytes_within(plan, plan->potential.cutoff);
  if (bytes <= limit)
    return TRUE;
  *key = "cutoff";
  g_autofree char *needed = debye_memory_size_to_string((guint64)MIN(bytes, 1e19));
  g_autofree char *available = debye_memory_size_to_string((guint64)limit);
  char now[G_ASCII_DTOSTR_BUF_SIZE], fits[G_ASCII_DTOSTR_BUF_SIZE];
  return debye_error_set_about(error, DEBYE_ERROR_MEMORY, "Cutoff",
                               "the atoms and images within %s Å of the map need %s of memory, but only %s "
                               "may be used; a cutoff of %s Å fits",
                               g_ascii_formatd(now, sizeof now, "%g", plan->potential.cutoff), needed,
                               available,
                               g_ascii_formatd(fits, sizeof fits, "%g", cutoff_that_fits(plan, limit)));
}

static gboolean
choose_statistic(DebyeMapPlan *plan, const char **key, GError **error)
{
  const DebyeMapSettings *settings = &plan->settings;
  const gint64 blocks = settings->blocks;
  plan->scale = debye_potential_unit_factor(settings->unit, settings->temperature) /
                (debye_map_is_poisson(settings) ? 1.0 : settings->permittivity);
  if (settings->statistic != DEBYE_MAP_MEAN || blocks == 0)
    return TRUE;
  if (blocks >= 2 && (gsize)blocks <= plan->frames.n_frames) {
    plan->blocks = debye_frame_blocks(plan->frames.n_frames, (gsize)blocks);
    return TRUE;
  }
  *key = "blocks";
  return debye_error_set_about(error, DEBYE_ERROR_VALUE, "Blocks for the error",
                               "expected from 2 to the number of frames, %" G_GSIZE_FORMAT
                               ", found %" G_GINT64_FORMAT,
                               plan->frames.n_frames, blocks);
}

gboolean
debye_map_plan_covers_cell(const DebyeMapPlan *plan)
{
  return covers_cell(plan->potential.periodic, &plan->settings);
}

static void
lay_grid(DebyeMapPlan *plan)
{
  DebyeVec3 middle = debye_vec3_scale(debye_vec3_add(plan->low, plan->high), 0.5);
  if (debye_map_plan_covers_cell(plan))
    debye_map_grid_lay_cell(&plan->potential.cell, middle, plan->settings.spacing, &plan->potential.grid);
  else
    debye_map_grid_lay(&plan->settings, plan->low, plan->high, &plan->potential.grid);
}

/* --- Precision --- */

#define N_PAIRS 500000 /* looked at: some thousandths of a second */
#define LEAST_POINTS 4
#define MAX_POINTS 64

/* In one block: x, y, z, charge. NULL where there is no memory. */
static float *
gather_charges(const DebyeMapPlan *plan, DebyeCharges *charges)
{
  const DebyeFrame *frame = plan->frames.first;
  const float *charge = debye_topology_get_charges(plan->topology);
  const gsize most = plan->atoms->len;
  float *numbers = g_try_new(float, 4 * most);
  gsize n = 0;
  if (numbers == NULL)
    return NULL;
  for (gsize i = 0; i < most; i++) {
    guint32 atom = g_array_index(plan->atoms, guint32, i);
    if (charge[atom] == 0.0f || !isfinite(frame->x[atom] + frame->y[atom] + frame->z[atom]))
      continue;
    numbers[n] = frame->x[atom];
    numbers[most + n] = frame->y[atom];
    numbers[2 * most + n] = frame->z[atom];
    numbers[3 * most + n++] = charge[atom];
  }
  *charges = (DebyeCharges){numbers, numbers + most, numbers + 2 * most, numbers + 3 * most, n};
  return numbers;
}

/* Sets plan->rounding to the error that single precision is expected to have, over the map's root mean square
 * (0: not known), and takes double precision where the settings leave the choice and that is more than its
 * tolerance. The grid must be laid. */
static void
settle_rounding(DebyeMapPlan *plan)
{
  DebyePotentialSettings *potential = &plan->potential;
  if (potential->method != DEBYE_POTENTIAL_DIRECT || potential->double_precision)
    return;
  DebyeCharges charges;
  g_autofree float *numbers = gather_charges(plan, &charges);
  if (numbers == NULL || charges.n == 0)
    return;
  plan->rounding = debye_potential_rounding(potential, &charges, &potential->cell,
                                            CLAMP(N_PAIRS / charges.n, LEAST_POINTS, MAX_POINTS));
  potential->double_precision =
      plan->rounding > potential->tolerance && plan->settings.precision == DEBYE_PRECISION_AUTO;
}

static gboolean
check_partners(const DebyeMapPlan *plan, const char **key, GError **error)
{
  const char *pair = plan->settings.binding;
  if (pair == NULL || *pair == '\0')
    return TRUE;
  g_autofree guint8 *partners =
      debye_map_partners_find(pair, plan->topology, plan->frames.first, plan->atoms, error);
  *key = partners != NULL ? NULL : "binding";
  return partners != NULL;
}

static gboolean
check_followed(DebyeMapPlan *plan, const char **key, GError **error)
{
  if (plan->settings.follow == NULL || *plan->settings.follow == '\0')
    return TRUE;
  g_autoptr(GArray) residues =
      debye_map_followed_find(plan->settings.follow, plan->topology, plan->frames.first, plan->atoms, error);
  *key = residues != NULL ? NULL : "follow";
  plan->n_followed = residues != NULL ? residues->len : 0;
  return residues != NULL;
}

/* Maps in place of what atoms make; the grid is theirs then. */
static gboolean
read_given(DebyeMapPlan *plan, const char **key, GError **error)
{
  if (!debye_map_poisson_check_choices(&plan->settings, plan->frames.n_frames,
                                       debye_selection_is_dynamic(plan->selection), key, error) ||
      !check_partners(plan, key, error) || !check_followed(plan, key, error) ||
      !debye_map_given_read(&plan->settings, &plan->given, key, error))
    return FALSE;
  if (plan->given != NULL)
    plan->settings.spacing = debye_map_given_get_grid(plan->given)->step[0].x;
  return TRUE;
}

static gboolean
fit_poisson(DebyeMapPlan *plan, const char **key, GError **error)
{
  const DebyeMapSolute solute = get_solute(plan);
  DebyeGrid *grid = &plan->potential.grid;
  plan->settings.slab.x = 0.5 * (plan->low.x + plan->high.x);
  plan->settings.slab.y = 0.5 * (plan->low.y + plan->high.y);
  if (plan->given == NULL)
    return debye_map_poisson_fit_grid(&solute, &plan->settings, grid, key, error);
  *grid = *debye_map_given_get_grid(plan->given);
  return debye_map_poisson_check_grid(&solute, &plan->settings, grid, key, error);
}

static gboolean
plan_map(DebyeMapPlan *plan, DebyeDataset *dataset, const char **key, GError **error)
{
  const gboolean is_poisson = debye_map_is_poisson(&plan->settings);
  if ((is_poisson && !debye_map_poisson_settle_texts(&plan->settings, key, error)) ||
      !debye_frame_choice_init(&plan->frames, dataset, plan->settings.frames, key, error) ||
      !choose_charges(plan, dataset, key, error) || !place_first(plan, dataset, key, error) ||
      !choose_atoms(plan, key, error) ||
      !debye_map_method_choose(&plan->settings, plan->frames.first, &plan->potential, key, error))
    return FALSE;
  if (is_poisson && (!choose_radii(plan, key, error) || !read_given(plan, key, error)))
    return FALSE;
  if (isnan(plan->settings.spacing))
    plan->settings.spacing = suggest_spacing(plan);
  if (!choose_statistic(plan, key, error))
    return FALSE;
  lay_grid(plan);
  if (is_poisson && !fit_poisson(plan, key, error))
    return FALSE;
  if (!is_poisson)
    settle_rounding(plan);
  plan->potential.max_charges = plan->atoms->len;
  return check_memory(plan, key, error) && check_cutoff(plan, key, error);
}

gboolean
debye_map_plan_init(DebyeMapPlan *plan, DebyeDataset *dataset, const DebyeMapSettings *settings,
                    const char **key, GError **error)
{
  const char *ignored;
  key = key != NULL ? key : &ignored;
  *key = NULL;
  plan->settings = *settings;
  return plan_map(plan, dataset, key, error);
}
