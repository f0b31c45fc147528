/* SPDX-License-Identifier: MIT */
/* Plans mean square displacements from a request; called by msd_analysis.c. */
#include "msd_plan.h"

#include <string.h>

#include "app/analysis/driver/memory_size.h"
#include "data/files/error.h"
#include "data/files/input.h"
#include "data/molecule/bonds.h"
#include "data/selection/selection.h"
#include "data/trajectory/kept_frames.h"

#define USUAL_BYTES ((guint64)1 << 30) /* of places, where no limit is given */
#define CUBIC 1e-3

void
debye_msd_plan_clear(gpointer own)
{
  DebyeMsdPlan *plan = own;
  debye_frame_choice_clear(&plan->frames);
  g_clear_pointer(&plan->atoms, g_array_unref);
  g_clear_pointer(&plan->first, g_array_unref);
  g_clear_pointer(&plan->shares, g_array_unref);
}

/* --- Centres --- */

static GArray *
select_atoms(DebyeMsdPlan *plan, DebyeTopology *topology, const char *text, GError **error)
{
  g_autoptr(DebyeSelection) selection = debye_selection_parse(text, NULL, error);
  if (selection == NULL)
    return NULL;
  g_autoptr(GArray) atoms = debye_selection_evaluate(selection, topology, plan->frames.first, error);
  if (atoms == NULL)
    return NULL;
  plan->is_dynamic = debye_selection_is_dynamic(selection);
  if (atoms->len > 0)
    return g_steal_pointer(&atoms);
  debye_error_set_about(error, DEBYE_ERROR_SELECTION, "Atoms",
                        "the selection “%s” chooses none of %" G_GSIZE_FORMAT " atoms", text,
                        debye_topology_get_n_atoms(topology));
  return NULL;
}

/* Sorts the atoms by their residue or molecule; groups without an atom are left out. */
static void
sort_atoms(DebyeMsdPlan *plan, const GArray *chosen, const guint32 *group_of, gsize n_groups)
{
  g_autofree guint32 *begin = g_new0(guint32, n_groups + 1);
  for (guint i = 0; i < chosen->len; i++)
    begin[group_of[g_array_index(chosen, guint32, i)] + 1]++;
  for (gsize group = 0; group < n_groups; group++) {
    if (begin[group + 1] > 0)
      g_array_append_val(plan->first, begin[group]);
    begin[group + 1] += begin[group];
  }
  g_array_append_val(plan->first, begin[n_groups]);
  g_array_set_size(plan->atoms, chosen->len);
  for (guint i = 0; i < chosen->len; i++) {
    guint32 atom = g_array_index(chosen, guint32, i);
    g_array_index(plan->atoms, guint32, begin[group_of[atom]]++) = atom;
  }
}

/* The mass of an atom as a part of its centre's. */
static gboolean
weigh_atoms(DebyeMsdPlan *plan, DebyeTopology *topology, GError **error)
{
  const float *masses = debye_topology_get_masses(topology);
  plan->shares = g_array_sized_new(FALSE, TRUE, sizeof(double), plan->atoms->len);
  g_array_set_size(plan->shares, plan->atoms->len);
  for (gsize centre = 0; centre < plan->n_centres; centre++) {
    const guint32 begin = g_array_index(plan->first, guint32, centre),
                  end = g_array_index(plan->first, guint32, centre + 1);
    double mass = 0.0;
    for (guint32 i = begin; i < end; i++)
      mass += masses[g_array_index(plan->atoms, guint32, i)];
    if (!(mass > 0.0))
      return debye_error_set_about(error, DEBYE_ERROR_MISSING, "Centres",
                                   "atom %u has no mass and no element, which centres of mass need: choose "
                                   "elements, or use atoms as centres",
                                   g_array_index(plan->atoms, guint32, begin) + 1);
    for (guint32 i = begin; i < end; i++)
      g_array_index(plan->shares, double, i) = masses[g_array_index(plan->atoms, guint32, i)] / mass;
  }
  for (guint i = 0; i < plan->atoms->len; i++)
    plan->n_massless += !(masses[g_array_index(plan->atoms, guint32, i)] > 0.0f);
  return TRUE;
}

static gboolean
find_centres(DebyeMsdPlan *plan, DebyeTopology *topology, const GArray *chosen, GError **error)
{
  const gboolean by_molecule = plan->settings.centres == DEBYE_MSD_MOLECULES;
  g_autoptr(DebyeTopology) bonded =
      by_molecule ? debye_topology_with_guessed_bonds(topology, plan->frames.first) : g_object_ref(topology);
  gsize n_groups = debye_topology_get_n_residues(topology);
  const guint32 *group_of =
      by_molecule ? debye_topology_get_molecules(bonded, &n_groups) : debye_topology_get_residues(topology);
  plan->atoms = g_array_new(FALSE, FALSE, sizeof(guint32));
  sort_atoms(plan, chosen, group_of, n_groups);
  plan->n_centres = plan->first->len - 1;
  return weigh_atoms(plan, topology, error);
}

/* Elements and masses are asked for by centres of mass alone. */
static gboolean
choose_centres(DebyeMsdPlan *plan, DebyeTopology *topology, const char **key, GError **error)
{
  *key = "select";
  g_autoptr(GArray) chosen = select_atoms(plan, topology, plan->settings.select, error);
  if (chosen == NULL)
    return FALSE;
  *key = "centres";
  plan->first = g_array_new(FALSE, FALSE, sizeof(guint32));
  if (plan->settings.centres != DEBYE_MSD_ATOMS)
    return find_centres(plan, topology, chosen, error);
  for (guint32 i = 0; i <= chosen->len; i++)
    g_array_append_val(plan->first, i);
  plan->n_centres = chosen->len;
  plan->atoms = g_steal_pointer(&chosen);
  return TRUE;
}

/* --- Times --- */

/* From the first frame to the second: the whole course may begin anew somewhere. */
static gboolean
find_step(DebyeMsdPlan *plan, GError **error)
{
  const DebyeFrame *first = plan->frames.first;
  g_autoptr(DebyeFrame) second = debye_trajectory_get_frame(
      plan->frames.trajectory, plan->frames.range.first + plan->frames.range.step, error);
  if (second == NULL)
    return FALSE;
  const double step = second->time - first->time;
  plan->step = isfinite(step) && step > 0.0 ? step : 0.0;
  return TRUE;
}

const char *
debye_msd_plan_time_unit(const DebyeMsdPlan *plan)
{
  return plan->step > 0.0 ? "ps" : "frames";
}

static gboolean
find_lags(DebyeMsdPlan *plan, GError **error)
{
  const gsize n_frames = plan->frames.n_frames;
  const double step = plan->step > 0.0 ? plan->step : 1.0;
  char found[G_ASCII_DTOSTR_BUF_SIZE], capacity[G_ASCII_DTOSTR_BUF_SIZE];
  const char *unit = debye_msd_plan_time_unit(plan);
  plan->n_lags = n_frames;
  const double longest = plan->settings.lags;
  if (isnan(longest))
    return TRUE;
  if (longest / step < (double)n_frames - 0.5) {
    plan->n_lags = (gsize)floor(longest / step + 1e-6) + 1;
    return TRUE;
  }
  return debye_error_set_about(
      error, DEBYE_ERROR_VALUE, "Longest time",
      "%" G_GSIZE_FORMAT " frames last %s %s, expected no more than that, found %s %s", n_frames,
      g_ascii_formatd(capacity, sizeof capacity, "%g", step * (double)(n_frames - 1)), unit,
      g_ascii_formatd(found, sizeof found, "%g", longest), unit);
}

static gboolean
find_fit(DebyeMsdPlan *plan, GError **error)
{
  const char *text = plan->settings.fit;
  if (text == NULL || *text == '\0')
    return TRUE;
  g_auto(GStrv) parts = g_strsplit(text, ":", -1);
  plan->has_fit = g_strv_length(parts) == 2 &&
                  debye_text_to_double(parts[0], strlen(parts[0]), &plan->fit[0]) &&
                  debye_text_to_double(parts[1], strlen(parts[1]), &plan->fit[1]) && plan->fit[0] >= 0.0 &&
                  plan->fit[1] > plan->fit[0];
  if (!plan->has_fit)
    return debye_error_set_about(error, DEBYE_ERROR_SETTING, "Fit range",
                                 "expected t0:t1 with 0 ≤ t0 < t1, found “%s”", text);
  const double step = plan->step > 0.0 ? plan->step : 1.0;
  if (plan->fit[1] < step * ((double)plan->n_lags - 0.5))
    return TRUE;
  char longest[G_ASCII_DTOSTR_BUF_SIZE];
  return debye_error_set_about(
      error, DEBYE_ERROR_VALUE, "Fit range", "the longest time is %s %s, expected no later end, found “%s”",
      g_ascii_formatd(longest, sizeof longest, "%g", step * (double)(plan->n_lags - 1)),
      debye_msd_plan_time_unit(plan), text);
}

static gboolean
check_n_frames(const DebyeMsdPlan *plan, GError **error)
{
  return plan->frames.n_frames > 1 ||
         debye_error_set_about(error, DEBYE_ERROR_VALUE, "Frames",
                               "expected two or more times for a displacement, found one");
}

/* --- The cell --- */

/* Whether all edges are equal and all angles right, within a thousandth. */
static gboolean
is_cubic(const DebyeCell *cell)
{
  double lengths[3], angles[3];
  debye_cell_to_lengths_angles(cell, lengths, angles);
  for (int k = 0; k < 3; k++)
    if (fabs(lengths[k] / lengths[0] - 1.0) > CUBIC || fabs(angles[k] / 90.0 - 1.0) > CUBIC)
      return FALSE;
  return TRUE;
}

static gboolean
check_correction(const DebyeMsdPlan *plan, GError **error)
{
  if (isnan(plan->settings.viscosity))
    return TRUE;
  if (plan->is_periodic && is_cubic(&plan->frames.first->cell) && plan->step > 0.0)
    return TRUE;
  return debye_error_set_about(
      error, DEBYE_ERROR_VALUE, "Viscosity",
      "the correction for the cell's size needs a cubic cell and times in ps, found %s",
      !(plan->step > 0.0) ? "files that state no times"
      : plan->is_periodic ? "another cell"
                          : "none");
}

/* --- The whole --- */

gboolean
debye_msd_plan_init(DebyeMsdPlan *plan, DebyeDataset *dataset, DebyeRequest *request, const char **key,
                    GError **error)
{
  debye_request_fill(request, &plan->settings);
  if (!debye_frame_choice_init(&plan->frames, dataset, plan->settings.frames, key, error))
    return FALSE;
  *key = "frames";
  if (!check_n_frames(plan, error) || !find_step(plan, error) ||
      !choose_centres(plan, debye_dataset_get_topology(dataset), key, error))
    return FALSE;
  plan->is_periodic = plan->frames.first->has_cell && debye_cell_is_valid(&plan->frames.first->cell);
  plan->unwraps = plan->is_periodic && plan->settings.unwrap;
  *key = "lags";
  if (!find_lags(plan, error))
    return FALSE;
  *key = "fit";
  if (!find_fit(plan, error))
    return FALSE;
  *key = "viscosity";
  if (!check_correction(plan, error))
    return FALSE;
  *key = "memory";
  if (!debye_memory_size_parse(plan->settings.lanes.memory, &plan->memory_limit, error))
    return FALSE;
  *key = NULL;
  return TRUE;
}

guint64
debye_msd_plan_centre_bytes(const DebyeMsdPlan *plan)
{
  return 3 * (guint64)plan->frames.n_frames * sizeof(double);
}

gsize
debye_msd_plan_pass_centres(const DebyeMsdPlan *plan)
{
  const guint64 room = plan->memory_limit > 0 ? plan->memory_limit / 2 : USUAL_BYTES;
  return CLAMP(room / debye_msd_plan_centre_bytes(plan), 1, plan->n_centres);
}
