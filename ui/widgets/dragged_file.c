/* SPDX-License-Identifier: MIT */
/* Implementation of dragged_file.h; used by window_exports.c, window_plots.c and window.c. */
#include "dragged_file.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#include "data/files/error.h"

#define URI_LIST "text/uri-list"
/* Programs may read it long after it was dropped. */
#define KEPT_SECONDS (24 * 60 * 60)
#define SOURCE_KEY "debye-drag-source"
#define ICON_SIZE 48

#define DEBYE_TYPE_DRAGGED_FILE (debye_dragged_file_get_type())
G_DECLARE_FINAL_TYPE(DebyeDraggedFile, debye_dragged_file, DEBYE, DRAGGED_FILE, GdkContentProvider)

struct _DebyeDraggedFile {
  GdkContentProvider parent_instance;
  char *name;
  const char *type; /* interned: what the file has */
  DebyeDraggedFileWrite write;
  gpointer data;
  GDestroyNotify free_data;
  GMutex mutex; /* of what follows, and of the data */
  char *path;   /* of the file that was written; NULL: none was */
};

G_DEFINE_FINAL_TYPE(DebyeDraggedFile, debye_dragged_file, GDK_TYPE_CONTENT_PROVIDER)

/* --- The file --- */

static void
remove_folder(const char *folder)
{
  g_autoptr(GDir) files = g_dir_open(folder, 0, NULL);
  for (const char *name; files != NULL && (name = g_dir_read_name(files)) != NULL;) {
    g_autofree char *path = g_build_filename(folder, name, NULL);
    g_unlink(path);
  }
  g_rmdir(folder);
}

static void
remove_old(const char *parent)
{
  const gint64 now = g_get_real_time() / G_USEC_PER_SEC;
  g_autoptr(GDir) folders = g_dir_open(parent, 0, NULL);
  for (const char *name; folders != NULL && (name = g_dir_read_name(folders)) != NULL;) {
    GStatBuf status;
    g_autofree char *folder = g_build_filename(parent, name, NULL);
    if (g_lstat(folder, &status) == 0 && S_ISDIR(status.st_mode) && now - status.st_mtime > KEPT_SECONDS)
      remove_folder(folder);
  }
}

/* In the cache, as other programs see that at the same path even if this one runs in a sandbox. */
static char *
create_path(const char *name, GError **error)
{
  g_autofree char *parent = g_build_filename(g_get_user_cache_dir(), "debye", "dragged", NULL);
  g_autofree char *folder = g_build_filename(parent, "XXXXXX", NULL);
  remove_old(parent);
  if (g_mkdir_with_parents(parent, 0700) != 0 || g_mkdtemp(folder) == NULL) {
    debye_error_set(error, DEBYE_ERROR_WRITE, "%s: the folder can't be created: %s", parent,
                    g_strerror(errno));
    return NULL;
  }
  return g_build_filename(folder, name, NULL);
}

/* Once, however often it is asked for. */
static const char *
write_file(DebyeDraggedFile *self, GError **error)
{
  g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&self->mutex);
  g_autofree char *path = self->path == NULL ? create_path(self->name, error) : NULL;
  if (path != NULL && self->write(self->data, path, error)) {
    self->path = g_steal_pointer(&path);
  } else if (path != NULL) {
    g_autofree char *folder = g_path_get_dirname(path);
    remove_folder(folder);
  }
  return self->path;
}

typedef struct {
  GOutputStream *stream;
  gboolean is_uri; /* what is asked for; FALSE: what the file has */
  char *failure;   /* why the file couldn't be written; NULL: it was */
} Question;

static void
question_free(gpointer data)
{
  Question *question = data;
  g_object_unref(question->stream);
  g_free(question->failure);
  g_free(question);
}

/* On a thread. */
static void
answer(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  Question *question = data;
  const char *path = write_file(source, &error);
  question->failure = error != NULL ? g_strdup(error->message) : NULL;
  g_autoptr(GFile) file = path != NULL ? g_file_new_for_path(path) : NULL;
  g_autofree char *text = NULL;
  gsize length = 0;
  if (file != NULL && question->is_uri) {
    g_autofree char *uri = g_file_get_uri(file);
    text = g_strconcat(uri, "\r\n", NULL);
    length = strlen(text);
  } else if (file != NULL)
    g_file_load_contents(file, cancellable, &text, &length, NULL, &error);
  if (text != NULL && g_output_stream_write_all(question->stream, text, length, NULL, cancellable, &error))
    g_task_return_boolean(task, TRUE);
  else
    g_task_return_error(task, error);
}

/* --- The object --- */

static GdkContentFormats *
debye_dragged_file_ref_formats(GdkContentProvider *provider)
{
  const char *types[] = {URI_LIST, DEBYE_DRAGGED_FILE(provider)->type};
  return gdk_content_formats_new(types, G_N_ELEMENTS(types));
}

static void
debye_dragged_file_write_async(GdkContentProvider *provider, const char *type, GOutputStream *stream,
                               int priority, GCancellable *cancellable, GAsyncReadyCallback callback,
                               gpointer data)
{
  g_autoptr(GTask) task = g_task_new(provider, cancellable, callback, data);
  g_task_set_priority(task, priority);
  const gboolean is_uri = g_str_equal(type, URI_LIST);
  if (!is_uri && !g_str_equal(type, DEBYE_DRAGGED_FILE(provider)->type)) {
    g_task_return_new_error(task, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "the file is no %s", type);
    return;
  }
  Question *question = g_new(Question, 1);
  *question = (Question){g_object_ref(stream), is_uri, NULL};
  g_task_set_task_data(task, question, question_free);
  g_task_run_in_thread(task, answer);
}

/* The program where it is dropped says nothing of a file that can't be written, nor does GTK. */
static gboolean
debye_dragged_file_write_finish(GdkContentProvider *provider, GAsyncResult *result, GError **error)
{
  const Question *question = g_task_get_task_data(G_TASK(result));
  if (question != NULL && question->failure != NULL)
    g_signal_emit_by_name(provider, "failed", question->failure);
  return g_task_propagate_boolean(G_TASK(result), error);
}

static void
debye_dragged_file_finalize(GObject *object)
{
  DebyeDraggedFile *self = DEBYE_DRAGGED_FILE(object);
  if (self->free_data != NULL)
    self->free_data(self->data);
  g_mutex_clear(&self->mutex);
  g_free(self->name);
  g_free(self->path);
  G_OBJECT_CLASS(debye_dragged_file_parent_class)->finalize(object);
}

static void
debye_dragged_file_class_init(DebyeDraggedFileClass *class)
{
  GdkContentProviderClass *provider_class = GDK_CONTENT_PROVIDER_CLASS(class);
  G_OBJECT_CLASS(class)->finalize = debye_dragged_file_finalize;
  g_signal_new("failed", G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
               G_TYPE_STRING);
  provider_class->ref_formats = debye_dragged_file_ref_formats;
  provider_class->write_mime_type_async = debye_dragged_file_write_async;
  provider_class->write_mime_type_finish = debye_dragged_file_write_finish;
}

static void
debye_dragged_file_init(DebyeDraggedFile *self)
{
  g_mutex_init(&self->mutex);
}

GdkContentProvider *
debye_dragged_file_new(const char *name, const char *type, DebyeDraggedFileWrite write, gpointer data,
                       GDestroyNotify free_data)
{
  g_return_val_if_fail(name != NULL && type != NULL && write != NULL, NULL);
  DebyeDraggedFile *self = g_object_new(DEBYE_TYPE_DRAGGED_FILE, NULL);
  self->name = g_path_get_basename(name);
  self->type = g_intern_string(type);
  self->write = write;
  self->data = data;
  self->free_data = free_data;
  return GDK_CONTENT_PROVIDER(self);
}

/* --- Source and target --- */

/* What GtkDragSource does, but that the press is claimed: it forgets its gesture when a drag begins, so that a header
 * bar, which is asked next, moves the window with it. */
typedef struct {
  DebyeDraggedFilePrepare prepare;
  gpointer data;
  GdkDrag *drag; /* NULL: nothing is dragged */
} Source;

static void
source_free(gpointer data, GClosure *closure G_GNUC_UNUSED)
{
  Source *source = data;
  g_clear_object(&source->drag);
  g_free(source);
}

static void
end_drag(GtkEventController *gesture, gboolean is_dropped)
{
  Source *source = g_object_get_data(G_OBJECT(gesture), SOURCE_KEY);
  g_autoptr(GdkDrag) drag = g_steal_pointer(&source->drag);
  if (drag != NULL)
    gdk_drag_drop_done(drag, is_dropped);
  gtk_event_controller_reset(gesture);
}

static void
on_finished(GtkEventController *gesture)
{
  end_drag(gesture, TRUE);
}

static void
on_cancelled(GtkEventController *gesture)
{
  end_drag(gesture, FALSE);
}

static void
show_icon(GtkWidget *widget, GdkDrag *drag)
{
  GtkIconTheme *theme = gtk_icon_theme_get_for_display(gtk_widget_get_display(widget));
  g_autoptr(GtkIconPaintable) icon =
      gtk_icon_theme_lookup_icon(theme, "image-x-generic", NULL, ICON_SIZE,
                                 gtk_widget_get_scale_factor(widget), gtk_widget_get_direction(widget), 0);
  gtk_drag_icon_set_from_paintable(drag, GDK_PAINTABLE(icon), 0, 0);
}

static void
on_drag_update(GtkGestureDrag *gesture, double x, double y, Source *source)
{
  GtkWidget *widget = gtk_event_controller_get_widget(GTK_EVENT_CONTROLLER(gesture));
  if (source->drag != NULL || !gtk_drag_check_threshold(widget, 0, 0, (int)x, (int)y))
    return;
  gtk_gesture_set_state(GTK_GESTURE(gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  g_autoptr(GdkContentProvider) content = source->prepare(source->data);
  GdkSurface *surface = gtk_native_get_surface(gtk_widget_get_native(widget));
  GdkDevice *device = gtk_gesture_get_device(GTK_GESTURE(gesture));
  source->drag = content != NULL ? gdk_drag_begin(surface, device, content, GDK_ACTION_COPY, x, y) : NULL;
  if (source->drag == NULL)
    return;
  show_icon(widget, source->drag);
  g_signal_connect_object(source->drag, "dnd-finished", G_CALLBACK(on_finished), gesture, G_CONNECT_SWAPPED);
  g_signal_connect_object(source->drag, "cancel", G_CALLBACK(on_cancelled), gesture, G_CONNECT_SWAPPED);
}

/* Before the button takes the press for a click. */
void
debye_dragged_file_add_source(GtkWidget *button, DebyeDraggedFilePrepare prepare, gpointer data)
{
  g_return_if_fail(GTK_IS_WIDGET(button) && prepare != NULL);
  GtkGesture *gesture = gtk_gesture_drag_new();
  Source *source = g_new(Source, 1);
  *source = (Source){.prepare = prepare, .data = data};
  g_object_set_data(G_OBJECT(gesture), SOURCE_KEY, source);
  gtk_event_controller_set_propagation_phase(GTK_EVENT_CONTROLLER(gesture), GTK_PHASE_CAPTURE);
  g_signal_connect_data(gesture, "drag-update", G_CALLBACK(on_drag_update), source, source_free,
                        G_CONNECT_DEFAULT);
  gtk_widget_add_controller(button, GTK_EVENT_CONTROLLER(gesture));
}

gboolean
debye_dragged_file_is_foreign(GtkDropTarget *target, GdkDrop *drop, gpointer data G_GNUC_UNUSED)
{
  g_autoptr(GdkContentFormats) wanted = NULL;
  g_object_get(target, "formats", &wanted, NULL);
  const GdkDragAction shared = gdk_drop_get_actions(drop) & gtk_drop_target_get_actions(target);
  return gdk_drop_get_drag(drop) == NULL && shared != 0 &&
         gdk_content_formats_match(wanted, gdk_drop_get_formats(drop));
}
