/* SPDX-License-Identifier: MIT */
/* The action “Electrostatic surface”, from the structure to the picture in one step, declared in window_computing.h; called
 * by the window's actions. */
#include "window_computing.h"

#include <glib/gi18n.h>

#include "app/analysis/map/map_electrostatic.h"
#include "data/messages/message.h"
#include "ui/widgets/number_text.h"

#define SETTINGS "win.show-analysis::map"
#define PAGE "win.prepare"

static DebyeWindow *
get_window(DebyeWindowComputing *self)
{
  return debye_window_document_get_window(debye_window_computing_get_document(self));
}

static DebyeAnalysisForm *
get_form(DebyeWindowComputing *self)
{
  return debye_window_analyses_find_form(debye_window_computing_get_analyses(self), "map");
}

/* --- When the map is there --- */

static DebyePreparation *
get_preparation(DebyeWindowComputing *self)
{
  return debye_document_get_preparation(
      debye_window_document_get_document(debye_window_computing_get_document(self)));
}

static char *
describe(DebyeWindowComputing *self, DebyeRequest *request, guint n_atoms)
{
  DebyeDataset *dataset = debye_window_document_get_dataset(debye_window_computing_get_document(self));
  DebyeTopology *topology = debye_dataset_get_topology(dataset);
  const gsize n_all = debye_topology_get_n_counted(topology);
  DebyePreparation *preparation = get_preparation(self);
  g_autofree char *message = debye_map_describe_assumptions(
      request, topology, preparation != NULL ? debye_preparation_name_radii(preparation) : NULL);
  g_autofree char *text = debye_message_translate(message);
  if (n_atoms >= n_all)
    return g_steal_pointer(&text);
  g_autofree char *count = debye_count_text(n_all - n_atoms);
  return g_strdup_printf(ngettext("%s · %s atom left out", "%s · %s atoms left out", n_all - n_atoms), text,
                         count);
}

static void
explain_refusal(DebyeWindowComputing *self)
{
  DebyeWindow *window = get_window(self);
  const char *problem = debye_analysis_form_get_problem(get_form(self));
  debye_window_show_page(window, "analyse");
  if (problem != NULL)
    debye_window_toast_error(window, problem);
}

/* Another structure may have taken the place of the one that it was computed of. */
static gboolean
is_of_document(DebyeWindowComputing *self, DebyeResult *result)
{
  DebyeDataset *dataset = debye_window_document_get_dataset(debye_window_computing_get_document(self));
  const char *const *inputs = debye_result_get_inputs(result);
  return dataset != NULL && inputs != NULL && g_strv_equal(inputs, debye_dataset_get_paths(dataset));
}

static void
show(DebyeWindowComputing *self, DebyeResult *result)
{
  if (result == NULL) {
    explain_refusal(self);
    return;
  }
  DebyeWindowScene *scene = debye_window_document_get_scene(debye_window_computing_get_document(self));
  g_autoptr(DebyeField) field = g_list_model_get_item(debye_result_get_fields(result), 0);
  if (scene == NULL || field == NULL || !is_of_document(self, result))
    return;
  DebyeRequest *request = debye_result_get_request(result);
  const char *selection = debye_request_find_set(request, "select");
  DebyeLayer *layer = debye_window_scene_show_electrostatic(scene, field, selection);
  guint n_atoms = 0;
  if (layer != NULL)
    g_object_get(layer, "n-shown", &n_atoms, NULL);
  g_autofree char *line = describe(self, request, n_atoms);
  DebyePreparation *preparation = get_preparation(self);
  g_autofree char *prepared = preparation != NULL ? debye_preparation_describe(preparation) : NULL;
  g_autofree char *both = prepared != NULL ? g_strdup_printf("%s\n%s", prepared, line) : NULL;
  if (both != NULL)
    debye_window_toast_with_action(get_window(self), both, _("Prepared…"), PAGE);
  else
    debye_window_toast_with_action(get_window(self), line, _("Settings"), SETTINGS);
}

/* --- The action --- */

/* One frame's potential in kT/e, of the frame that is shown. */
static gboolean
fill_in(DebyeWindowComputing *self, DebyeAnalysisForm *form)
{
  DebyeWindowDocument *document = debye_window_computing_get_document(self);
  DebyeRequest *request = debye_analysis_form_get_request(form);
  DebyeFrame *frame = debye_window_scene_get_file_frame(debye_window_document_get_scene(document));
  const gboolean is_series = debye_window_document_count_frames(document) > 1 && frame != NULL;
  g_autofree char *number = is_series ? g_strdup_printf("%" G_GSIZE_FORMAT, frame->index) : NULL;
  DebyeTopology *topology = debye_dataset_get_topology(debye_window_document_get_dataset(document));
  const char *solute = debye_map_suggest_solute(topology);
  if (g_strcmp0(debye_request_get(request, "method"), "pb") != 0)
    debye_window_computing_fill_form(self, "map --method pb");
  if (!debye_request_is_set(request, "select") && !g_str_equal(solute, "solute"))
    debye_request_set(request, "select", solute, NULL);
  return debye_request_set(request, "unit", NULL, NULL) &&
         debye_request_set(request, "statistic", NULL, NULL) &&
         debye_request_set(request, "blocks", NULL, NULL) &&
         debye_request_set(request, "frames", number, NULL);
}

void
debye_window_electrostatic_show(DebyeWindowComputing *self)
{
  g_return_if_fail(DEBYE_IS_WINDOW_COMPUTING(self));
  DebyeAnalysisForm *form = get_form(self);
  if (form != NULL && fill_in(self, form))
    debye_window_computing_run_form_for(self, form, show);
}
