/* SPDX-License-Identifier: MIT */
/* The selection language on a system small enough to know every answer. */
#include "data/files/error.h"
#include "data/molecule/periodic.h"
#include "data/selection/selection.h"
#include "random_cell.h"
#include "small_system.h"

#include <string.h>

/* Atom i stands at x = i, y = 0, z = i % 3. */
static const SmallAtom atoms[] = {
    {"ALA", 1, 0, "A", "PROT", "N", "NH1", "N", 14.007, -0.47},     /* 0 */
    {"ALA", 1, 0, "A", "PROT", "CA", "CT1", "C", 12.011, 0.07},     /* 1 */
    {"ALA", 1, 0, "A", "PROT", "HA", "HB", "H", 1.008, 0.09},       /* 2 */
    {"ALA", 1, 0, "A", "PROT", "CB", "CT3", "C", 12.011, -0.27},    /* 3 */
    {"ALA", 1, 0, "A", "PROT", "C", "C", "C", 12.011, 0.51},        /* 4 */
    {"ALA", 1, 0, "A", "PROT", "O", "O", "O", 15.999, -0.51},       /* 5 */
    {"HSE", 52, 0, "A", "PROT", "CA", "CT1", "C", 12.011, 0.07},    /* 6 */
    {"GLY", 52, 'A', "A", "PROT", "CA", "CT2", "C", 12.011, -0.02}, /* 7 */
    {"GLY", 52, 'B', "B", "PROT", "CA", "CT2", "C", 12.011, -0.02}, /* 8 */
    {"DA", -3, 0, "X", "DNA", "P", "P", "P", 30.974, 1.5},          /* 9 */
    {"DA", -3, 0, "X", "DNA", "O3'", "ON2", "O", 15.999, -0.57},    /* 10 */
    {"DA", -3, 0, "X", "DNA", "N9", "NN2", "N", 14.007, -0.05},     /* 11 */
    {"SOL", 60, 0, "W", "WATER", "OW", "OT", "O", 15.999, -0.834},  /* 12 */
    {"SOL", 60, 0, "W", "WATER", "HW1", "HT", "H", 1.008, 0.417},   /* 13 */
    {"SOL", 60, 0, "W", "WATER", "HW2", "HT", "H", 1.008, 0.417},   /* 14 */
    {"NA", 61, 0, "I", "IONS", "NA", "SOD", "Na", 22.99, 1.0},      /* 15 */
    {"CLA", 62, 0, "I", "IONS", "CLA", "CLA", "Cl", 35.45, -1.0},   /* 16 */
    {"POPC", 70, 0, "L", "MEMB", "C21", "CL", "C", 12.011, 0.9},    /* 17 */
    {"BGLC", 80, 0, "S", "CARB", "C1", "CC", "C", 12.011, 0.29},    /* 18 */
};
static const int bonds[] = {0, 1, 1, 2, 1, 3, 1, 4, 4, 5, 4, 6, 12, 13, 12, 14, -1};

typedef struct {
  DebyeTopology *topology;
  DebyeFrame *frame;
} Fixture;

static void
fixture_set_up(Fixture *fixture, gconstpointer data)
{
  (void)data;
  fixture->topology = small_topology_new(atoms, G_N_ELEMENTS(atoms), bonds);
  double positions[G_N_ELEMENTS(atoms)][3] = {{0}};
  for (gsize i = 0; i < G_N_ELEMENTS(atoms); i++) {
    positions[i][0] = (double)i;
    positions[i][2] = (double)(i % 3);
  }
  fixture->frame = small_frame_new(positions, G_N_ELEMENTS(atoms));
}

static void
fixture_tear_down(Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_object_unref(fixture->topology);
  debye_frame_unref(fixture->frame);
}

static char *
select_as_text(DebyeTopology *topology, const DebyeFrame *frame, const char *text)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeSelection) selection = debye_selection_parse(text, NULL, &error);
  g_assert_no_error(error);
  g_assert_cmpstr(debye_selection_get_text(selection), ==, text);
  g_autoptr(GArray) chosen = debye_selection_evaluate(selection, topology, frame, &error);
  g_assert_no_error(error);
  GString *result = g_string_new(NULL);
  for (guint k = 0; k < chosen->len; k++)
    g_string_append_printf(result, "%s%u", k > 0 ? " " : "", g_array_index(chosen, guint32, k));
  return g_string_free(result, FALSE);
}

typedef struct {
  const char *text, *expected;
} Case;

static void
check_cases(const Fixture *fixture, const Case *cases, gsize n_cases)
{
  for (gsize k = 0; k < n_cases; k++) {
    g_autofree char *found = select_as_text(fixture->topology, fixture->frame, cases[k].text);
    if (!g_str_equal(found, cases[k].expected))
      g_error("%s: expected %s, found %s", cases[k].text, cases[k].expected, found);
  }
}

#define ALL "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18"

static void
test_classes(Fixture *fixture, gconstpointer data)
{
  (void)data;
  static const Case cases[] = {
      {"", ALL},
      {"  \t ", ALL},
      {"all", ALL},
      {"everything", ALL},
      {"none", ""},
      {"nothing", ""},
      {"protein", "0 1 2 3 4 5 6 7 8"},
      {"nucleic", "9 10 11"},
      {"water", "12 13 14"},
      {"waters", "12 13 14"},
      {"ion", "15 16"},
      {"ions", "15 16"},
      {"solvent", "12 13 14 15 16"},
      {"lipid", "17"},
      {"lipids", "17"},
      {"sugar", "18"},
      {"sugars", "18"},
      {"backbone", "0 1 4 5 6 7 8 9 10"},
      {"nucleicbackbone", "9 10"},
      {"sidechain", "2 3"},
      {"hydrogen", "2 13 14"},
      {"hydrogens", "2 13 14"},
      {"heavy and water", "12"},
      {"noh and water", "12"},
      {"PROTEIN and Not BackBone", "2 3"},
  };
  check_cases(fixture, cases, G_N_ELEMENTS(cases));
}

static void
test_texts(Fixture *fixture, gconstpointer data)
{
  (void)data;
  static const Case cases[] = {
      {"name CA", "1 6 7 8"},
      {"name ca", ""},
      {"NAME CA", "1 6 7 8"},
      {"name CA CB", "1 3 6 7 8"},
      {"name CA, CB,N", "0 1 3 6 7 8"},
      {"name C*", "1 3 4 6 7 8 16 17 18"},
      {"name C?", "1 3 6 7 8 18"},
      {"name C[AB]", "1 3 6 7 8"},
      {"name C[!AB]", "18"},
      {"name HW[1-2]", "13 14"},
      {"name O3'", "10"},
      {"name \"C*\"", ""},
      {"name 'CA' \"CB\"", "1 3 6 7 8"},
      {"name =~ \"C.*\"", "1 3 4 6 7 8 16 17 18"},
      {"name =~ 'HW(1|2)'", "13 14"},
      {"name =~ W", ""},
      {"name = CA", "1 6 7 8"},
      {"name == CA", "1 6 7 8"},
      {"name != CA and chain A", "0 2 3 4 5"},
      {"type CT*", "1 3 6 7 8"},
      {"type HT", "13 14"},
      {"resname ALA GLY", "0 1 2 3 4 5 7 8"},
      {"resname SOL", "12 13 14"},
      {"chain A B", "0 1 2 3 4 5 6 7 8"},
      {"chainid W", "12 13 14"},
      {"chain X", "9 10 11"},
      {"chain A X and name CA P", "1 6 7 9"},
      {"segment DNA", "9 10 11"},
      {"segid IONS", "15 16"},
      {"segname MEMB", "17"},
      {"segid WATER", "12 13 14"},
      {"segid IONS WATER", "12 13 14 15 16"},
      {"element C and chain A", "1 3 4 6 7"},
      {"element Cl Na", "15 16"},
      {"element CL", "16"},
      {"element D", "2 13 14"},
      {"element c*", "1 3 4 6 7 8 16 17 18"},
  };
  check_cases(fixture, cases, G_N_ELEMENTS(cases));
}

static void
test_numbers(Fixture *fixture, gconstpointer data)
{
  (void)data;
  static const Case cases[] = {
      {"index 3", "3"},
      {"index 0 to 2 17", "0 1 2 17"},
      {"index 0-2 5:7", "0 1 2 5 6 7"},
      {"index 1, 2,3", "1 2 3"},
      {"serial 1", "0"},
      {"serial 2 to 3", "1 2"},
      {"bynum 2:3", "1 2"},
      {"resid 1", "0 1 2 3 4 5"},
      {"resnum 61", "15"},
      {"resid 52", "6 7 8"},
      {"resid 52A", "7"},
      {"resid 52A-52B", "7 8"},
      {"resid 1 to 52A", "0 1 2 3 4 5 6 7"},
      {"resid -3", "9 10 11"},
      {"resid -5 to -1", "9 10 11"},
      {"resid -5--1", "9 10 11"},
      {"resid -5:1", "0 1 2 3 4 5 9 10 11"},
      {"resid < 0", "9 10 11"},
      {"resid >= 62 and resid != 70", "16 18"},
      {"residue 0", "0 1 2 3 4 5"},
      {"residue 2 to 3", "7 8"},
      {"molecule 0", "0 1 2 3 4 5 6"},
      {"fragment 6", "12 13 14"},
      {"numbonds 2 to 3", "4 12"},
      {"atomicnumber 15 17", "9 16"},
      {"mass > 20", "9 15 16"},
      {"prop mass >= 30.974", "9 16"},
      {"mass 12 to 13 and chain B", "8"},
      {"charge > 0.5", "4 9 15 17"},
      {"charge = 0.417", "13 14"},
      {"charge >= 0.417 and water", "13 14"},
      {"charge < -0.5 and not ion", "5 10 12"},
      {"charge 0.417", "13 14"},
      {"charge -1", "16"},
      {"abs(charge) > 0.8 and charge < 0", "12 16"},
      {"prop abs charge >= 1", "9 15 16"},
      {"x < 2", "0 1"},
      {"x < 5 and x > 2", "3 4"},
      {"2 < x and 5 > x", "3 4"},
      {"x -1 < 1", "0 1"},
      {"x - 1 < 1", "0 1"},
      {"-x > -2", "0 1"},
      {"x 3 to 4", "3 4"},
      {"z = 2 and index < 6", "2 5"},
      {"y > -1 and y < 1 and index 0", "0"},
      {"sqr(x)+sqr(z) < 5", "0 1"},
      {"x^2 + z**2 <= 5", "0 1"},
      {"x + 1 * 2 < 4", "0 1"},
      {"(x + 1) * 2 < 4", "0"},
      {"x % 6 = 5", "5 11 17"},
      {"2 ^ 3 ^ 0 = x", "2"},
      {"sqrt(x) = 4", "16"},
      {"floor(x / 6) = 1 and ceil(x/6) = 1", "6"},
      {"sin(x) = 0 or exp(x) = 1 or log(x) = 0 or log10(x) = 1", "0 1 10"},
      {"cos(x) = 1 and tan(x) = 0", "0"},
      {"0 / x < 1 and x < 3", "1 2"},
  };
  check_cases(fixture, cases, G_N_ELEMENTS(cases));
}

/* Serials are the file's, which may begin anywhere and come twice; places in the order are not. */
static void
test_serials(void)
{
  static const gint32 serials[] = {7, 99999, 0, 1, 7};
  static const Case cases[] = {
      {"serial 7", "0 4"}, {"serial 0 to 1", "2 3"}, {"serial > 10", "1"},         {"serial 2", ""},
      {"bynum 1", "0"},    {"bynum 4 to 99", "3 4"}, {"index 0 or bynum 2", "0 1"}};
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  for (gsize i = 0; i < G_N_ELEMENTS(serials); i++) {
    DebyeAtom atom = DEBYE_ATOM_INIT;
    atom.serial = serials[i];
    debye_topology_builder_add_atom(builder, &atom);
  }
  Fixture fixture = {.topology = debye_topology_builder_finish(builder)};
  check_cases(&fixture, cases, G_N_ELEMENTS(cases));
  g_object_unref(fixture.topology);
}

static void
test_logic(Fixture *fixture, gconstpointer data)
{
  (void)data;
  static const Case cases[] = {
      {"not protein and not solvent", "9 10 11 17 18"},
      {"not (protein or solvent)", "9 10 11 17 18"},
      {"index 0 or index 1 and index 2", "0"},
      {"(index 0 or index 1) and index 1", "1"},
      {"index 1 and index 1 or index 0", "0 1"},
      {"not index 0 and index 0 1", "1"},
      {"not not index 4", "4"},
      {"!protein && !solvent || index 0", "0 9 10 11 17 18"},
      {"protein name CA", "1 6 7 8"},
      {"protein (name CA) resid 1", "1"},
      {"name CA resid 1", "1"},
      {"((index 5))", "5"},
      {"protein not backbone", "2 3"},
  };
  check_cases(fixture, cases, G_N_ELEMENTS(cases));
}

static void
test_relations(Fixture *fixture, gconstpointer data)
{
  (void)data;
  static const Case cases[] = {
      {"within 1.5 of index 0 3", "0 1 3 4"},
      {"within 2.3 of index 3", "1 2 3 4"},
      {"exwithin 2.3 of index 3", "1 2 4"},
      {"pbwithin 2.3 of index 3", "1 2 3 4"},
      {"around 2.3 index 3", "1 2 4"},
      {"around 2.3 (index 3 4)", "1 2 5 6"},
      {"within 0 of index 3", "3"},
      {"within 2.3 of index 3 and name CA", "1"},
      {"name CA and within 2.3 of index 3", "1"},
      {"name CA within 2.3 of index 3", "1"},
      {"within 2.3 of not index 0 to 16", "16 17 18"},
      {"within 5 of none", ""},
      {"within 100 of index 3", ALL},
      {"sphere 3 0 0 2.3", "1 2 3 4"},
      {"point 3 0 -1 1.1", "3"},
      {"same residue as index 7", "7"},
      {"same residue as index 1 12", "0 1 2 3 4 5 12 13 14"},
      {"same resid as index 7", "6 7 8"},
      {"same resname as index 7", "7 8"},
      {"same chain as index 12", "12 13 14"},
      {"same segment as index 9", "9 10 11"},
      {"same name as index 1", "1 6 7 8"},
      {"same type as index 8", "7 8"},
      {"same element as index 9 16", "9 16"},
      {"same molecule as index 6", "0 1 2 3 4 5 6"},
      {"same fragment as (index 13)", "12 13 14"},
      {"byres index 13", "12 13 14"},
      {"byres index 13 and hydrogen", "13 14"},
      {"bonded index 1", "0 2 3 4"},
      {"bonded to (index 12)", "13 14"},
      {"bonded to index 1 4", "0 1 2 3 4 5 6"},
      {"withinbonds 0 of index 1", "1"},
      {"withinbonds 1 of index 0", "0 1"},
      {"withinbonds 2 of index 0", "0 1 2 3 4"},
      {"withinbonds 1000000 of index 0", "0 1 2 3 4 5 6"},
      {"same residue as (within 1.5 of index 12)", "12 13 14"},
  };
  check_cases(fixture, cases, G_N_ELEMENTS(cases));
}

/* A name means what it fits first: names, elements, residue names, types. */
static void
test_bare_names(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const Case cases[] = {
      {"CA", "1 6 7 8"},
      {"O", "5"},
      {"OW", "12"},
      {"H", "2 13 14"},
      {"SOL", "12 13 14"},
      {"CT1", "1 6"},
      {"HW*", "13 14"},
      {"O3'", "10"},
      {"CA and resid 1", "1"},
      {"not (CA or OW) and C?", "3 18"},
      {"Cl", "16"},
  };
  static const char *const spelt[][2] = {
      {"CA", "name CA"},
      {"H or (HW* and SOL)", "element H or (name HW* and resname SOL)"},
      {"CT1 and not Na", "type CT1 and not element Na"},
      {"protein and name CA", NULL},
  };
  check_cases(fixture, cases, G_N_ELEMENTS(cases));
  for (gsize k = 0; k < G_N_ELEMENTS(spelt); k++) {
    g_autoptr(DebyeSelection) selection = debye_selection_parse(spelt[k][0], NULL, NULL);
    g_autofree char *text = debye_selection_spell_out(selection, fixture->topology);
    g_assert_cmpstr(text, ==, spelt[k][1]);
  }
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeSelection) nobody = debye_selection_parse("water or Xx", NULL, NULL);
  g_assert_null(debye_selection_evaluate(nobody, fixture->topology, fixture->frame, &error));
  g_assert_cmpstr(error->message, ==, "selection: no atom has the name, element, residue name or type “Xx”");
}

static void
test_dynamic(void)
{
  static const struct {
    const char *text;
    gboolean is_dynamic;
  } cases[] = {
      {"protein", FALSE},          {"charge > 0.5", FALSE},
      {"resid 5 to 10", FALSE},    {"same residue as x < 5", TRUE},
      {"within 5 of water", TRUE}, {"sphere 0 0 0 5", TRUE},
      {"z 1 to 2", TRUE},          {"not around 3 ion", TRUE},
      {"bonded protein", FALSE},
  };
  for (gsize k = 0; k < G_N_ELEMENTS(cases); k++) {
    g_autoptr(DebyeSelection) selection = debye_selection_parse(cases[k].text, NULL, NULL);
    g_assert_nonnull(selection);
    g_assert_cmpint(debye_selection_is_dynamic(selection), ==, cases[k].is_dynamic);
  }
}

/* The column is 1-based in the message, counted in characters, and the caret stands under it. */
static void
test_errors(void)
{
  static const struct {
    const char *text;
    glong column;
    const char *message;
  } cases[] = {
      {"water within of protein", 14, "expected a number after “within”, found “of”"},
      {"protin", 1, "expected a word such as “name”, “resid” or “protein”, found “protin”"},
      {"name", 5, "expected a value after “name”, found the end"},
      {"name and resid 5", 6, "expected a value after “name”, found “and”"},
      {"name )", 6, "expected a value after “name”, found “)”"},
      {"resid", 6, "expected a value or a comparison after “resid”, found the end"},
      {"resid foo", 7, "expected a value or a comparison after “resid”, found “foo”"},
      {"resid 5 to", 11, "expected a number after “resid”, found the end"},
      {"resid 5 to x", 12, "expected a number after “resid”, found “x”"},
      {"resid 10 to 5", 7, "expected a range from low to high, found “10 to 5”"},
      {"resid 5.5", 7, "expected a whole number after “resid”, found “5.5”"},
      {"resid 5 foo", 9, "expected “and”, “or” or the end, found “foo”"},
      {"protein and", 12, "expected a word such as “name”, “resid” or “protein”, found the end"},
      {"protein or or water", 12, "expected a word such as “name”, “resid” or “protein”, found “or”"},
      {"(protein", 9, "expected “)”, found the end"},
      {"protein)", 8, "expected “and”, “or” or the end, found “)”"},
      {"()", 2, "expected a word such as “name”, “resid” or “protein”, found “)”"},
      {"within 5 protein", 10, "expected “of”, found “protein”"},
      {"within -5 of protein", 8, "expected a number after “within”, found “-5”"},
      {"within 1e999 of protein", 8, "expected a number after “within”, found “1e999”"},
      {"within 5 of 3", 14, "expected a comparison (<, <=, =, !=, >=, >) after the number, found the end"},
      {"around x protein", 8, "expected a number after “around”, found “x”"},
      {"sphere 1 2 3", 13, "expected a number for radius after “sphere”, found the end"},
      {"sphere 1 b 3 4", 10, "expected a number for y after “sphere”, found “b”"},
      {"same x as protein", 6,
       "expected residue, chain, segment, molecule, name, type, element, resname or resid after “same”, "
       "found “x”"},
      {"same residue protein", 14, "expected “as”, found “protein”"},
      {"withinbonds 1.5 of protein", 13, "expected a whole number after “withinbonds”, found “1.5”"},
      {"withinbonds 2 protein", 15, "expected “of”, found “protein”"},
      {"bonded", 7, "expected a word such as “name”, “resid” or “protein”, found the end"},
      {"x", 2, "expected a value or a comparison after “x”, found the end"},
      {"x + 1", 6, "expected a comparison (<, <=, =, !=, >=, >) after the number, found the end"},
      {"x < protein", 5, "expected a number on both sides of the operator, found a selection"},
      {"protein < 5", 1, "expected a number on both sides of the operator, found a selection"},
      {"x <", 4, "expected a word such as “name”, “resid” or “protein”, found the end"},
      {"1 < x < 5", 7, "expected “and”, “or” or the end, found “<”"},
      {"abs(protein) > 1", 4, "expected a number on both sides of the operator, found a selection"},
      {"not", 4, "expected a word such as “name”, “resid” or “protein”, found the end"},
      {"name \"CA", 6, "expected a closing \" for the quote that opens here, found the end"},
      {"name =~", 8, "expected a regular expression after “=~”, found the end"},
      {"name =~ \"C(\"", 9, "expected a regular expression, found “C(”"},
      {"resname Ä and protin", 15, "expected a word such as “name”, “resid” or “protein”, found “protin”"},
      {"x < 5 and and", 11, "expected a word such as “name”, “resid” or “protein”, found “and”"},
  };
  for (gsize k = 0; k < G_N_ELEMENTS(cases); k++) {
    g_autoptr(GError) error = NULL;
    guint column = 0;
    g_assert_null(debye_selection_parse(cases[k].text, &column, &error));
    g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_SELECTION);
    g_autofree char *expected =
        g_strdup_printf("selection: column %ld: %s\n%s\n%*s^", cases[k].column, cases[k].message,
                        cases[k].text, (int)cases[k].column - 1, "");
    g_assert_cmpstr(error->message, ==, expected);
    g_assert_cmpint(column, ==, cases[k].column - 1);
  }
}

static void
test_long_error_is_windowed(void)
{
  g_autoptr(GString) text = g_string_new("index");
  for (int k = 0; k < 100; k++)
    g_string_append_printf(text, " %d", k);
  g_string_append(text, " oops and much more text that nobody needs to see again");
  g_autoptr(GError) error = NULL;
  g_assert_null(debye_selection_parse(text->str, NULL, &error));
  g_auto(GStrv) lines = g_strsplit(error->message, "\n", -1);
  g_assert_cmpuint(g_strv_length(lines), ==, 3);
  g_assert_cmpint(g_utf8_strlen(lines[1], -1), <, 80);
  const char *under = g_utf8_offset_to_pointer(lines[1], (glong)strlen(lines[2]) - 1);
  g_assert_true(g_str_has_prefix(under, "oops"));
}

static void
test_limits(void)
{
  g_autoptr(GError) error = NULL;
  for (int kind = 0; kind < 4; kind++) {
    g_autoptr(GString) text = g_string_new(NULL);
    const char *const pieces[] = {"(", "not ", "2^", "within 1 of "};
    for (int k = 0; k < 50000; k++)
      g_string_append(text, pieces[kind]);
    g_assert_null(debye_selection_parse(text->str, NULL, &error));
    g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_SELECTION);
    g_clear_error(&error);
  }
  g_autoptr(GString) sum = g_string_new("x");
  for (int k = 0; k < 5000; k++)
    g_string_append(sum, "+x");
  g_string_append(sum, " < 5");
  g_assert_null(debye_selection_parse(sum->str, NULL, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_SELECTION);
  g_clear_error(&error);
  g_autofree char *huge = g_strnfill(2000000, ' ');
  g_assert_null(debye_selection_parse(huge, NULL, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_SELECTION);
  g_clear_error(&error);
  g_assert_null(debye_selection_parse("name \xff\xfe", NULL, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_SELECTION);
}

/* Long flat chains and lists are what programs write: they have no limit but the length. */
static void
test_long_chains(Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_autoptr(GString) chain = g_string_new("index 0"), list = g_string_new("index");
  for (int k = 1; k < 20000; k++) {
    if (k < 5000)
      g_string_append_printf(chain, " or index %d", k);
    g_string_append_printf(list, " %d", k);
  }
  g_autofree char *from_chain = select_as_text(fixture->topology, NULL, chain->str);
  g_autofree char *from_list = select_as_text(fixture->topology, NULL, list->str);
  g_assert_cmpstr(from_chain, ==, ALL);
  g_assert_cmpstr(from_list, ==, ALL + 2);
}

/* Random rows of words: no crash, and every error has its three lines. */
static void
test_random_texts(Fixture *fixture, gconstpointer data)
{
  (void)data;
  static const char *const pieces[] = {
      "name", "CA",     "resid",  "5",      "-5",      "to",     "(",           ")",      "and",      "or",
      "not",  "within", "of",     "same",   "as",      "x",      "<",           "=~",     "\"C.*\"",  "+",
      "*",    "^",      "abs",    "bonded", "byres",   "'",      "water",       "all",    "1e5",      "52A",
      "5-9",  ",",      "sphere", "prop",   "charge",  "!=",     "withinbonds", "around", "fragment", "[",
      "Ä",    "&&",     "!",      "%",      "residue", "element"};
  g_autoptr(GRand) random = g_rand_new_with_seed(7);
  guint n_parsed = 0;
  for (int round = 0; round < 20000; round++) {
    g_autoptr(GString) text = g_string_new(NULL);
    int length = g_rand_int_range(random, 1, 9);
    for (int k = 0; k < length; k++)
      g_string_append_printf(text, "%s%s", pieces[g_rand_int_range(random, 0, G_N_ELEMENTS(pieces))],
                             g_rand_boolean(random) ? " " : "");
    g_autoptr(GError) error = NULL;
    g_autoptr(DebyeSelection) selection = debye_selection_parse(text->str, NULL, &error);
    if (selection) {
      n_parsed++;
      g_autoptr(GArray) chosen =
          debye_selection_evaluate(selection, fixture->topology, fixture->frame, &error);
      g_assert_true(chosen != NULL || g_str_has_prefix(error->message, "selection: no atom has the name, "));
      continue;
    }
    g_auto(GStrv) lines = g_strsplit(error->message, "\n", -1);
    g_assert_cmpuint(g_strv_length(lines), ==, 3);
    g_assert_true(g_str_has_suffix(lines[2], "^"));
  }
  g_assert_cmpuint(n_parsed, >, 100);
}

static void
assert_evaluation_fails(const char *text, DebyeTopology *topology, const DebyeFrame *frame, DebyeError code,
                        const char *message)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeSelection) selection = debye_selection_parse(text, NULL, &error);
  g_assert_no_error(error);
  g_assert_null(debye_selection_evaluate(selection, topology, frame, &error));
  g_assert_error(error, DEBYE_ERROR, (int)code);
  g_assert_cmpstr(error->message, ==, message);
}

static void
test_missing(Fixture *fixture, gconstpointer data)
{
  (void)data;
  static const char *const elements[] = {"C", "O"};
  g_autoptr(DebyeTopology) bare = small_topology_of_elements(elements, 2, FALSE);
  const char *no_frame = "selection: expected coordinates, which the selection needs, found none";
  const char *no_bonds = "selection: expected bonds in the structure, found none";
  assert_evaluation_fails("within 5 of protein", fixture->topology, NULL, DEBYE_ERROR_MISSING, no_frame);
  assert_evaluation_fails("x < 5", fixture->topology, NULL, DEBYE_ERROR_MISSING, no_frame);
  assert_evaluation_fails("sphere 0 0 0 1", fixture->topology, NULL, DEBYE_ERROR_MISSING, no_frame);
  assert_evaluation_fails("x < 5", bare, fixture->frame, DEBYE_ERROR_MISMATCH,
                          "selection: expected a frame of 2 atoms, found 19");
  assert_evaluation_fails("all and charge > 0", bare, NULL, DEBYE_ERROR_MISSING,
                          "selection: expected charges in the structure, found none");
  assert_evaluation_fails("radius 1", bare, NULL, DEBYE_ERROR_MISSING,
                          "selection: expected radii in the structure, found none");
  assert_evaluation_fails("beta > 1", bare, NULL, DEBYE_ERROR_MISSING,
                          "selection: expected B factors in the structure, found none");
  assert_evaluation_fails("occupancy 1", bare, NULL, DEBYE_ERROR_MISSING,
                          "selection: expected occupancies in the structure, found none");
  assert_evaluation_fails("bonded all", bare, NULL, DEBYE_ERROR_MISSING, no_bonds);
  assert_evaluation_fails("withinbonds 2 of all", bare, NULL, DEBYE_ERROR_MISSING, no_bonds);
  assert_evaluation_fails("same fragment as all", bare, NULL, DEBYE_ERROR_MISSING, no_bonds);
  assert_evaluation_fails("molecule 0", bare, NULL, DEBYE_ERROR_MISSING, no_bonds);
}

static void
test_not_finite(Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_autoptr(DebyeFrame) frame = debye_frame_copy(fixture->frame);
  frame->x[3] = NAN;
  frame->y[4] = INFINITY;
  frame->z[5] = -INFINITY;
  static const Case cases[] = {
      {"within 1000 of index 0", "0 1 2 6 7 8 9 10 11 12 13 14 15 16 17 18"},
      {"within 1000 of index 3 4 5", ""},
      {"around 1000 index 3", ""},
      {"sphere 0 0 0 1000 and index < 7", "0 1 2 6"},
      {"x != 100 and index < 5", "0 1 2 4"},
      {"y > -1 and index < 5", "0 1 2 3"},
      {"z < 5 and index 5", ""},
  };
  Fixture bad = {fixture->topology, frame};
  check_cases(&bad, cases, G_N_ELEMENTS(cases));
  small_frame_set_cell(frame, debye_vec3(50, 0, 0), debye_vec3(0, 50, 0), debye_vec3(0, 0, 50));
  check_cases(&bad, cases, 4);
}

static void
test_empty_topology(void)
{
  g_autoptr(DebyeTopology) empty = small_topology_of_elements(NULL, 0, FALSE);
  g_autoptr(DebyeFrame) frame = debye_frame_new(0);
  const char *const texts[] = {
      "all",      "protein",           "name CA",          "x < 5",  "within 5 of all", "resid 5",
      "backbone", "same resid as all", "same name as all", "index 0"};
  for (gsize k = 0; k < G_N_ELEMENTS(texts); k++) {
    g_autofree char *found = select_as_text(empty, frame, texts[k]);
    g_assert_cmpstr(found, ==, "");
  }
}

/* Random atoms in random cells. The brute force looks at the cell's short vectors; the selection gets the
 * same lattice by other, skewed ones. */
static gboolean
brute_force_within(const DebyeFrame *frame, const DebyeVec3 nice[3], gsize atom, double radius)
{
  for (gsize j = 0; j < 5; j++) {
    DebyeVec3 d =
        debye_vec3_subtract(debye_frame_get_position(frame, atom), debye_frame_get_position(frame, j));
    if ((nice ? nearest_image_distance(nice, d) : debye_vec3_length(d)) <= radius)
      return TRUE;
  }
  return FALSE;
}

static void
check_within(const DebyeFrame *frame, DebyeTopology *topology, const DebyeVec3 nice[3], double radius)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_dtostr(number, sizeof number, radius);
  g_autofree char *text = g_strdup_printf("within %s of index 0 to 4", number);
  g_autoptr(DebyeSelection) selection = debye_selection_parse(text, NULL, NULL);
  g_autoptr(GArray) chosen = debye_selection_evaluate(selection, topology, frame, NULL);
  guint k = 0;
  for (gsize i = 0; i < frame->n_atoms; i++) {
    gboolean found = k < chosen->len && g_array_index(chosen, guint32, k) == i;
    k += found;
    g_assert_cmpint(found, ==, brute_force_within(frame, nice, i, radius));
  }
}

static void
test_within_brute_force(void)
{
  enum { N_ATOMS = 60 };
  const char *elements[N_ATOMS];
  for (int i = 0; i < N_ATOMS; i++)
    elements[i] = "C";
  g_autoptr(DebyeTopology) topology = small_topology_of_elements(elements, N_ATOMS, FALSE);
  g_autoptr(DebyeFrame) frame = debye_frame_new(N_ATOMS);
  g_autoptr(GRand) random = g_rand_new_with_seed(2026);
  for (int round = 0; round < 60; round++) {
    DebyeVec3 nice[3], skewed[3];
    random_cell_fill(random, nice, skewed);
    for (int i = 0; i < N_ATOMS; i++)
      debye_frame_set_position(frame, (gsize)i, random_position(random, 30));
    double radius = round % 4 == 0 ? g_rand_double_range(random, 4, 12) : g_rand_double_range(random, 0.5, 4);
    frame->has_cell = FALSE;
    check_within(frame, topology, NULL, 3 * radius);
    small_frame_set_cell(frame, skewed[0], skewed[1], skewed[2]);
    check_within(frame, topology, nice, radius);
  }
}

static void
assert_completes(DebyeTopology *topology, const char *text, const char *expected)
{
  g_auto(GStrv) words = debye_selection_complete(text, topology);
  g_autofree char *found = g_strjoinv(" ", words);
  g_assert_cmpstr(found, ==, expected);
}

static void
test_completion(Fixture *fixture, gconstpointer data)
{
  (void)data;
  assert_completes(fixture->topology, "prot", "protein");
  assert_completes(fixture->topology, "PROT", "protein");
  assert_completes(fixture->topology, "segi", "segid");
  assert_completes(fixture->topology, "protein and resn", "resname resnum");
  assert_completes(fixture->topology, "name H", "HA HW1 HW2 hydrogen heavy");
  assert_completes(fixture->topology, "resname A", "ALA all altloc atomicnumber and around abs");
  assert_completes(fixture->topology, "resname ALA G", "GLY");
  assert_completes(fixture->topology, "element N", "N Na none nucleic nucleicbackbone noh name numbonds not");
  assert_completes(fixture->topology, "(name CA) and resi", "resid residue");
  assert_completes(fixture->topology, "chain ZZ", "");
  g_auto(GStrv) all = debye_selection_complete("", fixture->topology);
  g_assert_true(g_strv_contains((const char *const *)all, "within"));
  g_assert_false(g_strv_contains((const char *const *)all, "segname"));
}

static gpointer
evaluate_often(gpointer data)
{
  const Fixture *fixture = data;
  g_autoptr(DebyeSelection) selection =
      debye_selection_parse("same residue as within 1.5 of name =~ 'HW.'", NULL, NULL);
  for (int round = 0; round < 200; round++) {
    g_autoptr(GArray) chosen = debye_selection_evaluate(selection, fixture->topology, fixture->frame, NULL);
    g_assert_cmpuint(chosen->len, ==, 3);
  }
  return NULL;
}

static void
test_threads(Fixture *fixture, gconstpointer data)
{
  (void)data;
  GThread *threads[4];
  for (gsize k = 0; k < G_N_ELEMENTS(threads); k++)
    threads[k] = g_thread_new("evaluate", evaluate_often, fixture);
  for (gsize k = 0; k < G_N_ELEMENTS(threads); k++)
    g_thread_join(threads[k]);
}

#define ADD(path, function) g_test_add(path, Fixture, NULL, fixture_set_up, function, fixture_tear_down)

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  ADD("/selection/classes", test_classes);
  ADD("/selection/texts", test_texts);
  ADD("/selection/numbers", test_numbers);
  g_test_add_func("/selection/serials", test_serials);
  ADD("/selection/logic", test_logic);
  ADD("/selection/relations", test_relations);
  ADD("/selection/bare-names", test_bare_names);
  g_test_add_func("/selection/dynamic", test_dynamic);
  g_test_add_func("/selection/errors", test_errors);
  g_test_add_func("/selection/errors/window", test_long_error_is_windowed);
  g_test_add_func("/selection/limits", test_limits);
  ADD("/selection/long-chains", test_long_chains);
  ADD("/selection/random-texts", test_random_texts);
  ADD("/selection/missing", test_missing);
  ADD("/selection/not-finite", test_not_finite);
  g_test_add_func("/selection/empty-topology", test_empty_topology);
  g_test_add_func("/selection/within-brute-force", test_within_brute_force);
  ADD("/selection/completion", test_completion);
  ADD("/selection/threads", test_threads);
  return g_test_run();
}
