/* SPDX-License-Identifier: MIT */
/* Measuring in the picture, called by the window's actions: the atoms that are clicked one after the other
 * are a distance, then an angle, then a dihedral; the next click begins anew. */
#include "render/layers/measurement_layer.h"

#include <glib/gi18n.h>
#include "window_actions.h"

/* The layer of the clicks so far: the next click replaces it. */
static void
remove_unfinished(DebyeWindowController *self)
{
  if (self->measured != NULL)
    debye_scene_remove(debye_window_scene_get_scene(self->scene), self->measured);
  g_clear_object(&self->measured);
}

static gboolean
is_picked(DebyeWindowController *self, guint32 atom)
{
  for (gsize i = 0; i < self->n_picked; i++)
    if (self->picked[i] == atom)
      return TRUE;
  return FALSE;
}

/* A mark of one atom measures nothing and goes with the picks. */
void
debye_window_controller_forget_picks(DebyeWindowController *self)
{
  if (self->n_picked == 1)
    remove_unfinished(self);
  self->n_picked = 0;
  g_clear_object(&self->measured);
}

static void
tell_value(DebyeWindowController *self)
{
  static const char *const names[] = {[2] = N_("Distance"), [3] = N_("Angle"), [4] = N_("Dihedral")};
  g_autofree char *value = debye_measurement_layer_get_text(DEBYE_MEASUREMENT_LAYER(self->measured));
  g_autofree char *text = g_strdup_printf("%s: %s", _(names[self->n_picked]), value);
  debye_window_toast_news(self->window, text);
}

void
debye_window_controller_pick_atom(DebyeWindowController *self, guint atom)
{
  if (self->scene == NULL || is_picked(self, atom))
    return;
  if (self->n_picked == DEBYE_MAX_MEASURED)
    debye_window_controller_forget_picks(self);
  self->picked[self->n_picked++] = atom;
  remove_unfinished(self);
  DebyeLayer *layer = self->n_picked == 1
                          ? debye_window_scene_mark_atom(self->scene, atom)
                          : debye_window_scene_add_measurement(self->scene, self->picked, self->n_picked);
  g_set_object(&self->measured, layer);
  if (layer != NULL && self->n_picked > 1)
    tell_value(self);
}

void
debye_window_controller_set_measuring(DebyeWindowController *self, gboolean measuring)
{
  debye_window_controller_forget_picks(self);
  debye_view_3d_set_measuring(debye_window_get_view(self->window), measuring);
  debye_window_actions_turned(self, "measure", measuring);
  if (measuring)
    debye_window_toast_news(self->window,
                            _("Click two atoms for a distance, a third for an angle, a fourth for a "
                              "dihedral"));
}

/* --- Over time --- */

/* "0,5; 3,4,5" of all measurements in the scene, back to front; NULL: there is none. */
static char *
list_measurements(DebyeWindowController *self)
{
  GListModel *layers = debye_scene_get_layers(debye_window_scene_get_scene(self->scene));
  GString *text = g_string_new(NULL);
  for (guint i = 0; i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    if (!DEBYE_IS_MEASUREMENT_LAYER(layer))
      continue;
    const DebyeAtomSet set = debye_shown_atoms_get(debye_layer_get_shown(layer));
    for (gsize k = 0; set.n_atoms >= 2 && k < set.n_atoms; k++)
      g_string_append_printf(text, "%s%u", k > 0 ? "," : text->len > 0 ? "; " : "", set.atoms[k]);
  }
  return g_string_free(text, text->len == 0);
}

void
debye_window_controller_plot_measurements(DebyeWindowController *self)
{
  g_autofree char *atoms = self->scene != NULL ? list_measurements(self) : NULL;
  if (atoms == NULL) {
    debye_window_toast(self->window, _("Measure something first: press M and click atoms"));
    return;
  }
  g_autofree char *command = g_strdup_printf("measure --atoms '%s'", atoms);
  debye_window_controller_fill_form(self, command);
  DebyeAnalysisForm *form = debye_window_analyses_find_form(self->analyses, "measure");
  debye_window_controller_run_request(self, debye_analysis_form_get_request(form));
}
