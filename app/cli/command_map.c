/* SPDX-License-Identifier: MIT */
/* debye-cli map, density and ligands: the electrostatic potential on a grid, where atoms are, and where a ligand would be; listed by
 * command_list.c. */
#include <string.h>

#include "app/analysis/density/density_settings.h"
#include "app/analysis/ligands/ligands_settings.h"
#include "app/analysis/map/map_given.h"
#include "app/analysis/map/map_settings.h"
#include "app/analysis/map/map_solvent.h"
#include "cli_analysis.h"
#include "arguments.h"
#include "plot_output.h"
#include "result_report.h"
#include "app/analysis/analysis_list.h"

static gboolean
is_same_path(const char *one, const char *other)
{
  g_autofree char *a = g_canonicalize_filename(one, NULL), *b = g_canonicalize_filename(other, NULL);
  return strcmp(a, b) == 0;
}

/* A file that is written beside the map must be none of the others. */
static gboolean
check_side_file(DebyeArguments *arguments, const char *key, const char *path, const char *others,
                GError **error)
{
  g_auto(GStrv) read = debye_setting_split_values(others != NULL ? others : "");
  const char *const *const lists[] = {debye_arguments_get_list(arguments, "output"),
                                      debye_arguments_get_files(arguments), (const char *const *)read};
  for (gsize i = 0; i < G_N_ELEMENTS(lists); i++)
    for (const char *const *other = lists[i]; *other != NULL; other++)
      if (is_same_path(path, *other)) {
        g_set_error(error, DEBYE_USAGE_ERROR, 0,
                    "map: --%s: expected another file than those that are read and written, found “%s”", key,
                    path);
        return FALSE;
      }
  return TRUE;
}

static gboolean
check_side_files(DebyeArguments *arguments, const DebyeMapSettings *settings, GError **error)
{
  static const char *const maps[] = {"dielectric-map", "ion-map", "charge-map"};
  DebyeRequest *request = debye_arguments_get_request(arguments);
  const char *table = settings->residues, *name = settings->write_maps;
  g_autoptr(GString) others = g_string_new(NULL);
  g_auto(GStrv) written = name != NULL && *name != '\0' ? debye_map_written_list(name) : NULL;
  for (gsize i = 0; i < G_N_ELEMENTS(maps); i++)
    if (debye_request_get(request, maps[i]) != NULL)
      g_string_append_printf(others, "%s\n", debye_request_get(request, maps[i]));
  for (char **path = written; path != NULL && *path != NULL; path++)
    if (!check_side_file(arguments, "write-maps", *path, others->str, error))
      return FALSE;
  return table == NULL || *table == '\0' || check_side_file(arguments, "residues", table, others->str, error);
}

/* What would change nothing without the Poisson-Boltzmann equation, and looks as if it did. */
static gboolean
check_needs(DebyeArguments *arguments, const DebyeMapSettings *settings, GError **error)
{
  static const char *const keys[] = {"energies",   "grid-error", "nonpolar", "boundary",       "as-apbs",
                                     "reaction",   "binding",    "residues", "dielectric-map", "ion-map",
                                     "charge-map", "write-maps", "membrane", "voltage"};
  DebyeRequest *request = debye_arguments_get_request(arguments);
  if (debye_map_is_poisson(settings))
    return TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS(keys); i++)
    if (debye_request_is_set(request, keys[i])) {
      g_set_error(error, DEBYE_USAGE_ERROR, 0, "map: --%s needs --method pb", keys[i]);
      return FALSE;
    }
  return TRUE;
}

static gboolean
run_map(DebyeArguments *arguments, GError **error)
{
  DebyeMapSettings settings;
  debye_request_fill(debye_arguments_get_request(arguments), &settings);
  if (!check_needs(arguments, &settings, error) || !check_side_files(arguments, &settings, error))
    return FALSE;
  return debye_cli_run_analysis(arguments, &debye_analysis_map, debye_map_endings,
                                ".h5, .dx, .cube, .ccp4 or .csv", error);
}

static const char *const map_examples[] = {
    "debye-cli map --spacing 0.5 -o potential.dx protein.pqr",
    "debye-cli map --select protein --frames 100:-1:10 --statistic mean --unit V -o mean.h5 system.psf "
    "run.xtc",
    "debye-cli map --origin -20,-20,-20 --shape 81,81,81 --spacing 0.5 --json system.psf run.dcd",
    NULL,
};

const DebyeCommand debye_command_map = {
    .name = "map",
    .operands = "FILE...",
    .summary = "Computes the electrostatic potential on a grid",
    .description = "V(r) = Σ q/|r − r_i| over the chosen atoms, and their images along --periodic, divided "
                   "by the relative permittivity. The grid surrounds the chosen atoms of the first frame, or "
                   "is set by --origin and --shape, and is the same for all frames; over several frames each "
                   "point stores the chosen statistic. Charges come from the files (such as PQR, PSF, "
                   "prmtop, TPR, MOL2), or from the table that --charges names.\n\nWrites .h5 (everything, "
                   "with how it was made: see rerun), .dx, .cube, .ccp4 and .csv (x, y, z, potential).",
    .examples = map_examples,
    .table = &debye_map_settings,
    .least_operands = 1,
    .max_operands = G_MAXUINT,
    .can_share = TRUE,
    .run = run_map,
};

/* Profiles are curves. */
static gboolean
run_density(DebyeArguments *arguments, GError **error)
{
  DebyeDensityOptions options;
  debye_request_fill(debye_arguments_get_request(arguments), &options);
  const gboolean is_profile = options.profile != DEBYE_PROFILE_NONE;
  return debye_cli_run_analysis(
      arguments, &debye_analysis_density, is_profile ? debye_curve_endings : debye_map_endings,
      is_profile ? ".h5, .csv, .svg, .pdf or .png" : ".h5, .dx, .cube, .ccp4 or .csv", error);
}

static const char *const density_examples[] = {
    "debye-cli density --select 'name OW' --about protein --spacing 0.5 -o water.dx system.psf run.xtc",
    "debye-cli density --select 'name OW' --about water --copies --padding 5 -o neighbours.h5 water.psf "
    "run.xtc",
    "debye-cli density --weight mass --profile z --bins 100 --center 'resname POPC' -o membrane.csv "
    "system.psf run.xtc",
    NULL,
};

const DebyeCommand debye_command_density = {
    .name = "density",
    .operands = "FILE...",
    .summary = "Computes density maps, spatial distributions and profiles",
    .description =
        "Adds up the chosen atoms in the voxels of a grid, over all frames: numbers, masses, charges, "
        "electrons, dipoles, or "
        "the share of frames in which a voxel holds an atom. A reference that moves is superposed in each "
        "frame; with "
        "--copies all its residues are laid on each other. Points of the grid are the centres of voxels. "
        "Blocks of "
        "successive frames give the standard error.\n\n"
        "Writes maps to .h5 (everything, with how it was made: see rerun), .dx, .cube, .ccp4 and .csv, and "
        "profiles to .h5, .csv (position, value, error), .svg, .pdf and .png.",
    .examples = density_examples,
    .table = &debye_density_settings,
    .plot = &debye_plot_settings,
    .least_operands = 1,
    .max_operands = G_MAXUINT,
    .can_share = TRUE,
    .run = run_density,
};

static gboolean
run_ligands(DebyeArguments *arguments, GError **error)
{
  return debye_cli_run_analysis(arguments, &debye_analysis_ligands, debye_map_endings,
                                ".h5, .dx, .cube, .ccp4 or .csv", error);
}

static const char *const ligand_examples[] = {
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
    .summary = "Maps the free energy of a gas or small ligand",
    .description =
        "Puts a small rigid ligand into each voxel of a grid, at several points and in several "
        "orientations, and "
        "averages exp(-E/kT) over them and over all frames (implicit ligand sampling). The map is the free "
        "energy of moving "
        "the ligand there from "
        "vacuum. The files must have been simulated without the ligand. Blocks of successive "
        "frames give the standard "
        "error.\n\n"
        "Writes .h5 (everything, with how it was made: see rerun), .dx, .cube, .ccp4 and .csv. With "
        "--cavities also "
        "tables of the cavities with their barriers to bulk (which .csv has then) and of the paths, and "
        "maps to draw these.",
    .examples = ligand_examples,
    .table = &debye_ligands_settings,
    .least_operands = 1,
    .max_operands = G_MAXUINT,
    .can_share = TRUE,
    .run = run_ligands,
};
