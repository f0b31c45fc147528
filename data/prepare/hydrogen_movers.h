/* SPDX-License-Identifier: MIT */
/* What can be turned for hydrogen bonds: hydroxyls and thiols, ammonium groups, the amides of Asn and Gln, the ring of His
 * with its tautomers, waters. Each has a few states, of which prepare_network.c chooses. Hydrogens that the file has stay. */
#pragma once

#include "prepared_system.h"

typedef enum {
  DEBYE_MOVER_ROTOR, /* hydrogens on one atom, about the bond to its only neighbour */
  DEBYE_MOVER_AMIDE, /* two states: as in the file, and turned by 180° */
  DEBYE_MOVER_RING,  /* the same for each tautomer */
  DEBYE_MOVER_WATER,
} DebyeMoverKind;

typedef struct {
  DebyeMoverKind kind;
  guint32 unit;
  guint32
      heavy; /* that carries the hydrogens of a rotor, a water's oxygen; of flips the atom on the axis (CG, CD) */
  guint n_states;
  double first, step;   /* of a rotor: degrees */
  DebyeFormAtom atom;   /* of a rotor */
  GArray *positions;    /* DebyeVec3: of flips the file's, of water two per state; NULL */
  gboolean may_flip;    /* a ring */
  const char *forms[2]; /* a ring's tautomers; the second may be NULL */
} DebyeMover;

/* (element-type DebyeMover) */
GArray *debye_movers_find(DebyePreparedSystem *system);
/* Puts a mover into a state; state 0 is what there was, but for waters. */
void debye_mover_apply(DebyePreparedSystem *system, const DebyeMover *mover, guint state);
/* The heavy atoms that a mover takes along, or those that carry its hydrogens; returns how many. */
#define DEBYE_MOVER_ATOMS 4
guint debye_mover_list_atoms(const DebyePreparedSystem *system, const DebyeMover *mover,
                             guint32 atoms[DEBYE_MOVER_ATOMS]);
gboolean debye_mover_is_flip(const DebyeMover *mover);
/* Turns the amides and rings that a person wants turned, before others move. */
void debye_movers_turn_chosen(DebyePreparedSystem *system);
/* What became of it, into the unit's report. */
void debye_mover_note(DebyePreparedSystem *system, const DebyeMover *mover, guint state);
