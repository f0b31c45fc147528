/* SPDX-License-Identifier: MIT */
/* Selections on real files. The numbers of atoms and the sums of their indices were made
 * with MDAnalysis 2.11.0 (select_atoms of the text beside them, on the same files and frame). */
#include "data/selection/selection.h"
#include "shared_system.h"
#include "tests/support/shared.h"

typedef struct {
  const char *text;       /* ours */
  const char *their_text; /* MDAnalysis', where it is spelled in another way; else NULL */
  guint count;
  guint64 index_sum;
} Case;

static void
check_cases(const SharedSystem *system, const Case *cases, gsize n_cases)
{
  for (gsize k = 0; k < n_cases; k++) {
    g_autoptr(GError) error = NULL;
    g_autoptr(DebyeSelection) selection = debye_selection_parse(cases[k].text, NULL, &error);
    g_assert_no_error(error);
    g_autoptr(GArray) atoms = debye_selection_evaluate(selection, system->topology, system->frame, &error);
    g_assert_no_error(error);
    guint64 sum = 0;
    for (guint i = 0; i < atoms->len; i++)
      sum += g_array_index(atoms, guint32, i);
    if (atoms->len != cases[k].count || sum != cases[k].index_sum)
      g_error("%s (MDAnalysis: %s): expected %u atoms (indices add up to %" G_GUINT64_FORMAT
              "), found %u (%" G_GUINT64_FORMAT ")",
              cases[k].text, cases[k].their_text ? cases[k].their_text : cases[k].text, cases[k].count,
              cases[k].index_sum, atoms->len, sum);
  }
}

static void
test_peptide(void)
{
  static const Case cases[] = {
      {"protein", NULL, 22, 231},
      {"backbone", NULL, 7, 68},
      {"resname SOL", NULL, 1851, 1752897},
      {"water", "resname SOL", 1851, 1752897},
      {"resname NA CL", NULL, 24, 45228},
      {"ion", "resname NA CL", 24, 45228},
      {"name HW1", NULL, 617, 584299},
      {"around 5 protein", NULL, 162, 119986},
      {"exwithin 5 of protein", "around 5 protein", 162, 119986},
      {"around 3.5 resname NA", NULL, 219, 201198},
      {"byres (around 4 protein)", NULL, 124, 94396},
      {"same residue as (exwithin 4 of protein)", "byres (around 4 protein)", 124, 94396},
      {"resname SOL and around 6 (resname CL)", NULL, 889, 843829},
      {"around 12 resname ALA", NULL, 1041, 945209},
      {"around 20 (index 0)", NULL, 1872, 1774017},
      {"point 10 10 10 8", NULL, 210, 140362},
      {"charge > 0.4", "prop charge > 0.4", 1248, 1191775},
      {"prop mass > 20", NULL, 24, 45228},
      {"bonded (resname ALA)", NULL, 12, 125},
      {"same residue as around 3 resname CL", NULL, 228, 210414},
      {"same fragment as (around 2 index 30)", NULL, 6, 4953},
      {"resid 1:3", NULL, 22, 231},
      {"prop x < 5 and prop y > 10", NULL, 216, 191256},
      {"prop abs z <= 3", NULL, 239, 234918},
      {"not (resname SOL or protein)", NULL, 24, 45228},
      {"type CT", NULL, 4, 36},
      {"name H*", NULL, 1246, 1169350},
  };
  g_auto(SharedSystem) system = {0};
  shared_system_open(&system, "reference/pep/pep.psf", "reference/pep/pep.gro", 0);
  check_cases(&system, cases, G_N_ELEMENTS(cases));
}

static void
test_adenylate_kinase(void)
{
  static const Case cases[] = {
      {"protein", NULL, 3341, 5579470},
      {"backbone", NULL, 855, 1413685},
      {"name CA", NULL, 214, 353084},
      {"resname ALA GLY", NULL, 331, 497316},
      {"resid 5:10", NULL, 76, 9006},
      {"resid 1 3 7-9", NULL, 69, 5313},
      {"bynum 5:20", NULL, 16, 184},
      {"name C* and not name CA", NULL, 826, 1390639},
      {"around 4 resid 50", NULL, 51, 37315},
      {"resname LYS ARG and name N*", NULL, 88, 155662},
      {"segid 4AKE and resid 100:120", NULL, 337, 566497},
      {"charge > 0.5", "prop charge > 0.5", 273, 457167},
      {"prop charge <= -0.67", NULL, 114, 211681},
      {"point 0 0 0 10", NULL, 326, 199664},
      {"around 3.0 name CA", NULL, 2184, 3633432},
      {"same resname as resid 7", NULL, 141, 200971},
      {"bonded name CA", NULL, 856, 1414990},
      {"same residue as (prop x > 15)", NULL, 487, 877568},
      {"mass 12 to 12.011", "prop mass <= 12.011 and prop mass >= 12", 1040, 1743723},
      {"type 20 22", NULL, 470, 781808},
  };
  g_auto(SharedSystem) system = {0};
  shared_system_open(&system, "data/psf/adk.psf", "data/dcd/adk_dims_first30.dcd", 29);
  check_cases(&system, cases, G_N_ELEMENTS(cases));
}

static void
test_crystal_structure(void)
{
  static const Case cases[] = {
      {"protein", NULL, 1605, 1287210},
      {"backbone", NULL, 823, 661983},
      {"name CA", NULL, 211, 169081},
      {"resname ALA GLY", NULL, 134, 105874},
      {"resid 5:10", NULL, 141, 94485},
      {"resid 1 3 7-9", NULL, 101, 63854},
      {"bynum 5:20", NULL, 16, 184},
      {"name C* and not name CA", NULL, 876, 736033},
      {"water", "resname HOH", 188, 335110},
      {"around 4 resname HOH", NULL, 732, 597378},
      {"chainid A and name N CA", NULL, 203, 79958},
      {"chain B", "segid B", 917, 1162397},
      {"around 6 (chainID A and resid 25)", NULL, 104, 76644},
      {"element S", NULL, 15, 16833},
      {"beta > 30", "prop tempfactor > 30", 279, 442493},
      {"prop occupancy < 1", NULL, 68, 44830},
      {"element C N", NULL, 1359, 1125122},
      {"resid 20-30 and name O", NULL, 22, 12882},
      {"same residue as around 3.5 resname HOH", NULL, 1154, 993944},
      {"not protein", NULL, 272, 473416},
  };
  g_auto(SharedSystem) system = {0};
  shared_system_open(&system, "data/pdb/4E43.pdb", NULL, 0);
  shared_system_count_all(&system);
  check_cases(&system, cases, G_N_ELEMENTS(cases));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  if (!debye_shared_get_folder())
    return DEBYE_TEST_SKIPPED;
  g_test_add_func("/selection-shared/peptide", test_peptide);
  g_test_add_func("/selection-shared/adenylate-kinase", test_adenylate_kinase);
  g_test_add_func("/selection-shared/crystal-structure", test_crystal_structure);
  return g_test_run();
}
