/* SPDX-License-Identifier: MIT */
/* debye-cli orbital: maps of orbitals and densities of a wave function; listed by command_list.c. */
#include "app/analysis/analysis_list.h"
#include "app/analysis/orbital/orbital_settings.h"
#include "cli_analysis.h"
#include "command.h"
#include "result_report.h"

static gboolean
run(DebyeArguments *arguments, GError **error)
{
  return debye_cli_run_analysis(arguments, &debye_analysis_orbital, debye_map_endings,
                                ".h5, .dx, .cube, .ccp4 or .csv", error);
}

static const char *const examples[] = {
    "debye-cli orbital --orbital homo --orbital lumo -o frontier.h5 water.molden",
    "debye-cli orbital --density --spacing 0.1 -o density.cube benzene.fchk",
    "debye-cli orbital --density --potential -o potential.h5 water.molden",
    "debye-cli orbital --orbital homo --density --at points.txt -o values.csv water.molden",
    NULL,
};

const DebyeCommand debye_command_orbital = {
    .name = "orbital",
    .operands = "FILE",
    .summary = "Computes orbitals and electron densities of a wave function",
    .description =
        "Reads a Molden file or a formatted checkpoint of Gaussian and computes the chosen orbitals (in "
        "bohr^-3/2), the electron density, the spin density (in electrons/bohr³), the density's Laplacian "
        "(in electrons/bohr⁵) and the electrostatic potential of nuclei and electrons (in hartree/e) on a "
        "grid around the nuclei, or at the points of --at. Gaussians from s to i "
        "may be Cartesian or pure; the normalisation of the program that wrote the file is found from the "
        "norms of the orbitals and reported.\n\nWrites .h5 (all maps, the list of orbitals and how they were "
        "made: see rerun); the first map alone as .dx, .cube and .ccp4; as .csv the values of --at, else the "
        "list of orbitals with energies and occupations.",
    .examples = examples,
    .table = &debye_orbital_settings,
    .least_operands = 1,
    .max_operands = G_MAXUINT,
    .run = run,
};
