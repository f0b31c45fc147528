/* SPDX-License-Identifier: MIT */
/* One residue of the list of decisions; shown by decision_row.c. */
#include "decision_item.h"

#include <string.h>

struct _DebyeDecisionItem {
  GObject parent_instance;
  DebyeDecisionFacts facts;
  char *texts[5];
  GStrv states, labels;
  char *searched; /* lower case */
};

G_DEFINE_FINAL_TYPE(DebyeDecisionItem, debye_decision_item, G_TYPE_OBJECT)

DebyeDecisionItem *
debye_decision_item_new(const DebyeDecisionFacts *facts)
{
  DebyeDecisionItem *self = g_object_new(DEBYE_TYPE_DECISION_ITEM, NULL);
  self->facts = *facts;
  self->facts.chain = self->texts[0] = g_strdup(facts->chain);
  self->facts.residue = self->texts[1] = g_strdup(facts->residue);
  self->facts.state = self->texts[2] = g_strdup(facts->state);
  self->facts.summary = self->texts[3] = g_strdup(facts->summary);
  self->facts.label = self->texts[4] = g_strdup(facts->label);
  self->states = facts->states != NULL ? g_strdupv((char **)facts->states) : g_new0(char *, 1);
  self->facts.states = (const char *const *)self->states;
  self->labels = facts->labels != NULL ? g_strdupv((char **)facts->labels) : g_new0(char *, 1);
  self->facts.labels = (const char *const *)self->labels;
  g_autofree char *all = g_strjoin(" ", facts->residue, facts->chain, facts->label, facts->summary, NULL);
  self->searched = g_utf8_strdown(all, -1);
  return self;
}

const DebyeDecisionFacts *
debye_decision_item_get(DebyeDecisionItem *self)
{
  return &self->facts;
}

gboolean
debye_decision_item_is_of(DebyeDecisionItem *self, DebyeDecisionItem *other)
{
  return strcmp(self->facts.chain, other->facts.chain) == 0 &&
         strcmp(self->facts.residue, other->facts.residue) == 0;
}

gboolean
debye_decision_item_equals(DebyeDecisionItem *self, DebyeDecisionItem *other)
{
  return debye_decision_item_is_of(self, other) && strcmp(self->facts.state, other->facts.state) == 0 &&
         strcmp(self->facts.summary, other->facts.summary) == 0 &&
         self->facts.is_chosen == other->facts.is_chosen &&
         g_strv_equal(self->facts.states, other->facts.states);
}

gboolean
debye_decision_item_matches(DebyeDecisionItem *self, const char *text)
{
  g_autofree char *lower = g_utf8_strdown(text, -1);
  g_auto(GStrv) words = g_strsplit(lower, " ", -1);
  for (char **word = words; *word != NULL; word++)
    if (strstr(self->searched, *word) == NULL)
      return FALSE;
  return TRUE;
}

static void
debye_decision_item_finalize(GObject *object)
{
  DebyeDecisionItem *self = DEBYE_DECISION_ITEM(object);
  for (gsize i = 0; i < G_N_ELEMENTS(self->texts); i++)
    g_free(self->texts[i]);
  g_strfreev(self->states);
  g_strfreev(self->labels);
  g_free(self->searched);
  G_OBJECT_CLASS(debye_decision_item_parent_class)->finalize(object);
}

static void
debye_decision_item_class_init(DebyeDecisionItemClass *class)
{
  G_OBJECT_CLASS(class)->finalize = debye_decision_item_finalize;
}

static void
debye_decision_item_init(DebyeDecisionItem *self)
{
  self->searched = NULL;
}
