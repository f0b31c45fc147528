/* SPDX-License-Identifier: MIT */
/* The plot of what was computed, see plot_panel.h. */
#include "plot_panel.h"

#include <math.h>
#include <string.h>

#include "contrast_bar.h"
#include "data/contrast.h"
#include "number_table.h"
#include "render/plot_text.h"
#include "render/result_plot.h"

/* Å: pairs about a point of a curve, that far to either side. */
#define POINT_REACH 0.05

/* What can be shown: a result of the list, or a measured curve. */
typedef struct {
  guint key;
  DebyeResult *result; /* NULL: measured */
  DebyeResult *mixed;  /* the same with another fraction of deuterium; NULL: as it was computed */
  DebyeCurve *measured;
  char *label;
  gboolean is_shown;
  gboolean by_hand; /* was chosen: newer results leave it */
} Choice;

struct _DebyePlotPanel {
  GtkBox parent_instance;
  GtkDropDown *quantity;
  GtkMenuButton *choose;
  GtkBox *choices_box, *shell_bar;
  GtkCheckButton *fit;
  DebyePlotView *view;
  GtkLabel *shell_text;
  GtkToggleButton *numbers;
  DebyeNumberTable *number_table;
  DebyeContrastBar *contrast;

  GListModel *results;
  GPtrArray *choices; /* Choice, newest first, measured ones behind */
  DebyeResultPlot *plot;
  char *listed;                /* labels of the quantities that the drop down offers */
  guint last_key, growing_key; /* 0: nothing grows */
  gboolean large;
  gboolean updating; /* the widgets follow the plot */
};

enum { PROPERTY_LARGE = 1, N_PROPERTIES };
static GParamSpec *properties[N_PROPERTIES];
enum { SIGNAL_SHELL, SIGNAL_EXPORT, SIGNAL_MEASURED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE(DebyePlotPanel, debye_plot_panel, GTK_TYPE_BOX)

static void
choice_free(gpointer data)
{
  Choice *choice = data;
  g_clear_object(&choice->result);
  g_clear_object(&choice->mixed);
  g_clear_object(&choice->measured);
  g_free(choice->label);
  g_free(choice);
}

static gboolean
has_curves(DebyeResult *result)
{
  return g_list_model_get_n_items(debye_result_get_curves(result)) > 0;
}

/* --- Into the plot --- */

/* As it is shown. */
static DebyeResult *
get_shown(const Choice *choice)
{
  return choice->mixed != NULL ? choice->mixed : choice->result;
}

static void
put_choice(DebyePlotPanel *self, const Choice *choice)
{
  if (choice->result != NULL)
    debye_result_plot_set_result(self->plot, choice->key, choice->is_shown ? get_shown(choice) : NULL,
                                 choice->label);
  else
    debye_result_plot_set_measured(self->plot, choice->key, choice->is_shown ? choice->measured : NULL,
                                   gtk_check_button_get_active(self->fit));
}

static void
update_visible(DebyePlotPanel *self)
{
  gtk_widget_set_visible(GTK_WIDGET(self), self->choices->len > 0 || self->growing_key != 0);
}

/* --- Quantities --- */

/* "g(r)", "F(q), neutrons". */
static void
list_quantities(DebyePlotPanel *self)
{
  g_autoptr(GPtrArray) quantities = debye_result_plot_list_quantities(self->plot);
  const DebyeQuantity *shown = debye_result_plot_get_quantity(self->plot);
  g_autoptr(GtkStringList) labels = gtk_string_list_new(NULL);
  g_autoptr(GString) all = g_string_new(NULL);
  guint selected = GTK_INVALID_LIST_POSITION;
  for (guint i = 0; i < quantities->len; i++) {
    const DebyeQuantity *quantity = quantities->pdata[i];
    gtk_string_list_append(labels, quantity->label);
    g_string_append_printf(all, "%s\n", quantity->label);
    if (quantity == shown)
      selected = i;
  }
  self->updating = TRUE;
  /* A drop down that is open stays so while the same result grows. */
  if (g_strcmp0(self->listed, all->str) != 0) {
    gtk_drop_down_set_model(self->quantity, G_LIST_MODEL(labels));
    g_free(self->listed);
    self->listed = g_strdup(all->str);
  }
  gtk_drop_down_set_selected(self->quantity, selected);
  gtk_widget_set_visible(GTK_WIDGET(self->quantity), quantities->len > 1);
  self->updating = FALSE;
}

static void
on_quantity_chosen(DebyePlotPanel *self)
{
  g_autoptr(GPtrArray) quantities = debye_result_plot_list_quantities(self->plot);
  guint selected = gtk_drop_down_get_selected(self->quantity);
  if (self->updating || selected >= quantities->len)
    return;
  debye_result_plot_set_quantity(self->plot, ((const DebyeQuantity *)quantities->pdata[selected])->name);
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
  double fraction = debye_contrast_bar_get_fraction(self->contrast);
  gboolean series = debye_contrast_bar_get_series(self->contrast);
  for (guint i = 0; i < self->choices->len; i++) {
    Choice *choice = self->choices->pdata[i];
    if (choice->result == NULL || !choice->is_shown || !debye_contrast_is_known(choice->result))
      continue;
    g_clear_object(&choice->mixed);
    choice->mixed = debye_contrast_mix(choice->result, fraction, series);
    put_choice(self, choice);
  }
}

/* The bar stands as the newest result was asked for. */
static void
show_contrast(DebyePlotPanel *self, DebyeResult *result)
{
  gboolean known = result != NULL && debye_contrast_is_known(result);
  gtk_widget_set_visible(GTK_WIDGET(self->contrast), known);
  if (known)
    debye_contrast_bar_set(self->contrast, debye_contrast_get_fraction(result),
                           debye_contrast_has_series(result));
}

/* --- Numbers --- */

static void
show_numbers(DebyePlotPanel *self)
{
  if (!gtk_toggle_button_get_active(self->numbers))
    return;
  g_autoptr(DebyeTable) table = debye_plot_create_table(debye_result_plot_get_plot(self->plot));
  debye_number_table_set_table(self->number_table, table);
}

static void
on_numbers_toggled(DebyePlotPanel *self)
{
  show_numbers(self);
  if (!gtk_toggle_button_get_active(self->numbers))
    debye_number_table_set_table(self->number_table, NULL);
}

/* --- Choices --- */

static void
on_choice_toggled(GtkCheckButton *button, DebyePlotPanel *self)
{
  guint key = GPOINTER_TO_UINT(g_object_get_data(G_OBJECT(button), "key"));
  for (guint i = 0; i < self->choices->len; i++) {
    Choice *choice = self->choices->pdata[i];
    if (choice->key != key || self->updating)
      continue;
    choice->is_shown = choice->by_hand = gtk_check_button_get_active(button);
    put_choice(self, choice);
  }
}

static void
list_choices(DebyePlotPanel *self)
{
  GtkWidget *child;
  gboolean has_measured = FALSE;
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(self->choices_box))) != NULL)
    gtk_box_remove(self->choices_box, child);
  for (guint i = 0; i < self->choices->len; i++) {
    const Choice *choice = self->choices->pdata[i];
    GtkWidget *button = gtk_check_button_new_with_label(choice->label);
    gtk_check_button_set_active(GTK_CHECK_BUTTON(button), choice->is_shown);
    g_object_set_data(G_OBJECT(button), "key", GUINT_TO_POINTER(choice->key));
    g_signal_connect_object(button, "toggled", G_CALLBACK(on_choice_toggled), self, G_CONNECT_DEFAULT);
    gtk_box_append(self->choices_box, button);
    has_measured = has_measured || choice->measured != NULL;
  }
  gtk_widget_set_visible(GTK_WIDGET(self->fit), has_measured);
}

static void
on_fit_toggled(DebyePlotPanel *self)
{
  for (guint i = 0; i < self->choices->len; i++) {
    const Choice *choice = self->choices->pdata[i];
    if (choice->measured != NULL)
      put_choice(self, choice);
  }
}

/* --- Results --- */

static Choice *
find_choice(DebyePlotPanel *self, DebyeResult *result)
{
  for (guint i = 0; i < self->choices->len; i++) {
    Choice *choice = self->choices->pdata[i];
    if (choice->result == result)
      return choice;
  }
  return NULL;
}

static gboolean
is_listed(DebyePlotPanel *self, DebyeResult *wanted)
{
  for (guint i = 0; i < g_list_model_get_n_items(self->results); i++) {
    g_autoptr(DebyeResult) result = g_list_model_get_item(self->results, i);
    if (result == wanted)
      return TRUE;
  }
  return FALSE;
}

/* By the last of its files, the trajectory, and a number where several are of it. */
static char *
create_label(DebyePlotPanel *self, DebyeResult *result)
{
  const char *const *inputs = debye_result_get_inputs(result);
  guint n_inputs = inputs != NULL ? g_strv_length((char **)inputs) : 0, n = 1;
  g_autofree char *name = n_inputs > 0 ? g_filename_display_basename(inputs[n_inputs - 1])
                                       : g_strdup(debye_result_get_title(result));
  for (guint i = 0; i < self->choices->len; i++) {
    const Choice *choice = self->choices->pdata[i];
    n += choice->result != NULL && g_str_has_prefix(choice->label, name);
  }
  return n > 1 ? g_strdup_printf("%s #%u", name, n) : g_steal_pointer(&name);
}

/* The key of a new result: that of the one whose place it takes, so that the same curves go on in the same
 * colours and the same view. */
static guint
take_place(DebyePlotPanel *self)
{
  guint key = 0;
  for (guint i = 0; i < self->choices->len; i++) {
    Choice *choice = self->choices->pdata[i];
    if (choice->result == NULL || choice->by_hand || !choice->is_shown)
      continue;
    choice->is_shown = FALSE;
    if (key == 0) {
      key = choice->key;
      choice->key = ++self->last_key;
    } else {
      put_choice(self, choice);
    }
  }
  return key != 0 ? key : ++self->last_key;
}

static void
add_result(DebyePlotPanel *self, DebyeResult *result)
{
  Choice *choice = g_new0(Choice, 1);
  choice->key = self->growing_key != 0 ? self->growing_key : take_place(self);
  choice->result = g_object_ref(result);
  choice->label = create_label(self, result);
  choice->is_shown = TRUE;
  self->growing_key = 0;
  g_ptr_array_insert(self->choices, 0, choice);
  put_choice(self, choice);
  show_contrast(self, result);
}

static void
remove_lost(DebyePlotPanel *self)
{
  for (guint i = self->choices->len; i-- > 0;) {
    Choice *choice = self->choices->pdata[i];
    if (choice->result == NULL || is_listed(self, choice->result))
      continue;
    choice->is_shown = FALSE;
    put_choice(self, choice);
    g_ptr_array_remove_index(self->choices, i);
  }
}

static void
on_results_changed(DebyePlotPanel *self)
{
  remove_lost(self);
  for (guint i = g_list_model_get_n_items(self->results); i-- > 0;) {
    g_autoptr(DebyeResult) result = g_list_model_get_item(self->results, i);
    if (has_curves(result) && find_choice(self, result) == NULL)
      add_result(self, result);
  }
  list_choices(self);
  update_visible(self);
}

void
debye_plot_panel_set_results(DebyePlotPanel *self, GListModel *results)
{
  g_return_if_fail(DEBYE_IS_PLOT_PANEL(self) && G_IS_LIST_MODEL(results));
  g_set_object(&self->results, results);
  g_signal_connect_object(results, "items-changed", G_CALLBACK(on_results_changed), self, G_CONNECT_SWAPPED);
  on_results_changed(self);
}

/* What grew came to nothing: the result that stood there before stands there again. */
static void
show_newest(DebyePlotPanel *self)
{
  Choice *newest = self->choices->len > 0 ? self->choices->pdata[0] : NULL;
  if (newest == NULL || newest->result == NULL || debye_plot_panel_get_result(self) != NULL)
    return;
  newest->is_shown = TRUE;
  put_choice(self, newest);
  list_choices(self);
}

void
debye_plot_panel_set_growing(DebyePlotPanel *self, DebyeResult *result)
{
  g_return_if_fail(DEBYE_IS_PLOT_PANEL(self));
  if (result == NULL && self->growing_key == 0)
    return;
  if (self->growing_key == 0) {
    self->growing_key = take_place(self);
    list_choices(self);
  }
  debye_result_plot_set_result(self->plot, self->growing_key, result, "Running");
  if (result == NULL) {
    self->growing_key = 0;
    show_newest(self);
  }
  update_visible(self);
}

void
debye_plot_panel_add_measured(DebyePlotPanel *self, DebyeCurve *curve)
{
  g_return_if_fail(DEBYE_IS_PLOT_PANEL(self) && DEBYE_IS_CURVE(curve));
  Choice *choice = g_new0(Choice, 1);
  choice->key = ++self->last_key;
  choice->measured = debye_curve_with_style(curve, DEBYE_CURVE_MARKERS);
  choice->label = g_strdup(debye_curve_get_name(curve));
  choice->is_shown = choice->by_hand = TRUE;
  g_ptr_array_add(self->choices, choice);
  put_choice(self, choice);
  list_choices(self);
  update_visible(self);
}

DebyeResult *
debye_plot_panel_get_result(DebyePlotPanel *self)
{
  g_return_val_if_fail(DEBYE_IS_PLOT_PANEL(self), NULL);
  for (guint i = 0; i < self->choices->len; i++) {
    const Choice *choice = self->choices->pdata[i];
    if (choice->result != NULL && choice->is_shown)
      return get_shown(choice);
  }
  return NULL;
}

DebyePlotView *
debye_plot_panel_get_view(DebyePlotPanel *self)
{
  g_return_val_if_fail(DEBYE_IS_PLOT_PANEL(self), NULL);
  return self->view;
}

/* --- Atoms of a distance --- */

static DebyeResult *
find_result(DebyePlotPanel *self, guint key)
{
  for (guint i = 0; i < self->choices->len; i++) {
    const Choice *choice = self->choices->pdata[i];
    if (choice->key == key)
      return choice->result;
  }
  return NULL;
}

static void
on_peak_activated(DebyePlotPanel *self, double x, double y G_GNUC_UNUSED)
{
  guint key;
  const char *pair;
  double from, to;
  if (!debye_result_plot_find_peak(self->plot, x, &key, &pair, &from, &to))
    return;
  DebyeResult *result = find_result(self, key);
  if (result != NULL)
    g_signal_emit(self, signals[SIGNAL_SHELL], 0, result, pair, from, to);
}

/* Over q there are no pairs to show. */
static void
on_point_activated(DebyePlotPanel *self, guint series, double x, double y G_GNUC_UNUSED)
{
  guint key;
  const char *pair;
  DebyeCurve *curve = debye_plot_get_curve(debye_result_plot_get_plot(self->plot), series);
  if (curve == NULL || strcmp(debye_curve_get_x_quantity(curve)->name, "r") != 0 ||
      !debye_result_plot_find_series(self->plot, series, &key, &pair))
    return;
  DebyeResult *result = find_result(self, key);
  if (result != NULL)
    g_signal_emit(self, signals[SIGNAL_SHELL], 0, result, pair, fmax(x - POINT_REACH, 0.0), x + POINT_REACH);
}

static void
on_shell_closed(DebyePlotPanel *self)
{
  g_signal_emit(self, signals[SIGNAL_SHELL], 0, NULL, NULL, 0.0, 0.0);
}

void
debye_plot_panel_set_shell(DebyePlotPanel *self, const char *text, double from, double to)
{
  g_return_if_fail(DEBYE_IS_PLOT_PANEL(self));
  gtk_label_set_label(self->shell_text, text != NULL ? text : "");
  gtk_widget_set_visible(GTK_WIDGET(self->shell_bar), text != NULL);
  debye_plot_set_highlight(debye_result_plot_get_plot(self->plot), text != NULL ? from : (double)NAN,
                           text != NULL ? to : (double)NAN);
}

/* --- Buttons --- */

static void
on_copy_clicked(DebyePlotPanel *self)
{
  g_autofree char *text =
      gtk_toggle_button_get_active(self->numbers) ? debye_number_table_copy_text(self->number_table) : NULL;
  if (text != NULL)
    gdk_clipboard_set_text(gtk_widget_get_clipboard(GTK_WIDGET(self)), text);
  else
    debye_plot_view_copy(self->view);
}

static void
on_export_clicked(DebyePlotPanel *self)
{
  g_signal_emit(self, signals[SIGNAL_EXPORT], 0);
}

static void
on_measured_clicked(DebyePlotPanel *self)
{
  gtk_menu_button_popdown(self->choose);
  g_signal_emit(self, signals[SIGNAL_MEASURED], 0);
}

/* --- The object --- */

static void
debye_plot_panel_get_property(GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  if (id == PROPERTY_LARGE)
    g_value_set_boolean(value, DEBYE_PLOT_PANEL(object)->large);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
}

static void
debye_plot_panel_set_property(GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  if (id == PROPERTY_LARGE)
    DEBYE_PLOT_PANEL(object)->large = g_value_get_boolean(value);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
}

static void
debye_plot_panel_dispose(GObject *object)
{
  DebyePlotPanel *self = DEBYE_PLOT_PANEL(object);
  if (self->plot != NULL) {
    g_signal_handlers_disconnect_by_data(debye_result_plot_get_plot(self->plot), self);
    g_signal_handlers_disconnect_by_data(self->plot, self);
  }
  g_clear_object(&self->plot);
  g_clear_object(&self->results);
  G_OBJECT_CLASS(debye_plot_panel_parent_class)->dispose(object);
}

static void
debye_plot_panel_finalize(GObject *object)
{
  DebyePlotPanel *self = DEBYE_PLOT_PANEL(object);
  g_ptr_array_unref(self->choices);
  g_free(self->listed);
  G_OBJECT_CLASS(debye_plot_panel_parent_class)->finalize(object);
}

static void
install_signals(GObjectClass *class)
{
  GType type = G_TYPE_FROM_CLASS(class);
  signals[SIGNAL_SHELL] =
      g_signal_new("shell-activated", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 4,
                   DEBYE_TYPE_RESULT, G_TYPE_STRING, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  signals[SIGNAL_EXPORT] =
      g_signal_new("export", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_MEASURED] =
      g_signal_new("add-measured", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
debye_plot_panel_class_init(DebyePlotPanelClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS(class);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  g_type_ensure(DEBYE_TYPE_PLOT_VIEW);
  g_type_ensure(DEBYE_TYPE_NUMBER_TABLE);
  g_type_ensure(DEBYE_TYPE_CONTRAST_BAR);
  object_class->get_property = debye_plot_panel_get_property;
  object_class->set_property = debye_plot_panel_set_property;
  object_class->dispose = debye_plot_panel_dispose;
  object_class->finalize = debye_plot_panel_finalize;
  properties[PROPERTY_LARGE] =
      g_param_spec_boolean("large", NULL, NULL, FALSE, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties(object_class, N_PROPERTIES, properties);
  install_signals(object_class);
  gtk_widget_class_set_accessible_role(widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_set_template_from_resource(widget_class, "/org/debye/Debye/plot_panel.ui");
  gtk_widget_class_bind_template_child(widget_class, DebyePlotPanel, quantity);
  gtk_widget_class_bind_template_child(widget_class, DebyePlotPanel, choose);
  gtk_widget_class_bind_template_child_full(widget_class, "choices", FALSE,
                                            G_STRUCT_OFFSET(DebyePlotPanel, choices_box));
  gtk_widget_class_bind_template_child(widget_class, DebyePlotPanel, fit);
  gtk_widget_class_bind_template_child(widget_class, DebyePlotPanel, view);
  gtk_widget_class_bind_template_child(widget_class, DebyePlotPanel, shell_bar);
  gtk_widget_class_bind_template_child(widget_class, DebyePlotPanel, shell_text);
  gtk_widget_class_bind_template_child(widget_class, DebyePlotPanel, numbers);
  gtk_widget_class_bind_template_child(widget_class, DebyePlotPanel, number_table);
  gtk_widget_class_bind_template_child(widget_class, DebyePlotPanel, contrast);
  gtk_widget_class_bind_template_callback(widget_class, on_quantity_chosen);
  gtk_widget_class_bind_template_callback(widget_class, on_numbers_toggled);
  gtk_widget_class_bind_template_callback(widget_class, on_contrast_changed);
  gtk_widget_class_bind_template_callback(widget_class, on_fit_toggled);
  gtk_widget_class_bind_template_callback(widget_class, on_measured_clicked);
  gtk_widget_class_bind_template_callback(widget_class, on_copy_clicked);
  gtk_widget_class_bind_template_callback(widget_class, on_export_clicked);
  gtk_widget_class_bind_template_callback(widget_class, on_peak_activated);
  gtk_widget_class_bind_template_callback(widget_class, on_point_activated);
  gtk_widget_class_bind_template_callback(widget_class, on_shell_closed);
}

static void
debye_plot_panel_init(DebyePlotPanel *self)
{
  self->choices = g_ptr_array_new_with_free_func(choice_free);
  self->plot = debye_result_plot_new();
  gtk_widget_init_template(GTK_WIDGET(self));
  debye_plot_view_set_plot(self->view, debye_result_plot_get_plot(self->plot));
  g_signal_connect_swapped(self->plot, "changed", G_CALLBACK(list_quantities), self);
  g_signal_connect_swapped(debye_result_plot_get_plot(self->plot), "changed", G_CALLBACK(show_numbers), self);
}
