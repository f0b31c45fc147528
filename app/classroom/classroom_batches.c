/* SPDX-License-Identifier: MIT */
/* The job and the figures of the classroom's lesson on batched transforms, which debye-cli bench --batches shares; declared in
 * classroom.h, made by window_classroom.c.
 *
 * A batch holds a(t) of N atoms along V vectors, each padded with zeros to L ≥ 2·NF complex values in single precision:
 * 8·L·V·N bytes. */
#include <glib/gi18n.h>
#include <math.h>

#include "app/analysis/driver/device_choice.h"
#include "app/analysis/driver/memory_size.h"
#include "classroom_record.h"
#include "data/messages/count_text.h"

#define VALUE_BYTES 8.0   /* of a complex value in single precision */
#define LONGER 16         /* the other trajectory of the figure has so many times the frames */
#define LEAST_FRAMES 16.0 /* of the figure, which ends beyond what fits */
#define MOST_FRAMES ((gsize)1 << 30)

const DebyeClassroomBatchChoice debye_classroom_usual_batch = {
    .n_frames = 256, .n_vectors = 32, .n_atoms = 1000, .block = 32, .memory = 24.0 * DEBYE_CLASSROOM_GIB};

/* --- Bytes --- */

double
debye_classroom_batch_bytes(double n_atoms, gsize n_vectors, gsize n_frames)
{
  return VALUE_BYTES * (double)debye_ladder_series_length(n_frames) * (double)n_vectors * n_atoms;
}

char *
debye_classroom_batch_write_bytes(const DebyeClassroomBatchChoice *choice, gsize n_atoms)
{
  const double bytes = debye_classroom_batch_bytes((double)n_atoms, choice->n_vectors, choice->n_frames);
  return debye_memory_size_to_string((guint64)fmin(bytes, 1.8e19)); /* what the type can say */
}

double
debye_classroom_batch_find_atoms(const DebyeClassroomBatchChoice *choice)
{
  return floor(choice->memory / debye_classroom_batch_bytes(1.0, choice->n_vectors, choice->n_frames));
}

/* Padded lengths never fall with the number of frames. */
gsize
debye_classroom_batch_find_frames(const DebyeClassroomBatchChoice *choice)
{
  gsize fits = 0, most = MOST_FRAMES + 1;
  while (most - fits > 1) {
    const gsize middle = fits + (most - fits) / 2;
    if (debye_classroom_batch_bytes((double)choice->block, choice->n_vectors, middle) <= choice->memory)
      fits = middle;
    else
      most = middle;
  }
  return fits;
}

/* --- The job --- */

typedef struct {
  DebyeDevices *devices;
  DebyeClassroomBatchChoice choice;
} BatchWork;

static void
batch_work_free(gpointer data)
{
  BatchWork *work = data;
  debye_devices_unref(work->devices);
  g_free(work);
}

static DebyeClassroomRecord *
new_record(const DebyeClassroomBatchChoice *choice, const char *gpu, double gpu_memory)
{
  g_autofree char *subject =
      gpu != NULL ? g_strdup_printf(_("%s has %.3g GiB"), gpu, gpu_memory / DEBYE_CLASSROOM_GIB)
                  : g_strdup(_("Nothing is measured: bytes follow from the numbers above"));
  DebyeClassroomRecord *record = debye_classroom_record_new(subject);
  record->batch = *choice;
  record->batch_gpu = gpu != NULL ? g_intern_string(gpu) : NULL;
  record->batch_gpu_memory = gpu_memory;
  return record;
}

DebyeClassroomRecord *
debye_classroom_count_batches(const DebyeClassroomBatchChoice *choice)
{
  return new_record(choice, NULL, 0.0);
}

/* The fastest GPU of this machine is drawn, too. */
static gpointer
run_batches(DebyeJob *job G_GNUC_UNUSED, gpointer data, GError **error G_GNUC_UNUSED)
{
  const BatchWork *work = data;
  const DebyeDeviceEntry *devices[DEBYE_MAX_DEVICES];
  DebyeStatus status = {0};
  const gsize n = debye_registry_choose(debye_devices_wait(work->devices), "auto", devices,
                                        G_N_ELEMENTS(devices), &status);
  for (gsize i = 0; i < n; i++)
    if (!g_str_equal(devices[i]->info.id, DEBYE_BACKEND_CPU) && devices[i]->info.memory_total > 0)
      return new_record(&work->choice, devices[i]->info.name, (double)devices[i]->info.memory_total);
  return debye_classroom_count_batches(&work->choice);
}

DebyeJob *
debye_classroom_batch_job_new(DebyeDevices *devices, const DebyeClassroomBatchChoice *choice)
{
  BatchWork *work = g_new0(BatchWork, 1);
  work->devices = debye_devices_ref(devices);
  work->choice = *choice;
  return debye_job_new(_("Bytes of batches"), run_batches, work, batch_work_free);
}

/* --- Figures --- */

static DebyePlot *
create_plot(const DebyeClassroomRecord *record)
{
  DebyePlot *plot = debye_plot_new();
  g_autofree char *held = g_strdup_printf(_("a GPU with %g GiB"), record->batch.memory / DEBYE_CLASSROOM_GIB);
  debye_plot_set_scale(plot, DEBYE_PLOT_X, DEBYE_PLOT_LOG);
  debye_plot_set_scale(plot, DEBYE_PLOT_Y, DEBYE_PLOT_LOG);
  debye_plot_add_reference(plot, DEBYE_PLOT_Y, record->batch.memory / DEBYE_CLASSROOM_GIB, held);
  if (record->batch_gpu != NULL)
    debye_plot_add_reference(plot, DEBYE_PLOT_Y, record->batch_gpu_memory / DEBYE_CLASSROOM_GIB,
                             record->batch_gpu);
  return plot;
}

static guint
add_curve(DebyePlot *plot, const char *name, const char *label, DebyeCurveStyle style, const GArray *points)
{
  const DebyeQuantity x = {"x", label, NULL}, y = {"memory", _("Memory per batch"), "GiB"};
  g_autoptr(DebyeCurve) curve =
      debye_classroom_record_new_curve(name, &x, &y, style, points, DEBYE_CLASSROOM_GIB);
  return debye_plot_add_curve(plot, curve, DEBYE_PLOT_Y);
}

/* Two points are a line on logarithmic axes. */
static guint
add_by_atoms(DebyePlot *plot, const char *name, DebyeCurveStyle style, const double atoms[2], gsize n_vectors,
             gsize n_frames)
{
  g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(DebyeClassroomPoint));
  for (int i = 0; i < 2; i++) {
    const DebyeClassroomPoint point = {atoms[i], debye_classroom_batch_bytes(atoms[i], n_vectors, n_frames)};
    g_array_append_val(points, point);
  }
  return add_curve(plot, name, _("Atoms per batch N"), style, points);
}

static char *
name_series(gsize n_vectors, gsize n_frames)
{
  g_autofree char *vectors = debye_count_text(n_vectors), *frames = debye_count_text(n_frames);
  return n_vectors == 1 ? g_strdup_printf(_("1 vector, %s frames"), frames)
                        : g_strdup_printf(_("%s vectors, %s frames"), vectors, frames);
}

DebyePlot *
debye_classroom_plot_batches_by_atoms(DebyeClassroomRecord *record)
{
  const DebyeClassroomBatchChoice *choice = &record->batch;
  const double ends[2] = {
      1.0, fmax(10.0 * debye_classroom_batch_find_atoms(choice), 2.0 * (double)choice->n_atoms)};
  const double chosen[2] = {(double)choice->block, (double)choice->n_atoms};
  const gsize longer = LONGER * choice->n_frames;
  DebyePlot *plot = create_plot(record);
  g_autofree char *one = name_series(1, choice->n_frames),
                  *all = name_series(choice->n_vectors, choice->n_frames),
                  *of_longer = name_series(choice->n_vectors, longer),
                  *block = debye_count_text(choice->block), *atoms = debye_count_text(choice->n_atoms),
                  *marked = g_strdup_printf(_("%s and %s atoms"), block, atoms);
  const guint dashed = add_by_atoms(plot, of_longer, DEBYE_CURVE_LINE, ends, choice->n_vectors, longer);
  add_by_atoms(plot, all, DEBYE_CURVE_LINE, ends, choice->n_vectors, choice->n_frames);
  if (choice->n_vectors > 1)
    add_by_atoms(plot, one, DEBYE_CURVE_LINE, ends, 1, choice->n_frames);
  const guint points =
      add_by_atoms(plot, marked, DEBYE_CURVE_MARKERS, chosen, choice->n_vectors, choice->n_frames);
  debye_plot_set_series_dash(plot, dashed, DEBYE_PLOT_DASHED);
  debye_plot_set_series_color(plot, points, 1); /* the line's */
  debye_plot_set_caption(plot, _("8·L·V·N bytes: a complex value has 8 bytes, L is 2·NF, rounded up to a "
                                 "length with a fast transform."));
  return plot;
}

static guint
add_by_frames(DebyePlot *plot, const DebyeClassroomBatchChoice *choice, gsize n_atoms, double last)
{
  g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(DebyeClassroomPoint));
  g_autofree char *count = debye_count_text(n_atoms), *name = g_strdup_printf(_("%s atoms per batch"), count);
  for (double frames = LEAST_FRAMES; frames <= last; frames *= 1.2) {
    const DebyeClassroomPoint point = {
        floor(frames), debye_classroom_batch_bytes((double)n_atoms, choice->n_vectors, (gsize)frames)};
    g_array_append_val(points, point);
  }
  return add_curve(plot, name, _("Frames NF"), DEBYE_CURVE_LINE, points);
}

DebyePlot *
debye_classroom_plot_batches_by_frames(DebyeClassroomRecord *record)
{
  const DebyeClassroomBatchChoice *choice = &record->batch;
  const double last =
      fmin(8.0 * (double)(debye_classroom_batch_find_frames(choice) + choice->n_frames), (double)MOST_FRAMES);
  DebyePlot *plot = create_plot(record);
  g_autoptr(GArray) chosen = g_array_new(FALSE, FALSE, sizeof(DebyeClassroomPoint));
  g_autofree char *frames = debye_count_text(choice->n_frames),
                  *marked = g_strdup_printf(_("%s frames"), frames);
  add_by_frames(plot, choice, choice->block, last);
  if (choice->n_atoms != choice->block)
    debye_plot_set_series_dash(plot, add_by_frames(plot, choice, choice->n_atoms, last), DEBYE_PLOT_DASHED);
  const DebyeClassroomPoint point = {
      (double)choice->n_frames,
      debye_classroom_batch_bytes((double)choice->block, choice->n_vectors, choice->n_frames)};
  g_array_append_val(chosen, point);
  const guint points = add_curve(plot, marked, _("Frames NF"), DEBYE_CURVE_MARKERS, chosen);
  debye_plot_set_series_color(plot, points, 0); /* the line's */
  debye_plot_set_caption(plot, _("Twice the frames need twice the memory: the longer a trajectory, the fewer "
                                 "atoms a batch can have."));
  return plot;
}
