/* SPDX-License-Identifier: MIT */
/* MDTraj's HDF5 files, the JSON in them, and units as files spell them. */
#include "data/files/error.h"
#include "data/formats/h5md/json_cursor.h"
#include "data/messages/message.h"
#include "data/tables/unit.h"
#include "h5_builder.h"
#include "tests/support/text_file.h"

#include <math.h>
#include <string.h>

static const float coordinates[] = {0.1F, 0.2F, 0.3F, 0.4F, 0.5F, 0.6F, 0.7F, 0.8F, 0.9F, 1.0F, 1.1F, 1.2F};
static const hsize_t two_by_two[] = {2, 2, 3};

/* Members in no usual order, a virtual site, a bond with kind and order. */
#define TOPOLOGY                                                                                  \
  "{\"bonds\": [[0, 1, \"Single\", 1.0]], \"extra\": {\"a\": [1, {\"b\": null}]}, \"chains\": "   \
  "[{\"residues\": ["                                                                             \
  "{\"atoms\": [{\"element\": \"Fe\", \"name\": \"F\\u0065\\\"\", \"index\": 0, \"serial\": 7}, " \
  "{\"index\": 1, \"name\": \"M\", \"element\": \"VS\"}], \"name\": \"HEM\", \"resSeq\": -5, "    \
  "\"segmentID\": \"S\", \"index\": 0}], \"index\": 0, \"chain_id\": \"Q\"}]}"

static void
put_coordinates(H5Builder *builder)
{
  h5_builder_put_floats(builder, "/coordinates", 3, two_by_two, coordinates);
  h5_builder_mark_fixed(builder, "/coordinates", "units", "nanometers");
  h5_builder_mark_fixed(builder, "/", "conventions", "Pande");
}

static DebyeDataset *
open_built(H5Builder *builder, GError **error)
{
  h5_builder_finish(builder);
  const char *paths[] = {builder->path, NULL};
  return debye_dataset_open(paths, NULL, NULL, error);
}

static void
test_topology(gconstpointer folder)
{
  g_autoptr(GError) error = NULL;
  g_auto(H5Builder) builder = h5_builder_new(folder, "a.h5", H5_BUILDER_OLDEST);
  put_coordinates(&builder);
  h5_builder_put_text(&builder, "/topology", TOPOLOGY);
  g_autoptr(DebyeDataset) dataset = open_built(&builder, &error);
  g_assert_no_error(error);
  DebyeTopology *topology = debye_dataset_get_topology(dataset);
  const DebyeStringPool *pool = debye_topology_get_string_pool(topology);
  const DebyeResidue *residue = text_file_get_residue(dataset, 1);
  gsize n_bonds;
  debye_topology_get_bonds(topology, &n_bonds);
  g_assert_cmpstr(debye_dataset_get_formats(dataset)[0], ==, "mdtraj");
  g_assert_cmpuint(n_bonds, ==, 1);
  g_assert_cmpstr(text_file_get_name(dataset, 0), ==, "Fe\"");
  g_assert_cmpuint(debye_topology_get_elements(topology)[0], ==, 26);
  g_assert_cmpuint(debye_topology_get_elements(topology)[1], ==, 0);
  g_assert_cmpuint(debye_topology_get_element_sources(topology)[1], ==, DEBYE_ELEMENT_FROM_FILE);
  g_assert_cmpint(debye_topology_get_serials(topology)[0], ==, 7);
  g_assert_cmpint(residue->number, ==, -5);
  g_assert_cmpstr(debye_string_pool_get(pool, residue->name), ==, "HEM");
  g_assert_cmpstr(debye_string_pool_get(pool, residue->chain), ==, "Q");
  g_assert_cmpstr(debye_string_pool_get(pool, residue->segment), ==, "S");
}

static void
test_frames(gconstpointer folder)
{
  static const float lengths[] = {3, 4, 5, 6, 7, 8}, angles[] = {90, 90, 90, 90, 90, 60}, times[] = {1, 3};
  static const float velocities[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  const hsize_t shape[] = {2, 3};
  g_autoptr(GError) error = NULL;
  g_auto(H5Builder) builder = h5_builder_new(folder, "a.h5", H5_BUILDER_LATEST);
  put_coordinates(&builder);
  h5_builder_put_floats(&builder, "/velocities", 3, two_by_two, velocities);
  h5_builder_mark_fixed(&builder, "/velocities", "units", "nanometers/picosecond");
  h5_builder_put_floats(&builder, "/cell_lengths", 2, shape, lengths);
  h5_builder_put_floats(&builder, "/cell_angles", 2, shape, angles);
  h5_builder_put_floats(&builder, "/time", 1, shape, times);
  g_autoptr(DebyeDataset) dataset = open_built(&builder, &error);
  g_assert_no_error(error);
  g_autoptr(DebyeFrame) frame = text_file_read(dataset, 1);
  text_file_assert_position(frame, 1, 10.0, 11.0, 12.0);
  g_assert_cmpfloat_with_epsilon((double)frame->vz[1], 120.0, 1e-5);
  g_assert_cmpfloat(frame->time, ==, 3.0);
  text_file_assert_vector(frame->cell.a, 60.0, 0.0, 0.0);
  text_file_assert_vector(frame->cell.b, 35.0, 35.0 * sqrt(3.0), 0.0);
  /* Coordinates without a topology are of unnamed atoms. */
  g_assert_cmpstr(text_file_get_name(dataset, 0), ==, "");
}

typedef struct {
  const char *topology;
  int code;
  const char *sentence;
} Mistake;

static const Mistake mistakes[] = {
    {"{\"chains\": [], \"bonds\": []}", DEBYE_ERROR_MISMATCH,
     "a.h5: expected the 2 atoms of the coordinates in the topology, found 0"},
    {"{\"chains\": [{\"residues\": [{\"atoms\": [{5}]}]}]}", DEBYE_ERROR_SYNTAX,
     "a.h5: the topology's JSON: byte 38: expected a string"},
    {"[]", DEBYE_ERROR_SYNTAX, "a.h5: the topology's JSON: byte 0: expected an object"},
    {"{\"bonds\": [[0, 1]", DEBYE_ERROR_SYNTAX, "a.h5: the topology's JSON: byte 17: expected “,” or “]”"},
};

static void
test_mistakes(gconstpointer folder)
{
  for (gsize i = 0; i < G_N_ELEMENTS(mistakes); i++) {
    g_autoptr(GError) error = NULL;
    g_auto(H5Builder) builder = h5_builder_new(folder, "a.h5", H5_BUILDER_OLDEST);
    put_coordinates(&builder);
    h5_builder_put_text(&builder, "/topology", mistakes[i].topology);
    g_autoptr(DebyeDataset) dataset = open_built(&builder, &error);
    g_assert_null(dataset);
    g_assert_nonnull(error);
    g_assert_cmpstr(error->message, ==, mistakes[i].sentence);
    g_assert_error(error, DEBYE_ERROR, mistakes[i].code);
  }
}

static void
test_no_coordinates(gconstpointer folder)
{
  const hsize_t shape[] = {3, 4};
  g_autoptr(GError) error = NULL;
  g_auto(H5Builder) builder = h5_builder_new(folder, "a.h5", H5_BUILDER_OLDEST);
  h5_builder_put_floats(&builder, "/coordinates", 2, shape, coordinates);
  h5_builder_mark(&builder, "/", "conventions", "Pande");
  g_autoptr(DebyeDataset) dataset = open_built(&builder, &error);
  g_assert_null(dataset);
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_MISSING);
}

/* --- JSON --- */

static void
test_json_values(void)
{
  static const char text[] = " { \"a\\n\\u00e9\\ud83d\\ude00\" : [ -1.5e2 , true, \"x\" ] , \"b\":{} }\n";
  g_autoptr(GString) name = g_string_new(NULL);
  DebyeJsonCursor json;
  double number;
  debye_json_cursor_init(&json, text, strlen(text));
  g_assert_true(debye_json_cursor_begin_object(&json));
  g_assert_true(debye_json_cursor_next_member(&json, name));
  g_assert_cmpstr(name->str, ==, "a\né😀");
  g_assert_true(debye_json_cursor_begin_array(&json));
  g_assert_true(debye_json_cursor_next_element(&json));
  g_assert_true(debye_json_cursor_read_number(&json, &number));
  g_assert_cmpfloat(number, ==, -150.0);
  g_assert_true(debye_json_cursor_next_element(&json));
  g_assert_true(debye_json_cursor_skip(&json));
  g_assert_true(debye_json_cursor_next_element(&json));
  g_assert_true(debye_json_cursor_read_string(&json, name));
  g_assert_false(debye_json_cursor_next_element(&json));
  g_assert_true(debye_json_cursor_next_member(&json, name));
  g_assert_true(debye_json_cursor_skip(&json));
  g_assert_false(debye_json_cursor_next_member(&json, name));
  g_assert_null(debye_json_cursor_describe_mistake(&json));
}

/* Deeper than any file is an error where it is entered, and no matter where it is skipped. */
static void
test_json_depth(void)
{
  enum { DEPTH = 100000 };
  g_autofree char *text = g_strnfill(2 * DEPTH, '[');
  memset(text + DEPTH, ']', DEPTH);
  DebyeJsonCursor json;
  gsize entered = 0;
  debye_json_cursor_init(&json, text, 2 * DEPTH);
  while (debye_json_cursor_begin_array(&json))
    entered += debye_json_cursor_next_element(&json);
  g_assert_cmpuint(entered, ==, DEBYE_JSON_CURSOR_MAX_DEPTH - 1);
  g_autofree char *mistake = debye_json_cursor_describe_mistake(&json);
  g_autofree char *words = debye_message_english(mistake);
  g_assert_cmpstr(words, ==, "byte 63: expected at most 64 levels of objects and arrays");
  debye_json_cursor_init(&json, text, 2 * DEPTH);
  g_assert_true(debye_json_cursor_skip(&json));
  debye_json_cursor_init(&json, text, DEPTH);
  g_assert_false(debye_json_cursor_skip(&json));
}

/* --- Units --- */

typedef struct {
  const char *text;
  DebyeUnitKind kind;
  double scale; /* 0: none of that kind */
} Unit;

static const Unit units[] = {
    {"nm", DEBYE_UNIT_LENGTH, 10.0},
    {"nanometers", DEBYE_UNIT_LENGTH, 10.0},
    {"Angstrom", DEBYE_UNIT_LENGTH, 1.0},
    {"Å", DEBYE_UNIT_LENGTH, 1.0},
    {"m", DEBYE_UNIT_LENGTH, 1e10},
    {"bohr", DEBYE_UNIT_LENGTH, 0.529177210903},
    {"nm+1", DEBYE_UNIT_LENGTH, 10.0},
    {"fs", DEBYE_UNIT_TIME, 1e-3},
    {"picoseconds", DEBYE_UNIT_TIME, 1.0},
    {"nm ps-1", DEBYE_UNIT_VELOCITY, 10.0},
    {"nm+1 ps-1", DEBYE_UNIT_VELOCITY, 10.0},
    {"angstrom/femtosecond", DEBYE_UNIT_VELOCITY, 1000.0},
    {"m*s^-1", DEBYE_UNIT_VELOCITY, 0.01},
    {"ps-1 A", DEBYE_UNIT_VELOCITY, 1.0},
    {"g mol-1", DEBYE_UNIT_MASS, 1.0},
    {"u", DEBYE_UNIT_MASS, 1.0},
    {"e", DEBYE_UNIT_CHARGE, 1.0},
    {"C", DEBYE_UNIT_CHARGE, 1.0 / 1.602176634e-19},
    {"nm", DEBYE_UNIT_TIME, 0.0},
    {"nm2", DEBYE_UNIT_LENGTH, 0.0},
    {"sigma", DEBYE_UNIT_LENGTH, 0.0},
    {"", DEBYE_UNIT_LENGTH, 0.0},
    {"-1", DEBYE_UNIT_LENGTH, 0.0},
    {NULL, DEBYE_UNIT_LENGTH, 0.0},
};

static void
test_units(void)
{
  for (gsize i = 0; i < G_N_ELEMENTS(units); i++) {
    double scale = 0.0;
    g_assert_true(debye_unit_get_scale(units[i].text, units[i].kind, &scale) == (units[i].scale != 0.0));
    /* 1 g/mol is 1 u to the accuracy of the constants, 3e-10. */
    g_assert_cmpfloat(fabs(scale - units[i].scale), <=, 1e-9 * units[i].scale);
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_test_add_data_func("/mdtraj/topology", folder, test_topology);
  g_test_add_data_func("/mdtraj/frames", folder, test_frames);
  g_test_add_data_func("/mdtraj/mistakes", folder, test_mistakes);
  g_test_add_data_func("/mdtraj/no-coordinates", folder, test_no_coordinates);
  g_test_add_func("/json/values", test_json_values);
  g_test_add_func("/json/depth", test_json_depth);
  g_test_add_func("/unit/units", test_units);
  return g_test_run();
}
