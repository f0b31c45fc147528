/* SPDX-License-Identifier: MIT */
/* The row of a layer in the side bar: visibility, swatch, name and controls; made by layers_panel.c. */
#include "layer_row.h"

#include <glib/gi18n.h>

#include "data/selection/selection.h"
#include "layer_controls.h"
#include "layer_settings.h"
#include "layer_swatch.h"
#include "ui/widgets/map_menu.h"
#include "render/layers/layer_title.h"
#include "render/layers/molecular_surface_layer.h"
#include "render/layers/shown_atoms.h"

#define MAXIMUM_LEFT_OUT 40 /* bytes of names */

struct _DebyeLayerRow {
  AdwExpanderRow parent_instance;
  DebyeLayer *layer;
  DebyeTopology *topology;
  GListModel *maps;
  char *source; /* what tells the layer's file; NULL: nothing needs to */
  GtkWidget *visible;
  gboolean filled;
};

G_DEFINE_FINAL_TYPE(DebyeLayerRow, debye_layer_row, ADW_TYPE_EXPANDER_ROW)

static void
on_remove_clicked(DebyeLayerRow *self)
{
  g_signal_emit_by_name(self, "remove");
}

static void
on_back_clicked(DebyeLayerRow *self)
{
  g_signal_emit_by_name(self, "move", -1);
}

static void
on_front_clicked(DebyeLayerRow *self)
{
  g_signal_emit_by_name(self, "move", 1);
}

static GtkWidget *
create_button(DebyeLayerRow *self, const char *icon, const char *name, GCallback clicked)
{
  GtkWidget *button = gtk_button_new_from_icon_name(icon);
  gtk_widget_add_css_class(button, "flat");
  gtk_widget_set_tooltip_text(button, name);
  gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_signal_connect_swapped(button, "clicked", clicked, self);
  return button;
}

static void
add_buttons(DebyeLayerRow *self)
{
  GtkWidget *line = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *row = adw_preferences_row_new();
  GtkWidget *remove =
      create_button(self, "user-trash-symbolic", _("Remove layer (Delete)"), G_CALLBACK(on_remove_clicked));
  gtk_widget_set_hexpand(remove, TRUE);
  gtk_widget_set_halign(remove, GTK_ALIGN_END);
  gtk_box_append(GTK_BOX(line), create_button(self, "go-up-symbolic", _("Towards the back (Alt+Up)"),
                                              G_CALLBACK(on_back_clicked)));
  gtk_box_append(GTK_BOX(line), create_button(self, "go-down-symbolic", _("Towards the front (Alt+Down)"),
                                              G_CALLBACK(on_front_clicked)));
  if (self->maps != NULL && debye_layer_get_field(self->layer) != NULL)
    gtk_box_append(GTK_BOX(line), debye_map_menu_new(self->layer, self->maps));
  gtk_box_append(GTK_BOX(line), remove);
  gtk_widget_add_css_class(line, "layer-buttons");
  gtk_list_box_row_set_activatable(GTK_LIST_BOX_ROW(row), FALSE);
  gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(row), line);
  adw_expander_row_add_row(ADW_EXPANDER_ROW(self), row);
}

static void
on_expanded(DebyeLayerRow *self)
{
  if (self->filled || !adw_expander_row_get_expanded(ADW_EXPANDER_ROW(self)))
    return;
  self->filled = TRUE;
  debye_layer_settings_fill(ADW_EXPANDER_ROW(self), self->layer, self->topology, self->maps);
  add_buttons(self);
}

static void
add_prefixes(DebyeLayerRow *self)
{
  GtkWidget *visible = gtk_check_button_new();
  GtkWidget *swatch = debye_layer_swatch_new(self->layer);
  gtk_widget_set_tooltip_text(visible, _("Visible"));
  gtk_widget_set_valign(visible, GTK_ALIGN_CENTER);
  gtk_widget_set_valign(swatch, GTK_ALIGN_CENTER);
  self->visible = visible;
  debye_layer_controls_bind(self->layer, "visible", visible, "active");
  adw_expander_row_add_prefix(ADW_EXPANDER_ROW(self), visible);
  adw_expander_row_add_prefix(ADW_EXPANDER_ROW(self), swatch);
}

/* --- The name --- */

static void
show_title(DebyeLayerRow *self)
{
  g_autofree char *title = debye_layer_title(self->layer);
  g_autofree char *name = g_strdup_printf(_("Show %s"), title);
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(self), title);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->visible), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

/* --- Keys and dragging --- */

static gboolean
on_key(GtkEventControllerKey *controller G_GNUC_UNUSED, guint key, guint code G_GNUC_UNUSED,
       GdkModifierType state, DebyeLayerRow *self)
{
  /* Not while a text inside the row is being edited. */
  GtkRoot *root = gtk_widget_get_root(GTK_WIDGET(self));
  if (root != NULL && GTK_IS_EDITABLE(gtk_root_get_focus(root)))
    return FALSE;
  if (key == GDK_KEY_Delete)
    on_remove_clicked(self);
  else if (key == GDK_KEY_Up && (state & GDK_ALT_MASK) != 0)
    on_back_clicked(self);
  else if (key == GDK_KEY_Down && (state & GDK_ALT_MASK) != 0)
    on_front_clicked(self);
  else
    return FALSE;
  return TRUE;
}

static GdkContentProvider *
on_drag_prepare(GtkDragSource *source G_GNUC_UNUSED, double x G_GNUC_UNUSED, double y G_GNUC_UNUSED,
                DebyeLayerRow *self)
{
  return gdk_content_provider_new_typed(DEBYE_TYPE_LAYER, self->layer);
}

static void
on_drag_begin(GtkDragSource *source, GdkDrag *drag G_GNUC_UNUSED, DebyeLayerRow *self)
{
  g_autoptr(GdkPaintable) picture = gtk_widget_paintable_new(GTK_WIDGET(self));
  gtk_drag_source_set_icon(source, picture, 16, 16);
}

static gboolean
on_drop(GtkDropTarget *target G_GNUC_UNUSED, const GValue *value, double x G_GNUC_UNUSED,
        double y G_GNUC_UNUSED, DebyeLayerRow *self)
{
  DebyeLayer *layer = g_value_get_object(value);
  if (layer == self->layer)
    return FALSE;
  g_signal_emit_by_name(self, "drop", layer);
  return TRUE;
}

static void
add_controllers(DebyeLayerRow *self)
{
  GtkEventController *keys = gtk_event_controller_key_new();
  g_signal_connect(keys, "key-pressed", G_CALLBACK(on_key), self);
  gtk_widget_add_controller(GTK_WIDGET(self), keys);

  GtkDragSource *source = gtk_drag_source_new();
  gtk_drag_source_set_actions(source, GDK_ACTION_MOVE);
  g_signal_connect(source, "prepare", G_CALLBACK(on_drag_prepare), self);
  g_signal_connect(source, "drag-begin", G_CALLBACK(on_drag_begin), self);
  gtk_widget_add_controller(GTK_WIDGET(self), GTK_EVENT_CONTROLLER(source));

  GtkDropTarget *target = gtk_drop_target_new(DEBYE_TYPE_LAYER, GDK_ACTION_MOVE);
  g_signal_connect(target, "drop", G_CALLBACK(on_drop), self);
  gtk_widget_add_controller(GTK_WIDGET(self), GTK_EVENT_CONTROLLER(target));
}

/* --- Below the name --- */

static void
append_name(GString *names, const char *name)
{
  g_auto(GStrv) there = g_strsplit(names->str, ", ", -1);
  if (*name != '\0' && !g_strv_contains((const char *const *)there, name))
    g_string_append_printf(names, "%s%s", names->len > 0 ? ", " : "", name);
}

/* The names of the residues, neither water nor ions, that a surface of the solute leaves out; NULL: none. */
static char *
list_left_out(DebyeTopology *topology)
{
  g_autoptr(DebyeSelection) selection =
      debye_selection_parse("not (water or ion or " DEBYE_LAYER_BARE_SOLUTE ")", NULL, NULL);
  g_autoptr(GArray) atoms = debye_selection_evaluate(selection, topology, NULL, NULL);
  const DebyeStringPool *pool = debye_topology_get_string_pool(topology);
  const DebyeResidue *table = debye_topology_get_residue_table(topology);
  const guint32 *residues = debye_topology_get_residues(topology);
  g_autoptr(GString) names = g_string_new(NULL);
  guint32 last = G_MAXUINT32;
  for (guint i = 0; atoms != NULL && i < atoms->len; i++) {
    const guint32 residue = residues[g_array_index(atoms, guint32, i)];
    if (residue != last && names->len < MAXIMUM_LEFT_OUT)
      append_name(names, debye_string_pool_get(pool, table[residue].name));
    last = residue;
  }
  return names->len > 0 ? g_strdup(names->str) : NULL;
}

static char *
describe_left_out(DebyeLayer *layer)
{
  const DebyeShownAtoms *shown = debye_layer_get_shown(layer);
  if (!DEBYE_IS_MOLECULAR_SURFACE_LAYER(layer) || shown == NULL ||
      g_strcmp0(shown->selection, DEBYE_LAYER_BARE_SOLUTE) != 0)
    return NULL;
  g_autofree char *names = list_left_out(shown->topology);
  return names != NULL ? g_strdup_printf(_("Without %s"), names) : NULL;
}

static void
show_subtitle(DebyeLayerRow *self)
{
  g_autofree char *left_out = describe_left_out(self->layer);
  g_autofree char *both =
      self->source != NULL && left_out != NULL ? g_strdup_printf("%s · %s", self->source, left_out) : NULL;
  const char *text = both != NULL ? both : left_out != NULL ? left_out : self->source;
  adw_expander_row_set_subtitle(ADW_EXPANDER_ROW(self), text != NULL ? text : "");
}

/* --- The object --- */

GtkWidget *
debye_layer_row_new(DebyeLayer *layer, DebyeTopology *topology, GListModel *maps)
{
  DebyeLayerRow *self = g_object_new(DEBYE_TYPE_LAYER_ROW, NULL);
  self->layer = g_object_ref(layer);
  self->topology = topology != NULL ? g_object_ref(topology) : NULL;
  self->maps = maps != NULL ? g_object_ref(maps) : NULL;
  add_prefixes(self);
  show_title(self);
  g_signal_connect_object(layer, "notify::name", G_CALLBACK(show_title), self, G_CONNECT_SWAPPED);
  if (DEBYE_IS_MOLECULAR_SURFACE_LAYER(layer))
    g_signal_connect_object(layer, "notify::choice", G_CALLBACK(show_subtitle), self, G_CONNECT_SWAPPED);
  add_controllers(self);
  show_subtitle(self);
  g_signal_connect(self, "notify::expanded", G_CALLBACK(on_expanded), NULL);
  return GTK_WIDGET(self);
}

DebyeLayer *
debye_layer_row_get_layer(DebyeLayerRow *self)
{
  g_return_val_if_fail(DEBYE_IS_LAYER_ROW(self), NULL);
  return self->layer;
}

void
debye_layer_row_show_source(DebyeLayerRow *self, gboolean show)
{
  g_return_if_fail(DEBYE_IS_LAYER_ROW(self));
  const char *source = debye_layer_get_source(self->layer);
  g_free(self->source);
  self->source = show ? g_strdup(source) : NULL;
  show_subtitle(self);
}

static void
debye_layer_row_dispose(GObject *object)
{
  DebyeLayerRow *self = DEBYE_LAYER_ROW(object);
  g_clear_object(&self->layer);
  g_clear_object(&self->topology);
  g_clear_object(&self->maps);
  g_clear_pointer(&self->source, g_free);
  G_OBJECT_CLASS(debye_layer_row_parent_class)->dispose(object);
}

static void
debye_layer_row_class_init(DebyeLayerRowClass *class)
{
  G_OBJECT_CLASS(class)->dispose = debye_layer_row_dispose;
  const GType type = DEBYE_TYPE_LAYER_ROW;
  g_signal_new("remove", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new("move", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT);
  g_signal_new("drop", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, DEBYE_TYPE_LAYER);
}

static void
debye_layer_row_init(DebyeLayerRow *self)
{
  adw_preferences_row_set_use_markup(ADW_PREFERENCES_ROW(self), FALSE);
}
