/* SPDX-License-Identifier: MIT */
/* The settings table of the placement of ions. Rows of the map before the first ion have the names that they have in the
 * map's own table, and fill the same settings: those begin the ions'. */
#include "ions_settings.h"

#include "app/analysis/driver/common_settings.h"
#include "ion_kinds.h"

static const DebyeChoice methods[] = {
    {"direct", "Direct sum", "every atom at every point: exact, open boundary or nearest image"},
    {"multilevel", "Multilevel summation", "the whole 1/r in a time that grows with the system's size only"},
    {"ewald", "Particle mesh Ewald", "a periodic system, all its images"},
    {NULL, NULL, NULL},
};

static const DebyeChoice periodicities[] = {
    {"none", "Open", "the atoms as they are, no images"},
    {"xy", "a, b", "images along the cell's first and second vectors, as for a membrane"},
    {"xyz", "a, b, c", "images in all directions"},
    {NULL, NULL, NULL},
};

static const DebyeChoice namings[] = {
    {"amber", "AMBER", "Na+, K+, Cl-, MG …"},
    {"charmm", "CHARMM", "SOD, POT, CLA, MG …"},
    {NULL, NULL, NULL},
};

static const DebyeSetting settings[] = {
    {.key = "cation",
     DEBYE_SETTING_MEMBER(DebyeIonsSettings, cation),
     .label = "Cation",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "NA",
     .choices = debye_cation_choices,
     .help = "which positive ion",
     .basic = TRUE},
    {.key = "anion",
     DEBYE_SETTING_MEMBER(DebyeIonsSettings, anion),
     .label = "Anion",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "CL",
     .choices = debye_anion_choices,
     .help = "which negative ion",
     .basic = TRUE},
    {.key = "count",
     DEBYE_SETTING_MEMBER(DebyeIonsSettings, count),
     .label = "Number of ions",
     .kind = DEBYE_SETTING_TEXT,
     .help = "how many cations and anions: 12,8; unset: by concentration, or as many as neutralise",
     .basic = TRUE},
    {.key = "concentration",
     DEBYE_SETTING_MEMBER(DebyeIonsSettings, concentration),
     .label = "Concentration",
     .symbol = "c",
     .unit = "mol/L",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 1e-6,
     .maximum = 20.0,
     .help = "of the salt, in the volume that is open to ions: the grid points that are far enough from the "
             "chosen atoms, each with its share of the volume",
     .basic = TRUE},
    {.key = "neutralise",
     DEBYE_SETTING_OPTIONAL_MEMBER(DebyeIonsSettings, neutralise),
     .label = "Neutralise",
     .kind = DEBYE_SETTING_BOOLEAN,
     .help = "as many more ions as bring the net charge of the chosen atoms and the ions to zero; unset: yes "
             "where neither a number nor a concentration is given",
     .basic = TRUE},
    {.key = "distance",
     DEBYE_SETTING_MEMBER(DebyeIonsSettings, distance),
     .label = "Distance to atoms",
     .symbol = "d",
     .unit = "Å",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 0.0,
     .maximum = 1000.0,
     .initial = "5",
     .help = "the least distance of an ion to the chosen atoms",
     .basic = TRUE},
    {.key = "ion-distance",
     DEBYE_SETTING_MEMBER(DebyeIonsSettings, ion_distance),
     .label = "Distance between ions",
     .unit = "Å",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 0.0,
     .maximum = 1000.0,
     .initial = "10",
     .help = "the least distance between two ions; as nothing screens their charges, opposite ones come "
             "about as near to each other as this"},
    {.key = "select",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, select),
     .label = "Atoms",
     .kind = DEBYE_SETTING_SELECTION,
     .initial = "not (water or ion)",
     .help = "atoms whose charges count and from which ions keep their distance; water and ions that are "
             "there already are left out, for they would cover everything",
     .basic = TRUE},
    DEBYE_SETTING_CHARGES_ENTRY(DebyeMapSettings),
    DEBYE_SETTING_ELEMENT_ENTRY,
    DEBYE_SETTING_DATASET_ENTRIES,
    {.key = "names",
     DEBYE_SETTING_MEMBER(DebyeIonsSettings, names),
     .label = "Names",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "amber",
     .choices = namings,
     .help = "residue and atom names in structure files: whose force field's"},
    {.key = "frame",
     DEBYE_SETTING_MEMBER(DebyeIonsSettings, frame),
     .label = "Frame",
     .kind = DEBYE_SETTING_INTEGER,
     .minimum = -1e9,
     .maximum = 1e9,
     .initial = "0",
     .help = "the frame to take, 0-based, negative from the end"},
    {.key = "method",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, method),
     .label = "Method",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "direct",
     .choices = methods,
     .choice_numbers =
         (const int[]){DEBYE_POTENTIAL_DIRECT, DEBYE_POTENTIAL_MULTILEVEL, DEBYE_POTENTIAL_EWALD},
     .help = "how the potential of the atoms is summed"},
    {.key = "periodic",
     DEBYE_SETTING_OPTIONAL_MEMBER(DebyeMapSettings, periodic),
     .label = "Periodic along",
     .kind = DEBYE_SETTING_CHOICE,
     .choices = periodicities,
     .choice_numbers = (const int[]){DEBYE_MAP_PERIODIC_NONE, DEBYE_MAP_PERIODIC_XY, DEBYE_MAP_PERIODIC_XYZ},
     .help = "which vectors of the cell repeat atoms and ions; unset: none, for Ewald all"},
    DEBYE_SETTING_SPACING_ENTRY(
        DebyeMapSettings,
        "distance between grid points, on which ions are put; unset: so fine that there are at most two "
        "million points and 20,000 million pairs of a point and an atom",
        FALSE),
    DEBYE_SETTING_PADDING_ENTRY(
        DebyeMapSettings,
        "how far the grid reaches beyond the chosen atoms; where all directions are periodic and it is "
        "unset, the grid is the cell",
        "10", FALSE),
    DEBYE_SETTING_ORIGIN_ENTRY(DebyeMapSettings),
    DEBYE_SETTING_SHAPE_ENTRY(DebyeMapSettings),
    DEBYE_SETTING_UNIT_ENTRY(DebyeMapSettings, "unit of the potential", FALSE),
    DEBYE_SETTING_TEMPERATURE_ENTRY(DebyeMapSettings, "temperature of the unit kT/e",
                                    DEBYE_SETTING_NEEDS("unit", "kT/e")),
    DEBYE_SETTING_PERMITTIVITY_ENTRY(DebyeMapSettings,
                                     "divides the potential; 1 is vacuum. It doesn't change where ions go"),
    DEBYE_SETTING_CORE_RADIUS_ENTRY(
        DebyeMapSettings,
        "a grid point nearer to an atom or an ion than this takes the value at this distance"),
    DEBYE_SETTING_JOB_ENTRIES(DebyeMapSettings),
    DEBYE_SETTING_LANES_ENTRIES(DebyeMapSettings),
};

const DebyeSettingTable debye_ions_settings = {
    .id = "ions",
    .title = "Ions",
    .question = "Where would ions sit around the molecule?",
    .settings = settings,
    .n_settings = G_N_ELEMENTS(settings),
};
