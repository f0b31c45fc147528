/* SPDX-License-Identifier: MIT */
/* The words of CIF 1.1 and 2.0, and symmetry operations. */
#include "data/formats/cif/cif_scanner.h"
#include "data/files/error.h"
#include "data/molecule/symmetry.h"
#include "tests/support/temporary.h"

#include <math.h>
#include <string.h>

/* All tokens as one text: B block, S save, L loop, T tag, V value, N no value. */
static char *
scan(const DebyeTemporaryFolder *folder, const char *text, GError **error)
{
  static const char letters[] = {[DEBYE_CIF_BLOCK] = 'B',
                                 [DEBYE_CIF_SAVE] = 'S',
                                 [DEBYE_CIF_LOOP] = 'L',
                                 [DEBYE_CIF_TAG] = 'T',
                                 [DEBYE_CIF_VALUE] = 'V'};
  g_autofree char *path = debye_temporary_write(folder, "a.cif", text, strlen(text));
  g_autoptr(DebyeInput) input = debye_input_open(path, NULL);
  g_auto(DebyeLineReader) lines;
  g_auto(DebyeCifScanner) scanner;
  g_autoptr(GString) words = g_string_new(NULL);
  debye_line_reader_init(&lines, input, 0, 1);
  debye_cif_scanner_init(&scanner, &lines);
  while (debye_cif_scanner_next(&scanner, error)) {
    if (scanner.token == DEBYE_CIF_END)
      return g_string_free(g_steal_pointer(&words), FALSE);
    g_string_append_printf(words, "%s%c(%.*s)", words->len > 0 ? " " : "",
                           scanner.is_null ? 'N' : letters[scanner.token], (int)scanner.length, scanner.text);
  }
  return NULL;
}

typedef struct {
  const char *text, *tokens;
} Sample;

static const Sample samples[] = {
    {"data_abc _x 1 # remark\n_y ?", "B(abc) T(_x) V(1) T(_y) N(?)"},
    {"DATA_a\r\nLoop_\r\n_a.b\r\n_a.c\r\n1 . '.' \"?\"\r\n", "B(a) L() T(_a.b) T(_a.c) V(1) N(.) V(.) V(?)"},
    /* A quote ends where a blank follows; a hash inside a word is no remark. */
    {"'N5'' \"C3''\" 'a 'b' c#d", "V(N5') V(C3'') V(a 'b) V(c#d)"},
    {";one\n two\n; ;no \n;;\n;", "V(one\n two) V(;no) V(;)"},
    {"save_frame _a 1 save_", "S(frame) T(_a) V(1) S()"},
    {"\xEF\xBB\xBF"
     "data_a _b 2",
     "B(a) T(_b) V(2)"},
    /* A word may begin with a bracket in CIF 1, and a semicolon inside a line is a word like any other. */
    {"_a [1] _b ;c", "T(_a) V([1]) T(_b) V(;c)"},
    {"#\\#CIF_2.0\n_a [1 [2 '3']] _b {'k':1} _c '''x\n'y''' _d \"\"",
     "T(_a) V() T(_b) V() T(_c) V(x\n'y) T(_d) V()"},
    {"#\\#CIF_2.0\n_a 'b'_c 1", "T(_a) V(b) T(_c) V(1)"},
    {"", ""},
};

static void
test_tokens(gconstpointer folder)
{
  for (gsize i = 0; i < G_N_ELEMENTS(samples); i++) {
    g_autoptr(GError) error = NULL;
    g_autofree char *tokens = scan(folder, samples[i].text, &error);
    g_assert_no_error(error);
    g_assert_cmpstr(tokens, ==, samples[i].tokens);
  }
}

static const Sample mistakes[] = {
    {"_a 'b\n", "a.cif: line 1: expected a closing ' in the line, found none"},
    {"_a\n;b\n",
     "a.cif: line 2: expected a line that begins with “;” to close the text of line 2, found the end of "
     "the file"},
    {"#\\#CIF_2.0\n_a [1 [2]",
     "a.cif: line 2: expected “]” or “}” to close the list of line 2, found the end of the "
     "file"},
    {"#\\#CIF_2.0\n_a ]", "a.cif: line 2: expected a value, found “]” that closes nothing"},
};

static void
test_mistakes(gconstpointer folder)
{
  for (gsize i = 0; i < G_N_ELEMENTS(mistakes); i++) {
    g_autoptr(GError) error = NULL;
    g_autofree char *tokens = scan(folder, mistakes[i].text, &error);
    g_assert_null(tokens);
    g_assert_nonnull(error);
    g_assert_cmpstr(error->message, ==, mistakes[i].tokens);
  }
}

static void
test_numbers(void)
{
  double value;
  g_assert_true(debye_cif_to_double("0.1234(5)", 9, &value));
  g_assert_cmpfloat(value, ==, 0.1234);
  g_assert_true(debye_cif_to_double("-12(3)", 6, &value));
  g_assert_cmpfloat(value, ==, -12.0);
  g_assert_true(debye_cif_to_double(".5", 2, &value));
  g_assert_cmpfloat(value, ==, 0.5);
  g_assert_false(debye_cif_to_double("0.1(x)", 6, &value));
  g_assert_false(debye_cif_to_double("(5)", 3, &value));
  g_assert_false(debye_cif_to_double("1,5", 3, &value));
}

/* --- Symmetry --- */

static void
assert_image(const char *text, double x, double y, double z)
{
  DebyeSymmetryOperation operation;
  g_assert_true(debye_symmetry_parse(text, strlen(text), &operation));
  DebyeVec3 image = debye_symmetry_apply(&operation, debye_vec3(0.1, 0.2, 0.3));
  g_assert_cmpfloat_with_epsilon(image.x, x, 1e-15);
  g_assert_cmpfloat_with_epsilon(image.y, y, 1e-15);
  g_assert_cmpfloat_with_epsilon(image.z, z, 1e-15);
}

static void
test_operations(void)
{
  assert_image("x,y,z", 0.1, 0.2, 0.3);
  assert_image("-x, y+1/2, -z", -0.1, 0.7, -0.3);
  assert_image("1/2-X , .5+Y,-Z+0.25", 0.4, 0.7, -0.05);
  assert_image("-y,x-y,z+1/3", -0.2, -0.1, 0.3 + 1.0 / 3.0);
  assert_image("+z,+x,+y", 0.3, 0.1, 0.2);
  assert_image("1*x,y,-1/1*z", 0.1, 0.2, -0.3);
}

static void
test_no_operations(void)
{
  static const char *const texts[] = {"",        "x,y",       "x,y,z,x", "x,x,z",     "x,y,2",  "x,y,z+",
                                      "x,y,z/0", "x,y,1/0+z", "x,y,w",   "x+y,x+y,z", "x y,z,x"};
  DebyeSymmetryOperation operation;
  for (gsize i = 0; i < G_N_ELEMENTS(texts); i++)
    g_assert_false(debye_symmetry_parse(texts[i], strlen(texts[i]), &operation));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_test_add_data_func("/cif-scanner/tokens", folder, test_tokens);
  g_test_add_data_func("/cif-scanner/mistakes", folder, test_mistakes);
  g_test_add_func("/cif-scanner/numbers", test_numbers);
  g_test_add_func("/symmetry/operations", test_operations);
  g_test_add_func("/symmetry/no-operations", test_no_operations);
  return g_test_run();
}
