/* SPDX-License-Identifier: MIT */
/* Rows that several tables share, worded once, and the values that they fill. `Type` is the table's struct of settings; its
 * members have the names that a row names. */
#pragma once

#include "data/geometry.h"
#include "data/molecule/table_charges.h"
#include "data/settings/setting.h"

/* Member `lanes`. */
typedef struct {
  const char *device;
  gint64 threads;
  const char *memory;
} DebyeLaneSettings;

/* Member `job`. */
typedef struct {
  const char *continued; /* file; NULL or empty: none */
  double save_every;     /* s */
} DebyeJobSettings;

typedef enum {
  DEBYE_SUPERPOSE_WEIGHT_NONE,
  DEBYE_SUPERPOSE_WEIGHT_MASS,
} DebyeSuperposeWeight;

/* Member `superposing`. */
typedef struct {
  const char *superpose;
  gboolean has_superpose;
  DebyeSuperposeWeight weight;
  const char *reference;
} DebyeSuperposeSettings;

/* Member `charges`. */
typedef enum {
  DEBYE_CHARGES_AUTO,
  DEBYE_CHARGES_FILE,
  DEBYE_CHARGES_AMBER,
  DEBYE_CHARGES_CHARMM,
} DebyeChargeSource;

typedef enum {
  DEBYE_POTENTIAL_UNIT_KT,
  DEBYE_POTENTIAL_UNIT_VOLT,
  DEBYE_POTENTIAL_UNIT_MILLIVOLT,
  DEBYE_POTENTIAL_UNIT_KCAL,
  DEBYE_POTENTIAL_UNIT_CHARGE, /* e/Å */
} DebyePotentialUnit;

/* A setting that another one's value makes meaningful: its key and the values, each a string. */
#define DEBYE_SETTING_NEEDS(...) ((const char *const[]){__VA_ARGS__, NULL})

#define DEBYE_SETTING_FRAMES_ENTRY(Type, what)                                                         \
  {                                                                                                    \
    .key = "frames", .label = "Frames", .kind = DEBYE_SETTING_FRAMES, .initial = "0:-1", .help = what, \
    DEBYE_SETTING_MEMBER(Type, frames), .basic = TRUE                                                  \
  }

/* Within braces, for a table whose values are read by name. */
#define DEBYE_SETTING_SELECT_ROW(what)                                                                \
  .key = "select", .label = "Atoms", .kind = DEBYE_SETTING_SELECTION, .initial = "all", .help = what, \
  .basic = TRUE

#define DEBYE_SETTING_SELECT_ENTRY(Type, what)                         \
  {                                                                    \
    DEBYE_SETTING_SELECT_ROW(what), DEBYE_SETTING_MEMBER(Type, select) \
  }

#define DEBYE_SETTING_CHARGES_ENTRY(Type)                                                                    \
  {                                                                                                          \
    .key = "charges", .label = "Charges", .kind = DEBYE_SETTING_CHOICE, .initial = "auto",                   \
    DEBYE_SETTING_MEMBER(Type, charges),                                                                     \
    .choices =                                                                                               \
        (const DebyeChoice[]){                                                                               \
            {"auto", "The file's, if any",                                                                   \
             "charges of the files; an error if there are none or only zeros"},                              \
            {"file", "The file's", "charges of the files, even if all are zero"},                            \
            {"amber", "AMBER's table", "AMBER ff14SB, OL15, OL3 and TIP3P, by residue and atom names"},      \
            {"charmm", "CHARMM's table", "CHARMM36 and TIP3P, by residue and atom names"},                   \
            {NULL, NULL, NULL}},                                                                             \
    .help = "source of the atomic charges; tables cover proteins, nucleic acids, water and ions with their " \
            "hydrogens, and the result lists what they lack"                                                 \
  }

#define DEBYE_SETTING_ELEMENT_ENTRY                                                                       \
  {                                                                                                       \
    .key = "element", .label = "Element", .kind = DEBYE_SETTING_TEXT, .repeated = TRUE, .of_files = TRUE, \
    .help = "ATOMS=SYMBOL: element of the atoms of that name or type, or of a selection that contains a " \
            "blank, such as CAL=Ca, or “none”; info shows how elements were decided"                  \
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

#define DEBYE_SETTING_LENGTH_UNIT_ENTRY                                                                    \
  {                                                                                                        \
    .key = "length-unit", .rare = TRUE, .label = "Unit of length", .kind = DEBYE_SETTING_TEXT,             \
    .of_files = TRUE,                                                                                      \
    .help = "unit of length of files that do not state it (pos.d): angstrom, nm, pm, bohr, or the length " \
            "of one unit in Å, such as an atom's diameter in reduced units; default: angstrom",            \
    .derived = TRUE                                                                                        \
  }

#define DEBYE_SETTING_DATASET_ENTRIES \
  DEBYE_SETTING_ALTLOC_ENTRY_FROM("highest"), DEBYE_SETTING_CELL_ENTRY, DEBYE_SETTING_LENGTH_UNIT_ENTRY

#define DEBYE_SETTING_TOLERANCE_ENTRY(Type)                                                   \
  {                                                                                           \
    .key = "tolerance", .label = "Tolerance", .kind = DEBYE_SETTING_NUMBER, .minimum = 1e-15, \
    DEBYE_SETTING_MEMBER(Type, tolerance), .maximum = 1.0, .initial = "5e-6",                 \
    .help = "largest accepted error, relative to the result's root mean square"               \
  }

#define DEBYE_SETTING_DEVICE_ENTRY(Type)                                           \
  {                                                                                \
    .key = "device", .label = "Devices", DEBYE_SETTING_MEMBER(Type, lanes.device), \
    .kind = DEBYE_SETTING_TEXT, .initial = "auto",                                 \
    .help = "auto (all suitable devices), cpu, cuda, or a list: cuda:0,cuda:1,cpu" \
  }

#define DEBYE_SETTING_THREADS_ENTRY(Type)                                            \
  {                                                                                  \
    .key = "threads", .label = "Threads", DEBYE_SETTING_MEMBER(Type, lanes.threads), \
    .kind = DEBYE_SETTING_INTEGER, .minimum = 0, .maximum = 4096, .initial = "0",    \
    .help = "CPU threads; 0: one per core"                                           \
  }

#define DEBYE_SETTING_MEMORY_ENTRY(Type)                                                               \
  {                                                                                                    \
    .key = "memory", .label = "Memory limit", DEBYE_SETTING_MEMBER(Type, lanes.memory),                \
    .kind = DEBYE_SETTING_TEXT,                                                                        \
    .help = "upper limit of memory, for the host and for each device: 512M, 8G; default: free memory", \
    .derived = TRUE                                                                                    \
  }

/* The three that every run has. */
#define DEBYE_SETTING_LANES_ENTRIES(Type) \
  DEBYE_SETTING_DEVICE_ENTRY(Type), DEBYE_SETTING_THREADS_ENTRY(Type), DEBYE_SETTING_MEMORY_ENTRY(Type)

/* How a job is kept while it runs. */
#define DEBYE_SETTING_CONTINUE_ENTRY(Type, what)                                       \
  {                                                                                    \
    .key = "continue", .label = "Continue", DEBYE_SETTING_MEMBER(Type, job.continued), \
    .kind = DEBYE_SETTING_TEXT, .help = what                                           \
  }

#define DEBYE_SETTING_SAVE_EVERY_ENTRY(Type, what)                                                       \
  {                                                                                                      \
    .key = "save-every", .label = "Save every", .unit = "s", DEBYE_SETTING_MEMBER(Type, job.save_every), \
    .kind = DEBYE_SETTING_NUMBER, .minimum = 0.0, .maximum = 1e6, .initial = "60", .help = what          \
  }

#define DEBYE_SETTING_JOB_ENTRIES(Type)                                                                    \
  DEBYE_SETTING_CONTINUE_ENTRY(Type,                                                                       \
                               "result file (.h5) of the same job, existing or new: its contents are not " \
                               "computed again, and progress is written to it while the job runs"),        \
      DEBYE_SETTING_SAVE_EVERY_ENTRY(                                                                      \
          Type, "approximate interval between writes to the file of continue; 0: at each change")

#define DEBYE_SETTING_BLOCKS_ENTRY(Type, what, first, condition)                                             \
  {                                                                                                          \
    .key = "blocks", .label = "Blocks for the error", .kind = DEBYE_SETTING_INTEGER, .minimum = 0,           \
    .maximum = 10000, .initial = first, .help = what, .needs = condition, DEBYE_SETTING_MEMBER(Type, blocks) \
  }

#define DEBYE_SETTING_TEMPERATURE_ENTRY(Type, what, condition)                                              \
  {                                                                                                         \
    .key = "temperature", .label = "Temperature", .symbol = "T", .unit = "K", .kind = DEBYE_SETTING_NUMBER, \
    .minimum = 0.001, .maximum = 1e6, .initial = "300", .help = what, .needs = condition,                   \
    DEBYE_SETTING_MEMBER(Type, temperature)                                                                 \
  }

/* The grid of a map. */
#define DEBYE_SETTING_SPACING_ENTRY(Type, what, first_sight)                                             \
  {                                                                                                      \
    .key = "spacing", .label = "Grid spacing", .symbol = "h", .unit = "Å", .kind = DEBYE_SETTING_NUMBER, \
    .minimum = 0.01, .maximum = 100.0, .help = what, .derived = TRUE, .basic = first_sight,              \
    DEBYE_SETTING_MEMBER(Type, spacing)                                                                  \
  }

#define DEBYE_SETTING_PADDING_ENTRY(Type, what, first, follows, first_sight)                         \
  {                                                                                                  \
    .key = "padding", .label = "Padding", .unit = "Å", .kind = DEBYE_SETTING_NUMBER, .minimum = 0.0, \
    .maximum = 1000.0, .initial = first, .unset_differs = TRUE, .help = what, .derived = follows,    \
    .basic = first_sight, DEBYE_SETTING_OPTIONAL_MEMBER(Type, padding)                               \
  }

#define DEBYE_SETTING_ORIGIN_ENTRY(Type)                                                                  \
  {                                                                                                       \
    .key = "origin", .label = "Grid origin", .unit = "Å", .kind = DEBYE_SETTING_VECTOR,                   \
    .help = "position of the first grid point; default: from the atoms and the padding", .derived = TRUE, \
    DEBYE_SETTING_OPTIONAL_MEMBER(Type, origin)                                                           \
  }

#define DEBYE_SETTING_SHAPE_ENTRY(Type)                                                              \
  {                                                                                                  \
    .key = "shape", .label = "Grid points", .kind = DEBYE_SETTING_SHAPE,                             \
    .help = "number of grid points along x, y and z; default: enough for the atoms and the padding", \
    .derived = TRUE, DEBYE_SETTING_OPTIONAL_MEMBER(Type, shape)                                      \
  }

/* The potential itself. */
#define DEBYE_SETTING_UNIT_ENTRY(Type, what, first_sight)                                                    \
  {                                                                                                          \
    .key = "unit", .label = "Unit", .kind = DEBYE_SETTING_CHOICE, .initial = "kT/e",                         \
    DEBYE_SETTING_MEMBER(Type, unit),                                                                        \
    .choices =                                                                                               \
        (const DebyeChoice[]){{"kT/e", "kT/e", "thermal energy per charge, at the stated temperature"},      \
                              {"V", "Volt", "volt: the energy of one elementary charge in eV"},              \
                              {"mV", "Millivolt", "a thousandth of a volt"},                                 \
                              {"kcal/mol/e", "kcal/(mol·e)", "kilocalories per mole and elementary charge"}, \
                              {"e/A", "e/Å", "elementary charges per ångström, the unit of the sum itself"}, \
                              {NULL, NULL, NULL}},                                                           \
    .help = what, .basic = first_sight                                                                       \
  }

#define DEBYE_SETTING_PERMITTIVITY_ENTRY(Type, what)                                                        \
  {                                                                                                         \
    .key = "permittivity", .label = "Relative permittivity", .symbol = "ε", .kind = DEBYE_SETTING_NUMBER,   \
    .minimum = 1e-3, .maximum = 1e6, .initial = "1", .help = what, DEBYE_SETTING_MEMBER(Type, permittivity) \
  }

#define DEBYE_SETTING_CORE_RADIUS_ENTRY(Type, what)                                          \
  {                                                                                          \
    .key = "core-radius", .label = "Core radius", .unit = "Å", .kind = DEBYE_SETTING_NUMBER, \
    .minimum = 1e-6, .maximum = 10.0, .initial = "0.001", .help = what,                      \
    DEBYE_SETTING_MEMBER(Type, core_radius)                                                  \
  }

/* What is done to each frame before it is used. */
#define DEBYE_SETTING_SUPERPOSE_MEMBER(Type)                                                               \
  DEBYE_SETTING_MEMBER(Type, superposing.superpose), .was_set = offsetof(Type, superposing.has_superpose), \
                                                     .has_was_set = TRUE

#define DEBYE_SETTING_SUPERPOSE_ENTRY(Type, what)                                            \
  {                                                                                          \
    .key = "superpose", .label = "Superpose", .kind = DEBYE_SETTING_SELECTION, .help = what, \
    DEBYE_SETTING_SUPERPOSE_MEMBER(Type)                                                     \
  }

/* Of an analysis that superposes by itself. */
#define DEBYE_SETTING_SUPERPOSE_SOLUTE_ENTRY(Type, what)                                            \
  {                                                                                                 \
    .key = "superpose", .label = "Superpose", .kind = DEBYE_SETTING_SELECTION, .initial = "solute", \
    .unset_differs = TRUE, .before = "none", .help = what, .derived = TRUE,                         \
    DEBYE_SETTING_SUPERPOSE_MEMBER(Type)                                                            \
  }

#define DEBYE_SETTING_SUPERPOSE_WEIGHTS_ENTRY(Type)                                               \
  {                                                                                               \
    .key = "superpose-weights", .label = "Superposition weights", .kind = DEBYE_SETTING_CHOICE,   \
    .initial = "none", .before = "mass", DEBYE_SETTING_MEMBER(Type, superposing.weight),          \
    .choices = (const DebyeChoice[]){{"none", "None", "equal weights, as in VMD and MDAnalysis"}, \
                                     {"mass", "Mass", "weights by mass, as in Sassena"},          \
                                     {NULL, NULL, NULL}},                                         \
    .help = "weight of each atom when frames are superposed"                                      \
  }

#define DEBYE_SETTING_REFERENCE_ENTRY(Type)                                                                 \
  {                                                                                                         \
    .key = "reference", .label = "Reference", .kind = DEBYE_SETTING_TEXT, .initial = "first",               \
    DEBYE_SETTING_MEMBER(Type, superposing.reference),                                                      \
    .help =                                                                                                 \
        "structure to superpose on: first (the first frame that is used), frame:N (of the trajectory), or " \
        "file:FILE (a structure with these atoms, its first frame)"                                         \
  }

#define DEBYE_SETTING_CENTER_ENTRY(Type, what)                                         \
  {                                                                                    \
    .key = "center", .label = "Centre", .kind = DEBYE_SETTING_SELECTION, .help = what, \
    DEBYE_SETTING_MEMBER(Type, center)                                                 \
  }
