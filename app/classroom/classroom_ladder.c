/* SPDX-License-Identifier: MIT */
/* The job of the classroom's lesson on teaching variants; declared in classroom.h, made by
 * window_classroom.c. */
#include <glib/gi18n.h>

#include "app/analysis/driver/device_choice.h"
#include "app/installation/installation.h"
#include "classroom_problem.h"
#include "classroom_recording.h"
#include "classroom_record.h"
#include "data/files/error.h"

#define REPEATS 2

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

/* --- One after the other --- */

typedef struct {
  DebyeJob *job;
  DebyeClassroomRecord *record;
  DebyeBenchProblem *problem, *counted;
  DebyeLadderKind kind;
  gsize n_done, n_all;
} Lesson;

static void
lesson_clear(Lesson *lesson)
{
  g_clear_object(&lesson->record);
  g_clear_pointer(&lesson->problem, debye_bench_problem_free);
  g_clear_pointer(&lesson->counted, debye_bench_problem_free);
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

static gboolean
is_gpu(const DebyeDeviceEntry *device)
{
  return !g_str_equal(device->info.id, DEBYE_BACKEND_CPU);
}

static gboolean
count(Lesson *lesson, const DebyeBenchLimits *limits, gsize number, DebyeBenchResult *result, GError **error)
{
  const DebyeLadderVariant *variant = &limits->device->backend->ladder->variants[number];
  DebyeClassroomCount found = {.title = variant->title,
                               .device = g_intern_string(limits->device->info.id),
                               .loses_counts = variant->loses_counts};
  if (!debye_bench_variant(lesson->counted, limits, number, REPEATS, result, error))
    return FALSE;
  found.counts = *result->counts;
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
    debye_classroom_record_add_result(lesson->record, limits, &result);
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

/* Steps that a session kept may be of another machine, whose next one can't be compared with them. */
static gboolean
check_machine(const DebyeDeviceEntry *device, DebyeClassroomRecord *before, GError **error)
{
  const DebyeClassroomStep *last = &g_array_index(before->steps, DebyeClassroomStep, before->steps->len - 1);
  for (guint i = 0; i < before->devices->len; i++) {
    const DebyeClassroomDevice *known = &g_array_index(before->devices, DebyeClassroomDevice, i);
    if (g_str_equal(known->id, last->device) && g_str_equal(known->id, device->info.id) &&
        g_str_equal(known->name, device->info.name))
      return TRUE;
  }
  return debye_error_set(
      error, DEBYE_ERROR_VALUE,
      "the steps so far were measured on another machine than this one, %s. Measure the ladder "
      "again to continue here",
      device->info.name);
}

/* The one after those that there are; the limits that were measured before hold. */
static gboolean
climb_one(Lesson *lesson, GArray *limits, DebyeClassroomRecord *before, GError **error)
{
  DebyeBenchLimits *found = &g_array_index(limits, DebyeBenchLimits, 0);
  const DebyeLadderKernel *ladder = found->device->backend->ladder;
  const guint wanted = before != NULL ? before->steps->len + 1 : 1;
  if (before != NULL && !check_machine(found->device, before, error))
    return FALSE;
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

static gboolean
prepare(Lesson *lesson, LadderWork *work, GError **error)
{
  g_autofree char *subject = NULL;
  lesson->problem = debye_classroom_problem_new(work->dataset, work->frame, lesson->kind,
                                                debye_job_get_cancel_flag(lesson->job), &subject, error);
  if (lesson->problem == NULL)
    return FALSE;
  lesson->record = debye_classroom_record_new(subject);
  if (!debye_classroom_problem_has_map(lesson->kind))
    return TRUE;
  lesson->counted = debye_classroom_problem_count(lesson->problem);
  return TRUE;
}

static gboolean
has_gpu(const DebyeDeviceEntry *const *devices, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (is_gpu(devices[i]))
      return TRUE;
  return FALSE;
}

static DebyeClassroomRecord *
read_recordings(DebyeLadderKind kind)
{
  g_auto(GStrv) folders = debye_installation_list_recording_dirs();
  return debye_classroom_recordings_read(kind, (const char *const *)folders);
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
  g_autoptr(DebyeClassroomRecord) recordings = NULL;
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
  else if (!has_gpu(chosen, n))
    recordings = read_recordings(work->kind);
  if (!prepare(&lesson, work, error) || !debye_bench_measure_limits(chosen, n, limits, error))
    return NULL;
  note_devices(&lesson, limits);
  if (!(work->is_single ? climb_one(&lesson, limits, work->before, &problem)
                        : climb(&lesson, limits, &problem)) &&
      !*debye_job_get_cancel_flag(job)) {
    g_propagate_error(error, g_steal_pointer(&problem));
    return NULL;
  }
  return recordings != NULL ? debye_classroom_record_join(lesson.record, recordings)
                            : g_steal_pointer(&lesson.record);
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
