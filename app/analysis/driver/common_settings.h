/* SPDX-License-Identifier: MIT */
/* Settings that several tables share, worded once. */
#pragma once

#include "data/settings/setting.h"

/* A setting that another one's value makes meaningful: its key and the values, each a string. */
#define DEBYE_SETTING_NEEDS(...) ((const char *const[]){__VA_ARGS__, NULL})

#define DEBYE_SETTING_FRAMES_ENTRY(what)                                                               \
  {                                                                                                    \
    .key = "frames", .label = "Frames", .kind = DEBYE_SETTING_FRAMES, .initial = "0:-1", .help = what, \
    .basic = TRUE                                                                                      \
  }

#define DEBYE_SETTING_SELECT_ENTRY(what)                                                                \
  {                                                                                                     \
    .key = "select", .label = "Atoms", .kind = DEBYE_SETTING_SELECTION, .initial = "all", .help = what, \
    .basic = TRUE                                                                                       \
  }

#define DEBYE_SETTING_CHARGES_ENTRY                                                                      \
  {                                                                                                      \
    .key = "charges", .label = "Charges", .kind = DEBYE_SETTING_CHOICE, .initial = "auto",               \
    .choices =                                                                                           \
        (const DebyeChoice[]){                                                                           \
            {"auto", "The file's, if any", "those of the files; none, or zeros only, is an error"},      \
            {"file", "The file's", "those of the files, zeros too"},                                     \
            {"amber", "AMBER's table", "AMBER ff14SB, OL15, OL3 and TIP3P, by residue and atom names"},  \
            {"charmm", "CHARMM's table", "CHARMM36 and TIP3P, by residue and atom names"},               \
            {NULL, NULL, NULL}},                                                                         \
    .help = "where the atoms' charges come from; a table knows proteins, nucleic acids, water and ions " \
            "whose hydrogens are there, and what it doesn't know is told with the result"                \
  }

#define DEBYE_SETTING_ELEMENT_ENTRY                                                                       \
  {                                                                                                       \
    .key = "element", .label = "Element", .kind = DEBYE_SETTING_TEXT, .repeated = TRUE, .of_files = TRUE, \
    .help =                                                                                               \
        "ATOMS=SYMBOL: the element of atoms of that name or type, or of a selection with a blank in it, " \
        "such as CAL=Ca, or “none”; see info for how elements were decided"                           \
  }

/* What of the files counts: see data/molecule/altloc.h and data/trajectory/cell_choice.h. */
#define DEBYE_SETTING_ALTLOC_ENTRY_FROM(first)                                                           \
  {                                                                                                      \
    .key = "altloc", .label = "Alternate locations", .kind = DEBYE_SETTING_TEXT, .initial = first,       \
    .before = "all",                                                                                     \
    .help = "alternate locations to use: highest (of highest occupancy, residue by residue), all, or a " \
            "label such as A, and the highest for residues without it"                                   \
  }

#define DEBYE_SETTING_CELL_ENTRY                                                                          \
  {                                                                                                       \
    .key = "cell", .label = "Cell", .kind = DEBYE_SETTING_TEXT, .initial = "file", .numbers = TRUE,       \
    .help = "periodic cell of every frame: file (the files'), none, or lengths a,b,c in Å, with angles " \
            "alpha,beta,gamma in degrees if they aren't 90"                                               \
  }

#define DEBYE_SETTING_DATASET_ENTRIES DEBYE_SETTING_ALTLOC_ENTRY_FROM("highest"), DEBYE_SETTING_CELL_ENTRY

#define DEBYE_SETTING_TOLERANCE_ENTRY                                                         \
  {                                                                                           \
    .key = "tolerance", .label = "Tolerance", .kind = DEBYE_SETTING_NUMBER, .minimum = 1e-15, \
    .maximum = 1.0, .initial = "5e-6",                                                        \
    .help = "largest error that is accepted, relative to the result's root mean square"       \
  }

#define DEBYE_SETTING_DEVICE_ENTRY                                                      \
  {                                                                                     \
    .key = "device", .label = "Devices", .kind = DEBYE_SETTING_TEXT, .initial = "auto", \
    .help = "auto (all that can), cpu, cuda, or some of them: cuda:0,cuda:1,cpu"        \
  }

#define DEBYE_SETTING_THREADS_ENTRY                                                                     \
  {                                                                                                     \
    .key = "threads", .label = "Threads", .kind = DEBYE_SETTING_INTEGER, .minimum = 0, .maximum = 4096, \
    .initial = "0", .help = "processor threads; 0: one a core"                                          \
  }

#define DEBYE_SETTING_MEMORY_ENTRY                                                               \
  {                                                                                              \
    .key = "memory", .label = "Memory limit", .kind = DEBYE_SETTING_TEXT,                        \
    .help = "most memory to take, on the host and on each device: 512M, 8G; unset: what is free" \
  }

/* The three that every run has. */
#define DEBYE_SETTING_LANES_ENTRIES \
  DEBYE_SETTING_DEVICE_ENTRY, DEBYE_SETTING_THREADS_ENTRY, DEBYE_SETTING_MEMORY_ENTRY

#define DEBYE_SETTING_BLOCKS_ENTRY(what, first, condition)                                         \
  {                                                                                                \
    .key = "blocks", .label = "Blocks for the error", .kind = DEBYE_SETTING_INTEGER, .minimum = 0, \
    .maximum = 10000, .initial = first, .help = what, .needs = condition                           \
  }

#define DEBYE_SETTING_TEMPERATURE_ENTRY(what, condition)                                                    \
  {                                                                                                         \
    .key = "temperature", .label = "Temperature", .symbol = "T", .unit = "K", .kind = DEBYE_SETTING_NUMBER, \
    .minimum = 0.001, .maximum = 1e6, .initial = "300", .help = what, .needs = condition                    \
  }

/* The grid of a map. */
#define DEBYE_SETTING_SPACING_ENTRY(what, first_sight)                                                   \
  {                                                                                                      \
    .key = "spacing", .label = "Grid spacing", .symbol = "h", .unit = "Å", .kind = DEBYE_SETTING_NUMBER, \
    .minimum = 0.01, .maximum = 100.0, .help = what, .basic = first_sight                                \
  }

#define DEBYE_SETTING_PADDING_ENTRY(what, first, first_sight)                                        \
  {                                                                                                  \
    .key = "padding", .label = "Padding", .unit = "Å", .kind = DEBYE_SETTING_NUMBER, .minimum = 0.0, \
    .maximum = 1000.0, .initial = first, .unset_differs = TRUE, .help = what, .basic = first_sight   \
  }

#define DEBYE_SETTING_ORIGIN_ENTRY                                                      \
  {                                                                                     \
    .key = "origin", .label = "Grid origin", .unit = "Å", .kind = DEBYE_SETTING_VECTOR, \
    .help = "position of the first grid point; unset: from the atoms and the padding"   \
  }

#define DEBYE_SETTING_SHAPE_ENTRY                                                                      \
  {                                                                                                    \
    .key = "shape", .label = "Grid points", .kind = DEBYE_SETTING_SHAPE,                               \
    .help = "number of grid points along x, y and z; unset: as many as the atoms and the padding need" \
  }

/* The potential itself. */
#define DEBYE_SETTING_UNIT_ENTRY(what, first_sight)                                                          \
  {                                                                                                          \
    .key = "unit", .label = "Unit", .kind = DEBYE_SETTING_CHOICE, .initial = "kT/e",                         \
    .choices =                                                                                               \
        (const DebyeChoice[]){{"kT/e", "kT/e", "thermal energy per charge, at the stated temperature"},      \
                              {"V", "Volt", "volt: the energy of one elementary charge in eV"},              \
                              {"mV", "Millivolt", "a thousandth of a volt"},                                 \
                              {"kcal/mol/e", "kcal/(mol·e)", "kilocalories per mole and elementary charge"}, \
                              {"e/A", "e/Å", "elementary charges per ångström, the unit of the sum itself"}, \
                              {NULL, NULL, NULL}},                                                           \
    .help = what, .basic = first_sight                                                                       \
  }

#define DEBYE_SETTING_PERMITTIVITY_ENTRY(what)                                                            \
  {                                                                                                       \
    .key = "permittivity", .label = "Relative permittivity", .symbol = "ε", .kind = DEBYE_SETTING_NUMBER, \
    .minimum = 1e-3, .maximum = 1e6, .initial = "1", .help = what                                         \
  }

#define DEBYE_SETTING_CORE_RADIUS_ENTRY(what)                                                \
  {                                                                                          \
    .key = "core-radius", .label = "Core radius", .unit = "Å", .kind = DEBYE_SETTING_NUMBER, \
    .minimum = 1e-6, .maximum = 10.0, .initial = "0.001", .help = what                       \
  }

/* What is done to each frame before it is used. */
#define DEBYE_SETTING_SUPERPOSE_ENTRY(what)                                                 \
  {                                                                                         \
    .key = "superpose", .label = "Superpose", .kind = DEBYE_SETTING_SELECTION, .help = what \
  }

/* Of an analysis that superposes by itself. */
#define DEBYE_SETTING_SUPERPOSE_SOLUTE_ENTRY(what)                                                  \
  {                                                                                                 \
    .key = "superpose", .label = "Superpose", .kind = DEBYE_SETTING_SELECTION, .initial = "solute", \
    .unset_differs = TRUE, .before = "none", .help = what                                           \
  }

#define DEBYE_SETTING_SUPERPOSE_WEIGHTS_ENTRY                                                             \
  {                                                                                                       \
    .key = "superpose-weights", .label = "Superposition weights", .kind = DEBYE_SETTING_CHOICE,           \
    .initial = "none", .before = "mass",                                                                  \
    .choices = (const DebyeChoice[]){{"none", "None", "all atoms count alike, as in VMD and MDAnalysis"}, \
                                     {"mass", "Mass", "atoms count by their masses, as in Sassena"},      \
                                     {NULL, NULL, NULL}},                                                 \
    .help = "how much each atom counts when frames are superposed"                                        \
  }

#define DEBYE_SETTING_REFERENCE_ENTRY                                                                       \
  {                                                                                                         \
    .key = "reference", .label = "Reference", .kind = DEBYE_SETTING_TEXT, .initial = "first",               \
    .help = "what is superposed on: first (the first frame that is used), frame:N (of the trajectory), or " \
            "file:FILE (a structure with these atoms, its first frame)"                                     \
  }

#define DEBYE_SETTING_CENTER_ENTRY(what)                                              \
  {                                                                                   \
    .key = "center", .label = "Centre", .kind = DEBYE_SETTING_SELECTION, .help = what \
  }
