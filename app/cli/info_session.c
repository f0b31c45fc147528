/* SPDX-License-Identifier: MIT */
/* Describes a session in a few lines; called by command_info.c. */
#include "info_report.h"

#include <stdio.h>
#include <string.h>

#include "app/analysis/analysis_list.h"
#include "cli_progress.h"
#include "data/results/result.h"
#include "interrupt.h"
#include "app/document/json_reader.h"
#include "app/document/json_writer.h"
#include "app/document/session.h"

/* --- Files --- */

static gboolean
is_moved(const DebyeSessionFile *file)
{
  return file->saved_path != NULL && strcmp(file->path, file->saved_path) != 0;
}

static const char *
get_state(const DebyeSessionFile *file)
{
  switch (file->state) {
  case DEBYE_SESSION_FILE_MISSING:
    return "missing";
  case DEBYE_SESSION_FILE_OTHER_SIZE:
  case DEBYE_SESSION_FILE_OTHER_CONTENT:
    return "changed";
  case DEBYE_SESSION_FILE_THERE:
  default:
    return is_moved(file) ? "moved" : "ok";
  }
}

/* Of the result that a file is; NULL: it is none, or of an analysis that this version doesn't know. */
static const char *
find_analysis(const DebyeSessionFile *file)
{
  if (file->state == DEBYE_SESSION_FILE_MISSING || debye_field_probe(file->path) != DEBYE_MAP_FILE_RESULT)
    return NULL;
  g_autoptr(DebyeRequest) request =
      debye_result_load_request(file->path, debye_analysis_find_table, NULL, NULL);
  return request != NULL ? debye_request_get_table(request)->id : NULL;
}

/* FALSE after Ctrl-C. */
static gboolean
check_files(DebyeSession *session, DebyeArguments *arguments, GStrvBuilder *warnings)
{
  const guint n_files = debye_session_get_n_files(session);
  DebyeCliProgress progress;
  debye_cli_progress_init(&progress, arguments, "checking");
  for (guint i = 0; i < n_files && !debye_interrupt_came(); i++) {
    debye_session_check_file(session, i, NULL);
    g_autofree char *difference = debye_session_file_describe(debye_session_get_file(session, i));
    if (difference != NULL) {
      g_autofree char *name = g_path_get_basename(debye_session_get_file(session, i)->path);
      g_autofree char *warning = g_strdup_printf("%s: %s", name, difference);
      g_strv_builder_add(warnings, warning);
    }
    debye_cli_progress_update((double)(i + 1) / n_files, NULL, &progress);
  }
  debye_cli_progress_end(&progress);
  return !debye_interrupt_came();
}

/* --- Values --- */

/* The members of a list of objects; NULL where one is none, or at the end. */
static GVariant *
get_member(GVariant *list, gsize i)
{
  if (list == NULL || i >= g_variant_n_children(list))
    return NULL;
  g_autoptr(GVariant) boxed = g_variant_get_child_value(list, i);
  return g_variant_get_variant(boxed);
}

static GVariant *
get_of_scene(DebyeSession *session, const char *key)
{
  g_autoptr(GVariant) scene =
      debye_json_get(debye_session_get_values(session), "scene", G_VARIANT_TYPE_VARDICT);
  return scene != NULL ? debye_json_get(scene, key, G_VARIANT_TYPE("av")) : NULL;
}

static gboolean
is_visible(GVariant *properties)
{
  g_autoptr(GVariant) visible =
      properties != NULL ? debye_json_get(properties, "visible", G_VARIANT_TYPE_BOOLEAN) : NULL;
  return visible == NULL || g_variant_get_boolean(visible);
}

/* The line that a form would copy; NULL: this version knows no such analysis. */
static char *
make_command(const char *id, GVariant *settings)
{
  const DebyeSettingTable *table = debye_analysis_find_table(id);
  if (table == NULL)
    return NULL;
  g_autoptr(DebyeRequest) request = debye_request_new(table);
  for (gsize i = 0; i < table->n_settings; i++) {
    g_autofree char *value = debye_json_get_text(settings, table->settings[i].key);
    if (value != NULL)
      debye_request_set(request, table->settings[i].key, value, NULL);
  }
  return debye_request_to_command(request, NULL, NULL);
}

static int
compare_names(const void *a, const void *b)
{
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The analyses of which something is set, in the order of their names. */
static char **
list_analyses(GVariant *forms)
{
  g_autoptr(GPtrArray) ids = g_ptr_array_new();
  GVariantIter iter;
  const char *id;
  GVariant *settings;
  g_variant_iter_init(&iter, forms);
  while (forms != NULL && g_variant_iter_loop(&iter, "{&sv}", &id, &settings))
    if (g_variant_is_of_type(settings, G_VARIANT_TYPE_VARDICT) && g_variant_n_children(settings) > 0)
      g_ptr_array_add(ids, g_strdup(id));
  g_ptr_array_sort(ids, compare_names);
  g_ptr_array_add(ids, NULL);
  return (char **)g_ptr_array_free(g_steal_pointer(&ids), FALSE);
}

/* --- JSON --- */

static void
add_files(DebyeJson *json, DebyeSession *session)
{
  debye_json_open(json, "files", '[');
  for (guint i = 0; i < debye_session_get_n_files(session); i++) {
    const DebyeSessionFile *file = debye_session_get_file(session, i);
    debye_json_open(json, NULL, '{');
    debye_json_string(json, "path", file->path);
    debye_json_string(json, "state", get_state(file));
    debye_json_string(json, "saved_path", file->saved_path);
    if (file->is_unseen)
      debye_json_null(json, "size");
    else
      debye_json_integer(json, "size", (gint64)file->size);
    debye_json_string(json, "sha256", *file->sha256 != '\0' ? file->sha256 : NULL);
    debye_json_string(json, "sha256_of", file->of_ends ? "first and last MiB" : "all");
    debye_json_string(json, "analysis", find_analysis(file));
    debye_json_close(json, '}');
  }
  debye_json_close(json, ']');
}

static void
add_text(DebyeJson *json, const char *key, GVariant *object)
{
  g_autofree char *text = object != NULL ? debye_json_get_text(object, key) : NULL;
  debye_json_string(json, key, text);
}

static void
add_layers(DebyeJson *json, GVariant *layers)
{
  debye_json_open(json, "layers", '[');
  for (gsize i = 0; layers != NULL && i < g_variant_n_children(layers); i++) {
    g_autoptr(GVariant) layer = get_member(layers, i);
    if (!g_variant_is_of_type(layer, G_VARIANT_TYPE_VARDICT))
      continue;
    g_autoptr(GVariant) properties = debye_json_get(layer, "properties", G_VARIANT_TYPE_VARDICT);
    debye_json_open(json, NULL, '{');
    add_text(json, "kind", layer);
    add_text(json, "name", properties);
    debye_json_boolean(json, "visible", is_visible(properties));
    add_text(json, "selection", layer);
    add_text(json, "source", layer);
    debye_json_close(json, '}');
  }
  debye_json_close(json, ']');
}

static void
add_analyses(DebyeJson *json, GVariant *forms)
{
  g_auto(GStrv) ids = list_analyses(forms);
  debye_json_open(json, "analyses", '[');
  for (char **id = ids; *id != NULL; id++) {
    g_autoptr(GVariant) settings = debye_json_get(forms, *id, G_VARIANT_TYPE_VARDICT);
    g_autofree char *command = make_command(*id, settings);
    debye_json_open(json, NULL, '{');
    debye_json_string(json, "id", *id);
    debye_json_value(json, "settings", settings);
    debye_json_string(json, "command_line", command);
    debye_json_close(json, '}');
  }
  debye_json_close(json, ']');
}

static void
print_json(DebyeSession *session, GVariant *layers, GVariant *forms, gsize n_views,
           const char *const *warnings)
{
  const char *const format[] = {"session", NULL};
  g_auto(DebyeJson) json = debye_json_begin();
  debye_json_strings(&json, "format", format);
  debye_json_string(&json, "program", debye_session_get_program(session));
  add_files(&json, session);
  debye_json_integer(&json, "frame", debye_json_get_integer(debye_session_get_values(session), "frame", 0));
  add_layers(&json, layers);
  debye_json_integer(&json, "views", (gint64)n_views);
  add_analyses(&json, forms);
  debye_json_strings(&json, "warnings", warnings);
  debye_json_print(&json);
}

/* --- For people --- */

static void
print_file(const DebyeSessionFile *file)
{
  const char *analysis = find_analysis(file);
  g_autofree char *path = debye_cli_make_printable(file->path, -1);
  printf("  %-11s %s", get_state(file), path);
  if (analysis != NULL)
    printf(" (result of %s)", analysis);
  if (file->state == DEBYE_SESSION_FILE_THERE && is_moved(file)) {
    g_autofree char *saved = debye_cli_make_printable(file->saved_path, -1);
    printf(", was %s", saved);
  }
  printf("\n");
}

static void
print_layer(GVariant *layer)
{
  g_autoptr(GVariant) properties = debye_json_get(layer, "properties", G_VARIANT_TYPE_VARDICT);
  g_autofree char *kind = debye_json_get_text(layer, "kind"),
                  *selection = debye_json_get_text(layer, "selection"),
                  *source = debye_json_get_text(layer, "source"),
                  *name = properties != NULL ? debye_json_get_text(properties, "name") : NULL;
  g_autoptr(GString) text = g_string_new(name);
  if (selection != NULL)
    g_string_append_printf(text, "%s“%s”", text->len > 0 ? ", of " : "of ", selection);
  if (source != NULL)
    g_string_append_printf(text, "%sof %s", text->len > 0 ? ", " : "", source);
  if (!is_visible(properties))
    g_string_append(text, text->len > 0 ? ", hidden" : "hidden");
  g_autofree char *shown_kind = debye_cli_make_printable(kind != NULL ? kind : "", -1);
  g_autofree char *shown = debye_cli_make_printable(text->str, (gssize)text->len);
  printf("  %-11s %s\n", shown_kind, shown);
}

static void
print_layers(GVariant *layers)
{
  const gsize n = layers != NULL ? g_variant_n_children(layers) : 0;
  printf("Layers        %" G_GSIZE_FORMAT "\n", n);
  for (gsize i = 0; i < n; i++) {
    g_autoptr(GVariant) layer = get_member(layers, i);
    if (g_variant_is_of_type(layer, G_VARIANT_TYPE_VARDICT))
      print_layer(layer);
  }
}

static void
print_analyses(GVariant *forms)
{
  g_auto(GStrv) ids = list_analyses(forms);
  printf("Analyses      %u with settings of their own\n", g_strv_length(ids));
  for (char **id = ids; *id != NULL; id++) {
    g_autoptr(GVariant) settings = debye_json_get(forms, *id, G_VARIANT_TYPE_VARDICT);
    g_autofree char *command = make_command(*id, settings);
    g_autofree char *name = debye_cli_make_printable(*id, -1);
    g_autofree char *shown =
        debye_cli_make_printable(command != NULL ? command : "not known to this version", -1);
    printf("  %-11s %s\n", name, shown);
  }
}

static void
print_session(const char *path, DebyeSession *session, GVariant *layers, GVariant *forms, gsize n_views)
{
  g_autofree char *program = debye_cli_make_printable(
      debye_session_get_program(session) ? debye_session_get_program(session) : "?", -1);
  printf("File          %s (session, saved by Debye %s)\n", path, program);
  printf("Files         %u\n", debye_session_get_n_files(session));
  for (guint i = 0; i < debye_session_get_n_files(session); i++)
    print_file(debye_session_get_file(session, i));
  printf("Frame         %" G_GINT64_FORMAT "\n",
         debye_json_get_integer(debye_session_get_values(session), "frame", 0));
  print_layers(layers);
  printf("Views kept    %" G_GSIZE_FORMAT "\n", n_views);
  print_analyses(forms);
}

gboolean
debye_info_session_tell(DebyeArguments *arguments, const char *path, GError **error)
{
  if (debye_arguments_get_files(arguments)[1] != NULL)
    return debye_usage_refuse(error, "info: %s is a session: expected it alone, found other files", path);
  g_autoptr(DebyeSession) session = debye_session_load(path, error);
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
  if (session == NULL || !check_files(session, arguments, builder))
    return FALSE;
  g_auto(GStrv) warnings = g_strv_builder_end(builder);
  if (!debye_cli_warn(arguments, (const char *const *)warnings, error))
    return FALSE;
  g_autoptr(GVariant) layers = get_of_scene(session, "layers");
  g_autoptr(GVariant) views = get_of_scene(session, "views");
  g_autoptr(GVariant) forms =
      debye_json_get(debye_session_get_values(session), "forms", G_VARIANT_TYPE_VARDICT);
  const gsize n_views = views != NULL ? g_variant_n_children(views) : 0;
  if (debye_arguments_get_options(arguments).json)
    print_json(session, layers, forms, n_views, (const char *const *)warnings);
  else
    print_session(path, session, layers, forms, n_views);
  return TRUE;
}
