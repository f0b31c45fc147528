/* SPDX-License-Identifier: MIT */
/* The settings of computations with existing maps; used by the window's map menu and debye-cli field. */
#include "field_settings.h"

#define MAX_LINE_POINTS 100000

static const DebyeChoice axes[] = {
    {"none", "None", "the map itself"},
    {"x", "x", "averaged over the planes across the map's first step"},
    {"y", "y", "averaged over the planes across the map's second step"},
    {"z", "z", "averaged over the planes across the map's third step, as for a membrane"},
    {NULL, NULL, NULL},
};

static const DebyeSetting settings[] = {
    {.key = "subtract",
     DEBYE_SETTING_MEMBER(DebyeFieldSettings, subtract),
     .label = "Subtract",
     .kind = DEBYE_SETTING_TEXT,
     .help = "second map on the same points, subtracted from the first"},
    {.key = "profile",
     DEBYE_SETTING_MEMBER(DebyeFieldSettings, profile),
     .label = "Profile",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "none",
     .choices = axes,
     .help = "mean over planes, as a curve"},
    {.key = "line-from",
     DEBYE_SETTING_OPTIONAL_MEMBER(DebyeFieldSettings, line_from),
     .label = "Line from",
     .unit = "Å",
     .kind = DEBYE_SETTING_VECTOR,
     .help = "first point of a line along which values are read, as a curve"},
    {.key = "line-to",
     DEBYE_SETTING_OPTIONAL_MEMBER(DebyeFieldSettings, line_to),
     .label = "Line to",
     .unit = "Å",
     .kind = DEBYE_SETTING_VECTOR,
     .help = "last point of the line"},
    {.key = "points",
     DEBYE_SETTING_MEMBER(DebyeFieldSettings, points),
     .label = "Points of the line",
     .kind = DEBYE_SETTING_INTEGER,
     .minimum = 2,
     .maximum = MAX_LINE_POINTS,
     .initial = "201",
     .help = "number of points on the line, ends included"},
};

const DebyeSettingTable debye_field_table = {
    .id = "field",
    .title = "Map",
    .question = "What does a map contain?",
    .settings = settings,
    .n_settings = G_N_ELEMENTS(settings),
};
