/* SPDX-License-Identifier: MIT */
/* The lesson on methods and growing volumes, declared in lessons.h, used by window_classroom.c. Each row is a method on a
 * device, with how its time grows; the last ones say from where on the cutoff pays. */
#include "lessons.h"

#include <glib/gi18n.h>

#include "app/classroom/classroom_plots.h"
#include "data/messages/time_text.h"
#include "ui/widgets/number_text.h"

static const struct {
  DebyePotentialMethod method;
  const char *title, *text;
} methods[] = {
    {DEBYE_POTENTIAL_DIRECT, N_("Direct sum"),
     N_("Each point sums over all atoms. Twice the volume has twice as many of both.")},
    {DEBYE_POTENTIAL_CUTOFF, N_("Sum up to a cutoff"),
     N_("Each point finds as many atoms within 12 Å as before, whatever the volume.")},
    {DEBYE_POTENTIAL_MULTILEVEL, N_("Multilevel sum"),
     N_("A cutoff sum, and the rest on lattices that have as many points for each atom as before.")},
};

char *
debye_lesson_name_devices(DebyeClassroomRecord *record)
{
  GString *devices = g_string_new(NULL);
  for (guint i = 0; i < record->devices->len; i++)
    g_string_append_printf(devices, "%s%s", i > 0 ? "," : "",
                           g_array_index(record->devices, DebyeClassroomDevice, i).id);
  return g_string_free(devices, FALSE);
}

/* The time of a method on a device at a volume, or NULL; 0: at the largest. */
static const DebyeClassroomTime *
find_time(DebyeClassroomRecord *record, const char *device, DebyePotentialMethod method, double volume)
{
  const DebyeClassroomTime *found = NULL;
  for (guint i = 0; i < record->times->len; i++) {
    const DebyeClassroomTime *time = &g_array_index(record->times, DebyeClassroomTime, i);
    if (time->method == method && g_str_equal(time->device, device) &&
        (volume > 0.0 ? time->volume == volume : found == NULL || time->volume > found->volume))
      found = time;
  }
  return found;
}

/* Volumes of 1,000 Å³ and more as counts. */
static char *
write_volume(double volume)
{
  return debye_count_text((guint64)(volume + 0.5));
}

static char *
name_row(DebyeClassroomRecord *record, const char *title, const char *device)
{
  g_autofree char *chip = debye_classroom_record_name_device(record, device);
  return record->devices->len > 1 ? g_strdup_printf(_("%s on %s"), title, chip) : g_strdup(title);
}

/* Without two volumes there is no growth yet, and no row. */
static void
add_method(DebyeLessonRows *rows, DebyeClassroomRecord *record, const char *device, gsize method,
           DebyePlot *plot)
{
  const DebyeClassroomTime *last = find_time(record, device, methods[method].method, 0.0),
                           *half = last != NULL
                                       ? find_time(record, device, methods[method].method, 0.5 * last->volume)
                                       : NULL;
  if (half == NULL) {
    g_object_unref(plot);
    return;
  }
  g_autofree char *title = name_row(record, _(methods[method].title), device),
                  *volume = write_volume(last->volume), *less = write_volume(half->volume),
                  *seconds = debye_time_text(last->seconds), *before = debye_time_text(half->seconds),
                  *gain = debye_number_sentence(last->seconds / half->seconds, 3),
                  *numbers = g_strdup_printf(_("%s Å³ in %s · %s Å³ in %s · %s times as long"), less, before,
                                             volume, seconds, gain);
  debye_lesson_add_figure(rows, title, _(methods[method].text),
                          _("How many times as long does twice the volume take?"), "×", numbers, plot);
}

/* The smallest volume from which on the cutoff is faster at all that both were timed at; 0: none. */
static double
find_crossing(DebyeClassroomRecord *record, const char *device)
{
  double crossing = 0.0;
  for (guint i = 0; i < record->times->len; i++) {
    const DebyeClassroomTime *cutoff = &g_array_index(record->times, DebyeClassroomTime, i);
    const DebyeClassroomTime *direct =
        cutoff->method == DEBYE_POTENTIAL_CUTOFF && g_str_equal(cutoff->device, device)
            ? find_time(record, device, DEBYE_POTENTIAL_DIRECT, cutoff->volume)
            : NULL;
    if (direct != NULL && cutoff->seconds >= direct->seconds)
      crossing = 0.0;
    else if (direct != NULL && !(crossing > 0.0))
      crossing = cutoff->volume;
  }
  return crossing;
}

static void
add_crossing(DebyeLessonRows *rows, DebyeClassroomRecord *record, const char *device)
{
  const double crossing = find_crossing(record, device);
  if (!(crossing > 0.0))
    return;
  g_autofree char *title = name_row(record, _("Where the lines cross"), device),
                  *volume = write_volume(crossing),
                  *numbers = g_strdup_printf(_("The cutoff sum is faster above %s Å³"), volume);
  debye_lesson_add_figure(rows, title,
                          _("Sorting atoms into bins takes time, which pays off only for larger molecules."),
                          _("Above how many Å³ is the cutoff sum faster?"), "Å³", numbers,
                          debye_lesson_caption_plot(debye_classroom_plot_times(record, G_MAXUINT), record));
}

void
debye_lesson_show_growth(DebyeClassroomLesson *lesson, DebyeClassroomRecord *record,
                         const DebyeLessonGuesses *guesses)
{
  DebyeLessonRows rows = debye_lesson_rows_begin(lesson, guesses);
  const DebyeClassroomDevice *devices = (const DebyeClassroomDevice *)(const void *)record->devices->data;
  debye_classroom_lesson_set_subject(lesson, record->subject);
  for (guint device = 0; device < record->devices->len; device++)
    for (gsize method = 0; method < G_N_ELEMENTS(methods); method++) {
      const guint last = device * (guint)G_N_ELEMENTS(methods) + (guint)method;
      /* Unless they come one after the other, all belong together. */
      add_method(&rows, record, devices[device].id, method,
                 debye_lesson_caption_plot(
                     debye_classroom_plot_times(record, guesses->is_stepping ? last : G_MAXUINT), record));
    }
  for (guint device = 0; device < record->devices->len; device++)
    add_crossing(&rows, record, devices[device].id);
  debye_lesson_rows_end(&rows);
  if (rows.n == 0 && !guesses->is_stepping) {
    g_autoptr(DebyePlot) plot =
        debye_lesson_caption_plot(debye_classroom_plot_times(record, G_MAXUINT), record);
    debye_classroom_lesson_set_plot(lesson, plot);
  }
  debye_classroom_lesson_set_has_command(lesson, TRUE);
}
