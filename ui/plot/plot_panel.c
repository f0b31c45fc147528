/* SPDX-License-Identifier: MIT */
/* The panel with the plot of results and its controls; part of window.c. */
#include "plot_panel.h"

#include <math.h>

#include "contrast_bar.h"
#include "data/results/contrast.h"
#include "data/messages/message.h"
#include "quantity_menu.h"
#include "render/plot/result_plot.h"
#include "ui/widgets/template.h"

/* Å: pairs about a point of a curve, that far to either side. */
#define POINT_REACH 0.05

struct _DebyePlotPanel {
  GtkBox parent_instance;
  GtkDropDown *quantity;
  GtkMenuButton *choose;
  GtkBox *choices_box, *shell_bar;
  GtkCheckButton *fit;
  DebyePlotView *view;
  GtkLabel *shell_text;
  GtkToggleButton *numbers;
  GtkPaned *parts;
  DebyeLookPanel *look_panel;
  DebyePlotNumbers *number_table;
  DebyeContrastBar *contrast;
  DebyeResultPlot *plot;
  DebyePlotChoices *choices;
  DebyeResultLook *look;
  DebyeResult *shell_result;   /* whose pairs were asked for last; NULL: none */
  double shell_from, shell_to; /* of the pairs that are shown; NAN: none are */
  char *listed;                /* labels of the quantities that the drop down offers */
  const char *turned_to;       /* a quantity, for the newest result; NULL: for none */
  gboolean large;
  gboolean updating; /* the widgets follow the plot */
};

G_DEFINE_FINAL_TYPE(DebyePlotPanel, debye_plot_panel, GTK_TYPE_BOX)

/* --- Quantities --- */

/* "g(r)", "F(q), neutrons". */
static guint
offer_quantities(DebyePlotPanel *self, const GPtrArray *quantities)
{
  const DebyeQuantity *shown = debye_result_plot_get_quantity(self->plot);
  g_autoptr(GtkStringList) labels = gtk_string_list_new(NULL);
  g_autoptr(GString) all = g_string_new(NULL);
  guint selected = GTK_INVALID_LIST_POSITION;
  for (guint i = 0; i < quantities->len; i++) {
    const DebyeQuantity *quantity = quantities->pdata[i];
    g_autofree char *label = debye_message_translate(quantity->label);
    gtk_string_list_append(labels, label);
    g_string_append_printf(all, "%s\n", label);
    if (quantity == shown)
      selected = i;
  }
  /* A drop down that is open stays so while the same result grows. */
  if (g_strcmp0(self->listed, all->str) != 0) {
    gtk_drop_down_set_model(self->quantity, G_LIST_MODEL(labels));
    g_free(self->listed);
    self->listed = g_strdup(all->str);
  }
  return selected;
}

/* Where no curve is left, or one with a single quantity, the drop down stays in its place, with what it said:
 * the button beside it, and what hangs on it, don't move under the pointer that takes curves away. */
static void
list_quantities(DebyePlotPanel *self)
{
  g_autoptr(GPtrArray) quantities = debye_quantity_menu_list(self->plot);
  self->updating = TRUE;
  if (quantities->len > 0)
    gtk_drop_down_set_selected(self->quantity, offer_quantities(self, quantities));
  if (quantities->len > 1)
    gtk_widget_set_visible(GTK_WIDGET(self->quantity), TRUE);
  gtk_widget_set_sensitive(GTK_WIDGET(self->quantity), quantities->len > 1);
  self->updating = FALSE;
}

static void
on_quantity_chosen(DebyePlotPanel *self)
{
  g_autoptr(GPtrArray) quantities = debye_quantity_menu_list(self->plot);
  guint selected = gtk_drop_down_get_selected(self->quantity);
  if (self->updating || selected >= quantities->len)
    return;
  debye_result_plot_set_quantity(self->plot, ((const DebyeQuantity *)quantities->pdata[selected])->name);
}

const DebyeQuantity *
debye_plot_panel_get_quantity(DebyePlotPanel *self)
{
  g_return_val_if_fail(DEBYE_IS_PLOT_PANEL(self), NULL);
  return debye_result_plot_get_quantity(self->plot);
}

void
debye_plot_panel_set_quantity(DebyePlotPanel *self, const char *name)
{
  g_return_if_fail(DEBYE_IS_PLOT_PANEL(self));
  debye_result_plot_set_quantity(self->plot, name);
}

/* --- Contrast --- */

static void
on_contrast_changed(DebyePlotPanel *self)
{
  debye_plot_choices_mix(self->choices, debye_contrast_bar_get_fraction(self->contrast),
                         debye_contrast_bar_get_series(self->contrast));
}

/* A run in time has an I(q) as well, which is seldom what it was made for. Turned to once: what a person chooses after that
 * stays while the same is run again. */
static gboolean
turn_to_time(DebyePlotPanel *self, DebyeResult *result)
{
  static const char *const wanted[] = {"S", "F_normalised"};
  const char *before = self->turned_to;
  self->turned_to = NULL;
  for (gsize i = 0; i < G_N_ELEMENTS(wanted) && self->turned_to == NULL; i++)
    if (debye_result_plot_has_curves(result, wanted[i]))
      self->turned_to = wanted[i];
  if (self->turned_to == NULL || self->turned_to == before)
    return FALSE;
  debye_result_plot_set_quantity(self->plot, self->turned_to);
  return TRUE;
}

/* What came is what is wanted now: beside a g(r) that was kept by hand an I(q) would be nowhere to be seen. */
static void
turn_to(DebyePlotPanel *self, DebyeResult *result)
{
  if (turn_to_time(self, result))
    return;
  const DebyeQuantity *shown = debye_result_plot_get_quantity(self->plot);
  g_autoptr(DebyeCurve) first = g_list_model_get_item(debye_result_get_curves(result), 0);
  if (shown != NULL && first != NULL && !g_str_has_suffix(shown->name, "-map") &&
      !debye_result_plot_has_curves(result, shown->name))
    debye_result_plot_set_quantity(self->plot, debye_curve_get_y_quantity(first)->name);
}

/* The bar stands as the newest result was asked for. */
static void
show_contrast(DebyePlotPanel *self, DebyeResult *result)
{
  gboolean known = debye_contrast_is_known(result);
  gtk_widget_set_visible(GTK_WIDGET(self->contrast), known);
  if (known)
    debye_contrast_bar_set(self->contrast, debye_contrast_get_fraction(result),
                           debye_contrast_has_series(result));
}

static void
on_added(DebyePlotPanel *self, DebyeResult *result)
{
  turn_to(self, result);
  show_contrast(self, result);
}

/* --- Numbers --- */

static void
show_numbers(DebyePlotPanel *self)
{
  debye_plot_numbers_show(self->number_table, gtk_toggle_button_get_active(self->numbers) ? self->plot : NULL,
                          debye_plot_choices_get_newest_shown(self->choices));
}

DebyePlotNumbers *
debye_plot_panel_get_numbers(DebyePlotPanel *self)
{
  g_return_val_if_fail(DEBYE_IS_PLOT_PANEL(self), NULL);
  return self->number_table;
}

DebyeTable *
debye_plot_panel_find_table(DebyePlotPanel *self)
{
  g_return_val_if_fail(DEBYE_IS_PLOT_PANEL(self), NULL);
  return debye_plot_numbers_find_table(self->plot, debye_plot_choices_get_newest_shown(self->choices));
}

/* --- Choices --- */

static void
on_choice_toggled(GtkCheckButton *button, DebyePlotPanel *self)
{
  debye_plot_choices_choose(self->choices, GPOINTER_TO_UINT(g_object_get_data(G_OBJECT(button), "key")),
                            gtk_check_button_get_active(button));
}

static void
add_choice(DebyePlotPanel *self, guint index)
{
  GtkWidget *button = gtk_check_button_new_with_label(debye_plot_choices_get_label(self->choices, index));
  guint key = debye_plot_choices_get_key(self->choices, index);
  gtk_check_button_set_active(GTK_CHECK_BUTTON(button), debye_plot_choices_get_shown(self->choices, index));
  g_object_set_data(G_OBJECT(button), "key", GUINT_TO_POINTER(key));
  g_signal_connect_object(button, "toggled", G_CALLBACK(on_choice_toggled), self, G_CONNECT_DEFAULT);
  gtk_box_append(self->choices_box, button);
}

static void
list_choices(DebyePlotPanel *self)
{
  for (GtkWidget *child; (child = gtk_widget_get_first_child(GTK_WIDGET(self->choices_box))) != NULL;)
    gtk_box_remove(self->choices_box, child);
  g_autoptr(GArray) order = debye_plot_choices_list_in_order(self->choices);
  for (guint i = 0; i < order->len; i++)
    add_choice(self, g_array_index(order, guint, i));
  gtk_widget_set_visible(GTK_WIDGET(self->fit), debye_plot_choices_has_measured(self->choices));
  gtk_check_button_set_active(self->fit, debye_plot_choices_get_fit(self->choices));
  gtk_widget_set_visible(GTK_WIDGET(self), !debye_plot_choices_is_empty(self->choices));
}

static void
on_fit_toggled(DebyePlotPanel *self)
{
  debye_plot_choices_set_fit(self->choices, gtk_check_button_get_active(self->fit));
}

void
debye_plot_panel_set_results(DebyePlotPanel *self, GListModel *results)
{
  g_return_if_fail(DEBYE_IS_PLOT_PANEL(self) && G_IS_LIST_MODEL(results));
  debye_plot_choices_set_results(self->choices, results);
}

void
debye_plot_panel_keep(DebyePlotPanel *self, DebyeResult *result)
{
  g_return_if_fail(DEBYE_IS_PLOT_PANEL(self));
  debye_plot_choices_keep(self->choices, result);
}

void
debye_plot_panel_set_growing(DebyePlotPanel *self, DebyeResult *result)
{
  g_return_if_fail(DEBYE_IS_PLOT_PANEL(self));
  debye_plot_choices_set_growing(self->choices, result);
}

DebyePlotChoices *
debye_plot_panel_get_choices(DebyePlotPanel *self)
{
  g_return_val_if_fail(DEBYE_IS_PLOT_PANEL(self), NULL);
  return self->choices;
}

DebyeResult *
debye_plot_panel_get_result(DebyePlotPanel *self)
{
  g_return_val_if_fail(DEBYE_IS_PLOT_PANEL(self), NULL);
  return debye_plot_choices_get_newest_shown(self->choices);
}

GPtrArray *
debye_plot_panel_list_results(DebyePlotPanel *self)
{
  g_return_val_if_fail(DEBYE_IS_PLOT_PANEL(self), NULL);
  return debye_plot_choices_list_results(self->choices);
}

DebyePlotView *
debye_plot_panel_get_view(DebyePlotPanel *self)
{
  g_return_val_if_fail(DEBYE_IS_PLOT_PANEL(self), NULL);
  return self->view;
}

/* --- Atoms of a distance --- */

static void
ask_for_shell(DebyePlotPanel *self, DebyeResult *result, const char *pair, double from, double to)
{
  g_autoptr(DebyeResult) wanted = result != NULL ? g_object_ref(result) : NULL;
  g_signal_emit_by_name(self, "shell-activated", wanted, pair, from, to);
  g_set_object(&self->shell_result, wanted);
}

static void
on_peak_activated(DebyePlotPanel *self, double x, double y G_GNUC_UNUSED)
{
  guint key;
  const char *pair;
  double from, to;
  if (!debye_result_plot_find_peak(self->plot, x, &key, &pair, &from, &to))
    return;
  DebyeResult *result = debye_plot_choices_find_result(self->choices, key);
  if (result != NULL)
    ask_for_shell(self, result, pair, from, to);
}

/* At a distance its pairs are shown, along a chain its residue, over q nothing. */
static void
on_point_activated(DebyePlotPanel *self, guint series, double x, double y)
{
  guint key;
  const char *pair;
  DebyeResult *result = debye_result_plot_find_series(self->plot, series, &key, &pair)
                            ? debye_plot_choices_find_result(self->choices, key)
                            : NULL;
  if (result == NULL || debye_plot_numbers_choose(self->number_table, self->plot, result, x, y))
    return;
  if (debye_result_plot_is_over(self->plot, "r"))
    ask_for_shell(self, result, pair, fmax(x - POINT_REACH, 0.0), x + POINT_REACH);
}

static void
on_shell_closed(DebyePlotPanel *self)
{
  ask_for_shell(self, NULL, NULL, 0.0, 0.0);
}

/* Only on an axis of distances that has no range of its own. */
static void
show_highlight(DebyePlotPanel *self)
{
  DebyePlot *plot = debye_result_plot_get_plot(self->plot);
  if (debye_result_plot_is_over(self->plot, "r") && !debye_plot_has_movable_range(plot))
    debye_plot_set_highlight(plot, self->shell_from, self->shell_to);
}

/* Pairs belong to the result whose curve was pointed at: when that leaves the plot, so do they. */
static void
keep_shell_with_result(DebyePlotPanel *self)
{
  if (self->shell_result != NULL && !debye_plot_choices_is_shown(self->choices, self->shell_result))
    on_shell_closed(self);
  show_highlight(self);
}

void
debye_plot_panel_set_shell(DebyePlotPanel *self, const char *text, double from, double to)
{
  g_return_if_fail(DEBYE_IS_PLOT_PANEL(self));
  gtk_label_set_label(self->shell_text, text != NULL ? text : "");
  gtk_widget_set_visible(GTK_WIDGET(self->shell_bar), text != NULL);
  self->shell_from = text != NULL ? from : (double)NAN;
  self->shell_to = text != NULL ? to : (double)NAN;
  show_highlight(self);
}

/* --- Look --- */

DebyeResultLook *
debye_plot_panel_get_look(DebyePlotPanel *self)
{
  g_return_val_if_fail(DEBYE_IS_PLOT_PANEL(self), NULL);
  return self->look;
}

static void
on_look_changed(DebyePlotPanel *self)
{
  const char *size = debye_result_look_get(self->look, "text-size");
  debye_plot_view_set_text_size(self->view, size != NULL ? g_ascii_strtod(size, NULL) : 0.0);
}

DebyeLookPanel *
debye_plot_panel_get_look_panel(DebyePlotPanel *self)
{
  g_return_val_if_fail(DEBYE_IS_PLOT_PANEL(self), NULL);
  return self->look_panel;
}

static void
place_look(DebyePlotPanel *self)
{
  debye_look_panel_place(self->parts, self->large);
}

/* --- Buttons --- */

static void
on_copy_clicked(DebyePlotPanel *self)
{
  g_autofree char *text =
      gtk_toggle_button_get_active(self->numbers) ? debye_plot_numbers_copy_text(self->number_table) : NULL;
  if (text != NULL)
    gdk_clipboard_set_text(gtk_widget_get_clipboard(GTK_WIDGET(self)), text);
  else
    debye_plot_view_copy(self->view);
}

static void
on_export_clicked(DebyePlotPanel *self)
{
  g_signal_emit_by_name(self, "export");
}

static void
on_measured_clicked(DebyePlotPanel *self)
{
  gtk_menu_button_popdown(self->choose);
  g_signal_emit_by_name(self, "add-measured");
}

/* --- The object --- */

static void
debye_plot_panel_get_property(GObject *object, guint id G_GNUC_UNUSED, GValue *value,
                              GParamSpec *spec G_GNUC_UNUSED)
{
  g_value_set_boolean(value, DEBYE_PLOT_PANEL(object)->large);
}

static void
debye_plot_panel_set_property(GObject *object, guint id G_GNUC_UNUSED, const GValue *value,
                              GParamSpec *spec G_GNUC_UNUSED)
{
  DEBYE_PLOT_PANEL(object)->large = g_value_get_boolean(value);
  place_look(DEBYE_PLOT_PANEL(object));
}

static void
debye_plot_panel_dispose(GObject *object)
{
  DebyePlotPanel *self = DEBYE_PLOT_PANEL(object);
  if (self->plot != NULL) {
    g_signal_handlers_disconnect_by_data(debye_result_plot_get_plot(self->plot), self);
    g_signal_handlers_disconnect_by_data(self->plot, self);
  }
  if (self->choices != NULL)
    g_signal_handlers_disconnect_by_data(self->choices, self);
  if (self->look != NULL)
    g_signal_handlers_disconnect_by_data(self->look, self);
  g_clear_object(&self->look);
  g_clear_object(&self->choices);
  g_clear_object(&self->plot);
  g_clear_object(&self->shell_result);
  g_clear_pointer(&self->listed, g_free);
  G_OBJECT_CLASS(debye_plot_panel_parent_class)->dispose(object);
}

static void
install_signals(GObjectClass *class)
{
  GType type = G_TYPE_FROM_CLASS(class);
  g_signal_new("shell-activated", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 4,
               DEBYE_TYPE_RESULT, G_TYPE_STRING, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  g_signal_new("export", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new("add-measured", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
debye_plot_panel_class_init(DebyePlotPanelClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS(class);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  g_type_ensure(DEBYE_TYPE_PLOT_VIEW);
  g_type_ensure(DEBYE_TYPE_PLOT_NUMBERS);
  g_type_ensure(DEBYE_TYPE_CONTRAST_BAR);
  g_type_ensure(DEBYE_TYPE_LOOK_PANEL);
  object_class->get_property = debye_plot_panel_get_property;
  object_class->set_property = debye_plot_panel_set_property;
  object_class->dispose = debye_plot_panel_dispose;
  g_object_class_install_property(
      object_class, 1,
      g_param_spec_boolean("large", NULL, NULL, FALSE, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
  install_signals(object_class);
  gtk_widget_class_set_accessible_role(widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_set_template_from_resource(widget_class, "/org/debye/Debye/plot_panel.ui");
  DEBYE_BIND_CHILDREN(class, DebyePlotPanel, quantity, choose, fit, view, shell_bar, shell_text, numbers,
                      number_table);
  DEBYE_BIND_CHILDREN(class, DebyePlotPanel, contrast, look_panel, parts);
  gtk_widget_class_bind_template_child_full(widget_class, "choices", FALSE,
                                            G_STRUCT_OFFSET(DebyePlotPanel, choices_box));
  gtk_widget_class_bind_template_child_full(widget_class, "export", TRUE, 0);
  DEBYE_BIND_CALLBACKS(class, on_quantity_chosen, show_numbers, on_contrast_changed, on_fit_toggled,
                       on_measured_clicked, on_copy_clicked, on_export_clicked, on_peak_activated);
  DEBYE_BIND_CALLBACKS(class, on_point_activated, on_shell_closed, place_look);
}

static void
debye_plot_panel_init(DebyePlotPanel *self)
{
  self->shell_from = self->shell_to = (double)NAN;
  self->plot = debye_result_plot_new();
  self->choices = debye_plot_choices_new(self->plot);
  self->look = debye_result_look_new(self->plot);
  gtk_widget_init_template(GTK_WIDGET(self));
  debye_quantity_menu_attach(self->quantity, self->plot);
  debye_plot_view_set_plot(self->view, debye_result_plot_get_plot(self->plot));
  debye_look_panel_set_look(self->look_panel, self->look, self->plot);
  g_signal_connect_swapped(self->look, "changed", G_CALLBACK(on_look_changed), self);
  g_signal_connect_swapped(self->plot, "changed", G_CALLBACK(list_quantities), self);
  g_signal_connect_swapped(self->plot, "changed", G_CALLBACK(keep_shell_with_result), self);
  g_signal_connect_swapped(self->choices, "changed", G_CALLBACK(list_choices), self);
  g_signal_connect_swapped(self->choices, "added", G_CALLBACK(on_added), self);
  g_signal_connect_swapped(debye_result_plot_get_plot(self->plot), "changed", G_CALLBACK(show_numbers), self);
}
