/* SPDX-License-Identifier: MIT */
/* Implementation of decision_row.h. */
#include "decision_row.h"

#include <glib/gi18n.h>
#include <string.h>

struct _DebyeDecisionRow {
  GtkBox parent_instance;
  GtkLabel *residue, *chain, *state, *summary;
  GtkDropDown *states;
  DebyeDecisionItem *item;
  gboolean is_filling;
};

G_DEFINE_FINAL_TYPE(DebyeDecisionRow, debye_decision_row, GTK_TYPE_BOX)

/* Where a person chose, the list begins with what takes that back. */
static guint
count_before(const DebyeDecisionFacts *facts)
{
  return facts->is_chosen ? 1 : 0;
}

static void
on_chosen(DebyeDecisionRow *self)
{
  const guint place = gtk_drop_down_get_selected(self->states);
  if (self->is_filling || self->item == NULL || place == GTK_INVALID_LIST_POSITION)
    return;
  const DebyeDecisionFacts *facts = debye_decision_item_get(self->item);
  const guint n_before = count_before(facts);
  const char *state = place < n_before ? NULL : facts->states[place - n_before];
  if (g_strcmp0(state, facts->state) == 0)
    return;
  g_autoptr(DebyeDecisionItem) item = g_object_ref(self->item);
  g_signal_emit_by_name(self, "state-chosen", item, state);
}

static void
fill_states(DebyeDecisionRow *self, const DebyeDecisionFacts *facts)
{
  g_autoptr(GtkStringList) list = gtk_string_list_new(NULL);
  g_autofree char *name = g_strdup_printf(_("State of %s"), facts->residue);
  guint place = 0;
  while (facts->states[place] != NULL && strcmp(facts->states[place], facts->state) != 0)
    place++;
  if (facts->is_chosen)
    gtk_string_list_append(list, C_("state of a residue", "Automatic"));
  gtk_string_list_splice(list, count_before(facts), 0, facts->labels);
  gtk_drop_down_set_model(self->states, G_LIST_MODEL(list));
  gtk_drop_down_set_selected(self->states, facts->states[place] != NULL ? place + count_before(facts)
                                                                        : GTK_INVALID_LIST_POSITION);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->states), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

void
debye_decision_row_set_item(DebyeDecisionRow *self, DebyeDecisionItem *item)
{
  g_set_object(&self->item, item);
  if (item == NULL)
    return;
  const DebyeDecisionFacts *facts = debye_decision_item_get(item);
  const gboolean has_choice = facts->states[0] != NULL;
  self->is_filling = TRUE;
  gtk_label_set_label(self->residue, facts->residue);
  gtk_label_set_label(self->chain, facts->chain);
  gtk_label_set_label(self->state, facts->label);
  gtk_label_set_label(self->summary, facts->summary);
  gtk_widget_set_visible(GTK_WIDGET(self->summary), *facts->summary != '\0');
  gtk_widget_set_visible(GTK_WIDGET(self->states), has_choice);
  gtk_widget_set_visible(GTK_WIDGET(self->state), !has_choice);
  if (has_choice)
    fill_states(self, facts);
  self->is_filling = FALSE;
}

GtkWidget *
debye_decision_row_new(void)
{
  return g_object_new(DEBYE_TYPE_DECISION_ROW, "orientation", GTK_ORIENTATION_VERTICAL, NULL);
}

/* --- The object --- */

static GtkLabel *
add_label(GtkWidget *box, const char *css_class)
{
  GtkLabel *label = GTK_LABEL(gtk_label_new(NULL));
  gtk_label_set_xalign(label, 0.0f);
  if (css_class != NULL)
    gtk_widget_add_css_class(GTK_WIDGET(label), css_class);
  gtk_box_append(GTK_BOX(box), GTK_WIDGET(label));
  return label;
}

static void
add_line(DebyeDecisionRow *self)
{
  GtkWidget *line = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
  self->residue = add_label(line, "numeric");
  self->chain = add_label(line, "dim-label");
  gtk_widget_set_hexpand(GTK_WIDGET(self->chain), TRUE);
  self->state = add_label(line, "dim-label");
  self->states = GTK_DROP_DOWN(gtk_drop_down_new(NULL, NULL));
  gtk_widget_set_valign(GTK_WIDGET(self->states), GTK_ALIGN_CENTER);
  gtk_widget_add_css_class(GTK_WIDGET(self->states), "decision-state");
  gtk_box_append(GTK_BOX(line), GTK_WIDGET(self->states));
  gtk_box_append(GTK_BOX(self), line);
}

static void
debye_decision_row_dispose(GObject *object)
{
  g_clear_object(&DEBYE_DECISION_ROW(object)->item);
  G_OBJECT_CLASS(debye_decision_row_parent_class)->dispose(object);
}

static void
debye_decision_row_class_init(DebyeDecisionRowClass *class)
{
  G_OBJECT_CLASS(class)->dispose = debye_decision_row_dispose;
  g_signal_new("state-chosen", G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
               2, DEBYE_TYPE_DECISION_ITEM, G_TYPE_STRING);
}

static void
debye_decision_row_init(DebyeDecisionRow *self)
{
  add_line(self);
  self->summary = add_label(GTK_WIDGET(self), "caption");
  gtk_widget_add_css_class(GTK_WIDGET(self->summary), "dim-label");
  gtk_label_set_wrap(self->summary, TRUE);
  gtk_label_set_max_width_chars(self->summary, 30);
  g_signal_connect_object(self->states, "notify::selected", G_CALLBACK(on_chosen), self, G_CONNECT_SWAPPED);
}
