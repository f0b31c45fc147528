/* SPDX-License-Identifier: MIT */
/* Implementation of layer_role.h: on each layer its role. */
#include "layer_role.h"

#include <glib/gi18n.h>

#define KEY "debye-layer-role"

static const struct {
  const char *word; /* in sessions */
  const char *name;
} roles[DEBYE_LAYER_N_ROLES] = {
    [DEBYE_LAYER_ROLE_NONE] = {"none", NULL},
    [DEBYE_LAYER_ROLE_RESIDUE] = {"residue", N_("Chosen residue")},
    [DEBYE_LAYER_ROLE_NEAR] = {"near-residue", N_("Near the chosen residue")},
    [DEBYE_LAYER_ROLE_REFERENCE] = {"reference", N_("Reference of the distribution")},
    [DEBYE_LAYER_ROLE_BLOB] = {"blob", N_("Blob")},
};

static void
set_role(DebyeLayer *layer, DebyeLayerRole role)
{
  g_object_set_data(G_OBJECT(layer), KEY, GUINT_TO_POINTER(role));
}

void
debye_layer_role_give(DebyeLayer *layer, DebyeLayerRole role)
{
  g_return_if_fail(DEBYE_IS_LAYER(layer) && role > DEBYE_LAYER_ROLE_NONE && role < DEBYE_LAYER_N_ROLES);
  set_role(layer, role);
  debye_layer_set_name(layer, roles[role].name);
}

DebyeLayerRole
debye_layer_role_get(DebyeLayer *layer)
{
  g_return_val_if_fail(DEBYE_IS_LAYER(layer), DEBYE_LAYER_ROLE_NONE);
  return (DebyeLayerRole)GPOINTER_TO_UINT(g_object_get_data(G_OBJECT(layer), KEY));
}

/* Sessions (.debye) that were written before layers had roles tell these layers by their names alone. */
static DebyeLayerRole
find_by_name(DebyeLayer *layer)
{
  for (int role = DEBYE_LAYER_ROLE_NONE + 1; role < DEBYE_LAYER_N_ROLES; role++)
    if (g_strcmp0(debye_layer_get_name(layer), roles[role].name) == 0)
      return (DebyeLayerRole)role;
  return DEBYE_LAYER_ROLE_NONE;
}

/* A layer without a role says so where its name could be taken for one. */
const char *
debye_layer_role_save(DebyeLayer *layer)
{
  const DebyeLayerRole role = debye_layer_role_get(layer);
  return role != DEBYE_LAYER_ROLE_NONE || find_by_name(layer) != DEBYE_LAYER_ROLE_NONE ? roles[role].word
                                                                                       : NULL;
}

void
debye_layer_role_load(DebyeLayer *layer, const char *word)
{
  g_return_if_fail(DEBYE_IS_LAYER(layer));
  if (word == NULL)
    set_role(layer, find_by_name(layer));
  for (int role = DEBYE_LAYER_ROLE_NONE; word != NULL && role < DEBYE_LAYER_N_ROLES; role++)
    if (g_str_equal(word, roles[role].word))
      set_role(layer, (DebyeLayerRole)role);
}
