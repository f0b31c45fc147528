/* SPDX-License-Identifier: MIT */
/* The settings table of exported coordinates; used by coordinate_export.c, the command and the window. */
#include "coordinate_export_settings.h"

typedef DebyeCoordinateExportSettings Settings;

static const DebyeSetting settings[] = {
    DEBYE_SETTING_FRAMES_ENTRY(Settings,
                               "frames to write, 0-based, the last included, negative from the end"),
    DEBYE_SETTING_SELECT_ENTRY(Settings, "atoms to write, chosen in the first written frame"),
    DEBYE_SETTING_ELEMENT_ENTRY,
    DEBYE_SETTING_DATASET_ENTRIES,
    {.key = "wrap",
     DEBYE_SETTING_MEMBER(Settings, wrap),
     .label = "Wrap",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "false",
     .help = "whole molecules into the cell"},
    {.key = "unwrap",
     DEBYE_SETTING_MEMBER(Settings, unwrap),
     .label = "Unwrap",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "false",
     .help = "molecules followed through the cell from the first written frame on, through the frames a step "
             "leaves out too; not together with wrapping"},
    {.key = "whole",
     DEBYE_SETTING_MEMBER(Settings, whole),
     .label = "Whole",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "false",
     .help = "molecules that the cell cuts are made whole where their first atoms are; wrapping and "
             "unwrapping do it as well"},
    {.key = "translate",
     DEBYE_SETTING_OPTIONAL_MEMBER(Settings, translate),
     .label = "Translate",
     .unit = "Å",
     .kind = DEBYE_SETTING_VECTOR,
     .help = "x,y,z: moves what is written, after centring and before wrapping: a part of a system, or "
             "into a larger cell"},
    {.key = "precision",
     DEBYE_SETTING_MEMBER(Settings, precision),
     .label = "Precision",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 1.0,
     .maximum = 1e6,
     .help = "steps a nanometre that the coordinates of an XTC file are rounded to; unset: 1000"},
    {.key = "superpose",
     DEBYE_SETTING_SUPERPOSE_MEMBER(Settings),
     .label = "Superpose",
     .kind = DEBYE_SETTING_SELECTION,
     .help = "atoms to superpose on the reference in each frame; “solute”: polymers and what is bound to "
             "them"},
    DEBYE_SETTING_SUPERPOSE_WEIGHTS_ENTRY(Settings),
    DEBYE_SETTING_REFERENCE_ENTRY(Settings),
    {.key = "center",
     DEBYE_SETTING_MEMBER(Settings, center),
     .label = "Centre",
     .kind = DEBYE_SETTING_SELECTION,
     .help = "atoms whose centre goes to the middle of the cell, or to the origin without one"},
};

const DebyeSettingTable debye_coordinate_export_settings = {
    .id = "export",
    .title = "Export coordinates",
    .question = "Which frames and atoms go into which file?",
    .settings = settings,
    .n_settings = G_N_ELEMENTS(settings),
};
