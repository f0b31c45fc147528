/* SPDX-License-Identifier: MIT */
/* Every PDB, PQR, GRO, PSF and XYZ file of the reference data against what is known about it. */
#include "facts_case.h"

static const DebyeFactsDifference differences[] = {
    {"pdb/cryst_then_model.pdb", "box_first", "80 80.017 80.017 90 90 90",
     "a CRYST1 stands before each model; the facts have the last one's"},
    {"pdb/overflow_indexing.pdb", "n_residues", "3",
     "two waters have the residue number ****: OW, HW1, HW2 coming again begins another"},
    {"pdb/vmd_indexing.pdb", "n_residues", "6",
     "residue 2710 comes again behind 9999: that is another run of atoms, not the same residue"},
    {"pdb/insertion-code.pdb", "elements.H", "1", "the element column says D, deuterium"},
    {"gro/cod_4020641.gro", "elements.S", "1", "atom 2 is named SI in a residue LIG: silicon"},
    {"gro/cod_4020641.gro", "elements.Si", "1", "atom 2 is named SI in a residue LIG: silicon"},
    {"gro/two_water_gro_multiframe.gro", "box_last", "120 120 120 90 90 90",
     "the facts' box was read by a library that sees the first frame only"},
    {"psf/bfna_nonbonded_vmd_autopsf.psf", "elements.C", "25", "an atom named CAL weighs 12.011 u"},
    {"psf/bfna_nonbonded_vmd_autopsf.psf", "elements.Ca", "0", "an atom named CAL weighs 12.011 u"},
    {"xyz/five.xyz", "elements.H", "1", "D is deuterium; the facts count labels"},
    {"xyz/frame0.xyz.gz", "elements.H", "12", "VMD writes names for symbols; the facts count labels"},
    {"xyz/frame0.xyz.gz", "elements.C", "6", "VMD writes names for symbols; the facts count labels"},
    {"xyz/water_number.xyz", "elements.H", "2", "atomic number 1; the facts count labels"},
    {"xyz/water_number.xyz", "elements.O", "1", "atomic number 8; the facts count labels"},
};

static DebyeFactsSource source = {.differences = differences, .n_differences = G_N_ELEMENTS(differences)};

static void
test_file(gconstpointer file)
{
  debye_facts_test_file(&source, file);
}

static void
add_files(const char *prefix, const char *suffix, GPtrArray *kept)
{
  GPtrArray *files = debye_facts_list_files(source.facts, prefix);
  g_ptr_array_add(kept, files);
  for (guint i = 0; i < files->len; i++) {
    const char *file = g_ptr_array_index(files, i);
    g_autofree char *name = g_strdup_printf("/facts/%s", file);
    if (g_str_has_suffix(file, suffix))
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
  static const char *const folders[] = {"pdb/", "pqr/", "gro/", "psf/", "xyz/"};
  for (gsize i = 0; i < G_N_ELEMENTS(folders); i++)
    add_files(folders[i], "", kept);
  add_files("xtc/", ".pdb", kept);
  add_files("tpr/", ".pdb", kept);
  int result = g_test_run();
  debye_facts_free(source.facts);
  return result;
}
