/* SPDX-License-Identifier: MIT */
/* A map with its name, as the lists of the window offer it. */
#include "scene_map.h"

struct _DebyeSceneMap {
  GObject parent;
  char *name;
  DebyeField *field;
};

G_DEFINE_FINAL_TYPE(DebyeSceneMap, debye_scene_map, G_TYPE_OBJECT)

enum { PROP_NAME = 1, PROP_FIELD };

static void
debye_scene_map_get_property(GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  DebyeSceneMap *self = DEBYE_SCENE_MAP(object);
  switch (id) {
  case PROP_NAME:
    g_value_set_string(value, self->name);
    break;
  case PROP_FIELD:
    g_value_set_object(value, self->field);
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
  }
}

static void
debye_scene_map_finalize(GObject *object)
{
  DebyeSceneMap *self = DEBYE_SCENE_MAP(object);
  g_free(self->name);
  g_clear_object(&self->field);
  G_OBJECT_CLASS(debye_scene_map_parent_class)->finalize(object);
}

static void
debye_scene_map_class_init(DebyeSceneMapClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS(class);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;
  object_class->get_property = debye_scene_map_get_property;
  object_class->finalize = debye_scene_map_finalize;
  g_object_class_install_property(object_class, PROP_NAME,
                                  g_param_spec_string("name", NULL, NULL, "", flags));
  g_object_class_install_property(object_class, PROP_FIELD,
                                  g_param_spec_object("field", NULL, NULL, DEBYE_TYPE_FIELD, flags));
}

static void
debye_scene_map_init(DebyeSceneMap *self G_GNUC_UNUSED)
{
}

DebyeSceneMap *
debye_scene_map_new(const char *name, DebyeField *field)
{
  DebyeSceneMap *self = g_object_new(DEBYE_TYPE_SCENE_MAP, NULL);
  self->name = g_strdup(name ? name : "");
  self->field = field ? g_object_ref(field) : NULL;
  return self;
}

const char *
debye_scene_map_get_name(DebyeSceneMap *self)
{
  g_return_val_if_fail(DEBYE_IS_SCENE_MAP(self), NULL);
  return self->name;
}

DebyeField *
debye_scene_map_get_field(DebyeSceneMap *self)
{
  g_return_val_if_fail(DEBYE_IS_SCENE_MAP(self), NULL);
  return self->field;
}

void
debye_scene_map_set_field(DebyeSceneMap *self, DebyeField *field)
{
  g_return_if_fail(DEBYE_IS_SCENE_MAP(self));
  if (g_set_object(&self->field, field))
    g_object_notify(G_OBJECT(self), "field");
}
