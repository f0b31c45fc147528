/* SPDX-License-Identifier: MIT */
/* Settings that several tables share, worded once. */
#pragma once

#include "data/setting.h"

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
