/* SPDX-License-Identifier: MIT */
/* The dialog that chooses the map to subtract from another; opened by the window's map actions. */
#include "map_subtract_dialog.h"

#include "data/results/field_math.h"
#include "render/scene/scene_map.h"
#include "ui/widgets/template.h"

struct _DebyeMapSubtractDialog {
  AdwWindow parent_instance;
  DebyeField *map;
  GListModel *others;
  AdwActionRow *first;
  AdwComboRow *second;
  GtkLabel *problem;
  GtkButton *subtract;
};

G_DEFINE_FINAL_TYPE(DebyeMapSubtractDialog, debye_map_subtract_dialog, ADW_TYPE_WINDOW)

static void
on_subtract_clicked(DebyeMapSubtractDialog *self)
{
  g_signal_emit_by_name(self, "subtract", adw_combo_row_get_selected(self->second));
  gtk_window_close(GTK_WINDOW(self));
}

static gboolean
fits(DebyeMapSubtractDialog *self, guint number, GError **error)
{
  g_autoptr(DebyeSceneMap) other = g_list_model_get_item(self->others, number);
  return other != NULL && debye_field_can_subtract(self->map, debye_scene_map_get_field(other), error);
}

static void
on_selected(DebyeMapSubtractDialog *self)
{
  g_autoptr(GError) error = NULL;
  gboolean possible = self->others != NULL && fits(self, adw_combo_row_get_selected(self->second), &error);
  gtk_widget_set_sensitive(GTK_WIDGET(self->subtract), possible);
  gtk_widget_set_visible(GTK_WIDGET(self->problem), error != NULL);
  const char *problem = error != NULL ? error->message : NULL;
  gtk_label_set_label(self->problem, problem != NULL ? problem : "");
}

static void
select_first_that_fits(DebyeMapSubtractDialog *self)
{
  for (guint i = 0; i < g_list_model_get_n_items(self->others); i++)
    if (fits(self, i, NULL)) {
      adw_combo_row_set_selected(self->second, i);
      break;
    }
  on_selected(self);
}

GtkWidget *
debye_map_subtract_dialog_new(GtkWindow *parent, DebyeField *map, const char *name, GListModel *others)
{
  DebyeMapSubtractDialog *self = g_object_new(DEBYE_TYPE_MAP_SUBTRACT_DIALOG, "transient-for", parent, NULL);
  g_autoptr(GtkExpression) names = gtk_property_expression_new(DEBYE_TYPE_SCENE_MAP, NULL, "name");
  self->map = g_object_ref(map);
  self->others = g_object_ref(others);
  adw_action_row_set_subtitle(self->first, name);
  adw_combo_row_set_expression(self->second, names);
  adw_combo_row_set_model(self->second, others);
  select_first_that_fits(self);
  gtk_window_set_focus(GTK_WINDOW(self), gtk_widget_get_sensitive(GTK_WIDGET(self->subtract))
                                             ? GTK_WIDGET(self->subtract)
                                             : GTK_WIDGET(self->second));
  return GTK_WIDGET(self);
}

static void
debye_map_subtract_dialog_dispose(GObject *object)
{
  DebyeMapSubtractDialog *self = DEBYE_MAP_SUBTRACT_DIALOG(object);
  g_clear_object(&self->map);
  g_clear_object(&self->others);
  G_OBJECT_CLASS(debye_map_subtract_dialog_parent_class)->dispose(object);
}

static void
debye_map_subtract_dialog_class_init(DebyeMapSubtractDialogClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = debye_map_subtract_dialog_dispose;
  g_signal_new("subtract", DEBYE_TYPE_MAP_SUBTRACT_DIALOG, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
               G_TYPE_NONE, 1, G_TYPE_UINT);
  gtk_widget_class_set_template_from_resource(widget_class, "/org/debye/Debye/map_subtract_dialog.ui");
  DEBYE_BIND_CHILDREN(class, DebyeMapSubtractDialog, first, second, problem, subtract);
  DEBYE_BIND_CALLBACKS(class, on_subtract_clicked, on_selected);
  gtk_widget_class_add_binding_action(widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
debye_map_subtract_dialog_init(DebyeMapSubtractDialog *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
}
