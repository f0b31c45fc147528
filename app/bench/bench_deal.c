/* SPDX-License-Identifier: MIT */
/* Implementation of bench_deal.h. */
#include "bench_deal.h"

#include <math.h>

#include "app/analysis/driver/device_choice.h"
#include "kernels/potential/potential_kernel.h"

#define WANTED_SECONDS 2.0
#define LEAST_POINTS 32768.0
#define MAX_POINTS 6.4e7     /* 256 MB */
#define MADE_UP_ATOMS 3000.0 /* more if the points alone don't keep a device busy */
#define MAX_MADE_UP 200000.0
#define THREAD_SECONDS 0.3    /* of the measurement of one thread */
#define THREAD_VARIANT "simd" /* the teaching variant of one thread with vectors */
#define FIRST_COUNTS 4        /* of devices; then only powers of two, and all */

const DebyeBenchDealLecture debye_bench_deal_lecture[3] = {
    {"3 × GeForce 8800 GTX", 3, 117e9, 863e9, 131.0, 700.0},
    {NULL, 0, 157e9, 1.16e12, 176.0, 0.0},
    {NULL, 0, 241e9, 1.78e12, 271.0, 0.0},
};

typedef struct {
  const DebyeDeviceEntry *device;
  char *id;
  const DebyePotentialKernel *kernel; /* NULL: a thread, which runs a teaching variant */
  DebyeKernelPlan *plan;
  DebyeStatus status;
  DebyeStatusCode code; /* of the run */
} Part;

struct DebyeBenchDeal {
  DebyeBenchProblem *problem;
  const volatile bool *cancel;
  DebyeDeviceEntry processor;
  const DebyeLadderKernel *ladder; /* the processor's */
  gsize variant;
  Part parts[DEBYE_BENCH_DEAL_MAX];
  guint n_parts;
  gboolean is_threads;
  double thread_rate; /* evaluations a second of one thread of the processor */
  float *map;
  /* The run under way. */
  guint number, n_dealt;
  gint64 start;
  GAsyncQueue *ended; /* DebyeBenchDealSlice; of a device that is through, one with slice G_MAXUINT */
  int has_failed;     /* atomic */
};

/* --- What is dealt --- */

static DebyePotentialSettings
plan_settings(const DebyeBenchDeal *self)
{
  return (DebyePotentialSettings){.method = DEBYE_POTENTIAL_DIRECT,
                                  .grid = self->problem->grid,
                                  .core_radius = DEBYE_BENCH_CORE_RADIUS,
                                  .max_charges = self->problem->n_atoms,
                                  .max_planes = 1,
                                  .spare_cores = 1};
}

static gboolean
open_part(DebyeBenchDeal *self, Part *part, GError **error)
{
  const DebyePotentialSettings settings = plan_settings(self);
  if (part->kernel == NULL)
    return TRUE;
  DebyeStatusCode code =
      part->kernel->head.create(part->device->device, &settings, &part->plan, &part->status);
  if (code == DEBYE_STATUS_OK)
    code = part->kernel->set_charges(part->plan, &self->problem->charges, NULL, &part->status);
  return debye_device_check(code, &part->status, error);
}

static void
add_part(DebyeBenchDeal *self, const DebyeDeviceEntry *device, char *id, const DebyePotentialKernel *kernel)
{
  self->parts[self->n_parts++] = (Part){.device = device, .id = id, .kernel = kernel};
}

static const DebyePotentialKernel *
get_kernel(const DebyeDeviceEntry *device)
{
  return device->backend->potential[DEBYE_POTENTIAL_DIRECT];
}

/* Room for the processor beside a GPU alone is there always. */
static void
choose_parts(DebyeBenchDeal *self, const DebyeDeviceEntry *const *devices, gsize n_devices, guint n_threads)
{
  const DebyeDeviceEntry *processor = NULL;
  for (gsize i = 0; i < n_devices; i++) {
    if (debye_device_is_cpu(devices[i]))
      processor = devices[i];
    else if (get_kernel(devices[i]) != NULL && self->n_parts < DEBYE_BENCH_DEAL_MAX)
      add_part(self, devices[i], g_strdup(devices[i]->info.id), get_kernel(devices[i]));
  }
  self->is_threads = self->n_parts == 0;
  if (self->n_parts == 1 && processor != NULL)
    add_part(self, processor, g_strdup(processor->info.id), get_kernel(processor));
  for (guint i = 0; self->is_threads && i < MIN(n_threads, DEBYE_BENCH_DEAL_MAX); i++)
    add_part(self, &self->processor, g_strdup_printf("cpu %u", i + 1), NULL);
}

/* --- A thread --- */

static DebyeLadderProblem
take_slice(const DebyeBenchDeal *self, guint slice)
{
  DebyeLadderProblem one = {
      .grid = self->problem->grid, .charges = self->problem->charges, .core_radius = DEBYE_BENCH_CORE_RADIUS};
  one.grid.origin = debye_vec3_add(one.grid.origin, debye_vec3_scale(one.grid.step[2], (double)slice));
  one.grid.shape[2] = 1;
  return one;
}

/* Evaluations a second, of some rows of the problem's first slice. */
static gboolean
time_thread(DebyeBenchDeal *self, GError **error)
{
  DebyeLadderProblem one = take_slice(self, 0);
  DebyeStatus status = {0};
  double seconds = 0.0;
  const double expected = self->processor.info.score / MAX(self->processor.info.units, 1),
               row = (double)(one.grid.shape[0] * one.charges.n);
  one.grid.shape[1] = (gsize)CLAMP(THREAD_SECONDS * expected / row, 1.0, (double)one.grid.shape[1]);
  g_autofree float *rows = g_new(float, one.grid.shape[0] * one.grid.shape[1]);
  const DebyeStatusCode code =
      self->ladder->run(0, self->variant, &one, rows, &seconds, self->cancel, &status);
  if (!debye_device_check(code, &status, error))
    return FALSE;
  self->thread_rate = row * (double)one.grid.shape[1] / MAX(seconds, 1e-9);
  return TRUE;
}

/* With as many points as take so many evaluations. */
static DebyeBenchProblem *
new_problem(double n_pairs, const DebyeCharges *charges)
{
  const double n_atoms = charges != NULL ? (double)charges->n
                                         : CLAMP(n_pairs / MAX_POINTS, MADE_UP_ATOMS, MAX_MADE_UP),
               n_points = CLAMP(n_pairs / n_atoms, LEAST_POINTS, MAX_POINTS);
  return charges != NULL ? debye_bench_problem_new_for_charges(charges, (gsize)n_points)
                         : debye_bench_problem_new((gsize)cbrt(n_points), (gsize)n_atoms);
}

/* What keeps the first device busy for long enough; of a thread that is measured, as it runs another kernel than its
 * score is of. */
static gboolean
choose_problem(DebyeBenchDeal *self, const DebyeCharges *charges, GError **error)
{
  self->problem = new_problem(0.0, charges);
  if (!time_thread(self, error))
    return FALSE;
  const double rate = self->is_threads ? self->thread_rate : self->parts[0].device->info.score;
  debye_bench_problem_free(self->problem);
  self->problem = new_problem(WANTED_SECONDS * rate, charges);
  self->map = g_new(float, debye_grid_n_points(&self->problem->grid));
  return TRUE;
}

DebyeBenchDeal *
debye_bench_deal_new(const DebyeDeviceEntry *const *devices, gsize n_devices, guint n_threads,
                     const DebyeCharges *charges, const volatile bool *cancel, GError **error)
{
  g_autoptr(DebyeBenchDeal) self = g_new0(DebyeBenchDeal, 1);
  self->cancel = cancel;
  self->processor = (DebyeDeviceEntry){.backend = devices[0]->cpu, .cpu = devices[0]->cpu};
  self->processor.backend->device_info(0, &self->processor.info, NULL);
  self->ladder = self->processor.backend->ladder;
  self->variant = debye_ladder_find(self->ladder, THREAD_VARIANT);
  self->ended = g_async_queue_new_full(g_free);
  choose_parts(self, devices, n_devices, MAX(n_threads, 1));
  if (!choose_problem(self, charges, error))
    return NULL;
  for (guint i = 0; i < self->n_parts; i++)
    if (!open_part(self, &self->parts[i], error))
      return NULL;
  return g_steal_pointer(&self);
}

void
debye_bench_deal_free(DebyeBenchDeal *self)
{
  for (guint i = 0; i < self->n_parts; i++) {
    Part *part = &self->parts[i];
    if (part->kernel != NULL)
      part->kernel->head.destroy(part->plan);
    g_free(part->id);
  }
  g_clear_pointer(&self->problem, debye_bench_problem_free);
  g_async_queue_unref(self->ended);
  g_free(self->map);
  g_free(self);
}

guint
debye_bench_deal_get_n_devices(const DebyeBenchDeal *self)
{
  return self->n_parts;
}

const char *
debye_bench_deal_get_id(const DebyeBenchDeal *self, guint device)
{
  return self->parts[device].id;
}

gboolean
debye_bench_deal_is_threads(const DebyeBenchDeal *self)
{
  return self->is_threads;
}

const DebyeBenchProblem *
debye_bench_deal_get_problem(const DebyeBenchDeal *self)
{
  return self->problem;
}

double
debye_bench_deal_get_thread_rate(const DebyeBenchDeal *self)
{
  return self->thread_rate;
}

guint
debye_bench_deal_list(const DebyeBenchDeal *self, guint counts[DEBYE_BENCH_DEAL_MAX])
{
  guint n = 0;
  for (guint i = 1; i <= self->n_parts; i++)
    if (i <= FIRST_COUNTS || (i & (i - 1)) == 0 || i == self->n_parts)
      counts[n++] = i;
  return n;
}

/* --- Dealing --- */

static double
get_seconds(const DebyeBenchDeal *self)
{
  return (double)(g_get_monotonic_time() - self->start) / G_USEC_PER_SEC;
}

static DebyeStatusCode
sum_slice(DebyeBenchDeal *self, Part *part, guint slice)
{
  const gsize *shape = self->problem->grid.shape;
  float *out = self->map + shape[0] * shape[1] * slice;
  double seconds;
  if (part->kernel != NULL)
    return part->kernel->execute(part->plan, (DebyeSlab){slice, 1}, out, NULL, NULL, self->cancel,
                                 &part->status);
  const DebyeLadderProblem one = take_slice(self, slice);
  return self->ladder->run(0, self->variant, &one, out, &seconds, self->cancel, &part->status);
}

typedef struct {
  DebyeBenchDeal *deal;
  guint device;
} Dealt;

/* Slices device, device + n, device + 2 n, … */
static gpointer
sum_dealt(gpointer data)
{
  const Dealt *dealt = data;
  DebyeBenchDeal *self = dealt->deal;
  Part *part = &self->parts[dealt->device];
  const guint n_slices = (guint)self->problem->grid.shape[2];
  part->code = DEBYE_STATUS_OK;
  for (guint slice = dealt->device; slice < n_slices; slice += self->n_dealt) {
    DebyeBenchDealSlice one = {self->number, slice, dealt->device, get_seconds(self), 0.0};
    if (g_atomic_int_get(&self->has_failed))
      break;
    part->code = sum_slice(self, part, slice);
    if (part->code != DEBYE_STATUS_OK) {
      g_atomic_int_set(&self->has_failed, 1);
      break;
    }
    one.end = get_seconds(self);
    g_async_queue_push(self->ended, g_memdup2(&one, sizeof one));
  }
  const DebyeBenchDealSlice last = {.slice = G_MAXUINT};
  g_async_queue_push(self->ended, g_memdup2(&last, sizeof last));
  return NULL;
}

/* Until all devices are through; the time when the last slice ended. */
static double
wait_for_slices(DebyeBenchDeal *self, DebyeBenchDealFunc ended, gpointer data)
{
  double last = 0.0;
  for (guint n_through = 0; n_through < self->n_dealt;) {
    g_autofree DebyeBenchDealSlice *one = g_async_queue_pop(self->ended);
    if (one->slice == G_MAXUINT) {
      n_through++;
      continue;
    }
    last = MAX(last, one->end);
    if (ended != NULL)
      ended(one, data);
  }
  return MAX(last, 1e-9);
}

static void
begin_power(const DebyeBenchDeal *self, DebyeBenchPowerMeter **meters)
{
  for (guint i = 0; i < self->n_dealt; i++)
    meters[i] =
        self->parts[i].kernel != NULL ? debye_bench_power_start(self->parts[i].device->info.id) : NULL;
}

static double
end_power(const DebyeBenchDeal *self, DebyeBenchPowerMeter **meters)
{
  double watts = 0.0;
  for (guint i = 0; i < self->n_dealt; i++)
    watts += debye_bench_power_stop(meters[i]).watts;
  return watts;
}

static gboolean
check_parts(const DebyeBenchDeal *self, GError **error)
{
  for (guint i = 0; i < self->n_dealt; i++)
    if (!debye_device_check(self->parts[i].code, &self->parts[i].status, error))
      return FALSE;
  return TRUE;
}

gboolean
debye_bench_deal_run(DebyeBenchDeal *self, guint number, guint n_devices, DebyeBenchDealRun *run,
                     DebyeBenchDealFunc ended, gpointer data, GError **error)
{
  const DebyeBenchProblem *problem = self->problem;
  const gsize n_points = debye_grid_n_points(&problem->grid);
  DebyeBenchPowerMeter *meters[DEBYE_BENCH_DEAL_MAX] = {NULL};
  GThread *threads[DEBYE_BENCH_DEAL_MAX];
  Dealt dealt[DEBYE_BENCH_DEAL_MAX];
  self->number = number;
  self->n_dealt = MIN(n_devices, self->n_parts);
  self->has_failed = 0;
  for (gsize i = 0; i < n_points; i++)
    self->map[i] = NAN; /* a slice that nobody summed is an error that can be seen */
  begin_power(self, meters);
  self->start = g_get_monotonic_time();
  /* A thread a device, all at once, as the lecture shows it: a pool's queue would be measured with it. */
  for (guint i = 0; i < self->n_dealt; i++) {
    dealt[i] = (Dealt){self, i};
    threads[i] = g_thread_new("deal", sum_dealt, &dealt[i]);
  }
  const double seconds = wait_for_slices(self, ended, data);
  for (guint i = 0; i < self->n_dealt; i++)
    g_thread_join(threads[i]);
  *run = (DebyeBenchDealRun){.n_devices = self->n_dealt,
                             .n_slices = (guint)problem->grid.shape[2],
                             .seconds = seconds,
                             .rate = (double)n_points * (double)problem->n_atoms / seconds,
                             .watts = end_power(self, meters),
                             .error = debye_bench_measure_error(problem, self->map, NULL, n_points)};
  return check_parts(self, error);
}

/* --- Ions --- */

double
debye_bench_deal_count_ions(double n_atoms, double spacing)
{
  return n_atoms * n_atoms / (DEBYE_BENCH_ATOM_DENSITY * spacing * spacing * spacing);
}
