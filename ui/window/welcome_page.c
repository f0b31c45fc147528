/* SPDX-License-Identifier: MIT */
/* The page of an empty window: Open, recent sessions and samples; filled by window_controller.c in app. */
#include "welcome_page.h"

#include "ui/widgets/template.h"

#define PICTURE_HEIGHT 150
#define CARD_CHARACTERS 28

struct _DebyeWelcomePage {
  AdwBin parent_instance;
  GtkLabel *samples_title;
  GtkBox *samples;
  GtkFlowBox *more_samples;
  GtkLabel *sessions_title;
  GtkBox *sessions;
};

G_DEFINE_FINAL_TYPE(DebyeWelcomePage, debye_welcome_page, ADW_TYPE_BIN)

static GtkWidget *
create_label(const char *text, const char *style, int lines)
{
  GtkWidget *label = gtk_label_new(text);
  gtk_label_set_xalign(GTK_LABEL(label), 0.0f);
  gtk_label_set_wrap(GTK_LABEL(label), TRUE);
  gtk_label_set_lines(GTK_LABEL(label), lines);
  gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_END);
  gtk_label_set_natural_wrap_mode(GTK_LABEL(label), GTK_NATURAL_WRAP_NONE);
  gtk_label_set_max_width_chars(GTK_LABEL(label), CARD_CHARACTERS);
  gtk_widget_add_css_class(label, style);
  return label;
}

/* One line, however long a name is: cards beside one another are as wide as the widest. */
static GtkWidget *
create_line(const char *text, const char *style)
{
  GtkWidget *label = gtk_label_new(text);
  gtk_label_set_xalign(GTK_LABEL(label), 0.0f);
  gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars(GTK_LABEL(label), CARD_CHARACTERS);
  gtk_widget_add_css_class(label, style);
  return label;
}

/* All of one height, whatever shape the file has and room the text beside leaves: an overlay is as large as
 * what lies under it. */
static GtkWidget *
create_picture(const char *path)
{
  GtkWidget *overlay = gtk_overlay_new(), *place = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *picture = gtk_picture_new_for_filename(path);
  gtk_picture_set_content_fit(GTK_PICTURE(picture), GTK_CONTENT_FIT_COVER);
  gtk_widget_set_size_request(place, -1, PICTURE_HEIGHT);
  gtk_overlay_set_child(GTK_OVERLAY(overlay), place);
  gtk_overlay_add_overlay(GTK_OVERLAY(overlay), picture);
  return overlay;
}

static GtkWidget *
create_card(GtkWidget *title, GtkWidget *description, const char *picture)
{
  GtkWidget *card = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *text = gtk_box_new(GTK_ORIENTATION_VERTICAL, 4);
  if (picture != NULL)
    gtk_box_append(GTK_BOX(card), create_picture(picture));
  gtk_widget_add_css_class(text, "sample-text");
  gtk_widget_set_vexpand(text, TRUE); /* pictures beside one another are of one height */
  gtk_box_append(GTK_BOX(text), title);
  if (description != NULL)
    gtk_box_append(GTK_BOX(text), description);
  gtk_box_append(GTK_BOX(card), text);
  return card;
}

/* The button has the focus, not what a flow box lays around it. */
static void
append_small(DebyeWelcomePage *self, GtkWidget *button)
{
  gtk_flow_box_append(self->more_samples, button);
  gtk_widget_set_focusable(gtk_widget_get_parent(button), FALSE);
}

static gboolean
on_query_tooltip(GtkWidget *button G_GNUC_UNUSED, int x G_GNUC_UNUSED, int y G_GNUC_UNUSED,
                 gboolean by_keyboard G_GNUC_UNUSED, GtkTooltip *tooltip, GtkLabel *words)
{
  gboolean is_cut = pango_layout_is_ellipsized(gtk_label_get_layout(words));
  gtk_tooltip_set_text(tooltip, is_cut ? gtk_label_get_label(words) : NULL);
  return is_cut;
}

/* What a card says as it stands needs no tooltip over its picture. */
static void
show_what_is_cut(GtkWidget *button, GtkWidget *words)
{
  gtk_widget_set_has_tooltip(button, TRUE);
  g_signal_connect_object(button, "query-tooltip", G_CALLBACK(on_query_tooltip), words, G_CONNECT_DEFAULT);
}

void
debye_welcome_page_add_sample(DebyeWelcomePage *self, const char *name, const char *title,
                              const char *description, const char *picture)
{
  g_return_if_fail(DEBYE_IS_WELCOME_PAGE(self));
  GtkWidget *button = gtk_button_new();
  GtkWidget *words = picture != NULL ? create_label(description, "caption", 6) : NULL;
  gtk_button_set_child(GTK_BUTTON(button), create_card(create_label(title, "heading", 2), words, picture));
  gtk_widget_add_css_class(button, "card");
  gtk_widget_add_css_class(button, "sample");
  if (words == NULL)
    gtk_widget_set_tooltip_text(button, description);
  else
    show_what_is_cut(button, words);
  gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  gtk_actionable_set_action_name(GTK_ACTIONABLE(button), "win.open-sample");
  gtk_actionable_set_action_target(GTK_ACTIONABLE(button), "s", name);
  if (picture != NULL)
    gtk_box_append(self->samples, button);
  else
    append_small(self, button);
  gtk_widget_set_visible(GTK_WIDGET(self->samples_title), TRUE);
}

/* --- Sessions --- */

void
debye_welcome_page_clear_sessions(DebyeWelcomePage *self)
{
  g_return_if_fail(DEBYE_IS_WELCOME_PAGE(self));
  for (GtkWidget *card; (card = gtk_widget_get_first_child(GTK_WIDGET(self->sessions))) != NULL;)
    gtk_box_remove(self->sessions, card);
  gtk_widget_set_visible(GTK_WIDGET(self->sessions_title), FALSE);
}

void
debye_welcome_page_add_session(DebyeWelcomePage *self, const char *path, const char *picture)
{
  g_return_if_fail(DEBYE_IS_WELCOME_PAGE(self));
  g_autofree char *name = g_filename_display_basename(path);
  g_autofree char *folder = g_path_get_dirname(path);
  g_autofree char *shown = g_filename_display_name(folder);
  g_autofree char *whole = g_filename_display_name(path);
  const char *paths[] = {path, NULL};
  GtkWidget *button = gtk_button_new();
  gtk_button_set_child(GTK_BUTTON(button),
                       create_card(create_line(name, "heading"), create_line(shown, "caption"), picture));
  gtk_widget_add_css_class(button, "card");
  gtk_widget_add_css_class(button, "sample");
  gtk_widget_set_tooltip_text(button, whole);
  gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_actionable_set_action_name(GTK_ACTIONABLE(button), "win.open-files");
  gtk_actionable_set_action_target_value(GTK_ACTIONABLE(button), g_variant_new_strv(paths, 1));
  gtk_box_append(self->sessions, button);
  gtk_widget_set_visible(GTK_WIDGET(self->sessions_title), TRUE);
}

static void
debye_welcome_page_class_init(DebyeWelcomePageClass *class)
{
  gtk_widget_class_set_template_from_resource(GTK_WIDGET_CLASS(class), "/org/debye/Debye/welcome_page.ui");
  DEBYE_BIND_CHILDREN(class, DebyeWelcomePage, samples_title, samples, more_samples, sessions_title,
                      sessions);
}

static void
debye_welcome_page_init(DebyeWelcomePage *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
}
