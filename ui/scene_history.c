/* SPDX-License-Identifier: MIT */
/* Changes of a scene's list of layers that can be undone. */
#include "scene_history.h"

/* What is worth remembering; a layer holds its map. */
#define MAXIMUM_STEPS 50

typedef enum { STEP_ADDED, STEP_REMOVED, STEP_MOVED } StepKind;

typedef struct {
  StepKind kind;
  DebyeLayer *layer;
  guint position; /* where it was before */
} Step;

struct _DebyeSceneHistory {
  GObject parent_instance;
  DebyeScene *scene;
  GPtrArray *steps;
};

enum { PROPERTY_CAN_UNDO = 1, N_PROPERTIES };
static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE(DebyeSceneHistory, debye_scene_history, G_TYPE_OBJECT)

static void
step_free(gpointer data)
{
  Step *step = data;
  g_object_unref(step->layer);
  g_free(step);
}

static void
remember(DebyeSceneHistory *self, StepKind kind, DebyeLayer *layer, guint position)
{
  Step *step = g_new(Step, 1);
  *step = (Step){.kind = kind, .layer = g_object_ref(layer), .position = position};
  g_ptr_array_add(self->steps, step);
  if (self->steps->len > MAXIMUM_STEPS)
    g_ptr_array_remove_index(self->steps, 0);
  g_object_notify_by_pspec(G_OBJECT(self), properties[PROPERTY_CAN_UNDO]);
}

DebyeSceneHistory *
debye_scene_history_new(DebyeScene *scene)
{
  DebyeSceneHistory *self = g_object_new(DEBYE_TYPE_SCENE_HISTORY, NULL);
  self->scene = g_object_ref(scene);
  return self;
}

guint
debye_scene_history_find(DebyeSceneHistory *self, DebyeLayer *layer)
{
  g_return_val_if_fail(DEBYE_IS_SCENE_HISTORY(self), G_MAXUINT);
  GListModel *layers = debye_scene_get_layers(self->scene);
  for (guint i = 0; i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) item = g_list_model_get_item(layers, i);
    if (item == layer)
      return i;
  }
  return G_MAXUINT;
}

void
debye_scene_history_add(DebyeSceneHistory *self, DebyeLayer *layer)
{
  g_return_if_fail(DEBYE_IS_SCENE_HISTORY(self));
  debye_scene_add(self->scene, layer);
  remember(self, STEP_ADDED, layer, 0);
}

void
debye_scene_history_remove(DebyeSceneHistory *self, DebyeLayer *layer)
{
  g_return_if_fail(DEBYE_IS_SCENE_HISTORY(self));
  guint position = debye_scene_history_find(self, layer);
  if (position == G_MAXUINT)
    return;
  remember(self, STEP_REMOVED, layer, position);
  debye_scene_remove(self->scene, layer);
}

void
debye_scene_history_move(DebyeSceneHistory *self, DebyeLayer *layer, guint position)
{
  g_return_if_fail(DEBYE_IS_SCENE_HISTORY(self));
  guint old = debye_scene_history_find(self, layer);
  guint last = g_list_model_get_n_items(debye_scene_get_layers(self->scene)) - 1;
  if (old == G_MAXUINT || MIN(position, last) == old)
    return;
  remember(self, STEP_MOVED, layer, old);
  debye_scene_move(self->scene, layer, MIN(position, last));
}

gboolean
debye_scene_history_undo(DebyeSceneHistory *self)
{
  g_return_val_if_fail(DEBYE_IS_SCENE_HISTORY(self), FALSE);
  if (self->steps->len == 0)
    return FALSE;
  Step *step = g_ptr_array_steal_index(self->steps, self->steps->len - 1);
  if (step->kind == STEP_ADDED) {
    debye_scene_remove(self->scene, step->layer);
  } else {
    if (step->kind == STEP_REMOVED)
      debye_scene_add(self->scene, step->layer);
    debye_scene_move(self->scene, step->layer, step->position);
  }
  step_free(step);
  g_object_notify_by_pspec(G_OBJECT(self), properties[PROPERTY_CAN_UNDO]);
  return TRUE;
}

gboolean
debye_scene_history_can_undo(DebyeSceneHistory *self)
{
  g_return_val_if_fail(DEBYE_IS_SCENE_HISTORY(self), FALSE);
  return self->steps->len > 0;
}

static void
debye_scene_history_get_property(GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  if (id == PROPERTY_CAN_UNDO)
    g_value_set_boolean(value, debye_scene_history_can_undo(DEBYE_SCENE_HISTORY(object)));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
}

static void
debye_scene_history_finalize(GObject *object)
{
  DebyeSceneHistory *self = DEBYE_SCENE_HISTORY(object);
  g_ptr_array_unref(self->steps);
  g_clear_object(&self->scene);
  G_OBJECT_CLASS(debye_scene_history_parent_class)->finalize(object);
}

static void
debye_scene_history_class_init(DebyeSceneHistoryClass *class)
{
  G_OBJECT_CLASS(class)->get_property = debye_scene_history_get_property;
  G_OBJECT_CLASS(class)->finalize = debye_scene_history_finalize;
  properties[PROPERTY_CAN_UNDO] =
      g_param_spec_boolean("can-undo", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties(G_OBJECT_CLASS(class), N_PROPERTIES, properties);
}

static void
debye_scene_history_init(DebyeSceneHistory *self)
{
  self->steps = g_ptr_array_new_with_free_func(step_free);
}
