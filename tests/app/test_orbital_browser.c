/* SPDX-License-Identifier: MIT */
/* Orbitals of a file one after the other, and the levels that enclose a share of them: a Gaussian's are known. */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "app/analysis/orbital/orbital_browser.h"
#include "app/analysis/orbital/orbital_run.h"
#include "data/files/error.h"
#include "kernels/cpu/backend_cpu.h"
#include "tests/support/temporary.h"

#define EXPONENT 0.7

/* An s function and one at the same place with half the exponent, the second of them with this coefficient. */
#define MOLDEN(coefficient)                                                                          \
  "[Molden Format]\n[Atoms] AU\nHe 1 2 0 0 0\n[GTO]\n1 0\ns 1 1.0\n 0.7 1.0\ns 1 1.0\n 0.35 1.0\n\n" \
  "[MO]\nSym= 1a1g\nEne= -0.9\nSpin= Alpha\nOccup= 2\n1 " coefficient                                \
  "\nSym= 2a1g\nEne= 0.3\nSpin= Alpha\nOccup= 0\n2 1.0\n"

static DebyeTemporaryFolder *folder;
static DebyeRegistry *registry;

static DebyeDataset *
open_text(const char *name, const char *text)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *path = debye_temporary_write(folder, name, text, strlen(text));
  DebyeDataset *dataset = debye_dataset_open((const char *const[]){path, NULL}, NULL, NULL, &error);
  g_assert_no_error(error);
  return dataset;
}

/* Of ψ² = (2α/π)^(3/2) exp(−2αr²). */
static double
enclosed(double exponent, double radius)
{
  return erf(sqrt(2.0 * exponent) * radius) -
         2.0 * sqrt(2.0 * exponent / G_PI) * radius * exp(-2.0 * exponent * radius * radius);
}

static double
level_of(double exponent, double share)
{
  double low = 0.0, high = 20.0;
  for (int i = 0; i < 60; i++) {
    const double middle = 0.5 * (low + high);
    if (enclosed(exponent, middle) < share)
      low = middle;
    else
      high = middle;
  }
  return pow(2.0 * exponent / G_PI, 0.75) * exp(-exponent * low * low);
}

static void
check_levels(DebyeOrbitalBrowser *browser, guint orbital, double exponent)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeResult) result = debye_orbital_browser_compute(browser, orbital, registry, NULL, &error);
  g_assert_no_error(error);
  g_autoptr(DebyeField) field = g_list_model_get_item(debye_result_get_fields(result), 0);
  double levels[DEBYE_ORBITAL_SHARES];
  debye_orbital_find_levels(field, 1.0, levels);
  /* Two digits; and a cell of 0.1 Å lies within or without as a whole. */
  const guint shares[] = {50, 80, 95};
  for (gsize i = 0; i < G_N_ELEMENTS(shares); i++) {
    const double expected = level_of(exponent, 0.01 * shares[i]);
    g_assert_cmpfloat(fabs(levels[shares[i] - 1] / expected - 1.0), <, 0.06);
  }
  for (gsize i = 1; i < DEBYE_ORBITAL_SHARES; i++)
    g_assert_cmpfloat(levels[i], <=, levels[i - 1]);
}

static void
test_levels(void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeDataset) dataset = open_text("he.molden", MOLDEN("1.0"));
  g_assert_true(debye_orbital_browser_is_likely(dataset));
  g_autoptr(DebyeOrbitalBrowser) browser = debye_orbital_browser_new(dataset, &error);
  g_assert_no_error(error);
  const DebyeOrbitalPlan *plan = debye_orbital_browser_get_plan(browser);
  g_assert_cmpint(plan->homo, ==, 0);
  g_assert_cmpint(plan->lumo, ==, 1);
  g_assert_cmpfloat(fabs(plan->n_in_norms - 2.0), <, 1e-9);
  check_levels(browser, 0, EXPONENT);
  check_levels(browser, 1, 0.5 * EXPONENT);
  check_levels(browser, 0, EXPONENT);
  g_auto(GStrv) warnings = debye_orbital_browser_list_warnings(browser);
  g_assert_cmpuint(g_strv_length(warnings), ==, 0);
}

/* A map that is 0 has no level, and one whose grid is too small has those of what it holds. */
static void
test_levels_of_odd_maps(void)
{
  const DebyeGrid grid = {.shape = {2, 1, 1}, .step = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  const float nothing[2] = {0.0f, 0.0f}, little[2] = {0.1f, -0.02f};
  double levels[DEBYE_ORBITAL_SHARES];
  g_autoptr(GBytes) zeros = g_bytes_new(nothing, sizeof nothing), values = g_bytes_new(little, sizeof little);
  g_autoptr(DebyeField) empty = debye_field_new("ψ", &grid, zeros, "bohr^-3/2");
  g_autoptr(DebyeField) small = debye_field_new("ψ", &grid, values, "bohr^-3/2");
  debye_orbital_find_levels(empty, 1.0, levels);
  g_assert_cmpfloat(levels[79], ==, 0.0);
  debye_orbital_find_levels(small, 1e6, levels);
  g_assert_cmpfloat(fabs(levels[79] - 0.1), <, 0.011);
  g_assert_cmpfloat(fabs(levels[98] - 0.02), <, 0.0011);
}

/* A norm that isn't 1, and a density that isn't of as many electrons. */
static void
test_warnings(void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeDataset) dataset = open_text("wrong.molden", MOLDEN("1.2"));
  g_autoptr(DebyeOrbitalBrowser) browser = debye_orbital_browser_new(dataset, &error);
  g_assert_no_error(error);
  g_auto(GStrv) warnings = debye_orbital_browser_list_warnings(browser);
  g_autofree char *all = g_strjoinv("\n", warnings);
  g_assert_nonnull(strstr(all, "1.44"));
  g_assert_nonnull(strstr(all, "2.88"));
}

/* By which the window finds those that belong together, whatever they are called. */
static void
test_kinds_of_maps(void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeDataset) dataset = open_text("he.molden", MOLDEN("1.0"));
  g_autoptr(DebyeRequest) request = debye_request_new(&debye_orbital_settings);
  const char *const settings[][2] = {
      {"orbital", "0"}, {"density", "true"}, {"spin", "true"}, {"potential", "true"}, {"spacing", "1"}};
  for (gsize i = 0; i < G_N_ELEMENTS(settings); i++)
    g_assert_true(debye_request_set(request, settings[i][0], settings[i][1], NULL));
  DebyePlan of = {.dataset = dataset, .request = request};
  DebyeOrbitalPlan plan = {0};
  g_assert_true(debye_orbital_plan_init(&plan, &of, &error));
  const DebyeRunInput input = {.dataset = dataset, .request = request, .registry = registry};
  g_autoptr(DebyeResult) result = debye_orbital_run(&plan, &input, &error);
  g_assert_no_error(error);
  const DebyeFieldKind expected[] = {DEBYE_FIELD_ORBITAL, DEBYE_FIELD_ELECTRON_DENSITY,
                                     DEBYE_FIELD_SPIN_DENSITY, DEBYE_FIELD_ELECTROSTATIC_POTENTIAL};
  GListModel *fields = debye_result_get_fields(result);
  g_assert_cmpuint(g_list_model_get_n_items(fields), ==, G_N_ELEMENTS(expected));
  for (guint i = 0; i < G_N_ELEMENTS(expected); i++) {
    g_autoptr(DebyeField) field = g_list_model_get_item(fields, i);
    g_assert_cmpint(debye_field_get_kind(field), ==, expected[i]);
  }
  debye_orbital_plan_clear(&plan);
}

/* Atoms alone. */
static void
test_without_orbitals(void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeDataset) atoms = open_text("atoms.molden", "[Molden Format]\n[Atoms] AU\nHe 1 2 0 0 0\n");
  g_assert_null(debye_orbital_browser_new(atoms, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_MISSING);
  g_autoptr(DebyeDataset) other = open_text("he.xyz", "1\nhelium\nHe 0 0 0\n");
  g_assert_false(debye_orbital_browser_is_likely(other));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  folder = debye_temporary_folder_new();
  registry = debye_registry_new(&debye_backend_cpu, NULL);
  g_test_add_func("/orbital-browser/levels", test_levels);
  g_test_add_func("/orbital-browser/levels-of-odd-maps", test_levels_of_odd_maps);
  g_test_add_func("/orbital-browser/warnings", test_warnings);
  g_test_add_func("/orbital-browser/kinds-of-maps", test_kinds_of_maps);
  g_test_add_func("/orbital-browser/without-orbitals", test_without_orbitals);
  const int status = g_test_run();
  debye_registry_free(registry);
  debye_temporary_folder_free(folder);
  return status;
}
