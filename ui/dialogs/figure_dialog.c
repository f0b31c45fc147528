/* SPDX-License-Identifier: MIT */
/* The dialog for a figure's panels and page, with a preview; opened by the window's figure action. */
#include "figure_dialog.h"

#include <glib/gi18n.h>

#include "ui/widgets/template.h"

#define POINTS_PER_MILLIMETRE (72.0 / 25.4)
#define PAGE_MARGIN 14.0 /* of white around what is shown, pixels */

#define PIXELS_PER_POINT (96.0 / 72.0)

/* Rows of numbers, which figure_dialog.ui has not. */
static const struct {
  const char *title, *subtitle;
  gsize member; /* of DebyeFigureStyle */
  double unit, minimum, maximum, step, value;
  guint digits;
} numbers[] = {
    {N_("Width"), N_("mm"), offsetof(DebyeFigureStyle, width), POINTS_PER_MILLIMETRE, 20, 2000, 1, 183, 1},
    {N_("Height by width"), N_("of each panel"), offsetof(DebyeFigureStyle, ratio), 1, 0.1, 10, 0.05, 0.75,
     2},
    {N_("Gap"), N_("mm"), offsetof(DebyeFigureStyle, gap), POINTS_PER_MILLIMETRE, 0, 100, 0.5, 3.5, 1},
    {N_("Resolution"), N_("dots per inch"), offsetof(DebyeFigureStyle, dpi), 1, 36, 2400, 50, 300, 0},
    {N_("Size of text"), N_("points; 0: by the width of the panels"), offsetof(DebyeFigureStyle, text_size),
     1, 0, 200, 0.5, 0, 1},
    {N_("Width of lines"), N_("points"), offsetof(DebyeFigureStyle, line_width), 1, 0.1, 20, 0.1, 0.6, 2},
    {N_("Width of curves"), N_("points; 0: with the lines"), offsetof(DebyeFigureStyle, curve_width), 1, 0,
     20, 0.25, 0, 2},
};

static const struct {
  const char *title, *subtitle;
  gsize member;
} switches[] = {
    {N_("Captions"), N_("Normalisation and frames below plots"), offsetof(DebyeFigureStyle, captions)},
    {N_("Dark page"), N_("Light texts and lines"), offsetof(DebyeFigureStyle, dark)},
    {N_("Texts as outlines"), N_("For programs without the font"), offsetof(DebyeFigureStyle, outlines)},
};

struct _DebyeFigureDialog {
  AdwWindow parent_instance;
  GtkListBox *panels;
  GtkSpinButton *columns;
  GtkListBox *settings;
  AdwComboRow *preset, *letters;
  GtkSpinButton *numbers[G_N_ELEMENTS(numbers)];
  GtkSwitch *switches[G_N_ELEMENTS(switches)];
  GtkDrawingArea *page;
  GtkLabel *size;
  GtkToggleButton *actual;
  GtkSpinner *working;
  GtkButton *export;
  DebyeFigure *figure;
  guint n_panels;
  gboolean ready; /* changes are a person's */
};

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

void
debye_figure_dialog_get_style(DebyeFigureDialog *self, DebyeFigureStyle *style)
{
  debye_figure_style_init(style);
  for (gsize i = 0; i < G_N_ELEMENTS(numbers); i++)
    G_STRUCT_MEMBER(double, style, numbers[i].member) =
        numbers[i].unit * gtk_spin_button_get_value(self->numbers[i]);
  for (gsize i = 0; i < G_N_ELEMENTS(switches); i++)
    G_STRUCT_MEMBER(gboolean, style, switches[i].member) = gtk_switch_get_active(self->switches[i]);
  style->columns = gtk_spin_button_get_value_as_int(self->columns);
  style->letters = (DebyeFigureLetters)adw_combo_row_get_selected(self->letters);
  /* Small ones are the default, which one panel alone goes without. */
  style->letter_alone = style->letters == DEBYE_LETTERS_LARGE;
}

static void
on_changed(DebyeFigureDialog *self)
{
  if (!self->ready)
    return;
  g_autoptr(GArray) chosen = debye_figure_dialog_list_panels(self);
  gtk_widget_set_sensitive(GTK_WIDGET(self->export), chosen->len > 0);
  g_signal_emit_by_name(self, "changed");
}

void
debye_figure_dialog_set_style(DebyeFigureDialog *self, const DebyeFigureStyle *style)
{
  g_return_if_fail(DEBYE_IS_FIGURE_DIALOG(self) && style != NULL);
  self->ready = FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS(numbers); i++)
    gtk_spin_button_set_value(self->numbers[i],
                              G_STRUCT_MEMBER(double, style, numbers[i].member) / numbers[i].unit);
  for (gsize i = 0; i < G_N_ELEMENTS(switches); i++)
    gtk_switch_set_active(self->switches[i], G_STRUCT_MEMBER(gboolean, style, switches[i].member));
  gtk_spin_button_set_value(self->columns, style->columns);
  adw_combo_row_set_selected(self->letters, style->letters);
  self->ready = TRUE;
  on_changed(self);
}

void
debye_figure_dialog_set_presets(DebyeFigureDialog *self, const char *const *names)
{
  g_return_if_fail(DEBYE_IS_FIGURE_DIALOG(self) && names != NULL);
  g_autoptr(GtkStringList) model = gtk_string_list_new(names);
  gtk_string_list_splice(model, 0, 0, (const char *const[]){_("None"), NULL});
  self->ready = FALSE;
  adw_combo_row_set_model(self->preset, G_LIST_MODEL(model));
  self->ready = TRUE;
  gtk_widget_set_visible(GTK_WIDGET(self->preset), *names != NULL);
}

static void
on_preset(DebyeFigureDialog *self)
{
  const guint selected = adw_combo_row_get_selected(self->preset);
  if (self->ready && selected != GTK_INVALID_LIST_POSITION)
    g_signal_emit_by_name(
        self, "preset",
        selected > 0 ? gtk_string_object_get_string(adw_combo_row_get_selected_item(self->preset)) : NULL);
}

/* --- Rows --- */

static void
add_row(DebyeFigureDialog *self, const char *title, const char *subtitle, GtkWidget *widget)
{
  GtkWidget *row = adw_action_row_new();
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), title);
  adw_action_row_set_subtitle(ADW_ACTION_ROW(row), subtitle);
  gtk_widget_set_valign(widget, GTK_ALIGN_CENTER);
  adw_action_row_add_suffix(ADW_ACTION_ROW(row), widget);
  adw_action_row_set_activatable_widget(ADW_ACTION_ROW(row), widget);
  gtk_list_box_append(self->settings, row);
}

static void
add_rows(DebyeFigureDialog *self)
{
  for (gsize i = 0; i < G_N_ELEMENTS(numbers); i++) {
    GtkWidget *spin = gtk_spin_button_new_with_range(numbers[i].minimum, numbers[i].maximum, numbers[i].step);
    self->numbers[i] = GTK_SPIN_BUTTON(spin);
    gtk_spin_button_set_digits(self->numbers[i], numbers[i].digits);
    gtk_spin_button_set_value(self->numbers[i], numbers[i].value);
    g_signal_connect_swapped(spin, "value-changed", G_CALLBACK(on_changed), self);
    add_row(self, _(numbers[i].title), _(numbers[i].subtitle), spin);
  }
  for (gsize i = 0; i < G_N_ELEMENTS(switches); i++) {
    GtkWidget *toggle = gtk_switch_new();
    self->switches[i] = GTK_SWITCH(toggle);
    g_signal_connect_swapped(toggle, "notify::active", G_CALLBACK(on_changed), self);
    add_row(self, _(switches[i].title), _(switches[i].subtitle), toggle);
  }
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
  double scale = gtk_toggle_button_get_active(self->actual)
                     ? PIXELS_PER_POINT
                     : MIN((width - 2.0 * PAGE_MARGIN) / w, (height - 2.0 * PAGE_MARGIN) / h);
  if (!(scale > 0.0))
    return;
  cairo_translate(cr, 0.5 * (width - scale * w), 0.5 * (height - scale * h));
  cairo_rectangle(cr, -PAGE_MARGIN, -PAGE_MARGIN, scale * w + 2.0 * PAGE_MARGIN,
                  scale * h + 2.0 * PAGE_MARGIN);
  const DebyePlotColor paper = debye_figure_get_page_color(self->figure);
  cairo_set_source_rgb(cr, (double)paper.red, (double)paper.green, (double)paper.blue);
  cairo_fill(cr);
  cairo_scale(cr, scale, scale);
  debye_figure_draw(self->figure, cr);
}

/* The page scrolls where it is shown as large as it will be. */
static void
on_actual(DebyeFigureDialog *self)
{
  double width = 0.0, height = 0.0;
  if (self->figure != NULL)
    debye_figure_get_size(self->figure, &width, &height);
  const gboolean is_actual = gtk_toggle_button_get_active(self->actual);
  gtk_drawing_area_set_content_width(self->page,
                                     is_actual ? (int)(PIXELS_PER_POINT * width + 2.0 * PAGE_MARGIN) : 0);
  gtk_drawing_area_set_content_height(self->page,
                                      is_actual ? (int)(PIXELS_PER_POINT * height + 2.0 * PAGE_MARGIN) : 0);
  g_autofree char *size =
      g_strdup_printf("%.0f × %.0f mm", width / POINTS_PER_MILLIMETRE, height / POINTS_PER_MILLIMETRE);
  gtk_label_set_text(self->size, size);
  gtk_widget_queue_draw(GTK_WIDGET(self->page));
}

void
debye_figure_dialog_take_preview(DebyeFigureDialog *self, DebyeFigure *figure)
{
  g_return_if_fail(DEBYE_IS_FIGURE_DIALOG(self));
  debye_figure_free(self->figure);
  self->figure = figure;
  on_actual(self);
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
on_export_clicked(DebyeFigureDialog *self)
{
  g_signal_emit_by_name(self, "export");
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
  g_signal_new("changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new("export", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new("preset", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  gtk_widget_class_set_template_from_resource(widget_class, "/org/debye/Debye/figure_dialog.ui");
  DEBYE_BIND_CHILDREN(class, DebyeFigureDialog, panels, columns, settings, preset, size, actual, letters,
                      page);
  DEBYE_BIND_CHILDREN(class, DebyeFigureDialog, working, export);
  DEBYE_BIND_CALLBACKS(class, on_changed, on_preset, on_actual, on_export_clicked);
  gtk_widget_class_add_binding_action(widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
debye_figure_dialog_init(DebyeFigureDialog *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
  add_rows(self);
  gtk_drawing_area_set_draw_func(self->page, draw_page, self, NULL);
}
