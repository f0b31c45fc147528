/* SPDX-License-Identifier: MIT */
/* Implementation of poisson_lanes.h. A device that can makes the whole equation itself; else surface, boundary and charges are the host's
 * and the equation is a device's. */
#include "poisson_lanes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/chunk_threads.h"
#include "poisson_energy.h"
#include "poisson_images.h"
#include "poisson_voltage.h"

/* What an execution is of. */
typedef struct {
  const DebyeSpheres *spheres;
  const float *charges;
  bool may_cut; /* atoms may be anywhere */
  float *out;
} Task;

/* Arrays of an equation that the host has. */
enum { HAS_POTENTIAL = 1, HAS_INNER = 2, HAS_OPERATOR = 4, HAS_SOURCE = 8, HAS_ALL = 15 };

typedef struct {
  DebyeSharing share; /* its settings are the kernel's */
  DebyePoissonMedium medium;
  DebyePoissonGoal goal;
  DebyePoissonBoundary boundary;
  DebyeSharing *outer;
  DebyePoissonMaps maps;
  size_t n_points;
  bool keeps_source;
  DebyePoissonEquation equation; /* its source is lent where it isn't kept: NULL between executions */
  unsigned on_host;              /* HAS_… of the last equation, */
  /* which else is this plan's; NULL: the host's own. */
  const DebyePoissonKernel *maker;
  DebyeKernelPlan *maker_plan;
  bool makes_surface; /* the first device does */
  bool has_guess;
  const DebyeSurface *surface;   /* of the atoms to come; NULL: to be found */
  bool has_medium, keeps_medium; /* whether the equation has one, and is to keep it */
  Task task;                     /* of the execution under way */
  DebyePoissonReport report;
} PoissonShare;

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
}

static size_t
count_points(const DebyePoissonMedium *medium)
{
  return medium->grid.shape[0] * medium->grid.shape[1] * medium->grid.shape[2];
}

static bool
is_periodic(const DebyePoissonMedium *medium)
{
  return medium->periodic[0] || medium->periodic[1] || medium->periodic[2];
}

/* Atoms of a protein in a box with room around it, as 3,300 in 80 Å, whose points are some tenths of Å to 1 Å apart: on a larger grid
 * around it they are fewer. */
#define ATOMS_PER_VOLUME 0.0065
#define ATOMS_PER_POINT 0.012

/* About so many atoms are in a grid whose equation a device may make itself; else 0. */
static size_t
expect_atoms(const DebyePoissonMedium *medium)
{
  double volume = 1.0;
  for (int axis = 0; axis < 3; axis++)
    volume *= medium->grid.step[axis] * (double)medium->grid.shape[axis];
  return is_periodic(medium) || medium->membrane.is_there || medium->smoothed
             ? 0
             : (size_t)fmin(ATOMS_PER_VOLUME * volume, ATOMS_PER_POINT * (double)count_points(medium)) + 1;
}

static DebyePoissonSettings
settings_of(const DebyePoissonMedium *medium, bool nonlinear)
{
  const size_t *shape = medium->grid.shape;
  const bool *periodic = medium->periodic;
  return (DebyePoissonSettings){.shape = {shape[0], shape[1], shape[2]},
                                .periodic = {periodic[0], periodic[1], periodic[2]},
                                .nonlinear = nonlinear,
                                .n_atoms = expect_atoms(medium)};
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
  poisson->equation.is_inner = calloc(n, sizeof(bool));
  poisson->equation.potential = calloc(n, sizeof(double));
  return poisson->equation.along[0] != NULL && poisson->equation.along[1] != NULL &&
         poisson->equation.along[2] != NULL && poisson->equation.screening != NULL &&
         (!poisson->keeps_source || poisson->equation.source != NULL) && poisson->equation.is_inner != NULL &&
         poisson->equation.potential != NULL;
}

/* Of a guess, too. */
static void
clear_outer(const DebyePoissonMedium *medium, double *potential)
{
  const size_t *shape = medium->grid.shape;
  for (size_t z = 0; z < shape[2]; z++)
    for (size_t y = 0; y < shape[1]; y++) {
      const bool is_outer = z == 0 || z + 1 == shape[2] || y == 0 || y + 1 == shape[1];
      for (size_t x = 0; x < shape[0]; x += is_outer ? 1 : shape[0] - 1)
        potential[x + shape[0] * (y + shape[1] * z)] = 0.0;
    }
}

/* Brings what the host doesn't have of the last equation from the device that made it. */
static DebyeStatusCode
bring(PoissonShare *poisson, unsigned what, DebyeStatus *status)
{
  DebyePoissonEquation wanted = {.screening = NULL};
  what &= ~poisson->on_host;
  if (what == 0 || poisson->maker == NULL)
    return debye_status_ok(status);
  if ((what & HAS_POTENTIAL) != 0)
    wanted.potential = poisson->equation.potential;
  if ((what & HAS_INNER) != 0)
    wanted.is_inner = poisson->equation.is_inner;
  if ((what & HAS_OPERATOR) != 0) {
    memcpy(wanted.along, poisson->equation.along, sizeof wanted.along);
    wanted.screening = poisson->equation.screening;
  }
  if ((what & HAS_SOURCE) != 0)
    wanted.source = poisson->equation.source;
  const DebyeStatusCode code = poisson->maker->fetch(poisson->maker_plan, &wanted, status);
  poisson->on_host |= code == DEBYE_STATUS_OK ? what : 0;
  return code;
}

/* What the charges and other solutions say of the grid's outer points. */
static DebyeStatusCode
set_boundary(PoissonShare *poisson, const DebyeSpheres *spheres, const float *charges, DebyeStatus *status)
{
  const DebyePoissonMedium *medium = &poisson->medium;
  double *potential = poisson->equation.potential;
  if (poisson->boundary == DEBYE_POISSON_ZERO || is_periodic(medium)) {
    clear_outer(medium, potential);
    return debye_status_ok(status);
  }
  if (poisson->boundary == DEBYE_POISSON_FOCUS) {
    PoissonShare *outer = (PoissonShare *)poisson->outer;
    const DebyeStatusCode code = bring(outer, HAS_POTENTIAL, status);
    if (code == DEBYE_STATUS_OK)
      debye_poisson_medium_focus(medium, &outer->medium.grid, outer->equation.potential, potential);
    return code;
  }
  return poisson->maps.charge != NULL
             ? debye_poisson_medium_set_map_boundary(medium, poisson->maps.charge, &debye_chunk_threads,
                                                     potential, status)
             : debye_poisson_medium_set_boundary(medium, spheres, charges, &debye_chunk_threads, potential,
                                                 status);
}

/* Permittivities and where ions are, unless maps give both. */
static DebyeStatusCode
set_medium(PoissonShare *poisson, const DebyeSpheres *spheres, DebyeStatus *status)
{
  const DebyePoissonMaps *maps = &poisson->maps;
  DebyeStatusCode code = debye_status_ok(status);
  if (maps->permittivity[0] == NULL || maps->ions == NULL)
    code = poisson->surface != NULL
               ? debye_poisson_medium_set_surface(&poisson->medium, poisson->surface, &debye_chunk_threads,
                                                  &poisson->equation, status)
               : debye_poisson_medium_set(&poisson->medium, spheres, &debye_chunk_threads, &poisson->equation,
                                          status);
  if (code == DEBYE_STATUS_OK && poisson->medium.smoothed && maps->permittivity[0] == NULL)
    code = debye_poisson_medium_smooth(&poisson->medium, spheres, &debye_chunk_threads, &poisson->equation,
                                       status);
  return code;
}

static bool
has_voltage(const PoissonShare *poisson)
{
  return poisson->medium.membrane.is_there && poisson->medium.membrane.voltage != 0.0;
}

/* Whether only a background makes the equation solvable: nothing else takes up what a cell's charges send out. */
static bool
needs_background(const PoissonShare *poisson)
{
  const bool *periodic = poisson->medium.periodic;
  bool has_ions = false;
  for (size_t i = 0; i < poisson->n_points && !has_ions; i++)
    has_ions = poisson->equation.screening[i] > 0.0f;
  return periodic[0] && periodic[1] && periodic[2] && !has_ions;
}

/* Periodic copies, to the last bit: the operator is symmetric then. */
static void
repeat(PoissonShare *poisson)
{
  DebyePoissonEquation *equation = &poisson->equation;
  float *const arrays[4] = {equation->along[0], equation->along[1], equation->along[2], equation->screening};
  for (int i = 0; i < 4; i++)
    debye_poisson_wrap(arrays[i], sizeof(float), poisson->medium.grid.shape, poisson->medium.periodic);
  if (needs_background(poisson))
    debye_poisson_remove_mean(&poisson->medium.grid, equation->source, NULL);
}

/* Everything of the equation but its solution. The boundary is written over the last solution's. */
static DebyeStatusCode
pose(PoissonShare *poisson, DebyeStatus *status)
{
  const DebyeSpheres *spheres = poisson->task.spheres;
  const float *charges = poisson->task.charges;
  const bool has_charges = poisson->maps.charge != NULL;
  if (poisson->maker != NULL)
    poisson->has_guess = poisson->has_medium = false;
  poisson->maker = NULL;
  poisson->on_host = HAS_ALL;
  if (!poisson->has_guess)
    memset(poisson->equation.potential, 0, poisson->n_points * sizeof *poisson->equation.potential);
  memset(poisson->equation.source, 0, poisson->n_points * sizeof *poisson->equation.source);
  if (!has_charges)
    debye_poisson_medium_add_charges(&poisson->medium, spheres, charges, poisson->equation.source);
  DebyeStatusCode code = set_boundary(poisson, spheres, charges, status);
  if (code == DEBYE_STATUS_OK && !(poisson->keeps_medium && poisson->has_medium)) {
    code = set_medium(poisson, spheres, status);
    poisson->has_medium = code == DEBYE_STATUS_OK;
  }
  if (code != DEBYE_STATUS_OK)
    return code;
  /* Each time: charges of a map are written over the source, which is new. */
  debye_poisson_medium_take_maps(&poisson->medium, &poisson->maps, &poisson->equation);
  repeat(poisson);
  if (has_voltage(poisson) && poisson->boundary != DEBYE_POISSON_FOCUS)
    debye_poisson_voltage_add_profile(&poisson->medium, poisson->equation.potential);
  if (has_voltage(poisson))
    debye_poisson_voltage_add_source(&poisson->medium, &poisson->equation);
  return code;
}

static bool
is_solved(const PoissonShare *poisson)
{
  return poisson->report.residual <= poisson->goal.tolerance;
}

static DebyeStatusCode
copy_potential(const PoissonShare *poisson, float *out, DebyeStatus *status)
{
  for (size_t i = 0; i < poisson->n_points; i++) {
    const float value = (float)poisson->equation.potential[i];
    if (out != NULL)
      out[i] = value;
    if (!isfinite(value))
      return debye_status_set(status, DEBYE_STATUS_INVALID,
                              "The potential isn't finite: the equation isn't solved.");
  }
  return debye_status_ok(status);
}

/* The equation that the host has made. What the potential is where an execution failed: no guess. */
static DebyeStatusCode
solve_posed(PoissonShare *poisson, const DebyeSharingLane *lane, const volatile bool *cancel,
            DebyeStatus *status)
{
  const DebyePoissonKernel *kernel = (const DebyePoissonKernel *)lane->kernel;
  DebyePoissonEquation *equation = &poisson->equation;
  const DebyePoissonOperator operator_ = {{equation->along[0], equation->along[1], equation->along[2]},
                                          equation->screening};
  if (has_voltage(poisson))
    debye_poisson_voltage_shift(&poisson->medium, -1.0, equation->potential);
  DebyeStatusCode code = kernel->set_operator(lane->plan, &operator_, status);
  if (code == DEBYE_STATUS_OK)
    code = kernel->solve(lane->plan, equation->source, equation->potential, &poisson->goal, &poisson->report,
                         cancel, status);
  if (has_voltage(poisson))
    debye_poisson_voltage_shift(&poisson->medium, 1.0, equation->potential);
  if (code == DEBYE_STATUS_OK)
    debye_poisson_wrap(equation->potential, sizeof(double), poisson->medium.grid.shape,
                       poisson->medium.periodic);
  if (code == DEBYE_STATUS_OK && needs_background(poisson))
    debye_poisson_remove_mean(&poisson->medium.grid, NULL, equation->potential);
  return code == DEBYE_STATUS_OK ? copy_potential(poisson, poisson->task.out, status) : code;
}

/* Whether a device may make the equation itself. */
static bool
is_plain(const DebyePoissonMedium *medium, const DebyePoissonMaps *maps)
{
  return expect_atoms(medium) > 0 && maps->permittivity[0] == NULL && maps->ions == NULL &&
         maps->charge == NULL;
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
    code = bring(outer, HAS_POTENTIAL, status);
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
  DebyeStatusCode code = solve_molecule(poisson, lane, cancel, status);
  if (code != DEBYE_STATUS_UNSUPPORTED && code != DEBYE_STATUS_NO_MEMORY)
    return code;
  if (!poisson->keeps_source)
    poisson->equation.source = poisson->task.out;
  code = pose(poisson, status);
  if (code == DEBYE_STATUS_OK)
    code = solve_posed(poisson, lane, cancel, status);
  if (!poisson->keeps_source)
    poisson->equation.source = NULL;
  return code;
}

static const DebyeSharingFamily family = {
    .task = "solve the Poisson-Boltzmann equation",
    .kernel = offsetof(DebyeBackend, poisson),
    .size = sizeof(PoissonShare),
    .settings_size = sizeof(DebyePoissonSettings),
    .spare_cores = offsetof(DebyePoissonSettings, spare_cores),
    .alone = true,
    .execute = solve,
    .clear = clear,
};

DebyeStatusCode
debye_poisson_lanes_create(const DebyePoissonLanesSettings *settings, const DebyeDeviceEntry *const *devices,
                           size_t n_devices, DebyeSharing **share, DebyeStatus *status)
{
  const DebyePoissonSettings kernel = settings_of(&settings->medium, settings->goal.salt != NULL);
  *share = NULL;
  DebyeStatusCode code = debye_poisson_settings_check(&kernel, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_poisson_goal_check(&kernel, &settings->goal, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  PoissonShare *made = debye_sharing_new(&family, &kernel, settings->memory_limit, devices, n_devices);
  if (made != NULL) {
    made->medium = settings->medium;
    made->goal = settings->goal;
    made->boundary = settings->boundary;
    made->outer = settings->outer;
    made->maps = settings->maps;
    made->keeps_source = settings->keeps_source;
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
                            "The grid cuts the molecule: an atom is less than two steps within it.");
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
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "A plan that doesn't keep its right-hand side needs memory for the map.");
  /* Of a focused grid only the map may be wanted. */
  const Task task = {spheres, charges, poisson->outer != NULL && field == NULL, out};
  DebyeStatusCode code = is_periodic(&poisson->medium) ? execute_periodic(poisson, &task, cancel, status)
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
  const DebyeStatusCode code = bring(poisson, HAS_POTENTIAL | HAS_INNER | HAS_OPERATOR, status);
  return code != DEBYE_STATUS_OK
             ? code
             : debye_poisson_medium_reaction(&poisson->medium, spheres, charges, &poisson->equation,
                                             &debye_chunk_threads, field, status);
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
  ((PoissonShare *)share)->surface = surface;
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
  return bring(poisson, HAS_INNER, status) == DEBYE_STATUS_OK ? poisson->equation.is_inner : NULL;
}

const DebyePoissonEquation *
debye_poisson_lanes_get_equation(DebyeSharing *share, DebyeStatus *status)
{
  PoissonShare *poisson = (PoissonShare *)share;
  return bring(poisson, HAS_ALL, status) == DEBYE_STATUS_OK ? &poisson->equation : NULL;
}

DebyeStatusCode
debye_poisson_lanes_ions_energy(DebyeSharing *share, double *energy, DebyeStatus *status)
{
  PoissonShare *poisson = (PoissonShare *)share;
  const DebyeStatusCode code = bring(poisson, HAS_ALL, status);
  return code != DEBYE_STATUS_OK
             ? code
             : debye_poisson_ions_energy(&poisson->medium, poisson->goal.salt, &poisson->equation,
                                         &debye_chunk_threads, energy, status);
}

bool
debye_poisson_lanes_leaves_equation(const DebyePoissonMedium *medium, const DebyePoissonMaps *maps,
                                    const DebyeDeviceEntry *device)
{
  return device->backend->poisson != NULL && device->backend->poisson->solve_molecule != NULL &&
         is_plain(medium, maps);
}

uint64_t
debye_poisson_lanes_device_bytes(const DebyePoissonMedium *medium, bool nonlinear,
                                 const DebyeDeviceEntry *device)
{
  const DebyePoissonSettings settings = settings_of(medium, nonlinear);
  return device->backend->poisson == NULL
             ? UINT64_MAX
             : device->backend->poisson->head.bytes_needed(device->device, &settings);
}
