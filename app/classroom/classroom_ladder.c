/* SPDX-License-Identifier: MIT */
/* The job of the classroom's lesson on teaching variants; declared in classroom.h, made by
 * window_classroom.c. */
#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "app/analysis/driver/charge_choice.h"
#include "app/analysis/driver/device_choice.h"
#include "classroom_record.h"
#include "data/files/error.h"
#include "app/analysis/analysis_list.h"

#define REPEATS 2
#define N_POINTS ((gsize)1000000)  /* of the map; a slow variant does a part of it */
#define MAX_ATOMS ((gsize)100000)  /* the rest would tell nothing new */
#define MAX_COUNTED ((gsize)10000) /* 50 million pairs: a second for one thread */
#define MADE_UP_ATOMS ((gsize)3000)
#define SCATTERED_ATOMS ((gsize)1000) /* at most, as are: */
#define SCATTERED_FRAMES ((gsize)256)
#define SCATTERED_VECTORS ((gsize)32)
#define MADE_UP_POINTS_A_SIDE ((gsize)100)

typedef struct {
  DebyeDevices *devices;
  DebyeDataset *dataset; /* NULL: made-up charges */
  DebyeFrame *frame;
  DebyeLadderKind kind;
  gboolean is_single;           /* one step of the first device */
  DebyeClassroomRecord *before; /* what that follows; NULL: it is the first */
} LadderWork;

static void
ladder_work_free(gpointer data)
{
  LadderWork *work = data;
  debye_devices_unref(work->devices);
  g_clear_object(&work->dataset);
  g_clear_pointer(&work->frame, debye_frame_unref);
  g_clear_object(&work->before);
  g_free(work);
}

/* --- On what --- */

static DebyeBenchProblem *
make_up_problem(gboolean has_molecule, char **subject)
{
  const char *text = has_molecule
                         ? N_("This molecule has no charges: %zu made-up ones at a protein's density instead")
                         : N_("%zu made-up charges at a protein's density");
  *subject = g_strdup_printf(_(text), (gsize)MADE_UP_ATOMS);
  return debye_bench_problem_new(MADE_UP_POINTS_A_SIDE, MADE_UP_ATOMS);
}

/* The atoms that count, of a topology where not all do. */
static GArray *
list_counted(DebyeTopology *topology)
{
  const guint8 *counted = debye_topology_get_counted(topology);
  GArray *atoms = g_array_new(FALSE, FALSE, sizeof(guint32));
  for (guint32 i = 0; i < debye_topology_get_n_atoms(topology); i++)
    if (counted[i])
      g_array_append_val(atoms, i);
  return atoms;
}

/* NULL without the memory. */
static DebyeFrame *
keep_counted(DebyeTopology **topology, DebyeFrame *frame)
{
  if (debye_topology_get_counted(*topology) == NULL)
    return debye_frame_ref(frame);
  g_autoptr(GArray) atoms = list_counted(*topology);
  const guint32 *list = (const guint32 *)(const void *)atoms->data;
  DebyeTopology *part = debye_topology_subset(*topology, list, atoms->len);
  g_object_unref(*topology);
  *topology = part;
  return debye_frame_subset(frame, list, atoms->len);
}

/* Where it has right angles, along the axes. */
static void
take_cell(DebyeBenchProblem *problem, const DebyeCell *cell)
{
  const double edges[3] = {cell->a.x, cell->b.y, cell->c.z};
  const double others = fabs(cell->a.y) + fabs(cell->a.z) + fabs(cell->b.x) + fabs(cell->b.z) +
                        fabs(cell->c.x) + fabs(cell->c.y);
  if (debye_cell_is_valid(cell) && others < 1e-6 && MIN(MIN(edges[0], edges[1]), edges[2]) > 0.0)
    memcpy(problem->edge, edges, sizeof edges);
}

static DebyeBenchProblem *
take_molecule(LadderWork *work, char **subject)
{
  DebyeChargeChoice choice = {0};
  const char *key = NULL;
  if (!debye_charge_choice_init(&choice, work->dataset, DEBYE_CHARGES_AUTO, &key, NULL))
    return make_up_problem(TRUE, subject);
  g_autoptr(DebyeFrame) frame = keep_counted(&choice.topology, work->frame);
  if (frame == NULL) {
    debye_charge_choice_clear(&choice);
    return make_up_problem(TRUE, subject);
  }
  const gsize n_atoms = MIN(frame->n_atoms, MAX_ATOMS);
  const DebyeCharges charges = {frame->x, frame->y, frame->z, debye_topology_get_charges(choice.topology),
                                n_atoms};
  DebyeBenchProblem *problem = debye_bench_problem_new_for_charges(&charges, N_POINTS);
  if (n_atoms == frame->n_atoms)
    take_cell(problem, &frame->cell);
  *subject = g_strdup_printf(n_atoms < frame->n_atoms ? _("The first %zu atoms of this molecule, charges: %s")
                                                      : _("The %zu atoms of this molecule, charges: %s"),
                             n_atoms, choice.table != NULL ? _("a force field's") : _("those of the file"));
  debye_charge_choice_clear(&choice);
  return problem;
}

/* The same without the atoms that would only cost time: of more, one of every so many, which leaves the shape of
 * g(r) as it is. */
static DebyeBenchProblem *
take_counted(const DebyeBenchProblem *problem)
{
  const DebyeCharges *all = &problem->charges;
  const gsize step = (all->n + MAX_COUNTED - 1) / MAX_COUNTED, n = (all->n + step - 1) / step;
  g_autofree float *some = g_new(float, 4 * n);
  for (gsize i = 0; i < n; i++) {
    some[i] = all->x[i * step];
    some[n + i] = all->y[i * step];
    some[2 * n + i] = all->z[i * step];
    some[3 * n + i] = all->charge[i * step];
  }
  const DebyeCharges charges = {some, some + n, some + 2 * n, some + 3 * n, n};
  DebyeBenchProblem *counted = debye_bench_problem_new_for_charges(&charges, 8);
  memcpy(counted->edge, problem->edge, sizeof counted->edge);
  counted->cancel = problem->cancel;
  return counted;
}

/* The same box in the spacing that bins of eight slots are meant for. */
static void
lay_cutoff_grid(DebyeBenchProblem *problem)
{
  DebyeGrid *grid = &problem->grid;
  const double finer = grid->step[0].x / DEBYE_CLASSROOM_SPACING;
  for (int axis = 0; axis < 3; axis++) {
    grid->shape[axis] = (gsize)floor((double)(grid->shape[axis] - 1) * finer) + 1;
    grid->step[axis] = debye_vec3_scale(grid->step[axis], 1.0 / finer);
  }
  problem->cutoff = DEBYE_CLASSROOM_CUTOFF;
}

/* --- One after the other --- */

typedef struct {
  DebyeJob *job;
  DebyeClassroomRecord *record;
  DebyeBenchProblem *problem, *counted;
  DebyeBenchAtoms *atoms; /* whose courses are scattered from; NULL: none */
  DebyeLadderKind kind;
  gsize n_done, n_all;
} Lesson;

static void
lesson_clear(Lesson *lesson)
{
  g_clear_object(&lesson->record);
  g_clear_pointer(&lesson->problem, debye_bench_problem_free);
  g_clear_pointer(&lesson->counted, debye_bench_problem_free);
  g_clear_pointer(&lesson->atoms, debye_bench_atoms_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Lesson, lesson_clear)

/* Among those of its kind, from 1. */
static guint
find_number(const DebyeLadderKernel *ladder, gsize variant)
{
  guint number = 0;
  for (gsize i = 0; i <= variant; i++)
    number += ladder->variants[i].kind == ladder->variants[variant].kind && !ladder->variants[i].is_legacy;
  return number;
}

static void
note_step(Lesson *lesson, const DebyeBenchLimits *limits, gsize number, const DebyeBenchResult *result)
{
  const DebyeLadderVariant *variant = &limits->device->backend->ladder->variants[number];
  const DebyeClassroomStep step = {
      .title = variant->title,
      .lesson = variant->lesson,
      .source = variant->source,
      .lecture = variant->lecture,
      .device = g_intern_string(limits->device->info.id),
      .number = find_number(limits->device->backend->ladder, number),
      .kind = variant->kind,
      .is_race = variant->is_race,
      .rate = result->rate,
      .operations = result->operations,
      .share = result->share,
      .error = result->error,
      .intensity = result->intensity,
      .seconds = result->seconds,
      .overflow = result->overflow,
      .kernel_seconds = result->kernel_seconds,
      .overflow_seconds = result->overflow_seconds,
      .reciprocal_roof = limits->limits.reciprocal_roots * variant->operations,
  };
  g_array_append_val(lesson->record->steps, step);
}

/* A race that loses nothing shows nothing: it is run again. */
static gboolean
count(Lesson *lesson, const DebyeBenchLimits *limits, gsize number, DebyeBenchResult *result, GError **error)
{
  const DebyeLadderVariant *variant = &limits->device->backend->ladder->variants[number];
  DebyeClassroomCount found = {.title = variant->title,
                               .device = g_intern_string(limits->device->info.id),
                               .loses_counts = variant->loses_counts};
  const gint64 end = g_get_monotonic_time() + DEBYE_CLASSROOM_RACE_SECONDS * G_USEC_PER_SEC;
  do {
    debye_bench_result_clear(result);
    if (!debye_bench_count(lesson->counted, limits, number, REPEATS, found.counts, result, error))
      return FALSE;
  } while (variant->is_race && !(result->error > 0.0) && g_get_monotonic_time() < end);
  found.lost = result->error;
  g_array_append_val(lesson->record->counts, found);
  return TRUE;
}

/* The highest limit counts for the steps that were measured before it as well. */
static void
settle_limits(DebyeClassroomRecord *record, const DebyeBenchLimits *limits)
{
  const char *id = g_intern_string(limits->device->info.id);
  for (guint i = 0; i < record->devices->len; i++) {
    DebyeClassroomDevice *device = &g_array_index(record->devices, DebyeClassroomDevice, i);
    if (device->id == id)
      device->limits = limits->limits;
  }
  for (guint i = 0; i < record->steps->len; i++) {
    DebyeClassroomStep *step = &g_array_index(record->steps, DebyeClassroomStep, i);
    if (step->device == id)
      step->share = debye_bench_share(limits, step->operations);
  }
}

static gboolean
take_step(Lesson *lesson, DebyeBenchLimits *limits, gsize number, GError **error)
{
  const DebyeLadderVariant *variant = &limits->device->backend->ladder->variants[number];
  DebyeBenchResult result = {0};
  debye_job_set_message(lesson->job, _("%s on %s"), _(variant->title), limits->device->info.name);
  if (!debye_bench_raise_limits(limits, error))
    return FALSE;
  gboolean ok = variant->kind == DEBYE_LADDER_COUNT
                    ? count(lesson, limits, number, &result, error)
                    : debye_bench_variant(lesson->problem, limits, number, REPEATS, &result, error);
  if (ok) {
    g_autoptr(DebyeClassroomRecord) copy = NULL;
    note_step(lesson, limits, number, &result);
    settle_limits(lesson->record, limits);
    copy = debye_classroom_record_copy(lesson->record);
    debye_job_publish(lesson->job, copy);
    debye_job_set_progress(lesson->job, (double)++lesson->n_done / (double)lesson->n_all);
  }
  debye_bench_result_clear(&result);
  return ok;
}

static gboolean
is_step(const Lesson *lesson, const DebyeLadderVariant *variant)
{
  return variant->kind == lesson->kind && !variant->is_legacy;
}

static gboolean
climb(Lesson *lesson, GArray *limits, GError **error)
{
  for (guint i = 0; i < limits->len; i++) {
    DebyeBenchLimits *found = &g_array_index(limits, DebyeBenchLimits, i);
    const DebyeLadderKernel *ladder = found->device->backend->ladder;
    for (gsize number = 0; number < ladder->n_variants; number++)
      if (is_step(lesson, &ladder->variants[number]) && !take_step(lesson, found, number, error))
        return FALSE;
  }
  return TRUE;
}

/* The one after those that there are; the limits that were measured before hold. */
static gboolean
climb_one(Lesson *lesson, GArray *limits, DebyeClassroomRecord *before, GError **error)
{
  DebyeBenchLimits *found = &g_array_index(limits, DebyeBenchLimits, 0);
  const DebyeLadderKernel *ladder = found->device->backend->ladder;
  const guint wanted = before != NULL ? before->steps->len + 1 : 1;
  if (before != NULL) {
    g_array_append_vals(lesson->record->steps, before->steps->data, before->steps->len);
    g_array_append_vals(lesson->record->counts, before->counts->data, before->counts->len);
  }
  for (gsize number = 0; number < ladder->n_variants; number++)
    if (is_step(lesson, &ladder->variants[number]) && find_number(ladder, number) == wanted)
      return take_step(lesson, found, number, error);
  return TRUE;
}

static void
note_devices(Lesson *lesson, const GArray *limits)
{
  for (guint i = 0; i < limits->len; i++) {
    const DebyeBenchLimits *found = &g_array_index(limits, DebyeBenchLimits, i);
    const DebyeClassroomDevice device = {g_intern_string(found->device->info.id),
                                         g_intern_string(found->device->info.name), found->limits};
    g_array_append_val(lesson->record->devices, device);
    const DebyeLadderKernel *ladder = found->device->backend->ladder;
    for (gsize number = 0; number < ladder->n_variants; number++)
      lesson->n_all += is_step(lesson, &ladder->variants[number]);
  }
}

gboolean
debye_classroom_has_courses(DebyeDataset *dataset)
{
  DebyeTrajectory *trajectory = dataset != NULL ? debye_dataset_get_trajectory(dataset) : NULL;
  return trajectory != NULL && debye_trajectory_get_n_frames(trajectory) > 1;
}

/* The trajectory's first atoms and frames, or made-up ones. */
static gboolean
prepare_scattering(Lesson *lesson, LadderWork *work, GError **error)
{
  const gboolean is_file = debye_classroom_has_courses(work->dataset);
  gsize n_atoms = SCATTERED_ATOMS, n_frames = SCATTERED_FRAMES;
  if (is_file) {
    lesson->atoms = debye_bench_atoms_new_for_dataset(work->dataset, DEBYE_CHARGES_AUTO, n_atoms, n_frames,
                                                      debye_job_get_cancel_flag(lesson->job), error);
    if (lesson->atoms == NULL)
      return FALSE;
    n_atoms = lesson->atoms->n_atoms;
    n_frames = lesson->atoms->n_frames;
  }
  g_autofree char *subject =
      g_strdup_printf(is_file ? _("%zu atoms of this trajectory in %zu frames, %zu vectors")
                              : _("%zu made-up atoms in %zu frames, %zu vectors"),
                      n_atoms, n_frames, SCATTERED_VECTORS);
  lesson->problem = debye_bench_problem_new(1, n_atoms);
  lesson->problem->cancel = debye_job_get_cancel_flag(lesson->job);
  lesson->record = debye_classroom_record_new(subject);
  return debye_bench_problem_set_courses(lesson->problem, lesson->atoms, n_frames, SCATTERED_VECTORS, error);
}

static gboolean
prepare(Lesson *lesson, LadderWork *work, GError **error)
{
  g_autofree char *subject = NULL;
  if (lesson->kind == DEBYE_LADDER_SCATTERING)
    return prepare_scattering(lesson, work, error);
  lesson->problem = work->frame != NULL ? take_molecule(work, &subject) : make_up_problem(FALSE, &subject);
  lesson->problem->cancel = debye_job_get_cancel_flag(lesson->job);
  if (!(lesson->problem->exact_rms > 0.0)) {
    debye_error_set(error, DEBYE_ERROR_VALUE,
                    "Class room: expected atoms with coordinates and charges other than 0, found none");
    return FALSE;
  }
  lesson->counted = take_counted(lesson->problem);
  if (lesson->kind == DEBYE_LADDER_CUTOFF)
    lay_cutoff_grid(lesson->problem);
  lesson->record = debye_classroom_record_new(subject);
  const double *edge = lesson->counted->edge;
  lesson->record->bin_width = debye_bench_find_range(lesson->counted) / DEBYE_BENCH_N_BINS;
  lesson->record->n_counted = (double)lesson->counted->n_atoms;
  lesson->record->cell_volume = edge[0] * edge[1] * edge[2];
  return TRUE;
}

/* What was measured before a stop is kept. */
static gpointer
run_ladder(DebyeJob *job, gpointer data, GError **error)
{
  LadderWork *work = data;
  const DebyeDeviceEntry *chosen[DEBYE_MAX_DEVICES];
  g_auto(Lesson) lesson = {.job = job, .kind = work->kind};
  g_autoptr(GArray) limits = g_array_new(FALSE, TRUE, sizeof(DebyeBenchLimits));
  g_autoptr(GError) problem = NULL;
  DebyeStatus status = {0};
  debye_job_set_message(job, _("Measuring the peak performance of the devices"));
  gsize n =
      debye_registry_choose(debye_devices_wait(work->devices), "auto", chosen, G_N_ELEMENTS(chosen), &status);
  if (n == 0) {
    debye_device_set_error(error, &status);
    return NULL;
  }
  if (work->is_single)
    n = 1; /* the fastest is the first */
  if (!prepare(&lesson, work, error) || !debye_bench_measure_limits(chosen, n, limits, error))
    return NULL;
  note_devices(&lesson, limits);
  if (!(work->is_single ? climb_one(&lesson, limits, work->before, &problem)
                        : climb(&lesson, limits, &problem)) &&
      !*debye_job_get_cancel_flag(job)) {
    g_propagate_error(error, g_steal_pointer(&problem));
    return NULL;
  }
  return g_steal_pointer(&lesson.record);
}

static LadderWork *
new_work(DebyeDevices *devices, DebyeDataset *dataset, DebyeFrame *frame, DebyeLadderKind kind)
{
  LadderWork *work = g_new0(LadderWork, 1);
  work->devices = debye_devices_ref(devices);
  work->kind = kind;
  if (dataset != NULL && frame != NULL) {
    work->dataset = g_object_ref(dataset);
    work->frame = debye_frame_ref(frame);
  }
  return work;
}

DebyeJob *
debye_classroom_ladder_job_new(DebyeDevices *devices, DebyeDataset *dataset, DebyeFrame *frame,
                               DebyeLadderKind kind)
{
  return debye_job_new(_("Ladder of kernels"), run_ladder, new_work(devices, dataset, frame, kind),
                       ladder_work_free);
}

DebyeJob *
debye_classroom_step_job_new(DebyeDevices *devices, DebyeDataset *dataset, DebyeFrame *frame,
                             DebyeLadderKind kind, DebyeClassroomRecord *before)
{
  LadderWork *work = new_work(devices, dataset, frame, kind);
  work->is_single = TRUE;
  g_set_object(&work->before, before);
  return debye_job_new(_("Step of a ladder"), run_ladder, work, ladder_work_free);
}
