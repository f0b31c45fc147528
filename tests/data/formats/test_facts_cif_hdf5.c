/* SPDX-License-Identifier: MIT */
/* Every CIF, H5MD and MDTraj file of the reference data against what is known about it, and every broken one.
 */
#include "data/tables/elements.h"
#include "data/files/error.h"
#include "data/molecule/periodic.h"
#include "facts_case.h"

#include <string.h>

#define CRYSTAL "cif/1544173_core.cif"

static const DebyeFactsDifference differences[] = {
    {"h5/frame0.h5", "format", "mdtraj", "the format's own name; the facts have the ending"},
    {"h5/cu.h5md", "box_first", "10.83 10.83 10.83 90 90 90", "the facts keep the edges under another key"},
    {"h5/cu.h5md", "elements.Cu", "108",
     "species 29 of a file without types or masses is copper; nobody else looked"},
    {"h5/first_five.h5md", "box_first", "52.763 52.763 52.763 90 90 90",
     "the facts keep the edges under another key"},
};

static DebyeFactsSource source = {.differences = differences, .n_differences = G_N_ELEMENTS(differences)};

static void
test_file(gconstpointer file)
{
  debye_facts_test_file(&source, file);
}

static DebyeDataset *
open_shared(const char *file, GError **error)
{
  g_autofree char *path = debye_shared_build_path("data", file, NULL);
  const char *paths[] = {path, NULL};
  return debye_dataset_open(paths, NULL, NULL, error);
}

/* --- The crystal: Debye makes the whole cell, of which the facts have the asymmetric unit and, by another
 * library, all atoms wrapped into the cell --- */

static void
assert_position(const char *key, DebyeVec3 position, const DebyePeriodic *periodic)
{
  double expected[3];
  g_assert_cmpuint(debye_facts_get_numbers(source.facts, CRYSTAL, key, expected, 3), ==, 3);
  DebyeVec3 wanted = debye_vec3(expected[0], expected[1], expected[2]);
  double distance = periodic != NULL ? debye_periodic_distance(periodic, position, wanted)
                                     : debye_vec3_length(debye_vec3_subtract(position, wanted));
  /* Single precision of coordinates up to 12 Å. */
  g_assert_cmpfloat(distance, <, 2e-6);
}

static void
assert_elements(DebyeTopology *topology)
{
  gsize counts[DEBYE_N_ELEMENTS] = {0};
  for (gsize i = 0; i < debye_topology_get_n_atoms(topology); i++)
    counts[debye_topology_get_elements(topology)[i]]++;
  /* Two molecules of C20H28O2, as _chemical_formula_sum and _cell_formula_units_Z say. */
  g_assert_cmpuint(counts[6], ==, 40);
  g_assert_cmpuint(counts[1], ==, 56);
  g_assert_cmpuint(counts[8], ==, 4);
}

static void
assert_crystal_frame(const DebyeFrame *frame)
{
  DebyePeriodic periodic;
  double lengths[3], angles[3], sum[3] = {0.0}, expected[6];
  debye_periodic_init_for_frame(&periodic, frame);
  assert_position("first.first_atom", debye_frame_get_position(frame, 0), NULL);
  assert_position("first.last_atom", debye_frame_get_position(frame, 49), NULL);
  assert_position("last.last_atom", debye_frame_get_position(frame, 99), &periodic);
  for (gsize i = 0; i < 50; i++) {
    sum[0] += (double)frame->x[i];
    sum[1] += (double)frame->y[i];
    sum[2] += (double)frame->z[i];
  }
  debye_facts_get_numbers(source.facts, CRYSTAL, "first.sum_xyz", expected, 3);
  for (int k = 0; k < 3; k++)
    g_assert_cmpfloat_with_epsilon(sum[k], expected[k], 1e-4);
  debye_facts_get_numbers(source.facts, CRYSTAL, "box_first", expected, 6);
  debye_cell_to_lengths_angles(&frame->cell, lengths, angles);
  for (int k = 0; k < 3; k++) {
    g_assert_cmpfloat_with_epsilon(lengths[k], expected[k], 1e-9);
    g_assert_cmpfloat_with_epsilon(angles[k], expected[3 + k], 1e-9);
  }
}

static void
test_crystal(void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeDataset) dataset = open_shared(CRYSTAL, &error);
  g_assert_no_error(error);
  DebyeTopology *topology = debye_dataset_get_topology(dataset);
  g_assert_cmpstr(debye_dataset_get_formats(dataset)[0], ==, "cif");
  g_assert_cmpstr(debye_facts_get(source.facts, CRYSTAL, "natoms_full_cell"), ==, "100");
  g_assert_cmpuint(debye_topology_get_n_atoms(topology), ==, 100);
  g_assert_cmpuint(debye_topology_get_n_residues(topology), ==, 2);
  assert_elements(topology);
  g_autoptr(DebyeFrame) frame = debye_frame_new(100);
  g_autoptr(DebyeTrajectoryReader) reader =
      debye_trajectory_reader_new(debye_dataset_get_trajectory(dataset), &error);
  g_assert_true(debye_trajectory_reader_read(reader, 0, frame, &error));
  assert_crystal_frame(frame);
}

/* --- Files that aren't right --- */

typedef struct {
  const char *file;
  int code;         /* -1: opens */
  const char *text; /* the sentence behind the file's name, or a warning */
} Expectation;

static const Expectation expectations[] = {
    {"cif/eol-test.cif", DEBYE_ERROR_MISSING, "expected atoms (_atom_site with coordinates), found none"},
    /* Packed with a filter that HDF5 hasn't got, and of no convention that is read. */
    {"h5/frame0_legacy.lh5", DEBYE_ERROR_UNKNOWN, "the HDF5 content is of no known format"},
    {"broken/cif_cut.cif", DEBYE_ERROR_TRUNCATED,
     "line 53: expected 26 values in a row of the loop, found the end of the file after 12"},
    {"broken/model_error1.cif", -1,
     "2 of 3 frames are left out because they don't have the first one's 22 atoms (frame 1 has 23)"},
    {"broken/h5_cut.h5", DEBYE_ERROR_SYNTAX, "can't be read as HDF5: "},
    {"broken/h5_garbage_superblock.h5", DEBYE_ERROR_SYNTAX, "can't be read as HDF5: "},
    {"broken/empty.cif", DEBYE_ERROR_UNKNOWN, "the file is empty"},
    {"broken/empty.h5", DEBYE_ERROR_UNKNOWN, "the file is empty"},
};

static gboolean
has_warning(DebyeDataset *dataset, const char *text)
{
  for (const char *const *warning = debye_dataset_get_warnings(dataset); *warning != NULL; warning++)
    if (strstr(*warning, text) != NULL)
      return TRUE;
  return FALSE;
}

static void
test_broken(gconstpointer data)
{
  const Expectation *expectation = data;
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeDataset) dataset = open_shared(expectation->file, &error);
  if (expectation->code < 0) {
    g_assert_no_error(error);
    g_assert_true(has_warning(dataset, expectation->text));
    return;
  }
  g_assert_null(dataset);
  g_assert_error(error, DEBYE_ERROR, expectation->code);
  g_test_message("%s", error->message);
  g_autofree char *name = g_path_get_basename(expectation->file);
  g_autofree char *beginning = g_strdup_printf("%s: %s", name, expectation->text);
  g_assert_true(g_str_has_prefix(error->message, beginning));
}

static gboolean
is_expected(const char *file)
{
  for (gsize i = 0; i < G_N_ELEMENTS(expectations); i++)
    if (strcmp(expectations[i].file, file) == 0)
      return TRUE;
  return FALSE;
}

/* No broken file of these formats is left out above. */
static void
test_all_listed(void)
{
  g_autofree char *path = debye_shared_build_path("data", "broken", NULL);
  g_autoptr(GDir) folder = g_dir_open(path, 0, NULL);
  g_assert_nonnull(folder);
  const char *name;
  while ((name = g_dir_read_name(folder)) != NULL) {
    g_autofree char *file = g_build_filename("broken", name, NULL);
    if ((g_str_has_suffix(name, ".cif") || g_str_has_suffix(name, ".h5")) && !is_expected(file)) {
      g_test_message("%s is not in the list", name);
      g_test_fail();
    }
  }
}

static void
add_files(const char *prefix, GPtrArray *kept)
{
  GPtrArray *files = debye_facts_list_files(source.facts, prefix);
  g_ptr_array_add(kept, files);
  g_assert_cmpuint(files->len, >, 0);
  for (guint i = 0; i < files->len; i++) {
    const char *file = g_ptr_array_index(files, i);
    g_autofree char *name = g_strdup_printf("/facts/%s", file);
    if (strcmp(file, CRYSTAL) == 0)
      g_test_add_func(name, test_crystal);
    else if (!is_expected(file))
      g_test_add_data_func(name, file, test_file);
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  if (debye_shared_get_folder() == NULL)
    return DEBYE_TEST_SKIPPED;
  source.facts = debye_facts_load();
  g_autoptr(GPtrArray) kept = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
  add_files("cif/", kept);
  add_files("h5/", kept);
  g_test_add_func("/broken/all-listed", test_all_listed);
  for (gsize i = 0; i < G_N_ELEMENTS(expectations); i++) {
    g_autofree char *name = g_strdup_printf("/broken/%s", expectations[i].file);
    g_test_add_data_func(name, &expectations[i], test_broken);
  }
  int result = g_test_run();
  debye_facts_free(source.facts);
  return result;
}
