/* SPDX-License-Identifier: MIT */
/* Implementation of bench_power.h; called by whatever times a teaching variant. */
#include "bench_power.h"

#include <dlfcn.h>
#include <string.h>

#define CUDA "cuda:"
#define ADDRESS_LENGTH 32 /* "00000000:19:00.0" and its end */
#define MULTIPROCESSORS 1 /* the clock's kind */
#define INTERVAL_MICROSECONDS 5000
#define LEAST_SECONDS \
  0.3 /* the counter moves some ten times a second: after half of that it said 320 W of 512 */
#define MILLIJOULES_A_JOULE 1000.0

typedef struct {
  int (*GetHandleByPciBusId)(const char *address, void **device);
  int (*GetTotalEnergyConsumption)(void *device, unsigned long long *millijoules);
  int (*GetClockInfo)(void *device, int kind, unsigned *megahertz);
} Library;

struct DebyeBenchPowerMeter {
  void *device;
  unsigned long long energy;
  gboolean has_energy;
  gint64 start;
  GThread *thread;
  int is_done; /* atomic */
  double clocks, n_clocks;
};

static Library library; /* all NULL: there is none */

static gpointer
open_library(gpointer unused G_GNUC_UNUSED)
{
  static const char *const names[] = {"nvmlDeviceGetHandleByPciBusId_v2",
                                      "nvmlDeviceGetTotalEnergyConsumption", "nvmlDeviceGetClockInfo"};
  void *found = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL), *members[G_N_ELEMENTS(names)] = {NULL};
  int (*init)(void) = NULL;
  void *symbol = found != NULL ? dlsym(found, "nvmlInit_v2") : NULL;
  G_STATIC_ASSERT(sizeof library == sizeof members);
  for (gsize i = 0; symbol != NULL && i < G_N_ELEMENTS(names); i++)
    if ((members[i] = dlsym(found, names[i])) == NULL)
      return NULL;
  memcpy(&init, &symbol, sizeof init);
  if (init == NULL || init() != 0)
    return NULL;
  memcpy(&library, members, sizeof library);
  return &library;
}

/* CUDA numbers the devices that it is allowed to see; their address is the same for all. */
static gboolean
find_address(int ordinal, char address[ADDRESS_LENGTH])
{
  int (*get_device)(int *device, int number) = NULL;
  int (*get_address)(char *text, int length, int device) = NULL;
  void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  void *first = driver != NULL ? dlsym(driver, "cuDeviceGet") : NULL,
       *second = driver != NULL ? dlsym(driver, "cuDeviceGetPCIBusId") : NULL;
  int device = 0;
  if (first == NULL || second == NULL)
    return FALSE;
  memcpy(&get_device, &first, sizeof first);
  memcpy(&get_address, &second, sizeof second);
  return get_device(&device, ordinal) == 0 && get_address(address, ADDRESS_LENGTH, device) == 0;
}

static gpointer
watch_clock(gpointer data)
{
  DebyeBenchPowerMeter *self = data;
  while (!g_atomic_int_get(&self->is_done)) {
    unsigned megahertz = 0;
    if (library.GetClockInfo(self->device, MULTIPROCESSORS, &megahertz) == 0) {
      self->clocks += megahertz;
      self->n_clocks++;
    }
    g_usleep(INTERVAL_MICROSECONDS);
  }
  return NULL;
}

DebyeBenchPowerMeter *
debye_bench_power_start(const char *device)
{
  static GOnce once = G_ONCE_INIT;
  char address[ADDRESS_LENGTH] = "";
  void *found = NULL;
  if (!g_str_has_prefix(device, CUDA) || g_once(&once, open_library, NULL) == NULL ||
      !find_address((int)g_ascii_strtoll(device + strlen(CUDA), NULL, 10), address) ||
      library.GetHandleByPciBusId(address, &found) != 0)
    return NULL;
  DebyeBenchPowerMeter *self = g_new0(DebyeBenchPowerMeter, 1);
  self->device = found;
  self->has_energy = library.GetTotalEnergyConsumption(found, &self->energy) == 0;
  self->start = g_get_monotonic_time();
  /* Sleeps and looks for as long as it is measured; it must not wait for a pool's turn. */
  self->thread = g_thread_new("clock", watch_clock, self);
  return self;
}

static double
find_seconds(const DebyeBenchPowerMeter *self)
{
  return (double)(g_get_monotonic_time() - self->start) / G_USEC_PER_SEC;
}

gboolean
debye_bench_power_is_short(const DebyeBenchPowerMeter *self)
{
  return self != NULL && self->has_energy && find_seconds(self) < LEAST_SECONDS;
}

DebyeBenchPower
debye_bench_power_stop(DebyeBenchPowerMeter *self)
{
  DebyeBenchPower power = {0};
  unsigned long long energy = 0;
  if (self == NULL)
    return power;
  const double seconds = find_seconds(self);
  if (self->has_energy && seconds >= LEAST_SECONDS &&
      library.GetTotalEnergyConsumption(self->device, &energy) == 0 && energy > self->energy)
    power.watts = (double)(energy - self->energy) / MILLIJOULES_A_JOULE / seconds;
  g_atomic_int_set(&self->is_done, 1);
  g_thread_join(self->thread);
  power.clock = self->n_clocks > 0.0 ? self->clocks / self->n_clocks : 0.0;
  g_free(self);
  return power;
}
