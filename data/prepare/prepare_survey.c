/* SPDX-License-Identifier: MIT */
/* Implementation of prepare_survey.h. */
#include "prepare_survey.h"

#include <string.h>

#include "data/molecule/altloc.h"
#include "data/molecule/table_charges.h"
#include "ligand_sources.h"
#include "ligand_units.h"
#include "prepare_doubts.h"
#include "prepare_links.h"

#define MAX_NAMES 24 /* of kinds of residues */

void
debye_prepare_survey_clear(DebyePrepareSurvey *survey)
{
  g_clear_pointer(&survey->unknown, g_free);
  g_clear_pointer(&survey->problem, g_free);
}

/* --- Residues with a form --- */

static gsize
count_missing(const DebyePreparedSystem *system, const DebyePreparedUnit *unit)
{
  DebyeFormAtom atoms[DEBYE_FORM_ATOMS];
  const guint n = debye_residue_form_parse(unit->form, atoms);
  gsize n_missing = 0;
  for (guint k = 0; k < n; k++)
    n_missing += debye_prepared_system_find(system, unit, atoms[k].name) == DEBYE_PREPARE_NONE;
  return n_missing;
}

static void
survey_chain(const DebyePreparedSystem *system, const DebyePreparedUnit *unit, DebyePrepareSurvey *survey)
{
  survey->n_without_hydrogens += unit->hydrogens->len == 0;
  survey->n_disulfides += unit->disulfide != DEBYE_PREPARE_NONE;
  survey->n_breaks += unit->is_at_break && unit->is_end;
  if (debye_residue_form_is_nucleotide(unit->form)) {
    survey->n_nucleotides++;
  } else if (unit->form->kind == DEBYE_FORM_AMINO_ACID) {
    survey->n_amino_acids++;
    survey->n_missing_atoms += count_missing(system, unit);
  }
}

/* Of any form of the residue: PARSE has no phosphoserine. */
static gboolean
has_charges(const DebyePreparedUnit *unit, DebyeChargeTable table)
{
  for (const DebyeResidueForm *form = debye_residue_forms; form->family != NULL; form++)
    if (form->kind == unit->form->kind && strcmp(form->family, unit->form->family) == 0 &&
        (debye_residue_form_is_charged(form, table, DEBYE_END_NONE, DEBYE_END_NONE) ||
         debye_residue_form_is_charged(form, table, DEBYE_END_CHARGED, DEBYE_END_NONE) ||
         debye_residue_form_is_charged(form, table, DEBYE_END_NONE, DEBYE_END_CHARGED)))
      return TRUE;
  return FALSE;
}

/* --- Other residues --- */

static gboolean
is_charged(DebyeTopology *parameters, const DebyeChargeReport *report, const DebyePreparedSystem *system,
           const DebyePreparedUnit *unit)
{
  for (guint k = 0; k < unit->atoms->len; k++) {
    const guint32 atom =
        debye_prepared_system_get_atom(system, g_array_index(unit->atoms, guint32, k))->source;
    if (report->kinds[atom] == DEBYE_CHARGED_NONE)
      return FALSE;
    if (report->kinds[atom] == DEBYE_CHARGED_ION && !(debye_topology_get_radii(parameters)[atom] > 0.0f))
      return FALSE;
  }
  return TRUE;
}

static void
add_unknown(const DebyePreparedSystem *system, const DebyePreparedUnit *unit, GPtrArray *names,
            DebyePrepareSurvey *survey)
{
  const DebyeResidue *residue = &debye_topology_get_residue_table(system->topology)[unit->residue];
  const char *name = debye_string_pool_get(debye_topology_get_string_pool(system->topology), residue->name);
  survey->n_unknown++;
  if (names->len < MAX_NAMES && !g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL))
    g_ptr_array_add(names, (gpointer)name);
}

/* By the table, or as a ligand whose charges its file has or can be estimated. */
static gboolean
can_be_charged(DebyeTopology *parameters, const DebyeChargeReport *report, DebyePreparedSystem *system,
               guint32 number, GPtrArray *ligands, DebyePrepareSurvey *survey)
{
  const DebyePreparedUnit *unit = debye_prepared_system_get_unit(system, number);
  if (unit->atoms->len < 2)
    return is_charged(parameters, report, system, unit);
  gboolean is_estimated;
  const gboolean can_fill = debye_ligand_units_can_fill(system, number, ligands, &is_estimated);
  survey->n_estimated += can_fill && is_estimated;
  return can_fill;
}

static void
survey_units(DebyePreparedSystem *system, DebyeChargeTable table, GPtrArray *ligands,
             DebyePrepareSurvey *survey)
{
  g_auto(DebyeChargeReport) report = {0};
  g_autoptr(GPtrArray) names = g_ptr_array_new();
  g_autoptr(DebyeTopology) parameters =
      debye_topology_with_table_parameters(system->topology, table, &report);
  for (guint32 u = 0; u < system->units->len; u++) {
    const DebyePreparedUnit *unit = debye_prepared_system_get_unit(system, u);
    survey->n_waters += unit->kind == DEBYE_UNIT_WATER;
    if (unit->kind == DEBYE_UNIT_CHAIN)
      survey_chain(system, unit, survey);
    if (unit->kind == DEBYE_UNIT_CHAIN && !has_charges(unit, table))
      add_unknown(system, unit, names, survey);
    else if (unit->kind == DEBYE_UNIT_OTHER &&
             !can_be_charged(parameters, &report, system, u, ligands, survey))
      add_unknown(system, unit, names, survey);
  }
  survey->n_disulfides /= 2; /* each was counted at both ends */
  g_ptr_array_add(names, NULL);
  survey->unknown = names->len > 1 ? g_strjoinv(" ", (char **)names->pdata) : NULL;
}

/* --- All --- */

void
debye_prepare_survey(DebyeTopology *topology, const DebyeFrame *frame, DebyeChargeTable table,
                     GPtrArray *ligands, DebyePrepareSurvey *survey)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeTopology) counted = NULL;
  g_autoptr(DebyeFrame) counted_frame = NULL;
  g_autoptr(DebyePreparedSystem) system = NULL;
  *survey = (DebyePrepareSurvey){.has_charges = debye_topology_get_charges(topology) != NULL,
                                 .n_alternates = debye_topology_get_n_alternates(topology)};
  if (debye_prepared_system_count(topology, frame, &counted, &counted_frame, &error))
    system = debye_prepared_system_new(counted, counted_frame, table, &error);
  if (system != NULL) {
    if (debye_prepare_links_find(system, &error))
      debye_ligand_sources_complete(ligands, &error);
    survey->n_unseen = debye_prepare_doubts_count(counted);
    survey_units(system, table, ligands, survey);
  }
  survey->problem = error != NULL ? g_strdup(error->message) : NULL;
}

gboolean
debye_prepare_survey_is_bare(const DebyePrepareSurvey *survey)
{
  return !survey->has_charges && survey->n_amino_acids + survey->n_nucleotides > 0;
}
