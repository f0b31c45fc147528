/* SPDX-License-Identifier: MIT */
/* Reads --size of debye-cli bench, and refuses options that don't go together; called by command_bench.c. */
#include <math.h>
#include <string.h>

#include "bench_report.h"
#include "plot_output.h"
#include "render/plot/plot_cairo.h"

#define MAX_POINTS_A_SIDE 1024
#define MAX_ATOMS 10000000
#define MAX_FRAMES 10000000
#define MAX_VECTORS 100000000

gboolean
debye_bench_parse_size(const char *text, double *sizes, GError **error)
{
  static const guint64 most[] = {MAX_POINTS_A_SIDE, MAX_ATOMS, MAX_FRAMES, MAX_VECTORS};
  guint64 counts[G_N_ELEMENTS(most)] = {0};
  g_auto(GStrv) parts = g_strsplit(text, ",", -1);
  const guint n = g_strv_length(parts);
  gboolean ok = n >= 2 && n <= G_N_ELEMENTS(most);
  for (guint i = 0; ok && i < n; i++)
    ok = g_ascii_string_to_unsigned(parts[i], 10, 1, most[i], &counts[i], NULL);
  if (!ok) {
    g_set_error(error, DEBYE_USAGE_ERROR, 0,
                "bench: --size: expected POINTS,ATOMS[,FRAMES[,VECTORS]] such as 64,1000, found “%s”", text);
    return FALSE;
  }
  sizes[DEBYE_BENCH_POINTS] = pow((double)counts[0], 3.0);
  sizes[DEBYE_BENCH_ATOMS] = (double)counts[1];
  sizes[DEBYE_BENCH_FRAMES] = (double)counts[2];
  sizes[DEBYE_BENCH_VECTORS] = (double)counts[3];
  return TRUE;
}

/* --- --against --- */

static gboolean
is_known(const DebyeBenchJob *job, const char *variant)
{
  const DebyeLadderKind kind = debye_bench_job_find_kind(job);
  return (strcmp(variant, "double") == 0 && (kind == DEBYE_LADDER_MAP || kind == DEBYE_LADDER_CUTOFF)) ||
         strcmp(variant, "all") == 0 ||
         (strcmp(variant, "naive") == 0 && debye_bench_job_find_kind(job) == DEBYE_LADDER_MAP) ||
         debye_bench_has_variant(job->devices, job->n_devices, debye_bench_job_find_kind(job), variant);
}

gboolean
debye_bench_job_check_against(const DebyeBenchJob *job, GError **error)
{
  g_auto(GStrv) variants = g_strsplit(job->against != NULL ? job->against : "", ",", -1);
  const gboolean has_variants =
      (!job->is_ladder || job->source.name != NULL) && debye_bench_job_find_kind(job) != DEBYE_LADDER_N_KINDS;
  if (variants[0] != NULL && !has_variants) {
    g_set_error(
        error, DEBYE_USAGE_ERROR, 0,
        "bench: --against: expected --kernel direct, cutoff, self, coherent, orbital, ligand or density, "
        "whose variants it names, found %s",
        job->is_ladder ? "histogram, which times all of its own" : job->asked.kernel->id);
    return FALSE;
  }
  for (gsize i = 0; variants[i] != NULL; i++) {
    if (is_known(job, variants[i]))
      continue;
    g_autofree char *there =
        debye_bench_list_variants(job->devices, job->n_devices, debye_bench_job_find_kind(job));
    g_set_error(error, DEBYE_USAGE_ERROR, 0, "bench: --against: expected %s, found “%s”%s", there,
                variants[i],
                debye_bench_is_variant(debye_bench_job_find_kind(job), variants[i])
                    ? ", which needs a GPU or another --device"
                    : "");
    return FALSE;
  }
  return TRUE;
}

/* --- What doesn't go together --- */

/* What a source can be timed for: its macros, and what it is timed on. */
static gboolean
is_of_source(const DebyeBenchVariable *variable)
{
  return variable->macro != NULL || variable->size < DEBYE_BENCH_TOLERANCE;
}

/* Why a sweep and a source don't, or NULL. */
static const char *
find_sweep_problem(const DebyeBenchJob *job)
{
  const gboolean has_source = job->source.name != NULL;
  for (gsize i = 0; i < job->sweep.n_axes; i++) {
    const DebyeBenchVariable *variable = job->sweep.axes[i].variable;
    if (has_source && !is_of_source(variable))
      return "--source is timed alone or by --sweep of its macros, atoms, points, frames, vectors, cutoff or "
             "spacing";
    if (!has_source && variable->macro != NULL)
      return "--sweep of a macro needs --source, a file that has it";
  }
  if (has_source && debye_ranks_are_several(&job->ranks))
    return "--source is timed alone, expected one process";
  return job->sweep.n_axes > 0 && job->is_ladder && !has_source
             ? "--sweep times production kernels, expected --kernel pairs, found histogram"
             : NULL;
}

gboolean
debye_bench_has_figure(const DebyeBenchJob *job)
{
  g_auto(GStrv) variants = g_strsplit(job->against != NULL ? job->against : "", ",", -1);
  for (gsize i = 0; variants[i] != NULL; i++)
    if (strcmp(variants[i], "double") != 0 && strcmp(variants[i], "naive") != 0)
      return TRUE;
  return job->is_ladder;
}

/* Why --plot can't have that figure, or NULL. */
static const char *
find_figure_problem(const DebyeBenchJob *job)
{
  if (job->figure == NULL)
    return NULL;
  if (job->sweep.n_axes > 0 || !debye_bench_has_figure(job))
    return "--plot chooses a figure of teaching variants, expected --kernel histogram or --against";
  return strcmp(job->figure, "g") == 0 && !job->is_ladder
             ? "--plot g is of counted pairs, expected --kernel histogram"
             : NULL;
}

gboolean
debye_bench_check_line(DebyeArguments *arguments, const DebyeBenchJob *job, GError **error)
{
  const char *const *outputs = debye_arguments_get_list(arguments, "output");
  const gboolean is_sweep = job->sweep.n_axes > 0,
                 has_plot = is_sweep ? job->sweep.axes[0].values != NULL : debye_bench_has_figure(job);
  const char *problem = NULL;
  for (gsize i = 0; outputs[i] != NULL; i++)
    if (debye_plot_can_save(outputs[i]) && !has_plot)
      problem = "a picture needs --sweep of something that has numbers, such as --sweep threads=1,2,4, or "
                "teaching variants, such as --against all";
  if (debye_ranks_are_several(&job->ranks) && (job->is_ladder || job->against != NULL))
    problem = "several processes time production kernels, expected neither --kernel histogram nor --against";
  else if (find_sweep_problem(job) != NULL)
    problem = find_sweep_problem(job);
  else if (find_figure_problem(job) != NULL)
    problem = find_figure_problem(job);
  else if (job->continued != NULL && !is_sweep)
    problem = "--continue keeps the points of --sweep, expected one";
  else if (is_sweep && job->against != NULL)
    problem = "expected either --sweep or --against, found both";
  if (problem != NULL)
    g_set_error(error, DEBYE_USAGE_ERROR, 0, "bench: %s", problem);
  return problem == NULL;
}
