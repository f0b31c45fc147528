/* SPDX-License-Identifier: MIT */
/* The table of ions that can be placed; used by the settings and plan of ions and by ion_structure.c. */
#include "ion_kinds.h"

static const DebyeIonKind kinds[] = {
    {"LI", "Li", 1, 0.76, {"Li+", "Li+"}, {"LIT", "LIT"}},
    {"NA", "Na", 1, 1.02, {"Na+", "Na+"}, {"SOD", "SOD"}},
    {"K", "K", 1, 1.38, {"K+", "K+"}, {"POT", "POT"}},
    {"RB", "Rb", 1, 1.52, {"Rb+", "Rb+"}, {"RUB", "RUB"}},
    {"CS", "Cs", 1, 1.67, {"Cs+", "Cs+"}, {"CES", "CES"}},
    {"MG", "Mg", 2, 0.72, {"MG", "MG"}, {"MG", "MG"}},
    {"CA", "Ca", 2, 1.00, {"CA", "CA"}, {"CAL", "CAL"}},
    {"ZN", "Zn", 2, 0.74, {"ZN", "ZN"}, {"ZN2", "ZN"}},
    {"F", "F", -1, 1.33, {"F-", "F-"}, {NULL, NULL}},
    {"CL", "Cl", -1, 1.81, {"Cl-", "Cl-"}, {"CLA", "CLA"}},
    {"BR", "Br", -1, 1.96, {"Br-", "Br-"}, {NULL, NULL}},
    {"I", "I", -1, 2.20, {"I-", "I-"}, {NULL, NULL}},
};

const DebyeChoice debye_cation_choices[] = {
    {"NA", "Sodium", "Na⁺"},   {"K", "Potassium", "K⁺"}, {"LI", "Lithium", "Li⁺"},
    {"RB", "Rubidium", "Rb⁺"}, {"CS", "Caesium", "Cs⁺"}, {"MG", "Magnesium", "Mg²⁺"},
    {"CA", "Calcium", "Ca²⁺"}, {"ZN", "Zinc", "Zn²⁺"},   {"none", "None", "no cations"},
    {NULL, NULL, NULL},
};

const DebyeChoice debye_anion_choices[] = {
    {"CL", "Chloride", "Cl⁻"}, {"BR", "Bromide", "Br⁻"},      {"I", "Iodide", "I⁻"},
    {"F", "Fluoride", "F⁻"},   {"none", "None", "no anions"}, {NULL, NULL, NULL},
};

const DebyeIonKind *
debye_ion_kind_find(const char *key)
{
  for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++)
    if (g_strcmp0(kinds[i].key, key) == 0)
      return &kinds[i];
  return NULL;
}

const DebyeIonKind *
debye_ion_kind_find_symbol(const char *symbol)
{
  for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++)
    if (g_strcmp0(kinds[i].symbol, symbol) == 0)
      return &kinds[i];
  return NULL;
}

const DebyeIonName *
debye_ion_kind_get_name(const DebyeIonKind *kind, DebyeIonNames names)
{
  return names == DEBYE_ION_NAMES_CHARMM ? &kind->charmm : &kind->amber;
}
