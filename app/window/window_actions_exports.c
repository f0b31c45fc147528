/* SPDX-License-Identifier: MIT */
/* The window's actions that write files and copy commands: pictures, films, maps, results. */
#include <glib/gi18n.h>
#include <string.h>

#include "app/document/result_command.h"
#include "app/document/session_save.h"
#include "ui/dialogs/export_dialog.h"
#include "window_actions.h"
#include "window_exports.h"
#include "window_film.h"
#include "window_maps.h"

/* --- pictures and maps --- */

static void
on_exported(DebyeJob *job, DebyeWindowController *self)
{
  debye_window_exports_tell(self->window, job);
}

void
debye_window_controller_add_export(DebyeWindowController *self, DebyeJob *job)
{
  g_signal_connect_object(job, "finished", G_CALLBACK(on_exported), self, G_CONNECT_DEFAULT);
  debye_window_controller_add_job(self, job, FALSE);
}

static void
save_picture(DebyeWindowController *self, const char *path, int width, int height, gboolean transparent)
{
  g_autoptr(DebyeJob) job =
      debye_window_exports_create_picture_job(self->window, self->scene, path, width, height, transparent);
  debye_window_controller_add_export(self, job);
}

typedef struct {
  DebyeWindowController *controller;
  int width, height;
  gboolean transparent;
} PictureWish;

static void
on_picture_path(const char *path, gpointer data)
{
  PictureWish *wish = data;
  save_picture(wish->controller, path, wish->width, wish->height, wish->transparent);
}

/* "fas2.png" for the structure fas2.pqr. */
char *
debye_window_controller_suggest_name(DebyeWindowController *self, const char *ending)
{
  const char *path = debye_document_get_paths(self->document)[0];
  g_autofree char *name = g_path_get_basename(path);
  char *dot = strrchr(name, '.');
  if (dot != NULL && dot != name)
    *dot = '\0';
  return g_strconcat(name, ending, NULL);
}

static void
on_picture_size(DebyeWindowController *self, int width, int height, gboolean transparent)
{
  static const char *const suffixes[] = {"png", N_("Picture (PNG)"), NULL};
  g_autofree char *name = debye_window_controller_suggest_name(self, ".png");
  PictureWish *wish = g_new(PictureWish, 1);
  *wish = (PictureWish){.controller = self, .width = width, .height = height, .transparent = transparent};
  debye_window_exports_choose_path(self->window, _("Export picture"), name, suffixes, on_picture_path, wish,
                                   g_free);
}

static void
view_size(DebyeWindowController *self, int *width, int *height)
{
  GtkWidget *view = GTK_WIDGET(debye_window_get_view(self->window));
  int scale = gtk_widget_get_scale_factor(view);
  *width = MAX(16, gtk_widget_get_width(view) * scale);
  *height = MAX(16, gtk_widget_get_height(view) * scale);
}

void
debye_window_actions_export_picture(DebyeWindowController *self)
{
  int width, height;
  view_size(self, &width, &height);
  GtkWidget *dialog = debye_export_dialog_new(GTK_WINDOW(self->window), width, height);
  g_signal_connect_object(dialog, "export", G_CALLBACK(on_picture_size), self, G_CONNECT_SWAPPED);
  gtk_window_present(GTK_WINDOW(dialog));
}

void
debye_window_actions_save_picture(DebyeWindowController *self, GVariant *values)
{
  const char *path;
  int width, height;
  gboolean transparent;
  g_variant_get(values, "(&siib)", &path, &width, &height, &transparent);
  save_picture(self, path, width, height, transparent);
}

void
debye_window_actions_save_film(DebyeWindowController *self, GVariant *values)
{
  const char *path;
  DebyeFilmWish wish = {.axis = DEBYE_TURN_UPRIGHT};
  g_variant_get(values, "(&sbdiiii)", &path, &wish.frames, &wish.degrees, &wish.n_pictures, &wish.rate,
                &wish.width, &wish.height);
  wish.camera = wish.degrees != 0.0 ? DEBYE_FILM_TURNS : DEBYE_FILM_STANDS;
  debye_window_film_write(self, path, &wish);
}

void
debye_window_actions_keep_view(DebyeWindowController *self)
{
  debye_window_film_keep_view(self);
  debye_window_toast(self->window, _("The view is kept for films and figures"));
}

/* Along the views that were kept. */
void
debye_window_actions_save_film_of_views(DebyeWindowController *self, GVariant *values)
{
  const char *path;
  DebyeFilmWish wish = {.camera = DEBYE_FILM_GOES};
  g_variant_get(values, "(&sbiiii)", &path, &wish.frames, &wish.n_pictures, &wish.rate, &wish.width,
                &wish.height);
  debye_window_film_write(self, path, &wish);
}

/* A session refers to the file from now on. */
static void
on_result_written(DebyeJob *job, DebyeResult *result)
{
  if (debye_job_get_state(job) == DEBYE_JOB_DONE)
    debye_session_results_remember_export(result, g_object_get_data(G_OBJECT(job), "path"));
}

void
debye_window_controller_save_result(DebyeWindowController *self, DebyeResult *result, const char *path)
{
  g_autofree char *command = debye_result_command(result, path);
  g_autoptr(DebyeJob) job = debye_window_exports_create_map_job(result, path, command);
  g_object_set_data_full(G_OBJECT(result), "path", g_strdup(path), g_free);
  g_object_set_data_full(G_OBJECT(job), "path", g_strdup(path), g_free);
  g_signal_connect_object(job, "finished", G_CALLBACK(on_result_written), result, G_CONNECT_DEFAULT);
  debye_window_controller_add_export(self, job);
}

typedef struct {
  DebyeWindowController *controller;
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
  debye_window_controller_save_result(wish->controller, wish->result, path);
}

/* A map is its potential; what has curves is called after its analysis. */
static char *
result_name(DebyeWindowController *self, DebyeRequest *request)
{
  const char *id = debye_request_get_table(request)->id;
  g_autofree char *ending =
      g_strcmp0(id, "map") == 0 ? g_strdup("-potential.h5") : g_strdup_printf("-%s.h5", id);
  return debye_window_controller_suggest_name(self, ending);
}

void
debye_window_actions_export_result(DebyeWindowController *self, guint position)
{
  static const char *const suffixes[] = {"h5",   N_("HDF5, with all settings"),
                                         "dx",   "OpenDX",
                                         "cube", "Gaussian cube",
                                         "ccp4", "CCP4 / MRC",
                                         "csv",  "CSV",
                                         NULL};
  static const char *const of_curves[] = {"h5", N_("HDF5, with all settings"), "csv", "CSV", NULL};
  DebyeResult *result = debye_window_controller_get_result(self, position);
  if (result == NULL)
    return;
  gboolean is_map = g_list_model_get_n_items(debye_result_get_fields(result)) > 0;
  g_autofree char *name = result_name(self, debye_result_get_request(result));
  ResultWish *wish = g_new(ResultWish, 1);
  *wish = (ResultWish){.controller = self, .result = result};
  debye_window_exports_choose_path(self->window, is_map ? _("Export map") : _("Export data"), name,
                                   is_map ? suffixes : of_curves, on_result_path, wish, result_wish_free);
}

void
debye_window_actions_export_newest(DebyeWindowController *self)
{
  debye_window_actions_export_result(self, 0);
}

void
debye_window_actions_save_newest(DebyeWindowController *self, const char *path)
{
  g_autoptr(DebyeResult) result = debye_window_controller_get_result(self, 0);
  if (result != NULL)
    debye_window_controller_save_result(self, result, path);
}

static void
copy_text(DebyeWindowController *self, const char *text)
{
  gdk_clipboard_set_text(gtk_widget_get_clipboard(GTK_WIDGET(self->window)), text);
  debye_window_toast(self->window, _("Command copied"));
}

static void
copy_result_command(DebyeWindowController *self, DebyeResult *result)
{
  const char *path = g_object_get_data(G_OBJECT(result), "path");
  g_autofree char *name = result_name(self, debye_result_get_request(result));
  g_autofree char *command = debye_result_command(result, path != NULL ? path : name);
  copy_text(self, command);
}

/* Of the newest result; before there is one, of the form as it stands. */
void
debye_window_actions_copy_command(DebyeWindowController *self)
{
  g_autoptr(DebyeResult) result = debye_window_controller_get_result(self, 0);
  DebyeAnalysisForm *form = debye_analysis_panel_get_form(debye_window_get_analysis_panel(self->window));
  if (result != NULL) {
    copy_result_command(self, result);
  } else if (form != NULL) {
    g_autofree char *name = result_name(self, debye_analysis_form_get_request(form));
    g_autoptr(DebyeRequest) request =
        debye_window_analyses_complete_request(self->analyses, debye_analysis_form_get_request(form));
    g_autofree char *command = debye_request_to_command(
        request, debye_dataset_get_paths(debye_document_get_dataset(self->document)), name);
    copy_text(self, command);
  }
}

/* --- results --- */

void
debye_window_actions_run_result_again(DebyeWindowController *self, guint position)
{
  g_autoptr(DebyeResult) result = debye_window_controller_get_result(self, position);
  if (result != NULL && debye_window_maps_made(result))
    debye_window_toast(self->window,
                       _("This was made of a map: make it again from the map's row in the scene"));
  else if (result != NULL)
    debye_window_controller_run_request(self, debye_result_get_request(result));
}

void
debye_window_actions_copy_result_command(DebyeWindowController *self, guint position)
{
  g_autoptr(DebyeResult) result = debye_window_controller_get_result(self, position);
  if (result != NULL)
    copy_result_command(self, result);
}

void
debye_window_actions_remove_result(DebyeWindowController *self, guint position)
{
  if (position < g_list_model_get_n_items(G_LIST_MODEL(self->results)))
    g_list_store_remove(self->results, position);
}
