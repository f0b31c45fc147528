/* SPDX-License-Identifier: MIT */
/* Updates layers whose selection depends on positions, frame by frame; called by window_scene.c. */
#include "layer_selection.h"

#include <gio/gio.h>

#include "data/selection/selection.h"
#include "render/layers/shown_atoms.h"

/* Of one layer, kept with it. */
typedef struct {
  char *text;
  DebyeSelection *selection; /* NULL where the text is no selection or positions don't matter */
  gboolean running;
  DebyeFrame *waiting; /* the newest that came meanwhile */
} Following;

typedef struct {
  DebyeSelection *selection;
  DebyeTopology *topology;
  DebyeFrame *frame;
} Evaluation;

static void
following_free(gpointer data)
{
  Following *following = data;
  g_free(following->text);
  g_clear_pointer(&following->selection, debye_selection_unref);
  g_clear_pointer(&following->waiting, debye_frame_unref);
  g_free(following);
}

static void
evaluation_free(gpointer data)
{
  Evaluation *evaluation = data;
  debye_selection_unref(evaluation->selection);
  g_object_unref(evaluation->topology);
  debye_frame_unref(evaluation->frame);
  g_free(evaluation);
}

/* The layer's state, with the selection parsed anew where its text has changed. */
static Following *
get_following(DebyeMoleculeLayer *layer)
{
  static const char key[] = "debye-layer-selection";
  Following *following = g_object_get_data(G_OBJECT(layer), key);
  const char *text = debye_layer_get_shown(DEBYE_LAYER(layer))->selection;
  if (following == NULL) {
    following = g_new0(Following, 1);
    g_object_set_data_full(G_OBJECT(layer), key, following, following_free);
  }
  if (g_strcmp0(following->text, text) != 0) {
    g_free(following->text);
    following->text = g_strdup(text);
    g_clear_pointer(&following->selection, debye_selection_unref);
    g_autoptr(DebyeSelection) selection = text != NULL ? debye_selection_parse(text, NULL, NULL) : NULL;
    if (selection != NULL && debye_selection_is_dynamic(selection))
      following->selection = g_steal_pointer(&selection);
  }
  return following;
}

static void
evaluate(GTask *task, gpointer source G_GNUC_UNUSED, gpointer data, GCancellable *cancellable G_GNUC_UNUSED)
{
  Evaluation *evaluation = data;
  GError *error = NULL;
  GArray *atoms =
      debye_selection_evaluate(evaluation->selection, evaluation->topology, evaluation->frame, &error);
  if (atoms != NULL)
    g_task_return_pointer(task, atoms, (GDestroyNotify)g_array_unref);
  else
    g_task_return_error(task, error);
}

static void
on_evaluated(GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  g_autoptr(DebyeMoleculeLayer) layer = data;
  Evaluation *evaluation = g_task_get_task_data(G_TASK(result));
  Following *following = get_following(layer);
  g_autoptr(GArray) atoms = g_task_propagate_pointer(G_TASK(result), NULL);
  following->running = FALSE;
  /* What failed was said where the text was typed; a text changed meanwhile has atoms of its own. */
  if (atoms != NULL && following->selection == evaluation->selection)
    debye_molecule_layer_set_atoms(layer, (const guint32 *)(const void *)atoms->data, atoms->len);
  g_autoptr(DebyeFrame) next = g_steal_pointer(&following->waiting);
  if (next != NULL)
    debye_layer_selection_follow(layer, evaluation->topology, next);
}

void
debye_layer_selection_follow(DebyeMoleculeLayer *layer, DebyeTopology *topology, DebyeFrame *frame)
{
  Following *following = get_following(layer);
  if (following->selection == NULL)
    return;
  if (following->running) {
    g_clear_pointer(&following->waiting, debye_frame_unref);
    following->waiting = debye_frame_ref(frame);
    return;
  }
  Evaluation *evaluation = g_new(Evaluation, 1);
  *evaluation = (Evaluation){.selection = debye_selection_ref(following->selection),
                             .topology = g_object_ref(topology),
                             .frame = debye_frame_ref(frame)};
  /* Held by the callback and not by the task, whose thread may be the last to let go of it. */
  g_autoptr(GTask) task = g_task_new(NULL, NULL, on_evaluated, g_object_ref(layer));
  g_task_set_task_data(task, evaluation, evaluation_free);
  following->running = TRUE;
  g_task_run_in_thread(task, evaluate);
}
