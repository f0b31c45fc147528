/* SPDX-License-Identifier: MIT */
/* The registry of devices, looked for once. Drivers take their time to start, so worker threads ask, and the
 * main thread only when one of them has. */
#pragma once

#include "kernels/registry.h"

#include <glib.h>

typedef struct _DebyeDevices DebyeDevices;

DebyeDevices *debye_devices_new(void);
/* The same, looked for at once, on a thread: of `n_processes` on this machine, that of number `process` keeps its part, see
 * debye_registry_share(). The devices of the choice (--device; NULL: auto) are woken while the caller opens its files. */
DebyeDevices *debye_devices_begin(const char *choice, unsigned process, unsigned n_processes);
DebyeDevices *debye_devices_ref(DebyeDevices *devices);
void debye_devices_unref(DebyeDevices *devices);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeDevices, debye_devices_unref)

/* Where nothing is left to compute: what the driver does at the process's end happens on a thread while the caller writes its
 * result; devices of the choice only. */
void debye_devices_rest(DebyeDevices *devices);

/* Blocks until the devices are known. NULL on exhausted memory. */
const DebyeRegistry *debye_devices_wait(DebyeDevices *devices);
