/* SPDX-License-Identifier: MIT */
/* The registry of devices, searched once on a worker thread; shared by the window's parts, and begun by commands while they
 * open their files. */
#include "devices.h"

#include "installation.h"
#include "kernels/cpu/backend_cpu.h"

#define MAX_DEVICES 64

struct _DebyeDevices {
  GMutex lock;
  DebyeRegistry *registry;
  unsigned process, n_processes;
  char *choice;    /* of the thread */
  GThread *thread; /* NULL: whoever asks first looks */
  GThread *resting;
};

DebyeDevices *
debye_devices_new(void)
{
  DebyeDevices *devices = g_atomic_rc_box_new0(DebyeDevices);
  g_mutex_init(&devices->lock);
  devices->n_processes = 1;
  return devices;
}

/* Each on a thread of its own: contexts of several GPUs are made one after the other otherwise, and debye_parts_run() has
 * as few threads as --threads says. */
static gpointer
wake(gpointer data)
{
  const DebyeDeviceEntry *device = data;
  device->backend->wake(device->device);
  return NULL;
}

static gsize
list_chosen(DebyeDevices *devices, const DebyeDeviceEntry **chosen)
{
  const DebyeRegistry *registry = debye_devices_wait(devices);
  DebyeStatus status = {0};
  return registry != NULL ? debye_registry_choose(registry, devices->choice, chosen, MAX_DEVICES, &status)
                          : 0;
}

static gpointer
find_and_wake(gpointer data)
{
  const DebyeDeviceEntry *chosen[MAX_DEVICES];
  GThread *threads[MAX_DEVICES];
  gsize n_threads = 0;
  const gsize n = list_chosen(data, chosen);
  for (gsize i = 0; i < n; i++)
    if (chosen[i]->backend->wake != NULL)
      threads[n_threads++] = g_thread_new("debye-wake", wake, (gpointer)chosen[i]);
  for (gsize i = 0; i < n_threads; i++)
    g_thread_join(threads[i]);
  return NULL;
}

DebyeDevices *
debye_devices_begin(const char *choice, unsigned process, unsigned n_processes)
{
  DebyeDevices *devices = debye_devices_new();
  devices->choice = g_strdup(choice != NULL ? choice : "auto");
  devices->process = process;
  devices->n_processes = n_processes;
  /* While files are read, and waited for by whoever needs a device: GLib's pool has no way to wait for one task. */
  devices->thread = g_thread_new("debye-devices", find_and_wake, devices);
  return devices;
}

/* One that is still waking has time for it first. */
static gpointer
let_rest(gpointer data)
{
  DebyeDevices *devices = data;
  const DebyeDeviceEntry *chosen[MAX_DEVICES];
  g_clear_pointer(&devices->thread, g_thread_join);
  const gsize n = list_chosen(devices, chosen);
  for (gsize i = 0; i < n; i++)
    if (chosen[i]->backend->rest != NULL)
      chosen[i]->backend->rest(chosen[i]->device);
  return NULL;
}

void
debye_devices_rest(DebyeDevices *devices)
{
  if (devices->thread != NULL && devices->resting == NULL)
    devices->resting = g_thread_new("debye-rest", let_rest, devices);
}

DebyeDevices *
debye_devices_ref(DebyeDevices *devices)
{
  return g_atomic_rc_box_acquire(devices);
}

static void
clear(gpointer data)
{
  DebyeDevices *devices = data;
  g_clear_pointer(&devices->resting, g_thread_join);
  g_clear_pointer(&devices->thread, g_thread_join);
  debye_registry_free(devices->registry);
  g_free(devices->choice);
  g_mutex_clear(&devices->lock);
}

void
debye_devices_unref(DebyeDevices *devices)
{
  g_atomic_rc_box_release_full(devices, clear);
}

static DebyeRegistry *
find(const DebyeDevices *devices)
{
  DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, debye_installation_get_backend_dir());
  if (registry != NULL)
    debye_registry_share(registry, devices->process, devices->n_processes);
  return registry;
}

const DebyeRegistry *
debye_devices_wait(DebyeDevices *devices)
{
  g_mutex_lock(&devices->lock);
  if (devices->registry == NULL)
    devices->registry = find(devices);
  const DebyeRegistry *registry = devices->registry;
  g_mutex_unlock(&devices->lock);
  return registry;
}
