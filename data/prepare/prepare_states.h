/* SPDX-License-Identifier: MIT */
/* Which protonation state each residue gets: from what it is bound to, from a person's choice, from a model pKa. Called by
 * prepare.c after prepare_links.c. */
#pragma once

#include "prepared_system.h"

typedef enum {
  DEBYE_TITRATE_NONE,  /* the usual state of each residue, or the one that its name in the file states */
  DEBYE_TITRATE_MODEL, /* protonated where the pH is below the residue's pKa in a small peptide */
  DEBYE_TITRATE_PB,    /* where `titrated` says, else as by model values */
} DebyeTitration;

/* What a person decided of one residue. */
typedef struct {
  const char *chain;
  const char *name; /* of the residue, as the file or a table calls it; NTR, CTR: its end; NULL: not said */
  gint32 number;
  char insertion_code; /* 0: none */
  guint32 place; /* of the residue in the topology, from 1, which then decides; 0: chain and number do */
  /* ASH, HID, CYM …; of Asn, Gln and His perhaps with “ turned” or “ kept” behind it: its
   * amide or ring; of an end charged, neutral or capped */
  const char *state;
} DebyePrepareState;

gboolean debye_prepare_state_is_of_end(const DebyePrepareState *row);

/* What a titration found of a residue, or with the family NTR or CTR of an end, at the pH. Texts are borrowed. */
typedef struct {
  const char *chain, *family;
  gint32 number;
  char insertion_code;
  guint32 place;     /* as of DebyePrepareState */
  const char *state; /* a form: ASH, HID …; of an end charged, neutral */
  gboolean is_protonated;
  double half, error; /* pK½ and its standard error; NAN: out of reach */
} DebyePrepareTitrated;

typedef struct {
  DebyeTitration titrate;
  double ph;
  DebyeChargeTable table; /* whose charges are to be there */
  const DebyePrepareState *states;
  gsize n_states;
  const DebyePrepareTitrated *titrated;
  gsize n_titrated;
  DebyeTermini termini; /* what the ends of proteins are where nobody decided */
} DebyeStateSettings;

/* The pKa of a residue's family (ASP, HIS …) or of an end (NTR, CTR) in alanine pentapeptides: Thurlkill et al., Protein
 * Sci. 15, 1214 (2006); of arginine Pace et al., J. Biol. Chem. 284, 13285 (2009). NAN: it has none. */
double debye_model_pka(const char *family);

/* Sets each unit's form. An error names a chosen residue that isn't there, has another name or can't have that
 * state, or an amino acid that is bonded to no other. */
gboolean debye_prepare_states_decide(DebyePreparedSystem *system, const DebyeStateSettings *settings,
                                     GError **error);

/* The states that a unit whose form is decided can have instead, as DebyePrepareState takes them, of which none is
 * refused: AMBER's names of the forms that the table has charges for (HID, HIE and HIP), and amides and rings kept or
 * turned. With its own alone: none. Static strings in a list that ends with NULL; free the list with g_free. */
const char **debye_prepare_states_list(const DebyePreparedUnit *unit, const DebyeStateSettings *settings);
/* Of the start or end of a chain: charged, neutral, capped. */
const char **debye_prepare_states_list_of_end(const DebyePreparedUnit *unit, gboolean at_start,
                                              const DebyeStateSettings *settings);
