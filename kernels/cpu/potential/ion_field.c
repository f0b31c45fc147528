/* SPDX-License-Identifier: MIT */
/* A map with ions on the CPU; its twin is cuda/potential/ion_field.cu. A chunk of work is a plane. */
#include "kernels/potential/ion_field.h"

#include <stdlib.h>
#include <string.h>

#include "ion_field_block.h"
#include "kernels/cpu/common/cpu_kernels.h"
#include "kernels/cpu/common/parallel.h"
#include "kernels/cpu/common/cpu_settings.h"
#include "kernels/plan.h"

/* Of one plane. */
typedef struct {
  float value;
  size_t row, n_open;
} PlaneExtreme;

typedef struct {
  DebyeIonFieldSettings settings;
  DebyeTurnedGrid grid;
  DebyeNearestImage image;
  const DebyeIonFieldBlock *block;
  DebyePool *pool;
  size_t n_points;
  float *map, *unit;
  uint8_t *open;
  PlaneExtreme *extremes; /* one a plane */
} Plan;

/* One call, shared by its chunks. */
typedef struct {
  Plan *plan;
  float charge;
  const double *place;
  const size_t *point;
  const double (*centres)[3];
  size_t n_centres;
  double distance;
  float sign;
} Call;

static DebyeStatusCode
set_up(void *made, int device, const void *settings, DebyeStatus *status)
{
  Plan *plan = made;
  (void)device;
  plan->settings = *(const DebyeIonFieldSettings *)settings;
  const DebyeStatusCode code = debye_ion_field_settings_check(&plan->settings, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  plan->grid = debye_turned_grid(&plan->settings.grid);
  plan->n_points = debye_grid_n_points(&plan->settings.grid);
  return debye_nearest_image_set(&plan->image, &plan->grid, plan->settings.periodic, &plan->settings.cell,
                                 status);
}

static void
list_memory(void *made, DebyePlanMemory *memory)
{
  Plan *plan = made;
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->map, plan->n_points);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->open, plan->n_points);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->extremes, plan->grid.shape[2]);
  if (plan->settings.has_unit_map)
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->unit, plan->n_points);
}

static DebyeStatusCode
no_memory(const void *made, DebyeStatus *status)
{
  const Plan *plan = made;
  const uint64_t a_point = 2 * sizeof(float) + sizeof(uint8_t);
  return debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                          "There is no memory for a map that ions are put into (%llu bytes).",
                          (unsigned long long)(plan->n_points * a_point));
}

static DebyeStatusCode
prepare(void *made, DebyeStatus *status)
{
  Plan *plan = made;
  plan->block = debye_ion_field_block(debye_cpu_get_level());
  plan->pool = debye_pool_new(debye_cpu_get_threads());
  return plan->pool != NULL ? debye_status_ok(status) : no_memory(plan, status);
}

DEBYE_POOL_CLEAR_PLAN(Plan)
DEBYE_PLAN(Plan, debye_host_memory_source, .no_memory = no_memory, .prepare = prepare, .clear = clear)

static DebyeStatusCode
set_map(DebyeKernelPlan *handle, const float *map, DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  memcpy(plan->map, map, plan->n_points * sizeof *map);
  for (size_t i = 0; i < plan->n_points; i++)
    plan->open[i] = isfinite(map[i]) ? 1 : 0;
  return debye_status_ok(status);
}

static DebyeStatusCode
set_unit_map(DebyeKernelPlan *handle, const float *map, DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  memcpy(plan->unit, map, plan->n_points * sizeof *map);
  return debye_status_ok(status);
}

static DebyeStatusCode
get_map(DebyeKernelPlan *handle, float *map, DebyeStatus *status)
{
  const Plan *plan = (const Plan *)handle;
  memcpy(map, plan->map, plan->n_points * sizeof *map);
  return debye_status_ok(status);
}

/* --- Closing points --- */

static void
forbid_row(Plan *plan, size_t row, const double *start, double distance)
{
  const double across = debye_ion_across(start), step = plan->grid.step_x;
  size_t first, end;
  debye_ion_reach(start[0], step, distance, plan->grid.shape[0], &first, &end);
  uint8_t *open = plan->open + row * plan->grid.shape[0];
  for (size_t i = first; i < end; i++)
    if (debye_ion_is_near(fma((double)i, step, start[0]), across, distance * distance))
      open[i] = 0;
}

static void
forbid_plane(void *context, size_t k)
{
  const Call *call = context;
  const DebyeTurnedGrid *grid = &call->plan->grid;
  for (size_t centre = 0; centre < call->n_centres; centre++) {
    double start[3];
    size_t first, end;
    debye_ion_row_start(grid, 0, k, call->centres[centre], start);
    if (fabs(start[2]) > call->distance)
      continue;
    debye_ion_reach(start[1], grid->row_y, call->distance, grid->shape[1], &first, &end);
    for (size_t j = first; j < end; j++) {
      debye_ion_row_start(grid, j, k, call->centres[centre], start);
      forbid_row(call->plan, j + grid->shape[1] * k, start, call->distance);
    }
  }
}

static DebyeStatusCode
forbid(DebyeKernelPlan *handle, const double (*centres)[3], size_t n, double distance, DebyeStatus *status)
{
  Call call = {.plan = (Plan *)handle, .centres = centres, .n_centres = n, .distance = distance};
  debye_parallel_for(call.plan->pool, call.plan->grid.shape[2], forbid_plane, &call, NULL);
  return debye_status_ok(status);
}

/* --- An ion's potential --- */

static void
add_plane(void *context, size_t k)
{
  const Call *call = context;
  Plan *plan = call->plan;
  const double core = plan->settings.core_radius;
  DebyeIonRow row = {.n = (int32_t)plan->grid.shape[0],
                     .step_x = plan->grid.step_x,
                     .charge = call->charge,
                     .core2 = (float)(core * core),
                     .image = &plan->image};
  for (size_t j = 0; j < plan->grid.shape[1]; j++) {
    float *values = plan->map + plan->grid.shape[0] * (j + plan->grid.shape[1] * k);
    debye_ion_row_start(&plan->grid, j, k, call->place, row.start);
    if (plan->settings.periodic == DEBYE_PERIODIC_NONE)
      plan->block->add(&row, values);
    else
      plan->block->add_nearest(&row, values);
  }
}

static DebyeStatusCode
add_charge(DebyeKernelPlan *handle, float charge, const double place[3], DebyeStatus *status)
{
  Call call = {.plan = (Plan *)handle, .charge = charge, .place = place};
  debye_parallel_for(call.plan->pool, call.plan->grid.shape[2], add_plane, &call, NULL);
  return debye_status_ok(status);
}

/* The unit map's point that comes to lie on `at` when its first one is moved to `point`. */
static size_t
unshifted(size_t at, size_t point, size_t n)
{
  return at >= point ? at - point : at + n - point;
}

static void
add_unit_plane(void *context, size_t k)
{
  const Call *call = context;
  Plan *plan = call->plan;
  const size_t *shape = plan->grid.shape, shift = call->point[0];
  for (size_t j = 0; j < shape[1]; j++) {
    const size_t from =
        unshifted(j, call->point[1], shape[1]) + shape[1] * unshifted(k, call->point[2], shape[2]);
    const float *unit = plan->unit + shape[0] * from;
    float *values = plan->map + shape[0] * (j + shape[1] * k);
    plan->block->add_unit(call->charge, unit + shape[0] - shift, (int32_t)shift, values);
    plan->block->add_unit(call->charge, unit, (int32_t)(shape[0] - shift), values + shift);
  }
}

static DebyeStatusCode
add_unit(DebyeKernelPlan *handle, float charge, const size_t point[3], DebyeStatus *status)
{
  Call call = {.plan = (Plan *)handle, .charge = charge, .point = point};
  debye_parallel_for(call.plan->pool, call.plan->grid.shape[2], add_unit_plane, &call, NULL);
  return debye_status_ok(status);
}

/* --- Extremes --- */

static void
find_in_plane(void *context, size_t k)
{
  const Call *call = context;
  const Plan *plan = call->plan;
  PlaneExtreme extreme = {.value = -INFINITY};
  for (size_t j = 0; j < plan->grid.shape[1]; j++) {
    const size_t row = j + plan->grid.shape[1] * k, first = row * plan->grid.shape[0];
    float value = plan->block->find(plan->map + first, plan->open + first, (int32_t)plan->grid.shape[0],
                                    call->sign, &extreme.n_open);
    if (value > extreme.value) {
      extreme.value = value;
      extreme.row = row;
    }
  }
  plan->extremes[k] = extreme;
}

/* The first open point of a row with this value. */
static size_t
find_in_row(const Plan *plan, const PlaneExtreme *best, float sign)
{
  size_t i = best->row * plan->grid.shape[0];
  while (plan->open[i] == 0 || sign * plan->map[i] != best->value)
    i++;
  return i;
}

static DebyeStatusCode
find_extreme(DebyeKernelPlan *handle, int sign, DebyeIonExtreme *extreme, DebyeStatus *status)
{
  Call call = {.plan = (Plan *)handle, .sign = (float)sign};
  const Plan *plan = call.plan;
  debye_parallel_for(plan->pool, plan->grid.shape[2], find_in_plane, &call, NULL);
  PlaneExtreme best = {.value = -INFINITY};
  for (size_t k = 0; k < plan->grid.shape[2]; k++) {
    best.n_open += plan->extremes[k].n_open;
    if (plan->extremes[k].value > best.value) {
      best.value = plan->extremes[k].value;
      best.row = plan->extremes[k].row;
    }
  }
  *extreme = (DebyeIonExtreme){.n_open = best.n_open};
  if (best.n_open > 0) {
    extreme->index = find_in_row(plan, &best, call.sign);
    extreme->value = plan->map[extreme->index];
  }
  return debye_status_ok(status);
}

const DebyeIonFieldKernel debye_cpu_ion_field = {
    .head = {bytes_needed, create, destroy},
    .set_map = set_map,
    .set_unit_map = set_unit_map,
    .forbid = forbid,
    .add_charge = add_charge,
    .add_unit = add_unit,
    .find_extreme = find_extreme,
    .get_map = get_map,
};
