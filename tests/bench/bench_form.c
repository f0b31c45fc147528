/* SPDX-License-Identifier: MIT */
/* How long a form's answer takes: a plan and its estimate, made anew with each change of a setting.
 *
 *   bench_form FILE...
 *
 * Of every analysis, with the settings that it begins with and one that is changed each time: the first answer, which reads
 * frames, and the median and the longest of the next 20, and the median of their processor time. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "app/analysis/analysis_list.h"
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
measure(const DebyeAnalysis *analysis, DebyeDataset *dataset, const DebyeRegistry *registry)
{
  double ms[N_ANSWERS], used[N_ANSWERS];
  g_autofree char *refusal = NULL;
  g_autoptr(DebyeRequest) request = debye_request_new(analysis->table);
  set_if_there(request, "partials", "true");
  set_if_there(request, "charges", "amber");
  set_if_there(request, "q", "0.1:2:0.1");
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
}

int
main(int argc, char **argv)
{
  g_autoptr(GError) error = NULL;
  if (argc < 2) {
    fprintf(stderr, "bench_form FILE...\n");
    return EXIT_FAILURE;
  }
  g_autoptr(DebyeDataset) dataset = debye_dataset_open((const char *const *)argv + 1, NULL, NULL, &error);
  if (dataset == NULL) {
    fprintf(stderr, "%s\n", error->message);
    return EXIT_FAILURE;
  }
  DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, debye_installation_get_backend_dir());
  printf("%" G_GSIZE_FORMAT " atoms\n", debye_topology_get_n_atoms(debye_dataset_get_topology(dataset)));
  for (const DebyeAnalysis *const *analysis = debye_analysis_list(); *analysis != NULL; analysis++)
    measure(*analysis, dataset, registry);
  debye_registry_free(registry);
  return EXIT_SUCCESS;
}
