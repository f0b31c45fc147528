/* SPDX-License-Identifier: MIT */
/* Cavities and ways of made-up maps, whose barriers and ways are known: a row of wells, walls with a gate, gaps that were not
 * sampled, edges that are periodic. */
#include <math.h>
#include <string.h>

#include "app/analysis/ligands/ligands_cavities.h"
#include "app/analysis/ligands/ligands_settings.h"

#define STEP 0.5 /* Å */
#define KT 0.6

static DebyeLigandsTerrain
make_terrain(const float *values, gsize nx, gsize ny, gsize nz, gboolean is_periodic)
{
  return (DebyeLigandsTerrain){.grid = {.origin = {1.0, 2.0, 3.0},
                                        .step = {{STEP, 0, 0}, {0, STEP, 0}, {0, 0, STEP}},
                                        .shape = {nx, ny, nz}},
                               .is_periodic = {is_periodic, is_periodic, is_periodic},
                               .values = values};
}

/* Bulk of three voxels, a pass of 2, a well, a pass of 5, a deeper well, and beyond it nothing that was sampled. */
static const float row[] = {0, -0.1f, 0, 2, -3, 5, -4, NAN};

static void
test_row(void)
{
  const DebyeLigandsTerrain terrain = make_terrain(row, G_N_ELEMENTS(row), 1, 1, FALSE);
  guint32 n;
  g_autofree guint32 *regions = debye_ligands_terrain_find_regions(&terrain, 0.5, &n);
  static const guint32 expected[] = {1, 1, 1, 0, 2, 0, 3, 0};
  g_assert_cmpuint(n, ==, 3);
  g_assert_cmpmem(regions, sizeof expected, expected, sizeof expected);
  g_autofree float *barriers = debye_ligands_terrain_flood(&terrain, regions, 1);
  static const float flooded[] = {0, -0.1f, 0, 2, 2, 5, 5};
  for (gsize i = 0; i < G_N_ELEMENTS(flooded); i++)
    g_assert_cmpfloat(barriers[i], ==, flooded[i]);
  g_autoptr(GArray) way = debye_ligands_terrain_find_way(&terrain, regions, 1, 6, 5.0, KT);
  static const gsize voxels[] = {6, 5, 4, 3, 2};
  g_assert_cmpmem(way->data, way->len * sizeof(gsize), voxels, sizeof voxels);
  g_assert_null(debye_ligands_terrain_find_way(&terrain, regions, 1, 6, 4.9, KT));
}

/* Around a ring the well is reached from its other side, over 3 and not 5. */
static void
test_periodic(void)
{
  static const float ring[] = {0, 0, 5, -1, 3};
  for (int is_periodic = 0; is_periodic < 2; is_periodic++) {
    const DebyeLigandsTerrain terrain = make_terrain(ring, 5, 1, 1, is_periodic);
    guint32 n;
    g_autofree guint32 *regions = debye_ligands_terrain_find_regions(&terrain, 0.5, &n);
    g_autofree float *barriers = debye_ligands_terrain_flood(&terrain, regions, 1);
    g_assert_cmpuint(n, ==, 2);
    g_assert_cmpfloat(barriers[3], ==, is_periodic ? 3.0f : 5.0f);
  }
  const DebyeLigandsTerrain terrain = make_terrain(ring, 5, 1, 1, TRUE);
  g_assert_cmpfloat(debye_ligands_terrain_get_step(&terrain, 4, 0).x, ==, STEP);
}

/* A wall of 9 with a gate of 4 at its far end between two flats, the right one a little
 * lower: the way leads through the gate, and nowhere beside it. */
#define SIDE 7
static void
test_gate(void)
{
  float values[SIDE * SIDE];
  for (gsize i = 0; i < SIDE * SIDE; i++)
    values[i] = i % SIDE < 3 ? 0.0f : i % SIDE == 3 ? 9.0f : -0.5f;
  values[3 + SIDE * (SIDE - 1)] = 4.0f;
  const DebyeLigandsTerrain terrain = make_terrain(values, SIDE, SIDE, 1, FALSE);
  guint32 n;
  g_autofree guint32 *regions = debye_ligands_terrain_find_regions(&terrain, 1.0, &n);
  g_assert_cmpuint(n, ==, 2);
  g_autofree float *barriers = debye_ligands_terrain_flood(&terrain, regions, 1);
  g_assert_cmpfloat(barriers[6], ==, 4.0f);
  g_autoptr(GArray) way = debye_ligands_terrain_find_way(&terrain, regions, 1, 6, 4.0, KT);
  /* Six down, three to the gate, one through it: no way is shorter. */
  g_assert_cmpuint(way->len, ==, 11);
  gboolean has_gate = FALSE;
  for (guint i = 0; i < way->len; i++) {
    has_gate = has_gate || g_array_index(way, gsize, i) == 3 + SIDE * (SIDE - 1);
    g_assert_cmpfloat(values[g_array_index(way, gsize, i)], <=, 4.0f);
  }
  g_assert_true(has_gate);
}

/* --- What a result says of them --- */

static const double *
get_column(DebyeTable *table, const char *name)
{
  for (gsize i = 0; i < debye_table_get_n_columns(table); i++)
    if (g_str_equal(debye_table_get_quantity(table, i)->name, name))
      return debye_table_get_numbers(table, i);
  g_assert_not_reached();
}

static DebyeResult *
analyse(const float *values, const float *errors, gsize n, const DebyeVec3 *bulk)
{
  const DebyeLigandsTerrain terrain = make_terrain(values, n, 1, 1, FALSE);
  g_autoptr(DebyeRequest) request = debye_request_new(&debye_ligands_settings);
  DebyeResult *result = debye_result_new(request, "Free energy of a ligand");
  const DebyeLigandsCavityOptions options = {.level = 0.5,
                                             .kt = KT,
                                             .has_bulk = bulk != NULL,
                                             .bulk = bulk != NULL ? *bulk : debye_vec3(0, 0, 0),
                                             .unit = "kcal/mol",
                                             .errors = errors};
  debye_ligands_cavities_add(result, &terrain, &options);
  return result;
}

static gboolean
has_note(DebyeResult *result, const char *text)
{
  GPtrArray *notes = debye_result_get_notes(result);
  for (guint i = 0; i < notes->len; i++)
    if (strstr(((const DebyeNote *)notes->pdata[i])->text, text) != NULL)
      return TRUE;
  return FALSE;
}

static void
test_tables(void)
{
  static const float errors[] = {0.1f, 0.1f, 0.1f, 0.3f, 0.4f, 1.2f, 0.5f, NAN};
  g_autoptr(DebyeResult) result = analyse(row, errors, G_N_ELEMENTS(row), NULL);
  g_autoptr(DebyeTable) cavities = g_list_model_get_item(debye_result_get_tables(result), 0);
  g_autoptr(DebyeTable) paths = g_list_model_get_item(debye_result_get_tables(result), 1);
  g_assert_cmpuint(debye_table_get_n_rows(cavities), ==, 2);
  static const double barriers[] = {9.0, 5.0}, barrier_errors[] = {1.3, 0.5},
                      lengths[] = {4 * STEP, 2 * STEP}, places[] = {1.0 + 6 * STEP, 1.0 + 4 * STEP};
  for (int i = 0; i < 2; i++) {
    g_assert_cmpfloat_with_epsilon(get_column(cavities, "barrier")[i], barriers[i], 1e-6);
    g_assert_cmpfloat_with_epsilon(get_column(cavities, "barrier_error")[i], barrier_errors[i], 1e-6);
    g_assert_cmpfloat_with_epsilon(get_column(cavities, "length")[i], lengths[i], 1e-12);
    g_assert_cmpfloat_with_epsilon(get_column(cavities, "x")[i], places[i], 1e-12);
    g_assert_cmpfloat_with_epsilon(get_column(cavities, "volume")[i], STEP * STEP * STEP, 1e-12);
  }
  g_assert_cmpuint(debye_table_get_n_rows(paths), ==, 5 + 3);
  g_assert_cmpfloat_with_epsilon(get_column(paths, "distance")[4], 4 * STEP, 1e-12);
  g_assert_cmpfloat_with_epsilon(get_column(paths, "free_energy")[1], 5.0, 1e-6);
  g_assert_true(
      has_note(result, "Bulk: the region at the edge of the grid, 0.375 Å³ with a mean free energy of"));
  g_autoptr(DebyeField) barrier = g_list_model_get_item(debye_result_get_fields(result), 0);
  g_assert_cmpfloat(debye_field_get_values(barrier)[4], ==, 2.0f);
  g_autoptr(DebyeField) ways = g_list_model_get_item(debye_result_get_fields(result), 1);
  g_assert_cmpfloat(debye_field_get_values(ways)[3], ==, 1.0f);
  g_assert_cmpfloat(debye_field_get_values(ways)[1], <, 0.7f);
}

/* Behind voxels that were not sampled there is no way, and none is made up. */
static void
test_closed(void)
{
  const float values[] = {0, 0, 0, NAN, -3, NAN};
  g_autoptr(DebyeResult) result = analyse(values, NULL, G_N_ELEMENTS(values), NULL);
  g_autoptr(DebyeTable) cavities = g_list_model_get_item(debye_result_get_tables(result), 0);
  g_autoptr(DebyeTable) paths = g_list_model_get_item(debye_result_get_tables(result), 1);
  g_assert_cmpuint(debye_table_get_n_rows(cavities), ==, 1);
  g_assert_true(isnan(get_column(cavities, "barrier")[0]));
  g_assert_cmpuint(debye_table_get_n_rows(paths), ==, 0);
  g_assert_true(has_note(result, "Cavities: 1, of which 1 have no path to bulk through sampled voxels"));
}

/* The smaller region, for a point says so; and a level that nothing lies below. */
static void
test_choices(void)
{
  const DebyeVec3 well = debye_vec3(1.0 + 4 * STEP, 2.2, 3.0);
  g_autoptr(DebyeResult) result = analyse(row, NULL, G_N_ELEMENTS(row), &well);
  g_autoptr(DebyeTable) cavities = g_list_model_get_item(debye_result_get_tables(result), 0);
  g_assert_cmpfloat_with_epsilon(get_column(cavities, "barrier")[1], 2.1, 1e-6);
  g_assert_false(has_note(result, "the voxel of the point was not sampled"));
  const float gap[] = {0, 0, 9, NAN, -3, 0};
  const DebyeVec3 unsampled = debye_vec3(1.0 + 3.2 * STEP, 2.0, 3.0),
                  high_up = debye_vec3(1.0 + 2 * STEP, 2.0, 3.0);
  g_autoptr(DebyeResult) moved = analyse(gap, NULL, G_N_ELEMENTS(gap), &unsampled);
  g_assert_true(has_note(moved, "the nearest sampled one is used, at 2,2,3 Å"));
  g_assert_true(has_note(moved, "the free energy there, 9 kcal/mol, is far above"));
  g_autoptr(DebyeResult) above = analyse(gap, NULL, G_N_ELEMENTS(gap), &high_up);
  g_assert_true(has_note(above, "the free energy there, 9 kcal/mol, is far above"));
  g_assert_false(has_note(above, "the voxel of the point was not sampled"));
  static const float high[] = {1, 2, 3};
  g_autoptr(DebyeResult) empty = analyse(high, NULL, G_N_ELEMENTS(high), NULL);
  g_assert_cmpuint(g_list_model_get_n_items(debye_result_get_tables(empty)), ==, 0);
  g_assert_true(has_note(empty, "no voxel has a free energy below 0.5 kcal/mol"));
}

/* Skew steps; periodic axes repeat, others end half a step behind their last voxel. */
static void
test_voxel_of_point(void)
{
  DebyeLigandsTerrain terrain = make_terrain(NULL, 4, 3, 2, FALSE);
  terrain.grid.step[1] = debye_vec3(0.5 * STEP, STEP, 0.0);
  for (gsize i = 0; i < 24; i++)
    g_assert_cmpuint(debye_ligands_terrain_find_voxel(&terrain, debye_ligands_terrain_get_place(&terrain, i)),
                     ==, i);
  const DebyeVec3 outside =
      debye_vec3_subtract(debye_ligands_terrain_get_place(&terrain, 0), terrain.grid.step[0]);
  g_assert_cmpuint(debye_ligands_terrain_find_voxel(&terrain, outside), ==, DEBYE_LIGANDS_NO_VOXEL);
  terrain.is_periodic[0] = TRUE;
  g_assert_cmpuint(debye_ligands_terrain_find_voxel(&terrain, outside), ==, 3);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/ligands/row", test_row);
  g_test_add_func("/ligands/periodic", test_periodic);
  g_test_add_func("/ligands/gate", test_gate);
  g_test_add_func("/ligands/tables", test_tables);
  g_test_add_func("/ligands/closed", test_closed);
  g_test_add_func("/ligands/choices", test_choices);
  g_test_add_func("/ligands/voxel-of-point", test_voxel_of_point);
  return g_test_run();
}
