/* SPDX-License-Identifier: MIT */
/* Shows placed ions as a layer of spheres; called by window_computing.c. They are no atoms of the files:
 * their structure is their own, and frames don't move them. */
#include "app/scene/scene_builder.h"

#include <glib/gi18n.h>
#include "window_scene_private.h"

#define OWN_STRUCTURE "debye-own-structure"
#define ION_SCALE 0.6 /* of the van der Waals radius: nearer to an ion's own */

gboolean
debye_window_scene_follows_frames(DebyeLayer *layer)
{
  return g_object_get_data(G_OBJECT(layer), OWN_STRUCTURE) == NULL;
}

/* Those of the run before go, unless a person has removed them. */
static void
remove_ions(DebyeWindowScene *self)
{
  if (self->ions != NULL)
    debye_scene_remove(self->scene, self->ions);
  g_clear_object(&self->ions);
}

void
debye_window_scene_show_ions(DebyeWindowScene *self, DebyeTopology *topology, DebyeFrame *frame)
{
  g_return_if_fail(DEBYE_IS_WINDOW_SCENE(self) && DEBYE_IS_TOPOLOGY(topology) && frame != NULL);
  remove_ions(self);
  const DebyeSceneSource source = {.topology = topology, .frame = frame};
  self->ions = debye_scene_builder_layer(&debye_molecule_layer_kind, &source, NULL, 0);
  DebyeMoleculeLayer *layer = DEBYE_MOLECULE_LAYER(self->ions);
  debye_molecule_layer_set_style(layer, DEBYE_STYLE_SPHERES);
  g_object_set(layer, "scale", ION_SCALE, NULL);
  debye_layer_set_name(self->ions, N_("Placed ions"));
  debye_layer_set_source(self->ions, _("computed here"));
  g_object_set_data(G_OBJECT(layer), OWN_STRUCTURE, layer);
  debye_scene_add(self->scene, self->ions);
}
