/* SPDX-License-Identifier: MIT */
/* Implementation of curve_row.h; rows of look_panel.c. */
#include "curve_row.h"

#include <glib/gi18n.h>

#include "render/look/look_words.h"
#include "render/plot/plot_text.h"
#include "ui/widgets/number_entry.h"
#include "ui/widgets/number_text.h"

#define LEAST_WIDTH 0.1
#define MAX_WIDTH 20.0
#define WIDTH_CHARS 5

struct _DebyeCurveRow {
  AdwPreferencesRow parent_instance;
  DebyeResultLook *look;
  DebyePlot *plot;
  guint series;
  GtkWidget *color, *name, *dash, *width, *marker, *reset;
  gboolean is_updating, is_storing;
};

G_DEFINE_FINAL_TYPE(DebyeCurveRow, debye_curve_row, ADW_TYPE_PREFERENCES_ROW)

/* --- From the row --- */

static void
read_color(DebyeCurveRow *self, DebyeCurveLook *look)
{
  GdkRGBA rgba;
  gtk_color_chooser_get_rgba(GTK_COLOR_CHOOSER(self->color), &rgba);
  look->rgb = (guint32)(rgba.red * 255.0f + 0.5f) << 16 | (guint32)(rgba.green * 255.0f + 0.5f) << 8 |
              (guint32)(rgba.blue * 255.0f + 0.5f);
  look->has_rgb = look->has_rgb || look->rgb != debye_plot_get_series_rgb(self->plot, self->series);
}

static void
read_name(DebyeCurveRow *self, DebyeCurveLook *look)
{
  const char *name = gtk_editable_get_text(GTK_EDITABLE(self->name));
  g_free(look->label);
  look->label = *name != '\0' ? g_strdup(name) : NULL;
}

/* Points; empty: that of the style. */
static void
read_width(DebyeCurveRow *self, DebyeCurveLook *look)
{
  double width = 0.0;
  const char *text = gtk_editable_get_text(GTK_EDITABLE(self->width));
  g_autofree char *number = debye_number_with_dot(text);
  const gboolean is_width =
      *text == '\0' || (debye_look_read_number(number, &width) && width >= LEAST_WIDTH && width <= MAX_WIDTH);
  if (is_width) {
    look->width = width;
    gtk_widget_remove_css_class(self->width, "error");
  } else {
    gtk_widget_add_css_class(self->width, "error");
  }
}

/* The first choices are as the curve is by itself; the second marker is none at all. */
static void
read_drawing(DebyeCurveRow *self, DebyeCurveLook *look)
{
  const guint dash = gtk_drop_down_get_selected(GTK_DROP_DOWN(self->dash));
  const guint marker = gtk_drop_down_get_selected(GTK_DROP_DOWN(self->marker));
  look->has_dash = dash > 0;
  look->dash = dash > 0 ? (DebyePlotDash)(dash - 1) : DEBYE_PLOT_SOLID;
  look->is_bare = marker == 1;
  look->has_marker = marker > 1;
  look->marker = marker > 1 ? (DebyePlotMarker)(marker - 2) : DEBYE_PLOT_CIRCLE;
}

static void
on_edited(DebyeCurveRow *self)
{
  g_auto(DebyeCurveLook) look = {.label = NULL};
  if (self->is_updating)
    return;
  debye_result_look_get_curve(self->look, self->series, &look);
  read_color(self, &look);
  read_name(self, &look);
  read_drawing(self, &look);
  read_width(self, &look);
  self->is_storing = TRUE;
  debye_result_look_set_curve(self->look, self->series, &look);
  self->is_storing = FALSE;
  gtk_widget_set_sensitive(self->reset, TRUE);
}

static void
on_reset(DebyeCurveRow *self)
{
  const DebyeCurveLook look = {.label = NULL};
  debye_result_look_set_curve(self->look, self->series, &look);
}

/* --- Into the row --- */

static void
show_color(DebyeCurveRow *self)
{
  const guint32 rgb = debye_plot_get_series_rgb(self->plot, self->series);
  const GdkRGBA rgba = {(float)(rgb >> 16 & 0xff) / 255.0f, (float)(rgb >> 8 & 0xff) / 255.0f,
                        (float)(rgb & 0xff) / 255.0f, 1.0f};
  gtk_color_chooser_set_rgba(GTK_COLOR_CHOOSER(self->color), &rgba);
}

static void
show_width(DebyeCurveRow *self, double width)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  gtk_editable_set_text(GTK_EDITABLE(self->width),
                        width > 0.0 ? g_ascii_formatd(number, sizeof number, "%g", width) : "");
  gtk_widget_remove_css_class(self->width, "error");
}

static void
show_look(DebyeCurveRow *self, const DebyeCurveLook *look)
{
  const char *label = look->label != NULL ? look->label : "";
  show_color(self);
  if (g_strcmp0(gtk_editable_get_text(GTK_EDITABLE(self->name)), label) != 0)
    gtk_editable_set_text(GTK_EDITABLE(self->name), label);
  gtk_drop_down_set_selected(GTK_DROP_DOWN(self->dash), look->has_dash ? look->dash + 1 : 0);
  show_width(self, look->width);
  gtk_drop_down_set_selected(GTK_DROP_DOWN(self->marker), look->is_bare      ? 1
                                                          : look->has_marker ? look->marker + 2
                                                                             : 0);
}

static void
show(DebyeCurveRow *self)
{
  g_auto(DebyeCurveLook) look = {.label = NULL};
  if (self->is_storing || debye_plot_get_curve(self->plot, self->series) == NULL)
    return;
  debye_result_look_get_curve(self->look, self->series, &look);
  g_autofree char *words = debye_curve_look_to_words(&look);
  self->is_updating = TRUE;
  show_look(self, &look);
  gtk_widget_set_sensitive(self->reset, *words != '\0');
  self->is_updating = FALSE;
}

/* --- Making it --- */

static void
name_control(GtkWidget *control, const char *name)
{
  gtk_widget_set_tooltip_text(control, name);
  gtk_accessible_update_property(GTK_ACCESSIBLE(control), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

static GtkWidget *
create_list(const char *name, const char *const *labels)
{
  g_autoptr(GtkStringList) list = gtk_string_list_new(NULL);
  for (; *labels != NULL; labels++)
    gtk_string_list_append(list, *labels);
  GtkWidget *widget = gtk_drop_down_new(G_LIST_MODEL(g_steal_pointer(&list)), NULL);
  gtk_widget_set_hexpand(widget, TRUE);
  name_control(widget, name);
  return widget;
}

static void
create_controls(DebyeCurveRow *self)
{
  const char *const dashes[] = {_("Automatic line"), _("Solid"),       _("Dashed"),       _("Dash-dot"),
                                _("Dotted"),         _("Long-dashed"), _("Short-dashed"), NULL};
  const char *const markers[] = {_("Automatic marker"), _("No marker"), _("Circles"),
                                 _("Squares"),          _("Diamonds"),  _("Triangles"),
                                 _("Triangles down"),   _("Crosses"),   NULL};
  DebyeCurve *curve = debye_plot_get_curve(self->plot, self->series);
  g_autofree char *shown = debye_plot_text_from_name(debye_curve_get_name(curve));
  self->color = gtk_color_button_new();
  self->name = gtk_entry_new();
  self->reset = gtk_button_new_from_icon_name("edit-clear-symbolic");
  self->dash = create_list(_("Line"), dashes);
  self->width = debye_number_entry_new(WIDTH_CHARS);
  self->marker = create_list(_("Marker"), markers);
  name_control(self->color, _("Colour"));
  name_control(self->name, _("Name in the legend; *italic*, ^{superscript}, _{subscript}"));
  name_control(self->reset, _("Reset this curve"));
  name_control(self->width, _("Line width in points"));
  debye_number_entry_set_placeholder(GTK_ENTRY(self->width), _("auto"));
  gtk_editable_set_enable_undo(GTK_EDITABLE(self->width), FALSE);
  gtk_editable_set_enable_undo(GTK_EDITABLE(self->name), FALSE);
  gtk_entry_set_placeholder_text(GTK_ENTRY(self->name), shown);
  gtk_widget_set_hexpand(self->name, TRUE);
  gtk_widget_add_css_class(self->reset, "flat");
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(self), shown);
}

static void
place_controls(DebyeCurveRow *self)
{
  GtkWidget *column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *first = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *second = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_box_append(GTK_BOX(first), self->color);
  gtk_box_append(GTK_BOX(first), self->name);
  gtk_box_append(GTK_BOX(first), self->reset);
  gtk_box_append(GTK_BOX(second), self->dash);
  gtk_box_append(GTK_BOX(second), self->marker);
  gtk_box_append(GTK_BOX(second), self->width);
  gtk_widget_add_css_class(column, "setting");
  gtk_box_append(GTK_BOX(column), first);
  gtk_box_append(GTK_BOX(column), second);
  gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(self), column);
}

GtkWidget *
debye_curve_row_new(DebyeResultLook *look, DebyePlot *plot, guint series)
{
  g_return_val_if_fail(DEBYE_IS_RESULT_LOOK(look) && DEBYE_IS_PLOT(plot), NULL);
  DebyeCurveRow *self = g_object_new(DEBYE_TYPE_CURVE_ROW, "activatable", FALSE, NULL);
  self->look = g_object_ref(look);
  self->plot = g_object_ref(plot);
  self->series = series;
  create_controls(self);
  place_controls(self);
  show(self);
  g_signal_connect_swapped(self->color, "color-set", G_CALLBACK(on_edited), self);
  g_signal_connect_swapped(self->name, "changed", G_CALLBACK(on_edited), self);
  g_signal_connect_swapped(self->dash, "notify::selected", G_CALLBACK(on_edited), self);
  g_signal_connect_swapped(self->width, "changed", G_CALLBACK(on_edited), self);
  g_signal_connect_swapped(self->marker, "notify::selected", G_CALLBACK(on_edited), self);
  g_signal_connect_swapped(self->reset, "clicked", G_CALLBACK(on_reset), self);
  g_signal_connect_object(look, "changed", G_CALLBACK(show), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET(self);
}

static void
debye_curve_row_dispose(GObject *object)
{
  DebyeCurveRow *self = DEBYE_CURVE_ROW(object);
  self->is_updating = TRUE;
  g_clear_object(&self->look);
  g_clear_object(&self->plot);
  G_OBJECT_CLASS(debye_curve_row_parent_class)->dispose(object);
}

static void
debye_curve_row_class_init(DebyeCurveRowClass *class)
{
  G_OBJECT_CLASS(class)->dispose = debye_curve_row_dispose;
}

static void
debye_curve_row_init(DebyeCurveRow *self G_GNUC_UNUSED)
{
}
