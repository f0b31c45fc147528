/* SPDX-License-Identifier: MIT */
/* Lends a device to the layers that draw surfaces: its kernels/isosurface for large maps, which stay there while only a level
 * changes, and its kernels/surface for molecules. What the device can't do, or not yet, the processors do: the mesh is the
 * same, that of a molecule but for rounding. */
#pragma once

#include <glib.h>

#include "kernels/registry.h"

/* Called on a thread. NULL: there are no devices. */
typedef const DebyeRegistry *(*DebyeMeshDeviceRegistry)(gpointer data);

/* Lends the first device of `choice` ("auto", as --device; copied) that has the kernels. The first large map or molecule starts
 * a thread that asks for the registry and wakes the device; they don't wait for it. Another call replaces the choice. Calls come
 * from one thread; others may make meshes meanwhile. */
void debye_mesh_device_lend(DebyeMeshDeviceRegistry find, gpointer data, const char *choice);
/* Of what is lent: that thread begins only with a surface after those of molecules with so many points of their grids in all, which
 * the processors make. For programs that may end before it has been worth while. */
void debye_mesh_device_set_patience(gsize n_points);
/* Waits for that thread and for a mesh that the device is making, then frees the device's memory. To be called before the
 * registry goes. Idempotent. */
void debye_mesh_device_end(void);
