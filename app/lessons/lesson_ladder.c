/* SPDX-License-Identifier: MIT */
/* The rows, the code and the figure of the classroom's lessons on teaching variants, at once or step by step; declared in
 * lessons.h, used by measured_ladder.c and window_classroom.c. */
#include "lessons.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "app/classroom/classroom_plots.h"
#include "app/classroom/classroom_record.h"
#include "app/classroom/ladder_accesses.h"
#include "data/messages/count_text.h"
#include "data/messages/message.h"
#include "data/messages/time_text.h"

/* The title and text of the lesson of each family of teaching variants. */
const DebyeLessonText debye_lesson_ladders[DEBYE_LADDER_N_KINDS] = {
    [DEBYE_LADDER_MAP] = {"ladder", N_("Ladder"),
                          N_("One sum, many programs: the potential V(r) = Σ q/d at every point of a grid. "
                             "Each step changes one thing and gives the same map. How fast is it, how close "
                             "to the limit of the chip, and how many digits does it cost?")},
    [DEBYE_LADDER_CUTOFF] =
        {"cutoff", N_("Cutoff"),
         N_("The same sum, limited to the atoms within 12 Å of each point, at points 0.5 Å apart. Atoms are "
            "sorted into bins with eight slots; the CPU sums those without a slot. How many distance tests "
            "are wasted, and which device waits for the other?")},
    [DEBYE_LADDER_COUNT] =
        {"counting", N_("Counting"),
         N_("A histogram of all pair distances, by many threads at once. Two threads that read, add and "
            "write the same counter without waiting lose counts; atomic additions lose none.")},
    [DEBYE_LADDER_SCATTERING] = {"scattering", N_("Scattering"),
                                 N_("Each atom scatters with a(t) = exp(i q·r(t)), and its autocorrelation "
                                    "is summed over all atoms: incoherent scattering. What takes the time: "
                                    "sine and cosine, the correlation, memory, or launches?")},
    [DEBYE_LADDER_ORBITAL] =
        {"orbital", N_("Orbital"),
         N_("An orbital of C60: ψ(r) = Σ c·χ of 900 functions, made of Gaussians. Each exponential can be "
            "taken apart into factors of one coordinate, and most Gaussians end near their nucleus. What is "
            "left of a billion exponentials?")},
    [DEBYE_LADDER_LIGAND] = {"ligand", N_("Ligand"),
                             N_("Where does xenon prefer to be? In each voxel 27 positions are tried: "
                                "exp(−E/kT), E a sum over all atoms within 10 Å. Nearly all positions are "
                                "taken already. How soon does a program notice, and who waits for whom?")},
    [DEBYE_LADDER_DENSITY] =
        {"density", N_("Density"),
         N_("Where are the atoms? Each voxel counts its atoms, or the frames in which it holds one, its "
            "occupancy. There is hardly anything to compute. Who writes where, and who has to wait?")},
};

/* --- Rows --- */

static void
append_part(GString *text, const char *number, const char *unit)
{
  g_string_append_printf(text, "%s%s%s", text->len > 0 ? " · " : "", number, unit);
}

/* As many digits as the format has; whole from a thousand on and where "%.2g" would turn to powers of ten. */
static void
append_number(GString *text, const char *format, double value, const char *unit)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd(number, sizeof number, format, value);
  const double rounded = g_ascii_strtod(number, NULL);
  const gboolean has_power = strchr(number, 'e') != NULL && rounded >= 1.0;
  g_autofree char *count = debye_count_text((guint64)llround(CLAMP(rounded, 0.0, 1e15)));
  append_part(text, (has_power || value >= 999.5) && value < 1e15 ? count : number, unit);
}

/* "65.4·10⁶": as engineers write it, by thousands. */
static void
append_rate(GString *text, double rate, const char *unit)
{
  static const char *const powers[] = {"·10⁶", "·10⁹", "·10¹²", "·10¹⁵"};
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  gsize n = 0;
  for (rate /= 1e6; rate >= 999.5 && n + 1 < G_N_ELEMENTS(powers); n++)
    rate /= 1e3;
  g_ascii_formatd(number, sizeof number, "%.3g", rate);
  g_autofree char *power = g_strconcat(number, powers[n], NULL);
  append_part(text, power, unit);
}

/* "6.8·10⁻⁷" */
static void
append_error(GString *text, double error, const char *unit)
{
  int power = error > 0.0 ? (int)floor(log10(error)) : 0;
  power += error / pow(10.0, power) >= 9.95; /* which one figure behind the point would round to 10.0 */
  g_autofree char *scale = g_strdup_printf("%d", power);
  g_autofree char *number = NULL;
  char digits[G_ASCII_DTOSTR_BUF_SIZE];
  GString *raised = g_string_new("·10");
  for (const char *letter = scale; *letter != '\0'; letter++) {
    static const char *const figures[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    g_string_append(raised, *letter == '-' ? "⁻" : figures[*letter - '0']);
  }
  g_ascii_formatd(digits, sizeof digits, error > 0.0 ? "%.1f" : "%.0f", error / pow(10.0, power));
  number = g_strconcat(digits, power != 0 ? raised->str : "", NULL);
  g_string_free(raised, TRUE);
  append_part(text, number, unit);
}

static void
append_resources(GString *text, const DebyeLadderResources *resources)
{
  append_number(text, "%.0f", resources->block, _(" threads per block"));
  append_number(text, "%.0f", resources->registers, _(" registers per thread"));
  append_number(text, "%.0f", resources->shared_bytes, _(" bytes of shared memory"));
  append_number(text, "%.0f", resources->blocks, _(" blocks per multiprocessor"));
  append_number(text, "%.3g", 100.0 * (double)resources->occupancy, _(" % occupancy"));
}

/* Of an evaluation; within a cutoff, of each test of an atom. Phases ask nothing of shared memory. */
static const char *const shared_words[DEBYE_LADDER_N_KINDS] = {
    [DEBYE_LADDER_MAP] = N_(" accesses to shared memory per evaluation"),
    [DEBYE_LADDER_CUTOFF] = N_(" accesses to shared memory per tested atom"),
    [DEBYE_LADDER_COUNT] = N_(" accesses to shared memory per pair"),
};
static const char *const global_words[DEBYE_LADDER_N_KINDS] = {
    [DEBYE_LADDER_MAP] = N_(" accesses to global memory per evaluation"),
    [DEBYE_LADDER_CUTOFF] = N_(" accesses to global memory per tested atom"),
    [DEBYE_LADDER_COUNT] = N_(" accesses to global memory per pair"),
    [DEBYE_LADDER_SCATTERING] = N_(" accesses to global memory per phase"),
};

/* As the lecture counts: words of memory, whatever cache hands them out. */
static void
append_accesses(GString *text, const DebyeClassroomStep *step)
{
  const DebyeLadderAccesses *accesses = debye_ladder_accesses_find(step);
  double operations;
  if (accesses == NULL)
    return;
  const double intensity = debye_ladder_accesses_intensity(accesses, step, &operations);
  if (accesses->constant > 0.0)
    append_number(text, "%.3g", accesses->constant,
                  accesses->constant == 1.0 ? _(" access to constant memory per evaluation")
                                            : _(" accesses to constant memory per evaluation"));
  if (accesses->shared == 1.0 && step->kind == DEBYE_LADDER_CUTOFF)
    append_part(text, "1", _(" access to shared memory per tested atom"));
  else if (accesses->shared > 0.0)
    append_number(text, "%.3g", accesses->shared, _(shared_words[step->kind]));
  if (accesses->global > 0.0)
    append_number(text, "%.3g", accesses->global, _(global_words[step->kind]));
  append_number(text, "%.3g", intensity,
                step->kind == DEBYE_LADDER_CUTOFF ? _(" operations per access within the cutoff")
                                                  : _(" operations per access"));
  if (step->kind == DEBYE_LADDER_MAP)
    append_number(text, "%.4g", operations, _(" operations counted for that, as in the lecture"));
}

static const char *const operation_words[DEBYE_LADDER_N_KINDS] = {
    [DEBYE_LADDER_MAP] = N_(" operations per evaluation"),
    [DEBYE_LADDER_CUTOFF] = N_(" operations per evaluation"),
    [DEBYE_LADDER_COUNT] = N_(" operations per pair"),
    [DEBYE_LADDER_SCATTERING] = N_(" operations per phase"),
    [DEBYE_LADDER_ORBITAL] = N_(" operations per Gaussian and point"),
    [DEBYE_LADDER_LIGAND] = N_(" operations per pair"),
    [DEBYE_LADDER_DENSITY] = N_(" operations per atom"),
};

static void
append_time(GString *text, double seconds, const char *unit)
{
  g_autofree char *time = debye_time_text(seconds);
  if (seconds > 0.0)
    append_part(text, time, unit);
}

/* What a class pays beside the kernel: once, and for each map. */
static void
append_times(GString *text, const DebyeClassroomStep *step)
{
  append_time(text, step->seconds,
              step->whole > 1.0 ? _(", warm, scaled up from the part that was timed")
              : step->is_recorded && !(step->whole > 0.0)
                  ? _(", warm; the recording doesn't state whether it is scaled up from a part")
                  : _(", warm"));
  append_time(text, step->first_launch, _(" first launch"));
  append_time(text, step->copy_in, _(" copied in"));
  append_time(text, step->copy_out, _(" copied out"));
}

/* NULL: not measured here, or the class's own kernel. */
static const DebyeBenchCounts *
find_counts(const DebyeClassroomRecord *record, const DebyeClassroomStep *step)
{
  for (guint i = 0; i < record->counts->len && i < record->steps->len; i++)
    if (&g_array_index(record->steps, DebyeClassroomStep, i) == step)
      return &g_array_index(record->counts, DebyeClassroomCount, i).counts;
  return NULL;
}

/* A race counts more and more pairs until it has lost some. */
static void
append_lost(GString *text, const DebyeClassroomStep *step, const DebyeBenchCounts *counts)
{
  const double n_atoms = counts != NULL ? counts->n_atoms : 0.0;
  if (!step->is_race || step->error > 0.0)
    append_number(text, "%.3g", 100.0 * step->error, _(" % of the pairs lost"));
  else
    append_number(text, "%.0f", DEBYE_BENCH_RACE_SECONDS, _(" s of counting lost no pair"));
  if (counts != NULL && n_atoms > counts->n_asked)
    append_number(text, "%.0f", n_atoms,
                  step->error > 0.0 ? _(" atoms: fewer lost no pair") : _(" atoms at last"));
}

static char *
describe_step(DebyeClassroomRecord *record, const DebyeClassroomStep *step)
{
  g_autofree char *chip = debye_classroom_record_name_device(record, step->device);
  GString *text = g_string_new(chip);
  append_rate(text, step->rate,
              step->kind == DEBYE_LADDER_COUNT        ? _(" pairs/s")
              : step->kind == DEBYE_LADDER_SCATTERING ? _(" phases/s")
              : step->kind == DEBYE_LADDER_ORBITAL    ? _(" Gaussians within reach of a point/s")
              : step->kind == DEBYE_LADDER_LIGAND     ? _(" pairs of samples that count/s")
              : step->kind == DEBYE_LADDER_DENSITY    ? _(" atoms/s")
                                                      : _(" evaluations/s"));
  append_number(text, "%.4g", step->operations / step->rate, _(operation_words[step->kind]));
  append_accesses(text, step);
  append_number(text, "%.3g", step->operations / 1e9, " GFLOP/s");
  append_number(text, "%.2g", 100.0 * step->share, _(" % of the limit"));
  if (step->kind == DEBYE_LADDER_COUNT)
    append_lost(text, step, find_counts(record, step));
  else if (step->kind == DEBYE_LADDER_DENSITY && step->error == 0.0)
    append_part(text, "", _("every voxel as in double"));
  else if (isfinite(step->error))
    append_error(text, step->error, _(" error against double"));
  if (step->spread > 0.0)
    append_number(text, "%.3g", 100.0 * step->spread, _(" % spread of repeats"));
  append_times(text, step);
  if (step->watts > 0.0)
    append_number(text, "%.3g", step->watts, " W");
  if (step->clock > 0.0)
    append_number(text, "%.4g", step->clock, " MHz");
  if (step->resources.block > 0)
    append_resources(text, &step->resources);
  if (step->kernel_seconds > 0.0) {
    append_number(text, "%.2g", 100.0 * step->overflow, _(" % of the atoms overflow"));
    append_number(text, "%.2g", 100.0 * step->overflow_seconds / step->kernel_seconds,
                  _(" % of the kernel's time for these on the CPU"));
    append_number(text, "%.3g", 100.0 * step->seconds / step->kernel_seconds, _(" % for both together"));
  }
  return g_string_free(text, FALSE);
}

/* What the step is, and what a lecture found in its own count. */
static char *
describe_lesson(const DebyeClassroomStep *step)
{
  if (step->lecture.rate <= 0.0)
    return g_strdup(_(step->lesson));
  g_autoptr(GString) rate = g_string_new(NULL);
  append_rate(rate, step->lecture.rate, _(" evaluations/s"));
  append_number(rate, "%.4g", step->lecture.operations, _(" operations per evaluation, counting 1/√ as two"));
  append_part(rate, step->lecture.device != NULL ? step->lecture.device : _("device not stated"), "");
  return g_strdup_printf(_("%s The lecture: %s."), _(step->lesson), rate->str);
}

/* Rows stay where they are, so that a list that is being read doesn't jump; their share of the limit falls
 * when a later measurement of the limit is higher. */
static void
add_step_rows(DebyeClassroomLesson *lesson, DebyeClassroomRecord *record)
{
  const GArray *steps = record->steps;
  const guint n_shown = debye_classroom_lesson_get_n_rows(lesson);
  for (guint i = 0; i < steps->len; i++) {
    const DebyeClassroomStep *step = &g_array_index(steps, DebyeClassroomStep, i);
    g_autofree char *title =
        g_strdup_printf(step->is_recorded ? _("%u  %s, recorded") : "%u  %s", step->number, _(step->title));
    g_autofree char *numbers = describe_step(record, step);
    g_autofree char *text = describe_lesson(step);
    if (i < n_shown)
      debye_classroom_lesson_update_row(lesson, i, numbers, step->share);
    else
      debye_classroom_lesson_add_row(lesson, title, text, numbers, step->share, step->source);
  }
}

static void
append_remarks(GString *subject, const DebyeClassroomRecord *record)
{
  for (guint i = 0; i < record->remarks->len; i++) {
    g_autofree char *remark = debye_message_translate(record->remarks->pdata[i]);
    g_string_append(subject, "\n");
    g_string_append_printf(subject, _("A recording was left out: %s"), remark);
  }
}

/* The same wherever it is measured. */
static gboolean
has_own_subject(const DebyeClassroomRecord *record)
{
  const DebyeLadderKind kind = g_array_index(record->steps, DebyeClassroomStep, 0).kind;
  return kind == DEBYE_LADDER_ORBITAL || kind == DEBYE_LADDER_LIGAND || kind == DEBYE_LADDER_DENSITY;
}

void
debye_lesson_add_choices(DebyeClassroomLesson *lesson, DebyeLadderKind kind)
{
  if (kind != DEBYE_LADDER_COUNT)
    return;
  debye_classroom_lesson_add_figure(lesson, "g(r)");
  debye_classroom_lesson_add_figure(lesson, _("Roofline"));
}

/* Of counted pairs also what they are for. */
static void
show_figures(DebyeClassroomLesson *lesson, DebyeClassroomRecord *record)
{
  g_autoptr(DebyePlot) roofline = debye_classroom_plot_roofline(record),
                       counts = record->counts->len > 0 ? debye_classroom_plot_counts(record) : NULL;
  if (!debye_classroom_lesson_has_figures(lesson)) {
    debye_classroom_lesson_set_plot(lesson, roofline);
    return;
  }
  debye_classroom_lesson_set_figure(lesson, DEBYE_LESSON_COUNTS, counts);
  debye_classroom_lesson_set_figure(lesson, DEBYE_LESSON_ROOFLINE, roofline);
}

void
debye_lesson_show_ladder(DebyeClassroomLesson *lesson, DebyeClassroomRecord *record)
{
  gboolean has_gpu = FALSE, has_recordings = FALSE;
  for (guint i = 0; i < record->steps->len; i++) {
    const DebyeClassroomStep *step = &g_array_index(record->steps, DebyeClassroomStep, i);
    has_gpu |= !step->is_recorded && !g_str_equal(step->device, "cpu");
    has_recordings |= step->is_recorded;
  }
  g_autoptr(GString) subject = g_string_new(record->subject);
  g_string_append(
      subject,
      has_gpu ? ""
      : has_recordings && has_own_subject(record)
          ? _(". This machine has no GPU: its rows were recorded on another machine")
      : has_recordings
          ? _(". This machine has no GPU: its rows were recorded on another machine, with other atoms")
          : _(". There is no GPU: CPU variants, slower"));
  append_remarks(subject, record);
  debye_classroom_lesson_set_subject(lesson, subject->str);
  show_figures(lesson, record);
  add_step_rows(lesson, record);
  debye_classroom_lesson_set_has_command(lesson, TRUE);
}

/* --- Step by step --- */

/* "guessed 3 times as fast, measured 2.1" */
static void
tell_guess(DebyeClassroomLesson *lesson, const DebyeClassroomSteps *steps, DebyeClassroomRecord *shown,
           guint index)
{
  const DebyeClassroomStep *step = &g_array_index(shown->steps, DebyeClassroomStep, index);
  const double gain = debye_classroom_steps_find_gain(steps, index),
               guess = g_array_index(steps->guesses, double, index);
  g_autofree char *numbers = describe_step(shown, step);
  g_autoptr(GString) text = g_string_new(numbers);
  if (isfinite(gain))
    append_number(text, "%.3g", gain, _(" times as fast as the previous step"));
  if (isfinite(gain) && guess > 0.0)
    append_number(text, "%.3g", guess, _(" times were guessed"));
  debye_classroom_lesson_update_row(lesson, index, text->str, step->share);
}

void
debye_lesson_show_steps(DebyeClassroomLesson *lesson, const DebyeClassroomSteps *steps)
{
  const DebyeClassroomStep *pending = debye_classroom_steps_get_pending(steps);
  g_autoptr(DebyeClassroomRecord) shown = debye_classroom_steps_get_shown(steps);
  debye_lesson_show_ladder(lesson, shown);
  for (guint i = 0; i < steps->n_revealed; i++)
    tell_guess(lesson, steps, shown, i);
  if (pending == NULL || debye_classroom_lesson_get_n_rows(lesson) > steps->n_revealed)
    return;
  g_autofree char *title = g_strdup_printf("%u  %s", pending->number, _(pending->title));
  debye_classroom_lesson_add_row(
      lesson, title, _(pending->lesson),
      pending->number > 1 ? _("Measured. How many times as fast as the previous step? Page Down reveals it")
                          : _("Measured. Page Down reveals it"),
      0.0, pending->source);
  debye_classroom_lesson_scroll_down(lesson);
}

/* --- Code --- */

/* The listings of a back end, whether or not its devices are here; numbered as the rows are. */
static void
add_code(DebyeClassroomLesson *lesson, const char *device, DebyeLadderKind kind,
         const DebyeLadderVariant *variants, gsize n_variants)
{
  guint number = 0;
  for (gsize i = 0; i < n_variants; i++) {
    const DebyeLadderVariant *variant = &variants[i];
    const char *text = variant->source != NULL ? debye_ladder_source_text(variant->source) : NULL;
    if (variant->kind != kind || text == NULL)
      continue;
    g_autofree char *title = g_strdup_printf("%s %u: %s", device, ++number, _(variant->title));
    debye_classroom_lesson_add_code(lesson, variant->source, title, text, number > 1);
  }
}

void
debye_lesson_add_codes(DebyeClassroomLesson *lesson, DebyeLadderKind kind)
{
  add_code(lesson, _("CPU"), kind, debye_ladder_cpu_variants, DEBYE_LADDER_N_CPU);
  add_code(lesson, _("GPU"), kind, debye_ladder_cuda_variants, DEBYE_LADDER_N_CUDA);
  g_signal_connect_object(debye_classroom_lesson_get_code(lesson), "edited",
                          G_CALLBACK(debye_classroom_lesson_remove_own_row), lesson, G_CONNECT_SWAPPED);
}

/* --- The class's own --- */

void
debye_lesson_show_ours(DebyeClassroomLesson *lesson, DebyeClassroomRecord *ladder, DebyeClassroomRecord *ours)
{
  g_autoptr(DebyeClassroomRecord) both = debye_classroom_record_join(ladder, ours);
  debye_classroom_lesson_remove_own_row(lesson);
  if (ours->steps->len == 0 || !debye_classroom_code_is_current(debye_classroom_lesson_get_code(lesson)))
    return;
  const DebyeClassroomStep *step = &g_array_index(ours->steps, DebyeClassroomStep, 0);
  g_autofree char *numbers = describe_step(both, step);
  debye_classroom_lesson_add_own_row(lesson, _(step->title), _(step->lesson), numbers, step->share);
  debye_classroom_lesson_scroll_down(lesson);
  show_figures(lesson, both);
  debye_classroom_lesson_set_has_command(lesson, TRUE);
  if (ladder == NULL)
    debye_classroom_lesson_set_subject(lesson, ours->subject);
}

void
debye_lesson_end_run(DebyeClassroomLesson *lesson, DebyeJob *job)
{
  DebyeClassroomCode *code = debye_classroom_lesson_get_code(lesson);
  DebyeClassroomRecord *record = debye_job_get_result(job);
  const GError *error = debye_job_get_error(job);
  const char *message = record != NULL ? record->verdict : error != NULL ? error->message : NULL;
  debye_classroom_code_set_running(code, FALSE);
  if (message == NULL)
    return;
  /* Numbers stay as they are: the compiler's are code. */
  g_autofree char *translated = debye_message_translate(message);
  debye_classroom_code_set_verdict(code, translated, record != NULL ? record->verdict_line : 0,
                                   record != NULL && record->steps->len > 0);
}
