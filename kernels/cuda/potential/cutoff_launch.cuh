/* SPDX-License-Identifier: MIT */
/* What the cutoff method's kernels are launched with and how they cut a map; included by cutoff_sum.cuh. */
#pragma once

#include "kernels/potential/cutoff_bins.h"
#include "kernels/potential/pair_function.h"

/* A warp has a block of LANES_X × POINTS_Y × LANES_Z points, each lane a column of POINTS_Y in y. A group is
 * GROUP_X × GROUP_Y warps. Of the roots for UNROLL atoms and a column, SOFTWARE are taken on the multiply-add pipes. Each
 * warp finds up to SEEN atoms for its group before all of them are summed. */
template <int LANES_X_, int POINTS_Y_, int GROUP_X_, int GROUP_Y_, int SOFTWARE_, int MIN_GROUPS_ = 1,
          int UNROLL_ = 2, int SEEN_ = 256>
struct DebyeCutoffShape {
  static constexpr int LANES_X = LANES_X_, LANES_Z = 32 / LANES_X_, POINTS_Y = POINTS_Y_;
  static constexpr int GROUP_X = GROUP_X_, GROUP_Y = GROUP_Y_, WARPS = GROUP_X_ * GROUP_Y_;
  static constexpr int THREADS = 32 * WARPS;
  static constexpr int SOFTWARE = SOFTWARE_, MIN_GROUPS = MIN_GROUPS_, UNROLL = UNROLL_, SEEN = SEEN_;
  /* Points of a group. */
  static constexpr int WIDTH = LANES_X * GROUP_X, HEIGHT = POINTS_Y * GROUP_Y, DEPTH = LANES_Z;
  static_assert(POINTS_Y % 4 == 0 && POINTS_Y <= 16, "halves of a column have as many points above as below");
  static_assert(UNROLL <= 32, "a lane fills up an atom of the last turn");
  static_assert(SEEN >= 32, "a warp finds an atom a lane at once");
};

#define DEBYE_CUTOFF_MOST_POINTS 16

/* What all blocks of a map have in common, in Å, for sums in float. */
typedef struct {
  float unit, fall;   /* of positions; −1/cutoff² */
  float row_x, row_y; /* from a row to the next */
  /* Of points j + ½ rows from a column's middle: ((j + ½)·row_y)², and twice its root. */
  float square[DEBYE_CUTOFF_MOST_POINTS / 2], twice[DEBYE_CUTOFF_MOST_POINTS / 2];
  /* The box around a block: its middle from the first point, half of its edges; and those of half a block in y. */
  float middle[3], half[3], half_half_y;
  float near2,
      reach2; /* the squared gap to it of atoms that are too near for `square`, and of those in range */
} DebyeCutoffBlock;

/* What a launch works on: planes [first_plane, first_plane + n_planes), into `out` from its begin. */
struct DebyeCutoffLaunch {
  DebyeTurnedGrid grid;
  DebyeBinMap map;
  const DebyeBinnedAtom *atoms;
  const DebyeBinnedExactAtom *exact_atoms; /* NULL where neither doubles nor a step need them */
  DebyePairFloats pair;
  DebyeCutoffBlock block;
  DebyePairFunction function;
  double core2;
  double unit;
  size_t first_plane, n_planes;
  const volatile int *stop; /* on the device, may be NULL: not 0 when the result is no longer wanted */
};

/* One lane's points, (x + j·row_x, y + j·row_y, z) from the group's middle, and their sums. */
template <class Shape> struct DebyeCutoffColumn {
  size_t first[3]; /* the block's first point, of the grid */
  float x, y, z;
  float sum[Shape::POINTS_Y];
};

/* Forms that take positive and negative charges one after the other, and forms that decide some pairs in double. */
template <int FORM> constexpr bool DEBYE_CUTOFF_SIGNED = FORM == DEBYE_PAIR_SCREENED;
template <int FORM> constexpr bool DEBYE_CUTOFF_STEPS = FORM == DEBYE_PAIR_STEP || FORM == DEBYE_PAIR_ANY;

/* What all launches of a plan have in common but the bins; the grid is set. */
template <class Shape>
static void
debye_cutoff_launch_set(DebyeCutoffLaunch *launch, const DebyePairFunction *function, double core_radius,
                        double extent)
{
  const DebyeTurnedGrid &grid = launch->grid;
  DebyeCutoffBlock &block = launch->block;
  const double di = Shape::LANES_X - 1, dj = Shape::POINTS_Y - 1, dk = Shape::LANES_Z - 1;
  const double x[3] = {di * grid.step_x, dj * grid.row_x, dk * grid.plane_x};
  const double y[2] = {dj * grid.row_y, dk * grid.plane_y}, z = dk * grid.plane_z;
  const double half_y = fabs(y[0]) * (Shape::POINTS_Y / 2 - 1) / fmax(dj, 1.0) + fabs(y[1]);
  const double near = 0.25 * Shape::POINTS_Y * fabs(grid.row_y), more = 1.0 + 1e-6;
  launch->function = *function;
  launch->pair = debye_pair_floats(function, core_radius, extent);
  launch->core2 = core_radius * core_radius;
  block.fall = -launch->pair.inverse_cutoff2;
  block.row_x = (float)grid.row_x;
  block.row_y = (float)grid.row_y;
  for (int j = 0; j < Shape::POINTS_Y / 2; j++) {
    block.square[j] = (float)((j + 0.5) * grid.row_y * (j + 0.5) * grid.row_y);
    block.twice[j] = (float)(2.0 * (j + 0.5) * grid.row_y);
  }
  block.middle[0] = (float)(0.5 * (x[0] + x[1] + x[2]));
  block.middle[1] = (float)(0.5 * (y[0] + y[1]));
  block.middle[2] = (float)(0.5 * z);
  block.half[0] = (float)(0.5 * more * (fabs(x[0]) + fabs(x[1]) + fabs(x[2])));
  block.half[1] = (float)(0.5 * more * (fabs(y[0]) + fabs(y[1])));
  block.half[2] = (float)(0.5 * more * fabs(z));
  block.half_half_y = (float)(0.5 * more * half_y);
  block.near2 = (float)fmax(1.01 * launch->core2, near * near);
  block.reach2 = 1.00001f * launch->pair.edge_high;
}
