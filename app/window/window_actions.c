/* SPDX-License-Identifier: MIT */
/* The window's actions that menus, buttons, keys and D-Bus call, in one table with their keys
 * and what they need; added by window_controller.c. */

#include <glib/gi18n.h>

#include "ui/scene/layer_menu.h"
#include "window_actions.h"
#include "window_classroom.h"
#include "window_coordinates.h"
#include "window_figure.h"
#include "window_film.h"
#include "window_fit.h"
#include "window_guide.h"
#include "window_maps.h"
#include "window_plots.h"

/* --- running, playing, looking --- */

static void
run(DebyeWindowController *self)
{
  debye_window_controller_run_form(
      self, debye_analysis_panel_get_form(debye_window_get_analysis_panel(self->window)));
}

static void
stop(DebyeWindowController *self)
{
  debye_job_queue_stop_all(self->jobs);
}

static void
play(DebyeWindowController *self, gboolean playing)
{
  DebyePlaybackBar *bar = debye_window_get_playback_bar(self->window);
  debye_playback_bar_set_playing(bar, playing);
}

static void
follow(DebyeWindowController *self, gboolean following)
{
  DebyePlaybackBar *bar = debye_window_get_playback_bar(self->window);
  debye_playback_bar_set_following(bar, following);
}

static void
go_to_frame(DebyeWindowController *self, int frame)
{
  DebyePlaybackBar *bar = debye_window_get_playback_bar(self->window);
  debye_playback_bar_seek(bar, (guint)MAX(frame, 0));
}

static void
step(DebyeWindowController *self, int n_frames)
{
  DebyePlaybackBar *bar = debye_window_get_playback_bar(self->window);
  debye_playback_bar_step(bar, n_frames);
}

static void
view_all(DebyeWindowController *self)
{
  debye_view_3d_view_all(debye_window_get_view(self->window));
}

static void
look_along(DebyeWindowController *self, int number)
{
  int axis = CLAMP(number, 0, 2);
  debye_view_3d_look_along(debye_window_get_view(self->window), axis);
}

static void
zoom_in(DebyeWindowController *self)
{
  debye_view_3d_zoom(debye_window_get_view(self->window), 1.25);
}

static void
zoom_out(DebyeWindowController *self)
{
  debye_view_3d_zoom(debye_window_get_view(self->window), 0.8);
}

static void
toggle_sidebar(DebyeWindowController *self)
{
  debye_window_toggle_sidebar(self->window);
}

static void
show_page(DebyeWindowController *self, const char *page)
{
  debye_window_show_page(self->window, page);
}

static void
show_analysis(DebyeWindowController *self, const char *id)
{
  DebyeAnalysisForm *form = debye_window_analyses_find_form(self->analyses, id);
  if (form == NULL)
    return;
  debye_window_show_page(self->window, "analyse");
  debye_analysis_panel_show_form(debye_window_get_analysis_panel(self->window), form);
}

/* --- layers, undo and redo --- */

static void
show_added(DebyeWindowController *self, DebyeLayer *layer)
{
  if (layer == NULL) {
    debye_window_toast(self->window, _("There is nothing to make this layer of"));
    return;
  }
  debye_layers_panel_expand(debye_window_get_layers_panel(self->window), layer);
  /* A surface is larger than a cartoon, a cell than what it holds. */
  debye_view_3d_view_new(debye_window_get_view(self->window));
}

/* The action add-KEY of a kind. */
static void
on_add(GSimpleAction *action, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  DebyeWindowController *self = data;
  const char *name = g_action_get_name(G_ACTION(action));
  const DebyeLayerKind *kind = debye_layer_kind_find(name + strlen(DEBYE_ADD_ACTION));
  show_added(self, debye_window_scene_add(self->scene, kind));
}

static void
show_slice(DebyeWindowController *self)
{
  show_added(self, debye_window_scene_show_slice(self->scene));
}

/* What changes may be out of sight. */
static void
show_taken(DebyeWindowController *self, const char *pattern, const char *name)
{
  g_autofree char *text = name != NULL ? g_strdup_printf(pattern, name) : NULL;
  if (text != NULL)
    debye_window_toast_news(self->window, text);
}

static void
undo(DebyeWindowController *self)
{
  DebyeSceneHistory *history = debye_window_scene_get_history(self->scene);
  show_taken(self, _("Undone: %s"), debye_scene_history_get_undo_name(history));
  debye_scene_history_undo(history);
}

static void
redo(DebyeWindowController *self)
{
  DebyeSceneHistory *history = debye_window_scene_get_history(self->scene);
  show_taken(self, _("Redone: %s"), debye_scene_history_get_redo_name(history));
  debye_scene_history_redo(history);
}

/* --- saving --- */

static void
save_session(DebyeWindowController *self)
{
  debye_window_session_save(self->session, NULL);
}

static void
save_session_as(DebyeWindowController *self)
{
  debye_window_session_save_as(self->session);
}

static void
save_session_to(DebyeWindowController *self, const char *path)
{
  debye_window_session_save(self->session, path);
}

/* --- The table --- */

/* What there has to be, one bit each; see find_state(). */
enum {
  DOCUMENT = 1 << 0,
  DATASET = 1 << 1,
  FRAME = 1 << 2,
  FRAMES = 1 << 3, /* two at least */
  SCENE = 1 << 4,
  MAP = 1 << 5,
  RESULT = 1 << 6,
  COMMAND = 1 << 7, /* of a result, or of a form and its molecule */
  RUNNABLE = 1 << 8,
  RUNNING = 1 << 9,
  LIVE = 1 << 10,
  UNDO = 1 << 11,
  REDO = 1 << 12,
};

/* One of the functions, which says what the action takes: nothing, a text (s), a number (i), a place in a list
 * (u), or the values of `type`. With `turn` it is a toggle, with `hold` it has a number as its state. */
typedef struct {
  const char *name;
  const char *keys[3];
  guint needs;
  const char *type;
  void (*call)(DebyeWindowController *self);
  void (*call_text)(DebyeWindowController *self, const char *text);
  void (*call_number)(DebyeWindowController *self, int number);
  void (*call_place)(DebyeWindowController *self, guint place);
  void (*call_values)(DebyeWindowController *self, GVariant *values);
  void (*turn)(DebyeWindowController *self, gboolean on);
  void (*hold)(DebyeWindowController *self, int number);
} Entry;

/* tests/check_shortcuts.py reads the keys. */
static const Entry entries[] = {
    {.name = "open", .keys = {"<Control>o"}, .call = debye_window_actions_open},
    {.name = "open-files", .type = "as", .call_values = debye_window_actions_open_files},
    {.name = "open-sample", .call_text = debye_window_controller_open_sample},
    {.name = "save-session", .keys = {"<Control>s"}, .needs = DOCUMENT, .call = save_session},
    {.name = "save-session-as", .keys = {"<Control><Shift>s"}, .needs = DOCUMENT, .call = save_session_as},
    {.name = "save-session-to", .needs = DOCUMENT, .call_text = save_session_to},
    {.name = "elements", .needs = DATASET, .call = debye_window_actions_ask_elements},
    {.name = "counting", .needs = DATASET, .call = debye_window_actions_ask_counting},

    {.name = "run", .keys = {"<Control>Return", "<Control>r"}, .needs = RUNNABLE, .call = run},
    {.name = "stop", .keys = {"<Control>period"}, .needs = RUNNING, .call = stop},
    {.name = "show-analysis", .call_text = show_analysis},
    {.name = "result-run-again", .call_place = debye_window_actions_run_result_again},
    {.name = "result-copy-command", .call_place = debye_window_actions_copy_result_command},
    {.name = "result-export", .call_place = debye_window_actions_export_result},
    {.name = "result-remove", .call_place = debye_window_actions_remove_result},
    {.name = "result-compare", .call_place = debye_window_plots_compare},
    {.name = "result-profile", .type = "(ui)", .call_values = debye_window_maps_profile_of_result},
    {.name = "result-line", .call_place = debye_window_maps_line_of_result},
    {.name = "result-subtract", .call_place = debye_window_maps_subtract_of_result},
    {.name = "map-profile", .type = "(ui)", .call_values = debye_window_maps_profile},
    {.name = "map-line", .call_place = debye_window_maps_line},
    {.name = "map-subtract", .call_place = debye_window_maps_subtract},

    {.name = "export-picture",
     .keys = {"<Control>e"},
     .needs = DOCUMENT,
     .call = debye_window_actions_export_picture},
    {.name = "save-picture",
     .needs = DOCUMENT,
     .type = "(siib)",
     .call_values = debye_window_actions_save_picture},
    {.name = "export-figure", .needs = DOCUMENT, .call = debye_window_figure_ask},
    {.name = "save-figure", .needs = DOCUMENT, .call_text = debye_window_figure_save},
    {.name = "export-film", .needs = DOCUMENT, .call = debye_window_film_ask},
    {.name = "save-film",
     .needs = DOCUMENT,
     .type = "(sbdiiii)",
     .call_values = debye_window_actions_save_film},
    {.name = "save-film-of-views",
     .needs = DOCUMENT,
     .type = "(sbiiii)",
     .call_values = debye_window_actions_save_film_of_views},
    {.name = "keep-view", .needs = DOCUMENT, .call = debye_window_actions_keep_view},
    {.name = "export-coordinates", .needs = FRAME, .call = debye_window_coordinates_ask},
    {.name = "export-map",
     .keys = {"<Control><Shift>e"},
     .needs = RESULT,
     .call = debye_window_actions_export_newest},
    {.name = "save-map", .needs = RESULT, .call_text = debye_window_actions_save_newest},
    {.name = "copy-command",
     .keys = {"<Control><Shift>c"},
     .needs = COMMAND,
     .call = debye_window_actions_copy_command},
    {.name = "export-plot", .call = debye_window_plots_export},
    {.name = "save-plot", .call_text = debye_window_plots_save_shown},
    {.name = "add-measured-curve", .call = debye_window_plots_add_measured},
    {.name = "fit-curve", .call = debye_window_fit_ask},
    {.name = "open-fit", .call_text = debye_window_fit_open},
    {.name = "open-measured-curve", .call_text = debye_window_plots_open_measured},
    {.name = "plot-quantity", .call_text = debye_window_plots_choose_quantity},

    {.name = "play", .turn = play},
    {.name = "follow", .turn = follow},
    {.name = "live", .needs = LIVE, .turn = debye_window_controller_set_live},
    {.name = "frame", .hold = go_to_frame},
    {.name = "step", .call_number = step},
    {.name = "measure", .needs = FRAME, .turn = debye_window_controller_set_measuring},
    {.name = "plot-measurements", .needs = FRAME, .call = debye_window_controller_plot_measurements},
    {.name = "show-slice", .needs = SCENE, .call = show_slice},
    {.name = "undo", .needs = UNDO, .call = undo},
    {.name = "redo", .needs = REDO, .call = redo},

    {.name = "view-all", .keys = {"<Control>0"}, .call = view_all},
    {.name = "look-along", .call_number = look_along},
    {.name = "zoom-in", .keys = {"<Control>plus", "<Control>equal"}, .call = zoom_in},
    {.name = "zoom-out", .keys = {"<Control>minus"}, .call = zoom_out},
    {.name = "toggle-sidebar", .keys = {"F9"}, .call = toggle_sidebar},
    {.name = "show-page", .call_text = show_page},
    {.name = "classroom", .turn = debye_window_classroom_show},
    {.name = "classroom-lesson", .call_text = debye_window_classroom_show_lesson},
    {.name = "projector", .turn = debye_window_classroom_set_projector},
    {.name = "guide-step", .call_number = debye_window_guide_show_step},
    {.name = "guide-do", .call = debye_window_guide_do_step},
};

static const Entry *
find_entry(const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS(entries); i++)
    if (g_str_equal(entries[i].name, name))
      return &entries[i];
  return NULL;
}

static void
on_activate(GSimpleAction *action, GVariant *value, gpointer self)
{
  const Entry *entry = find_entry(g_action_get_name(G_ACTION(action)));
  if (entry->call != NULL)
    entry->call(self);
  else if (entry->call_text != NULL)
    entry->call_text(self, g_variant_get_string(value, NULL));
  else if (entry->call_number != NULL)
    entry->call_number(self, g_variant_get_int32(value));
  else if (entry->call_place != NULL)
    entry->call_place(self, g_variant_get_uint32(value));
  else
    entry->call_values(self, value);
}

static void
on_change_state(GSimpleAction *action, GVariant *value, gpointer self)
{
  const Entry *entry = find_entry(g_action_get_name(G_ACTION(action)));
  if (entry->turn != NULL)
    entry->turn(self, g_variant_get_boolean(value));
  else
    entry->hold(self, g_variant_get_int32(value));
}

static void
add(DebyeWindowController *self, const Entry *entry)
{
  gboolean has_state = entry->turn != NULL || entry->hold != NULL;
  const GActionEntry action = {.name = entry->name,
                               .activate = has_state ? NULL : on_activate,
                               .parameter_type = entry->type != NULL        ? entry->type
                                                 : entry->call_text != NULL ? "s"
                                                 : entry->call_number != NULL || entry->hold != NULL ? "i"
                                                 : entry->call_place != NULL                         ? "u"
                                                                                                     : NULL,
                               .state = entry->turn != NULL   ? "false"
                                        : entry->hold != NULL ? "0"
                                                              : NULL,
                               .change_state = has_state ? on_change_state : NULL};
  g_action_map_add_action_entries(G_ACTION_MAP(self->window), &action, 1, self);
}

/* --- What is possible --- */

static guint
find_state_of_form(DebyeWindowController *self)
{
  DebyeAnalysisForm *form = debye_analysis_panel_get_form(debye_window_get_analysis_panel(self->window));
  gboolean has_dataset = self->document != NULL && debye_document_get_dataset(self->document) != NULL;
  gboolean has_result = g_list_model_get_n_items(G_LIST_MODEL(self->results)) > 0;
  return (form != NULL && debye_analysis_form_can_run(form) ? RUNNABLE : 0) | (has_result ? RESULT : 0) |
         (has_result || (has_dataset && form != NULL) ? COMMAND : 0) |
         (debye_job_queue_count_active(self->jobs) > 0 ? RUNNING : 0) |
         (debye_window_controller_can_be_live(self) ? LIVE : 0);
}

static guint
find_state_of_document(DebyeDocument *document)
{
  return document == NULL ? 0
                          : DOCUMENT | (debye_document_get_dataset(document) != NULL ? DATASET : 0) |
                                (debye_document_get_first_frame(document) != NULL ? FRAME : 0);
}

static guint
find_state_of_scene(DebyeWindowScene *scene)
{
  DebyeSceneHistory *history = scene != NULL ? debye_window_scene_get_history(scene) : NULL;
  return scene == NULL ? 0
                       : SCENE | (debye_window_scene_get_map(scene) != NULL ? MAP : 0) |
                             (debye_scene_history_can_undo(history) ? UNDO : 0) |
                             (debye_scene_history_can_redo(history) ? REDO : 0);
}

static guint
needs_of_layer(const DebyeLayerKind *kind)
{
  switch (kind->needs) {
  case DEBYE_LAYER_NEEDS_NOTHING:
    return SCENE;
  case DEBYE_LAYER_NEEDS_MAP:
    return MAP;
  case DEBYE_LAYER_NEEDS_FRAMES:
    return FRAMES;
  default:
    return FRAME;
  }
}

static void
enable(DebyeWindowController *self, const char *name, gboolean enabled)
{
  GAction *action = g_action_map_lookup_action(G_ACTION_MAP(self->window), name);
  if (action != NULL)
    g_simple_action_set_enabled(G_SIMPLE_ACTION(action), enabled);
}

void
debye_window_actions_update(DebyeWindowController *self)
{
  guint state = find_state_of_form(self) | find_state_of_document(self->document) |
                find_state_of_scene(self->scene) |
                (debye_window_controller_count_frames(self) >= 2 ? FRAMES : 0);
  for (gsize i = 0; i < G_N_ELEMENTS(entries); i++)
    enable(self, entries[i].name, (entries[i].needs & ~state) == 0);
  for (const DebyeLayerKind *const *kind = debye_layer_kinds(); *kind != NULL; kind++) {
    g_autofree char *name = g_strconcat(DEBYE_ADD_ACTION, (*kind)->key, NULL);
    enable(self, name, (needs_of_layer(*kind) & ~state) == 0);
  }
}

/* --- All of them --- */

static void
add_layer_actions(DebyeWindowController *self)
{
  for (const DebyeLayerKind *const *kind = debye_layer_kinds(); *kind != NULL; kind++) {
    g_autofree char *name = g_strconcat(DEBYE_ADD_ACTION, (*kind)->key, NULL);
    const GActionEntry entry = {.name = name, .activate = on_add};
    if ((*kind)->section > 0)
      g_action_map_add_action_entries(G_ACTION_MAP(self->window), &entry, 1, self);
  }
}

static void
update_with(DebyeWindowController *self, gpointer object, const char *signal)
{
  g_signal_connect_object(object, signal, G_CALLBACK(debye_window_actions_update), self, G_CONNECT_SWAPPED);
}

static void
connect(DebyeWindowController *self)
{
  GListModel *forms = debye_window_analyses_get_forms(self->analyses);
  for (guint i = 0; i < g_list_model_get_n_items(forms); i++) {
    g_autoptr(DebyeAnalysisForm) form = g_list_model_get_item(forms, i);
    update_with(self, form, "notify::can-run");
  }
  update_with(self, debye_window_get_analysis_panel(self->window), "turned");
  update_with(self, self->results, "items-changed");
  update_with(self, self->jobs, "changed");
  update_with(self, g_action_map_lookup_action(G_ACTION_MAP(self->window), "live"), "notify::state");
}

void
debye_window_actions_add(DebyeWindowController *self)
{
  DebyePlotPanel *panel = debye_window_get_plot_panel(self->window);
  g_autoptr(GPropertyAction) large = g_property_action_new("large-plot", panel, "large");
  for (gsize i = 0; i < G_N_ELEMENTS(entries); i++)
    add(self, &entries[i]);
  add_layer_actions(self);
  g_action_map_add_action(G_ACTION_MAP(self->window), G_ACTION(large));
  connect(self);
}

void
debye_window_actions_follow(DebyeWindowController *self, DebyeWindowScene *scene)
{
  update_with(self, debye_window_scene_get_history(scene), "notify::can-redo");
  update_with(self, debye_scene_get_maps(debye_window_scene_get_scene(scene)), "items-changed");
}

void
debye_window_actions_set_state(DebyeWindowController *self, const char *name, GVariant *state)
{
  GAction *action = g_action_map_lookup_action(G_ACTION_MAP(self->window), name);
  g_simple_action_set_state(G_SIMPLE_ACTION(action), state);
}

void
debye_window_actions_turned(DebyeWindowController *self, const char *name, gboolean on)
{
  debye_window_actions_set_state(self, name, g_variant_new_boolean(on));
}

void
debye_window_actions_set_keys(GtkApplication *application)
{
  for (gsize i = 0; i < G_N_ELEMENTS(entries); i++) {
    g_autofree char *name = g_strconcat("win.", entries[i].name, NULL);
    if (entries[i].keys[0] != NULL)
      gtk_application_set_accels_for_action(application, name, entries[i].keys);
  }
}
