/* SPDX-License-Identifier: MIT */
/* The rows and figures of the classroom's lessons on teaching variants (lesson_ladder.c) and of those whose rows are figures
 * (lesson_figures.c), bins and Born's ion among them, which numbers choose (lesson_bins.c); used by window_classroom.c and
 * measured_ladder.c. */
#pragma once

#include "app/classroom/classroom_steps.h"
#include "ui/manual/classroom_lesson.h"

/* What a lesson is about: as actions and sessions call it, and to be translated. */
typedef struct {
  const char *id, *title, *text;
} DebyeLessonText;
extern const DebyeLessonText debye_lesson_ladders[DEBYE_LADDER_N_KINDS];

void debye_lesson_show_ladder(DebyeClassroomLesson *lesson, DebyeClassroomRecord *record);
/* The same of what was revealed, with the guesses, and the step that waits without its numbers. */
void debye_lesson_show_steps(DebyeClassroomLesson *lesson, const DebyeClassroomSteps *steps);

/* The figures of counted pairs, in the order of their buttons. */
typedef enum {
  DEBYE_LESSON_COUNTS,
  DEBYE_LESSON_ROOFLINE,
} DebyeLessonCountFigure;
/* Buttons for the figures of a family that has several. */
void debye_lesson_add_choices(DebyeClassroomLesson *lesson, DebyeLadderKind kind);
/* Gives the lesson the listings of its family. */
void debye_lesson_add_codes(DebyeClassroomLesson *lesson, DebyeLadderKind kind);
/* The class's own kernel as the last row and in the figure of the ladder's record, or NULL: it has none yet. Without a step
 * that was right, its row goes. */
void debye_lesson_show_ours(DebyeClassroomLesson *lesson, DebyeClassroomRecord *ladder,
                            DebyeClassroomRecord *ours);
/* Tells the page Code what came of the job that ran its kernel. */
void debye_lesson_end_run(DebyeClassroomLesson *lesson, DebyeJob *job);

/* --- The page Sweep of a ladder: lesson_sweep.c --- */

/* Offers the choices of the listing that the page Code shows. `n_atoms` of the molecule; 0: there is none. */
void debye_lesson_offer_sweep(DebyeClassroomLesson *lesson, DebyeLadderKind kind, gsize n_atoms);
/* What a sweep's job has measured so far, and that it has ended. */
void debye_lesson_show_sweep(DebyeClassroomLesson *lesson, DebyeClassroomRecord *record);
/* The same of a session's, with what it was asked for in the page's fields. The page Code stays with the class's own code, if
 * the session has that. */
void debye_lesson_reopen_sweep(DebyeClassroomLesson *lesson, DebyeClassroomRecord *record,
                               gboolean has_draft);
void debye_lesson_end_sweep(DebyeClassroomLesson *lesson, DebyeJob *job);
/* The command that does the same, to be freed. */
char *debye_lesson_write_sweep(DebyeClassroomLesson *lesson, DebyeLadderKind kind, DebyeDataset *dataset);
/* That of the page Code, for what it shows. */
char *debye_lesson_write_code(DebyeClassroomLesson *lesson, DebyeLadderKind kind, DebyeDataset *dataset);

/* --- Sessions: what is kept of a lesson is the member `about->id` --- */

/* The class's own code, and what is shown: steps with their guesses or, without these, `shown`, with the chosen figure;
 * what that code was measured with, `ours`, and the sweep `swept` (NULL: nothing). */
void debye_lesson_save(DebyeClassroomLesson *lesson, const DebyeLessonText *about,
                       const DebyeClassroomSteps *steps, DebyeClassroomRecord *shown,
                       DebyeClassroomRecord *ours, DebyeClassroomRecord *swept, GVariantDict *dict);
/* What the class's own code or a listing with other macros was measured with, which counts as run then: after the code. NULL:
 * the session has none. */
DebyeClassroomRecord *debye_lesson_restore_ours(DebyeClassroomLesson *lesson, const DebyeLessonText *about,
                                                DebyeLadderKind kind, GVariant *saved);
/* A sweep with its plot. NULL: the session has none of this lesson, or what can't be. */
DebyeClassroomRecord *debye_lesson_restore_sweep(const DebyeLessonText *about, GVariant *saved);
/* The figure that was chosen; the first where the session has none of that name. */
void debye_lesson_restore_choice(DebyeClassroomLesson *lesson, const DebyeLessonText *about, GVariant *saved);
/* FALSE: the session has no code of the class's own. */
gboolean debye_lesson_restore_code(DebyeClassroomLesson *lesson, const DebyeLessonText *about,
                                   GVariant *saved);
/* FALSE, and nothing is changed: the session has nothing that was measured of this kind, or what can't be. */
gboolean debye_lesson_restore_run(const DebyeLessonText *about, DebyeLadderKind kind,
                                  DebyeClassroomSteps *steps, DebyeClassroomRecord **shown, GVariant *saved);

/* --- Lessons whose rows are figures --- */

typedef enum {
  DEBYE_LESSON_GROWTH,
  DEBYE_LESSON_SLICES,
  DEBYE_LESSON_BINS,
  DEBYE_LESSON_BATCHES,
  DEBYE_LESSON_BORN,
  DEBYE_LESSON_ORIENTATIONS,
  DEBYE_LESSON_N_FIGURES,
} DebyeLessonFigure;
extern const DebyeLessonText debye_lesson_figures[DEBYE_LESSON_N_FIGURES];

/* Rows that are revealed one at a time, each after it was guessed: lesson_rows.c. */
typedef struct {
  gboolean is_stepping; /* FALSE: all rows are shown */
  GArray *guesses;      /* double, one a revealed row; 0: none */
} DebyeLessonGuesses;
void debye_lesson_guesses_init(DebyeLessonGuesses *self);
void debye_lesson_guesses_clear(DebyeLessonGuesses *self);
/* No row yet, or all. */
void debye_lesson_guesses_restart(DebyeLessonGuesses *self, gboolean is_stepping);
/* The row of the lesson that waits, with what is guessed there; of one that shows all its rows it hides them. Then it is to be
 * shown again. */
void debye_lesson_guesses_reveal(DebyeLessonGuesses *self, DebyeClassroomLesson *lesson);

/* Of a lesson whose rows are figures: what its numbers say and what was guessed, if it was, and the times of growth and
 * of slices. What others measured follows from the molecule and the numbers. */
void debye_lesson_save_figure(DebyeClassroomLesson *lesson, DebyeLessonFigure kind,
                              const DebyeLessonGuesses *guesses, DebyeClassroomRecord *record,
                              GVariantDict *dict);
/* FALSE, and nothing is changed: the session has neither. *record (transfer full) is NULL where the lesson is to be measured
 * anew, with the next step: it says so. */
gboolean debye_lesson_restore_figure(DebyeClassroomLesson *lesson, DebyeLessonFigure kind,
                                     DebyeLessonGuesses *guesses, DebyeClassroomRecord **record,
                                     GVariant *saved);

/* The rows of a lesson that is shown anew; `shown` is the one whose figure is shown in the end. */
typedef struct {
  DebyeClassroomLesson *lesson;
  const DebyeLessonGuesses *guesses;
  guint shown, n;
  gboolean is_asked; /* the row that waits is for a guess */
} DebyeLessonRows;
DebyeLessonRows debye_lesson_rows_begin(DebyeClassroomLesson *lesson, const DebyeLessonGuesses *guesses);
/* Unless it is still hidden; of the row that waits `question` (NULL: there is nothing to guess) in place of its numbers and its
 * figure, and a guess in `unit` (NULL: a number of them). `plot`: transfer full. */
void debye_lesson_add_figure(DebyeLessonRows *rows, const char *title, const char *text, const char *question,
                             const char *unit, const char *numbers, DebyePlot *plot);
/* Shows the figure that was looked at, or that of the newest row. */
void debye_lesson_rows_end(DebyeLessonRows *rows);
/* The record's subject below the plot, with its digits grouped, which sentences from below the window don't. Gives the plot. */
DebyePlot *debye_lesson_caption_plot(DebyePlot *plot, const DebyeClassroomRecord *record);

/* Spin buttons for what the lesson depends on, and for a guess. */
void debye_lesson_add_numbers(DebyeClassroomLesson *lesson, DebyeLessonFigure kind);
void debye_lesson_show_figure(DebyeClassroomLesson *lesson, DebyeLessonFigure kind,
                              DebyeClassroomRecord *record, const DebyeLessonGuesses *guesses);

/* What measures it, with the numbers that the lesson has. NULL: orientations need a molecule. */
DebyeJob *debye_lesson_create_job(DebyeClassroomLesson *lesson, DebyeLessonFigure kind, DebyeDevices *devices,
                                  DebyeDataset *dataset, DebyeFrame *frame);

/* The command that measures what the lesson shows, to be freed. */
char *debye_lesson_write_command(DebyeClassroomLesson *lesson, DebyeLessonFigure kind,
                                 DebyeClassroomRecord *record, DebyeDataset *dataset);

/* --- That of lesson_growth.c --- */

void debye_lesson_show_growth(DebyeClassroomLesson *lesson, DebyeClassroomRecord *record,
                              const DebyeLessonGuesses *guesses);
/* Those that it was measured on, as --sweep devices= has them. */
char *debye_lesson_name_devices(DebyeClassroomRecord *record);

/* --- Those of lesson_slices.c --- */

void debye_lesson_show_slices(DebyeClassroomLesson *lesson, DebyeClassroomRecord *record,
                              const DebyeLessonGuesses *guesses);
/* Spin buttons for the placement of ions that is estimated: nothing is measured anew. */
void debye_lesson_add_slice_numbers(DebyeClassroomLesson *lesson);
/* As `debye-cli bench --slices` calls the figure that is shown. */
const char *debye_lesson_name_slice_figure(DebyeClassroomLesson *lesson, DebyeClassroomRecord *record);

/* --- Those of lesson_batches.c --- */

void debye_lesson_show_batches(DebyeClassroomLesson *lesson, DebyeClassroomRecord *record,
                               const DebyeLessonGuesses *guesses);
void debye_lesson_add_batch_numbers(DebyeClassroomLesson *lesson);
DebyeClassroomBatchChoice debye_lesson_choose_batch(DebyeClassroomLesson *lesson);
/* The command that draws the figure that is shown, to be freed. */
char *debye_lesson_write_batches(DebyeClassroomLesson *lesson);

/* --- Those of lesson_bins.c --- */

void debye_lesson_show_bins(DebyeClassroomLesson *lesson, DebyeClassroomRecord *record,
                            const DebyeLessonGuesses *guesses);
void debye_lesson_show_born(DebyeClassroomLesson *lesson, DebyeClassroomRecord *record,
                            const DebyeLessonGuesses *guesses);
/* Spin buttons for what bins depend on, the lecture's at first; what they say. */
void debye_lesson_add_bin_numbers(DebyeClassroomLesson *lesson);
DebyeClassroomBinChoice debye_lesson_choose_bins(DebyeClassroomLesson *lesson);
/* The same of Born's ion. */
void debye_lesson_add_born_numbers(DebyeClassroomLesson *lesson);
DebyeClassroomBornChoice debye_lesson_choose_born(DebyeClassroomLesson *lesson);
/* The command of the figure that is shown, to be freed. */
char *debye_lesson_write_born(DebyeClassroomLesson *lesson);
/* As `debye-cli bench --bins` calls the figure that is shown. */
const char *debye_lesson_name_figure(DebyeClassroomLesson *lesson);
