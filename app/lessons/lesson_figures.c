/* SPDX-License-Identifier: MIT */
/* The lessons whose rows are figures: which of lesson_bins.c, lesson_growth.c and lesson_slices.c shows them, and orientations
 * themselves; declared in lessons.h, used by window_classroom.c. */
#include "lessons.h"

#include <glib/gi18n.h>
#include <math.h>

#include "app/classroom/classroom_command.h"
#include "app/classroom/classroom_plots.h"
#include "ui/widgets/number_text.h"

#define LEAST_GUESS -100000.0 /* energies are negative */

const DebyeLessonText debye_lesson_figures[DEBYE_LESSON_N_FIGURES] = {
    [DEBYE_LESSON_GROWTH] = {"growth", N_("Growth"),
                             N_("Twice the volume has twice the atoms and twice the points. How much longer "
                                "do the direct sum, the sum within a cutoff and the multilevel sum, which "
                                "adds what the cutoff omits, then take? Where do the lines cross?")},
    [DEBYE_LESSON_SLICES] =
        {"devices", N_("Devices"),
         N_("The slices of a map do not depend on one another. The lecture deals them to its GPUs like "
            "cards: how much faster are two, three or four? Without a second GPU the processor's threads "
            "take "
            "their places.")},
    [DEBYE_LESSON_BINS] =
        {"bins", N_("Bins"),
         N_("A point needs only the atoms within the cutoff. They are sorted into bins with eight slots "
            "each, and a block of points looks only at bins within its reach. How large should a bin be, and "
            "what becomes of the atoms that don't fit?")},
    [DEBYE_LESSON_BATCHES] =
        {"batches", N_("Batches"),
         N_("Self scattering transforms a series for each atom and vector. One call can transform many of "
            "them, which fills the GPU, but they must all be in its memory. How many atoms fit, and what do "
            "more frames cost?")},
    [DEBYE_LESSON_BORN] =
        {"born", N_("Born's ion"),
         N_("Poisson-Boltzmann with an exact answer: one ion in water with salt. What is its solvation "
            "energy, how far does its potential reach, and how fine must the grid be for both?")},
    [DEBYE_LESSON_ORIENTATIONS] = {"orientations", N_("Orientations"),
                                   N_("A powder or a solution shows a molecule from all sides. One direction "
                                      "is a speckle pattern; with more directions the mean becomes the Debye "
                                      "formula, first at small q. How many are enough?")},
};

void
debye_lesson_add_numbers(DebyeClassroomLesson *lesson, DebyeLessonFigure kind)
{
  if (kind == DEBYE_LESSON_BINS)
    debye_lesson_add_bin_numbers(lesson);
  if (kind == DEBYE_LESSON_SLICES)
    debye_lesson_add_slice_numbers(lesson);
  if (kind == DEBYE_LESSON_BATCHES)
    debye_lesson_add_batch_numbers(lesson);
  if (kind == DEBYE_LESSON_BORN)
    debye_lesson_add_born_numbers(lesson);
  debye_classroom_lesson_add_guess(lesson, _("Guess"), LEAST_GUESS);
  debye_classroom_lesson_ask_guess(lesson, NULL, NULL);
}

/* --- Orientations --- */

/* How far the mean of directions is off the average over all; the last row's figure has them all. */
static void
add_orientation(DebyeLessonRows *rows, DebyeClassroomRecord *record, guint number)
{
  DebyeCurve *exact = record->curves->pdata[0], *curve = record->curves->pdata[number];
  const guint n_directions = debye_classroom_count_directions(number);
  g_autofree char *directions = debye_count_text(n_directions),
                  *title =
                      g_strdup_printf(ngettext("%s direction", "%s directions", n_directions), directions),
                  *all = debye_number_sentence(100.0 * debye_classroom_find_deviation(curve, exact, INFINITY),
                                               3),
                  *small = debye_number_sentence(
                      100.0 * debye_classroom_find_deviation(curve, exact, DEBYE_CLASSROOM_SMALL_Q), 3),
                  *q = debye_number_sentence(DEBYE_CLASSROOM_SMALL_Q, 3),
                  *numbers =
                      g_strdup_printf(_("%s %% off the exact average · %s %% up to q = %s/Å"), all, small, q);
  debye_lesson_add_figure(
      rows, title,
      number == 1 ? _("The intensity in this direction only.")
                  : _("The mean over directions that are spread over a sphere."),
      _("How far off the exact average is it, in percent?"), "%", numbers,
      debye_lesson_caption_plot(debye_classroom_plot_orientations(record, number), record));
}

static void
show_orientations(DebyeClassroomLesson *lesson, DebyeClassroomRecord *record,
                  const DebyeLessonGuesses *guesses)
{
  DebyeLessonRows rows = debye_lesson_rows_begin(lesson, guesses);
  debye_classroom_lesson_set_subject(lesson, record->subject);
  for (guint i = 1; i < record->curves->len; i++)
    add_orientation(&rows, record, i);
  rows.shown = MAX(rows.n, 1) - 1;
  debye_lesson_rows_end(&rows);
  if (rows.n == 0 || (guesses->is_stepping && guesses->guesses->len == 0)) {
    g_autoptr(DebyePlot) exact =
        debye_lesson_caption_plot(debye_classroom_plot_orientations(record, 0), record);
    debye_classroom_lesson_set_plot(lesson, exact);
  }
  debye_classroom_lesson_set_has_command(lesson, TRUE);
}

void
debye_lesson_show_figure(DebyeClassroomLesson *lesson, DebyeLessonFigure kind, DebyeClassroomRecord *record,
                         const DebyeLessonGuesses *guesses)
{
  switch (kind) {
  case DEBYE_LESSON_GROWTH:
    debye_lesson_show_growth(lesson, record, guesses);
    break;
  case DEBYE_LESSON_SLICES:
    debye_lesson_show_slices(lesson, record, guesses);
    break;
  case DEBYE_LESSON_BINS:
    debye_lesson_show_bins(lesson, record, guesses);
    break;
  case DEBYE_LESSON_BATCHES:
    debye_lesson_show_batches(lesson, record, guesses);
    break;
  case DEBYE_LESSON_BORN:
    debye_lesson_show_born(lesson, record, guesses);
    break;
  default:
    show_orientations(lesson, record, guesses);
  }
}

/* The command line of the lesson; for bins, that of the displayed figure. */
char *
debye_lesson_write_command(DebyeClassroomLesson *lesson, DebyeLessonFigure kind, DebyeClassroomRecord *record,
                           DebyeDataset *dataset)
{
  if (kind == DEBYE_LESSON_BINS) {
    const DebyeClassroomBinChoice choice = debye_lesson_choose_bins(lesson);
    return debye_classroom_write_bins(dataset, debye_lesson_name_figure(lesson), &choice);
  }
  if (kind == DEBYE_LESSON_SLICES)
    return debye_classroom_write_slices(dataset, debye_lesson_name_slice_figure(lesson, record));
  if (kind == DEBYE_LESSON_BATCHES)
    return debye_lesson_write_batches(lesson);
  if (kind == DEBYE_LESSON_BORN)
    return debye_lesson_write_born(lesson);
  if (kind != DEBYE_LESSON_GROWTH)
    return debye_classroom_write_orientations(dataset);
  g_autofree char *devices = debye_lesson_name_devices(record);
  return debye_classroom_write_growth(devices);
}

DebyeJob *
debye_lesson_create_job(DebyeClassroomLesson *lesson, DebyeLessonFigure kind, DebyeDevices *devices,
                        DebyeDataset *dataset, DebyeFrame *frame)
{
  switch (kind) {
  case DEBYE_LESSON_GROWTH:
    return debye_classroom_volume_job_new(devices);
  case DEBYE_LESSON_SLICES:
    return debye_classroom_slice_job_new(devices, dataset, frame);
  case DEBYE_LESSON_BINS: {
    const DebyeClassroomBinChoice bins = debye_lesson_choose_bins(lesson);
    return debye_classroom_bin_job_new(dataset, frame, &bins);
  }
  case DEBYE_LESSON_BATCHES: {
    const DebyeClassroomBatchChoice batch = debye_lesson_choose_batch(lesson);
    return debye_classroom_batch_job_new(devices, &batch);
  }
  case DEBYE_LESSON_BORN: {
    const DebyeClassroomBornChoice born = debye_lesson_choose_born(lesson);
    return debye_classroom_born_job_new(devices, &born);
  }
  default:
    return dataset != NULL ? debye_classroom_orientation_job_new(devices, dataset) : NULL;
  }
}
