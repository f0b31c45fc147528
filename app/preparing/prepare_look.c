/* SPDX-License-Identifier: MIT */
/* Implementation of prepare_look.h. */
#include "prepare_look.h"

#include "app/analysis/prepare/prepare_job.h"

typedef struct {
  DebyeTopology *topology;
  DebyeFrame *frame;
  DebyeChargeTable table;
  DebyeRequest *request;
} Looking;

static void
looking_free(gpointer data)
{
  Looking *looking = data;
  g_object_unref(looking->topology);
  debye_frame_unref(looking->frame);
  g_object_unref(looking->request);
  g_free(looking);
}

static void
survey_free(gpointer data)
{
  debye_prepare_survey_clear(data);
  g_free(data);
}

static void
look(GTask *task, gpointer source G_GNUC_UNUSED, gpointer data, GCancellable *cancellable G_GNUC_UNUSED)
{
  const Looking *looking = data;
  DebyePrepareSurvey *survey = g_new0(DebyePrepareSurvey, 1);
  g_autoptr(GError) error = NULL;
  g_autoptr(GPtrArray) ligands = debye_prepare_job_read_ligands(looking->request, &error);
  debye_prepare_survey(looking->topology, looking->frame, looking->table, ligands, survey);
  if (error != NULL && survey->problem == NULL)
    survey->problem = g_strdup(error->message);
  g_task_return_pointer(task, survey, survey_free);
}

void
debye_prepare_look_start(GObject *source, DebyeTopology *topology, DebyeFrame *frame, DebyeRequest *request,
                         GCancellable *cancellable, GAsyncReadyCallback ready)
{
  DebyePrepareJobSettings settings;
  debye_request_fill(request, &settings);
  Looking *looking = g_new0(Looking, 1);
  looking->topology = g_object_ref(topology);
  looking->frame = debye_frame_ref(frame);
  looking->table = settings.table;
  looking->request = debye_request_copy(request);
  g_autoptr(GTask) task = g_task_new(source, cancellable, ready, NULL);
  g_task_set_task_data(task, looking, looking_free);
  g_task_run_in_thread(task, look);
}

DebyePrepareSurvey *
debye_prepare_look_finish(GAsyncResult *result)
{
  return g_task_propagate_pointer(G_TASK(result), NULL);
}
