/* SPDX-License-Identifier: MIT */
/* Finds and describes what closing a window would lose; called by window_session.c and window_quit.c. */
#include "window_unsaved.h"

#include <glib/gi18n.h>

#include "app/document/map_file.h"
#include "app/document/session_save.h"
#include "data/messages/message.h"
#include "ui/widgets/number_text.h"
#include "window_controller_private.h"

/* What a question has room for. */
#define MAX_LISTED 5

/* A recovered result lies among what is kept for a crash, which is no file of the user's. */
static gboolean
is_own_file(GObject *opened)
{
  const char *path = debye_map_file_get_path(opened);
  return path != NULL && !debye_recovery_has_path(path);
}

static gboolean
is_unsaved(DebyeWindowController *controller, DebyeResult *result)
{
  GPtrArray *opened = debye_document_get_maps(controller->document);
  const char *session = debye_window_session_get_path(controller->session);
  if (g_ptr_array_find(opened, result, NULL) && is_own_file(G_OBJECT(result)))
    return FALSE;
  return !debye_session_results_has_file(result, session);
}

static void
add_line(GString *list, DebyeResult *result)
{
  g_autofree char *title = debye_message_translate(debye_result_get_title_message(result));
  g_autofree char *duration = debye_duration_text(debye_result_get_wall_time(result));
  g_string_append_printf(list, "\n• %s (%s)", title, duration);
}

static void
add_result(DebyeUnsaved *unsaved, GString *list, DebyeResult *result)
{
  unsaved->n_results++;
  unsaved->seconds += debye_result_get_wall_time(result);
  if (unsaved->n_results <= MAX_LISTED)
    add_line(list, result);
}

void
debye_unsaved_find(DebyeUnsaved *unsaved, DebyeWindowController *controller)
{
  GListModel *results = G_LIST_MODEL(controller->results);
  GString *list = g_string_new(NULL);
  *unsaved = (DebyeUnsaved){.is_modified = debye_window_session_is_modified(controller->session)};
  for (guint i = 0; controller->document != NULL && i < g_list_model_get_n_items(results); i++) {
    g_autoptr(DebyeResult) result = g_list_model_get_item(results, i);
    if (is_unsaved(controller, result))
      add_result(unsaved, list, result);
  }
  if (unsaved->n_results > MAX_LISTED)
    g_string_append_printf(list, "\n• %s", _("and others"));
  unsaved->list = g_string_free(list, FALSE);
}

void
debye_unsaved_clear(DebyeUnsaved *unsaved)
{
  g_clear_pointer(&unsaved->list, g_free);
}

gboolean
debye_unsaved_is_nothing(const DebyeUnsaved *unsaved)
{
  return unsaved->n_results == 0 && !unsaved->is_modified;
}

static char *
describe_results(const DebyeUnsaved *unsaved)
{
  g_autofree char *duration = debye_duration_text(unsaved->seconds);
  g_autofree char *count = debye_count_text(unsaved->n_results);
  g_autofree char *sentence =
      unsaved->n_results == 1
          ? g_strdup_printf(_("One result is not saved. It took %s to compute."), duration)
          : g_strdup_printf(_("%s results are not saved. They took %s to compute."), count, duration);
  return g_strconcat(sentence, unsaved->list, NULL);
}

char *
debye_unsaved_describe(const DebyeUnsaved *unsaved)
{
  g_autofree char *results = unsaved->n_results > 0 ? describe_results(unsaved) : NULL;
  const char *changes = unsaved->is_modified ? _("The session has changed since it was saved.") : NULL;
  return g_strconcat(results != NULL ? results : "", results != NULL && changes != NULL ? "\n" : "",
                     changes != NULL ? changes : "", NULL);
}
