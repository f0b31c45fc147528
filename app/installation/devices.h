/* SPDX-License-Identifier: MIT */
/* The registry of devices, looked for once. Drivers take their time to start, so worker threads ask, and the
 * main thread only when one of them has. */
#pragma once

#include "kernels/registry.h"

#include <glib.h>

typedef struct _DebyeDevices DebyeDevices;

DebyeDevices *debye_devices_new(void);
DebyeDevices *debye_devices_ref(DebyeDevices *devices);
void debye_devices_unref(DebyeDevices *devices);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeDevices, debye_devices_unref)

/* Blocks until the devices are known. NULL on exhausted memory. */
const DebyeRegistry *debye_devices_wait(DebyeDevices *devices);
