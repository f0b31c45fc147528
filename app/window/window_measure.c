/* SPDX-License-Identifier: MIT */
/* Measuring in the picture; called by the window's actions. */
#include "window_measure.h"

#include <glib/gi18n.h>

#include "data/molecule/measure.h"
#include "render/layers/measurement_layer.h"

#define KEY "debye-window-measure"

/* Kept with the document. */
typedef struct {
  guint32 atoms[DEBYE_MAX_MEASURED]; /* of the measurement in the making */
  gsize n_atoms;
  DebyeLayer *layer; /* its layer, or the mark of its first atom; NULL: none yet */
} Picks;

static void
picks_free(gpointer data)
{
  Picks *picks = data;
  g_clear_object(&picks->layer);
  g_free(picks);
}

static Picks *
get_picks(DebyeWindowDocument *self)
{
  return g_object_get_data(G_OBJECT(self), KEY);
}

gboolean
debye_window_measure_get_pair(DebyeWindowDocument *self, guint32 atoms[2])
{
  const Picks *picks = get_picks(self);
  for (gsize i = 0; picks->n_atoms >= 2 && i < 2; i++)
    atoms[i] = picks->atoms[picks->n_atoms - 2 + i];
  return picks->n_atoms >= 2;
}

/* The layer of the clicks so far: the next click replaces it. */
static void
remove_unfinished(DebyeWindowDocument *self)
{
  Picks *picks = get_picks(self);
  DebyeWindowScene *scene = debye_window_document_get_scene(self);
  if (picks->layer != NULL)
    debye_scene_remove(debye_window_scene_get_scene(scene), picks->layer);
  g_clear_object(&picks->layer);
}

static gboolean
is_picked(const Picks *picks, guint32 atom)
{
  for (gsize i = 0; i < picks->n_atoms; i++)
    if (picks->atoms[i] == atom)
      return TRUE;
  return FALSE;
}

/* A mark of one atom measures nothing and goes with the picks. */
void
debye_window_measure_forget_picks(DebyeWindowDocument *self)
{
  Picks *picks = get_picks(self);
  if (picks->n_atoms == 1)
    remove_unfinished(self);
  picks->n_atoms = 0;
  g_clear_object(&picks->layer);
}

static void
tell_value(DebyeWindowDocument *self)
{
  const Picks *picks = get_picks(self);
  static const char *const names[] = {[2] = N_("Distance"), [3] = N_("Angle"), [4] = N_("Dihedral")};
  g_autofree char *value = debye_measurement_layer_get_text(DEBYE_MEASUREMENT_LAYER(picks->layer));
  g_autofree char *text = g_strdup_printf("%s: %s", _(names[picks->n_atoms]), value);
  debye_window_toast_news(debye_window_document_get_window(self), text);
}

static void
pick_atom(DebyeWindowDocument *self, guint atom)
{
  DebyeWindowScene *scene = debye_window_document_get_scene(self);
  Picks *picks = get_picks(self);
  if (scene == NULL || is_picked(picks, atom))
    return;
  if (picks->n_atoms == DEBYE_MAX_MEASURED)
    debye_window_measure_forget_picks(self);
  picks->atoms[picks->n_atoms++] = atom;
  remove_unfinished(self);
  DebyeLayer *layer = picks->n_atoms == 1
                          ? debye_window_scene_mark_atom(scene, atom)
                          : debye_window_scene_add_measurement(scene, picks->atoms, picks->n_atoms);
  g_set_object(&picks->layer, layer);
  if (layer != NULL && picks->n_atoms > 1)
    tell_value(self);
}

void
debye_window_measure_set_measuring(DebyeWindowDocument *self, gboolean measuring)
{
  DebyeWindow *window = debye_window_document_get_window(self);
  debye_window_measure_forget_picks(self);
  debye_view_3d_set_measuring(debye_window_get_view(window), measuring);
  debye_window_turn_action(window, "measure", measuring);
  if (measuring)
    debye_window_toast_news(window, _("Click two atoms for a distance, a third for an angle, a fourth for a "
                                      "dihedral"));
}

void
debye_window_measure_add(DebyeWindowDocument *self)
{
  DebyeView3d *view = debye_window_get_view(debye_window_document_get_window(self));
  g_object_set_data_full(G_OBJECT(self), KEY, g_new0(Picks, 1), picks_free);
  g_signal_connect_object(view, "atom-picked", G_CALLBACK(pick_atom), self, G_CONNECT_SWAPPED);
}

/* --- Over time --- */

/* "0,5; 3,4,5" of all measurements in the scene, back to front; NULL: there is none. */
static char *
list_measurements(DebyeWindowScene *scene)
{
  GListModel *layers = debye_scene_get_layers(debye_window_scene_get_scene(scene));
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
debye_window_measure_plot(DebyeWindowComputing *computing)
{
  DebyeWindowDocument *document = debye_window_computing_get_document(computing);
  DebyeWindowScene *scene = debye_window_document_get_scene(document);
  g_autofree char *atoms = scene != NULL ? list_measurements(scene) : NULL;
  if (atoms == NULL) {
    debye_window_toast(debye_window_document_get_window(document),
                       _("Measure something first: press M and click atoms"));
    return;
  }
  g_autofree char *command = g_strdup_printf("measure --atoms '%s'", atoms);
  DebyeAnalysisForm *form = debye_window_computing_fill_form(computing, command);
  debye_window_computing_run_request(computing, debye_analysis_form_get_request(form), NULL);
}
