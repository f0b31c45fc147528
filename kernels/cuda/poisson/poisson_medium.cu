/* SPDX-License-Identifier: MIT */
/* Conductances, where ions are and charges of a molecule's equation on a GPU; called by poisson_molecule.cu. Its twins are
 * kernels/poisson/poisson_medium.c and poisson_charges.c. */
#include "kernels/cuda/surface/surface_math.cuh"
#include "poisson_medium.cuh"

#define PI 3.14159265358979323846
#define UNCUT_THREADS 256
#define THREADS 128
#define MOST_SLICES 256
#define CUT_BLOCKS 2048
/* Charges are added as integers, so that their order doesn't matter: sums below 2³³, in steps of 1e-9. */
#define FIXED 1073741824.0

struct Medium {
  DebyeSurfaceGrid grid;
  double solute, solvent;
  double scale[3]; /* a conductance over its permittivity */
  float screening; /* where there are ions */
};

/* Of an edge that the surface cuts. */
static __device__ double
cut_permittivity(const DebyeCudaSurface &surface, const Medium &medium, const int from[3], int axis,
                 DebyeSurfacePoint one, DebyeSurfacePoint next)
{
  const double3 at = point_at(medium.grid, from[0], from[1], from[2]);
  const double3 end =
      point_at(medium.grid, from[0] + (axis == 0), from[1] + (axis == 1), from[2] + (axis == 2));
  const double within = one.depth > 0.0f ? surface_cross(surface, at, one.feature, end, next.feature)
                                         : surface_cross(surface, end, next.feature, at, one.feature);
  return 1.0 / (within / medium.solute + (1.0 - within) / medium.solvent);
}

/* Few edges are cut, and each takes as long as a hundred others: they are listed, those of a block at a time. An edge is
 * three times its point's number and its axis. */
struct CutEdges {
  uint32_t *edges, *n;
  uint32_t room;
};

static __device__ __forceinline__ bool
is_within(const DebyeCudaSurface &surface, unsigned long long key)
{
  return debye_surface_point(key, surface.is_union).depth > 0.0f;
}

static __device__ DebyeCudaPoissonUncut
uncut_of(const Medium &medium)
{
  DebyeCudaPoissonUncut uncut;
  for (int axis = 0; axis < 3; axis++) {
    uncut.along[0][axis] = (float)(medium.scale[axis] * medium.solvent);
    uncut.along[1][axis] = (float)(medium.scale[axis] * medium.solute);
  }
  uncut.screening = medium.screening;
  return uncut;
}

/* Points one after the other, since rows don't begin where memory's sectors do. */
static __global__ void
__launch_bounds__(UNCUT_THREADS)
    set_uncut(const __grid_constant__ DebyeCudaSurface surface, const __grid_constant__ Medium medium,
              const unsigned long long *keys, const __grid_constant__ DebyeCudaPoissonGrid grid,
              uint8_t *flags, DebyeCudaPoissonUncut *uncut, const CutEdges cut)
{
  __shared__ uint32_t own[3 * UNCUT_THREADS], n_own, place;
  const size_t i = (size_t)blockIdx.x * UNCUT_THREADS + threadIdx.x;
  const uint32_t step[3] = {1, grid.y, grid.z};
  if (threadIdx.x == 0)
    n_own = 0;
  if (i == 0)
    *uncut = uncut_of(medium);
  __syncthreads();
  if (i < grid.n) {
    const uint32_t row = (uint32_t)i / grid.y, z = row / (uint32_t)grid.shape[1];
    const int at[3] = {(int)((uint32_t)i - row * grid.y), (int)(row - z * (uint32_t)grid.shape[1]), (int)z};
    const bool begins = is_within(surface, keys[i]);
    bool is_cut = false;
#pragma unroll
    for (int axis = 0; axis < 3; axis++) {
      is_cut |= at[axis] == 0 || begins != is_within(surface, keys[i - step[axis]]);
      if (at[axis] + 1 >= grid.shape[axis])
        continue;
      const bool crosses = begins != is_within(surface, keys[i + step[axis]]);
      is_cut |= crosses;
      if (crosses)
        own[atomicAdd(&n_own, 1)] = (uint32_t)(3 * i) + (uint32_t)axis;
      else
        debye_poisson_conduct(grid, axis, i,
                              (float)(medium.scale[axis] * (begins ? medium.solute : medium.solvent)));
    }
    flags[i] = DEBYE_POISSON_IONS | (begins ? DEBYE_POISSON_INNER : 0) | (is_cut ? 0 : DEBYE_POISSON_UNCUT);
  }
  __syncthreads();
  if (threadIdx.x == 0 && n_own > 0)
    place = atomicAdd(cut.n, n_own);
  __syncthreads();
  for (unsigned k = threadIdx.x; k < n_own && place + k < cut.room; k += UNCUT_THREADS)
    cut.edges[place + k] = own[k];
}

/* Those of the list; of one that had too little room all that there are are looked at. */
static __global__ void
__launch_bounds__(THREADS) set_cut(const __grid_constant__ DebyeCudaSurface surface,
                                   const __grid_constant__ Medium medium, const unsigned long long *keys,
                                   const __grid_constant__ DebyeCudaPoissonGrid grid, const CutEdges cut)
{
  const size_t step[3] = {1, grid.y, grid.z};
  const bool is_listed = *cut.n <= cut.room;
  const size_t n = is_listed ? *cut.n : 3 * grid.n;
  for (size_t k = (size_t)blockIdx.x * THREADS + threadIdx.x; k < n; k += (size_t)gridDim.x * THREADS) {
    const size_t edge = is_listed ? cut.edges[k] : k, i = edge / 3, row = i / (size_t)grid.shape[0];
    const int axis = (int)(edge % 3);
    const int at[3] = {(int)(i - row * (size_t)grid.shape[0]), (int)(row % (size_t)grid.shape[1]),
                       (int)(row / (size_t)grid.shape[1])};
    if (at[axis] + 1 >= grid.shape[axis])
      continue;
    const DebyeSurfacePoint one = debye_surface_point(keys[i], surface.is_union);
    const DebyeSurfacePoint next = debye_surface_point(keys[i + step[axis]], surface.is_union);
    if ((one.depth > 0.0f) != (next.depth > 0.0f))
      debye_poisson_conduct(
          grid, axis, i,
          (float)(medium.scale[axis] * cut_permittivity(surface, medium, at, axis, one, next)));
  }
}

/* Where an ion's center can't be, there is none. Spheres that share a point write the same there. */
static __global__ void
__launch_bounds__(THREADS) clear_spheres(const float4 *atoms, const __grid_constant__ DebyeSurfaceGrid grid,
                                         double ion_radius, uint8_t *flags)
{
  const float4 atom = atoms[blockIdx.x];
  const double radius = (double)atom.w + ion_radius;
  const double offset[3] = {(double)atom.x - grid.origin.x, (double)atom.y - grid.origin.y,
                            (double)atom.z - grid.origin.z};
  int first[3], count[3];
  for (int axis = 0; axis < 3; axis++) {
    const double low = fmax(ceil((offset[axis] - radius) / grid.step[axis]), 0.0);
    const double high =
        fmin(floor((offset[axis] + radius) / grid.step[axis]), (double)grid.shape[axis] - 1.0);
    if (!(low <= high))
      return;
    first[axis] = (int)low;
    count[axis] = (int)(high - low) + 1;
  }
  const uint32_t n = (uint32_t)count[0] * (uint32_t)count[1] * (uint32_t)count[2];
  for (uint32_t k = blockIdx.y * THREADS + threadIdx.x; k < n; k += gridDim.y * THREADS) {
    const uint32_t row = k / count[0], x = first[0] + k % count[0], y = first[1] + row % count[1];
    const uint32_t z = first[2] + row / count[1];
    const double dx = x * grid.step[0] - offset[0], dy = y * grid.step[1] - offset[1],
                 dz = z * grid.step[2] - offset[2];
    uint8_t *own = flags + (x + grid.shape[0] * (y + grid.shape[1] * z));
    if (dx * dx + dy * dy + dz * dz <= radius * radius)
      *own &= (uint8_t)~DEBYE_POISSON_IONS;
  }
}

/* Blocks for each sphere, some tens of points a thread. */
static unsigned
count_slices(const DebyeSurfaceGrid *grid, double radius)
{
  double points = 1.0;
  for (int axis = 0; axis < 3; axis++)
    points *= fmin(2.0 * radius / grid->step[axis] + 1.0, (double)grid->shape[axis]);
  return (unsigned)fmin(fmax(points / (THREADS * 32.0), 1.0), MOST_SLICES);
}

void
debye_cuda_poisson_set_medium(const DebyeCudaPoissonMolecule *self, const DebyePoissonMedium *medium,
                              const DebyeSpheres *spheres, const DebyeCudaPoissonGrid *grid,
                              unsigned long long *keys, float *scratch, DebyeStream *stream)
{
  /* No list where edges are more than its numbers. */
  const CutEdges cut = {(uint32_t *)scratch, self->n_cut, grid->n < UINT32_MAX / 3 ? (uint32_t)grid->n : 0};
  const double *step = medium->grid.step, volume = step[0] * step[1] * step[2];
  Medium own = {
      medium->grid, medium->solute, medium->solvent, {0.0, 0.0, 0.0}, (float)(medium->screening * volume)};
  for (int axis = 0; axis < 3; axis++)
    own.scale[axis] = volume / (step[axis] * step[axis]);
  debye_cuda_surface_find(&self->surface, &medium->grid, keys, stream);
  debye_stream_clear(stream, self->n_cut, sizeof *self->n_cut);
  if (!debye_stream_is_good(stream))
    return;
  set_uncut<<<(unsigned)((grid->n + UNCUT_THREADS - 1) / UNCUT_THREADS), UNCUT_THREADS, 0, stream->handle>>>(
      self->surface, own, keys, *grid, self->flags, self->uncut, cut);
  set_cut<<<CUT_BLOCKS, THREADS, 0, stream->handle>>>(self->surface, own, keys, *grid, cut);
  if (own.screening > 0.0f && spheres->n > 0)
    clear_spheres<<<dim3((unsigned)spheres->n,
                         count_slices(&medium->grid, self->surface.largest_radius + medium->ion_radius)),
                    THREADS, 0, stream->handle>>>(self->surface.atoms, medium->grid, medium->ion_radius,
                                                  self->flags);
  debye_stream_note_launch(stream);
}

/* Charges. */

/* The B-spline's weight of the point next to the nearest one, −1, 0 or 1 from it. */
static __device__ __forceinline__ double
weight_of(double t, int which)
{
  return which == 0 ? 0.75 - t * t : 0.5 * (0.5 + which * t) * (0.5 + which * t);
}

#define SPREAD 27

/* Calls function(i, weight, slot, is_outer) for the points that a charge is spread to: a warp a charge, a lane a point. */
template <typename Function>
static __device__ __forceinline__ void
over_charges(const DebyeCudaPoissonCharge *charges, size_t n, const DebyeSurfaceGrid &grid, Function function)
{
  const size_t number = (size_t)blockIdx.x * (THREADS / 32) + threadIdx.x / 32;
  const int lane = (int)(threadIdx.x % 32), which[3] = {lane % 3 - 1, lane / 3 % 3 - 1, lane / 9 - 1};
  if (number >= n || lane >= SPREAD)
    return;
  const DebyeCudaPoissonCharge charge = charges[number];
  const double offset[3] = {(double)charge.x - grid.origin.x, (double)charge.y - grid.origin.y,
                            (double)charge.z - grid.origin.z};
  double part = (double)charge.charge;
  bool is_outer = false;
  size_t i = 0, step = 1;
  for (int axis = 0; axis < 3; axis++) {
    const double place = offset[axis] / grid.step[axis], nearest = floor(place + 0.5),
                 at = nearest + which[axis];
    if (!(at >= 0.0 && at < (double)grid.shape[axis]))
      return;
    is_outer |= at == 0.0 || at + 1.0 == (double)grid.shape[axis];
    part *= weight_of(place - nearest, which[axis]);
    i += step * (size_t)at;
    step *= grid.shape[axis];
  }
  function(i, part, number * SPREAD + (size_t)lane, is_outer);
}

static __global__ void
__launch_bounds__(THREADS)
    spread_charges(const DebyeCudaPoissonCharge *charges, size_t n,
                   const __grid_constant__ DebyeSurfaceGrid grid, double scale, unsigned long long *sums)
{
  over_charges(charges, n, grid, [=](size_t i, double part, size_t, bool) {
    if (part != 0.0)
      atomicAdd(&sums[i], (unsigned long long)__double2ll_rn(scale * part));
  });
}

/* Several charges take a point's sum, and all the same one. */
static __global__ void
__launch_bounds__(THREADS)
    take_sums(const DebyeCudaPoissonCharge *charges, size_t n, const __grid_constant__ DebyeSurfaceGrid grid,
              const unsigned long long *sums, float *spread)
{
  over_charges(charges, n, grid, [=](size_t i, double, size_t slot, bool) {
    spread[slot] = (float)((double)(long long)sums[i] / FIXED);
  });
}

static __global__ void
__launch_bounds__(THREADS) clear_sums(const DebyeCudaPoissonCharge *charges, size_t n,
                                      const __grid_constant__ DebyeSurfaceGrid grid, unsigned long long *sums)
{
  over_charges(charges, n, grid, [=](size_t i, double, size_t, bool) { sums[i] = 0; });
}

static __global__ void
__launch_bounds__(THREADS)
    place(const DebyeCudaPoissonCharge *charges, size_t n, const __grid_constant__ DebyeSurfaceGrid grid,
          const float *spread, float *source)
{
  over_charges(charges, n, grid, [=](size_t i, double, size_t slot, bool is_outer) {
    if (!is_outer)
      source[i] = spread[slot];
  });
}

static unsigned
blocks_of_charges(size_t n)
{
  return (unsigned)((n + THREADS / 32 - 1) / (THREADS / 32));
}

/* All but few points have no charge near them, and are only cleared. */
void
debye_cuda_poisson_spread_charges(DebyeCudaPoissonMolecule *self, const DebyePoissonMedium *medium,
                                  size_t n_charges, unsigned long long *keys, DebyeStream *stream)
{
  const size_t n = medium->grid.shape[0] * medium->grid.shape[1] * medium->grid.shape[2];
  const unsigned blocks = blocks_of_charges(n_charges);
  const DebyeCudaPoissonCharge *charges = (const DebyeCudaPoissonCharge *)self->charges.memory;
  self->grid = medium->grid;
  self->n_charges = n_charges;
  debye_stream_reserve(stream, &self->spread, SPREAD * n_charges, sizeof(float));
  debye_stream_clear(stream, keys, n * sizeof *keys);
  if (!debye_stream_is_good(stream) || n_charges == 0)
    return;
  spread_charges<<<blocks, THREADS, 0, stream->handle>>>(charges, n_charges, medium->grid,
                                                         4.0 * PI * medium->length * FIXED, keys);
  take_sums<<<blocks, THREADS, 0, stream->handle>>>(charges, n_charges, medium->grid, keys,
                                                    (float *)self->spread.memory);
  clear_sums<<<blocks, THREADS, 0, stream->handle>>>(charges, n_charges, medium->grid, keys);
  debye_stream_note_launch(stream);
}

void
debye_cuda_poisson_place_charges(const DebyeCudaPoissonMolecule *self, float *source, DebyeStream *stream)
{
  const size_t n = self->grid.shape[0] * self->grid.shape[1] * self->grid.shape[2];
  debye_stream_clear(stream, source, n * sizeof *source);
  if (!debye_stream_is_good(stream) || self->n_charges == 0)
    return;
  place<<<blocks_of_charges(self->n_charges), THREADS, 0, stream->handle>>>(
      (const DebyeCudaPoissonCharge *)self->charges.memory, self->n_charges, self->grid,
      (const float *)self->spread.memory, source);
  debye_stream_note_launch(stream);
}

static __global__ void
__launch_bounds__(THREADS) find_inner(size_t n, const uint8_t *flags, bool *is_inner)
{
  for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < n; i += (size_t)gridDim.x * THREADS)
    is_inner[i] = (flags[i] & DEBYE_POISSON_INNER) != 0;
}

void
debye_cuda_poisson_find_inner(const DebyeCudaPoissonMolecule *self, size_t n, bool *is_inner,
                              DebyeStream *stream)
{
  const size_t blocks = (n + THREADS - 1) / THREADS;
  if (!debye_stream_is_good(stream))
    return;
  find_inner<<<(unsigned)(blocks < 4096 ? blocks : 4096), THREADS, 0, stream->handle>>>(n, self->flags,
                                                                                        is_inner);
  debye_stream_note_launch(stream);
}
