/* SPDX-License-Identifier: MIT */
/* Files written from a window. */
#include "window_exports.h"

#include <glib/gi18n.h>

#include "render/capture.h"

/* --- Asking for a path --- */

#define SUFFIX_KEY "debye-suffix"

typedef struct {
  DebyePathChosen chosen;
  gpointer data;
} Question;

/* A name without one of the endings gets that of the kind that was chosen. */
static char *
with_ending(const char *path, GtkFileChooser *chooser)
{
  g_autoptr(GListModel) filters = gtk_file_chooser_get_filters(chooser);
  for (guint i = 0; i < g_list_model_get_n_items(filters); i++) {
    g_autoptr(GtkFileFilter) filter = g_list_model_get_item(filters, i);
    g_autofree char *ending = g_strconcat(".", g_object_get_data(G_OBJECT(filter), SUFFIX_KEY), NULL);
    g_autofree char *lower = g_ascii_strdown(path, -1);
    if (g_str_has_suffix(lower, ending))
      return g_strdup(path);
  }
  GtkFileFilter *chosen = gtk_file_chooser_get_filter(chooser);
  const char *suffix = chosen != NULL ? g_object_get_data(G_OBJECT(chosen), SUFFIX_KEY) : NULL;
  return suffix != NULL ? g_strconcat(path, ".", suffix, NULL) : g_strdup(path);
}

static void
on_response(GtkNativeDialog *dialog, int response, gpointer data)
{
  Question *question = data;
  if (response == GTK_RESPONSE_ACCEPT) {
    g_autoptr(GFile) file = gtk_file_chooser_get_file(GTK_FILE_CHOOSER(dialog));
    g_autofree char *path = file != NULL ? g_file_get_path(file) : NULL;
    g_autofree char *whole = path != NULL ? with_ending(path, GTK_FILE_CHOOSER(dialog)) : NULL;
    if (whole != NULL)
      question->chosen(whole, question->data);
  }
  g_free(question);
  g_object_unref(dialog);
}

static void
add_filter(GtkFileChooser *chooser, const char *suffix, const char *description)
{
  g_autoptr(GtkFileFilter) filter = gtk_file_filter_new();
  gtk_file_filter_set_name(filter, description);
  gtk_file_filter_add_suffix(filter, suffix);
  g_object_set_data_full(G_OBJECT(filter), SUFFIX_KEY, g_strdup(suffix), g_free);
  gtk_file_chooser_add_filter(chooser, filter);
}

void
debye_window_exports_choose_path(DebyeWindow *window, const char *title, const char *name,
                                 const char *const *suffixes, DebyePathChosen chosen, gpointer data)
{
  GtkFileChooserNative *dialog =
      gtk_file_chooser_native_new(title, GTK_WINDOW(window), GTK_FILE_CHOOSER_ACTION_SAVE, NULL, NULL);
  Question *question = g_new(Question, 1);
  *question = (Question){.chosen = chosen, .data = data};
  gtk_file_chooser_set_current_name(GTK_FILE_CHOOSER(dialog), name);
  for (gsize i = 0; suffixes[i] != NULL; i += 2)
    add_filter(GTK_FILE_CHOOSER(dialog), suffixes[i], suffixes[i + 1]);
  g_signal_connect(dialog, "response", G_CALLBACK(on_response), question);
  gtk_native_dialog_set_modal(GTK_NATIVE_DIALOG(dialog), TRUE);
  gtk_native_dialog_show(GTK_NATIVE_DIALOG(dialog));
}

static char *
job_title(const char *path)
{
  g_autofree char *name = g_filename_display_basename(path);
  return g_strdup_printf("Writing %s", name);
}

/* --- Pictures --- */

typedef struct {
  GBytes *pixels;
  int width, height;
  char *path;
} Picture;

static void
picture_free(gpointer data)
{
  Picture *picture = data;
  g_bytes_unref(picture->pixels);
  g_free(picture->path);
  g_free(picture);
}

static gpointer
write_picture(DebyeJob *job, gpointer data, GError **error)
{
  Picture *picture = data;
  debye_job_set_message(job, _("Packing the pixels"));
  debye_capture_save_png(picture->pixels, picture->width, picture->height, picture->path, error);
  return NULL;
}

DebyeJob *
debye_window_exports_create_picture_job(DebyeWindow *window, const char *path, int width, int height,
                                        gboolean transparent, GError **error)
{
  DebyeView3d *view = debye_window_get_view(window);
  /* Text and lines keep their share of the picture whatever its size. */
  double scale = (double)width / MAX(1, gtk_widget_get_width(GTK_WIDGET(view)));
  GBytes *pixels = debye_view_3d_capture(view, width, height, scale, transparent, error);
  if (pixels == NULL)
    return NULL;
  Picture *picture = g_new(Picture, 1);
  *picture = (Picture){.pixels = pixels, .width = width, .height = height, .path = g_strdup(path)};
  g_autofree char *title = job_title(path);
  return debye_job_new(title, write_picture, picture, picture_free);
}

/* --- Maps --- */

typedef struct {
  DebyeResult *result;
  char *path, *command;
} Map;

static void
map_free(gpointer data)
{
  Map *map = data;
  g_object_unref(map->result);
  g_free(map->path);
  g_free(map->command);
  g_free(map);
}

static gpointer
write_map(DebyeJob *job, gpointer data, GError **error)
{
  Map *map = data;
  debye_job_set_message(job, _("Writing"));
  debye_result_save(map->result, map->path, map->command, error);
  return NULL;
}

DebyeJob *
debye_window_exports_create_map_job(DebyeResult *result, const char *path, const char *command)
{
  Map *map = g_new(Map, 1);
  *map = (Map){.result = g_object_ref(result), .path = g_strdup(path), .command = g_strdup(command)};
  g_autofree char *title = job_title(path);
  return debye_job_new(title, write_map, map, map_free);
}
