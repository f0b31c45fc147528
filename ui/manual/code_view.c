/* SPDX-License-Identifier: MIT */
/* Implementation of code_view.h; used by classroom_code.c. */
#include "code_view.h"

#ifdef DEBYE_HAS_SOURCEVIEW
#include <gtksourceview/gtksource.h>
#endif

#define MARGIN 12
#define WRAP_INDENT (-80)

#ifdef DEBYE_HAS_SOURCEVIEW

static void
set_style(GtkSourceBuffer *buffer)
{
  const gboolean is_dark = adw_style_manager_get_dark(adw_style_manager_get_default());
  GtkSourceStyleSchemeManager *schemes = gtk_source_style_scheme_manager_get_default();
  gtk_source_buffer_set_style_scheme(
      buffer, gtk_source_style_scheme_manager_get_scheme(schemes, is_dark ? "Adwaita-dark" : "Adwaita"));
}

static GtkWidget *
create_view(void)
{
  GtkWidget *view = gtk_source_view_new();
  gtk_source_view_set_show_line_numbers(GTK_SOURCE_VIEW(view), TRUE);
  gtk_source_view_set_auto_indent(GTK_SOURCE_VIEW(view), TRUE);
  gtk_source_view_set_insert_spaces_instead_of_tabs(GTK_SOURCE_VIEW(view), TRUE);
  gtk_source_view_set_tab_width(GTK_SOURCE_VIEW(view), 2);
  return view;
}

void
debye_code_buffer_set_cuda(GtkTextBuffer *buffer, gboolean is_cuda)
{
  GtkSourceLanguageManager *languages = gtk_source_language_manager_get_default();
  gtk_source_buffer_set_language(GTK_SOURCE_BUFFER(buffer),
                                 gtk_source_language_manager_get_language(languages, is_cuda ? "cuda" : "c"));
}

GtkTextBuffer *
debye_code_buffer_new(void)
{
  GtkSourceBuffer *buffer = gtk_source_buffer_new(NULL);
  set_style(buffer);
  g_signal_connect_object(adw_style_manager_get_default(), "notify::dark", G_CALLBACK(set_style), buffer,
                          G_CONNECT_SWAPPED);
  return GTK_TEXT_BUFFER(buffer);
}

#else

static GtkWidget *
create_view(void)
{
  return gtk_text_view_new();
}

void
debye_code_buffer_set_cuda(GtkTextBuffer *buffer G_GNUC_UNUSED, gboolean is_cuda G_GNUC_UNUSED)
{
}

GtkTextBuffer *
debye_code_buffer_new(void)
{
  return gtk_text_buffer_new(NULL);
}

#endif

GtkTextView *
debye_code_view_new(void)
{
  GtkWidget *widget = create_view();
  GtkTextView *view = GTK_TEXT_VIEW(widget);
  gtk_text_view_set_editable(view, FALSE);
  gtk_text_view_set_cursor_visible(view, FALSE);
  gtk_text_view_set_monospace(view, TRUE);
  gtk_text_view_set_accepts_tab(view, FALSE);
  gtk_text_view_set_wrap_mode(view, GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_indent(view, WRAP_INDENT);
  gtk_text_view_set_left_margin(view, MARGIN);
  gtk_text_view_set_right_margin(view, MARGIN);
  gtk_text_view_set_top_margin(view, MARGIN / 2);
  gtk_text_view_set_bottom_margin(view, MARGIN);
  gtk_widget_add_css_class(widget, "classroom-code");
  return view;
}
