/* SPDX-License-Identifier: MIT */
/* Implementation of poisson_lanes.h. A device that can makes the whole equation itself; else surface, boundary and
 * charges are the host's and the equation is a device's. */
#include "poisson_lanes.h"

#include <math.h>
#include <stdlib.h>

#include "poisson_energy.h"
#include "poisson_images.h"
#include "poisson_lanes_private.h"

static void
clear(DebyeSharing *share)
{
  PoissonShare *poisson = (PoissonShare *)share;
  for (int axis = 0; axis < 3; axis++)
    free(poisson->equation.along[axis]);
  free(poisson->equation.screening);
  if (poisson->keeps_source)
    free(poisson->equation.source);
  free(poisson->equation.is_inner);
  free(poisson->equation.potential);
  free(poisson->together);
}

static size_t
count_points(const DebyePoissonMedium *medium)
{
  return medium->grid.shape[0] * medium->grid.shape[1] * medium->grid.shape[2];
}

/* Atoms of a protein in a box with room around it, as 3,300 in 80 Å, whose points are some tenths
 * of Å to 1 Å apart: on a larger grid around it they are fewer. */
#define ATOMS_PER_VOLUME 0.0065
#define ATOMS_PER_POINT 0.012

/* About so many atoms are in a grid whose equation a device may make itself; else 0. */
static size_t
expect_atoms(const DebyePoissonMedium *medium)
{
  double volume = 1.0;
  for (int axis = 0; axis < 3; axis++)
    volume *= medium->grid.step[axis] * (double)medium->grid.shape[axis];
  return debye_poisson_is_periodic(medium) || medium->membrane.is_there || medium->smoothed
             ? 0
             : (size_t)fmin(ATOMS_PER_VOLUME * volume, ATOMS_PER_POINT * (double)count_points(medium)) + 1;
}

/* Whether a device may make the equation itself. */
static bool
is_plain(const DebyePoissonMedium *medium, const DebyePoissonMaps *maps)
{
  return expect_atoms(medium) > 0 && maps->permittivity[0] == NULL && maps->ions == NULL &&
         maps->charge == NULL;
}

static DebyePoissonSettings
settings_of(const DebyePoissonMedium *medium, const DebyePoissonMaps *maps, bool nonlinear)
{
  const size_t *shape = medium->grid.shape;
  const bool *periodic = medium->periodic;
  return (DebyePoissonSettings){.shape = {shape[0], shape[1], shape[2]},
                                .periodic = {periodic[0], periodic[1], periodic[2]},
                                .nonlinear = nonlinear,
                                .n_atoms = is_plain(medium, maps) ? expect_atoms(medium) : 0};
}

static bool
allocate(PoissonShare *poisson)
{
  const size_t n = poisson->n_points;
  for (int axis = 0; axis < 3; axis++)
    poisson->equation.along[axis] = calloc(n, sizeof(float));
  poisson->equation.screening = calloc(n, sizeof(float));
  if (poisson->keeps_source)
    poisson->equation.source = calloc(n, sizeof(float));
  if (!poisson->wants_map_only)
    poisson->equation.is_inner = calloc(n, sizeof(bool));
  poisson->equation.potential = calloc(n, sizeof(double));
  return poisson->equation.along[0] != NULL && poisson->equation.along[1] != NULL &&
         poisson->equation.along[2] != NULL && poisson->equation.screening != NULL &&
         (!poisson->keeps_source || poisson->equation.source != NULL) &&
         (poisson->wants_map_only || poisson->equation.is_inner != NULL) &&
         poisson->equation.potential != NULL;
}

static bool
is_solved(const PoissonShare *poisson)
{
  return poisson->report.residual <= poisson->goal.tolerance;
}

/* The equation that a device makes. UNSUPPORTED where it can't. */
static DebyeStatusCode
solve_molecule(PoissonShare *poisson, const DebyeSharingLane *lane, const volatile bool *cancel,
               DebyeStatus *status)
{
  const DebyePoissonKernel *kernel = (const DebyePoissonKernel *)lane->kernel;
  const bool is_same = poisson->maker_plan == lane->plan && poisson->maker != NULL;
  PoissonShare *outer = (PoissonShare *)poisson->outer;
  DebyePoissonMolecule molecule = {.medium = &poisson->medium,
                                   .spheres = poisson->task.spheres,
                                   .charges = poisson->task.charges,
                                   .boundary = poisson->boundary,
                                   .has_guess = is_same && poisson->has_guess,
                                   .keeps_medium = is_same && poisson->has_medium && poisson->keeps_medium};
  if (kernel->solve_molecule == NULL || !is_plain(&poisson->medium, &poisson->maps))
    return DEBYE_STATUS_UNSUPPORTED;
  DebyeStatusCode code = debye_surface_check(poisson->task.spheres, poisson->medium.probe, status);
  if (code == DEBYE_STATUS_OK && poisson->boundary == DEBYE_POISSON_FOCUS) {
    code = debye_poisson_share_bring(outer, HAS_POTENTIAL, status);
    molecule.outer = &outer->medium.grid;
    molecule.outer_potential = outer->equation.potential;
  }
  if (code != DEBYE_STATUS_OK)
    return code;
  /* What the host has of a medium that stays is still right. */
  const unsigned kept = molecule.keeps_medium ? poisson->on_host & (HAS_INNER | HAS_OPERATOR) : 0;
  /* A guess and a medium that the host has stay for what it may have to do. */
  if (poisson->maker != NULL)
    poisson->has_guess = poisson->has_medium = false;
  poisson->maker = NULL;
  code = kernel->solve_molecule(lane->plan, &molecule, poisson->task.out, &poisson->goal, &poisson->report,
                                cancel, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  poisson->maker = kernel;
  poisson->maker_plan = lane->plan;
  poisson->on_host = kept;
  poisson->has_medium = true;
  return code;
}

static DebyeStatusCode
solve(DebyeSharing *share, DebyeSharingLane *lane, DebyeSharingRun run, const volatile bool *cancel,
      DebyeStatus *status)
{
  PoissonShare *poisson = (PoissonShare *)share;
  (void)run;
  const DebyePoissonKernel *kernel = (const DebyePoissonKernel *)lane->kernel;
  const bool is_slabs = ((const DebyePoissonSettings *)lane->settings)->slabs.n > 0;
  DebyeStatusCode code = solve_molecule(poisson, lane, cancel, status);
  if ((code != DEBYE_STATUS_UNSUPPORTED && code != DEBYE_STATUS_NO_MEMORY) ||
      (is_slabs && kernel->solve_molecule != NULL))
    return code;
  return debye_poisson_share_solve_posed(poisson, lane, cancel, status);
}

/* Slabs are of the devices that are together; one that is left has all or, without the memory, nothing. */
static void
adjust(const DebyeSharing *share, DebyeSharingLane *lane)
{
  if (lane->device != ((const PoissonShare *)share)->together)
    ((DebyePoissonSettings *)lane->settings)->slabs = (DebyePoissonSlabs){.n = 0};
}

static const DebyeSharingFamily family = {
    .task = "solve the Poisson-Boltzmann equation",
    .kernel = offsetof(DebyeBackend, poisson),
    .size = sizeof(PoissonShare),
    .settings_size = sizeof(DebyePoissonSettings),
    .spare_cores = offsetof(DebyePoissonSettings, spare_cores),
    .alone = true,
    .adjust = adjust,
    .execute = solve,
    .clear = clear,
};

/* What there is is as the plan's settings ask for. */
static DebyePoissonSlabs
find_slabs(const DebyePoissonLanesSettings *settings, const DebyePoissonSettings *kernel,
           const DebyeDeviceEntry *const *devices, size_t n_devices)
{
  const DebyePoissonRoom room = {settings->memory_part > 0.0 ? settings->memory_part : 1.0,
                                 settings->memory_limit};
  DebyePoissonSlabs slabs = {.n = 0};
  if (settings->slabs != NULL)
    slabs = *settings->slabs;
  else
    debye_poisson_slabs_choose(kernel, devices, n_devices, room, &slabs);
  return slabs;
}

/* Devices that share the equation are one lane, the first, and those that are left have theirs. */
static PoissonShare *
new_share(const DebyePoissonLanesSettings *settings, const DebyePoissonSettings *kernel,
          const DebyeDeviceEntry *const *devices, size_t n_devices)
{
  if (kernel->slabs.n == 0)
    return debye_sharing_new(&family, kernel, settings->memory_limit, devices, n_devices);
  DebyeDeviceEntry *together = debye_poisson_slabs_join(&kernel->slabs, devices, n_devices);
  const DebyeDeviceEntry **lanes = calloc(n_devices, sizeof *lanes);
  PoissonShare *made = NULL;
  size_t n = 0;
  if (lanes != NULL && together != NULL) {
    lanes[n++] = together;
    for (size_t i = 0; i < n_devices; i++)
      if (!debye_poisson_slabs_has(&kernel->slabs, together->backend, devices[i]))
        lanes[n++] = devices[i];
    made = debye_sharing_new(&family, kernel, settings->memory_limit, lanes, n);
  }
  free(lanes);
  if (made == NULL)
    free(together);
  else
    made->together = together;
  return made;
}

DebyeStatusCode
debye_poisson_lanes_create(const DebyePoissonLanesSettings *settings, const DebyeDeviceEntry *const *devices,
                           size_t n_devices, DebyeSharing **share, DebyeStatus *status)
{
  DebyePoissonSettings kernel = settings_of(&settings->medium, &settings->maps, settings->goal.salt != NULL);
  *share = NULL;
  DebyeStatusCode code = debye_poisson_settings_check(&kernel, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_poisson_goal_check(&kernel, &settings->goal, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  kernel.slabs = find_slabs(settings, &kernel, devices, n_devices);
  PoissonShare *made = new_share(settings, &kernel, devices, n_devices);
  if (made != NULL) {
    made->medium = settings->medium;
    made->goal = settings->goal;
    made->boundary = settings->boundary;
    made->outer = settings->outer;
    made->maps = settings->maps;
    made->keeps_source = settings->keeps_source;
    made->wants_map_only = settings->wants_map_only;
    made->medium.smoothed |= settings->maps.permittivity[0] != NULL;
    made->n_points = count_points(&settings->medium);
    made->makes_surface =
        n_devices > 0 && debye_poisson_lanes_leaves_equation(&made->medium, &made->maps, devices[0]);
  }
  return debye_sharing_start(made, made != NULL && allocate(made), share, status);
}

static DebyeStatusCode
attempt(PoissonShare *poisson, const volatile bool *cancel, DebyeStatus *status)
{
  const DebyeSharingJob job = {.n_inputs = 1, .n_items = 1, .item_cost = 1.0, .cancel = cancel};
  if (poisson->maps.charge == NULL && !poisson->task.may_cut &&
      !debye_poisson_medium_contains(&poisson->medium, poisson->task.spheres))
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "The grid cuts the molecule: an atom is less than two steps from its edge.");
  const DebyeStatusCode code = debye_sharing_run(&poisson->share, &job, status);
  /* Newton's method may not find back from a nonlinear potential that went astray. */
  poisson->has_guess = code == DEBYE_STATUS_OK && (poisson->goal.salt == NULL || is_solved(poisson));
  return code;
}

/* A guess that is large where ions have come, as after a move of atoms, leads Newton's method astray: then from nothing. */
static DebyeStatusCode
execute(PoissonShare *poisson, const Task *task, const volatile bool *cancel, DebyeStatus *status)
{
  const bool had_guess = poisson->has_guess;
  poisson->task = *task;
  const DebyeStatusCode code = attempt(poisson, cancel, status);
  if (code != DEBYE_STATUS_OK || !had_guess || poisson->goal.salt == NULL || is_solved(poisson))
    return code;
  const unsigned cycles = poisson->report.cycles;
  const DebyeStatusCode again = attempt(poisson, cancel, status);
  poisson->report.cycles += cycles;
  return again;
}

/* Of a grid that repeats, with the images of its atoms. */
static DebyeStatusCode
execute_periodic(PoissonShare *poisson, const Task *task, const volatile bool *cancel, DebyeStatus *status)
{
  DebyePoissonImages images;
  if (!debye_poisson_images_init(&images, &poisson->medium, task->spheres, task->charges))
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                            "There is no memory for the periodic images of %zu atoms.", task->spheres->n);
  const Task whole = {&images.spheres, images.charges, true, task->out};
  const DebyeStatusCode code = execute(poisson, &whole, cancel, status);
  debye_poisson_images_clear(&images);
  return code;
}

DebyeStatusCode
debye_poisson_lanes_execute(DebyeSharing *share, const DebyeSpheres *spheres, const float *charges,
                            float *out, double *field, DebyePoissonReport *report,
                            const volatile bool *cancel, DebyeStatus *status)
{
  PoissonShare *poisson = (PoissonShare *)share;
  if (out == NULL && !poisson->keeps_source)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "Without a map the plan must keep its source.");
  /* For a focused grid only the map may be wanted. */
  const Task task = {spheres, charges, poisson->outer != NULL && field == NULL, out};
  DebyeStatusCode code = debye_poisson_is_periodic(&poisson->medium)
                             ? execute_periodic(poisson, &task, cancel, status)
                             : execute(poisson, &task, cancel, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  *report = poisson->report;
  return field == NULL ? code : debye_poisson_lanes_reaction(share, spheres, charges, field, status);
}

DebyeStatusCode
debye_poisson_lanes_reaction(DebyeSharing *share, const DebyeSpheres *spheres, const float *charges,
                             double *field, DebyeStatus *status)
{
  PoissonShare *poisson = (PoissonShare *)share;
  const DebyeStatusCode code =
      debye_poisson_share_bring(poisson, HAS_POTENTIAL | HAS_INNER | HAS_OPERATOR, status);
  return code != DEBYE_STATUS_OK
             ? code
             : debye_poisson_medium_reaction(&poisson->medium, spheres, charges, &poisson->equation,
                                             poisson->uniform, field, status);
}

void
debye_poisson_lanes_move(DebyeSharing *share, DebyeVec3 origin)
{
  PoissonShare *poisson = (PoissonShare *)share;
  poisson->medium.grid.origin = origin;
  poisson->has_guess = poisson->has_medium = false;
}

void
debye_poisson_lanes_forget(DebyeSharing *share)
{
  ((PoissonShare *)share)->has_guess = false;
}

void
debye_poisson_lanes_keep_medium(DebyeSharing *share, bool keeps)
{
  ((PoissonShare *)share)->keeps_medium = keeps;
}

void
debye_poisson_lanes_set_surface(DebyeSharing *share, const DebyeSurface *surface)
{
  PoissonShare *poisson = (PoissonShare *)share;
  poisson->surface = surface;
  poisson->lent = NULL;
}

void
debye_poisson_lanes_lend_surface(DebyeSharing *share, DebyeSurface *surface)
{
  PoissonShare *poisson = (PoissonShare *)share;
  poisson->surface = poisson->lent = surface;
}

void
debye_poisson_lanes_set_uniform(DebyeSharing *share, DebyePoissonUniform *uniform)
{
  ((PoissonShare *)share)->uniform = uniform;
}

bool
debye_poisson_lanes_makes_surface(const DebyeSharing *share)
{
  return ((const PoissonShare *)share)->makes_surface;
}

const bool *
debye_poisson_lanes_get_inner(DebyeSharing *share, DebyeStatus *status)
{
  PoissonShare *poisson = (PoissonShare *)share;
  return debye_poisson_share_bring(poisson, HAS_INNER, status) == DEBYE_STATUS_OK ? poisson->equation.is_inner
                                                                                  : NULL;
}

const DebyePoissonEquation *
debye_poisson_lanes_get_equation(DebyeSharing *share, DebyeStatus *status)
{
  PoissonShare *poisson = (PoissonShare *)share;
  return debye_poisson_share_bring(poisson, HAS_ALL, status) == DEBYE_STATUS_OK ? &poisson->equation : NULL;
}

DebyeStatusCode
debye_poisson_lanes_ions_energy(DebyeSharing *share, double *energy, DebyeStatus *status)
{
  PoissonShare *poisson = (PoissonShare *)share;
  const DebyeStatusCode code = debye_poisson_share_bring(poisson, HAS_ALL, status);
  return code != DEBYE_STATUS_OK ? code
                                 : debye_poisson_ions_energy(&poisson->medium, poisson->goal.salt,
                                                             &poisson->equation, energy, status);
}

bool
debye_poisson_lanes_leaves_equation(const DebyePoissonMedium *medium, const DebyePoissonMaps *maps,
                                    const DebyeDeviceEntry *device)
{
  return device->backend->poisson != NULL && device->backend->poisson->solve_molecule != NULL &&
         is_plain(medium, maps);
}

uint64_t
debye_poisson_lanes_device_bytes(const DebyePoissonMedium *medium, const DebyePoissonMaps *maps,
                                 bool nonlinear, const DebyeDeviceEntry *device)
{
  const DebyePoissonSettings settings = settings_of(medium, maps, nonlinear);
  return device->backend->poisson == NULL
             ? UINT64_MAX
             : device->backend->poisson->head.bytes_needed(device->device, &settings);
}

bool
debye_poisson_lanes_find_slabs(const DebyePoissonMedium *medium, const DebyePoissonMaps *maps, bool nonlinear,
                               double part, const DebyeDeviceEntry *const *devices, size_t n_devices,
                               DebyePoissonSlabs *slabs)
{
  const DebyePoissonSettings settings = settings_of(medium, maps, nonlinear);
  return debye_poisson_slabs_choose(&settings, devices, n_devices, (DebyePoissonRoom){part, 0}, slabs);
}

uint64_t
debye_poisson_lanes_slabs_bytes(const DebyePoissonMedium *medium, const DebyePoissonMaps *maps,
                                bool nonlinear, const DebyePoissonSlabs *slabs,
                                const DebyeDeviceEntry *const *devices, size_t n_devices)
{
  const DebyeDeviceEntry *found[DEBYE_POISSON_MAX_SLABS];
  DebyePoissonSettings settings = settings_of(medium, maps, nonlinear);
  settings.slabs = *slabs;
  return debye_poisson_slabs_find(&settings, devices, n_devices, found) < slabs->n
             ? UINT64_MAX
             : debye_poisson_slabs_sum_bytes(&settings, found[0]->backend);
}

uint64_t
debye_poisson_lanes_together_bytes(const DebyePoissonMedium *medium, const DebyePoissonMaps *maps,
                                   bool nonlinear, const DebyeDeviceEntry *const *devices, size_t n_devices)
{
  const DebyePoissonSettings settings = settings_of(medium, maps, nonlinear);
  return debye_poisson_slabs_bytes(&settings, devices, n_devices);
}

size_t
debye_poisson_lanes_find_together(const DebyePoissonMedium *medium, const DebyePoissonMaps *maps,
                                  bool nonlinear, const DebyeDeviceEntry *const *devices, size_t n_devices,
                                  const DebyeDeviceEntry **found)
{
  const DebyePoissonSettings settings = settings_of(medium, maps, nonlinear);
  return debye_poisson_slabs_find(&settings, devices, n_devices, found);
}
