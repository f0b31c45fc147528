/* SPDX-License-Identifier: MIT */
/* Makes the columns of lists; called by orbital_panel.c and vibration_panel.c. */
#include "orbital_columns.h"

#include <glib/gi18n.h>

#include "orbital_item.h"
#include "ui/widgets/number_text.h"
#include "vibration_item.h"

typedef char *(*TextFunc)(gpointer item);

static char *
symmetry_text(gpointer item)
{
  return g_strdup(debye_orbital_item_get(item)->symmetry);
}

static char *
occupation_text(gpointer item)
{
  g_autofree char *occupation = debye_number_text(debye_orbital_item_get(item)->occupation, 3);
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

/* What is empty steps back; what is at the frontier, or imaginary, stands out. */
static const char *
find_style(gpointer item)
{
  if (DEBYE_IS_VIBRATION_ITEM(item))
    return debye_vibration_item_get(item)->frequency < 0.0 ? "frontier" : NULL;
  const DebyeOrbitalFacts *facts = debye_orbital_item_get(item);
  if (facts->frontier != DEBYE_FRONTIER_NONE)
    return "frontier";
  return facts->occupation == 0.0 ? "dim-label" : NULL;
}

static void
on_bind(GtkListItemFactory *factory, GtkListItem *row, gpointer data G_GNUC_UNUSED)
{
  gpointer item = gtk_list_item_get_item(row);
  GtkWidget *label = gtk_list_item_get_child(row);
  const TextFunc make_text = *(TextFunc *)g_object_get_data(G_OBJECT(factory), "text");
  const char *style = find_style(item);
  g_autofree char *text = make_text(item);
  gtk_label_set_label(GTK_LABEL(label), text);
  gtk_widget_remove_css_class(label, "frontier");
  gtk_widget_remove_css_class(label, "dim-label");
  if (style != NULL)
    gtk_widget_add_css_class(label, style);
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

static void
remove_columns(GtkColumnView *view)
{
  GListModel *columns = gtk_column_view_get_columns(view);
  while (g_list_model_get_n_items(columns) > 0) {
    g_autoptr(GtkColumnViewColumn) column = g_list_model_get_item(columns, 0);
    gtk_column_view_remove_column(view, column);
  }
}

static char *
number_text(gpointer item)
{
  return DEBYE_IS_VIBRATION_ITEM(item) ? debye_vibration_item_number_text(item)
                                       : debye_orbital_item_number_text(item);
}

void
debye_orbital_columns_set(GtkColumnView *view, gboolean has_symmetry)
{
  remove_columns(view);
  add_column(view, _("No."), number_text, TRUE, FALSE);
  if (has_symmetry)
    add_column(view, _("Sym."), symmetry_text, FALSE, FALSE);
  add_column(view, "E (Eₕ)", (TextFunc)debye_orbital_item_hartree_text, TRUE, FALSE);
  add_column(view, "E (eV)", (TextFunc)debye_orbital_item_ev_text, TRUE, FALSE);
  add_column(view, _("Occ."), occupation_text, FALSE, TRUE);
}

/* Of a column that only fills the width, so that rows do. */
static char *
empty_text(gpointer item G_GNUC_UNUSED)
{
  return g_strdup("");
}

void
debye_vibration_columns_set(GtkColumnView *view, gboolean has_intensity, gboolean has_mass)
{
  remove_columns(view);
  add_column(view, _("No."), number_text, TRUE, FALSE);
  add_column(view, "ν̃ (cm⁻¹)", (TextFunc)debye_vibration_item_frequency_text, TRUE, FALSE);
  if (has_intensity)
    add_column(view, "IR (km/mol)", (TextFunc)debye_vibration_item_intensity_text, TRUE, FALSE);
  if (has_mass)
    add_column(view, "μ (u)", (TextFunc)debye_vibration_item_mass_text, TRUE, FALSE);
  add_column(view, "", empty_text, FALSE, TRUE);
}
