/* SPDX-License-Identifier: MIT */
/* The back end that fails on command. Its plans are the CPU's own, and so are all functions of its kernels
 * but those that plan and execute: which plan is whose stands in a list beside them. */
#include "fake_backend.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "kernels/cpu/backend_cpu.h"
#include "kernels/pairs/pair_histogram.h"
#include "kernels/isosurface/isosurface.h"
#include "kernels/ligand/ligand_map.h"
#include "kernels/orbital/orbital.h"
#include "kernels/poisson/poisson.h"
#include "kernels/potential/ion_field.h"
#include "kernels/scattering/correlation.h"
#include "kernels/scattering/scattering_multipole.h"
#include "kernels/density/density_map.h"
#include "kernels/scattering/displacement_histogram.h"
#include "kernels/scattering/scattering_amplitude.h"
#include "kernels/scattering/scattering_lattice.h"
#include "kernels/scattering/scattering_self.h"
#include "kernels/surface/surface_mesh.h"

#define MAX_PLANS 64
/* Of the cutoff method's atoms this device has no room for one in so many. */
#define OVERFLOW_STRIDE 3

typedef struct {
  DebyeKernelPlan *plan; /* NULL: free */
  DebyeFakeDevice *device;
  const DebyeKernelHead *kernel; /* the CPU's */
  size_t n_values;               /* that a failing execute spoils: of one plane, series, frame */
  unsigned n_executed;
  /* The atoms kept and those left over: x, y, z, charge. */
  float *kept[4], *left[4];
  size_t n_kept, n_left;
} FakePlan;

static DebyeFakeDevice devices[DEBYE_FAKE_MAX_DEVICES];
static int n_devices = 1;
static FakePlan plans[MAX_PLANS];
static pthread_mutex_t plans_mutex = PTHREAD_MUTEX_INITIALIZER;

void
debye_fake_reset(int n)
{
  n_devices = n;
  debye_fake_share_equations(0);
  for (int i = 0; i < DEBYE_FAKE_MAX_DEVICES; i++)
    devices[i] = (DebyeFakeDevice){.score = 1e9, .execute_code = DEBYE_STATUS_DEVICE_FAILED};
}

DebyeFakeDevice *
debye_fake_device(int device)
{
  return &devices[device];
}

/* What all kernels have. */

static FakePlan *
find(const DebyeKernelPlan *plan)
{
  FakePlan *found = NULL;
  pthread_mutex_lock(&plans_mutex);
  for (size_t i = 0; i < MAX_PLANS && found == NULL; i++)
    if (plans[i].plan == plan)
      found = &plans[i];
  pthread_mutex_unlock(&plans_mutex);
  return found;
}

static uint64_t
bytes_of(int device, const DebyeKernelHead *kernel, const void *settings)
{
  atomic_fetch_add(&devices[device].n_asked, 1);
  return devices[device].bytes > 0 ? devices[device].bytes : kernel->bytes_needed(0, settings);
}

static DebyeStatusCode
create(int device, const DebyeKernelHead *kernel, const void *settings, size_t n_values,
       DebyeKernelPlan **plan, DebyeStatus *status)
{
  if (devices[device].create_code != DEBYE_STATUS_OK)
    return debye_status_set(status, devices[device].create_code, "Fake device %d fails to start.", device);
  DebyeStatusCode code = kernel->create(0, settings, plan, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  pthread_mutex_lock(&plans_mutex);
  size_t i = 0;
  while (i + 1 < MAX_PLANS && plans[i].plan != NULL)
    i++;
  plans[i] = (FakePlan){*plan, &devices[device], kernel, n_values, 0, {NULL}, {NULL}, 0, 0};
  pthread_mutex_unlock(&plans_mutex);
  atomic_fetch_add(&devices[device].n_plans, 1);
  return code;
}

static void
free_arrays(float *arrays[4])
{
  for (int i = 0; i < 4; i++) {
    free(arrays[i]);
    arrays[i] = NULL;
  }
}

static void
destroy(DebyeKernelPlan *plan)
{
  if (plan == NULL)
    return;
  FakePlan *fake = find(plan);
  const DebyeKernelHead *kernel = fake->kernel;
  atomic_fetch_sub(&fake->device->n_plans, 1);
  free_arrays(fake->kept);
  free_arrays(fake->left);
  pthread_mutex_lock(&plans_mutex);
  fake->plan = NULL;
  pthread_mutex_unlock(&plans_mutex);
  kernel->destroy(plan);
}

/* Whether this execute is the one that fails. */
static bool
fails(FakePlan *fake, DebyeStatus *status)
{
  if (fake->device->delay_microseconds > 0)
    nanosleep(&(struct timespec){.tv_nsec = 1000L * fake->device->delay_microseconds}, NULL);
  atomic_fetch_add(&fake->device->n_executed, 1);
  if (++fake->n_executed != fake->device->fail_at)
    return false;
  debye_status_set(status, fake->device->execute_code, "Fake device fails at execution %u.",
                   fake->n_executed);
  return true;
}

/* As fails; half of what it should compute is nonsense then. */
static bool
spoils(FakePlan *fake, double *out, size_t n, DebyeStatus *status)
{
  if (!fails(fake, status))
    return false;
  for (size_t i = 0; i < n; i += 2)
    out[i] = 12345.0;
  return true;
}

static void
note_packed(const DebyeKernelPlan *plan, const DebyePackedCoordinates *packed)
{
  if (packed != NULL)
    atomic_fetch_add(&find(plan)->device->n_packed, 1);
}

/* The head of a family whose settings are of the type, and whose kernel is the CPU's. */
#define FAKE_HEAD(name, cpu, Settings, values)                                                    \
  static uint64_t name##_bytes(int device, const void *of_kernel)                                 \
  {                                                                                               \
    const Settings *settings = of_kernel;                                                         \
    return bytes_of(device, &debye_backend_cpu.cpu->head, settings);                              \
  }                                                                                               \
  static DebyeStatusCode name##_create(int device, const void *of_kernel, DebyeKernelPlan **plan, \
                                       DebyeStatus *status)                                       \
  {                                                                                               \
    const Settings *settings = of_kernel;                                                         \
    return create(device, &debye_backend_cpu.cpu->head, settings, (values), plan, status);        \
  }

FAKE_HEAD(potential, potential[settings->method], DebyePotentialSettings,
          settings->grid.shape[0] * settings->grid.shape[1])
FAKE_HEAD(pair_histogram, pair_histogram, DebyePairSettings, settings->n_pairs * settings->n_bins)
FAKE_HEAD(amplitude, amplitude, DebyeAmplitudeSettings, 2 * settings->groups.n_groups)
FAKE_HEAD(lattice, lattice, DebyeLatticeSettings, 2 * settings->groups.n_groups * settings->n_chosen)
FAKE_HEAD(correlation, correlation, DebyeCorrelationSettings, 2 * settings->n_frames)
FAKE_HEAD(multipole, multipole, DebyeMultipoleSettings, 2 * settings->groups.n_groups)
FAKE_HEAD(self, self, DebyeSelfSettings, 2 * settings->n_frames * settings->n_groups)
FAKE_HEAD(displacement, displacement, DebyeDisplacementSettings, 1)
FAKE_HEAD(density, density, DebyeDensitySettings, 0)
FAKE_HEAD(ligand, ligand, DebyeLigandSettings, 0)
FAKE_HEAD(isosurface, isosurface, DebyeIsosurfaceSettings, 0)
FAKE_HEAD(surface_mesh, surface_mesh, DebyeSurfaceMeshSettings, 0)
FAKE_HEAD(ion_field, ion_field, DebyeIonFieldSettings, 0)
FAKE_HEAD(orbital, orbital, DebyeOrbitalSettings, 0)
FAKE_HEAD(whole_poisson, poisson, DebyePoissonSettings,
          settings->shape[0] * settings->shape[1] * settings->shape[2])

static DebyePoissonKernel poisson;

void
debye_fake_share_equations(unsigned n)
{
  poisson.max_slabs = n;
}

/* Of the device's slabs. */
static uint64_t
poisson_bytes(int device, const void *of_kernel)
{
  const DebyePoissonSettings *settings = of_kernel;
  const DebyePoissonSlabs *slabs = &settings->slabs;
  const uint64_t whole = whole_poisson_bytes(device, settings), planes = settings->shape[2] - 2;
  uint64_t bytes = slabs->n == 0 ? whole : 0;
  for (unsigned i = 0; i < slabs->n && whole < UINT64_MAX; i++)
    bytes += slabs->device[i] == device ? whole / planes * slabs->planes[i] : 0;
  return bytes;
}

/* Potentials. */

static const DebyePotentialKernel *
potential_of(const FakePlan *fake)
{
  return (const DebyePotentialKernel *)fake->kernel;
}

static DebyeStatusCode
set_charges_with_overflow(DebyeKernelPlan *plan, const DebyeCharges *charges, const DebyeCell *cell,
                          DebyeStatus *status)
{
  FakePlan *fake = find(plan);
  const float *const from[4] = {charges->x, charges->y, charges->z, charges->charge};
  free_arrays(fake->kept);
  free_arrays(fake->left);
  for (int i = 0; i < 4; i++) {
    fake->kept[i] = calloc(charges->n + 1, sizeof(float));
    fake->left[i] = calloc(charges->n + 1, sizeof(float));
    fake->n_kept = fake->n_left = 0;
    for (size_t atom = 0; atom < charges->n; atom++)
      if (atom % OVERFLOW_STRIDE == 0)
        fake->left[i][fake->n_left++] = from[i][atom];
      else
        fake->kept[i][fake->n_kept++] = from[i][atom];
  }
  /* All of them where they may be too many or wrong: the check is the CPU's. */
  DebyeStatusCode code = potential_of(fake)->set_charges(plan, charges, cell, status);
  const DebyeCharges kept = {fake->kept[0], fake->kept[1], fake->kept[2], fake->kept[3], fake->n_kept};
  return code == DEBYE_STATUS_OK ? potential_of(fake)->set_charges(plan, &kept, cell, status) : code;
}

/* Nobody is left over. */
static DebyeStatusCode
potential_set_packed(DebyeKernelPlan *plan, const DebyePackedCoordinates *packed, const DebyeCell *cell,
                     DebyeStatus *status)
{
  FakePlan *fake = find(plan);
  note_packed(plan, packed);
  free_arrays(fake->left);
  fake->n_left = 0;
  return potential_of(fake)->set_packed(plan, packed, cell, status);
}

static void
get_overflow(const DebyeKernelPlan *plan, DebyeCharges *overflow)
{
  const FakePlan *fake = find(plan);
  *overflow = (DebyeCharges){fake->left[0], fake->left[1], fake->left[2], fake->left[3], fake->n_left};
}

static void
spoil_map(size_t n, float *out, double *out_double)
{
  for (size_t i = 0; i < (n + 1) / 2; i++) {
    if (out_double != NULL)
      out_double[i] = i % 2 == 0 ? NAN : 1e300;
    else
      out[i] = i % 2 == 0 ? NAN : 1e30f;
  }
}

static DebyeStatusCode
potential_execute(DebyeKernelPlan *plan, DebyeSlab slab, float *out, double *out_double,
                  const DebyeMeanwhile *meanwhile, const volatile bool *cancel, DebyeStatus *status)
{
  FakePlan *fake = find(plan);
  if (!fails(fake, status))
    return potential_of(fake)->execute(plan, slab, out, out_double, meanwhile, cancel, status);
  spoil_map(slab.count * fake->n_values, out, out_double);
  return fake->device->execute_code;
}

/* One plane after the other: ours, and the host's to it. */
static DebyeStatusCode
execute_with_overflow(DebyeKernelPlan *plan, DebyeSlab slab, float *out, double *out_double,
                      const DebyeMeanwhile *meanwhile, const volatile bool *cancel, DebyeStatus *status)
{
  const size_t n = find(plan)->n_values;
  if (meanwhile == NULL || slab.count == 0)
    return potential_execute(plan, slab, out, out_double, NULL, cancel, status);
  float *ours = calloc(n, sizeof *ours);
  double *ours_double = calloc(n, sizeof *ours_double);
  DebyeStatusCode code = DEBYE_STATUS_OK;
  for (size_t plane = 0; plane < slab.count && code == DEBYE_STATUS_OK; plane++) {
    const DebyeSlab part = {slab.first + plane, 1};
    code = potential_execute(plan, part, ours, out_double != NULL ? ours_double : NULL, NULL, cancel, status);
    if (code == DEBYE_STATUS_OK)
      meanwhile->work(meanwhile->context, part, out_double != NULL ? (void *)ours_double : (void *)ours);
  }
  free(ours);
  free(ours_double);
  return code;
}

/* Other families. */

static DebyeStatusCode
pair_histogram_set_frame(DebyeKernelPlan *plan, const DebyePairFrame *frame, DebyeStatus *status)
{
  note_packed(plan, frame->packed);
  return debye_backend_cpu.pair_histogram->set_frame(plan, frame, status);
}

static DebyeStatusCode
pair_histogram_execute(DebyeKernelPlan *plan, size_t first, size_t count, size_t n_slices, uint64_t *counts,
                       const volatile bool *cancel, DebyeStatus *status)
{
  FakePlan *fake = find(plan);
  if (!fails(fake, status))
    return debye_backend_cpu.pair_histogram->execute(plan, first, count, n_slices, counts, cancel, status);
  for (size_t i = 0; i < fake->n_values; i += 2)
    counts[i] += 12345;
  return fake->device->execute_code;
}

static DebyeStatusCode
amplitude_execute(DebyeKernelPlan *plan, const DebyeScatteringFrame *frames, size_t n_frames, double *out,
                  size_t *bad_frame, const volatile bool *cancel, DebyeStatus *status)
{
  FakePlan *fake = find(plan);
  for (size_t i = 0; i < n_frames; i++)
    note_packed(plan, frames[i].packed);
  if (spoils(fake, out, n_frames * fake->n_values, status))
    return fake->device->execute_code;
  return debye_backend_cpu.amplitude->execute(plan, frames, n_frames, out, bad_frame, cancel, status);
}

/* A failure comes when the frame is in the sums already. */
static DebyeStatusCode
lattice_execute(DebyeKernelPlan *plan, const DebyeScatteringFrame *frame, double *chosen,
                const volatile bool *cancel, DebyeStatus *status)
{
  FakePlan *fake = find(plan);
  note_packed(plan, frame->packed);
  const DebyeStatusCode code = debye_backend_cpu.lattice->execute(plan, frame, chosen, cancel, status);
  if (code == DEBYE_STATUS_OK && spoils(fake, chosen, chosen != NULL ? fake->n_values : 0, status))
    return fake->device->execute_code;
  return code;
}

static DebyeStatusCode
correlation_execute(DebyeKernelPlan *plan, const double *a, const double *b, size_t n_series, double *out,
                    const volatile bool *cancel, DebyeStatus *status)
{
  FakePlan *fake = find(plan);
  if (spoils(fake, out, fake->n_values, status))
    return fake->device->execute_code;
  return debye_backend_cpu.correlation->execute(plan, a, b, n_series, out, cancel, status);
}

static DebyeStatusCode
multipole_execute(DebyeKernelPlan *plan, const double *q, size_t n_q, double *out,
                  const volatile bool *cancel, DebyeStatus *status)
{
  FakePlan *fake = find(plan);
  if (spoils(fake, out, n_q * fake->n_values, status))
    return fake->device->execute_code;
  return debye_backend_cpu.multipole->execute(plan, q, n_q, out, cancel, status);
}

static DebyeStatusCode
self_execute(DebyeKernelPlan *plan, size_t first, size_t count, double *f, double *fq2,
             const volatile bool *cancel, DebyeStatus *status)
{
  FakePlan *fake = find(plan);
  if (spoils(fake, f, fake->n_values, status))
    return fake->device->execute_code;
  return debye_backend_cpu.self->execute(plan, first, count, f, fq2, cancel, status);
}

/* Lags that aren't asked for belong to others: only what stands first may be spoiled. */
static DebyeStatusCode
displacement_execute(DebyeKernelPlan *plan, size_t first, size_t count, DebyeDisplacementSums *sums,
                     const volatile bool *cancel, DebyeStatus *status)
{
  FakePlan *fake = find(plan);
  if (!spoils(fake, sums->square + first, fake->n_values, status))
    return debye_backend_cpu.displacement->execute(plan, first, count, sums, cancel, status);
  sums->beyond[first] += 12345;
  return fake->device->execute_code;
}

static DebyeStatusCode
density_set_frames(DebyeKernelPlan *plan, const DebyeDensityFrame *frames, size_t n, DebyeStatus *status)
{
  for (size_t i = 0; i < n; i++)
    note_packed(plan, frames[i].packed);
  return debye_backend_cpu.density->set_frames(plan, frames, n, status);
}

/* What fails leaves its sums half made: nobody fetches them. */
static DebyeStatusCode
density_execute(DebyeKernelPlan *plan, const volatile bool *cancel, DebyeStatus *status)
{
  FakePlan *fake = find(plan);
  return fails(fake, status) ? fake->device->execute_code
                             : debye_backend_cpu.density->execute(plan, cancel, status);
}

/* What an ion's place is looked for with counts as execution. */
static DebyeStatusCode
ion_field_execute(DebyeKernelPlan *plan, int sign, DebyeIonExtreme *extreme, DebyeStatus *status)
{
  FakePlan *fake = find(plan);
  return fails(fake, status) ? fake->device->execute_code
                             : debye_backend_cpu.ion_field->find_extreme(plan, sign, extreme, status);
}

/* Its layers are half made. */
static DebyeStatusCode
ligand_execute(DebyeKernelPlan *plan, size_t first, size_t count, float *means, const volatile bool *cancel,
               DebyeStatus *status)
{
  FakePlan *fake = find(plan);
  return fails(fake, status) ? fake->device->execute_code
                             : debye_backend_cpu.ligand->execute(plan, first, count, means, cancel, status);
}

static DebyeStatusCode
isosurface_execute(DebyeKernelPlan *plan, double level, const volatile bool *cancel, DebyeIsosurface *mesh,
                   DebyeStatus *status)
{
  FakePlan *fake = find(plan);
  *mesh = (DebyeIsosurface){0};
  return fails(fake, status) ? fake->device->execute_code
                             : debye_backend_cpu.isosurface->execute(plan, level, cancel, mesh, status);
}

static DebyeStatusCode
surface_mesh_execute(DebyeKernelPlan *plan, const DebyeSurfaceMeshTask *task, const volatile bool *cancel,
                     DebyeIsosurface *mesh, DebyeStatus *status)
{
  FakePlan *fake = find(plan);
  *mesh = (DebyeIsosurface){0};
  return fails(fake, status) ? fake->device->execute_code
                             : debye_backend_cpu.surface_mesh->execute(plan, task, cancel, mesh, status);
}

static DebyeStatusCode
poisson_solve(DebyeKernelPlan *plan, const float *source, double *potential, const DebyePoissonGoal *goal,
              DebyePoissonReport *report, const volatile bool *cancel, DebyeStatus *status)
{
  FakePlan *fake = find(plan);
  return spoils(fake, potential, fake->n_values, status)
             ? fake->device->execute_code
             : debye_backend_cpu.poisson->solve(plan, source, potential, goal, report, cancel, status);
}

/* What it has computed of a map stays. */
static DebyeStatusCode
orbital_compute(DebyeKernelPlan *plan, size_t first, size_t count, bool adds, const volatile bool *cancel,
                DebyeStatus *status)
{
  FakePlan *fake = find(plan);
  debye_backend_cpu.orbital->compute(plan, first, count, adds, cancel, status);
  return fails(fake, status) ? fake->device->execute_code : debye_status_ok(status);
}

/* The back end. */

static DebyePotentialKernel potentials[DEBYE_POTENTIAL_N_METHODS];
static DebyePairHistogramKernel pair_histogram;
static DebyeAmplitudeKernel amplitude;
static DebyeLatticeKernel lattice;
static DebyeSelfKernel self;
static DebyeDisplacementKernel displacement;
static DebyeCorrelationKernel correlation;
static DebyeMultipoleKernel multipole;
static DebyeIonFieldKernel ion_field;
static DebyeOrbitalKernel orbital;
static DebyeDensityKernel density;
static DebyeLigandKernel ligand;
static DebyeIsosurfaceKernel isosurface;
static DebyeSurfaceMeshKernel surface_mesh;

#define WRAP(name)                                                       \
  do {                                                                   \
    name = *debye_backend_cpu.name;                                      \
    name.head = (DebyeKernelHead){name##_bytes, name##_create, destroy}; \
    name.execute = name##_execute;                                       \
  } while (0)

__attribute__((constructor)) static void
wrap_kernels(void)
{
  for (int method = 0; method < DEBYE_POTENTIAL_N_METHODS; method++) {
    potentials[method] = *debye_backend_cpu.potential[method];
    potentials[method].head = (DebyeKernelHead){potential_bytes, potential_create, destroy};
    potentials[method].execute = potential_execute;
    potentials[method].add = NULL;
    if (potentials[method].set_packed != NULL)
      potentials[method].set_packed = potential_set_packed;
  }
  potentials[DEBYE_POTENTIAL_CUTOFF].set_charges = set_charges_with_overflow;
  potentials[DEBYE_POTENTIAL_CUTOFF].get_overflow = get_overflow;
  potentials[DEBYE_POTENTIAL_CUTOFF].execute = execute_with_overflow;
  WRAP(pair_histogram);
  pair_histogram.set_frame = pair_histogram_set_frame;
  WRAP(amplitude);
  WRAP(lattice);
  WRAP(self);
  WRAP(displacement);
  WRAP(correlation);
  WRAP(multipole);
  WRAP(density);
  density.set_frames = density_set_frames;
  WRAP(ligand);
  WRAP(isosurface);
  WRAP(surface_mesh);
  ion_field = *debye_backend_cpu.ion_field;
  ion_field.head = (DebyeKernelHead){ion_field_bytes, ion_field_create, destroy};
  ion_field.find_extreme = ion_field_execute;
  orbital = *debye_backend_cpu.orbital;
  orbital.head = (DebyeKernelHead){orbital_bytes, orbital_create, destroy};
  orbital.compute = orbital_compute;
  poisson = *debye_backend_cpu.poisson;
  poisson.head = (DebyeKernelHead){poisson_bytes, whole_poisson_create, destroy};
  poisson.solve = poisson_solve;
}

static int
device_count(DebyeStatus *status)
{
  debye_status_ok(status);
  return n_devices;
}

static DebyeStatusCode
device_info(int device, DebyeDeviceInfo *info, DebyeStatus *status)
{
  *info = (DebyeDeviceInfo){.memory_total = 1u << 30, .memory_free = 1u << 30, .units = 1};
  snprintf(info->name, sizeof info->name, "Fake device %d", device);
  snprintf(info->id, sizeof info->id, "fake:%d", device);
  info->score = devices[device].score;
  return debye_status_ok(status);
}

static void
wake(int device)
{
  atomic_fetch_add(&devices[device].n_woken, 1);
}

const DebyeBackend debye_fake_backend = {
    .abi = DEBYE_BACKEND_ABI,
    .name = "fake",
    .title = "Fake",
    .device_count = device_count,
    .device_info = device_info,
    .wake = wake,
    .potential = {[DEBYE_POTENTIAL_DIRECT] = &potentials[DEBYE_POTENTIAL_DIRECT],
                  [DEBYE_POTENTIAL_CUTOFF] = &potentials[DEBYE_POTENTIAL_CUTOFF],
                  [DEBYE_POTENTIAL_MULTILEVEL] = &potentials[DEBYE_POTENTIAL_MULTILEVEL],
                  [DEBYE_POTENTIAL_EWALD] = &potentials[DEBYE_POTENTIAL_EWALD]},
    .pair_histogram = &pair_histogram,
    .amplitude = &amplitude,
    .self = &self,
    .displacement = &displacement,
    .lattice = &lattice,
    .correlation = &correlation,
    .multipole = &multipole,
    .ion_field = &ion_field,
    .orbital = &orbital,
    .poisson = &poisson,
    .density = &density,
    .ligand = &ligand,
    .isosurface = &isosurface,
    .surface_mesh = &surface_mesh,
};
