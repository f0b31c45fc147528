/* SPDX-License-Identifier: MIT */
/* Opens files, sessions and prepared structures on the thread of a job; called by window_opening.c. */
#include "window_opening_private.h"

#include <glib/gi18n.h>

static void
opening_free(gpointer data)
{
  DebyeOpening *opening = data;
  g_strfreev(opening->paths);
  g_strfreev(opening->choices);
  g_clear_object(&opening->counted);
  g_clear_object(&opening->order.request);
  g_clear_pointer(&opening->order.states, g_ptr_array_unref);
  g_clear_object(&opening->order.titrated);
  g_clear_pointer(&opening->devices, debye_devices_unref);
  g_clear_object(&opening->preparation);
  g_clear_object(&opening->existing);
  g_clear_object(&opening->session);
  g_clear_pointer(&opening->scene, g_variant_unref);
  g_clear_pointer(&opening->maps, g_ptr_array_unref);
  g_free(opening);
}

static gboolean
on_open_progress(double fraction, gpointer data)
{
  DebyeJob *job = data;
  debye_job_set_progress(job, fraction);
  return !*debye_job_get_cancel_flag(job);
}

gboolean
debye_opening_is_of_preparation(const DebyeOpening *opening)
{
  return opening->order.request != NULL || opening->preparation != NULL || opening->is_unprepared;
}

static DebyeDocument *
prepare(DebyeJob *job, const DebyeOpening *opening, GError **error)
{
  if (opening->is_unprepared)
    return debye_document_without_preparation(opening->existing, error);
  g_autoptr(DebyePreparation) made =
      opening->preparation != NULL ? g_object_ref(opening->preparation)
                                   : debye_prepare_run(job, debye_document_get_origin(opening->existing),
                                                       &opening->order, opening->devices, error);
  return made != NULL ? debye_document_with_preparation(opening->existing, made, error) : NULL;
}

static DebyeDocument *
open_opening(DebyeJob *job, const DebyeOpening *opening, GError **error)
{
  if (opening->choices != NULL)
    return debye_document_with_elements(opening->existing, (const char *const *)opening->choices, error);
  if (opening->counted != NULL)
    return debye_document_with_counted(opening->existing, opening->counted, error);
  if (debye_opening_is_of_preparation(opening))
    return prepare(job, opening, error);
  debye_job_set_message(job, _("Reading"));
  if (opening->session != NULL)
    return debye_document_open_session(opening->session, on_open_progress, job, error);
  return debye_document_open((const char *const *)opening->paths, opening->existing, on_open_progress, job,
                             error);
}

/* Frames, elements or choices of what counts that join a molecule leave its picture as a person has set it. */
static gpointer
open_document(DebyeJob *job, gpointer data, GError **error)
{
  DebyeOpening *opening = data;
  DebyeDocument *document = open_opening(job, opening, error);
  GPtrArray *layers = document != NULL ? debye_document_get_layers(document) : NULL;
  g_autoptr(GPtrArray) own = layers != NULL ? g_ptr_array_ref(layers) : NULL;
  if (document != NULL && opening->scene != NULL && debye_document_is_continuation(document) &&
      !debye_document_adds_only_maps(document))
    debye_document_restore_scene(document, opening->scene, opening->frame, opening->maps);
  if (own != NULL && debye_opening_is_of_preparation(opening))
    debye_document_fit_layers(document, opening->existing, own);
  return document;
}

DebyeJob *
debye_opening_job_new(const char *title, DebyeOpening *opening)
{
  return debye_job_new(title, open_document, opening, opening_free);
}
