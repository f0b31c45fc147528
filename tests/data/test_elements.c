/* SPDX-License-Identifier: MIT */
/* The string pool, the periodic table, and how elements are decided. */
#include "data/tables/elements.h"
#include "data/files/string_pool.h"

#include <math.h>
#include <string.h>

static void
test_pool(void)
{
  g_autoptr(DebyeStringPool) pool = debye_string_pool_new();
  g_assert_cmpuint(debye_string_pool_add(pool, "", 0), ==, 0);
  g_assert_cmpuint(debye_string_pool_add(pool, NULL, -1), ==, 0);
  guint32 carbon = debye_string_pool_add(pool, " CA ", 4);
  g_assert_cmpstr(debye_string_pool_get(pool, carbon), ==, "CA");
  g_assert_cmpuint(debye_string_pool_add(pool, "CA", -1), ==, carbon);
  g_assert_cmpuint(debye_string_pool_add(pool, "CAB", 2), ==, carbon);
  g_assert_cmpuint(debye_string_pool_add(pool, "CB", -1), !=, carbon);
  g_assert_cmpuint(debye_string_pool_get_count(pool), ==, 3);
}

/* Many strings, so that the table grows several times. */
static void
test_pool_growth(void)
{
  g_autoptr(DebyeStringPool) pool = debye_string_pool_new();
  for (int round = 0; round < 2; round++)
    for (guint32 i = 1; i <= 5000; i++) {
      g_autofree char *text = g_strdup_printf("name%u", i);
      g_assert_cmpuint(debye_string_pool_add(pool, text, -1), ==, i);
    }
  g_assert_cmpstr(debye_string_pool_get(pool, 4711), ==, "name4711");
}

static void
test_pool_foreign_bytes(void)
{
  g_autoptr(DebyeStringPool) pool = debye_string_pool_new();
  guint32 latin = debye_string_pool_add(pool, "caf\xE9", -1);
  g_assert_cmpstr(debye_string_pool_get(pool, latin), ==, "café");
  g_assert_cmpuint(debye_string_pool_add(pool, "café", -1), ==, latin);
  g_assert_cmpstr(debye_string_pool_get(pool, debye_string_pool_add(pool, "a\0b", 3)), ==, "a?b");
  g_assert_cmpstr(debye_string_pool_get(pool, debye_string_pool_add(pool, "a\x85", 2)), ==, "a?");
}

static void
test_table(void)
{
  for (guint8 number = 1; number < DEBYE_N_ELEMENTS; number++) {
    const DebyeElement *element = debye_element_get(number);
    g_assert_cmpuint(debye_element_from_symbol(element->symbol, -1), ==, number);
    g_assert_cmpuint(strlen(element->name), >, 2);
    g_assert_cmpfloat(element->mass, >, 0.0);
    g_assert_true(element->covalent_radius > 0.2F && element->covalent_radius < 3.0F);
    for (int set = DEBYE_RADII_BONDI; set <= DEBYE_RADII_MANTINA; set++) {
      const float radius = debye_element_get_radius(number, (DebyeRadiusSet)set);
      g_assert_true(radius > 1.0F && radius < 4.0F);
    }
    g_assert_cmpuint(element->color, <=, 0xFFFFFF);
    /* Every element's own mass means that element. */
    g_assert_cmpuint(debye_element_from_mass(element->mass), ==, number);
  }
  g_assert_cmpstr(debye_element_get(26)->name, ==, "iron");
  g_assert_cmpfloat(debye_element_get(0)->mass, ==, 0.0);
  g_assert_true(debye_element_get(200) == debye_element_get(0));
}

/* As the papers print them; an element that Bondi lacks (Fe) has the other set's radius. */
static void
test_radii(void)
{
  static const struct {
    guint8 number;
    float bondi, mantina;
  } cases[] = {{1, 1.20F, 1.10F},  {6, 1.70F, 1.70F},  {7, 1.55F, 1.55F},  {8, 1.52F, 1.52F},
               {9, 1.47F, 1.47F},  {15, 1.80F, 1.80F}, {16, 1.80F, 1.80F}, {17, 1.75F, 1.75F},
               {30, 1.39F, 2.39F}, {35, 1.85F, 1.83F}, {53, 1.98F, 1.98F}, {26, 2.44F, 2.44F},
               {0, 1.50F, 1.50F},  {200, 1.50F, 1.50F}};
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_assert_cmpfloat(debye_element_get_radius(cases[i].number, DEBYE_RADII_BONDI), ==, cases[i].bondi);
    g_assert_cmpfloat(debye_element_get_radius(cases[i].number, DEBYE_RADII_MANTINA), ==, cases[i].mantina);
  }
}

static void
test_symbols(void)
{
  static const struct {
    const char *text;
    guint8 number;
  } cases[] = {{"C", 6}, {"c", 6}, {"CL", 17}, {"cl", 17}, {"Na", 11}, {"D", 1},   {"T", 1},
               {"", 0},  {"X", 0}, {"Q", 0},   {"Abc", 0}, {"1", 0},   {"Og", 118}};
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
    g_assert_cmpuint(debye_element_from_symbol(cases[i].text, -1), ==, cases[i].number);
  g_assert_cmpstr(debye_element_get_isotope_symbol(1, 2.014), ==, "D");
  g_assert_cmpstr(debye_element_get_isotope_symbol(1, 2.0), ==, "H"); /* repartitioned masses */
  g_assert_cmpstr(debye_element_get_isotope_symbol(2, 2.014), ==, "He");
  g_assert_cmpstr(debye_element_get_isotope_symbol(0, 2.014), ==, "");
  g_assert_cmpuint(debye_element_from_symbol("CALCIUM", 2), ==, 20);
  g_assert_cmpuint(debye_element_from_symbol(NULL, -1), ==, 0);
}

static void
test_masses(void)
{
  static const struct {
    double mass;
    guint8 number;
  } cases[] = {
      {12.01, 6},
      {12.0, 6},
      {1.00794, 1},
      {2.014, 1},
      {3.024, 1},
      {4.032, 1},
      {4.0026, 2},
      {14.01, 7},
      {15.9994, 8},
      {32.065, 16},
      {39.102, 19},
      {40.08, 20},
      {55.847, 26},
      {65.37, 30},
      /* United atoms are carbons, not the nitrogen or oxygen that weighs nearly as much. */
      {13.019, 6},
      {14.027, 6},
      {15.035, 6},
      {16.043, 6},
      /* Repartitioned N with one H and O with one H, CG beads, Drude particles: not by mass. */
      {11.991, 0},
      {13.983, 0},
      {72.0, 0},
      {0.4, 0},
      {0.0, 0},
      {45.0, 0},
      {-1.0, 0},
      {INFINITY, 0},
      {NAN, 0},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
    g_assert_cmpuint(debye_element_from_mass(cases[i].mass), ==, cases[i].number);
}

static void
test_names(void)
{
  static const struct {
    const char *name, *residue, *symbol;
  } cases[] = {
      {"CA", "ALA", "C"},
      {"CA", "CA", "Ca"},
      {"CA", "CA2", "Ca"},
      {"CAL", "CAL", "Ca"},
      {"CA", "LIG", "C"},
      {"CD", "GLU", "C"},
      {"CD", "CD", "Cd"},
      {"NE", "ARG", "N"},
      {"HG", "SER", "H"},
      {"HG", "HG", "Hg"},
      {"1HB2", "ALA", "H"},
      {"NA", "NA", "Na"},
      {"NA", "NA+", "Na"},
      {"Na+", "Na+", "Na"},
      {"NA", "HEM", "N"},
      {"NA", "", "Na"},
      {"SOD", "SOD", "Na"},
      {"SOD", "ION", "Na"},
      {"CLA", "CLA", "Cl"},
      {"Cl-", "Cl-", "Cl"},
      {"CL1", "LIG", "Cl"},
      {"BR", "LIG", "Br"},
      {"CU", "CU", "Cu"},
      {"CU", "CU1", "Cu"},
      {"CU", "LIG", "Cu"},
      {"FE", "HEM", "Fe"},
      {"ZN", "ZN", "Zn"},
      {"SE", "MSE", "Se"},
      {"SI", "LIG", "Si"},
      {"POT", "POT", "K"},
      {"K", "K", "K"},
      {"I", "ION", "I"},
      {"F1", "LIG", "F"},
      {"OW", "SOL", "O"},
      {"HW1", "SOL", "H"},
      {"OH2", "TIP3", "O"},
      {"P", "DPPC", "P"},
      {"PO4", "DOPC", "P"},
      {"O5'", "DA", "O"},
      {"CA", "NALA", "C"},
      {"C1'", "U", "C"},
      {"CO", "CO", "Co"},
      {"D", "DOD", "H"},
      /* Virtual sites, beads and words that mean no element. */
      {"MW", "SOL", "X"},
      {"M", "TIP4", "X"},
      {"EP", "WAT", "X"},
      {"LP1", "LIG", "X"},
      {"OM", "SWM4", "X"},
      {"GL1", "DOPC", "X"},
      {"BB", "ALA", "X"},
      {"SC1", "LYS", "X"},
      {"W", "W", "X"},
      {"FOO", "FOO", "X"},
      {"", "ALA", "X"},
      {"123", "LIG", "X"},
      {"Q1", "LIG", "X"},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    guint8 number = debye_element_from_name(cases[i].name, cases[i].residue);
    if (strcmp(debye_element_get(number)->symbol, cases[i].symbol) != 0) {
      g_test_message("%s in %s: expected %s, found %s", cases[i].name, cases[i].residue, cases[i].symbol,
                     debye_element_get(number)->symbol);
      g_test_fail();
    }
  }
  g_assert_cmpuint(debye_element_from_name("CA", NULL), ==, 6);
  g_assert_true(debye_element_name_is_virtual("MW1", "SOL"));
  g_assert_false(debye_element_name_is_virtual("M", "LIG"));
}

static void
test_types(void)
{
  static const struct {
    const char *type, *symbol;
  } cases[] = {
      {"CT1", "C"},   {"OG2D1", "O"}, {"CG2R61", "C"},   {"CLGR1", "Cl"}, {"SOD", "Na"},
      {"SODD", "Na"}, {"CLA", "Cl"},  {"HDP1A", "H"},    {"ca", "C"},     {"na", "N"},
      {"cl", "Cl"},   {"br", "Br"},   {"CA", "C"},       {"Zn", "Zn"},    {"FE", "Fe"},
      {"NH1", "N"},   {"54", "X"},    {"opls_135", "X"}, {"LPD", "X"},    {"", "X"},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
    g_assert_cmpstr(debye_element_get(debye_element_from_type(cases[i].type))->symbol, ==, cases[i].symbol);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/string-pool/codes", test_pool);
  g_test_add_func("/string-pool/growth", test_pool_growth);
  g_test_add_func("/string-pool/foreign-bytes", test_pool_foreign_bytes);
  g_test_add_func("/elements/table", test_table);
  g_test_add_func("/elements/radii", test_radii);
  g_test_add_func("/elements/symbols", test_symbols);
  g_test_add_func("/elements/masses", test_masses);
  g_test_add_func("/elements/names", test_names);
  g_test_add_func("/elements/types", test_types);
  return g_test_run();
}
