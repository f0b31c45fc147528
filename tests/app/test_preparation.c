/* SPDX-License-Identifier: MIT */
/* A bare structure prepared for a window: what it lacks, what was done, states by hand, residues
 * that no table knows, and the same from a session's value. */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "app/analysis/prepare/prepare_job.h"
#include "app/document/document.h"
#include "app/document/preparation.h"
#include "data/files/error.h"
#include "data/formats/text/ligand_file.h"
#include "kernels/cpu/backend_cpu.h"
#include "kernels/registry.h"
#include "data/trajectory/format_list.h"
#include "tests/support/text_file.h"

/* Asp-His-Lys in an extended chain, without the second oxygen of its end. */
#define PEPTIDE                                                                      \
  "ATOM      1  N   ASP A   1       0.000   0.000   0.000  1.00  0.00           N\n" \
  "ATOM      2  CA  ASP A   1       1.458   0.000   0.000  1.00  0.00           C\n" \
  "ATOM      3  C   ASP A   1       2.009   1.420   0.000  1.00  0.00           C\n" \
  "ATOM      4  O   ASP A   1       1.251   2.390   0.000  1.00  0.00           O\n" \
  "ATOM      5  CB  ASP A   1       1.988  -0.773  -1.199  1.00  0.00           C\n" \
  "ATOM      6  CG  ASP A   1       1.522  -2.214  -1.196  1.00  0.00           C\n" \
  "ATOM      7  OD1 ASP A   1       0.560  -2.530  -0.470  1.00  0.00           O\n" \
  "ATOM      8  OD2 ASP A   1       2.134  -3.020  -1.930  1.00  0.00           O\n" \
  "ATOM      9  N   HIS A   2       3.332   1.536   0.000  1.00  0.00           N\n" \
  "ATOM     10  CA  HIS A   2       3.988   2.839   0.000  1.00  0.00           C\n" \
  "ATOM     11  C   HIS A   2       5.504   2.693   0.000  1.00  0.00           C\n" \
  "ATOM     12  O   HIS A   2       6.030   1.580   0.000  1.00  0.00           O\n" \
  "ATOM     13  CB  HIS A   2       3.539   3.659   1.211  1.00  0.00           C\n" \
  "ATOM     14  CG  HIS A   2       3.187   5.081   0.886  1.00  0.00           C\n" \
  "ATOM     15  ND1 HIS A   2       2.970   6.065   1.827  1.00  0.00           N\n" \
  "ATOM     16  CD2 HIS A   2       3.004   5.702  -0.301  1.00  0.00           C\n" \
  "ATOM     17  CE1 HIS A   2       2.659   7.227   1.243  1.00  0.00           C\n" \
  "ATOM     18  NE2 HIS A   2       2.680   7.018  -0.062  1.00  0.00           N\n" \
  "ATOM     19  N   LYS A   3       6.195   3.830   0.000  1.00  0.00           N\n" \
  "ATOM     20  CA  LYS A   3       7.653   3.827   0.000  1.00  0.00           C\n" \
  "ATOM     21  C   LYS A   3       8.200   5.248   0.000  1.00  0.00           C\n" \
  "ATOM     22  O   LYS A   3       7.440   6.220   0.000  1.00  0.00           O\n" \
  "ATOM     23  CB  LYS A   3       8.190   3.060  -1.210  1.00  0.00           C\n" \
  "ATOM     24  CG  LYS A   3       9.715   3.010  -1.250  1.00  0.00           C\n" \
  "ATOM     25  CD  LYS A   3      10.230   2.240  -2.460  1.00  0.00           C\n" \
  "ATOM     26  CE  LYS A   3      11.755   2.190  -2.500  1.00  0.00           C\n"
#define AMMONIUM "ATOM     27  NZ  LYS A   3      12.250   1.450  -3.690  1.00  0.00           N\n"
#define LIGAND                                                                       \
  "HETATM   28  C1  LIG B   1      30.000   0.000   0.000  1.00  0.00           C\n" \
  "HETATM   29  O1  LIG B   1      31.220   0.000   0.000  1.00  0.00           O\n"
#define BORON                                                                        \
  "HETATM   28  C1  LIG B   1      30.000   0.000   0.000  1.00  0.00           C\n" \
  "HETATM   29  B1  LIG B   1      31.500   0.000   0.000  1.00  0.00           B\n"
#define WATER "HETATM   30  O   HOH W   1      20.000   9.000   9.000  1.00  0.00           O\n"

static DebyeTemporaryFolder *folder;

/* Of the PQR file. */
static const char *
get_path(DebyePreparation *made)
{
  return debye_dataset_get_paths(debye_preparation_get_dataset(made))[0];
}

static DebyePreparation *
prepare(DebyeDataset *dataset, GPtrArray *states, gboolean leaves_out_unknown, GError **error)
{
  g_autoptr(DebyeRequest) request = debye_request_new(&debye_prepare_settings);
  const DebyePreparationOrder order = {
      .request = request, .states = states, .leaves_out_unknown = leaves_out_unknown};
  return debye_preparation_run(dataset, &order, NULL, NULL, error);
}

static double
sum_charges(DebyeDataset *dataset)
{
  return debye_topology_get_total_charge(debye_dataset_get_topology(dataset));
}

/* --- What a file lacks --- */

static void
survey(const char *name, const char *text, DebyePrepareSurvey *found)
{
  g_autoptr(DebyeDataset) dataset = text_file_open(folder, name, text);
  g_autoptr(DebyeFrame) frame = text_file_read(dataset, 0);
  debye_prepare_survey(debye_dataset_get_topology(dataset), frame, DEBYE_CHARGE_TABLE_AMBER, NULL, found);
}

static void
test_survey(void)
{
  g_auto(DebyePrepareSurvey) found = {0};
  survey("bare.pdb", PEPTIDE LIGAND WATER "END\n", &found);
  g_assert_true(debye_prepare_survey_is_bare(&found));
  g_assert_cmpuint(found.n_amino_acids, ==, 3);
  g_assert_cmpuint(found.n_nucleotides, ==, 0);
  g_assert_cmpuint(found.n_waters, ==, 1);
  g_assert_cmpuint(found.n_without_hydrogens, ==, 3);
  g_assert_cmpuint(found.n_missing_atoms, ==, 1); /* NZ */
  g_assert_cmpuint(found.n_estimated, ==, 1);
  g_assert_cmpuint(found.n_unknown, ==, 0);
  g_assert_null(found.problem);
}

/* Formaldehyde whose file has the charges of all its atoms: nothing is estimated. Of a file without charges it is. */
static void
test_survey_with_a_ligands_file(void)
{
  static const char *const charges[] = {"0.45 -0.43 -0.01 -0.01", "0 0 0 0"};
  for (gsize k = 0; k < G_N_ELEMENTS(charges); k++) {
    g_auto(DebyePrepareSurvey) found = {0};
    g_autoptr(GError) error = NULL;
    g_auto(GStrv) q = g_strsplit(charges[k], " ", -1);
    g_autofree char *text = g_strdup_printf("@<TRIPOS>MOLECULE\nLIG\n4 3\nSMALL\n%s\n@<TRIPOS>ATOM\n1 C1 0 0 "
                                            "0 C.2 1 LIG %s\n2 O1 1.22 0 0 O.2 1 LIG "
                                            "%s\n3 H1 -0.6 0.9 0 H 1 LIG %s\n4 H2 -0.6 -0.9 0 H 1 LIG "
                                            "%s\n@<TRIPOS>BOND\n1 1 2 2\n2 1 3 1\n3 1 4 1\n",
                                            k == 0 ? "USER_CHARGES" : "NO_CHARGES", q[0], q[1], q[2], q[3]);
    g_autofree char *path = debye_temporary_write(folder, "lig.mol2", text, strlen(text));
    g_autoptr(GPtrArray) ligands = g_ptr_array_new_with_free_func((GDestroyNotify)debye_ligand_free);
    DebyeLigand *ligand = debye_ligand_file_read(path, &error);
    g_assert_no_error(error);
    g_ptr_array_add(ligands, ligand);
    g_autoptr(DebyeDataset) dataset = text_file_open(folder, "bare.pdb", PEPTIDE LIGAND "END\n");
    g_autoptr(DebyeFrame) frame = text_file_read(dataset, 0);
    debye_prepare_survey(debye_dataset_get_topology(dataset), frame, DEBYE_CHARGE_TABLE_AMBER, ligands,
                         &found);
    g_assert_cmpuint(found.n_estimated, ==, k);
    g_assert_cmpuint(found.n_unknown, ==, 0);
    g_assert_null(found.problem);
  }
}

/* A backbone that isn't whole is told, with what was counted nevertheless. */
static void
test_survey_of_a_problem(void)
{
  g_auto(DebyePrepareSurvey) found = {0};
  survey("half.pdb",
         "ATOM      1  N   ALA A   1      11.104   6.134  -6.504  1.00  0.00           N\n"
         "ATOM      2  CA  ALA A   1      11.639   6.071  -5.147  1.00  0.00           C\nEND\n",
         &found);
  g_assert_cmpuint(found.n_amino_acids, ==, 1);
  g_assert_cmpuint(found.n_missing_atoms, ==, 3); /* C, O, CB */
  g_assert_nonnull(found.problem);
  g_assert_nonnull(strstr(found.problem, "ALA 1 of chain A"));
}

static void
assert_states(GPtrArray *decisions, const char *residue, const char *expected)
{
  for (guint k = 0; k < decisions->len; k++) {
    const DebyePrepareDecision *decision = decisions->pdata[k];
    if (strcmp(decision->residue, residue) != 0)
      continue;
    g_autofree char *joined = g_strjoinv(",", (char **)decision->states);
    g_assert_cmpstr(joined, ==, expected);
    return;
  }
  g_assert_not_reached();
}

/* None of which is refused. AMBER has no neutral ends, and no ASH at an end of a chain. */
static void
test_states_of_residues(void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeDataset) bare = text_file_open(folder, "bare.pdb", PEPTIDE AMMONIUM "END\n");
  g_autoptr(DebyePreparation) made = prepare(bare, NULL, TRUE, &error);
  g_assert_no_error(error);
  GPtrArray *decisions = debye_preparation_get_prepared(made)->decisions;
  assert_states(decisions, "NTR 1", "charged,capped");
  assert_states(decisions, "ASP 1", "");
  assert_states(decisions, "HIS 2",
                "HIE,HID,HIP,HIE kept,HIE turned,HID kept,HID turned,HIP kept,HIP turned");
  for (guint k = 0; k < decisions->len; k++) {
    const DebyePrepareDecision *decision = decisions->pdata[k];
    for (const char **state = decision->states; *state != NULL; state++) {
      g_autoptr(GPtrArray) states =
          debye_preparation_states_with(NULL, decision->chain, decision->residue, *state);
      g_autoptr(DebyePreparation) chosen = prepare(bare, states, TRUE, &error);
      g_assert_no_error(error);
      g_assert_nonnull(chosen);
    }
  }
}

/* --- Preparing --- */

static void
test_prepared(void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeDataset) bare = text_file_open(folder, "bare.pdb", PEPTIDE AMMONIUM "END\n");
  g_autoptr(DebyePreparation) made = prepare(bare, NULL, TRUE, &error);
  g_assert_no_error(error);
  DebyeDataset *dataset = debye_preparation_get_dataset(made);
  g_assert_cmpuint(debye_topology_get_n_atoms(debye_dataset_get_topology(dataset)), ==, 54);
  g_assert_cmpfloat_with_epsilon(sum_charges(dataset), 0.0, 1e-4);
  g_assert_nonnull(debye_topology_get_radii(debye_dataset_get_topology(dataset)));
  g_assert_true(debye_preparation_get_origin(made) == bare);
  g_assert_cmpuint(debye_preparation_get_prepared(made)->n_added, ==, 27);
  g_autofree char *words = debye_preparation_describe(made);
  g_assert_cmpstr(words, ==, "pH 7 · 27 atoms added · total charge 0 e");
  g_autofree char *command =
      g_strdup_printf("debye-cli prepare --output %s %s", get_path(made), debye_dataset_get_paths(bare)[0]);
  g_assert_cmpstr(debye_preparation_get_command(made), ==, command);
  g_assert_true(g_file_test(get_path(made), G_FILE_TEST_IS_REGULAR));
}

static void
test_chosen_states(void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeDataset) bare = text_file_open(folder, "bare.pdb", PEPTIDE AMMONIUM "END\n");
  g_autoptr(GPtrArray) wrong = debye_preparation_states_with(NULL, "A", "HIS 2", "HID");
  g_autoptr(GPtrArray) states = debye_preparation_states_with(wrong, "A", "HIS 2", "HIP");
  g_autoptr(GPtrArray) none = debye_preparation_states_with(states, "A", "HIS 2", NULL);
  g_assert_cmpuint(states->len, ==, 1);
  g_assert_cmpuint(none->len, ==, 0);
  g_autoptr(DebyePreparation) made = prepare(bare, states, TRUE, &error);
  g_assert_no_error(error);
  g_assert_cmpfloat_with_epsilon(sum_charges(debye_preparation_get_dataset(made)), 1.0, 1e-4);
  g_assert_nonnull(strstr(debye_preparation_get_command(made), "--states"));
  g_autoptr(GPtrArray) impossible = debye_preparation_states_with(NULL, "A", "HIS 2", "ASH");
  g_assert_null(prepare(bare, impossible, TRUE, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_VALUE);
}

/* The ring of His turned by 180° about the line from CB to CG: ND1 and CD2 change sides, and stay as far from CG. */
static void
test_turned_ring(void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeDataset) bare = text_file_open(folder, "bare.pdb", PEPTIDE AMMONIUM "END\n");
  g_autoptr(GPtrArray) states = debye_preparation_states_with(NULL, "A", "HIS 2", "HID turned");
  g_autoptr(DebyePreparation) made = prepare(bare, states, TRUE, &error);
  g_assert_no_error(error);
  const DebyeFrame *frame = debye_preparation_get_prepared(made)->frame;
  DebyeTopology *topology = debye_preparation_get_prepared(made)->topology;
  const DebyeStringPool *pool = debye_topology_get_string_pool(topology);
  const DebyeVec3 cg = debye_vec3(3.187, 5.081, 0.886), nd1 = debye_vec3(2.970, 6.065, 1.827);
  guint n_found = 0;
  for (gsize i = 0; i < frame->n_atoms; i++) {
    if (strcmp(debye_string_pool_get(pool, debye_topology_get_names(topology)[i]), "ND1") != 0)
      continue;
    const DebyeVec3 now = debye_vec3((double)frame->x[i], (double)frame->y[i], (double)frame->z[i]);
    g_assert_cmpfloat(debye_vec3_length(debye_vec3_subtract(now, nd1)), >, 2.0);
    g_assert_cmpfloat_with_epsilon(debye_vec3_length(debye_vec3_subtract(now, cg)),
                                   debye_vec3_length(debye_vec3_subtract(nd1, cg)), 1e-4);
    n_found++;
  }
  g_assert_cmpuint(n_found, ==, 1);
  g_autoptr(GPtrArray) rigid = debye_preparation_states_with(NULL, "A", "LYS 3", "LYS turned");
  g_assert_null(prepare(bare, rigid, TRUE, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_VALUE);
}

/* --- What no table knows --- */

static void
test_unknown_residues(void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeDataset) bare = text_file_open(folder, "ligand.pdb", PEPTIDE AMMONIUM LIGAND "END\n");
  /* With charges that are estimated; left out is only what can't be. */
  g_autoptr(DebyePreparation) estimated = prepare(bare, NULL, TRUE, &error);
  g_assert_no_error(error);
  g_autofree char *with = debye_preparation_describe(estimated);
  g_assert_null(strstr(with, "left out"));
  g_autoptr(DebyeDataset) odd = text_file_open(folder, "boron.pdb", PEPTIDE AMMONIUM BORON "END\n");
  g_autoptr(DebyePreparation) made = prepare(odd, NULL, TRUE, &error);
  g_assert_no_error(error);
  g_assert_cmpstr(debye_request_get(debye_preparation_get_request(made), "keep"), ==, "not resname LIG");
  g_autofree char *words = debye_preparation_describe(made);
  g_assert_nonnull(strstr(words, "LIG left out"));
}

/* What was left out by itself is no choice of a person's, in a session neither; what a person typed is. */
static void
test_own_keep(void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeDataset) bare = text_file_open(folder, "boron.pdb", PEPTIDE AMMONIUM BORON "END\n");
  g_autoptr(DebyePreparation) made = prepare(bare, NULL, TRUE, &error);
  g_assert_no_error(error);
  g_assert_true(debye_preparation_keeps_known(made));
  g_autoptr(GVariant) saved = g_variant_ref_sink(debye_preparation_save(made));
  g_autoptr(DebyePreparation) again = debye_preparation_load(bare, saved, &error);
  g_assert_no_error(error);
  g_assert_true(debye_preparation_keeps_known(again));
  g_assert_cmpstr(get_path(again), ==, get_path(made));
  g_autoptr(DebyeRequest) request = debye_request_new(&debye_prepare_settings);
  g_assert_true(debye_request_set(request, "keep", "not resname LIG", NULL));
  const DebyePreparationOrder order = {.request = request, .leaves_out_unknown = TRUE};
  g_autoptr(DebyePreparation) typed = debye_preparation_run(bare, &order, NULL, NULL, &error);
  g_assert_no_error(error);
  g_assert_false(debye_preparation_keeps_known(typed));
}

static void
test_nothing_known(void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeDataset) bare = text_file_open(folder, "alone.pdb", BORON "END\n");
  g_assert_null(prepare(bare, NULL, TRUE, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_MISSING);
  g_assert_cmpstr(
      error->message, ==,
      "alone.pdb: no amino acids, nucleotides or water, and the table has no charges for LIG. Open a file "
      "with charges, such as PQR, PSF, prmtop or TPR");
}

/* --- Documents and sessions --- */

static void
test_document(void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeDataset) written = text_file_open(folder, "bare.pdb", PEPTIDE AMMONIUM "END\n");
  g_autoptr(DebyeDocument) bare =
      debye_document_open(debye_dataset_get_paths(written), NULL, NULL, NULL, &error);
  g_assert_no_error(error);
  g_autoptr(DebyePreparation) made = prepare(debye_document_get_origin(bare), NULL, TRUE, &error);
  g_autoptr(DebyeDocument) document = debye_document_with_preparation(bare, made, &error);
  g_assert_no_error(error);
  g_autofree char *title = debye_document_get_title(document);
  g_assert_cmpstr(title, ==, "bare.pdb, prepared");
  g_assert_true(g_strv_equal(debye_document_get_paths(document), debye_document_get_paths(bare)));
  g_assert_cmpuint(debye_document_get_first_frame(document)->n_atoms, ==, 54);
  g_autoptr(DebyeDocument) back = debye_document_without_preparation(document, &error);
  g_assert_no_error(error);
  g_assert_true(debye_document_get_dataset(back) == debye_document_get_dataset(bare));
  g_assert_null(debye_document_get_preparation(back));
}

/* Frames beside a prepared structure would take its preparation away. */
static void
test_frames_of_a_prepared_document(void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeDataset) written = text_file_open(folder, "bare.pdb", PEPTIDE AMMONIUM "END\n");
  g_autoptr(DebyeDocument) bare =
      debye_document_open(debye_dataset_get_paths(written), NULL, NULL, NULL, &error);
  g_assert_no_error(error);
  g_autoptr(DebyePreparation) made = prepare(debye_document_get_origin(bare), NULL, TRUE, &error);
  g_autoptr(DebyeDocument) document = debye_document_with_preparation(bare, made, &error);
  g_assert_no_error(error);
  g_autofree char *frames = debye_temporary_write(folder, "more.xtc", "", 0);
  debye_temporary_write_trajectory(&debye_format_xtc, frames, 54, 2);
  g_assert_null(debye_document_open((const char *const[]){frames, NULL}, document, NULL, NULL, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_MISMATCH);
  g_assert_cmpstr(
      error->message, ==,
      "more.xtc: frames can't be added to a prepared structure. Save the prepared structure as PQR "
      "and open that file with more.xtc, or undo the preparation of bare.pdb first");
}

static void
test_saved_and_loaded(void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeDataset) bare = text_file_open(folder, "bare.pdb", PEPTIDE AMMONIUM "END\n");
  g_autoptr(GPtrArray) states = debye_preparation_states_with(NULL, "A", "HIS 2", "HIP");
  g_autoptr(DebyeRequest) request = debye_request_new(&debye_prepare_settings);
  g_assert_true(debye_request_set(request, "charges", "charmm", NULL));
  const DebyePreparationOrder order = {.request = request, .states = states};
  g_autoptr(DebyePreparation) made = debye_preparation_run(bare, &order, NULL, NULL, &error);
  g_assert_no_error(error);
  g_autoptr(GVariant) saved = g_variant_ref_sink(debye_preparation_save(made));
  /* As if the cache had been emptied. */
  g_assert_cmpint(g_remove(get_path(made)), ==, 0);
  g_autoptr(DebyePreparation) again = debye_preparation_load(bare, saved, &error);
  g_assert_no_error(error);
  g_assert_cmpstr(get_path(again), ==, get_path(made));
  g_assert_cmpstr(debye_request_get(debye_preparation_get_request(again), "charges"), ==, "charmm");
  g_assert_cmpuint(debye_preparation_get_states(again)->len, ==, 1);
  g_assert_cmpfloat_with_epsilon(sum_charges(debye_preparation_get_dataset(again)), 1.0, 1e-4);
}

static void
test_unknown_setting_of_a_session(void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeDataset) bare = text_file_open(folder, "bare.pdb", PEPTIDE AMMONIUM "END\n");
  g_autoptr(GVariant) saved = g_variant_ref_sink(g_variant_new_parsed("{'settings': <{'magic': <'yes'>}>}"));
  g_assert_null(debye_preparation_load(bare, saved, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_UNKNOWN);
  g_assert_cmpstr(error->message, ==,
                  "the session prepares its structure with “magic”, which this version doesn't know");
}

static gboolean
stop(double fraction G_GNUC_UNUSED, gpointer data G_GNUC_UNUSED)
{
  return FALSE;
}

static void
test_stopped(void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeDataset) bare = text_file_open(folder, "bare.pdb", PEPTIDE AMMONIUM "END\n");
  g_autoptr(DebyeRequest) request = debye_request_new(&debye_prepare_settings);
  const DebyePreparationOrder order = {.request = request};
  g_assert_null(debye_preparation_run(bare, &order, stop, NULL, &error));
  g_assert_error(error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* Solved once: another pH, a state by hand and a session take the same titration, and what it needs isn't asked for. */
static DebyePreparation *
titrate(DebyeDataset *bare, const char *ph, GPtrArray *states, DebyePreparation *titrated,
        const DebyeRegistry *registry, GError **error)
{
  g_autoptr(DebyeRequest) request = debye_request_new(&debye_prepare_settings);
  g_assert_true(debye_request_set(request, "titrate", "pb", NULL));
  g_assert_true(debye_request_set(request, "device", "cpu", NULL));
  g_assert_true(debye_request_set(request, "ph", ph, NULL));
  const DebyePreparationOrder order = {
      .request = request, .states = states, .titrated = titrated, .registry = registry};
  return debye_preparation_run(bare, &order, NULL, NULL, error);
}

static void
check_alike(DebyePreparation *one, DebyePreparation *other)
{
  const DebyeTitrationResult *a = debye_preparation_get_titration(one);
  const DebyeTitrationResult *b = debye_preparation_get_titration(other);
  g_assert_cmpuint(a->sites->sites->len, ==, b->sites->sites->len);
  for (guint i = 0; i < a->sites->sites->len; i++) {
    g_assert_cmpfloat(fabs(a->curves->midpoints[i].half - b->curves->midpoints[i].half), <, 1e-9);
    for (double ph = -3.0; ph < 17.0; ph += 0.7) {
      g_assert_cmpstr(debye_titration_result_get_state(a, i, ph)->name, ==,
                      debye_titration_result_get_state(b, i, ph)->name);
      /* Six digits are kept. */
      g_assert_cmpfloat(
          fabs(debye_titration_result_get_protons(a, i, ph) - debye_titration_result_get_protons(b, i, ph)),
          <, 1e-6);
    }
  }
}

static DebyeTable *
find_sites(DebyeResult *result)
{
  g_autoptr(DebyeTable) table = g_list_model_get_item(debye_result_get_tables(result), 1);
  g_assert_cmpstr(debye_table_get_name(table), ==, DEBYE_TABLE_OF_SITES);
  return table; /* the result keeps it */
}

static gsize
find_column(DebyeTable *table, const char *name)
{
  gsize i = 0;
  while (strcmp(debye_table_get_quantity(table, i)->name, name) != 0)
    i++;
  return i;
}

/* A row a site; together they have the charge that the peptide has with them: it has no other. */
static void
check_sites(DebyePreparation *made, double ph)
{
  DebyeTable *table = find_sites(debye_preparation_get_solved(made));
  const double *model = debye_table_get_numbers(table, find_column(table, "pka_model"));
  const double *half = debye_table_get_numbers(table, find_column(table, "pk_half"));
  const double *shift = debye_table_get_numbers(table, find_column(table, "shift"));
  const double *charges = debye_table_get_numbers(table, find_column(table, "charge"));
  const char *const *residues = debye_table_get_texts(table, find_column(table, "residue"));
  const char *const *chains = debye_table_get_texts(table, find_column(table, "chain"));
  double sum = 0.0;
  for (gsize row = 0; row < debye_table_get_n_rows(table); row++) {
    const gboolean is_acid = g_str_has_prefix(residues[row], "ASP") || g_str_has_prefix(residues[row], "CTR");
    g_assert_cmpstr(chains[row], ==, "A");
    g_assert_cmpfloat(fabs(half[row] - model[row] - shift[row]), <, 1e-12);
    /* Charged on the side of pK½ where its kind is: acids above, bases below. */
    if (fabs(half[row] - ph) > 1.0)
      g_assert_cmpint((int)round(charges[row]), ==, is_acid ? -(half[row] < ph) : half[row] > ph);
    sum += charges[row];
  }
  g_assert_true(g_strv_contains(residues, "HIS 2"));
  g_assert_cmpfloat(fabs(sum - debye_titration_result_get_charge(debye_preparation_get_titration(made), ph)),
                    <, 1e-6);
}

static void
test_titrated_once(void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeDataset) bare = text_file_open(folder, "titrated.pdb", PEPTIDE AMMONIUM);
  DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, NULL);
  g_autoptr(DebyePreparation) made = titrate(bare, "7", NULL, NULL, registry, &error);
  g_assert_no_error(error);
  debye_registry_free(registry);
  g_assert_nonnull(debye_preparation_get_solved(made));
  check_sites(made, 7.0);
  g_autoptr(DebyePreparation) acid = titrate(bare, "1", NULL, made, NULL, &error);
  g_assert_no_error(error);
  g_assert_null(debye_preparation_get_solved(acid));
  /* Histidine takes up its proton; AMBER has no neutral end. */
  g_assert_cmpfloat(sum_charges(debye_preparation_get_dataset(acid)), >,
                    sum_charges(debye_preparation_get_dataset(made)) + 0.9);
  g_autoptr(GPtrArray) states = debye_preparation_states_with(NULL, "A", "HIS 2", "HID");
  g_autoptr(DebyePreparation) chosen = titrate(bare, "1", states, acid, NULL, &error);
  g_assert_no_error(error);
  g_assert_cmpfloat(sum_charges(debye_preparation_get_dataset(chosen)), <,
                    sum_charges(debye_preparation_get_dataset(acid)) - 0.9);
  g_autoptr(GVariant) saved = g_variant_ref_sink(debye_preparation_save(chosen));
  g_autoptr(DebyePreparation) again = debye_preparation_load(bare, saved, &error);
  g_assert_no_error(error);
  check_alike(made, again);
  g_assert_cmpfloat(fabs(sum_charges(debye_preparation_get_dataset(again)) -
                         sum_charges(debye_preparation_get_dataset(chosen))),
                    <, 1e-4);
}

static void
check_refused(const char *titration, const char *words)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeDataset) bare = text_file_open(folder, "refused.pdb", PEPTIDE AMMONIUM);
  g_autofree char *text = g_strdup_printf("{'settings': <{'titrate': <'pb'>}>%s}", titration);
  g_autoptr(GVariant) saved = g_variant_ref_sink(g_variant_new_parsed(text));
  g_assert_null(debye_preparation_load(bare, saved, &error));
  g_assert_nonnull(error);
  g_assert_nonnull(strstr(error->message, words));
}

static void
test_titrations_of_sessions_refused(void)
{
  static const char damaged[] = "titration by Poisson–Boltzmann is damaged";
  check_refused("", "found none. Prepare it again");
  check_refused(", 'titration': <{'exact': <true>}>", damaged);
  check_refused(
      ", 'titration': <{'ph': <[<1.0>, <2.0>]>, 'charge': <[<0.0>, <0.0>]>, 'sites': <[<{'residue': "
      "<'HIS 2'>}>]>}>",
      damaged);
  check_refused(", 'titration': <{'ph': <[<2.0>, <1.0>]>, 'charge': <[<0.0>, <0.0>]>, 'sites': <@av []>}>",
                damaged);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_autoptr(DebyeTemporaryFolder) cache = debye_temporary_use_cache_folder();
  folder = debye_temporary_folder_new();
  g_test_add_func("/preparation/survey", test_survey);
  g_test_add_func("/preparation/survey-with-a-ligands-file", test_survey_with_a_ligands_file);
  g_test_add_func("/preparation/survey of a problem", test_survey_of_a_problem);
  g_test_add_func("/preparation/states of residues", test_states_of_residues);
  g_test_add_func("/preparation/prepared", test_prepared);
  g_test_add_func("/preparation/chosen states", test_chosen_states);
  g_test_add_func("/preparation/turned ring", test_turned_ring);
  g_test_add_func("/preparation/unknown residues", test_unknown_residues);
  g_test_add_func("/preparation/own keep", test_own_keep);
  g_test_add_func("/preparation/nothing known", test_nothing_known);
  g_test_add_func("/preparation/document", test_document);
  g_test_add_func("/preparation/frames of a prepared document", test_frames_of_a_prepared_document);
  g_test_add_func("/preparation/saved and loaded", test_saved_and_loaded);
  g_test_add_func("/preparation/unknown setting of a session", test_unknown_setting_of_a_session);
  g_test_add_func("/preparation/stopped", test_stopped);
  g_test_add_func("/preparation/titrated once", test_titrated_once);
  g_test_add_func("/preparation/titrations of sessions refused", test_titrations_of_sessions_refused);
  int status = g_test_run();
  debye_temporary_folder_free(folder);
  return status;
}
