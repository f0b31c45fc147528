/* SPDX-License-Identifier: MIT */
/* A drop down of colour maps and a button that asks for a file; made by layer_settings.c. */
#include "color_map_control.h"

#include <glib/gi18n.h>

#include "data/messages/message.h"
#include "layer_controls.h"
#include "render/plot/color_map.h"
#include "ui/widgets/file_question.h"

typedef struct {
  DebyeLayer *layer; /* borrowed: signals go with it */
  GtkDropDown *choice;
  GtkStringList *names;
  guint n_own; /* the usual one and those of the program: a file's stands behind them */
  gulong selected;
} Control;

static const DebyeColorMap *
get_map(const Control *control)
{
  g_autofree char *text = NULL;
  g_object_get(control->layer, "color-map", &text, NULL);
  return text != NULL && *text != '\0' ? debye_color_map_parse(text) : NULL;
}

static guint
find_position(const Control *control, const DebyeColorMap *map)
{
  const DebyeColorMap *const *list = debye_color_map_list();
  if (map == NULL)
    return 0;
  for (guint i = 0; list[i] != NULL; i++)
    if (list[i] == map)
      return i + 1;
  return control->n_own;
}

static void
show_map(Control *control)
{
  const DebyeColorMap *map = get_map(control);
  const guint position = find_position(control, map);
  const guint n_listed = g_list_model_get_n_items(G_LIST_MODEL(control->names));
  const char *const of_file[] = {position == control->n_own ? map->name : NULL, NULL};
  g_signal_handler_block(control->choice, control->selected);
  /* The last file's stays in the list, to come back to. */
  if (position == control->n_own)
    gtk_string_list_splice(control->names, control->n_own, n_listed - control->n_own, of_file);
  gtk_drop_down_set_selected(control->choice, position);
  g_signal_handler_unblock(control->choice, control->selected);
}

static void
set_map(Control *control, const char *text)
{
  debye_layer_edit(control->layer, "color-map");
  g_object_set(control->layer, "color-map", text, NULL);
}

static void
on_selected(Control *control)
{
  const guint position = gtk_drop_down_get_selected(control->choice);
  const char *of_file = g_object_get_data(G_OBJECT(control->choice), "of-file");
  if (position < control->n_own)
    set_map(control, position > 0 ? debye_color_map_list()[position - 1]->name : "");
  else if (position == control->n_own && of_file != NULL)
    set_map(control, of_file);
}

/* --- A file --- */

static void
show_error(GtkWidget *widget, const GError *error)
{
  g_autofree char *text = debye_message_translate(error->message);
  GtkWidget *dialog = gtk_message_dialog_new(
      GTK_WINDOW(gtk_widget_get_root(widget)), GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT,
      GTK_MESSAGE_ERROR, GTK_BUTTONS_CLOSE, "%s", _("This file is not a colour map"));
  gtk_message_dialog_format_secondary_text(GTK_MESSAGE_DIALOG(dialog), "%s", text);
  g_signal_connect(dialog, "response", G_CALLBACK(gtk_window_destroy), NULL);
  gtk_window_present(GTK_WINDOW(dialog));
}

static void
on_chosen(GtkFileChooser *chooser, gpointer data)
{
  GtkWidget *choice = data;
  Control *control = g_object_get_data(G_OBJECT(choice), "debye-color-map-control");
  g_autofree char *path = debye_file_question_get_path(chooser);
  g_autoptr(GError) error = NULL;
  const DebyeColorMap *map = path != NULL ? debye_color_map_load(path, &error) : NULL;
  if (error != NULL && gtk_widget_get_root(choice) != NULL)
    show_error(choice, error);
  if (map == NULL)
    return;
  char *text = debye_color_map_to_text(map);
  g_object_set_data_full(G_OBJECT(choice), "of-file", text, g_free);
  set_map(control, text);
}

/* The row may go while the question stands. */
static void
on_file_clicked(Control *control)
{
  GtkRoot *root = gtk_widget_get_root(GTK_WIDGET(control->choice));
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new(_("Open a colour map"), GTK_WINDOW(root),
                                                              GTK_FILE_CHOOSER_ACTION_OPEN, NULL, NULL);
  debye_file_question_ask(chooser, on_chosen, g_object_ref(control->choice), g_object_unref);
}

static GtkWidget *
create_file_button(Control *control)
{
  GtkWidget *button = gtk_button_new_from_icon_name("document-open-symbolic");
  const char *name = _("Open a colour map");
  gtk_widget_add_css_class(button, "flat");
  gtk_widget_set_tooltip_text(button, _("A text file of rows r g b or position r g b"));
  gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_signal_connect_swapped(button, "clicked", G_CALLBACK(on_file_clicked), control);
  return button;
}

/* --- The whole --- */

static void
list_maps(Control *control)
{
  control->names = gtk_string_list_new(NULL);
  gtk_string_list_append(control->names, _("By the values"));
  for (const DebyeColorMap *const *map = debye_color_map_list(); *map != NULL; map++)
    gtk_string_list_append(control->names, (*map)->label);
  control->n_own = g_list_model_get_n_items(G_LIST_MODEL(control->names));
}

GtkWidget *
debye_color_map_control_new(DebyeLayer *layer, const char *name)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
  Control *control = g_new0(Control, 1);
  control->layer = layer;
  list_maps(control);
  GtkWidget *choice = debye_layer_controls_drop_down(
      G_LIST_MODEL(control->names), gtk_property_expression_new(GTK_TYPE_STRING_OBJECT, NULL, "string"));
  control->choice = GTK_DROP_DOWN(choice);
  g_object_set_data_full(G_OBJECT(choice), "debye-color-map-control", control, g_free);
  gtk_accessible_update_property(GTK_ACCESSIBLE(choice), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_widget_set_hexpand(choice, TRUE);
  gtk_box_append(GTK_BOX(box), choice);
  gtk_box_append(GTK_BOX(box), create_file_button(control));
  const DebyeColorMap *map = get_map(control);
  if (find_position(control, map) == control->n_own)
    g_object_set_data_full(G_OBJECT(choice), "of-file", debye_color_map_to_text(map), g_free);
  control->selected = g_signal_connect_swapped(choice, "notify::selected", G_CALLBACK(on_selected), control);
  GClosure *show = g_cclosure_new_swap(G_CALLBACK(show_map), control, NULL);
  g_object_watch_closure(G_OBJECT(choice), show);
  g_signal_connect_closure(layer, "notify::color-map", show, FALSE);
  show_map(control);
  return box;
}
