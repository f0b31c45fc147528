/* SPDX-License-Identifier: MIT */
/* Finds the ligand and the Lennard-Jones parameters of pairs; called by ligands_plan.c. */
#include <math.h>

#include "data/files/error.h"
#include "data/molecule/periodic.h"
#include "data/trajectory/kept_frames.h"
#include "ligands_plan.h"

#define COULOMB 332.06371 /* kcal/mol·Å/e² */

/* --- Where parameters come from --- */

static gboolean
read_table(DebyeLigandsPlan *plan, DebyeDataset *dataset, const char **key, GError **error)
{
  const char *const *paths = debye_dataset_get_paths(dataset), *const *formats =
                                                                   debye_dataset_get_formats(dataset);
  const char *texts = plan->options.parameters;
  g_auto(GStrv) files = g_strsplit(texts != NULL ? texts : "", "\n", -1);
  plan->table = debye_lennard_jones_table_new();
  *key = "parameters";
  for (gsize i = 0; files[i] != NULL; i++)
    if (*files[i] != '\0' && !debye_lennard_jones_table_read(plan->table, files[i], error))
      return FALSE;
  if (debye_lennard_jones_table_get_n_types(plan->table) == 0)
    for (gsize i = 0; paths[i] != NULL && formats[i] != NULL; i++)
      if ((g_strcmp0(formats[i], "prmtop") == 0 || g_strcmp0(formats[i], "tpr") == 0) &&
          !debye_lennard_jones_table_read(plan->table, paths[i], error))
        return FALSE;
  return debye_lennard_jones_table_get_n_types(plan->table) > 0 ||
         debye_error_set_about(error, DEBYE_ERROR_MISSING, "Parameter files",
                               "the structure has no Lennard-Jones parameters, expected parameter files or "
                               "UFF's table (--force-field table)");
}

static gboolean
find_parameters(const DebyeLigandsPlan *plan, DebyeTopology *topology, guint32 atom, DebyeLennardJones *found,
                GError **error)
{
  const DebyeStringPool *pool = debye_topology_get_string_pool(topology);
  const char *name = debye_string_pool_get(pool, debye_topology_get_names(topology)[atom]);
  const char *type = debye_string_pool_get(pool, debye_topology_get_types(topology)[atom]);
  const guint8 element = debye_topology_get_elements(topology)[atom];
  if (plan->table != NULL) {
    if (debye_lennard_jones_table_find(plan->table, type, found))
      return TRUE;
    if (*type == '\0')
      return debye_error_set_about(error, DEBYE_ERROR_MISSING, "Parameter files",
                                   "the structure has no atom types to look up, expected a PSF, TPR or "
                                   "prmtop, or UFF's table (--force-field table)");
    return debye_error_set_about(
        error, DEBYE_ERROR_MISSING, "Parameter files",
        "atom %u (%s) is of type “%s”, expected Lennard-Jones parameters of that type, found none", atom,
        name, type);
  }
  /* Virtual sites and the like have no extent. */
  *found = (DebyeLennardJones){0.0, 0.0};
  if (element == 0 || debye_lennard_jones_of_element(element, found))
    return TRUE;
  return debye_error_set_about(error, DEBYE_ERROR_MISSING, "Force field",
                               "atom %u (%s) is of an element that the table doesn't have", atom, name);
}

/* --- The ligand --- */

static gboolean
read_model(DebyeLigandsPlan *plan, GError **error)
{
  const char *paths[] = {plan->options.ligand, NULL};
  g_autoptr(DebyeDataset) dataset = debye_dataset_open(paths, NULL, NULL, error);
  if (dataset == NULL)
    return FALSE;
  DebyeTopology *topology = debye_dataset_get_topology(dataset);
  DebyeTrajectory *trajectory = debye_dataset_get_trajectory(dataset);
  const gsize n = debye_topology_get_n_atoms(topology);
  const float *charges = debye_topology_get_charges(topology), *masses = debye_topology_get_masses(topology);
  if (trajectory == NULL || n == 0 || n > DEBYE_LIGAND_MAX_SITES)
    return debye_error_set_about(
        error, DEBYE_ERROR_VALUE, "Ligand",
        "expected a molecule of 1 to %d atoms with coordinates, found %" G_GSIZE_FORMAT " atoms in %s",
        DEBYE_LIGAND_MAX_SITES, n, plan->options.ligand);
  g_autoptr(DebyeFrame) frame = debye_trajectory_get_frame(trajectory, 0, error);
  if (frame == NULL)
    return FALSE;
  DebyeVec3 center = {0.0, 0.0, 0.0};
  double mass = 0.0;
  plan->model.title = debye_dataset_get_name(dataset) != NULL ? "Molecule" : "Ligand";
  plan->model.sites = g_array_new(FALSE, FALSE, sizeof(DebyeLigandSite));
  for (guint32 i = 0; i < n; i++) {
    DebyeLigandSite site = {.place = debye_frame_get_position(frame, i),
                            .charge = charges != NULL ? (double)charges[i] : 0.0};
    if (!find_parameters(plan, topology, i, &site.parameters, error))
      return FALSE;
    g_array_append_val(plan->model.sites, site);
    center = debye_vec3_add(center, debye_vec3_scale(site.place, (double)masses[i]));
    mass += (double)masses[i];
  }
  for (guint32 i = 0; i < n && mass > 0.0; i++) {
    DebyeLigandSite *site = &g_array_index(plan->model.sites, DebyeLigandSite, i);
    site->place = debye_vec3_subtract(site->place, debye_vec3_scale(center, 1.0 / mass));
  }
  return TRUE;
}

/* --- Pairs --- */

/* The number of these parameters among others, where they are added if they are new. */
static gsize
find_kind(GArray *kinds, const DebyeLennardJones *parameters)
{
  for (guint i = 0; i < kinds->len; i++) {
    const DebyeLennardJones *other = &g_array_index(kinds, DebyeLennardJones, i);
    if (other->epsilon == parameters->epsilon && other->radius == parameters->radius)
      return i;
  }
  g_array_append_val(kinds, *parameters);
  return kinds->len - 1;
}

/* Types are few, names of types as well: each is looked up once. */
static gboolean
set_types(DebyeLigandsPlan *plan, GArray *types, GError **error)
{
  g_autoptr(GHashTable) known = g_hash_table_new(NULL, NULL);
  plan->types = g_array_new(FALSE, FALSE, sizeof(guint32));
  for (guint i = 0; i < plan->atoms->len; i++) {
    const guint32 atom = g_array_index(plan->atoms, guint32, i);
    const guint32 name = plan->table != NULL ? debye_topology_get_types(plan->topology)[atom]
                                             : debye_topology_get_elements(plan->topology)[atom];
    gpointer number = NULL;
    if (!g_hash_table_lookup_extended(known, GUINT_TO_POINTER(name), NULL, &number)) {
      DebyeLennardJones parameters;
      if (!find_parameters(plan, plan->topology, atom, &parameters, error))
        return FALSE;
      number = GSIZE_TO_POINTER(find_kind(types, &parameters));
      g_hash_table_insert(known, GUINT_TO_POINTER(name), number);
    }
    const guint32 type = (guint32)GPOINTER_TO_SIZE(number);
    g_array_append_val(plan->types, type);
  }
  return TRUE;
}

static void
set_pairs(DebyeLigandsPlan *plan, const GArray *types, const GArray *kinds)
{
  plan->repulsion = g_array_new(FALSE, FALSE, sizeof(double));
  plan->attraction = g_array_new(FALSE, FALSE, sizeof(double));
  for (guint i = 0; i < types->len; i++)
    for (guint k = 0; k < kinds->len; k++) {
      const DebyeLennardJones *one = &g_array_index(types, DebyeLennardJones, i),
                              *other = &g_array_index(kinds, DebyeLennardJones, k);
      const double distance = plan->options.combining == DEBYE_COMBINING_GEOMETRIC
                                  ? 2.0 * sqrt(one->radius * other->radius)
                                  : one->radius + other->radius;
      const double depth = sqrt(one->epsilon * other->epsilon) / plan->kt, sixth = pow(distance, 6.0);
      const double a = depth * sixth * sixth, b = 2.0 * depth * sixth;
      g_array_append_val(plan->repulsion, a);
      g_array_append_val(plan->attraction, b);
    }
}

static gboolean
set_sites(DebyeLigandsPlan *plan, GArray *kinds, const char **key, GError **error)
{
  plan->kinds = g_array_new(FALSE, FALSE, sizeof(guint8));
  plan->site_charges = g_array_new(FALSE, FALSE, sizeof(double));
  for (guint i = 0; i < plan->model.sites->len; i++) {
    const DebyeLigandSite *site = &g_array_index(plan->model.sites, DebyeLigandSite, i);
    const guint8 kind = (guint8)find_kind(kinds, &site->parameters);
    g_array_append_val(plan->kinds, kind);
    g_array_append_val(plan->site_charges, site->charge);
  }
  if (kinds->len <= DEBYE_LIGAND_MAX_KINDS)
    return TRUE;
  *key = "ligand";
  return debye_error_set_about(error, DEBYE_ERROR_VALUE, "Ligand",
                               "expected atoms of at most %d kinds, found %u with different parameters",
                               DEBYE_LIGAND_MAX_KINDS, kinds->len);
}

gboolean
debye_ligands_plan_set_parameters(DebyeLigandsPlan *plan, DebyeDataset *dataset, const char **key,
                                  GError **error)
{
  g_autoptr(GArray) types = g_array_new(FALSE, FALSE, sizeof(DebyeLennardJones));
  g_autoptr(GArray) kinds = g_array_new(FALSE, FALSE, sizeof(DebyeLennardJones));
  DebyeLigandSettings *kernel = &plan->kernel;
  if (plan->options.force_field == DEBYE_FORCE_FIELD_FILES && !read_table(plan, dataset, key, error))
    return FALSE;
  *key = "ligand";
  if (!debye_ligand_model_init(&plan->model, plan->options.ligand) && !read_model(plan, error))
    return FALSE;
  debye_ligand_model_turn(&plan->model, (gsize)plan->options.orientations);
  *key = plan->table != NULL ? "parameters" : "force-field";
  if (!set_types(plan, types, error) || !set_sites(plan, kinds, key, error))
    return FALSE;
  set_pairs(plan, types, kinds);
  kernel->n_types = types->len;
  kernel->n_kinds = kinds->len;
  kernel->n_sites = plan->model.sites->len;
  kernel->n_orientations = plan->model.n_orientations;
  kernel->repulsion = (const double *)plan->repulsion->data;
  kernel->attraction = (const double *)plan->attraction->data;
  kernel->kinds = (const uint8_t *)plan->kinds->data;
  kernel->places = (const double *)plan->model.places->data;
  kernel->charges =
      plan->options.charges != DEBYE_LIGAND_CHARGES_NONE ? (const double *)plan->site_charges->data : NULL;
  kernel->coulomb = COULOMB / plan->kt;
  *key = NULL;
  return TRUE;
}
