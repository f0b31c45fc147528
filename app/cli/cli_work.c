/* SPDX-License-Identifier: MIT */
/* Steps that several commands share: opening files, running an analysis, saving results. */
#include "cli_work.h"

#include <gio/gio.h>
#include <string.h>

#include "app/analysis/driver/dataset_choice.h"
#include "app/analysis/ions/ion_structure.h"
#include "data/files/error.h"
#include "app/scene/layer_text.h"
#include "data/settings/setting_file.h"
#include "data/work/parts.h"
#include "figure_settings.h"
#include "interrupt.h"
#include "plot_output.h"
#include "process_ranks.h"
#include "render/plot/plot_cairo.h"
#include "render/plot/plot_text.h"

gboolean
debye_cli_watch(double fraction, gpointer data)
{
  debye_cli_progress_update(fraction, NULL, data);
  return !debye_interrupt_came();
}

static gboolean
choose_elements(DebyeDataset **dataset, const char *const *choices, GError **error)
{
  if (*choices == NULL)
    return TRUE;
  DebyeDataset *chosen = debye_dataset_with_elements(*dataset, choices, error);
  if (chosen == NULL)
    return FALSE;
  g_object_unref(*dataset);
  *dataset = chosen;
  return TRUE;
}

const char *
debye_cli_get_device(DebyeRequest *request)
{
  return debye_request_find(request, "device");
}

/* A request that comes from a result has choices of its own: of elements, alternate locations, the cell. */
static DebyeDataset *
choose_requested(DebyeDataset *dataset, DebyeRequest *request, GError **error)
{
  const char *asked = debye_request_find_set(request, "element");
  g_autoptr(DebyeDataset) chosen = g_object_ref(dataset);
  g_auto(GStrv) choices = asked != NULL ? debye_setting_split_values(asked) : NULL;
  if (choices != NULL && !choose_elements(&chosen, (const char *const *)choices, error))
    return NULL;
  return debye_dataset_choose(chosen, request, NULL, error);
}

/* By the command's own settings, whose defaults may be others than a dataset's. */
static gboolean
choose_counted(DebyeDataset **dataset, DebyeRequest *request, GError **error)
{
  DebyeDataset *chosen = debye_dataset_with_choices(*dataset, debye_request_find(request, "altloc"),
                                                    debye_request_find(request, "cell"), error);
  DebyeDataset *in_unit =
      chosen != NULL
          ? debye_dataset_with_length_unit(chosen, debye_request_find(request, "length-unit"), error)
          : NULL;
  g_clear_object(&chosen);
  if (in_unit == NULL)
    return FALSE;
  g_object_unref(*dataset);
  *dataset = in_unit;
  return TRUE;
}

/* Reading and finding bonds, too, take no more threads than the command is given. */
static void
limit_threads(DebyeRequest *request)
{
  if (debye_request_find(request, "threads") != NULL)
    debye_parts_limit_threads((guint)debye_request_get_integer(request, "threads"));
}

/* What was computed here is opened like any other file, by those who don't know the option that takes it. */
static void
explain_results(const char *const *paths, GError **error)
{
  if (error == NULL || !g_error_matches(*error, DEBYE_ERROR, DEBYE_ERROR_UNKNOWN))
    return;
  for (gsize i = 0; paths[i] != NULL; i++) {
    g_autofree char *analysis =
        g_str_has_suffix(paths[i], ".h5") ? debye_result_load_analysis(paths[i], NULL) : NULL;
    if (analysis == NULL)
      continue;
    g_autofree char *name = debye_error_name_file(paths[i]);
    g_clear_error(error);
    debye_error_set(error, DEBYE_ERROR_UNKNOWN,
                    "%s: expected atoms, found a result of debye-cli %s: draw its map with render --map, its "
                    "curves with render --plot",
                    name, analysis);
    return;
  }
}

DebyeDataset *
debye_cli_open_for(DebyeArguments *arguments, DebyeRequest *request, const char *const *paths, GError **error)
{
  DebyeCliProgress progress;
  debye_cli_progress_init(&progress, arguments, "opening");
  limit_threads(request);
  const DebyeStage before = debye_stages_enter(debye_arguments_get_stages(arguments), DEBYE_STAGE_OPEN);
  g_autoptr(DebyeDataset) dataset = debye_dataset_open(paths, debye_cli_watch, &progress, error);
  debye_stages_enter(debye_arguments_get_stages(arguments), before);
  debye_cli_progress_end(&progress);
  if (dataset == NULL)
    explain_results(paths, error);
  if (dataset == NULL || !choose_elements(&dataset, debye_arguments_get_list(arguments, "element"), error) ||
      !choose_counted(&dataset, request, error) ||
      !debye_cli_warn(arguments, debye_dataset_get_warnings(dataset), error))
    return NULL;
  return g_steal_pointer(&dataset);
}

DebyeDataset *
debye_cli_open(DebyeArguments *arguments, const char *const *paths, GError **error)
{
  return debye_cli_open_for(arguments, debye_arguments_get_request(arguments), paths, error);
}

gboolean
debye_cli_warn_of_fonts(DebyeArguments *arguments, GError **error)
{
  static const char *const warnings[] = {"this machine has no font, so texts of pictures are drawn as boxes; "
                                         "install one, as Debian's fonts-cantarell",
                                         NULL};
  static gboolean is_told;
  if (is_told || debye_plot_text_has_fonts())
    return TRUE;
  is_told = TRUE;
  return debye_cli_warn(arguments, warnings, error);
}

gboolean
debye_cli_warn_of_result(DebyeArguments *arguments, DebyeResult *result, GError **error)
{
  g_autoptr(GPtrArray) warnings = g_ptr_array_new();
  GPtrArray *notes = debye_result_get_notes(result);
  for (guint i = 0; i < notes->len; i++) {
    const DebyeNote *note = g_ptr_array_index(notes, i);
    if (debye_note_is_warning(note))
      g_ptr_array_add(warnings, (gpointer)note->text);
  }
  g_ptr_array_add(warnings, NULL);
  return debye_cli_warn(arguments, (const char *const *)warnings->pdata, error);
}

/* "--charges auto|file|amber", "--volume": an option and, of a choice, what it takes. */
static char *
describe_option(const DebyeSetting *setting)
{
  GString *words = g_string_new("--");
  g_string_append(words, setting->key);
  if (setting->kind != DEBYE_SETTING_CHOICE)
    return g_string_free(words, FALSE);
  for (const DebyeChoice *choice = setting->choices; choice->value != NULL; choice++)
    g_string_append_printf(words, "%c%s", choice > setting->choices ? '|' : ' ', choice->value);
  return g_string_free(words, FALSE);
}

/* What has to be given, or given otherwise, has a label, which is a row of the window: here it is an option, so
 * "Charges: …" becomes "Charges (--charges auto|file|amber|charmm): …". */
static void
name_option(const DebyeSettingTable *table, GError *error)
{
  const char *label = debye_error_get_setting(error);
  for (gsize i = 0; label != NULL && i < table->n_settings; i++) {
    const DebyeSetting *setting = &table->settings[i];
    if (!g_str_equal(setting->label, label))
      continue;
    g_autofree char *whole = error->message, *option = describe_option(setting);
    error->message = g_strdup_printf("%s (%s): %s", label, option, debye_error_get_text(error));
    return;
  }
}

DebyeResult *
debye_cli_analyse(DebyeArguments *arguments, const DebyeAnalysis *analysis, DebyeDataset *dataset,
                  DebyeRequest *request, const DebyeRegistry *registry, GError **error)
{
  DebyeCliProgress progress;
  debye_cli_progress_init(&progress, arguments, analysis->table->id);
  DebyeRunCallbacks callbacks = {
      .cancel = debye_interrupt_flag(),
      .progress = debye_cli_progress_update,
      .data = &progress,
      .stages = debye_arguments_get_stages(arguments),
  };
  g_autoptr(DebyeDataset) chosen = choose_requested(dataset, request, error);
  if (chosen == NULL)
    return NULL;
  const DebyeRanks ranks = debye_process_ranks_get();
  debye_stages_enter(callbacks.stages, DEBYE_STAGE_PLAN);
  g_autoptr(DebyePlan) plan = debye_plan_new(analysis, chosen, request);
  GError *refusal = NULL;
  g_autoptr(DebyeResult) result = debye_plan_run(plan, registry, &callbacks, &ranks, &refusal);
  debye_cli_progress_end(&progress);
  if (g_error_matches(refusal, DEBYE_ERROR, DEBYE_ERROR_MISSING) ||
      g_error_matches(refusal, DEBYE_ERROR, DEBYE_ERROR_SETTING))
    name_option(analysis->table, refusal);
  if (refusal != NULL)
    g_propagate_error(error, refusal);
  if (result == NULL)
    return NULL;
  debye_dataset_choice_add_notes(chosen, result);
  return debye_cli_warn_of_result(arguments, result, error) ? g_steal_pointer(&result) : NULL;
}

static gboolean
has_ending(const char *path, const char *const *endings)
{
  for (; *endings != NULL; endings++) {
    gsize length = strlen(path), ending = strlen(*endings);
    if (length > ending && g_ascii_strcasecmp(path + length - ending, *endings) == 0)
      return TRUE;
  }
  return FALSE;
}

gboolean
debye_cli_check_outputs(const char *const *outputs, const char *const *endings, GError **error)
{
  g_autofree char *expected = g_strjoinv(", ", (char **)endings);
  for (; *outputs != NULL; outputs++) {
    g_autofree char *folder = g_path_get_dirname(*outputs);
    if (!has_ending(*outputs, endings))
      return debye_usage_refuse(error, "%s: expected a name that ends in one of %s", *outputs, expected);
    if (!g_file_test(folder, G_FILE_TEST_IS_DIR))
      return debye_error_set(error, DEBYE_ERROR_WRITE, "%s: can't be written: there is no folder %s",
                             *outputs, folder);
  }
  return TRUE;
}

/* --- How a picture was made --- */

/* Where and with what it is computed, what is told of it, and what was taken from files of settings. */
static const char *const passing[] = {"output",     "json",  "progress", "quiet",   "strict", "config",
                                      "help",       "scene", "device",   "threads", "memory", "timing",
                                      "provenance", "rate",  "continue", NULL};

/* "Pair distribution: water.psf, water.xtc". */
static char *
make_title(DebyeArguments *arguments)
{
  const DebyeSettingTable *table = debye_request_get_table(debye_arguments_get_request(arguments));
  GString *title = g_string_new(table->title);
  const char *const *files = debye_arguments_get_files(arguments);
  for (gsize i = 0; files[i] != NULL; i++) {
    g_autofree char *name = g_filename_display_basename(files[i]);
    g_string_append_printf(title, "%s%s", i > 0 ? ", " : ": ", name);
  }
  return g_string_free(title, FALSE);
}

static gboolean
has_input(const DebyePictureOrigin *origin, const char *path)
{
  for (guint i = 0; i < origin->inputs->len; i++)
    if (strcmp(((const DebyeInputRecord *)origin->inputs->pdata[i])->path, path) == 0)
      return TRUE;
  return FALSE;
}

/* Each once; names of no file are texts of another meaning. */
static gboolean
add_files(DebyePictureOrigin *origin, const char *const *files, GError **error)
{
  for (; *files != NULL; files++)
    if (g_file_test(*files, G_FILE_TEST_IS_REGULAR) && !has_input(origin, *files) &&
        !debye_picture_origin_add_input(origin, *files, error))
      return FALSE;
  return TRUE;
}

static gboolean
add_panel_files(DebyePictureOrigin *origin, const char *operand, GError **error)
{
  g_autofree char *panel = g_strdup(operand);
  const char *const style[] = {debye_figure_split_style(panel), NULL};
  g_auto(GStrv) files = debye_figure_split_files(panel);
  for (char **file = files; *file != NULL; file++)
    debye_figure_split_quantity(*file);
  return add_files(origin, (const char *const *)files, error) && add_files(origin, style, error);
}

static void
list_layer_files(const char *line, GStrvBuilder *files)
{
  g_autoptr(DebyeLayerText) text = debye_layer_text_parse(line, NULL);
  if (text != NULL)
    debye_layer_text_list_files(text, files);
}

/* What one value of an option has read: a file, or one that it names. */
static void
list_value_files(const DebyeOption *option, const char *value, GStrvBuilder *files)
{
  const char *key = option->setting->key;
  const gboolean is_file = debye_option_takes_file(option) || strcmp(key, "color-map") == 0;
  const char *file = is_file ? value : debye_setting_find_file(key, value);
  g_autofree char *curves = debye_option_takes_curves(option) ? g_strdup(value) : NULL;
  if (curves != NULL) {
    debye_figure_split_quantity(curves);
    g_strv_builder_add(files, curves);
  } else if (strcmp(key, "layer") == 0)
    list_layer_files(value, files);
  else if (file != NULL)
    g_strv_builder_add(files, file);
}

/* Names of files are bytes, which the list keeps as they are. */
static void
list_option_files(DebyeArguments *arguments, const DebyeOption *option, GStrvBuilder *files)
{
  const char *const *list = debye_arguments_get_list(arguments, option->name);
  if (*list == NULL && debye_arguments_is_given(arguments, option))
    list_value_files(option, debye_arguments_get_value(arguments, option), files);
  else if (!option->repeatable && *list != NULL)
    list_value_files(option, debye_arguments_get_path(arguments, option->name), files);
  else
    for (; *list != NULL; list++)
      list_value_files(option, *list, files);
}

static gboolean
add_option_inputs(DebyeArguments *arguments, DebyePictureOrigin *origin, const char *const *without,
                  GError **error)
{
  g_autoptr(GPtrArray) options = debye_options_of(debye_arguments_get_command(arguments));
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
  for (guint i = 0; i < options->len; i++) {
    const DebyeOption *option = options->pdata[i];
    if (!g_strv_contains(passing, option->name) && !g_strv_contains(without, option->name))
      list_option_files(arguments, option, builder);
  }
  g_auto(GStrv) files = g_strv_builder_end(builder);
  return add_files(origin, (const char *const *)files, error);
}

static gboolean
add_inputs(DebyeArguments *arguments, DebyePictureOrigin *origin, const char *const *without, GError **error)
{
  for (const char *const *file = debye_arguments_get_files(arguments); *file != NULL; file++)
    if (!add_panel_files(origin, *file, error))
      return FALSE;
  return add_option_inputs(arguments, origin, without, error);
}

char *
debye_cli_origin_command(DebyeArguments *arguments, const char *const *without, const char *const *instead)
{
  g_autoptr(GPtrArray) left_out = g_ptr_array_new();
  for (gsize i = 0; passing[i] != NULL; i++)
    g_ptr_array_add(left_out, (gpointer)passing[i]);
  for (; *without != NULL; without++)
    g_ptr_array_add(left_out, (gpointer)*without);
  g_ptr_array_add(left_out, NULL);
  return debye_arguments_to_command(arguments, (const char *const *)left_out->pdata, instead);
}

gboolean
debye_cli_find_origin(DebyeArguments *arguments, const char *const *without, const char *const *instead,
                      DebyePictureOrigin **origin, GError **error)
{
  *origin = NULL;
  if (!debye_arguments_get_options(arguments).provenance)
    return TRUE;
  g_autofree char *command = debye_cli_origin_command(arguments, without, instead);
  g_autofree char *title = make_title(arguments);
  g_autoptr(DebyePictureOrigin) found = debye_picture_origin_new(title, command);
  if (!add_inputs(arguments, found, without, error))
    return FALSE;
  *origin = g_steal_pointer(&found);
  return TRUE;
}

static gboolean
save_plot(DebyeArguments *arguments, DebyeResult *result, const char *path, const char *command,
          GError **error)
{
  static const char *const none[] = {NULL};
  g_autoptr(DebyePictureOrigin) origin = NULL;
  return (!debye_plot_can_save(path) || debye_cli_warn_of_fonts(arguments, error)) &&
         debye_cli_find_origin(arguments, none, NULL, &origin, error) &&
         debye_plot_output_save(result, debye_arguments_get_plot(arguments), path, command, origin, error);
}

gboolean
debye_cli_save_as(DebyeArguments *arguments, DebyeResult *result, const char *path, const char *output,
                  GError **error)
{
  g_autofree char *command =
      debye_request_to_command(debye_result_get_request(result), debye_result_get_inputs(result), output);
  debye_stages_enter(debye_arguments_get_stages(arguments), DEBYE_STAGE_WRITE);
  const gboolean done = debye_plot_output_takes(debye_arguments_get_plot(arguments), path)
                            ? save_plot(arguments, result, path, command, error)
                        : debye_ion_structure_can_save(path)
                            ? debye_ion_structure_save(result, path, error)
                            : debye_result_save(result, path, command, error);
  if (done)
    debye_cli_say(arguments, "written: %s%s", path, debye_result_is_partial(result) ? " (partial)" : "");
  return done;
}

gboolean
debye_cli_save(DebyeArguments *arguments, DebyeResult *result, const char *const *outputs, GError **error)
{
  gboolean done = TRUE;
  debye_stages_enter(debye_arguments_get_stages(arguments), DEBYE_STAGE_WRITE);
  for (; *outputs != NULL && done; outputs++)
    done = debye_cli_save_as(arguments, result, *outputs, *outputs, error);
  return done;
}
