/* SPDX-License-Identifier: MIT */
/* Implementation of look_panel.h. */
#include "look_panel.h"

#include <glib/gi18n.h>
#include <math.h>

#include "curve_row.h"
#include "data/messages/message.h"
#include "look_row.h"
#include "render/plot/plot_text.h"

/* Of the plot beside its controls, and above them. */
#define LARGE_PART 0.66
#define SMALL_PART 0.45

struct _DebyeLookPanel {
  GtkBox parent_instance;
  DebyeResultLook *look;
  DebyeResultPlot *plot;
  GtkWidget *undo, *redo, *reset, *problem, *content, *curves, *also, *second;
  GPtrArray *curve_rows; /* GtkWidget, borrowed */
  char *listed;          /* the curves that have rows */
  char *alsos, *seconds; /* the quantities that the left and the right axis offer */
  GtkWidget *labels[DEBYE_PLOT_N_AXES], *ranges[DEBYE_PLOT_N_AXES]; /* rows, whose hints are the plot's own */
};

G_DEFINE_FINAL_TYPE(DebyeLookPanel, debye_look_panel, GTK_TYPE_BOX)

/* --- Rows --- */

typedef struct {
  const char *key, *title, *hint;
} Row;

static const Row x_rows[] = {{"x-label", N_("Label"), "*r* (Å)"},
                             {"x-range", N_("Limits"), "0:10"},
                             {"x-ticks", N_("Ticks"), "2/4"},
                             {NULL, NULL, NULL}};
static const Row y_rows[] = {{"log", N_("Logarithmic axes"), NULL},
                             {"y-label", N_("Label"), "*g*(*r*)"},
                             {"y-range", N_("Limits"), "0:3"},
                             {"y-ticks", N_("Ticks"), "1/5"},
                             {NULL, NULL, NULL}};
static const Row second_rows[] = {{"second-label", N_("Label"), "*n*(*r*)"},
                                  {"second-range", N_("Limits"), "0:20"},
                                  {"second-ticks", N_("Ticks"), "5/5"},
                                  {NULL, NULL, NULL}};
static const Row value_rows[] = {{"errors", N_("Errors"), NULL},
                                 {"divide", N_("Divide by"), NULL},
                                 {"residuals", N_("Residuals below"), NULL},
                                 {NULL, NULL, NULL}};
static const Row mark_rows[] = {{"markers", N_("Markers of peaks"), NULL},
                                {"add-line", N_("Lines, one per row: x=3.4: shell"), NULL},
                                {"add-text", N_("Texts, one per row: 3,2: first peak"), NULL},
                                {"text-size", N_("Size of text in points"), "9.5"},
                                {NULL, NULL, NULL}};

static GtkWidget *
add_group(DebyeLookPanel *self, const char *title)
{
  GtkWidget *group = adw_preferences_group_new();
  adw_preferences_group_set_title(ADW_PREFERENCES_GROUP(group), title);
  gtk_box_append(GTK_BOX(self->content), group);
  return group;
}

static GtkWidget *
add_row(DebyeLookPanel *self, GtkWidget *group, const char *key, const char *title, const char *hint)
{
  GtkWidget *row = debye_look_row_new(self->look, key, title, hint);
  adw_preferences_group_add(ADW_PREFERENCES_GROUP(group), row);
  return row;
}

static void
add_rows(DebyeLookPanel *self, GtkWidget *group, const Row *rows)
{
  for (; rows->key != NULL; rows++)
    add_row(self, group, rows->key, _(rows->title), rows->hint);
}

static void
add_axis_rows(DebyeLookPanel *self, GtkWidget *group, const Row *rows, DebyePlotAxis axis)
{
  for (; rows->key != NULL; rows++) {
    GtkWidget *row = add_row(self, group, rows->key, _(rows->title), rows->hint);
    if (g_str_has_suffix(rows->key, "-label"))
      self->labels[axis] = row;
    else if (g_str_has_suffix(rows->key, "-range"))
      self->ranges[axis] = row;
  }
}

/* What an empty entry stands for: the axis' own label and limits. */
static void
show_hints(DebyeLookPanel *self)
{
  DebyePlot *plot = debye_result_plot_get_plot(self->plot);
  for (int axis = 0; axis < DEBYE_PLOT_N_AXES; axis++) {
    const char *label = debye_plot_get_label(plot, (DebyePlotAxis)axis);
    double low = NAN, high = NAN;
    if (self->labels[axis] == NULL || label == NULL)
      continue;
    g_autofree char *marked = debye_plot_text_to_marked(label);
    debye_look_row_set_hint(DEBYE_LOOK_ROW(self->labels[axis]), marked);
    debye_plot_get_limits(plot, (DebyePlotAxis)axis, &low, &high);
    if (!isfinite(low) || !isfinite(high))
      continue;
    /* As the row takes numbers, with a point in every language. */
    char from[G_ASCII_DTOSTR_BUF_SIZE], to[G_ASCII_DTOSTR_BUF_SIZE];
    g_autofree char *range = g_strconcat(g_ascii_formatd(from, sizeof from, "%.4g", low), ":",
                                         g_ascii_formatd(to, sizeof to, "%.4g", high), NULL);
    debye_look_row_set_hint(DEBYE_LOOK_ROW(self->ranges[axis]), range);
  }
}

/* Those in the frame first. */
#define N_PLACES 9
static const DebyeChoice places[] = {
    {"top-left", N_("Top left"), NULL},
    {"top", N_("Top"), NULL},
    {"top-right", N_("Top right"), NULL},
    {"left", N_("Left"), NULL},
    {"center", N_("Center"), NULL},
    {"right", N_("Right"), NULL},
    {"bottom-left", N_("Bottom left"), NULL},
    {"bottom", N_("Bottom"), NULL},
    {"bottom-right", N_("Bottom right"), NULL},
    {"above", N_("Above"), NULL},
    {"ends", N_("At the curves' ends"), NULL},
    {"none", N_("No legend"), NULL},
};

static void
offer_places(GtkWidget *row, gsize n)
{
  const char *values[G_N_ELEMENTS(places) + 1] = {NULL}, *labels[G_N_ELEMENTS(places) + 1] = {NULL};
  for (gsize i = 0; i < n; i++) {
    values[i] = places[i].value;
    labels[i] = _(places[i].label);
  }
  debye_look_row_set_choices(DEBYE_LOOK_ROW(row), values, labels);
}

static void
add_inset(DebyeLookPanel *self, GtkWidget *group)
{
  GtkWidget *range = add_row(self, group, "inset", _("Inset"), "2:4");
  GtkWidget *place = add_row(self, group, "inset", _("Place of the inset"), NULL);
  debye_look_row_set_half(DEBYE_LOOK_ROW(range), DEBYE_LOOK_FIRST_HALF);
  debye_look_row_set_half(DEBYE_LOOK_ROW(place), DEBYE_LOOK_SECOND_HALF);
  offer_places(place, N_PLACES);
}

/* `all_label`: of a choice of all of them, where there are several; NULL: there is none. */
static void
offer_quantities(GtkWidget *row, GPtrArray *quantities, const char *all_label, char **offered)
{
  g_autoptr(GStrvBuilder) values = g_strv_builder_new();
  g_autoptr(GStrvBuilder) labels = g_strv_builder_new();
  g_autoptr(GString) all = g_string_new(NULL);
  for (guint i = 0; i < quantities->len; i++) {
    const DebyeQuantity *quantity = quantities->pdata[i];
    g_autofree char *label = debye_message_translate(quantity->label);
    g_strv_builder_add(values, quantity->name);
    g_strv_builder_add(labels, label);
    g_string_append_printf(all, "%s%s", i > 0 ? "," : "", quantity->name);
  }
  if (all_label != NULL && quantities->len > 1) {
    g_strv_builder_add(values, all->str);
    g_strv_builder_add(labels, all_label);
  }
  g_auto(GStrv) names = g_strv_builder_end(values), shown = g_strv_builder_end(labels);
  if (g_strcmp0(all->str, *offered) == 0)
    return;
  g_free(*offered);
  *offered = g_strdup(all->str);
  debye_look_row_set_choices(DEBYE_LOOK_ROW(row), (const char *const *)names, (const char *const *)shown);
}

static void
list_further(DebyeLookPanel *self)
{
  g_autoptr(GPtrArray) also = debye_result_plot_list_also(self->plot);
  g_autoptr(GPtrArray) seconds = debye_result_plot_list_seconds(self->plot);
  offer_quantities(self->also, also, _("All in this unit"), &self->alsos);
  offer_quantities(self->second, seconds, NULL, &self->seconds);
}

static void
list_curves(DebyeLookPanel *self)
{
  DebyePlot *plot = debye_result_plot_get_plot(self->plot);
  g_autoptr(GString) all = g_string_new(NULL);
  for (gsize i = 0; i < debye_plot_get_n_series(plot); i++) {
    const guint series = debye_plot_get_series(plot, i);
    if (debye_plot_get_series_axis(plot, series) == DEBYE_PLOT_Y)
      g_string_append_printf(all, "%u %s\n", series,
                             debye_curve_get_name(debye_plot_get_curve(plot, series)));
  }
  if (g_strcmp0(all->str, self->listed) == 0)
    return;
  g_free(self->listed);
  self->listed = g_strdup(all->str);
  for (guint i = 0; i < self->curve_rows->len; i++)
    adw_preferences_group_remove(ADW_PREFERENCES_GROUP(self->curves), self->curve_rows->pdata[i]);
  g_ptr_array_set_size(self->curve_rows, 0);
  for (gsize i = 0; i < debye_plot_get_n_series(plot); i++) {
    const guint series = debye_plot_get_series(plot, i);
    if (debye_plot_get_series_axis(plot, series) != DEBYE_PLOT_Y)
      continue;
    GtkWidget *row = debye_curve_row_new(self->look, plot, series);
    adw_preferences_group_add(ADW_PREFERENCES_GROUP(self->curves), row);
    g_ptr_array_add(self->curve_rows, row);
  }
}

static void
create_rows(DebyeLookPanel *self)
{
  self->curves = add_group(self, _("Curves"));
  add_axis_rows(self, add_group(self, _("Horizontal axis")), x_rows, DEBYE_PLOT_X);
  const char *const none[] = {NULL};
  GtkWidget *y = add_group(self, _("Vertical axis"));
  self->also = add_row(self, y, "also", _("Further quantity"), NULL);
  debye_look_row_set_choices(DEBYE_LOOK_ROW(self->also), none, none);
  add_axis_rows(self, y, y_rows, DEBYE_PLOT_Y);
  GtkWidget *second = add_group(self, _("Second axis, at the right"));
  self->second = add_row(self, second, "second", _("Quantity"), NULL);
  debye_look_row_set_choices(DEBYE_LOOK_ROW(self->second), none, none);
  add_axis_rows(self, second, second_rows, DEBYE_PLOT_Y2);
  GtkWidget *marks = add_group(self, _("Legend, marks and texts"));
  offer_places(add_row(self, marks, "legend", _("Legend"), NULL), G_N_ELEMENTS(places));
  add_inset(self, marks);
  add_rows(self, marks, mark_rows);
  add_rows(self, add_group(self, _("Values")), value_rows);
}

/* --- The whole --- */

static void
show_state(DebyeLookPanel *self)
{
  const char *problem = debye_result_look_get_problem(self->look);
  gtk_widget_set_sensitive(self->undo, debye_result_look_can_undo(self->look));
  gtk_widget_set_sensitive(self->redo, debye_result_look_can_redo(self->look));
  gtk_widget_set_sensitive(self->reset, debye_result_look_is_set(self->look));
  gtk_label_set_label(GTK_LABEL(self->problem), problem != NULL ? problem : "");
  gtk_widget_set_visible(self->problem, problem != NULL);
}

/* What nobody sees costs nothing. */
static void
update(DebyeLookPanel *self)
{
  if (self->look == NULL || !gtk_widget_get_mapped(GTK_WIDGET(self)))
    return;
  if (self->curves == NULL)
    create_rows(self);
  list_curves(self);
  list_further(self);
  show_hints(self);
  show_state(self);
}

static gboolean
undo(GtkWidget *parts G_GNUC_UNUSED, GVariant *parameters G_GNUC_UNUSED, gpointer panel)
{
  if (!gtk_widget_get_mapped(panel))
    return GDK_EVENT_PROPAGATE;
  debye_result_look_undo(DEBYE_LOOK_PANEL(panel)->look);
  return GDK_EVENT_STOP;
}

static gboolean
redo(GtkWidget *parts G_GNUC_UNUSED, GVariant *parameters G_GNUC_UNUSED, gpointer panel)
{
  if (!gtk_widget_get_mapped(panel))
    return GDK_EVENT_PROPAGATE;
  debye_result_look_redo(DEBYE_LOOK_PANEL(panel)->look);
  return GDK_EVENT_STOP;
}

static void
add_shortcut(GtkEventController *keys, GdkModifierType modifiers, GtkShortcutFunc function,
             DebyeLookPanel *self)
{
  GtkShortcutAction *action = gtk_callback_action_new(function, self, NULL);
  gtk_shortcut_controller_add_shortcut(
      GTK_SHORTCUT_CONTROLLER(keys), gtk_shortcut_new(gtk_keyval_trigger_new(GDK_KEY_z, modifiers), action));
}

/* Of the panel and of the plot beside it, which a click gives the focus. Before the entries' own
 * keys, which take these even where they have nothing to undo. */
static void
add_undo(DebyeLookPanel *self, GtkWidget *parts)
{
  GtkEventController *keys = gtk_shortcut_controller_new();
  gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE);
  add_shortcut(keys, GDK_CONTROL_MASK, undo, self);
  add_shortcut(keys, GDK_CONTROL_MASK | GDK_SHIFT_MASK, redo, self);
  gtk_widget_add_controller(parts, keys);
}

void
debye_look_panel_set_look(DebyeLookPanel *self, DebyeResultLook *look, DebyeResultPlot *plot)
{
  g_return_if_fail(DEBYE_IS_LOOK_PANEL(self) && self->look == NULL);
  self->look = g_object_ref(look);
  self->plot = g_object_ref(plot);
  g_signal_connect_object(look, "changed", G_CALLBACK(update), self, G_CONNECT_SWAPPED);
  add_undo(self, gtk_widget_get_parent(GTK_WIDGET(self)));
  update(self);
}

void
debye_look_panel_place(GtkPaned *parts, gboolean is_large)
{
  const int length =
      is_large ? gtk_widget_get_width(GTK_WIDGET(parts)) : gtk_widget_get_height(GTK_WIDGET(parts));
  gtk_orientable_set_orientation(GTK_ORIENTABLE(parts),
                                 is_large ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL);
  if (length > 0)
    gtk_paned_set_position(parts, (int)((is_large ? LARGE_PART : SMALL_PART) * length));
}

static void
on_undo(DebyeLookPanel *self)
{
  debye_result_look_undo(self->look);
}

static void
on_redo(DebyeLookPanel *self)
{
  debye_result_look_redo(self->look);
}

static void
on_reset(DebyeLookPanel *self)
{
  debye_result_look_reset(self->look);
}

static void
on_use(DebyeLookPanel *self)
{
  g_signal_emit_by_name(self, "use-style");
}

static void
on_save(DebyeLookPanel *self)
{
  g_signal_emit_by_name(self, "save-style");
}

/* --- The object --- */

static GtkWidget *
create_button(DebyeLookPanel *self, const char *icon, const char *name, GCallback clicked)
{
  GtkWidget *button = gtk_button_new_from_icon_name(icon);
  gtk_widget_add_css_class(button, "flat");
  gtk_widget_set_tooltip_text(button, name);
  gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_signal_connect_swapped(button, "clicked", clicked, self);
  return button;
}

static GtkWidget *
create_bar(DebyeLookPanel *self)
{
  GtkWidget *bar = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 2), *title = gtk_label_new(_("Look of the plot"));
  gtk_widget_add_css_class(bar, "plot-bar");
  gtk_widget_add_css_class(title, "heading");
  gtk_label_set_xalign(GTK_LABEL(title), 0.0f);
  gtk_label_set_ellipsize(GTK_LABEL(title), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand(title, TRUE);
  self->undo = create_button(self, "edit-undo-symbolic", _("Undo (Ctrl+Z)"), G_CALLBACK(on_undo));
  self->redo = create_button(self, "edit-redo-symbolic", _("Redo (Ctrl+Shift+Z)"), G_CALLBACK(on_redo));
  self->reset = create_button(self, "edit-clear-all-symbolic", _("Reset the look"), G_CALLBACK(on_reset));
  gtk_box_append(GTK_BOX(bar), title);
  gtk_box_append(GTK_BOX(bar), self->undo);
  gtk_box_append(GTK_BOX(bar), self->redo);
  gtk_box_append(GTK_BOX(bar), self->reset);
  gtk_box_append(GTK_BOX(bar),
                 create_button(self, "document-open-symbolic", _("Use style…"), G_CALLBACK(on_use)));
  gtk_box_append(GTK_BOX(bar),
                 create_button(self, "document-save-as-symbolic", _("Save style…"), G_CALLBACK(on_save)));
  return bar;
}

static void
debye_look_panel_dispose(GObject *object)
{
  DebyeLookPanel *self = DEBYE_LOOK_PANEL(object);
  g_clear_object(&self->look);
  g_clear_object(&self->plot);
  g_clear_pointer(&self->curve_rows, g_ptr_array_unref);
  g_clear_pointer(&self->listed, g_free);
  g_clear_pointer(&self->alsos, g_free);
  g_clear_pointer(&self->seconds, g_free);
  G_OBJECT_CLASS(debye_look_panel_parent_class)->dispose(object);
}

static void
debye_look_panel_class_init(DebyeLookPanelClass *class)
{
  const GType type = G_TYPE_FROM_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = debye_look_panel_dispose;
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_GROUP);
  g_signal_new("use-style", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new("save-style", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
debye_look_panel_init(DebyeLookPanel *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new();
  self->curve_rows = g_ptr_array_new();
  self->content = gtk_box_new(GTK_ORIENTATION_VERTICAL, 18);
  self->problem = gtk_label_new(NULL);
  gtk_orientable_set_orientation(GTK_ORIENTABLE(self), GTK_ORIENTATION_VERTICAL);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Look of the plot"),
                                 -1);
  gtk_widget_add_css_class(self->content, "look-content");
  gtk_widget_add_css_class(self->problem, "error");
  gtk_widget_add_css_class(self->problem, "caption");
  gtk_label_set_wrap(GTK_LABEL(self->problem), TRUE);
  gtk_widget_set_visible(self->problem, FALSE);
  gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), self->content);
  gtk_widget_set_vexpand(scrolled, TRUE);
  gtk_box_append(GTK_BOX(self), create_bar(self));
  gtk_box_append(GTK_BOX(self), self->problem);
  gtk_box_append(GTK_BOX(self), scrolled);
  g_signal_connect(self, "map", G_CALLBACK(update), NULL);
}
