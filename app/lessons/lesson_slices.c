/* SPDX-License-Identifier: MIT */
/* The lesson on several devices, declared in lessons.h, used by window_classroom.c. Each row is a map whose slices were
 * dealt to one device, to two, …; the last ones hold the speed against the lecture's and estimate its placement of ions. */
#include "lessons.h"

#include <glib/gi18n.h>

#include "data/messages/time_text.h"
#include "ui/widgets/number_text.h"

#define BILLION 1e9
#define HOUR 3600.0
#define INITIAL_SPACING 0.5 /* Å */
/* Atoms whose ions take the lecture's evaluations at that spacing. */
#define INITIAL_ATOMS 1540000.0

enum { ATOMS, SPACING }; /* the lesson's numbers */

void
debye_lesson_add_slice_numbers(DebyeClassroomLesson *lesson)
{
  debye_classroom_lesson_add_number(lesson, _("Atoms of the virus"), "", 1000.0, 1e8, 10000.0, INITIAL_ATOMS);
  debye_classroom_lesson_add_number(lesson, _("Grid spacing G"), "Å", 0.1, 5.0, 0.1, INITIAL_SPACING);
}

/* --- Runs --- */

static guint
count_ended(const DebyeClassroomRecord *record, guint number)
{
  guint n = 0;
  for (guint i = 0; i < record->slices->len; i++)
    n += g_array_index(record->slices, DebyeBenchDealSlice, i).run == number;
  return n;
}

/* Of the time of all devices, how much they had nothing to do, in percent. */
static double
find_waiting(const DebyeClassroomRecord *record, guint number)
{
  const DebyeBenchDealRun *run = &g_array_index(record->dealings, DebyeBenchDealRun, number);
  double busy = 0.0;
  for (guint i = 0; i < record->slices->len; i++) {
    const DebyeBenchDealSlice *slice = &g_array_index(record->slices, DebyeBenchDealSlice, i);
    busy += slice->run == number ? slice->end - slice->begin : 0.0;
  }
  return 100.0 * MAX(1.0 - busy / (run->n_devices * run->seconds), 0.0);
}

/* "Tesla A", "Tesla A + Tesla B", "2 CPU threads". */
static char *
name_run(DebyeClassroomRecord *record, guint n)
{
  if (record->is_threads)
    return g_strdup_printf(ngettext("%u CPU thread", "%u CPU threads", n), n);
  GString *name = g_string_new(NULL);
  for (guint i = 0; i < n; i++) {
    g_autofree char *one = debye_classroom_record_name_device(
        record, g_array_index(record->devices, DebyeClassroomDevice, i).id);
    g_string_append_printf(name, "%s%s", i > 0 ? " + " : "", one);
  }
  return g_string_free(name, FALSE);
}

/* "0.52 s · 117 billion evaluations per second · 863 GFLOP/s"; then, of GPUs, the factor over one thread, which threads
 * have over the first row. */
static char *
write_run(DebyeClassroomRecord *record, guint number)
{
  const DebyeBenchDealRun *run = &g_array_index(record->dealings, DebyeBenchDealRun, number);
  const DebyeBenchDealRun *first = &g_array_index(record->dealings, DebyeBenchDealRun, 0);
  GString *text = g_string_new(NULL);
  g_autofree char *seconds = debye_time_text(run->seconds),
                  *rate = debye_number_sentence(run->rate / BILLION, 3),
                  *operations = debye_number_sentence(run->rate * DEBYE_BENCH_DEAL_OPERATIONS / BILLION, 3),
                  *times = debye_number_sentence(run->rate / record->thread_rate, 3),
                  *gain = debye_number_sentence(first->seconds / run->seconds, 3),
                  *waiting = debye_number_sentence(find_waiting(record, number), 2),
                  *watts = debye_number_sentence(run->watts, 3);
  g_string_append_printf(text, _("%s · %s billion evaluations per second · %s GFLOP/s"), seconds, rate,
                         operations);
  if (!record->is_threads)
    g_string_append_printf(text, _(" · %s times one CPU thread"), times);
  if (run->n_devices > 1)
    g_string_append_printf(text, _(" · %s times as fast as the first · devices wait %s %% of the time"), gain,
                           waiting);
  if (run->watts > 0.0)
    g_string_append_printf(text, _(" · %s W of the GPUs"), watts);
  return g_string_free(text, FALSE);
}

static guint
count_devices(const DebyeClassroomRecord *record, guint number)
{
  guint n = 1;
  if (number < record->dealings->len)
    return g_array_index(record->dealings, DebyeBenchDealRun, number).n_devices;
  for (guint i = 0; i < record->slices->len; i++) {
    const DebyeBenchDealSlice *slice = &g_array_index(record->slices, DebyeBenchDealSlice, i);
    n = slice->run == number ? MAX(n, slice->device + 1) : n;
  }
  return n;
}

/* Run `number`, whose slices may not all have ended. */
static void
add_run(DebyeLessonRows *rows, DebyeClassroomRecord *record, guint number)
{
  const gboolean is_whole = number < record->dealings->len;
  const guint n = count_devices(record, number);
  g_autofree char *title = name_run(record, n);
  g_autofree char *text = n == 1 ? g_strdup(_("One after the other, as the host launches them."))
                                 : g_strdup_printf(_("Slice k goes to device k mod %u, whatever the speed of "
                                                     "the devices: equal ones finish together."),
                                                   n);
  g_autofree char *numbers =
      is_whole ? write_run(record, number)
               : g_strdup_printf(ngettext("%u slice so far", "%u slices so far", count_ended(record, number)),
                                 count_ended(record, number));
  debye_lesson_add_figure(rows, title, text,
                          n == 1 ? _("How many billion evaluations per second are these?")
                                 : _("How many times as fast as the first are these?"),
                          n == 1 ? "10⁹/s" : "×", numbers, debye_classroom_plot_slices(record, number));
}

/* --- Beside the lecture --- */

/* "3 × GeForce 8800 GTX: 117 billion evaluations per second, 863 GFLOPS, 131 × one CPU core, 700 W · …" */
static char *
write_lecture(void)
{
  GString *text = g_string_new(NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(debye_bench_deal_lecture); i++) {
    const DebyeBenchDealLecture *lecture = &debye_bench_deal_lecture[i];
    g_string_append_printf(text, "%s%s: ", i > 0 ? " · " : "",
                           lecture->device != NULL ? lecture->device : _("device not stated"));
    g_autofree char *operations = debye_count_text((guint64)(lecture->operations / BILLION));
    g_string_append_printf(text, _("%.0f billion evaluations per second, %s GFLOPS, %.0f × one CPU core"),
                           lecture->rate / BILLION, operations, lecture->times);
    if (lecture->watts > 0.0)
      g_string_append_printf(text, ", %.0f W", lecture->watts);
  }
  return g_string_free(text, FALSE);
}

static void
add_lecture(DebyeLessonRows *rows, DebyeClassroomRecord *record)
{
  const DebyeBenchDealRun *last =
      &g_array_index(record->dealings, DebyeBenchDealRun, record->dealings->len - 1);
  g_autofree char *lecture = write_lecture(),
                  *text = g_strconcat(_("The lecture's GPUs:"), " ", lecture, NULL),
                  *rate = debye_number_sentence(last->rate / BILLION, 3),
                  *share = debye_number_sentence(last->rate / debye_bench_deal_lecture[0].rate, 3),
                  *numbers = g_strdup_printf(
                      _("Here %s billion evaluations per second, %s times the lecture's first. GFLOPS count "
                        "7.375 operations per evaluation, as the lecture does."),
                      rate, share);
  debye_lesson_add_figure(rows, _("Beside the lecture"), text,
                          _("How many times as fast as the lecture's three GPUs is it here?"), "×", numbers,
                          debye_classroom_plot_dealings(record));
}

/* --- Ions --- */

static void
add_ions(DebyeLessonRows *rows, DebyeClassroomRecord *record, double n_atoms, double spacing)
{
  const DebyeBenchDealRun *runs = (const DebyeBenchDealRun *)(const void *)record->dealings->data;
  const double n = debye_bench_deal_count_ions(n_atoms, spacing);
  const guint last = record->dealings->len - 1;
  g_autofree char
      *atoms = debye_count_text((guint64)n_atoms),
      *points = debye_number_sentence(n / (n_atoms * n_atoms), 3), *evaluations = debye_number_sentence(n, 2),
      *thread = debye_duration_text(n / record->thread_rate), *first = debye_duration_text(n / runs[0].rate),
      *all = debye_duration_text(n / runs[last].rate), *one = name_run(record, 1),
      *together = name_run(record, runs[last].n_devices),
      *numbers = g_strdup_printf(
          _("%s atoms with %s grid points each, %s evaluations · one CPU thread: %s · %s: %s · %s: %s"),
          atoms, points, evaluations, thread, one, first, together, all);
  debye_lesson_add_figure(
      rows, _("Ions around a virus"),
      _("Ions are placed where the potential of the direct sum is lowest. The lecture's virus took 110 hours "
        "of a CPU, 1.35 of a GPU, and 27 minutes on three: at 117 billion evaluations per second these are "
        "1.9 × 10¹⁴. Choose how many atoms and how fine a grid; the ions themselves add less than 1 %."),
      _("How many minutes would these devices take?"), "min", numbers,
      debye_classroom_plot_ions(record, spacing, n_atoms));
}

/* With that under way, or that was stopped: it has a row as well. */
static guint
count_runs(const DebyeClassroomRecord *record)
{
  const guint n = record->dealings->len;
  return n + (count_ended(record, n) > 0 ? 1 : 0);
}

void
debye_lesson_show_slices(DebyeClassroomLesson *lesson, DebyeClassroomRecord *record,
                         const DebyeLessonGuesses *guesses)
{
  const guint n = record->dealings->len;
  const gboolean is_underway = count_runs(record) > n;
  const gboolean is_whole =
      n > 0 && g_array_index(record->dealings, DebyeBenchDealRun, n - 1).n_devices == record->devices->len;
  DebyeLessonRows rows = debye_lesson_rows_begin(lesson, guesses);
  g_autofree char *subject = debye_group_digits(record->subject);
  debye_classroom_lesson_set_subject(lesson, subject);
  for (guint i = 0; i < count_runs(record); i++)
    add_run(&rows, record, i);
  /* While slices are computed, the row in progress is shown. */
  if (is_underway)
    rows.shown = rows.n - 1;
  if (is_whole) {
    add_lecture(&rows, record);
    add_ions(&rows, record, debye_classroom_lesson_get_number(lesson, ATOMS),
             debye_classroom_lesson_get_number(lesson, SPACING));
  }
  debye_lesson_rows_end(&rows);
  debye_classroom_lesson_set_has_command(lesson, count_runs(record) > 0);
}

const char *
debye_lesson_name_slice_figure(DebyeClassroomLesson *lesson, DebyeClassroomRecord *record)
{
  const guint shown = debye_classroom_lesson_get_shown_row(lesson), n = count_runs(record);
  return shown < n ? "dealt" : shown == n ? "devices" : "ions";
}
