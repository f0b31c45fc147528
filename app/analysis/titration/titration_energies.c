/* SPDX-License-Identifier: MIT */
/* Implementation of titration_energies.h. */
#include "titration_energies.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "kernels/chunk_threads.h"
#include "kernels/poisson/poisson_lanes.h"

#define PROBE 1.4
#define ION_RADIUS 2.0
/* Å about the molecule on the coarse grid, whose boundary is Debye and Hückel's, and its spacing and points. */
#define COARSE_PADDING 12.0
#define COARSE_SPACING 1.0
#define COARSE_POINTS 6e5
/* Å about the site's atoms on the fine grid. */
#define FINE_PADDING 8.0
#define RESIDUAL 1e-5
#define MAX_CYCLES 100
/* Charges at one place, Å. */
#define SAME_PLACE 1e-4
#define IONS_PER_LITRE 6.02214e-4 /* 1/Å³ of 1 mol/l */

/* Which atoms a medium has: the protein's, or those of a model compound, in the order of `atoms`. */
typedef struct {
  GArray *x, *y, *z, *radii; /* float */
  GArray *atoms;             /* guint32, of the sites */
  double *field;             /* kT/e, of each: what a state's charges do by reaction */
} Body;

typedef struct {
  const DebyeTitrationSites *sites;
  const DebyeTitrationEnergySettings *settings;
  DebyeTitrationModel *model;
  DebyeTitrationSolved *solved;
  DebyeSurfaceGrid coarse_grid;
  DebyeSharing *coarse; /* of the protein */
  Body protein, compound;
  gboolean *is_beside; /* atoms of the compound of the site that is solved */
  float *map;
  gsize map_size;
} Energies;

/* --- Bodies --- */

static void
body_init(Body *body)
{
  GArray **const arrays[] = {&body->x, &body->y, &body->z, &body->radii};
  for (gsize k = 0; k < G_N_ELEMENTS(arrays); k++)
    *arrays[k] = g_array_new(FALSE, FALSE, sizeof(float));
  body->atoms = g_array_new(FALSE, FALSE, sizeof(guint32));
}

static void
body_clear(Body *body)
{
  GArray *const arrays[] = {body->x, body->y, body->z, body->radii, body->atoms};
  for (gsize k = 0; k < G_N_ELEMENTS(arrays); k++)
    if (arrays[k] != NULL)
      g_array_unref(arrays[k]);
  g_free(body->field);
}

static void
body_add(Body *body, const DebyeTitrationSites *sites, guint32 atom)
{
  g_array_append_val(body->x, g_array_index(sites->x, float, atom));
  g_array_append_val(body->y, g_array_index(sites->y, float, atom));
  g_array_append_val(body->z, g_array_index(sites->z, float, atom));
  g_array_append_val(body->radii, g_array_index(sites->radii, float, atom));
  g_array_append_val(body->atoms, atom);
}

static void
body_fill(Body *body, const DebyeTitrationSites *sites, const GArray *atoms)
{
  const guint n = atoms != NULL ? atoms->len : sites->x->len;
  for (guint k = 0; k < n; k++)
    body_add(body, sites, atoms != NULL ? g_array_index(atoms, guint32, k) : k);
  body->field = g_new0(double, n + 1);
}

static DebyeSpheres
body_get_spheres(const Body *body)
{
  return (DebyeSpheres){(const float *)(const void *)body->x->data,
                        (const float *)(const void *)body->y->data,
                        (const float *)(const void *)body->z->data,
                        (const float *)(const void *)body->radii->data, body->x->len};
}

/* --- Grids --- */

/* About the atoms (NULL: all), so many Å. */
static DebyeSurfaceGrid
lay_grid(const DebyeTitrationSites *sites, const GArray *atoms, double padding, double spacing)
{
  const GArray *const axes[3] = {sites->x, sites->y, sites->z};
  const guint n = atoms != NULL ? atoms->len : sites->x->len;
  DebyeSurfaceGrid grid = {.step = {spacing, spacing, spacing}};
  double *const origin[3] = {&grid.origin.x, &grid.origin.y, &grid.origin.z};
  for (int axis = 0; axis < 3; axis++) {
    double low = INFINITY, high = -INFINITY;
    for (guint k = 0; k < n; k++) {
      const double value =
          (double)g_array_index(axes[axis], float, atoms != NULL ? g_array_index(atoms, guint32, k) : k);
      low = fmin(low, value);
      high = fmax(high, value);
    }
    grid.shape[axis] = debye_poisson_round((gsize)ceil((high - low + 2.0 * padding) / spacing) + 1);
    *origin[axis] = 0.5 * (low + high) - 0.5 * spacing * (double)(grid.shape[axis] - 1);
  }
  return grid;
}

static double
count_points(const DebyeSurfaceGrid *grid)
{
  return (double)grid->shape[0] * (double)grid->shape[1] * (double)grid->shape[2];
}

/* As many points as a large molecule leaves: the finer grids have what matters. */
static DebyeSurfaceGrid
lay_coarse(const DebyeTitrationSites *sites)
{
  double spacing = COARSE_SPACING;
  DebyeSurfaceGrid grid = lay_grid(sites, NULL, COARSE_PADDING, spacing);
  while (count_points(&grid) > COARSE_POINTS) {
    spacing *= 1.1;
    grid = lay_grid(sites, NULL, COARSE_PADDING + 2.0 * spacing, spacing);
  }
  return grid;
}

static DebyePoissonMedium
get_medium(const Energies *self, const DebyeSurfaceGrid *grid)
{
  const DebyeTitrationMedium *medium = &self->settings->medium;
  const double length = DEBYE_BJERRUM_VACUUM(medium->temperature);
  return (DebyePoissonMedium){.grid = *grid,
                              .surface = DEBYE_SURFACE_EXCLUDED,
                              .probe = PROBE,
                              .solute = medium->solute,
                              .solvent = medium->solvent,
                              .length = length,
                              .screening = 8.0 * G_PI * length * IONS_PER_LITRE * medium->ionic_strength,
                              .ion_radius = ION_RADIUS};
}

static DebyeSharing *
open_lanes(Energies *self, const DebyeSurfaceGrid *grid, DebyeSharing *outer, GError **error)
{
  const DebyePoissonLanesSettings lanes = {.medium = get_medium(self, grid),
                                           .goal = {.tolerance = RESIDUAL, .max_cycles = MAX_CYCLES},
                                           .boundary = outer != NULL ? DEBYE_POISSON_FOCUS
                                                                     : DEBYE_POISSON_DEBYE_HUECKEL,
                                           .outer = outer};
  const gsize n = (gsize)count_points(grid);
  DebyeSharing *share = NULL;
  DebyeStatus status = {0};
  float *map = n > self->map_size ? g_try_renew(float, self->map, n) : self->map;
  if (map == NULL) {
    debye_error_set(error, DEBYE_ERROR_MEMORY,
                    "titration: no memory for a map of %" G_GSIZE_FORMAT
                    " points. Choose fewer atoms to keep, or a machine "
                    "with more memory",
                    n);
    return NULL;
  }
  self->map = map;
  self->map_size = MAX(self->map_size, n);
  if (debye_poisson_lanes_create(&lanes, self->settings->devices, self->settings->n_devices, &share,
                                 &status) != DEBYE_STATUS_OK)
    debye_device_set_error(error, &status);
  return share;
}

/* --- Solving --- */

/* A site's state with what it changes. */
typedef struct {
  const DebyeTitrationSite *site;
  guint state;     /* of the site, from 1 */
  double *changes; /* e, of the site's atoms */
} Change;

/* Of a body's atoms. */
static float *
spread_changes(const Body *body, const Change *change)
{
  float *charges = g_new0(float, body->atoms->len + 1);
  for (guint k = 0; k < body->atoms->len; k++)
    for (guint i = 0; i < change->site->atoms->len; i++)
      if (g_array_index(body->atoms, guint32, k) == g_array_index(change->site->atoms, guint32, i))
        charges[k] = (float)change->changes[i];
  return charges;
}

/* The reaction field of a solution at those atoms that its grid has, into the body's. */
static DebyeStatusCode
read_field(const Energies *self, Body *body, const float *charges, DebyeSharing *share,
           const DebyeSurfaceGrid *grid, DebyeStatus *status)
{
  const DebyePoissonMedium medium = get_medium(self, grid);
  const DebyeSpheres spheres = body_get_spheres(body);
  const guint n = body->atoms->len;
  Body part = {0};
  g_autofree float *part_charges = g_new(float, n + 1);
  g_autofree guint *places = g_new(guint, n + 1);
  body_init(&part);
  for (guint k = 0; k < n; k++) {
    const DebyeSpheres one = {spheres.x + k, spheres.y + k, spheres.z + k, spheres.radius + k, 1};
    if (!debye_poisson_medium_contains(&medium, &one))
      continue;
    places[part.atoms->len] = k;
    part_charges[part.atoms->len] = charges[k];
    body_add(&part, self->sites, g_array_index(body->atoms, guint32, k));
  }
  part.field = g_new0(double, part.atoms->len + 1);
  const DebyeSpheres chosen = body_get_spheres(&part);
  const DebyeStatusCode code =
      debye_poisson_medium_reaction(&medium, &chosen, part_charges, debye_poisson_lanes_get_equation(share),
                                    &debye_chunk_threads, part.field, status);
  for (guint k = 0; k < part.atoms->len && code == DEBYE_STATUS_OK; k++)
    body->field[places[k]] = part.field[k];
  body_clear(&part);
  return code;
}

static gboolean
solve(Energies *self, Body *body, const float *charges, DebyeSharing *share, const DebyeSurfaceGrid *grid,
      GError **error)
{
  const DebyeRunCallbacks *callbacks = self->settings->callbacks;
  const DebyeSpheres spheres = body_get_spheres(body);
  DebyePoissonReport report;
  DebyeStatus status = {0};
  DebyeStatusCode code = debye_poisson_lanes_execute(share, &spheres, charges, self->map, NULL, &report,
                                                     callbacks != NULL ? callbacks->cancel : NULL, &status);
  if (code == DEBYE_STATUS_OK)
    code = read_field(self, body, charges, share, grid, &status);
  if (code != DEBYE_STATUS_OK)
    return debye_device_check(code, &status, error);
  debye_poisson_lanes_keep_medium(share, true);
  self->solved->residual = MAX(self->solved->residual, report.residual);
  self->solved->n_solutions++;
  return TRUE;
}

/* --- Energies --- */

/* kT/e, Coulomb's potential of a change at an atom. */
static double
get_coulomb(const Energies *self, const Change *change, guint32 atom)
{
  const DebyeTitrationSites *sites = self->sites;
  const DebyeTitrationMedium *medium = &self->settings->medium;
  double sum = 0.0;
  for (guint i = 0; i < change->site->atoms->len; i++) {
    const guint32 other = g_array_index(change->site->atoms, guint32, i);
    const double x = (double)(g_array_index(sites->x, float, atom) - g_array_index(sites->x, float, other));
    const double y = (double)(g_array_index(sites->y, float, atom) - g_array_index(sites->y, float, other));
    const double z = (double)(g_array_index(sites->z, float, atom) - g_array_index(sites->z, float, other));
    const double distance = sqrt(x * x + y * y + z * z);
    sum += distance > SAME_PLACE ? change->changes[i] / distance : 0.0;
  }
  return sum * DEBYE_BJERRUM_VACUUM(medium->temperature) / medium->solute;
}

/* What of an atom's charge a site feels. */
static double
get_held(const Energies *self, guint32 atom)
{
  const double charge = (double)g_array_index(self->sites->charges, float, atom);
  return self->is_beside[atom] ? charge : self->settings->medium.held * charge;
}

/* kT: the change with itself and with all other charges of a body by reaction, and with those of the protein that no model
 * compound has by Coulomb's law, too. */
static double
sum_energy(const Energies *self, const Body *body, const float *charges)
{
  double sum = 0.0;
  for (guint k = 0; k < body->atoms->len; k++) {
    const double other = get_held(self, g_array_index(body->atoms, guint32, k));
    sum += (0.5 * (double)charges[k] + other) * body->field[k];
  }
  return sum;
}

static double
sum_coulomb(const Energies *self, const Change *change)
{
  double sum = 0.0;
  for (guint32 i = 0; i < self->sites->x->len; i++) {
    const double other = get_held(self, i);
    sum += self->is_beside[i] || other == 0.0 ? 0.0 : other * get_coulomb(self, change, i);
  }
  return sum;
}

/* A row of W, of the change that is solved, with all changes of other sites. */
static void
fill_row(Energies *self, gsize own, const Change *change)
{
  DebyeTitrationModel *model = self->model;
  double *row = model->interaction + (model->first[own] + change->state) * model->n_states;
  for (guint j = 0; j < self->sites->sites->len; j++) {
    const DebyeTitrationSite *other = g_ptr_array_index(self->sites->sites, j);
    const double held = other->place == change->site->place ? 1.0 : self->settings->medium.held;
    for (guint i = 0; i < other->atoms->len && j != own; i++) {
      const guint32 atom = g_array_index(other->atoms, guint32, i);
      const double potential = held * (self->protein.field[atom] + get_coulomb(self, change, atom));
      for (guint s = 1; s < other->n_states; s++)
        row[model->first[j] + s] += (other->states[s].charges[i] - other->states[0].charges[i]) * potential;
    }
  }
}

/* Protein and compound on both grids, coarse[1] and fine[1] being the compound's. */
static gboolean
solve_change(Energies *self, gsize own, const Change *change, DebyeSharing *const coarse[2],
             DebyeSharing *const fine[2], const DebyeSurfaceGrid *fine_grid, GError **error)
{
  Body *const bodies[2] = {&self->protein, &self->compound};
  double energies[2];
  for (int b = 0; b < 2; b++) {
    g_autofree float *charges = spread_changes(bodies[b], change);
    if (!solve(self, bodies[b], charges, coarse[b], &self->coarse_grid, error) ||
        !solve(self, bodies[b], charges, fine[b], fine_grid, error))
      return FALSE;
    energies[b] = sum_energy(self, bodies[b], charges);
  }
  self->model->energy[self->model->first[own] + change->state] +=
      energies[0] - energies[1] + sum_coulomb(self, change);
  fill_row(self, own, change);
  return TRUE;
}

static gboolean
solve_states(Energies *self, gsize own, const DebyeTitrationSite *site, DebyeSharing *const coarse[2],
             DebyeSharing *const fine[2], const DebyeSurfaceGrid *fine_grid, GError **error)
{
  g_autofree double *changes = g_new(double, site->atoms->len + 1);
  for (guint s = 1; s < site->n_states; s++) {
    const Change change = {site, s, changes};
    for (guint i = 0; i < site->atoms->len; i++)
      changes[i] = site->states[s].charges[i] - site->states[0].charges[i];
    if (!solve_change(self, own, &change, coarse, fine, fine_grid, error))
      return FALSE;
  }
  return TRUE;
}

static void
mark_beside(Energies *self, const DebyeTitrationSite *site)
{
  for (guint32 i = 0; i < self->sites->x->len; i++)
    self->is_beside[i] = FALSE;
  for (guint k = 0; k < site->model->len; k++)
    self->is_beside[g_array_index(site->model, guint32, k)] = TRUE;
}

static gboolean
solve_site(Energies *self, gsize own, GError **error)
{
  const DebyeTitrationSite *site = g_ptr_array_index(self->sites->sites, own);
  const DebyeSurfaceGrid grid =
      lay_grid(self->sites, site->atoms, FINE_PADDING, self->settings->medium.spacing);
  DebyeSharing *coarse[2] = {self->coarse, NULL}, *fine[2] = {NULL, NULL};
  DebyeTitrationModel *model = self->model;
  for (guint s = 0; s < site->n_states; s++) {
    model->protons[model->first[own] + s] = site->states[s].protons;
    model->energy[model->first[own] + s] = site->states[s].energy;
  }
  /* Another site's solution is no guess. */
  debye_poisson_lanes_forget(self->coarse);
  body_init(&self->compound);
  body_fill(&self->compound, self->sites, site->model);
  mark_beside(self, site);
  coarse[1] = open_lanes(self, &self->coarse_grid, NULL, error);
  for (int b = 0; b < 2 && coarse[1] != NULL; b++)
    fine[b] = b == 0 || fine[0] != NULL ? open_lanes(self, &grid, coarse[b], error) : NULL;
  const gboolean good = fine[1] != NULL && solve_states(self, own, site, coarse, fine, &grid, error);
  g_clear_pointer(&fine[0], debye_sharing_free);
  g_clear_pointer(&fine[1], debye_sharing_free);
  g_clear_pointer(&coarse[1], debye_sharing_free);
  body_clear(&self->compound);
  self->compound = (Body){0};
  return good;
}

/* --- All --- */

/* Both ways round there is one truth. */
static void
make_symmetric(Energies *self)
{
  const gsize n = self->model->n_states;
  double *w = self->model->interaction;
  for (gsize a = 0; a < n; a++)
    for (gsize b = a + 1; b < n; b++) {
      self->solved->asymmetry = MAX(self->solved->asymmetry, fabs(w[a * n + b] - w[b * n + a]));
      w[a * n + b] = w[b * n + a] = 0.5 * (w[a * n + b] + w[b * n + a]);
    }
}

static void
tell_progress(const Energies *self, guint done)
{
  const DebyeRunCallbacks *callbacks = self->settings->callbacks;
  if (callbacks != NULL && callbacks->progress != NULL)
    callbacks->progress((double)done / (double)self->sites->sites->len, NULL, callbacks->data);
}

static gboolean
solve_all(Energies *self, GError **error)
{
  self->coarse_grid = lay_coarse(self->sites);
  body_init(&self->protein);
  body_fill(&self->protein, self->sites, NULL);
  self->coarse = open_lanes(self, &self->coarse_grid, NULL, error);
  for (guint i = 0; i < self->sites->sites->len; i++) {
    if (self->coarse == NULL || !solve_site(self, i, error))
      return FALSE;
    tell_progress(self, i + 1);
  }
  make_symmetric(self);
  return TRUE;
}

DebyeTitrationModel *
debye_titration_energies_compute(const DebyeTitrationSites *sites,
                                 const DebyeTitrationEnergySettings *settings, DebyeTitrationSolved *solved,
                                 GError **error)
{
  const guint n = sites->sites->len;
  g_autofree guint *n_states = g_new(guint, n + 1);
  for (guint i = 0; i < n; i++)
    n_states[i] = ((const DebyeTitrationSite *)g_ptr_array_index(sites->sites, i))->n_states;
  *solved = (DebyeTitrationSolved){0};
  g_autoptr(DebyeTitrationModel) model = debye_titration_model_new(n_states, n);
  if (model == NULL) {
    debye_error_set_memory(error, NULL, n, N_("interactions of sites"));
    return NULL;
  }
  g_autofree gboolean *is_beside = g_new0(gboolean, sites->x->len + 1);
  Energies self = {
      .sites = sites, .settings = settings, .model = model, .solved = solved, .is_beside = is_beside};
  const gboolean good = n == 0 || solve_all(&self, error);
  g_clear_pointer(&self.coarse, debye_sharing_free);
  body_clear(&self.protein);
  g_free(self.map);
  return good ? g_steal_pointer(&model) : NULL;
}
