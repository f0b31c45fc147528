/* SPDX-License-Identifier: MIT */
/* From counts to distributions and structure factors, on cases with a known answer. */
#include <string.h>

#include <glib/gstdio.h>
#include <math.h>

#include "app/analysis/analysis_list.h"
#include "app/analysis/pairs/geometric_factor.h"
#include "app/analysis/pairs/rdf_peaks.h"
#include "app/analysis/pairs/rdf_settings.h"
#include "app/analysis/pairs/rdf_statistic.h"
#include "app/analysis/pairs/structure_factor.h"
#include "data/files/error.h"
#include "data/molecule/periodic.h"
#include "kernels/cpu/backend_cpu.h"
#include "tests/support/plans.h"

/* Shells fill the sphere, to the last digit. */
static void
test_shells(void)
{
  double sum = 0.0;
  for (gsize k = 0; k < 500; k++)
    sum += debye_rdf_shell_volume(0.02, k);
  g_assert_cmpfloat_with_epsilon(sum, 4.0 / 3.0 * G_PI * 1000.0, 1e-9);
}

/* Two frames whose volumes differ: each counts with its own, which a mean volume would miss. */
static void
test_volume_of_each_frame(void)
{
  const guint64 first[2] = {10, 40}, second[2] = {30, 20};
  g_autofree double *g = NULL;
  g_autofree double *numbers = NULL;
  DebyeRdfStatistic *statistic = debye_rdf_statistic_new(1.0, 2, debye_frame_blocks(2, 0));
  debye_rdf_statistic_add(statistic, first, 0.5, 5.0);
  debye_rdf_statistic_add(statistic, second, 1.5, 10.0);
  g = debye_rdf_statistic_get_g(statistic);
  numbers = debye_rdf_statistic_get_coordination(statistic);
  g_assert_cmpfloat_with_epsilon(g[0], 0.5 * (10.0 * 0.5 + 30.0 * 1.5) / debye_rdf_shell_volume(1.0, 0),
                                 1e-12);
  g_assert_cmpfloat_with_epsilon(g[1], 0.5 * (40.0 * 0.5 + 20.0 * 1.5) / debye_rdf_shell_volume(1.0, 1),
                                 1e-12);
  g_assert_cmpfloat_with_epsilon(numbers[1], 0.5 * (50.0 / 5.0 + 50.0 / 10.0), 1e-12);
  g_assert_cmpuint(debye_rdf_statistic_get_ordered(statistic)[0], ==, 40);
  g_assert_true(isnan(debye_rdf_statistic_get_inefficiency(statistic)));
  debye_rdf_statistic_free(statistic);
}

/* A series in which each value comes `copies` times: the standard error is that of the values told apart, and
 * one of them tells as much as `copies` frames. */
static void
check_blocks(gsize copies)
{
  const gsize n_values = 400;
  g_autoptr(GRand) random = g_rand_new_with_seed(7);
  DebyeRdfStatistic *statistic = debye_rdf_statistic_new(1.0, 1, debye_frame_blocks(n_values * copies, 40));
  for (gsize i = 0; i < n_values; i++) {
    guint64 count = (guint64)g_rand_int_range(random, 0, 1001);
    for (gsize copy = 0; copy < copies; copy++) {
      debye_rdf_statistic_reach(statistic, i * copies + copy);
      debye_rdf_statistic_add(statistic, &count, debye_rdf_shell_volume(1.0, 0), 1.0);
    }
  }
  debye_rdf_statistic_reach(statistic, n_values * copies);
  g_autofree double *errors = debye_rdf_statistic_get_errors(statistic);
  double expected = 1001.0 / sqrt(12.0) / sqrt((double)n_values);
  g_assert_cmpuint(debye_rdf_statistic_get_blocks(statistic)->n_whole, ==, 40);
  /* The estimate of a spread from 40 blocks is itself good to 1/√(2·39) = 11 %: three times that. */
  g_assert_cmpfloat_with_epsilon(errors[0], expected, 0.34 * expected);
  g_assert_cmpfloat_with_epsilon(debye_rdf_statistic_get_inefficiency(statistic), (double)copies,
                                 0.68 * (double)copies);
  debye_rdf_statistic_free(statistic);
}

static void
test_blocks(void)
{
  check_blocks(1);
  check_blocks(5);
}

/* A hole: g = 0 within a, 1 outside. Its transform is that of a ball, with the sign turned. */
static void
test_transform_of_a_hole(void)
{
  const double width = 0.02, a = 3.0;
  double g[500];
  for (gsize k = 0; k < G_N_ELEMENTS(g); k++)
    g[k] = (double)k * width < a - 1e-9 ? 0.0 : 1.0;
  g_assert_cmpfloat_with_epsilon(debye_structure_transform(g, 500, width, 0.0, DEBYE_WINDOW_NONE),
                                 -4.0 / 3.0 * G_PI * a * a * a, 1e-9);
  for (double q = 1e-5; q < 30.0; q *= 1.7) {
    double x = q * a;
    double expected = x < 1e-3 ? -4.0 / 3.0 * G_PI * a * a * a * (1.0 - x * x / 10.0)
                               : -4.0 * G_PI * (sin(x) - x * cos(x)) / (q * q * q);
    g_assert_cmpfloat_with_epsilon(debye_structure_transform(g, 500, width, q, DEBYE_WINDOW_NONE), expected,
                                   1e-6);
  }
}

/* Lorch's window takes away most of the ripples that an abrupt end makes. */
static void
test_window(void)
{
  double g[1000], plain = 0.0, smooth = 0.0;
  for (gsize k = 0; k < G_N_ELEMENTS(g); k++)
    g[k] = 1.1; /* never ends of itself */
  for (double q = 5.0; q < 15.0; q += 0.1) {
    plain = fmax(plain, fabs(debye_structure_transform(g, 1000, 0.01, q, DEBYE_WINDOW_NONE)));
    smooth = fmax(smooth, fabs(debye_structure_transform(g, 1000, 0.01, q, DEBYE_WINDOW_LORCH)));
  }
  g_assert_cmpfloat(smooth, <, 0.05 * plain);
}

static void
test_ranges(void)
{
  gsize n = 0;
  g_autofree double *q = debye_structure_parse_range("q", "0.2:0.5:0.1", &n, NULL);
  g_assert_cmpuint(n, ==, 4);
  g_assert_cmpfloat_with_epsilon(q[3], 0.5, 1e-12);
  static const char *const wrong[] = {"",       "1",     "1:2",        "2:1:0.1", "1:2:0",
                                      "-1:2:1", "a:b:c", "0:1e9:1e-3", "1:2:1:3"};
  for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++) {
    g_autoptr(GError) error = NULL;
    g_assert_null(debye_structure_parse_range("Structure factor", wrong[i], &n, &error));
    g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_SETTING);
  }
}

static void
test_peaks(void)
{
  double g[600], errors[600], numbers[600];
  const double width = 0.02;
  for (gsize k = 0; k < G_N_ELEMENTS(g); k++) {
    double r = width * ((double)k + 0.5);
    /* Two shells at 2.8 and 4.5 Å with ripples of a bin's width on them. */
    g[k] = 1.0 + 2.0 * exp(-pow((r - 2.8) / 0.2, 2.0)) - 0.3 * exp(-pow((r - 3.5) / 0.3, 2.0)) +
           0.2 * exp(-pow((r - 4.5) / 0.4, 2.0)) + (k % 2 == 0 ? 0.004 : -0.004);
    numbers[k] = r;
    errors[k] = 0.004;
  }
  DebyeRdfPeak peaks[4];
  gsize n = debye_rdf_find_peaks(g, errors, numbers, G_N_ELEMENTS(g), width, peaks, 4);
  g_assert_cmpuint(n, ==, 2);
  g_assert_cmpfloat_with_epsilon(peaks[0].position, 2.8, 0.02);
  g_assert_cmpfloat_with_epsilon(peaks[0].height, 3.0, 0.02);
  g_assert_cmpfloat_with_epsilon(peaks[0].end, 3.45, 0.1);
  g_assert_cmpfloat_with_epsilon(peaks[0].coordination, peaks[0].end, 1e-12);
  g_assert_cmpfloat_with_epsilon(peaks[1].position, 4.5, 0.1);
  g_assert_cmpuint(debye_rdf_find_peaks(g, errors, numbers, 2, width, peaks, 4), ==, 0);
}

/* As in a crystal: peaks narrower than the reach of the search, between which g is 0, are shells of their own. */
static void
test_peaks_of_a_crystal(void)
{
  double g[120] = {0.0}, errors[120], numbers[120];
  DebyeRdfPeak peaks[4];
  for (gsize k = 0; k < G_N_ELEMENTS(g); k++) {
    errors[k] = 0.02;
    numbers[k] = k < 62 ? 0.0 : k < 80 ? 6.0 : 18.0;
  }
  g[60] = 20.0;
  g[61] = 6.0;
  g[84] = 13.0;
  g[85] = 12.0;
  g_assert_cmpuint(debye_rdf_find_peaks(g, errors, numbers, G_N_ELEMENTS(g), 0.05, peaks, 4), ==, 2);
  g_assert_cmpfloat_with_epsilon(peaks[0].end, 0.05 * 62.5, 1e-9);
  g_assert_cmpfloat(peaks[0].coordination, ==, 6.0);
  g_assert_cmpfloat_with_epsilon(peaks[1].position, 4.25, 0.03);
  g_assert_cmpfloat(peaks[1].coordination, ==, 18.0);
}

static double
draw_poisson(GRand *random, double mean)
{
  if (mean > 60.0) /* as good as normal: twelve uniform numbers */
  {
    double sum = -6.0;
    for (int i = 0; i < 12; i++)
      sum += g_rand_double(random);
    return fmax(0.0, round(mean + sqrt(mean) * sum));
  }
  double product = g_rand_double(random), n = 0.0;
  for (; product > exp(-mean); n++)
    product *= g_rand_double(random);
  return n;
}

/* The number of peaks in the g(r) of a gas whose atoms know nothing of each other, or attract by a little within a shell. */
static gsize
count_gas_peaks(GRand *random, double attraction, guint n_blocks)
{
  enum { N_BINS = 300, N_FRAMES = 40 };
  const double width = 0.05, density = 0.4, apart = 1e-3;
  guint64 ordered[N_BINS];
  DebyeRdfPeak peaks[4];
  DebyeRdfStatistic *statistic =
      debye_rdf_statistic_new(width, N_BINS, debye_frame_blocks(N_FRAMES, n_blocks));
  for (gsize frame = 0; frame < N_FRAMES; frame++) {
    debye_rdf_statistic_reach(statistic, frame);
    for (gsize k = 0; k < N_BINS; k++) {
      const double r = width * ((double)k + 0.5), g = 1.0 + attraction * exp(-pow((r - 8.0) / 0.5, 2.0));
      ordered[k] = 2 * (guint64)draw_poisson(random, 0.5 * g * density / apart *
                                                         debye_rdf_shell_volume(width, k) / 40.0);
    }
    debye_rdf_statistic_add(statistic, ordered, 40.0 * apart / density, 1.0);
  }
  debye_rdf_statistic_reach(statistic, N_FRAMES);
  g_autofree double *g = debye_rdf_statistic_get_g(statistic);
  g_autofree double *noise = debye_rdf_statistic_get_noise(statistic, TRUE);
  g_autofree double *numbers = debye_rdf_statistic_get_coordination(statistic);
  gsize n = debye_rdf_find_peaks(g, noise, numbers, N_BINS, width, peaks, 4);
  debye_rdf_statistic_free(statistic);
  return n;
}

/* Noise makes a peak in one of a hundred curves, so in 60 curves more than four with a probability of 3e-4; a
 * shell of atoms that attract is found in every one. */
static void
test_peaks_of_a_gas(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(3);
  gsize n = 0;
  for (guint i = 0; i < 60; i++)
    n += count_gas_peaks(random, 0.0, i % 2 == 0 ? 10 : 0);
  g_assert_cmpuint(n, <=, 4);
  for (guint i = 0; i < 10; i++)
    g_assert_cmpuint(count_gas_peaks(random, 0.5, 10), ==, 1);
}

/* The formula of Theodorou and Suter for a cube of edge L: 2πr(3L − 4r) of 4πr² between the faces and the edges; and all shells
 * together are the cell. */
static void
test_geometric_factor_of_a_cube(void)
{
  const double edge = 10.0, width = 0.01;
  const DebyeCell cube = {{edge, 0.0, 0.0}, {0.0, edge, 0.0}, {0.0, 0.0, edge}};
  double factor[900], sum = 0.0;
  g_assert_cmpfloat(debye_geometric_factor_fill(&cube, width, G_N_ELEMENTS(factor), factor), ==, 0.0);
  for (gsize k = 0; k < G_N_ELEMENTS(factor); k++) {
    const double r = width * ((double)k + 0.5);
    sum += factor[k] * debye_rdf_shell_volume(width, k);
    if (r < 0.5 * edge)
      g_assert_cmpfloat_with_epsilon(factor[k], 1.0, 1e-12);
    else if (r < edge * G_SQRT2 / 2.0 - width)
      g_assert_cmpfloat_with_epsilon(factor[k], (3.0 * edge - 4.0 * r) / (2.0 * r), 1e-5);
  }
  g_assert_cmpfloat_with_epsilon(sum, edge * edge * edge, 1e-6 * edge * edge * edge);
  g_assert_cmpfloat_with_epsilon(debye_geometric_factor_reach(&cube), 0.5 * edge * sqrt(3.0), 1e-9);
}

/* Unequal edges against random points; a skew cell too, whose factor is from directions; and a cube that is given skew. */
static void
check_geometric_factor(const DebyeCell *cell, double tolerance)
{
  enum { N_BINS = 60, N_POINTS = 400000 };
  const double reach = debye_geometric_factor_reach(cell), width = reach / (double)N_BINS;
  double factor[N_BINS];
  gsize counts[N_BINS + 1] = {0};
  g_autoptr(GRand) random = g_rand_new_with_seed(11);
  DebyePeriodic periodic;
  debye_periodic_init(&periodic, cell);
  const double error = debye_geometric_factor_fill(cell, width, N_BINS, factor);
  g_assert_cmpfloat(error, <=, tolerance);
  for (gsize i = 0; i < N_POINTS; i++) {
    const DebyeVec3 fraction =
        debye_vec3(g_rand_double(random), g_rand_double(random), g_rand_double(random));
    const DebyeVec3 point = debye_periodic_from_fraction(&periodic, fraction);
    const double r = debye_vec3_length(debye_periodic_minimum_image(&periodic, point));
    g_assert_cmpfloat(r, <=, reach * (1.0 + 1e-9));
    counts[MIN((gsize)(r / width), N_BINS)]++;
  }
  for (gsize k = 0; k < N_BINS; k++) {
    const double expected =
        (double)N_POINTS * factor[k] * debye_rdf_shell_volume(width, k) / fabs(debye_cell_volume(cell));
    /* Five standard errors of the count. */
    g_assert_cmpfloat_with_epsilon((double)counts[k], expected, 5.0 * sqrt(expected) + 5.0);
  }
}

static void
test_geometric_factors(void)
{
  static const DebyeCell upright = {{8.0, 0.0, 0.0}, {0.0, 11.0, 0.0}, {0.0, 0.0, 30.0}};
  static const DebyeCell dodecahedron = {{10.0, 0.0, 0.0}, {0.0, 10.0, 0.0}, {5.0, 5.0, 7.0710678118654755}};
  static const DebyeCell skew = {{10.0, 0.0, 0.0}, {4.0, 9.0, 0.0}, {-3.0, 2.0, 7.0}};
  static const DebyeCell sheared_cube = {{10.0, 0.0, 0.0}, {10.0, 10.0, 0.0}, {0.0, 20.0, 10.0}};
  check_geometric_factor(&upright, 0.0);
  check_geometric_factor(&dodecahedron, 1e-3);
  check_geometric_factor(&skew, 1e-3);
  check_geometric_factor(&sheared_cube, 0.0);
}

static void
check_empty(DebyeDataset *dataset, const char *const settings[], DebyeError code, const char *cause)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeRequest) request = debye_request_new(&debye_rdf_settings);
  const char *key = NULL;
  for (gsize i = 0; settings[i] != NULL; i += 2)
    g_assert_true(debye_request_set(request, settings[i], settings[i + 1], NULL));
  g_assert_false(plan_and_check(&debye_analysis_rdf, dataset, request, &key, &error));
  g_assert_error(error, DEBYE_ERROR, (int)code);
  g_assert_cmpstr(key, ==, cause);
}

/* Each refusal names the setting that is the cause. */
static void
test_nothing_chosen(void)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *path = NULL;
  int file = g_file_open_tmp("debye-rdf-XXXXXX.xyz", &path, NULL);
  g_assert_cmpint(file, >=, 0);
  g_close(file, NULL);
  g_assert_true(g_file_set_contents(path, "2\n\nO 0 0 0\nH 1 0 0\n", -1, NULL));
  g_autoptr(DebyeDataset) dataset = debye_dataset_open((const char *const[]){path, NULL}, NULL, NULL, &error);
  g_assert_no_error(error);
  check_empty(dataset, (const char *const[]){"partials", "yes", "select", "element C", NULL},
              DEBYE_ERROR_SELECTION, "select");
  check_empty(dataset, (const char *const[]){"pair", "element C | element O", NULL}, DEBYE_ERROR_SELECTION,
              "pair");
  check_empty(dataset, (const char *const[]){NULL}, DEBYE_ERROR_SETTING, "pair");
  g_unlink(path);
}

/* Once all frames are there: until then another thread may open the file to help. */
static void
remove_file(double fraction, G_GNUC_UNUSED const char *message, gpointer path)
{
  if (fraction >= 1.0)
    g_unlink(path);
}

static gboolean
has_note(DebyeResult *result, const char *whole)
{
  GPtrArray *notes = debye_result_get_notes(result);
  for (guint i = 0; i < notes->len; i++)
    if (strcmp(((const DebyeNote *)g_ptr_array_index(notes, i))->sentence, whole) == 0)
      return TRUE;
  return FALSE;
}

/* Two atoms 1 Å apart in 20 frames 2 ps apart, then 2 Å. The frames' times are asked for at the beginning: a
 * picture of what is there so far reads no file. */
static void
test_time_step(void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GString) text = g_string_new(NULL);
  g_autofree char *path = NULL;
  int file = g_file_open_tmp("debye-rdf-XXXXXX.gro", &path, NULL);
  g_assert_cmpint(file, >=, 0);
  g_close(file, NULL);
  for (int frame = 0; frame < 40; frame++)
    g_string_append_printf(text,
                           "pair t= %d.0\n2\n    1ION     NA    1   0.000   0.000   0.000\n"
                           "    2ION     NA    2   0.%d00   0.000   0.000\n   1.0 1.0 1.0\n",
                           2 * frame, frame < 20 ? 1 : 2);
  g_assert_true(g_file_set_contents(path, text->str, -1, NULL));
  g_autoptr(DebyeDataset) dataset = debye_dataset_open((const char *const[]){path, NULL}, NULL, NULL, &error);
  g_assert_no_error(error);
  g_autoptr(DebyeRequest) request = debye_request_new(&debye_rdf_settings);
  g_assert_true(debye_request_set(request, "pair", "all | all", NULL));
  g_assert_true(debye_request_set(request, "blocks", "4", NULL));
  g_assert_true(debye_request_set(request, "max", "4", NULL));
  DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, NULL);
  const DebyeRunCallbacks callbacks = {.progress = remove_file, .data = path};
  const DebyeRunInput input = {
      .dataset = dataset, .request = request, .registry = registry, .callbacks = &callbacks};
  g_autoptr(DebyeResult) result = plan_and_run(&debye_analysis_rdf, &input, &error);
  g_assert_no_error(error);
  g_assert_false(g_file_test(path, G_FILE_TEST_EXISTS));
  g_assert_true(has_note(result,
                         "Standard errors from 4 blocks of frames; statistical inefficiency 13 frames, a "
                         "correlation time of about 13 ps"));
  debye_registry_free(registry);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/rdf/shells", test_shells);
  g_test_add_func("/rdf/volume-of-each-frame", test_volume_of_each_frame);
  g_test_add_func("/rdf/blocks", test_blocks);
  g_test_add_func("/rdf/transform-of-a-hole", test_transform_of_a_hole);
  g_test_add_func("/rdf/window", test_window);
  g_test_add_func("/rdf/ranges", test_ranges);
  g_test_add_func("/rdf/peaks", test_peaks);
  g_test_add_func("/rdf/peaks_of_a_crystal", test_peaks_of_a_crystal);
  g_test_add_func("/rdf/peaks_of_a_gas", test_peaks_of_a_gas);
  g_test_add_func("/rdf/geometric_factor_of_a_cube", test_geometric_factor_of_a_cube);
  g_test_add_func("/rdf/geometric_factors", test_geometric_factors);
  g_test_add_func("/rdf/nothing-chosen", test_nothing_chosen);
  g_test_add_func("/rdf/time-step", test_time_step);
  return g_test_run();
}
