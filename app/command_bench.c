/* SPDX-License-Identifier: MIT */
/* debye-cli bench: how fast the kernels are here, and how exact. */
#include <stdio.h>
#include <string.h>

#include "analysis/common_settings.h"
#include "analysis/device_choice.h"
#include "analysis/memory_size.h"
#include "bench.h"
#include "cli_work.h"
#include "command.h"
#include "data/error.h"
#include "installation.h"
#include "interrupt.h"
#include "json_writer.h"

#define MOST_POINTS_A_SIDE 1024
#define MOST_ATOMS 10000000

static const DebyeChoice kernels[] = {
    {"direct", "Direct sum", "Coulomb's sum at every grid point"},
    {NULL, NULL, NULL},
};

static const DebyeSetting settings[] = {
    {.key = "kernel",
     .label = "Kernel",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "direct",
     .choices = kernels,
     .help = "what is timed"},
    {.key = "size",
     .label = "Size",
     .kind = DEBYE_SETTING_TEXT,
     .initial = "64,1000",
     .help = "grid points a side and number of atoms: POINTS,ATOMS"},
    {.key = "repeat",
     .label = "Repeats",
     .kind = DEBYE_SETTING_INTEGER,
     .minimum = 1,
     .maximum = 10000,
     .initial = "5",
     .help = "the best of so many counts, after one that doesn't"},
    {.key = "against",
     .label = "Against",
     .kind = DEBYE_SETTING_TEXT,
     .help = "what to time beside it, comma-separated: naive (two plain loops on one thread), double (the "
             "checking path)"},
    DEBYE_SETTING_DEVICE_ENTRY,
    DEBYE_SETTING_THREADS_ENTRY,
    DEBYE_SETTING_MEMORY_ENTRY,
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
  if (g_strv_length(parts) != 2 || !parse_count(parts[0], MOST_POINTS_A_SIDE, &points) ||
      !parse_count(parts[1], MOST_ATOMS, &atoms)) {
    g_set_error(error, DEBYE_USAGE_ERROR, 0,
                "bench: --size: expected POINTS,ATOMS such as 64,1000, found “%s”", size);
    return FALSE;
  }
  bench->problem = debye_bench_problem_new(points, atoms);
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

static gboolean
time_against(Bench *bench, const char *against, GError **error)
{
  g_auto(GStrv) variants = g_strsplit(against != NULL ? against : "", ",", -1);
  for (gsize i = 0; variants[i] != NULL; i++) {
    if (strcmp(variants[i], "double") == 0) {
      if (!time_direct(bench, TRUE, error))
        return FALSE;
    } else if (strcmp(variants[i], "naive") == 0) {
      DebyeBenchResult result;
      debye_bench_naive(bench->problem, bench->repeat, &result);
      g_array_append_val(bench->results, result);
    }
  }
  return TRUE;
}

static gboolean
check_against(const char *against, GError **error)
{
  g_auto(GStrv) variants = g_strsplit(against != NULL ? against : "", ",", -1);
  for (gsize i = 0; variants[i] != NULL; i++)
    if (strcmp(variants[i], "double") != 0 && strcmp(variants[i], "naive") != 0) {
      g_set_error(error, DEBYE_USAGE_ERROR, 0, "bench: --against: expected naive or double, found “%s”",
                  variants[i]);
      return FALSE;
    }
  return TRUE;
}

static void
print_json(const Bench *bench)
{
  g_auto(DebyeJson) json;
  debye_json_init(&json);
  debye_json_open(&json, NULL, '{');
  debye_json_string(&json, "kernel", "direct");
  debye_json_integer(&json, "points_a_side", (gint64)bench->problem->grid.shape[0]);
  debye_json_integer(&json, "atoms", (gint64)bench->problem->n_atoms);
  debye_json_open(&json, "results", '[');
  for (guint i = 0; i < bench->results->len; i++) {
    const DebyeBenchResult *result = &g_array_index(bench->results, DebyeBenchResult, i);
    debye_json_open(&json, NULL, '{');
    debye_json_string(&json, "variant", result->variant);
    debye_json_string(&json, "device", result->device);
    debye_json_number(&json, "seconds", result->seconds);
    debye_json_number(&json, "evals_per_second", result->rate);
    debye_json_number(&json, "error", result->error);
    debye_json_close(&json, '}');
  }
  debye_json_close(&json, ']');
  debye_json_close(&json, '}');
  debye_json_print(&json);
}

static void
print_table(const Bench *bench)
{
  char seconds[G_ASCII_DTOSTR_BUF_SIZE], rate[G_ASCII_DTOSTR_BUF_SIZE], deviation[G_ASCII_DTOSTR_BUF_SIZE];
  gsize side = bench->problem->grid.shape[0];
  printf("direct sum, %zu×%zu×%zu points, %" G_GSIZE_FORMAT " atoms\n", side, side, side,
         bench->problem->n_atoms);
  printf("%-10s %-20s %12s %16s %10s\n", "variant", "device", "seconds", "10^9 evals/s", "error");
  for (guint i = 0; i < bench->results->len; i++) {
    const DebyeBenchResult *result = &g_array_index(bench->results, DebyeBenchResult, i);
    printf("%-10s %-20s %12s %16s %10s\n", result->variant, result->device,
           g_ascii_formatd(seconds, sizeof seconds, "%.4g", result->seconds),
           g_ascii_formatd(rate, sizeof rate, "%.4g", result->rate / 1e9),
           g_ascii_formatd(deviation, sizeof deviation, "%.2g", result->error));
  }
}

static gboolean
run(DebyeArguments *arguments, GError **error)
{
  g_auto(Bench) bench = {0};
  DebyeRequest *request = debye_arguments_get_request(arguments);
  const char *against = debye_request_get(request, "against");
  g_autoptr(DebyeRegistry) registry = debye_registry_new(debye_installation_get_backend_dir());
  bench.repeat = (guint)debye_request_get_integer(request, "repeat");
  bench.results = g_array_new(FALSE, FALSE, sizeof(DebyeBenchResult));
  g_array_set_clear_func(bench.results, clear_result);
  bench.n_devices = debye_device_choose(registry, request, bench.devices, error);
  if (bench.n_devices == 0 || !check_against(against, error) ||
      !debye_memory_size_parse(debye_request_get(request, "memory"), &bench.memory_limit, error) ||
      !make_problem(&bench, debye_request_get(request, "size"), error) ||
      !time_direct(&bench, FALSE, error) || !time_against(&bench, against, error))
    return FALSE;
  if (debye_request_get_boolean(debye_arguments_get_common(arguments), "json"))
    print_json(&bench);
  else
    print_table(&bench);
  return !debye_interrupt_came();
}

static const char *const examples[] = {"debye-cli bench --against naive,double",
                                       "debye-cli bench --size 256,16384 --device cuda --json", NULL};

const DebyeCommand debye_command_bench = {
    .name = "bench",
    .operands = "",
    .summary = "Times the kernels on this machine, with their error",
    .description =
        "A cube of random charges at a protein's density. Each device alone, then all of them together. The "
        "error is the root mean square against a sum in double precision at a thousand points, relative to "
        "that sum's.",
    .examples = examples,
    .table = &table,
    .least_operands = 0,
    .most_operands = 0,
    .writes_no_file = TRUE,
    .run = run,
};
