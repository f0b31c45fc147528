/* SPDX-License-Identifier: MIT */
/* Plans ligand sampling from a request; called by ligands_analysis.c. */
#include "ligands_plan.h"

#include <math.h>

#include "app/analysis/density/density_statistic.h"
#include "app/analysis/driver/device_choice.h"
#include "app/analysis/driver/memory_size.h"
#include "data/files/error.h"
#include "kernels/host_memory.h"
#include "ligands_flood.h"

#define GAS_CONSTANT 1.987204259e-3 /* kcal/(mol·K) */
#define USUAL_SPACING 1.0           /* Å */
#define USUAL_PADDING 4.0           /* Å, without a cell */
#define MAX_AXIS 100000.0
#define MOST_VOXELS 2147483647.0
/* Bytes of each voxel beside its statistic: the map of a frame, values and errors twice. */
#define VOXEL_BYTES 40
#define CAVITY_BYTES 80 /* of a voxel, where cavities and their paths are looked for */

void
debye_ligands_plan_clear(gpointer own)
{
  DebyeLigandsPlan *plan = own;
  g_clear_object(&plan->request);
  debye_charge_choice_clear(&plan->charges);
  debye_frame_choice_clear(&plan->frames);
  debye_superpose_choice_clear(&plan->superpose);
  g_clear_pointer(&plan->reference.frame, debye_frame_unref);
  g_clear_pointer(&plan->selection, debye_selection_unref);
  g_clear_pointer(&plan->atoms, g_array_unref);
  g_clear_pointer(&plan->table, debye_lennard_jones_table_free);
  debye_ligand_model_clear(&plan->model);
  g_clear_pointer(&plan->types, g_array_unref);
  g_clear_pointer(&plan->site_charges, g_array_unref);
  g_clear_pointer(&plan->kinds, g_array_unref);
  g_clear_pointer(&plan->repulsion, g_array_unref);
  g_clear_pointer(&plan->attraction, g_array_unref);
}

/* --- Superposing --- */

DebyeFrameEdit *
debye_ligands_plan_new_edit(const DebyeLigandsPlan *plan, GError **error)
{
  const DebyeFrameEditOptions options = {.superpose = plan->superpose.selection,
                                         .by_mass = plan->superpose.by_mass,
                                         .gather = TRUE,
                                         .reference = plan->reference.frame,
                                         .edits_reference = plan->reference.is_own};
  return debye_frame_edit_new(plan->topology, &options, error);
}

static gboolean
covers_cell(const DebyeLigandsPlan *plan)
{
  const DebyeLigandsOptions *options = &plan->options;
  return plan->is_periodic && !options->has_origin && !options->has_shape && !options->has_padding &&
         plan->superpose.selection == NULL;
}

/* The frame that later ones are laid on; it doesn't depend on where a run begins. */
static gboolean
move_first(DebyeLigandsPlan *plan, GError **error)
{
  g_autoptr(DebyeFrameEdit) edit = debye_ligands_plan_new_edit(plan, error);
  g_autoptr(DebyeFrame) moved = debye_frame_copy(plan->frames.first);
  if (edit == NULL)
    return FALSE;
  if (moved == NULL)
    return debye_error_set_memory(error, NULL, plan->frames.first->n_atoms, "atoms of one more frame");
  if (!debye_frame_edit_apply(edit, moved, error))
    return FALSE;
  debye_frame_unref(plan->frames.first);
  plan->frames.first = g_steal_pointer(&moved);
  if (plan->reference.frame == NULL)
    plan->reference =
        (DebyeSuperposeReference){.frame = debye_frame_ref(plan->frames.first), .is_own = FALSE};
  return TRUE;
}

/* Unset, several frames are superposed by their solute unless the grid is the cell, which doesn't turn. */
static gboolean
choose_superposing(DebyeLigandsPlan *plan, DebyeDataset *dataset, const char **key, GError **error)
{
  DebyeSuperposeSettings *settings = &plan->options.superposing;
  const DebyeLigandsOptions *options = &plan->options;
  const gboolean is_free = !options->has_origin && !options->has_shape && !options->has_padding;
  *key = "superpose";
  if (!settings->has_superpose) {
    if (plan->frames.n_frames < 2)
      return TRUE;
    settings->superpose = plan->is_periodic && is_free ? DEBYE_SUPERPOSE_NONE : DEBYE_SUPERPOSE_SOLUTE;
  }
  if (!debye_superpose_choice_init(&plan->superpose, settings, plan->topology, plan->frames.first, error))
    return FALSE;
  if (plan->superpose.selection == NULL)
    return TRUE;
  *key = "reference";
  if (!debye_superpose_reference_read(dataset, settings->reference, plan->superpose.selection,
                                      &plan->reference, error))
    return FALSE;
  *key = "superpose";
  return move_first(plan, error);
}

/* --- The grid --- */

static void
lay_cell(DebyeLigandsPlan *plan, double spacing)
{
  const DebyeFrame *first = plan->frames.first;
  const DebyeVec3 edges[3] = {first->cell.a, first->cell.b, first->cell.c};
  DebyeGrid *grid = &plan->kernel.grid;
  grid->origin = first->cell_origin;
  for (int k = 0; k < 3; k++) {
    const double n = rint(debye_vec3_length(edges[k]) / spacing);
    grid->shape[k] = (gsize)CLAMP(n, 1.0, MAX_AXIS);
    grid->step[k] = debye_vec3_scale(edges[k], 1.0 / (double)grid->shape[k]);
    grid->origin = debye_vec3_add(grid->origin, debye_vec3_scale(grid->step[k], 0.5));
  }
}

static gboolean
lay_upright(DebyeLigandsPlan *plan, double spacing, GError **error)
{
  const DebyeLigandsOptions *options = &plan->options;
  const double padding = options->has_padding ? options->padding : USUAL_PADDING;
  DebyeGrid *grid = &plan->kernel.grid;
  DebyeVec3 low, high;
  if (!debye_frame_get_bounds(plan->frames.first, (const guint32 *)plan->atoms->data, plan->atoms->len, &low,
                              &high))
    return debye_error_set_about(error, DEBYE_ERROR_VALUE, "Atoms",
                                 "none of the chosen atoms has finite coordinates in frame %" G_GSIZE_FORMAT,
                                 plan->frames.first->index);
  const double from[3] = {low.x, low.y, low.z}, to[3] = {high.x, high.y, high.z};
  double first[3];
  for (int k = 0; k < 3; k++) {
    const double n = ceil((to[k] - from[k] + 2.0 * padding) / spacing - 1e-9);
    grid->shape[k] = options->has_shape ? options->shape[k] : (gsize)CLAMP(n, 1.0, MAX_AXIS);
    first[k] = 0.5 * (from[k] + to[k]) - 0.5 * spacing * ((double)grid->shape[k] - 1.0);
  }
  grid->origin = options->has_origin ? options->origin : debye_vec3(first[0], first[1], first[2]);
  grid->step[0] = debye_vec3(spacing, 0.0, 0.0);
  grid->step[1] = debye_vec3(0.0, spacing, 0.0);
  grid->step[2] = debye_vec3(0.0, 0.0, spacing);
  return TRUE;
}

static gboolean
lay_grid(DebyeLigandsPlan *plan, const char **key, GError **error)
{
  const DebyeGrid *grid = &plan->kernel.grid;
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  if (isnan(plan->options.spacing)) {
    plan->options.spacing = USUAL_SPACING;
    debye_request_set(plan->request, "spacing", g_ascii_formatd(number, sizeof number, "%g", USUAL_SPACING),
                      NULL);
  }
  *key = "select";
  plan->covers_cell = covers_cell(plan);
  if (plan->covers_cell)
    lay_cell(plan, plan->options.spacing);
  else if (!lay_upright(plan, plan->options.spacing, error))
    return FALSE;
  *key = plan->options.has_shape ? "shape" : "spacing";
  return (double)grid->shape[0] * (double)grid->shape[1] * (double)grid->shape[2] <= MOST_VOXELS ||
         debye_error_set_about(error, DEBYE_ERROR_VALUE, "Grid spacing",
                               "%" G_GSIZE_FORMAT "×%" G_GSIZE_FORMAT "×%" G_GSIZE_FORMAT
                               " voxels are too many, expected a wider spacing",
                               grid->shape[0], grid->shape[1], grid->shape[2]);
}

/* A point outside a grid that is the cell is that of another image. */
static gboolean
check_bulk(const DebyeLigandsPlan *plan, const char **key, GError **error)
{
  const gboolean wraps = plan->covers_cell;
  const DebyeLigandsTerrain terrain = {.grid = plan->kernel.grid, .is_periodic = {wraps, wraps, wraps}};
  *key = "bulk";
  if (!plan->options.has_bulk)
    return TRUE;
  if (!plan->options.has_cavities)
    return debye_error_set_about(error, DEBYE_ERROR_VALUE, "Bulk at",
                                 "a point in bulk needs cavities, expected a value of “cavities” as well");
  if (debye_ligands_terrain_find_voxel(&terrain, plan->options.bulk) == DEBYE_LIGANDS_NO_VOXEL)
    return debye_error_set_about(error, DEBYE_ERROR_VALUE, "Bulk at",
                                 "the point is outside the grid, expected one within it");
  return TRUE;
}

static gboolean
check_memory(DebyeLigandsPlan *plan, const char **key, GError **error)
{
  *key = "memory";
  if (!debye_memory_size_parse(plan->options.lanes.memory, &plan->memory_limit, error))
    return FALSE;
  const gsize each = VOXEL_BYTES + debye_density_statistic_bytes(plan->blocks) +
                     (plan->options.has_cavities ? CAVITY_BYTES : 0);
  const double bytes = (double)debye_grid_n_points(&plan->kernel.grid) * (double)each;
  const double limit = (double)(plan->memory_limit > 0 ? plan->memory_limit : debye_host_memory_available());
  plan->host_bytes = (guint64)bytes;
  *key = plan->options.has_shape ? "shape" : "spacing";
  if (bytes <= limit)
    return TRUE;
  g_autofree char *needed = debye_memory_size_to_string((guint64)bytes);
  g_autofree char *available = debye_memory_size_to_string((guint64)limit);
  return debye_error_set_about(
      error, DEBYE_ERROR_MEMORY, "Grid spacing",
      "the voxels need %s of memory, but only %s may be used; expected a wider spacing", needed, available);
}

/* --- Atoms --- */

static gboolean
choose_atoms(DebyeLigandsPlan *plan, const char **key, GError **error)
{
  const char *text = plan->options.select;
  *key = "select";
  plan->selection = debye_selection_parse(text, NULL, error);
  if (plan->selection == NULL)
    return FALSE;
  if (debye_selection_is_dynamic(plan->selection))
    return debye_error_set_about(
        error, DEBYE_ERROR_SELECTION, "Atoms",
        "the selection “%s” depends on positions, expected the same atoms in all frames", text);
  plan->atoms = debye_selection_evaluate(plan->selection, plan->topology, plan->frames.first, error);
  if (plan->atoms == NULL)
    return FALSE;
  return plan->atoms->len > 0 ||
         debye_error_set_about(error, DEBYE_ERROR_SELECTION, "Atoms",
                               "the selection “%s” chooses none of %" G_GSIZE_FORMAT " atoms", text,
                               debye_topology_get_n_atoms(plan->topology));
}

static gboolean
choose_charges(DebyeLigandsPlan *plan, DebyeDataset *dataset, const char **key, GError **error)
{
  plan->topology = debye_dataset_get_topology(dataset);
  if (plan->options.charges == DEBYE_LIGAND_CHARGES_NONE)
    return TRUE;
  if (!debye_charge_choice_init(&plan->charges, dataset, (DebyeChargeSource)(plan->options.charges - 1), key,
                                error))
    return FALSE;
  plan->topology = plan->charges.topology;
  return TRUE;
}

gboolean
debye_ligands_plan_init(DebyeLigandsPlan *plan, DebyeDataset *dataset, DebyeRequest *request,
                        const char **key, GError **error)
{
  *key = NULL;
  plan->request = g_object_ref(request);
  debye_request_fill(request, &plan->options);
  plan->kt = GAS_CONSTANT * plan->options.temperature;
  if (!choose_charges(plan, dataset, key, error) ||
      !debye_frame_choice_init(&plan->frames, dataset, plan->options.frames, key, error))
    return FALSE;
  plan->is_periodic = plan->frames.first->has_cell && debye_cell_is_valid(&plan->frames.first->cell);
  plan->blocks = debye_frame_blocks(plan->frames.n_frames, (gsize)plan->options.blocks);
  if (!choose_atoms(plan, key, error) || !choose_superposing(plan, dataset, key, error) ||
      !lay_grid(plan, key, error) || !check_bulk(plan, key, error) ||
      !debye_ligands_plan_set_parameters(plan, dataset, key, error) || !check_memory(plan, key, error))
    return FALSE;
  plan->kernel.subsamples = (unsigned)plan->options.subsamples;
  plan->kernel.cutoff = plan->options.cutoff;
  plan->kernel.max_atoms = plan->atoms->len;
  DebyeStatus status = {0};
  if (debye_ligand_settings_check(&plan->kernel, &status) != DEBYE_STATUS_OK)
    return debye_device_set_error(error, &status);
  *key = NULL;
  return TRUE;
}
