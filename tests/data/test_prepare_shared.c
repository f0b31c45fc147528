/* SPDX-License-Identifier: MIT */
/* Bare structures made ready, residue by residue against pdb2pqr 3.8.0 (states by PROPKA 3.5.1): number of hydrogens
 * and net charge. Where model values of pKa and PROPKA's decide differently is listed with both values. */
#include <string.h>

#include "data/prepare/prepare.h"
#include "data/selection/selection.h"
#include "data/trajectory/dataset.h"
#include "tests/support/shared.h"
#include "tests/support/text_file.h"

typedef struct {
  const char *residue; /* "A 58" */
  int hydrogens;       /* more than pdb2pqr's */
} Difference;

static const struct {
  const char *name, *folder, *file;
  double ph;
  guint n_residues;
  Difference differences[3];
} cases[] = {
    {"1crn_AMBER_pH7", NULL, "1crn_from_cif.pdb", 7.0, 46, {{NULL, 0}}},
    {"1crn_AMBER_pH3", NULL, "1crn_from_cif.pdb", 3.0, 46, {{NULL, 0}}},
    {"1crn_AMBER_pH11", NULL, "1crn_from_cif.pdb", 11.0, 46, {{NULL, 0}}},
    {"ubq_heavy_AMBER_pH7", NULL, "ubq_heavy.pdb", 7.0, 76, {{NULL, 0}}},
    /* Asp 58 has 2.99 by PROPKA, 3.67 by its model value. */
    {"ubq_heavy_AMBER_pH3", NULL, "ubq_heavy.pdb", 3.0, 76, {{"A 58", 1}, {NULL, 0}}},
    /* Lys 11 has 11.02 by PROPKA, 10.40 by its model value. */
    {"ubq_heavy_AMBER_pH11", NULL, "ubq_heavy.pdb", 11.0, 76, {{"A 11", -1}, {NULL, 0}}},
    {"1FAS_AMBER_pH7", NULL, "1FAS.cif", 7.0, 61, {{NULL, 0}}},
    /* Asp 45 has 2.92 by PROPKA. */
    {"1FAS_AMBER_pH3", NULL, "1FAS.cif", 3.0, 61, {{"A 45", 1}, {NULL, 0}}},
    {"1FAS_AMBER_pH11", NULL, "1FAS.cif", 11.0, 61, {{NULL, 0}}},
    {"1crn_CHARMM_pH7", NULL, "1crn_from_cif.pdb", 7.0, 46, {{NULL, 0}}},
    {"ubq_heavy_CHARMM_pH7", NULL, "ubq_heavy.pdb", 7.0, 76, {{NULL, 0}}},
    {"1FAS_CHARMM_pH7", NULL, "1FAS.cif", 7.0, 61, {{NULL, 0}}},
    {"1crn_PARSE_pH7", NULL, "1crn_from_cif.pdb", 7.0, 46, {{NULL, 0}}},
    {"ubq_heavy_PARSE_pH7", NULL, "ubq_heavy.pdb", 7.0, 76, {{NULL, 0}}},
    {"1FAS_PARSE_pH7", NULL, "1FAS.cif", 7.0, 61, {{NULL, 0}}},
    {"1bna_AMBER_pH7", NULL, "1bna.pdb", 7.0, 24, {{NULL, 0}}},
    /* SG of Cys 11 and the last OXT are missing. */
    {"5a7u_AMBER_pH7", "pdb", "5a7u.pdb", 7.0, 27, {{NULL, 0}}},
    {"5vav_cyclic_AMBER_pH7", NULL, "5vav_cyclic_peptide.pdb", 7.0, 14, {{NULL, 0}}},
    /* His 57 and Glu 70 have 7.47 and 7.09 by PROPKA, 6.54 and 4.25 by their model values. */
    {"1K1I_AMBER_pH7", NULL, "1K1I.pdb", 7.0, 223, {{"A 57", -1}, {"A 70", -1}, {NULL, 0}}},
    /* Of the active site's two aspartates, which share a proton, PROPKA protonates one (8.21; 10.38). */
    {"1QBS_AMBER_pH7", NULL, "1QBS.pdb", 7.0, 198, {{"A 25", -1}, {NULL, 0}}},
    {"4E43_AMBER_pH7", "pdb", "4E43.pdb", 7.0, 204, {{"B 25", -1}, {NULL, 0}}},
};

static char *
read_packed(const char *path)
{
  g_autoptr(GFile) file = g_file_new_for_path(path);
  g_autoptr(GError) error = NULL;
  g_autoptr(GFileInputStream) packed = g_file_read(file, NULL, &error);
  g_assert_no_error(error);
  g_autoptr(GZlibDecompressor) decompressor = g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  g_autoptr(GInputStream) stream =
      g_converter_input_stream_new(G_INPUT_STREAM(packed), G_CONVERTER(decompressor));
  g_autoptr(GOutputStream) memory = g_memory_output_stream_new_resizable();
  g_output_stream_splice(memory, stream, G_OUTPUT_STREAM_SPLICE_CLOSE_TARGET, NULL, &error);
  g_assert_no_error(error);
  const gsize size = g_memory_output_stream_get_data_size(G_MEMORY_OUTPUT_STREAM(memory));
  return g_strndup(g_memory_output_stream_get_data(G_MEMORY_OUTPUT_STREAM(memory)), size);
}

static DebyeChargeTable
find_table(const char *name)
{
  return strstr(name, "CHARMM") != NULL  ? DEBYE_CHARGE_TABLE_CHARMM
         : strstr(name, "PARSE") != NULL ? DEBYE_CHARGE_TABLE_PARSE
                                         : DEBYE_CHARGE_TABLE_AMBER;
}

static DebyePrepared *
prepare(const char *path, double ph, DebyeChargeTable table)
{
  const DebyePrepareSettings settings = {.states = {.titrate = DEBYE_TITRATE_MODEL, .ph = ph, .table = table},
                                         .drops_water = TRUE,
                                         .optimises = TRUE};
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeDataset) dataset = debye_dataset_open((const char *[]){path, NULL}, NULL, NULL, &error);
  g_assert_no_error(error);
  g_autoptr(DebyeFrame) frame = text_file_read(dataset, 0);
  DebyeTopology *topology = debye_dataset_get_topology(dataset);
  /* Ligands, of which pdb2pqr has no charges either, are left out. */
  g_autoptr(DebyeSelection) selection = debye_selection_parse("protein or nucleic", NULL, &error);
  g_assert_no_error(error);
  g_autoptr(GArray) atoms = debye_selection_evaluate(selection, topology, frame, &error);
  g_assert_no_error(error);
  const guint32 *list = (const guint32 *)(const void *)atoms->data;
  g_autoptr(DebyeTopology) part = debye_topology_subset(topology, list, atoms->len);
  g_autoptr(DebyeFrame) part_of_frame = debye_frame_subset(frame, list, atoms->len);
  DebyePrepared *prepared = debye_prepare(part, part_of_frame, &settings, &error);
  g_assert_no_error(error);
  return prepared;
}

static const DebyePrepareDecision *
find_decision(const DebyePrepared *prepared, const char *chain, const char *name, const char *number)
{
  g_autofree char *residue = g_strdup_printf("%s %s", name, number);
  for (guint k = 0; k < prepared->decisions->len; k++) {
    const DebyePrepareDecision *decision = g_ptr_array_index(prepared->decisions, k);
    if (strcmp(decision->residue, residue) == 0 && strcmp(decision->chain, chain) == 0)
      return decision;
  }
  g_error("no residue %s of chain %s", residue, chain);
}

static int
get_difference(const Difference *differences, const char *chain, const char *number)
{
  g_autofree char *residue = g_strdup_printf("%s %s", chain, number);
  for (; differences->residue != NULL; differences++)
    if (strcmp(differences->residue, residue) == 0)
      return differences->hydrogens;
  return 0;
}

/* chain,resnum,icode,resname,state,patches,n_heavy,n_H,net_charge,… */
static gboolean
compare_row(const DebyePrepared *prepared, const Difference *differences, const char *row)
{
  g_auto(GStrv) fields = g_strsplit(row, ",", -1);
  if (*row == '#' || g_strv_length(fields) < 9 || !g_ascii_isdigit(fields[7][0]))
    return FALSE;
  g_autofree char *number = g_strconcat(fields[1], fields[2], NULL);
  const DebyePrepareDecision *decision = find_decision(prepared, fields[0], fields[3], number);
  const int more = get_difference(differences, fields[0], number);
  g_assert_cmpint((int)decision->n_hydrogens, ==, atoi(fields[7]) + more);
  /* Its table has four decimals. */
  g_assert_cmpfloat_with_epsilon(decision->charge, g_ascii_strtod(fields[8], NULL) + more, 1e-3);
  return TRUE;
}

static void
check_case(gconstpointer data)
{
  const gsize number = GPOINTER_TO_SIZE(data);
  g_autofree char *table = g_strconcat(cases[number].name, "_residues.csv.gz", NULL);
  g_autofree char *path_of_table = debye_shared_build_path("reference", "next", "prep", table, NULL);
  g_autofree char *path =
      cases[number].folder == NULL
          ? debye_shared_build_path("reference", "next", "prep", "inputs", cases[number].file, NULL)
          : debye_shared_build_path("data", cases[number].folder, cases[number].file, NULL);
  g_autoptr(DebyePrepared) prepared = prepare(path, cases[number].ph, find_table(cases[number].name));
  g_autofree char *text = read_packed(path_of_table);
  g_auto(GStrv) rows = g_strsplit(text, "\n", -1);
  guint n = 0;
  for (char **row = rows; *row != NULL; row++)
    n += compare_row(prepared, cases[number].differences, *row);
  g_assert_cmpuint(n, ==, cases[number].n_residues);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  if (debye_shared_get_folder() == NULL)
    return DEBYE_TEST_SKIPPED;
  for (gsize k = 0; k < G_N_ELEMENTS(cases); k++) {
    g_autofree char *name = g_strconcat("/prepare/", cases[k].name, NULL);
    g_test_add_data_func(name, GSIZE_TO_POINTER(k), check_case);
  }
  return g_test_run();
}
