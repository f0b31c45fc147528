/* SPDX-License-Identifier: MIT */
/* Neutron lengths and X-ray form factors against published values and against what must hold for any table.
 */
#include <math.h>

#include "data/tables/elements.h"
#include "data/tables/neutron_lengths.h"
#include "data/tables/xray_factors.h"

/* From the NIST tables (n-lengths): name, b_coh (fm), sigma_inc (barn). */
static const struct {
  const char *name;
  double coherent, incoherent_section;
} published[] = {
    {"H", -3.7390, 80.26}, {"1H", -3.7406, 80.27}, {"D", 6.671, 2.05},    {"T", 4.792, 0.14},
    {"C", 6.6460, 0.001},  {"13C", 6.19, 0.034},   {"N", 9.36, 0.5},      {"15N", 6.44, 0.00005},
    {"O", 5.803, 0.0008},  {"Na", 3.63, 1.62},     {"Mg", 5.375, 0.08},   {"P", 5.13, 0.005},
    {"S", 2.847, 0.007},   {"Cl", 9.577, 5.3},     {"37Cl", 3.08, 0.001}, {"K", 3.67, 0.27},
    {"Ca", 4.70, 0.05},    {"Fe", 9.45, 0.4},      {"Zn", 5.680, 0.077},  {"V", -0.3824, 5.08},
};

static void
test_published_lengths(void)
{
  for (gsize i = 0; i < G_N_ELEMENTS(published); i++) {
    const DebyeNeutronLength *length = debye_neutron_length_find(published[i].name);
    g_assert_nonnull(length);
    g_assert_cmpfloat_with_epsilon(length->coherent, published[i].coherent, 1e-9);
    /* Small incoherent sections are given to two digits. */
    g_assert_cmpfloat_with_epsilon(length->incoherent_section, published[i].incoherent_section,
                                   0.005 + 1e-6 * published[i].incoherent_section);
  }
  g_assert_cmpfloat_with_epsilon(debye_neutron_length_get(64, 0)->coherent_imaginary, -13.82, 1e-9);
}

/* Mostly 4π|b|² = σ_coh, which catches a slipped column or sign; lengths and sections were measured apart, so
 * that heavy absorbers and rare isotopes disagree. */
static void
test_lengths_agree_with_sections(void)
{
  gsize n_far = 0, n_compared = 0;
  for (gsize i = 0; i < debye_n_neutron_lengths; i++) {
    const DebyeNeutronLength *length = &debye_neutron_lengths[i];
    if (i > 0)
      g_assert_true(length->number > length[-1].number ||
                    (length->number == length[-1].number && length->mass_number > length[-1].mass_number));
    g_assert_cmpfloat(length->incoherent_section, >=, 0.0);
    g_assert_true(length->coherent_imaginary <= 0.0);
    if (length->coherent_section <= 0.0)
      continue;
    double expected =
        4.0 * G_PI / 100.0 *
        (length->coherent * length->coherent + length->coherent_imaginary * length->coherent_imaginary);
    n_compared++;
    n_far += fabs(expected - length->coherent_section) > 0.05 * length->coherent_section + 0.1;
  }
  g_assert_cmpuint(n_compared, >, 300);
  g_assert_cmpuint(n_far, <, n_compared / 20);
}

static void
test_isotopes(void)
{
  static const char *const same[][3] = {{"13C", "C13", "c-13"}, {"D", "2H", "H-2"}, {"T", "3h", "H3"}};
  for (gsize i = 0; i < G_N_ELEMENTS(same); i++)
    for (int j = 1; j < 3; j++)
      g_assert_true(debye_neutron_length_find(same[i][0]) == debye_neutron_length_find(same[i][j]));
  static const char *const none[] = {"",   "13",     "Xx", "2D", "C0",   "13C13", "C1313", "C--",
                                     "0C", "carbon", "C ", "-C", "99Na", "\xC3(", "C-"};
  for (gsize i = 0; i < G_N_ELEMENTS(none); i++)
    g_assert_null(debye_neutron_length_find(none[i]));
  g_autofree char *deuterium = debye_neutron_length_get_name(debye_neutron_length_get(1, 2));
  g_autofree char *carbon = debye_neutron_length_get_name(debye_neutron_length_get(6, 13));
  g_autofree char *iron = debye_neutron_length_get_name(debye_neutron_length_get(26, 0));
  g_assert_cmpstr(deuterium, ==, "D");
  g_assert_cmpstr(carbon, ==, "13C");
  g_assert_cmpstr(iron, ==, "Fe");
}

/* At q = 0 an atom scatters as its electrons do. The fits are good to a few hundredths of an electron. */
static void
test_factors_count_electrons(void)
{
  static const DebyeXrayTable tables[] = {DEBYE_XRAY_WAASMAIER_KIRFEL, DEBYE_XRAY_CROMER_MANN};
  for (int t = 0; t < 2; t++)
    for (guint8 number = 1; number <= 92; number++) {
      const DebyeXrayFactor *factor = debye_xray_factor_get(tables[t], DEBYE_XRAY_HYDROGEN_FREE, number, 0);
      g_assert_nonnull(factor);
      g_assert_cmpfloat_with_epsilon(debye_xray_factor_at(factor, 0.0), (double)number, 0.1);
      /* Falling with q, and never below nothing within the range that is stated. */
      double last = INFINITY, largest = debye_xray_table_get_largest_q(tables[t], DEBYE_XRAY_HYDROGEN_FREE);
      for (double q = 0.0; q <= 0.8 * largest; q += 0.5) {
        double f = debye_xray_factor_at(factor, q);
        g_assert_true(f <= last + 0.01 && f > -0.1);
        last = f;
      }
    }
  for (gsize i = 0; i < debye_n_waasmaier_kirfel; i++) {
    const DebyeXrayFactor *ion = &debye_waasmaier_kirfel[i];
    g_assert_cmpfloat_with_epsilon(debye_xray_factor_at(ion, 0.0), (double)(ion->number - ion->charge), 0.1);
  }
}

/* Two independent fits of the same atoms; that of four Gaussians is the rougher one. */
static void
test_tables_agree(void)
{
  static const guint8 numbers[] = {1, 6, 7, 8, 11, 15, 16, 17, 26};
  for (gsize i = 0; i < G_N_ELEMENTS(numbers); i++)
    for (double q = 0.0; q < 20.0; q += 0.25)
      g_assert_cmpfloat_with_epsilon(
          debye_xray_factor_at(
              debye_xray_factor_get(DEBYE_XRAY_WAASMAIER_KIRFEL, DEBYE_XRAY_HYDROGEN_FREE, numbers[i], 0), q),
          debye_xray_factor_at(
              debye_xray_factor_get(DEBYE_XRAY_CROMER_MANN, DEBYE_XRAY_HYDROGEN_FREE, numbers[i], 0), q),
          0.1);
  g_assert_nonnull(debye_xray_factor_get(DEBYE_XRAY_WAASMAIER_KIRFEL, DEBYE_XRAY_HYDROGEN_FREE, 11, 1));
  g_assert_nonnull(debye_xray_factor_get(DEBYE_XRAY_WAASMAIER_KIRFEL, DEBYE_XRAY_HYDROGEN_FREE, 17, -1));
  g_assert_null(debye_xray_factor_get(DEBYE_XRAY_WAASMAIER_KIRFEL, DEBYE_XRAY_HYDROGEN_FREE, 11, 5));
}

/* The free atom's density is known: f = (1 + (q·a₀/2)²)⁻². Both tables fit it to 0.002 electrons; the bonded
 * hydrogen is another one in both, 26 % brighter at q = 2 Å⁻¹, and ends where its fit does. */
static void
test_hydrogens(void)
{
  static const DebyeXrayTable tables[] = {DEBYE_XRAY_WAASMAIER_KIRFEL, DEBYE_XRAY_CROMER_MANN};
  const double bohr = 0.529177;
  for (gsize t = 0; t < G_N_ELEMENTS(tables); t++) {
    const DebyeXrayFactor *free = debye_xray_factor_get(tables[t], DEBYE_XRAY_HYDROGEN_FREE, 1, 0);
    const DebyeXrayFactor *bonded = debye_xray_factor_get(tables[t], DEBYE_XRAY_HYDROGEN_BONDED, 1, 0);
    for (double q = 0.0; q <= 20.0; q += 0.1)
      g_assert_cmpfloat_with_epsilon(debye_xray_factor_at(free, q),
                                     pow(1.0 + q * q * bohr * bohr / 4.0, -2.0), 0.002);
    const double ratio = debye_xray_factor_at(bonded, 2.0) / debye_xray_factor_at(free, 2.0);
    g_assert_cmpfloat_with_epsilon(ratio * ratio, 1.26, 0.02);
    g_assert_cmpfloat_with_epsilon(debye_xray_factor_at(bonded, 0.0), 1.0, 0.005);
    g_assert_cmpfloat_with_epsilon(debye_xray_table_get_largest_q(tables[t], DEBYE_XRAY_HYDROGEN_BONDED),
                                   25.13, 0.01);
    g_assert_nonnull(strstr(debye_xray_table_get_source(tables[t], DEBYE_XRAY_HYDROGEN_BONDED),
                            "Stewart, E. R. Davidson"));
    g_assert_nonnull(strstr(debye_xray_table_get_source(tables[t], DEBYE_XRAY_HYDROGEN_FREE), "free atom"));
  }
  /* An ion has its own. */
  g_assert_cmpint(
      debye_xray_factor_get(DEBYE_XRAY_WAASMAIER_KIRFEL, DEBYE_XRAY_HYDROGEN_BONDED, 1, -1)->charge, ==, -1);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/scattering-tables/published-lengths", test_published_lengths);
  g_test_add_func("/scattering-tables/sections", test_lengths_agree_with_sections);
  g_test_add_func("/scattering-tables/isotopes", test_isotopes);
  g_test_add_func("/scattering-tables/electrons", test_factors_count_electrons);
  g_test_add_func("/scattering-tables/two-fits", test_tables_agree);
  g_test_add_func("/scattering-tables/hydrogens", test_hydrogens);
  return g_test_run();
}
