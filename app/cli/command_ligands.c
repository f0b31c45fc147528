/* SPDX-License-Identifier: MIT */
/* debye-cli ligands: free energy maps of a small ligand; listed by command_list.c. */
#include "app/analysis/analysis_list.h"
#include "app/analysis/ligands/ligands_settings.h"
#include "cli_analysis.h"
#include "command.h"
#include "result_report.h"

static gboolean
run(DebyeArguments *arguments, GError **error)
{
  return debye_cli_run_analysis(arguments, &debye_analysis_ligands, debye_map_endings,
                                ".h5, .dx, .cube, .ccp4 or .csv", error);
}

static const char *const examples[] = {
    "debye-cli ligands --force-field table -o xenon.dx system.psf run.xtc",
    "debye-cli ligands --ligand o2 --parameters par_all36_prot.prm --parameters toppar_water_ions.str -o "
    "oxygen.h5 "
    "system.psf run.xtc",
    "debye-cli ligands --ligand co2 --charges file -o co2.h5 system.prmtop run.nc",
    NULL,
};

const DebyeCommand debye_command_ligands = {
    .name = "ligands",
    .operands = "FILE...",
    .summary = "Computes where a gas or small ligand would be at home (implicit ligand sampling)",
    .description = "Puts a small rigid ligand into each voxel of a grid, at several points and in several "
                   "orientations, and "
                   "averages exp(-E/kT) over them and over all frames. The map is the free energy of moving "
                   "the ligand there from "
                   "vacuum. The files must have been simulated without the ligand. Blocks of successive "
                   "frames give the standard "
                   "error.\n\n"
                   "Writes .h5 (everything, with how it was made: see rerun), .dx, .cube, .ccp4 and .csv.",
    .examples = examples,
    .table = &debye_ligands_settings,
    .least_operands = 1,
    .max_operands = G_MAXUINT,
    .can_share = TRUE,
    .run = run,
};
