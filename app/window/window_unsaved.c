/* SPDX-License-Identifier: MIT */
/* Finds and describes what closing a window would lose; called by window_session.c. */
#include "window_unsaved.h"

#include <glib/gi18n.h>

#include "app/document/json_reader.h"
#include "app/document/map_file.h"
#include "app/document/recovery.h"
#include "app/document/session_save.h"
#include "data/messages/message.h"
#include "kernels/ladder/ladder.h"
#include "ui/widgets/number_text.h"
#include "window_classroom.h"

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
is_unsaved(DebyeDocument *document, const char *session, DebyeResult *result)
{
  GPtrArray *opened = debye_document_get_maps(document);
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

/* Code other than the shipped kernel that it is a copy of; what was measured, swept or guessed. */
static void
look_at_lessons(DebyeUnsaved *unsaved, DebyeWindowDocument *document)
{
  g_autoptr(GVariant) kept = g_variant_ref_sink(debye_window_classroom_save(document));
  GVariantIter lessons;
  GVariant *lesson;
  g_variant_iter_init(&lessons, kept);
  while (g_variant_iter_loop(&lessons, "{sv}", NULL, &lesson)) {
    g_autofree char *base = debye_json_get_text(lesson, "base"), *code = debye_json_get_text(lesson, "code");
    g_autoptr(GVariant) steps = debye_json_get(lesson, "steps", G_VARIANT_TYPE_VARDICT),
                        measured = debye_json_get(lesson, "measured", G_VARIANT_TYPE_VARDICT),
                        ours = debye_json_get(lesson, "ours", G_VARIANT_TYPE_VARDICT),
                        sweep = debye_json_get(lesson, "sweep", G_VARIANT_TYPE_VARDICT);
    unsaved->has_code |= g_strcmp0(code, base != NULL ? debye_ladder_source_text(base) : NULL) != 0;
    unsaved->has_lessons |= steps != NULL || measured != NULL || ours != NULL || sweep != NULL;
  }
}

void
debye_unsaved_find(DebyeUnsaved *unsaved, DebyeWindowDocument *document, const char *session,
                   gboolean is_modified)
{
  DebyeDocument *opened = debye_window_document_get_document(document);
  GListModel *results = debye_window_document_get_results(document);
  GString *list = g_string_new(NULL);
  *unsaved = (DebyeUnsaved){.is_modified = is_modified};
  if (session == NULL && debye_window_document_has_content(document))
    look_at_lessons(unsaved, document);
  for (guint i = 0; opened != NULL && i < g_list_model_get_n_items(results); i++) {
    g_autoptr(DebyeResult) result = g_list_model_get_item(results, i);
    if (is_unsaved(opened, session, result))
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
  return unsaved->n_results == 0 && !unsaved->is_modified && !unsaved->has_code && !unsaved->has_lessons;
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
  const char *changes = unsaved->is_modified ? _("The session has changed since it was saved.")
                        : unsaved->has_code  ? _("The kernel that was edited in the class room is not saved.")
                        : unsaved->has_lessons ? _("The measurements of the class room are not saved.")
                                               : NULL;
  return g_strconcat(results != NULL ? results : "", results != NULL && changes != NULL ? "\n" : "",
                     changes != NULL ? changes : "", NULL);
}
