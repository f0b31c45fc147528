/* SPDX-License-Identifier: MIT */
/* Measured curves in the formats of small-angle scattering, built from their published definitions: canSAS XML, NXcanSAS,
 * GNOM's output, and the .dat of ATSAS and SASBDB. */
#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/results/curve.h"
#include "h5_builder.h"

static DebyeTemporaryFolder *folder;

static DebyeCurve *
load(const char *name, const char *text, GError **error)
{
  g_autofree char *path = debye_temporary_write(folder, name, text, strlen(text));
  return debye_curve_load(path, error);
}

static void
assert_refused(const char *name, const char *text, const char *part)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeCurve) curve = load(name, text, &error);
  g_assert_null(curve);
  g_assert_nonnull(error);
  if (strstr(error->message, part) == NULL)
    g_error("“%s” lacks “%s”", error->message, part);
}

static void
assert_point(DebyeCurve *curve, gsize i, double q, double intensity, double error)
{
  g_assert_cmpfloat_with_epsilon(debye_curve_get_x(curve)[i], q, 1e-12);
  g_assert_cmpfloat_with_epsilon(debye_curve_get_y(curve)[i], intensity, 1e-9);
  g_assert_cmpfloat_with_epsilon(debye_curve_get_errors(curve)[i], error, 1e-12);
}

/* --- canSAS XML --- */

#define XML(points)                                                                                   \
  "<?xml version=\"1.0\"?>\n<!-- a comment -->\n<SASroot version=\"1.1\" xmlns=\"urn:cansas1d:1.1\">" \
  "<SASentry><Title>I &amp; Q</Title><Run>1</Run><SASdata>" points "</SASdata></SASentry></SASroot>"

static void
test_xml(void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeCurve) curve =
      load("lysozyme.xml",
           XML("<Idata><Q unit=\"1/nm\">0.1</Q><I unit=\"1/cm\"> 5 </I>"
               "<Idev unit=\"1/cm\">0.5</Idev><Qdev unit=\"1/nm\">0.01</Qdev></Idata>"
               "<Idata><Q unit=\"1/nm\">0.2</Q><I unit=\"1/cm\">4</I>"
               "<Idev unit=\"1/cm\">0.25</Idev><Qdev unit=\"1/nm\">0.02</Qdev></Idata>"),
           &error);
  g_assert_no_error(error);
  g_assert_cmpuint(debye_curve_get_n_points(curve), ==, 2);
  assert_point(curve, 1, 0.2, 4.0, 0.25);
  g_assert_cmpstr(debye_curve_get_x_quantity(curve)->unit, ==, "nm⁻¹");
  g_assert_cmpstr(debye_curve_get_y_quantity(curve)->unit, ==, "cm⁻¹");
  g_autoptr(DebyeCurve) converted = debye_curve_with_x_unit(curve, "Å⁻¹");
  g_assert_cmpfloat_with_epsilon(debye_curve_get_resolution(converted)[1], 0.002, 1e-15);
}

static void
test_xml_broken(void)
{
  assert_refused("infinite.xml", XML("<Idata><Q unit=\"1/nm\">1e400</Q><I unit=\"1/cm\">5</I></Idata>"),
                 "infinite.xml: point 1: expected a finite q, found inf");
  assert_refused("a.xml", XML("<Idata><Q>much</Q><I>1</I></Idata>"),
                 "a.xml: point 1: expected a number for Q");
  assert_refused("b.xml", XML("<Idata><I>1</I></Idata>"), "point 1: expected a Q, found none");
  assert_refused("c.xml", XML(""), "expected points of q and intensity, found none");
  assert_refused("d.xml", "<SASroot><SASentry></SASroot>", "d.xml: expected well-formed XML");
  assert_refused("e.xml", "<SASroot><SASentry>", "e.xml: expected well-formed XML");
}

/* --- NXcanSAS --- */

static H5Builder
begin_nexus(const char *name)
{
  static const double q[] = {0.01, 0.02, 0.03}, intensity[] = {9, 8, 7}, error[] = {0.9, 0.8, 0.7},
                      width[] = {0.001, 0.002, 0.003};
  static const hsize_t three = 3;
  H5Builder builder = h5_builder_new(folder, name, H5_BUILDER_LATEST);
  h5_builder_put(&builder, "/run/sasdata01/Q", H5T_NATIVE_DOUBLE, H5T_NATIVE_DOUBLE, 1, &three, q);
  h5_builder_put(&builder, "/run/sasdata01/I", H5T_NATIVE_DOUBLE, H5T_NATIVE_DOUBLE, 1, &three, intensity);
  h5_builder_put(&builder, "/run/sasdata01/Idev", H5T_NATIVE_DOUBLE, H5T_NATIVE_DOUBLE, 1, &three, error);
  h5_builder_put(&builder, "/run/sasdata01/Qdev", H5T_NATIVE_DOUBLE, H5T_NATIVE_DOUBLE, 1, &three, width);
  return builder;
}

static void
test_nexus(void)
{
  g_autoptr(GError) error = NULL;
  g_auto(H5Builder) builder = begin_nexus("curve.h5");
  h5_builder_mark(&builder, "/run", "canSAS_class", "SASentry");
  h5_builder_mark(&builder, "/run/sasdata01", "canSAS_class", "SASdata");
  h5_builder_mark(&builder, "/run/sasdata01", "signal", "I");
  h5_builder_mark(&builder, "/run/sasdata01", "I_axes", "Q");
  h5_builder_mark(&builder, "/run/sasdata01/Q", "units", "1/angstrom");
  h5_builder_mark(&builder, "/run/sasdata01/Q", "resolutions", "Qdev");
  h5_builder_mark(&builder, "/run/sasdata01/I", "units", "1/cm");
  h5_builder_mark(&builder, "/run/sasdata01/I", "uncertainties", "Idev");
  h5_builder_finish(&builder);
  g_autoptr(DebyeCurve) curve = debye_curve_load(builder.path, &error);
  g_assert_no_error(error);
  g_assert_cmpuint(debye_curve_get_n_points(curve), ==, 3);
  assert_point(curve, 2, 0.03, 7.0, 0.7);
  g_assert_cmpfloat(debye_curve_get_resolution(curve)[1], ==, 0.002);
  g_assert_cmpstr(debye_curve_get_x_quantity(curve)->unit, ==, "Å⁻¹");
  g_assert_cmpstr(debye_curve_get_y_quantity(curve)->unit, ==, "cm⁻¹");
}

static void
test_nexus_broken(void)
{
  g_autoptr(GError) error = NULL;
  g_auto(H5Builder) builder = begin_nexus("classless.h5");
  h5_builder_finish(&builder);
  g_assert_null(debye_curve_load(builder.path, &error));
  g_assert_nonnull(
      strstr(error->message, "classless.h5: expected an entry (SASentry or NXentry), found none"));
  g_clear_error(&error);
  g_auto(H5Builder) other = begin_nexus("uneven.h5");
  h5_builder_mark(&other, "/run", "NX_class", "NXentry");
  h5_builder_mark(&other, "/run/sasdata01", "NX_class", "NXdata");
  h5_builder_mark(&other, "/run/sasdata01", "signal", "absent");
  h5_builder_finish(&other);
  g_assert_null(debye_curve_load(other.path, &error));
  g_assert_nonnull(strstr(error->message, "as many of Q as of absent, found others"));
}

/* --- ATSAS --- */

static void
test_gnom(void)
{
  static const char text[] =
      "           ####    G N O M   ---   Version 5.0    ####\n\n Angular range:  0.1000 to 0.3000\n\n"
      "      S          J EXP       ERROR       J REG       I REG\n\n"
      "  0.0000E+00                                        0.1010E+04\n"
      "  0.0500E+00   0.9000E+03\n"
      "  0.1000E+00   0.8000E+03  0.8000E+01  0.8010E+03  0.8010E+03\n"
      "  0.2000E+00   0.7000E+03  0.7000E+01  0.7010E+03  0.7010E+03\n\n"
      "      Distance distribution  function of particle\n\n       R          P(R)      ERROR\n\n"
      "  0.0000E+00   0.0000E+00  0.0000E+00\n";
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeCurve) curve = load("protein.out", text, &error);
  g_assert_no_error(error);
  g_assert_cmpuint(debye_curve_get_n_points(curve), ==, 2);
  assert_point(curve, 0, 0.1, 800.0, 8.0);
  g_assert_cmpstr(debye_curve_get_x_quantity(curve)->unit, ==, "");
  assert_refused("short.out", " S          J EXP       ERROR       J REG       I REG\n 0.1 2 3\n",
                 "short.out: line 2: expected 2 or 5 columns, found 3");
}

static void
test_dat(void)
{
  static const struct {
    const char *text, *unit;
    double resolution; /* of the last point; 0: not known */
  } cases[] = {
      {"Sample: BSA\nAngular units: nm^-1\n 0.1 5 1\n 0.2 4 1\ncreator: RAW\nparent(s): none\n", "nm⁻¹", 0.0},
      {"# q in 1/A\n0.1 5 1\n0.2 4 1\n", "Å⁻¹", 0.0},
      {"q in 1/A, once in nm^-1\n0.1 5 1\n0.2 4 1\n", "", 0.0},
      {"sample A-1 of 7\n0.1 5 1\n0.2 4 1\n", "", 0.0},
      {"0.1 5 1\n0.2 4 1\n", "", 0.0},
      {"Q(1/A) I(1/cm) std sigmaQ\n0.1 5 1 0.01\n0.2 4 1 0.02\n", "Å⁻¹", 0.02},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autoptr(GError) error = NULL;
    g_autoptr(DebyeCurve) curve = load("x.dat", cases[i].text, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(debye_curve_get_n_points(curve), ==, 2);
    assert_point(curve, 1, 0.2, 4.0, 1.0);
    g_assert_cmpstr(debye_curve_get_x_quantity(curve)->unit, ==, cases[i].unit);
    g_assert_cmpint(debye_curve_get_resolution(curve) != NULL, ==, cases[i].resolution > 0.0);
    if (cases[i].resolution > 0.0)
      g_assert_cmpfloat(debye_curve_get_resolution(curve)[1], ==, cases[i].resolution);
  }
}

static void
test_columns(void)
{
  static const char text[] = "7 0.1 0.01 5 1\n7 0.2 0.02 4 1\n";
  g_autoptr(GError) error = NULL;
  g_autofree char *path = debye_temporary_write(folder, "five.dat", text, strlen(text));
  g_autoptr(DebyeCurve) curve = debye_curve_load_columns(path, &(DebyeCurveColumns){2, 4, 5, 3}, &error);
  g_assert_no_error(error);
  assert_point(curve, 1, 0.2, 4.0, 1.0);
  g_assert_cmpfloat(debye_curve_get_resolution(curve)[1], ==, 0.02);
  g_assert_null(debye_curve_load_columns(path, &(DebyeCurveColumns){1, 2, 0, 6}, &error));
  g_assert_nonnull(strstr(error->message, "line 1: expected the requested column 6, found 5"));
  g_clear_error(&error);
  static const char xml[] = XML("<Idata><Q unit=\"1/nm\">0.1</Q><I unit=\"1/cm\">5</I></Idata>");
  g_autofree char *other = debye_temporary_write(folder, "columns.xml", xml, strlen(xml));
  g_assert_null(debye_curve_load_columns(other, &(DebyeCurveColumns){1, 2, 0, 0}, &error));
  g_assert_nonnull(strstr(error->message, "columns.xml: expected a text file to choose columns of"));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  folder = debye_temporary_folder_new();
  g_test_add_func("/curve-formats/xml", test_xml);
  g_test_add_func("/curve-formats/xml-broken", test_xml_broken);
  g_test_add_func("/curve-formats/nexus", test_nexus);
  g_test_add_func("/curve-formats/nexus-broken", test_nexus_broken);
  g_test_add_func("/curve-formats/gnom", test_gnom);
  g_test_add_func("/curve-formats/dat", test_dat);
  g_test_add_func("/curve-formats/columns", test_columns);
  const int status = g_test_run();
  debye_temporary_folder_free(folder);
  return status;
}
