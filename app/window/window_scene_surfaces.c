/* SPDX-License-Identifier: MIT */
/* The surfaces that the scene adds to a computed map; called by window_scene_maps.c. What their levels were
 * chosen from is a part of the map, or the average over the first frames alone: which part depends on the
 * machine's speed. So they are chosen once more from what the job leaves, and the same job gives the same
 * picture. */
#include "app/scene/scene_builder.h"
#include "render/layers/isosurface_levels.h"
#include "window_scene_private.h"

static void
add_surface(DebyeWindowScene *self, gsize sign, double level, const char *source)
{
  g_autoptr(DebyeIsosurfaceLayer) layer = debye_scene_builder_surface(self->computed, level);
  debye_layer_set_source(DEBYE_LAYER(layer), source);
  debye_scene_add(self->scene, DEBYE_LAYER(layer));
  g_set_object(&self->own_surfaces[sign], layer);
}

void
debye_window_scene_add_own_surfaces(DebyeWindowScene *self, const char *source)
{
  double levels[2];
  debye_window_scene_forget_own_surfaces(self);
  debye_isosurface_suggest_levels(self->computed, &levels[0], &levels[1]);
  self->surfaces_chosen = TRUE;
  for (gsize sign = 0; sign < G_N_ELEMENTS(levels); sign++) {
    self->own_levels[sign] = levels[sign];
    if (levels[sign] != 0.0)
      add_surface(self, sign, levels[sign], source);
  }
}

/* One that was removed from the scene shows an older map still; one that was moved keeps its place. */
static gboolean
is_untouched(DebyeWindowScene *self, gsize sign)
{
  DebyeIsosurfaceLayer *layer = self->own_surfaces[sign];
  return layer != NULL && debye_layer_get_field(DEBYE_LAYER(layer)) == self->computed &&
         debye_isosurface_layer_get_level(layer) == self->own_levels[sign];
}

static void
settle(DebyeWindowScene *self, gsize sign, double level, const char *source)
{
  const gboolean had_sign = self->own_levels[sign] != 0.0, has_sign = level != 0.0;
  if (!had_sign && has_sign)
    add_surface(self, sign, level, source);
  else if (!is_untouched(self, sign))
    return;
  else if (has_sign)
    debye_scene_builder_set_level(self->own_surfaces[sign], level);
  else
    debye_scene_remove(self->scene, DEBYE_LAYER(self->own_surfaces[sign]));
}

void
debye_window_scene_settle_own_surfaces(DebyeWindowScene *self, const char *source)
{
  double levels[2];
  if (!self->surfaces_chosen)
    return;
  debye_isosurface_suggest_levels(self->computed, &levels[0], &levels[1]);
  for (gsize sign = 0; sign < G_N_ELEMENTS(levels); sign++)
    if (levels[sign] != self->own_levels[sign])
      settle(self, sign, levels[sign], source);
  debye_window_scene_forget_own_surfaces(self);
}

void
debye_window_scene_forget_own_surfaces(DebyeWindowScene *self)
{
  self->surfaces_chosen = FALSE;
  for (gsize sign = 0; sign < G_N_ELEMENTS(self->own_surfaces); sign++)
    g_clear_object(&self->own_surfaces[sign]);
}
