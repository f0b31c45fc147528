/* SPDX-License-Identifier: MIT */
/* Files that have a force field's charges: the tables give the same ones back, atom by atom. */
#include "data/trajectory/dataset.h"
#include "data/molecule/table_charges.h"
#include "tests/support/shared.h"

static const struct {
  const char *file;
  DebyeChargeTable table;
  gsize n_without; /* atoms */
} files[] = {
    {"amber/ache.prmtop", DEBYE_CHARGE_TABLE_AMBER, 0},
    {"amber/alanine-dipeptide-explicit.prmtop", DEBYE_CHARGE_TABLE_AMBER, 0},
    {"amber/ava_aaa.solv.parm7", DEBYE_CHARGE_TABLE_AMBER, 0},
    {"amber/cpptraj_traj.prmtop", DEBYE_CHARGE_TABLE_AMBER, 0},
    {"amber/molstar_protein.parm7", DEBYE_CHARGE_TABLE_AMBER, 0},
    {"amber/tip4p.parm7", DEBYE_CHARGE_TABLE_AMBER, 0},
    {"amber/tz2.parm7", DEBYE_CHARGE_TABLE_AMBER, 0},
    {"pqr/1A1P_whitespace.pqr", DEBYE_CHARGE_TABLE_AMBER, 0},
    {"pqr/elem.pqr", DEBYE_CHARGE_TABLE_AMBER, 43}, /* GTP */
    {"psf/nosegid.psf", DEBYE_CHARGE_TABLE_AMBER, 0},
    {"amber/ala3_chamber.parm7", DEBYE_CHARGE_TABLE_CHARMM, 0},
    {"pqr/adk_open.pqr", DEBYE_CHARGE_TABLE_CHARMM, 0},
    {"pqr/ubq.pqr", DEBYE_CHARGE_TABLE_CHARMM, 0},
    {"psf/adk.psf", DEBYE_CHARGE_TABLE_CHARMM, 0},
    {"psf/ala3_solv.psf", DEBYE_CHARGE_TABLE_CHARMM, 0},
    {"psf/ubq.psf", DEBYE_CHARGE_TABLE_CHARMM, 0},
};

static void
check_file(gconstpointer data)
{
  gsize number = GPOINTER_TO_SIZE(data);
  g_autoptr(GError) error = NULL;
  g_auto(DebyeChargeReport) report = {0};
  g_autofree char *path = debye_shared_build_path("data", files[number].file, NULL);
  g_autoptr(DebyeDataset) dataset = debye_dataset_open((const char *[]){path, NULL}, NULL, NULL, &error);
  g_assert_no_error(error);
  DebyeTopology *topology = debye_dataset_get_topology(dataset);
  g_autoptr(DebyeTopology) charged =
      debye_topology_with_table_charges(topology, files[number].table, &report);
  g_assert_cmpuint(report.n_atoms[DEBYE_CHARGED_NONE], ==, files[number].n_without);
  for (gsize i = 0; i < debye_topology_get_n_atoms(topology); i++)
    /* AMBER's files keep charges times 18.2223, PQR files two to four decimals. */
    if (report.kinds[i] != DEBYE_CHARGED_NONE)
      g_assert_cmpfloat_with_epsilon(debye_topology_get_charges(charged)[i],
                                     debye_topology_get_charges(topology)[i], 1e-4f);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  if (debye_shared_get_folder() == NULL)
    return DEBYE_TEST_SKIPPED;
  for (gsize k = 0; k < G_N_ELEMENTS(files); k++) {
    g_autofree char *name = g_strconcat("/table-charges/", files[k].file, NULL);
    g_test_add_data_func(name, GSIZE_TO_POINTER(k), check_file);
  }
  return g_test_run();
}
