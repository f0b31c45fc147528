/* SPDX-License-Identifier: MIT */
/* Maps of orbitals on a GPU; its twin is cpu/orbital/orbital.c. A block has a tile of 8×8×8 points, its four warps take
 * the centres in reach in turn. A thread has two columns of eight points along z: of a primitive it needs the polynomial
 * in x and y at its columns, and along z one step of Horner's scheme per power and point. Many squares that are added up go
 * to orbital_squares.cu. */
#include <string.h>

#include "kernels/cuda/common/stream.cuh"
#include "orbital_squares.cuh"

constexpr int EDGE = 8; /* points of a tile along each axis */
constexpr int TILE = EDGE * EDGE * EDGE;
constexpr int WARPS = 4;
constexpr int THREADS = 32 * WARPS;
constexpr int COLUMNS = EDGE * EDGE / 32; /* of a thread */
constexpr int MINE = TILE / THREADS;      /* points whose sums a thread keeps */
constexpr int LINES = 3 * EDGE;           /* points along x, along y, along z */

using Primitive = DebyeOrbitalPrimitive;
using Field = DebyeOrbitalField;

typedef struct {
  int device;
  DebyeOrbitalSettings settings;
  Field field;
  size_t n_functions;
  DebyeStream stream;
  double *centres_host;       /* pinned */
  Primitive *primitives_host; /* pinned */
  DebyeOrbitalSquares squares;
} Plan;

/* Σ over b and a of the coefficients that stand by z^c; `coefficients` goes on to those of the next power. */
template <int DEGREE>
static __device__ __forceinline__ float
sum_across(const float *__restrict__ coefficients, int c, float x, float y)
{
  /* Those of lower powers of z come first. */
  int begin = 0;
#pragma unroll
  for (int power = 0; power < c; power++)
    begin += (DEGREE - power + 1) * (DEGREE - power + 2) / 2;
  int row = begin + (DEGREE - c + 1) * (DEGREE - c + 2) / 2;
  float sum = 0.0f;
#pragma unroll
  for (int b = DEGREE - c; b >= 0; b--) {
    row -= DEGREE - c - b + 1;
    float inner = 0.0f;
#pragma unroll
    for (int a = DEGREE - c - b; a >= 0; a--)
      inner = fmaf(inner, x, __ldg(coefficients + row + a));
    sum = fmaf(sum, y, inner);
  }
  return sum;
}

static __device__ __forceinline__ void
load(float (&values)[EDGE], const float *from)
{
  const float4 low = *(const float4 *)from, high = *(const float4 *)(from + 4);
  values[0] = low.x, values[1] = low.y, values[2] = low.z, values[3] = low.w;
  values[4] = high.x, values[5] = high.y, values[6] = high.z, values[7] = high.w;
}

/* Adds a primitive to the thread's columns. `distances` and `gaussians` are the warp's, x, y, z one after the other. */
template <int DEGREE>
static __device__ __forceinline__ void
add_primitive(float (&sums)[COLUMNS][EDGE], const float *__restrict__ coefficients,
              const float *__restrict__ distances, const float *__restrict__ gaussians, int lane)
{
  const int i = lane % EDGE, j = lane / EDGE;
  float along[EDGE], z[EDGE];
  load(along, gaussians + 2 * EDGE);
  load(z, distances + 2 * EDGE);
#pragma unroll
  for (int column = 0; column < COLUMNS; column++) {
    const int y = EDGE + j + column * (32 / EDGE);
    const float gaussian = gaussians[i] * gaussians[y];
    float values[EDGE];
#pragma unroll
    for (int c = DEGREE; c >= 0; c--) {
      const float across = gaussian * sum_across<DEGREE>(coefficients, c, distances[i], distances[y]);
#pragma unroll
      for (int k = 0; k < EDGE; k++)
        values[k] = c == DEGREE ? across : fmaf(values[k], z[k], across);
    }
#pragma unroll
    for (int k = 0; k < EDGE; k++)
      sums[column][k] = fmaf(values[k], along[k], sums[column][k]);
  }
}

/* h and i shells, and the derivatives of f and more: seldom, so not unrolled. */
static __device__ __forceinline__ void
add_high_primitive(float (&sums)[COLUMNS][EDGE], int degree, const float *__restrict__ coefficients,
                   const float *__restrict__ distances, const float *__restrict__ gaussians, int lane)
{
  const int i = lane % EDGE, j = lane / EDGE;
#pragma unroll
  for (int column = 0; column < COLUMNS; column++) {
    const int at = EDGE + j + column * (32 / EDGE);
    const float x = distances[i], y = distances[at], gaussian = gaussians[i] * gaussians[at];
    float values[EDGE] = {0.0f};
    int row = (degree + 1) * (degree + 2) * (degree + 3) / 6;
#pragma unroll 1
    for (int c = degree; c >= 0; c--) {
      float across = 0.0f;
#pragma unroll 1
      for (int b = degree - c; b >= 0; b--) {
        float inner = 0.0f;
        row -= degree - c - b + 1;
#pragma unroll 1
        for (int a = degree - c - b; a >= 0; a--)
          inner = fmaf(inner, x, __ldg(coefficients + row + a));
        across = fmaf(across, y, inner);
      }
#pragma unroll
      for (int k = 0; k < EDGE; k++)
        values[k] = fmaf(values[k], distances[2 * EDGE + k], across * gaussian);
    }
#pragma unroll
    for (int k = 0; k < EDGE; k++)
      sums[column][k] = fmaf(values[k], gaussians[2 * EDGE + k], sums[column][k]);
  }
}

static __device__ __forceinline__ void
add_any(float (&sums)[COLUMNS][EDGE], int degree, const float *coefficients, const float *distances,
        const float *gaussians, int lane)
{
  switch (degree) {
  case 0:
    add_primitive<0>(sums, coefficients, distances, gaussians, lane);
    break;
  case 1:
    add_primitive<1>(sums, coefficients, distances, gaussians, lane);
    break;
  case 2:
    add_primitive<2>(sums, coefficients, distances, gaussians, lane);
    break;
  case 3:
    add_primitive<3>(sums, coefficients, distances, gaussians, lane);
    break;
  case 4:
    add_primitive<4>(sums, coefficients, distances, gaussians, lane);
    break;
  default:
    add_high_primitive(sums, degree, coefficients, distances, gaussians, lane);
  }
}

/* The tile's lowest and highest coordinates along an axis, as far as it has points of the grid. */
static __device__ __forceinline__ void
find_edges(const Field &field, const unsigned (&tile)[3], int axis, double *low, double *high)
{
  const unsigned begin = tile[axis] * EDGE;
  const unsigned last = min(begin + EDGE, field.shape[axis]) - 1;
  const double one = field.origin[axis] + field.step[axis] * begin,
               other = field.origin[axis] + field.step[axis] * last;
  *low = fmin(one, other);
  *high = fmax(one, other);
}

struct Box {
  double low[3], high[3];
};

static __device__ __forceinline__ float
square_distance(const Box &box, const double *centre)
{
  float square = 0.0f;
#pragma unroll
  for (int axis = 0; axis < 3; axis++) {
    const float away = (float)fmax(0.0, fmax(box.low[axis] - centre[axis], centre[axis] - box.high[axis]));
    square = fmaf(away, away, square);
  }
  return square;
}

/* A warp's distances to a centre, and its two sets of exponentials: one is written while lanes read the other. */
struct Lines {
  float distances[LINES];
  float gaussians[2][LINES];
};

/* All primitives of a centre that reach the tile. */
static __device__ __forceinline__ void
add_centre(const Field &field, uint32_t function, uint32_t centre, float square, const unsigned (&tile)[3],
           Lines *lines, int lane, float (&sums)[COLUMNS][EDGE])
{
  const float *reach = field.reach + (size_t)function * field.n_primitives;
  const float *coefficients = field.coefficients + (size_t)function * field.n_coefficients;
  float distance = 0.0f;
  __syncwarp();
  if (lane < LINES) {
    const int axis = lane / EDGE;
    const unsigned point = (axis == 0 ? tile[0] : axis == 1 ? tile[1] : tile[2]) * EDGE + lane % EDGE;
    distance = (float)(field.origin[axis] + field.step[axis] * point - field.centres[3 * centre + axis]);
    lines->distances[lane] = distance;
  }
  unsigned turn = 0;
  for (uint32_t k = field.first[centre]; k < field.first[centre + 1]; k++) {
    const float far = __ldg(reach + k);
    if (!(square < far * far))
      continue;
    const Primitive primitive = field.primitives[k];
    float *gaussians = lines->gaussians[turn++ % 2];
    if (lane < LINES)
      gaussians[lane] = exp2f(primitive.rate * distance * distance);
    __syncwarp();
    add_any(sums, primitive.degree, coefficients + primitive.first_coefficient, lines->distances, gaussians,
            lane);
  }
}

/* A function at all points of the tile, into the block's `values`, z slowest. */
static __device__ __forceinline__ void
evaluate(const Field &field, uint32_t function, const unsigned (&tile)[3], const Box &box, Lines *lines,
         float (*values)[TILE])
{
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const float *reach = field.centre_reach + (size_t)function * field.n_centres;
  float sums[COLUMNS][EDGE] = {};
  unsigned turn = 0;
  for (uint32_t first = 0; first < field.n_centres; first += 32) {
    const uint32_t mine = first + lane;
    const float square = mine < field.n_centres ? square_distance(box, field.centres + 3 * mine) : 0.0f;
    const float far = mine < field.n_centres ? __ldg(reach + mine) : 0.0f;
    for (unsigned near = __ballot_sync(~0u, square < far * far); near != 0; near &= near - 1) {
      const int bit = __ffs(near) - 1;
      if (turn++ % WARPS == (unsigned)warp)
        add_centre(field, function, first + bit, __shfl_sync(~0u, square, bit), tile, &lines[warp], lane,
                   sums);
    }
  }
#pragma unroll
  for (int column = 0; column < COLUMNS; column++)
#pragma unroll
    for (int k = 0; k < EDGE; k++)
      values[warp][k * EDGE * EDGE + column * 32 + lane] = sums[column][k];
}

static __device__ __forceinline__ void
use_value(DebyeOrbitalUse use, float weight, float value, float *kept, float *total)
{
  if (use == DEBYE_ORBITAL_VALUE)
    *total = fmaf(weight, value, *total);
  else if (use == DEBYE_ORBITAL_SQUARE)
    *total = fmaf(weight * value, value, *total);
  else if (use == DEBYE_ORBITAL_KEEP)
    *kept = value;
  else
    *total = fmaf(weight * value, *kept, *total);
}

static __device__ __forceinline__ void
store(const Field &field, const unsigned (&tile)[3], int point, bool adds, float total)
{
  const unsigned x = tile[0] * EDGE + point % EDGE, y = tile[1] * EDGE + point / EDGE % EDGE,
                 z = tile[2] * EDGE + point / EDGE / EDGE;
  if (x >= field.shape[0] || y >= field.shape[1] || z >= field.shape[2])
    return;
  float *value = field.map + x + (size_t)field.shape[0] * (y + (size_t)field.shape[1] * z);
  *value = adds ? *value + total : total;
}

static __global__ void
__launch_bounds__(THREADS)
    compute_tiles(const __grid_constant__ Field field, uint32_t begin, uint32_t end, bool adds)
{
  __shared__ __align__(16) float values[WARPS][TILE];
  __shared__ __align__(16) Lines lines[WARPS];
  const unsigned tile[3] = {blockIdx.x % field.n_tiles[0], blockIdx.x / field.n_tiles[0] % field.n_tiles[1],
                            blockIdx.x / field.n_tiles[0] / field.n_tiles[1]};
  float kept[MINE] = {}, total[MINE] = {};
  Box box;
#pragma unroll
  for (int axis = 0; axis < 3; axis++)
    find_edges(field, tile, axis, &box.low[axis], &box.high[axis]);
  for (uint32_t function = begin; function < end; function++) {
    const DebyeOrbitalUse use = field.uses[function];
    const float weight = field.weights[function];
    evaluate(field, function, tile, box, lines, values);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < MINE; i++) {
      const int point = threadIdx.x + i * THREADS;
      const float value = (values[0][point] + values[1][point]) + (values[2][point] + values[3][point]);
      use_value(use, weight, value, &kept[i], &total[i]);
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < MINE; i++)
    store(field, tile, threadIdx.x + i * THREADS, adds, total[i]);
}

/* --- The plan --- */

static DebyeStatusCode
set_up(void *made, int device, const void *data, DebyeStatus *status)
{
  Plan *plan = (Plan *)made;
  const DebyeGrid *grid = &((const DebyeOrbitalSettings *)data)->grid;
  double n_tiles = 1.0;
  plan->device = device;
  plan->settings = *(const DebyeOrbitalSettings *)data;
  const DebyeStatusCode code = debye_orbital_settings_check(&plan->settings, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  for (int axis = 0; axis < 3; axis++) {
    const double count = (double)((grid->shape[axis] + EDGE - 1) / EDGE);
    plan->field.origin[axis] = (&grid->origin.x)[axis];
    plan->field.step[axis] = (&grid->step[axis].x)[axis];
    plan->field.shape[axis] = (unsigned)grid->shape[axis];
    plan->field.n_tiles[axis] = (unsigned)count;
    n_tiles *= count;
  }
  if (n_tiles > (double)INT32_MAX)
    return debye_status_set(status, DEBYE_STATUS_UNSUPPORTED, "A map of %g tiles is too large for a GPU.",
                            n_tiles);
  return debye_status_ok(status);
}

static void
list_memory(void *made, DebyePlanMemory *memory)
{
  Plan *plan = (Plan *)made;
  const DebyeOrbitalSettings *most = &plan->settings;
  const uint64_t n = most->max_functions;
  Field *field = &plan->field;
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, field->map, debye_grid_n_points(&most->grid));
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, field->centres, 3 * (uint64_t)most->max_centres);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, field->first, most->max_centres + 1);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, field->primitives, most->max_primitives);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, field->coefficients, n * most->max_coefficients);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, field->reach, n * most->max_primitives);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, field->centre_reach, n * most->max_centres);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, field->uses, n);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, field->weights, n);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, plan->centres_host, 3 * (uint64_t)most->max_centres);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, plan->primitives_host, most->max_primitives);
  debye_orbital_squares_list(&plan->squares, most, plan->device, memory);
}

static DebyeStatusCode
prepare(void *made, DebyeStatus *status)
{
  Plan *plan = (Plan *)made;
  debye_stream_open(&plan->stream);
  return debye_stream_report(&plan->stream, "making room for orbitals", status);
}

DEBYE_STREAM_CLEAR_PLAN(Plan)
DEBYE_PLAN(Plan, debye_cuda_memory_source, .prepare = prepare, .clear = clear)

static DebyeStream *
choose_device(Plan *plan)
{
  debye_stream_note(&plan->stream, cudaSetDevice(plan->device));
  return &plan->stream;
}

static void
write_host(Plan *plan, const DebyeOrbitalSet *set)
{
  const double log2e = 1.44269504088896340736;
  for (size_t i = 0; i < set->n_centres; i++) {
    plan->centres_host[3 * i] = set->x[i];
    plan->centres_host[3 * i + 1] = set->y[i];
    plan->centres_host[3 * i + 2] = set->z[i];
  }
  for (size_t i = 0; i < set->n_primitives; i++) {
    plan->primitives_host[i].rate = (float)(-set->exponents[i] * log2e);
    plan->primitives_host[i].first_coefficient = set->first_coefficient[i];
    plan->primitives_host[i].degree = set->degrees[i];
  }
}

static DebyeStatusCode
set_functions(DebyeKernelPlan *handle, const DebyeOrbitalSet *set, DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  Field *field = &plan->field;
  const size_t n = set->n_functions;
  const DebyeStatusCode code = debye_orbital_set_check(&plan->settings, set, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  /* What was begun before reads the old ones from the same arrays of the host. */
  DebyeStream *stream = choose_device(plan);
  debye_stream_wait(stream);
  plan->n_functions = n;
  field->n_centres = (uint32_t)set->n_centres;
  field->n_primitives = (uint32_t)set->n_primitives;
  field->n_coefficients = (uint32_t)set->n_coefficients;
  write_host(plan, set);
  debye_stream_upload(stream, field->centres, plan->centres_host, 3 * set->n_centres * sizeof(double));
  debye_stream_upload(stream, field->first, set->first, (set->n_centres + 1) * sizeof *set->first);
  debye_stream_upload(stream, field->primitives, plan->primitives_host,
                      set->n_primitives * sizeof(Primitive));
  debye_stream_upload(stream, field->coefficients, set->coefficients,
                      n * set->n_coefficients * sizeof *set->coefficients);
  debye_stream_upload(stream, field->reach, set->reach, n * set->n_primitives * sizeof *set->reach);
  debye_stream_upload(stream, field->centre_reach, set->centre_reach,
                      n * set->n_centres * sizeof *set->centre_reach);
  debye_stream_upload(stream, field->uses, set->uses, n * sizeof *set->uses);
  debye_stream_upload(stream, field->weights, set->weights, n * sizeof *set->weights);
  debye_orbital_squares_set(&plan->squares, set, stream);
  return debye_stream_finish(stream, "copying orbitals to the device", status);
}

/* Not waited for: a row of maps fills the device. */
static DebyeStatusCode
compute(DebyeKernelPlan *handle, size_t first, size_t count, bool adds, const volatile bool *cancel,
        DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  const Field *field = &plan->field;
  const DebyeStatusCode code = debye_orbital_range_check(plan->n_functions, first, count, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  if (debye_is_cancelled(cancel))
    return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.");
  DebyeStream *stream = choose_device(plan);
  if (debye_orbital_squares_take(&plan->squares, count))
    debye_orbital_squares_compute(&plan->squares, field, (uint32_t)first, (uint32_t)count, adds, stream);
  else if (debye_stream_is_good(stream))
    compute_tiles<<<field->n_tiles[0] * field->n_tiles[1] * field->n_tiles[2], THREADS, 0, stream->handle>>>(
        *field, (uint32_t)first, (uint32_t)(first + count), adds);
  debye_stream_note_launch(stream);
  return debye_stream_report(stream, "computing orbitals", status);
}

static DebyeStatusCode
get_map(DebyeKernelPlan *handle, float *map, DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  DebyeStream *stream = choose_device(plan);
  debye_stream_download(stream, map, plan->field.map,
                        debye_grid_n_points(&plan->settings.grid) * sizeof *map);
  return debye_stream_finish(stream, "computing orbitals", status);
}

extern "C" const DebyeOrbitalKernel debye_cuda_orbital = {
    .head = {bytes_needed, create, destroy},
    .set = set_functions,
    .compute = compute,
    .get_map = get_map,
};
