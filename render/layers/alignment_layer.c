/* SPDX-License-Identifier: MIT */
/* The layer of an alignment: which atoms are laid on what; asked by the window and its movies. */
#include "alignment_layer.h"

#include <glib/gi18n.h>

#include "atom_choice.h"
#include "layer.h"

struct _DebyeAlignmentLayer {
  DebyeLayer parent;
  char *atoms, *reference; /* never NULL */
  gboolean by_mass;
};

G_DEFINE_FINAL_TYPE(DebyeAlignmentLayer, debye_alignment_layer, DEBYE_TYPE_LAYER)

enum { PROP_ATOMS = 1, PROP_REFERENCE, PROP_CHOICE };

static void
take_text(DebyeAlignmentLayer *self, char **field, const char *text, const char *property)
{
  if (text == NULL || g_strcmp0(*field, text) == 0)
    return;
  g_free(*field);
  *field = g_strdup(text);
  g_object_notify(G_OBJECT(self), property);
  debye_layer_changed(DEBYE_LAYER(self));
}

/* An empty selection means all atoms elsewhere. */
static void
set_atoms(DebyeAlignmentLayer *self, const char *text)
{
  take_text(self, &self->atoms, text == NULL || *text == '\0' ? "all" : text, "atoms");
  g_object_notify(G_OBJECT(self), "choice");
}

static void
debye_alignment_layer_get_property(GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  DebyeAlignmentLayer *self = DEBYE_ALIGNMENT_LAYER(object);
  switch (id) {
  case PROP_ATOMS:
    g_value_set_string(value, self->atoms);
    break;
  case PROP_REFERENCE:
    g_value_set_string(value, self->reference);
    break;
  case PROP_CHOICE:
    g_value_set_variant(value, debye_atom_choice_new(self->atoms, NULL, 0));
    break;
  default:
    debye_layer_get_member(object, id, value, pspec);
  }
}

static void
debye_alignment_layer_set_property(GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  DebyeAlignmentLayer *self = DEBYE_ALIGNMENT_LAYER(object);
  switch (id) {
  case PROP_ATOMS:
    set_atoms(self, g_value_get_string(value));
    break;
  case PROP_REFERENCE:
    take_text(self, &self->reference, g_value_get_string(value), "reference");
    break;
  case PROP_CHOICE:
    set_atoms(self, debye_atom_choice_get_selection(g_value_get_variant(value)));
    break;
  default:
    debye_layer_set_member(object, id, value, pspec);
  }
}

static void
debye_alignment_layer_finalize(GObject *object)
{
  DebyeAlignmentLayer *self = DEBYE_ALIGNMENT_LAYER(object);
  g_free(self->atoms);
  g_free(self->reference);
  G_OBJECT_CLASS(debye_alignment_layer_parent_class)->finalize(object);
}

static void
debye_alignment_layer_class_init(DebyeAlignmentLayerClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS(class);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
  object_class->get_property = debye_alignment_layer_get_property;
  object_class->set_property = debye_alignment_layer_set_property;
  object_class->finalize = debye_alignment_layer_finalize;
  debye_layer_class_install(DEBYE_LAYER_CLASS(class), &debye_alignment_layer_kind);
  g_object_class_install_property(object_class, PROP_ATOMS,
                                  g_param_spec_string("atoms", NULL, NULL, "solute", flags));
  g_object_class_install_property(object_class, PROP_REFERENCE,
                                  g_param_spec_string("reference", NULL, NULL, "frame:0", flags));
  g_object_class_install_property(object_class, PROP_CHOICE, debye_atom_choice_spec());
}

static void
debye_alignment_layer_init(DebyeAlignmentLayer *self)
{
  self->atoms = g_strdup("solute");
  self->reference = g_strdup("frame:0");
}

DebyeAlignmentLayer *
debye_alignment_layer_new(void)
{
  return g_object_new(DEBYE_TYPE_ALIGNMENT_LAYER, NULL);
}

const char *
debye_alignment_layer_get_atoms(DebyeAlignmentLayer *self)
{
  g_return_val_if_fail(DEBYE_IS_ALIGNMENT_LAYER(self), NULL);
  return self->atoms;
}

const char *
debye_alignment_layer_get_reference(DebyeAlignmentLayer *self)
{
  g_return_val_if_fail(DEBYE_IS_ALIGNMENT_LAYER(self), NULL);
  return self->reference;
}

gboolean
debye_alignment_layer_get_by_mass(DebyeAlignmentLayer *self)
{
  g_return_val_if_fail(DEBYE_IS_ALIGNMENT_LAYER(self), FALSE);
  return self->by_mass;
}

static DebyeAlignmentLayer *
find(GListModel *layers, gboolean visible)
{
  for (guint i = 0; i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    if (DEBYE_IS_ALIGNMENT_LAYER(layer) && (!visible || debye_layer_get_visible(layer)))
      return DEBYE_ALIGNMENT_LAYER(layer); /* the list keeps it */
  }
  return NULL;
}

DebyeAlignmentLayer *
debye_alignment_layer_find(GListModel *layers)
{
  return find(layers, FALSE);
}

DebyeAlignmentLayer *
debye_alignment_layer_find_visible(GListModel *layers)
{
  return find(layers, TRUE);
}

/* --- What can be set --- */

static const DebyeLayerSetting settings[] = {
    {.property = "choice",
     .label = N_("Atoms"),
     .name = N_("Atoms to superpose"),
     .tooltip = N_("Superposes these atoms of each frame on the reference, in the picture only. Maps and "
                   "other results do not change.")},
    {.property = "reference",
     .label = N_("Reference"),
     .tooltip = N_("frame:N (of the trajectory) or file:FILE")},
    {.property = "by-mass",
     .label = N_("Weighted by mass"),
     .type = G_TYPE_BOOLEAN,
     .member = G_STRUCT_OFFSET(DebyeAlignmentLayer, by_mass)},
};

static gpointer
create(const DebyeLayerContents *contents G_GNUC_UNUSED)
{
  return debye_alignment_layer_new();
}

const DebyeLayerKind debye_alignment_layer_kind = {
    .key = "alignment",
    .title = N_("Alignment"),
    .section = 2,
    .needs = DEBYE_LAYER_NEEDS_FRAMES,
    .settings = settings,
    .n_settings = G_N_ELEMENTS(settings),
    .create = create,
};
