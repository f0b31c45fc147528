/* SPDX-License-Identifier: MIT */
/* From counts to distributions and structure factors, on cases with a known answer. */
#include <string.h>

#include <glib/gstdio.h>
#include <math.h>

#include "app/analysis/analysis_list.h"
#include "app/analysis/pairs/rdf_peaks.h"
#include "app/analysis/pairs/rdf_settings.h"
#include "app/analysis/pairs/rdf_statistic.h"
#include "app/analysis/pairs/structure_factor.h"
#include "data/files/error.h"
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
  double g[600], numbers[600];
  const double width = 0.02;
  for (gsize k = 0; k < G_N_ELEMENTS(g); k++) {
    double r = width * ((double)k + 0.5);
    /* Two shells at 2.8 and 4.5 Å with ripples of a bin's width on them. */
    g[k] = 1.0 + 2.0 * exp(-pow((r - 2.8) / 0.2, 2.0)) - 0.3 * exp(-pow((r - 3.5) / 0.3, 2.0)) +
           0.2 * exp(-pow((r - 4.5) / 0.4, 2.0)) + (k % 2 == 0 ? 0.004 : -0.004);
    numbers[k] = r;
  }
  DebyeRdfPeak peaks[4];
  gsize n = debye_rdf_find_peaks(g, numbers, G_N_ELEMENTS(g), width, peaks, 4);
  g_assert_cmpuint(n, >=, 2);
  g_assert_cmpfloat_with_epsilon(peaks[0].position, 2.8, 0.02);
  g_assert_cmpfloat_with_epsilon(peaks[0].height, 3.0, 0.02);
  g_assert_cmpfloat_with_epsilon(peaks[0].end, 3.45, 0.1);
  g_assert_cmpfloat_with_epsilon(peaks[0].coordination, peaks[0].end, 1e-12);
  g_assert_cmpfloat_with_epsilon(peaks[1].position, 4.5, 0.1);
  g_assert_cmpuint(debye_rdf_find_peaks(g, numbers, 2, width, peaks, 4), ==, 0);
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

static void
remove_file(G_GNUC_UNUSED double fraction, G_GNUC_UNUSED const char *message, gpointer path)
{
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
  g_test_add_func("/rdf/nothing-chosen", test_nothing_chosen);
  g_test_add_func("/rdf/time-step", test_time_step);
  return g_test_run();
}
