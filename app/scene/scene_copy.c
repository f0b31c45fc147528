/* SPDX-License-Identifier: MIT */
/* Copies a scene for drawing on another thread; called by offscreen_renderer.c and the window's exports. */
#include "scene_copy.h"

#include "data/selection/selection.h"
#include "render/layers/label_layer.h"
#include "render/layers/layer_kinds.h"
#include "render/layers/molecule_layer.h"

#define STAYS "debye-stays"         /* on a layer: frames don't move it */
#define SELECTION "debye-selection" /* on a layer: its selection, where positions decide */

typedef struct {
  const DebyeLayerKind *kind;
  DebyeLayerContents contents;
  GPtrArray *names; /* char *, of the properties */
  GArray *values;   /* GValue, one a name */
  char *source;
  guint name_number;
  gboolean stays;
} Part;

struct _DebyeSceneCopy {
  GPtrArray *parts; /* Part */
  DebyeCamera camera;
  DebyeLook look;
};

static void
part_free(gpointer data)
{
  Part *part = data;
  debye_layer_contents_clear(&part->contents);
  g_ptr_array_unref(part->names);
  g_array_unref(part->values);
  g_free(part->source);
  g_free(part);
}

static void
clear_value(gpointer value)
{
  g_value_unset(value);
}

static void
take_properties(Part *part, DebyeLayer *layer)
{
  guint n_specs;
  g_autofree GParamSpec **specs = g_object_class_list_properties(G_OBJECT_GET_CLASS(layer), &n_specs);
  part->names = g_ptr_array_new();
  part->values = g_array_new(FALSE, TRUE, sizeof(GValue));
  g_array_set_clear_func(part->values, clear_value);
  for (guint i = 0; i < n_specs; i++) {
    GValue value = G_VALUE_INIT;
    if (!debye_layer_keeps(layer, specs[i]))
      continue;
    g_value_init(&value, specs[i]->value_type);
    g_object_get_property(G_OBJECT(layer), specs[i]->name, &value);
    g_ptr_array_add(part->names, (gpointer)specs[i]->name);
    g_array_append_val(part->values, value);
  }
}

static Part *
part_new(DebyeLayer *layer, gboolean stays)
{
  Part *part = g_new0(Part, 1);
  part->kind = debye_layer_kind_of(layer);
  part->stays = stays;
  part->source = g_strdup(debye_layer_get_source(layer));
  part->name_number = debye_layer_get_name_number(layer);
  debye_layer_contents_init(&part->contents, layer);
  take_properties(part, layer);
  return part;
}

DebyeSceneCopy *
debye_scene_copy_new(DebyeScene *scene, gboolean (*follows)(DebyeLayer *layer))
{
  DebyeSceneCopy *self = g_new(DebyeSceneCopy, 1);
  GListModel *layers = debye_scene_get_layers(scene);
  *self = (DebyeSceneCopy){.parts = g_ptr_array_new_with_free_func(part_free),
                           .camera = *debye_scene_get_camera(scene),
                           .look = *debye_scene_get_look(scene)};
  for (guint i = 0; i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    if (debye_layer_kind_of(layer) != NULL && debye_layer_get_visible(layer))
      g_ptr_array_add(self->parts, part_new(layer, follows != NULL && !follows(layer)));
  }
  return self;
}

void
debye_scene_copy_free(DebyeSceneCopy *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref(self->parts);
  g_free(self);
}

void
debye_scene_copy_take_words(DebyeSceneCopy *self)
{
  self->look.legend = self->look.axes = self->look.scale_bar = FALSE;
  for (guint i = self->parts->len; i-- > 0;)
    if (((const Part *)self->parts->pdata[i])->kind == &debye_label_layer_kind)
      g_ptr_array_remove_index(self->parts, i);
}

/* --- On the other thread --- */

/* Kept with the layer where it has to be made anew for each frame. */
static void
keep_selection(DebyeLayer *layer, const char *text)
{
  g_autoptr(DebyeSelection) selection = text != NULL ? debye_selection_parse(text, NULL, NULL) : NULL;
  if (selection != NULL && DEBYE_IS_MOLECULE_LAYER(layer) && debye_selection_is_dynamic(selection))
    g_object_set_data_full(G_OBJECT(layer), SELECTION, g_steal_pointer(&selection),
                           (GDestroyNotify)debye_selection_unref);
}

/* Twice, as one value may be refused until another has been set: a lower limit above the upper one. */
static DebyeLayer *
build_layer(const Part *part)
{
  DebyeLayer *layer = debye_layer_kind_create(part->kind, &part->contents);
  debye_layer_set_source(layer, part->source);
  for (guint i = 0; i < 2 * part->names->len; i++)
    g_object_set_property(G_OBJECT(layer), part->names->pdata[i % part->names->len],
                          &g_array_index(part->values, GValue, i % part->names->len));
  debye_layer_set_name_number(layer, part->name_number);
  if (part->stays)
    g_object_set_data(G_OBJECT(layer), STAYS, layer);
  else
    keep_selection(layer, part->contents.selection);
  return layer;
}

DebyeScene *
debye_scene_copy_build(const DebyeSceneCopy *self)
{
  DebyeScene *scene = debye_scene_new_still();
  for (guint i = 0; i < self->parts->len; i++) {
    g_autoptr(DebyeLayer) layer = build_layer(self->parts->pdata[i]);
    debye_scene_add(scene, layer);
  }
  *debye_scene_get_camera(scene) = self->camera;
  *debye_scene_get_look(scene) = self->look;
  return scene;
}

static void
choose_anew(DebyeLayer *layer, DebyeTopology *topology, DebyeFrame *frame)
{
  DebyeSelection *selection = g_object_get_data(G_OBJECT(layer), SELECTION);
  g_autoptr(GArray) atoms =
      selection != NULL ? debye_selection_evaluate(selection, topology, frame, NULL) : NULL;
  static const guint32 none[1];
  if (atoms != NULL)
    debye_molecule_layer_set_atoms(DEBYE_MOLECULE_LAYER(layer),
                                   atoms->len > 0 ? (const guint32 *)(const void *)atoms->data : none,
                                   atoms->len);
}

void
debye_scene_copy_show_frame(DebyeScene *built, DebyeTopology *topology, DebyeFrame *frame)
{
  GListModel *layers = debye_scene_get_layers(built);
  for (guint i = 0; i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    if (g_object_get_data(G_OBJECT(layer), STAYS) != NULL)
      continue;
    debye_layer_show_frame(layer, frame);
    choose_anew(layer, topology, frame);
  }
}
