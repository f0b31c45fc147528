/* SPDX-License-Identifier: MIT */
/* Curves, their units, tables made of them, and measured curves as instruments and programs write them. */
#include <math.h>
#include <string.h>

#include "data/results/curve.h"
#include "data/files/error.h"
#include "data/results/table.h"
#include "map_support.h"
#include "tests/support/count_down.h"

static char *folder;

static const DebyeQuantity distance = {"r", NULL, "Å"};
static const DebyeQuantity distribution = {"g", "g(r)", NULL};

static void
test_units(void)
{
  static const struct {
    const char *from, *to;
    double factor; /* 0: can't be */
  } cases[] = {
      {"nm⁻¹", "Å⁻¹", 0.1}, {"1/A", "nm^-1", 10.0}, {"nm", "Å", 10.0},      {"ns", "ps", 1e3},
      {"meV", "µeV", 1e3},  {"cm⁻¹", "1/m", 100.0}, {"a.u.", "a.u.", 1.0},  {"Å", "Å⁻¹", 0.0},
      {"s", "ps", 0.0},     {"cm⁻¹", "Å⁻¹", 0.0},   {"counts", "Å⁻¹", 0.0},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    double factor = -1.0;
    gboolean found = debye_unit_get_factor(cases[i].from, cases[i].to, &factor);
    g_assert_cmpint(found, ==, cases[i].factor > 0.0);
    if (found)
      g_assert_cmpfloat_with_epsilon(factor, cases[i].factor, 1e-12 * cases[i].factor);
  }
  g_autofree char *canonical = debye_unit_canonical(" A^-1 "), *other = debye_unit_canonical("barn");
  g_assert_cmpstr(canonical, ==, "Å⁻¹");
  g_assert_cmpstr(other, ==, "barn");
}

static void
test_curve(void)
{
  const double x[] = {1.0, 2.0, 2.0, 3.0}, y[] = {0.0, NAN, 1.0, 2.0}, mixed[] = {1.0, 0.5, 2.0, 3.0};
  g_autoptr(DebyeCurve) curve =
      debye_curve_new("O–O", &distance, &distribution, DEBYE_CURVE_LINE, 4, x, y, NULL);
  g_autoptr(DebyeCurve) loop =
      debye_curve_new("", &distance, &distribution, DEBYE_CURVE_LINE, 4, mixed, y, NULL);
  g_autoptr(DebyeCurve) in_nm = debye_curve_with_x_unit(curve, "nm");
  g_autoptr(DebyeCurve) points = debye_curve_with_style(curve, DEBYE_CURVE_MARKERS);
  g_assert_true(debye_curve_is_ordered(curve));
  g_assert_false(debye_curve_is_ordered(loop));
  g_assert_cmpfloat_with_epsilon(debye_curve_get_x(in_nm)[3], 0.3, 1e-15);
  g_assert_cmpstr(debye_curve_get_x_quantity(in_nm)->unit, ==, "nm");
  g_assert_cmpstr(debye_curve_get_name(in_nm), ==, "O–O");
  g_assert_true(debye_curve_get_y(points) == debye_curve_get_y(curve));
  g_assert_cmpint(debye_curve_get_style(points), ==, DEBYE_CURVE_MARKERS);
  g_assert_null(debye_curve_with_x_unit(curve, "Å⁻¹"));
  g_autofree char *title = debye_quantity_get_title(debye_curve_get_x_quantity(curve));
  g_autofree char *plain = debye_quantity_get_title(debye_curve_get_y_quantity(curve));
  g_assert_cmpstr(title, ==, "r (Å)");
  g_assert_cmpstr(plain, ==, "g(r)");
}

/* What a file holds: the first and last point, the number of points, names and unit. */
typedef struct {
  const char *text;
  gsize n;
  double x, y, error; /* of the last point; NAN: none */
  const char *x_name, *x_unit, *y_name;
} Readable;

static void
test_readable(void)
{
  static const Readable cases[] = {
      {"0.1 5\n0.2 6\n", 2, 0.2, 6.0, (double)NAN, "x", "", "y"},
      {"0.1,5,1\n0.2,6,2", 2, 0.2, 6.0, 2.0, "x", "", "y"},
      {"0.1;5;1\r\n0.2;6;-2\r\n", 2, 0.2, 6.0, 2.0, "x", "", "y"},
      {"0,1;5,25;1\n0,2;6,5;2,5\n", 2, 0.2, 6.5, 2.5, "x", "", "y"},
      {"0,1\t5,25\t1\n0,2\t6,5\t2,5\n", 2, 0.2, 6.5, 2.5, "x", "", "y"},
      {"q (1/nm)\tI\r\n1,234\t1\r\n1,5\t1E-2\r\n", 2, 1.5, 0.01, (double)NAN, "q", "nm⁻¹", "I"},
      {"0,1 5,25\n-12,345  +1e3\n", 2, -12.345, 1000.0, (double)NAN, "x", "", "y"},
      {"\xEF\xBB\xBF# q (1/A)\tI(q)\tsigma\n1e-3\t2.5E3\t1\n", 1, 1e-3, 2500.0, 1.0, "q", "Å⁻¹", "I(q)"},
      {"q [nm-1], I, dI\n1, 2, 3\n\n2, 3, 4\n", 2, 2.0, 3.0, 4.0, "q", "nm⁻¹", "I"},
      {"\"q (1/nm)\",\"I, cm\"\n1,2\n", 1, 1.0, 2.0, (double)NAN, "x", "nm⁻¹", "y"},
      {"Sample: water\n25 degrees\nThe 6 columns are | Q (1/A) | I(Q)\n 1 2 3\n 4 5 6\n", 2, 4.0, 5.0, 6.0,
       "x", "Å⁻¹", "y"},
      {"% comment\n! another\n// a third\n1 2\n# between\n3 4\n", 2, 3.0, 4.0, (double)NAN, "x", "", "y"},
      {"1,2,\n3,4,\n", 2, 3.0, 4.0, (double)NAN, "x", "", "y"},
      {"1 nan\n2 inf\n3 5\n", 3, 3.0, 5.0, (double)NAN, "x", "", "y"},
      {"# analysis: rdf\n# unit of r_low: Å\nr_low,r_high,count,g,g_error,coordination\n1,2,70,0.5,0.1,4\n",
       1, 1.5, 0.5, 0.1, "r", "Å", "g"},
      {"-1.5e+00 +2\n", 1, -1.5, 2.0, (double)NAN, "x", "", "y"},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    GError *error = NULL;
    const Readable *readable = &cases[i];
    g_test_message("%s", readable->text);
    g_autofree char *path = map_support_write(folder, "measured.dat", readable->text, -1);
    g_autoptr(DebyeCurve) curve = debye_curve_load(path, &error);
    g_assert_no_error(error);
    gsize n = debye_curve_get_n_points(curve);
    g_assert_cmpuint(n, ==, readable->n);
    g_assert_cmpfloat_with_epsilon(debye_curve_get_x(curve)[n - 1], readable->x, 1e-12);
    g_assert_cmpfloat_with_epsilon(debye_curve_get_y(curve)[n - 1], readable->y, 1e-12);
    g_assert_cmpint(debye_curve_get_errors(curve) == NULL, ==, isnan(readable->error) != 0);
    if (!isnan(readable->error))
      g_assert_cmpfloat_with_epsilon(debye_curve_get_errors(curve)[n - 1], readable->error, 1e-12);
    g_assert_cmpstr(debye_curve_get_x_quantity(curve)->name, ==, readable->x_name);
    g_assert_cmpstr(debye_curve_get_x_quantity(curve)->unit, ==, readable->x_unit);
    g_assert_cmpstr(debye_curve_get_y_quantity(curve)->name, ==, readable->y_name);
    g_assert_cmpstr(debye_curve_get_name(curve), ==, "measured");
    g_assert_cmpint(debye_curve_get_style(curve), ==, DEBYE_CURVE_MARKERS);
  }
}

static void
test_broken(void)
{
  static const struct {
    const char *text, *part;
    int code;
  } cases[] = {
      {"", "expected rows of two or more numbers", DEBYE_ERROR_UNKNOWN},
      {"# only\n# comments\n", "expected rows of two or more numbers", DEBYE_ERROR_UNKNOWN},
      {"1\n2\n3\n", "expected rows of two or more numbers", DEBYE_ERROR_UNKNOWN},
      {"name, value\n", "expected rows of two or more numbers", DEBYE_ERROR_UNKNOWN},
      {"1 2\n3 four\n", "line 2: expected a number for y, found “four”", DEBYE_ERROR_SYNTAX},
      {"1 2 3\n1 2\n", "line 2: expected 3 columns as in the first row, found 2", DEBYE_ERROR_SYNTAX},
      {"1,2\n3,4\nend of data\n", "line 3: expected 2 columns", DEBYE_ERROR_SYNTAX},
      {"1 2\nnan 3\n", "line 2: expected a finite x", DEBYE_ERROR_VALUE},
      {"1,2,3\n2,3,?\n", "line 2: expected a number for the error, found “?”", DEBYE_ERROR_SYNTAX},
      {"1,234\t5\n-12,345\t6\n", "line 1: expected commas that can only be decimal marks, found “1,234”",
       DEBYE_ERROR_SYNTAX},
      {"1,5\t2\n1.5\t3\n", "line 2: expected the decimal sign “,” as before, found “1.5”",
       DEBYE_ERROR_SYNTAX},
      {"0.1\t1,234\n", "line 1: expected the decimal sign “.” as before, found “1,234”", DEBYE_ERROR_SYNTAX},
      {"1,234.5\t2\n", "expected rows of two or more numbers", DEBYE_ERROR_UNKNOWN},
      {"1,2\n3,\n", "line 2: expected 2 columns", DEBYE_ERROR_SYNTAX},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autoptr(GError) error = NULL;
    g_autofree char *path = map_support_write(folder, "broken.csv", cases[i].text, -1);
    g_assert_null(debye_curve_load(path, &error));
    g_assert_error(error, DEBYE_ERROR, cases[i].code);
    g_assert_true(g_str_has_prefix(error->message, "broken.csv: "));
    if (strstr(error->message, cases[i].part) == NULL)
      g_error("“%s” lacks “%s”", error->message, cases[i].part);
  }
  g_autoptr(GError) error = NULL;
  g_assert_null(debye_curve_load("/no/such/file.dat", &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_OPEN);
}

/* A file of some megabytes says how far it is, and stops where it is told to. */
static void
test_watched(void)
{
  g_autoptr(GString) text = g_string_new(NULL);
  for (int i = 0; i < 300000; i++)
    g_string_append_printf(text, "%d.5 %d.25\n", i, i % 7);
  g_autofree char *path = map_support_write(folder, "large.dat", text->str, (gssize)text->len);
  g_autoptr(GError) error = NULL;
  guint left = G_MAXUINT;
  g_autoptr(DebyeCurve) whole = debye_curve_load_watched(path, debye_count_down, &left, &error);
  g_assert_no_error(error);
  g_assert_cmpuint(debye_curve_get_n_points(whole), ==, 300000);
  g_assert_cmpuint(G_MAXUINT - left, >, 4);
  left = 2;
  g_assert_null(debye_curve_load_watched(path, debye_count_down, &left, &error));
  g_assert_error(error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* Columns that are not read are told of; so are gaps. */
static void
test_warnings(void)
{
  g_autofree char *path = map_support_write(folder, "four.dat", "1 2 3 4\n2 nan 3 4\n", -1);
  g_autoptr(DebyeCurve) curve = debye_curve_load(path, NULL);
  const char *const *warnings = debye_curve_get_warnings(curve);
  g_assert_cmpuint(g_strv_length((char **)warnings), ==, 2);
  g_assert_nonnull(strstr(warnings[0], "1 further column"));
  g_assert_nonnull(strstr(warnings[1], "1 of 2 values"));
}

/* Bytes that no one meant: an answer or an error, and never more points than lines. */
static void
test_noise(void)
{
  static const char alphabet[] = "0123456789.,;- eE+\n\n#\t\"x\0\xff";
  g_autoptr(GRand) random = g_rand_new_with_seed(3);
  for (int i = 0; i < 500; i++) {
    g_autoptr(GError) error = NULL;
    char text[200];
    gsize length = (gsize)g_rand_int_range(random, 0, (int)sizeof text);
    for (gsize j = 0; j < length; j++)
      text[j] = alphabet[g_rand_int_range(random, 0, (int)sizeof alphabet - 1)];
    g_autofree char *path = map_support_write(folder, "noise.csv", text, (gssize)length);
    g_autoptr(DebyeCurve) curve = debye_curve_load(path, &error);
    g_assert_true((curve == NULL) == (error != NULL));
    g_assert_true(curve == NULL || debye_curve_get_n_points(curve) <= length);
  }
}

static char *
save_table(DebyeTable *table, const char *const *header, char separator)
{
  g_autoptr(GOutputStream) stream = g_memory_output_stream_new_resizable();
  g_assert_true(debye_table_save_csv(table, header, separator, stream, NULL));
  g_output_stream_close(stream, NULL, NULL);
  g_autoptr(GBytes) bytes = g_memory_output_stream_steal_as_bytes(G_MEMORY_OUTPUT_STREAM(stream));
  return g_strndup(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes));
}

static void
test_table_text(void)
{
  const double numbers[] = {0.1, NAN};
  const char *const texts[] = {"plain", "with, \"quotes\"\nand a line", NULL};
  const char *const header[] = {"analysis: rdf", NULL};
  g_autoptr(DebyeTable) table = debye_table_new("t");
  debye_table_add_texts(table, &(DebyeQuantity){.name = "what"}, texts);
  debye_table_add_numbers(table, &distance, 2, numbers);
  g_autofree char *text = save_table(table, header, ','), *tabs = save_table(table, NULL, '\t');
  g_assert_cmpstr(
      text, ==,
      "# analysis: rdf\n# unit of r: Å\nwhat,r\nplain,0.1\n\"with, \"\"quotes\"\" and a line\",nan\n");
  g_assert_nonnull(strstr(tabs, "what\tr\nplain\t0.1\n"));
}

static void
test_tables_of_curves(void)
{
  const double x[] = {1.0, 2.0}, other_x[] = {1.0, 3.0}, y[] = {5.0, 6.0}, errors[] = {0.5, 0.25};
  g_autoptr(DebyeCurve) one =
      debye_curve_new("A", &distance, &distribution, DEBYE_CURVE_LINE, 2, x, y, errors);
  g_autoptr(DebyeCurve) two = debye_curve_new("B", &distance, &distribution, DEBYE_CURVE_LINE, 2, x, y, NULL);
  g_autoptr(DebyeCurve) three =
      debye_curve_new("C", &distance, &distribution, DEBYE_CURVE_LINE, 2, other_x, y, NULL);
  g_autoptr(GListStore) curves = g_list_store_new(DEBYE_TYPE_CURVE);
  static const char *const expected[] = {
      "# unit of r: Å\nr,g,g_error\n1,5,0.5\n2,6,0.25\n",
      "# unit of r: Å\nr,A.g,A.g_error,B.g\n1,5,0.5,5\n2,6,0.25,6\n",
      "# unit of r: Å\ncurve,quantity,r,value,error\nA,g,1,5,0.5\nA,g,2,6,0.25\nB,g,1,5,nan\nB,g,2,6,nan\n"
      "C,g,1,5,nan\nC,g,3,6,nan\n",
  };
  DebyeCurve *const all[] = {one, two, three};
  for (gsize i = 0; i < G_N_ELEMENTS(all); i++) {
    g_list_store_append(curves, all[i]);
    g_autoptr(DebyeTable) table = debye_table_new_for_curves(G_LIST_MODEL(curves));
    g_autofree char *text = save_table(table, NULL, ',');
    g_assert_cmpstr(text, ==, expected[i]);
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  folder = map_support_make_folder();
  g_test_add_func("/curve/units", test_units);
  g_test_add_func("/curve/values", test_curve);
  g_test_add_func("/curve/readable", test_readable);
  g_test_add_func("/curve/broken", test_broken);
  g_test_add_func("/curve/warnings", test_warnings);
  g_test_add_func("/curve/watched", test_watched);
  g_test_add_func("/curve/noise", test_noise);
  g_test_add_func("/table/text", test_table_text);
  g_test_add_func("/table/of-curves", test_tables_of_curves);
  int status = g_test_run();
  map_support_remove_folder(folder);
  return status;
}
