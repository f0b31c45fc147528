/* SPDX-License-Identifier: MIT */
/* Curves, matrices and tables of a result, there and back through HDF5 and into CSV. */
#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/h5/h5.h"
#include "data/results/curve_of.h"
#include "map_support.h"

#define N 5

static char *folder;

static const double x_values[N] = {0.5, 1.0, 1.5, 2.0, 2.5};
static const double y_values[N] = {0.0, 2.8, 1.0 / 3.0, NAN, -1e-300};
static const double error_values[N] = {0.1, 0.2, 0.3, 0.4, 0.5};

static const DebyeQuantity distance = {"r", "r", "Å"};
static const DebyeQuantity distribution = {"g", "g(r)", ""};

static DebyeCurve *
make_curve(const char *name, DebyeCurveStyle style, gboolean with_errors)
{
  return debye_curve_new(name, &distance, &distribution, style, N, x_values, y_values,
                         with_errors ? error_values : NULL);
}

static DebyeMatrix *
make_matrix(void)
{
  const double q[] = {0.1, 0.2}, tau[] = {0.0, 1.0, 10.0}, values[] = {1.0, 0.5, 0.25, 1.0, 0.4, NAN},
               errors[] = {0.0, 0.1, 0.2, 0.0, 0.1, 0.2};
  return debye_matrix_new("F(q, τ)", &(DebyeQuantity){"q", NULL, "Å⁻¹"}, 2, q,
                          &(DebyeQuantity){"tau", "τ", "ps"}, 3, tau, &(DebyeQuantity){"F_re", "F(q, τ)", ""},
                          values, errors);
}

static DebyeTable *
make_table(const char *name)
{
  const char *const elements[] = {"O", "H", NULL};
  const double lengths[] = {5.803, -3.739};
  DebyeTable *table = debye_table_new(name);
  debye_table_add_texts(table, &(DebyeQuantity){"element", NULL, NULL}, elements);
  debye_table_add_numbers(table, &(DebyeQuantity){"b", "b", "fm"}, 2, lengths);
  return table;
}

/* `what`: c(urves), m(atrix), t(able), w(eights), f(ield). */
static DebyeResult *
make_result(const char *what)
{
  g_autoptr(DebyeRequest) request = debye_request_new(&map_support_table);
  DebyeResult *result = debye_result_new(request, "Pair distribution");
  for (; *what != '\0'; what++) {
    if (*what == 'c') {
      g_autoptr(DebyeCurve) one = make_curve("O–O", DEBYE_CURVE_LINE, TRUE);
      g_autoptr(DebyeCurve) two = make_curve("O–H", DEBYE_CURVE_STEPS, FALSE);
      debye_result_add_curve(result, one);
      debye_result_add_curve(result, two);
    } else if (*what == 'm') {
      g_autoptr(DebyeMatrix) matrix = make_matrix();
      debye_result_add_matrix(result, matrix);
    } else if (*what == 't' || *what == 'w') {
      g_autoptr(DebyeTable) table = make_table(*what == 't' ? "rows" : DEBYE_TABLE_OF_WEIGHTS);
      debye_result_add_table(result, table);
    } else {
      g_autoptr(DebyeField) field = map_support_make_field(FALSE);
      debye_result_add_field(result, field);
    }
  }
  return result;
}

static char *
save(DebyeResult *result, const char *name)
{
  GError *error = NULL;
  char *path = g_build_filename(folder, name, NULL);
  debye_result_save(result, path, "debye-cli rdf", &error);
  g_assert_no_error(error);
  return path;
}

static DebyeResult *
load(const char *path)
{
  GError *error = NULL;
  DebyeResult *result = debye_result_load(path, map_support_find_table, &error);
  g_assert_no_error(error);
  return result;
}

static void
assert_same_quantity(const DebyeQuantity *found, const DebyeQuantity *expected)
{
  g_assert_cmpstr(found->name, ==, expected->name);
  g_assert_cmpstr(found->label, ==, expected->label);
  g_assert_cmpstr(found->unit, ==, expected->unit);
}

/* To the last bit, NaN included. */
static void
assert_same_numbers(const double *found, const double *expected, gsize n)
{
  g_assert_cmpmem(found, n * sizeof(double), expected, n * sizeof(double));
}

static void
assert_same_curves(DebyeResult *again, DebyeResult *result)
{
  GListModel *curves = debye_result_get_curves(result), *found = debye_result_get_curves(again);
  g_assert_cmpuint(g_list_model_get_n_items(found), ==, g_list_model_get_n_items(curves));
  for (guint i = 0; i < g_list_model_get_n_items(curves); i++) {
    g_autoptr(DebyeCurve) curve = g_list_model_get_item(found, i);
    g_autoptr(DebyeCurve) expected = g_list_model_get_item(curves, i);
    g_assert_cmpstr(debye_curve_get_name(curve), ==, debye_curve_get_name(expected));
    g_assert_cmpint(debye_curve_get_style(curve), ==, debye_curve_get_style(expected));
    assert_same_quantity(debye_curve_get_x_quantity(curve), debye_curve_get_x_quantity(expected));
    assert_same_quantity(debye_curve_get_y_quantity(curve), debye_curve_get_y_quantity(expected));
    g_assert_cmpuint(debye_curve_get_n_points(curve), ==, N);
    assert_same_numbers(debye_curve_get_x(curve), x_values, N);
    assert_same_numbers(debye_curve_get_y(curve), y_values, N);
    g_assert_cmpint(debye_curve_get_errors(curve) == NULL, ==, debye_curve_get_errors(expected) == NULL);
    if (debye_curve_get_errors(curve) != NULL)
      assert_same_numbers(debye_curve_get_errors(curve), error_values, N);
  }
}

static void
assert_same_matrix(DebyeResult *again)
{
  g_autoptr(DebyeMatrix) matrix = g_list_model_get_item(debye_result_get_matrices(again), 0);
  g_autoptr(DebyeMatrix) expected = make_matrix();
  g_assert_nonnull(matrix);
  g_assert_cmpstr(debye_matrix_get_name(matrix), ==, "F(q, τ)");
  g_assert_cmpuint(debye_matrix_get_n_rows(matrix), ==, 2);
  g_assert_cmpuint(debye_matrix_get_n_columns(matrix), ==, 3);
  assert_same_quantity(debye_matrix_get_row_quantity(matrix), debye_matrix_get_row_quantity(expected));
  assert_same_quantity(debye_matrix_get_column_quantity(matrix), debye_matrix_get_column_quantity(expected));
  assert_same_quantity(debye_matrix_get_quantity(matrix), debye_matrix_get_quantity(expected));
  assert_same_numbers(debye_matrix_get_row_values(matrix), debye_matrix_get_row_values(expected), 2);
  assert_same_numbers(debye_matrix_get_column_values(matrix), debye_matrix_get_column_values(expected), 3);
  assert_same_numbers(debye_matrix_get_values(matrix), debye_matrix_get_values(expected), 6);
  assert_same_numbers(debye_matrix_get_errors(matrix), debye_matrix_get_errors(expected), 6);
}

static void
assert_same_table(DebyeResult *again)
{
  g_autoptr(DebyeTable) table = g_list_model_get_item(debye_result_get_tables(again), 0);
  g_autoptr(DebyeTable) expected = make_table("rows");
  g_assert_nonnull(table);
  g_assert_cmpstr(debye_table_get_name(table), ==, "rows");
  g_assert_cmpuint(debye_table_get_n_columns(table), ==, 2);
  g_assert_cmpuint(debye_table_get_n_rows(table), ==, 2);
  assert_same_quantity(debye_table_get_quantity(table, 0), debye_table_get_quantity(expected, 0));
  assert_same_quantity(debye_table_get_quantity(table, 1), debye_table_get_quantity(expected, 1));
  g_assert_cmpstr(debye_table_get_texts(table, 0)[1], ==, "H");
  assert_same_numbers(debye_table_get_numbers(table, 1), debye_table_get_numbers(expected, 1), 2);
}

static void
test_round_trip(void)
{
  static const char *const contents[] = {"c", "m", "t", "cmt", "tmc", "fcmt"};
  for (gsize i = 0; i < G_N_ELEMENTS(contents); i++) {
    g_autoptr(DebyeResult) result = make_result(contents[i]);
    g_autofree char *path = save(result, "result.h5");
    g_autoptr(DebyeResult) again = load(path);
    assert_same_curves(again, result);
    if (strchr(contents[i], 'm') != NULL)
      assert_same_matrix(again);
    if (strchr(contents[i], 't') != NULL)
      assert_same_table(again);
    g_assert_cmpuint(g_list_model_get_n_items(debye_result_get_fields(again)), ==,
                     strchr(contents[i], 'f') != NULL);
    /* And what was loaded can be saved. */
    g_autofree char *second = save(again, "again.h5");
    g_autoptr(DebyeResult) twice = load(second);
    assert_same_curves(twice, result);
  }
}

/* Chain A of segment SEG isn't another quantity of a chain SEG, whatever the names look like; what is said where names say
 * nothing or something else is stored, and what they say already isn't. */
static void
test_quantities_of_one(void)
{
  static const struct {
    const char *name, *of, *written;
  } cases[] = {{"SEG", NULL, NULL},
               {"SEG A", NULL, ""},
               {"O–O", NULL, NULL},
               {"O–O coordination", "O–O", NULL},
               {"neighbours", "O–O", "O–O"},
               {"SEG charge", "O–O", "O–O"},
               {"elsewhere", "of no curve", NULL}};
  g_autoptr(DebyeResult) result = make_result("");
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autoptr(DebyeCurve) curve = make_curve(cases[i].name, DEBYE_CURVE_LINE, FALSE);
    debye_curve_set_of(curve, cases[i].of);
    debye_result_add_curve(result, curve);
  }
  g_autofree char *path = save(result, "of.h5");
  g_autoptr(DebyeResult) again = load(path);
  GListModel *before = debye_result_get_curves(result), *after = debye_result_get_curves(again);
  for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autoptr(DebyeCurve) curve = g_list_model_get_item(before, i);
    g_autoptr(DebyeCurve) loaded = g_list_model_get_item(after, i);
    g_assert_cmpstr(debye_curve_of_write(before, curve), ==, cases[i].written);
    g_assert_cmpstr(debye_curve_of_find(after, loaded), ==, debye_curve_of_find(before, curve));
    g_assert_cmpstr(debye_curve_of_write(after, loaded), ==, cases[i].written);
    if (cases[i].of == NULL)
      g_assert_null(debye_curve_get_of(loaded));
  }
}

/* A map keeps its kind under any name; one whose name says it has nothing beside it in its file. */
static void
test_kinds(void)
{
  static const struct {
    const char *name, *unit;
    DebyeFieldKind kind;
    gboolean is_written;
  } cases[] = {{"free_energy", "kcal/mol", DEBYE_FIELD_FREE_ENERGY, FALSE},
               {"xenon", "kcal/mol", DEBYE_FIELD_FREE_ENERGY, TRUE},
               {"free_energy", "kcal/mol", DEBYE_FIELD_ANY, TRUE},
               {"orbital 3", "bohr^-3/2", DEBYE_FIELD_ORBITAL, FALSE},
               {"electron density", "electrons/bohr³", DEBYE_FIELD_ELECTRON_DENSITY, FALSE},
               {"electron density", "e/Å³", DEBYE_FIELD_ANY, FALSE},
               {"electron density difference", "electrons/bohr³", DEBYE_FIELD_ELECTRONS, FALSE}};
  g_autoptr(DebyeField) model = map_support_make_field(FALSE);
  const DebyeGrid *grid = debye_field_get_grid(model);
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autoptr(DebyeResult) result = make_result("");
    g_autoptr(DebyeField) field =
        debye_field_new_take(cases[i].name, grid, g_new0(float, debye_grid_n_points(grid)), cases[i].unit);
    debye_field_set_kind(field, cases[i].kind);
    g_assert_cmpint(debye_array_get_content(DEBYE_ARRAY(field))->attributes[DEBYE_ARRAY_KIND] != NULL, ==,
                    cases[i].is_written);
    debye_result_add_field(result, field);
    g_autofree char *path = save(result, "kind.h5");
    g_autoptr(DebyeResult) again = load(path);
    g_autoptr(DebyeField) loaded = g_list_model_get_item(debye_result_get_fields(again), 0);
    g_autoptr(DebyeField) alone = debye_field_load(path, NULL);
    g_assert_cmpint(debye_field_get_kind(loaded), ==, cases[i].kind);
    g_assert_cmpint(debye_field_get_kind(alone), ==, cases[i].kind);
  }
  for (int kind = 0; kind < DEBYE_FIELD_N_KINDS; kind++)
    g_assert_cmpint(debye_field_kind_from_word(debye_field_kind_get_word((DebyeFieldKind)kind)), ==, kind);
  g_assert_cmpint(debye_field_kind_from_word("of tomorrow"), ==, DEBYE_FIELD_ANY);
}

static void
assert_text(hid_t file, const char *path, const char *attribute, const char *expected)
{
  g_auto(DebyeH5Dataset) object = H5Oopen(file, path, H5P_DEFAULT);
  g_assert_cmpint(object, >=, 0);
  g_autofree char *text = debye_h5_read_string(object, attribute);
  g_assert_cmpstr(text, ==, expected);
}

/* What h5web, silx and NexPy look for. */
static void
test_nexus(void)
{
  g_autoptr(DebyeResult) result = make_result("cmt");
  g_autofree char *path = save(result, "nexus.h5");
  DEBYE_H5_LOCKED();
  g_auto(DebyeH5File) file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  assert_text(file, "/entry", "default", "data");
  assert_text(file, "/entry/data", "NX_class", "NXdata");
  assert_text(file, "/entry/data", "signal", "g");
  assert_text(file, "/entry/data", "axes", "r");
  assert_text(file, "/entry/data/r", "units", "Å");
  assert_text(file, "/entry/data/g", "long_name", "g(r)");
  g_assert_cmpint(H5Lexists(file, "/entry/data/g_errors", H5P_DEFAULT), >, 0);
  assert_text(file, "/entry/F_q_tau", "signal", "F_re");
  g_auto(DebyeH5Group) matrix = H5Gopen2(file, "/entry/F_q_tau", H5P_DEFAULT);
  g_auto(GStrv) axes = debye_h5_read_strings(matrix, "axes");
  g_assert_cmpstr(axes[0], ==, "q");
  g_assert_cmpstr(axes[1], ==, "tau");
  assert_text(file, "/entry/rows", "NX_class", "NXcollection");
}

/* Scripts find the errors of an intensity in the file, a reader of the whole none where none are known. */
static void
test_intensity(void)
{
  static const DebyeQuantity wave_number = {"q", "q", "Å⁻¹"}, intensity = {"intensity", "I(q)", "fm²"};
  for (int known = 0; known <= 1; known++) {
    g_autoptr(DebyeRequest) request = debye_request_new(&map_support_table);
    g_autoptr(DebyeResult) result = debye_result_new(request, "");
    g_autoptr(DebyeCurve) curve = debye_curve_new("coherent", &wave_number, &intensity, DEBYE_CURVE_LINE, N,
                                                  x_values, y_values, known ? error_values : NULL);
    debye_result_add_curve(result, curve);
    g_autofree char *path = save(result, "intensity.h5");
    g_autoptr(DebyeResult) again = load(path);
    assert_same_curves(again, result);
    DEBYE_H5_LOCKED();
    g_auto(DebyeH5File) file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_text(file, "/entry/data", "signal", "I");
    assert_text(file, "/entry/data/I", "name", "intensity");
    assert_text(file, "/entry/data/I_errors", "units", "fm²");
    assert_text(file, "/entry/data/intensity", "units", "fm²");
  }
}

/* Errors of which none is known are none, whatever they stand beside. */
static void
test_unknown_errors(void)
{
  const double unknown[] = {NAN, NAN, NAN, NAN}, values[] = {1.0, 2.0, 3.0, 4.0};
  g_autoptr(DebyeRequest) request = debye_request_new(&map_support_table);
  g_autoptr(DebyeResult) result = debye_result_new(request, "");
  g_autoptr(DebyeCurve) curve =
      debye_curve_new("g", &distance, &distribution, DEBYE_CURVE_LINE, 4, values, values, unknown);
  g_autoptr(DebyeMatrix) matrix =
      debye_matrix_new("F", &distance, 2, values, &distance, 2, values, &distribution, values, unknown);
  debye_result_add_curve(result, curve);
  debye_result_add_matrix(result, matrix);
  g_autofree char *path = save(result, "unknown.h5");
  g_autoptr(DebyeResult) again = load(path);
  for (guint n_axes = 1; n_axes <= 2; n_axes++) {
    g_autoptr(DebyeArray) array = g_list_model_get_item(debye_result_get_arrays(again, n_axes), 0);
    g_assert_null(debye_array_get_errors(array));
    assert_same_numbers(debye_array_get_values(array), values, 4);
  }
}

static void
test_csv(void)
{
  static const struct {
    const char *content, *columns;
  } cases[] = {
      {"c", "\n# unit of r: Å\nr,O–O.g,O–O.g_error,O–H.g\n0.5,0,0.1,0\n1,2.8,0.2,2.8\n"},
      {"m", "\n# unit of q: Å⁻¹\n# unit of tau: ps\nq,tau,F_re,F_re_error\n0.1,0,1,0\n0.1,1,0.5,0.1\n"},
      {"t", "\n# unit of b: fm\nelement,b\nO,5.803\nH,-3.739\n"},
      {"ct", "\n# unit of b: fm\nelement,b\nO,5.803\nH,-3.739\n"},
      {"cwt", "\n# unit of b: fm\nelement,b\nO,5.803\nH,-3.739\n"},
      {"w", "\n# unit of b: fm\nelement,b\nO,5.803\nH,-3.739\n"},
      {"wm", "\n# unit of q: Å⁻¹\n# unit of tau: ps\nq,tau,F_re,F_re_error\n0.1,0,1,0\n0.1,1,0.5,0.1\n"},
      {"wf", "x,y,z,potential\n"},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autofree char *text = NULL;
    g_autoptr(DebyeResult) result = make_result(cases[i].content);
    g_autofree char *path = save(result, "result.csv");
    g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
    g_assert_nonnull(strstr(text, "# command_line: debye-cli rdf\n"));
    if (strstr(text, cases[i].columns) == NULL)
      g_error("“%s” lacks “%s”", text, cases[i].columns);
  }
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeResult) result = make_result("c");
  g_autofree char *path = g_build_filename(folder, "curve.dx", NULL);
  g_assert_false(debye_result_save(result, path, NULL, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_MISSING);
}

/* The curve that was written as CSV is read as one. */
static void
test_csv_back(void)
{
  GError *error = NULL;
  g_autoptr(DebyeRequest) request = debye_request_new(&map_support_table);
  g_autoptr(DebyeResult) result = debye_result_new(request, "");
  g_autoptr(DebyeCurve) curve = make_curve("O–O", DEBYE_CURVE_LINE, TRUE);
  debye_result_add_curve(result, curve);
  g_autofree char *path = save(result, "back.csv");
  g_autoptr(DebyeCurve) again = debye_curve_load(path, &error);
  g_assert_no_error(error);
  g_assert_cmpuint(debye_curve_get_n_points(again), ==, N);
  g_assert_cmpfloat(debye_curve_get_y(again)[2], ==, 1.0 / 3.0);
  assert_same_numbers(debye_curve_get_errors(again), error_values, N);
  g_assert_cmpstr(debye_curve_get_x_quantity(again)->unit, ==, "Å");
}

/* --- Files that are not what they seem to be --- */

typedef void (*Spoil)(hid_t file);

static void
replace_signal(hid_t file, int rank, const hsize_t *shape)
{
  H5Ldelete(file, "/entry/data/g", H5P_DEFAULT);
  g_auto(DebyeH5Space) space = H5Screate_simple(rank, shape, NULL);
  g_auto(DebyeH5Dataset) dataset =
      H5Dcreate2(file, "/entry/data/g", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  g_assert_cmpint(dataset, >=, 0);
}

static void
make_longer(hid_t file)
{
  const hsize_t n = N + 1;
  replace_signal(file, 1, &n);
}

static void
make_flat(hid_t file)
{
  const hsize_t shape[] = {2, 2};
  replace_signal(file, 2, shape);
}

static void
make_huge(hid_t file)
{
  const hsize_t n = (hsize_t)1 << 50, chunk = 1 << 20;
  g_auto(DebyeH5Properties) properties = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(properties, 1, &chunk);
  H5Ldelete(file, "/entry/data/g", H5P_DEFAULT);
  g_auto(DebyeH5Space) space = H5Screate_simple(1, &n, NULL);
  g_auto(DebyeH5Dataset) dataset =
      H5Dcreate2(file, "/entry/data/g", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, properties, H5P_DEFAULT);
  g_assert_cmpint(dataset, >=, 0);
}

static void
drop_axes(hid_t file)
{
  H5Adelete_by_name(file, "/entry/data", "axes", H5P_DEFAULT);
}

static void
drop_axis(hid_t file)
{
  H5Ldelete(file, "/entry/data/r", H5P_DEFAULT);
}

static void
drop_table_column(hid_t file)
{
  H5Ldelete(file, "/entry/rows/b", H5P_DEFAULT);
}

static void
drop_matrix_axis(hid_t file)
{
  H5Ldelete(file, "/entry/F_q_tau/tau", H5P_DEFAULT);
}

static void
test_hostile(void)
{
  static const Spoil spoils[] = {make_longer, make_flat,         make_huge,       drop_axes,
                                 drop_axis,   drop_table_column, drop_matrix_axis};
  for (gsize i = 0; i < G_N_ELEMENTS(spoils); i++) {
    g_autoptr(GError) error = NULL;
    g_autoptr(DebyeResult) result = make_result("cmt");
    g_autofree char *path = save(result, "hostile.h5");
    {
      DEBYE_H5_LOCKED();
      g_auto(DebyeH5File) file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
      spoils[i](file);
    }
    g_assert_null(debye_result_load(path, map_support_find_table, &error));
    g_assert_nonnull(error);
    g_test_message("%s", error->message);
    g_assert_true(error->domain == DEBYE_ERROR && g_str_has_prefix(error->message, "hostile.h5: expected "));
  }
}

/* Another program's NXdata is a curve or a matrix by its dimensions; a kind of a later version is a note. */
static void
test_foreign(void)
{
  g_autoptr(DebyeResult) result = make_result("cm");
  g_autofree char *path = save(result, "foreign.h5");
  {
    DEBYE_H5_LOCKED();
    g_auto(DebyeH5File) file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    H5Adelete_by_name(file, "/entry/data", "debye_kind", H5P_DEFAULT);
    H5Adelete_by_name(file, "/entry/F_q_tau", "debye_kind", H5P_DEFAULT);
    g_auto(DebyeH5Group) group = H5Gopen2(file, "/entry/O_H", H5P_DEFAULT);
    if (group >= 0) {
      H5Adelete(group, "debye_kind");
      debye_h5_write_string(group, "debye_kind", "hologram", NULL);
    }
  }
  g_autoptr(DebyeResult) again = load(path);
  g_assert_cmpuint(g_list_model_get_n_items(debye_result_get_matrices(again)), ==, 1);
  g_assert_cmpuint(g_list_model_get_n_items(debye_result_get_curves(again)), >=, 1);
  assert_same_matrix(again);
}

/* The library's own function of the checksums behind its blocks. */
uint32_t H5_checksum_metadata(const void *bytes, size_t n, uint32_t first);

/* Of all groups with so many links that a B-tree keeps them: it says that it has more than it has. */
static guint
count_more_links(char *bytes, gsize n)
{
  const gsize count = 26, checksum = 34;
  const char link_names = 5;
  guint n_changed = 0;
  for (gsize i = 0; i + checksum + sizeof(uint32_t) <= n; i++)
    if (memcmp(bytes + i, "BTHD", 4) == 0 && bytes[i + 5] == link_names) {
      bytes[i + count + 1]++; /* 256 */
      uint32_t sum = GUINT32_TO_LE(H5_checksum_metadata(bytes + i, checksum, 0));
      memcpy(bytes + i + checksum, &sum, sizeof sum);
      n_changed++;
    }
  return n_changed;
}

/* Asked for in order, the library would sort links that it never made. */
static void
test_fewer_links(void)
{
  gsize length;
  g_autofree char *bytes = NULL;
  g_autoptr(DebyeResult) result = make_result("ccccc");
  g_autofree char *path = save(result, "many.h5");
  g_assert_true(g_file_get_contents(path, &bytes, &length, NULL));
  g_assert_cmpuint(count_more_links(bytes, length), >=, 1);
  g_autofree char *changed = map_support_write(folder, "fewer.h5", bytes, (gssize)length);
  g_autoptr(DebyeResult) again = load(changed);
  assert_same_curves(again, result);
}

static void
test_damaged(void)
{
  gsize length;
  g_autofree char *bytes = NULL;
  g_autoptr(DebyeResult) result = make_result("cmt");
  g_autofree char *path = save(result, "good.h5");
  g_autoptr(GRand) random = g_rand_new_with_seed(7);
  g_assert_true(g_file_get_contents(path, &bytes, &length, NULL));
  for (int i = 0; i < 400; i++) {
    g_autoptr(GError) error = NULL;
    gsize cut = i % 4 == 0 ? (gsize)g_rand_int_range(random, 0, (int)length) : length;
    gsize at = (gsize)g_rand_int_range(random, 0, (int)length);
    char kept = bytes[at];
    bytes[at] = (char)g_rand_int(random);
    g_autofree char *damaged = map_support_write(folder, "damaged.h5", bytes, (gssize)cut);
    bytes[at] = kept;
    g_autoptr(DebyeResult) again = debye_result_load(damaged, map_support_find_table, &error);
    g_assert_true((again == NULL) == (error != NULL));
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  folder = map_support_make_folder();
  g_test_add_func("/result-series/round-trip", test_round_trip);
  g_test_add_func("/result-series/quantities-of-one", test_quantities_of_one);
  g_test_add_func("/result-series/kinds", test_kinds);
  g_test_add_func("/result-series/nexus", test_nexus);
  g_test_add_func("/result-series/intensity", test_intensity);
  g_test_add_func("/result-series/unknown-errors", test_unknown_errors);
  g_test_add_func("/result-series/csv", test_csv);
  g_test_add_func("/result-series/csv-back", test_csv_back);
  g_test_add_func("/result-series/hostile", test_hostile);
  g_test_add_func("/result-series/foreign", test_foreign);
  g_test_add_func("/result-series/fewer-links", test_fewer_links);
  g_test_add_func("/result-series/damaged", test_damaged);
  int status = g_test_run();
  map_support_remove_folder(folder);
  return status;
}
