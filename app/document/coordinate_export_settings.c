/* SPDX-License-Identifier: MIT */
/* The settings table of exported coordinates; used by coordinate_export.c, the command and the window. */
#include "coordinate_export_settings.h"

typedef DebyeCoordinateExportSettings Settings;

static const DebyeSetting settings[] = {
    DEBYE_SETTING_FRAMES_ENTRY(
        Settings, "frames to write, 0-based, last included; negative numbers count from the end"),
    DEBYE_SETTING_SELECT_ENTRY(Settings, "atoms to write, chosen in the first written frame"),
    DEBYE_SETTING_ELEMENT_ENTRY,
    DEBYE_SETTING_DATASET_ENTRIES,
    {.key = "wrap",
     DEBYE_SETTING_OPTIONAL_MEMBER(Settings, wrap),
     .label = "Wrap",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "false",
     .help = "wrap whole molecules into the cell"},
    {.key = "unwrap",
     DEBYE_SETTING_OPTIONAL_MEMBER(Settings, unwrap),
     .label = "Unwrap",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "false",
     .help = "follow molecules through the cell from the first written frame on, including frames that a "
             "step skips; not together with wrapping"},
    {.key = "whole",
     DEBYE_SETTING_MEMBER(Settings, whole),
     .label = "Whole",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "false",
     .help = "make molecules that the cell cuts whole where their first atoms are; wrapping and unwrapping "
             "do this as well"},
    {.key = "translate",
     DEBYE_SETTING_OPTIONAL_MEMBER(Settings, translate),
     .label = "Translate",
     .unit = "Å",
     .kind = DEBYE_SETTING_VECTOR,
     .help = "x,y,z: translation after centring and before wrapping, to move a part of a system or place it "
             "in a larger cell"},
    {.key = "precision",
     DEBYE_SETTING_MEMBER(Settings, precision),
     .label = "Precision",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 1.0,
     .maximum = 1e6,
     .help = "precision of the coordinates of an XTC file, in steps per nanometre; default: 1000",
     .derived = TRUE,
     .constant = "1000"},
    {.key = "superpose",
     DEBYE_SETTING_SUPERPOSE_MEMBER(Settings),
     .label = "Superpose",
     .kind = DEBYE_SETTING_SELECTION,
     .help =
         "atoms to superpose on the reference in each frame; “solute”: polymers and what is bound to them"},
    DEBYE_SETTING_SUPERPOSE_WEIGHTS_ENTRY(Settings),
    DEBYE_SETTING_REFERENCE_ENTRY(Settings),
    {.key = "center",
     DEBYE_SETTING_MEMBER(Settings, center),
     .label = "Centre",
     .kind = DEBYE_SETTING_SELECTION,
     .help = "atoms whose centre moves to the middle of the cell, or to the origin without a cell"},
};

const DebyeSettingTable debye_coordinate_export_settings = {
    .id = "export",
    .title = "Export coordinates",
    .question = "Which frames and atoms go into which file?",
    .settings = settings,
    .n_settings = G_N_ELEMENTS(settings),
};
