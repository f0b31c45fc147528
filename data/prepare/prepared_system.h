/* SPDX-License-Identifier: MIT */
/* A structure while it is made ready: its residues as units of heavy atoms, what they are linked to, and the hydrogens they
 * get. Filled from a topology by prepared_system.c, then by prepare_links.c, prepare_states.c and add_hydrogens.c; turned
 * into a topology again by prepare.c. */
#pragma once

#include "data/molecule/frame.h"
#include "data/molecule/topology.h"
#include "residue_forms.h"

#define DEBYE_PREPARE_NONE G_MAXUINT32
#define DEBYE_PREPARE_NEIGHBOURS 4

typedef struct {
  char name[DEBYE_FORM_NAME_SIZE]; /* the form's for it; of other residues "" */
  guint8 element;
  guint8 rank; /* place in the form */
  guint32 unit;
  guint32 source; /* atom of the topology; DEBYE_PREPARE_NONE: added */
  DebyeVec3 position;
  guint n_neighbours; /* bonded heavy atoms, in the order of the form; of residues with a form only */
  guint32 neighbours[DEBYE_PREPARE_NEIGHBOURS];
} DebyePreparedAtom;

typedef struct {
  char name[DEBYE_FORM_NAME_SIZE];
  guint32 heavy;  /* the atom that carries it */
  guint32 source; /* the file's, whose place it keeps; DEBYE_PREPARE_NONE: added */
  DebyeVec3 position;
} DebyePreparedHydrogen;

/* What the end of a protein chain is. */
typedef enum {
  DEBYE_TERMINI_CHARGED,
  DEBYE_TERMINI_NEUTRAL,
  DEBYE_TERMINI_CAPPED, /* with acetyl (ACE) and methylamide (NME) */
} DebyeTermini;

typedef enum {
  DEBYE_UNIT_OTHER, /* kept as it is: ligands, ions */
  DEBYE_UNIT_CHAIN, /* has a form */
  DEBYE_UNIT_WATER,
} DebyeUnitKind;

/* Whether the amide of Asn and Gln and the ring of His are turned. */
typedef enum {
  DEBYE_TURN_FREE, /* for hydrogen bonds */
  DEBYE_TURN_KEPT, /* a person wants it as in the file */
  DEBYE_TURN_CHOSEN,
} DebyeTurn;

typedef struct {
  DebyeUnitKind kind;
  guint32 residue; /* of the topology */
  const DebyeResidueForm *form;
  gboolean is_stated;     /* the file tells the form by the residue's name or its hydrogens */
  GArray *atoms;          /* guint32: heavy atoms; of other residues all */
  GArray *hydrogens;      /* DebyePreparedHydrogen */
  guint32 previous, next; /* units of the chain that it is bonded to; DEBYE_PREPARE_NONE */
  gboolean is_start, is_end;
  DebyeTermini start, end;    /* of the ends that it has */
  gboolean is_end_chosen[2];  /* a person decided the start, the end */
  guint32 caps[2];            /* units; DEBYE_PREPARE_NONE */
  gboolean is_cap;            /* that is not in the file: `residue` is the one that it caps */
  gint32 number_from_residue; /* of a cap: its number less that of its residue */
  gboolean is_at_break;       /* an end where the chain goes on in the file */
  guint32 disulfide;          /* unit; DEBYE_PREPARE_NONE */
  guint32 metal[2];           /* atoms: at SG or ND1, and at NE2; DEBYE_PREPARE_NONE */
  double pka;                 /* that decided the form; NAN: none did */
  double pk_half, pk_error;   /* titrated; NAN */
  double pk_half_of_end[2], pk_error_of_end[2]; /* of the start, the end; NAN */
  gboolean is_chosen;                           /* a person decided the form */
  guint n_unseen;                               /* heavy atoms with zero occupancy */
  gboolean is_linked;      /* a residue without a form takes the place of one of its hydrogens */
  DebyeTurn turn;          /* of an amide or ring by 180° */
  GArray *charges, *radii; /* double: of the atoms, then of the hydrogens; NULL: the table's */
  GString *done;           /* what was done, for the report */
  GPtrArray *notes;        /* char *: of that what was decided, as messages */
  GString *warnings;       /* those of them that are not as they should be */
} DebyePreparedUnit;

/* A bond of a residue without a form to another one: of a sugar to asparagine, of a modified residue within a chain. */
typedef struct {
  guint32 own, partner; /* atoms */
  gboolean is_of_chain; /* the partner goes on with it as with the next or the previous residue */
} DebyePreparedLink;

typedef struct {
  DebyeTopology *topology;
  const DebyeFrame *frame;
  GArray *atoms; /* DebyePreparedAtom */
  GArray *units; /* DebyePreparedUnit, in the order of the file */
  GArray *links; /* DebyePreparedLink; between two residues without a form one from each side */
  GArray *bonds; /* DebyeBond: within residues without a form */
} DebyePreparedSystem;

/* The atoms that count, of the chosen alternate locations: all of them are the same objects with
 * a reference. FALSE: there is no memory for the positions. */
gboolean debye_prepared_system_count(DebyeTopology *topology, const DebyeFrame *frame,
                                     DebyeTopology **counted, DebyeFrame **counted_frame, GError **error);
/* Both outlive the system; all atoms of the topology count. A modified amino acid without charges in the table has no form. An
 * error names an atom whose position is not finite, two atoms at one place, or
 * an atom that a residue of such a name has not. */
DebyePreparedSystem *debye_prepared_system_new(DebyeTopology *topology, const DebyeFrame *frame,
                                               DebyeChargeTable table, GError **error);
void debye_prepared_system_free(DebyePreparedSystem *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyePreparedSystem, debye_prepared_system_free)

DebyePreparedAtom *debye_prepared_system_get_atom(const DebyePreparedSystem *self, guint32 atom);
/* Where the unit's atom of that name is, which it has. */
DebyeVec3 debye_prepared_system_get_place(const DebyePreparedSystem *self, const DebyePreparedUnit *unit,
                                          const char *name);
DebyePreparedUnit *debye_prepared_system_get_unit(const DebyePreparedSystem *self, guint32 unit);
/* The unit's heavy atom of that name; DEBYE_PREPARE_NONE. */
guint32 debye_prepared_system_find(const DebyePreparedSystem *self, const DebyePreparedUnit *unit,
                                   const char *name);
/* A heavy atom that the file lacks, of the unit, bonded to `neighbour`. */
guint32 debye_prepared_system_add(DebyePreparedSystem *self, guint32 unit, const char *name, guint8 element,
                                  DebyeVec3 position, guint32 neighbour);
void debye_prepared_system_bond(DebyePreparedSystem *self, guint32 first, guint32 second);

/* A unit with nothing in it, of that residue. */
DebyePreparedUnit debye_prepared_unit_init(guint32 residue);
/* As files call it. */
const char *debye_prepared_unit_get_name(const DebyePreparedSystem *self, const DebyePreparedUnit *unit);
gint32 debye_prepared_unit_get_number(const DebyePreparedSystem *self, const DebyePreparedUnit *unit);
/* The residue of that place in the topology, from 1; with 0 of chain, number and insertion code (0: none). */
gboolean debye_prepared_unit_is_meant(const DebyePreparedSystem *self, const DebyePreparedUnit *unit,
                                      guint32 place, const char *chain, gint32 number, char insertion_code);
/* "ARG 12 of chain A", "HOH 301"; free with g_free. */
char *debye_prepared_unit_describe(const DebyePreparedSystem *self, const DebyePreparedUnit *unit);
/* Adds a sentence to what was done; as a warning where the table has no charges for what should be done. */
void debye_prepared_unit_warn(DebyePreparedUnit *unit, const char *format, ...) G_GNUC_PRINTF(2, 3);
void debye_prepared_unit_note(DebyePreparedUnit *unit, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* That hydrogens were added, which nobody decided: for the report alone. */
void debye_prepared_unit_note_hydrogens(DebyePreparedUnit *unit, guint n_added);
