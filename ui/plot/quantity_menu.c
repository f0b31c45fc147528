/* SPDX-License-Identifier: MIT */
/* Implementation of quantity_menu.h. */
#include "quantity_menu.h"

#include <glib/gi18n.h>
#include <string.h>

#include "data/messages/message.h"

#define MAP_SUFFIX "-map"
#define PARTIAL_PREFIX "F "
#define SYMBOL_WIDTH_CHARS 12
#define PLOT "debye-plot"

/* By the name of a quantity. Words that labels have already, as "distance", are left out. */
static const struct {
  const char *name, *words;
} names[] = {
    {"g", N_("Pair distribution function")},
    {"g_divided", N_("Pair distribution of nearest images")},
    {"coordination", N_("Coordination number")},
    {"radial_distribution", N_("Radial distribution")},
    {"mean_force_potential", N_("Potential of mean force")},
    {"probability", N_("Distribution of distances")},
    {"structure_factor", N_("Structure factor")},
    {"neutron_f", N_("Total structure factor")},
    {"xray_f", N_("Total structure factor")},
    {"reduced_distribution", N_("Reduced pair distribution")},
    {"intensity", N_("Intensity")},
    {"F_normalised", N_("Intermediate scattering, normalised")},
    {"F", N_("Intermediate scattering function")},
    {"fqt", N_("Intermediate scattering function")},
    {"S", N_("Dynamic structure factor")},
    {"elastic_fraction", N_("Elastic part")},
    {"mean_square_displacement", N_("Mean square displacement")},
    {"non_gaussian", N_("Non-Gaussian parameter")},
    {"van_hove_self", N_("Self part of the van Hove function")},
    {"msd", N_("Mean square displacement")},
    {"alpha2", N_("Non-Gaussian parameter")},
    {"guinier", N_("Guinier plot")},
    {"kratky", N_("Kratky plot")},
    {"power_law", N_("Power law")},
    {"porod", N_("Porod plot")},
    {"pr", N_("Pair distance distribution")},
};

const char *
debye_quantity_menu_get_words(const DebyeQuantity *quantity)
{
  g_return_val_if_fail(quantity != NULL, NULL);
  g_autofree char *name = g_strdup(quantity->name);
  if (g_str_has_suffix(name, MAP_SUFFIX))
    name[strlen(name) - strlen(MAP_SUFFIX)] = '\0';
  if (g_str_has_prefix(name, PARTIAL_PREFIX))
    return _("Intermediate scattering, partial");
  for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
    if (g_str_equal(names[i].name, name))
      return _(names[i].words);
  return NULL;
}

/* --- Groups --- */

/* The analysis of a quantity; NULL: its result has gone. */
static const DebyeSettingTable *
find_analysis(DebyeResultPlot *plot, const DebyeQuantity *quantity)
{
  DebyeResult *result = debye_result_plot_find_source(plot, quantity);
  return result != NULL ? debye_request_get_table(debye_result_get_request(result)) : NULL;
}

GPtrArray *
debye_quantity_menu_list(DebyeResultPlot *plot)
{
  g_autoptr(GPtrArray) all = debye_result_plot_list_quantities(plot);
  GPtrArray *grouped = g_ptr_array_new();
  while (all->len > 0) {
    const DebyeSettingTable *analysis = find_analysis(plot, all->pdata[0]);
    for (guint i = 0; i < all->len;) {
      if (find_analysis(plot, all->pdata[i]) == analysis)
        g_ptr_array_add(grouped, g_ptr_array_steal_index(all, i));
      else
        i++;
    }
  }
  return grouped;
}

/* The name of the group that begins here; NULL: none does, or there is one alone. */
static const char *
find_heading(DebyeResultPlot *plot, const GPtrArray *quantities, guint position)
{
  const DebyeSettingTable *own = find_analysis(plot, quantities->pdata[position]);
  const gboolean is_one_of_several = find_analysis(plot, quantities->pdata[0]) !=
                                     find_analysis(plot, quantities->pdata[quantities->len - 1]);
  const gboolean begins = position == 0 || find_analysis(plot, quantities->pdata[position - 1]) != own;
  return own != NULL && is_one_of_several && begins ? _(own->title) : NULL;
}

/* --- Rows --- */

static GtkWidget *
append_label(GtkWidget *box, const char *class)
{
  GtkWidget *label = gtk_label_new(NULL);
  gtk_label_set_xalign(GTK_LABEL(label), 0.0f);
  if (class != NULL)
    gtk_widget_add_css_class(label, class);
  gtk_box_append(GTK_BOX(box), label);
  return label;
}

static void
on_setup(GtkSignalListItemFactory *factory G_GNUC_UNUSED, GtkListItem *item)
{
  GtkWidget *column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 4);
  GtkWidget *heading = append_label(column, "caption-heading");
  GtkWidget *line = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *symbol = append_label(line, NULL);
  GtkWidget *words = append_label(line, "dim-label");
  gtk_widget_set_margin_top(heading, 6);
  gtk_label_set_width_chars(GTK_LABEL(symbol), SYMBOL_WIDTH_CHARS);
  gtk_box_append(GTK_BOX(column), line);
  g_object_set_data(G_OBJECT(item), "heading", heading);
  g_object_set_data(G_OBJECT(item), "symbol", symbol);
  g_object_set_data(G_OBJECT(item), "words", words);
  gtk_list_item_set_child(item, column);
}

static void
show_text(GtkListItem *item, const char *name, const char *text)
{
  GtkWidget *label = g_object_get_data(G_OBJECT(item), name);
  gtk_label_set_label(GTK_LABEL(label), text != NULL ? text : "");
  gtk_widget_set_visible(label, text != NULL);
}

static void
on_bind(GtkSignalListItemFactory *factory, GtkListItem *item)
{
  DebyeResultPlot *plot = g_object_get_data(G_OBJECT(factory), PLOT);
  g_autoptr(GPtrArray) quantities = debye_quantity_menu_list(plot);
  const guint position = gtk_list_item_get_position(item);
  if (position >= quantities->len)
    return;
  const DebyeQuantity *quantity = quantities->pdata[position];
  g_autofree char *label = debye_message_translate(quantity->label);
  show_text(item, "heading", find_heading(plot, quantities, position));
  show_text(item, "symbol", label);
  show_text(item, "words", debye_quantity_menu_get_words(quantity));
}

void
debye_quantity_menu_attach(GtkDropDown *drop_down, DebyeResultPlot *plot)
{
  g_return_if_fail(GTK_IS_DROP_DOWN(drop_down) && DEBYE_IS_RESULT_PLOT(plot));
  g_autoptr(GtkListItemFactory) factory = gtk_signal_list_item_factory_new();
  g_object_set_data_full(G_OBJECT(factory), PLOT, g_object_ref(plot), g_object_unref);
  g_signal_connect(factory, "setup", G_CALLBACK(on_setup), NULL);
  g_signal_connect(factory, "bind", G_CALLBACK(on_bind), NULL);
  gtk_drop_down_set_list_factory(drop_down, factory);
}
