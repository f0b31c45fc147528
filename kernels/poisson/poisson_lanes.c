/* SPDX-License-Identifier: MIT */
/* Implementation of poisson_lanes.h: surface, boundary and charges are the host's, the equation is a device's. */
#include "poisson_lanes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/chunk_threads.h"
#include "poisson_energy.h"
#include "poisson_images.h"
#include "poisson_voltage.h"

typedef struct {
  DebyeSharing share; /* its settings are the kernel's */
  DebyePoissonMedium medium;
  DebyePoissonGoal goal;
  DebyePoissonBoundary boundary;
  const DebyeSharing *outer;
  DebyePoissonMaps maps;
  size_t n_points;
  DebyePoissonEquation equation;
  bool has_guess;
  const DebyeSurface *surface;   /* of the atoms to come; NULL: to be found */
  bool has_medium, keeps_medium; /* whether the equation has one, and is to keep it */
  DebyePoissonReport report;     /* of the execution under way */
} PoissonShare;

/* What the potential is where an execution failed: no guess. */
static DebyeStatusCode
solve(DebyeSharing *share, DebyeSharingLane *lane, DebyeSharingRun run, const volatile bool *cancel,
      DebyeStatus *status)
{
  PoissonShare *poisson = (PoissonShare *)share;
  const DebyePoissonKernel *kernel = (const DebyePoissonKernel *)lane->kernel;
  const DebyePoissonOperator operator_ = {
      {poisson->equation.along[0], poisson->equation.along[1], poisson->equation.along[2]},
      poisson->equation.screening};
  (void)run;
  const DebyeStatusCode code = kernel->set_operator(lane->plan, &operator_, status);
  return code != DEBYE_STATUS_OK
             ? code
             : kernel->solve(lane->plan, poisson->equation.source, poisson->equation.potential,
                             &poisson->goal, &poisson->report, cancel, status);
}

static void
clear(DebyeSharing *share)
{
  PoissonShare *poisson = (PoissonShare *)share;
  for (int axis = 0; axis < 3; axis++)
    free(poisson->equation.along[axis]);
  free(poisson->equation.screening);
  free(poisson->equation.source);
  free(poisson->equation.is_inner);
  free(poisson->equation.potential);
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

static size_t
count_points(const DebyePoissonMedium *medium)
{
  return medium->grid.shape[0] * medium->grid.shape[1] * medium->grid.shape[2];
}

static DebyePoissonSettings
settings_of(const DebyePoissonMedium *medium, bool nonlinear)
{
  const size_t *shape = medium->grid.shape;
  const bool *periodic = medium->periodic;
  return (DebyePoissonSettings){.shape = {shape[0], shape[1], shape[2]},
                                .periodic = {periodic[0], periodic[1], periodic[2]},
                                .nonlinear = nonlinear};
}

static bool
allocate(PoissonShare *poisson)
{
  const size_t n = poisson->n_points;
  for (int axis = 0; axis < 3; axis++)
    poisson->equation.along[axis] = calloc(n, sizeof(float));
  poisson->equation.screening = calloc(n, sizeof(float));
  poisson->equation.source = calloc(n, sizeof(float));
  poisson->equation.is_inner = calloc(n, sizeof(bool));
  poisson->equation.potential = calloc(n, sizeof(double));
  return poisson->equation.along[0] != NULL && poisson->equation.along[1] != NULL &&
         poisson->equation.along[2] != NULL && poisson->equation.screening != NULL &&
         poisson->equation.source != NULL && poisson->equation.is_inner != NULL &&
         poisson->equation.potential != NULL;
}

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
    made->medium.smoothed |= settings->maps.permittivity[0] != NULL;
    made->n_points = count_points(&settings->medium);
  }
  return debye_sharing_start(made, made != NULL && allocate(made), share, status);
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

static bool
is_periodic(const DebyePoissonMedium *medium)
{
  return medium->periodic[0] || medium->periodic[1] || medium->periodic[2];
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
    const PoissonShare *outer = (const PoissonShare *)poisson->outer;
    debye_poisson_medium_focus(medium, &outer->medium.grid, outer->equation.potential, potential);
    return debye_status_ok(status);
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
pose(PoissonShare *poisson, const DebyeSpheres *spheres, const float *charges, bool may_cut,
     DebyeStatus *status)
{
  const bool has_charges = poisson->maps.charge != NULL;
  if (!has_charges && !may_cut && !debye_poisson_medium_contains(&poisson->medium, spheres))
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "The grid cuts the molecule: an atom is less than two steps within it.");
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
attempt(PoissonShare *poisson, const DebyeSpheres *spheres, const float *charges, bool may_cut,
        const volatile bool *cancel, DebyeStatus *status)
{
  const DebyeSharingJob job = {.n_inputs = 1, .n_items = 1, .item_cost = 1.0, .cancel = cancel};
  DebyeStatusCode code = pose(poisson, spheres, charges, may_cut, status);
  if (has_voltage(poisson))
    debye_poisson_voltage_shift(&poisson->medium, -1.0, poisson->equation.potential);
  if (code == DEBYE_STATUS_OK)
    code = debye_sharing_run(&poisson->share, &job, status);
  if (has_voltage(poisson))
    debye_poisson_voltage_shift(&poisson->medium, 1.0, poisson->equation.potential);
  debye_poisson_wrap(poisson->equation.potential, sizeof(double), poisson->medium.grid.shape,
                     poisson->medium.periodic);
  if (code == DEBYE_STATUS_OK && needs_background(poisson))
    debye_poisson_remove_mean(&poisson->medium.grid, NULL, poisson->equation.potential);
  /* Newton's method may not find back from a nonlinear potential that went astray. */
  poisson->has_guess = code == DEBYE_STATUS_OK && (poisson->goal.salt == NULL || is_solved(poisson));
  return code;
}

/* A guess that is large where ions have come, as after a move of atoms, leads Newton's method astray: then from nothing. */
static DebyeStatusCode
solve_pose(PoissonShare *poisson, const DebyeSpheres *spheres, const float *charges, bool may_cut,
           const volatile bool *cancel, DebyeStatus *status)
{
  const bool had_guess = poisson->has_guess;
  const DebyeStatusCode code = attempt(poisson, spheres, charges, may_cut, cancel, status);
  if (code != DEBYE_STATUS_OK || !had_guess || poisson->goal.salt == NULL || is_solved(poisson))
    return code;
  const unsigned cycles = poisson->report.cycles;
  const DebyeStatusCode again = attempt(poisson, spheres, charges, may_cut, cancel, status);
  poisson->report.cycles += cycles;
  return again;
}

static DebyeStatusCode
copy_potential(const PoissonShare *poisson, float *out, DebyeStatus *status)
{
  for (size_t i = 0; i < poisson->n_points; i++) {
    out[i] = (float)poisson->equation.potential[i];
    if (!isfinite(out[i]))
      return debye_status_set(status, DEBYE_STATUS_INVALID,
                              "The potential isn't finite: the equation isn't solved.");
  }
  return debye_status_ok(status);
}

/* Of a grid that repeats, with the images of its atoms. */
static DebyeStatusCode
solve_periodic(PoissonShare *poisson, const DebyeSpheres *spheres, const float *charges,
               const volatile bool *cancel, DebyeStatus *status)
{
  DebyePoissonImages images;
  if (!debye_poisson_images_init(&images, &poisson->medium, spheres, charges))
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                            "There is no memory for the periodic images of %zu atoms.", spheres->n);
  const DebyeStatusCode code = solve_pose(poisson, &images.spheres, images.charges, true, cancel, status);
  debye_poisson_images_clear(&images);
  return code;
}

DebyeStatusCode
debye_poisson_lanes_execute(DebyeSharing *share, const DebyeSpheres *spheres, const float *charges,
                            float *out, double *field, DebyePoissonReport *report,
                            const volatile bool *cancel, DebyeStatus *status)
{
  PoissonShare *poisson = (PoissonShare *)share;
  /* Of a focused grid only the map may be wanted. */
  const bool may_cut = poisson->outer != NULL && field == NULL;
  DebyeStatusCode code = is_periodic(&poisson->medium)
                             ? solve_periodic(poisson, spheres, charges, cancel, status)
                             : solve_pose(poisson, spheres, charges, may_cut, cancel, status);
  if (code == DEBYE_STATUS_OK)
    code = copy_potential(poisson, out, status);
  poisson->has_guess = poisson->has_guess && code == DEBYE_STATUS_OK;
  if (code != DEBYE_STATUS_OK)
    return code;
  *report = poisson->report;
  return field == NULL ? code
                       : debye_poisson_medium_reaction(&poisson->medium, spheres, charges, &poisson->equation,
                                                       &debye_chunk_threads, field, status);
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

const bool *
debye_poisson_lanes_get_inner(const DebyeSharing *share)
{
  return ((const PoissonShare *)share)->equation.is_inner;
}

const DebyePoissonEquation *
debye_poisson_lanes_get_equation(const DebyeSharing *share)
{
  return &((const PoissonShare *)share)->equation;
}

DebyeStatusCode
debye_poisson_lanes_ions_energy(DebyeSharing *share, double *energy, DebyeStatus *status)
{
  const PoissonShare *poisson = (const PoissonShare *)share;
  return debye_poisson_ions_energy(&poisson->medium, poisson->goal.salt, &poisson->equation,
                                   &debye_chunk_threads, energy, status);
}

uint64_t
debye_poisson_lanes_host_bytes(const DebyePoissonMedium *medium)
{
  return (uint64_t)count_points(medium) * (5 * sizeof(float) + sizeof(bool) + sizeof(double));
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
