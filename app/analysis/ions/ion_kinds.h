/* SPDX-License-Identifier: MIT */
/* The ions that can be placed: charges, radii and what force fields call them. */
#pragma once

#include "data/settings/setting.h"

typedef enum {
  DEBYE_ION_NAMES_AMBER,
  DEBYE_ION_NAMES_CHARMM,
} DebyeIonNames;

typedef struct {
  const char *residue, *atom;
} DebyeIonName;

typedef struct {
  const char *key;     /* "NA": what is typed */
  const char *symbol;  /* of the element */
  int charge;          /* e */
  double radius;       /* Å; Shannon, Acta Cryst. A 32 (1976) 751, six neighbours */
  DebyeIonName amber;  /* AMBER's ion libraries */
  DebyeIonName charmm; /* CHARMM's toppar_water_ions; NULL, NULL: it has none */
} DebyeIonKind;

/* By what is typed, or by the element's symbol; NULL: none ("none" among them). */
const DebyeIonKind *debye_ion_kind_find(const char *key);
const DebyeIonKind *debye_ion_kind_find_symbol(const char *symbol);
const DebyeIonName *debye_ion_kind_get_name(const DebyeIonKind *kind, DebyeIonNames names);

/* For the settings; ended by {NULL}. */
extern const DebyeChoice debye_cation_choices[], debye_anion_choices[];
