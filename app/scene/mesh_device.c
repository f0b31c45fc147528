/* SPDX-License-Identifier: MIT */
/* Implementation of mesh_device.h: for all layers one plan for maps, of the shape that was last asked for, and one for
 * molecules, which grows with them. */
#include "mesh_device.h"

#include <string.h>

#include "data/results/field.h"
#include "kernels/isosurface/isosurface.h"
#include "kernels/surface/surface_mesh.h"
#include "render/mesh/marching_cubes.h"
#include "render/mesh/sphere_surface.h"
#include "surface_depths.h"

/* With fewer points the processor is done before a device would have its data. Surfaces of molecules have the lower limit because
 * the depth at each point must be computed first. */
#define LEAST_POINTS ((gsize)96 * 96 * 96)
#define LEAST_SURFACE_POINTS ((gsize)48 * 48 * 48)
/* A plan stays, and computations need the device's memory, too. */
#define MOST_OF_MEMORY 0.125

typedef enum {
  DEVICE_UNKNOWN,
  DEVICE_IS_LOOKED_FOR,
  DEVICE_IS_READY,
  DEVICE_IS_MISSING, /* or has failed */
} DeviceState;

typedef struct {
  GMutex lock; /* of all else */
  DebyeMeshDeviceRegistry find;
  gpointer data;
  char *choice;
  gsize patience;  /* points of surfaces of molecules before it begins */
  GThread *thread; /* that looks */
  DeviceState state;
  const DebyeDeviceEntry *device;
  DebyeIsosurfaceSettings settings; /* of the plan */
  DebyeKernelPlan *plan;            /* NULL: none */
  GWeakRef field;                   /* whose values it has */
  DebyeKernelPlan *surface_plan;    /* NULL: none */
} Lender;

static Lender lender;

/* --- The device --- */

static const DebyeDeviceEntry *
find_device(const DebyeRegistry *registry, const char *choice)
{
  const gsize most = registry != NULL ? debye_registry_get_count(registry) : 0;
  g_autofree const DebyeDeviceEntry **entries = g_new(const DebyeDeviceEntry *, most + 1);
  DebyeStatus status;
  const gsize n = most > 0 ? debye_registry_choose(registry, choice, entries, most, &status) : 0;
  for (gsize i = 0; i < n; i++)
    if (!debye_device_is_cpu(entries[i]) && entries[i]->backend->isosurface != NULL &&
        entries[i]->backend->surface_mesh != NULL)
      return entries[i];
  return NULL;
}

/* What is lent stays as it is until the thread has been waited for. */
static gpointer
look(gpointer data G_GNUC_UNUSED)
{
  const DebyeDeviceEntry *device = find_device(lender.find(lender.data), lender.choice);
  if (device != NULL && device->backend->wake != NULL)
    device->backend->wake(device->device);
  g_mutex_lock(&lender.lock);
  lender.device = device;
  lender.state = device != NULL ? DEVICE_IS_READY : DEVICE_IS_MISSING;
  g_mutex_unlock(&lender.lock);
  return NULL;
}

/* --- Plans --- */

static void
destroy_plan(void)
{
  if (lender.plan != NULL)
    lender.device->backend->isosurface->head.destroy(lender.plan);
  lender.plan = NULL;
  g_weak_ref_set(&lender.field, NULL);
}

static void
destroy_surface_plan(void)
{
  if (lender.surface_plan != NULL)
    lender.device->backend->surface_mesh->head.destroy(lender.surface_plan);
  lender.surface_plan = NULL;
}

static gboolean
has_memory(const DebyeKernelHead *head, gconstpointer settings)
{
  const double most = MOST_OF_MEMORY * (double)lender.device->info.memory_total;
  return (double)head->bytes_needed(lender.device->device, settings) <= most;
}

/* A plan for maps of that shape. */
static DebyeStatusCode
prepare(const DebyeGrid *grid)
{
  const DebyeKernelHead *head = &lender.device->backend->isosurface->head;
  const DebyeIsosurfaceSettings settings = {{grid->shape[0], grid->shape[1], grid->shape[2]}};
  if (lender.plan != NULL && memcmp(&settings, &lender.settings, sizeof settings) == 0)
    return DEBYE_STATUS_OK;
  destroy_plan();
  if (!has_memory(head, &settings))
    return DEBYE_STATUS_NO_MEMORY;
  lender.settings = settings;
  return head->create(lender.device->device, &settings, &lender.plan, NULL);
}

static DebyeStatusCode
set_field(DebyeField *field)
{
  g_autoptr(DebyeField) there = g_weak_ref_get(&lender.field);
  if (there == field)
    return DEBYE_STATUS_OK;
  g_weak_ref_set(&lender.field, NULL);
  const DebyeStatusCode code = lender.device->backend->isosurface->set_map(
      lender.plan, debye_field_get_grid(field), debye_field_get_values(field), NULL);
  if (code == DEBYE_STATUS_OK)
    g_weak_ref_set(&lender.field, field);
  return code;
}

/* A plan for that molecule and those to come. */
static DebyeStatusCode
prepare_surface(const DebyeSurfaceMeshTask *task)
{
  const DebyeKernelHead *head = &lender.device->backend->surface_mesh->head;
  const gsize *shape = task->grid.shape;
  const DebyeSurfaceMeshSettings settings = {task->spheres.n, {shape[0], shape[1], shape[2]}};
  if (!has_memory(head, &settings))
    return DEBYE_STATUS_NO_MEMORY;
  return lender.surface_plan != NULL
             ? DEBYE_STATUS_OK
             : head->create(lender.device->device, &settings, &lender.surface_plan, NULL);
}

/* Another map or molecule may do; a device that has failed isn't asked again. */
static void
note_failure(DebyeStatusCode code)
{
  if (code == DEBYE_STATUS_DEVICE_FAILED)
    lender.state = DEVICE_IS_MISSING;
}

/* With the lock. NULL: the processors shall. */
static DebyeMesh *
make_surface(const DebyeSurfaceMeshTask *task)
{
  DebyeIsosurface made = {0};
  DebyeStatusCode code = prepare_surface(task);
  if (code == DEBYE_STATUS_OK)
    code = lender.device->backend->surface_mesh->execute(lender.surface_plan, task, NULL, &made, NULL);
  if (code == DEBYE_STATUS_OK)
    return debye_marching_cubes_take(&made);
  destroy_surface_plan();
  note_failure(code);
  return NULL;
}

/* With the lock. NULL: the processors shall. */
static DebyeMesh *
make(DebyeField *field, double level)
{
  DebyeIsosurface made = {0};
  DebyeStatusCode code = prepare(debye_field_get_grid(field));
  if (code == DEBYE_STATUS_OK)
    code = set_field(field);
  if (code == DEBYE_STATUS_OK)
    code = lender.device->backend->isosurface->execute(lender.plan, level, NULL, &made, NULL);
  if (code == DEBYE_STATUS_OK)
    return debye_marching_cubes_take(&made);
  destroy_plan();
  note_failure(code);
  return NULL;
}

/* With the lock. Begins to look for a device when first asked, or when it has been asked for enough. */
static gboolean
is_ready(gsize n_points, GCancellable *cancellable)
{
  if (lender.state == DEVICE_UNKNOWN && lender.patience > 0) {
    lender.patience -= MIN(n_points, lender.patience);
  } else if (lender.state == DEVICE_UNKNOWN && lender.find != NULL) {
    lender.state = DEVICE_IS_LOOKED_FOR;
    /* Opening a driver takes up to seconds, and the end of the program waits for it, as a task of GLib's pool can't. */
    lender.thread = g_thread_new("debye-mesh-device", look, NULL);
  }
  return lender.state == DEVICE_IS_READY && !g_cancellable_is_cancelled(cancellable);
}

static DebyeMesh *
make_on_device(DebyeField *field, double level, GCancellable *cancellable)
{
  DebyeMesh *mesh = NULL;
  if (debye_grid_n_points(debye_field_get_grid(field)) < LEAST_POINTS)
    return NULL;
  g_mutex_lock(&lender.lock);
  if (is_ready(0, cancellable))
    mesh = make(field, level);
  g_mutex_unlock(&lender.lock);
  return mesh;
}

static DebyeMesh *
make_surface_on_device(const DebyeSurfaceAtoms *atoms, DebyeMeshSurface kind, double probe,
                       const DebyeGrid *grid, double band, GCancellable *cancellable)
{
  const DebyeSurfaceMeshTask task = debye_surface_depths_task(atoms, kind, probe, grid, band);
  DebyeMesh *mesh = NULL;
  if (debye_grid_n_points(grid) < LEAST_SURFACE_POINTS)
    return NULL;
  g_mutex_lock(&lender.lock);
  if (is_ready(debye_grid_n_points(grid), cancellable))
    mesh = make_surface(&task);
  g_mutex_unlock(&lender.lock);
  return mesh;
}

/* --- Lending --- */

void
debye_mesh_device_lend(DebyeMeshDeviceRegistry find, gpointer data, const char *choice)
{
  debye_mesh_device_end();
  g_mutex_lock(&lender.lock);
  lender.find = find;
  lender.data = data;
  lender.choice = g_strdup(choice);
  g_mutex_unlock(&lender.lock);
  debye_marching_cubes_set_device(make_on_device);
  debye_sphere_surface_set_device(make_surface_on_device);
}

void
debye_mesh_device_set_patience(gsize n_points)
{
  g_mutex_lock(&lender.lock);
  lender.patience = n_points;
  g_mutex_unlock(&lender.lock);
}

void
debye_mesh_device_end(void)
{
  debye_marching_cubes_set_device(NULL);
  debye_sphere_surface_set_device(NULL);
  g_mutex_lock(&lender.lock);
  GThread *thread = g_steal_pointer(&lender.thread);
  if (lender.state == DEVICE_UNKNOWN)
    lender.state = DEVICE_IS_MISSING; /* no thread begins any more */
  g_mutex_unlock(&lender.lock);
  g_clear_pointer(&thread, g_thread_join);
  g_mutex_lock(&lender.lock);
  destroy_plan();
  destroy_surface_plan();
  g_clear_pointer(&lender.choice, g_free);
  lender.find = NULL;
  lender.patience = 0;
  lender.device = NULL;
  lender.state = DEVICE_UNKNOWN;
  g_mutex_unlock(&lender.lock);
}
