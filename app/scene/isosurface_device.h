/* SPDX-License-Identifier: MIT */
/* Lends a device's kernels/isosurface to the layers that draw surfaces of large maps. The map stays on the device while only
 * its level changes. What the device can't do, or not yet, the processors do: the mesh is the same. */
#pragma once

#include <glib.h>

#include "kernels/registry.h"

G_BEGIN_DECLS

/* Called on a thread. NULL: there are no devices. */
typedef const DebyeRegistry *(*DebyeIsosurfaceRegistry)(gpointer data);

/* Lends the first device of `choice` ("auto", as --device; copied) that has the kernel. The first large map starts a thread
 * that asks for the registry and wakes the device; the map doesn't wait for it. Another call replaces the choice. Calls come
 * from one thread; others may make meshes meanwhile. */
void debye_isosurface_device_lend(DebyeIsosurfaceRegistry find, gpointer data, const char *choice);
/* Waits for that thread and for a mesh that the device is making, then frees the device's memory. To be called before the
 * registry goes. Idempotent. */
void debye_isosurface_device_end(void);

G_END_DECLS
