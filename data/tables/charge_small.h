/* SPDX-License-Identifier: MIT */
/* Charges of water models and ions; used by table_charges.c. */
#pragma once

#include <glib.h>

typedef struct {
  const char *name;              /* with its source */
  double oxygen, hydrogen, site; /* e */
  gsize n_sites;
} DebyeWaterModel;

/* The model that a water's name tells and its atoms allow; of a name that tells none (HOH, WAT, SOL) TIP3P,
 * TIP4P or TIP5P by the number of sites. NULL: the atoms are of none. */
const DebyeWaterModel *debye_water_model_find(const char *name, const guint8 *elements, gsize n_atoms);

/* The charge of an ion by its residue's name, in the conventions of the PDB, AMBER, CHARMM and GROMACS. 0:
 * not an ion of a known charge. */
int debye_ion_charge(const char *name, guint8 element);
/* The radius of an ion in TIP3P water, Å: half of the distance at which two such ions' Lennard-Jones energy is least. 0: the
 * force field has none. */
double debye_ion_radius_amber(guint8 element, int charge);
double debye_ion_radius_charmm(guint8 element, int charge);
