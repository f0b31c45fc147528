/* SPDX-License-Identifier: MIT */
/* Implementation of prepare_texts.h; called by prepare_page.c. */
#include "prepare_texts.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "data/messages/count_text.h"
#include "data/messages/message.h"
#include "ui/prepare/decision_item.h"

/* --- The file --- */

/* `form`: of the language's form for this count, with the count as its %s. */
static void
append_count(GString *text, gsize count, const char *form)
{
  g_autofree char *digits = debye_count_text(count);
  if (count == 0)
    return;
  g_string_append(text, text->len > 0 ? " · " : "");
  g_string_append_printf(text, form, digits);
}

static void
append_text(GString *text, const char *more)
{
  g_string_append_printf(text, "%s%s", text->len > 0 ? " · " : "", more);
}

static char *
describe_content(const DebyePrepareSurvey *survey)
{
  GString *text = g_string_new(NULL);
  append_count(text, survey->n_amino_acids,
               ngettext("%s amino acid", "%s amino acids", survey->n_amino_acids));
  append_count(text, survey->n_nucleotides,
               ngettext("%s nucleotide", "%s nucleotides", survey->n_nucleotides));
  append_count(text, survey->n_waters, ngettext("%s water", "%s waters", survey->n_waters));
  append_count(text, survey->n_disulfides, ngettext("%s disulfide", "%s disulfides", survey->n_disulfides));
  append_count(text, survey->n_breaks,
               ngettext("%s break of a chain", "%s breaks of chains", survey->n_breaks));
  append_count(text, survey->n_alternates,
               ngettext("%s atom with alternate locations", "%s atoms with alternate locations",
                        survey->n_alternates));
  append_count(text, survey->n_unseen,
               ngettext("%s atom with occupancy 0", "%s atoms with occupancy 0", survey->n_unseen));
  return g_string_free(text, FALSE);
}

char *
debye_prepare_texts_lack(const DebyePrepareSurvey *survey)
{
  GString *text = g_string_new(NULL);
  if (!survey->has_charges)
    append_text(text, _("charges"));
  append_count(text, survey->n_without_hydrogens,
               ngettext("hydrogens of %s residue", "hydrogens of %s residues", survey->n_without_hydrogens));
  append_count(text, survey->n_missing_atoms,
               ngettext("%s atom of amino acids", "%s atoms of amino acids", survey->n_missing_atoms));
  return g_string_free(text, FALSE);
}

char *
debye_prepare_texts_facts(const DebyePrepareSurvey *survey)
{
  g_autofree char *content = describe_content(survey);
  g_autofree char *lack = debye_prepare_texts_lack(survey);
  if (*content == '\0')
    return g_strdup(_("This file has no amino acids, nucleotides or waters."));
  return *lack != '\0' ? g_strdup_printf(_("Contains: %s\nLacks: %s"), content, lack)
                       : g_strdup_printf(_("Contains: %s"), content);
}

char *
debye_prepare_texts_plan(const DebyePrepareSurvey *survey, gboolean has_keep)
{
  GString *text =
      g_string_new(_("Missing atoms of side chains and hydrogens are added, protonation follows the pH, "
                     "groups turn for hydrogen bonds, and each atom gets its charge and radius."));
  g_autofree char *digits = debye_count_text(survey->n_unknown);
  g_autofree char *n_estimated = debye_count_text(survey->n_estimated);
  if (survey->n_estimated > 0) {
    g_string_append_c(text, ' ');
    g_string_append_printf(text,
                           ngettext("%s ligand or modified residue gets estimated charges.",
                                    "%s ligands and modified residues get estimated charges.",
                                    survey->n_estimated),
                           n_estimated);
  }
  if (survey->n_unknown > 0 && !has_keep) {
    g_string_append_c(text, ' ');
    g_string_append_printf(text,
                           ngettext("%s residue without charges in the table is left out: %s.",
                                    "%s residues without charges in the table are left out: %s.",
                                    survey->n_unknown),
                           digits, survey->unknown);
  }
  return g_string_free(text, FALSE);
}

/* --- The prepared structure --- */

char *
debye_prepare_texts_origin(DebyePreparation *preparation)
{
  return g_strdup_printf(_("Made of %s by Debye %s"),
                         debye_dataset_get_name(debye_preparation_get_origin(preparation)),
                         debye_preparation_get_version(preparation));
}

/* The model's, and of an end the one that was computed, which residues have in a note. */
static void
append_pka(GString *text, const DebyePrepareDecision *decision)
{
  char half[G_ASCII_DTOSTR_BUF_SIZE], error[G_ASCII_DTOSTR_BUF_SIZE], model[G_ASCII_DTOSTR_BUF_SIZE];
  if (!isnan(decision->pka))
    g_string_append_printf(text, _("model pKa %s"),
                           g_ascii_formatd(model, sizeof model, "%.2f", decision->pka));
  if (isnan(decision->pk_half) || !isnan(decision->charge))
    return;
  g_autofree char *computed = debye_say(
      "pK½ %s ± %s by Poisson–Boltzmann", g_ascii_formatd(half, sizeof half, "%.1f", decision->pk_half),
      g_ascii_formatd(error, sizeof error, "%.1f", MAX(decision->pk_error, 0.1)));
  g_autofree char *words = debye_message_translate(computed);
  append_text(text, words);
}

/* What was done, and the pKa that decided. */
static char *
summarise(const DebyePrepareDecision *decision)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  GString *text = g_string_new(NULL);
  append_pka(text, decision);
  for (char **note = decision->notes; note != NULL && *note != NULL; note++) {
    g_autofree char *words = debye_message_translate(*note);
    g_autofree char *sentence = debye_true_minus_text(words);
    append_text(text, sentence);
  }
  if (text->len == 0)
    append_count(text, decision->n_hydrogens, ngettext("%s hydrogen", "%s hydrogens", decision->n_hydrogens));
  if (!isnan(decision->charge) && fabs(decision->charge) > 0.5) {
    g_ascii_formatd(number, sizeof number, "%.0f", fabs(decision->charge));
    g_autofree char *signed_number = g_strconcat(decision->charge < 0.0 ? "−" : "+", number, NULL);
    g_string_append_printf(text, _(" · charge %s e"), signed_number);
  }
  return g_string_free(text, FALSE);
}

/* What AMBER's names of forms, which the report and --states have, stand for. */
static const struct {
  const char *names, *words; /* names: each between blanks */
} state_words[] = {
    {" ASH GLH CYS LYS TYR ARG S1P T1P Y1P ", NC_("state of a residue", "protonated")},
    {" ASP GLU CYM LYN TYM ARN SEP TPO PTR ", NC_("state of a residue", "deprotonated")},
    {" HID ", NC_("state of a residue", "hydrogen at ND1")},
    {" HIE ", NC_("state of a residue", "hydrogen at NE2")},
    {" HIP ", NC_("state of a residue", "doubly protonated")},
    {" CYX ", NC_("state of a residue", "disulfide")},
    {" charged ", NC_("state of a residue", "charged")},
    {" neutral ", NC_("state of a residue", "neutral")},
    {" capped ", NC_("state of a residue", "capped")},
    {" kept ", NC_("state of a residue", "kept")},
    {" turned ", NC_("state of a residue", "turned")},
};

static const char *
find_words(const char *name)
{
  g_autofree char *searched = g_strdup_printf(" %s ", name);
  for (gsize k = 0; k < G_N_ELEMENTS(state_words); k++)
    if (strstr(state_words[k].names, searched) != NULL)
      return g_dpgettext2(NULL, "state of a residue", state_words[k].words);
  return NULL;
}

/* "HID · hydrogen at ND1", "HID · turned", as a row is narrow; the name alone where that says it. */
static char *
label_state(const char *state)
{
  g_auto(GStrv) parts = g_strsplit(state, " ", 2);
  GString *label = g_string_new(NULL);
  for (char **part = parts; *part != NULL; part++) {
    const char *words = find_words(*part);
    if (g_ascii_isupper(**part) || words == NULL)
      append_text(label, *part);
    if (words != NULL && (part != parts || parts[1] == NULL))
      append_text(label, words);
  }
  return g_string_free(label, FALSE);
}

static GStrv
label_states(const char **states)
{
  GPtrArray *labels = g_ptr_array_new();
  for (; *states != NULL; states++)
    g_ptr_array_add(labels, label_state(*states));
  g_ptr_array_add(labels, NULL);
  return (GStrv)g_ptr_array_free(labels, FALSE);
}

static gboolean
is_chosen(GPtrArray *states, const DebyePrepareDecision *decision)
{
  for (guint k = 0; k < states->len; k++) {
    const DebyePreparationState *state = states->pdata[k];
    if (strcmp(state->chain, decision->chain) == 0 && strcmp(state->residue, decision->residue) == 0)
      return TRUE;
  }
  return FALSE;
}

GPtrArray *
debye_prepare_texts_list(DebyePreparation *preparation)
{
  GPtrArray *items = g_ptr_array_new_with_free_func(g_object_unref);
  GPtrArray *decisions = debye_preparation_get_prepared(preparation)->decisions;
  GPtrArray *chosen = debye_preparation_get_states(preparation);
  for (guint k = 0; k < decisions->len; k++) {
    const DebyePrepareDecision *decision = decisions->pdata[k];
    g_autofree char *summary = summarise(decision);
    g_autofree char *label = label_state(decision->state);
    g_auto(GStrv) labels = label_states(decision->states);
    const DebyeDecisionFacts facts = {.chain = decision->chain,
                                      .residue = decision->residue,
                                      .state = decision->state,
                                      .states = decision->states,
                                      .label = label,
                                      .labels = (const char *const *)labels,
                                      .summary = summary,
                                      .is_decision = !decision->is_routine,
                                      .is_chosen = is_chosen(chosen, decision)};
    g_ptr_array_add(items, debye_decision_item_new(&facts));
  }
  return items;
}
