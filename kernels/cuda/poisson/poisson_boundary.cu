/* SPDX-License-Identifier: MIT */
/* The potential on a grid's outer points on a GPU; called by poisson_molecule.cu.
 * Its twins are kernels/poisson/poisson_boundary.c, but that all charges are summed
 * here without a tree, and debye_poisson_medium_focus(). */
#include "poisson_medium.cuh"

/* As poisson_boundary.c has them. */
#define STRIDE 4
#define LEAST_INTERVALS 4
#define THREADS 128
/* Points of the lattice that a warp sums together, each lane its part of the charges. */
#define POINTS 8
/* Terms that are added in float before they join the sum. */
#define TERMS 32

/* Points of two axes on the first or last plane of the third; of those each
 * stride one is summed, u fastest, from `first` on. */
struct Side {
  int u, v, normal, plane;
  int stride[2], count[2];
  unsigned first;
};

struct Sides {
  Side side[6];
  unsigned n; /* points that are summed */
};

struct Focus {
  DebyeSurfaceGrid grid;
  const double *potential;
};

static Sides
sides_of(const size_t shape[3])
{
  Sides sides = {};
  for (int number = 0; number < 6; number++) {
    Side &side = sides.side[number];
    side.normal = number / 2;
    side.u = (side.normal + 1) % 3;
    side.v = (side.normal + 2) % 3;
    side.plane = number % 2 == 0 ? 0 : (int)shape[side.normal] - 1;
    side.first = sides.n;
    for (int i = 0; i < 2; i++) {
      const int cells = (int)shape[i == 0 ? side.u : side.v] - 1;
      side.stride[i] = cells % STRIDE == 0 && cells / STRIDE >= LEAST_INTERVALS ? STRIDE : 1;
      side.count[i] = cells / side.stride[i] + 1;
    }
    sides.n += (unsigned)(side.count[0] * side.count[1]);
  }
  return sides;
}

size_t
debye_cuda_poisson_lattice_size(const size_t shape[3])
{
  return sides_of(shape).n;
}

static __device__ float3
lattice_point(const Sides &sides, const DebyeSurfaceGrid &grid, unsigned k)
{
  int number = 5, at[3];
  while (number > 0 && k < sides.side[number].first)
    number--;
  const Side &side = sides.side[number];
  k -= side.first;
  at[side.normal] = side.plane;
  at[side.u] = (int)(k % side.count[0]) * side.stride[0];
  at[side.v] = (int)(k / side.count[0]) * side.stride[1];
  return make_float3((float)(grid.origin.x + at[0] * grid.step[0]),
                     (float)(grid.origin.y + at[1] * grid.step[1]),
                     (float)(grid.origin.z + at[2] * grid.step[2]));
}

static __global__ void
__launch_bounds__(THREADS)
    sum_lattice(const __grid_constant__ Sides sides, const __grid_constant__ DebyeSurfaceGrid grid,
                const DebyeCudaPoissonCharge *charges, uint32_t n, float kappa, double scale, double *lattice)
{
  const unsigned first = (blockIdx.x * (THREADS / 32) + threadIdx.x / 32) * POINTS, lane = threadIdx.x % 32;
  if (first >= sides.n)
    return;
  float3 at[POINTS];
  double sum[POINTS] = {};
#pragma unroll
  for (unsigned k = 0; k < POINTS; k++)
    at[k] = lattice_point(sides, grid, first + k < sides.n ? first + k : sides.n - 1);
  for (uint32_t begin = lane; begin < n; begin += 32 * TERMS) {
    float part[POINTS] = {};
    for (uint32_t i = begin; i < n && i < begin + 32 * TERMS; i += 32) {
      const DebyeCudaPoissonCharge charge = charges[i];
#pragma unroll
      for (int k = 0; k < POINTS; k++) {
        const float dx = at[k].x - charge.x, dy = at[k].y - charge.y, dz = at[k].z - charge.z;
        const float distance2 = dx * dx + dy * dy + dz * dz, inverse = rsqrtf(distance2);
        part[k] += charge.seen * inverse * __expf(-kappa * distance2 * inverse);
      }
    }
#pragma unroll
    for (int k = 0; k < POINTS; k++)
      sum[k] += (double)part[k];
  }
#pragma unroll
  for (unsigned k = 0; k < POINTS; k++) {
    for (int width = 16; width > 0; width /= 2)
      sum[k] += __shfl_down_sync(~0u, sum[k], width);
    if (lane == 0 && first + k < sides.n)
      lattice[first + k] = scale * sum[k];
  }
}

/* Lagrange's cubic on four points, 0, 1, 2 and 3, at t. */
static __device__ __forceinline__ void
cubic(double t, double weight[4])
{
  weight[0] = -(t - 1.0) * (t - 2.0) * (t - 3.0) / 6.0;
  weight[1] = t * (t - 2.0) * (t - 3.0) / 2.0;
  weight[2] = -t * (t - 1.0) * (t - 3.0) / 2.0;
  weight[3] = t * (t - 1.0) * (t - 2.0) / 6.0;
}

/* The lattice's points about one of a line of it, and how many count. */
static __device__ __forceinline__ int
along_line(int at, int stride, int count, int *first, double weight[4])
{
  *first = at / stride;
  weight[0] = 1.0;
  if (at % stride == 0)
    return 1;
  *first = *first == 0 ? 0 : *first + 2 > count - 1 ? count - 4 : *first - 1;
  cubic((double)at / stride - *first, weight);
  return 4;
}

static __device__ double
interpolate(const Side &side, const double *lattice, int u, int v)
{
  double weight_u[4], weight_v[4], sum = 0.0;
  int first_u, first_v;
  const int n_u = along_line(u, side.stride[0], side.count[0], &first_u, weight_u);
  const int n_v = along_line(v, side.stride[1], side.count[1], &first_v, weight_v);
  for (int j = 0; j < n_v; j++)
    for (int i = 0; i < n_u; i++)
      sum += weight_v[j] * weight_u[i] * lattice[side.first + first_u + i + side.count[0] * (first_v + j)];
  return sum;
}

static __device__ double
sample(const Focus &focus, const double at[3])
{
  const DebyeSurfaceGrid &grid = focus.grid;
  const double origin[3] = {grid.origin.x, grid.origin.y, grid.origin.z};
  double weight[3][4], sum = 0.0;
  size_t first[3];
  for (int axis = 0; axis < 3; axis++) {
    const double place = (at[axis] - origin[axis]) / grid.step[axis];
    const double cell = fmin(fmax(floor(place), 1.0), (double)grid.shape[axis] - 3.0);
    first[axis] = (size_t)cell - 1;
    cubic(place - cell + 1.0, weight[axis]);
  }
  for (int k = 0; k < 4; k++)
    for (int j = 0; j < 4; j++) {
      const double *row =
          focus.potential + first[0] + grid.shape[0] * (first[1] + j + grid.shape[1] * (first[2] + k));
      for (int i = 0; i < 4; i++)
        sum += weight[0][i] * weight[1][j] * weight[2][k] * row[i];
    }
  return sum;
}

/* A thread a point of a side, blockIdx.z. What several sides share is the last one's. */
static __global__ void
__launch_bounds__(THREADS)
    set_outer(const __grid_constant__ Sides sides, const __grid_constant__ DebyeSurfaceGrid grid,
              DebyePoissonBoundary boundary, const double *lattice, const __grid_constant__ Focus focus,
              const DebyeCudaPoissonPotential potential, int begin, int n_planes, unsigned *n_bad)
{
  const Side &side = sides.side[blockIdx.z];
  const int u = (int)(blockIdx.x * THREADS + threadIdx.x), v = (int)blockIdx.y;
  int at[3];
  if (u >= (int)grid.shape[side.u] || v >= (int)grid.shape[side.v])
    return;
  at[side.normal] = side.plane;
  at[side.u] = u;
  at[side.v] = v;
  for (int later = (int)blockIdx.z + 1; later < 6; later++)
    if (at[sides.side[later].normal] == sides.side[later].plane)
      return;
  if (at[2] < begin || at[2] >= begin + n_planes)
    return;
  double value = 0.0;
  if (boundary == DEBYE_POISSON_DEBYE_HUECKEL)
    value = interpolate(side, lattice, u, v);
  if (boundary == DEBYE_POISSON_FOCUS) {
    const double place[3] = {grid.origin.x + at[0] * grid.step[0], grid.origin.y + at[1] * grid.step[1],
                             grid.origin.z + at[2] * grid.step[2]};
    value = sample(focus, place);
  }
  if (!isfinite((float)value))
    *n_bad = 1;
  potential.set(at[0] + grid.shape[0] * (at[1] + grid.shape[1] * (size_t)(at[2] - begin)), value);
}

void
debye_cuda_poisson_set_boundary(DebyeCudaPoissonMolecule *self, const DebyePoissonMolecule *molecule,
                                const DebyeCudaPoissonGrid *grid, int begin,
                                const DebyeCudaPoissonPotential *potential, DebyeStream *stream)
{
  const DebyePoissonMedium *medium = molecule->medium;
  const size_t *shape = medium->grid.shape;
  const Sides sides = sides_of(shape);
  Focus focus = {};
  if (molecule->boundary == DEBYE_POISSON_FOCUS) {
    const size_t *outer = molecule->outer->shape, n = outer[0] * outer[1] * outer[2];
    debye_stream_reserve(stream, &self->outer, n, sizeof(double));
    debye_stream_upload(stream, self->outer.memory, molecule->outer_potential, n * sizeof(double));
    focus.grid = *molecule->outer;
    focus.potential = (const double *)self->outer.memory;
  }
  debye_stream_clear(stream, self->transfer.n_bad, sizeof *self->transfer.n_bad);
  if (!debye_stream_is_good(stream))
    return;
  if (molecule->boundary == DEBYE_POISSON_DEBYE_HUECKEL)
    sum_lattice<<<(sides.n + THREADS / 32 * POINTS - 1) / (THREADS / 32 * POINTS), THREADS, 0,
                  stream->handle>>>(sides, medium->grid, (const DebyeCudaPoissonCharge *)self->charges.memory,
                                    (uint32_t)molecule->spheres->n,
                                    (float)sqrt(medium->screening / medium->solvent),
                                    medium->length / medium->solvent, self->lattice);
  const size_t widest = shape[0] > shape[1] ? shape[0] : shape[1],
               most = widest > shape[2] ? widest : shape[2];
  set_outer<<<dim3((unsigned)((most + THREADS - 1) / THREADS), (unsigned)most, 6), THREADS, 0,
              stream->handle>>>(sides, medium->grid, molecule->boundary, self->lattice, focus, *potential,
                                begin, grid->shape[2], self->transfer.n_bad);
  debye_stream_note_launch(stream);
  debye_stream_download(stream, self->transfer.n_bad_on_host, self->transfer.n_bad,
                        sizeof *self->transfer.n_bad);
}
