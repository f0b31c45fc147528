/* SPDX-License-Identifier: MIT */
/* Implementation of plot_content.h; called by plot_view.c. */
#include "plot_content.h"

#define DEBYE_TYPE_PLOT_CONTENT (debye_plot_content_get_type())
G_DECLARE_FINAL_TYPE(DebyePlotContent, debye_plot_content, DEBYE, PLOT_CONTENT, GdkContentProvider)

struct _DebyePlotContent {
  GdkContentProvider parent_instance;
  DebyePlot *plot;
  DebyePlotPage page;
};

G_DEFINE_FINAL_TYPE(DebyePlotContent, debye_plot_content, GDK_TYPE_CONTENT_PROVIDER)

static const struct {
  const char *type, *ending;
} formats[] = {{"image/svg+xml", ".svg"}, {"image/png", ".png"}};

static const char *
find_ending(const char *type)
{
  for (gsize i = 0; i < G_N_ELEMENTS(formats); i++)
    if (g_str_equal(formats[i].type, type))
      return formats[i].ending;
  return NULL;
}

static GdkContentFormats *
debye_plot_content_ref_formats(GdkContentProvider *provider G_GNUC_UNUSED)
{
  const char *types[G_N_ELEMENTS(formats)];
  for (gsize i = 0; i < G_N_ELEMENTS(formats); i++)
    types[i] = formats[i].type;
  return gdk_content_formats_new(types, G_N_ELEMENTS(types));
}

/* Each request has a copy of its own, since a plot is one thread's. */
typedef struct {
  DebyePlot *plot;
  DebyePlotPage page;
  const char *ending;
  GOutputStream *stream;
} Writing;

static void
writing_free(gpointer data)
{
  Writing *writing = data;
  g_object_unref(writing->plot);
  g_object_unref(writing->stream);
  g_free(writing);
}

static void
write_plot(GTask *task, gpointer source G_GNUC_UNUSED, gpointer data, GCancellable *cancellable)
{
  const Writing *writing = data;
  GError *error = NULL;
  g_autoptr(GBytes) bytes = debye_plot_save_bytes(writing->plot, &writing->page, writing->ending, &error);
  if (bytes != NULL && g_output_stream_write_all(writing->stream, g_bytes_get_data(bytes, NULL),
                                                 g_bytes_get_size(bytes), NULL, cancellable, &error))
    g_task_return_boolean(task, TRUE);
  else
    g_task_return_error(task, error);
}

static void
debye_plot_content_write_async(GdkContentProvider *provider, const char *type, GOutputStream *stream,
                               int priority, GCancellable *cancellable, GAsyncReadyCallback callback,
                               gpointer data)
{
  DebyePlotContent *self = DEBYE_PLOT_CONTENT(provider);
  const char *ending = find_ending(type);
  g_autoptr(GTask) task = g_task_new(self, cancellable, callback, data);
  g_task_set_priority(task, priority);
  if (ending == NULL) {
    g_task_return_new_error(task, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "a plot is no %s", type);
    return;
  }
  Writing *writing = g_new(Writing, 1);
  *writing = (Writing){debye_plot_copy(self->plot), self->page, ending, g_object_ref(stream)};
  g_task_set_task_data(task, writing, writing_free);
  g_task_run_in_thread(task, write_plot);
}

static gboolean
debye_plot_content_write_finish(GdkContentProvider *provider G_GNUC_UNUSED, GAsyncResult *result,
                                GError **error)
{
  return g_task_propagate_boolean(G_TASK(result), error);
}

GdkContentProvider *
debye_plot_content_new(DebyePlot *plot, const DebyePlotPage *page)
{
  g_return_val_if_fail(DEBYE_IS_PLOT(plot) && page != NULL && page->origin == NULL, NULL);
  DebyePlotContent *self = g_object_new(DEBYE_TYPE_PLOT_CONTENT, NULL);
  self->plot = debye_plot_copy(plot);
  self->page = *page;
  return GDK_CONTENT_PROVIDER(self);
}

static void
debye_plot_content_finalize(GObject *object)
{
  g_clear_object(&DEBYE_PLOT_CONTENT(object)->plot);
  G_OBJECT_CLASS(debye_plot_content_parent_class)->finalize(object);
}

static void
debye_plot_content_class_init(DebyePlotContentClass *class)
{
  GdkContentProviderClass *provider_class = GDK_CONTENT_PROVIDER_CLASS(class);
  G_OBJECT_CLASS(class)->finalize = debye_plot_content_finalize;
  provider_class->ref_formats = debye_plot_content_ref_formats;
  provider_class->write_mime_type_async = debye_plot_content_write_async;
  provider_class->write_mime_type_finish = debye_plot_content_write_finish;
}

static void
debye_plot_content_init(DebyePlotContent *self G_GNUC_UNUSED)
{
}
