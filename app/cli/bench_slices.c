/* SPDX-License-Identifier: MIT */
/* debye-cli bench --slices: a map's slices dealt to several devices beside the lecture's figures; and --batches: the memory of
 * batched transforms; as the class room has them; called by command_bench.c. */
#include <stdio.h>
#include <string.h>

#include "app/analysis/driver/memory_size.h"
#include "app/classroom/classroom_problem.h"
#include "app/document/json_writer.h"
#include "bench_report.h"
#include "cli_work.h"
#include "interrupt.h"
#include "plot_output.h"
#include "render/plot/plot_cairo.h"

#define HOUR 3600.0
#define LEAST_ATOMS 1e4 /* of the placements of ions that are listed */
#define MOST_ATOMS 1e7

static const char *const figures[] = {"dealt", "devices", "ions", NULL};
/* They would be ignored. */
static const char *const left_out[] = {"sweep", "against", "source"};
static const char *const endings[] = {".csv", ".svg", ".pdf", ".png", ".tiff", ".tif", NULL};

gboolean
debye_bench_slices_check(DebyeArguments *arguments, const char *figure, GError **error)
{
  DebyeRequest *request = debye_arguments_get_request(arguments);
  for (gsize i = 0; i < G_N_ELEMENTS(left_out); i++) {
    if (!debye_request_is_set(request, left_out[i]))
      continue;
    return debye_usage_refuse(error, "bench: --slices times the direct sum alone; leave out --%s",
                              left_out[i]);
  }
  if (g_strv_contains(figures, figure))
    return debye_cli_check_outputs(debye_arguments_get_list(arguments, "output"), endings, error);
  return debye_usage_refuse(error, "bench: --slices: expected one of dealt, devices, ions, found “%s”",
                            figure);
}

/* --- As a table --- */

static const DebyeBenchDealRun *
get_run(const DebyeClassroomRecord *record, guint number)
{
  return &g_array_index(record->dealings, DebyeBenchDealRun, number);
}

/* "cuda:0+cuda:1", "cpu, 2 threads" */
static char *
name_devices(const DebyeClassroomRecord *record, guint n)
{
  if (record->is_threads)
    return g_strdup_printf(n == 1 ? "cpu, %u thread" : "cpu, %u threads", n);
  GString *text = g_string_new(NULL);
  for (guint i = 0; i < n; i++)
    g_string_append_printf(text, "%s%s", i > 0 ? "+" : "",
                           g_array_index(record->devices, DebyeClassroomDevice, i).id);
  return g_string_free(text, FALSE);
}

static void
print_number(int width, const char *format, double value)
{
  debye_bench_print_number(width, format, debye_bench_if_known(value));
}

static void
print_row(const char *name, double seconds, double rate, double operations, double times, double watts)
{
  printf("%-24s", name);
  print_number(10, "%.4g", seconds);
  print_number(14, "%.4g", rate / 1e9);
  print_number(10, "%.4g", operations / 1e9);
  print_number(10, "%.4g", times);
  print_number(8, "%.3g", watts);
}

static void
print_runs(const DebyeClassroomRecord *record)
{
  printf("%-24s %10s %14s %10s %10s %8s %9s\n", "devices", "seconds", "10^9 evals/s", "GFLOP/s", "of a core",
         "W", "error");
  for (guint i = 0; i < record->dealings->len; i++) {
    const DebyeBenchDealRun *run = get_run(record, i);
    g_autofree char *name = name_devices(record, run->n_devices);
    print_row(name, run->seconds, run->rate, run->rate * DEBYE_BENCH_DEAL_OPERATIONS,
              run->rate / record->thread_rate, run->watts);
    print_number(9, "%.2g", run->error);
    printf("\n");
  }
  for (gsize i = 0; i < G_N_ELEMENTS(debye_bench_deal_lecture); i++) {
    const DebyeBenchDealLecture *lecture = &debye_bench_deal_lecture[i];
    print_row("lecture", 0.0, lecture->rate, lecture->operations, lecture->times, lecture->watts);
    printf("  %s\n", lecture->device != NULL ? lecture->device : "device not stated");
  }
  printf("GFLOP/s count");
  print_number(0, "%g", DEBYE_BENCH_DEAL_OPERATIONS);
  printf(" operations per evaluation, as the lecture does; a core: one CPU thread,");
  print_number(0, "%.4g", record->thread_rate / 1e9);
  printf(" 10^9 evals/s, in the lecture one core of its CPU\n");
}

static void
print_hours(double evaluations, double seconds)
{
  print_number(12, "%.2g", evaluations);
  print_number(12, "%.3g", seconds / HOUR);
}

/* Rates of one thread, of the first device, and of all. */
static void
print_ions(const DebyeClassroomRecord *record, double spacing)
{
  const double rates[] = {record->thread_rate, get_run(record, 0)->rate,
                          get_run(record, record->dealings->len - 1)->rate};
  printf("placing ions by the direct sum, grid spacing");
  print_number(0, "%g", spacing);
  printf(" Å: hours\n%-24s %12s %12s %12s %12s\n", "atoms", "evals", "a CPU thread", "first device",
         "together");
  for (double n = LEAST_ATOMS; n <= MOST_ATOMS * 1.001; n *= 10.0) {
    const double evaluations = debye_bench_deal_count_ions(n, spacing);
    printf("%-24.0f", n);
    print_hours(evaluations, evaluations / rates[0]);
    print_number(12, "%.3g", evaluations / rates[1] / HOUR);
    print_number(12, "%.3g", evaluations / rates[2] / HOUR);
    printf("\n");
  }
  printf("%-24s", "the lecture's virus");
  print_hours(DEBYE_BENCH_DEAL_VIRUS, DEBYE_BENCH_DEAL_VIRUS / rates[0]);
  print_number(12, "%.3g", DEBYE_BENCH_DEAL_VIRUS / rates[1] / HOUR);
  print_number(12, "%.3g", DEBYE_BENCH_DEAL_VIRUS / rates[2] / HOUR);
  printf("\n%-24s", "in the lecture");
  print_hours(DEBYE_BENCH_DEAL_VIRUS, DEBYE_BENCH_DEAL_VIRUS_CPU);
  print_number(12, "%.3g", DEBYE_BENCH_DEAL_VIRUS_GPU / HOUR);
  print_number(12, "%.3g", DEBYE_BENCH_DEAL_VIRUS_THREE / HOUR);
  printf("  on three GPUs; evals: its time on three at 117e9 per second\n");
}

/* --- As JSON --- */

static void
add_slices(DebyeJson *json, const DebyeClassroomRecord *record, guint number)
{
  debye_json_open(json, "slices", '[');
  for (guint i = 0; i < record->slices->len; i++) {
    const DebyeBenchDealSlice *slice = &g_array_index(record->slices, DebyeBenchDealSlice, i);
    if (slice->run != number)
      continue;
    debye_json_open(json, NULL, '{');
    debye_json_integer(json, "slice", slice->slice);
    debye_json_integer(json, "device", slice->device);
    debye_json_number(json, "begin", slice->begin);
    debye_json_number(json, "end", slice->end);
    debye_json_close(json, '}');
  }
  debye_json_close(json, ']');
}

static void
add_run(DebyeJson *json, const DebyeClassroomRecord *record, guint number)
{
  const DebyeBenchDealRun *run = get_run(record, number);
  g_autofree char *name = name_devices(record, run->n_devices);
  debye_json_open(json, NULL, '{');
  debye_json_integer(json, "devices", run->n_devices);
  debye_json_string(json, "device", name);
  debye_json_number(json, "seconds", run->seconds);
  debye_json_number(json, "evals_per_second", run->rate);
  debye_json_number(json, "flops_per_second", run->rate * DEBYE_BENCH_DEAL_OPERATIONS);
  debye_json_number(json, "times_a_core", run->rate / record->thread_rate);
  debye_json_number(json, "speed_up", get_run(record, 0)->seconds / run->seconds);
  debye_bench_add_if_known(json, "watts", run->watts);
  debye_json_number(json, "error", run->error);
  add_slices(json, record, number);
  debye_json_close(json, '}');
}

static void
add_lecture(DebyeJson *json, const DebyeBenchDealLecture *lecture)
{
  debye_json_open(json, NULL, '{');
  debye_json_string(json, "device", lecture->device);
  debye_json_number(json, "evals_per_second", lecture->rate);
  debye_json_number(json, "flops_per_second", lecture->operations);
  debye_json_number(json, "times_a_core", lecture->times);
  debye_bench_add_if_known(json, "watts", lecture->watts);
  debye_json_close(json, '}');
}

static void
add_ions(DebyeJson *json, const DebyeClassroomRecord *record, const char *name, double evaluations)
{
  debye_json_open(json, name, '{');
  debye_json_number(json, "evals", evaluations);
  debye_json_number(json, "seconds_core", evaluations / record->thread_rate);
  debye_json_number(json, "seconds_first", evaluations / get_run(record, 0)->rate);
  debye_json_number(json, "seconds_together", evaluations / get_run(record, record->dealings->len - 1)->rate);
  debye_json_close(json, '}');
}

static void
print_json(const DebyeClassroomRecord *record)
{
  g_auto(DebyeJson) json = debye_json_begin();
  debye_json_string(&json, "subject", record->subject);
  debye_json_number(&json, "evals_per_second_core", record->thread_rate);
  debye_json_number(&json, "flops_per_eval", DEBYE_BENCH_DEAL_OPERATIONS);
  debye_json_open(&json, "runs", '[');
  for (guint i = 0; i < record->dealings->len; i++)
    add_run(&json, record, i);
  debye_json_close(&json, ']');
  debye_json_open(&json, "lecture", '[');
  for (gsize i = 0; i < G_N_ELEMENTS(debye_bench_deal_lecture); i++)
    add_lecture(&json, &debye_bench_deal_lecture[i]);
  debye_json_close(&json, ']');
  add_ions(&json, record, "virus", DEBYE_BENCH_DEAL_VIRUS);
  debye_json_print(&json);
}

/* --- All --- */

static DebyePlot *
create_plot(DebyeClassroomRecord *record, const char *figure, double spacing)
{
  return strcmp(figure, "ions") == 0      ? debye_classroom_plot_ions(record, spacing, 0.0)
         : strcmp(figure, "devices") == 0 ? debye_classroom_plot_dealings(record)
                                          : debye_classroom_plot_slices(record, record->dealings->len - 1);
}

gboolean
debye_bench_slices_run(DebyeArguments *arguments, const char *figure, const DebyeBenchJob *job,
                       double spacing, GError **error)
{
  const DebyeBenchAtoms *atoms = job->atoms;
  g_autofree char *subject = NULL;
  DebyeCharges charges = {0};
  if (atoms != NULL && !debye_bench_atoms_check_charges(atoms, error))
    return FALSE;
  if (atoms != NULL) {
    charges = (DebyeCharges){atoms->x, atoms->y, atoms->z, atoms->charge,
                             MIN(atoms->n_atoms, DEBYE_CLASSROOM_MAX_ATOMS)};
    subject = g_strdup_printf("%zu atoms of the files", charges.n);
  }
  g_autoptr(DebyeClassroomRecord) record = debye_classroom_deal_slices(
      job->devices, job->n_devices, debye_device_count_threads(job->registry, &job->lanes),
      atoms != NULL ? &charges : NULL, subject, debye_interrupt_flag(), NULL, error);
  if (record == NULL)
    return FALSE;
  if (debye_arguments_get_options(arguments).json) {
    print_json(record);
  } else {
    printf("%s\n", record->subject);
    print_runs(record);
    print_ions(record, spacing);
  }
  g_autoptr(DebyePlot) plot = create_plot(record, figure, spacing);
  return debye_bench_save_figure(arguments, plot, error);
}

/* --- Batches --- */

static gboolean
check_batches(DebyeArguments *arguments, const char *figure, GError **error)
{
  if (strcmp(figure, "atoms") == 0 || strcmp(figure, "frames") == 0)
    return debye_cli_check_outputs(debye_arguments_get_list(arguments, "output"), endings, error);
  return debye_usage_refuse(error, "bench: --batches: expected atoms or frames, found “%s”", figure);
}

static gboolean
choose_batch(DebyeClassroomBatchChoice *choice, const double *sizes, const char *memory, GError **error)
{
  guint64 bytes = 0;
  if (!debye_memory_size_parse(memory, &bytes, error))
    return FALSE;
  if (bytes > 0)
    choice->memory = (double)bytes;
  if (sizes[DEBYE_BENCH_ATOMS] > 0.0)
    choice->n_atoms = (gsize)sizes[DEBYE_BENCH_ATOMS];
  if (sizes[DEBYE_BENCH_FRAMES] > 0.0)
    choice->n_frames = (gsize)sizes[DEBYE_BENCH_FRAMES];
  if (sizes[DEBYE_BENCH_VECTORS] > 0.0)
    choice->n_vectors = (gsize)sizes[DEBYE_BENCH_VECTORS];
  return TRUE;
}

static void
print_batches_json(const DebyeClassroomBatchChoice *choice)
{
  g_auto(DebyeJson) json = debye_json_begin();
  debye_json_integer(&json, "frames", (gint64)choice->n_frames);
  debye_json_integer(&json, "length", (gint64)debye_ladder_series_length(choice->n_frames));
  debye_json_integer(&json, "vectors", (gint64)choice->n_vectors);
  debye_json_integer(&json, "atoms", (gint64)choice->n_atoms);
  debye_json_integer(&json, "atoms_of_a_batch", (gint64)choice->block);
  debye_json_number(&json, "memory", choice->memory);
  debye_json_number(&json, "bytes",
                    debye_classroom_batch_bytes((double)choice->block, choice->n_vectors, choice->n_frames));
  debye_json_number(
      &json, "bytes_all",
      debye_classroom_batch_bytes((double)choice->n_atoms, choice->n_vectors, choice->n_frames));
  debye_json_number(&json, "most_atoms", debye_classroom_batch_find_atoms(choice));
  debye_json_integer(&json, "most_frames", (gint64)debye_classroom_batch_find_frames(choice));
  debye_json_print(&json);
}

static void
print_bytes(const char *title, const DebyeClassroomBatchChoice *choice, gsize n_atoms)
{
  g_autofree char *bytes = debye_classroom_batch_write_bytes(choice, n_atoms);
  printf("%s: 8·%zu·%zu·%zu bytes = %s\n", title, debye_ladder_series_length(choice->n_frames),
         choice->n_vectors, n_atoms, bytes);
}

static void
print_batches(const DebyeClassroomBatchChoice *choice)
{
  g_autofree char *memory = debye_memory_size_to_string((guint64)choice->memory);
  printf("Batched transforms of %zu frames, padded to %zu values of 8 bytes, and %zu vectors\n",
         choice->n_frames, debye_ladder_series_length(choice->n_frames), choice->n_vectors);
  print_bytes("a batch", choice, choice->block);
  print_bytes("all atoms", choice, choice->n_atoms);
  printf("%s hold batches of up to %.0f atoms; batches of %zu atoms up to %zu frames\n", memory,
         debye_classroom_batch_find_atoms(choice), choice->block, debye_classroom_batch_find_frames(choice));
}

gboolean
debye_bench_batches_run(DebyeArguments *arguments, const char *figure, const double *sizes, gint64 block,
                        const char *memory, GError **error)
{
  DebyeClassroomBatchChoice choice = debye_classroom_usual_batch;
  if (block > 0)
    choice.block = (gsize)block;
  if (!check_batches(arguments, figure, error) || !choose_batch(&choice, sizes, memory, error))
    return FALSE;
  if (debye_arguments_get_options(arguments).json)
    print_batches_json(&choice);
  else
    print_batches(&choice);
  g_autoptr(DebyeClassroomRecord) record = debye_classroom_count_batches(&choice);
  g_autoptr(DebyePlot) plot = strcmp(figure, "atoms") == 0 ? debye_classroom_plot_batches_by_atoms(record)
                                                           : debye_classroom_plot_batches_by_frames(record);
  return debye_bench_save_figure(arguments, plot, error);
}
