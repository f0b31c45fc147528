/* SPDX-License-Identifier: MIT */
/* The settings table of orbitals. */
#include "orbital_settings.h"

static const DebyeSetting settings[] = {
    {.key = "orbital",
     DEBYE_SETTING_MEMBER(DebyeOrbitalChoices, orbitals),
     .label = "Orbitals",
     .kind = DEBYE_SETTING_TEXT,
     .repeated = TRUE,
     .help =
         "homo, lumo, homo-1, lumo+2 or an orbital's number in the file, from 0; default: homo, if nothing "
         "else is requested",
     .derived = TRUE,
     .basic = TRUE},
    {.key = "density",
     DEBYE_SETTING_MEMBER(DebyeOrbitalChoices, density),
     .label = "Electron density",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "false",
     .help = "electron density: the sum of all squared orbitals times their occupations",
     .basic = TRUE},
    {.key = "spin",
     DEBYE_SETTING_MEMBER(DebyeOrbitalChoices, spin),
     .label = "Spin density",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "false",
     .help = "density of electrons of spin up minus that of spin down",
     .basic = TRUE},
    {.key = "laplacian",
     DEBYE_SETTING_MEMBER(DebyeOrbitalChoices, laplacian),
     .label = "Laplacian",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "false",
     .help =
         "the Laplacian of the electron density, from derivatives of the orbitals themselves: negative where "
         "charge is concentrated"},
    {.key = "potential",
     DEBYE_SETTING_MEMBER(DebyeOrbitalChoices, potential),
     .label = "Electrostatic potential",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "false",
     .help =
         "potential of nuclei and electrons, by exact integrals on all cores; takes longer than the others",
     .basic = TRUE},
    {.key = "at",
     DEBYE_SETTING_MEMBER(DebyeOrbitalChoices, points),
     .label = "At points",
     .kind = DEBYE_SETTING_TEXT,
     .help = "file with rows x y z in Å: values at these points, in double precision, instead of maps"},
    DEBYE_SETTING_SPACING_ENTRY(DebyeOrbitalChoices,
                                "distance between grid points; default: as fine as two million points allow, "
                                "with the electrostatic potential two hundred thousand, but not below 0.1 Å",
                                NULL, TRUE),
    DEBYE_SETTING_PADDING_ENTRY(DebyeOrbitalChoices, "distance from the nuclei to the edge of the grid", "4",
                                FALSE, FALSE),
    DEBYE_SETTING_ORIGIN_ENTRY(DebyeOrbitalChoices),
    DEBYE_SETTING_SHAPE_ENTRY(DebyeOrbitalChoices),
    DEBYE_SETTING_JOB_ENTRIES(DebyeOrbitalChoices),
    DEBYE_SETTING_LANES_ENTRIES(DebyeOrbitalChoices),
};

const DebyeSettingTable debye_orbital_settings = {
    .id = "orbital",
    .title = "Orbitals",
    .question = "Where are the electrons of a molecule?",
    .settings = settings,
    .n_settings = G_N_ELEMENTS(settings),
};
