/* SPDX-License-Identifier: MIT */
/* Implementation of classroom_levels.h; called by classroom_bins.c and lesson_bins.c. */
#include "classroom_levels.h"

#include <glib/gi18n.h>
#include <math.h>

#include "kernels/poisson/poisson_medium.h"

#define TEMPERATURE 298.15
/* Å: of the short part, which has no end at a charge, what is nearer counts as so far; levels have one. */
#define SHORT_DISTANCE 1.0
#define LEVEL_DISTANCE 1e-3
#define MAX_SIDE ((gsize)96)
#define MAX_PAIRS 1.5e8 /* of points and atoms: a second or two for one thread */
#define N_ENTRIES 8192  /* of a table over the distance */
#define SPLIT_TOLERANCE 1e-3
#define SEEN 3.0 /* times the root mean square: what colours show */

gboolean
debye_classroom_choose_split(DebyeMultilevel *multilevel)
{
  const DebyePotentialSettings settings = {
      .method = DEBYE_POTENTIAL_MULTILEVEL,
      .grid = {.shape = {64, 64, 64}, .step = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}},
      .core_radius = DEBYE_BENCH_CORE_RADIUS,
      .tolerance = SPLIT_TOLERANCE,
      .max_charges = 26000,
  };
  return debye_multilevel_choose(&settings, multilevel, NULL) == DEBYE_STATUS_OK;
}

/* g_l(d) = 2⁻ˡ g₀(d/2ˡ), g₀ = 1/d less the short part. */
static double
find_level(const DebyePairFunction *short_part, unsigned level, double d)
{
  const double scale = ldexp(1.0, (int)level), at = d / scale;
  const double part = at < short_part->cutoff ? debye_pair_value(short_part, at * at, 0.0) : 0.0;
  return (1.0 / at - part) / scale;
}

double
debye_classroom_find_part(const DebyePairFunction *short_part, unsigned part, double d)
{
  if (part == 0)
    return d < short_part->cutoff ? debye_pair_value(short_part, d * d, 0.0) : 0.0;
  const double above = part + 1 < DEBYE_CLASSROOM_N_PARTS ? find_level(short_part, part, d) : 0.0;
  return find_level(short_part, part - 1, d) - above;
}

/* --- Maps --- */

typedef struct {
  const DebyeBenchProblem *problem;
  gsize n_columns, n_rows;
  double *columns, *rows, z; /* Å */
  double per_angstrom;       /* entries of the tables */
  float *tables[DEBYE_CLASSROOM_N_PARTS];
  double *values[DEBYE_CLASSROOM_N_PARTS];
} Plane;

static void
plane_clear(Plane *self)
{
  g_free(self->columns);
  g_free(self->rows);
  for (int part = 0; part < DEBYE_CLASSROOM_N_PARTS; part++) {
    g_free(self->tables[part]);
    g_free(self->values[part]);
  }
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Plane, plane_clear)

/* Along x and y over the grid, with the same distance between points, at the middle of its z. */
static void
lay_plane(Plane *self)
{
  const DebyeGrid *grid = &self->problem->grid;
  const double width = grid->step[0].x * (double)(grid->shape[0] - 1),
               height = grid->step[1].y * (double)(grid->shape[1] - 1);
  const gsize most = (gsize)sqrt(MAX_PAIRS / (double)self->problem->n_atoms),
              side = CLAMP(most, 16, MAX_SIDE);
  const double step = MAX(width, height) / (double)(side - 1);
  self->n_columns = (gsize)floor(width / step) + 1;
  self->n_rows = (gsize)floor(height / step) + 1;
  self->columns = g_new(double, self->n_columns);
  self->rows = g_new(double, self->n_rows);
  for (gsize i = 0; i < self->n_columns; i++)
    self->columns[i] = grid->origin.x + (double)i * step;
  for (gsize i = 0; i < self->n_rows; i++)
    self->rows[i] = grid->origin.y + (double)i * step;
  self->z = grid->origin.z + 0.5 * grid->step[2].z * (double)(grid->shape[2] - 1);
  for (int part = 0; part < DEBYE_CLASSROOM_N_PARTS; part++)
    self->values[part] = g_new0(double, self->n_columns * self->n_rows);
}

/* So far that no atom is beyond the last entry. */
static void
fill_tables(Plane *self, const DebyePairFunction *short_part)
{
  const DebyeGrid *grid = &self->problem->grid;
  double square = 0.0;
  for (int axis = 0; axis < 3; axis++) {
    const double length = debye_vec3_length(grid->step[axis]) * (double)grid->shape[axis];
    square += length * length;
  }
  self->per_angstrom = (N_ENTRIES - 2) / sqrt(square);
  for (unsigned part = 0; part < DEBYE_CLASSROOM_N_PARTS; part++) {
    const double least = part == 0 ? SHORT_DISTANCE : LEVEL_DISTANCE;
    self->tables[part] = g_new(float, N_ENTRIES);
    for (int i = 0; i < N_ENTRIES; i++)
      self->tables[part][i] =
          (float)debye_classroom_find_part(short_part, part, fmax(i / self->per_angstrom, least));
  }
}

/* Of one point, with the tables linear between entries. */
static void
sum_point(Plane *self, gsize row, gsize column)
{
  const DebyeCharges *charges = &self->problem->charges;
  const float x = (float)self->columns[column], y = (float)self->rows[row], z = (float)self->z,
              scale = (float)self->per_angstrom;
  double sums[DEBYE_CLASSROOM_N_PARTS] = {0.0};
  for (gsize i = 0; i < charges->n; i++) {
    const float dx = x - charges->x[i], dy = y - charges->y[i], dz = z - charges->z[i];
    const float at = MIN(sqrtf(dx * dx + dy * dy + dz * dz) * scale, (float)(N_ENTRIES - 2));
    const int entry = (int)at;
    const float beyond = at - (float)entry;
    for (int part = 0; part < DEBYE_CLASSROOM_N_PARTS; part++) {
      const float *table = self->tables[part] + entry;
      sums[part] += (double)(charges->charge[i] * (table[0] + beyond * (table[1] - table[0])));
    }
  }
  for (int part = 0; part < DEBYE_CLASSROOM_N_PARTS; part++)
    self->values[part][row * self->n_columns + column] = sums[part] * DEBYE_BJERRUM_VACUUM(TEMPERATURE);
}

void
debye_classroom_map_parts(DebyeClassroomRecord *record, const DebyeBenchProblem *problem,
                          const DebyeMultilevel *multilevel)
{
  g_auto(Plane) plane = {.problem = problem};
  const DebyePairFunction short_part = debye_multilevel_pair_function(multilevel);
  const DebyeQuantity x = {"x", "x", "Å"}, y = {"y", "y", "Å"},
                      potential = {"potential", _("Electrostatic potential"), "kT/e"};
  lay_plane(&plane);
  fill_tables(&plane, &short_part);
  for (gsize row = 0; row < plane.n_rows; row++) {
    if (problem->cancel != NULL && *problem->cancel)
      return;
    for (gsize column = 0; column < plane.n_columns; column++)
      sum_point(&plane, row, column);
  }
  for (int part = 0; part < DEBYE_CLASSROOM_N_PARTS; part++)
    g_ptr_array_add(record->parts,
                    debye_matrix_new("potential", &y, plane.n_rows, plane.rows, &x, plane.n_columns,
                                     plane.columns, &potential, plane.values[part], NULL));
}

/* --- What is shown --- */

double
debye_classroom_measure_part(DebyeClassroomRecord *record, guint part)
{
  DebyeMatrix *matrix = g_ptr_array_index(record->parts, part);
  const gsize n = debye_matrix_get_n_rows(matrix) * debye_matrix_get_n_columns(matrix);
  const double *values = debye_matrix_get_values(matrix);
  double sum = 0.0;
  for (gsize i = 0; i < n; i++)
    sum += values[i] * values[i];
  return sqrt(sum / (double)n);
}

static double
find_largest(DebyeMatrix *matrix)
{
  const gsize n = debye_matrix_get_n_rows(matrix) * debye_matrix_get_n_columns(matrix);
  const double *values = debye_matrix_get_values(matrix);
  double largest = 0.0;
  for (gsize i = 0; i < n; i++)
    largest = fmax(largest, fabs(values[i]));
  return largest;
}

DebyePlot *
debye_classroom_plot_part(DebyeClassroomRecord *record, guint part)
{
  DebyePlot *plot = debye_plot_new();
  DebyeMatrix *matrix = g_ptr_array_index(record->parts, part);
  const double largest = find_largest(matrix),
               seen = fmin(SEEN * debye_classroom_measure_part(record, part), largest);
  g_autoptr(GString) caption = g_string_new(_("A plane through the middle of the molecule, in vacuum."));
  debye_plot_set_matrix(plot, matrix);
  if (seen > 0.0)
    debye_plot_set_view(plot, DEBYE_PLOT_COLOR, -seen, seen);
  if (seen < largest)
    g_string_append_printf(caption, " %s", _("Colours end at three times the root mean square."));
  if (part == 0)
    g_string_append_printf(caption, " %s", _("Distances below 1 Å count as 1 Å."));
  debye_plot_set_caption(plot, caption->str);
  return plot;
}
