/* SPDX-License-Identifier: MIT */
/* A map with ions on a GPU; its twin is cpu/potential/ion_field.c. Map, mask and unit map stay on the device;
 * of each ion two dozen bytes come to the host. */
#include <string.h>

#include "kernels/cuda/common/stream.cuh"
#include "kernels/potential/ion_field.h"
#include "kernels/potential/ion_field_math.h"

constexpr unsigned ROW_LANES = 32; /* threads along a row */
constexpr unsigned ROWS = 8;       /* rows a block has at a time */
constexpr unsigned THREADS = ROW_LANES * ROWS;
constexpr unsigned MAX_BLOCKS = 1024;

/* Of a block's points, or of all. */
struct Extreme {
  unsigned long long n_open, index;
  float value; /* sign·V */
};

/* What kernels are told of a plan. */
struct Field {
  DebyeTurnedGrid grid;
  float core2;
  size_t n_rows, n_points;
  float *map, *unit;
  uint8_t *open;
};

typedef struct {
  int device;
  bool periodic, has_unit_map;
  Field field;
  DebyeNearestImage image;
  DebyeStream stream;
  double (*centres)[3];
  Extreme *extremes; /* MAX_BLOCKS of them, and the last of all */
  Extreme *found;    /* pinned, on the host */
  double (*centres_host)[3];
} Plan;

struct Place {
  double at[3];
};
struct Point {
  size_t at[3];
};

static __global__ void
open_finite(Field field)
{
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < field.n_points;
       i += (size_t)gridDim.x * blockDim.x)
    field.open[i] = isfinite(field.map[i]) ? 1 : 0;
}

static __global__ void
add_open(Field field, float charge, Place place)
{
  const size_t n = field.grid.shape[0];
  for (size_t row = blockIdx.x * (size_t)ROWS + threadIdx.y; row < field.n_rows;
       row += (size_t)gridDim.x * ROWS) {
    double start[3];
    debye_ion_row_start(&field.grid, row % field.grid.shape[1], row / field.grid.shape[1], place.at, start);
    const float across = (float)debye_ion_across(start);
    float *values = field.map + row * n;
    for (size_t i = threadIdx.x; i < n; i += ROW_LANES) {
      const float x = (float)fma((double)i, field.grid.step_x, start[0]);
      values[i] = debye_ion_add(values[i], charge, fmaf(x, x, across), field.core2);
    }
  }
}

static __device__ float
nearest_square(const DebyeNearestImage &image, double x0, double y0, double z0)
{
  const double n[3] = {debye_ion_image(&image, 0, x0, y0, z0), debye_ion_image(&image, 1, x0, y0, z0),
                       debye_ion_image(&image, 2, x0, y0, z0)};
  const double x = debye_ion_without(&image, 0, x0, n), y = debye_ion_without(&image, 1, y0, n),
               z = debye_ion_without(&image, 2, z0, n);
  double least = 0.0;
  for (int candidate = 0; candidate < image.n_candidates; candidate++) {
    const double gain = debye_ion_gain(&image, candidate, x, y, z);
    least = gain < least ? gain : least;
  }
  return (float)(fma(z, z, fma(y, y, x * x)) + least);
}

static __global__ void
add_nearest(Field field, const __grid_constant__ DebyeNearestImage image, float charge, Place place)
{
  const size_t n = field.grid.shape[0];
  for (size_t row = blockIdx.x * (size_t)ROWS + threadIdx.y; row < field.n_rows;
       row += (size_t)gridDim.x * ROWS) {
    double start[3];
    debye_ion_row_start(&field.grid, row % field.grid.shape[1], row / field.grid.shape[1], place.at, start);
    float *values = field.map + row * n;
    for (size_t i = threadIdx.x; i < n; i += ROW_LANES) {
      const double x = fma((double)i, field.grid.step_x, start[0]);
      values[i] = debye_ion_add(values[i], charge, nearest_square(image, x, start[1], start[2]), field.core2);
    }
  }
}

static __device__ size_t
unshifted(size_t at, size_t point, size_t n)
{
  return at >= point ? at - point : at + n - point;
}

static __global__ void
add_shifted(Field field, float charge, Point point)
{
  const size_t *shape = field.grid.shape;
  for (size_t row = blockIdx.x * (size_t)ROWS + threadIdx.y; row < field.n_rows;
       row += (size_t)gridDim.x * ROWS) {
    const size_t from = unshifted(row % shape[1], point.at[1], shape[1]) +
                        shape[1] * unshifted(row / shape[1], point.at[2], shape[2]);
    for (size_t i = threadIdx.x; i < shape[0]; i += ROW_LANES) {
      float *value = field.map + row * shape[0] + i;
      *value = fmaf(charge, field.unit[from * shape[0] + unshifted(i, point.at[0], shape[0])], *value);
    }
  }
}

/* A block a centre, a warp a row. Spheres overlap, but all write the same zero. */
static __global__ void
forbid_spheres(Field field, const double (*centres)[3], double distance)
{
  const DebyeTurnedGrid *grid = &field.grid;
  const double *centre = centres[blockIdx.x];
  double start[3];
  size_t first_k, end_k, first_j, end_j, first_i, end_i;
  debye_ion_reach(-centre[2], grid->plane_z, distance, grid->shape[2], &first_k, &end_k);
  for (size_t k = first_k; k < end_k; k++) {
    debye_ion_row_start(grid, 0, k, centre, start);
    debye_ion_reach(start[1], grid->row_y, distance, grid->shape[1], &first_j, &end_j);
    for (size_t j = first_j + threadIdx.y; j < end_j; j += ROWS) {
      debye_ion_row_start(grid, j, k, centre, start);
      const double across = debye_ion_across(start);
      uint8_t *open = field.open + grid->shape[0] * (j + grid->shape[1] * k);
      debye_ion_reach(start[0], grid->step_x, distance, grid->shape[0], &first_i, &end_i);
      for (size_t i = first_i + threadIdx.x; i < end_i; i += ROW_LANES)
        if (debye_ion_is_near(fma((double)i, grid->step_x, start[0]), across, distance * distance))
          open[i] = 0;
    }
  }
}

/* Of two the larger, of equal ones the first: in whatever order they are brought together the same comes out.
 */
static __device__ void
merge(Extreme *a, const Extreme &b)
{
  const bool better = b.value > a->value || (b.value == a->value && b.index < a->index);
  a->n_open += b.n_open;
  a->value = better ? b.value : a->value;
  a->index = better ? b.index : a->index;
}

static __device__ void
merge_block(Extreme mine, Extreme *out)
{
  __shared__ Extreme shared[THREADS];
  shared[threadIdx.x] = mine;
  __syncthreads();
  for (unsigned half = THREADS / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      merge(&shared[threadIdx.x], shared[threadIdx.x + half]);
    __syncthreads();
  }
  if (threadIdx.x == 0)
    *out = shared[0];
}

static __device__ Extreme
no_extreme()
{
  Extreme extreme;
  extreme.n_open = 0;
  extreme.index = ~0ull;
  extreme.value = -INFINITY;
  return extreme;
}

static __global__ void
find_in_blocks(Field field, float sign, Extreme *extremes)
{
  Extreme mine = no_extreme();
  for (size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x; i < field.n_points;
       i += (size_t)gridDim.x * THREADS)
    if (field.open[i] != 0) {
      Extreme point;
      point.n_open = 1;
      point.index = i;
      point.value = sign * field.map[i];
      merge(&mine, point);
    }
  merge_block(mine, &extremes[blockIdx.x]);
}

static __global__ void
find_in_all(const Extreme *extremes, unsigned n, Extreme *out)
{
  Extreme mine = no_extreme();
  for (unsigned i = threadIdx.x; i < n; i += THREADS)
    merge(&mine, extremes[i]);
  merge_block(mine, out);
}

/* --- The plan --- */

static DebyeStatusCode
set_up(void *made, int device, const void *data, DebyeStatus *status)
{
  Plan *plan = (Plan *)made;
  const DebyeIonFieldSettings *settings = (const DebyeIonFieldSettings *)data;
  const DebyeStatusCode code = debye_ion_field_settings_check(settings, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  plan->device = device;
  plan->periodic = settings->periodic != DEBYE_PERIODIC_NONE;
  plan->has_unit_map = settings->has_unit_map;
  plan->field.grid = debye_turned_grid(&settings->grid);
  plan->field.core2 = (float)(settings->core_radius * settings->core_radius);
  plan->field.n_rows = settings->grid.shape[1] * settings->grid.shape[2];
  plan->field.n_points = debye_grid_n_points(&settings->grid);
  return debye_nearest_image_set(&plan->image, &plan->field.grid, settings->periodic, &settings->cell,
                                 status);
}

static void
list_memory(void *made, DebyePlanMemory *memory)
{
  Plan *plan = (Plan *)made;
  Field *field = &plan->field;
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, field->map, field->n_points);
  if (plan->has_unit_map)
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, field->unit, field->n_points);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, field->open, field->n_points);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->centres, DEBYE_ION_FIELD_BATCH);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, plan->centres_host, DEBYE_ION_FIELD_BATCH);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->extremes, MAX_BLOCKS + 1);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, plan->found, 1);
}

static DebyeStatusCode
prepare(void *made, DebyeStatus *status)
{
  Plan *plan = (Plan *)made;
  debye_stream_open(&plan->stream);
  return debye_stream_report(&plan->stream, "making room for a field of ions", status);
}

DEBYE_STREAM_CLEAR_PLAN(Plan)
DEBYE_PLAN(Plan, debye_cuda_memory_source, .prepare = prepare, .clear = clear)

static unsigned
blocks_for(size_t n, size_t in_a_block)
{
  const size_t wanted = (n + in_a_block - 1) / in_a_block;
  return (unsigned)(wanted < MAX_BLOCKS ? wanted : MAX_BLOCKS);
}

/* Each of these waits for what it began: the caller may look at, or change, what it gave. */

static DebyeStream *
choose_device(Plan *plan)
{
  debye_stream_note(&plan->stream, cudaSetDevice(plan->device));
  return &plan->stream;
}

static DebyeStatusCode
set_map(DebyeKernelPlan *handle, const float *map, DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  DebyeStream *stream = choose_device(plan);
  debye_stream_upload(stream, plan->field.map, map, plan->field.n_points * sizeof *map);
  open_finite<<<blocks_for(plan->field.n_points, THREADS), THREADS, 0, stream->handle>>>(plan->field);
  debye_stream_note_launch(stream);
  return debye_stream_finish(stream, "copying a map to the device", status);
}

static DebyeStatusCode
set_unit_map(DebyeKernelPlan *handle, const float *map, DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  DebyeStream *stream = choose_device(plan);
  debye_stream_upload(stream, plan->field.unit, map, plan->field.n_points * sizeof *map);
  return debye_stream_finish(stream, "copying a unit map to the device", status);
}

static DebyeStatusCode
get_map(DebyeKernelPlan *handle, float *map, DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  DebyeStream *stream = choose_device(plan);
  debye_stream_download(stream, map, plan->field.map, plan->field.n_points * sizeof *map);
  return debye_stream_finish(stream, "copying the map with its ions from the device", status);
}

static DebyeStatusCode
forbid(DebyeKernelPlan *handle, const double (*centres)[3], size_t n, double distance, DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  if (n == 0)
    return debye_status_ok(status);
  DebyeStream *stream = choose_device(plan);
  memcpy(plan->centres_host, centres, n * sizeof *centres);
  debye_stream_upload(stream, plan->centres, plan->centres_host, n * sizeof *centres);
  forbid_spheres<<<(unsigned)n, dim3(ROW_LANES, ROWS), 0, stream->handle>>>(plan->field, plan->centres,
                                                                            distance);
  debye_stream_note_launch(stream);
  return debye_stream_finish(stream, "closing points to ions", status);
}

/* --- Ions, which are not waited for: what follows is behind them in the stream --- */

static DebyeStatusCode
add_charge(DebyeKernelPlan *handle, float charge, const double place[3], DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  const Place at = {{place[0], place[1], place[2]}};
  const unsigned blocks = (unsigned)((plan->field.n_rows + ROWS - 1) / ROWS);
  DebyeStream *stream = choose_device(plan);
  if (plan->periodic)
    add_nearest<<<blocks, dim3(ROW_LANES, ROWS), 0, stream->handle>>>(plan->field, plan->image, charge, at);
  else
    add_open<<<blocks, dim3(ROW_LANES, ROWS), 0, stream->handle>>>(plan->field, charge, at);
  debye_stream_note_launch(stream);
  return debye_stream_report(stream, "adding an ion's potential", status);
}

static DebyeStatusCode
add_unit(DebyeKernelPlan *handle, float charge, const size_t point[3], DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  const Point at = {{point[0], point[1], point[2]}};
  const unsigned blocks = (unsigned)((plan->field.n_rows + ROWS - 1) / ROWS);
  DebyeStream *stream = choose_device(plan);
  add_shifted<<<blocks, dim3(ROW_LANES, ROWS), 0, stream->handle>>>(plan->field, charge, at);
  debye_stream_note_launch(stream);
  return debye_stream_report(stream, "adding an ion's potential", status);
}

static DebyeStatusCode
find_extreme(DebyeKernelPlan *handle, int sign, DebyeIonExtreme *extreme, DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  const unsigned blocks = blocks_for(plan->field.n_points, THREADS);
  DebyeStream *stream = choose_device(plan);
  find_in_blocks<<<blocks, THREADS, 0, stream->handle>>>(plan->field, (float)sign, plan->extremes);
  find_in_all<<<1, THREADS, 0, stream->handle>>>(plan->extremes, blocks, plan->extremes + MAX_BLOCKS);
  debye_stream_note_launch(stream);
  debye_stream_download(stream, plan->found, plan->extremes + MAX_BLOCKS, sizeof *plan->found);
  const DebyeStatusCode code = debye_stream_finish(stream, "finding the extreme of a map", status);
  memset(extreme, 0, sizeof *extreme);
  if (code != DEBYE_STATUS_OK || plan->found->n_open == 0)
    return code;
  extreme->n_open = plan->found->n_open;
  extreme->index = plan->found->index;
  extreme->value = (float)sign * plan->found->value;
  return code;
}

extern "C" const DebyeIonFieldKernel debye_cuda_ion_field = {
    .head = {bytes_needed, create, destroy},
    .set_map = set_map,
    .set_unit_map = set_unit_map,
    .forbid = forbid,
    .add_charge = add_charge,
    .add_unit = add_unit,
    .find_extreme = find_extreme,
    .get_map = get_map,
};
