/* SPDX-License-Identifier: MIT */
/* How long a form's answer takes: a plan and its estimate, made anew with each change of a setting.
 *
 *   bench_form [--run] [analysis=ID] [KEY=VALUE...] FILE...
 *
 * Of every analysis, or of one, with the settings that it begins with and one that is changed each time: the first answer, which reads
 * frames, and the median and the longest of the next 20, and the median of their processor time. With --run
 * each is run after that on all cores, at the window's priority, and the time that the form names is
 * printed beside the time taken, and that of an idle machine beside the CPU time of a core. KEY=VALUE sets
 * a setting of the analyses that have it, "method=poisson-boltzmann". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "app/analysis/analysis_list.h"
#include "app/analysis/driver/processor_load.h"
#include "app/installation/installation.h"
#include "kernels/cpu/backend_cpu.h"

#define N_ANSWERS 21

static int
compare(const void *a, const void *b)
{
  const double one = *(const double *)a, other = *(const double *)b;
  return (one > other) - (one < other);
}

/* Of the answers after the first. */
static double
median(double ms[N_ANSWERS])
{
  qsort(ms + 1, N_ANSWERS - 1, sizeof *ms, compare);
  return ms[1 + (N_ANSWERS - 1) / 2];
}

/* ms by the clock, and of all threads' processor time, which other programs don't lengthen. */
typedef struct {
  double clock, processor;
} Time;

static double
processor_ms(void)
{
  return 1e3 * (double)clock() / CLOCKS_PER_SEC;
}

/* *refusal why nothing could be planned, or NULL. */
static Time
answer(const DebyeAnalysis *analysis, DebyeDataset *dataset, DebyeRequest *request,
       const DebyeRegistry *registry, char **refusal)
{
  const gint64 begin = g_get_monotonic_time();
  const double used = processor_ms();
  g_autoptr(DebyePlan) plan = debye_plan_new(analysis, dataset, request);
  DebyeEstimate estimate = {0};
  debye_plan_estimate(plan, registry, &estimate, NULL);
  debye_estimate_clear(&estimate);
  *refusal = plan->refusal != NULL ? g_strdup(plan->refusal->message) : NULL;
  return (Time){1e-3 * (double)(g_get_monotonic_time() - begin), processor_ms() - used};
}

/* What makes a plan possible where a file says little. */
static void
set_if_there(DebyeRequest *request, const char *key, const char *value)
{
  if (debye_setting_table_find(debye_request_get_table(request), key) != NULL)
    debye_request_set(request, key, value, NULL);
}

static void
run(const DebyeAnalysis *analysis, DebyeDataset *dataset, DebyeRequest *request,
    const DebyeRegistry *registry)
{
  g_autoptr(GError) error = NULL;
  DebyeEstimate estimate = {0};
  set_if_there(request, "threads", "0");
  g_autoptr(DebyePlan) plan = debye_plan_new(analysis, dataset, request);
  if (!debye_plan_estimate(plan, registry, &estimate, &error)) {
    printf("%-12s refused: %s\n", analysis->table->id, error->message);
    return;
  }
  const double idle = estimate.seconds;
  debye_processor_load_count(&estimate);
  const DebyeRunCallbacks callbacks = {0};
  const gint64 begin = g_get_monotonic_time();
  const clock_t used = clock();
  g_autoptr(DebyeResult) result = debye_plan_run(plan, registry, &callbacks, NULL, &error);
  const double taken = 1e-6 * (double)(g_get_monotonic_time() - begin);
  const double core = (double)(clock() - used) / CLOCKS_PER_SEC / (double)g_get_num_processors();
  printf("%-12s estimated %8.2f s, taken %8.2f s, ratio %5.2f; idle %8.2f s, used per core %8.2f s, ratio "
         "%5.2f%s%s\n",
         analysis->table->id, estimate.seconds, taken, estimate.seconds / taken, idle, core, idle / core,
         result == NULL ? "; failed: " : "", result == NULL ? error->message : "");
  debye_estimate_clear(&estimate);
}

static void
measure(const DebyeAnalysis *analysis, DebyeDataset *dataset, const DebyeRegistry *registry,
        char **own_settings, gboolean is_run)
{
  double ms[N_ANSWERS], used[N_ANSWERS];
  g_autofree char *refusal = NULL;
  g_autoptr(DebyeRequest) request = debye_request_new(analysis->table);
  set_if_there(request, "partials", "true");
  set_if_there(request, "charges", "amber");
  set_if_there(request, "q", "0.1:2:0.1");
  for (char **setting = own_settings; *setting != NULL; setting++) {
    g_auto(GStrv) pair = g_strsplit(*setting, "=", 2);
    set_if_there(request, pair[0], pair[1]);
  }
  for (guint i = 0; i < N_ANSWERS; i++) {
    char threads[16];
    g_snprintf(threads, sizeof threads, "%u", 1 + i);
    debye_request_set(request, "threads", threads, NULL);
    g_clear_pointer(&refusal, g_free);
    const Time time = answer(analysis, dataset, request, registry, &refusal);
    ms[i] = time.clock;
    used[i] = time.processor;
  }
  const double usual = median(ms);
  printf("%-12s first %8.1f ms, then %7.1f ms (%6.1f ms of the processors), at most %7.1f ms%s%s\n",
         analysis->table->id, ms[0], usual, median(used), ms[N_ANSWERS - 1],
         refusal != NULL ? "; refused: " : "", refusal != NULL ? refusal : "");
  if (is_run)
    run(analysis, dataset, request, registry);
}

static gboolean
is_wanted(const DebyeAnalysis *analysis, char **own_settings)
{
  for (char **setting = own_settings; *setting != NULL; setting++)
    if (g_str_has_prefix(*setting, "analysis="))
      return g_str_equal(*setting + strlen("analysis="), analysis->table->id);
  return TRUE;
}

int
main(int argc, char **argv)
{
  g_autoptr(GError) error = NULL;
  const gboolean is_run = argc > 1 && strcmp(argv[1], "--run") == 0;
  const int first_setting = 1 + is_run;
  int first_file = first_setting;
  while (first_file < argc && strchr(argv[first_file], '=') != NULL)
    first_file++;
  if (argc <= first_file) {
    fprintf(stderr, "bench_form [--run] [analysis=ID] [KEY=VALUE...] FILE...\n");
    return EXIT_FAILURE;
  }
  g_autoptr(DebyeDataset) dataset =
      debye_dataset_open((const char *const *)argv + first_file, NULL, NULL, &error);
  if (dataset == NULL) {
    fprintf(stderr, "%s\n", error->message);
    return EXIT_FAILURE;
  }
  setpriority(PRIO_PROCESS, 0, DEBYE_RUN_NICENESS);
  DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, debye_installation_get_backend_dir());
  printf("%" G_GSIZE_FORMAT " atoms\n", debye_topology_get_n_atoms(debye_dataset_get_topology(dataset)));
  g_autoptr(GPtrArray) own = g_ptr_array_new();
  for (int i = first_setting; i < first_file; i++)
    g_ptr_array_add(own, argv[i]);
  g_ptr_array_add(own, NULL);
  char **own_settings = (char **)own->pdata;
  for (const DebyeAnalysis *const *analysis = debye_analysis_list(); *analysis != NULL; analysis++)
    if (is_wanted(*analysis, own_settings))
      measure(*analysis, dataset, registry, own_settings, is_run);
  debye_registry_free(registry);
  return EXIT_SUCCESS;
}
