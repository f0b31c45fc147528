/* SPDX-License-Identifier: MIT */
/* The window's actions that write files and copy commands: pictures, films, maps, results. */
#include <glib/gi18n.h>
#include <string.h>

#include "app/document/figure_command.h"
#include "app/document/result_command.h"
#include "app/presets/picture_preset.h"
#include "app/presets/presets.h"
#include "ui/dialogs/export_dialog.h"
#include "ui/forms/result_details.h"
#include "window_actions.h"
#include "window_exports.h"
#include "window_film.h"
#include "window_maps.h"

/* --- pictures and maps --- */

static void
save_picture(DebyeWindowDocument *self, const char *path, const DebyePictureWish *wish)
{
  g_autoptr(GError) error = NULL;
  DebyeWindow *window = debye_window_document_get_window(self);
  g_autoptr(DebyeJob) job =
      debye_window_exports_create_picture_job(window, debye_window_document_get_document(self),
                                              debye_window_document_get_scene(self), path, wish, &error);
  if (job != NULL)
    debye_window_exports_add(self, job);
  else
    debye_window_toast_error(window, error->message);
}

/* Kept with the dialog, then with the one that asks for a path. */
typedef struct {
  DebyeWindowDocument *document; /* borrowed: the dialog goes with its window */
  DebyePictureWish wish;
} PictureQuestion;

static void
picture_question_free(gpointer data)
{
  PictureQuestion *question = data;
  g_free(question->wish.preset);
  g_free(question);
}

static void
on_picture_path(const char *path, gpointer data)
{
  const PictureQuestion *question = data;
  save_picture(question->document, path, &question->wish);
}

static void
on_picture_export(DebyeExportDialog *dialog, DebyeWindowDocument *self)
{
  static const char *const suffixes[] = {"png", N_("Picture (PNG)"), "tiff", N_("Picture (TIFF)"), NULL};
  g_autofree char *name = debye_window_document_suggest_name(self, ".png");
  PictureQuestion *question = g_object_steal_data(G_OBJECT(dialog), "question");
  debye_export_dialog_get_size(dialog, &question->wish.size);
  question->wish.transparent = debye_export_dialog_get_transparent(dialog);
  debye_window_exports_choose_path(debye_window_document_get_window(self), _("Export picture"), name,
                                   suffixes, on_picture_path, question, picture_question_free);
}

/* NULL: one of the sizes in pixels. */
static void
on_picture_preset(DebyeExportDialog *dialog, const char *name, DebyeWindowDocument *self)
{
  g_autoptr(GError) error = NULL;
  PictureQuestion *question = g_object_get_data(G_OBJECT(dialog), "question");
  DebyePictureSize size;
  gboolean transparent;
  g_clear_pointer(&question->wish.preset, g_free);
  if (name == NULL)
    return;
  debye_export_dialog_get_size(dialog, &size);
  if (!debye_presets_apply_to_picture(name, &size, &transparent, &error)) {
    debye_window_toast_error(debye_window_document_get_window(self), error->message);
    debye_export_dialog_refuse_preset(dialog);
    return;
  }
  question->wish.preset = g_strdup(name);
  debye_export_dialog_set_size(dialog, &size);
  debye_export_dialog_set_transparent(dialog, transparent);
}

void
debye_window_actions_export_picture(DebyeWindowDocument *self)
{
  DebyeWindow *window = debye_window_document_get_window(self);
  GtkWidget *view = GTK_WIDGET(debye_window_get_view(window));
  g_auto(GStrv) presets = debye_presets_list();
  GtkWidget *dialog =
      debye_export_dialog_new(GTK_WINDOW(window), gtk_widget_get_width(view), gtk_widget_get_height(view),
                              gtk_widget_get_scale_factor(view), (const char *const *)presets);
  PictureQuestion *question = g_new(PictureQuestion, 1);
  *question = (PictureQuestion){.document = self};
  g_object_set_data_full(G_OBJECT(dialog), "question", question, picture_question_free);
  g_signal_connect_object(dialog, "preset", G_CALLBACK(on_picture_preset), self, G_CONNECT_DEFAULT);
  g_signal_connect_object(dialog, "export", G_CALLBACK(on_picture_export), self, G_CONNECT_DEFAULT);
  gtk_window_present(GTK_WINDOW(dialog));
}

void
debye_window_actions_save_picture(DebyeWindowDocument *self, GVariant *values)
{
  const char *path;
  int width, height;
  DebyePictureWish wish = {0};
  g_variant_get(values, "(&siib)", &path, &width, &height, &wish.transparent);
  wish.size.width = width;
  wish.size.height = height;
  save_picture(self, path, &wish);
}

void
debye_window_actions_save_film(DebyeWindowFrames *frames, GVariant *values)
{
  const char *path;
  DebyeFilmWish wish = {.axis = DEBYE_TURN_UPRIGHT};
  int rate;
  g_variant_get(values, "(&sbdiiii)", &path, &wish.frames, &wish.degrees, &wish.n_pictures, &rate,
                &wish.width, &wish.height);
  wish.rate = rate;
  wish.camera = wish.degrees != 0.0 ? DEBYE_FILM_TURNS : DEBYE_FILM_STANDS;
  debye_window_film_write(frames, path, &wish, NULL);
}

void
debye_window_actions_keep_view(DebyeWindowFrames *frames)
{
  DebyeWindow *window = debye_window_document_get_window(debye_window_frames_get_document(frames));
  debye_window_film_keep_view(frames);
  debye_window_toast(window, _("The view is kept for movies and figures"));
}

/* Along the views that were kept. */
void
debye_window_actions_save_film_of_views(DebyeWindowFrames *frames, GVariant *values)
{
  const char *path;
  DebyeFilmWish wish = {.camera = DEBYE_FILM_GOES};
  int rate;
  g_variant_get(values, "(&sbiiii)", &path, &wish.frames, &wish.n_pictures, &rate, &wish.width, &wish.height);
  wish.rate = rate;
  debye_window_film_write(frames, path, &wish, NULL);
}

typedef struct {
  DebyeWindowDocument *document;
  DebyeResult *result;
} ResultWish;

static void
result_wish_free(gpointer data)
{
  ResultWish *wish = data;
  g_object_unref(wish->result);
  g_free(wish);
}

static void
on_result_path(const char *path, gpointer data)
{
  ResultWish *wish = data;
  debye_window_exports_save_result(wish->document, wish->result, path);
}

/* A map is its potential; what has curves is called after its analysis. */
static char *
result_name(DebyeWindowDocument *self, DebyeRequest *request)
{
  const char *id = debye_request_get_table(request)->id;
  g_autofree char *ending =
      g_strcmp0(id, "map") == 0 ? g_strdup("-potential.h5") : g_strdup_printf("-%s.h5", id);
  return debye_window_document_suggest_name(self, ending);
}

void
debye_window_actions_export_result(DebyeWindowDocument *self, guint position)
{
  static const char *const suffixes[] = {"h5",   N_("HDF5, with all settings"),
                                         "dx",   "OpenDX",
                                         "cube", "Gaussian cube",
                                         "ccp4", "CCP4 / MRC",
                                         "csv",  "CSV",
                                         NULL};
  static const char *const of_curves[] = {"h5", N_("HDF5, with all settings"), "csv", "CSV", NULL};
  DebyeResult *result = debye_window_document_get_result(self, position);
  if (result == NULL)
    return;
  gboolean is_map = g_list_model_get_n_items(debye_result_get_fields(result)) > 0;
  g_autofree char *name = result_name(self, debye_result_get_request(result));
  ResultWish *wish = g_new(ResultWish, 1);
  *wish = (ResultWish){.document = self, .result = result};
  debye_window_exports_choose_path(debye_window_document_get_window(self),
                                   is_map ? _("Export map") : _("Export data"), name,
                                   is_map ? suffixes : of_curves, on_result_path, wish, result_wish_free);
}

void
debye_window_actions_export_newest(DebyeWindowDocument *self)
{
  debye_window_actions_export_result(self, 0);
}

void
debye_window_actions_save_newest(DebyeWindowDocument *self, const char *path)
{
  g_autoptr(DebyeResult) result = debye_window_document_get_result(self, 0);
  if (result != NULL)
    debye_window_exports_save_result(self, result, path);
}

static void
copy_text(DebyeWindowDocument *self, const char *text)
{
  gdk_clipboard_set_text(gtk_widget_get_clipboard(GTK_WIDGET(debye_window_document_get_window(self))), text);
  debye_window_toast(debye_window_document_get_window(self), _("Command copied"));
}

/* Two of the same name would be one file. */
static char *
name_apart(const char *name, GPtrArray *taken)
{
  char *apart = g_strdup(name);
  for (guint n = 2; g_ptr_array_find_with_equal_func(taken, apart, g_str_equal, NULL); n++) {
    const char *ending = strrchr(name, '.');
    const int length = ending != NULL ? (int)(ending - name) : (int)strlen(name);
    g_free(apart);
    apart = g_strdup_printf("%.*s-%u%s", length, name, n, ending != NULL ? ending : "");
  }
  return apart;
}

/* The commands of the results, and the paths of what they write, in `paths`. */
static char *
create_commands(DebyeWindowDocument *self, GPtrArray *results, GPtrArray *paths)
{
  g_autoptr(GString) commands = g_string_new(NULL);
  for (guint i = 0; i < results->len; i++) {
    DebyeResult *result = results->pdata[i];
    const char *known = g_object_get_data(G_OBJECT(result), "path");
    g_autofree char *name = result_name(self, debye_result_get_request(result));
    g_ptr_array_add(paths, name_apart(known != NULL ? known : name, paths));
    g_autofree char *command = debye_result_command(result, paths->pdata[i]);
    g_string_append_printf(commands, "%s%s", i > 0 ? " && " : "", command);
  }
  return g_strdup(commands->str);
}

/* What is mixed for a contrast has no command of its own. */
static gboolean
are_listed(DebyeWindowDocument *self, const GPtrArray *results)
{
  GListModel *all = debye_window_document_get_results(self);
  guint n_listed = 0;
  for (guint i = 0; i < g_list_model_get_n_items(all); i++) {
    g_autoptr(DebyeResult) result = g_list_model_get_item(all, i);
    n_listed += g_ptr_array_find((GPtrArray *)results, result, NULL);
  }
  return n_listed == results->len;
}

/* The results of the plot that a command draws with this one; NULL: none does, as a person
 * gave this one's plot no look, or it shows measured curves. */
static GPtrArray *
list_plotted(DebyeWindowDocument *self, DebyeResult *result)
{
  DebyeResultLook *look =
      debye_plot_panel_get_look(debye_window_get_plot_panel(debye_window_document_get_window(self)));
  g_autoptr(GPtrArray) results = debye_result_look_list_results(look);
  g_autoptr(DebyeRequest) style = debye_result_look_create_style_of_shown(look);
  const gboolean is_plotted = style != NULL && (results->len > 1 || debye_result_look_is_set(look)) &&
                              g_ptr_array_find(results, result, NULL) && are_listed(self, results);
  return is_plotted ? g_steal_pointer(&results) : NULL;
}

static void
copy_result_command(DebyeWindowDocument *self, DebyeResult *result)
{
  DebyePlotPanel *panel = debye_window_get_plot_panel(debye_window_document_get_window(self));
  g_autoptr(GPtrArray) plotted = list_plotted(self, result), alone = g_ptr_array_new();
  g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);
  g_ptr_array_add(alone, result);
  g_autofree char *commands = create_commands(self, plotted != NULL ? plotted : alone, paths);
  if (plotted == NULL) {
    copy_text(self, commands);
    return;
  }
  g_ptr_array_add(paths, NULL);
  g_autoptr(DebyeRequest) style = debye_result_look_create_style_of_shown(debye_plot_panel_get_look(panel));
  g_autofree char *plot = debye_figure_command(style, (const char *const *)paths->pdata,
                                               debye_plot_panel_get_quantity(panel)->name);
  g_autofree char *both = g_strconcat(commands, " && ", plot, NULL);
  copy_text(self, both);
}

/* Of the newest result; before there is one, of the form as it stands. */
void
debye_window_actions_copy_command(DebyeWindowComputing *computing)
{
  DebyeWindowDocument *self = debye_window_computing_get_document(computing);
  DebyeWindow *window = debye_window_document_get_window(self);
  DebyeAnalysisForm *form = debye_analysis_panel_get_form(debye_window_get_analysis_panel(window));
  g_autoptr(DebyeResult) result = debye_window_document_get_result(self, 0);
  if (result != NULL) {
    copy_result_command(self, result);
  } else if (form != NULL) {
    g_autofree char *name = result_name(self, debye_analysis_form_get_request(form));
    g_autoptr(DebyeRequest) request = debye_window_analyses_complete_request(
        debye_window_computing_get_analyses(computing), debye_analysis_form_get_request(form));
    g_autofree char *command = debye_request_to_command(
        request, debye_dataset_get_paths(debye_window_document_get_dataset(self)), name);
    copy_text(self, command);
  }
}

/* --- results --- */

void
debye_window_actions_run_result_again(DebyeWindowComputing *computing, guint position)
{
  DebyeWindowDocument *self = debye_window_computing_get_document(computing);
  g_autoptr(DebyeResult) result = debye_window_document_get_result(self, position);
  if (result != NULL && debye_window_maps_made(result))
    debye_window_toast(debye_window_document_get_window(self),
                       _("This result comes from a map. Compute it again from the map's row in the scene."));
  else if (result != NULL)
    debye_window_computing_run_request(computing, debye_result_get_request(result), NULL);
}

void
debye_window_actions_copy_result_command(DebyeWindowDocument *self, guint position)
{
  g_autoptr(DebyeResult) result = debye_window_document_get_result(self, position);
  if (result != NULL)
    copy_result_command(self, result);
}

void
debye_window_actions_remove_result(DebyeWindowDocument *self, guint position)
{
  if (position < g_list_model_get_n_items(debye_window_document_get_results(self)))
    debye_window_document_remove_results(self, position, 1);
}

void
debye_window_actions_show_result(DebyeWindowDocument *self, guint position)
{
  g_autoptr(DebyeResult) result = debye_window_document_get_result(self, position);
  if (result == NULL)
    return;
  GtkWindow *parent = GTK_WINDOW(debye_window_document_get_window(self));
  gtk_window_present(GTK_WINDOW(debye_result_details_new(parent, result)));
}
