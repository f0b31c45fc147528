/* SPDX-License-Identifier: MIT */
/* The settings table of pair distributions: form, options, attributes and "Copy as command" come from here.
 */
#include "rdf_settings.h"

#include "app/analysis/driver/common_settings.h"

static const DebyeChoice image_choices[] = {
    {"all", "All in range", "every periodic image within reach: right beyond half the cell, too"},
    {"nearest", "Nearest",
     "each pair once, at its nearest image, as other programs do; falls off beyond half "
     "the cell"},
    {NULL, NULL, NULL},
};

static const DebyeChoice norms[] = {
    {"pairs", "Number of pairs", "by N₁·N₂ less the atoms that are in both: an ideal gas gives 1"},
    {"density", "Density N/V", "by N₁·N₂, as gmx rdf does: like atoms give (N − 1)/N"},
    {NULL, NULL, NULL},
};

static const DebyeChoice windows[] = {
    {"none", "None", "g(r) is cut off at the largest distance"},
    {"lorch", "Lorch", "g(r) − 1 is multiplied by sin(πr/R)/(πr/R): smoother, broader peaks"},
    {NULL, NULL, NULL},
};

static const DebyeChoice conventions[] = {
    {"faber-ziman", "Faber-Ziman", "A(q) = 1 + ρ∫4πr²(g − 1) sin(qr)/(qr) dr"},
    {"ashcroft-langreth", "Ashcroft-Langreth", "S(q) = δ + √(ρ_A·ρ_B)∫4πr²(g − 1) sin(qr)/(qr) dr"},
    {NULL, NULL, NULL},
};

static const DebyeSetting settings[] = {
    {.key = "pair",
     .label = "Pairs",
     .kind = DEBYE_SETTING_SELECTION_PAIR,
     .repeated = TRUE,
     .help = "the atoms around which, and the atoms that are counted",
     .basic = TRUE},
    {.key = "partials",
     .label = "All pairs of elements",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "false",
     .help = "a distribution for every pair of elements among the atoms",
     .basic = TRUE},
    DEBYE_SETTING_SELECT_ENTRY("atoms whose elements make the partials"),
    DEBYE_SETTING_ELEMENT_ENTRY,
    DEBYE_SETTING_FRAMES_ENTRY("frames to take, 0-based, the last included, negative from the end"),
    {.key = "max",
     .label = "Largest distance",
     .symbol = "R",
     .unit = "Å",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 0.1,
     .maximum = 10000.0,
     .help = "distances are counted up to here; unset: half the cell's least width, at most 15",
     .basic = TRUE},
    {.key = "width",
     .label = "Bin width",
     .symbol = "Δr",
     .unit = "Å",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 1e-8, /* with the largest number of bins */
     .maximum = 10000.0,
     .initial = "0.05",
     .help = "bins are [k·Δr, (k + 1)·Δr); the largest distance is made a multiple of it",
     .basic = TRUE},
    {.key = "bins",
     .label = "Number of bins",
     .kind = DEBYE_SETTING_INTEGER,
     .minimum = 1,
     .maximum = 1048576,
     .help = "instead of a bin width"},
    {.key = "exclude",
     .label = "Exclude",
     .kind = DEBYE_SETTING_TEXT,
     .initial = "none",
     .help = "pairs that don't count: none, residue (of the same one), molecule, or bonds:N (up to N bonds "
             "apart)"},
    {.key = "images",
     .label = "Periodic images",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "all",
     .choices = image_choices,
     .help = "which images of a pair count"},
    {.key = "self-images",
     .label = "Own images",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "false",
     .help = "count an atom and its own periodic images: for the shells of a crystal in a small cell"},
    {.key = "norm",
     .label = "Normalise by",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "pairs",
     .choices = norms,
     .help = "what g(r) is divided by"},
    {.key = "density",
     .label = "Density of the atoms",
     .symbol = "ρ",
     .unit = "Å⁻³",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 1e-12,
     .maximum = 10.0,
     .help = "of the counted atoms, for files without a cell; unset there: counts and P(r) only"},
    DEBYE_SETTING_BLOCKS_ENTRY("standard errors come from so many blocks of successive frames; 0: none", "10",
                               NULL),
    {.key = "structure-factor",
     .label = "Structure factor",
     .symbol = "q",
     .unit = "Å⁻¹",
     .kind = DEBYE_SETTING_TEXT,
     .help = "S(q) by the sine transform of g(r), at q as min:max:step; unset: none"},
    {.key = "window",
     .label = "Window",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "none",
     .choices = windows,
     .help = "what g(r) is multiplied with before the transform"},
    {.key = "convention",
     .label = "Convention",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "faber-ziman",
     .choices = conventions,
     .help = "of partial structure factors"},
    DEBYE_SETTING_TEMPERATURE_ENTRY("of the potential of mean force, −kT ln g", NULL),
    DEBYE_SETTING_LANES_ENTRIES,
};

const DebyeSettingTable debye_rdf_settings = {
    .id = "rdf",
    .title = "Pair distribution",
    .question = "How many atoms are at which distance of others?",
    .settings = settings,
    .n_settings = G_N_ELEMENTS(settings),
};
