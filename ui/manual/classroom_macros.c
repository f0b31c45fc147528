/* SPDX-License-Identifier: MIT */
/* The macros of a listing as spin buttons; shown by classroom_code.c. */
#include "classroom_macros.h"

#include <glib/gi18n.h>

#include "data/messages/count_text.h"
#include "ui/widgets/spin_digits.h"

#define MOST 65536.0
#define VALUE_CHARS 6 /* "65,536" */
#define STEPS 4       /* from one half of a default to it and a half */

typedef struct {
  char *name, *comment;
  gint64 initial;
  GtkWidget *item; /* a label and a spin button, in the box */
  GtkSpinButton *button;
} Macro;

struct _DebyeClassroomMacros {
  GtkBox parent_instance;
  GtkFlowBox *box;
  GtkButton *reset;
  char *id;
  GArray *macros; /* Macro */
  gboolean is_filling;
};

G_DEFINE_FINAL_TYPE(DebyeClassroomMacros, debye_classroom_macros, GTK_TYPE_BOX)

static void
macro_clear(gpointer data)
{
  Macro *macro = data;
  g_free(macro->name);
  g_free(macro->comment);
}

/* What says how a kernel is made, or how its arrays are, and can't be chosen without changing the code. */
static gboolean
is_fixed(const char *name)
{
  static const char *const fixed[] = {"SQUARES", "OVER_ATOMS", "FLOATS",  "ACROSS", "APART",
                                      "EDGE",    "CAPACITY",   "FAR",     "FRAMES", "PRIMITIVES",
                                      "SHELLS",  "MOST",       "THREADS", NULL};
  return g_strv_contains(fixed, name);
}

static gint64
get_value(const Macro *macro)
{
  return gtk_spin_button_get_value_as_int(macro->button);
}

static gboolean
has_changes(const DebyeClassroomMacros *self)
{
  for (guint i = 0; i < self->macros->len; i++)
    if (get_value(&g_array_index(self->macros, Macro, i)) != g_array_index(self->macros, Macro, i).initial)
      return TRUE;
  return FALSE;
}

static void
on_value_changed(DebyeClassroomMacros *self)
{
  if (self->is_filling)
    return;
  gtk_widget_set_sensitive(GTK_WIDGET(self->reset), has_changes(self));
  g_signal_emit_by_name(self, "changed");
}

static void
on_reset(DebyeClassroomMacros *self)
{
  for (guint i = 0; i < self->macros->len; i++) {
    const Macro *macro = &g_array_index(self->macros, Macro, i);
    gtk_spin_button_set_value(macro->button, (double)macro->initial);
  }
}

static void
add_macro(DebyeClassroomMacros *self, Macro *macro, double value)
{
  GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6), *name = gtk_label_new(macro->name),
            *button = gtk_spin_button_new_with_range(1.0, MOST, MAX(1, macro->initial / STEPS));
  g_autofree char *initial = debye_count_text((guint64)macro->initial),
                  *told = g_strdup_printf(_("Default: %s"), initial),
                  *tip = g_strconcat(macro->comment, *macro->comment != '\0' ? "\n" : "", told, NULL);
  gtk_widget_add_css_class(name, "monospace");
  gtk_widget_add_css_class(name, "caption");
  gtk_editable_set_width_chars(GTK_EDITABLE(button), VALUE_CHARS);
  gtk_editable_set_max_width_chars(GTK_EDITABLE(button), VALUE_CHARS);
  gtk_spin_button_set_value(GTK_SPIN_BUTTON(button), value);
  debye_spin_digits_group(GTK_SPIN_BUTTON(button));
  gtk_widget_set_tooltip_text(row, tip);
  gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, macro->name, -1);
  gtk_box_append(GTK_BOX(row), name);
  gtk_box_append(GTK_BOX(row), button);
  gtk_widget_set_halign(row, GTK_ALIGN_START);
  gtk_flow_box_append(self->box, row);
  macro->item = gtk_widget_get_parent(row);
  gtk_widget_set_focusable(macro->item, FALSE);
  macro->button = GTK_SPIN_BUTTON(button);
  g_signal_connect_object(button, "value-changed", G_CALLBACK(on_value_changed), self, G_CONNECT_SWAPPED);
}

/* Each that has a #ifndef of its own. */
static GArray *
find_macros(const char *text)
{
  GArray *macros = g_array_new(FALSE, TRUE, sizeof(Macro));
  g_autoptr(GRegex) pattern = g_regex_new(
      "^[ \\t]*#[ \\t]*ifndef[ \\t]+(\\w+)[ \\t]*\\n[ \\t]*#[ \\t]*define[ \\t]+\\1[ \\t]+(\\d{1,6})\\b"
      "[ \\t]*(?:/\\*[ \\t]*([^\\n]*?)[ \\t]*\\*/)?[^\\n]*\\n[ \\t]*#[ \\t]*endif",
      G_REGEX_MULTILINE, 0, NULL);
  g_autoptr(GMatchInfo) match = NULL;
  g_array_set_clear_func(macros, macro_clear);
  for (gboolean found = g_regex_match(pattern, text, 0, &match); found;
       found = g_match_info_next(match, NULL)) {
    g_autofree char *name = g_match_info_fetch(match, 1), *value = g_match_info_fetch(match, 2),
                    *comment = g_match_info_fetch(match, 3);
    const Macro macro = {.name = g_strdup(name),
                         .comment = g_strdup(comment != NULL ? comment : ""),
                         .initial = g_ascii_strtoll(value, NULL, 10)};
    if (is_fixed(name) || macro.initial < 1 || macro.initial > (gint64)MOST)
      macro_clear((gpointer)&macro);
    else
      g_array_append_val(macros, macro);
  }
  return macros;
}

static gboolean
are_same(const GArray *these, const GArray *others)
{
  gboolean same = these->len == others->len;
  for (guint i = 0; same && i < these->len; i++)
    same = g_str_equal(g_array_index(these, Macro, i).name, g_array_index(others, Macro, i).name) &&
           g_array_index(these, Macro, i).initial == g_array_index(others, Macro, i).initial;
  return same;
}

/* What was chosen for it before, if it was not its default. */
static double
find_value(const GArray *before, const Macro *macro)
{
  for (guint i = 0; before != NULL && i < before->len; i++) {
    const Macro *other = &g_array_index(before, Macro, i);
    if (g_str_equal(other->name, macro->name) && get_value(other) != other->initial)
      return (double)get_value(other);
  }
  return (double)macro->initial;
}

void
debye_classroom_macros_set_code(DebyeClassroomMacros *self, const char *id, const char *text)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_MACROS(self));
  const gboolean is_other = g_strcmp0(id, self->id) != 0;
  g_autoptr(GArray) macros = find_macros(text);
  if (!is_other && are_same(self->macros, macros))
    return;
  g_autoptr(GArray) before = g_steal_pointer(&self->macros);
  g_free(self->id);
  self->id = g_strdup(id);
  self->is_filling = TRUE;
  g_autofree double *values = g_new(double, macros->len + 1);
  for (guint i = 0; i < macros->len; i++)
    values[i] = find_value(is_other ? NULL : before, &g_array_index(macros, Macro, i));
  for (guint i = 0; i < before->len; i++)
    gtk_flow_box_remove(self->box, g_array_index(before, Macro, i).item);
  self->macros = g_steal_pointer(&macros);
  for (guint i = 0; i < self->macros->len; i++)
    add_macro(self, &g_array_index(self->macros, Macro, i), values[i]);
  self->is_filling = FALSE;
  gtk_widget_set_sensitive(GTK_WIDGET(self->reset), has_changes(self));
  gtk_widget_set_visible(GTK_WIDGET(self), self->macros->len > 0);
}

char **
debye_classroom_macros_list(DebyeClassroomMacros *self)
{
  g_return_val_if_fail(DEBYE_IS_CLASSROOM_MACROS(self), NULL);
  g_autoptr(GStrvBuilder) list = g_strv_builder_new();
  for (guint i = 0; i < self->macros->len; i++) {
    const Macro *macro = &g_array_index(self->macros, Macro, i);
    g_autofree char *text = g_strdup_printf("%s=%" G_GINT64_FORMAT, macro->name, get_value(macro));
    if (get_value(macro) != macro->initial)
      g_strv_builder_add(list, text);
  }
  return g_strv_builder_end(list);
}

char **
debye_classroom_macros_list_all(DebyeClassroomMacros *self)
{
  g_return_val_if_fail(DEBYE_IS_CLASSROOM_MACROS(self), NULL);
  g_autoptr(GStrvBuilder) list = g_strv_builder_new();
  for (guint i = 0; i < self->macros->len; i++) {
    const Macro *macro = &g_array_index(self->macros, Macro, i);
    g_autofree char *text = g_strdup_printf("%s=%" G_GINT64_FORMAT, macro->name, macro->initial);
    g_strv_builder_add(list, text);
  }
  return g_strv_builder_end(list);
}

void
debye_classroom_macros_choose(DebyeClassroomMacros *self, const char *const *list)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_MACROS(self));
  for (gsize i = 0; list[i] != NULL; i++) {
    g_auto(GStrv) parts = g_strsplit(list[i], "=", 2);
    for (guint at = 0; parts[0] != NULL && parts[1] != NULL && at < self->macros->len; at++) {
      const Macro *macro = &g_array_index(self->macros, Macro, at);
      if (g_str_equal(macro->name, parts[0]))
        gtk_spin_button_set_value(macro->button, g_ascii_strtod(parts[1], NULL));
    }
  }
}

static void
debye_classroom_macros_finalize(GObject *object)
{
  DebyeClassroomMacros *self = DEBYE_CLASSROOM_MACROS(object);
  g_clear_pointer(&self->macros, g_array_unref);
  g_free(self->id);
  G_OBJECT_CLASS(debye_classroom_macros_parent_class)->finalize(object);
}

static void
debye_classroom_macros_class_init(DebyeClassroomMacrosClass *class)
{
  G_OBJECT_CLASS(class)->finalize = debye_classroom_macros_finalize;
  g_signal_new("changed", DEBYE_TYPE_CLASSROOM_MACROS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
               0);
}

static void
debye_classroom_macros_init(DebyeClassroomMacros *self)
{
  GtkWidget *box = gtk_flow_box_new(), *reset = gtk_button_new_with_label(_("Defaults"));
  self->macros = g_array_new(FALSE, TRUE, sizeof(Macro));
  g_array_set_clear_func(self->macros, macro_clear);
  self->box = GTK_FLOW_BOX(box);
  self->reset = GTK_BUTTON(reset);
  gtk_flow_box_set_selection_mode(self->box, GTK_SELECTION_NONE);
  gtk_flow_box_set_column_spacing(self->box, 12);
  gtk_flow_box_set_row_spacing(self->box, 6);
  gtk_flow_box_set_max_children_per_line(self->box, 4);
  gtk_widget_set_hexpand(box, TRUE);
  gtk_widget_set_valign(reset, GTK_ALIGN_START);
  gtk_widget_set_tooltip_text(reset, _("Gives all macros the values of the code"));
  gtk_accessible_update_property(GTK_ACCESSIBLE(box), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Macros"), -1);
  g_signal_connect_object(reset, "clicked", G_CALLBACK(on_reset), self, G_CONNECT_SWAPPED);
  gtk_box_set_spacing(GTK_BOX(self), 6);
  gtk_box_append(GTK_BOX(self), box);
  gtk_box_append(GTK_BOX(self), reset);
  gtk_widget_set_visible(GTK_WIDGET(self), FALSE);
}

GtkWidget *
debye_classroom_macros_new(void)
{
  return g_object_new(DEBYE_TYPE_CLASSROOM_MACROS, NULL);
}
