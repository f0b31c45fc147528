/* SPDX-License-Identifier: MIT */
/* What a bare structure lacks and what is in it, before it is made ready. Called by
 * the window's page that prepares structures, and where residues that no table knows are to be left out. */
#pragma once

#include "prepared_system.h"

typedef struct {
  gboolean has_charges; /* the file's, or a chosen table's */
  gsize n_amino_acids, n_nucleotides, n_waters;
  gsize n_without_hydrogens;    /* residues that have none, of those that should; waters not counted */
  gsize n_missing_atoms;        /* heavy atoms that amino acids lack, but for the second oxygen of an end */
  gsize n_breaks, n_disulfides; /* of chains */
  gsize n_alternates;           /* atoms with labels of alternate locations */
  gsize n_unseen;               /* heavy atoms with zero occupancy */
  gsize n_estimated;            /* residues whose charges are estimated: ligands, sugars, modified residues */
  gsize n_unknown;              /* residues that get no charges by the table or by an estimate */
  char *unknown;                /* their names, each once: "HEM PO4"; NULL: there are none */
  char *problem;                /* why the structure can't be made ready, words; NULL: nothing was found */
} DebyePrepareSurvey;

void debye_prepare_survey_clear(DebyePrepareSurvey *survey);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyePrepareSurvey, debye_prepare_survey_clear)

/* Fills all of it. `ligands`: DebyeLigand of files, NULL: none. Atoms that don't count are left out, as in debye_prepare(). */
void debye_prepare_survey(DebyeTopology *topology, const DebyeFrame *frame, DebyeChargeTable table,
                          GPtrArray *ligands, DebyePrepareSurvey *survey);
/* It has residues that can be made ready, and no charges. */
gboolean debye_prepare_survey_is_bare(const DebyePrepareSurvey *survey);
