/* SPDX-License-Identifier: MIT */
/* Lends a device's kernels/isosurface to the layers that draw surfaces of large maps. The map stays on the device while only
 * its level changes. What the device can't do, or not yet, the processors do: the mesh is the same. */
#pragma once

#include <glib.h>

#include "kernels/registry.h"

G_BEGIN_DECLS

/* Called on a thread. NULL: there are no devices. */
typedef const DebyeRegistry *(*DebyeIsosurfaceRegistry)(gpointer data);

/* From then on. The registry is asked for, and the first of its devices of `choice` ("auto") that has the kernel is woken,
 * behind the first large map, which doesn't wait for that. */
void debye_isosurface_device_lend(DebyeIsosurfaceRegistry find, gpointer data, const char *choice);
/* Before the registry goes: waits for what is under way, and gives the device back. Idempotent. */
void debye_isosurface_device_end(void);

G_END_DECLS
