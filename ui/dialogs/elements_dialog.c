/* SPDX-License-Identifier: MIT */
/* The dialog that shows each atom's element and lets it be corrected; opened by the window's actions. */
#include "elements_dialog.h"

#include <glib/gi18n.h>
#include <string.h>

#include "data/selection/element_choice.h"
#include "data/tables/elements.h"
#include "ui/widgets/number_text.h"
#include "ui/widgets/template.h"

/* More kinds than anyone reads through; the least sure stand first. */
#define ROWS_MAXIMUM 300

struct _DebyeElementsDialog {
  AdwWindow parent_instance;
  GtkListBox *list;
  GtkLabel *rest;
  GtkButton *apply;
  GPtrArray *kinds; /* of DebyeElementKind */
  GPtrArray *rows;  /* AdwEntryRow, borrowed, one a kind */
};

G_DEFINE_FINAL_TYPE(DebyeElementsDialog, debye_elements_dialog, ADW_TYPE_WINDOW)

static const char *
symbol_of(const DebyeElementKind *kind)
{
  return kind->element != 0 ? debye_element_get(kind->element)->symbol : "none";
}

static void
on_text_changed(DebyeElementsDialog *self)
{
  gboolean all_good = TRUE;
  for (guint i = 0; i < self->rows->len; i++) {
    GtkWidget *row = self->rows->pdata[i];
    const char *text = gtk_editable_get_text(GTK_EDITABLE(row));
    gboolean is_good = debye_element_from_symbol(text, -1) != 0 || g_ascii_strcasecmp(text, "none") == 0;
    all_good = all_good && is_good;
    if (is_good)
      gtk_widget_remove_css_class(row, "error");
    else
      gtk_widget_add_css_class(row, "error");
  }
  gtk_widget_set_sensitive(GTK_WIDGET(self->apply), all_good);
}

/* "CA · 12 atoms, decided from atom names". */
static char *
describe_kind(const DebyeElementKind *kind)
{
  g_autofree char *count = debye_count_text(kind->n_atoms);
  return g_strdup_printf(
      ngettext("%s · %s atom, decided from %s", "%s · %s atoms, decided from %s", kind->n_atoms),
      *kind->label != '\0' ? kind->label : _("no name"), count,
      _(debye_element_source_describe(kind->source)));
}

/* The symbol that was chosen for these atoms before, or the one that was decided. */
static const char *
find_symbol(const DebyeElementKind *kind, const char *const *choices)
{
  const gsize length = strlen(kind->atoms);
  for (; *choices != NULL; choices++)
    if (strncmp(*choices, kind->atoms, length) == 0 && (*choices)[length] == '=')
      return *choices + length + 1;
  return symbol_of(kind);
}

static void
add_row(DebyeElementsDialog *self, const DebyeElementKind *kind, const char *symbol)
{
  g_autofree char *title = describe_kind(kind);
  GtkWidget *row = adw_entry_row_new();
  adw_preferences_row_set_use_markup(ADW_PREFERENCES_ROW(row), FALSE);
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), title);
  gtk_editable_set_text(GTK_EDITABLE(row), symbol);
  g_signal_connect_object(row, "changed", G_CALLBACK(on_text_changed), self, G_CONNECT_SWAPPED);
  gtk_list_box_append(self->list, row);
  g_ptr_array_add(self->rows, row);
}

static void
show_kinds(DebyeElementsDialog *self, const char *const *choices)
{
  for (guint i = 0; i < MIN(self->kinds->len, ROWS_MAXIMUM); i++)
    add_row(self, self->kinds->pdata[i], find_symbol(self->kinds->pdata[i], choices));
  gtk_widget_set_visible(GTK_WIDGET(self->rest), self->kinds->len > ROWS_MAXIMUM);
  if (self->kinds->len <= ROWS_MAXIMUM)
    return;
  const guint n_more = self->kinds->len - ROWS_MAXIMUM;
  g_autofree char *text =
      g_strdup_printf(ngettext("%u further kind of atoms, assigned with more certainty",
                               "%u further kinds of atoms, assigned with more certainty", n_more),
                      n_more);
  gtk_label_set_label(self->rest, text);
}

static void
on_apply_clicked(DebyeElementsDialog *self)
{
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
  for (guint i = 0; i < self->rows->len; i++) {
    const DebyeElementKind *kind = self->kinds->pdata[i];
    const char *text = gtk_editable_get_text(GTK_EDITABLE(self->rows->pdata[i]));
    g_autofree char *choice = g_strdup_printf("%s=%s", kind->atoms, text);
    if (g_ascii_strcasecmp(text, symbol_of(kind)) != 0)
      g_strv_builder_add(builder, choice);
  }
  g_auto(GStrv) choices = g_strv_builder_end(builder);
  g_signal_emit_by_name(self, "chosen", choices);
  gtk_window_close(GTK_WINDOW(self));
}

GtkWidget *
debye_elements_dialog_new(GtkWindow *parent, DebyeTopology *of_files, const char *const *choices)
{
  DebyeElementsDialog *self = g_object_new(DEBYE_TYPE_ELEMENTS_DIALOG, "transient-for", parent, NULL);
  self->kinds = debye_element_kinds_new(of_files);
  show_kinds(self, choices);
  return GTK_WIDGET(self);
}

static void
debye_elements_dialog_finalize(GObject *object)
{
  DebyeElementsDialog *self = DEBYE_ELEMENTS_DIALOG(object);
  g_clear_pointer(&self->kinds, g_ptr_array_unref);
  g_ptr_array_unref(self->rows);
  G_OBJECT_CLASS(debye_elements_dialog_parent_class)->finalize(object);
}

static void
debye_elements_dialog_class_init(DebyeElementsDialogClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->finalize = debye_elements_dialog_finalize;
  g_signal_new("chosen", DEBYE_TYPE_ELEMENTS_DIALOG, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
               G_TYPE_STRV);
  gtk_widget_class_set_template_from_resource(widget_class, "/org/debye/Debye/elements_dialog.ui");
  DEBYE_BIND_CHILDREN(class, DebyeElementsDialog, list, rest, apply);
  gtk_widget_class_bind_template_callback(widget_class, on_apply_clicked);
  gtk_widget_class_add_binding_action(widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
debye_elements_dialog_init(DebyeElementsDialog *self)
{
  self->rows = g_ptr_array_new();
  gtk_widget_init_template(GTK_WIDGET(self));
}
