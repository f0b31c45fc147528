/* SPDX-License-Identifier: MIT */
/* The window's widget: header, side bar, view, playback; driven by window_controller.c in app. */
#include "window.h"

#include <glib/gi18n.h>
#include <string.h>

#include "message_list.h"
#include "ui/widgets/dragged_file.h"
#include "ui/widgets/menus.h"
#include "ui/widgets/number_text.h"
#include "ui/widgets/gtk_workarounds.h"
#include "ui/widgets/template.h"

/* Long enough to read a sentence and reach its button. */
#define REMARK_SECONDS 10
#define REMARK_CHARS 56 /* beside its button in a view of half a window */

struct _DebyeWindow {
  AdwApplicationWindow parent_instance;
  AdwToastOverlay *welcome_toasts, *view_toasts, *plot_toasts, *classroom_toasts;
  AdwWindowTitle *heading;
  AdwSplitButton *open;
  GtkToggleButton *sidebar_button;
  GtkMenuButton *main_button, *export_button;
  GtkToggleButton *measure_button;
  DebyeJobsButton *jobs_button;
  DebyeGuideBar *guide_bar;
  GtkStack *content;
  DebyeWelcomePage *welcome_page;
  DebyeClassroomPage *classroom_page;
  GtkSpinner *spinner;
  AdwFlap *flap;
  GtkStackSwitcher *switcher;
  GtkStack *pages;
  DebyeLayersPanel *layers_panel;
  DebyeAnalysisPanel *analysis_panel;
  DebyeOrbitalPanel *orbital_panel;
  DebyeVibrationPanel *vibration_panel;
  DebyeBlobPanel *blob_panel;
  DebyePreparePanel *prepare_panel;
  DebyeView3d *view;
  DebyePlaybackBar *playback_bar;
  DebyePlotPanel *plot_panel;
  DebyeWindowContent shown; /* or behind the class room */
  gboolean in_classroom;
  AdwToast *news;               /* to be seen now; NULL: none */
  AdwToast *offer;              /* to be answered; NULL: none */
  AdwToastOverlay *offer_place; /* where it stands */
  GListStore *messages;         /* all that toasts said */
};

static const char *const content_names[] = {"empty", "loading", "document"};

G_DEFINE_FINAL_TYPE(DebyeWindow, debye_window, ADW_TYPE_APPLICATION_WINDOW)

/* A part that others fill. */
#define GET(Type, name)                            \
  Type *debye_window_get_##name(DebyeWindow *self) \
  {                                                \
    return self->name;                             \
  }

GET(DebyeView3d, view)
GET(DebyePlaybackBar, playback_bar)
GET(DebyeLayersPanel, layers_panel)
GET(DebyeAnalysisPanel, analysis_panel)
GET(DebyeOrbitalPanel, orbital_panel)
GET(DebyeVibrationPanel, vibration_panel)
GET(DebyeBlobPanel, blob_panel)
GET(DebyePreparePanel, prepare_panel)
GET(DebyePlotPanel, plot_panel)
GET(DebyeJobsButton, jobs_button)
GET(DebyeWelcomePage, welcome_page)
GET(DebyeClassroomPage, classroom_page)
GET(DebyeGuideBar, guide_bar)

void
debye_window_set_heading(DebyeWindow *self, const char *title, const char *subtitle)
{
  g_return_if_fail(DEBYE_IS_WINDOW(self));
  g_autofree char *window_title = g_strdup_printf("%s – Debye", title);
  adw_window_title_set_title(self->heading, title);
  adw_window_title_set_subtitle(self->heading, subtitle != NULL ? subtitle : "");
  gtk_window_set_title(GTK_WINDOW(self), window_title);
}

static gboolean
is_plot_large(DebyeWindow *self)
{
  gboolean is_large = FALSE;
  g_object_get(self->plot_panel, "large", &is_large, NULL);
  return is_large;
}

/* Over what is shown; over the view alone, so that playback and forms stay within reach and a plot's axes are seen. A plot
 * that has the place of the view would be covered there: playback at the foot is then. */
static AdwToastOverlay *
find_toasts(DebyeWindow *self)
{
  if (self->in_classroom)
    return self->classroom_toasts;
  if (self->shown != DEBYE_WINDOW_OPEN)
    return self->welcome_toasts;
  return is_plot_large(self) ? self->plot_toasts : self->view_toasts;
}

static void
on_offer_dismissed(DebyeWindow *self, AdwToast *toast)
{
  if (self->offer == toast)
    self->offer = NULL;
}

/* Before all other toasts there. */
static void
put_offer(DebyeWindow *self, AdwToast *toast)
{
  self->offer = toast;
  self->offer_place = find_toasts(self);
  adw_toast_set_timeout(toast, 0);
  adw_toast_set_priority(toast, ADW_TOAST_PRIORITY_HIGH);
  g_signal_connect_object(toast, "dismissed", G_CALLBACK(on_offer_dismissed), self, G_CONNECT_SWAPPED);
  adw_toast_overlay_add_toast(self->offer_place, toast);
}

/* A toast can't move: another of the same words stands over what is shown now. */
static void
take_offer_along(DebyeWindow *self)
{
  if (self->offer == NULL || self->offer_place == find_toasts(self))
    return;
  AdwToast *old = g_steal_pointer(&self->offer);
  AdwToast *same = adw_toast_new(adw_toast_get_title(old));
  adw_toast_set_button_label(same, adw_toast_get_button_label(old));
  adw_toast_set_action_name(same, adw_toast_get_action_name(old));
  adw_toast_dismiss(old);
  put_offer(self, same);
}

static void
show_content(DebyeWindow *self)
{
  gtk_stack_set_visible_child_name(self->content,
                                   self->in_classroom ? "classroom" : content_names[self->shown]);
  take_offer_along(self);
}

void
debye_window_set_classroom(DebyeWindow *self, gboolean shown)
{
  g_return_if_fail(DEBYE_IS_WINDOW(self));
  self->in_classroom = shown;
  show_content(self);
}

void
debye_window_set_content(DebyeWindow *self, DebyeWindowContent content)
{
  g_return_if_fail(DEBYE_IS_WINDOW(self));
  self->shown = content;
  show_content(self);
  gtk_spinner_set_spinning(self->spinner, content == DEBYE_WINDOW_LOADING);
  gtk_widget_set_visible(GTK_WIDGET(self->sidebar_button), content == DEBYE_WINDOW_OPEN);
  gtk_widget_set_visible(GTK_WIDGET(self->export_button), content == DEBYE_WINDOW_OPEN);
  gtk_widget_set_visible(GTK_WIDGET(self->measure_button), content == DEBYE_WINDOW_OPEN);
  if (content == DEBYE_WINDOW_OPEN)
    gtk_widget_grab_focus(GTK_WIDGET(self->view));
}

DebyeWindowContent
debye_window_get_content(DebyeWindow *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW(self), DEBYE_WINDOW_EMPTY);
  return self->shown;
}

void
debye_window_show_page(DebyeWindow *self, const char *name)
{
  g_return_if_fail(DEBYE_IS_WINDOW(self));
  gtk_stack_set_visible_child_name(self->pages, name);
  adw_flap_set_reveal_flap(self->flap, TRUE);
}

void
debye_window_set_has_page(DebyeWindow *self, const char *name, gboolean has_page)
{
  g_return_if_fail(DEBYE_IS_WINDOW(self));
  GtkWidget *child = gtk_stack_get_child_by_name(self->pages, name);
  if (!has_page && gtk_stack_get_visible_child(self->pages) == child)
    gtk_stack_set_visible_child_name(self->pages, "scene");
  gtk_stack_page_set_visible(gtk_stack_get_page(self->pages, child), has_page);
}

void
debye_window_toggle_sidebar(DebyeWindow *self)
{
  g_return_if_fail(DEBYE_IS_WINDOW(self));
  adw_flap_set_reveal_flap(self->flap, !adw_flap_get_reveal_flap(self->flap));
}

void
debye_window_set_recent_menu(DebyeWindow *self, GMenuModel *menu)
{
  g_return_if_fail(DEBYE_IS_WINDOW(self));
  adw_split_button_set_menu_model(self->open, menu);
}

/* --- Toasts --- */

static void
add_toast(DebyeWindow *self, AdwToast *toast)
{
  adw_toast_overlay_add_toast(find_toasts(self), toast);
}

/* A longer text than fits into one line beside a button is put below itself. */
static void
wrap_title(AdwToast *toast, const char *text)
{
  GtkWidget *label = gtk_label_new(text);
  gtk_label_set_wrap(GTK_LABEL(label), TRUE);
  gtk_label_set_max_width_chars(GTK_LABEL(label), REMARK_CHARS);
  gtk_label_set_xalign(GTK_LABEL(label), 0.0f);
  gtk_widget_add_css_class(label, "heading");
  adw_toast_set_custom_title(toast, label);
}

static AdwToast *
create_toast(DebyeWindow *self, const char *text)
{
  debye_message_list_add(self->messages, text);
  g_autofree char *escaped = g_markup_escape_text(text, -1);
  return adw_toast_new(escaped);
}

void
debye_window_toast(DebyeWindow *self, const char *text)
{
  g_return_if_fail(DEBYE_IS_WINDOW(self));
  add_toast(self, create_toast(self, text));
}

static void
on_news_dismissed(DebyeWindow *self)
{
  self->news = NULL;
}

void
debye_window_toast_news(DebyeWindow *self, const char *text)
{
  g_return_if_fail(DEBYE_IS_WINDOW(self));
  AdwToast *fresh = create_toast(self, text);
  const gboolean is_long = g_utf8_strlen(text, -1) > REMARK_CHARS;
  if (self->news != NULL) {
    adw_toast_set_title(self->news, adw_toast_get_title(fresh));
    if (is_long)
      wrap_title(self->news, text);
    g_object_unref(fresh);
    return;
  }
  if (is_long)
    wrap_title(fresh, text);
  self->news = fresh;
  g_signal_connect_object(fresh, "dismissed", G_CALLBACK(on_news_dismissed), self, G_CONNECT_SWAPPED);
  add_toast(self, fresh);
}

void
debye_window_toast_offer(DebyeWindow *self, const char *text, const char *button, const char *action)
{
  g_return_if_fail(DEBYE_IS_WINDOW(self));
  AdwToast *toast = create_toast(self, text);
  adw_toast_set_button_label(toast, button);
  adw_toast_set_action_name(toast, action);
  put_offer(self, toast);
}

AdwToast *
debye_window_toast_with_action(DebyeWindow *self, const char *text, const char *button, const char *action)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW(self), NULL);
  AdwToast *toast = create_toast(self, text);
  adw_toast_set_button_label(toast, button);
  adw_toast_set_detailed_action_name(toast, action);
  adw_toast_set_timeout(toast, REMARK_SECONDS);
  if (strchr(text, '\n') != NULL)
    wrap_title(toast, text);
  add_toast(self, toast);
  return toast;
}

static void
on_details_clicked(AdwToast *toast, DebyeWindow *self)
{
  const char *title = g_object_get_data(G_OBJECT(toast), "title");
  const char *text = g_object_get_data(G_OBJECT(toast), "details");
  GtkWidget *dialog = adw_message_dialog_new(GTK_WINDOW(self), title, text);
  adw_message_dialog_add_response(ADW_MESSAGE_DIALOG(dialog), "close", _("Close"));
  gtk_window_present(GTK_WINDOW(dialog));
}

/* The first line of the text, with the rest behind a button. */
static AdwToast *
create_detailed_toast(DebyeWindow *self, const char *title, const char *text)
{
  g_autofree char *first_line = g_strndup(text, strcspn(text, "\n"));
  g_autofree char *escaped = g_markup_escape_text(first_line, -1);
  AdwToast *toast = create_toast(self, text);
  adw_toast_set_title(toast, escaped);
  adw_toast_set_button_label(toast, _("Details"));
  g_object_set_data_full(G_OBJECT(toast), "title", g_strdup(title), g_free);
  g_object_set_data_full(G_OBJECT(toast), "details", g_strdup(text), g_free);
  g_signal_connect_object(toast, "button-clicked", G_CALLBACK(on_details_clicked), self, G_CONNECT_DEFAULT);
  return toast;
}

void
debye_window_toast_error(DebyeWindow *self, const char *text)
{
  g_return_if_fail(DEBYE_IS_WINDOW(self));
  AdwToast *toast = create_detailed_toast(self, _("Error details"), text);
  adw_toast_set_timeout(toast, 0);
  add_toast(self, toast);
}

void
debye_window_toast_remarks(DebyeWindow *self, const char *text)
{
  g_return_if_fail(DEBYE_IS_WINDOW(self));
  g_autofree char *sentence = debye_remark_case(text);
  AdwToast *toast = create_detailed_toast(self, _("Remarks on these files"), sentence);
  adw_toast_set_timeout(toast, REMARK_SECONDS);
  add_toast(self, toast);
}

void
debye_window_show_messages(DebyeWindow *self)
{
  g_return_if_fail(DEBYE_IS_WINDOW(self));
  gtk_window_present(GTK_WINDOW(debye_message_list_create_window(GTK_WINDOW(self), self->messages)));
}

/* --- Actions --- */

void
debye_window_set_action_state(DebyeWindow *self, const char *action, GVariant *state)
{
  g_return_if_fail(DEBYE_IS_WINDOW(self));
  g_simple_action_set_state(G_SIMPLE_ACTION(g_action_map_lookup_action(G_ACTION_MAP(self), action)), state);
}

void
debye_window_turn_action(DebyeWindow *self, const char *action, gboolean on)
{
  debye_window_set_action_state(self, action, g_variant_new_boolean(on));
}

/* --- Files dropped --- */

static GdkDragAction
on_drag_enter(GtkDropTarget *target G_GNUC_UNUSED, double x G_GNUC_UNUSED, double y G_GNUC_UNUSED,
              DebyeWindow *self)
{
  gtk_widget_add_css_class(GTK_WIDGET(self->content), "drop-here");
  return GDK_ACTION_COPY;
}

static void
on_drag_leave(GtkDropTarget *target G_GNUC_UNUSED, DebyeWindow *self)
{
  gtk_widget_remove_css_class(GTK_WIDGET(self->content), "drop-here");
}

static gboolean
on_drop(GtkDropTarget *target, const GValue *value, double x G_GNUC_UNUSED, double y G_GNUC_UNUSED,
        DebyeWindow *self)
{
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
  on_drag_leave(target, self);
  for (GSList *link = gdk_file_list_get_files(g_value_get_boxed(value)); link != NULL; link = link->next) {
    g_autofree char *path = g_file_get_path(link->data);
    if (path != NULL)
      g_strv_builder_add(builder, path);
  }
  g_auto(GStrv) paths = g_strv_builder_end(builder);
  if (paths[0] != NULL)
    g_signal_emit_by_name(self, "open-files", paths);
  return paths[0] != NULL;
}

static void
add_drop_target(DebyeWindow *self)
{
  GtkDropTarget *target = gtk_drop_target_new(GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);
  g_signal_connect(target, "accept", G_CALLBACK(debye_dragged_file_is_foreign), NULL);
  g_signal_connect(target, "enter", G_CALLBACK(on_drag_enter), self);
  g_signal_connect(target, "leave", G_CALLBACK(on_drag_leave), self);
  g_signal_connect(target, "drop", G_CALLBACK(on_drop), self);
  gtk_widget_add_controller(GTK_WIDGET(self), GTK_EVENT_CONTROLLER(target));
}

/* --- The object --- */

DebyeWindow *
debye_window_new(GtkApplication *application, DebyePreferences *preferences)
{
  DebyeWindow *self = g_object_new(DEBYE_TYPE_WINDOW, "application", application, NULL);
  GtkBuilder *builder = gtk_builder_new_from_resource("/org/debye/Debye/shortcuts.ui");
  gtk_application_window_set_help_overlay(GTK_APPLICATION_WINDOW(self),
                                          GTK_SHORTCUTS_WINDOW(gtk_builder_get_object(builder, "shortcuts")));
  g_object_unref(builder);
  const GBindingFlags flags = G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL;
  g_object_bind_property(preferences, "window-width", self, "default-width", flags);
  g_object_bind_property(preferences, "window-height", self, "default-height", flags);
  g_object_bind_property(preferences, "window-maximized", self, "maximized", flags);
  g_object_bind_property(preferences, "mouse", self->view, "mouse", G_BINDING_SYNC_CREATE);
  return self;
}

static void
ensure_types(void)
{
  g_type_ensure(DEBYE_TYPE_ANALYSIS_PANEL);
  g_type_ensure(DEBYE_TYPE_ORBITAL_PANEL);
  g_type_ensure(DEBYE_TYPE_VIBRATION_PANEL);
  g_type_ensure(DEBYE_TYPE_BLOB_PANEL);
  g_type_ensure(DEBYE_TYPE_PREPARE_PANEL);
  g_type_ensure(DEBYE_TYPE_CLASSROOM_PAGE);
  g_type_ensure(DEBYE_TYPE_GUIDE_BAR);
  g_type_ensure(DEBYE_TYPE_JOBS_BUTTON);
  g_type_ensure(DEBYE_TYPE_LAYERS_PANEL);
  g_type_ensure(DEBYE_TYPE_PLAYBACK_BAR);
  g_type_ensure(DEBYE_TYPE_PLOT_PANEL);
  g_type_ensure(DEBYE_TYPE_VIEW_3D);
  g_type_ensure(DEBYE_TYPE_WELCOME_PAGE);
}

static void
debye_window_class_init(DebyeWindowClass *class)
{
  ensure_types();
  debye_gtk_work_around_scrolled_windows();
  g_signal_new("open-files", DEBYE_TYPE_WINDOW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
               G_TYPE_STRV);
  gtk_widget_class_set_template_from_resource(GTK_WIDGET_CLASS(class), "/org/debye/Debye/window.ui");
  DEBYE_BIND_CHILDREN(class, DebyeWindow, welcome_toasts, classroom_toasts, classroom_page, guide_bar,
                      view_toasts, plot_toasts, heading, open);
  DEBYE_BIND_CHILDREN(class, DebyeWindow, sidebar_button, export_button, main_button, measure_button,
                      jobs_button, content, welcome_page, spinner);
  DEBYE_BIND_CHILDREN(class, DebyeWindow, flap, switcher, pages, layers_panel, analysis_panel, orbital_panel,
                      vibration_panel, blob_panel);
  DEBYE_BIND_CHILDREN(class, DebyeWindow, prepare_panel, view, playback_bar, plot_panel);
}

/* The arrow of a split button has no name of its own. */
static void
name_arrow(AdwSplitButton *button)
{
  for (GtkWidget *child = gtk_widget_get_first_child(GTK_WIDGET(button)); child != NULL;
       child = gtk_widget_get_next_sibling(child))
    if (GTK_IS_MENU_BUTTON(child))
      gtk_accessible_update_property(GTK_ACCESSIBLE(child), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                     adw_split_button_get_dropdown_tooltip(button), -1);
}

static void
debye_window_init(DebyeWindow *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
  self->messages = g_list_store_new(GTK_TYPE_STRING_OBJECT);
  g_object_set_data_full(G_OBJECT(self), "debye-messages", self->messages, g_object_unref);
  gtk_menu_button_set_menu_model(self->main_button, debye_menus_get("main"));
  gtk_menu_button_set_menu_model(self->export_button, debye_menus_get("export"));
  name_arrow(self->open);
  add_drop_target(self);
  for (GtkWidget *button = gtk_widget_get_first_child(GTK_WIDGET(self->switcher)); button != NULL;
       button = gtk_widget_get_next_sibling(button))
    gtk_widget_set_hexpand(button, TRUE);
  debye_window_set_content(self, DEBYE_WINDOW_EMPTY);
}
