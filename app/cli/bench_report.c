/* SPDX-License-Identifier: MIT */
/* Prints the rows of debye-cli bench, and the teaching variants; called by command_bench.c. */
#include "bench_report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/classroom/classroom_recording.h"
#include "app/document/json_writer.h"
#include "data/messages/message.h"
#include "data/messages/time_text.h"

#define SHARE_NOTE                                                                                       \
  "over 100 % of peak: another program used the device while its limit was measured; repeat on an idle " \
  "machine"

#define SWING_NOTE                                                                                         \
  "the median of a row is far above its shortest run: another program used the machine meanwhile; repeat " \
  "on an idle machine, or compare the shortest runs"

static gboolean
exceeds_limit(const DebyeBenchReport *report)
{
  for (guint i = 0; i < report->rows->len; i++)
    if (g_array_index(report->rows, DebyeBenchRow, i).result.share > DEBYE_BENCH_MAX_SHARE)
      return TRUE;
  return FALSE;
}

/* --- As a table --- */

void
debye_bench_print_number(int width, const char *format, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE] = "–";
  gboolean has_value = isfinite(value);
  if (has_value)
    g_ascii_formatd(text, sizeof text, format, value);
  /* The dash is one character in three bytes. */
  printf(" %*s", has_value ? width : width + 2, text);
}

double
debye_bench_if_known(double value)
{
  return value > 0.0 ? value : NAN;
}

static void
print_limits(const GArray *limits)
{
  for (guint i = 0; i < limits->len; i++) {
    const DebyeBenchLimits *found = &g_array_index(limits, DebyeBenchLimits, i);
    printf("%s (%s) at most:", found->device->info.id, found->device->info.name);
    debye_bench_print_number(0, "%.4g", found->limits.operations / 1e9);
    printf(" GFLOP/s,");
    debye_bench_print_number(0, "%.4g", debye_bench_if_known(found->limits.reciprocal_roots / 1e9));
    printf(" 10^9 1/√x a second,");
    debye_bench_print_number(0, "%.4g", found->limits.bandwidth / 1e9);
    printf(" GB/s\n");
  }
}

/* Speed-up and efficiency are there where some row has them. */
static gboolean
has_any(const GArray *rows, gsize member)
{
  for (guint i = 0; i < rows->len; i++)
    if (isfinite(G_STRUCT_MEMBER(double, &g_array_index(rows, DebyeBenchRow, i), member)))
      return TRUE;
  return FALSE;
}

/* "cuda:0+cuda:1+cpu" is wider than most. */
static int
find_device_width(const GArray *rows)
{
  gsize width = 16;
  for (guint i = 0; i < rows->len; i++)
    width = MAX(width, strlen(g_array_index(rows, DebyeBenchRow, i).result.device));
  return (int)width;
}

/* "points-per-thread" is wider than most. */
static int
find_axis_width(const DebyeBenchReport *report, gsize axis)
{
  return (int)MAX(strlen(report->sweep->axes[axis].variable->name), 12);
}

static void
print_row(const DebyeBenchReport *report, const DebyeBenchRow *row, gboolean has_speed_up,
          gboolean has_efficiency)
{
  const DebyeBenchResult *result = &row->result;
  for (gsize axis = 0; axis < report->sweep->n_axes; axis++)
    printf("%-*s ", find_axis_width(report, axis), report->sweep->axes[axis].words[row->at[axis]]);
  printf("%-24s %-*s", result->variant, find_device_width(report->rows), result->device);
  debye_bench_print_number(10, "%.4g", result->seconds);
  debye_bench_print_number(10, "%.4g", debye_bench_if_known(result->fastest));
  debye_bench_print_number(10, "%.4g", debye_bench_if_known(result->slowest));
  debye_bench_print_number(14, "%.4g", report->job != NULL ? result->rate : result->rate / 1e9);
  debye_bench_print_number(10, "%.4g", debye_bench_if_known(result->operations / 1e9));
  debye_bench_print_number(10, "%.3g", debye_bench_if_known(100.0 * result->share));
  debye_bench_print_number(9, "%.2g", result->error);
  if (has_speed_up)
    debye_bench_print_number(10, "%.3g", row->speed_up);
  if (has_efficiency)
    debye_bench_print_number(10, "%.3g", row->efficiency);
  printf("\n");
}

static void
print_fits(const DebyeBenchReport *report)
{
  for (guint i = 0; i < report->fits->len; i++) {
    const DebyeBenchFit *fit = &g_array_index(report->fits, DebyeBenchFit, i);
    if (!isfinite(fit->exponent))
      continue;
    printf("%s%sseconds grow as %s to the power of", fit->name, *fit->name != '\0' ? ": " : "",
           report->sweep->axes[0].variable->name);
    debye_bench_print_number(0, "%.3g", fit->exponent);
    if (isfinite(fit->error)) {
      printf(" ±");
      debye_bench_print_number(0, "%.2g", fit->error);
    }
    printf("\n");
  }
}

/* "GFLOP/s count 5.25 operations for each of the pairs: …", as the first row does. */
static void
print_operations(const DebyeBenchReport *report)
{
  for (guint i = 0; report->operations != NULL && i < report->rows->len; i++) {
    const DebyeBenchResult *result = &g_array_index(report->rows, DebyeBenchRow, i).result;
    if (!(result->operations > 0.0))
      continue;
    printf("GFLOP/s count");
    debye_bench_print_number(0, "%.4g", result->operations / result->rate);
    printf(" operations for each of the %s: %s\n", report->unit, report->operations);
    return;
  }
}

/* Of two sizes or more that are chosen, the best: what a design space is looked through for. Several kernels count other
 * things. */
static void
print_best(const DebyeBenchReport *report)
{
  const DebyeBenchSweep *sweep = report->sweep;
  const DebyeBenchRow *best = debye_bench_sweep_find_best(sweep, report->rows);
  if (best == NULL || debye_bench_sweep_find(sweep, "kernel") != NULL ||
      (sweep->n_axes < 2 && (sweep->n_axes == 0 || sweep->axes[0].variable->macro == NULL)))
    return;
  printf(debye_bench_sweep_changes_work(sweep) ? "highest throughput:" : "fastest:");
  for (gsize axis = 0; axis < sweep->n_axes; axis++)
    printf(" %s=%s", sweep->axes[axis].variable->name, sweep->axes[axis].words[best->at[axis]]);
  printf("\n");
}

/* "cutoff-overlap on cuda:0: 2.6 % of the atoms have no slot; …" */
static void
print_overflow(const GArray *rows)
{
  for (guint i = 0; i < rows->len; i++) {
    const DebyeBenchResult *result = &g_array_index(rows, DebyeBenchRow, i).result;
    if (!(result->kernel_seconds > 0.0))
      continue;
    printf("%s on %s:", result->variant, result->device);
    debye_bench_print_number(0, "%.3g", 100.0 * result->overflow);
    printf(" %% of the atoms have no slot in their bin; the others");
    debye_bench_print_number(0, "%.4g", result->kernel_seconds);
    printf(" s, these");
    debye_bench_print_number(0, "%.4g", result->overflow_seconds);
    printf(" s on the CPU, together");
    debye_bench_print_number(0, "%.4g", result->seconds);
    printf(" s\n");
  }
}

/* "const-precalc on cuda:0: 256 threads per block, …" */
static void
print_resources(const GArray *rows)
{
  for (guint i = 0; i < rows->len; i++) {
    const DebyeBenchResult *result = &g_array_index(rows, DebyeBenchRow, i).result;
    const DebyeLadderResources *resources = &result->resources;
    if (resources->block == 0)
      continue;
    printf("%s on %s: %d threads per block, %d registers and %d bytes of local memory per thread, %d bytes "
           "of shared memory, %d blocks per multiprocessor, occupancy",
           result->variant, result->device, resources->block, resources->registers, resources->local_bytes,
           resources->shared_bytes, resources->blocks);
    debye_bench_print_number(0, "%.3g", 100.0 * (double)resources->occupancy);
    printf(" %%\n");
  }
}

/* "const-precalc on cuda:0: first launch 3.1 ms, …" */
static void
print_times(const GArray *rows)
{
  for (guint i = 0; i < rows->len; i++) {
    const DebyeBenchResult *result = &g_array_index(rows, DebyeBenchRow, i).result;
    const DebyeLadderTimes *times = &result->times;
    if (!(times->first_launch + times->copy_in + times->copy_out > 0.0))
      continue;
    g_autofree char *launch = debye_time_text(debye_bench_if_known(times->first_launch)),
                    *in = debye_time_text(debye_bench_if_known(times->copy_in)),
                    *out = debye_time_text(debye_bench_if_known(times->copy_out));
    printf("%s on %s: first launch %s, copied in %s, copied out %s, of the part that is timed\n",
           result->variant, result->device, launch, in, out);
  }
}

/* "const-precalc on cuda:0: 612 W at 1980 MHz" */
static void
print_power(const GArray *rows)
{
  for (guint i = 0; i < rows->len; i++) {
    const DebyeBenchResult *result = &g_array_index(rows, DebyeBenchRow, i).result;
    if (!(result->power.watts > 0.0))
      continue;
    printf("%s on %s:", result->variant, result->device);
    debye_bench_print_number(0, "%.3g", result->power.watts);
    printf(" W at");
    debye_bench_print_number(0, "%.4g", debye_bench_if_known(result->power.clock));
    printf(" MHz\n");
  }
}

/* Of a race that had lost nothing of the atoms that were asked for. */
static void
print_races(const GArray *rows)
{
  for (guint i = 0; i < rows->len; i++) {
    const DebyeBenchResult *result = &g_array_index(rows, DebyeBenchRow, i).result;
    const DebyeBenchCounts *counts = result->counts;
    if (counts == NULL || !counts->is_race)
      continue;
    if (!(result->error > 0.0))
      printf("%s on %s: no count was lost in %d s, at last of the pairs of %.0f atoms\n", result->variant,
             result->device, DEBYE_BENCH_RACE_SECONDS, counts->n_atoms);
    else if (counts->n_atoms > counts->n_asked)
      printf("%s on %s: the pairs of %.0f atoms, copies of the others; of fewer no count was lost\n",
             result->variant, result->device, counts->n_atoms);
  }
}

/* Below the table. */
static void
print_verdict(const DebyeBenchVerdict *verdict)
{
  if (verdict->is_right)
    printf("%s: right, on %s\n", DEBYE_BENCH_SOURCE_NAME,
           verdict->result.resources.block > 0 ? "the GPU"
           : verdict->uses_threads             ? "all threads"
                                               : "one thread");
  if (verdict->is_compiled && !verdict->has_landlock)
    printf("this kernel has no landlock: files are kept from the source by seccomp alone\n");
  if (verdict->is_compiled && !verdict->has_seccomp)
    printf("this kernel has no seccomp: the source was free to use the network\n");
}

void
debye_bench_report_print(const DebyeBenchReport *report)
{
  const gboolean has_speed_up = has_any(report->rows, G_STRUCT_OFFSET(DebyeBenchRow, speed_up));
  const gboolean has_efficiency = has_any(report->rows, G_STRUCT_OFFSET(DebyeBenchRow, efficiency));
  g_autofree char *throughput = g_strdup_printf("%s%s/s", report->job != NULL ? "" : "10^9 ", report->unit);
  printf("%s\n", report->subject);
  for (gsize axis = 0; axis < report->sweep->n_axes; axis++)
    printf("%-*s ", find_axis_width(report, axis), report->sweep->axes[axis].variable->name);
  printf("%-24s %-*s %10s %10s %10s %14s %10s %10s %9s", "variant", find_device_width(report->rows), "device",
         "seconds", "least", "most", throughput, "GFLOP/s", "% of peak", "error");
  if (has_speed_up)
    printf(" %10s", report->sweep->n_axes > 0 ? "speed-up" : "of the CPU");
  printf("%s\n", has_efficiency ? " efficiency" : "");
  for (guint i = 0; i < report->rows->len; i++)
    print_row(report, &g_array_index(report->rows, DebyeBenchRow, i), has_speed_up, has_efficiency);
  print_fits(report);
  print_best(report);
  print_overflow(report->rows);
  print_resources(report->rows);
  print_times(report->rows);
  print_power(report->rows);
  print_races(report->rows);
  print_operations(report);
  print_limits(report->limits);
  if (report->verdict != NULL)
    print_verdict(report->verdict);
  if (exceeds_limit(report))
    printf("%s\n", SHARE_NOTE);
  if (debye_bench_sweep_swings(report->rows))
    printf("%s\n", SWING_NOTE);
}

/* --- The subject --- */

/* What is the same in all rows. */
static gboolean
is_told(const DebyeBenchJob *job, DebyeBenchSize size, gboolean has_shape)
{
  const DebyeBenchSweep *sweep = &job->sweep;
  const gboolean has_spacing =
      job->asked.sizes[DEBYE_BENCH_SPACING] > 0.0 || debye_bench_sweep_find(sweep, "spacing") != NULL;
  for (gsize i = 0; i < sweep->n_axes; i++)
    if (sweep->axes[i].variable->size == size)
      return FALSE;
  if (size == DEBYE_BENCH_POINTS && (has_spacing || has_shape))
    return FALSE;
  return size == DEBYE_BENCH_ATOMS || size == DEBYE_BENCH_POINTS || size == DEBYE_BENCH_SPACING ||
         debye_bench_sweep_find(sweep, "kernel") == NULL;
}

char *
debye_bench_report_describe(const DebyeBenchJob *job, const char *title, const gsize *shape)
{
  static const struct {
    DebyeBenchSize size;
    const char *format;
  } parts[] = {
      {DEBYE_BENCH_POINTS, ", grid points: %.0f"}, {DEBYE_BENCH_SPACING, ", spacing: %g Å"},
      {DEBYE_BENCH_FRAMES, ", frames: %.0f"},      {DEBYE_BENCH_VECTORS, ", vectors: %.0f"},
      {DEBYE_BENCH_CUTOFF, ", cutoff: %g Å"},      {DEBYE_BENCH_TOLERANCE, ", tolerance: %g"},
      {DEBYE_BENCH_ATOMS, ", atoms: %.0f"},
  };
  DebyeBenchCase told = job->asked;
  GString *text = g_string_new(title);
  debye_bench_case_complete(&told, NULL);
  if (shape != NULL)
    g_string_append_printf(text, ", %zu×%zu×%zu points", shape[0], shape[1], shape[2]);
  for (gsize i = 0; i < G_N_ELEMENTS(parts); i++)
    if (is_told(job, parts[i].size, shape != NULL) && told.sizes[parts[i].size] > 0.0)
      g_string_append_printf(text, parts[i].format, told.sizes[parts[i].size]);
  return g_string_free(text, FALSE);
}

/* --- As JSON --- */

void
debye_bench_add_if_known(DebyeJson *json, const char *key, double value)
{
  if (value > 0.0)
    debye_json_number(json, key, value);
}

static void
add_resources(DebyeJson *json, const DebyeLadderResources *resources)
{
  if (resources->block == 0)
    return;
  debye_json_open(json, "gpu", '{');
  debye_json_integer(json, "threads_per_block", resources->block);
  debye_json_integer(json, "registers_per_thread", resources->registers);
  debye_json_integer(json, "shared_bytes", resources->shared_bytes);
  debye_json_integer(json, "local_bytes", resources->local_bytes);
  debye_json_integer(json, "blocks_per_multiprocessor", resources->blocks);
  debye_json_number(json, "occupancy", (double)resources->occupancy);
  debye_json_close(json, '}');
}

static void
add_row(DebyeJson *json, const DebyeBenchSweep *sweep, const DebyeBenchRow *row)
{
  const DebyeBenchResult *result = &row->result;
  debye_json_open(json, NULL, '{');
  for (gsize i = 0; i < sweep->n_axes; i++) {
    const DebyeBenchAxis *axis = &sweep->axes[i];
    if (axis->values != NULL)
      debye_json_number(json, axis->variable->name, axis->values[row->at[i]]);
    else if (strcmp(axis->variable->name, "device") != 0)
      debye_json_string(json, axis->variable->name, axis->words[row->at[i]]);
  }
  debye_json_string(json, "variant", result->variant);
  debye_json_string(json, "device", result->device);
  debye_json_number(json, "seconds", result->seconds);
  debye_bench_add_if_known(json, "seconds_least", result->fastest);
  debye_bench_add_if_known(json, "seconds_most", result->slowest);
  debye_bench_add_if_known(json, "repeats", result->n_repeats);
  debye_bench_add_if_known(json, "scale_factor", result->whole);
  debye_json_number(json, "evals_per_second", result->rate);
  debye_bench_add_if_known(json, "flops_per_second", result->operations);
  debye_bench_add_if_known(json, "share_of_limit", result->share);
  debye_bench_add_if_known(json, "flops_per_byte", result->intensity);
  debye_bench_add_if_known(json, "overflow_share", result->overflow);
  debye_bench_add_if_known(json, "kernel_seconds", result->kernel_seconds);
  debye_bench_add_if_known(json, "overflow_seconds", result->overflow_seconds);
  add_resources(json, &result->resources);
  debye_bench_add_if_known(json, "first_launch_seconds", result->times.first_launch);
  debye_bench_add_if_known(json, "copy_in_seconds", result->times.copy_in);
  debye_bench_add_if_known(json, "copy_out_seconds", result->times.copy_out);
  debye_bench_add_if_known(json, "watts", result->power.watts);
  debye_bench_add_if_known(json, "clock_megahertz", result->power.clock);
  debye_json_number(json, "error", result->error);
  if (result->counts != NULL)
    debye_json_number(json, "counted_atoms", result->counts->n_atoms);
  debye_bench_add_if_known(json, "speed_up", row->speed_up);
  debye_bench_add_if_known(json, "efficiency", row->efficiency);
  debye_json_close(json, '}');
}

static void
add_fits(DebyeJson *json, const DebyeBenchReport *report)
{
  debye_json_open(json, "fits", '[');
  for (guint i = 0; i < report->fits->len; i++) {
    const DebyeBenchFit *fit = &g_array_index(report->fits, DebyeBenchFit, i);
    debye_json_open(json, NULL, '{');
    debye_json_string(json, "curve", fit->name);
    debye_json_string(json, "of", report->sweep->axes[0].variable->name);
    debye_json_number(json, "factor", fit->factor);
    debye_json_number(json, "exponent", fit->exponent);
    debye_json_number(json, "exponent_error", fit->error);
    debye_json_close(json, '}');
  }
  debye_json_close(json, ']');
}

static void
add_limits(DebyeJson *json, const GArray *limits)
{
  debye_json_open(json, "limits", '[');
  for (guint i = 0; i < limits->len; i++) {
    const DebyeBenchLimits *found = &g_array_index(limits, DebyeBenchLimits, i);
    debye_json_open(json, NULL, '{');
    debye_json_string(json, "device", found->device->info.id);
    debye_json_string(json, "name", found->device->info.name);
    debye_json_number(json, "flops_per_second", found->limits.operations);
    debye_json_number(json, "reciprocal_roots_per_second", found->limits.reciprocal_roots);
    debye_json_number(json, "bytes_per_second", found->limits.bandwidth);
    debye_json_close(json, '}');
  }
  debye_json_close(json, ']');
}

/* "source": what a grade is made of. */
static void
add_verdict(DebyeJson *json, const DebyeBenchVerdict *verdict)
{
  const DebyeBenchResult *result = &verdict->result;
  debye_json_open(json, "source", '{');
  debye_json_boolean(json, "compiled", verdict->is_compiled);
  debye_json_boolean(json, "right", verdict->is_right);
  debye_json_string(json, "message", verdict->problem != NULL ? verdict->problem->message : NULL);
  if (verdict->line > 0)
    debye_json_integer(json, "line", verdict->line);
  g_autofree char *worst = verdict->worst != NULL ? debye_message_english(verdict->worst) : NULL;
  debye_json_string(json, "worst", worst);
  if (verdict->worst != NULL) {
    debye_json_number(json, "expected", verdict->expected);
    debye_json_number(json, "ours", verdict->ours);
  }
  if (verdict->is_right) {
    debye_json_number(json, "seconds", result->seconds);
    debye_json_number(json, "evals_per_second", result->rate);
    debye_json_number(json, "error", result->error);
    debye_json_boolean(json, "threads", verdict->uses_threads);
    add_resources(json, &result->resources);
    debye_bench_add_if_known(json, "watts", result->power.watts);
    debye_bench_add_if_known(json, "clock_megahertz", result->power.clock);
  }
  if (verdict->is_compiled) {
    debye_json_boolean(json, "landlock", verdict->has_landlock);
    debye_json_boolean(json, "seccomp", verdict->has_seccomp);
  }
  debye_json_close(json, '}');
}

char *
debye_bench_report_to_json(const DebyeBenchReport *report)
{
  g_auto(DebyeJson) json = debye_json_begin();
  debye_json_integer(&json, "recording", DEBYE_CLASSROOM_RECORDING_VERSION);
  debye_json_string(&json, "kernel", report->kernel);
  if (report->points_a_side > 0)
    debye_json_integer(&json, "points_a_side", report->points_a_side);
  if (report->job != NULL)
    debye_json_string(&json, "job", report->job);
  if (report->atoms > 0)
    debye_json_integer(&json, "atoms", report->atoms);
  debye_json_string(&json, "counted", report->unit);
  debye_json_open(&json, "results", '[');
  for (guint i = 0; i < report->rows->len; i++)
    add_row(&json, report->sweep, &g_array_index(report->rows, DebyeBenchRow, i));
  debye_json_close(&json, ']');
  if (report->sweep->n_axes > 0)
    add_fits(&json, report);
  add_limits(&json, report->limits);
  if (report->verdict != NULL)
    add_verdict(&json, report->verdict);
  if (exceeds_limit(report))
    debye_json_string(&json, "warning", SHARE_NOTE);
  if (debye_bench_sweep_swings(report->rows))
    debye_json_string(&json, "unsteady", SWING_NOTE);
  debye_json_close(&json, '}');
  return g_strdup(json.text->str);
}

void
debye_bench_report_print_json(const DebyeBenchReport *report)
{
  g_autofree char *text = debye_bench_report_to_json(report);
  printf("%s\n", text);
}
