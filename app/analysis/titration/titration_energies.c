/* SPDX-License-Identifier: MIT */
/* Implementation of titration_energies.h. */
#include "titration_energies.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/work/parts.h"
#include "kernels/chunk_threads.h"
#include "kernels/poisson/poisson_lanes.h"
#include "titration_bodies.h"

#define PROBE 1.4
#define ION_RADIUS 2.0
/* Å about the site's atoms on the fine grid. */
#define FINE_PADDING 8.0
#define RESIDUAL 1e-5
#define MAX_CYCLES 100
/* Charges at one place, Å. */
#define SAME_PLACE 1e-4
#define IONS_PER_LITRE 6.02214e-4 /* 1/Å³ of 1 mol/l */

/* Sites that are solved at a time. On a device that has the equation to itself: while one is fetched
 * and its field is summed up, others are solved, and small grids alone don't fill a GPU. On the
 * host: small grids alone don't keep more than some cores busy. */
#define DEVICE_WORKERS 3
#define HOST_WORKERS 6
#define CORES_PER_WORKER 2

/* What all workers share. */
typedef struct {
  const DebyeTitrationSites *sites;
  const DebyeTitrationEnergySettings *settings;
  DebyeTitrationModel *model;
  DebyeSurfaceGrid coarse_grid;
  const DebyeSurface *surface; /* of the protein; NULL: devices find it */
  gint next, has_failed;       /* atomic: the next site, and whether any failed */
  GMutex mutex;                /* of what follows */
  DebyeTitrationSolved *solved;
  guint n_done;
  GError *error;
} Energies;

/* Plans of one shape of a site's grid, of protein and compound. */
typedef struct {
  gsize shape[3];
  DebyeSharing *shares[2];
} Fine;

/* Solves one site after the other, in plans that it keeps. */
typedef struct {
  Energies *all;
  const DebyeTitrationSites *sites;
  const DebyeTitrationEnergySettings *settings;
  DebyeTitrationModel *model;
  DebyeTitrationSolved solved;
  DebyeSharing *coarse[2]; /* of protein and compound; NULL until the first site */
  GArray *fine;            /* Fine */
  DebyeTitrationBody protein, compound;
  gboolean *is_beside; /* atoms of the compound of the site that is solved */
} Worker;

/* --- Grids --- */

static DebyePoissonMedium
get_medium(const Worker *self, const DebyeSurfaceGrid *grid)
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
open_lanes(Worker *self, const DebyeSurfaceGrid *grid, DebyeSharing *outer, GError **error)
{
  const DebyePoissonLanesSettings lanes = {.medium = get_medium(self, grid),
                                           .goal = {.tolerance = RESIDUAL, .max_cycles = MAX_CYCLES},
                                           .boundary = outer != NULL ? DEBYE_POISSON_FOCUS
                                                                     : DEBYE_POISSON_DEBYE_HUECKEL,
                                           .outer = outer,
                                           .keeps_source = true};
  DebyeSharing *share = NULL;
  DebyeStatus status = {0};
  const DebyeStatusCode code =
      debye_poisson_lanes_create(&lanes, self->settings->devices, self->settings->n_devices, &share, &status);
  if (code == DEBYE_STATUS_NO_MEMORY || code == DEBYE_STATUS_INVALID)
    debye_error_set(error, DEBYE_ERROR_MEMORY,
                    "titration: no memory for a map of %.0f points. Choose fewer atoms to keep, or a machine "
                    "with more memory",
                    debye_titration_count_points(grid));
  else if (code != DEBYE_STATUS_OK)
    debye_device_set_error(error, &status);
  return share;
}

/* --- Solving --- */

/* A plan and where its points are. */
typedef struct {
  DebyeSharing *share;
  const DebyeSurfaceGrid *grid, *finer; /* finer: that it gives its boundary; NULL: none */
} Grid;

/* A site's state with what it changes. */
typedef struct {
  const DebyeTitrationSite *site;
  guint state;     /* of the site, from 1 */
  double *changes; /* e, of the site's atoms */
} Change;

/* Of a body's atoms. */
static float *
spread_changes(const DebyeTitrationBody *body, const Change *change)
{
  float *charges = g_new0(float, body->atoms->len + 1);
  for (guint k = 0; k < body->atoms->len; k++)
    for (guint i = 0; i < change->site->atoms->len; i++)
      if (g_array_index(body->atoms, guint32, k) == g_array_index(change->site->atoms, guint32, i))
        charges[k] = (float)change->changes[i];
  return charges;
}

static gboolean
has_atom(const Worker *self, const DebyeTitrationBody *body, guint k, const DebyeSurfaceGrid *grid)
{
  const DebyePoissonMedium medium = get_medium(self, grid);
  const DebyeSpheres spheres = debye_titration_body_get_spheres(body);
  const DebyeSpheres one = {spheres.x + k, spheres.y + k, spheres.z + k, spheres.radius + k, 1};
  return debye_poisson_medium_contains(&medium, &one);
}

/* The reaction field of a solution at those atoms that its grid has and no finer one, into the body's. */
static DebyeStatusCode
read_field(const Worker *self, DebyeTitrationBody *body, const float *charges, const Grid *grid,
           DebyeStatus *status)
{
  const guint n = body->atoms->len;
  DebyeTitrationBody part = {0};
  g_autofree float *part_charges = g_new(float, n + 1);
  g_autofree guint *places = g_new(guint, n + 1);
  debye_titration_body_init(&part);
  for (guint k = 0; k < n; k++) {
    const gboolean is_finer =
        charges[k] == 0.0f && grid->finer != NULL && has_atom(self, body, k, grid->finer);
    if (is_finer || !has_atom(self, body, k, grid->grid))
      continue;
    places[part.atoms->len] = k;
    part_charges[part.atoms->len] = charges[k];
    debye_titration_body_add(&part, self->sites, g_array_index(body->atoms, guint32, k));
  }
  part.field = g_new0(double, part.atoms->len + 1);
  const DebyeSpheres chosen = debye_titration_body_get_spheres(&part);
  const DebyeStatusCode code =
      debye_poisson_lanes_reaction(grid->share, &chosen, part_charges, part.field, status);
  for (guint k = 0; k < part.atoms->len && code == DEBYE_STATUS_OK; k++)
    body->field[places[k]] = part.field[k];
  debye_titration_body_clear(&part);
  return code;
}

static gboolean
solve(Worker *self, DebyeTitrationBody *body, const float *charges, const Grid *grid, GError **error)
{
  const DebyeRunCallbacks *callbacks = self->settings->callbacks;
  const DebyeSpheres spheres = debye_titration_body_get_spheres(body);
  DebyePoissonReport report;
  DebyeStatus status = {0};
  DebyeStatusCode code = debye_poisson_lanes_execute(grid->share, &spheres, charges, NULL, NULL, &report,
                                                     callbacks != NULL ? callbacks->cancel : NULL, &status);
  if (code == DEBYE_STATUS_OK)
    code = read_field(self, body, charges, grid, &status);
  if (code != DEBYE_STATUS_OK)
    return debye_device_check(code, &status, error);
  debye_poisson_lanes_keep_medium(grid->share, true);
  self->solved.residual = MAX(self->solved.residual, report.residual);
  self->solved.n_solutions++;
  return TRUE;
}

/* --- Energies --- */

/* kT/e, Coulomb's potential of a change at an atom. */
static double
get_coulomb(const Worker *self, const Change *change, guint32 atom)
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
get_held(const Worker *self, guint32 atom)
{
  const double charge = (double)g_array_index(self->sites->charges, float, atom);
  return self->is_beside[atom] ? charge : self->settings->medium.held * charge;
}

/* kT: the change with itself and with all other charges of a body by reaction, and with those of the protein that no model
 * compound has by Coulomb's law, too. */
static double
sum_energy(const Worker *self, const DebyeTitrationBody *body, const float *charges)
{
  double sum = 0.0;
  for (guint k = 0; k < body->atoms->len; k++) {
    const double other = get_held(self, g_array_index(body->atoms, guint32, k));
    sum += (0.5 * (double)charges[k] + other) * body->field[k];
  }
  return sum;
}

static double
sum_coulomb(const Worker *self, const Change *change)
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
fill_row(Worker *self, gsize own, const Change *change)
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

/* Protein and compound on both grids. */
static gboolean
solve_change(Worker *self, gsize own, const Change *change, const Fine *fine,
             const DebyeSurfaceGrid *fine_grid, GError **error)
{
  DebyeTitrationBody *const bodies[2] = {&self->protein, &self->compound};
  double energies[2];
  for (int b = 0; b < 2; b++) {
    const Grid outer = {self->coarse[b], &self->all->coarse_grid, fine_grid};
    const Grid inner = {fine->shares[b], fine_grid, NULL};
    g_autofree float *charges = spread_changes(bodies[b], change);
    if (!solve(self, bodies[b], charges, &outer, error) || !solve(self, bodies[b], charges, &inner, error))
      return FALSE;
    energies[b] = sum_energy(self, bodies[b], charges);
  }
  self->model->energy[self->model->first[own] + change->state] +=
      energies[0] - energies[1] + sum_coulomb(self, change);
  fill_row(self, own, change);
  return TRUE;
}

static gboolean
solve_states(Worker *self, gsize own, const DebyeTitrationSite *site, const Fine *fine,
             const DebyeSurfaceGrid *fine_grid, GError **error)
{
  g_autofree double *changes = g_new(double, site->atoms->len + 1);
  for (guint s = 1; s < site->n_states; s++) {
    const Change change = {site, s, changes};
    for (guint i = 0; i < site->atoms->len; i++)
      changes[i] = site->states[s].charges[i] - site->states[0].charges[i];
    if (!solve_change(self, own, &change, fine, fine_grid, error))
      return FALSE;
  }
  return TRUE;
}

static void
mark_beside(Worker *self, const DebyeTitrationSite *site)
{
  for (guint32 i = 0; i < self->sites->x->len; i++)
    self->is_beside[i] = FALSE;
  for (guint k = 0; k < site->model->len; k++)
    self->is_beside[g_array_index(site->model, guint32, k)] = TRUE;
}

/* Of the molecule, for the first site. */
static gboolean
open_coarse(Worker *self, GError **error)
{
  const DebyeSurfaceGrid *grid = &self->all->coarse_grid;
  for (int b = 0; b < 2; b++) {
    if (self->coarse[b] == NULL)
      self->coarse[b] = open_lanes(self, grid, NULL, error);
    if (self->coarse[b] == NULL)
      return FALSE;
  }
  debye_poisson_lanes_set_surface(self->coarse[0], self->all->surface);
  return TRUE;
}

/* Plans for the shape of a site's grid, moved to where it is. */
static const Fine *
open_fine(Worker *self, const DebyeSurfaceGrid *grid, GError **error)
{
  Fine *fine = NULL;
  for (guint i = 0; i < self->fine->len && fine == NULL; i++)
    if (memcmp(g_array_index(self->fine, Fine, i).shape, grid->shape, sizeof grid->shape) == 0)
      fine = &g_array_index(self->fine, Fine, i);
  if (fine == NULL) {
    g_array_set_size(self->fine, self->fine->len + 1);
    fine = &g_array_index(self->fine, Fine, self->fine->len - 1);
    memcpy(fine->shape, grid->shape, sizeof fine->shape);
  }
  for (int b = 0; b < 2; b++) {
    if (fine->shares[b] == NULL)
      fine->shares[b] = open_lanes(self, grid, self->coarse[b], error);
    if (fine->shares[b] == NULL)
      return NULL;
    debye_poisson_lanes_move(fine->shares[b], grid->origin);
  }
  debye_poisson_lanes_set_surface(fine->shares[0], self->all->surface);
  return fine;
}

static gboolean
solve_site(Worker *self, gsize own, GError **error)
{
  const DebyeTitrationSite *site = g_ptr_array_index(self->sites->sites, own);
  const DebyeSurfaceGrid grid =
      debye_titration_lay_grid(self->sites, site->atoms, FINE_PADDING, self->settings->medium.spacing);
  DebyeTitrationModel *model = self->model;
  for (guint s = 0; s < site->n_states; s++) {
    model->protons[model->first[own] + s] = site->states[s].protons;
    model->energy[model->first[own] + s] = site->states[s].energy;
  }
  if (!open_coarse(self, error))
    return FALSE;
  const Fine *fine = open_fine(self, &grid, error);
  if (fine == NULL)
    return FALSE;
  /* Another site's solution is no guess, and its compound another molecule. */
  debye_poisson_lanes_forget(self->coarse[0]);
  debye_poisson_lanes_move(self->coarse[1], self->all->coarse_grid.origin);
  debye_titration_body_init(&self->compound);
  debye_titration_body_fill(&self->compound, self->sites, site->model);
  mark_beside(self, site);
  const gboolean good = solve_states(self, own, site, fine, &grid, error);
  debye_titration_body_clear(&self->compound);
  self->compound = (DebyeTitrationBody){0};
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
tell_progress(Energies *self)
{
  const DebyeRunCallbacks *callbacks = self->settings->callbacks;
  g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&self->mutex);
  self->n_done++;
  if (callbacks != NULL && callbacks->progress != NULL)
    callbacks->progress((double)self->n_done / (double)self->sites->sites->len, NULL, callbacks->data);
  (void)locker;
}

static void
worker_init(Worker *self, Energies *all)
{
  *self = (Worker){.all = all, .sites = all->sites, .settings = all->settings, .model = all->model};
  self->fine = g_array_new(FALSE, TRUE, sizeof(Fine));
  self->is_beside = g_new0(gboolean, all->sites->x->len + 1);
  debye_titration_body_init(&self->protein);
  debye_titration_body_fill(&self->protein, all->sites, NULL);
}

/* Focused plans before those that they borrow their boundary from. */
static void
worker_clear(Worker *self)
{
  for (guint i = 0; i < self->fine->len; i++)
    for (int b = 0; b < 2; b++)
      g_clear_pointer(&g_array_index(self->fine, Fine, i).shares[b], debye_sharing_free);
  for (int b = 0; b < 2; b++)
    g_clear_pointer(&self->coarse[b], debye_sharing_free);
  g_array_unref(self->fine);
  g_free(self->is_beside);
  debye_titration_body_clear(&self->protein);
}

/* What a worker has found; of several errors the first. */
static void
finish_worker(Worker *self, GError *failed)
{
  Energies *all = self->all;
  g_mutex_lock(&all->mutex);
  all->solved->residual = MAX(all->solved->residual, self->solved.residual);
  all->solved->n_solutions += self->solved.n_solutions;
  if (failed != NULL && all->error == NULL)
    all->error = g_steal_pointer(&failed);
  g_mutex_unlock(&all->mutex);
  g_clear_error(&failed);
}

static void
work(G_GNUC_UNUSED gsize number, gpointer data)
{
  Energies *all = data;
  GError *failed = NULL;
  Worker worker;
  worker_init(&worker, all);
  while (!g_atomic_int_get(&all->has_failed)) {
    const guint site = (guint)g_atomic_int_add(&all->next, 1);
    if (site >= all->sites->sites->len)
      break;
    if (solve_site(&worker, site, &failed))
      tell_progress(all);
    else
      g_atomic_int_set(&all->has_failed, TRUE);
  }
  finish_worker(&worker, failed);
  worker_clear(&worker);
}

/* Whether the first device that is asked makes the equation itself. */
static gboolean
is_on_device(const Energies *self)
{
  const DebyePoissonKernel *kernel =
      self->settings->n_devices > 0 ? self->settings->devices[0]->backend->poisson : NULL;
  return kernel != NULL && kernel->solve_molecule != NULL;
}

static guint
count_workers(gboolean is_alone)
{
  const guint of_cores = debye_chunk_threads_count() / CORES_PER_WORKER;
  return is_alone ? DEVICE_WORKERS : CLAMP(of_cores, 1, HOST_WORKERS);
}

/* The protein's surface is found once for all grids, by the host for its own devices. */
static gboolean
solve_all(Energies *self, GError **error)
{
  DebyeTitrationBody protein;
  DebyeSurface surface;
  DebyeStatus status = {0};
  DebyeStatusCode code = DEBYE_STATUS_OK;
  const gboolean is_alone = is_on_device(self);
  debye_titration_body_init(&protein);
  debye_titration_body_fill(&protein, self->sites, NULL);
  const DebyeSpheres spheres = debye_titration_body_get_spheres(&protein);
  self->coarse_grid = debye_titration_lay_coarse(self->sites);
  if (!is_alone) {
    code =
        debye_surface_init(&surface, DEBYE_SURFACE_EXCLUDED, &spheres, PROBE, &debye_chunk_threads, &status);
    self->surface = &surface;
  }
  if (code == DEBYE_STATUS_OK)
    debye_parts_run(MIN(count_workers(is_alone), self->sites->sites->len), work, self);
  if (!is_alone && code == DEBYE_STATUS_OK)
    debye_surface_clear(&surface);
  debye_titration_body_clear(&protein);
  if (code != DEBYE_STATUS_OK)
    return debye_device_check(code, &status, error);
  if (self->error != NULL) {
    g_propagate_error(error, g_steal_pointer(&self->error));
    return FALSE;
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
  Energies self = {.sites = sites, .settings = settings, .model = model, .solved = solved};
  g_mutex_init(&self.mutex);
  const gboolean good = n == 0 || solve_all(&self, error);
  g_mutex_clear(&self.mutex);
  return good ? g_steal_pointer(&model) : NULL;
}
