/* SPDX-License-Identifier: MIT */
/* Implementation of code_view.h: a text view whose lines are compared with another text's. */
#include "code_view.h"

#include <string.h>

struct _DebyeCodeView {
  GtkBox parent_instance;
  GtkLabel *name;
  GtkTextView *view;
  guint n_marked;
};

G_DEFINE_FINAL_TYPE(DebyeCodeView, debye_code_view, GTK_TYPE_BOX)

/* Lines of code that are no other's: all but those of a longest common subsequence. `length` has a row for each line
 * of code and one more. */
static void
fill_lengths(char **code, guint n, char **before, guint m, guint *length)
{
  for (guint i = n; i-- > 0;)
    for (guint j = m; j-- > 0;) {
      guint *here = length + (gsize)i * (m + 1) + j;
      *here = strcmp(code[i], before[j]) == 0 ? here[m + 2] + 1 : MAX(here[1], here[m + 1]);
    }
}

static void
mark_line(DebyeCodeView *self, guint line)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer(self->view);
  GtkTextIter begin, end;
  gtk_text_buffer_get_iter_at_line(buffer, &begin, (int)line);
  end = begin;
  gtk_text_iter_forward_line(&end);
  gtk_text_buffer_apply_tag_by_name(buffer, "changed", &begin, &end);
  self->n_marked++;
}

static void
mark_lines(DebyeCodeView *self, const char *text, const char *other)
{
  g_auto(GStrv) code = g_strsplit(text, "\n", -1), before = g_strsplit(other, "\n", -1);
  const guint n = g_strv_length(code), m = g_strv_length(before);
  g_autofree guint *length = g_new0(guint, (gsize)(n + 1) * (m + 1));
  fill_lengths(code, n, before, m, length);
  for (guint i = 0, j = 0; i < n; i++) {
    while (j < m && strcmp(code[i], before[j]) != 0 &&
           length[(gsize)i * (m + 1) + j + 1] == length[(gsize)i * (m + 1) + j])
      j++;
    if (j < m && strcmp(code[i], before[j]) == 0)
      j++;
    else if (*code[i] != '\0')
      mark_line(self, i);
  }
}

void
debye_code_view_set_code(DebyeCodeView *self, const char *name, const char *code, const char *before)
{
  g_return_if_fail(DEBYE_IS_CODE_VIEW(self));
  gtk_label_set_label(self->name, name);
  gtk_text_buffer_set_text(gtk_text_view_get_buffer(self->view), code, -1);
  self->n_marked = 0;
  if (before != NULL)
    mark_lines(self, code, before);
}

char *
debye_code_view_get_code(DebyeCodeView *self)
{
  g_return_val_if_fail(DEBYE_IS_CODE_VIEW(self), NULL);
  GtkTextIter begin, end;
  GtkTextBuffer *buffer = gtk_text_view_get_buffer(self->view);
  gtk_text_buffer_get_bounds(buffer, &begin, &end);
  return gtk_text_buffer_get_text(buffer, &begin, &end, TRUE);
}

guint
debye_code_view_get_n_marked(DebyeCodeView *self)
{
  g_return_val_if_fail(DEBYE_IS_CODE_VIEW(self), 0);
  return self->n_marked;
}

static void
debye_code_view_class_init(DebyeCodeViewClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  gtk_widget_class_set_template_from_resource(widget_class, "/org/debye/Debye/code_view.ui");
  gtk_widget_class_bind_template_child(widget_class, DebyeCodeView, name);
  gtk_widget_class_bind_template_child(widget_class, DebyeCodeView, view);
}

static void
debye_code_view_init(DebyeCodeView *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
  /* Light enough for dark text and dark enough for light text to be read upon. */
  gtk_text_buffer_create_tag(gtk_text_view_get_buffer(self->view), "changed", "paragraph-background",
                             "rgba(229, 165, 10, 0.28)", NULL);
}
