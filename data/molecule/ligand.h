/* SPDX-License-Identifier: MIT */
/* A small molecule with what structures of proteins don't tell of it: bond orders and formal charges. Read from files by
 * data/formats/text/ligand_file.c; made from a residue and worked on in data/prepare. */
#pragma once

#include <glib.h>

#include "data/geometry.h"

#define DEBYE_LIGAND_NAME_SIZE 8
#define DEBYE_LIGAND_ATOMS 999  /* at most, as V2000 has them */
#define DEBYE_LIGAND_BONDS 3996 /* rows of a file at most: four for each atom */
#define DEBYE_ORDER_AROMATIC 4

typedef struct {
  char name[DEBYE_LIGAND_NAME_SIZE]; /* "" in SDF */
  guint8 element;
  DebyeVec3 position;         /* Å */
  double formal_charge;       /* e; may be a share, as ½ of each oxygen of a carboxylate */
  double charge;              /* e, partial; NAN: the file has none */
  double charge_of_hydrogens; /* of each of those below, e */
  guint n_hydrogens;          /* that are no atoms of the molecule */
  gboolean is_planar;         /* sp² */
  gboolean is_linear;         /* sp */
} DebyeLigandAtom;

typedef struct {
  guint32 i, j;
  guint8 order; /* 1, 2, 3 or DEBYE_ORDER_AROMATIC */
} DebyeLigandBond;

typedef struct {
  char *name;    /* the molecule's */
  char *residue; /* its residue's; "" */
  char *file;    /* that it is of, as errors call it; NULL: none */
  GArray *atoms; /* DebyeLigandAtom */
  GArray *bonds; /* DebyeLigandBond */
} DebyeLigand;

DebyeLigand *debye_ligand_new(const char *name);
void debye_ligand_free(DebyeLigand *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeLigand, debye_ligand_free)

DebyeLigandAtom *debye_ligand_get_atom(const DebyeLigand *self, guint32 atom);
DebyeLigandBond *debye_ligand_get_bond(const DebyeLigand *self, guint bond);
void debye_ligand_add_bond(DebyeLigand *self, guint32 i, guint32 j, guint8 order);
/* Atoms bonded to one, at most `capacity` of them; how many. */
guint debye_ligand_list_bonded(const DebyeLigand *self, guint32 atom, guint32 *bonded, guint capacity);
/* NULL: not bonded. */
DebyeLigandBond *debye_ligand_find_bond(const DebyeLigand *self, guint32 i, guint32 j);
gboolean debye_ligand_has_name(const DebyeLigand *self, const char *name);
/* The sum of an atom's bond orders, an aromatic one as 1½, and those to hydrogens that are no atoms. */
double debye_ligand_get_valence(const DebyeLigand *self, guint32 atom);
/* What an uncharged atom has; 0: an element that has no single one (metals). */
guint debye_ligand_get_usual_valence(guint8 element);
