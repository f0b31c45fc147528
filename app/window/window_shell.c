/* SPDX-License-Identifier: MIT */
/* Shows the pairs at a distance as a layer, found on a worker for each frame; made by window_plots.c. */
#include "window_shell.h"

#include <glib/gi18n.h>

#include "app/analysis/pairs/rdf_shell.h"
#include "render/layers/pair_layer.h"
#include "render/plot/plot_text.h"
#include "ui/widgets/number_text.h"

/* Beyond this lines hide one another, and the view. */
#define MAX_LINES 20000

struct _DebyeWindowShell {
  GObject parent_instance;
  DebyeDataset *dataset;
  DebyeScene *scene;
  DebyeRequest *request;
  char *pair;
  double from, to;

  DebyePairLayer *layer; /* NULL until there is something */
  DebyeRdfShell *shell;  /* made by the first search; one search at a time has it */
  DebyeFrame *waiting;   /* to be searched next */
  gboolean is_searching, is_closed;
};

G_DEFINE_FINAL_TYPE(DebyeWindowShell, debye_window_shell, G_TYPE_OBJECT)

/* --- On the worker --- */

typedef struct {
  const DebyeWindowShell *of; /* which is there until the search has been told of; of it what never changes */
  DebyeRdfShell *shell;
  DebyeFrame *frame;
  GArray *lines;
  gsize n_pairs;
} Search;

static void
search_free(gpointer data)
{
  Search *search = data;
  debye_rdf_shell_free(search->shell);
  debye_frame_unref(search->frame);
  g_clear_pointer(&search->lines, g_array_unref);
  g_free(search);
}

static void
find_lines(GTask *task, gpointer source G_GNUC_UNUSED, gpointer data, GCancellable *cancellable G_GNUC_UNUSED)
{
  Search *search = data;
  const DebyeWindowShell *of = search->of;
  GError *error = NULL;
  if (search->shell == NULL)
    search->shell = debye_rdf_shell_new(of->dataset, of->request, of->pair, of->from, of->to, &error);
  if (search->shell != NULL)
    search->lines = debye_rdf_shell_find(search->shell, search->frame, MAX_LINES, &search->n_pairs, &error);
  if (search->lines != NULL)
    g_task_return_boolean(task, TRUE);
  else
    g_task_return_error(task, error);
}

/* --- On the main thread --- */

static void start_search(DebyeWindowShell *self);

static char *
describe(DebyeWindowShell *self, const Search *search)
{
  char from[G_ASCII_DTOSTR_BUF_SIZE], to[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *count = debye_count_text((guint)MIN(search->n_pairs, G_MAXUINT));
  g_autofree char *shown = debye_count_text(search->lines->len);
  g_ascii_formatd(from, sizeof from, "%.2f", self->from);
  g_ascii_formatd(to, sizeof to, "%.2f", self->to);
  g_autofree char *range = self->from > 0.0 ? g_strdup_printf(_("from %s to %s Å"), from, to)
                                            : g_strdup_printf(_("up to %s Å"), to);
  g_autofree char *pair = debye_plot_text_from_name(self->pair);
  if (search->lines->len < search->n_pairs)
    return g_strdup_printf(_("%s: %s of the %s pairs %s are shown"), pair, shown, count, range);
  return g_strdup_printf(_("%s: %s pairs %s in this frame"), pair, count, range);
}

static void
show_lines(DebyeWindowShell *self, const GArray *lines)
{
  g_autofree float *places = g_new(float, 6 * (gsize)lines->len + 1);
  for (guint i = 0; i < lines->len; i++) {
    const DebyeRdfLine *line = &g_array_index(lines, DebyeRdfLine, i);
    for (int k = 0; k < 3; k++) {
      places[6 * i + (guint)k] = line->from[k];
      places[6 * i + 3 + (guint)k] = line->to[k];
    }
  }
  if (self->layer == NULL) {
    g_autofree char *pair = debye_plot_text_from_name(self->pair);
    self->layer = debye_pair_layer_new(pair);
    debye_scene_add(self->scene, DEBYE_LAYER(self->layer));
  }
  debye_pair_layer_set_lines(self->layer, places, lines->len);
}

static void
on_found(GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  g_autoptr(DebyeWindowShell) self = data;
  Search *search = g_task_get_task_data(G_TASK(result));
  g_autoptr(GError) error = NULL;
  gboolean found = g_task_propagate_boolean(G_TASK(result), &error);
  self->is_searching = FALSE;
  self->shell = g_steal_pointer(&search->shell);
  if (self->is_closed)
    return;
  if (found) {
    g_autofree char *text = describe(self, search);
    show_lines(self, search->lines);
    g_signal_emit_by_name(self, "found", text);
  } else {
    g_signal_emit_by_name(self, "failed", error->message);
  }
  if (self->waiting != NULL && !self->is_closed)
    start_search(self);
}

static void
start_search(DebyeWindowShell *self)
{
  /* Held by the callback and not by the task, whose thread may be the last to let go of it. */
  g_autoptr(GTask) task = g_task_new(NULL, NULL, on_found, g_object_ref(self));
  Search *search = g_new0(Search, 1);
  search->of = self;
  search->shell = g_steal_pointer(&self->shell);
  search->frame = g_steal_pointer(&self->waiting);
  self->is_searching = TRUE;
  g_task_set_task_data(task, search, search_free);
  g_task_run_in_thread(task, find_lines);
}

void
debye_window_shell_set_frame(DebyeWindowShell *self, DebyeFrame *frame)
{
  g_return_if_fail(DEBYE_IS_WINDOW_SHELL(self) && frame != NULL);
  g_clear_pointer(&self->waiting, debye_frame_unref);
  self->waiting = debye_frame_ref(frame);
  if (!self->is_searching && !self->is_closed)
    start_search(self);
}

void
debye_window_shell_get_range(DebyeWindowShell *self, double *from, double *to)
{
  g_return_if_fail(DEBYE_IS_WINDOW_SHELL(self));
  *from = self->from;
  *to = self->to;
}

/* A hand may have removed the layer before. */
static gboolean
is_in_scene(DebyeWindowShell *self)
{
  GListModel *layers = debye_scene_get_layers(self->scene);
  for (guint i = 0; i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    if (layer == DEBYE_LAYER(self->layer))
      return TRUE;
  }
  return FALSE;
}

void
debye_window_shell_close(DebyeWindowShell *self)
{
  g_return_if_fail(DEBYE_IS_WINDOW_SHELL(self));
  self->is_closed = TRUE;
  if (self->layer != NULL && is_in_scene(self))
    debye_scene_remove(self->scene, DEBYE_LAYER(self->layer));
}

DebyeWindowShell *
debye_window_shell_new(DebyeDataset *dataset, DebyeScene *scene, DebyeRequest *request, const char *pair,
                       double from, double to)
{
  DebyeWindowShell *self = g_object_new(DEBYE_TYPE_WINDOW_SHELL, NULL);
  self->dataset = g_object_ref(dataset);
  self->scene = g_object_ref(scene);
  self->request = debye_request_copy(request);
  self->pair = g_strdup(pair);
  self->from = from;
  self->to = to;
  return self;
}

static void
debye_window_shell_finalize(GObject *object)
{
  DebyeWindowShell *self = DEBYE_WINDOW_SHELL(object);
  g_clear_pointer(&self->shell, debye_rdf_shell_free);
  g_clear_pointer(&self->waiting, debye_frame_unref);
  g_clear_object(&self->layer);
  g_clear_object(&self->dataset);
  g_clear_object(&self->scene);
  g_clear_object(&self->request);
  g_free(self->pair);
  G_OBJECT_CLASS(debye_window_shell_parent_class)->finalize(object);
}

static void
debye_window_shell_class_init(DebyeWindowShellClass *class)
{
  G_OBJECT_CLASS(class)->finalize = debye_window_shell_finalize;
  const GType type = DEBYE_TYPE_WINDOW_SHELL;
  g_signal_new("found", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  g_signal_new("failed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
debye_window_shell_init(DebyeWindowShell *self)
{
  self->layer = NULL;
}
