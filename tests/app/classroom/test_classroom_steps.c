/* SPDX-License-Identifier: MIT */
/* A ladder that is climbed one step at a time: nothing is seen of a step before it is revealed. What a session keeps of it
 * and of a whole ladder. */
#include "app/classroom/classroom_plots.h"
#include "app/classroom/classroom_record.h"
#include "app/classroom/kept_ladder.h"
#include "app/classroom/kept_sweep.h"
#include "app/classroom/ladder_accesses.h"
#include "app/document/json_reader.h"
#include "app/document/json_writer.h"
#include "render/plot/plot_private.h"

#include <math.h>
#include <string.h>

static DebyeClassroomRecord *
record_of(guint n_steps)
{
  static const double rates[] = {2.0, 6.0, 3.0};
  DebyeClassroomRecord *record = debye_classroom_record_new("three steps");
  for (guint i = 0; i < n_steps; i++) {
    const DebyeClassroomStep step = {.number = i + 1, .rate = rates[i]};
    g_array_append_val(record->steps, step);
  }
  return record;
}

static void
take(DebyeClassroomSteps *steps, guint n_steps)
{
  g_autoptr(DebyeClassroomRecord) record = record_of(n_steps);
  debye_classroom_steps_take(steps, record);
}

static guint
count_shown(const DebyeClassroomSteps *steps)
{
  g_autoptr(DebyeClassroomRecord) shown = debye_classroom_steps_get_shown(steps);
  return shown->steps->len;
}

static void
test_climb(void)
{
  DebyeClassroomSteps steps;
  debye_classroom_steps_init(&steps);
  g_assert_null(debye_classroom_steps_get_pending(&steps));
  for (guint n = 1; n <= 3; n++) {
    take(&steps, n);
    g_assert_cmpuint(debye_classroom_steps_get_pending(&steps)->number, ==, n);
    g_assert_cmpuint(count_shown(&steps), ==, n - 1);
    debye_classroom_steps_reveal(&steps, n);
    g_assert_null(debye_classroom_steps_get_pending(&steps));
    g_assert_cmpuint(count_shown(&steps), ==, n);
  }
  /* After the last nothing is measured, and nothing waits. */
  take(&steps, 3);
  g_assert_null(debye_classroom_steps_get_pending(&steps));
  g_assert_true(isnan(debye_classroom_steps_find_gain(&steps, 0)));
  g_assert_cmpfloat(debye_classroom_steps_find_gain(&steps, 1), ==, 3.0);
  g_assert_cmpfloat(debye_classroom_steps_find_gain(&steps, 2), ==, 0.5);
  g_assert_cmpfloat(g_array_index(steps.guesses, double, 2), ==, 3.0);
  debye_classroom_steps_restart(&steps);
  g_assert_null(debye_classroom_steps_get_pending(&steps));
  take(&steps, 1);
  g_assert_cmpuint(count_shown(&steps), ==, 0);
  debye_classroom_steps_clear(&steps);
}

/* --- Accesses --- */

/* 1 where the source has no such macro. */
static double
read_macro(const char *source, const char *name)
{
  g_autofree char *start = g_strdup_printf("#define %s ", name);
  const char *found = strstr(source, start);
  return found != NULL ? g_ascii_strtod(found + strlen(start), NULL) : 1.0;
}

static gboolean
has(const char *source, const char *text)
{
  return strstr(source, text) != NULL;
}

/* Four words of an atom for all points of a thread, from where the source reads them; a chain's next one is a fifth. */
static DebyeLadderAccesses
count_sum(const char *source)
{
  const double words = (has(source, "n = next[n]") ? 5.0 : 4.0) / read_macro(source, "POINTS") /
                       read_macro(source, "POINTS_Y");
  const gboolean adds = has(source, "atomicAdd(&energy");
  return (DebyeLadderAccesses){
      .constant = has(source, "+= bank[n].w") ? words : 0.0,
      .shared = has(source, "atom = tile[n]") ? words : 0.0,
      .global = adds                                                             ? 2.0
                : has(source, "atom = atoms[n]") || has(source, "atom = bin[n]") ? words
                                                                                 : 0.0,
  };
}

/* Three words of the second atom, two accesses to a count. */
static DebyeLadderAccesses
count_pair(const char *source)
{
  const double place = has(source, "= tx[k]") ? 3.0 : 0.0,
               count = has(source, "atomicAdd(&local[(int)bin]") ? 2.0 : 0.0;
  return (DebyeLadderAccesses){.shared = place + count, .global = 5.0 - place - count};
}

/* Three words of the vector, three of the atom, and two of the phase; of the sum over atoms the atom's alone. */
static DebyeLadderAccesses
count_phase(const char *source)
{
  return (DebyeLadderAccesses){.global = has(source, "series[(long)length * vector + t] = sum") ? 3.0 : 8.0};
}

static void
check_accesses(const DebyeClassroomStep *step, const DebyeLadderAccesses *accesses)
{
  const char *source = debye_ladder_source_text(step->source);
  const DebyeLadderAccesses counted = step->kind == DEBYE_LADDER_COUNT        ? count_pair(source)
                                      : step->kind == DEBYE_LADDER_SCATTERING ? count_phase(source)
                                                                              : count_sum(source);
  g_assert_cmpfloat(accesses->constant, ==, counted.constant);
  g_assert_cmpfloat(accesses->shared, ==, counted.shared);
  g_assert_cmpfloat(accesses->global, ==, counted.global);
}

/* How much of a molecule's orbitals or of a ligand's surroundings is looked at depends on the molecule; atoms of a density are
 * no pairs. */
static gboolean
is_counted(const DebyeClassroomStep *step)
{
  return step->kind != DEBYE_LADDER_ORBITAL && step->kind != DEBYE_LADDER_LIGAND &&
         step->kind != DEBYE_LADDER_DENSITY;
}

static void
test_accesses(void)
{
  guint n_found = 0;
  for (gsize i = 0; i < DEBYE_LADDER_N_CUDA; i++) {
    DebyeClassroomStep step = {0};
    const DebyeLadderVariant *variant = &debye_ladder_cuda_variants[i];
    const gboolean is_step = debye_classroom_step_set_variant(&step, TRUE, variant->id);
    const DebyeLadderAccesses *accesses = is_step ? debye_ladder_accesses_find(&step) : NULL;
    g_assert_true((accesses != NULL) == (is_step && variant->source != NULL && is_counted(&step)));
    if (accesses == NULL)
      continue;
    check_accesses(&step, accesses);
    n_found++;
  }
  g_assert_cmpuint(n_found, ==, 41);
}

/* The lecture: 9 operations to 4 accesses are 2.25; unrolled, 7.75 to 1. */
static void
test_intensity(void)
{
  DebyeClassroomStep step = {0};
  double operations;
  g_assert_true(debye_classroom_step_set_variant(&step, TRUE, "gather-const"));
  g_assert_cmpfloat(debye_ladder_accesses_intensity(debye_ladder_accesses_find(&step), &step, &operations),
                    ==, 2.25);
  g_assert_cmpfloat(operations, ==, 9.0);
  g_assert_true(debye_classroom_step_set_variant(&step, TRUE, "const-unrolled"));
  g_assert_cmpfloat(debye_ladder_accesses_intensity(debye_ladder_accesses_find(&step), &step, &operations),
                    ==, 7.75);
  /* Of other families as many as were measured. */
  g_assert_true(debye_classroom_step_set_variant(&step, TRUE, "cutoff-unrolled-x"));
  step.rate = 2e9;
  step.operations = 24.5e9;
  g_assert_cmpfloat(debye_ladder_accesses_intensity(debye_ladder_accesses_find(&step), &step, &operations),
                    ==, 12.25);
  g_assert_true(debye_classroom_step_set_variant(&step, FALSE, "grid-outer"));
  g_assert_null(debye_ladder_accesses_find(&step));
}

/* --- What a session keeps --- */

static void
add_step(DebyeClassroomRecord *record, gboolean is_gpu, const char *id, const char *device, double rate)
{
  DebyeClassroomStep step = {.device = g_intern_string(device),
                             .rate = rate,
                             .operations = 9.0 * rate,
                             .share = 0.25,
                             .error = NAN,
                             .resources = {.block = is_gpu ? 256 : 0, .occupancy = is_gpu ? 0.5f : 0.0f}};
  g_assert_true(debye_classroom_step_set_variant(&step, is_gpu, id));
  g_array_append_val(record->steps, step);
}

static void
add_device(DebyeClassroomRecord *record, const char *id, const char *name)
{
  const DebyeClassroomDevice device = {g_intern_string(id), g_intern_string(name), {1e12, 0.0, 1e11}};
  g_array_append_val(record->devices, device);
}

/* As the file has it: through its text. */
static GVariant *
write_and_read(GVariant *floating)
{
  g_autoptr(GVariant) saved = g_variant_ref_sink(floating);
  g_autoptr(GError) error = NULL;
  g_autofree char *text = debye_json_from_value(saved);
  GVariant *read = debye_json_parse(text, strlen(text), "session", &error);
  g_assert_no_error(error);
  return read;
}

static DebyeClassroomRecord *
create_counts(void)
{
  DebyeClassroomRecord *record = debye_classroom_record_new("6,000 atoms");
  add_device(record, "cpu", "two cores");
  for (guint i = 0; i < 2; i++) {
    DebyeClassroomCount count = {
        .device = g_intern_string("cpu"),
        .loses_counts = i == 1,
        .lost = 0.5 * i,
        .counts = {.n_atoms = 6000.0 * (i + 1), .n_asked = 6000.0, .volume = 6e4 * (i + 1), .range = 25.0}};
    add_step(record, FALSE, i == 0 ? "histogram-sequential" : "histogram-race", "cpu", 1e8 * (i + 1));
    count.title = g_array_index(record->steps, DebyeClassroomStep, i).title;
    for (guint64 k = 0; k < DEBYE_BENCH_N_BINS; k++)
      count.counts.bins[k] = count.counts.expected[k] = (k + i) << 40;
    g_array_append_val(record->counts, count);
  }
  return record;
}

static void
test_kept_ladder(void)
{
  g_autoptr(DebyeClassroomRecord) record = create_counts();
  g_autoptr(GVariant) saved = write_and_read(debye_kept_ladder_save(record));
  g_autoptr(DebyeClassroomRecord) kept = debye_kept_ladder_load(saved);
  g_assert_nonnull(kept);
  g_assert_cmpstr(kept->subject, ==, "6,000 atoms");
  g_assert_cmpuint(kept->steps->len, ==, 2);
  g_assert_cmpuint(kept->counts->len, ==, 2);
  const DebyeClassroomDevice *device = &g_array_index(kept->devices, DebyeClassroomDevice, 0);
  const DebyeClassroomStep *race = &g_array_index(kept->steps, DebyeClassroomStep, 1);
  const DebyeClassroomCount *count = &g_array_index(kept->counts, DebyeClassroomCount, 1);
  g_assert_cmpstr(device->name, ==, "two cores");
  g_assert_cmpfloat(device->limits.operations, ==, 1e12);
  g_assert_cmpstr(race->id, ==, "histogram-race");
  g_assert_true(race->is_race && race->device == device->id && !race->is_gpu && !race->is_recorded);
  g_assert_cmpuint(race->number, ==, 2);
  g_assert_cmpfloat(race->rate, ==, 2e8);
  g_assert_true(isnan(race->error));
  g_assert_cmpstr(count->title, ==, race->title);
  g_assert_true(count->loses_counts);
  g_assert_cmpfloat(count->lost, ==, 0.5);
  g_assert_cmpuint(count->counts.bins[3], ==, G_GUINT64_CONSTANT(4) << 40);
  g_assert_cmpuint(count->counts.expected[3], ==, G_GUINT64_CONSTANT(4) << 40);
  g_assert_cmpfloat(count->counts.n_atoms, ==, 12000.0);
  g_assert_cmpfloat(count->counts.n_asked, ==, 6000.0);
  g_assert_cmpfloat(count->counts.volume, ==, 1.2e5);
  g_assert_cmpfloat(count->counts.range, ==, 25.0);
  /* What is saved again is the same. */
  g_autoptr(GVariant) again = write_and_read(debye_kept_ladder_save(kept));
  g_assert_true(g_variant_equal(saved, again));
}

/* A race of more atoms than the other steps is divided by a gas of its own atoms, and lies over its right counts. */
static void
test_race_in_figure(void)
{
  g_autoptr(DebyeClassroomRecord) record = create_counts();
  DebyeClassroomCount *race = &g_array_index(record->counts, DebyeClassroomCount, 1);
  const DebyeBenchCounts *counts = &race->counts;
  const double outer = 0.125 * 101, inner = 0.125 * 100,
               shell = 4.0 / 3.0 * G_PI * (pow(outer, 3) - pow(inner, 3)),
               gas = 0.5 * 12000.0 * 11999.0 * shell / 1.2e5;
  race->counts.bins[100] = 7;
  g_autoptr(DebyePlot) plot = debye_classroom_plot_counts(record);
  g_assert_cmpuint(debye_plot_get_n_series(plot), ==, 3);
  DebyeCurve *expected = debye_plot_get_curve(plot, debye_plot_get_series(plot, 1)),
             *counted = debye_plot_get_curve(plot, debye_plot_get_series(plot, 2));
  g_assert_cmpstr(debye_curve_get_name(counted), ==, "Histogram without atomics, 12,000 atoms");
  g_assert_cmpfloat(debye_curve_get_x(counted)[100], ==, 12.5625);
  g_assert_cmpfloat_with_epsilon(debye_curve_get_y(counted)[100], 7.0 / gas, 1e-12 / gas);
  g_assert_cmpfloat_with_epsilon(debye_curve_get_y(expected)[100], (double)counts->expected[100] / gas,
                                 1e-12 * (double)counts->expected[100] / gas);
  g_assert_nonnull(strstr(debye_plot_get_caption(plot), "All pairs of 6,000 atoms"));
  g_assert_nonnull(strstr(debye_plot_get_caption(plot), "copies of these"));
  /* One that lost nothing is what is expected. */
  race->lost = 0.0;
  g_autoptr(DebyePlot) whole = debye_classroom_plot_counts(record);
  g_assert_cmpuint(debye_plot_get_n_series(whole), ==, 2);
}

/* Sessions once had the number of atoms for all steps together. */
static void
test_counts_of_old_sessions(void)
{
  g_autoptr(DebyeClassroomRecord) record = create_counts();
  for (guint i = 0; i < 2; i++) {
    DebyeBenchCounts *counts = &g_array_index(record->counts, DebyeClassroomCount, i).counts;
    counts->n_atoms = counts->n_asked = counts->volume = counts->range = 0.0;
  }
  g_autoptr(GVariant) bare = g_variant_ref_sink(debye_kept_ladder_save(record));
  GVariantDict dict;
  g_variant_dict_init(&dict, bare);
  g_variant_dict_insert(&dict, "bin-width", "d", 0.125);
  g_variant_dict_insert(&dict, "n-counted", "d", 6000.0);
  g_variant_dict_insert(&dict, "cell-volume", "d", 6e4);
  g_autoptr(GVariant) saved = write_and_read(g_variant_dict_end(&dict));
  g_autoptr(DebyeClassroomRecord) kept = debye_kept_ladder_load(saved);
  g_assert_nonnull(kept);
  for (guint i = 0; i < 2; i++) {
    const DebyeBenchCounts *counts = &g_array_index(kept->counts, DebyeClassroomCount, i).counts;
    g_assert_cmpfloat(counts->n_atoms, ==, 6000.0);
    g_assert_cmpfloat(counts->n_asked, ==, 6000.0);
    g_assert_cmpfloat(counts->volume, ==, 6e4);
    g_assert_cmpfloat(counts->range, ==, 25.0);
  }
}

/* The class's own kernel stands alone, and is no step of a ladder. */
static void
test_kept_ours(void)
{
  g_autoptr(DebyeClassroomRecord) record = debye_classroom_record_new("3,261 atoms");
  DebyeClassroomStep step = {.device = g_intern_string("cpu"), .rate = 3e9, .share = 0.25, .error = 1e-7};
  add_device(record, "cpu", "two cores");
  debye_classroom_step_set_ours(&step, DEBYE_LADDER_CUTOFF, FALSE, "Edited. TILE=64.");
  g_array_append_val(record->steps, step);
  g_autoptr(GVariant) saved = write_and_read(debye_kept_ladder_save(record));
  g_autoptr(DebyeClassroomRecord) kept = debye_kept_ladder_load(saved);
  g_assert_nonnull(kept);
  const DebyeClassroomStep *ours = &g_array_index(kept->steps, DebyeClassroomStep, 0);
  g_assert_null(ours->id);
  g_assert_cmpstr(ours->title, ==, step.title);
  g_assert_cmpstr(ours->lesson, ==, "Edited. TILE=64.");
  g_assert_cmpint(ours->kind, ==, DEBYE_LADDER_CUTOFF);
  g_assert_cmpfloat(ours->rate, ==, 3e9);
  add_step(record, FALSE, "cutoff-all", "cpu", 1e9);
  g_array_append_val(record->steps, step);
  g_autoptr(GVariant) mixed = write_and_read(debye_kept_ladder_save(record));
  g_assert_null(debye_kept_ladder_load(mixed));
}

static void
test_kept_growth(void)
{
  g_autoptr(DebyeClassroomRecord) record = debye_classroom_record_new("made-up charges");
  const DebyeClassroomTime time = {DEBYE_POTENTIAL_MULTILEVEL, "cuda:0", 2000.0, 0.5};
  add_device(record, "cuda:0", "NVIDIA H200");
  g_array_append_val(record->times, time);
  g_autoptr(GVariant) saved = write_and_read(debye_kept_ladder_save(record));
  g_autoptr(DebyeClassroomRecord) kept = debye_kept_ladder_load(saved);
  g_assert_nonnull(kept);
  g_assert_cmpuint(kept->times->len, ==, 1);
  const DebyeClassroomTime *found = &g_array_index(kept->times, DebyeClassroomTime, 0);
  g_assert_cmpint(found->method, ==, DEBYE_POTENTIAL_MULTILEVEL);
  g_assert_cmpstr(found->device, ==, "cuda:0");
  g_assert_cmpfloat(found->volume, ==, 2000.0);
  g_assert_cmpfloat(found->seconds, ==, 0.5);
}

static void
test_kept_steps(void)
{
  g_autoptr(DebyeClassroomRecord) record = debye_classroom_record_new("3,261 atoms");
  DebyeClassroomSteps steps, kept;
  add_device(record, "cuda:0", "NVIDIA H200");
  add_step(record, TRUE, "scatter-const", "cuda:0", 1e9);
  add_step(record, TRUE, "gather-const", "cuda:0", 3e9);
  add_step(record, TRUE, "gather-fission", "cuda:0", 2e9);
  debye_classroom_steps_init(&steps);
  debye_classroom_steps_init(&kept);
  debye_classroom_steps_take(&steps, record);
  debye_classroom_steps_reveal(&steps, 0.0);
  debye_classroom_steps_reveal(&steps, 2.5);
  g_autoptr(GVariant) saved = write_and_read(debye_kept_steps_save(&steps));
  g_assert_false(debye_kept_steps_load(&kept, saved, DEBYE_LADDER_COUNT));
  g_assert_null(kept.record);
  g_assert_true(debye_kept_steps_load(&kept, saved, DEBYE_LADDER_MAP));
  /* The third still waits for its guess. */
  g_assert_cmpuint(kept.n_revealed, ==, 2);
  g_assert_cmpfloat(g_array_index(kept.guesses, double, 1), ==, 2.5);
  g_assert_cmpstr(debye_classroom_steps_get_pending(&kept)->id, ==, "gather-fission");
  g_assert_cmpfloat(debye_classroom_steps_find_gain(&kept, 1), ==, 3.0);
  const DebyeClassroomStep *first = &g_array_index(kept.record->steps, DebyeClassroomStep, 0);
  g_assert_true(first->is_gpu);
  g_assert_cmpint(first->resources.block, ==, 256);
  g_assert_cmpfloat((double)first->resources.occupancy, ==, 0.5);
  debye_classroom_steps_clear(&steps);
  debye_classroom_steps_clear(&kept);
}

static gboolean
measure_sweep(const DebyeBenchSweep *sweep, const gsize *at, DebyeBenchResult *result,
              gpointer data G_GNUC_UNUSED, GError **error G_GNUC_UNUSED)
{
  const double tile = sweep->axes[0].values[at[0]];
  *result =
      (DebyeBenchResult){.seconds = tile == 64.0 ? NAN : 0.5 / tile, .rate = tile == 64.0 ? NAN : 1e7 * tile};
  return at[1] == 0 || tile < 128.0; /* stopped before the last point */
}

/* A sweep that was stopped, with a point that was wrong, is drawn and told as it was. */
static void
test_kept_sweep(void)
{
  const char *const axes[] = {"tile=32,64,128", "atoms=1000,2000", NULL}, *const macros[] = {"LANES=8", NULL};
  const DebyeSweepChoice choice = {axes, "direct/10-simd.c", macros};
  g_auto(DebyeBenchSweep) sweep = {0};
  g_autoptr(GArray) rows = g_array_new(FALSE, TRUE, sizeof(DebyeBenchRow)),
                    fits = g_array_new(FALSE, TRUE, sizeof(DebyeBenchFit));
  g_assert_true(debye_bench_sweep_parse(&sweep, axes, NULL));
  g_assert_false(debye_bench_sweep_run(&sweep, measure_sweep, NULL, rows, fits, NULL));
  g_autoptr(DebyeClassroomRecord) record = debye_classroom_record_new("3,261 atoms");
  debye_kept_sweep_describe(record, &choice, &sweep, rows, fits);
  g_autoptr(GVariant) saved = write_and_read(g_variant_ref(record->design_kept));
  g_autoptr(DebyeClassroomRecord) kept = debye_kept_sweep_load(saved);
  g_assert_nonnull(kept);
  g_assert_cmpuint(rows->len, ==, 5);
  g_assert_cmpstr(kept->verdict, ==, record->verdict);
  g_assert_true(g_str_has_prefix(kept->verdict, "Highest throughput: TILE = 128, Atoms = 1000: 3.91 ms"));
  g_assert_cmpuint(debye_plot_get_n_series(kept->design), ==, 2);
  g_assert_true(kept->is_found);
  g_autoptr(GVariant) again = write_and_read(g_variant_ref(kept->design_kept));
  g_assert_true(g_variant_equal(saved, again));
  /* What it was asked for stays, too. */
  g_auto(GStrv) kept_axes = debye_kept_sweep_list(kept->design_kept, "axes"),
                kept_macros = debye_kept_sweep_list(kept->design_kept, "macros");
  g_autofree char *listing = debye_json_get_text(kept->design_kept, "listing");
  g_assert_true(g_strv_equal((const char *const *)kept_axes, axes));
  g_assert_true(g_strv_equal((const char *const *)kept_macros, macros));
  g_assert_cmpstr(listing, ==, "direct/10-simd.c");
  /* A median of twice the shortest run is told, and still when the session is opened again. */
  DebyeBenchResult *first = &g_array_index(rows, DebyeBenchRow, 0).result;
  g_assert_null(strstr(record->verdict, "The repeats swing"));
  first->median = 2.0 * first->seconds;
  g_autoptr(DebyeClassroomRecord) unsteady = debye_classroom_record_new("3,261 atoms");
  debye_kept_sweep_describe(unsteady, &choice, &sweep, rows, fits);
  g_assert_nonnull(strstr(unsteady->verdict, "\nThe repeats swing"));
  g_autoptr(GVariant) told = write_and_read(g_variant_ref(unsteady->design_kept));
  g_autoptr(DebyeClassroomRecord) reopened = debye_kept_sweep_load(told);
  g_assert_cmpstr(reopened->verdict, ==, unsteady->verdict);
  g_array_set_clear_func(rows, (GDestroyNotify)debye_bench_row_clear);
  g_array_set_clear_func(fits, (GDestroyNotify)debye_bench_fit_clear);
}

static void
test_damaged_sweep(void)
{
  static const char *const texts[] = {
      "{\"axes\": [\"tile=32\"], \"points\": [1, 2]}",
      "{\"subject\": \"s\", \"points\": [1, 2]}",
      "{\"subject\": \"s\", \"axes\": [], \"points\": [1, 2]}",
      "{\"subject\": \"s\", \"axes\": [7], \"points\": [1, 2]}",
      "{\"subject\": \"s\", \"axes\": [\"tile=many\"], \"points\": [1, 2]}",
      "{\"subject\": \"s\", \"axes\": [\"kernel=direct,cutoff\"], \"points\": [1, 2]}",
      "{\"subject\": \"s\", \"axes\": [\"tile=32\"], \"points\": [\"1\", 2]}",
      "{\"subject\": \"s\", \"axes\": [\"tile=32\"], \"points\": [-1, 2]}",
      "{\"subject\": \"s\", \"axes\": [\"tile=32\"], \"points\": [1, 2, 3]}",
      "{\"subject\": \"s\", \"axes\": [\"tile=32\"], \"points\": [1, 2, 3, 4]}",
      "{\"subject\": \"s\", \"axes\": [\"tile=32,64\"], \"points\": [0, 0]}",
  };
  for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
    g_autoptr(GVariant) saved = debye_json_parse(texts[i], strlen(texts[i]), "session", NULL);
    g_assert_nonnull(saved);
    g_assert_null(debye_kept_sweep_load(saved));
  }
}

static DebyeClassroomRecord *
parse(const char *text)
{
  g_autoptr(GVariant) saved = debye_json_parse(text, strlen(text), "session", NULL);
  g_assert_nonnull(saved);
  return debye_kept_ladder_load(saved);
}

#define START "{\"subject\": \"\", \"times\": [], \"devices\": [{\"id\": \"cpu\", \"name\": \"c\", "
#define LIMITS "\"operations\": 1e9, \"bandwidth\": 1e9}], "
#define STEP(members) "\"steps\": [{\"gpu\": false, " members "}]}"

/* Nothing of what can't be is shown. */
static void
test_damaged(void)
{
  static const char *const damaged[] = {
      "{}",
      "{\"subject\": \"\", \"devices\": [7], \"steps\": [], \"times\": []}",
      START LIMITS STEP("\"variant\": \"of another version\", \"device\": \"cpu\", \"rate\": 1"),
      START LIMITS STEP("\"variant\": \"grid-outer\", \"device\": \"cuda:0\", \"rate\": 1"),
      START LIMITS STEP("\"variant\": \"grid-outer\", \"device\": \"cpu\", \"rate\": 0"),
      START LIMITS STEP("\"variant\": \"grid-outer\", \"device\": \"cpu\", \"rate\": 1, \"share\": -1"),
      START LIMITS STEP("\"variant\": \"grid-outer\", \"device\": \"cpu\", \"rate\": 1, \"counts\": [1]"),
      START "\"operations\": 0}], " STEP("\"variant\": \"grid-outer\", \"device\": \"cpu\", \"rate\": 1"),
  };
  for (gsize i = 0; i < G_N_ELEMENTS(damaged); i++) {
    g_autoptr(DebyeClassroomRecord) record = parse(damaged[i]);
    g_assert_null(record);
  }
  g_autoptr(DebyeClassroomRecord) whole =
      parse(START LIMITS STEP("\"variant\": \"grid-outer\", \"device\": \"cpu\", \"rate\": 1"));
  g_assert_cmpuint(whole->steps->len, ==, 1);
}

/* Counts that nothing can be divided by, and shares beyond the whole. */
static void
test_damaged_counts(void)
{
  for (int k = 0; k < 5; k++) {
    g_autoptr(DebyeClassroomRecord) record = create_counts();
    DebyeBenchCounts *counts = &g_array_index(record->counts, DebyeClassroomCount, 0).counts;
    counts->range = k == 1 ? 0.0 : counts->range;
    counts->n_asked = k == 2 ? 1.0 : counts->n_asked;
    counts->volume = k == 3 ? -1.0 : counts->volume;
    g_array_index(record->counts, DebyeClassroomCount, 1).lost = k == 4 ? 1.5 : 1.0;
    g_autoptr(GVariant) saved = write_and_read(debye_kept_ladder_save(record));
    g_autoptr(DebyeClassroomRecord) kept = debye_kept_ladder_load(saved);
    g_assert_true((kept != NULL) == (k == 0));
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/classroom-steps/climb", test_climb);
  g_test_add_func("/classroom-steps/accesses", test_accesses);
  g_test_add_func("/classroom-steps/intensity", test_intensity);
  g_test_add_func("/classroom-steps/kept-ladder", test_kept_ladder);
  g_test_add_func("/classroom-steps/race-in-figure", test_race_in_figure);
  g_test_add_func("/classroom-steps/counts-of-old-sessions", test_counts_of_old_sessions);
  g_test_add_func("/classroom-steps/kept-ours", test_kept_ours);
  g_test_add_func("/classroom-steps/kept-growth", test_kept_growth);
  g_test_add_func("/classroom-steps/kept-steps", test_kept_steps);
  g_test_add_func("/classroom-steps/kept-sweep", test_kept_sweep);
  g_test_add_func("/classroom-steps/damaged-sweep", test_damaged_sweep);
  g_test_add_func("/classroom-steps/damaged", test_damaged);
  g_test_add_func("/classroom-steps/damaged-counts", test_damaged_counts);
  return g_test_run();
}
