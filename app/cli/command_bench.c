/* SPDX-License-Identifier: MIT */
/* debye-cli bench: speed and accuracy of the kernels on this machine; listed by command_list.c. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/analysis/driver/common_settings.h"
#include "app/analysis/driver/device_choice.h"
#include "app/analysis/driver/memory_size.h"
#include "app/bench/bench.h"
#include "app/bench/bench_ladder.h"
#include "cli_variants.h"
#include "cli_work.h"
#include "command.h"
#include "data/files/error.h"
#include "app/installation/installation.h"
#include "interrupt.h"
#include "app/document/json_writer.h"
#include "process_ranks.h"
#include "kernels/cpu/backend_cpu.h"

#define MAX_POINTS_A_SIDE 1024
#define MAX_ATOMS 10000000
#define SHARE_NOTE                                                                                       \
  "over 100 % of most: another program used the device while its limit was measured; repeat on an idle " \
  "machine"

typedef enum {
  KERNEL_DIRECT,
  KERNEL_HISTOGRAM,
} Kernel;

static const DebyeChoice kernels[] = {
    {"direct", "Direct sum", "Coulomb's sum at every grid point"},
    {"histogram", "Pair distances",
     "counting them without and with atomic additions, which loses some or none"},
    {NULL, NULL, NULL},
};

typedef struct {
  const char *size, *against, *show;
  gboolean list;
  gint64 repeat;
  Kernel kernel;
  DebyeLaneSettings lanes;
} Settings;

static const DebyeSetting settings[] = {
    {.key = "kernel",
     DEBYE_SETTING_MEMBER(Settings, kernel),
     .label = "Kernel",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "direct",
     .choices = kernels,
     .help = "what is timed"},
    {.key = "size",
     DEBYE_SETTING_MEMBER(Settings, size),
     .label = "Size",
     .kind = DEBYE_SETTING_TEXT,
     .initial = "64,1000",
     .help = "grid points a side and number of atoms: POINTS,ATOMS"},
    {.key = "repeat",
     DEBYE_SETTING_MEMBER(Settings, repeat),
     .label = "Repeats",
     .kind = DEBYE_SETTING_INTEGER,
     .minimum = 1,
     .maximum = 10000,
     .initial = "5",
     .help = "the best of so many counts, after one that doesn't"},
    {.key = "against",
     DEBYE_SETTING_MEMBER(Settings, against),
     .label = "Against",
     .kind = DEBYE_SETTING_TEXT,
     .help =
         "what to time beside it, comma-separated: double (the checking path), naive (two plain loops on one "
         "thread), all (every teaching variant), or teaching variants by name, as of map --variant"},
    {.key = "list",
     DEBYE_SETTING_MEMBER(Settings, list),
     .label = "List",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "false",
     .help = "list the teaching variants by family and time nothing"},
    {.key = "show",
     DEBYE_SETTING_MEMBER(Settings, show),
     .label = "Show",
     .kind = DEBYE_SETTING_TEXT,
     .help = "print the code of this teaching variant and time nothing"},
    DEBYE_SETTING_LANES_ENTRIES(Settings),
};

static const DebyeSettingTable table = {
    .id = "bench",
    .title = "Benchmark",
    .question = "How fast are the kernels here?",
    .settings = settings,
    .n_settings = G_N_ELEMENTS(settings),
};

typedef struct {
  DebyeBenchProblem *problem;
  const DebyeDeviceEntry *devices[DEBYE_MAX_DEVICES];
  gsize n_devices;
  guint repeat;
  guint64 memory_limit;
  GArray *results; /* DebyeBenchResult */
  Kernel kernel;
  gboolean counts; /* pair distances, not the direct sum */
  GArray *limits;  /* DebyeBenchLimits; of what was compared with them */
} Bench;

static void
clear_result(gpointer result)
{
  debye_bench_result_clear(result);
}

static void
bench_clear(Bench *bench)
{
  g_clear_pointer(&bench->problem, debye_bench_problem_free);
  g_clear_pointer(&bench->results, g_array_unref);
  g_clear_pointer(&bench->limits, g_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Bench, bench_clear)

static gboolean
parse_count(const char *text, guint64 most, guint64 *count)
{
  return g_ascii_string_to_unsigned(text, 10, 1, most, count, NULL);
}

static gboolean
make_problem(Bench *bench, const char *size, GError **error)
{
  guint64 points = 0, atoms = 0;
  g_auto(GStrv) parts = g_strsplit(size, ",", -1);
  if (g_strv_length(parts) != 2 || !parse_count(parts[0], MAX_POINTS_A_SIDE, &points) ||
      !parse_count(parts[1], MAX_ATOMS, &atoms)) {
    g_set_error(error, DEBYE_USAGE_ERROR, 0,
                "bench: --size: expected POINTS,ATOMS such as 64,1000, found “%s”", size);
    return FALSE;
  }
  bench->problem = debye_bench_problem_new(points, atoms);
  bench->problem->cancel = debye_interrupt_flag();
  return TRUE;
}

/* Each device alone, then all together. */
static gboolean
time_direct(Bench *bench, gboolean double_precision, GError **error)
{
  gsize n_runs = bench->n_devices > 1 ? bench->n_devices + 1 : 1;
  for (gsize i = 0; i < n_runs; i++) {
    gboolean together = i == bench->n_devices || bench->n_devices == 1;
    DebyeBenchResult result = {0};
    if (!debye_bench_direct(bench->problem, together ? bench->devices : bench->devices + i,
                            together ? bench->n_devices : 1, double_precision, bench->repeat,
                            bench->memory_limit, &result, error))
      return FALSE;
    g_array_append_val(bench->results, result);
  }
  return TRUE;
}

/* --- Several processes --- */

static void
add_result(Bench *bench, const char *device, double seconds, double rate, double error)
{
  const DebyeBenchResult result = {.variant = g_strdup("production"),
                                   .device = g_strdup(device),
                                   .seconds = seconds,
                                   .rate = rate,
                                   .error = error};
  g_array_append_val(bench->results, result);
}

/* All at the same time, each with its own devices: a row each, and one of all, which is as fast as they are together. */
static gboolean
time_processes(Bench *bench, const DebyeRanks *ranks, GError **error)
{
  DebyeBenchResult own = {0};
  double together = 0.0, longest = 0.0, worst = 0.0;
  ranks->sum(&together, 1); /* nobody begins before the others */
  if (!debye_bench_direct(bench->problem, bench->devices, bench->n_devices, FALSE, bench->repeat,
                          bench->memory_limit, &own, error))
    return FALSE;
  g_autofree double *seconds = g_new0(double, ranks->n_ranks), *rates = g_new0(double, ranks->n_ranks),
                    *errors = g_new0(double, ranks->n_ranks);
  seconds[ranks->rank] = own.seconds;
  rates[ranks->rank] = own.rate;
  errors[ranks->rank] = own.error;
  ranks->sum(seconds, ranks->n_ranks);
  ranks->sum(rates, ranks->n_ranks);
  ranks->sum(errors, ranks->n_ranks);
  g_auto(GStrv) devices = ranks->gather(own.device);
  debye_bench_result_clear(&own);
  for (guint rank = 0; rank < ranks->n_ranks; rank++) {
    g_autofree char *device = g_strdup_printf("%u: %s", rank, devices[rank]);
    add_result(bench, device, seconds[rank], rates[rank], errors[rank]);
    longest = MAX(longest, seconds[rank]);
    together += rates[rank];
    worst = MAX(worst, errors[rank]);
  }
  add_result(bench, "all", longest, together, worst);
  return TRUE;
}

/* --- Variants --- */

/* The limits are measured before the first that needs them. */
static gboolean
time_variants(Bench *bench, const char *id, GError **error)
{
  if (bench->limits->len == 0 &&
      !debye_bench_measure_limits(bench->devices, bench->n_devices, bench->limits, error))
    return FALSE;
  return debye_bench_variants(bench->problem, bench->limits, id, bench->repeat, bench->results, error);
}

static gboolean
time_against(Bench *bench, const char *against, GError **error)
{
  g_auto(GStrv) variants = g_strsplit(against != NULL ? against : "", ",", -1);
  for (gsize i = 0; variants[i] != NULL && !debye_interrupt_came(); i++) {
    if (strcmp(variants[i], "double") == 0) {
      if (!time_direct(bench, TRUE, error))
        return FALSE;
    } else if (strcmp(variants[i], "naive") == 0) {
      DebyeBenchResult result;
      debye_bench_naive(bench->problem, bench->repeat, &result);
      g_array_append_val(bench->results, result);
    } else if (!time_variants(bench, strcmp(variants[i], "all") == 0 ? NULL : variants[i], error)) {
      return FALSE;
    }
  }
  return TRUE;
}

static gboolean
time_counts(Bench *bench, GError **error)
{
  return debye_bench_measure_limits(bench->devices, bench->n_devices, bench->limits, error) &&
         debye_bench_counts(bench->problem, bench->limits, bench->repeat, bench->results, error);
}

static gboolean
is_known(const Bench *bench, const char *variant)
{
  return strcmp(variant, "double") == 0 || strcmp(variant, "naive") == 0 || strcmp(variant, "all") == 0 ||
         debye_bench_has_variant(bench->devices, bench->n_devices, variant);
}

static gboolean
check_against(const Bench *bench, const char *against, GError **error)
{
  g_auto(GStrv) variants = g_strsplit(against != NULL ? against : "", ",", -1);
  for (gsize i = 0; variants[i] != NULL; i++)
    if (!is_known(bench, variants[i])) {
      g_set_error(
          error, DEBYE_USAGE_ERROR, 0,
          "bench: --against: expected double, naive, all or a teaching variant that a chosen device has, "
          "found “%s”",
          variants[i]);
      return FALSE;
    }
  return TRUE;
}

static void
add_json_result(DebyeJson *json, const DebyeBenchResult *result)
{
  debye_json_open(json, NULL, '{');
  debye_json_string(json, "variant", result->variant);
  debye_json_string(json, "device", result->device);
  debye_json_number(json, "seconds", result->seconds);
  debye_json_number(json, "evals_per_second", result->rate);
  if (result->operations > 0.0) {
    debye_json_number(json, "flops_per_second", result->operations);
    debye_json_number(json, "share_of_limit", result->share);
    debye_json_number(json, "flops_per_byte", result->intensity);
  }
  debye_json_number(json, "error", result->error);
  debye_json_close(json, '}');
}

static void
add_json_limits(DebyeJson *json, const GArray *limits)
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

static gboolean
exceeds_limit(const Bench *bench)
{
  for (guint i = 0; i < bench->results->len; i++)
    if (g_array_index(bench->results, DebyeBenchResult, i).share > DEBYE_BENCH_MAX_SHARE)
      return TRUE;
  return FALSE;
}

static void
print_json(const Bench *bench)
{
  g_auto(DebyeJson) json;
  debye_json_init(&json);
  debye_json_open(&json, NULL, '{');
  debye_json_string(&json, "kernel", kernels[bench->kernel].value);
  debye_json_integer(&json, "points_a_side", (gint64)bench->problem->grid.shape[0]);
  debye_json_integer(&json, "atoms", (gint64)bench->problem->n_atoms);
  debye_json_open(&json, "results", '[');
  for (guint i = 0; i < bench->results->len; i++)
    add_json_result(&json, &g_array_index(bench->results, DebyeBenchResult, i));
  debye_json_close(&json, ']');
  add_json_limits(&json, bench->limits);
  if (exceeds_limit(bench))
    debye_json_string(&json, "warning", SHARE_NOTE);
  debye_json_close(&json, '}');
  debye_json_print(&json);
}

/* A number in a locale's despite, or a dash where there is none. */
static void
print_column(int width, const char *format, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE] = "–";
  gboolean has_value = isfinite(value);
  if (has_value)
    g_ascii_formatd(text, sizeof text, format, value);
  /* The dash is one character in three bytes. */
  printf(" %*s", has_value ? width : width + 2, text);
}

static void
print_limits(const GArray *limits)
{
  for (guint i = 0; i < limits->len; i++) {
    const DebyeBenchLimits *found = &g_array_index(limits, DebyeBenchLimits, i);
    gboolean has_roots = found->limits.reciprocal_roots > 0.0;
    printf("%s (%s) at most:", found->device->info.id, found->device->info.name);
    print_column(0, "%.4g", found->limits.operations / 1e9);
    printf(" GFLOP/s,");
    print_column(0, "%.4g", has_roots ? found->limits.reciprocal_roots / 1e9 : NAN);
    printf(" 10^9 1/√x a second,");
    print_column(0, "%.4g", found->limits.bandwidth / 1e9);
    printf(" GB/s\n");
  }
}

static void
print_table(const Bench *bench)
{
  const gsize side = bench->problem->grid.shape[0];
  if (bench->counts)
    printf("pair distances of %" G_GSIZE_FORMAT " atoms; the error is the share that was lost\n",
           bench->problem->n_atoms);
  else
    printf("direct sum, %zu×%zu×%zu points, %" G_GSIZE_FORMAT " atoms\n", side, side, side,
           bench->problem->n_atoms);
  printf("%-16s %-16s %10s %14s %10s %10s %9s\n", "variant", "device", "seconds", "10^9 evals/s", "GFLOP/s",
         "% of most", "error");
  for (guint i = 0; i < bench->results->len; i++) {
    const DebyeBenchResult *result = &g_array_index(bench->results, DebyeBenchResult, i);
    gboolean has_limit = result->operations > 0.0;
    printf("%-16s %-16s", result->variant, result->device);
    print_column(10, "%.4g", result->seconds);
    print_column(14, "%.4g", result->rate / 1e9);
    print_column(10, "%.4g", has_limit ? result->operations / 1e9 : NAN);
    print_column(10, "%.3g", has_limit ? 100.0 * result->share : NAN);
    print_column(9, "%.2g", result->error);
    printf("\n");
  }
  print_limits(bench->limits);
  if (exceeds_limit(bench))
    printf("%s\n", SHARE_NOTE);
}

/* All lines of the table. */
static gboolean
time_all(Bench *bench, const char *against, const DebyeRanks *ranks, GError **error)
{
  if (debye_ranks_are_several(ranks))
    return time_processes(bench, ranks, error);
  if (bench->counts)
    return time_counts(bench, error);
  return time_direct(bench, FALSE, error) && time_against(bench, against, error);
}

static gboolean
check_processes(const Bench *bench, const Settings *asked, const DebyeRanks *ranks, GError **error)
{
  if (!debye_ranks_are_several(ranks) || (!bench->counts && asked->against == NULL))
    return TRUE;
  g_set_error_literal(
      error, DEBYE_USAGE_ERROR, 0,
      "bench: several processes time the direct sum alone, expected neither --kernel nor --against");
  return FALSE;
}

static gboolean
print_variants(const Settings *asked, gboolean json, GError **error)
{
  if (asked->show != NULL)
    return debye_cli_print_source(asked->show, json, error);
  debye_cli_print_variants(json);
  return TRUE;
}

static gboolean
run(DebyeArguments *arguments, GError **error)
{
  g_auto(Bench) bench = {0};
  Settings asked;
  debye_request_fill(debye_arguments_get_request(arguments), &asked);
  if (asked.list || asked.show != NULL)
    return print_variants(&asked, debye_arguments_get_options(arguments).json, error);
  g_autoptr(DebyeRegistry) registry =
      debye_registry_new(&debye_backend_cpu, debye_installation_get_backend_dir());
  const DebyeRanks ranks = debye_process_ranks_get();
  debye_registry_share(registry, ranks.node_rank, ranks.n_on_node);
  bench.repeat = (guint)asked.repeat;
  bench.results = g_array_new(FALSE, FALSE, sizeof(DebyeBenchResult));
  g_array_set_clear_func(bench.results, clear_result);
  bench.limits = g_array_new(FALSE, FALSE, sizeof(DebyeBenchLimits));
  bench.kernel = asked.kernel;
  bench.counts = asked.kernel == KERNEL_HISTOGRAM;
  bench.n_devices = debye_device_choose(registry, &asked.lanes, bench.devices, error);
  if (bench.n_devices == 0 || !check_against(&bench, asked.against, error) ||
      !debye_memory_size_parse(asked.lanes.memory, &bench.memory_limit, error) ||
      !make_problem(&bench, asked.size, error) || !check_processes(&bench, &asked, &ranks, error) ||
      !time_all(&bench, asked.against, &ranks, error))
    return FALSE;
  if (ranks.rank > 0)
    return TRUE;
  if (debye_arguments_get_options(arguments).json)
    print_json(&bench);
  else
    print_table(&bench);
  return !debye_interrupt_came();
}

static const char *const examples[] = {"debye-cli bench --against naive,double",
                                       "debye-cli bench --against all",
                                       "debye-cli bench --kernel histogram --size 1,10000",
                                       "debye-cli bench --list",
                                       "debye-cli bench --show const-coalesced",
                                       "debye-cli bench --size 256,16384 --device cuda --json",
                                       NULL};

const DebyeCommand debye_command_bench = {
    .name = "bench",
    .operands = "",
    .summary = "Times the kernels on this machine, with their error",
    .description =
        "A cube of random charges at a protein's density. Each device alone, then all of them together. The "
        "error is the root mean square against a sum in double precision at a thousand points, relative to "
        "that sum's. Teaching variants are timed in as much of the map as takes them a tenth of a second, "
        "the "
        "kernel alone without copies; GFLOP/s count the operations of their inner loops (a multiply-add is "
        "two, "
        "a root or a division one), and “% of most” compares them with a loop of nothing but multiply-adds "
        "on "
        "all of the device. Processes that mpirun starts time the direct sum at the same time, each with its "
        "own "
        "devices: a row each, and one of all.",
    .examples = examples,
    .table = &table,
    .least_operands = 0,
    .max_operands = 0,
    .writes_no_file = TRUE,
    .can_share = TRUE,
    .run = run,
};
