/* SPDX-License-Identifier: MIT */
/* Orbitals of the reference files, of all programs whose files are there, have the values that an independent reader
 * gives them, sign and all, to 1e-5 of the largest. */
#include <math.h>
#include <string.h>

#include "data/formats/quantum/quantum_files.h"
#include "data/h5/h5.h"
#include "tests/support/shared.h"

#define TOLERANCE 1e-5

static const char *shared;

typedef struct {
  const char *file, *group;
  const char *remark; /* that there must be, by a word of it; NULL: none */
  gboolean has_density;
  gsize first, last; /* of mo_index those that are compared; last 0: all */
} Case;

static const Case cases[] = {
    {"water_631gs_cart.molden", "water_631gs_cart", NULL, TRUE, 0, 0},
    {"water_631gs_sph.molden", "water_631gs_sph", NULL, TRUE, 0, 0},
    {"water_ccpvtz_cart.molden", "water_ccpvtz_cart", NULL, TRUE, 0, 0},
    {"water_ccpvtz_sph.molden", "water_ccpvtz_sph", NULL, TRUE, 0, 0},
    {"neon_ccpvqz_cart.molden", "neon_ccpvqz_cart", NULL, TRUE, 0, 0},
    {"neon_ccpvqz_sph.molden", "neon_ccpvqz_sph", NULL, TRUE, 0, 0},
    {"benzene_631gs_cart.molden", "benzene_631gs_cart", NULL, TRUE, 0, 0},
    {"OH_uhf_ccpvtz_sph.molden", "OH_uhf_ccpvtz_sph", NULL, TRUE, 0, 0},
    {"NiCO4_def2svp_sph.molden", "NiCO4_def2svp_sph", NULL, TRUE, 0, 0},
    {"h2o.molden.input", "h2o.molden.input", "ORCA", TRUE, 0, 0},
    {"nh3_orca.molden", "nh3_orca.molden", "ORCA", TRUE, 0, 0},
    {"orca_zn_cc_pvqz_pure.molden", "orca_zn_cc_pvqz_pure.molden", "ORCA's signs", TRUE, 0, 0},
    {"nh3_psi4.molden", "nh3_psi4.molden", "Psi4 before", TRUE, 0, 0},
    {"h2o_psi4_1.3.2_6-31G_d_cart.molden", "h2o_psi4_1.3.2_6-31G_d_cart.molden", "Psi4 up to", TRUE, 0, 0},
    {"nh3_turbomole.molden", "nh3_turbomole.molden", "Turbomole", TRUE, 0, 0},
    {"nh3_molden_cart.molden", "nh3_molden_cart.molden", NULL, TRUE, 0, 0},
    {"nh3_molden_pure.molden", "nh3_molden_pure.molden", NULL, TRUE, 0, 0},
    /* Two of its contractions begin with coefficients of 0, which the reference's program took for functions that are
     * 0 everywhere: its values are right of the orbitals that have no part of them. */
    {"h2o_ccpvdz_cfour.molden", "h2o_ccpvdz_cfour.molden", "CFOUR", FALSE, 10, 13},
    {"h_gonly_cart_cfour.molden", "h_gonly_cart_cfour.molden", "CFOUR", FALSE, 0, 0},
    {"h_gonly_sph_cfour.molden", "h_gonly_sph_cfour.molden", "CFOUR", FALSE, 0, 0},
    {"he_spdf_orbital.fchk", "he_spdf_orbital.fchk", NULL, TRUE, 0, 0},
    {"water_ccpvdz_pure_hf_g03.fchk", "water_ccpvdz_pure_hf_g03.fchk", NULL, TRUE, 0, 0},
    {"ch3_hf_sto3g.fchk", "ch3_hf_sto3g.fchk", NULL, TRUE, 0, 0},
};

/* All numbers of a data set. */
static double *
read_numbers(hid_t group, const char *name, gsize *n)
{
  g_auto(DebyeH5Dataset) dataset = debye_h5_open_dataset(group, name);
  g_assert_cmpint(dataset, >=, 0);
  g_auto(DebyeH5Space) space = H5Dget_space(dataset);
  *n = (gsize)H5Sget_simple_extent_npoints(space);
  double *values = g_new(double, *n);
  g_assert_cmpint(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), >=, 0);
  return values;
}

/* x^a y^b z^c Σ w exp(−αr²) of all shells at a point. */
static void
evaluate(const DebyeWaveFunction *wave, const double *point, double *values)
{
  for (guint i = 0; i < wave->shells->len; i++) {
    const DebyeWaveShell *shell = &g_array_index(wave->shells, DebyeWaveShell, i);
    const double *centre = g_array_index(wave->atoms, DebyeWaveAtom, shell->atom).position;
    const double x = point[0] - centre[0], y = point[1] - centre[1], z = point[2] - centre[2];
    double radial = 0.0;
    for (guint32 k = shell->first_primitive; k < shell->first_primitive + shell->n_primitives; k++)
      radial += g_array_index(wave->weights, double, k) *
                exp(-g_array_index(wave->exponents, double, k) * (x * x + y * y + z * z));
    for (int a = shell->l; a >= 0; a--)
      for (int b = shell->l - a; b >= 0; b--)
        *values++ = radial * pow(x, a) * pow(y, b) * pow(z, shell->l - a - b);
  }
}

static double
dot(const double *a, const double *b, gsize n)
{
  double sum = 0.0;
  for (gsize i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

static double *
get_rows(const DebyeWaveFunction *wave)
{
  double *rows = g_new(double, wave->orbitals->len * wave->n_cartesian);
  for (gsize i = 0; i < wave->orbitals->len; i++)
    debye_wave_function_get_cartesian(wave, i, rows + i * wave->n_cartesian);
  return rows;
}

static void
check_orbitals(const Case *of, const DebyeWaveFunction *wave, hid_t group, const double *values,
               gsize n_points)
{
  gsize n_numbers, n_values;
  g_autofree double *numbers = read_numbers(group, "mo_index", &n_numbers);
  g_autofree double *expected = read_numbers(group, "mo", &n_values);
  g_autofree double *rows = get_rows(wave);
  g_assert_cmpuint(n_values, ==, n_numbers * n_points);
  for (gsize i = of->first; i < (of->last > 0 ? of->last + 1 : n_numbers); i++) {
    double error = 0.0, most = 0.0;
    g_assert_cmpfloat(numbers[i], <, (double)wave->orbitals->len);
    for (gsize k = 0; k < n_points; k++) {
      const double found = dot(rows + (gsize)numbers[i] * wave->n_cartesian, values + k * wave->n_cartesian,
                               wave->n_cartesian);
      error = fmax(error, fabs(found - expected[i * n_points + k]));
      most = fmax(most, fabs(expected[i * n_points + k]));
    }
    if (!(error <= TOLERANCE * most))
      g_error("orbital %g: %g of %g", numbers[i], error, most);
  }
}

static void
check_density(const DebyeWaveFunction *wave, hid_t group, const double *values, gsize n_points)
{
  gsize n;
  g_autofree double *expected = read_numbers(group, "density", &n);
  g_autofree double *rows = get_rows(wave);
  double error = 0.0, most = 0.0;
  for (gsize k = 0; k < n_points; k++) {
    double sum = 0.0;
    for (gsize i = 0; i < wave->orbitals->len; i++) {
      const double value =
          dot(rows + i * wave->n_cartesian, values + k * wave->n_cartesian, wave->n_cartesian);
      sum += g_array_index(wave->orbitals, DebyeWaveOrbital, i).occupation * value * value;
    }
    error = fmax(error, fabs(sum - expected[k]));
    most = fmax(most, expected[k]);
  }
  g_assert_cmpfloat(error, <=, TOLERANCE * most);
}

static void
check_remarks(const DebyeWaveFunction *wave, const char *word)
{
  gboolean is_found = word == NULL && wave->remarks->len == 0;
  for (guint i = 0; i < wave->remarks->len; i++) {
    g_test_message("%s", (const char *)g_ptr_array_index(wave->remarks, i));
    is_found = is_found || (word != NULL && strstr(g_ptr_array_index(wave->remarks, i), word) != NULL);
  }
  g_assert_true(is_found);
}

static void
test_case(gconstpointer data)
{
  const Case *of = data;
  g_autoptr(GError) error = NULL;
  g_autofree char *name = g_strconcat(of->file, ".gz", NULL);
  g_autofree char *path = g_build_filename(shared, "reference/next/orbitals", name, NULL);
  g_autofree char *results = g_build_filename(shared, "reference/next/orbitals/orbitals.h5", NULL);
  g_autoptr(DebyeWaveFunction) wave = debye_wave_function_load(path, &error);
  g_assert_no_error(error);
  g_test_message("worst norm %.9g of %zu orbitals", wave->worst_norm, wave->n_looked_at);
  DEBYE_H5_LOCKED();
  g_auto(DebyeH5File) file = debye_h5_open_file(results, &error);
  g_assert_no_error(error);
  g_auto(DebyeH5Group) group = debye_h5_open_group(file, of->group);
  gsize n;
  g_autofree double *points = read_numbers(group, "points_bohr", &n);
  g_autofree double *values = g_new(double, n / 3 * wave->n_cartesian);
  for (gsize k = 0; k < n / 3; k++)
    evaluate(wave, points + 3 * k, values + k * wave->n_cartesian);
  check_orbitals(of, wave, group, values, n / 3);
  if (of->has_density)
    check_density(wave, group, values, n / 3);
  check_remarks(wave, of->remark);
  g_assert_cmpfloat(fabs(wave->worst_norm - 1.0), <, 1e-4);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  shared = debye_shared_get_folder();
  if (shared == NULL)
    return DEBYE_TEST_SKIPPED;
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autofree char *name = g_strconcat("/wave-function/", cases[i].file, NULL);
    g_test_add_data_func(name, &cases[i], test_case);
  }
  return g_test_run();
}
