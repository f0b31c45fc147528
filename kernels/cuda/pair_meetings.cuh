/* SPDX-License-Identifier: MIT */
/* Which tiles meet, in which images of the cell; its twin is cpu/pair_meetings.c. */
#pragma once

#include "pair_block.cuh"

/* One tile j, brought near and counted. */
template <int EACH, int WARPS, bool SHARED>
static __device__ __forceinline__ void
debye_meet(const DebyePairLaunch &launch, DebyePairMeeting meeting, const double *between, float radii,
           const float4 (&atoms_i)[EACH], float4 *atoms_j, DebyePairShared<WARPS> *shared,
           unsigned *histogram)
{
  const unsigned lane = threadIdx.x % 32;
  const float tolerance = debye_pair_tolerance(&launch.layout, between, radii);
  const double limit = ((double)launch.n_bins + (double)tolerance) / launch.layout.shorter;
  meeting.scale = (float)launch.layout.shorter;
  meeting.limit2 = (float)(limit * limit);
  meeting.clear = fmaxf(0.5f - tolerance, 0.0f);
  meeting.n_j = launch.tile_atoms[meeting.other];
  float high[3], low[3], xi[EACH], yi[EACH], zi[EACH];
  for (int k = 0; k < 3; k++) {
    high[k] = (float)between[k];
    low[k] = (float)(between[k] - (double)high[k]);
  }
#pragma unroll
  for (int a = 0; a < EACH; a++) {
    xi[a] = high[0] + (atoms_i[a].x + low[0]);
    yi[a] = high[1] + (atoms_i[a].y + low[1]);
    zi[a] = high[2] + (atoms_i[a].z + low[2]);
  }
  __syncwarp();
#pragma unroll
  for (int a = 0; a < EACH; a++)
    atoms_j[lane + 32 * a] = launch.slots[(size_t)meeting.other * (32 * EACH) + lane + 32 * a];
  __syncwarp();
  if (shared->work.same_group != 0 && meeting.tile == meeting.other)
    debye_count_meeting<EACH, WARPS, SHARED, true>(launch, meeting, atoms_j, xi, yi, zi, shared, histogram);
  else
    debye_count_meeting<EACH, WARPS, SHARED, false>(launch, meeting, atoms_j, xi, yi, zi, shared, histogram);
  if (lane == 0)
    atomicAdd(&shared->n_meetings, 1u);
}

/* Boxes of the lattice, or columns, that [from, to] touches. */
struct DebyePairRange {
  int first, last;
};

static __device__ __forceinline__ DebyePairRange
debye_touched(double from, double to, double inverse_length)
{
  return {(int)floor(from * inverse_length), (int)floor(to * inverse_length)};
}

static __device__ __forceinline__ DebyePairRange
debye_columns_touched(double from, double to, double per_length, uint32_t n)
{
  return {(int)fmin(fmax(floor(from * per_length), 0.0), (double)n),
          (int)fmax(fmin(floor(to * per_length), (double)n - 1.0), -1.0)};
}

/* A column's tiles, 32 looked at at once. */
template <int EACH, int WARPS, bool SHARED>
static __device__ __forceinline__ void
debye_meet_column(const DebyePairLaunch &launch, DebyePairMeeting &meeting, const DebyeTileBox &box,
                  const double *shift, uint32_t column, uint32_t part, const float4 (&atoms_i)[EACH],
                  float4 *atoms_j, DebyePairShared<WARPS> *shared, unsigned *histogram)
{
  const uint32_t lane = threadIdx.x % 32, end = launch.column_tile[column + 1];
  for (uint32_t first = launch.column_tile[column]; first < end; first += 32) {
    const uint32_t mine = first + lane;
    double between[3] = {};
    float radii = 0.0f;
    bool meets = mine < end &&
                 (shared->work.same_group == 0 || debye_pair_owns(meeting.tile, mine, meeting.n)) &&
                 (launch.parts_by_tile == 0 || mine % launch.n_parts == part);
    if (meets) {
      const DebyeTileBox other = launch.box[mine];
      for (int k = 0; k < 3; k++)
        between[k] = (box.middle[k] - other.middle[k]) - shift[k];
      radii = box.radius + other.radius;
      meets = debye_boxes_meet(between, box.half, other.half, launch.layout.reach);
    }
    for (unsigned left = __ballot_sync(~0u, meets); left != 0; left &= left - 1) {
      const int from = __ffs(left) - 1;
      double there[3];
      for (int k = 0; k < 3; k++)
        there[k] = __shfl_sync(~0u, between[k], from);
      meeting.other = first + from;
      debye_meet<EACH, WARPS, SHARED>(launch, meeting, there, __shfl_sync(~0u, radii, from), atoms_i, atoms_j,
                                      shared, histogram);
    }
  }
}

/* The columns within reach in one image of the box; *column_number counts columns over all images. */
template <int EACH, int WARPS, bool SHARED>
static __device__ __forceinline__ void
debye_meet_image(const DebyePairLaunch &launch, DebyePairMeeting &meeting, const DebyeTileBox &box,
                 uint32_t part, uint32_t *column_number, const float4 (&atoms_i)[EACH], float4 *atoms_j,
                 DebyePairShared<WARPS> *shared, unsigned *histogram)
{
  const DebyePairColumns columns = launch.columns[shared->work.group];
  double shift[3], from[3], to[3];
  debye_lattice_shift(&launch.layout.lattice, meeting.n, shift);
  for (int k = 0; k < 3; k++) {
    const double middle = box.middle[k] - shift[k] - launch.layout.low[k];
    const double reach = (double)box.half[k] + launch.layout.reach;
    from[k] = middle - reach;
    to[k] = middle + reach;
  }
  const DebyePairRange x = debye_columns_touched(from[0], to[0], columns.per_x, columns.nx);
  const DebyePairRange y = debye_columns_touched(from[1], to[1], columns.per_y, columns.ny);
  for (int cy = y.first; cy <= y.last; cy++)
    for (int cx = x.first; cx <= x.last; cx++)
      if ((*column_number)++ % launch.n_parts == part || launch.parts_by_tile != 0)
        debye_meet_column<EACH, WARPS, SHARED>(launch, meeting, box, shift,
                                               columns.first_column + cx + columns.nx * cy, part, atoms_i,
                                               atoms_j, shared, histogram);
}

/* One item: a tile of the first group against its part of the second's tiles, in all images. */
template <int EACH, int WARPS, bool SHARED>
static __device__ __forceinline__ void
debye_do_item(const DebyePairLaunch &launch, unsigned long long item, float4 *atoms_j,
              DebyePairShared<WARPS> *shared, unsigned *histogram)
{
  const unsigned lane = threadIdx.x % 32;
  const DebyeLattice &lattice = launch.layout.lattice;
  const uint32_t part = (uint32_t)(item % launch.n_parts);
  uint32_t column_number = 0;
  DebyePairMeeting meeting = {};
  meeting.tile = shared->work.first_tile + (uint32_t)(item / launch.n_parts);
  const DebyeTileBox box = launch.box[meeting.tile];
  float4 atoms_i[EACH];
#pragma unroll
  for (int a = 0; a < EACH; a++) {
    atoms_i[a] = launch.slots[(size_t)meeting.tile * (32 * EACH) + lane + 32 * a];
    /* Nowhere else than an empty place of j is. */
    if (lane + 32 * a >= launch.tile_atoms[meeting.tile])
      atoms_i[a].x = -DEBYE_PAIR_NOWHERE;
  }
  if (!lattice.periodic) {
    debye_meet_image<EACH, WARPS, SHARED>(launch, meeting, box, part, &column_number, atoms_i, atoms_j,
                                          shared, histogram);
    return;
  }
  double from[3], to[3];
  for (int k = 0; k < 3; k++) {
    from[k] = box.middle[k] - (double)box.half[k] - launch.layout.reach;
    to[k] = box.middle[k] + (double)box.half[k] + launch.layout.reach;
  }
  const DebyePairRange c = debye_touched(from[2], to[2], lattice.inverse[2]);
  for (meeting.n[2] = c.first; meeting.n[2] <= c.last; meeting.n[2]++) {
    const double y = meeting.n[2] * lattice.vector[2][1];
    const DebyePairRange b = debye_touched(from[1] - y, to[1] - y, lattice.inverse[1]);
    for (meeting.n[1] = b.first; meeting.n[1] <= b.last; meeting.n[1]++) {
      const double x = meeting.n[2] * lattice.vector[2][0] + meeting.n[1] * lattice.vector[1][0];
      const DebyePairRange a = debye_touched(from[0] - x, to[0] - x, lattice.inverse[0]);
      for (meeting.n[0] = a.first; meeting.n[0] <= a.last; meeting.n[0]++)
        debye_meet_image<EACH, WARPS, SHARED>(launch, meeting, box, part, &column_number, atoms_i, atoms_j,
                                              shared, histogram);
    }
  }
}
