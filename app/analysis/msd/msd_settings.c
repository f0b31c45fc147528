/* SPDX-License-Identifier: MIT */
/* The settings table of mean square displacements: form, options, attributes and "Copy as command" come from
 * here. */
#include "msd_settings.h"

#include "app/analysis/driver/common_settings.h"

static const DebyeChoice centres[] = {
    {"atoms", "Atoms", "each chosen atom, all with the same weight"},
    {"residues", "Residues", "the centre of mass of the chosen atoms of each residue"},
    {"molecules", "Molecules", "the centre of mass of the chosen atoms of each molecule"},
    {NULL, NULL, NULL},
};

static const DebyeSetting settings[] = {
    DEBYE_SETTING_SELECT_ENTRY(DebyeMsdSettings, "atoms to follow, selected in the first frame"),
    {.key = "centres",
     DEBYE_SETTING_MEMBER(DebyeMsdSettings, centres),
     .label = "Centres",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "atoms",
     .choices = centres,
     .help = "units whose motion is followed",
     .basic = TRUE},
    DEBYE_SETTING_DATASET_ENTRIES,
    DEBYE_SETTING_ELEMENT_ENTRY,
    DEBYE_SETTING_FRAMES_ENTRY(DebyeMsdSettings,
                               "frames to use, 0-based, last included; negative numbers count from the end"),
    {.key = "lags",
     DEBYE_SETTING_MEMBER(DebyeMsdSettings, lags),
     .label = "Longest time",
     .symbol = "τ",
     .unit = "ps",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 0.0,
     .maximum = 1e12,
     .help = "largest time of displacements; default: the length of the trajectory",
     .derived = TRUE},
    {.key = "fit",
     DEBYE_SETTING_MEMBER(DebyeMsdSettings, fit),
     .label = "Fit range",
     .unit = "ps",
     .kind = DEBYE_SETTING_TEXT,
     .help =
         "times t0:t1 of the straight line that gives D; default: from a tenth to half of the longest time",
     .derived = TRUE,
     .basic = TRUE},
    DEBYE_SETTING_BLOCKS_ENTRY(DebyeMsdSettings,
                               "number of groups of centres for standard errors, or for a single centre of "
                               "blocks of successive frames; 0: none",
                               "10", NULL),
    {.key = "viscosity",
     DEBYE_SETTING_MEMBER(DebyeMsdSettings, viscosity),
     .label = "Viscosity",
     .symbol = "η",
     .unit = "mPa·s",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 1e-6,
     .maximum = 1e12,
     .help = "viscosity that corrects D for the size of a cubic cell (Yeh & Hummer 2004); default: none",
     .basic = TRUE},
    DEBYE_SETTING_TEMPERATURE_ENTRY(DebyeMsdSettings, "temperature of the correction for the cell's size",
                                    NULL),
    {.key = "unwrap",
     DEBYE_SETTING_MEMBER(DebyeMsdSettings, unwrap),
     .label = "Follow across the cell",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "true",
     .help = "from each frame to the next an atom moves to its nearest image; no: positions as in the files"},
    DEBYE_SETTING_LANES_ENTRIES(DebyeMsdSettings),
    DEBYE_SETTING_JOB_ENTRIES(DebyeMsdSettings),
};

const DebyeSettingTable debye_msd_settings = {
    .id = "msd",
    .title = "Mean square displacement",
    .question = "How far do atoms or molecules move, and how fast do they diffuse?",
    .settings = settings,
    .n_settings = G_N_ELEMENTS(settings),
};
