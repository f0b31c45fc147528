/* SPDX-License-Identifier: MIT */
/* Every LAMMPS, Mol2 and CHARMM CRD file of the reference data against what is known about it. */
#include "data/files/error.h"
#include "facts_case.h"

static const DebyeFactsDifference differences[] = {
    {"lammps/detect_best_pos_repr.lammpstrj", "natoms", "856",
     "the frames have 854, 854, 856, 856 and 856 atoms: a trajectory has those of any frame"},
    {"mol2/li.mol2", "box_first", "10 10 10 90 90 90", "CRYSIN, which none of the facts' libraries reads"},
    {"mol2/tripos9.mol2", "elements.H", "13", "AMBER's types; the facts know the ones that are symbols only"},
    {"mol2/tripos9.mol2", "elements.C", "11", "AMBER's types: CA and CB are carbon"},
    {"mol2/tripos9.mol2", "elements.N", "7", "AMBER's types: NA and NB are nitrogen"},
    {"mol2/tripos9.mol2", "elements.O", "3", "AMBER's types"},
};

static DebyeFactsSource source = {.differences = differences, .n_differences = G_N_ELEMENTS(differences)};

static void
test_file(gconstpointer file)
{
  debye_facts_test_file(&source, file);
}

/* A system without atoms is none, though the facts have its box. */
static void
test_empty(gconstpointer file)
{
  g_autofree char *path = debye_shared_build_path("data", file, NULL);
  const char *paths[] = {path, NULL};
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeDataset) dataset = debye_dataset_open(paths, NULL, NULL, &error);
  g_assert_null(dataset);
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_SYNTAX);
  g_assert_true(g_str_has_suffix(error->message, ": expected atoms, found none"));
}

static void
add_files(const char *prefix, GPtrArray *kept)
{
  GPtrArray *files = debye_facts_list_files(source.facts, prefix);
  g_ptr_array_add(kept, files);
  g_assert_cmpuint(files->len, >, 0);
  for (guint i = 0; i < files->len; i++) {
    const char *file = g_ptr_array_index(files, i);
    const char *n_atoms = debye_facts_get(source.facts, file, "natoms");
    g_autofree char *name = g_strdup_printf("/facts/%s", file);
    g_test_add_data_func(name, file, g_strcmp0(n_atoms, "0") == 0 ? test_empty : test_file);
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
  add_files("lammps/", kept);
  add_files("mol2/", kept);
  add_files("crd/", kept);
  int result = g_test_run();
  debye_facts_free(source.facts);
  return result;
}
