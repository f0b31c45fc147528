/* SPDX-License-Identifier: MIT */
/* The Scene side of the side bar: the list of layers and the menu to add one; part of window.c. */
#include "layers_panel.h"

#include <glib/gi18n.h>
#include <math.h>

#include "layer_menu.h"
#include "layer_row.h"
#include "look_controls.h"
#include "render/layers/layer_title.h"
#include "ui/widgets/template.h"

struct _DebyeLayersPanel {
  AdwBin parent_instance;
  GtkListBox *list, *look_list;
  GtkMenuButton *add_button;
  DebyeScene *scene;
  DebyeSceneHistory *history;
  DebyeTopology *topology;
};

G_DEFINE_FINAL_TYPE(DebyeLayersPanel, debye_layers_panel, ADW_TYPE_BIN)

static void
on_remove(DebyeLayersPanel *self, DebyeLayerRow *row)
{
  g_autoptr(DebyeLayer) layer = g_object_ref(debye_layer_row_get_layer(row));
  debye_scene_history_remove(self->history, layer);
  g_autofree char *title = debye_layer_title(layer);
  g_signal_emit_by_name(self, "removed", title);
}

static void
on_move(DebyeLayersPanel *self, int by, DebyeLayerRow *row)
{
  g_autoptr(DebyeLayer) layer = g_object_ref(debye_layer_row_get_layer(row));
  guint position = debye_scene_history_find(self->history, layer);
  if (by > 0 || position > 0)
    debye_scene_history_move(self->history, layer, position + (guint)by);
}

static void
on_drop(DebyeLayersPanel *self, DebyeLayer *dropped, DebyeLayerRow *row)
{
  guint position = debye_scene_history_find(self->history, debye_layer_row_get_layer(row));
  debye_scene_history_move(self->history, dropped, position);
}

static GtkWidget *
create_row(gpointer item, gpointer data)
{
  DebyeLayersPanel *self = data;
  GtkWidget *row = debye_layer_row_new(item, self->topology, G_LIST_MODEL(debye_scene_get_maps(self->scene)));
  g_signal_connect_object(row, "remove", G_CALLBACK(on_remove), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(row, "move", G_CALLBACK(on_move), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(row, "drop", G_CALLBACK(on_drop), self, G_CONNECT_SWAPPED);
  return row;
}

static gboolean
has_several_maps(DebyeLayersPanel *self)
{
  DebyeField *first = NULL;
  GtkListBoxRow *row;
  for (int i = 0; (row = gtk_list_box_get_row_at_index(self->list, i)) != NULL; i++) {
    DebyeField *map = debye_layer_get_field(debye_layer_row_get_layer(DEBYE_LAYER_ROW(row)));
    if (map != NULL && first != NULL && map != first)
      return TRUE;
    first = first != NULL ? first : map;
  }
  return FALSE;
}

/* With one map it is plain which one is meant. */
static void
show_sources(DebyeLayersPanel *self)
{
  gboolean several = has_several_maps(self);
  GtkListBoxRow *row;
  for (int i = 0; (row = gtk_list_box_get_row_at_index(self->list, i)) != NULL; i++)
    debye_layer_row_show_source(DEBYE_LAYER_ROW(row), several);
}

/* Anew, as its controls are those of one scene. */
static void
show_look(DebyeLayersPanel *self)
{
  GtkListBoxRow *old = gtk_list_box_get_row_at_index(self->look_list, 0);
  if (old != NULL)
    gtk_list_box_remove(self->look_list, GTK_WIDGET(old));
  gtk_widget_set_visible(GTK_WIDGET(self->look_list), self->scene != NULL);
  if (self->scene == NULL)
    return;
  GtkWidget *row = adw_expander_row_new();
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), _("Look"));
  adw_expander_row_set_subtitle(ADW_EXPANDER_ROW(row), _("Background, light, shadow, legend"));
  debye_look_controls_fill(ADW_EXPANDER_ROW(row), self->scene);
  gtk_list_box_append(self->look_list, row);
}

void
debye_layers_panel_set_scene(DebyeLayersPanel *self, DebyeScene *scene, DebyeSceneHistory *history,
                             DebyeTopology *topology)
{
  g_return_if_fail(DEBYE_IS_LAYERS_PANEL(self));
  g_set_object(&self->scene, scene);
  g_set_object(&self->history, history);
  g_set_object(&self->topology, topology);
  gtk_list_box_bind_model(self->list, scene != NULL ? debye_scene_get_layers(scene) : NULL, create_row, self,
                          NULL);
  /* After the list itself, which was connected first, has made its rows. */
  if (scene != NULL)
    g_signal_connect_object(debye_scene_get_layers(scene), "items-changed", G_CALLBACK(show_sources), self,
                            G_CONNECT_SWAPPED);
  show_sources(self);
  show_look(self);
}

/* How long a row that opens may grow. */
#define OPENING_MICROSECONDS 400000

/* A row that is opened, until it has its height. */
typedef struct {
  GtkScrolledWindow *scrolled; /* borrowed: the row stands in it */
  gint64 start;
} Opening;

/* From its top on where it is higher than the list. */
static gboolean
scroll_to_row(GtkWidget *row, GdkFrameClock *clock, gpointer data)
{
  Opening *opening = data;
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment(opening->scrolled);
  GtkWidget *viewport = gtk_scrolled_window_get_child(opening->scrolled);
  graphene_rect_t bounds;
  gint64 now = gdk_frame_clock_get_frame_time(clock);
  if (opening->start == 0)
    opening->start = now;
  if (gtk_widget_compute_bounds(row, gtk_viewport_get_child(GTK_VIEWPORT(viewport)), &bounds)) {
    double top = (double)bounds.origin.y, height = (double)bounds.size.height;
    gtk_adjustment_clamp_page(adjustment, top, top + fmin(height, gtk_adjustment_get_page_size(adjustment)));
  }
  return now - opening->start < OPENING_MICROSECONDS ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

static void
show_row(DebyeLayersPanel *self, GtkListBoxRow *row)
{
  Opening *opening = g_new(Opening, 1);
  *opening = (Opening){.scrolled = GTK_SCROLLED_WINDOW(adw_bin_get_child(ADW_BIN(self)))};
  /* Its head, that is: the row itself takes none. */
  gtk_widget_child_focus(GTK_WIDGET(row), GTK_DIR_TAB_FORWARD);
  gtk_widget_add_tick_callback(GTK_WIDGET(row), scroll_to_row, opening, g_free);
}

void
debye_layers_panel_expand(DebyeLayersPanel *self, DebyeLayer *layer)
{
  g_return_if_fail(DEBYE_IS_LAYERS_PANEL(self));
  guint position = self->history != NULL ? debye_scene_history_find(self->history, layer) : G_MAXUINT;
  if (position == G_MAXUINT)
    return;
  GtkListBoxRow *row = gtk_list_box_get_row_at_index(self->list, (int)position);
  adw_expander_row_set_expanded(ADW_EXPANDER_ROW(row), TRUE);
  show_row(self, row);
}

static void
debye_layers_panel_dispose(GObject *object)
{
  DebyeLayersPanel *self = DEBYE_LAYERS_PANEL(object);
  g_clear_object(&self->scene);
  g_clear_object(&self->history);
  g_clear_object(&self->topology);
  G_OBJECT_CLASS(debye_layers_panel_parent_class)->dispose(object);
}

static void
debye_layers_panel_class_init(DebyeLayersPanelClass *class)
{
  G_OBJECT_CLASS(class)->dispose = debye_layers_panel_dispose;
  g_signal_new("removed", DEBYE_TYPE_LAYERS_PANEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
               G_TYPE_STRING);
  gtk_widget_class_set_template_from_resource(GTK_WIDGET_CLASS(class), "/org/debye/Debye/layers_panel.ui");
  DEBYE_BIND_CHILDREN(class, DebyeLayersPanel, list, look_list, add_button);
}

static void
debye_layers_panel_init(DebyeLayersPanel *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
  gtk_menu_button_set_menu_model(self->add_button, debye_layer_menu_get());
}
