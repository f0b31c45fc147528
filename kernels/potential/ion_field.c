/* SPDX-License-Identifier: MIT */
/* What placing ions needs alike on every device, called by the analysis of ions: checks, places in the grid's
 * own frame, images. */
#include "ion_field.h"

#include <stdlib.h>

#include "cell_images.h"
#include "kernels/sharing.h"

/* Fractional coordinates that the grid spans along a periodic axis, and how much a distance adds. */
typedef struct {
  double low, high, a_distance;
} Span;

struct DebyeIonField {
  const DebyeIonFieldKernel *kernel;
  DebyeKernelPlan *plan;
  DebyeIonFieldSettings settings;
  DebyeTurnedGrid grid;
  DebyeCellImages images;
  Span spans[3];
  double low[3], high[3]; /* of the grid in its turned frame */
  double centres[DEBYE_ION_FIELD_BATCH][3];
  size_t n_centres;
};

DebyeStatusCode
debye_ion_field_settings_check(const DebyeIonFieldSettings *settings, DebyeStatus *status)
{
  const DebyePotentialSettings potential = {
      .grid = settings->grid, .core_radius = settings->core_radius, .max_planes = 1};
  if (debye_potential_settings_check(&potential, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  /* Points along an axis are counted in 32 bits by the vector units. */
  for (int axis = 0; axis < 3; axis++)
    if (settings->grid.shape[axis] > INT32_MAX)
      return debye_status_set(status, DEBYE_STATUS_INVALID, "The grid has %zu points along one axis.",
                              settings->grid.shape[axis]);
  if (settings->periodic == DEBYE_PERIODIC_NONE || debye_cell_is_valid(&settings->cell))
    return debye_status_ok(status);
  return debye_status_set(status, DEBYE_STATUS_INVALID,
                          "Periodic images need a cell with a volume, and there is none.");
}

static DebyeVec3
turned_point(const DebyeTurnedGrid *grid, size_t i, size_t j, size_t k)
{
  const double x = (double)i, y = (double)j, z = (double)k;
  return debye_vec3(x * grid->step_x + y * grid->row_x + z * grid->plane_x,
                    y * grid->row_y + z * grid->plane_y, z * grid->plane_z);
}

static DebyeVec3
turned_place(const DebyeTurnedGrid *grid, double x, double y, double z)
{
  DebyeVec3 from_origin = debye_vec3_subtract(debye_vec3(x, y, z), grid->origin);
  return debye_vec3(debye_vec3_dot(from_origin, grid->axis[0]), debye_vec3_dot(from_origin, grid->axis[1]),
                    debye_vec3_dot(from_origin, grid->axis[2]));
}

static void
widen(double *low, double *high, double value)
{
  *low = fmin(*low, value);
  *high = fmax(*high, value);
}

/* The bounding box of the grid, from its corners. */
static void
measure_grid(DebyeIonField *field)
{
  const size_t *shape = field->grid.shape;
  for (int axis = 0; axis < 3; axis++) {
    field->spans[axis] = (Span){INFINITY, -INFINITY, debye_vec3_length(field->images.reciprocal[axis])};
    field->low[axis] = INFINITY;
    field->high[axis] = -INFINITY;
  }
  for (unsigned corner = 0; corner < 8; corner++) {
    DebyeVec3 at = turned_point(&field->grid, corner & 1 ? shape[0] - 1 : 0, corner & 2 ? shape[1] - 1 : 0,
                                corner & 4 ? shape[2] - 1 : 0);
    const double parts[3] = {at.x, at.y, at.z};
    for (int axis = 0; axis < 3; axis++) {
      widen(&field->spans[axis].low, &field->spans[axis].high,
            debye_vec3_dot(field->images.reciprocal[axis], at));
      widen(&field->low[axis], &field->high[axis], parts[axis]);
    }
  }
}

/* With a plan of the settings, which the field doesn't own. */
static DebyeStatusCode
set_up(DebyeIonField *field, const DebyeKernelHead *kernel, DebyeKernelPlan *plan,
       const DebyeIonFieldSettings *settings, DebyeStatus *status)
{
  field->kernel = (const DebyeIonFieldKernel *)kernel;
  field->plan = plan;
  field->settings = *settings;
  field->grid = debye_turned_grid(&settings->grid);
  const DebyeStatusCode code =
      debye_cell_images_set(&field->images, &field->grid, settings->periodic, &settings->cell, status);
  if (code == DEBYE_STATUS_OK)
    measure_grid(field);
  return code;
}

DebyeStatusCode
debye_ion_field_create(const DebyeDeviceEntry *device, const DebyeIonFieldSettings *settings,
                       DebyeIonField **field, DebyeStatus *status)
{
  const DebyeIonFieldKernel *kernel = device->backend->ion_field;
  DebyeKernelPlan *plan = NULL;
  *field = NULL;
  if (kernel == NULL)
    return debye_status_set(status, DEBYE_STATUS_UNSUPPORTED, "%s can't %s.", device->backend->title,
                            "place ions");
  if (debye_ion_field_settings_check(settings, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  DebyeIonField *made = calloc(1, sizeof *made);
  if (made == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for a field of ions.");
  DebyeStatusCode code = kernel->head.create(device->device, settings, &plan, status);
  if (code == DEBYE_STATUS_OK)
    code = set_up(made, &kernel->head, plan, settings, status);
  if (code == DEBYE_STATUS_OK) {
    *field = made;
    return code;
  }
  kernel->head.destroy(plan);
  free(made);
  return code;
}

void
debye_ion_field_destroy(DebyeIonField *field)
{
  if (field == NULL)
    return;
  field->kernel->head.destroy(field->plan);
  free(field);
}

/* --- On the first device that can --- */

typedef struct {
  DebyeSharing share;
  const DebyeIonFieldUse *use;
} FieldShare;

static DebyeStatusCode
use_field(DebyeSharing *share, DebyeSharingLane *lane, DebyeSharingRun run, const volatile bool *cancel,
          DebyeStatus *status)
{
  const DebyeIonFieldUse *use = ((const FieldShare *)share)->use;
  DebyeIonField *field = debye_sharing_values(lane, sizeof *field);
  (void)run;
  (void)cancel;
  if (field == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for a field of ions.");
  const DebyeStatusCode code = set_up(field, lane->kernel, lane->plan, lane->settings, status);
  return code == DEBYE_STATUS_OK ? use->use(use->data, lane->device, field, status) : code;
}

static const DebyeSharingFamily family = {
    .task = "place ions",
    .kernel = offsetof(DebyeBackend, ion_field),
    .size = sizeof(FieldShare),
    .settings_size = sizeof(DebyeIonFieldSettings),
    .alone = true,
    .execute = use_field,
};

DebyeStatusCode
debye_ion_field_use(const DebyeIonFieldSettings *settings, uint64_t memory_limit,
                    const DebyeDeviceEntry *const *devices, size_t n_devices, const DebyeIonFieldUse *use,
                    const volatile bool *cancel, DebyeStatus *status)
{
  const DebyeSharingJob job = {.n_inputs = 1, .n_items = 1, .cancel = cancel};
  const DebyeLaneReport *reports;
  DebyeSharing *share = NULL;
  if (debye_ion_field_settings_check(settings, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  FieldShare *made = debye_sharing_new(&family, settings, memory_limit, devices, n_devices);
  DebyeStatusCode code = debye_sharing_start(made, made != NULL, &share, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  made->use = use;
  code = debye_sharing_run(share, &job, status);
  debye_sharing_get_reports(share, &reports);
  for (size_t i = 0; i < n_devices; i++)
    if (reports[i].retired)
      use->failed(use->data, devices[i], reports[i].reason);
  debye_sharing_free(share);
  return code;
}

DebyeStatusCode
debye_ion_field_set_map(DebyeIonField *field, const float *map, DebyeStatus *status)
{
  return field->kernel->set_map(field->plan, map, status);
}

DebyeStatusCode
debye_ion_field_set_unit_map(DebyeIonField *field, const float *map, DebyeStatus *status)
{
  if (!field->settings.has_unit_map)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "The field was made for ions without a unit map.");
  return field->kernel->set_unit_map(field->plan, map, status);
}

DebyeStatusCode
debye_ion_field_get_map(DebyeIonField *field, float *map, DebyeStatus *status)
{
  return field->kernel->get_map(field->plan, map, status);
}

DebyeStatusCode
debye_ion_field_find_extreme(DebyeIonField *field, int sign, DebyeIonExtreme *extreme, DebyeStatus *status)
{
  return field->kernel->find_extreme(field->plan, sign < 0 ? -1 : 1, extreme, status);
}

/* --- Closing points --- */

static DebyeStatusCode
flush_centres(DebyeIonField *field, double distance, DebyeStatus *status)
{
  const size_t n = field->n_centres;
  field->n_centres = 0;
  if (n == 0)
    return debye_status_ok(status);
  return field->kernel->forbid(field->plan, (const double(*)[3])field->centres, n, distance, status);
}

/* Keeps a centre whose sphere reaches the grid's box. */
static DebyeStatusCode
add_centre(DebyeIonField *field, DebyeVec3 at, double distance, DebyeStatus *status)
{
  const double place[3] = {at.x, at.y, at.z};
  for (int axis = 0; axis < 3; axis++)
    if (place[axis] + distance < field->low[axis] || place[axis] - distance > field->high[axis])
      return DEBYE_STATUS_OK;
  DebyeStatusCode code = DEBYE_STATUS_OK;
  if (field->n_centres == DEBYE_ION_FIELD_BATCH)
    code = flush_centres(field, distance, status);
  for (int axis = 0; axis < 3; axis++)
    field->centres[field->n_centres][axis] = place[axis];
  field->n_centres++;
  return code;
}

/* Shifts along an axis with which a place at fraction `at` comes near the grid. */
static void
find_shifts(const DebyeIonField *field, int axis, double at, double distance, double *first, double *last)
{
  const Span *span = &field->spans[axis];
  *first = *last = 0.0;
  if (!field->images.periodic[axis])
    return;
  *first = ceil(span->low - distance * span->a_distance - at - 1e-9);
  *last = floor(span->high + distance * span->a_distance - at + 1e-9);
}

static DebyeStatusCode
add_images(DebyeIonField *field, DebyeVec3 at, double distance, DebyeStatus *status)
{
  double first[3], last[3];
  for (int axis = 0; axis < 3; axis++)
    find_shifts(field, axis, debye_vec3_dot(field->images.reciprocal[axis], at), distance, &first[axis],
                &last[axis]);
  for (double a = first[0]; a <= last[0]; a += 1.0)
    for (double b = first[1]; b <= last[1]; b += 1.0)
      for (double c = first[2]; c <= last[2]; c += 1.0) {
        DebyeVec3 image = debye_vec3_add(at, debye_vec3_scale(field->images.edge[0], a));
        image = debye_vec3_add(image, debye_vec3_scale(field->images.edge[1], b));
        image = debye_vec3_add(image, debye_vec3_scale(field->images.edge[2], c));
        DebyeStatusCode code = add_centre(field, image, distance, status);
        if (code != DEBYE_STATUS_OK)
          return code;
      }
  return DEBYE_STATUS_OK;
}

static bool
distance_is_usable(double distance)
{
  return distance >= 0.0 && distance < DEBYE_DIRECT_FARTHEST;
}

DebyeStatusCode
debye_ion_field_forbid(DebyeIonField *field, const float *x, const float *y, const float *z, size_t n,
                       double distance, const volatile bool *cancel, DebyeStatus *status)
{
  field->n_centres = 0;
  if (!distance_is_usable(distance))
    return debye_status_set(status, DEBYE_STATUS_INVALID, "A distance of %g Å can't be kept.", distance);
  for (size_t i = 0; i < n; i++) {
    DebyeVec3 at = turned_place(&field->grid, (double)x[i], (double)y[i], (double)z[i]);
    if (!(debye_vec3_length(at) < DEBYE_DIRECT_FARTHEST))
      return debye_status_set(status, DEBYE_STATUS_INVALID, "Position %zu, (%g, %g, %g) Å, is out of range.",
                              i + 1, (double)x[i], (double)y[i], (double)z[i]);
    if (debye_is_cancelled(cancel))
      return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.");
    DebyeStatusCode code = add_images(field, at, distance, status);
    if (code != DEBYE_STATUS_OK)
      return code;
  }
  return flush_centres(field, distance, status);
}

DebyeStatusCode
debye_ion_field_place(DebyeIonField *field, size_t index, double charge, double distance, DebyeStatus *status)
{
  const size_t *shape = field->grid.shape;
  const size_t point[3] = {index % shape[0], index / shape[0] % shape[1], index / shape[0] / shape[1]};
  field->n_centres = 0;
  if (point[2] >= shape[2] || !isfinite(charge) || !distance_is_usable(distance))
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "An ion of %g e can't be put on point %zu, %g Å from others.", charge, index,
                            distance);
  DebyeVec3 at = turned_point(&field->grid, point[0], point[1], point[2]);
  const double place[3] = {at.x, at.y, at.z};
  DebyeStatusCode code = field->settings.has_unit_map
                             ? field->kernel->add_unit(field->plan, (float)charge, point, status)
                             : field->kernel->add_charge(field->plan, (float)charge, place, status);
  if (code == DEBYE_STATUS_OK)
    code = add_images(field, at, distance, status);
  return code == DEBYE_STATUS_OK ? flush_centres(field, distance, status) : code;
}
