/* SPDX-License-Identifier: MIT */
/* Implementation of scene_history.h: undo and redo of a scene's changes; made by window_scene.c, used by the
 * layers panel. */
#include "scene_history.h"

#include <glib/gi18n.h>

#include "render/layers/layer_kinds.h"
#include "render/layers/layer_title.h"
#include "render/scene/look_settings.h"

/* What is worth remembering; a layer holds its map. */
#define MAXIMUM_STEPS 50

/* Changes of one property that follow each other faster are one: a slider that is drawn, a text that is
 * typed. */
#define ONE_EDIT_MICROSECONDS 1000000
/* Properties of one layer that are set faster are one deed: a choice may set two. */
#define ONE_DEED_MICROSECONDS 20000

/* What a step does when it is taken. */
typedef enum { STEP_ADD, STEP_REMOVE, STEP_MOVE, STEP_SET, STEP_LOOK } StepKind;

/* The way back from a change. Taken, it becomes the way forth again. */
typedef struct {
  StepKind kind;
  char *name;        /* of what was done, in the user's language */
  DebyeLayer *layer; /* NULL: of the look */
  guint position;    /* to add it at or to move it to */
  GParamSpec *property;
  GValue value; /* to be set; unset: of another kind of step */
  const DebyeLookSetting *look_setting;
  DebyeLookValue look_value;
  gint64 begun, edited; /* first and last change by the monotonic clock, µs */
  guint group;          /* steps of the same group are taken together; 0: of none */
} Step;

struct _DebyeSceneHistory {
  GObject parent_instance;
  DebyeScene *scene;
  GPtrArray *steps, *undone; /* of Step, the next to be taken at the end */
  guint n_groups;
  guint reset_group; /* of what is set until the look is reset; 0: it isn't being */
};

G_DEFINE_FINAL_TYPE(DebyeSceneHistory, debye_scene_history, G_TYPE_OBJECT)

static void
step_free(gpointer data)
{
  Step *step = data;
  g_free(step->name);
  g_clear_object(&step->layer);
  if (step->kind == STEP_SET)
    g_value_unset(&step->value);
  g_free(step);
}

/* Of a change of the list of layers, named by its way back. */
static char *
name_change(StepKind way_back, DebyeLayer *layer)
{
  static const char *const names[] = {
      [STEP_ADD] = N_("%s removed"), [STEP_REMOVE] = N_("%s added"), [STEP_MOVE] = N_("%s moved")};
  g_autofree char *title = debye_layer_title(layer);
  return g_strdup_printf(_(names[way_back]), title);
}

static char *
name_setting(DebyeLayer *layer, const char *property)
{
  const DebyeLayerKind *kind = debye_layer_kind_of(layer);
  const char *label = kind != NULL ? debye_layer_kind_get_label(kind, property) : NULL;
  g_autofree char *title = debye_layer_title(layer);
  return label != NULL ? g_strdup_printf("%s · %s", title, _(label)) : g_steal_pointer(&title);
}

/* Half of a group would undo half of what was done. */
static void
forget_oldest(GPtrArray *steps)
{
  const guint group = ((Step *)g_ptr_array_index(steps, 0))->group;
  do
    g_ptr_array_remove_index(steps, 0);
  while (group != 0 && steps->len > 0 && ((Step *)g_ptr_array_index(steps, 0))->group == group);
}

/* Takes the name. */
static Step *
remember(DebyeSceneHistory *self, StepKind kind, char *name, DebyeLayer *layer, guint position)
{
  Step *step = g_new(Step, 1);
  *step = (Step){.kind = kind, .name = name, .position = position};
  g_set_object(&step->layer, layer);
  g_ptr_array_add(self->steps, step);
  if (self->steps->len > MAXIMUM_STEPS)
    forget_oldest(self->steps);
  g_ptr_array_set_size(self->undone, 0);
  g_signal_emit_by_name(self, "changed");
  return step;
}

/* NULL: there is none. */
static Step *
get_last(GPtrArray *steps)
{
  return steps->len > 0 ? g_ptr_array_index(steps, steps->len - 1) : NULL;
}

/* --- What is set of a layer --- */

/* Of a slider that is drawn, or a text that is typed. */
static gboolean
goes_on(const Step *last, DebyeLayer *layer, const GParamSpec *property, gint64 now)
{
  gboolean is_drawn = property->value_type == G_TYPE_DOUBLE || property->value_type == G_TYPE_VARIANT;
  return is_drawn && last != NULL && last->kind == STEP_SET && last->layer == layer &&
         last->property == property && now - last->edited < ONE_EDIT_MICROSECONDS;
}

static void
on_edit(DebyeLayer *layer, const char *name, DebyeSceneHistory *self)
{
  GParamSpec *property = g_object_class_find_property(G_OBJECT_GET_CLASS(layer), name);
  const gint64 now = g_get_monotonic_time();
  Step *last = get_last(self->steps);
  g_return_if_fail(property != NULL && (property->flags & G_PARAM_READWRITE) == G_PARAM_READWRITE);
  /* What was undone isn't gone on with. */
  if (self->undone->len == 0 && goes_on(last, layer, property, now)) {
    last->edited = now;
    return;
  }
  Step *step = remember(self, STEP_SET, name_setting(layer, name), layer, 0);
  step->property = property;
  step->begun = step->edited = now;
  g_value_init(&step->value, property->value_type);
  g_object_get_property(G_OBJECT(layer), property->name, &step->value);
}

/* --- What is set of the look --- */

/* "Look · Shadow" */
static char *
name_look(const char *label)
{
  return g_strdup_printf("%s · %s", _("Look"), _(label));
}

/* One step for all settings. */
static void
on_reset_look(DebyeSceneHistory *self, gboolean begins)
{
  self->reset_group = begins ? ++self->n_groups : 0;
}

/* A slider that is drawn is one change. */
static void
on_edit_look(DebyeScene *scene, const DebyeLookSetting *setting, DebyeSceneHistory *self)
{
  const gint64 now = g_get_monotonic_time();
  Step *last = get_last(self->steps);
  if (self->undone->len == 0 && self->reset_group == 0 && last != NULL && last->kind == STEP_LOOK &&
      last->look_setting == setting && setting->option.kind == DEBYE_SETTING_NUMBER &&
      now - last->edited < ONE_EDIT_MICROSECONDS) {
    last->edited = now;
    return;
  }
  const char *label = self->reset_group != 0 ? N_("Reset to defaults") : setting->option.label;
  Step *step = remember(self, STEP_LOOK, name_look(label), NULL, 0);
  step->group = self->reset_group;
  step->look_setting = setting;
  step->begun = step->edited = now;
  debye_look_setting_keep(setting, scene, &step->look_value);
}

static void
set_look(DebyeScene *scene, Step *step)
{
  DebyeLookValue now;
  debye_look_setting_keep(step->look_setting, scene, &now);
  debye_look_setting_bring_back(step->look_setting, scene, &step->look_value);
  step->look_value = now;
}

/* A layer that moves leaves the list and comes back. */
static void
on_layers_changed(GListModel *layers, guint position, guint n_removed G_GNUC_UNUSED, guint n_added,
                  DebyeSceneHistory *self)
{
  for (guint i = position; i < position + n_added; i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    g_signal_handlers_disconnect_matched(layer, G_SIGNAL_MATCH_DATA, 0, 0, NULL, NULL, self);
    g_signal_connect_object(layer, "edit", G_CALLBACK(on_edit), self, G_CONNECT_DEFAULT);
  }
}

DebyeSceneHistory *
debye_scene_history_new(DebyeScene *scene)
{
  DebyeSceneHistory *self = g_object_new(DEBYE_TYPE_SCENE_HISTORY, NULL);
  GListModel *layers = debye_scene_get_layers(scene);
  self->scene = g_object_ref(scene);
  g_signal_connect_object(layers, "items-changed", G_CALLBACK(on_layers_changed), self, G_CONNECT_DEFAULT);
  g_signal_connect_object(scene, "edit-look", G_CALLBACK(on_edit_look), self, G_CONNECT_DEFAULT);
  g_signal_connect_object(scene, "reset-look", G_CALLBACK(on_reset_look), self, G_CONNECT_SWAPPED);
  on_layers_changed(layers, 0, 0, g_list_model_get_n_items(layers), self);
  return self;
}

/* --- What is done to their list --- */

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
  remember(self, STEP_REMOVE, name_change(STEP_REMOVE, layer), layer, 0);
}

void
debye_scene_history_add_all(DebyeSceneHistory *self, GPtrArray *layers)
{
  g_return_if_fail(DEBYE_IS_SCENE_HISTORY(self) && layers != NULL);
  const guint group = ++self->n_groups;
  for (guint i = 0; i < layers->len; i++)
    debye_scene_add(self->scene, layers->pdata[i]);
  for (guint i = 0; i < layers->len; i++) {
    char *name = name_change(STEP_REMOVE, layers->pdata[layers->len - 1]);
    remember(self, STEP_REMOVE, name, layers->pdata[i], 0)->group = group;
  }
}

void
debye_scene_history_remove(DebyeSceneHistory *self, DebyeLayer *layer)
{
  g_return_if_fail(DEBYE_IS_SCENE_HISTORY(self));
  guint position = debye_scene_history_find(self, layer);
  if (position == G_MAXUINT)
    return;
  remember(self, STEP_ADD, name_change(STEP_ADD, layer), layer, position);
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
  remember(self, STEP_MOVE, name_change(STEP_MOVE, layer), layer, old);
  debye_scene_move(self->scene, layer, MIN(position, last));
}

/* --- Back and forth --- */

static void
set_value(Step *step)
{
  GValue now = G_VALUE_INIT;
  g_value_init(&now, step->property->value_type);
  g_object_get_property(G_OBJECT(step->layer), step->property->name, &now);
  g_object_set_property(G_OBJECT(step->layer), step->property->name, &step->value);
  g_value_unset(&step->value);
  step->value = now;
}

/* Where the layer has gone meanwhile, as the program replaces layers of its own, it isn't touched. */
static void
take(DebyeSceneHistory *self, Step *step)
{
  if (step->kind == STEP_LOOK) {
    set_look(self->scene, step);
    return;
  }
  const guint now = debye_scene_history_find(self, step->layer), to = step->position;
  step->position = now != G_MAXUINT ? now : to;
  if (step->kind == STEP_SET) {
    set_value(step);
  } else if (step->kind == STEP_REMOVE) {
    /* One that has gone is not brought back either. */
    if (now != G_MAXUINT) {
      debye_scene_remove(self->scene, step->layer);
      step->kind = STEP_ADD;
    }
  } else if (step->kind == STEP_ADD) {
    debye_scene_add(self->scene, step->layer);
    debye_scene_move(self->scene, step->layer, to);
    step->kind = STEP_REMOVE;
  } else if (now != G_MAXUINT) {
    debye_scene_move(self->scene, step->layer, to);
  }
}

/* Two changes, the later one first or last. */
static gboolean
is_one_deed(const Step *step, const Step *other)
{
  if (other != NULL && step->group != 0 && step->group == other->group)
    return TRUE;
  if (other == NULL || step->kind != STEP_SET || other->kind != STEP_SET || step->layer != other->layer)
    return FALSE;
  const Step *earlier = step->begun <= other->begun ? step : other;
  const Step *later = earlier == step ? other : step;
  return later->begun - earlier->edited < ONE_DEED_MICROSECONDS;
}

static gboolean
take_last(DebyeSceneHistory *self, GPtrArray *from, GPtrArray *to)
{
  gboolean more = from->len > 0;
  if (!more)
    return FALSE;
  while (more) {
    Step *step = g_ptr_array_steal_index(from, from->len - 1);
    take(self, step);
    g_ptr_array_add(to, step);
    more = is_one_deed(step, get_last(from));
  }
  g_signal_emit_by_name(self, "changed");
  return TRUE;
}

gboolean
debye_scene_history_undo(DebyeSceneHistory *self)
{
  g_return_val_if_fail(DEBYE_IS_SCENE_HISTORY(self), FALSE);
  return take_last(self, self->steps, self->undone);
}

gboolean
debye_scene_history_redo(DebyeSceneHistory *self)
{
  g_return_val_if_fail(DEBYE_IS_SCENE_HISTORY(self), FALSE);
  return take_last(self, self->undone, self->steps);
}

gboolean
debye_scene_history_can_undo(DebyeSceneHistory *self)
{
  g_return_val_if_fail(DEBYE_IS_SCENE_HISTORY(self), FALSE);
  return self->steps->len > 0;
}

gboolean
debye_scene_history_can_redo(DebyeSceneHistory *self)
{
  g_return_val_if_fail(DEBYE_IS_SCENE_HISTORY(self), FALSE);
  return self->undone->len > 0;
}

const char *
debye_scene_history_get_undo_name(DebyeSceneHistory *self)
{
  g_return_val_if_fail(DEBYE_IS_SCENE_HISTORY(self), NULL);
  return self->steps->len > 0 ? get_last(self->steps)->name : NULL;
}

const char *
debye_scene_history_get_redo_name(DebyeSceneHistory *self)
{
  g_return_val_if_fail(DEBYE_IS_SCENE_HISTORY(self), NULL);
  return self->undone->len > 0 ? get_last(self->undone)->name : NULL;
}

static void
debye_scene_history_finalize(GObject *object)
{
  DebyeSceneHistory *self = DEBYE_SCENE_HISTORY(object);
  g_ptr_array_unref(self->steps);
  g_ptr_array_unref(self->undone);
  g_clear_object(&self->scene);
  G_OBJECT_CLASS(debye_scene_history_parent_class)->finalize(object);
}

static void
debye_scene_history_class_init(DebyeSceneHistoryClass *class)
{
  G_OBJECT_CLASS(class)->finalize = debye_scene_history_finalize;
  g_signal_new("changed", DEBYE_TYPE_SCENE_HISTORY, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
debye_scene_history_init(DebyeSceneHistory *self)
{
  self->steps = g_ptr_array_new_with_free_func(step_free);
  self->undone = g_ptr_array_new_with_free_func(step_free);
}
