/* SPDX-License-Identifier: MIT */
/* Implementation of map_series.h. */
#include "map_series.h"

#include <glib/gstdio.h>
#include <string.h>

#include "app/analysis/analysis_list.h"
#include "app/analysis/map/map_settings.h"
#include "fake_backend.h"
#include "kernels/cpu/backend_cpu.h"
#include "plans.h"

void
debye_map_series_replace(DebyeMapSeries *self, const char *frames)
{
  g_autoptr(GError) error = NULL;
  g_clear_object(&self->dataset);
  g_assert_true(g_file_set_contents(self->trajectory, frames, -1, NULL));
  self->dataset =
      debye_dataset_open((const char *const[]){self->structure, self->trajectory, NULL}, NULL, NULL, &error);
  g_assert_no_error(error);
}

void
debye_map_series_init(DebyeMapSeries *self, int n_devices, const char *pqr, const char *suffix,
                      const char *frames)
{
  g_autofree char *moving = g_strconcat("moving.", suffix, NULL);
  self->folder = g_dir_make_tmp("debye-series-XXXXXX", NULL);
  self->structure = g_build_filename(self->folder, "still.pqr", NULL);
  self->trajectory = g_build_filename(self->folder, moving, NULL);
  g_assert_true(g_file_set_contents(self->structure, pqr, -1, NULL));
  debye_map_series_replace(self, frames);
  debye_fake_reset(n_devices);
  self->registry = debye_registry_new(&debye_backend_cpu, NULL);
  debye_registry_add(self->registry, &debye_fake_backend);
}

void
debye_map_series_clear(DebyeMapSeries *self)
{
  for (int i = 0; i < DEBYE_FAKE_MAX_DEVICES; i++)
    g_assert_cmpuint(atomic_load(&debye_fake_device(i)->n_plans), ==, 0);
  g_clear_object(&self->dataset);
  debye_registry_free(self->registry);
  g_unlink(self->structure);
  g_unlink(self->trajectory);
  g_rmdir(self->folder);
  g_free(self->folder);
  g_free(self->structure);
  g_free(self->trajectory);
}

DebyeRequest *
debye_map_series_ask(const char *device, const char *const *common, const char *const *more)
{
  DebyeRequest *request = debye_request_new(&debye_map_settings);
  g_autoptr(GError) error = NULL;
  debye_request_set(request, "device", device, &error);
  g_assert_no_error(error);
  for (const char *const *list = common; list != NULL; list = list == common ? more : NULL)
    for (const char *const *pair = list; *pair != NULL; pair += 2) {
      debye_request_set(request, pair[0], pair[1], &error);
      g_assert_no_error(error);
    }
  return request;
}

DebyeResult *
debye_map_series_run(const DebyeMapSeries *self, DebyeRequest *request, const DebyeRunCallbacks *callbacks,
                     GError **error)
{
  const DebyeRunInput input = {
      .dataset = self->dataset, .request = request, .registry = self->registry, .callbacks = callbacks};
  return plan_and_run(&debye_analysis_map, &input, error);
}

gboolean
debye_map_series_has_note(DebyeResult *result, const char *part)
{
  GPtrArray *notes = debye_result_get_notes(result);
  for (guint i = 0; i < notes->len; i++)
    if (strstr(((const DebyeNote *)g_ptr_array_index(notes, i))->sentence, part) != NULL)
      return TRUE;
  return FALSE;
}
