/* SPDX-License-Identifier: MIT */
/* The settings table of the placement of ions. Rows of the map before the first ion have the names that they have in the
 * map's own table, and fill the same settings: those begin the ions'. */
#include "ions_settings.h"

#include "app/analysis/driver/common_settings.h"
#include "ion_kinds.h"

static const DebyeChoice methods[] = {
    {"direct", "Direct sum", "every atom at every point: exact, open boundary or nearest image"},
    {"multilevel", "Multilevel summation", "the full 1/r in a time proportional to the system's size"},
    {"ewald", "Particle mesh Ewald", "a periodic system with all its images"},
    {NULL, NULL, NULL},
};

static const DebyeChoice periodicities[] = {
    {"none", "Open", "the atoms alone, no images"},
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
     .help = "positive ion",
     .basic = TRUE},
    {.key = "anion",
     DEBYE_SETTING_MEMBER(DebyeIonsSettings, anion),
     .label = "Anion",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "CL",
     .choices = debye_anion_choices,
     .help = "negative ion",
     .basic = TRUE},
    {.key = "count",
     DEBYE_SETTING_MEMBER(DebyeIonsSettings, count),
     .label = "Number of ions",
     .kind = DEBYE_SETTING_TEXT,
     .help = "numbers of cations and anions: 12,8; default: by concentration, or as many as neutralise",
     .derived = TRUE,
     .basic = TRUE},
    {.key = "concentration",
     DEBYE_SETTING_MEMBER(DebyeIonsSettings, concentration),
     .label = "Concentration",
     .symbol = "c",
     .unit = "mol/L",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 1e-6,
     .maximum = 20.0,
     .help = "salt concentration in the volume open to ions: grid points far enough from the chosen atoms, "
             "each with its share of the volume",
     .basic = TRUE},
    {.key = "neutralise",
     DEBYE_SETTING_OPTIONAL_MEMBER(DebyeIonsSettings, neutralise),
     .label = "Neutralise",
     .kind = DEBYE_SETTING_BOOLEAN,
     .help =
         "add ions until the net charge of the chosen atoms and the ions is zero; default: yes if neither "
         "a number nor a concentration is given",
     .derived = TRUE,
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
     .help = "smallest distance between an ion and the chosen atoms",
     .basic = TRUE},
    {.key = "ion-distance",
     DEBYE_SETTING_MEMBER(DebyeIonsSettings, ion_distance),
     .label = "Distance between ions",
     .unit = "Å",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 0.0,
     .maximum = 1000.0,
     .initial = "10",
     .help = "smallest distance between two ions; nothing screens their charges, so opposite ions approach "
             "each other to about this distance"},
    {.key = "select",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, select),
     .label = "Atoms",
     .kind = DEBYE_SETTING_SELECTION,
     .initial = "not (water or ion)",
     .help = "atoms whose charges count and from which ions keep their distance; water and ions already "
             "present are left out, as they would cover everything",
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
     .help = "force field whose residue and atom names the structure files use"},
    {.key = "frame",
     DEBYE_SETTING_MEMBER(DebyeIonsSettings, frame),
     .label = "Frame",
     .kind = DEBYE_SETTING_INTEGER,
     .minimum = -1e9,
     .maximum = 1e9,
     .initial = "0",
     .help = "frame to use, 0-based; negative numbers count from the end"},
    {.key = "method",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, method),
     .label = "Method",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "direct",
     .choices = methods,
     .choice_numbers =
         (const int[]){DEBYE_POTENTIAL_DIRECT, DEBYE_POTENTIAL_MULTILEVEL, DEBYE_POTENTIAL_EWALD},
     .help = "summation method for the potential of the atoms"},
    {.key = "periodic",
     DEBYE_SETTING_OPTIONAL_MEMBER(DebyeMapSettings, periodic),
     .label = "Periodic along",
     .kind = DEBYE_SETTING_CHOICE,
     .choices = periodicities,
     .choice_numbers = (const int[]){DEBYE_MAP_PERIODIC_NONE, DEBYE_MAP_PERIODIC_XY, DEBYE_MAP_PERIODIC_XYZ},
     .help = "cell vectors along which atoms and ions repeat; default: none, for Ewald all"},
    DEBYE_SETTING_SPACING_ENTRY(DebyeMapSettings,
                                "distance between grid points, on which ions are placed; default: as fine as "
                                "two million points and 20,000 million pairs of a point and an atom allow",
                                NULL, FALSE),
    DEBYE_SETTING_PADDING_ENTRY(DebyeMapSettings,
                                "distance from the chosen atoms to the edge of the grid; if all directions "
                                "are periodic and it is unset, the grid is the cell",
                                "10", FALSE, FALSE),
    DEBYE_SETTING_ORIGIN_ENTRY(DebyeMapSettings),
    DEBYE_SETTING_SHAPE_ENTRY(DebyeMapSettings),
    DEBYE_SETTING_UNIT_ENTRY(DebyeMapSettings, "unit of the potential", FALSE),
    DEBYE_SETTING_TEMPERATURE_ENTRY(DebyeMapSettings, "temperature of the unit kT/e",
                                    DEBYE_SETTING_NEEDS("unit", "kT/e")),
    DEBYE_SETTING_PERMITTIVITY_ENTRY(
        DebyeMapSettings, "divisor of the potential; 1 is vacuum. It does not change where ions go"),
    DEBYE_SETTING_CORE_RADIUS_ENTRY(
        DebyeMapSettings,
        "smallest distance to an atom or ion: nearer grid points take the value at this distance"),
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
