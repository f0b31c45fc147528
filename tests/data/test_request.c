/* SPDX-License-Identifier: MIT */
/* Settings and requests: what is accepted, what is said about the rest, and the command line that comes out.
 */
#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/settings/request.h"
#include "map_support.h"

static void
test_accepted(void)
{
  static const char *const pairs[][2] = {
      {"spacing", "0.05"},  {"spacing", "5"},         {"spacing", "1e-1"},   {"spacing", " 0.5 "},
      {"method", "cutoff"}, {"origin", "-1,2.5,1e3"}, {"origin", "1, 2, 3"}, {"shape", "10,20,30"},
      {"threads", "1"},     {"threads", "1000000"},   {"periodic", "YES"},   {"periodic", "0"},
      {"frames", ""},       {"frames", "5"},          {"frames", "0:-1:10"}, {"frames", "::2"},
      {"frames", "-10:"},   {"select", "name CA"},    {"remark", "grün"},
  };
  g_autoptr(DebyeRequest) request = debye_request_new(&map_support_table);
  for (gsize i = 0; i < G_N_ELEMENTS(pairs); i++) {
    GError *error = NULL;
    g_assert_true(debye_request_set(request, pairs[i][0], pairs[i][1], &error));
    g_assert_no_error(error);
    g_assert_cmpstr(debye_request_get(request, pairs[i][0]), ==, pairs[i][1]);
  }
}

static void
test_refused(void)
{
  static const char *const cases[][3] = {
      {"spacing", "0", "Grid spacing: expected a number from 0.05 to 5 Å, found “0”"},
      {"spacing", "0,5", "Grid spacing: expected a number from 0.05 to 5 Å, found “0,5”"},
      {"spacing", "nan", "Grid spacing: expected a number from 0.05 to 5 Å, found “nan”"},
      {"spacing", "", "Grid spacing: expected a number from 0.05 to 5 Å, found “”"},
      {"method", "ewald", "Method: expected one of direct, cutoff, found “ewald”"},
      {"threads", "0", "Threads: expected a whole number of at least 1, found “0”"},
      {"threads", "1.5", "Threads: expected a whole number of at least 1, found “1.5”"},
      {"origin", "1,2",
       "Grid origin: expected three numbers with commas between them, each in Å, found “1,2”"},
      {"origin", "1,2,inf",
       "Grid origin: expected three numbers with commas between them, each in Å, found “1,2,inf”"},
      {"shape", "1,2,0",
       "Grid points: expected three whole numbers with commas between them, each of at least 1, "
       "found “1,2,0”"},
      {"periodic", "maybe", "Periodic: expected true or false, found “maybe”"},
      {"frames", "0:1:0", "Frames: expected frames as FIRST:LAST:STEP, the step at least 1, found “0:1:0”"},
      {"frames", "a", "Frames: expected frames as FIRST:LAST:STEP, the step at least 1, found “a”"},
      {"nothing", "1", "Electrostatic potential: “nothing” is not one of its settings"},
  };
  g_autoptr(DebyeRequest) request = debye_request_new(&map_support_table);
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autoptr(GError) error = NULL;
    g_assert_false(debye_request_set(request, cases[i][0], cases[i][1], &error));
    g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_VALUE);
    g_assert_cmpstr(error->message, ==, cases[i][2]);
    g_assert_false(debye_request_is_set(request, cases[i][0]));
  }
  g_autoptr(GError) error = NULL;
  g_assert_false(debye_request_set(request, "remark", "\xff\xfe", &error));
  g_assert_true(g_utf8_validate(error->message, -1, NULL));
}

static void
test_typed(void)
{
  DebyeVec3 origin;
  gsize shape[3];
  g_autoptr(DebyeRequest) request = debye_request_new(&map_support_table);
  g_assert_cmpfloat(debye_request_get_number(request, "spacing"), ==, 0.5);
  g_assert_false(debye_request_get_vector(request, "origin", &origin));
  g_assert_false(debye_request_get_shape(request, "shape", shape));
  g_assert_false(debye_request_get_boolean(request, "periodic"));
  g_assert_null(debye_request_get(request, "remark"));
  debye_request_set(request, "spacing", "0.25", NULL);
  debye_request_set(request, "origin", "-1.5,2,3e1", NULL);
  debye_request_set(request, "shape", "4,5,6", NULL);
  debye_request_set(request, "periodic", "on", NULL);
  debye_request_set(request, "threads", "12", NULL);
  g_assert_cmpfloat(debye_request_get_number(request, "spacing"), ==, 0.25);
  g_assert_true(debye_request_get_vector(request, "origin", &origin));
  g_assert_true(origin.x == -1.5 && origin.y == 2.0 && origin.z == 30.0);
  g_assert_true(debye_request_get_shape(request, "shape", shape));
  g_assert_true(shape[0] == 4 && shape[1] == 5 && shape[2] == 6);
  g_assert_true(debye_request_get_boolean(request, "periodic"));
  g_assert_cmpint(debye_request_get_integer(request, "threads"), ==, 12);
  g_autoptr(DebyeRequest) copy = debye_request_copy(request);
  debye_request_set(request, "spacing", NULL, NULL);
  g_assert_cmpfloat(debye_request_get_number(request, "spacing"), ==, 0.5);
  g_assert_cmpfloat(debye_request_get_number(copy, "spacing"), ==, 0.25);
}

static void
count_change(DebyeRequest *request, const char *key, gpointer data)
{
  (void)request;
  g_string_append_printf(data, "%s ", key);
}

static void
test_changed(void)
{
  g_autoptr(DebyeRequest) request = debye_request_new(&map_support_table);
  g_autoptr(GString) all = g_string_new(NULL), spacing = g_string_new(NULL);
  g_signal_connect(request, "changed", G_CALLBACK(count_change), all);
  g_signal_connect(request, "changed::spacing", G_CALLBACK(count_change), spacing);
  debye_request_set(request, "spacing", "1", NULL);
  debye_request_set(request, "spacing", "1", NULL);
  debye_request_set(request, "spacing", "bad", NULL);
  debye_request_set(request, "method", "cutoff", NULL);
  debye_request_set(request, "spacing", NULL, NULL);
  g_assert_cmpstr(all->str, ==, "spacing method spacing ");
  g_assert_cmpstr(spacing->str, ==, "spacing spacing ");
}

static void
test_relevant(void)
{
  g_autoptr(DebyeRequest) request = debye_request_new(&map_support_table);
  const DebyeSetting *cutoff = debye_setting_table_find(&map_support_table, "cutoff");
  g_assert_false(debye_request_is_relevant(request, cutoff));
  debye_request_set(request, "method", "cutoff", NULL);
  g_assert_true(debye_request_is_relevant(request, cutoff));
}

static void
assert_command(DebyeRequest *request, const char *const *paths, const char *output, const char *expected)
{
  g_autofree char *command = debye_request_to_command(request, paths, output);
  g_assert_cmpstr(command, ==, expected);
}

static void
test_command(void)
{
  const char *const paths[] = {"a.psf", "my run.dcd", NULL}, *const dashed[] = {"-odd.pdb", NULL};
  g_autoptr(DebyeRequest) request = debye_request_new(&map_support_table);
  assert_command(request, NULL, NULL, "debye-cli map");
  debye_request_set(request, "spacing", "0.50", NULL);
  debye_request_set(request, "method", "direct", NULL);
  debye_request_set(request, "cutoff", "9", NULL);
  assert_command(request, paths, "out.dx", "debye-cli map --output out.dx a.psf 'my run.dcd'");
  debye_request_set(request, "method", "cutoff", NULL);
  debye_request_set(request, "spacing", "0.25", NULL);
  debye_request_set(request, "origin", "-1,2,3", NULL);
  debye_request_set(request, "shape", "4,5,6", NULL);
  debye_request_set(request, "select", "name \"C*\" and resid 1:5 # it's", NULL);
  assert_command(request, dashed, NULL,
                 "debye-cli map --method cutoff --spacing 0.25 --cutoff 9 --origin=-1,2,3 --shape 4,5,6 "
                 "--select 'name \"C*\" and resid 1:5 # it'\\''s' -- -odd.pdb");
}

/* Pairs of selections, any number of them: two words on the command line for each. */
static void
test_pairs(void)
{
  static const DebyeSetting settings[] = {
      {.key = "pair", .label = "Pairs", .kind = DEBYE_SETTING_SELECTION_PAIR, .repeated = TRUE}};
  static const DebyeSettingTable table = {.id = "rdf", .settings = settings, .n_settings = 1};
  static const char *const refused[] = {"name O", "name O | ", "| name O", "a | b | c", "a | b\nc"};
  g_autoptr(DebyeRequest) request = debye_request_new(&table);
  for (gsize i = 0; i < G_N_ELEMENTS(refused); i++)
    g_assert_false(debye_request_set(request, "pair", refused[i], NULL));
  g_assert_true(debye_request_set(request, "pair", "name O | name \"H*\"\n  \n all|resid 3 ", NULL));
  assert_command(request, NULL, NULL, "debye-cli rdf --pair 'name O' 'name \"H*\"' --pair all 'resid 3'");
}

/* Where a grid is the cell unless its padding is given, the default that was given is kept, and none
 * otherwise. */
static void
test_unset_differs(void)
{
  static const DebyeSetting padding = {.key = "padding",
                                       .label = "Padding",
                                       .kind = DEBYE_SETTING_NUMBER,
                                       .maximum = 9.0,
                                       .initial = "6",
                                       .unset_differs = TRUE};
  static const DebyeSettingTable table = {.id = "map", .settings = &padding, .n_settings = 1};
  g_autoptr(DebyeRequest) request = debye_request_new(&table);
  const DebyeSetting *setting = &table.settings[0];
  g_assert_cmpstr(debye_request_get(request, "padding"), ==, "6");
  g_assert_null(debye_request_get_kept(request, setting));
  assert_command(request, NULL, NULL, "debye-cli map");
  g_assert_true(debye_request_set(request, "padding", "6", NULL));
  g_assert_cmpstr(debye_request_get_kept(request, setting), ==, "6");
  assert_command(request, NULL, NULL, "debye-cli map --padding 6");
}

/* A number that a word may stand for. */
static void
test_word(void)
{
  static const DebyeSetting max = {.key = "max",
                                   .label = "Largest distance",
                                   .kind = DEBYE_SETTING_NUMBER,
                                   .minimum = 0.1,
                                   .maximum = 9.0,
                                   .word = "diagonal"};
  static const DebyeSettingTable table = {.id = "rdf", .settings = &max, .n_settings = 1};
  g_autoptr(DebyeRequest) request = debye_request_new(&table);
  g_autoptr(GError) error = NULL;
  g_assert_true(isnan(debye_request_get_number(request, "max")));
  g_assert_true(debye_request_set(request, "max", "diagonal", NULL));
  g_assert_true(isinf(debye_request_get_number(request, "max")));
  assert_command(request, NULL, NULL, "debye-cli rdf --max diagonal");
  g_assert_false(debye_request_set(request, "max", "edge", &error));
  g_assert_cmpstr(error->message, ==,
                  "Largest distance: expected a number from 0.1 to 9, or diagonal, found “edge”");
}

/* What the data decided is told, not set. */
static void
test_effective(void)
{
  g_autoptr(DebyeRequest) request = debye_request_new(&map_support_table);
  const DebyeSetting *origin = debye_setting_table_find(&map_support_table, "origin"),
                     *method = debye_setting_table_find(&map_support_table, "method");
  debye_request_set_effective(request, "origin", "1,2,3");
  debye_request_set_effective(request, "method", "cutoff"); /* its default is kept */
  debye_request_set_effective(request, "no such", "1");
  g_assert_cmpstr(debye_request_get_effective(request, origin), ==, "1,2,3");
  g_assert_null(debye_request_get_effective(request, method));
  g_assert_false(debye_request_is_set(request, "origin"));
  g_assert_null(debye_request_get(request, "origin"));
  g_autoptr(DebyeRequest) copy = debye_request_copy(request);
  g_assert_cmpstr(debye_request_get_effective(copy, origin), ==, "1,2,3");
  g_auto(GStrv) lines = debye_request_describe(copy, NULL, FALSE);
  g_autofree char *text = g_strjoinv("\n", lines);
  g_assert_nonnull(strstr(text, ": 1,2,3"));
  g_assert_true(debye_request_set(copy, "method", "cutoff", NULL));
  g_assert_null(debye_request_get_effective(copy, origin));
}

/* Numbers have their unit; a solvent's name, or its share of D₂O, has none. */
static void
test_units(void)
{
  static const char *const cases[][2] = {
      {"0.2", "0.2 Å"},     {"-1,2.5,1e3", "-1,2.5,1e3 Å"},   {"0:3:0.1", "0:3:0.1 Å"},
      {"d2o:50", "d2o:50"}, {"select:water", "select:water"}, {"auto", "auto"}};
  const DebyeSetting setting = {.key = "spacing", .unit = "Å"}, bare = {.key = "seed"};
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autofree char *said = debye_setting_with_unit(&setting, cases[i][0]);
    g_autofree char *alone = debye_setting_with_unit(&bare, cases[i][0]);
    g_assert_cmpstr(said, ==, cases[i][1]);
    g_assert_cmpstr(alone, ==, cases[i][0]);
  }
}

/* A flag has no value on the command line, where the next word would be a file. */
static void
test_flags(void)
{
  static const DebyeSetting settings[] = {
      {.key = "partials", .label = "Partials", .kind = DEBYE_SETTING_BOOLEAN, .initial = "false"},
      {.key = "axes", .label = "Axes", .kind = DEBYE_SETTING_BOOLEAN, .initial = "true"}};
  static const DebyeSettingTable table = {.id = "rdf", .settings = settings, .n_settings = 2};
  g_autoptr(DebyeRequest) request = debye_request_new(&table);
  g_assert_true(debye_request_set(request, "partials", "yes", NULL));
  g_assert_true(debye_request_set(request, "axes", "no", NULL));
  assert_command(request, NULL, NULL, "debye-cli rdf --partials --no-axes");
}

/* What the shell makes of the line is what was asked for. */
static void
test_command_through_shell(void)
{
  const char *const paths[] = {"a $HOME `x`.pdb", "-n", "b\\c'd\".dcd", NULL};
  int n = 0;
  g_autoptr(DebyeRequest) request = debye_request_new(&map_support_table);
  debye_request_set(request, "select", "x < 5 and name \"O*\"; rm -rf $HOME\nnot 'a'", NULL);
  g_autofree char *command = debye_request_to_command(request, paths, "out put.h5");
  g_autofree char *script = g_strdup_printf("printf '%%s\\0' %s", command);
  const char *argv[] = {"/bin/sh", "-c", script, NULL};
  g_autoptr(GSubprocess) shell = g_subprocess_newv(argv, G_SUBPROCESS_FLAGS_STDOUT_PIPE, NULL);
  g_autoptr(GBytes) bytes = NULL;
  g_assert_true(g_subprocess_communicate(shell, NULL, NULL, &bytes, NULL, NULL));
  const char *at = g_bytes_get_data(bytes, NULL), *end = at + g_bytes_get_size(bytes);
  const char *const expected[] = {"debye-cli", "map",        "--select", debye_request_get(request, "select"),
                                  "--output",  "out put.h5", "--",       paths[0],
                                  paths[1],    paths[2]};
  for (; at < end; at += strlen(at) + 1)
    g_assert_cmpstr(at, ==, expected[n++]);
  g_assert_cmpint(n, ==, G_N_ELEMENTS(expected));
}

/* A map in memory for the name of its file: copies have it, another name lets go of it. */
static void
test_attached(void)
{
  g_autoptr(DebyeRequest) request = debye_request_new(&map_support_table);
  g_autoptr(GObject) map = g_object_new(G_TYPE_OBJECT, NULL);
  g_assert_true(debye_request_set(request, "select", "name CA", NULL));
  debye_request_attach(request, "select", map);
  g_autoptr(DebyeRequest) copy = debye_request_copy(request);
  g_assert_true(debye_request_get_attached(request, "select") == map);
  g_assert_true(debye_request_get_attached(copy, "select") == map);
  g_assert_true(debye_request_set(copy, "select", "name CB", NULL));
  g_assert_null(debye_request_get_attached(copy, "select"));
  g_assert_null(debye_request_get_attached(request, "no-such-key"));
  g_clear_object(&request);
  g_assert_cmpuint(map->ref_count, ==, 1);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/request/accepted", test_accepted);
  g_test_add_func("/request/refused", test_refused);
  g_test_add_func("/request/typed", test_typed);
  g_test_add_func("/request/changed", test_changed);
  g_test_add_func("/request/relevant", test_relevant);
  g_test_add_func("/request/command", test_command);
  g_test_add_func("/request/pairs", test_pairs);
  g_test_add_func("/request/flags", test_flags);
  g_test_add_func("/request/units", test_units);
  g_test_add_func("/request/effective", test_effective);
  g_test_add_func("/request/unset-differs", test_unset_differs);
  g_test_add_func("/request/word", test_word);
  g_test_add_func("/request/attached", test_attached);
  g_test_add_func("/request/command-through-shell", test_command_through_shell);
  return g_test_run();
}
