/* SPDX-License-Identifier: MIT */
/* Bonds of whole proteins by their residues' names alone, against those of their topology files. */
#include "data/molecule/bonds.h"
#include "data/trajectory/dataset.h"
#include "data/molecule/periodic.h"
#include "support/shared.h"

static const char *const files[] = {"psf/ubq.psf",
                                    "psf/adk.psf",
                                    "psf/ala_ala_ala.xpsf",
                                    "psf/ala3_solv.psf",
                                    "amber/tz2.parm7",
                                    "amber/molstar_protein.parm7",
                                    "amber/cpptraj_traj.prmtop"};

static DebyeFrame *
tear(gsize n_atoms)
{
  DebyeFrame *frame = debye_frame_new(n_atoms);
  for (gsize i = 0; i < n_atoms; i++)
    debye_frame_set_position(frame, i, debye_vec3(10.0 * (double)(i % 300), 10.0 * (double)(i / 300), 0.0));
  return frame;
}

static gboolean
is_of_hydrogens(DebyeTopology *topology, DebyeBond bond)
{
  const guint8 *elements = debye_topology_get_elements(topology);
  return elements[bond.i] == 1 && elements[bond.j] == 1; /* a rigid water's third side */
}

static void
check_file(gconstpointer data)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *path = debye_shared_build_path("data", data, NULL);
  g_autoptr(DebyeDataset) dataset = debye_dataset_open((const char *[]){path, NULL}, NULL, NULL, &error);
  g_assert_no_error(error);
  DebyeTopology *topology = debye_dataset_get_topology(dataset);
  g_autoptr(DebyeTopology) bare = debye_topology_with_bonds(topology, NULL, 0);
  g_autoptr(DebyeFrame) frame = tear(debye_topology_get_n_atoms(topology));
  g_autoptr(DebyeTopology) named = debye_topology_with_guessed_bonds(bare, frame);
  gsize n_known, n_named, k = 0;
  const DebyeBond *known = debye_topology_get_bonds(topology, &n_known);
  const DebyeBond *found = debye_topology_get_bonds(named, &n_named);
  for (gsize i = 0; i < n_known; i++) {
    if (is_of_hydrogens(topology, known[i]))
      continue;
    g_assert_cmpuint(k, <, n_named);
    if (found[k].i != known[i].i || found[k].j != known[i].j)
      g_error("%s: expected the bond %u-%u, found %u-%u", (const char *)data, known[i].i, known[i].j,
              found[k].i, found[k].j);
    k++;
  }
  g_assert_cmpuint(k, ==, n_named);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  if (debye_shared_get_folder() == NULL)
    return DEBYE_TEST_SKIPPED;
  for (gsize i = 0; i < G_N_ELEMENTS(files); i++) {
    g_autofree char *name = g_strdup_printf("/bond-sources/%s", files[i]);
    g_test_add_data_func(name, files[i], check_file);
  }
  return g_test_run();
}
