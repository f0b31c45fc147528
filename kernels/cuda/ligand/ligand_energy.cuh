/* SPDX-License-Identifier: MIT */
/* Which samples of a tile are rejected, and the energies of the others; for ligand_map.cu alone. */
#pragma once

#include "ligand_tile.cuh"

template <class Shared>
static __device__ bool
is_rejected_alike(const Shared *shared, uint32_t n_near, float x, float y, float z)
{
  for (uint32_t i = 0; i < n_near; i++) {
    const float4 atom = shared->near[i];
    const float dx = atom.x - x, dy = atom.y - y, dz = atom.z - z;
    if (dx * dx + dy * dy + dz * dz < atom.w)
      return true;
  }
  return false;
}

template <class Shared>
static __device__ bool
is_pair_rejected(const Shared *shared, uint32_t n_near, float3 one, float3 other)
{
  for (uint32_t i = 0; i < n_near; i++) {
    const float4 atom = shared->near[i];
    const float dx = atom.x - one.x, dy = atom.y - one.y, dz = atom.z - one.z;
    const float ex = atom.x - other.x, ey = atom.y - other.y, ez = atom.z - other.z;
    if (fminf(dx * dx + dy * dy + dz * dz, ex * ex + ey * ey + ez * ez) < atom.w)
      return true;
  }
  return false;
}

static __device__ float3
find_site(const Tiles &t, const Sample &sample, int site)
{
  const float *place = t.places + 3 * ((size_t)sample.orientation * (size_t)t.n_sites + (size_t)site);
  return make_float3(sample.point.x + place[0], sample.point.y + place[1], sample.point.z + place[2]);
}

template <class Shared>
static __device__ bool
is_rejected(const Tiles &t, const Shared *shared, uint32_t n_near, const Sample &sample)
{
  if (t.n_kinds == 1 && t.n_sites == 2)
    return is_pair_rejected(shared, n_near, find_site(t, sample, 0), find_site(t, sample, 1));
  for (int site = 0; site < t.n_sites; site++) {
    const float3 at = find_site(t, sample, site);
    const float *hard = t.hard + t.kinds[site];
    if (t.n_kinds == 1) {
      if (is_rejected_alike(shared, n_near, at.x, at.y, at.z))
        return true;
      continue;
    }
    for (uint32_t i = 0; i < n_near; i++) {
      const float4 atom = shared->near[i];
      const float dx = atom.x - at.x, dy = atom.y - at.y, dz = atom.z - at.z;
      if (dx * dx + dy * dy + dz * dz < hard[__float_as_uint(atom.w) * (uint32_t)t.n_kinds])
        return true;
    }
  }
  return false;
}

/* Whether a sample point is worth a look at each orientation. A warp has those of a voxel, or of some voxels: it looks only at
 * atoms that their sphere reaches, and at none if one atom has all of it. */
template <class Shared>
static __device__ bool
is_open_beside(const Shared *shared, uint32_t n_near, float3 at, bool is_open)
{
  const unsigned all = 0xffffffffu, lane = threadIdx.x % 32, valid = __ballot_sync(all, is_open);
  if (valid == 0)
    return false;
  const int last = 31 - __clz((int)valid);
  const float3 middle = make_float3(0.5f * (__shfl_sync(all, at.x, 0) + __shfl_sync(all, at.x, last)),
                                    0.5f * (__shfl_sync(all, at.y, 0) + __shfl_sync(all, at.y, last)),
                                    0.5f * (__shfl_sync(all, at.z, 0) + __shfl_sync(all, at.z, last)));
  const float x = at.x - middle.x, y = at.y - middle.y, z = at.z - middle.z;
  float square = is_open ? x * x + y * y + z * z : 0.0f;
  for (unsigned away = 16; away > 0; away /= 2)
    square = fmaxf(square, __shfl_xor_sync(all, square, away));
  const float radius = sqrtf(square) + 1e-4f;
  for (uint32_t begin = 0; begin < n_near; begin += 32) {
    const uint32_t i = min(begin + lane, n_near - 1);
    const float4 atom = shared->near[i];
    const float dx = atom.x - middle.x, dy = atom.y - middle.y, dz = atom.z - middle.z;
    const float certain = sqrtf(shared->certain[i]), far = certain + radius,
                within = fmaxf(certain - radius, 0.0f);
    const float away = dx * dx + dy * dy + dz * dz;
    if (__any_sync(all, away < within * within))
      return false;
    unsigned left = __ballot_sync(all, begin + lane < n_near && certain > 0.0f && away < far * far);
    while (left != 0) {
      const uint32_t k = begin + (uint32_t)__ffs((int)left) - 1;
      const float4 one = shared->near[k];
      const float ex = one.x - at.x, ey = one.y - at.y, ez = one.z - at.z;
      is_open = is_open && !(ex * ex + ey * ey + ez * ez < shared->certain[k]);
      left &= left - 1;
    }
    if (!__any_sync(all, is_open))
      return false;
  }
  return is_open;
}

/* Lists which sample points of voxels are worth a look at each orientation, from the first of them. */
template <class Shared>
static __device__ uint32_t
find_open(const Tiles &t, Shared *shared, uint32_t n_near, uint32_t first, uint32_t end)
{
  const uint32_t n = (uint32_t)(t.subsamples * t.subsamples * t.subsamples), lane = threadIdx.x % 32;
  const uint32_t voxels = n <= 32 ? 32 / n : 1, passes = (n + 31) / 32;
  const uint32_t n_slots = (end - first + voxels - 1) / voxels * passes;
  uint32_t found = 0, total;
  for (uint32_t begin = 0, turn = 0; begin < n_slots; begin += WARPS, turn ^= 1) {
    const uint32_t slot = begin + threadIdx.x / 32;
    const uint32_t voxel = n <= 32 ? first + slot * voxels + lane / n : first + slot / passes,
                   s = n <= 32 ? lane % n : slot % passes * 32 + lane;
    const bool is_sample = slot < n_slots && voxel < end && s < n && (n > 32 || lane < voxels * n);
    const bool is_open = is_open_beside(
        shared, n_near, find_point(t, is_sample ? (int)voxel : 0, is_sample ? (int)s : 0), is_sample);
    const uint32_t place = found + rank_among(shared, (int)turn, is_open, &total);
    if (is_open)
      shared->open[place] = (uint16_t)((voxel - first) * n + s);
    found += total;
  }
  __syncthreads();
  return found;
}

/* --- Energies --- */

/* 1/d², which errs by a unit of the last place: its twelfth power is in exponents of at most DEBYE_LIGAND_MAX_ENERGY. */
static __device__ float
invert_square(float square)
{
  float inverse;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(fmaxf(square, (float)DEBYE_LIGAND_LEAST_SQUARE)));
  return inverse;
}

/* Of two places at once: each candidate is loaded once for both. Of all, or of those that are chosen. */
template <bool IS_CHOSEN, class Shared>
static __device__ float2
sum_alike(const Tiles &t, const Shared *shared, uint32_t begin, uint32_t end, float3 one, float3 other)
{
  const float one_square = one.x * one.x + one.y * one.y + one.z * one.z,
              other_square = other.x * other.x + other.y * other.y + other.z * other.z;
  float2 sums = make_float2(0.0f, 0.0f);
#pragma unroll 4
  for (uint32_t i = begin; i < end; i++) {
    const uint32_t number = IS_CHOSEN ? shared->chosen[i] : i;
    const float4 atom = shared->atoms[number];
    const float2 pair = shared->pairs[number];
    const float d = fmaf(atom.x, one.x, fmaf(atom.y, one.y, fmaf(atom.z, one.z, atom.w + one_square))),
                e = fmaf(atom.x, other.x,
                         fmaf(atom.y, other.y, fmaf(atom.z, other.z, atom.w + other_square)));
    const float u = invert_square(d), v = invert_square(e), u3 = u * u * u, v3 = v * v * v;
    if (d < t.square)
      sums.x = fmaf(fmaf(pair.x, u3, -pair.y), u3, sums.x);
    if (e < t.square)
      sums.y = fmaf(fmaf(pair.x, v3, -pair.y), v3, sums.y);
  }
  return sums;
}

/* Of any ligand. */
template <class Shared>
static __device__ float
sum_sites(const Tiles &t, const Shared *shared, uint32_t begin, uint32_t end, const Sample &sample)
{
  float energy = 0.0f;
  for (int site = 0; site < t.n_sites; site++) {
    const float3 at = find_site(t, sample, site);
    const float2 *pairs = t.pairs + t.kinds[site];
    const float charge = t.has_charges ? t.charges[site] : 0.0f;
    float sum = 0.0f;
#pragma unroll 4
    for (uint32_t i = begin; i < end; i++) {
      const float4 atom = shared->atoms[i];
      const float2 pair = __ldg(pairs + shared->types[i] * (uint32_t)t.n_kinds);
      const float dx = atom.x - at.x, dy = atom.y - at.y, dz = atom.z - at.z;
      const float square = dx * dx + dy * dy + dz * dz;
      const float inverse = invert_square(square), cube = inverse * inverse * inverse;
      float term = (pair.x * cube - pair.y) * cube;
      if (charge != 0.0f)
        term += charge * atom.w * (sqrtf(inverse) - t.inverse);
      sum += square < t.square ? term : 0.0f;
    }
    energy += sum;
  }
  return energy;
}

/* Samples of a pair of sites come in the order of voxels, so that those of a batch are in a few of them: lists which of n
 * candidates these reach. */
template <class Shared>
static __device__ uint32_t
choose_candidates(const Tiles &t, Shared *shared, uint32_t n, uint32_t count)
{
  const uint32_t per_voxel =
      (uint32_t)(t.subsamples * t.subsamples * t.subsamples) * (uint32_t)t.n_orientations;
  const int first = (int)(shared->queue[0] / per_voxel), last = (int)(shared->queue[count - 1] / per_voxel);
  float centre[3], half[3];
  bool is_whole = false;
  for (int k = 2, unit = TILE * TILE; k >= 0; k--, unit /= TILE) {
    const int low = is_whole ? 0 : first / unit % TILE, high = is_whole ? TILE - 1 : last / unit % TILE;
    const float step = t.sample[k][k] * (float)t.subsamples;
    centre[k] = 0.5f * (float)(low + high + 1 - TILE) * step;
    half[k] = 0.5f * (float)(high - low + 1) * fabsf(step);
    is_whole = is_whole || low != high;
  }
  uint32_t found = 0, total;
  for (uint32_t begin = 0, turn = 0; begin < n; begin += THREADS, turn ^= 1) {
    const uint32_t i = begin + threadIdx.x;
    const float4 atom = i < n ? shared->atoms[i] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    const bool is_in = i < n && square_from_box(make_float3(-0.5f * atom.x, -0.5f * atom.y, -0.5f * atom.z),
                                                centre, half) < t.reach;
    const uint32_t place = found + rank_among(shared, (int)turn, is_in, &total);
    if (is_in)
      shared->chosen[place] = (uint16_t)i;
    found += total;
  }
  __syncthreads();
  return found;
}

static __device__ bool
are_chosen(const Tiles &t)
{
  return t.is_alike && t.n_sites == 2 && t.is_straight;
}

/* What a thread sums: one sample, or two of a ligand of one site; `slice` of n_slices of the candidates. */
typedef struct {
  Sample one, other;
  uint32_t n_slices, slice;
} Work;

template <class Shared>
static __device__ float2
sum_slice(const Tiles &t, const Shared *shared, uint32_t n, const Work &work)
{
  const uint32_t begin = n * work.slice / work.n_slices, end = n * (work.slice + 1) / work.n_slices;
  if (!t.is_alike)
    return make_float2(sum_sites(t, shared, begin, end, work.one), 0.0f);
  const float3 one = find_site(t, work.one, 0),
               other = t.n_sites == 2 ? find_site(t, work.one, 1) : find_site(t, work.other, 0);
  return are_chosen(t) ? sum_alike<true>(t, shared, begin, end, one, other)
                       : sum_alike<false>(t, shared, begin, end, one, other);
}

/* Samples that a thread takes at once. */
static __device__ uint32_t
n_together(const Tiles &t)
{
  return t.is_alike && t.n_sites == 1 ? 2 : 1;
}

/* Each warp takes voxels in turn: the queue is in their order. */
template <class Shared>
static __device__ void
add_values(const Tiles &t, Shared *shared, uint32_t count)
{
  const uint32_t per_voxel =
      (uint32_t)(t.subsamples * t.subsamples * t.subsamples) * (uint32_t)t.n_orientations;
  const uint32_t first = shared->queue[0] / per_voxel, last = shared->queue[count - 1] / per_voxel;
  for (uint32_t voxel = first + threadIdx.x / 32; voxel <= last; voxel += WARPS) {
    float sum = 0.0f;
    for (uint32_t i = threadIdx.x % 32; i < count; i += 32)
      sum += shared->queue[i] - voxel * per_voxel < per_voxel ? shared->values[i] : 0.0f;
    for (unsigned away = 16; away > 0; away /= 2)
      sum += __shfl_xor_sync(0xffffffffu, sum, away);
    if (threadIdx.x % 32 == 0)
      shared->sums[voxel] += sum;
  }
  __syncthreads();
}

/* The first `count` of the queue; `n_all` atoms are in reach. Where they are few, several threads share the candidates of
 * each. */
template <class Shared>
static __device__ void
sum_queue(const Tiles &t, int3 tile, Shared *shared, uint32_t n_all, uint32_t count)
{
  const uint32_t together = n_together(t), n_items = (count + together - 1) / together,
                 item = threadIdx.x % n_items;
  const uint32_t n_slices = THREADS / n_items < 32 ? THREADS / n_items : 32;
  const Work work = {find_sample(t, shared->queue[item * together]),
                     find_sample(t, shared->queue[min(item * together + together - 1, count - 1)]), n_slices,
                     threadIdx.x / n_items};
  float2 energy = make_float2(0.0f, 0.0f);
  for (uint32_t skip = 0; skip < n_all; skip += Shared::CANDIDATES) {
    const uint32_t left = n_all - skip;
    uint32_t n = left < Shared::CANDIDATES ? left : Shared::CANDIDATES;
    if (n_all > Shared::CANDIDATES)
      load_candidates(t, tile, shared, skip);
    if (are_chosen(t))
      n = choose_candidates(t, shared, n, count);
    if (work.slice < n_slices) {
      const float2 more = sum_slice(t, shared, n, work);
      energy.x += more.x;
      energy.y += more.y;
    }
  }
  shared->parts[0][threadIdx.x] = energy.x;
  shared->parts[1][threadIdx.x] = energy.y;
  __syncthreads();
  for (uint32_t i = threadIdx.x; i < count; i += THREADS) {
    float sum = 0.0f;
    for (uint32_t slice = 0; slice < n_slices; slice++) {
      const uint32_t at = slice * n_items + i / together;
      sum += together == 2 ? shared->parts[i % 2][at] : shared->parts[0][at] + shared->parts[1][at];
    }
    shared->values[i] = sum <= (float)DEBYE_LIGAND_MAX_ENERGY ? expf(-sum) : 0.0f;
  }
  __syncthreads();
  add_values(t, shared, count);
}

/* What is left of the queue, less than there are threads, moves to its beginning. */
template <class Shared>
static __device__ void
move_queue(Shared *shared, uint32_t count, uint32_t left)
{
  const uint32_t moved = threadIdx.x < left ? shared->queue[count + threadIdx.x] : 0;
  __syncthreads();
  if (threadIdx.x < left)
    shared->queue[threadIdx.x] = moved;
  __syncthreads();
}
