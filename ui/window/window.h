/* SPDX-License-Identifier: MIT */
/* The window: header, side bar, view, playback. It shows what it is given and sends requests up: through its
 * actions (win.*), which the program above adds, and the signal "open-files" (GStrv paths) for what is
 * dropped on it. */
#pragma once

#include <adwaita.h>

#include "ui/forms/analysis_panel.h"
#include "ui/manual/classroom_page.h"
#include "ui/manual/guide_bar.h"
#include "jobs_button.h"
#include "ui/scene/layers_panel.h"
#include "ui/scene/playback_bar.h"
#include "ui/orbitals/orbital_panel.h"
#include "ui/orbitals/vibration_panel.h"
#include "ui/scene/blob_panel.h"
#include "ui/plot/plot_panel.h"
#include "ui/prepare/prepare_panel.h"
#include "ui/widgets/preferences.h"
#include "ui/scene/view_3d.h"
#include "welcome_page.h"

#define DEBYE_TYPE_WINDOW (debye_window_get_type())
G_DECLARE_FINAL_TYPE(DebyeWindow, debye_window, DEBYE, WINDOW, AdwApplicationWindow)

typedef enum {
  DEBYE_WINDOW_EMPTY,
  DEBYE_WINDOW_LOADING,
  DEBYE_WINDOW_OPEN,
} DebyeWindowContent;

DebyeWindow *debye_window_new(GtkApplication *application, DebyePreferences *preferences);

DebyeView3d *debye_window_get_view(DebyeWindow *self);
DebyePlaybackBar *debye_window_get_playback_bar(DebyeWindow *self);
DebyeLayersPanel *debye_window_get_layers_panel(DebyeWindow *self);
DebyeAnalysisPanel *debye_window_get_analysis_panel(DebyeWindow *self);
DebyeOrbitalPanel *debye_window_get_orbital_panel(DebyeWindow *self);
DebyeVibrationPanel *debye_window_get_vibration_panel(DebyeWindow *self);
DebyeBlobPanel *debye_window_get_blob_panel(DebyeWindow *self);
DebyePreparePanel *debye_window_get_prepare_panel(DebyeWindow *self);
DebyePlotPanel *debye_window_get_plot_panel(DebyeWindow *self);
DebyeJobsButton *debye_window_get_jobs_button(DebyeWindow *self);
DebyeWelcomePage *debye_window_get_welcome_page(DebyeWindow *self);
DebyeClassroomPage *debye_window_get_classroom_page(DebyeWindow *self);
DebyeGuideBar *debye_window_get_guide_bar(DebyeWindow *self);

void debye_window_set_heading(DebyeWindow *self, const char *title, const char *subtitle);
void debye_window_set_content(DebyeWindow *self, DebyeWindowContent content);
DebyeWindowContent debye_window_get_content(DebyeWindow *self);
/* The class room in place of the content, which stays what it is behind it. */
void debye_window_set_classroom(DebyeWindow *self, gboolean shown);
/* "scene", "analyse", "orbitals", "vibrations", "blobs" or "prepare". */
void debye_window_show_page(DebyeWindow *self, const char *name);
/* The pages "orbitals" and "vibrations" are there for files that have some, "blobs" for results; "prepare" for structures that are bare, that were
 * prepared, or once it was asked for. */
void debye_window_set_has_page(DebyeWindow *self, const char *name, gboolean has_page);
void debye_window_toggle_sidebar(DebyeWindow *self);
void debye_window_set_recent_menu(DebyeWindow *self, GMenuModel *menu);

void debye_window_toast(DebyeWindow *self, const char *text);
/* The same for news that come again and again: the newest takes the place of what is still to be seen. */
void debye_window_toast_news(DebyeWindow *self, const char *text);
/* With a button that activates an action: "win.undo", or with its parameter "win.show-analysis::map". */
AdwToast *debye_window_toast_with_action(DebyeWindow *self, const char *text, const char *button,
                                         const char *action);
/* The same with an action without parameter, until it is taken or dismissed: before
 * all other toasts, whatever the window shows meanwhile. */
void debye_window_toast_offer(DebyeWindow *self, const char *text, const char *button, const char *action);
/* One sentence, and all of it behind "Details". */
void debye_window_toast_error(DebyeWindow *self, const char *text);
/* The same for what is worth knowing, and wrong with nothing; it goes by itself. */
void debye_window_toast_remarks(DebyeWindow *self, const char *text);

/* All of these that went by, in a window. */
void debye_window_show_messages(DebyeWindow *self);

/* The state of one of its actions, for buttons and menus: set by whoever changes what the action is about. */
void debye_window_set_action_state(DebyeWindow *self, const char *action, GVariant *state);
void debye_window_turn_action(DebyeWindow *self, const char *action, gboolean on);
