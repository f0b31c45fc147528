/* SPDX-License-Identifier: MIT */
/* The registry of devices, searched once on a worker thread; shared by the window's parts. */
#include "devices.h"

#include "installation.h"
#include "kernels/cpu/backend_cpu.h"

struct _DebyeDevices {
  GMutex lock;
  DebyeRegistry *registry;
};

DebyeDevices *
debye_devices_new(void)
{
  DebyeDevices *devices = g_atomic_rc_box_new0(DebyeDevices);
  g_mutex_init(&devices->lock);
  return devices;
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
  debye_registry_free(devices->registry);
  g_mutex_clear(&devices->lock);
}

void
debye_devices_unref(DebyeDevices *devices)
{
  g_atomic_rc_box_release_full(devices, clear);
}

const DebyeRegistry *
debye_devices_wait(DebyeDevices *devices)
{
  g_mutex_lock(&devices->lock);
  if (devices->registry == NULL)
    devices->registry = debye_registry_new(&debye_backend_cpu, debye_installation_get_backend_dir());
  const DebyeRegistry *registry = devices->registry;
  g_mutex_unlock(&devices->lock);
  return registry;
}
