/* SPDX-License-Identifier: MIT */
/* Lessons on what numbers choose, declared in lessons.h, used by window_classroom.c. Each row is a figure with its numbers: the
 * lecture's and ours of bins, the formula's and the grid's of Born's ion. */
#include "lessons.h"

#include <glib/gi18n.h>
#include <math.h>

#include "app/classroom/classroom_bin_plots.h"
#include "app/classroom/classroom_command.h"
#include "app/classroom/classroom_levels.h"
#include "ui/widgets/number_text.h"

/* --- What is chosen --- */

enum { EDGE, CUTOFF, SPACING, CAPACITY }; /* the lesson's numbers */

void
debye_lesson_add_bin_numbers(DebyeClassroomLesson *lesson)
{
  const DebyeClassroomBinChoice *lecture = &debye_classroom_lecture_bins;
  debye_classroom_lesson_add_number(lesson, _("Bin edge B"), "Å", DEBYE_CLASSROOM_LEAST_EDGE,
                                    DEBYE_CLASSROOM_LAST_EDGE, 0.25, lecture->edge);
  debye_classroom_lesson_add_number(lesson, _("Cutoff C"), "Å", DEBYE_CLASSROOM_LEAST_CUTOFF,
                                    DEBYE_CLASSROOM_LAST_CUTOFF, 0.5, lecture->cutoff);
  debye_classroom_lesson_add_number(lesson, _("Grid spacing G"), "Å", DEBYE_CLASSROOM_LEAST_SPACING,
                                    DEBYE_CLASSROOM_LAST_SPACING, 0.1, lecture->spacing);
  debye_classroom_lesson_add_number(lesson, _("Slots per bin"), "", 1.0, 64.0, 1.0, lecture->capacity);
}

DebyeClassroomBinChoice
debye_lesson_choose_bins(DebyeClassroomLesson *lesson)
{
  return (DebyeClassroomBinChoice){
      .edge = debye_classroom_lesson_get_number(lesson, EDGE),
      .cutoff = debye_classroom_lesson_get_number(lesson, CUTOFF),
      .spacing = debye_classroom_lesson_get_number(lesson, SPACING),
      .capacity = (guint)debye_classroom_lesson_get_number(lesson, CAPACITY),
  };
}

const char *
debye_lesson_name_figure(DebyeClassroomLesson *lesson)
{
  static const char *const names[] = {"neighbours", "filling", "capacity",  "reuse", "cutoff",
                                      "within",     "spacing", "smoothing", "split", "short",
                                      "level-1",    "level-2", "rest"};
  return names[MIN(debye_classroom_lesson_get_shown_row(lesson), G_N_ELEMENTS(names) - 1)];
}

/* --- Rows --- */

static void
add_neighbours(DebyeLessonRows *rows, DebyeClassroomRecord *record, const DebyeClassroomBins *row)
{
  const DebyeClassroomBinChoice *choice = &record->choice;
  const DebyeBinNeighbours *found = &row->neighbours;
  g_autofree char *numbers = g_strdup_printf(
      _("Δmax = ⌈(C − G/2)/B⌉ = ⌈(%g − %g)/%g⌉ = %u · cube: %u bins, %.1f %% within the cutoff · sphere: %u "
        "bins, %.1f %%"),
      choice->cutoff, 0.5 * choice->spacing, choice->edge, found->reach, (guint)found->n_cube,
      100.0 * found->valid_cube, (guint)found->n_sphere, 100.0 * found->valid_sphere);
  debye_lesson_add_figure(
      rows, _("Bins to search"),
      _("Points stand half their spacing G from the faces of their bin. Bins up to Δmax away in each "
        "direction can have atoms within the cutoff C: a cube of bins of edge B. Those of its corners that "
        "are too far away are left out of the sphere's list."),
      _("How many bins are on the sphere's list?"), NULL, numbers, debye_classroom_plot_neighbours(record));
}

static void
add_filling(DebyeLessonRows *rows, DebyeClassroomRecord *record, const DebyeClassroomBins *row)
{
  const DebyeClassroomBinChoice *choice = &record->choice;
  g_autofree char *numbers =
      g_strdup_printf(_("On average %.2f atoms in bins of %g Å, the lecture's water 5.35 · at most %u · %.0f "
                        "atoms within %g Å of an atom"),
                      row->mean, choice->edge, choice->fullest, choice->within, choice->cutoff);
  debye_lesson_add_figure(
      rows, _("Atoms in a bin"),
      _("A bin has a fixed number of slots, so that threads find it without looking it up and read it in one "
        "piece: 8 atoms are 128 bytes. Density decides how many of them are used."),
      _("How many atoms does a bin have on average?"), NULL, numbers, debye_classroom_plot_filling(record));
}

static void
add_capacity(DebyeLessonRows *rows, DebyeClassroomRecord *record, const DebyeClassroomBins *row)
{
  g_autofree char *numbers =
      g_strdup_printf(_("%.1f %% of the atoms overflow, in the lecture 2.6 %% · %.0f %% of the slots are "
                        "empty · 95 %% of the atoms have a slot up to %g Å"),
                      100.0 * (1.0 - row->covered), 100.0 * (1.0 - row->filled),
                      debye_classroom_record_find_largest_edge(record));
  debye_lesson_add_figure(
      rows, _("Overflow and empty slots"),
      _("Large bins overflow, small ones stay empty. The lecture chooses the edge so that more than 95 % of "
        "the atoms have a slot, and leaves the others to the CPU."),
      _("What share of the atoms overflows, in percent?"), "%", numbers,
      debye_classroom_plot_capacity(record));
}

static void
add_reuse(DebyeLessonRows *rows, DebyeClassroomRecord *record, const DebyeClassroomBins *row)
{
  const DebyeClassroomBinChoice *choice = &record->choice;
  g_autofree char *numbers = g_strdup_printf(
      _("%.3f · %.2f · %.0f = %.0f, in the lecture 0.364 · 0.5 · 512 = 93"), row->neighbours.valid_sphere,
      row->filled, pow(row->edge / choice->spacing, 3.0), debye_classroom_find_reuse(choice, row));
  debye_lesson_add_figure(
      rows, _("Reuse"),
      _("A slot that a block loads into shared memory serves all points of the block. Some of these "
        "evaluations are of empty slots and some beyond the cutoff; the others count."),
      _("How many points use a slot, on average?"), NULL, numbers, debye_classroom_plot_reuse(record));
}

/* As a function of the cutoff, and of the spacing. */
static void
add_cutoffs(DebyeLessonRows *rows, DebyeClassroomRecord *record, const DebyeClassroomBins *row)
{
  const DebyeClassroomBinChoice *choice = &record->choice;
  const DebyeBinNeighbours twice = debye_bin_neighbours(row->edge, 2.0 * choice->cutoff, choice->spacing);
  g_autofree char *numbers =
      g_strdup_printf(_("C = %g Å: %.1f %% of the sphere's bins · C = %g Å: %.1f %%"), choice->cutoff,
                      100.0 * row->neighbours.valid_sphere, 2.0 * choice->cutoff, 100.0 * twice.valid_sphere);
  debye_lesson_add_figure(rows, _("Larger cutoffs"),
                          _("The sphere grows with the cube of the cutoff, its surface with the square: the "
                            "larger the cutoff, the smaller the share of bins that reach beyond it."),
                          _("What share of the sphere's bins is within twice the cutoff, in percent?"), "%",
                          numbers, debye_classroom_plot_cutoffs(record));
}

static void
add_within(DebyeLessonRows *rows, DebyeClassroomRecord *record)
{
  const DebyeClassroomBinChoice *choice = &record->choice;
  g_autofree char *numbers =
      g_strdup_printf(_("%.0f atoms within %g Å of an atom, in the lecture 200 to 700 at 8 to 12 Å"),
                      choice->within, choice->cutoff);
  debye_lesson_add_figure(rows, _("Atoms within the cutoff"),
                          _("Each of them is one evaluation for each point. In bulk, twice the cutoff has "
                            "eight times as many."),
                          _("How many atoms are within the cutoff of an atom?"), NULL, numbers,
                          debye_classroom_plot_within(record));
}

static void
add_spacings(DebyeLessonRows *rows, DebyeClassroomRecord *record, const DebyeClassroomBins *row)
{
  DebyeClassroomBinChoice finer = record->choice;
  DebyeClassroomBins bins = *row;
  finer.spacing *= 0.5;
  bins.neighbours = debye_bin_neighbours(row->edge, finer.cutoff, finer.spacing);
  g_autofree char *numbers =
      g_strdup_printf(_("G = %g Å: %.0f points per slot · G = %g Å: %.0f"), record->choice.spacing,
                      debye_classroom_find_reuse(&record->choice, row), finer.spacing,
                      debye_classroom_find_reuse(&finer, &bins));
  debye_lesson_add_figure(
      rows, _("Finer grids"),
      _("More points share the same bins, so that the atoms that a block loads serve all of them."),
      _("How many points use a slot at half the spacing?"), NULL, numbers,
      debye_classroom_plot_spacings(record));
}

static void
add_smoothing(DebyeLessonRows *rows, DebyeClassroomRecord *record)
{
  g_autofree char *numbers = g_strdup_printf(_("C = %g Å"), record->choice.cutoff);
  debye_lesson_add_figure(rows, _("Smoothing"),
                          _("Both functions are zero at the cutoff. The smooth one has no kink there."), NULL,
                          NULL, numbers, debye_classroom_plot_smoothing(record->choice.cutoff));
}

static void
add_split(DebyeLessonRows *rows)
{
  DebyeMultilevel multilevel;
  if (!debye_classroom_choose_split(&multilevel))
    return;
  g_autofree char *numbers =
      g_strdup_printf(_("For an error of 10⁻³: cutoff %.1f Å, lattice of %.2f Å, splines of order %u"),
                      multilevel.cutoff, multilevel.spacing, multilevel.order);
  debye_lesson_add_figure(
      rows, _("Splitting 1/d"),
      _("Multilevel summation adds what the cutoff omits: it splits 1/d into a short part, summed over "
        "pairs, and parts that vary ever more slowly, each summed on a lattice of twice the spacing."),
      _("Which cutoff in Å is enough for an error of 10⁻³?"), "Å", numbers,
      debye_classroom_plot_split(&multilevel));
}

/* The parts as maps, of which each changes over longer distances. */
static void
add_parts(DebyeLessonRows *rows, DebyeClassroomRecord *record)
{
  DebyeMultilevel multilevel;
  if (!debye_classroom_choose_split(&multilevel))
    return;
  for (guint part = 0; part < record->parts->len; part++) {
    const gboolean is_rest = part + 1 == record->parts->len;
    g_autofree char
        *size = debye_number_sentence(debye_classroom_measure_part(record, part), 3),
        *spacing = debye_number_sentence(ldexp(multilevel.spacing, (int)part - 1), 3),
        *title = g_strdup_printf(part == 0 ? _("Map of the short part")
                                 : is_rest ? _("Map of levels %u and higher")
                                           : _("Map of level %u"),
                                 part),
        *text = g_strdup_printf(
            part == 0
                ? _("Only charges within the cutoff contribute, so it changes from one atom to the next.")
                : _("Smooth enough for a lattice of %s Å."),
            spacing),
        *numbers = g_strdup_printf(_("root mean square in this plane: %s kT/e"), size);
    debye_lesson_add_figure(rows, title, text, _("How many kT/e is its root mean square?"), "kT/e", numbers,
                            debye_classroom_plot_part(record, part));
  }
}

/* The figure that was looked at stays, with other numbers. */
void
debye_lesson_show_bins(DebyeClassroomLesson *lesson, DebyeClassroomRecord *record,
                       const DebyeLessonGuesses *guesses)
{
  const DebyeClassroomBins *row = debye_classroom_record_find_bins(record);
  DebyeLessonRows rows = debye_lesson_rows_begin(lesson, guesses);
  g_autofree char *subject = debye_group_digits(record->subject);
  debye_classroom_lesson_set_subject(lesson, subject);
  if (row != NULL) {
    add_neighbours(&rows, record, row);
    add_filling(&rows, record, row);
    add_capacity(&rows, record, row);
    add_reuse(&rows, record, row);
    add_cutoffs(&rows, record, row);
    add_within(&rows, record);
    add_spacings(&rows, record, row);
  }
  add_smoothing(&rows, record);
  add_split(&rows);
  add_parts(&rows, record);
  debye_lesson_rows_end(&rows);
  debye_classroom_lesson_set_has_command(lesson, row != NULL);
}

/* --- Born's ion --- */

#define ENERGY_DIGITS 6

enum { RADIUS, STRENGTH, PERMITTIVITY, BORN_SPACING };
#define BORN_POTENTIAL 1 /* the row below that of the energies */

void
debye_lesson_add_born_numbers(DebyeClassroomLesson *lesson)
{
  const DebyeClassroomBornChoice *usual = &debye_classroom_usual_born;
  debye_classroom_lesson_add_number(lesson, _("Radius R"), "Å", DEBYE_CLASSROOM_LEAST_RADIUS,
                                    DEBYE_CLASSROOM_LAST_RADIUS, 0.1, usual->radius);
  debye_classroom_lesson_add_number(lesson, _("Ionic strength I"), "mol/l", 0.0, 2.0, 0.05, usual->strength);
  debye_classroom_lesson_add_number(lesson, _("Permittivity ε"), "", 1.0, 120.0, 0.5, usual->permittivity);
  debye_classroom_lesson_add_number(lesson, _("Grid spacing h"), "Å", 0.3, 1.0, 0.1, usual->spacing);
}

DebyeClassroomBornChoice
debye_lesson_choose_born(DebyeClassroomLesson *lesson)
{
  return (DebyeClassroomBornChoice){.radius = debye_classroom_lesson_get_number(lesson, RADIUS),
                                    .strength = debye_classroom_lesson_get_number(lesson, STRENGTH),
                                    .permittivity = debye_classroom_lesson_get_number(lesson, PERMITTIVITY),
                                    .spacing = debye_classroom_lesson_get_number(lesson, BORN_SPACING)};
}

char *
debye_lesson_write_born(DebyeClassroomLesson *lesson)
{
  const DebyeClassroomBornChoice born = debye_lesson_choose_born(lesson);
  return debye_classroom_lesson_get_shown_row(lesson) == BORN_POTENTIAL
             ? debye_classroom_write_born_potential(&born)
             : debye_classroom_write_born_energies(&born);
}

static void
add_born_energy(DebyeLessonRows *rows, DebyeClassroomRecord *record)
{
  const double formula = debye_classroom_born_energy(&record->born), found = record->born_energy;
  g_autofree char *exact = debye_number_sentence(formula, ENERGY_DIGITS),
                  *solved = debye_number_sentence(found, ENERGY_DIGITS);
  const double percent = formula != 0.0 ? 100.0 * (found / formula - 1.0) : 0.0;
  g_autofree char *apart = debye_number_sentence(0.001 * round(1000.0 * percent), 3);
  g_autofree char *numbers = g_strdup_printf(
      _("ΔG = −(l₀/2) · [(1 − 1/ε)/R + κ/(ε(1 + κa))] = %s kJ/mol · on the grid %s kJ/mol, %s %% apart"),
      exact, solved, apart);
  debye_lesson_add_figure(
      rows, _("Energy of solvation"),
      _("From vacuum into the solvent. A small ion gains most: half the radius, twice the energy. "
        "Salt adds little, since the solvent has screened nearly all of the charge already."),
      _("How many kJ/mol is the solvation energy of the ion?"), "kJ/mol", numbers,
      debye_classroom_plot_born_energies(record));
}

static void
add_born_potential(DebyeLessonRows *rows, DebyeClassroomRecord *record)
{
  const DebyeClassroomBornChoice *choice = &record->born;
  g_autofree char *at = debye_number_sentence(debye_classroom_born_potential(choice, choice->radius), 4);
  g_autofree char *numbers = g_strdup_printf(
      _("φ = (l₀/ε) · exp(−κ(r − a)) / (r(1 + κa)) for r > a = R + 2 Å · at the surface φ(R) = %s kT/e"), at);
  debye_lesson_add_figure(
      rows, _("Potential"),
      _("Outside the ion Coulomb's law, divided by ε. With salt it falls off faster, as ions of the other "
        "sign gather around it: by e within 1/κ, 7.9 Å in 0.15 mol/l of water."),
      _("How many kT/e is the potential at the surface?"), "kT/e", numbers,
      debye_classroom_plot_born_potential(record));
}

void
debye_lesson_show_born(DebyeClassroomLesson *lesson, DebyeClassroomRecord *record,
                       const DebyeLessonGuesses *guesses)
{
  DebyeLessonRows rows = debye_lesson_rows_begin(lesson, guesses);
  debye_classroom_lesson_set_subject(lesson, record->subject);
  add_born_energy(&rows, record);
  add_born_potential(&rows, record);
  debye_lesson_rows_end(&rows);
  debye_classroom_lesson_set_has_command(lesson, TRUE);
}
