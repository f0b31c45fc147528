/* SPDX-License-Identifier: MIT */
/* The window's actions that menus, buttons, keys and D-Bus call, in one table with their keys
 * and what they need; added by window_controller.c. */
#include "window_actions.h"

#include <glib/gi18n.h>

#include "ui/scene/layer_menu.h"
#include "window_classroom.h"
#include "window_coordinates.h"
#include "window_figure.h"
#include "window_film.h"
#include "window_fit.h"
#include "window_guide.h"
#include "window_maps.h"
#include "window_measure.h"
#include "window_plots.h"

/* Of the window: its DebyeWindowParts. */
#define KEY "debye-window-parts"

/* --- opening and running --- */

static void
open_files(DebyeWindowOpening *opening, GVariant *names)
{
  g_autofree const char **paths = g_variant_get_strv(names, NULL);
  if (paths[0] != NULL)
    debye_window_opening_open(opening, paths);
}

static void
run(DebyeWindowComputing *computing)
{
  DebyeWindow *window = debye_window_document_get_window(debye_window_computing_get_document(computing));
  debye_window_computing_run_form(computing,
                                  debye_analysis_panel_get_form(debye_window_get_analysis_panel(window)));
}

static void
stop(DebyeWindowDocument *document)
{
  debye_job_queue_stop_all(debye_window_document_get_jobs(document));
}

static void
show_analysis(DebyeWindowComputing *computing, const char *id)
{
  DebyeWindow *window = debye_window_document_get_window(debye_window_computing_get_document(computing));
  DebyeAnalysisForm *form =
      debye_window_analyses_find_form(debye_window_computing_get_analyses(computing), id);
  if (form == NULL)
    return;
  debye_window_show_page(window, "analyse");
  debye_analysis_panel_show_form(debye_window_get_analysis_panel(window), form);
}

/* --- layers, undo and redo --- */

static void
show_added(DebyeWindow *window, DebyeLayer *layer)
{
  if (layer == NULL) {
    debye_window_toast(window, _("Nothing to show in this layer"));
    return;
  }
  debye_layers_panel_expand(debye_window_get_layers_panel(window), layer);
  /* A surface is larger than a cartoon, a cell than what it holds. */
  debye_view_3d_view_new(debye_window_get_view(window));
}

/* The action add-KEY of a kind. */
static void
on_add(GSimpleAction *action, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  const DebyeWindowParts *parts = data;
  const char *name = g_action_get_name(G_ACTION(action));
  const DebyeLayerKind *kind = debye_layer_kind_find(name + strlen(DEBYE_ADD_ACTION));
  show_added(parts->window, debye_window_scene_add(debye_window_document_get_scene(parts->document), kind));
}

static void
show_slice(DebyeWindowDocument *document)
{
  show_added(debye_window_document_get_window(document),
             debye_window_scene_show_slice(debye_window_document_get_scene(document)));
}

static void
hide_map(DebyeWindowDocument *document)
{
  debye_window_scene_hide_map_layers(debye_window_document_get_scene(document));
}

/* What changes may be out of sight. */
static void
show_taken(DebyeWindow *window, const char *pattern, const char *name)
{
  g_autofree char *text = name != NULL ? g_strdup_printf(pattern, name) : NULL;
  if (text != NULL)
    debye_window_toast_news(window, text);
}

static void
undo(DebyeWindowDocument *document)
{
  DebyeSceneHistory *history = debye_window_scene_get_history(debye_window_document_get_scene(document));
  show_taken(debye_window_document_get_window(document), _("Undone: %s"),
             debye_scene_history_get_undo_name(history));
  debye_scene_history_undo(history);
}

static void
redo(DebyeWindowDocument *document)
{
  DebyeSceneHistory *history = debye_window_scene_get_history(debye_window_document_get_scene(document));
  show_taken(debye_window_document_get_window(document), _("Redone: %s"),
             debye_scene_history_get_redo_name(history));
  debye_scene_history_redo(history);
}

static void
save_session(DebyeWindowSession *session)
{
  debye_window_session_save(session, NULL);
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
  gsize part; /* of DebyeWindowParts: what the function is called with */
  void (*call)(gpointer part);
  void (*call_text)(gpointer part, const char *text);
  void (*call_number)(gpointer part, int number);
  void (*call_place)(gpointer part, guint place);
  void (*call_values)(gpointer part, GVariant *values);
  void (*turn)(gpointer part, gboolean on);
  void (*hold)(gpointer part, int number);
} Entry;

/* Functions of that part of the window alone: others don't compile. */
#define TYPE_OF(name) __typeof__(((DebyeWindowParts *)NULL)->name)
#define CALL(name, function)                                                                     \
  .part = offsetof(DebyeWindowParts, name), .call = _Generic((function), void (*)(TYPE_OF(name)) \
                                                             : (void (*)(gpointer))(function))
#define TAKE(name, member, type, function)                                                               \
  .part = offsetof(DebyeWindowParts, name), .member = _Generic((function), void (*)(TYPE_OF(name), type) \
                                                               : (void (*)(gpointer, type))(function))
#define CALL_TEXT(name, function) TAKE(name, call_text, const char *, function)
#define CALL_NUMBER(name, function) TAKE(name, call_number, int, function)
#define CALL_PLACE(name, function) TAKE(name, call_place, guint, function)
#define CALL_VALUES(name, function) TAKE(name, call_values, GVariant *, function)
#define TURN(name, function) TAKE(name, turn, gboolean, function)

/* tests/check_shortcuts.py reads the keys. */
static const Entry entries[] = {
    {.name = "open", .keys = {"<Control>o"}, CALL(opening, debye_window_opening_ask_for_files)},
    {.name = "open-files", .type = "as", CALL_VALUES(opening, open_files)},
    {.name = "open-sample", CALL_TEXT(opening, debye_window_opening_open_sample)},
    {.name = "save-session", .keys = {"<Control>s"}, .needs = DOCUMENT, CALL(session, save_session)},
    {.name = "save-session-as",
     .keys = {"<Control><Shift>s"},
     .needs = DOCUMENT,
     CALL(session, debye_window_session_save_as)},
    {.name = "save-session-to", .needs = DOCUMENT, CALL_TEXT(session, debye_window_session_save)},
    {.name = "elements", .needs = DATASET, CALL(opening, debye_window_opening_ask_elements)},
    {.name = "counting", .needs = DATASET, CALL(opening, debye_window_opening_ask_counting)},

    {.name = "run", .keys = {"<Control>Return", "<Control>r"}, .needs = RUNNABLE, CALL(computing, run)},
    {.name = "stop", .keys = {"<Control>period"}, .needs = RUNNING, CALL(document, stop)},
    {.name = "electrostatic-surface",
     .keys = {"<Control><Shift>p"},
     .needs = FRAME,
     CALL(prepare, debye_window_prepare_show_electrostatic)},
    {.name = "prepare",
     .keys = {"<Control><Shift>h"},
     .needs = FRAME,
     CALL(prepare, debye_window_prepare_show)},
    {.name = "prepare-run", .needs = FRAME, CALL(prepare, debye_window_prepare_run)},
    {.name = "prepare-undo", .needs = FRAME, CALL(prepare, debye_window_prepare_undo)},
    {.name = "prepare-state",
     .needs = FRAME,
     .type = "(sss)",
     CALL_VALUES(prepare, debye_window_prepare_choose_state)},
    {.name = "prepare-show-residue",
     .needs = FRAME,
     .type = "(ss)",
     CALL_VALUES(prepare, debye_window_prepare_show_residue)},
    {.name = "save-prepared", .needs = FRAME, CALL_TEXT(prepare, debye_window_prepare_save)},
    {.name = "show-messages", CALL(window, debye_window_show_messages)},
    {.name = "show-analysis", CALL_TEXT(computing, show_analysis)},
    {.name = "result-details", CALL_PLACE(document, debye_window_actions_show_result)},
    {.name = "result-run-again", CALL_PLACE(computing, debye_window_actions_run_result_again)},
    {.name = "result-copy-command", CALL_PLACE(document, debye_window_actions_copy_result_command)},
    {.name = "result-export", CALL_PLACE(document, debye_window_actions_export_result)},
    {.name = "result-remove", CALL_PLACE(document, debye_window_actions_remove_result)},
    {.name = "result-compare", CALL_PLACE(document, debye_window_plots_compare)},
    {.name = "result-profile", .type = "(ui)", CALL_VALUES(document, debye_window_maps_profile_of_result)},
    {.name = "result-line", CALL_PLACE(frames, debye_window_maps_line_of_result)},
    {.name = "result-subtract", CALL_PLACE(document, debye_window_maps_subtract_of_result)},
    {.name = "map-profile", .type = "(ui)", CALL_VALUES(document, debye_window_maps_profile)},
    {.name = "map-line", CALL_PLACE(frames, debye_window_maps_line)},
    {.name = "map-subtract", CALL_PLACE(document, debye_window_maps_subtract)},
    {.name = "map-blobs", .type = "(ud)", CALL_VALUES(computing, debye_window_blobs_list)},

    {.name = "export-picture",
     .keys = {"<Control>e"},
     .needs = DOCUMENT,
     CALL(document, debye_window_actions_export_picture)},
    {.name = "save-picture",
     .needs = DOCUMENT,
     .type = "(siib)",
     CALL_VALUES(document, debye_window_actions_save_picture)},
    {.name = "export-figure", .needs = DOCUMENT, CALL(document, debye_window_figure_ask)},
    {.name = "export-plot-page", .needs = DOCUMENT, CALL(document, debye_window_figure_ask_plot)},
    {.name = "save-figure", .needs = DOCUMENT, CALL_TEXT(document, debye_window_figure_save)},
    {.name = "export-film", .needs = DOCUMENT, CALL(frames, debye_window_film_ask)},
    {.name = "save-film",
     .needs = DOCUMENT,
     .type = "(sbdiiii)",
     CALL_VALUES(frames, debye_window_actions_save_film)},
    {.name = "save-film-of-views",
     .needs = DOCUMENT,
     .type = "(sbiiii)",
     CALL_VALUES(frames, debye_window_actions_save_film_of_views)},
    {.name = "keep-view", .needs = DOCUMENT, CALL(frames, debye_window_actions_keep_view)},
    {.name = "export-coordinates", .needs = FRAME, CALL(document, debye_window_coordinates_ask)},
    {.name = "export-map",
     .keys = {"<Control><Shift>e"},
     .needs = RESULT,
     CALL(document, debye_window_actions_export_newest)},
    {.name = "save-map", .needs = RESULT, CALL_TEXT(document, debye_window_actions_save_newest)},
    {.name = "copy-command",
     .keys = {"<Control><Shift>c"},
     .needs = COMMAND,
     CALL(computing, debye_window_actions_copy_command)},
    {.name = "export-plot", CALL(document, debye_window_plots_export)},
    {.name = "save-plot", CALL_TEXT(document, debye_window_plots_save_shown)},
    {.name = "use-plot-style", CALL_TEXT(document, debye_window_plots_use_style)},
    {.name = "save-plot-style", CALL_TEXT(document, debye_window_plots_save_style)},
    {.name = "add-measured-curve", CALL(document, debye_window_plots_add_measured)},
    {.name = "fit-curve", CALL(document, debye_window_fit_ask)},
    {.name = "fit-power-law", .needs = RESULT, CALL_TEXT(document, debye_window_fit_power_law)},
    {.name = "open-fit", CALL_TEXT(document, debye_window_fit_open)},
    {.name = "open-measured-curve", CALL_TEXT(document, debye_window_plots_open_measured)},
    {.name = "plot-quantity", CALL_TEXT(plot, debye_plot_panel_set_quantity)},

    {.name = "play", TURN(bar, debye_playback_bar_set_playing)},
    {.name = "follow", TURN(bar, debye_playback_bar_set_following)},
    {.name = "live", .needs = LIVE, TURN(frames, debye_window_frames_set_live)},
    {.name = "frame", TAKE(bar, hold, int, debye_window_actions_go_to_frame)},
    {.name = "step", CALL_NUMBER(bar, debye_playback_bar_step)},
    {.name = "measure", .needs = FRAME, TURN(document, debye_window_measure_set_measuring)},
    {.name = "plot-measurements", .needs = FRAME, CALL(computing, debye_window_measure_plot)},
    {.name = "orbital", CALL_NUMBER(window, debye_window_actions_choose_orbital)},
    {.name = "vibration", CALL_NUMBER(window, debye_window_actions_choose_vibration)},
    {.name = "show-slice", .needs = SCENE, CALL(document, show_slice)},
    {.name = "hide-map", .needs = SCENE, CALL(document, hide_map)},
    {.name = "undo", .needs = UNDO, CALL(document, undo)},
    {.name = "redo", .needs = REDO, CALL(document, redo)},

    {.name = "view-all", .keys = {"<Control>0"}, CALL(view, debye_view_3d_view_all)},
    {.name = "look-at-bin", .needs = DATASET, CALL_NUMBER(document, debye_window_bins_look_at)},
    {.name = "look-along", CALL_NUMBER(view, debye_window_actions_look_along)},
    {.name = "zoom-in",
     .keys = {"<Control>plus", "<Control>equal"},
     CALL(view, debye_window_actions_zoom_in)},
    {.name = "zoom-out", .keys = {"<Control>minus"}, CALL(view, debye_window_actions_zoom_out)},
    {.name = "toggle-sidebar", .keys = {"F9"}, CALL(window, debye_window_toggle_sidebar)},
    {.name = "show-page", CALL_TEXT(window, debye_window_show_page)},
    {.name = "classroom", TURN(document, debye_window_classroom_show)},
    {.name = "classroom-lesson", CALL_TEXT(document, debye_window_classroom_show_lesson)},
    {.name = "classroom-climb", CALL_TEXT(document, debye_window_classroom_climb_to)},
    {.name = "classroom-code", CALL_TEXT(document, debye_window_classroom_show_code)},
    {.name = "classroom-row", CALL_NUMBER(document, debye_window_classroom_show_row)},
    {.name = "classroom-measure", CALL(document, debye_window_classroom_measure)},
    {.name = "classroom-next", CALL(document, debye_window_classroom_take_step)},
    {.name = "projector", TURN(document, debye_window_classroom_set_projector)},
    {.name = "guide-step", CALL_NUMBER(computing, debye_window_guide_show_step)},
    {.name = "guide-do", CALL(computing, debye_window_guide_do_step)},
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
on_activate(GSimpleAction *action, GVariant *value, gpointer parts)
{
  const Entry *entry = find_entry(g_action_get_name(G_ACTION(action)));
  gpointer part = G_STRUCT_MEMBER(gpointer, parts, entry->part);
  if (entry->call != NULL)
    entry->call(part);
  else if (entry->call_text != NULL)
    entry->call_text(part, g_variant_get_string(value, NULL));
  else if (entry->call_number != NULL)
    entry->call_number(part, g_variant_get_int32(value));
  else if (entry->call_place != NULL)
    entry->call_place(part, g_variant_get_uint32(value));
  else
    entry->call_values(part, value);
}

static void
on_change_state(GSimpleAction *action, GVariant *value, gpointer parts)
{
  const Entry *entry = find_entry(g_action_get_name(G_ACTION(action)));
  gpointer part = G_STRUCT_MEMBER(gpointer, parts, entry->part);
  if (entry->turn != NULL)
    entry->turn(part, g_variant_get_boolean(value));
  else
    entry->hold(part, g_variant_get_int32(value));
}

static void
add(DebyeWindowParts *parts, const Entry *entry)
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
  g_action_map_add_action_entries(G_ACTION_MAP(parts->window), &action, 1, parts);
}

/* --- What is possible --- */

static guint
find_state_of_form(const DebyeWindowParts *parts)
{
  DebyeAnalysisForm *form = debye_analysis_panel_get_form(debye_window_get_analysis_panel(parts->window));
  gboolean has_dataset = debye_window_document_get_dataset(parts->document) != NULL;
  gboolean has_result = g_list_model_get_n_items(debye_window_document_get_results(parts->document)) > 0;
  return (form != NULL && debye_analysis_form_can_run(form) ? RUNNABLE : 0) | (has_result ? RESULT : 0) |
         (has_result || (has_dataset && form != NULL) ? COMMAND : 0) |
         (debye_window_document_is_computing(parts->document) ? RUNNING : 0) |
         (debye_window_frames_can_be_live(parts->frames) ? LIVE : 0);
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
enable(DebyeWindow *window, const char *name, gboolean enabled)
{
  GAction *action = g_action_map_lookup_action(G_ACTION_MAP(window), name);
  if (action != NULL)
    g_simple_action_set_enabled(G_SIMPLE_ACTION(action), enabled);
}

static void
update(DebyeWindow *window)
{
  const DebyeWindowParts *parts = g_object_get_data(G_OBJECT(window), KEY);
  guint state = find_state_of_form(parts) |
                find_state_of_document(debye_window_document_get_document(parts->document)) |
                find_state_of_scene(debye_window_document_get_scene(parts->document)) |
                (debye_window_document_count_frames(parts->document) >= 2 ? FRAMES : 0);
  for (gsize i = 0; i < G_N_ELEMENTS(entries); i++)
    enable(window, entries[i].name, (entries[i].needs & ~state) == 0);
  for (const DebyeLayerKind *const *kind = debye_layer_kinds(); *kind != NULL; kind++) {
    g_autofree char *name = g_strconcat(DEBYE_ADD_ACTION, (*kind)->key, NULL);
    enable(window, name, (needs_of_layer(*kind) & ~state) == 0);
  }
}

/* --- All of them --- */

static void
add_layer_actions(DebyeWindowParts *parts)
{
  for (const DebyeLayerKind *const *kind = debye_layer_kinds(); *kind != NULL; kind++) {
    g_autofree char *name = g_strconcat(DEBYE_ADD_ACTION, (*kind)->key, NULL);
    const GActionEntry entry = {.name = name, .activate = on_add};
    if ((*kind)->section > 0)
      g_action_map_add_action_entries(G_ACTION_MAP(parts->window), &entry, 1, parts);
  }
}

static void
update_with(DebyeWindow *window, gpointer object, const char *signal)
{
  g_signal_connect_object(object, signal, G_CALLBACK(update), window, G_CONNECT_SWAPPED);
}

static void
on_scene_changed(DebyeWindow *window, DebyeWindowDocument *document)
{
  DebyeWindowScene *scene = debye_window_document_get_scene(document);
  update_with(window, debye_window_scene_get_history(scene), "changed");
  update_with(window, debye_scene_get_maps(debye_window_scene_get_scene(scene)), "items-changed");
}

static void
connect(const DebyeWindowParts *parts)
{
  DebyeWindow *window = parts->window;
  DebyeWindowAnalyses *analyses = debye_window_computing_get_analyses(parts->computing);
  GListModel *forms = debye_window_analyses_get_forms(analyses);
  for (guint i = 0; i < g_list_model_get_n_items(forms); i++) {
    g_autoptr(DebyeAnalysisForm) form = g_list_model_get_item(forms, i);
    update_with(window, form, "notify::can-run");
  }
  update_with(window, debye_window_get_analysis_panel(window), "turned");
  update_with(window, parts->document, "changed");
  update_with(window, debye_window_document_get_results(parts->document), "items-changed");
  update_with(window, debye_window_document_get_jobs(parts->document), "changed");
  update_with(window, g_action_map_lookup_action(G_ACTION_MAP(window), "live"), "notify::state");
  g_signal_connect_object(parts->document, "scene-changed", G_CALLBACK(on_scene_changed), window,
                          G_CONNECT_SWAPPED);
}

void
debye_window_actions_add(const DebyeWindowParts *parts)
{
  DebyePlotPanel *panel = debye_window_get_plot_panel(parts->window);
  g_autoptr(GPropertyAction) large = g_property_action_new("large-plot", panel, "large");
  DebyeWindowParts *kept = g_memdup2(parts, sizeof *parts);
  g_object_set_data_full(G_OBJECT(parts->window), KEY, kept, g_free);
  for (gsize i = 0; i < G_N_ELEMENTS(entries); i++)
    add(kept, &entries[i]);
  add_layer_actions(kept);
  g_action_map_add_action(G_ACTION_MAP(parts->window), G_ACTION(large));
  connect(kept);
  update(parts->window);
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
