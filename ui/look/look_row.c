/* SPDX-License-Identifier: MIT */
/* Implementation of look_row.h; rows of look_panel.c. */
#include "look_row.h"

#include <glib/gi18n.h>
#include <string.h>

#include "ui/widgets/number_text.h"

/* How long a hand rests before it is told what is wrong. */
#define REST_MILLISECONDS 1000
#define LEAST_CHARS 10

struct _DebyeLookRow {
  AdwPreferencesRow parent_instance;
  DebyeResultLook *look;
  const DebyeSetting *setting;
  GtkWidget *line, *control, *problem;
  char **values;        /* of the list, behind its first choice */
  char *refused;        /* why what is typed is no value; NULL: it is one */
  const char *quantity; /* interned: which one's look the row shows */
  guint rest_source;
  DebyeLookHalf half;
  gboolean is_updating, is_storing;
};

G_DEFINE_FINAL_TYPE(DebyeLookRow, debye_look_row, ADW_TYPE_PREFERENCES_ROW)

/* --- Halves --- */

static void
split(const char *value, char **first, char **second)
{
  g_auto(GStrv) parts = g_strsplit(value != NULL ? value : "", ",", 2);
  *first = g_strdup(parts[0] != NULL ? g_strstrip(parts[0]) : "");
  *second = g_strdup(parts[0] != NULL && parts[1] != NULL ? g_strstrip(parts[1]) : "");
}

/* What the row shows of the value; NULL: nothing. */
static char *
get_shown(const DebyeLookRow *self, const char *value)
{
  g_autofree char *first = NULL, *second = NULL;
  if (self->half == DEBYE_LOOK_WHOLE || value == NULL)
    return g_strdup(value);
  split(value, &first, &second);
  const char *shown = self->half == DEBYE_LOOK_FIRST_HALF ? first : second;
  return *shown != '\0' ? g_strdup(shown) : NULL;
}

/* The value with this row's half. Whoever types both has both. NULL: none. */
static char *
join(const DebyeLookRow *self, const char *half)
{
  g_autofree char *first = NULL, *second = NULL;
  if (self->half == DEBYE_LOOK_WHOLE || (half != NULL && strchr(half, ',') != NULL))
    return g_strdup(half);
  split(debye_result_look_get(self->look, self->setting->key), &first, &second);
  const char *before = self->half == DEBYE_LOOK_FIRST_HALF ? half : first;
  const char *after = self->half == DEBYE_LOOK_FIRST_HALF ? second : half;
  if (before == NULL || *before == '\0')
    return NULL;
  return after != NULL && *after != '\0' ? g_strconcat(before, ", ", after, NULL) : g_strdup(before);
}

/* --- From the row --- */

static void
show_problem(DebyeLookRow *self)
{
  gtk_widget_set_visible(self->problem, self->refused != NULL);
  gtk_label_set_label(GTK_LABEL(self->problem), self->refused != NULL ? self->refused : "");
  if (self->refused != NULL)
    gtk_widget_add_css_class(self->control, "error");
  else
    gtk_widget_remove_css_class(self->control, "error");
}

static gboolean
on_rest(gpointer data)
{
  DebyeLookRow *self = data;
  self->rest_source = 0;
  show_problem(self);
  return G_SOURCE_REMOVE;
}

static void
store(DebyeLookRow *self, const char *shown)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *value = join(self, shown);
  g_clear_handle_id(&self->rest_source, g_source_remove);
  g_clear_pointer(&self->refused, g_free);
  self->is_storing = TRUE;
  if (!debye_result_look_set(self->look, self->setting->key, value, &error))
    self->refused = g_strdup(error->message);
  self->is_storing = FALSE;
  if (self->refused != NULL)
    self->rest_source = g_timeout_add(REST_MILLISECONDS, on_rest, self);
  else
    show_problem(self);
}

static void
on_typed(DebyeLookRow *self)
{
  if (self->is_updating)
    return;
  g_autofree char *text = g_strstrip(g_strdup(gtk_editable_get_text(GTK_EDITABLE(self->control))));
  const gboolean is_number = self->setting->kind == DEBYE_SETTING_NUMBER;
  g_autofree char *value = is_number ? debye_number_with_dot(text) : g_strdup(text);
  store(self, value);
}

static void
on_lines_typed(DebyeLookRow *self)
{
  GtkTextIter start, end;
  GtkTextBuffer *buffer = gtk_text_view_get_buffer(GTK_TEXT_VIEW(self->control));
  if (self->is_updating)
    return;
  gtk_text_buffer_get_bounds(buffer, &start, &end);
  g_autofree char *text = gtk_text_buffer_get_text(buffer, &start, &end, FALSE);
  g_auto(GStrv) values = debye_setting_split_values(text);
  g_autofree char *value = g_strjoinv("\n", values);
  store(self, value);
}

static void
on_chosen(DebyeLookRow *self)
{
  const guint selected = gtk_drop_down_get_selected(GTK_DROP_DOWN(self->control));
  if (!self->is_updating && selected != GTK_INVALID_LIST_POSITION)
    store(self, selected > 0 ? self->values[selected - 1] : NULL);
}

static void
on_switched(DebyeLookRow *self)
{
  if (!self->is_updating)
    store(self, gtk_switch_get_active(GTK_SWITCH(self->control)) ? "true" : NULL);
}

/* --- Into the row --- */

static guint
find_choice(const DebyeLookRow *self, const char *value)
{
  for (guint i = 0; self->values[i] != NULL; i++)
    if (g_strcmp0(self->values[i], value) == 0)
      return i + 1;
  return value != NULL ? GTK_INVALID_LIST_POSITION : 0;
}

static void
show_text(DebyeLookRow *self, const char *text)
{
  if (g_strcmp0(gtk_editable_get_text(GTK_EDITABLE(self->control)), text) != 0)
    gtk_editable_set_text(GTK_EDITABLE(self->control), text);
}

/* What was refused was meant for another quantity. */
static void
forget_refused(DebyeLookRow *self)
{
  self->quantity = debye_result_look_get_quantity(self->look);
  g_clear_handle_id(&self->rest_source, g_source_remove);
  g_clear_pointer(&self->refused, g_free);
  show_problem(self);
}

static void
show_value(DebyeLookRow *self)
{
  const char *whole = debye_result_look_get(self->look, self->setting->key);
  g_autofree char *value = get_shown(self, whole);
  if (self->is_storing)
    return;
  if (self->quantity != debye_result_look_get_quantity(self->look))
    forget_refused(self);
  self->is_updating = TRUE;
  gtk_widget_set_sensitive(GTK_WIDGET(self), self->half != DEBYE_LOOK_SECOND_HALF || whole != NULL);
  if (GTK_IS_DROP_DOWN(self->control))
    gtk_drop_down_set_selected(GTK_DROP_DOWN(self->control), find_choice(self, value));
  else if (GTK_IS_SWITCH(self->control))
    gtk_switch_set_active(GTK_SWITCH(self->control), g_strcmp0(value, "true") == 0);
  else if (self->refused == NULL && GTK_IS_TEXT_VIEW(self->control))
    gtk_text_buffer_set_text(gtk_text_view_get_buffer(GTK_TEXT_VIEW(self->control)),
                             value != NULL ? value : "", -1);
  else if (self->refused == NULL)
    show_text(self, value != NULL ? value : "");
  self->is_updating = FALSE;
}

/* --- Making it --- */

/* The list where the control is. */
static void
set_control(DebyeLookRow *self, GtkWidget *control)
{
  if (self->control != NULL)
    gtk_box_remove(GTK_BOX(gtk_widget_get_parent(self->control)), self->control);
  self->control = control;
  gtk_widget_set_valign(control, GTK_ALIGN_CENTER);
  gtk_box_append(GTK_BOX(self->line), control);
  gtk_accessible_update_property(GTK_ACCESSIBLE(control), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 adw_preferences_row_get_title(ADW_PREFERENCES_ROW(self)), -1);
}

void
debye_look_row_set_choices(DebyeLookRow *self, const char *const *values, const char *const *labels)
{
  g_return_if_fail(DEBYE_IS_LOOK_ROW(self));
  g_autoptr(GtkStringList) list = gtk_string_list_new(NULL);
  gtk_string_list_append(list, C_("look of a plot", "Automatic"));
  for (gsize i = 0; labels[i] != NULL; i++)
    gtk_string_list_append(list, labels[i]);
  g_strfreev(self->values);
  self->values = g_strdupv((char **)values);
  self->is_updating = TRUE;
  if (GTK_IS_DROP_DOWN(self->control)) {
    gtk_drop_down_set_model(GTK_DROP_DOWN(self->control), G_LIST_MODEL(list));
  } else {
    set_control(self, gtk_drop_down_new(G_LIST_MODEL(g_steal_pointer(&list)), NULL));
    g_signal_connect_swapped(self->control, "notify::selected", G_CALLBACK(on_chosen), self);
  }
  self->is_updating = FALSE;
  show_value(self);
}

void
debye_look_row_set_half(DebyeLookRow *self, DebyeLookHalf half)
{
  g_return_if_fail(DEBYE_IS_LOOK_ROW(self));
  self->half = half;
  show_value(self);
}

static void
take_choices(DebyeLookRow *self)
{
  g_autoptr(GPtrArray) values = g_ptr_array_new();
  g_autoptr(GPtrArray) labels = g_ptr_array_new();
  for (const DebyeChoice *choice = self->setting->choices; choice->value != NULL; choice++) {
    g_ptr_array_add(values, (gpointer)choice->value);
    g_ptr_array_add(labels, _(choice->label));
  }
  g_ptr_array_add(values, NULL);
  g_ptr_array_add(labels, NULL);
  debye_look_row_set_choices(self, (const char *const *)values->pdata, (const char *const *)labels->pdata);
}

static void
add_entry(DebyeLookRow *self, const char *hint)
{
  GtkWidget *entry = gtk_entry_new();
  gtk_editable_set_enable_undo(GTK_EDITABLE(entry), FALSE);
  gtk_editable_set_width_chars(GTK_EDITABLE(entry), LEAST_CHARS);
  gtk_entry_set_placeholder_text(GTK_ENTRY(entry), hint);
  set_control(self, entry);
  g_signal_connect_swapped(entry, "changed", G_CALLBACK(on_typed), self);
}

void
debye_look_row_set_hint(DebyeLookRow *self, const char *hint)
{
  g_return_if_fail(DEBYE_IS_LOOK_ROW(self) && GTK_IS_ENTRY(self->control));
  if (g_strcmp0(gtk_entry_get_placeholder_text(GTK_ENTRY(self->control)), hint) != 0)
    gtk_entry_set_placeholder_text(GTK_ENTRY(self->control), hint);
}

/* A value a line. */
static void
add_lines(DebyeLookRow *self)
{
  GtkWidget *text = gtk_text_view_new();
  gtk_text_buffer_set_enable_undo(gtk_text_view_get_buffer(GTK_TEXT_VIEW(text)), FALSE);
  gtk_text_view_set_accepts_tab(GTK_TEXT_VIEW(text), FALSE);
  gtk_text_view_set_left_margin(GTK_TEXT_VIEW(text), 6);
  gtk_text_view_set_top_margin(GTK_TEXT_VIEW(text), 6);
  gtk_text_view_set_bottom_margin(GTK_TEXT_VIEW(text), 6);
  gtk_widget_add_css_class(text, "look-lines");
  gtk_orientable_set_orientation(GTK_ORIENTABLE(self->line), GTK_ORIENTATION_VERTICAL);
  set_control(self, text);
  g_signal_connect_swapped(gtk_text_view_get_buffer(GTK_TEXT_VIEW(text)), "changed",
                           G_CALLBACK(on_lines_typed), self);
}

static GtkWidget *
create_label(const char *text, const char *style)
{
  GtkWidget *label = gtk_label_new(text);
  gtk_label_set_xalign(GTK_LABEL(label), 0.0f);
  gtk_label_set_wrap(GTK_LABEL(label), TRUE);
  gtk_widget_set_hexpand(label, TRUE);
  if (style != NULL)
    gtk_widget_add_css_class(label, style);
  return label;
}

GtkWidget *
debye_look_row_new(DebyeResultLook *look, const char *key, const char *title, const char *hint)
{
  g_return_val_if_fail(DEBYE_IS_RESULT_LOOK(look), NULL);
  DebyeLookRow *self = g_object_new(DEBYE_TYPE_LOOK_ROW, "title", title, "activatable", FALSE, NULL);
  self->look = g_object_ref(look);
  self->setting = debye_setting_table_find(&debye_style_table, key);
  g_return_val_if_fail(self->setting != NULL, GTK_WIDGET(self));
  gtk_widget_set_tooltip_text(GTK_WIDGET(self), _(self->setting->help));
  gtk_box_append(GTK_BOX(self->line), create_label(title, NULL));
  if (self->setting->kind == DEBYE_SETTING_CHOICE)
    take_choices(self);
  else if (self->setting->kind == DEBYE_SETTING_BOOLEAN) {
    set_control(self, gtk_switch_new());
    g_signal_connect_swapped(self->control, "notify::active", G_CALLBACK(on_switched), self);
  } else if (self->setting->repeated)
    add_lines(self);
  else
    add_entry(self, hint);
  show_value(self);
  g_signal_connect_object(look, "changed", G_CALLBACK(show_value), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET(self);
}

static void
debye_look_row_dispose(GObject *object)
{
  DebyeLookRow *self = DEBYE_LOOK_ROW(object);
  g_clear_handle_id(&self->rest_source, g_source_remove);
  g_clear_object(&self->look);
  g_clear_pointer(&self->values, g_strfreev);
  g_clear_pointer(&self->refused, g_free);
  G_OBJECT_CLASS(debye_look_row_parent_class)->dispose(object);
}

static void
debye_look_row_class_init(DebyeLookRowClass *class)
{
  G_OBJECT_CLASS(class)->dispose = debye_look_row_dispose;
}

static void
debye_look_row_init(DebyeLookRow *self)
{
  GtkWidget *column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6);
  self->line = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12);
  self->problem = create_label(NULL, "error");
  gtk_widget_add_css_class(self->problem, "caption");
  gtk_widget_set_visible(self->problem, FALSE);
  gtk_widget_add_css_class(column, "setting");
  gtk_box_append(GTK_BOX(column), self->line);
  gtk_box_append(GTK_BOX(column), self->problem);
  gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(self), column);
}
