/* SPDX-License-Identifier: MIT */
/* What comes of a structure that is made ready, and the step that makes it from the system: a topology, its frame and the
 * report. Called by prepare.c. */
#pragma once

#include "prepare_states.h"
#include "prepared_system.h"

typedef struct {
  DebyeStateSettings states;
  GPtrArray *ligands; /* DebyeLigand: what files tell of residues that no table knows; NULL: none */
  gboolean drops_water;
  gboolean
      optimises; /* turns hydroxyls and waters, flips Asn, Gln and His for hydrogen bonds; else ideal places */
  gboolean renames; /* residues get the table's names: HID, CYX, DA5 … */
} DebyePrepareSettings;

/* A row of the report. */
typedef struct {
  char *residue; /* "ASP 52"; the start and the end of a chain, "NTR 1" and "CTR 129" */
  char *chain;
  char *
      state; /* AMBER's name of the form, with a person's “ turned” or “ kept”; "" for an end and what has no form */
  const char **states; /* that it can have instead, with its own; NULL-terminated; empty: it has no choice */
  double pka;          /* that decided the state; NAN: none did */
  double pk_half, pk_error; /* titrated, which then did; NAN: not */
  guint n_hydrogens;
  double charge;       /* e; of an end NAN: it is in its residue's */
  char *done;          /* sentences, separated by semicolons; "" */
  char **notes;        /* of them what was decided, as messages, one each; NULL-terminated */
  gboolean is_routine; /* hydrogens were added, and nothing was decided */
} DebyePrepareDecision;

/* What is known of a residue of the new topology. */
typedef struct {
  guint32 residue;           /* of the old topology; of a cap that was added, the one that it caps */
  gboolean is_start, is_end; /* of a protein chain, without a cap */
  gboolean is_at_break;      /* one of these where the chain goes on in the file */
  gboolean is_chosen, is_end_chosen[2]; /* a person decided its form, its start, its end */
  gboolean is_held;                     /* by a metal */
  gboolean is_linked;                   /* another residue takes the place of one of its hydrogens */
  gboolean is_joined; /* has no form, and is bonded to a protein, perhaps over others that have none */
} DebyePreparedResidue;

typedef struct {
  DebyeTopology *topology; /* with charges and radii */
  DebyeFrame *frame;
  GPtrArray *decisions; /* DebyePrepareDecision, in the order of the file */
  GArray *residues;     /* DebyePreparedResidue, of each residue of the topology */
  double total_charge;  /* e */
  gsize n_added;        /* hydrogens and heavy atoms */
  char **warnings;      /* what is not as it should be; NULL-terminated */
} DebyePrepared;

void debye_prepared_free(DebyePrepared *prepared);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyePrepared, debye_prepared_free)

/* NULL with an error that names the residues without charges or radii. */
DebyePrepared *debye_prepared_result_new(const DebyePreparedSystem *system,
                                         const DebyePrepareSettings *settings, GError **error);
