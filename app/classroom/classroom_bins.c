/* SPDX-License-Identifier: MIT */
/* The job of the classroom's lesson on bins: how the molecule's atoms fill bins of many sizes; declared in classroom.h,
 * made by window_classroom.c. */
#include <glib/gi18n.h>
#include <math.h>

#include "app/bench/bench_atoms.h"
#include "classroom_record.h"

/* The lecture's. */
#define EDGE 4.0
#define CUTOFF 12.0
#define SPACING 0.5
#define CAPACITY 8

#define LEAST_EDGE 2.0
#define LAST_EDGE 12.0
#define EDGE_STEP 0.25
#define MADE_UP_ATOMS ((gsize)20000)
#define SAMPLE_ATOMS ((gsize)500)

typedef struct {
  DebyeDataset *dataset; /* NULL: made-up atoms */
  DebyeFrame *frame;
} BinWork;

static void
bin_work_free(gpointer data)
{
  BinWork *work = data;
  g_clear_object(&work->dataset);
  g_clear_pointer(&work->frame, debye_frame_unref);
  g_free(work);
}

/* Those that have coordinates and count. */
static void
take_atoms(const BinWork *work, GArray *const places[3])
{
  const DebyeFrame *frame = work->frame;
  const guint8 *counted = debye_topology_get_counted(debye_dataset_get_topology(work->dataset));
  for (gsize i = 0; i < frame->n_atoms; i++) {
    const float at[3] = {frame->x[i], frame->y[i], frame->z[i]};
    if ((counted != NULL && !counted[i]) || !isfinite(at[0]) || !isfinite(at[1]) || !isfinite(at[2]))
      continue;
    for (int axis = 0; axis < 3; axis++)
      g_array_append_val(places[axis], at[axis]);
  }
}

static gboolean
make_up_atoms(GArray *const places[3], GError **error)
{
  g_autoptr(DebyeBenchAtoms) atoms = debye_bench_atoms_new(MADE_UP_ATOMS, 1, error);
  if (atoms == NULL)
    return FALSE;
  g_array_append_vals(places[0], atoms->x, (guint)MADE_UP_ATOMS);
  g_array_append_vals(places[1], atoms->y, (guint)MADE_UP_ATOMS);
  g_array_append_vals(places[2], atoms->z, (guint)MADE_UP_ATOMS);
  return TRUE;
}

/* Of some atoms, others within the cutoff, on average. */
static double
count_within(const float *const coordinates[3], gsize n_atoms, double cutoff)
{
  const gsize stride = MAX(n_atoms / SAMPLE_ATOMS, 1);
  double n = 0.0, n_sampled = 0.0;
  for (gsize i = 0; i < n_atoms; i += stride, n_sampled++)
    for (gsize j = 0; j < n_atoms; j++) {
      double d2 = 0.0;
      for (int axis = 0; axis < 3; axis++) {
        const double d = (double)coordinates[axis][i] - (double)coordinates[axis][j];
        d2 += d * d;
      }
      n += i != j && d2 < cutoff * cutoff;
    }
  return n_sampled > 0.0 ? n / n_sampled : 0.0;
}

/* FALSE: bins of that edge are too many. */
static gboolean
fill_bins(DebyeClassroomRecord *record, const float *const coordinates[3], gsize n_atoms, double edge)
{
  const DebyeClassroomBinChoice *choice = &record->choice;
  DebyeBinFilling filling;
  if (!debye_bin_filling_init(&filling, coordinates, n_atoms, edge, choice->capacity))
    return FALSE;
  const DebyeClassroomBins bins = {edge, debye_bin_neighbours(edge, choice->cutoff, choice->spacing),
                                   filling.mean, filling.covered, filling.filled};
  g_array_append_val(record->bins, bins);
  if (edge == choice->edge) {
    g_array_append_vals(record->bins_with, filling.bins_with->data, filling.bins_with->len);
    record->choice.fullest = filling.fullest;
  }
  debye_bin_filling_clear(&filling);
  return TRUE;
}

static gpointer
run_bins(DebyeJob *job, gpointer data, GError **error)
{
  const BinWork *work = data;
  g_autoptr(GArray) x = g_array_new(FALSE, FALSE, sizeof(float));
  g_autoptr(GArray) y = g_array_new(FALSE, FALSE, sizeof(float));
  g_autoptr(GArray) z = g_array_new(FALSE, FALSE, sizeof(float));
  GArray *const places[3] = {x, y, z};
  debye_job_set_message(job, _("Counting atoms in bins"));
  if (work->frame != NULL)
    take_atoms(work, places);
  else if (!make_up_atoms(places, error))
    return NULL;
  g_autofree char *subject = g_strdup_printf(
      work->frame != NULL ? _("The %zu atoms of this molecule in the box around them")
                          : _("%zu made-up atoms at a protein's density in the box around them"),
      (gsize)x->len);
  g_autoptr(DebyeClassroomRecord) record = debye_classroom_record_new(subject);
  const float *const coordinates[3] = {(const float *)(const void *)x->data,
                                       (const float *)(const void *)y->data,
                                       (const float *)(const void *)z->data};
  record->choice =
      (DebyeClassroomBinChoice){.edge = EDGE, .cutoff = CUTOFF, .spacing = SPACING, .capacity = CAPACITY};
  record->choice.within = count_within(coordinates, x->len, CUTOFF);
  for (double edge = LEAST_EDGE; edge <= LAST_EDGE && !*debye_job_get_cancel_flag(job); edge += EDGE_STEP) {
    fill_bins(record, coordinates, x->len, edge);
    debye_job_set_progress(job, (edge - LEAST_EDGE) / (LAST_EDGE - LEAST_EDGE));
  }
  return g_steal_pointer(&record);
}

DebyeJob *
debye_classroom_bin_job_new(DebyeDataset *dataset, DebyeFrame *frame)
{
  BinWork *work = g_new0(BinWork, 1);
  if (dataset != NULL && frame != NULL) {
    work->dataset = g_object_ref(dataset);
    work->frame = debye_frame_ref(frame);
  }
  return debye_job_new(_("Bins of the cutoff"), run_bins, work, bin_work_free);
}
