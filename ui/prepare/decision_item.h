/* SPDX-License-Identifier: MIT */
/* What was decided of one residue, as the page that prepares structures lists it. Immutable. */
#pragma once

#include <gio/gio.h>

#define DEBYE_TYPE_DECISION_ITEM (debye_decision_item_get_type())
G_DECLARE_FINAL_TYPE(DebyeDecisionItem, debye_decision_item, DEBYE, DECISION_ITEM, GObject)

typedef struct {
  const char *chain;         /* "A"; "" */
  const char *residue;       /* "HIS 57"; of the ends of a chain "NTR 1" and "CTR 129" */
  const char *state;         /* "HIE"; "" where there is no choice of any */
  const char *const *states; /* those that it can have; NULL-terminated, empty: no other */
  const char *label;         /* the state for people: "HIE · hydrogen at NE2" */
  const char *const *labels; /* likewise, as many as states */
  const char *summary;       /* one or two short sentences: what and why */
  gboolean is_decision;      /* something was decided, and not only that hydrogens were added */
  gboolean is_chosen;        /* by a person */
} DebyeDecisionFacts;

/* All texts are copied. */
DebyeDecisionItem *debye_decision_item_new(const DebyeDecisionFacts *facts);
const DebyeDecisionFacts *debye_decision_item_get(DebyeDecisionItem *self);
/* The same residue. */
gboolean debye_decision_item_is_of(DebyeDecisionItem *self, DebyeDecisionItem *other);
gboolean debye_decision_item_equals(DebyeDecisionItem *self, DebyeDecisionItem *other);
/* Every word of the text is in the residue's name, its chain, state or summary, in any case. */
gboolean debye_decision_item_matches(DebyeDecisionItem *self, const char *text);
