/* SPDX-License-Identifier: MIT */
/* Implementation of ligands_cavities.h; called by ligands_result.c. */
#include "ligands_cavities.h"

#include <math.h>

#include "data/messages/message.h"

#define MOST_CAVITIES 200 /* whose ways are looked for */
#define FAR_ABOVE 5.0     /* kT: a point so high above the level is hardly in bulk */
#define TUBE 0.65         /* steps of the grid: width of the ways that are drawn */
#define TUBE_REACH 3      /* steps */

typedef struct {
  guint32 region;
  gsize n_voxels, lowest, saddle; /* NO_VOXEL: it isn't connected to bulk */
  double sum;                     /* of exp(−value/kT) */
  GArray *way;                    /* gsize; NULL: as the saddle */
  double length;                  /* Å */
} Cavity;

typedef struct {
  const DebyeLigandsTerrain *terrain;
  const DebyeLigandsCavityOptions *options;
  guint32 *regions, n_regions, bulk;
  gsize bulk_voxel;         /* the point's; NO_VOXEL: none was chosen */
  gboolean is_bulk_sampled; /* else the voxel is the nearest one that is */
  GArray *cavities;         /* Cavity, the lowest first, without bulk */
  float *barriers;          /* of each voxel to bulk */
} Cavities;

static void
clear_cavity(gpointer data)
{
  g_clear_pointer(&((Cavity *)data)->way, g_array_unref);
}

static void
cavities_clear(Cavities *self)
{
  g_free(self->regions);
  g_free(self->barriers);
  g_clear_pointer(&self->cavities, g_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Cavities, cavities_clear)

static double
value_of(const Cavities *self, gsize voxel)
{
  return (double)self->terrain->values[voxel];
}

static double
error_of(const Cavities *self, gsize voxel)
{
  return self->options->errors != NULL ? (double)self->options->errors[voxel] : NAN;
}

static double
voxel_volume(const Cavities *self)
{
  const DebyeVec3 *step = self->terrain->grid.step;
  const DebyeCell cell = {step[0], step[1], step[2]};
  return fabs(debye_cell_volume(&cell));
}

/* --- Regions --- */

static void
measure_regions(Cavities *self)
{
  const gsize n = debye_grid_n_points(&self->terrain->grid);
  g_array_set_size(self->cavities, self->n_regions);
  Cavity *cavities = (Cavity *)(gpointer)self->cavities->data;
  for (guint32 i = 0; i < self->n_regions; i++)
    cavities[i] =
        (Cavity){.region = i + 1, .lowest = DEBYE_LIGANDS_NO_VOXEL, .saddle = DEBYE_LIGANDS_NO_VOXEL};
  for (gsize i = 0; i < n; i++) {
    if (self->regions[i] == 0)
      continue;
    Cavity *cavity = &cavities[self->regions[i] - 1];
    cavity->n_voxels++;
    cavity->sum += exp(-value_of(self, i) / self->options->kt);
    if (cavity->lowest == DEBYE_LIGANDS_NO_VOXEL || value_of(self, i) < value_of(self, cavity->lowest))
      cavity->lowest = i;
  }
}

/* --- Bulk --- */

/* Of those that were sampled, to the voxel that holds the point. */
static gsize
find_nearest(const Cavities *self, DebyeVec3 point, gsize voxel)
{
  double nearest = INFINITY;
  gsize found = 0;
  for (gsize i = 0; i < debye_grid_n_points(&self->terrain->grid); i++) {
    const DebyeVec3 way = voxel != DEBYE_LIGANDS_NO_VOXEL
                              ? debye_ligands_terrain_get_step(self->terrain, voxel, i)
                              : debye_vec3_subtract(debye_ligands_terrain_get_place(self->terrain, i), point);
    const double distance = debye_vec3_length(way);
    if (!isfinite(self->terrain->values[i]) || !(distance < nearest))
      continue;
    nearest = distance;
    found = i;
  }
  return found;
}

static gboolean
is_at_edge(const DebyeGrid *grid, gsize voxel)
{
  for (int axis = 0; axis < 3; axis++) {
    const gsize at = voxel % grid->shape[axis];
    voxel /= grid->shape[axis];
    if (grid->shape[axis] > 1 && (at == 0 || at == grid->shape[axis] - 1))
      return TRUE;
  }
  return FALSE;
}

static guint32
find_largest(const Cavities *self)
{
  g_autofree gsize *counts = g_new0(gsize, (gsize)self->n_regions + 1);
  guint32 largest = 1;
  for (gsize i = 0; i < debye_grid_n_points(&self->terrain->grid); i++)
    counts[self->regions[i]]++;
  for (guint32 i = 2; i <= self->n_regions; i++)
    if (counts[i] > counts[largest])
      largest = i;
  return largest;
}

/* Bulk becomes a region of its own number, one more than the others', of these voxels and of the regions that they are in. */
static void
join_bulk(Cavities *self, const gboolean *is_bulk)
{
  const gsize n = debye_grid_n_points(&self->terrain->grid);
  g_autofree gboolean *joins = g_new0(gboolean, (gsize)self->n_regions + 1);
  self->bulk = self->n_regions + 1;
  for (gsize i = 0; i < n; i++)
    joins[self->regions[i]] = joins[self->regions[i]] || is_bulk[i];
  joins[0] = FALSE;
  for (gsize i = 0; i < n; i++)
    if (is_bulk[i] || joins[self->regions[i]])
      self->regions[i] = self->bulk;
  self->n_regions++;
}

/* All that is within kT of bulk and touches it: a ligand that came that far is out. */
static void
grow_bulk(Cavities *self)
{
  const double kt = self->options->kt;
  double sum = 0.0, n = 0.0;
  for (gsize i = 0; i < debye_grid_n_points(&self->terrain->grid); i++) {
    if (self->regions[i] != self->bulk)
      continue;
    sum += exp(-value_of(self, i) / kt);
    n += 1.0;
  }
  const double mean = -kt * log(sum / n);
  if (n > 0.0)
    debye_ligands_terrain_grow(self->terrain, self->bulk, mean - kt, mean + kt, self->regions);
}

static gsize
find_bulk(Cavities *self)
{
  const gsize voxel = debye_ligands_terrain_find_voxel(self->terrain, self->options->bulk);
  self->is_bulk_sampled = voxel != DEBYE_LIGANDS_NO_VOXEL && isfinite(self->terrain->values[voxel]);
  self->bulk_voxel = self->is_bulk_sampled ? voxel : find_nearest(self, self->options->bulk, voxel);
  return self->bulk_voxel;
}

/* The voxel that a person points at; else what is sampled at the edge of the grid; in a cell, which has no edge, the largest
 * region. */
static void
choose_bulk(Cavities *self)
{
  const DebyeLigandsTerrain *terrain = self->terrain;
  const gsize n = debye_grid_n_points(&terrain->grid);
  const guint32 largest = find_largest(self);
  g_autofree gboolean *is_bulk = g_new0(gboolean, n);
  if (self->options->has_bulk)
    is_bulk[find_bulk(self)] = TRUE;
  for (gsize i = 0; !self->options->has_bulk && i < n; i++)
    is_bulk[i] = terrain->is_periodic[0] ? self->regions[i] == largest
                                         : isfinite(terrain->values[i]) && is_at_edge(&terrain->grid, i);
  join_bulk(self, is_bulk);
  grow_bulk(self);
}

static int
compare_lowest(gconstpointer a, gconstpointer b, gpointer data)
{
  const double one = value_of(data, ((const Cavity *)a)->lowest),
               other = value_of(data, ((const Cavity *)b)->lowest);
  return (one > other) - (one < other);
}

/* --- Ways --- */

/* The way's highest voxel is the saddle; the flood has its value. */
static void
find_way(const Cavities *self, Cavity *cavity)
{
  const double barrier = (double)self->barriers[cavity->lowest];
  if (!isfinite(barrier))
    return;
  cavity->way = debye_ligands_terrain_find_way(self->terrain, self->regions, self->bulk, cavity->lowest,
                                               barrier, self->options->kt);
  g_return_if_fail(cavity->way != NULL);
  const gsize *voxels = (const gsize *)(gpointer)cavity->way->data;
  cavity->saddle = voxels[0];
  for (guint i = 1; i < cavity->way->len; i++) {
    if (value_of(self, voxels[i]) > value_of(self, cavity->saddle))
      cavity->saddle = voxels[i];
    cavity->length +=
        debye_vec3_length(debye_ligands_terrain_get_step(self->terrain, voxels[i - 1], voxels[i]));
  }
}

/* --- What is told --- */

static void
add_cavity_table(const Cavities *self, DebyeResult *result)
{
  const char *unit = self->options->unit;
  const DebyeQuantity quantities[] = {{"cavity", "cavity", NULL},
                                      {"x", "x", "Å"},
                                      {"y", "y", "Å"},
                                      {"z", "z", "Å"},
                                      {"volume", "volume", "Å³"},
                                      {"lowest", "lowest free energy", unit},
                                      {"lowest_error", "lowest free energy", unit},
                                      {"mean", "mean free energy", unit},
                                      {"barrier", "barrier to bulk", unit},
                                      {"barrier_error", "barrier to bulk", unit},
                                      {"length", "length", "Å"}};
  const gsize n = self->cavities->len;
  g_autoptr(DebyeTable) table = debye_table_new("cavities");
  g_autofree double *columns = g_new(double, n *G_N_ELEMENTS(quantities) + 1);
  for (gsize i = 0; i < n; i++) {
    const Cavity *cavity = &g_array_index(self->cavities, Cavity, i);
    const DebyeVec3 place = debye_ligands_terrain_get_place(self->terrain, cavity->lowest);
    const gboolean is_connected = cavity->saddle != DEBYE_LIGANDS_NO_VOXEL;
    const double lowest = value_of(self, cavity->lowest), error = error_of(self, cavity->lowest);
    const double row[] = {(double)i + 1.0,
                          place.x,
                          place.y,
                          place.z,
                          (double)cavity->n_voxels * voxel_volume(self),
                          lowest,
                          error,
                          -self->options->kt * log(cavity->sum / (double)cavity->n_voxels),
                          is_connected ? value_of(self, cavity->saddle) - lowest : NAN,
                          is_connected ? hypot(error_of(self, cavity->saddle), error) : NAN,
                          is_connected ? cavity->length : NAN};
    for (gsize k = 0; k < G_N_ELEMENTS(quantities); k++)
      columns[k * n + i] = row[k];
  }
  for (gsize k = 0; k < G_N_ELEMENTS(quantities); k++)
    debye_table_add_numbers(table, &quantities[k], n, columns + k * n);
  debye_result_add_table(result, table);
}

/* Places go on where a way crosses the edge of a periodic grid. */
static void
add_path_rows(const Cavities *self, guint number, GArray *rows)
{
  const Cavity *cavity = &g_array_index(self->cavities, Cavity, number);
  DebyeVec3 place = debye_ligands_terrain_get_place(self->terrain, cavity->lowest);
  double distance = 0.0;
  for (guint i = 0; cavity->way != NULL && i < cavity->way->len; i++) {
    const gsize voxel = g_array_index(cavity->way, gsize, i);
    if (i > 0) {
      const DebyeVec3 step =
          debye_ligands_terrain_get_step(self->terrain, g_array_index(cavity->way, gsize, i - 1), voxel);
      place = debye_vec3_add(place, step);
      distance += debye_vec3_length(step);
    }
    const double row[] = {(double)number + 1.0, distance, place.x, place.y, place.z, value_of(self, voxel),
                          error_of(self, voxel)};
    g_array_append_vals(rows, row, G_N_ELEMENTS(row));
  }
}

static void
add_path_table(const Cavities *self, DebyeResult *result)
{
  const char *unit = self->options->unit;
  const DebyeQuantity quantities[] = {{"cavity", "cavity", NULL},
                                      {"distance", "distance along the path", "Å"},
                                      {"x", "x", "Å"},
                                      {"y", "y", "Å"},
                                      {"z", "z", "Å"},
                                      {"free_energy", "free energy", unit},
                                      {"free_energy_error", "free energy", unit}};
  const gsize n_columns = G_N_ELEMENTS(quantities);
  g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(double));
  g_autoptr(DebyeTable) table = debye_table_new("paths");
  for (guint i = 0; i < self->cavities->len; i++)
    add_path_rows(self, i, rows);
  const gsize n = rows->len / n_columns;
  g_autofree double *column = g_new(double, n + 1);
  for (gsize k = 0; k < n_columns; k++) {
    for (gsize i = 0; i < n; i++)
      column[i] = g_array_index(rows, double, i *n_columns + k);
    debye_table_add_numbers(table, &quantities[k], n, column);
  }
  debye_result_add_table(result, table);
}

/* The voxels about one of a way. */
static void
draw_voxel(const Cavities *self, gsize voxel, float *tube, float *energies)
{
  const DebyeLigandsTerrain *terrain = self->terrain;
  const gsize *shape = terrain->grid.shape;
  const gint64 at[3] = {(gint64)(voxel % shape[0]), (gint64)(voxel / shape[0] % shape[1]),
                        (gint64)(voxel / (shape[0] * shape[1]))};
  for (int i = 0; i < (2 * TUBE_REACH + 1) * (2 * TUBE_REACH + 1) * (2 * TUBE_REACH + 1); i++) {
    const int side = 2 * TUBE_REACH + 1;
    const int offsets[3] = {i % side - TUBE_REACH, i / side % side - TUBE_REACH,
                            i / (side * side) - TUBE_REACH};
    gsize place = 0, stride = 1;
    double square = 0.0;
    for (int axis = 0; axis < 3; axis++) {
      const gint64 n = (gint64)shape[axis];
      gint64 k = at[axis] + offsets[axis];
      if (terrain->is_periodic[axis])
        k = (k % n + n) % n;
      if (k < 0 || k >= n) {
        square = INFINITY;
        break;
      }
      place += (gsize)k * stride;
      stride *= (gsize)n;
      square += offsets[axis] * offsets[axis];
    }
    const float value = (float)exp(-0.5 * square / (TUBE * TUBE));
    if (!isfinite(square) || value <= tube[place])
      continue;
    tube[place] = value;
    energies[place] = self->terrain->values[voxel];
  }
}

static void
add_maps(Cavities *self, DebyeResult *result)
{
  const DebyeGrid *grid = &self->terrain->grid;
  const gsize n = debye_grid_n_points(grid);
  float *tube = g_new0(float, n), *energies = g_new(float, n);
  for (gsize i = 0; i < n; i++)
    energies[i] = NAN;
  for (guint i = 0; i < self->cavities->len; i++) {
    const GArray *way = g_array_index(self->cavities, Cavity, i).way;
    for (guint k = 0; way != NULL && k < way->len; k++)
      draw_voxel(self, g_array_index(way, gsize, k), tube, energies);
  }
  const char *unit = self->options->unit;
  g_autoptr(DebyeField) barriers =
      debye_field_new_of_kind(DEBYE_FIELD_BARRIER, grid, g_steal_pointer(&self->barriers), unit);
  g_autoptr(DebyeField) ways = debye_field_new_of_kind(DEBYE_FIELD_PATHWAYS, grid, tube, NULL);
  g_autoptr(DebyeField) colors = debye_field_new_of_kind(DEBYE_FIELD_PATHWAY_ENERGY, grid, energies, unit);
  debye_result_add_field(result, barriers);
  debye_result_add_field(result, ways);
  debye_result_add_field(result, colors);
}

/* Of a point that may not be where a person thinks it is. */
static void
warn_of_bulk(const Cavities *self, DebyeResult *result)
{
  char numbers[3][G_ASCII_DTOSTR_BUF_SIZE];
  if (!self->options->has_bulk)
    return;
  const DebyeVec3 place = debye_ligands_terrain_get_place(self->terrain, self->bulk_voxel);
  const double value = value_of(self, self->bulk_voxel);
  if (!self->is_bulk_sampled)
    debye_result_add_note_of(
        result, DEBYE_NOTE_WARNING, "Bulk at",
        "the voxel of the point was not sampled; the nearest sampled one is used, at %s,%s,%s Å",
        g_ascii_formatd(numbers[0], sizeof numbers[0], "%.4g", place.x),
        g_ascii_formatd(numbers[1], sizeof numbers[1], "%.4g", place.y),
        g_ascii_formatd(numbers[2], sizeof numbers[2], "%.4g", place.z));
  if (value > self->options->level + FAR_ABOVE * self->options->kt)
    debye_result_add_note_of(result, DEBYE_NOTE_WARNING, "Bulk at",
                             "the free energy there, %s %s, is far above that of cavities. Is the point in "
                             "bulk?",
                             g_ascii_formatd(numbers[0], sizeof numbers[0], "%.4g", value),
                             self->options->unit);
}

static void
add_notes(const Cavities *self, DebyeResult *result, const Cavity *bulk, guint n_left_out)
{
  char numbers[2][G_ASCII_DTOSTR_BUF_SIZE];
  guint n_closed = 0;
  for (guint i = 0; i < self->cavities->len; i++)
    n_closed += g_array_index(self->cavities, Cavity, i).saddle == DEBYE_LIGANDS_NO_VOXEL;
  debye_result_add_note(
      result, "Bulk: %s, %s Å³ with a mean free energy of %s %s",
      self->options->has_bulk         ? N_("the region at the chosen point")
      : self->terrain->is_periodic[0] ? N_("the largest region below the level")
                                      : N_("the region at the edge of the grid"),
      g_ascii_formatd(numbers[0], sizeof numbers[0], "%.4g", (double)bulk->n_voxels * voxel_volume(self)),
      g_ascii_formatd(numbers[1], sizeof numbers[1], "%.4g",
                      -self->options->kt * log(bulk->sum / (double)bulk->n_voxels)),
      self->options->unit);
  debye_result_add_note(result, "Cavities: %u, of which %u have no path to bulk through sampled voxels",
                        self->cavities->len, n_closed);
  if (n_left_out > 0)
    debye_result_add_note_of(result, DEBYE_NOTE_WARNING, NULL,
                             "%u shallow cavities are left out: more than %u lie below the level", n_left_out,
                             MOST_CAVITIES);
}

/* Bulk goes out of the list, and what has become a part of it. */
static Cavity
take_bulk(Cavities *self)
{
  Cavity bulk = {0};
  for (guint i = self->cavities->len; i-- > 0;) {
    const Cavity cavity = g_array_index(self->cavities, Cavity, i);
    if (cavity.region == self->bulk)
      bulk = cavity;
    if (cavity.region == self->bulk || cavity.n_voxels == 0)
      g_array_remove_index(self->cavities, i);
  }
  return bulk;
}

void
debye_ligands_cavities_add(DebyeResult *result, const DebyeLigandsTerrain *terrain,
                           const DebyeLigandsCavityOptions *options)
{
  g_auto(Cavities) self = {.terrain = terrain, .options = options};
  self.regions = debye_ligands_terrain_find_regions(terrain, options->level, &self.n_regions);
  if (self.n_regions == 0) {
    char level[G_ASCII_DTOSTR_BUF_SIZE];
    debye_result_add_note_of(result, DEBYE_NOTE_WARNING, "Cavities below",
                             "no voxel has a free energy below %s %s: there are no cavities and no bulk",
                             g_ascii_formatd(level, sizeof level, "%g", options->level), options->unit);
    return;
  }
  self.cavities = g_array_new(FALSE, TRUE, sizeof(Cavity));
  g_array_set_clear_func(self.cavities, clear_cavity);
  choose_bulk(&self);
  measure_regions(&self);
  const Cavity bulk = take_bulk(&self);
  g_array_sort_with_data(self.cavities, compare_lowest, &self);
  const guint n_left_out = self.cavities->len > MOST_CAVITIES ? self.cavities->len - MOST_CAVITIES : 0;
  g_array_set_size(self.cavities, self.cavities->len - n_left_out);
  self.barriers = debye_ligands_terrain_flood(terrain, self.regions, self.bulk);
  for (guint i = 0; i < self.cavities->len; i++)
    find_way(&self, &g_array_index(self.cavities, Cavity, i));
  add_cavity_table(&self, result);
  add_path_table(&self, result);
  add_maps(&self, result);
  add_notes(&self, result, &bulk, n_left_out);
  warn_of_bulk(&self, result);
}
