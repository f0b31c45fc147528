/* SPDX-License-Identifier: MIT */
/* debye-cli export: coordinates into other formats; listed by command_list.c. */
#include "app/document/coordinate_export.h"
#include "app/document/json_writer.h"
#include "cli_work.h"
#include "arguments.h"

typedef struct {
  DebyeArguments *arguments;
  DebyeCliProgress progress;
  GPtrArray *said; /* warnings, for --json */
} Talk;

static gboolean
watch(double fraction, gpointer data)
{
  return debye_cli_watch(fraction, &((Talk *)data)->progress);
}

static gboolean
warn(const char *sentence, gpointer data, GError **error)
{
  const Talk *talk = data;
  const char *const warnings[] = {sentence, NULL};
  g_ptr_array_add(talk->said, g_strdup(sentence));
  return debye_cli_warn(talk->arguments, warnings, error);
}

static void
say(const char *sentence, gpointer data)
{
  debye_cli_say(((const Talk *)data)->arguments, "%s", sentence);
}

static void
print_json(const DebyeCoordinateExportReport *report, const char *const *paths, const char *const *warnings,
           const GPtrArray *said)
{
  g_auto(DebyeJson) json = debye_json_begin();
  debye_json_strings(&json, "outputs", paths);
  debye_json_integer(&json, "frames", (gint64)report->n_written);
  debye_json_integer(&json, "atoms", (gint64)report->n_atoms);
  debye_json_boolean(&json, "partial", report->n_written < report->n_frames);
  debye_json_open(&json, "warnings", '[');
  for (; warnings != NULL && *warnings != NULL; warnings++)
    debye_json_string(&json, NULL, *warnings);
  for (guint i = 0; i < said->len; i++)
    debye_json_string(&json, NULL, said->pdata[i]);
  debye_json_close(&json, ']');
  debye_json_print(&json);
}

static void
say_written(DebyeArguments *arguments, const DebyeCoordinateExportReport *report, const char *const *paths)
{
  for (; *paths != NULL; paths++)
    if (report->n_written < report->n_frames)
      debye_cli_say(arguments, "written: %s (partial: %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " frames)",
                    *paths, report->n_written, report->n_frames);
    else
      debye_cli_say(arguments, "written: %s (%" G_GSIZE_FORMAT " frame%s of %" G_GSIZE_FORMAT " atoms)",
                    *paths, report->n_written, report->n_written == 1 ? "" : "s", report->n_atoms);
}

static gboolean
check_line(const DebyeCoordinateExport *job, GError **error)
{
  g_autoptr(GError) problem = NULL;
  DebyeCoordinateExportSettings settings;
  debye_request_fill(job->request, &settings);
  if (*job->outputs == NULL)
    return debye_usage_refuse(error, "export: expected --output FILE (.xyz, .pdb, .pqr, .cif, .gro, .dcd, "
                                     ".xtc, .trr, .nc, .h5md or .csv), found none");
  if (settings.has_wrap && settings.has_unwrap)
    return debye_usage_refuse(error, "export: expected --wrap or --unwrap, found both");
  if (!debye_coordinate_export_check(job, &problem))
    return debye_usage_refuse(error, "export: %s", problem->message);
  return TRUE;
}

static gboolean
run(DebyeArguments *arguments, GError **error)
{
  g_autoptr(GPtrArray) said = g_ptr_array_new_with_free_func(g_free);
  Talk talk = {.arguments = arguments, .said = said};
  const DebyeCoordinateExport job = {.request = debye_arguments_get_request(arguments),
                                     .outputs = debye_arguments_get_list(arguments, "output"),
                                     .progress = watch,
                                     .warn = warn,
                                     .say = say,
                                     .data = &talk};
  DebyeCoordinateExportReport report;
  if (!check_line(&job, error))
    return FALSE;
  g_autoptr(DebyeDataset) dataset = debye_cli_open(arguments, debye_arguments_get_files(arguments), error);
  if (dataset == NULL)
    return FALSE;
  debye_cli_progress_init(&talk.progress, arguments, "export");
  const gboolean is_written = debye_coordinate_export_run(&job, dataset, &report, error);
  debye_cli_progress_end(&talk.progress);
  if (is_written)
    say_written(arguments, &report, job.outputs);
  if (is_written && debye_arguments_get_options(arguments).json)
    print_json(&report, job.outputs, debye_dataset_get_warnings(dataset), said);
  return is_written && report.n_written == report.n_frames;
}

static const char *const examples[] = {
    "debye-cli export --frames 0:-1:10 --select protein -o protein.xtc system.psf run.dcd",
    "debye-cli export --unwrap --superpose \"protein and backbone\" -o fitted.dcd system.psf run.xtc",
    "debye-cli export --frames -1 -o last.pdb -o last.csv system.gro run.xtc",
    "debye-cli export --select 'x < 15 and y < 15' --translate 20,20,0 --cell 60,60,25 -o a.pdb a.psf a.xtc",
    NULL,
};

const DebyeCommand debye_command_export = {
    .name = "export",
    .operands = "FILE...",
    .summary = "Writes coordinates in another format",
    .description =
        "The extension selects the format: .xyz, .pdb, .pqr, .cif, .gro, .dcd, .xtc, .trr, .nc, .h5md, .csv "
        "(index, element, x, y, z in Å). Frames are unwrapped or made whole, centred, translated, wrapped "
        "and superposed in this order, then written one after the other, so a trajectory of any length needs "
        "little memory. --select is evaluated in the first written frame, before it is edited.",
    .examples = examples,
    .table = &debye_coordinate_export_settings,
    .least_operands = 1,
    .max_operands = G_MAXUINT,
    .run = run,
};
