/* SPDX-License-Identifier: MIT */
/* debye-cli rerun: repeats a computation from its result's file; listed by command_list.c. */
#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/analysis/fit/fit_run.h"
#include "app/analysis/fit/fit_settings.h"
#include "app/analysis/map/field_settings.h"
#include "app/document/camera_file.h"
#include "app/scene/film_file.h"
#include "cli_field.h"
#include "cli_work.h"
#include "arguments.h"
#include "data/files/error.h"
#include "app/installation/devices.h"
#include "interrupt.h"
#include "app/document/json_writer.h"
#include "rerun_inputs.h"
#include "result_report.h"
#include "app/analysis/analysis_list.h"
#include "app/analysis/prepare/prepare_job.h"

/* How far two maps of the same grid, or two curves, are apart. */
typedef struct {
  double rms, largest; /* relative to the root mean square of what is stored */
} Difference;

static gboolean
compare(DebyeField *stored, DebyeField *fresh, Difference *difference, GError **error)
{
  const DebyeGrid *a = debye_field_get_grid(stored), *b = debye_field_get_grid(fresh);
  if (a->shape[0] != b->shape[0] || a->shape[1] != b->shape[1] || a->shape[2] != b->shape[2])
    return debye_error_set(error, DEBYE_ERROR_MISMATCH,
                           "the stored map has %zu×%zu×%zu points, the new one %zu×%zu×%zu", a->shape[0],
                           a->shape[1], a->shape[2], b->shape[0], b->shape[1], b->shape[2]);
  DebyeFieldStatistics statistics;
  debye_field_get_statistics(stored, &statistics);
  const float *x = debye_field_get_values(stored), *y = debye_field_get_values(fresh);
  double sum = 0.0, largest = 0.0;
  gsize n_points = debye_grid_n_points(a), n_common = 0;
  for (gsize i = 0; i < n_points; i++) {
    double d = fabs((double)x[i] - (double)y[i]);
    if (!isfinite(d))
      continue;
    sum += d * d;
    largest = MAX(largest, d);
    n_common++;
  }
  double scale = statistics.rms > 0.0 ? 1.0 / statistics.rms : 1.0;
  difference->rms = n_common > 0 ? sqrt(sum / (double)n_common) * scale : 0.0;
  difference->largest = largest * scale;
  return TRUE;
}

/* Places where one of them is a gap don't count. */
static void
compare_curve(DebyeCurve *stored, DebyeCurve *fresh, Difference *worst)
{
  const double *x = debye_curve_get_y(stored), *y = debye_curve_get_y(fresh);
  double sum = 0.0, square = 0.0, largest = 0.0;
  for (gsize i = 0; i < debye_curve_get_n_points(stored); i++) {
    double d = fabs(x[i] - y[i]);
    if (!isfinite(d))
      continue;
    sum += d * d;
    square += x[i] * x[i];
    largest = MAX(largest, d);
  }
  double scale = square > 0.0 ? 1.0 / sqrt(square) : 1.0;
  double n_points = (double)debye_curve_get_n_points(stored);
  worst->rms = MAX(worst->rms, sqrt(sum) * scale);
  worst->largest = MAX(worst->largest, largest * scale * sqrt(n_points));
}

/* Curves come in the same order, as the same analysis made them. */
static gboolean
compare_curves(DebyeResult *stored, DebyeResult *fresh, Difference *worst, GError **error)
{
  GListModel *before = debye_result_get_curves(stored), *after = debye_result_get_curves(fresh);
  guint n_curves = g_list_model_get_n_items(before);
  gboolean is_alike = n_curves == g_list_model_get_n_items(after);
  for (guint i = 0; is_alike && i < n_curves; i++) {
    g_autoptr(DebyeCurve) x = g_list_model_get_item(before, i);
    g_autoptr(DebyeCurve) y = g_list_model_get_item(after, i);
    is_alike = g_strcmp0(debye_curve_get_name(x), debye_curve_get_name(y)) == 0 &&
               debye_curve_get_n_points(x) == debye_curve_get_n_points(y);
    if (is_alike)
      compare_curve(x, y, worst);
  }
  return is_alike ||
         debye_error_set(error, DEBYE_ERROR_MISMATCH, "the stored curves are not those of the new result");
}

static gboolean
compare_results(DebyeResult *stored, DebyeResult *result, Difference *difference, GError **error)
{
  g_autoptr(DebyeField) field = g_list_model_get_item(debye_result_get_fields(stored), 0);
  g_autoptr(DebyeField) fresh = g_list_model_get_item(debye_result_get_fields(result), 0);
  if (field == NULL && fresh == NULL)
    return compare_curves(stored, result, difference, error);
  if (field != NULL && fresh != NULL)
    return compare(field, fresh, difference, error);
  return debye_error_set(error, DEBYE_ERROR_MISMATCH, "the stored result holds %s, the new one %s",
                         field != NULL ? "a map" : "no map", fresh != NULL ? "a map" : "none");
}

static void
report(gboolean wants_json, const Difference *difference, const char *const *changed)
{
  if (wants_json) {
    g_auto(DebyeJson) json = debye_json_begin();
    debye_json_number(&json, "rms_difference", difference->rms);
    debye_json_number(&json, "largest_difference", difference->largest);
    debye_json_strings(&json, "changed_inputs", changed);
    debye_json_print(&json);
    return;
  }
  char rms[G_ASCII_DTOSTR_BUF_SIZE], largest[G_ASCII_DTOSTR_BUF_SIZE];
  printf("Differs from what is stored by %s (root mean square) and at most %s, of its root mean square\n",
         g_ascii_formatd(rms, sizeof rms, "%.2g", difference->rms),
         g_ascii_formatd(largest, sizeof largest, "%.2g", difference->largest));
}

/* Where and with what to compute may differ from the first time; what to compute may not. */
static const char *const resources[] = {"device", "threads", "memory"};

static gboolean
take_resources(DebyeArguments *arguments, DebyeRequest *request, GError **error)
{
  DebyeRequest *common = debye_arguments_get_common(arguments);
  for (gsize i = 0; i < G_N_ELEMENTS(resources); i++)
    if (debye_request_is_set(common, resources[i]) &&
        !debye_request_set(request, resources[i], debye_request_get(common, resources[i]), error))
      return FALSE;
  return TRUE;
}

/* What `field` made has a map as its input, and another where one was taken off. */
static DebyeResult *
compute_of_maps(DebyeArguments *arguments, DebyeRequest *request, char **inputs, const char *path,
                GError **error)
{
  if (*inputs != NULL)
    return debye_cli_make_field(arguments, request, *inputs, debye_request_get(request, "subtract"), error);
  debye_error_set(error, DEBYE_ERROR_MISSING, "%s: expected the name of its map, found none", path);
  return NULL;
}

/* What prepare made of a structure beside the structure. */
static DebyeResult *
titrate(DebyeArguments *arguments, DebyeRequest *request, DebyeDataset *dataset,
        const DebyeRegistry *registry, GError **error)
{
  DebyeCliProgress progress;
  debye_cli_progress_init(&progress, arguments, "prepare");
  const DebyeRunCallbacks callbacks = {
      .cancel = debye_interrupt_flag(), .progress = debye_cli_progress_update, .data = &progress};
  DebyeResult *result = debye_prepare_job_titrate(request, dataset, registry, &callbacks, error);
  debye_cli_progress_end(&progress);
  return result;
}

static DebyeResult *
compute(DebyeArguments *arguments, DebyeRequest *request, char **inputs, const char *path, GError **error)
{
  if (debye_request_get_table(request) == &debye_field_table)
    return compute_of_maps(arguments, request, inputs, path, error);
  if (debye_request_get_table(request) == &debye_fit_table)
    return debye_fit_run(request, *inputs, error);
  g_autoptr(DebyeDevices) devices = debye_devices_begin(debye_cli_get_device(request), 0, 1);
  g_autoptr(DebyeDataset) dataset =
      debye_cli_open_for(arguments, request, (const char *const *)inputs, error);
  if (dataset == NULL)
    return NULL;
  if (debye_request_get_table(request) == &debye_prepare_settings)
    return titrate(arguments, request, dataset, debye_devices_wait(devices), error);
  const DebyeAnalysis *analysis = debye_analysis_find(debye_request_get_table(request)->id);
  return debye_cli_analyse(arguments, analysis, dataset, request, debye_devices_wait(devices), error);
}

/* The file comes from anywhere: it names none to write. */
static gboolean
leave_out_side_files(DebyeRequest *request, GError **error)
{
  static const char *const keys[] = {"residues", "write-maps", "report", "titration"};
  for (gsize i = 0; i < G_N_ELEMENTS(keys); i++)
    if (debye_setting_table_find(debye_request_get_table(request), keys[i]) != NULL &&
        !debye_request_set(request, keys[i], NULL, error))
      return FALSE;
  return TRUE;
}

static DebyeResult *
compute_again(DebyeArguments *arguments, DebyeResult *stored, const char *path, GStrvBuilder *changed,
              GError **error)
{
  g_auto(GStrv) inputs = g_strdupv((char **)debye_result_get_inputs(stored));
  g_autoptr(DebyeRequest) request = debye_result_load_request(path, debye_analysis_find_table, NULL, error);
  if (request == NULL || !take_resources(arguments, request, error) ||
      !debye_rerun_find_files(arguments, request, inputs, path, error))
    return NULL;
  if (!leave_out_side_files(request, error))
    return NULL;
  g_autoptr(GPtrArray) records = debye_rerun_check_inputs(arguments, stored, request, inputs, changed, error);
  if (records == NULL)
    return NULL;
  DebyeResult *result = compute(arguments, request, inputs, path, error);
  /* Where each was read already, writing the result needn't do it once more. */
  if (result != NULL && records->len == g_strv_length(inputs) &&
      g_strv_equal((const char *const *)inputs, debye_result_get_inputs(result)))
    debye_result_set_input_records(result, records);
  return result;
}

/* --- Pictures --- */

/* Where the inputs are now, in the order of the origin. */
static char **
find_inputs(const DebyePictureOrigin *origin, const char *path)
{
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
  for (guint i = 0; i < origin->inputs->len; i++) {
    g_autofree char *found =
        debye_rerun_find_file(((const DebyeInputRecord *)origin->inputs->pdata[i])->path, path);
    g_strv_builder_add(builder, found);
  }
  return g_strv_builder_end(builder);
}

/* The length of what stands before a file: an option, a form of a setting, or an item of a layer. 0: none. */
static gsize
measure_lead(const char *at, gboolean is_first)
{
  static const char *const items[] = {"color-field", "surface-color"};
  static const char *const forms[] = {"vectors:", "file:"};
  for (gsize i = 0; i < G_N_ELEMENTS(items); i++) {
    const gsize n = g_str_has_prefix(at, items[i]) ? strlen(items[i]) : 0, gap = strspn(at + n, " =");
    if (n > 0 && gap > 0)
      return n + gap + (at[n + gap] == '"');
  }
  for (gsize i = 0; is_first && i < G_N_ELEMENTS(forms); i++)
    if (g_str_has_prefix(at, forms[i]))
      return strlen(forms[i]);
  const gsize n = is_first && g_str_has_prefix(at, "--") ? strcspn(at, "=") : 0;
  return at[n] == '=' ? n + 1 : 0;
}

/* Where the input is that `at` begins with, the longest of them, and the length of its name; NULL: with none. */
static const char *
find_placed(const char *at, const char *ends, const DebyePictureOrigin *origin, char **paths, gsize *length)
{
  const char *placed = NULL;
  for (guint i = 0; i < origin->inputs->len; i++) {
    const char *then = ((const DebyeInputRecord *)origin->inputs->pdata[i])->path;
    const gsize n = strlen(then);
    if (strncmp(at, then, n) != 0 || strchr(ends, at[n]) == NULL || (placed != NULL && n <= *length))
      continue;
    placed = paths[i];
    *length = n;
  }
  return placed;
}

/* A word whose files are where they are now: the panel of a figure, “FILE:QUANTITY+FILE@STYLE”, or the value of an option.
 * (transfer full) */
static char *
place_word(const char *word, const DebyePictureOrigin *origin, char **paths)
{
  GString *line = g_string_new(NULL);
  const char *ends = ":+@";
  gboolean may_begin = TRUE;
  for (const char *at = word; *at != '\0';) {
    gsize n = 0;
    const char *placed = may_begin ? find_placed(at, ends, origin, paths, &n) : NULL;
    const gsize lead = placed == NULL ? measure_lead(at, at == word) : 0;
    n = placed != NULL ? n : MAX(lead, 1);
    may_begin = lead > 0 || (placed == NULL && strchr("+@", *at) != NULL);
    ends = lead > 0 ? ",\"" : ":+@";
    g_string_append_len(line, placed != NULL ? placed : at, placed != NULL ? -1 : (gssize)n);
    at += n;
  }
  return g_string_free(line, FALSE);
}

/* The file comes from anywhere: it may name files to read, and none to write. */
static gboolean
writes_files(DebyeArguments *made)
{
  static const char *const refused[] = {"output", "continue", "config", "scene"};
  const char *camera = debye_arguments_get_path(made, "camera");
  DebyeCamera written;
  debye_camera_init(&written);
  for (gsize i = 0; i < G_N_ELEMENTS(refused); i++)
    if (debye_arguments_get_path(made, refused[i]) != NULL)
      return TRUE;
  return camera != NULL && !debye_camera_parse(&written, camera);
}

/* The words behind the command, and that; NULL with an error. */
static char **
read_command(const DebyeCommand *const *all, const DebyePictureOrigin *origin, const char *path,
             const DebyeCommand **command, GError **error)
{
  g_auto(GStrv) words = debye_picture_origin_split_command(origin);
  g_autofree char *name = debye_error_name_file(path);
  const gboolean is_line = words != NULL && g_strv_length(words) >= 2 && strcmp(words[0], "debye-cli") == 0;
  *command = is_line ? debye_command_find(all, words[1]) : NULL;
  g_autoptr(DebyeArguments) made =
      *command != NULL ? debye_arguments_parse(*command, (const char *const *)words + 2, NULL) : NULL;
  if (made != NULL && debye_arguments_makes_pictures(made) && !writes_files(made))
    return g_strdupv(words + 2);
  debye_error_set(error, DEBYE_ERROR_VALUE, "%s: expected a command that makes a picture, found “%s”", name,
                  origin->command);
  return NULL;
}

static gboolean
is_same_content(const char *a, const char *b)
{
  g_autoptr(GMappedFile) one = g_mapped_file_new(a, FALSE, NULL);
  g_autoptr(GMappedFile) other = g_mapped_file_new(b, FALSE, NULL);
  return one != NULL && other != NULL && g_mapped_file_get_length(one) == g_mapped_file_get_length(other) &&
         memcmp(g_mapped_file_get_contents(one), g_mapped_file_get_contents(other),
                g_mapped_file_get_length(one)) == 0;
}

static void
report_picture(gboolean wants_json, gboolean is_same, const char *const *changed)
{
  if (!wants_json) {
    puts(is_same ? "The same picture, byte for byte" : "Not the picture that is stored, byte for byte");
    return;
  }
  g_auto(DebyeJson) json = debye_json_begin();
  debye_json_boolean(&json, "same", is_same);
  debye_json_strings(&json, "changed_inputs", changed);
  debye_json_print(&json);
}

/* Those of rerun that the picture's command has, too. */
static void
add_resources(GPtrArray *line, DebyeArguments *arguments, const DebyeCommand *command)
{
  DebyeRequest *common = debye_arguments_get_common(arguments);
  g_autoptr(GPtrArray) options = debye_options_of(command);
  for (guint i = 0; i < options->len; i++) {
    const DebyeOption *option = options->pdata[i];
    for (gsize k = 0; k < G_N_ELEMENTS(resources); k++)
      if (strcmp(option->name, resources[k]) == 0 && debye_request_is_set(common, resources[k]))
        g_ptr_array_add(line,
                        g_strdup_printf("--%s=%s", resources[k], debye_request_get(common, resources[k])));
  }
}

/* The command's own words, those that place its files, and the outputs. */
static gboolean
make_picture(DebyeArguments *arguments, const DebyeCommand *command, char **words,
             const DebyePictureOrigin *origin, char **paths, const char *const *outputs, GError **error)
{
  g_autoptr(GPtrArray) line = g_ptr_array_new_with_free_func(g_free);
  for (; *outputs != NULL; outputs++)
    g_ptr_array_add(line, g_strconcat("--output=", *outputs, NULL));
  g_ptr_array_add(line, g_strdup("--quiet"));
  add_resources(line, arguments, command);
  for (; *words != NULL; words++)
    g_ptr_array_add(line, place_word(*words, origin, paths));
  g_ptr_array_add(line, NULL);
  g_autoptr(DebyeArguments) made = debye_arguments_parse(command, (const char *const *)line->pdata, error);
  return made != NULL && debye_arguments_check_files(made, error) && command->run(made, error);
}

/* A command of a whole series numbers its pictures: that with the number of `path`. */
static char *
find_made(const char *made, const char *path)
{
  const char *ending = strrchr(path, '.'), *digit = ending;
  while (digit != NULL && digit > path && g_ascii_isdigit(digit[-1]))
    digit--;
  return ending == NULL || digit == ending || g_file_test(made, G_FILE_TEST_EXISTS)
             ? g_strdup(made)
             : debye_film_file_name_picture(made, (gsize)g_ascii_strtoull(digit, NULL, 10));
}

static void
remove_folder(const char *folder)
{
  g_autoptr(GDir) files = g_dir_open(folder, 0, NULL);
  for (const char *name; files != NULL && (name = g_dir_read_name(files)) != NULL;) {
    g_autofree char *path = g_build_filename(folder, name, NULL);
    g_unlink(path);
  }
  g_rmdir(folder);
}

/* Without an output, into a folder that goes again, to be compared. */
static gboolean
run_picture(const DebyeCommand *const *all, DebyeArguments *arguments, const char *path,
            const char *const *outputs, GError **error)
{
  const DebyeCommand *command;
  g_autoptr(DebyePictureOrigin) origin = debye_picture_origin_read(path, error);
  g_auto(GStrv) words = origin != NULL ? read_command(all, origin, path, &command, error) : NULL;
  if (words == NULL)
    return FALSE;
  g_auto(GStrv) paths = find_inputs(origin, path);
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
  if (!debye_rerun_check_records(arguments, origin->inputs, (const char *const *)paths, builder, error))
    return FALSE;
  g_autofree char *folder = *outputs == NULL ? g_dir_make_tmp("debye-rerun-XXXXXX", error) : NULL;
  if (*outputs == NULL && folder == NULL)
    return FALSE;
  g_autofree char *name = g_path_get_basename(path);
  g_autofree char *fresh = folder != NULL ? g_build_filename(folder, name, NULL) : NULL;
  const char *const own[] = {fresh, NULL};
  const char *const *made = folder != NULL ? own : outputs;
  const gboolean is_made = make_picture(arguments, command, words, origin, paths, made, error);
  g_autofree char *again = find_made(made[0], path);
  const gboolean is_same = is_made && is_same_content(path, again);
  if (folder != NULL)
    remove_folder(folder);
  g_auto(GStrv) changed = g_strv_builder_end(builder);
  if (is_made)
    report_picture(debye_arguments_get_options(arguments).json, is_same, (const char *const *)changed);
  return is_made;
}

/* --- The whole --- */

/* The writer of PDF packs what it keeps, which is for people to read. */
static gboolean
refuse_pdf(const char *path, GError **error)
{
  g_autofree char *lower = g_ascii_strdown(path, -1), *name = debye_error_name_file(path);
  if (!g_str_has_suffix(lower, ".pdf") || !g_file_test(path, G_FILE_TEST_EXISTS))
    return TRUE;
  return debye_error_set(error, DEBYE_ERROR_UNKNOWN,
                         "%s: a PDF stores its command, but rerun can't read it. Run the command shown in "
                         "the PDF's properties, or rerun a .png, .tiff or .svg",
                         name);
}

static gboolean
run(const DebyeCommand *const *all, DebyeArguments *arguments, GError **error)
{
  const char *path = debye_arguments_get_files(arguments)[0];
  const char *const *outputs = debye_arguments_get_list(arguments, "output");
  if (!refuse_pdf(path, error))
    return FALSE;
  if (debye_picture_origin_can_read(path))
    return run_picture(all, arguments, path, outputs, error);
  if (!debye_cli_check_outputs(outputs, debye_map_endings, error))
    return FALSE;
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
  g_autoptr(DebyeResult) stored = debye_result_load(path, debye_analysis_find_table, error);
  g_autoptr(DebyeResult) result =
      stored != NULL ? compute_again(arguments, stored, path, builder, error) : NULL;
  if (result == NULL || !debye_cli_save(arguments, result, outputs, error))
    return FALSE;
  g_auto(GStrv) changed = g_strv_builder_end(builder);
  Difference difference = {0};
  if (!compare_results(stored, result, &difference, error)) {
    debye_error_name_output(path, error);
    return FALSE;
  }
  report(debye_arguments_get_options(arguments).json, &difference, (const char *const *)changed);
  return !debye_result_is_partial(result) || !debye_interrupt_came();
}

static const char *const examples[] = {"debye-cli rerun mean.h5",
                                       "debye-cli rerun -o again.h5 --device cpu mean.h5",
                                       "debye-cli rerun -o again.png figure.png", NULL};

const DebyeCommand debye_command_rerun = {
    .name = "rerun",
    .operands = "FILE",
    .summary = "Computes a result or picture again, from its own file",
    .description =
        "Reads the settings and the names of the inputs from a result, computes it again and reports the "
        "difference between the two. Files with a relative path are also searched for beside the result. "
        "Debye warns if the size or SHA-256 of an input has changed. --output keeps the new one. "
        "--device, --threads and --memory may differ from the first time.\n\nA picture (.png, .tiff, .svg) "
        "that Debye made keeps the command that made it, unless --no-provenance was given. Debye makes it "
        "again and compares the two; --output keeps the new one.",
    .examples = examples,
    .least_operands = 1,
    .max_operands = 1,
    .run_among = run,
};
