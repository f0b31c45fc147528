/* SPDX-License-Identifier: MIT */
/* The dialog for a figure's panels and page, with a preview; opened by the window's figure action. */
#include "figure_dialog.h"

#include <glib/gi18n.h>

#define POINTS_PER_MILLIMETRE (72.0 / 25.4)
#define PAGE_MARGIN 14.0 /* of white around what is shown, pixels */

/* The choices of figure_dialog.ui, in their order. */
static const double widths[] = {89.0, 120.0, 183.0}, resolutions[] = {150.0, 300.0, 600.0},
                    ratios[] = {0.75, 1.0, 2.0 / 3.0, 9.0 / 16.0};

struct _DebyeFigureDialog {
  AdwWindow parent_instance;
  GtkListBox *panels;
  GtkSpinButton *columns;
  AdwComboRow *width, *ratio, *resolution, *letters;
  GtkDrawingArea *page;
  GtkSpinner *working;
  GtkButton *export;
  DebyeFigure *figure;
  guint n_panels;
  gboolean ready; /* changes are a person's */
};

enum { SIGNAL_CHANGED, SIGNAL_EXPORT, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE(DebyeFigureDialog, debye_figure_dialog, ADW_TYPE_WINDOW)

#define NUMBER_KEY "debye-panel"
#define SWITCH_KEY "debye-switch"

/* --- What it says --- */

GArray *
debye_figure_dialog_list_panels(DebyeFigureDialog *self)
{
  GArray *chosen = g_array_new(FALSE, FALSE, sizeof(guint));
  GtkListBoxRow *row;
  for (int i = 0; (row = gtk_list_box_get_row_at_index(self->panels, i)) != NULL; i++) {
    guint number = GPOINTER_TO_UINT(g_object_get_data(G_OBJECT(row), NUMBER_KEY));
    if (gtk_switch_get_active(g_object_get_data(G_OBJECT(row), SWITCH_KEY)))
      g_array_append_val(chosen, number);
  }
  return chosen;
}

static double
choose(AdwComboRow *row, const double *values, gsize n_values)
{
  return values[MIN(adw_combo_row_get_selected(row), n_values - 1)];
}

void
debye_figure_dialog_get_style(DebyeFigureDialog *self, DebyeFigureStyle *style)
{
  debye_figure_style_init(style);
  style->width = POINTS_PER_MILLIMETRE * choose(self->width, widths, G_N_ELEMENTS(widths));
  style->ratio = choose(self->ratio, ratios, G_N_ELEMENTS(ratios));
  style->dpi = choose(self->resolution, resolutions, G_N_ELEMENTS(resolutions));
  style->columns = gtk_spin_button_get_value_as_int(self->columns);
  style->letters = (DebyeFigureLetters)adw_combo_row_get_selected(self->letters);
}

static void
on_changed(DebyeFigureDialog *self)
{
  if (!self->ready)
    return;
  g_autoptr(GArray) chosen = debye_figure_dialog_list_panels(self);
  gtk_widget_set_sensitive(GTK_WIDGET(self->export), chosen->len > 0);
  g_signal_emit(self, signals[SIGNAL_CHANGED], 0);
}

/* --- Panels --- */

static void
on_up_clicked(GtkWidget *button, DebyeFigureDialog *self)
{
  GtkWidget *row = gtk_widget_get_ancestor(button, GTK_TYPE_LIST_BOX_ROW);
  int place = gtk_list_box_row_get_index(GTK_LIST_BOX_ROW(row));
  if (place < 1)
    return;
  g_object_ref(row);
  gtk_list_box_remove(self->panels, row);
  gtk_list_box_insert(self->panels, row, place - 1);
  g_object_unref(row);
  gtk_widget_grab_focus(button);
  on_changed(self);
}

static GtkWidget *
create_up_button(DebyeFigureDialog *self, const char *title)
{
  GtkWidget *button = gtk_button_new_from_icon_name("go-up-symbolic");
  g_autofree char *name = g_strdup_printf(_("Move “%s” up"), title);
  gtk_widget_set_valign(button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class(button, "flat");
  gtk_widget_set_tooltip_text(button, name);
  gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_signal_connect(button, "clicked", G_CALLBACK(on_up_clicked), self);
  return button;
}

void
debye_figure_dialog_add_panel(DebyeFigureDialog *self, const char *title, const char *subtitle,
                              gboolean chosen)
{
  g_return_if_fail(DEBYE_IS_FIGURE_DIALOG(self));
  GtkWidget *row = adw_action_row_new(), *chooser = gtk_switch_new();
  adw_preferences_row_set_use_markup(ADW_PREFERENCES_ROW(row), FALSE);
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), title);
  adw_action_row_set_subtitle(ADW_ACTION_ROW(row), subtitle != NULL ? subtitle : "");
  gtk_switch_set_active(GTK_SWITCH(chooser), chosen);
  gtk_widget_set_valign(chooser, GTK_ALIGN_CENTER);
  gtk_accessible_update_property(GTK_ACCESSIBLE(chooser), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  g_object_set_data(G_OBJECT(row), NUMBER_KEY, GUINT_TO_POINTER(self->n_panels++));
  g_object_set_data(G_OBJECT(row), SWITCH_KEY, chooser);
  adw_action_row_add_suffix(ADW_ACTION_ROW(row), create_up_button(self, title));
  adw_action_row_add_suffix(ADW_ACTION_ROW(row), chooser);
  adw_action_row_set_activatable_widget(ADW_ACTION_ROW(row), chooser);
  g_signal_connect_swapped(chooser, "notify::active", G_CALLBACK(on_changed), self);
  gtk_list_box_append(self->panels, row);
}

/* --- The page --- */

static void
draw_page(GtkDrawingArea *area G_GNUC_UNUSED, cairo_t *cr, int width, int height, gpointer data)
{
  DebyeFigureDialog *self = data;
  double w, h;
  if (self->figure == NULL)
    return;
  debye_figure_get_size(self->figure, &w, &h);
  double scale = MIN((width - 2.0 * PAGE_MARGIN) / w, (height - 2.0 * PAGE_MARGIN) / h);
  if (!(scale > 0.0))
    return;
  cairo_translate(cr, 0.5 * (width - scale * w), 0.5 * (height - scale * h));
  cairo_rectangle(cr, -PAGE_MARGIN, -PAGE_MARGIN, scale * w + 2.0 * PAGE_MARGIN,
                  scale * h + 2.0 * PAGE_MARGIN);
  cairo_set_source_rgb(cr, 1.0, 1.0, 1.0);
  cairo_fill(cr);
  cairo_scale(cr, scale, scale);
  debye_figure_draw(self->figure, cr);
}

void
debye_figure_dialog_take_preview(DebyeFigureDialog *self, DebyeFigure *figure)
{
  g_return_if_fail(DEBYE_IS_FIGURE_DIALOG(self));
  debye_figure_free(self->figure);
  self->figure = figure;
  gtk_widget_queue_draw(GTK_WIDGET(self->page));
}

void
debye_figure_dialog_set_working(DebyeFigureDialog *self, gboolean working)
{
  g_return_if_fail(DEBYE_IS_FIGURE_DIALOG(self));
  gtk_spinner_set_spinning(self->working, working);
  gtk_widget_set_visible(GTK_WIDGET(self->working), working);
}

/* --- The object --- */

static void
on_close_clicked(DebyeFigureDialog *self)
{
  gtk_window_close(GTK_WINDOW(self));
}

static void
on_export_clicked(DebyeFigureDialog *self)
{
  g_signal_emit(self, signals[SIGNAL_EXPORT], 0);
  gtk_window_close(GTK_WINDOW(self));
}

GtkWidget *
debye_figure_dialog_new(GtkWindow *parent)
{
  DebyeFigureDialog *self = g_object_new(DEBYE_TYPE_FIGURE_DIALOG, "transient-for", parent, NULL);
  self->ready = TRUE;
  return GTK_WIDGET(self);
}

static void
debye_figure_dialog_finalize(GObject *object)
{
  debye_figure_free(DEBYE_FIGURE_DIALOG(object)->figure);
  G_OBJECT_CLASS(debye_figure_dialog_parent_class)->finalize(object);
}

static void
debye_figure_dialog_class_init(DebyeFigureDialogClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  GType type = G_TYPE_FROM_CLASS(class);
  G_OBJECT_CLASS(class)->finalize = debye_figure_dialog_finalize;
  signals[SIGNAL_CHANGED] =
      g_signal_new("changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_EXPORT] =
      g_signal_new("export", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource(widget_class, "/org/debye/Debye/figure_dialog.ui");
  gtk_widget_class_bind_template_child(widget_class, DebyeFigureDialog, panels);
  gtk_widget_class_bind_template_child(widget_class, DebyeFigureDialog, columns);
  gtk_widget_class_bind_template_child(widget_class, DebyeFigureDialog, width);
  gtk_widget_class_bind_template_child(widget_class, DebyeFigureDialog, ratio);
  gtk_widget_class_bind_template_child(widget_class, DebyeFigureDialog, resolution);
  gtk_widget_class_bind_template_child(widget_class, DebyeFigureDialog, letters);
  gtk_widget_class_bind_template_child(widget_class, DebyeFigureDialog, page);
  gtk_widget_class_bind_template_child(widget_class, DebyeFigureDialog, working);
  gtk_widget_class_bind_template_child(widget_class, DebyeFigureDialog, export);
  gtk_widget_class_bind_template_callback(widget_class, on_changed);
  gtk_widget_class_bind_template_callback(widget_class, on_close_clicked);
  gtk_widget_class_bind_template_callback(widget_class, on_export_clicked);
  gtk_widget_class_add_binding_action(widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
debye_figure_dialog_init(DebyeFigureDialog *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
  gtk_drawing_area_set_draw_func(self->page, draw_page, self, NULL);
}
