/* SPDX-License-Identifier: MIT */
/* Whole proteins: sheets, bulges and all, against what another program that follows Kabsch and Sander says
 * (mdtraj 1.11, compute_dssp with all eight classes). It places the amide hydrogens itself, so those of the
 * files are left out here. */
#include "shared_system.h"
#include "structure_letters.h"
#include "tests/support/shared.h"

typedef struct {
  const char *first, *second;
  const char *letters;
} Protein;

static const Protein proteins[] = {
    {"data/pdb/4E43.pdb", NULL,
     " EE SSS  EEEEEETTEEEEEEE TT SS EESS   SS EEEEEEEETTEEEEEEEEEEEEEEETTEEEEEEEEES  SS EE HHHH"
     "GGGT EEE  EE SSS  EEEEEETTEEEEEEE TTBSS EE S   SS  EEEEEEETTEEEEEEEEEEEEEEETTEEEEEEEEES  S"
     "S EE HHHHTTTT EEE    EE "},
    {"data/gro/1aki_highprec.gro", NULL,
     " B  HHHHHHHHHHTT TTBTTB HHHHHHHHHHHHTTBTT EEE TTS EEETTTTEETTTT B S  TT   TT SBGGGGGSSSTHH"
     "HHHHHHHHHTTTTGGGG HHIIIIITTS GGGGGTT   "},
    {"data/cif/1crn.cif", NULL, " EE SSHHHHHHHHHHHTTT  HHHHHHHHS EE SSS   GGG  "},
    {"data/cif/4hhb.cif", NULL,
     "   HHHHHHHHHHHHHHTTTHHHHHHHHHHHHHHH GGGGGG TTS  STT HHHHHHHHHHHHHHHHHHHTGGGHHHHTHHHHHIIIII"
     "I   THHHHHHHHHHHHHHHHH TTT  HHHHHHHHHHHHHHHHHHTTT      HHHHHHHHHHHTT  HHHHHHHHHHHHHHHSGGGG"
     "GG GGG   SSHHHHHH HHHHHHHHHHHHHHHHHHTTGGGHHHHHHHHHHIIIIII   THHHHHHHHHHHHHHHHHHGGGS HHHHHH"
     "HHHHHHHHHHHHHTT     HHHHHHHHHHHHHHGGGHHHHHHHHHHHHHHH GGGGGG TTS  STT HHHHHHHHHHHHHHHHHHHTG"
     "GGHHHHTHHHHHHIIIII   THHHHHHHHHHHHHHHHH TTT  HHHHHHHHHHHHHHHHHHHTT      HHHHHHHHHHHTT  HHH"
     "HHHHHHHHHHHHSGGGGGG GGG    SHHHHHT HHHHHHHHHHHHHHHHHHT TT HHHHHHHHHHIIIIIS   THHHHHHHHHHHH"
     "HHHHHHGGGS HHHHHHHHHHHHHHHHHHHTT  "},
    {"data/psf/adk.psf", "data/dcd/adk_dims_first30.dcd",
     " EEEE S SSSSHHHHHHHHHHHH   EEEHHHHHHHHHHHT TTTTT HHHHHHT    HHHHHHHHHHHHTSHHHHS EEEES S SH"
     "HHHHHHHHTT   SEEEEEE  HHHHHHHHHTEEEETTT  EEETTTB  SSTTB SSS  BEE  TT SHHHHHHHHHHHHHHTTHHHH"
     "HHHHHHHTTSSEEEEEE SS HHHHHHHHHHHH "},
    {"data/pdb/nmr_neopetrosiamide.pdb", NULL, "   SSSSTTTTS TTS  EEEETTEEE "},
    {"data/pdb/5a7u.pdb", NULL, "    BTTTTB  S HHHHHHHHTTT  "},
};

static char *
assign(const SharedSystem *system)
{
  g_autoptr(DebyeBackbone) backbone = debye_backbone_new(system->topology);
  for (gsize i = 0; i < backbone->n_units; i++)
    backbone->units[i].h = DEBYE_NO_ATOM;
  g_autofree guint8 *structure = debye_secondary_structure_assign(backbone, system->topology, system->frame);
  GString *letters = g_string_new(NULL);
  for (gsize i = 0; i < backbone->n_units; i++)
    if (backbone->units[i].polymer == DEBYE_POLYMER_PROTEIN)
      g_string_append_c(letters, get_structure_letter(structure[i]));
  return g_string_free(letters, FALSE);
}

static void
test_protein(gconstpointer data)
{
  const Protein *protein = data;
  g_auto(SharedSystem) system = {0};
  shared_system_open(&system, protein->first, protein->second, 0);
  g_autofree char *letters = assign(&system);
  g_assert_cmpstr(letters, ==, protein->letters);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  if (!debye_shared_get_folder())
    return DEBYE_TEST_SKIPPED;
  for (gsize i = 0; i < G_N_ELEMENTS(proteins); i++) {
    g_autofree char *path = g_strdup_printf("/secondary-structure-shared/%s", proteins[i].first);
    g_test_add_data_func(path, &proteins[i], test_protein);
  }
  return g_test_run();
}
