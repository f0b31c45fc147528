/* SPDX-License-Identifier: MIT */
/* Plans pair distributions from a request; called by rdf_analysis.c, rdf_run.c and rdf_shell.c. */
#include "rdf_plan.h"

#include <math.h>
#include <string.h>

#include "data/tables/elements.h"
#include "data/files/error.h"
#include "data/molecule/periodic.h"
#include "kernels/minimum_image.h"
#include "app/analysis/driver/memory_size.h"
#include "geometric_factor.h"
#include "structure_factor.h"

#define USUAL_MAX 15.0 /* Å: a liquid's structure is gone there */

static void
selection_clear(gpointer data)
{
  DebyeRdfSelection *selection = data;
  g_free(selection->text);
  g_clear_pointer(&selection->selection, debye_selection_unref);
  g_clear_pointer(&selection->atoms, g_array_unref);
}

static void
pair_clear(gpointer data)
{
  g_free(((DebyeRdfPair *)data)->name);
}

void
debye_rdf_plan_clear(gpointer own)
{
  DebyeRdfPlan *plan = own;
  g_clear_object(&plan->request);
  debye_frame_choice_clear(&plan->frames);
  g_clear_pointer(&plan->selections, g_array_unref);
  g_clear_pointer(&plan->pairs, g_array_unref);
  debye_rdf_exclusions_clear(&plan->exclusions);
}

/* --- Atoms --- */

/* The selection's number; one that was asked for before is the same. */
static gboolean
add_selection(DebyeRdfPlan *plan, const char *text, guint *number, GError **error)
{
  for (*number = 0; *number < plan->selections->len; (*number)++)
    if (strcmp(g_array_index(plan->selections, DebyeRdfSelection, *number).text, text) == 0)
      return TRUE;
  g_autoptr(DebyeSelection) selection = debye_selection_parse(text, NULL, error);
  if (selection == NULL)
    return FALSE;
  g_autoptr(GArray) atoms = debye_selection_evaluate(selection, plan->topology, plan->frames.first, error);
  if (atoms == NULL)
    return FALSE;
  plan->is_dynamic |= debye_selection_is_dynamic(selection);
  DebyeRdfSelection made = {
      .text = g_strdup(text), .selection = g_steal_pointer(&selection), .atoms = g_steal_pointer(&atoms)};
  g_array_append_val(plan->selections, made);
  return TRUE;
}

static void
add_pair(DebyeRdfPlan *plan, guint a, guint b)
{
  const DebyeRdfSelection *first = &g_array_index(plan->selections, DebyeRdfSelection, a);
  const DebyeRdfSelection *second = &g_array_index(plan->selections, DebyeRdfSelection, b);
  DebyeRdfPair pair = {.a = a, .b = b, .name = g_strdup_printf("%s-%s", first->text, second->text)};
  g_array_append_val(plan->pairs, pair);
}

static gboolean
add_wanted_pairs(DebyeRdfPlan *plan, GError **error)
{
  g_auto(GStrv) values = debye_setting_split_values(plan->settings.pairs);
  for (char **value = values; *value != NULL; value++) {
    g_autofree char *first = NULL;
    g_autofree char *second = NULL;
    guint a = 0, b = 0;
    if (!debye_setting_split_pair(*value, &first, &second))
      continue;
    if (!add_selection(plan, first, &a, error) || !add_selection(plan, second, &b, error))
      return FALSE;
    add_pair(plan, a, b);
  }
  return TRUE;
}

/* Lists of those that are there; all their places are made before the first is taken. */
static void
sort_by_element(const GArray *atoms, const guint8 *elements, GArray *of[DEBYE_N_ELEMENTS])
{
  guint n[DEBYE_N_ELEMENTS] = {0};
  guint32 *next[DEBYE_N_ELEMENTS];
  for (guint i = 0; i < atoms->len; i++)
    n[elements[g_array_index(atoms, guint32, i)]]++;
  for (guint number = 0; number < DEBYE_N_ELEMENTS; number++) {
    if (n[number] == 0)
      continue;
    of[number] = g_array_sized_new(FALSE, FALSE, sizeof(guint32), n[number]);
    g_array_set_size(of[number], n[number]);
    next[number] = (guint32 *)(gpointer)of[number]->data;
  }
  for (guint i = 0; i < atoms->len; i++) {
    const guint32 atom = g_array_index(atoms, guint32, i);
    *next[elements[atom]]++ = atom;
  }
}

static gboolean
add_elements(DebyeRdfPlan *plan, GError **error)
{
  const guint8 *elements = debye_topology_get_elements(plan->topology);
  GArray *of[DEBYE_N_ELEMENTS] = {NULL};
  g_autoptr(DebyeSelection) selection = debye_selection_parse(plan->settings.select, NULL, error);
  if (selection == NULL)
    return FALSE;
  g_autoptr(GArray) atoms = debye_selection_evaluate(selection, plan->topology, plan->frames.first, error);
  if (atoms == NULL)
    return FALSE;
  if (atoms->len == 0)
    return debye_error_set_about(error, DEBYE_ERROR_SELECTION, "Atoms",
                                 "the selection “%s” chooses none of %" G_GSIZE_FORMAT " atoms",
                                 plan->settings.select, debye_topology_get_n_atoms(plan->topology));
  sort_by_element(atoms, elements, of);
  guint first = plan->selections->len;
  for (guint8 number = 0; number < DEBYE_N_ELEMENTS; number++) {
    if (of[number] == NULL)
      continue;
    /* Virtual sites and atoms nobody could name scatter nothing and are no element. */
    DebyeRdfSelection made = {.text = g_strdup(number > 0 ? debye_element_get(number)->symbol : "X"),
                              .atoms = of[number],
                              .element = number};
    g_array_append_val(plan->selections, made);
  }
  for (guint a = first; a < plan->selections->len; a++)
    for (guint b = a; b < plan->selections->len; b++)
      add_pair(plan, a, b);
  return TRUE;
}

/* Of the first frame; of several a selection that follows positions may choose some in another. */
static gboolean
check_not_empty(const DebyeRdfPlan *plan, GError **error)
{
  for (guint i = 0; i < plan->selections->len; i++) {
    const DebyeRdfSelection *selection = &g_array_index(plan->selections, DebyeRdfSelection, i);
    if (selection->atoms->len > 0 || (plan->frames.n_frames > 1 && selection->selection != NULL &&
                                      debye_selection_is_dynamic(selection->selection)))
      continue;
    return debye_error_set_about(
        error, DEBYE_ERROR_SELECTION, "Pairs",
        "the selection “%s” chooses none of %" G_GSIZE_FORMAT " atoms in frame %" G_GSIZE_FORMAT,
        selection->text, debye_topology_get_n_atoms(plan->topology), plan->frames.first->index);
  }
  return TRUE;
}

static gboolean
choose_atoms(DebyeRdfPlan *plan, const char **key, GError **error)
{
  plan->selections = g_array_new(FALSE, TRUE, sizeof(DebyeRdfSelection));
  g_array_set_clear_func(plan->selections, selection_clear);
  plan->pairs = g_array_new(FALSE, TRUE, sizeof(DebyeRdfPair));
  g_array_set_clear_func(plan->pairs, pair_clear);
  *key = "select";
  if (plan->settings.partials && !add_elements(plan, error))
    return FALSE;
  *key = "pair";
  if (!add_wanted_pairs(plan, error))
    return FALSE;
  if (plan->pairs->len == 0)
    return debye_error_set_about(error, DEBYE_ERROR_SETTING, "Pairs",
                                 "no pair is given. Choose two selections, or all pairs of elements");
  if (!check_not_empty(plan, error))
    return FALSE;
  *key = NULL;
  return TRUE;
}

/* --- Distances --- */

/* The least distance between opposite faces of a cell; without one, the diagonal of the box around the atoms,
 * than which no two are farther apart. */
static double
least_width(const DebyeFrame *frame)
{
  DebyePeriodic periodic;
  DebyeVec3 low, high;
  debye_periodic_init_for_frame(&periodic, frame);
  if (periodic.is_periodic)
    return fmin(periodic.width[0], fmin(periodic.width[1], periodic.width[2]));
  if (!debye_frame_get_bounds(frame, NULL, frame->n_atoms, &low, &high))
    return 0.0;
  return debye_vec3_length(debye_vec3_subtract(high, low));
}

double
debye_rdf_plan_suggest_max(const DebyeFrame *frame)
{
  double half = 0.5 * least_width(frame);
  /* Rounded down to what a person would type. */
  return half >= 0.1 ? fmin(USUAL_MAX, floor(half * 10.0) / 10.0) : USUAL_MAX;
}

/* Without a cell nothing is farther away than the atoms' extent: a larger distance is a mistake. */
static gboolean
check_open_max(const DebyeRdfPlan *plan, const char **key, GError **error)
{
  char typed[G_ASCII_DTOSTR_BUF_SIZE], most[G_ASCII_DTOSTR_BUF_SIZE];
  double extent = least_width(plan->frames.first);
  if (plan->is_periodic || !(extent > 0.0) || plan->r_max <= 2.0 * extent)
    return TRUE;
  *key = "max";
  return debye_error_set_about(
      error, DEBYE_ERROR_VALUE, "Largest distance",
      "frame %" G_GSIZE_FORMAT
      " has no cell and its atoms are at most %s Å apart, expected no more than twice that, found %s Å",
      plan->frames.first->index, g_ascii_formatd(most, sizeof most, "%.4g", extent),
      g_ascii_formatd(typed, sizeof typed, "%g", plan->r_max));
}

/* As kernels measure a cell: reduced, and across its vectors one after the other. */
gboolean
debye_rdf_plan_check_width(const DebyeRdfPlan *plan, const DebyeFrame *frame, GError **error)
{
  char typed[G_ASCII_DTOSTR_BUF_SIZE], found[G_ASCII_DTOSTR_BUF_SIZE];
  DebyeLattice lattice;
  if (!plan->is_periodic || !debye_lattice_init(&lattice, &frame->cell))
    return TRUE; /* which is told as such */
  const double width = fmin(lattice.vector[0][0], fmin(lattice.vector[1][1], lattice.vector[2][2]));
  return plan->r_max <= DEBYE_PAIR_MAX_IMAGES * width ||
         debye_error_set_about(
             error, DEBYE_ERROR_VALUE, "Largest distance",
             "the cell of frame %" G_GSIZE_FORMAT " is %s Å wide, expected at most %d times that, found %s Å",
             frame->index, g_ascii_formatd(found, sizeof found, "%.4g", width), DEBYE_PAIR_MAX_IMAGES,
             g_ascii_formatd(typed, sizeof typed, "%g", plan->r_max));
}

static gboolean
choose_max(DebyeRdfPlan *plan, const char **key, GError **error)
{
  const double max = plan->settings.max;
  if (isnan(max))
    plan->r_max = debye_rdf_plan_suggest_max(plan->frames.first);
  else
    plan->r_max =
        isinf(max) && plan->is_periodic ? debye_geometric_factor_reach(&plan->frames.first->cell) : max;
  if (isfinite(plan->r_max))
    return TRUE;
  *key = "max";
  return debye_error_set_about(error, DEBYE_ERROR_VALUE, "Largest distance",
                               "frame %" G_GSIZE_FORMAT
                               " has no cell with a diagonal, expected a distance in Å",
                               plan->frames.first->index);
}

static gboolean
check_geometric_factor(const DebyeRdfPlan *plan, const char **key, GError **error)
{
  const gboolean is_nearest = plan->settings.images != DEBYE_PAIR_IMAGES_ALL;
  if (!plan->settings.geometric_factor || (plan->is_periodic && is_nearest))
    return TRUE;
  *key = "geometric-factor";
  if (is_nearest)
    return debye_error_set_about(error, DEBYE_ERROR_MISSING, "Geometric factor",
                                 "frame %" G_GSIZE_FORMAT " has no cell, expected one",
                                 plan->frames.first->index);
  return debye_error_set_about(error, DEBYE_ERROR_SETTING, "Geometric factor",
                               "it applies to nearest images, expected --images nearest, found all");
}

/* A bin beyond the largest distance would extend that to itself, and count all images up to there. */
static gboolean
check_bin(const DebyeRdfPlan *plan, const char **key, GError **error)
{
  char width[G_ASCII_DTOSTR_BUF_SIZE], reach[G_ASCII_DTOSTR_BUF_SIZE];
  if (plan->width <= plan->r_max * (1.0 + 1e-9))
    return TRUE;
  *key = "width";
  return debye_error_set_about(error, DEBYE_ERROR_VALUE, "Bin width",
                               "expected at most the largest distance of %s Å, found %s Å",
                               g_ascii_formatd(reach, sizeof reach, "%g", plan->r_max),
                               g_ascii_formatd(width, sizeof width, "%g", plan->width));
}

static gboolean
choose_distances(DebyeRdfPlan *plan, const char **key, GError **error)
{
  const DebyeRdfSettings *settings = &plan->settings;
  if (!choose_max(plan, key, error) || !check_geometric_factor(plan, key, error))
    return FALSE;
  plan->width = settings->width;
  if (settings->has_bins) {
    plan->n_bins = (gsize)settings->bins;
    plan->width = plan->r_max / (double)plan->n_bins;
  } else if (!check_bin(plan, key, error)) {
    return FALSE;
  } else {
    double bins = ceil(plan->r_max / plan->width - 1e-9);
    if (!(bins <= (double)DEBYE_PAIR_MAX_BINS)) {
      *key = "width";
      return debye_error_set_about(error, DEBYE_ERROR_VALUE, "Bin width",
                                   "%.0f bins are too many, at most %zu are possible", bins,
                                   DEBYE_PAIR_MAX_BINS);
    }
    plan->n_bins = (gsize)MAX(bins, 1.0);
    if (fabs(bins - plan->r_max / plan->width) > 1e-9)
      plan->r_max = plan->width * (double)plan->n_bins;
  }
  if (!check_open_max(plan, key, error))
    return FALSE;
  *key = "max";
  if (!debye_rdf_plan_check_width(plan, plan->frames.first, error))
    return FALSE;
  *key = NULL;
  return TRUE;
}

static gboolean
choose_rest(DebyeRdfPlan *plan, const char **key, GError **error)
{
  *key = "exclude";
  if (!debye_rdf_exclusions_init(&plan->exclusions, plan->topology, plan->frames.first,
                                 plan->settings.exclude, error))
    return FALSE;
  *key = "memory";
  if (!debye_memory_size_parse(plan->settings.lanes.memory, &plan->memory_limit, error))
    return FALSE;
  *key = NULL;
  return TRUE;
}

/* None is fine. */
static gboolean
check_structure_factor(const char *range, GError **error)
{
  gsize n_values;
  if (range == NULL || *range == '\0')
    return TRUE;
  g_autofree double *values = debye_structure_parse_range("Structure factor", range, &n_values, error);
  return values != NULL;
}

gboolean
debye_rdf_plan_init(DebyeRdfPlan *plan, DebyeDataset *dataset, DebyeRequest *request, const char **key,
                    GError **error)
{
  const char *ignored;
  if (key == NULL)
    key = &ignored;
  *key = NULL;
  plan->request = g_object_ref(request);
  debye_request_fill(request, &plan->settings);
  plan->topology = debye_dataset_get_topology(dataset);
  *key = "structure-factor";
  if (!check_structure_factor(plan->settings.structure_factor, error))
    return FALSE;
  if (!debye_frame_choice_init(&plan->frames, dataset, plan->settings.frames, key, error))
    return FALSE;
  plan->is_periodic = plan->frames.first->has_cell && debye_cell_is_valid(&plan->frames.first->cell);
  return choose_atoms(plan, key, error) && choose_distances(plan, key, error) &&
         choose_rest(plan, key, error);
}

/* --- Groups --- */

static gboolean
follow_positions(DebyeRdfPlan *plan, const DebyeFrame *frame, GError **error)
{
  for (guint i = 0; i < plan->selections->len; i++) {
    DebyeRdfSelection *selection = &g_array_index(plan->selections, DebyeRdfSelection, i);
    if (selection->selection == NULL || !debye_selection_is_dynamic(selection->selection))
      continue;
    GArray *atoms = debye_selection_evaluate(selection->selection, plan->topology, frame, error);
    if (atoms == NULL)
      return FALSE;
    g_array_unref(selection->atoms);
    selection->atoms = atoms;
  }
  return TRUE;
}

gboolean
debye_rdf_plan_make_groups(DebyeRdfPlan *plan, const DebyeFrame *frame, DebyePairGroups *groups,
                           GError **error)
{
  DebyeStatus status = {0};
  if (plan->is_dynamic && !follow_positions(plan, frame, error))
    return FALSE;
  g_autofree DebyePairSelection *selections = g_new(DebyePairSelection, plan->selections->len);
  g_autofree DebyeSelectionPair *wanted = g_new(DebyeSelectionPair, plan->pairs->len);
  for (guint i = 0; i < plan->selections->len; i++) {
    const GArray *atoms = g_array_index(plan->selections, DebyeRdfSelection, i).atoms;
    selections[i] = (DebyePairSelection){.atoms = (const uint32_t *)atoms->data, .n = atoms->len};
  }
  for (guint i = 0; i < plan->pairs->len; i++) {
    const DebyeRdfPair *pair = &g_array_index(plan->pairs, DebyeRdfPair, i);
    wanted[i] = (DebyeSelectionPair){.a = pair->a, .b = pair->b};
  }
  if (debye_pair_groups_init(groups, debye_topology_get_n_atoms(plan->topology), selections,
                             plan->selections->len, wanted, plan->pairs->len, &status) == DEBYE_STATUS_OK)
    return TRUE;
  return debye_error_set_about(error, DEBYE_ERROR_VALUE, "Pairs", "%s", status.message);
}
