/* SPDX-License-Identifier: MIT */
/* The widgets that the rows of layers are made of; used by layer_settings.c and color_controls.c. */
#include "layer_controls.h"

#include <glib/gi18n.h>

#define LABEL_WIDTH_CHARS 8
#define N_COLORINGS_KEY "debye-n-colorings"
#define LEAST_CHOICE_CHARS 12

/* The labels of a row are as wide as its longest, so that its controls stand below each other. */
static GtkSizeGroup *
get_label_column(AdwExpanderRow *row)
{
  static const char key[] = "debye-label-column";
  GtkSizeGroup *column = g_object_get_data(G_OBJECT(row), key);
  if (column == NULL) {
    column = gtk_size_group_new(GTK_SIZE_GROUP_HORIZONTAL);
    g_object_set_data_full(G_OBJECT(row), key, column, g_object_unref);
  }
  return column;
}

GtkWidget *
debye_layer_controls_add_line(AdwExpanderRow *row, const char *label, GtkWidget *control)
{
  GtkWidget *line = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *text = gtk_label_new(label);
  GtkWidget *item = adw_preferences_row_new();
  gtk_label_set_xalign(GTK_LABEL(text), 0.0f);
  gtk_label_set_width_chars(GTK_LABEL(text), LABEL_WIDTH_CHARS);
  gtk_size_group_add_widget(get_label_column(row), text);
  gtk_widget_set_valign(text, GTK_ALIGN_BASELINE);
  gtk_widget_set_hexpand(control, TRUE);
  gtk_box_append(GTK_BOX(line), text);
  gtk_box_append(GTK_BOX(line), control);
  gtk_widget_add_css_class(line, "control");
  gtk_list_box_row_set_activatable(GTK_LIST_BOX_ROW(item), FALSE);
  gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(item), line);
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(item), label);
  adw_expander_row_add_row(row, item);
  return item;
}

void
debye_layer_controls_edit(GBinding *binding)
{
  g_autoptr(GObject) layer = g_binding_dup_source(binding);
  if (layer != NULL)
    debye_layer_edit(DEBYE_LAYER(layer), g_binding_get_source_property(binding));
}

static gboolean
take_from_control(GBinding *binding, const GValue *from, GValue *to, gpointer data G_GNUC_UNUSED)
{
  debye_layer_controls_edit(binding);
  return g_value_transform(from, to);
}

void
debye_layer_controls_bind(DebyeLayer *layer, const char *property, GtkWidget *control,
                          const char *control_property)
{
  g_object_bind_property_full(layer, property, control, control_property,
                              G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL, NULL, take_from_control, NULL,
                              NULL);
}

static gboolean
int_to_uint(GBinding *binding G_GNUC_UNUSED, const GValue *from, GValue *to, gpointer data G_GNUC_UNUSED)
{
  g_value_set_uint(to, (guint)MAX(g_value_get_int(from), 0));
  return TRUE;
}

static gboolean
uint_to_int(GBinding *binding, const GValue *from, GValue *to, gpointer data G_GNUC_UNUSED)
{
  if (g_value_get_uint(from) == GTK_INVALID_LIST_POSITION)
    return FALSE;
  debye_layer_controls_edit(binding);
  g_value_set_int(to, (int)g_value_get_uint(from));
  return TRUE;
}

static void
set_up_text(GtkSignalListItemFactory *factory G_GNUC_UNUSED, GtkListItem *item, gpointer data G_GNUC_UNUSED)
{
  GtkWidget *label = gtk_label_new(NULL);
  gtk_label_set_xalign(GTK_LABEL(label), 0.0f);
  gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars(GTK_LABEL(label), LEAST_CHOICE_CHARS);
  gtk_widget_set_hexpand(label, TRUE);
  gtk_list_item_set_child(item, label);
}

static void
show_text(GtkSignalListItemFactory *factory G_GNUC_UNUSED, GtkListItem *item, GtkDropDown *choice)
{
  g_auto(GValue) text = G_VALUE_INIT;
  if (gtk_expression_evaluate(gtk_drop_down_get_expression(choice), gtk_list_item_get_item(item), &text))
    gtk_label_set_label(GTK_LABEL(gtk_list_item_get_child(item)), g_value_get_string(&text));
}

GtkWidget *
debye_layer_controls_drop_down(GListModel *model, GtkExpression *text)
{
  GtkWidget *widget = gtk_drop_down_new(model, text);
  GtkDropDown *choice = GTK_DROP_DOWN(widget);
  g_autoptr(GtkListItemFactory) chosen = gtk_signal_list_item_factory_new();
  g_signal_connect(chosen, "setup", G_CALLBACK(set_up_text), NULL);
  g_signal_connect(chosen, "bind", G_CALLBACK(show_text), choice);
  gtk_drop_down_set_list_factory(choice, gtk_drop_down_get_factory(choice));
  gtk_drop_down_set_factory(choice, chosen);
  return widget;
}

/* --- Colourings that lack something --- */

/* NULL: the layer can be coloured so. */
static const char *
find_lack(GtkDropDown *choice, DebyeLayer *layer, guint position)
{
  guint n_colorings = GPOINTER_TO_UINT(g_object_get_data(G_OBJECT(choice), N_COLORINGS_KEY));
  return position < n_colorings ? debye_layer_find_coloring_lack(layer, (int)position) : NULL;
}

/* A mark at the one that is chosen, as in GTK's own lists. */
static void
show_check(GtkListItem *item, GtkDropDown *choice)
{
  gboolean is_chosen = gtk_drop_down_get_selected(choice) == gtk_list_item_get_position(item);
  gtk_widget_set_opacity(gtk_widget_get_last_child(gtk_list_item_get_child(item)), is_chosen ? 1.0 : 0.0);
}

static void
on_choice_changed(GtkDropDown *choice, GParamSpec *spec G_GNUC_UNUSED, GtkListItem *item)
{
  show_check(item, choice);
}

static GtkWidget *
create_coloring_texts(void)
{
  GtkWidget *texts = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *name = gtk_label_new(NULL), *reason = gtk_label_new(NULL);
  gtk_label_set_xalign(GTK_LABEL(name), 0.0f);
  gtk_label_set_xalign(GTK_LABEL(reason), 0.0f);
  gtk_widget_add_css_class(reason, "caption");
  gtk_widget_set_hexpand(texts, TRUE);
  gtk_box_append(GTK_BOX(texts), name);
  gtk_box_append(GTK_BOX(texts), reason);
  return texts;
}

static void
set_up_coloring(GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data G_GNUC_UNUSED)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_box_append(GTK_BOX(box), create_coloring_texts());
  gtk_box_append(GTK_BOX(box), gtk_image_new_from_icon_name("object-select-symbolic"));
  gtk_list_item_set_child(item, box);
  g_signal_connect_object(g_object_get_data(G_OBJECT(factory), "choice"), "notify::selected",
                          G_CALLBACK(on_choice_changed), item, G_CONNECT_DEFAULT);
}

static void
show_coloring(GtkListItem *item, GtkDropDown *choice, const char *lack)
{
  g_auto(GValue) text = G_VALUE_INIT;
  GtkWidget *box = gtk_list_item_get_child(item);
  GtkWidget *texts = gtk_widget_get_first_child(box);
  GtkWidget *name = gtk_widget_get_first_child(texts), *reason = gtk_widget_get_last_child(texts);
  if (gtk_expression_evaluate(gtk_drop_down_get_expression(choice), gtk_list_item_get_item(item), &text))
    gtk_label_set_label(GTK_LABEL(name), g_value_get_string(&text));
  gtk_label_set_label(GTK_LABEL(reason), lack != NULL ? _(lack) : "");
  gtk_widget_set_visible(reason, lack != NULL);
  gtk_widget_set_sensitive(box, lack == NULL);
  gtk_list_item_set_activatable(item, lack == NULL);
  gtk_list_item_set_selectable(item, lack == NULL);
  show_check(item, choice);
}

/* The layer is the drop down's for as long as that is there. */
static void
bind_coloring(GtkSignalListItemFactory *factory, GtkListItem *item, DebyeLayer *layer)
{
  GtkDropDown *choice = g_object_get_data(G_OBJECT(factory), "choice");
  show_coloring(item, choice, find_lack(choice, layer, gtk_list_item_get_position(item)));
}

/* A key can reach what the pointer can't. */
static void
take_back_lacking(GtkDropDown *choice, GParamSpec *spec G_GNUC_UNUSED, DebyeLayer *layer)
{
  int coloring = 0;
  if (find_lack(choice, layer, gtk_drop_down_get_selected(choice)) == NULL)
    return;
  g_object_get(layer, "coloring", &coloring, NULL);
  if ((guint)coloring != gtk_drop_down_get_selected(choice))
    gtk_drop_down_set_selected(choice, (guint)coloring);
}

void
debye_layer_controls_grey_out(GtkWidget *choice, DebyeLayer *layer, guint n_colorings)
{
  g_return_if_fail(GTK_IS_DROP_DOWN(choice) && DEBYE_IS_LAYER(layer));
  g_autoptr(GtkListItemFactory) factory = gtk_signal_list_item_factory_new();
  g_object_set_data(G_OBJECT(choice), N_COLORINGS_KEY, GUINT_TO_POINTER(n_colorings));
  g_object_set_data(G_OBJECT(factory), "choice", choice); /* which owns the factory */
  g_signal_connect(factory, "setup", G_CALLBACK(set_up_coloring), NULL);
  g_signal_connect_object(factory, "bind", G_CALLBACK(bind_coloring), layer, G_CONNECT_DEFAULT);
  g_signal_connect_object(choice, "notify::selected", G_CALLBACK(take_back_lacking), layer,
                          G_CONNECT_DEFAULT);
  gtk_drop_down_set_list_factory(GTK_DROP_DOWN(choice), factory);
}

guint
debye_layer_controls_count_choices(DebyeLayer *layer, const char *property, const DebyeChoice *choices)
{
  GParamSpec *spec = g_object_class_find_property(G_OBJECT_GET_CLASS(layer), property);
  const guint most =
      spec != NULL && G_IS_PARAM_SPEC_INT(spec) ? (guint)G_PARAM_SPEC_INT(spec)->maximum + 1u : G_MAXUINT;
  guint n = 0;
  while (n < most && choices[n].value != NULL)
    n++;
  return n;
}

GtkWidget *
debye_layer_controls_choice(DebyeLayer *layer, const char *property, const char *name,
                            const DebyeChoice *choices)
{
  g_autoptr(GtkStringList) shown = gtk_string_list_new(NULL);
  const guint n_choices = debye_layer_controls_count_choices(layer, property, choices);
  for (guint i = 0; i < n_choices; i++)
    gtk_string_list_append(shown, _(choices[i].label));
  GtkWidget *choice =
      debye_layer_controls_drop_down(G_LIST_MODEL(g_steal_pointer(&shown)),
                                     gtk_property_expression_new(GTK_TYPE_STRING_OBJECT, NULL, "string"));
  gtk_accessible_update_property(GTK_ACCESSIBLE(choice), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_object_bind_property_full(layer, property, choice, "selected",
                              G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL, int_to_uint, uint_to_int, NULL,
                              NULL);
  if (g_str_equal(property, "coloring"))
    debye_layer_controls_grey_out(choice, layer, n_choices);
  return choice;
}
