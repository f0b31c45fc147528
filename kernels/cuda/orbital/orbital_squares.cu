/* SPDX-License-Identifier: MIT */
/* Σ w f² of many functions, called by orbital.cu. A block has a tile of 8×4×4 points. Monomials times Gaussians in reach of
 * the tile are evaluated once for all functions; all functions at all points are then their product with the matrix of
 * coefficients, on tensor cores. Both factors are split into two parts of half precision, of which the product of the low
 * parts is left out: an error of 2⁻²², where a single part's would be 2⁻¹¹. A single part is enough of terms that are weak
 * everywhere in the tile: less than 2¹⁰ of what is left out beyond their reach. */
#include <math.h>

#include "orbital_squares.cuh"
#include "orbital_terms.cuh"

/* Older devices have no such product: find_cores(). */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800

/* --- The product --- */

static __device__ __forceinline__ float
raise(float value, float x, uint32_t power)
{
  for (; power > 0; power--)
    value *= x;
  return value;
}

/* The group's terms of a step at the thread's point: all threads of a warp have the same ones. */
static __device__ __forceinline__ void
evaluate_terms(const Product &product, Shared *shared, const uint2 *terms, bool is_strong, unsigned turn)
{
  const int point = threadIdx.x % POINTS, group = threadIdx.x / POINTS;
  const float x = (float)product.field.step[0] * (float)(point % WIDE),
              y = (float)product.field.step[1] * (float)(point / WIDE % HIGH),
              z = (float)product.field.step[2] * (float)(point / WIDE / HIGH);
  uint32_t before = NONE;
  float dx = 0.0f, dy = 0.0f, dz = 0.0f, gaussian = 0.0f;
#pragma unroll
  for (int i = 0; i < DEPTH / GROUPS; i++) {
    const int k = group * (DEPTH / GROUPS) + i;
    const uint2 term = terms[k];
    const uint32_t slot = term.y & 1023u;
    float value = 0.0f;
    if (term.x != NONE) {
      if (slot != before) {
        const float4 from = shared->centres[slot];
        dx = from.x + x, dy = from.y + y, dz = from.z + z;
        gaussian = exp2f(from.w * (dx * dx + dy * dy + dz * dz));
        before = slot;
      }
      value = raise(raise(raise(gaussian, dx, term.y >> 10 & 15u), dy, term.y >> 14 & 15u), dz,
                    term.y >> 18 & 15u);
      value *= __int_as_float(((int)(term.y >> 22) - SCALE_BIAS + 127) << 23);
    }
    const __half high = __float2half_rn(value);
    shared->points[turn][0][k][point] = high;
    if (is_strong)
      shared->points[turn][1][k][point] = __float2half_rn(value - __half2float(high));
  }
}

/* Begins to copy a step's rows of coefficients. */
static __device__ __forceinline__ void
copy_rows(const Product &product, Shared *shared, const uint2 *terms, bool is_strong, unsigned turn)
{
  constexpr int PIECES = FUNCTIONS / 8;
  for (int i = threadIdx.x; i < (is_strong ? 2 : 1) * DEPTH * PIECES; i += THREADS) {
    const int column = i % PIECES * 8, k = i / PIECES % DEPTH, part = i / PIECES / DEPTH;
    const uint32_t row = terms[k].x;
    const uint16_t *from = (part == 0 ? product.squares.high : product.squares.low) +
                           (size_t)(row == NONE ? 0 : row) * FUNCTIONS + column;
    const uint32_t to = (uint32_t)__cvta_generic_to_shared(&shared->rows[turn][part][k][column]);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
  }
  asm volatile("cp.async.commit_group;" ::: "memory");
}

/* Both factors of a step. */
static __device__ __forceinline__ void
bring(const Product &product, Shared *shared, uint2 n_steps, uint32_t step)
{
  const uint2 *terms = find_terms(shared, n_steps, step);
  copy_rows(product, shared, terms, step < n_steps.x, step % 2);
  evaluate_terms(product, shared, terms, step < n_steps.x, step % 2);
}

/* Four matrices of 8×8 that lie transposed in shared memory; each lane gives the address of a row. */
static __device__ __forceinline__ void
load_transposed(uint32_t (&values)[4], const __half *row)
{
  const uint32_t from = (uint32_t)__cvta_generic_to_shared(row);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(values[0]), "=r"(values[1]), "=r"(values[2]), "=r"(values[3])
               : "r"(from)
               : "memory");
}

static __device__ __forceinline__ void
multiply(float (&sums)[4], const uint32_t (&points)[4], uint32_t first, uint32_t second)
{
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(points[0]), "r"(points[1]), "r"(points[2]), "r"(points[3]), "r"(first), "r"(second));
}

constexpr int SHARE = FUNCTIONS / GROUPS; /* functions of a warp */
constexpr int SIDES = 2;                  /* pieces of 16 points of a warp */
constexpr int PAIRS = SHARE / 16;         /* pieces of 16 functions of a warp */
typedef float Sums[SIDES][2 * PAIRS][4];

template <int PARTS>
static __device__ __forceinline__ void
multiply_step(const Product &product, const Shared *shared, unsigned turn, Sums &sums)
{
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int begin = warp % 4 * 32, column = warp / 4 * SHARE;
  uint32_t points[SIDES][PARTS][4];
#pragma unroll
  for (int side = 0; side < SIDES; side++)
#pragma unroll
    for (int part = 0; part < PARTS; part++)
      load_transposed(
          points[side][part],
          &shared->points[turn][part][lane / 16 * 8 + lane % 8][begin + side * 16 + lane / 8 % 2 * 8]);
#pragma unroll
  for (int pair = 0; pair < PAIRS; pair++) {
    uint32_t rows[PARTS][4];
    if (column + 16 * pair >= (int)product.count)
      continue;
#pragma unroll
    for (int part = 0; part < PARTS; part++)
      load_transposed(
          rows[part],
          &shared->rows[turn][part][lane / 8 % 2 * 8 + lane % 8][column + 16 * pair + lane / 16 * 8]);
#pragma unroll
    for (int order = PARTS == 1 ? 2 : 0; order < 3; order++) /* the large product last */
#pragma unroll
      for (int side = 0; side < SIDES; side++)
#pragma unroll
        for (int i = 0; i < 2; i++)
          multiply(sums[side][2 * pair + i], points[side][PARTS == 2 && order == 0],
                   rows[PARTS == 2 && order == 1][2 * i], rows[PARTS == 2 && order == 1][2 * i + 1]);
  }
}

/* Σ w f² over the warp's functions. */
static __device__ __forceinline__ void
add_squares(const Sums &sums, Shared *shared)
{
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const float *weights = shared->weights + warp / 4 * SHARE + lane % 4 * 2;
#pragma unroll
  for (int side = 0; side < SIDES; side++)
#pragma unroll
    for (int half = 0; half < 2; half++) {
      float total = 0.0f;
#pragma unroll
      for (int i = 0; i < 2 * PAIRS; i++) {
        const float one = sums[side][i][2 * half], other = sums[side][i][2 * half + 1];
        total = fmaf(weights[8 * i] * one, one, total);
        total = fmaf(weights[8 * i + 1] * other, other, total);
      }
      total += __shfl_xor_sync(~0u, total, 1);
      total += __shfl_xor_sync(~0u, total, 2);
      if (lane % 4 == 0)
        shared->sums[warp / 4][warp % 4 * 32 + side * 16 + half * 8 + lane / 4] = total;
    }
  __syncthreads();
}

static __device__ __forceinline__ void
store(const Product &product, const unsigned (&begin)[3], const Shared *shared)
{
  const DebyeOrbitalField &field = product.field;
  const int point = threadIdx.x;
  const unsigned x = begin[0] + point % WIDE, y = begin[1] + point / WIDE % HIGH,
                 z = begin[2] + point / WIDE / HIGH;
  if (point >= POINTS || x >= field.shape[0] || y >= field.shape[1] || z >= field.shape[2])
    return;
  float *value = field.map + x + (size_t)field.shape[0] * (y + (size_t)field.shape[1] * z);
  float total = 0.0f;
#pragma unroll
  for (int group = 0; group < GROUPS; group++)
    total += shared->sums[group][point];
  *value = product.adds ? *value + total : total;
}
#endif

/* Weights undo what the factors were scaled by. */
static __global__ void
__launch_bounds__(THREADS, 1) sum_squares(const __grid_constant__ Product product)
{
#if __CUDA_ARCH__ >= 800
  extern __shared__ __align__(16) unsigned char memory[];
  Shared *shared = (Shared *)memory;
  const unsigned tile = blockIdx.x;
  const unsigned begin[3] = {tile % product.n_tiles[0] * WIDE,
                             tile / product.n_tiles[0] % product.n_tiles[1] * HIGH,
                             tile / product.n_tiles[0] / product.n_tiles[1] * HIGH};
  if (threadIdx.x < FUNCTIONS)
    shared->weights[threadIdx.x] =
        threadIdx.x < product.count
            ? ldexpf(product.field.weights[product.first + threadIdx.x], -2 * product.squares.unscale)
            : 0.0f;
  Sums sums = {};
  for (uint32_t next = 0; next < product.field.n_primitives;) {
    const uint2 n_steps = list_terms(product, begin, shared, &next);
    const uint32_t n_all = n_steps.x + n_steps.y;
    if (n_all > 0)
      bring(product, shared, n_steps, 0);
    for (uint32_t step = 0; step < n_all; step++) {
      asm volatile("cp.async.wait_group 0;" ::: "memory");
      __syncthreads();
      if (step + 1 < n_all)
        bring(product, shared, n_steps, step + 1);
      if (step < n_steps.x)
        multiply_step<2>(product, shared, step % 2, sums);
      else
        multiply_step<1>(product, shared, step % 2, sums);
    }
    __syncthreads();
  }
  __syncthreads();
  add_squares(sums, shared);
  store(product, begin, shared);
#endif
}

/* A block is a term: its coefficients in the launch's functions. */
static __global__ void
pack_rows(const __grid_constant__ Product product)
{
  const DebyeOrbitalTerm term = product.squares.terms[blockIdx.x];
  const size_t row = (size_t)(product.first + threadIdx.x) * product.field.n_coefficients;
  const float value =
      threadIdx.x < product.count ? ldexpf(product.field.coefficients[row + term.source], term.weigh) : 0.0f;
  const __half high = __float2half_rn(value);
  const size_t place = (size_t)blockIdx.x * FUNCTIONS + threadIdx.x;
  product.squares.high[place] = __half_as_ushort(high);
  product.squares.low[place] = __half_as_ushort(__float2half_rn(value - __half2float(high)));
}

/* --- The plan's part --- */

static bool
find_cores(const DebyeOrbitalSettings *settings, int device)
{
  int major = 0, most = 0;
  const size_t *shape = settings->grid.shape;
  const double n_tiles =
      ((double)shape[0] / WIDE + 1.0) * ((double)shape[1] / HIGH + 1.0) * ((double)shape[2] / HIGH + 1.0);
  return settings->max_functions >= LEAST_FUNCTIONS && n_tiles < (double)INT32_MAX &&
         settings->max_primitives < (1u << 24) && settings->max_coefficients < (1u << 28) &&
         cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) == cudaSuccess &&
         cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) == cudaSuccess &&
         major >= 8 && (size_t)most >= sizeof(Shared);
}

void
debye_orbital_squares_list(DebyeOrbitalSquares *squares, const DebyeOrbitalSettings *settings, int device,
                           DebyePlanMemory *memory)
{
  squares->has_cores = find_cores(settings, device);
  const uint64_t n_primitives = squares->has_cores ? settings->max_primitives : 0,
                 n_terms = squares->has_cores ? settings->max_coefficients : 0;
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, squares->first, n_primitives + 1);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, squares->centre, n_primitives);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, squares->reach, n_primitives);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, squares->strong, n_primitives);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, squares->terms, n_terms);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, squares->high, n_terms * FUNCTIONS);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, squares->low, n_terms * FUNCTIONS);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, squares->first_host, n_primitives + 1);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, squares->centre_host, n_primitives);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, squares->reach_host, n_primitives);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, squares->strong_host, n_primitives);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, squares->terms_host, n_terms);
}

/* log₂ of the largest value of |x|ⁿ exp(−αx²). */
static double
find_height(unsigned power, double exponent)
{
  return power == 0 ? 0.0 : 0.5 * power * (log2(0.5 * power / exponent) - 1.44269504088896340736);
}

/* The largest coefficient of a term, over all functions. */
static double
find_most(const DebyeOrbitalSet *set, size_t source)
{
  float most = 0.0f;
  for (size_t i = 0; i < set->n_functions; i++)
    most = fmaxf(most, fabsf(set->coefficients[i * set->n_coefficients + source]));
  return (double)most;
}

/* Those of a primitive that aren't zero in all functions. `scale` becomes log₂ of the monomial's height, `weigh` that of
 * the largest coefficient. */
static void
list_terms_of(DebyeOrbitalSquares *squares, const DebyeOrbitalSet *set, size_t primitive)
{
  const unsigned degree = set->degrees[primitive];
  size_t source = set->first_coefficient[primitive];
  for (unsigned c = 0; c <= degree; c++)
    for (unsigned b = 0; b <= degree - c; b++)
      for (unsigned a = 0; a <= degree - c - b; a++, source++) {
        const double most = find_most(set, source), exponent = set->exponents[primitive];
        if (most == 0.0)
          continue;
        DebyeOrbitalTerm *term = &squares->terms_host[squares->n_terms++];
        term->primitive = (uint32_t)primitive;
        term->a = a;
        term->b = b;
        term->c = c;
        term->source = (uint32_t)source;
        term->scale =
            (int16_t)lrint(find_height(a, exponent) + find_height(b, exponent) + find_height(c, exponent));
        term->weigh = (int16_t)lrint(log2(most));
      }
}

/* Both factors of a term share what it is below the largest one; the product of their scales is the same for all. */
static void
scale_terms(DebyeOrbitalSquares *squares)
{
  int most = INT16_MIN;
  for (unsigned i = 0; i < squares->n_terms; i++)
    most = max(most, squares->terms_host[i].scale + squares->terms_host[i].weigh);
  squares->unscale = 2 * RANGE - most;
  for (unsigned i = 0; i < squares->n_terms; i++) {
    DebyeOrbitalTerm *term = &squares->terms_host[i];
    const int below = most - term->scale - term->weigh;
    const int scale = RANGE - below / 2 - term->scale;
    term->scale = (int16_t)max(-LARGEST_SCALE, min(LARGEST_SCALE, scale));
    term->weigh = (int16_t)(squares->unscale - term->scale);
  }
}

/* Where P(r)·exp(−αr²) is WEAK times what it is at `reach`, or above: P grows with r, and all falls from √(degree/2α) on. */
static float
find_strong(float reach, double exponent, unsigned degree)
{
  const double square = (double)reach * reach - log(WEAK) / exponent;
  return reach > 0.0f ? (float)sqrt(fmax(square, 0.5 * degree / exponent)) : 0.0f;
}

static void
list_set(DebyeOrbitalSquares *squares, const DebyeOrbitalSet *set)
{
  squares->n_terms = squares->most_terms = 0;
  for (size_t centre = 0; centre < set->n_centres; centre++)
    for (size_t i = set->first[centre]; i < set->first[centre + 1]; i++) {
      squares->first_host[i] = squares->n_terms;
      squares->centre_host[i] = (uint32_t)centre;
      squares->reach_host[i] = 0.0f;
      for (size_t k = 0; k < set->n_functions; k++)
        squares->reach_host[i] = fmaxf(squares->reach_host[i], set->reach[k * set->n_primitives + i]);
      squares->strong_host[i] = find_strong(squares->reach_host[i], set->exponents[i], set->degrees[i]);
      if (squares->reach_host[i] > 0.0f)
        list_terms_of(squares, set, i);
      squares->most_terms = max(squares->most_terms, squares->n_terms - squares->first_host[i]);
    }
  squares->first_host[set->n_primitives] = squares->n_terms;
  scale_terms(squares);
}

void
debye_orbital_squares_set(DebyeOrbitalSquares *squares, const DebyeOrbitalSet *set, DebyeStream *stream)
{
  squares->is_ready = squares->has_cores && set->n_functions >= LEAST_FUNCTIONS;
  for (size_t i = 0; i < set->n_functions && squares->is_ready; i++)
    squares->is_ready = set->uses[i] == DEBYE_ORBITAL_SQUARE;
  if (!squares->is_ready)
    return;
  list_set(squares, set);
  /* Nothing reaches anywhere. */
  if (squares->n_terms == 0) {
    squares->is_ready = false;
    return;
  }
  const size_t n = set->n_primitives;
  debye_stream_upload(stream, squares->first, squares->first_host, (n + 1) * sizeof *squares->first);
  debye_stream_upload(stream, squares->centre, squares->centre_host, n * sizeof *squares->centre);
  debye_stream_upload(stream, squares->reach, squares->reach_host, n * sizeof *squares->reach);
  debye_stream_upload(stream, squares->strong, squares->strong_host, n * sizeof *squares->strong);
  debye_stream_upload(stream, squares->terms, squares->terms_host, squares->n_terms * sizeof *squares->terms);
}

bool
debye_orbital_squares_take(const DebyeOrbitalSquares *squares, size_t count)
{
  return squares->is_ready && count >= LEAST_FUNCTIONS;
}

void
debye_orbital_squares_compute(const DebyeOrbitalSquares *squares, const DebyeOrbitalField *field,
                              uint32_t first, uint32_t count, bool adds, DebyeStream *stream)
{
  Product product = {.field = *field, .squares = *squares};
  product.n_tiles[0] = (field->shape[0] + WIDE - 1) / WIDE;
  product.n_tiles[1] = (field->shape[1] + HIGH - 1) / HIGH;
  product.n_tiles[2] = (field->shape[2] + HIGH - 1) / HIGH;
  if (debye_stream_is_good(stream))
    debye_stream_note(stream, cudaFuncSetAttribute(sum_squares, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                   (int)sizeof(Shared)));
  for (uint32_t done = 0; done < count; done += FUNCTIONS) {
    product.first = first + done;
    product.count = min(count - done, (uint32_t)FUNCTIONS);
    product.adds = adds || done > 0;
    if (debye_stream_is_good(stream))
      pack_rows<<<squares->n_terms, FUNCTIONS, 0, stream->handle>>>(product);
    debye_stream_note_launch(stream);
    if (debye_stream_is_good(stream))
      sum_squares<<<product.n_tiles[0] * product.n_tiles[1] * product.n_tiles[2], THREADS, sizeof(Shared),
                    stream->handle>>>(product);
    debye_stream_note_launch(stream);
  }
}
