/* SPDX-License-Identifier: MIT */
/* Scattering in time against sums of other programs in double: every vector, time, mean and elastic part of
 * the reference's cases, as numpy has them and as Sassena 1.4.2 wrote them.
 *
 * X-rays: Sassena's form factors are those of the International Tables, hydrogen's the free atom's.
 *
 * Tolerances, against the largest value of a case. Float keeps phases to 1e-6 of a turn. In double only
 * rounding is left, but of incoherent cases: the reference rounds oxygen's cross section to 0.0008 barn,
 * which weighs 6e-8 in sums of b² and 1.2e-5 in sums of b. */
#include <complex.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <math.h>

#include "app/analysis/analysis_list.h"
#include "app/analysis/scattering/system/scattering_settings.h"
#include "data/h5/h5.h"
#include "tests/data/shared_system.h"
#include "tests/support/shared.h"
#include "tests/support/plans.h"
#include "kernels/cpu/backend_cpu.h"

#define FLOAT_TOLERANCE 1e-6
#define DOUBLE_TOLERANCE 1e-12
#define SQUARED_LENGTHS 1e-7
#define LENGTHS 2e-5

typedef struct {
  const char *name, *kind, *signal, *isotope;
  double double_tolerance;
} Case;

static const Case cases[] = {
    {"all_coh_autocorrelate", "coherent", "autocorrelate", NULL, DOUBLE_TOLERANCE},
    {"all_coh_square", "coherent", "square", NULL, DOUBLE_TOLERANCE},
    {"all_coh_plain", "coherent", "plain", NULL, DOUBLE_TOLERANCE},
    {"all_cohD_square", "coherent", "square", "element H=D", DOUBLE_TOLERANCE},
    {"self_inc_autocorrelate", "incoherent", "autocorrelate", NULL, SQUARED_LENGTHS},
    {"self_inc_square", "incoherent", "square", NULL, SQUARED_LENGTHS},
    {"self_inc_plain", "incoherent", "plain", NULL, LENGTHS},
};

/* --- The reference --- */

static double *
read_numbers(hid_t group, const char *name, hid_t type, gsize n_parts, gsize *n)
{
  g_auto(DebyeH5Dataset) dataset = debye_h5_open_dataset(group, name);
  hsize_t shape[H5S_MAX_RANK];
  int rank = debye_h5_get_shape(dataset, G_MAXINT32, shape);
  g_assert_cmpint(rank, >, 0);
  *n = 1;
  for (int k = 0; k < rank; k++)
    *n *= (gsize)shape[k];
  double *values = g_new(double, *n *n_parts);
  g_assert_cmpint(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), >=, 0);
  return values;
}

typedef struct {
  double *fqt, *fq, *fq2, *vectors; /* complex pairs, but vectors */
  gsize n_rows, n_times;
} Reference;

static void
reference_clear(Reference *reference)
{
  g_free(reference->fqt);
  g_free(reference->fq);
  g_free(reference->fq2);
  g_free(reference->vectors);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Reference, reference_clear)

static void
read_reference(const char *system, const char *source, const char *name, Reference *reference)
{
  DEBYE_H5_LOCKED();
  g_autofree char *file_name = g_strconcat(system, ".h5", NULL);
  g_autofree char *path =
      g_build_filename(debye_shared_get_folder(), "reference", "scattering", file_name, NULL);
  g_autoptr(GError) error = NULL;
  g_auto(DebyeH5File) file = debye_h5_open_file(path, &error);
  g_assert_no_error(error);
  g_auto(DebyeH5Group) all = debye_h5_open_group(file, source);
  g_auto(DebyeH5Group) group = debye_h5_open_group(all, name);
  g_auto(DebyeH5Type) pair = H5Tcreate(H5T_COMPOUND, 2 * sizeof(double));
  gsize n, n_vectors;
  H5Tinsert(pair, "r", 0, H5T_NATIVE_DOUBLE);
  H5Tinsert(pair, "i", sizeof(double), H5T_NATIVE_DOUBLE);
  reference->vectors = read_numbers(group, "qvectors", H5T_NATIVE_DOUBLE, 1, &n_vectors);
  reference->n_rows = n_vectors / 3;
  reference->fqt = read_numbers(group, "fqt", pair, 2, &n);
  reference->n_times = n / reference->n_rows;
  reference->fq = read_numbers(group, "fq", pair, 2, &n);
  g_assert_cmpuint(n, ==, reference->n_rows);
  reference->fq2 = read_numbers(group, "fq2", pair, 2, &n);
  g_assert_cmpuint(n, ==, reference->n_rows);
}

/* --- Ours --- */

static DebyeResult *
compute(const SharedSystem *system, const char *const *settings, const Reference *reference,
        const char *vectors_path)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeRequest) request = debye_request_new(&debye_scattering_settings);
  DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, "/nonexistent");
  const DebyeRunInput input = {.dataset = system->dataset, .request = request, .registry = registry};
  g_autoptr(GString) rows = g_string_new(NULL);
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  for (gsize i = 0; i < 3 * reference->n_rows; i++)
    g_string_append_printf(rows, "%s%c", g_ascii_dtostr(number, sizeof number, reference->vectors[i]),
                           i % 3 == 2 ? '\n' : ' ');
  g_file_set_contents(vectors_path, rows->str, (gssize)rows->len, &error);
  g_assert_no_error(error);
  const char *const common[] = {"q-vectors", vectors_path, "dynamic", "true", "normalise", "raw", NULL};
  for (gsize i = 0; common[i] != NULL; i += 2)
    g_assert_true(debye_request_set(request, common[i], common[i + 1], NULL));
  for (gsize i = 0; settings[i] != NULL; i += 2)
    g_assert_true(debye_request_set(request, settings[i], settings[i + 1], NULL));
  DebyeResult *result = plan_and_run(&debye_analysis_scattering, &input, &error);
  g_assert_no_error(error);
  debye_registry_free(registry);
  return result;
}

static DebyeTable *
find_table(DebyeResult *result, const char *name)
{
  GListModel *tables = debye_result_get_tables(result);
  for (guint i = 0; i < g_list_model_get_n_items(tables); i++) {
    g_autoptr(DebyeTable) table = g_list_model_get_item(tables, i);
    if (g_str_equal(debye_table_get_name(table), name))
      return table;
  }
  g_error("no table “%s”", name);
}

static const double *
find_column(DebyeTable *table, const char *name)
{
  for (gsize c = 0; c < debye_table_get_n_columns(table); c++)
    if (g_str_equal(debye_table_get_quantity(table, c)->name, name))
      return debye_table_get_numbers(table, c);
  g_error("no column “%s”", name);
}

/* The largest difference of n complex values, against the largest of theirs. */
static void
check_values(const char *what, const double *re, const double *im, const double *expected, gsize n,
             double tolerance)
{
  double largest = 0.0, difference = 0.0;
  for (gsize i = 0; i < n; i++) {
    largest = fmax(largest, hypot(expected[2 * i], expected[2 * i + 1]));
    difference =
        fmax(difference, hypot(re[i] - expected[2 * i], (im != NULL ? im[i] : 0.0) - expected[2 * i + 1]));
  }
  g_test_message("%s off by %.1e of the largest, at most %.1e is expected", what, difference / largest,
                 tolerance);
  if (!(difference <= tolerance * largest))
    g_error("%s: off by %g of the largest, at most %g was expected", what, difference / largest, tolerance);
}

typedef struct {
  const char *system, *source; /* the group of the reference: "numpy", "sassena" */
  SharedSystem shared;
  char *vectors_path;
} Setup;

static void
setup_init(Setup *setup, const char *name)
{
  g_autofree char *topology = g_strdup_printf("reference/%s/%s.psf", name, name);
  g_autofree char *trajectory = g_strdup_printf("reference/%s/%s_nojump.xtc", name, name);
  *setup = (Setup){.system = name};
  setup->vectors_path = g_build_filename(g_get_tmp_dir(), "debye-course-vectors-XXXXXX", NULL);
  int file = g_mkstemp(setup->vectors_path);
  g_assert_cmpint(file, >=, 0);
  g_close(file, NULL);
  shared_system_open(&setup->shared, topology, trajectory, 0);
}

static void
setup_clear(Setup *setup)
{
  g_unlink(setup->vectors_path);
  g_free(setup->vectors_path);
  shared_system_close(&setup->shared);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Setup, setup_clear)

static void
check_case(const Setup *setup, const Case *one, const char *precision)
{
  g_auto(Reference) reference = {0};
  double tolerance = one->double_tolerance;
  read_reference(setup->system, setup->source, one->name, &reference);
  if (g_str_equal(precision, "single"))
    tolerance = fmax(tolerance, FLOAT_TOLERANCE);
  const char *const settings[] = {"kind",
                                  one->kind,
                                  "signal",
                                  one->signal,
                                  "precision",
                                  precision,
                                  one->isotope != NULL ? "isotope" : NULL,
                                  one->isotope,
                                  NULL};
  g_autoptr(DebyeResult) result = compute(&setup->shared, settings, &reference, setup->vectors_path);
  DebyeTable *scattering = find_table(result, "course"), *rows = find_table(result, "rows");
  gsize n = reference.n_rows;
  g_assert_cmpuint(debye_table_get_n_rows(scattering), ==, n * reference.n_times);
  check_values("fqt", find_column(scattering, "F_re"), find_column(scattering, "F_im"), reference.fqt,
               n * reference.n_times, tolerance);
  check_values("fq", find_column(rows, "fq_re"), find_column(rows, "fq_im"), reference.fq, n, tolerance);
  check_values("fq2", find_column(rows, "fq2"), NULL, reference.fq2, n, 4.0 * tolerance);
}

static void
check_cases(Setup *setup, const char *source)
{
  setup->source = source;
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    /* Deuterated, the reference is numpy's alone. */
    if (cases[i].isotope != NULL && g_str_equal(source, "sassena"))
      continue;
    g_test_message("%s, %s: %s", setup->system, source, cases[i].name);
    check_case(setup, &cases[i], "single");
    check_case(setup, &cases[i], "double");
  }
}

/* --- X-rays --- */

static void
read_amplitudes(const Setup *setup, const Reference *reference, double complex *a)
{
  static const char *const settings[] = {"kind", "coherent",     "signal",      "plain",     "probe",
                                         "xray", "form-factors", "cromer-mann", "precision", "double",
                                         NULL};
  g_autoptr(DebyeResult) result = compute(&setup->shared, settings, reference, setup->vectors_path);
  DebyeTable *scattering = find_table(result, "course");
  const double *re = find_column(scattering, "F_re"), *im = find_column(scattering, "F_im");
  for (gsize i = 0; i < reference->n_rows * reference->n_times; i++)
    a[i] = re[i] + I * im[i];
}

/* What is made of a(t) as the reference defines it: its own, its square, its correlation by the sum itself.
 */
static double complex
process(const char *signal, const double complex *a, gsize n, gsize time)
{
  double complex sum = 0.0;
  if (g_str_equal(signal, "plain"))
    return a[time];
  if (g_str_equal(signal, "square"))
    return a[time] * conj(a[time]);
  for (gsize t = 0; t + time < n; t++)
    sum += conj(a[t]) * a[t + time];
  return sum / (double)(n - time);
}

static void
check_xrays(Setup *setup, const char *source)
{
  static const char *const signals[] = {"plain", "square", "autocorrelate"};
  g_autofree double complex *a = NULL;
  setup->source = source;
  for (gsize k = 0; k < G_N_ELEMENTS(signals); k++) {
    g_auto(Reference) reference = {0};
    g_autofree char *name = g_strconcat("all_xray_", signals[k], NULL);
    read_reference(setup->system, source, name, &reference);
    gsize n = reference.n_rows * reference.n_times;
    if (a == NULL) {
      a = g_new(double complex, n);
      read_amplitudes(setup, &reference, a);
    }
    g_autofree double *re = g_new(double, n);
    g_autofree double *im = g_new(double, n);
    for (gsize i = 0; i < n; i++) {
      gsize time = i % reference.n_times;
      double complex value = process(signals[k], a + i - time, reference.n_times, time);
      re[i] = creal(value);
      im[i] = cimag(value);
    }
    check_values(name, re, im, reference.fqt, n, DOUBLE_TOLERANCE);
  }
}

static void
check_system(const char *name)
{
  static const char *const sources[] = {"numpy", "sassena"};
  g_auto(Setup) setup = {0};
  setup_init(&setup, name);
  for (gsize i = 0; i < G_N_ELEMENTS(sources); i++) {
    check_cases(&setup, sources[i]);
    check_xrays(&setup, sources[i]);
  }
}

static void
test_water(void)
{
  check_system("w3k");
}

static void
test_peptide(void)
{
  check_system("pep");
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  if (debye_shared_get_folder() == NULL) {
    g_print("DEBYE_SHARED is not set: the reference files are not here\n");
    return DEBYE_TEST_SKIPPED;
  }
  g_test_add_func("/intermediate-scattering/water", test_water);
  g_test_add_func("/intermediate-scattering/peptide", test_peptide);
  return g_test_run();
}
