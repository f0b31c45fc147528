/* SPDX-License-Identifier: MIT */
/* Makes the columns of the list of orbitals; called by orbital_panel.c. */
#include "orbital_columns.h"

#include <glib/gi18n.h>

#include "orbital_item.h"

typedef char *(*TextFunc)(DebyeOrbitalItem *item);

static char *
symmetry_text(DebyeOrbitalItem *item)
{
  return g_strdup(debye_orbital_item_get(item)->symmetry);
}

static char *
occupation_text(DebyeOrbitalItem *item)
{
  g_autofree char *occupation = debye_orbital_item_occupation_text(item);
  const char *frontier = debye_orbital_item_frontier_text(item);
  return g_strconcat(occupation, *frontier != '\0' ? " " : "", frontier, NULL);
}

static void
on_setup(GtkListItem *row, gboolean is_number)
{
  GtkWidget *label = gtk_label_new(NULL);
  gtk_label_set_xalign(GTK_LABEL(label), is_number ? 1.0f : 0.0f);
  gtk_widget_add_css_class(label, "numeric");
  gtk_list_item_set_child(row, label);
}

static void
on_setup_number(GtkListItemFactory *factory G_GNUC_UNUSED, GtkListItem *row, gpointer data G_GNUC_UNUSED)
{
  on_setup(row, TRUE);
}

static void
on_setup_word(GtkListItemFactory *factory G_GNUC_UNUSED, GtkListItem *row, gpointer data G_GNUC_UNUSED)
{
  on_setup(row, FALSE);
}

/* What is empty steps back, what is at the frontier stands out. */
static void
on_bind(GtkListItemFactory *factory, GtkListItem *row, gpointer data G_GNUC_UNUSED)
{
  DebyeOrbitalItem *item = gtk_list_item_get_item(row);
  const DebyeOrbitalFacts *facts = debye_orbital_item_get(item);
  GtkWidget *label = gtk_list_item_get_child(row);
  const TextFunc make_text = *(TextFunc *)g_object_get_data(G_OBJECT(factory), "text");
  g_autofree char *text = make_text(item);
  gtk_label_set_label(GTK_LABEL(label), text);
  gtk_widget_remove_css_class(label, "frontier");
  gtk_widget_remove_css_class(label, "dim-label");
  if (facts->frontier != DEBYE_FRONTIER_NONE)
    gtk_widget_add_css_class(label, "frontier");
  else if (facts->occupation == 0.0)
    gtk_widget_add_css_class(label, "dim-label");
}

static void
add_column(GtkColumnView *view, const char *title, TextFunc text, gboolean is_number, gboolean expands)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
  g_object_set_data_full(G_OBJECT(factory), "text", g_memdup2(&text, sizeof text), g_free);
  g_signal_connect(factory, "setup", is_number ? G_CALLBACK(on_setup_number) : G_CALLBACK(on_setup_word),
                   NULL);
  g_signal_connect(factory, "bind", G_CALLBACK(on_bind), NULL);
  g_autoptr(GtkColumnViewColumn) column = gtk_column_view_column_new(title, factory);
  gtk_column_view_column_set_expand(column, expands);
  gtk_column_view_append_column(view, column);
}

void
debye_orbital_columns_add(GtkColumnView *view, gboolean has_symmetry)
{
  add_column(view, _("No."), debye_orbital_item_number_text, TRUE, FALSE);
  if (has_symmetry)
    add_column(view, _("Sym."), symmetry_text, FALSE, FALSE);
  add_column(view, "E (Eₕ)", debye_orbital_item_hartree_text, TRUE, FALSE);
  add_column(view, "E (eV)", debye_orbital_item_ev_text, TRUE, FALSE);
  add_column(view, _("Occ."), occupation_text, FALSE, TRUE);
}
