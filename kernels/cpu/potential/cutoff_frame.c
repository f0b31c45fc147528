/* SPDX-License-Identifier: MIT */
/* Sets up blocks and pair functions in units of the cutoff; called by potential_cutoff.c. */
#include "cutoff_frame.h"

void
debye_cutoff_pair_set(DebyeCutoffPair *pair, const DebyePairFunction *function, double core_radius,
                      double extent, bool with_tables)
{
  const double cutoff = function->cutoff;
  DebyePairFunction scaled = *function;
  scaled.cutoff = 1.0;
  scaled.beta *= cutoff;
  for (unsigned i = 0; i < scaled.n_coefficients; i++)
    scaled.coefficient[i] *= cutoff;
  pair->cutoff = cutoff;
  pair->form = debye_pair_form(&scaled);
  pair->floats = debye_pair_floats(&scaled, core_radius / cutoff, extent / cutoff);
  pair->has_tables = with_tables && debye_cutoff_tables_set(&pair->tables, &scaled);
}

DebyeVec3
debye_cutoff_point(const DebyeTurnedGrid *grid, const size_t first[3], size_t column, size_t row, size_t i)
{
  const double x = (double)(first[0] + column * DEBYE_CUTOFF_SIDE + i % DEBYE_CUTOFF_SIDE);
  const double y = (double)(first[1] + row), z = (double)(first[2] + i / DEBYE_CUTOFF_SIDE);
  return debye_vec3(x * grid->step_x + y * grid->row_x + z * grid->plane_x,
                    y * grid->row_y + z * grid->plane_y, z * grid->plane_z);
}

/* Columns are one column, shifted. */
static void
set_columns(const DebyeCutoffPair *pair, const DebyeCutoffBins *bins, const size_t first[3],
            const double middle[3], DebyeCutoffFrame *frame)
{
  const DebyeTurnedGrid *grid = &bins->grid;
  const double scale = 1.0 / pair->cutoff;
  const size_t count[3] = {DEBYE_CUTOFF_SIDE, DEBYE_CUTOFF_ROWS, DEBYE_CUTOFF_SIDE};
  const DebyeBlockBox box = debye_block_box(&bins->map, grid, first, count);
  double at[3];
  for (int axis = 0; axis < 3; axis++) {
    at[axis] = scale * (0.5 * (box.low[axis] + box.high[axis]) - middle[axis]);
    frame->column_half[axis] = (float)(scale * 0.5 * (box.high[axis] - box.low[axis]) * (1.0 + 1e-6));
  }
  for (int column = 0; column < DEBYE_CUTOFF_COLUMNS; column++)
    frame->column_x[column] = (float)(at[0] + scale * column * DEBYE_CUTOFF_SIDE * grid->step_x);
  frame->column_y = (float)at[1];
  /* Shifted rows have no use for halves: both see what the column does. */
  const double up =
      grid->row_x == 0.0 && grid->plane_y == 0.0 ? 0.25 * DEBYE_CUTOFF_ROWS * scale * grid->row_y : 0.0;
  frame->half_y[0] = (float)-up;
  frame->half_y[1] = (float)up;
  frame->half_half_y = frame->column_half[1] - (float)fabs(up) * (1.0f - 1e-6f);
  frame->column_z = (float)at[2];
}

static void
set_points(const DebyeCutoffPair *pair, const DebyeTurnedGrid *grid, const size_t first[3],
           const double middle[3], DebyeCutoffFrame *frame)
{
  const double scale = 1.0 / pair->cutoff;
  const DebyeVec3 begin = debye_cutoff_point(grid, first, 0, 0, 0);
  for (size_t i = 0; i < DEBYE_CUTOFF_POINTS; i++) {
    for (size_t column = 0; column < DEBYE_CUTOFF_COLUMNS; column++)
      frame->point_x[column][i] =
          (float)(scale * (debye_cutoff_point(grid, first, column, 0, i).x - middle[0]));
    const DebyeVec3 at = debye_cutoff_point(grid, first, 0, 0, i);
    frame->point_y[i] = (float)(scale * (at.y - begin.y));
    frame->point_z[i] = (float)(scale * (at.z - middle[2]));
  }
  for (size_t row = 0; row < DEBYE_CUTOFF_ROWS; row++)
    frame->row_y[row] = (float)(scale * (begin.y + (double)row * grid->row_y - middle[1]));
  frame->shift_x = (float)(scale * grid->row_x);
  frame->shift_y = (float)(scale * grid->row_y);
  frame->sheared = grid->row_x != 0.0 || grid->plane_y != 0.0;
}

static void
set_classes(const DebyeCutoffPair *pair, DebyeCutoffFrame *frame)
{
  const float core = 1.01f * frame->pair.core2;
  frame->tables = &pair->tables;
  frame->seen2 = 1.00001f * frame->pair.edge_high;
  frame->above2[DEBYE_CUTOFF_CORE] = -1.0f;
  frame->above2[DEBYE_CUTOFF_NEAR] = core;
  frame->above2[DEBYE_CUTOFF_MIDDLE] = pair->has_tables ? fmaxf(pair->tables.middle.low, core) : INFINITY;
  frame->above2[DEBYE_CUTOFF_FAR] = pair->has_tables ? fmaxf(pair->tables.far.low, core) : INFINITY;
}

void
debye_cutoff_frame_set(const DebyeCutoffPair *pair, const DebyeCutoffBins *bins, const size_t first[3],
                       const DebyeBlockBox *box, DebyeCutoffFrame *frame)
{
  const double scale = 1.0 / pair->cutoff;
  double middle[3];
  frame->form = pair->form;
  frame->pair = pair->floats;
  set_classes(pair, frame);
  frame->unit = (float)(scale * bins->unit);
  frame->charge_unit = (float)scale;
  for (int axis = 0; axis < 3; axis++) {
    double centre = 0.5 * (box->low[axis] + box->high[axis]);
    frame->middle[axis] = debye_fixed_point(centre, bins->unit);
    middle[axis] = rint(centre / bins->unit) * bins->unit;
    frame->half[axis] = (float)(scale * 0.5 * (box->high[axis] - box->low[axis]) * (1.0 + 1e-6));
  }
  set_columns(pair, bins, first, middle, frame);
  set_points(pair, &bins->grid, first, middle, frame);
}
