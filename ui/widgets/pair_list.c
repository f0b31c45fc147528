/* SPDX-License-Identifier: MIT */
/* Implementation of pair_list.h: rows of two selection entries; made by setting_row.c. */
#include "pair_list.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "data/settings/setting.h"
#include "selection_entry.h"

struct _DebyePairList {
  GtkBox parent_instance;
  GtkBox *rows;
  GtkSizeGroup *sides; /* hints of different lengths would make columns of different widths */
  DebyeTopology *topology;
  DebyeFrame *frame;
  gboolean updating; /* the rows follow a text, not the other way round */
};

G_DEFINE_FINAL_TYPE(DebyePairList, debye_pair_list, GTK_TYPE_BOX)

/* --- Rows: a box with two entries and a button --- */

static DebyeSelectionEntry *
get_entry(GtkWidget *row, int side)
{
  GtkWidget *entry = gtk_widget_get_first_child(row);
  return DEBYE_SELECTION_ENTRY(side == 0 ? entry : gtk_widget_get_next_sibling(entry));
}

static GtkWidget *
get_row(DebyePairList *self, guint index)
{
  GtkWidget *row = gtk_widget_get_first_child(GTK_WIDGET(self->rows));
  for (; row != NULL && index > 0; index--)
    row = gtk_widget_get_next_sibling(row);
  return row;
}

static guint
find_row(DebyePairList *self, GtkWidget *wanted)
{
  guint index = 0;
  for (GtkWidget *row = get_row(self, 0); row != NULL && row != wanted;
       row = gtk_widget_get_next_sibling(row))
    index++;
  return index;
}

static char *
side_text(GtkWidget *row, int side)
{
  return g_strstrip(g_strdup(debye_selection_entry_get_text(get_entry(row, side))));
}

/* Beside atoms an empty side is all of them; a row that has none at all is no pair yet. */
static void
show_hints(GtkWidget *row)
{
  g_autofree char *first = side_text(row, 0);
  g_autofree char *second = side_text(row, 1);
  gboolean is_pair = *first != '\0' || *second != '\0';
  for (int side = 0; side < 2; side++)
    debye_selection_entry_set_hint(get_entry(row, side), is_pair ? NULL : _("atoms…"));
}

static void
set_sides(GtkWidget *row, const char *first, const char *second)
{
  debye_selection_entry_set_text(get_entry(row, 0), first);
  debye_selection_entry_set_text(get_entry(row, 1), second);
  show_hints(row);
}

static void
notify_text(DebyePairList *self)
{
  if (!self->updating)
    g_signal_emit_by_name(self, "changed");
}

static void
on_remove_clicked(GtkWidget *button, DebyePairList *self)
{
  debye_pair_list_remove(self, find_row(self, gtk_widget_get_parent(button)));
}

static GtkWidget *add_row(DebyePairList *self);

/* Lines "A | B": the first into this row, the others into rows of their own behind all. */
static void
spread(DebyePairList *self, GtkWidget *row, const char *pasted)
{
  g_auto(GStrv) values = debye_setting_split_values(pasted);
  for (char **value = values; *value != NULL; value++) {
    g_autofree char *first = NULL;
    g_autofree char *second = NULL;
    if (!debye_setting_split_pair(*value, &first, &second))
      continue;
    set_sides(row != NULL ? row : add_row(self), first, second);
    row = NULL;
  }
}

/* A bar is no part of a selection, so it was pasted with a pair, or typed where the other side begins; half a
 * pair waits for its other half. */
static void
on_side_changed(DebyeSelectionEntry *entry, DebyePairList *self)
{
  const char *text = debye_selection_entry_get_text(entry);
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  if (self->updating)
    return;
  g_auto(GStrv) values = debye_setting_split_values(text);
  if (values[0] != NULL && debye_setting_split_pair(values[0], &first, &second)) {
    g_autofree char *pasted = g_strdup(text);
    self->updating = TRUE;
    spread(self, gtk_widget_get_parent(GTK_WIDGET(entry)), pasted);
    self->updating = FALSE;
  }
  show_hints(gtk_widget_get_parent(GTK_WIDGET(entry)));
  notify_text(self);
}

static void
on_error(DebyePairList *self)
{
  g_signal_emit_by_name(self, "error");
}

static GtkWidget *
create_entry(DebyePairList *self, const char *name)
{
  GtkWidget *entry = debye_selection_entry_new(name);
  gtk_widget_set_hexpand(entry, TRUE);
  gtk_size_group_add_widget(self->sides, entry);
  if (self->topology != NULL)
    debye_selection_entry_set_system(DEBYE_SELECTION_ENTRY(entry), self->topology, self->frame);
  g_signal_connect_object(entry, "changed", G_CALLBACK(on_side_changed), self, G_CONNECT_DEFAULT);
  g_signal_connect_object(entry, "error", G_CALLBACK(on_error), self, G_CONNECT_SWAPPED);
  return entry;
}

static GtkWidget *
create_remove_button(DebyePairList *self)
{
  GtkWidget *button = gtk_button_new_from_icon_name("list-remove-symbolic");
  gtk_widget_add_css_class(button, "flat");
  gtk_widget_set_valign(button, GTK_ALIGN_START);
  gtk_widget_set_tooltip_text(button, _("Remove this pair"));
  gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Remove this pair"),
                                 -1);
  g_signal_connect_object(button, "clicked", G_CALLBACK(on_remove_clicked), self, G_CONNECT_DEFAULT);
  return button;
}

static GtkWidget *
add_row(DebyePairList *self)
{
  GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_box_append(GTK_BOX(row), create_entry(self, _("Around these atoms")));
  gtk_box_append(GTK_BOX(row), create_entry(self, _("Count these atoms")));
  gtk_box_append(GTK_BOX(row), create_remove_button(self));
  gtk_box_append(self->rows, row);
  show_hints(row);
  return row;
}

/* --- The list --- */

guint
debye_pair_list_get_n_rows(DebyePairList *self)
{
  g_return_val_if_fail(DEBYE_IS_PAIR_LIST(self), 0);
  return find_row(self, NULL);
}

void
debye_pair_list_add(DebyePairList *self)
{
  g_return_if_fail(DEBYE_IS_PAIR_LIST(self));
  gtk_widget_grab_focus(GTK_WIDGET(get_entry(add_row(self), 0)));
}

void
debye_pair_list_remove(DebyePairList *self, guint index)
{
  g_return_if_fail(DEBYE_IS_PAIR_LIST(self));
  GtkWidget *row = get_row(self, index);
  if (row == NULL)
    return;
  self->updating = TRUE;
  if (debye_pair_list_get_n_rows(self) > 1)
    gtk_box_remove(self->rows, row);
  else
    set_sides(row, "", "");
  self->updating = FALSE;
  notify_text(self);
}

char *
debye_pair_list_get_text(DebyePairList *self)
{
  g_return_val_if_fail(DEBYE_IS_PAIR_LIST(self), NULL);
  GString *text = g_string_new(NULL);
  for (GtkWidget *row = get_row(self, 0); row != NULL; row = gtk_widget_get_next_sibling(row)) {
    g_autofree char *first = side_text(row, 0);
    g_autofree char *second = side_text(row, 1);
    if (*first == '\0' && *second == '\0')
      continue;
    g_string_append_printf(text, "%s%s | %s", text->len > 0 ? "\n" : "", *first != '\0' ? first : "all",
                           *second != '\0' ? second : "all");
  }
  return g_string_free(text, FALSE);
}

void
debye_pair_list_set_text(DebyePairList *self, const char *text)
{
  g_return_if_fail(DEBYE_IS_PAIR_LIST(self));
  g_autofree char *own = debye_pair_list_get_text(self);
  if (g_strcmp0(own, text != NULL ? text : "") == 0)
    return;
  self->updating = TRUE;
  while (debye_pair_list_get_n_rows(self) > 1)
    gtk_box_remove(self->rows, get_row(self, 1));
  set_sides(get_row(self, 0), "", "");
  spread(self, get_row(self, 0), text);
  self->updating = FALSE;
}

void
debye_pair_list_set_system(DebyePairList *self, DebyeTopology *topology, DebyeFrame *frame)
{
  g_return_if_fail(DEBYE_IS_PAIR_LIST(self));
  DebyeFrame *held = frame != NULL ? debye_frame_ref(frame) : NULL;
  g_set_object(&self->topology, topology);
  g_clear_pointer(&self->frame, debye_frame_unref);
  self->frame = held;
  for (GtkWidget *row = get_row(self, 0); row != NULL; row = gtk_widget_get_next_sibling(row))
    for (int side = 0; side < 2; side++)
      debye_selection_entry_set_system(get_entry(row, side), topology, frame);
}

gboolean
debye_pair_list_shows(DebyePairList *self, const char *problem)
{
  g_return_val_if_fail(DEBYE_IS_PAIR_LIST(self), FALSE);
  for (GtkWidget *row = get_row(self, 0); row != NULL; row = gtk_widget_get_next_sibling(row))
    for (int side = 0; side < 2; side++)
      if (debye_selection_entry_shows(get_entry(row, side), problem))
        return TRUE;
  return FALSE;
}

gboolean
debye_pair_list_is_pending(DebyePairList *self)
{
  g_return_val_if_fail(DEBYE_IS_PAIR_LIST(self), FALSE);
  for (GtkWidget *row = get_row(self, 0); row != NULL; row = gtk_widget_get_next_sibling(row))
    for (int side = 0; side < 2; side++)
      if (debye_selection_entry_is_pending(get_entry(row, side)))
        return TRUE;
  return FALSE;
}

GtkWidget *
debye_pair_list_new(void)
{
  return g_object_new(DEBYE_TYPE_PAIR_LIST, NULL);
}

static void
debye_pair_list_dispose(GObject *object)
{
  DebyePairList *self = DEBYE_PAIR_LIST(object);
  g_clear_object(&self->sides);
  g_clear_object(&self->topology);
  g_clear_pointer(&self->frame, debye_frame_unref);
  G_OBJECT_CLASS(debye_pair_list_parent_class)->dispose(object);
}

static void
debye_pair_list_class_init(DebyePairListClass *class)
{
  G_OBJECT_CLASS(class)->dispose = debye_pair_list_dispose;
  g_signal_new("changed", DEBYE_TYPE_PAIR_LIST, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new("error", DEBYE_TYPE_PAIR_LIST, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
debye_pair_list_init(DebyePairList *self)
{
  GtkWidget *add = gtk_button_new();
  GtkWidget *content = adw_button_content_new();
  adw_button_content_set_icon_name(ADW_BUTTON_CONTENT(content), "list-add-symbolic");
  adw_button_content_set_label(ADW_BUTTON_CONTENT(content), _("Add pair"));
  gtk_button_set_child(GTK_BUTTON(add), content);
  gtk_accessible_update_property(GTK_ACCESSIBLE(add), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Add pair"), -1);
  self->rows = GTK_BOX(gtk_box_new(GTK_ORIENTATION_VERTICAL, 6));
  self->sides = gtk_size_group_new(GTK_SIZE_GROUP_HORIZONTAL);
  gtk_orientable_set_orientation(GTK_ORIENTABLE(self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing(GTK_BOX(self), 6);
  gtk_widget_add_css_class(add, "flat");
  gtk_widget_set_halign(add, GTK_ALIGN_START);
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->rows));
  gtk_box_append(GTK_BOX(self), add);
  g_signal_connect_object(add, "clicked", G_CALLBACK(debye_pair_list_add), self, G_CONNECT_SWAPPED);
  add_row(self);
}
