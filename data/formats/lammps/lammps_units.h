/* SPDX-License-Identifier: MIT */
/* What a number in a LAMMPS file means: its files rarely say in which of LAMMPS' systems of units they are. */
#pragma once

#include <glib.h>

/* One of LAMMPS' units in Debye's. */
typedef struct {
  const char *name;
  double length;   /* Å */
  double time;     /* ps; NAN in reduced units */
  double velocity; /* Å/ps; NAN in reduced units */
  double charge;   /* e */
  double mass;     /* u; NAN in reduced units, whose masses tell no element */
} DebyeLammpsUnits;

/* The system of that name ("real", "metal", "lj" …); NULL: there is none. */
const DebyeLammpsUnits *debye_lammps_units_get(const char *name, gsize length);
/* What is taken where a file doesn't say: "real", that of molecules. */
const DebyeLammpsUnits *debye_lammps_units_get_default(void);
