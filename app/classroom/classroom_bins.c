/* SPDX-License-Identifier: MIT */
/* The job of the classroom's lesson on bins: how the molecule's atoms fill bins of many sizes; declared in classroom.h,
 * made by window_classroom.c. */
#include <glib/gi18n.h>
#include <math.h>

#include "app/bench/bench_atoms.h"
#include "classroom_bin_plots.h"
#include "classroom_levels.h"
#include "classroom_problem.h"
#include "classroom_record.h"

const DebyeClassroomBinChoice debye_classroom_lecture_bins = {
    .edge = 4.0, .cutoff = DEBYE_CLASSROOM_CUTOFF, .spacing = DEBYE_CLASSROOM_SPACING, .capacity = 8};

#define N_SHELLS 48 /* of the figure's cutoffs */
#define WITHIN_STEP (DEBYE_CLASSROOM_LAST_CUTOFF / N_SHELLS)
#define EDGE_STEP 0.25
#define WANTED_COVER 0.95 /* of the atoms, as the lecture wants */
#define MADE_UP_ATOMS ((gsize)20000)
#define SAMPLE_ATOMS ((gsize)500)

typedef struct {
  DebyeDataset *dataset; /* NULL: made-up atoms */
  DebyeFrame *frame;
  DebyeClassroomBinChoice choice;
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

static double
find_distance(const float *const coordinates[3], gsize i, gsize j)
{
  double d2 = 0.0;
  for (int axis = 0; axis < 3; axis++) {
    const double d = (double)coordinates[axis][i] - (double)coordinates[axis][j];
    d2 += d * d;
  }
  return sqrt(d2);
}

/* Of some atoms, others within the chosen cutoff and within each of the figure's, on average. */
static void
count_within(DebyeClassroomRecord *record, const float *const coordinates[3], gsize n_atoms)
{
  const gsize stride = MAX(n_atoms / SAMPLE_ATOMS, 1);
  double shells[N_SHELLS] = {0.0}, n = 0.0, n_sampled = 0.0;
  for (gsize i = 0; i < n_atoms; i += stride, n_sampled++)
    for (gsize j = 0; j < n_atoms; j++) {
      const double d = find_distance(coordinates, i, j);
      n += i != j && d < record->choice.cutoff;
      if (i != j && d < DEBYE_CLASSROOM_LAST_CUTOFF)
        shells[(int)(d / WITHIN_STEP)]++;
    }
  record->choice.within = n_sampled > 0.0 ? n / n_sampled : 0.0;
  DebyeClassroomPoint point = {0};
  for (int shell = 0; shell < N_SHELLS; shell++) {
    point.x = (shell + 1) * WITHIN_STEP;
    point.y += n_sampled > 0.0 ? shells[shell] / n_sampled : 0.0;
    if (point.x >= DEBYE_CLASSROOM_LEAST_CUTOFF)
      g_array_append_val(record->within, point);
  }
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

DebyeClassroomRecord *
debye_classroom_count_bins(const char *subject, const float *const coordinates[3], gsize n_atoms,
                           const DebyeClassroomBinChoice *choice, DebyeJob *progress)
{
  const double first = DEBYE_CLASSROOM_LEAST_EDGE, last = DEBYE_CLASSROOM_LAST_EDGE;
  DebyeClassroomRecord *record = debye_classroom_record_new(subject);
  record->choice = *choice;
  count_within(record, coordinates, n_atoms);
  for (double edge = first; edge <= last; edge += EDGE_STEP) {
    if (progress != NULL && *debye_job_get_cancel_flag(progress))
      break;
    fill_bins(record, coordinates, n_atoms, edge);
    if (choice->edge > edge && choice->edge < edge + EDGE_STEP)
      fill_bins(record, coordinates, n_atoms, choice->edge);
    if (progress != NULL)
      debye_job_set_progress(progress, (edge - first) / (last - first));
  }
  return record;
}

const DebyeClassroomBins *
debye_classroom_record_find_bins(DebyeClassroomRecord *self)
{
  for (guint i = 0; i < self->bins->len; i++) {
    const DebyeClassroomBins *row = &g_array_index(self->bins, DebyeClassroomBins, i);
    if (row->edge == self->choice.edge)
      return row;
  }
  return NULL;
}

double
debye_classroom_record_find_largest_edge(DebyeClassroomRecord *self)
{
  double edge = 0.0;
  for (guint i = 0; i < self->bins->len; i++) {
    const DebyeClassroomBins *row = &g_array_index(self->bins, DebyeClassroomBins, i);
    if (row->covered < WANTED_COVER)
      break;
    edge = row->edge;
  }
  return edge;
}

/* --- The job --- */

/* Of a molecule with charges, or else of made-up ones; of one whose charges are all 0 there is nothing to map. */
static void
map_parts(DebyeJob *job, const BinWork *work, DebyeClassroomRecord *record)
{
  DebyeMultilevel multilevel;
  g_autofree char *subject = NULL;
  debye_job_set_message(job, _("Mapping the parts of 1/d"));
  g_autoptr(DebyeBenchProblem) problem = debye_classroom_problem_new(
      work->dataset, work->frame, DEBYE_LADDER_MAP, debye_job_get_cancel_flag(job), &subject, NULL);
  if (problem != NULL && debye_classroom_choose_split(&multilevel))
    debye_classroom_map_parts(record, problem, &multilevel);
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
  const float *const coordinates[3] = {(const float *)(const void *)x->data,
                                       (const float *)(const void *)y->data,
                                       (const float *)(const void *)z->data};
  g_autoptr(DebyeClassroomRecord) record =
      debye_classroom_count_bins(subject, coordinates, x->len, &work->choice, job);
  g_autoptr(DebyeClassroomRecord) bins = debye_classroom_record_copy(record);
  debye_job_publish(job, bins);
  map_parts(job, work, record);
  return g_steal_pointer(&record);
}

DebyeJob *
debye_classroom_bin_job_new(DebyeDataset *dataset, DebyeFrame *frame, const DebyeClassroomBinChoice *choice)
{
  BinWork *work = g_new0(BinWork, 1);
  work->choice = *choice;
  if (dataset != NULL && frame != NULL) {
    work->dataset = g_object_ref(dataset);
    work->frame = debye_frame_ref(frame);
  }
  return debye_job_new(_("Bins of the cutoff"), run_bins, work, bin_work_free);
}
