/* SPDX-License-Identifier: MIT */
/* Exports coordinates: asks for the frames, atoms and edits, then for a path, and writes in a job. */
#include "window_coordinates.h"

#include <glib/gi18n.h>

#include "app/analysis/driver/dataset_choice.h"
#include "app/document/coordinate_export.h"
#include "data/trajectory/format_list.h"
#include "ui/dialogs/settings_dialog.h"
#include "ui/widgets/number_text.h"
#include "window_exports.h"

/* --- The job --- */

typedef struct {
  DebyeDataset *dataset;
  DebyeRequest *request;
  char *path;
  DebyeJob *job; /* that works on it: borrowed */
} Writing;

static void
writing_free(gpointer data)
{
  Writing *writing = data;
  g_object_unref(writing->dataset);
  g_object_unref(writing->request);
  g_free(writing->path);
  g_free(writing);
}

static gboolean
on_progress(double fraction, gpointer data)
{
  return debye_job_go_on(fraction, ((const Writing *)data)->job);
}

/* Kept with the job until it is told: what happened to coordinates on the way. */
#define REMARK_KEY "debye-coordinates-remark"

static void
keep_remark(const char *sentence, gpointer data)
{
  const Writing *writing = data;
  g_object_set_data_full(G_OBJECT(writing->job), REMARK_KEY, g_strdup(sentence), g_free);
}

static gboolean
warn(const char *sentence, gpointer data, GError **error G_GNUC_UNUSED)
{
  keep_remark(sentence, data);
  return TRUE;
}

static gpointer
write_coordinates(DebyeJob *job, gpointer data, GError **error)
{
  Writing *writing = data;
  const char *const outputs[] = {writing->path, NULL};
  const DebyeCoordinateExport export = {.request = writing->request,
                                        .outputs = outputs,
                                        .progress = on_progress,
                                        .warn = warn,
                                        .say = keep_remark,
                                        .data = writing};
  DebyeCoordinateExportReport report;
  writing->job = job;
  debye_job_set_message(job, _("Writing"));
  g_autoptr(DebyeDataset) dataset = debye_dataset_choose(writing->dataset, writing->request, NULL, error);
  if (dataset != NULL && debye_coordinate_export_run(&export, dataset, &report, error))
    debye_window_exports_keep_stopped(job);
  return NULL;
}

static void
on_written(DebyeJob *job, DebyeWindowDocument *self)
{
  const char *remark = g_object_get_data(G_OBJECT(job), REMARK_KEY);
  g_autofree char *sentence = remark != NULL ? debye_sentence_case(remark) : NULL;
  if (sentence != NULL)
    debye_window_toast_remarks(debye_window_document_get_window(self), sentence);
}

/* --- The questions --- */

/* What stands between them. */
typedef struct {
  DebyeWindowDocument *document;
  DebyeRequest *request;
} Wish;

static void
wish_free(gpointer data)
{
  Wish *wish = data;
  g_object_unref(wish->request);
  g_free(wish);
}

static void
save_coordinates(DebyeWindowDocument *self, DebyeRequest *request, const char *path)
{
  DebyeDataset *dataset = debye_window_document_get_dataset(self);
  Writing *writing = g_new0(Writing, 1);
  writing->dataset = g_object_ref(dataset);
  writing->request = debye_request_copy(request);
  writing->path = g_strdup(path);
  g_autoptr(DebyeJob) job = debye_window_exports_job_new(path, write_coordinates, writing, writing_free);
  debye_window_exports_add(self, job);
  g_signal_connect_object(job, "finished", G_CALLBACK(on_written), self, G_CONNECT_DEFAULT);
}

static void
on_path(const char *path, gpointer data)
{
  const Wish *wish = data;
  save_coordinates(wish->document, wish->request, path);
}

/* Endings and names of the formats that are written, in pairs. */
static GPtrArray *
list_formats(void)
{
  GPtrArray *pairs = g_ptr_array_new();
  for (const DebyeFormat *const *format = debye_format_list(); *format != NULL; format++)
    if ((*format)->writer_new != NULL) {
      g_ptr_array_add(pairs, (gpointer)(*format)->suffixes[0]);
      g_ptr_array_add(pairs, (gpointer)(*format)->title);
    }
  g_ptr_array_add(pairs, NULL);
  return pairs;
}

static void
on_chosen(DebyeSettingsDialog *dialog, DebyeWindowDocument *self)
{
  g_autofree char *name = debye_window_document_suggest_name(self, "-export.pdb");
  g_autoptr(GPtrArray) formats = list_formats();
  Wish *wish = g_new(Wish, 1);
  *wish = (Wish){.document = self, .request = debye_request_copy(debye_settings_dialog_get_request(dialog))};
  debye_window_exports_choose_path(debye_window_document_get_window(self), _("Export coordinates"), name,
                                   (const char *const *)formats->pdata, on_path, wish, wish_free);
}

void
debye_window_coordinates_ask(DebyeWindowDocument *self)
{
  /* What atoms are, and how the files are read, is asked for where they are opened. */
  static const char *const left_out[] = {"element", "altloc", "length-unit", NULL};
  DebyeDocument *document = debye_window_document_get_document(self);
  DebyeDataset *dataset = debye_document_get_dataset(document);
  GtkWindow *window = GTK_WINDOW(debye_window_document_get_window(self));
  g_autoptr(DebyeRequest) request = debye_request_new(&debye_coordinate_export_settings);
  debye_request_set(request, "cell", debye_dataset_get_cell_choice(dataset), NULL);
  GtkWidget *dialog = debye_settings_dialog_new(window, request, left_out, NULL, _("Export…"));
  debye_settings_dialog_set_system(DEBYE_SETTINGS_DIALOG(dialog), debye_document_get_topology(document),
                                   debye_document_get_first_frame(document));
  g_signal_connect_object(dialog, "chosen", G_CALLBACK(on_chosen), self, G_CONNECT_DEFAULT);
  gtk_window_present(GTK_WINDOW(dialog));
}
