/* SPDX-License-Identifier: MIT */
/* The listings of a lesson, one at a time; shown by classroom_lesson.c. */
#include "classroom_code.h"

#include <glib/gi18n.h>

#include "line_changes.h"

/* Beneath marked lines, half transparent: the text is as legible as beside them, in a light and a dark style. */
#define MARK_COLOR "rgba(53, 132, 228, 0.25)"

typedef struct {
  char *id, *title, *text;
  gboolean follows;
} Listing;

struct _DebyeClassroomCode {
  GtkBox parent_instance;
  GtkButton *previous, *next;
  GtkDropDown *choice;
  GtkStringList *titles;
  GtkLabel *changes;
  GtkTextView *view;
  GtkTextTag *mark;
  GArray *listings; /* Listing */
};

G_DEFINE_FINAL_TYPE(DebyeClassroomCode, debye_classroom_code, GTK_TYPE_BOX)

static void
listing_clear(gpointer data)
{
  Listing *listing = data;
  g_free(listing->id);
  g_free(listing->title);
  g_free(listing->text);
}

/* --- What is shown --- */

static void
mark_lines(DebyeClassroomCode *self, const GArray *is_new)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer(self->view);
  for (guint line = 0; line < is_new->len; line++) {
    GtkTextIter start, end;
    if (!g_array_index(is_new, gboolean, line))
      continue;
    gtk_text_buffer_get_iter_at_line(buffer, &start, (int)line);
    end = start;
    gtk_text_iter_forward_line(&end);
    gtk_text_buffer_apply_tag(buffer, self->mark, &start, &end);
  }
}

static void
describe_changes(DebyeClassroomCode *self, const DebyeLineChanges *changes, const Listing *before)
{
  g_autofree char *text = NULL;
  if (before != NULL)
    text = g_strdup_printf(_("Compared with “%s”: %u new lines, marked; %u removed"), before->title,
                           changes->n_new, changes->n_gone);
  gtk_label_set_label(self->changes, text != NULL ? text : "");
  gtk_widget_set_visible(GTK_WIDGET(self->changes), text != NULL);
}

static void
show_listing(DebyeClassroomCode *self, guint index)
{
  const Listing *listing = &g_array_index(self->listings, Listing, index);
  const Listing *before = listing->follows && index > 0 ? listing - 1 : NULL;
  GtkTextIter start;
  g_auto(DebyeLineChanges) changes = {0};
  debye_line_changes_init(&changes, before != NULL ? before->text : NULL, listing->text);
  gtk_text_buffer_set_text(gtk_text_view_get_buffer(self->view), listing->text, -1);
  mark_lines(self, changes.is_new);
  describe_changes(self, &changes, before);
  gtk_text_buffer_get_start_iter(gtk_text_view_get_buffer(self->view), &start);
  gtk_text_view_scroll_to_iter(self->view, &start, 0.0, FALSE, 0.0, 0.0);
  gtk_widget_set_sensitive(GTK_WIDGET(self->previous), index > 0);
  gtk_widget_set_sensitive(GTK_WIDGET(self->next), index + 1 < self->listings->len);
}

static void
on_selected(DebyeClassroomCode *self)
{
  guint index = gtk_drop_down_get_selected(self->choice);
  if (index < self->listings->len)
    show_listing(self, index);
}

static void
on_previous(DebyeClassroomCode *self)
{
  gtk_drop_down_set_selected(self->choice, gtk_drop_down_get_selected(self->choice) - 1);
}

static void
on_next(DebyeClassroomCode *self)
{
  gtk_drop_down_set_selected(self->choice, gtk_drop_down_get_selected(self->choice) + 1);
}

void
debye_classroom_code_add(DebyeClassroomCode *self, const char *id, const char *title, const char *text,
                         gboolean follows)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_CODE(self));
  const Listing listing = {g_strdup(id), g_strdup(title), g_strdup(text), follows};
  g_array_append_val(self->listings, listing);
  gtk_string_list_append(self->titles, title);
  on_selected(self);
}

gboolean
debye_classroom_code_show(DebyeClassroomCode *self, const char *id)
{
  g_return_val_if_fail(DEBYE_IS_CLASSROOM_CODE(self), FALSE);
  for (guint i = 0; i < self->listings->len; i++)
    if (g_str_equal(g_array_index(self->listings, Listing, i).id, id)) {
      gtk_drop_down_set_selected(self->choice, i);
      return TRUE;
    }
  return FALSE;
}

/* --- The object --- */

static void
debye_classroom_code_finalize(GObject *object)
{
  g_array_unref(DEBYE_CLASSROOM_CODE(object)->listings);
  G_OBJECT_CLASS(debye_classroom_code_parent_class)->finalize(object);
}

static void
debye_classroom_code_class_init(DebyeClassroomCodeClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->finalize = debye_classroom_code_finalize;
  gtk_widget_class_set_template_from_resource(widget_class, "/org/debye/Debye/classroom_code.ui");
  gtk_widget_class_bind_template_child(widget_class, DebyeClassroomCode, previous);
  gtk_widget_class_bind_template_child(widget_class, DebyeClassroomCode, next);
  gtk_widget_class_bind_template_child(widget_class, DebyeClassroomCode, choice);
  gtk_widget_class_bind_template_child(widget_class, DebyeClassroomCode, titles);
  gtk_widget_class_bind_template_child(widget_class, DebyeClassroomCode, changes);
  gtk_widget_class_bind_template_child(widget_class, DebyeClassroomCode, view);
  gtk_widget_class_bind_template_callback(widget_class, on_selected);
  gtk_widget_class_bind_template_callback(widget_class, on_previous);
  gtk_widget_class_bind_template_callback(widget_class, on_next);
}

static void
debye_classroom_code_init(DebyeClassroomCode *self)
{
  self->listings = g_array_new(FALSE, TRUE, sizeof(Listing));
  g_array_set_clear_func(self->listings, listing_clear);
  gtk_widget_init_template(GTK_WIDGET(self));
  self->mark = gtk_text_buffer_create_tag(gtk_text_view_get_buffer(self->view), "new", "weight",
                                          PANGO_WEIGHT_BOLD, "paragraph-background", MARK_COLOR, NULL);
}
