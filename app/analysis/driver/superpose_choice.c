/* SPDX-License-Identifier: MIT */
/* Decides by which atoms frames are superposed; called by maps, scattering and debye-cli export. */
#include "superpose_choice.h"

#include "data/messages/message.h"
#include "data/molecule/gather.h"
#include "superpose_reference.h"

void
debye_superpose_choice_clear(DebyeSuperposeChoice *choice)
{
  g_clear_pointer(&choice->selection, debye_selection_unref);
}

static gboolean
is_word(const char *text, const char *word)
{
  g_autofree char *bare = g_strstrip(g_strdup(text));
  return g_ascii_strcasecmp(bare, word) == 0;
}

const char *
debye_superpose_find_obstacle(const char *text, DebyeTopology *topology, const DebyeFrame *first)
{
  if (!is_word(text, DEBYE_SUPERPOSE_SOLUTE))
    return NULL;
  g_autoptr(DebyeSelection) selection = debye_selection_parse(DEBYE_SUPERPOSE_SOLUTE, NULL, NULL);
  g_autoptr(GArray) atoms = debye_selection_evaluate(selection, topology, NULL, NULL);
  if (atoms->len == 0)
    return N_("there is no solute");
  if (debye_gather_spans_cell((const guint32 *)(const void *)atoms->data, atoms->len, first))
    return N_("the solute spans the cell");
  return NULL;
}

gboolean
debye_superpose_choice_init(DebyeSuperposeChoice *choice, const DebyeSuperposeSettings *settings,
                            DebyeTopology *topology, const DebyeFrame *first, GError **error)
{
  const char *text = settings->superpose;
  choice->by_mass = settings->weight == DEBYE_SUPERPOSE_WEIGHT_MASS;
  if (text == NULL || *text == '\0' || is_word(text, DEBYE_SUPERPOSE_NONE))
    return TRUE;
  choice->obstacle = debye_superpose_find_obstacle(text, topology, first);
  if (choice->obstacle == NULL)
    choice->selection = debye_selection_parse(text, NULL, error);
  return choice->obstacle != NULL || choice->selection != NULL;
}

void
debye_superpose_choice_add_note(const DebyeSuperposeChoice *choice, const DebyeSuperposeSettings *settings,
                                DebyeResult *result)
{
  g_autofree char *reference = debye_superpose_reference_describe(settings->reference);
  if (choice->selection != NULL && choice->by_mass)
    debye_result_add_note(result, "Frames were superposed on %s by “%s”, mass-weighted", reference,
                          debye_selection_get_text(choice->selection));
  else if (choice->selection != NULL)
    debye_result_add_note(result, "Frames were superposed on %s by “%s”, unweighted", reference,
                          debye_selection_get_text(choice->selection));
  else if (choice->obstacle != NULL && settings->has_superpose)
    debye_result_add_note_of(result, DEBYE_NOTE_WARNING, NULL, "frames were not superposed: %s",
                             choice->obstacle);
  else if (choice->obstacle != NULL)
    debye_result_add_note(result, "Frames were not superposed: %s", choice->obstacle);
}

const char *
debye_superpose_choice_get_text(const DebyeSuperposeChoice *choice)
{
  return choice->selection != NULL ? debye_selection_get_text(choice->selection) : DEBYE_SUPERPOSE_NONE;
}
