/* SPDX-License-Identifier: MIT */
/* What the residues of proteins and nucleic acids are made of, in each of their protonation states: heavy atoms and their
 * hydrogens by name. Names after IUPAC's recommendations (Markley et al., Pure Appl. Chem. 70, 117, 1998), as the Protein
 * Data Bank has them. Used by prepare.c and its parts. */
#pragma once

#include <glib.h>

#include "data/molecule/table_charges.h"
#include "data/tables/charge_rows.h"

#define DEBYE_FORM_NAME_SIZE 8
#define DEBYE_FORM_HYDROGENS 3
#define DEBYE_FORM_ATOMS 48

typedef enum {
  DEBYE_FORM_AMINO_ACID,
  DEBYE_FORM_CAP,  /* ACE, NME, NH2 */
  DEBYE_FORM_LONE, /* in no chain: heme */
  DEBYE_FORM_RIBOSE,
  DEBYE_FORM_DEOXYRIBOSE,
} DebyeFormKind;

/* A row of the table. */
typedef struct {
  DebyeFormKind kind;
  const char *family; /* what its forms have in common: HIS of HID, HIE and HIP; DA and A in nucleic acids */
  const char *name;   /* AMBER's */
  const char *charmm; /* CHARMM's; NULL: the same */
  int charge;         /* e, within a chain; the phosphate's of nucleotides */
  /* The heavy atoms, in general from the backbone outwards, each with its hydrogens: behind ":" about a tetrahedral atom,
   * behind "=" in the plane of a trigonal one. */
  const char *atoms;
} DebyeResidueForm;

/* One atom of a row. */
typedef struct {
  char name[DEBYE_FORM_NAME_SIZE];
  gboolean is_planar;
  guint n_hydrogens;
  char hydrogens[DEBYE_FORM_HYDROGENS][DEBYE_FORM_NAME_SIZE];
} DebyeFormAtom;

/* The rows; the last has no family. The first of a family is its usual form. */
extern const DebyeResidueForm debye_residue_forms[];

/* The form that a residue of a file is called: that of the name where it names one (HIP, ASH, HSD, CYX, NALA), else the
 * first of its family; of a nucleotide, whichever sugar its name tells. NULL: none in the table. `is_stated` is TRUE where
 * the name tells which of several forms it is. */
const DebyeResidueForm *debye_residue_form_find(const char *residue_name, gboolean *is_stated);
/* Another form of its family. NULL: the family has none of that name. */
const DebyeResidueForm *debye_residue_form_find_state(const DebyeResidueForm *form, const char *name);
/* The same nucleotide with the other sugar. NULL: there is none. */
const DebyeResidueForm *debye_residue_form_with_sugar(const DebyeResidueForm *form, DebyeFormKind sugar);
gboolean debye_residue_form_is_nucleotide(const DebyeResidueForm *form);

/* Fills `atoms` and returns how many there are. */
guint debye_residue_form_parse(const DebyeResidueForm *form, DebyeFormAtom atoms[DEBYE_FORM_ATOMS]);
/* The name that the form calls an atom by, of those that files have: OT1 is O, O1P is OP1, CD of ILE is CD1, O5* is O5'. */
void debye_residue_form_normalise(const DebyeResidueForm *form, const char *name_in_file,
                                  char name[DEBYE_FORM_NAME_SIZE]);

/* What a residue is on one side. */
typedef enum {
  DEBYE_END_NONE,    /* bonded to the next */
  DEBYE_END_CHARGED, /* of a nucleotide its 5' or 3' end */
  DEBYE_END_NEUTRAL,
} DebyeFormEnd;

/* Whether the table has charges for the form there. */
gboolean debye_residue_form_is_charged(const DebyeResidueForm *form, DebyeChargeTable table,
                                       DebyeFormEnd start, DebyeFormEnd end);

/* Of a form that borrows another's charges (MSE those of MET, selenium sulfur's) the other; else itself. */
const DebyeResidueForm *debye_residue_form_get_lender(const DebyeResidueForm *form);
/* The table's row for it, of charges or radii; NULL: none. */
const DebyeChargeRow *debye_residue_form_find_row(const DebyeResidueForm *form, DebyeChargeTable table,
                                                  DebyeFormEnd start, DebyeFormEnd end, gboolean of_radii);
