/* SPDX-License-Identifier: MIT */
/* Reads --size and --job of debye-cli bench, and refuses options that don't go together; called by command_bench.c. */
#include <math.h>
#include <string.h>

#include "app/analysis/analysis_list.h"
#include "bench_report.h"
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
  if (!ok)
    return debye_usage_refuse(
        error, "bench: --size: expected POINTS,ATOMS[,FRAMES[,VECTORS]] such as 64,1000, found “%s”", text);
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
  if (variants[0] != NULL && !has_variants)
    return debye_usage_refuse(
        error,
        "bench: --against: expected --kernel direct, cutoff, self, coherent, orbital, ligand or density, "
        "whose variants it names, found %s",
        job->is_ladder ? "histogram, which times all of its own" : job->asked.kernel->id);
  for (gsize i = 0; variants[i] != NULL; i++) {
    if (is_known(job, variants[i]))
      continue;
    g_autofree char *there =
        debye_bench_list_variants(job->devices, job->n_devices, debye_bench_job_find_kind(job));
    return debye_usage_refuse(error, "bench: --against: expected %s, found “%s”%s", there, variants[i],
                              debye_bench_is_variant(debye_bench_job_find_kind(job), variants[i])
                                  ? ", which needs a GPU or another --device"
                                  : "");
  }
  return TRUE;
}

/* --- --job --- */

/* The first option that is given and in the list, or not in it; NULL: none is. Of `table` alone, NULL: of all. */
static const DebyeOption *
find_given(DebyeArguments *arguments, GPtrArray *options, const DebyeSettingTable *table,
           const char *const *list, gboolean is_listed)
{
  for (guint i = 0; i < options->len; i++) {
    const DebyeOption *option = options->pdata[i];
    if ((table == NULL || option->table == table) && g_strv_contains(list, option->name) == is_listed &&
        debye_arguments_is_given(arguments, option))
      return option;
  }
  return NULL;
}

/* Refuses options of bench that a job would ignore. */
static gboolean
check_beside(DebyeArguments *arguments, GError **error)
{
  static const char *const of_jobs[] = {"job",    "sweep",   "continue", "save-every",
                                        "repeat", "threads", "device",   NULL};
  const DebyeCommand *bench = debye_arguments_get_command(arguments);
  g_autoptr(GPtrArray) options = debye_options_of(bench);
  const DebyeOption *option = find_given(arguments, options, bench->table, of_jobs, FALSE);
  if (option != NULL)
    return debye_usage_refuse(error, "bench: --job: --%s applies to kernels only; leave it out",
                              option->name);
  if (debye_arguments_get_n_files(arguments) > 0)
    return debye_usage_refuse(error, "bench: --job: expected files within the job, found “%s”",
                              debye_arguments_get_files(arguments)[0]);
  return TRUE;
}

/* Refuses options of the job that bench sets itself, and files that each run would overwrite or continue from. */
static gboolean
check_within(DebyeArguments *own, GError **error)
{
  static const char *const refused[] = {"threads",  "device",     "help", "continue",
                                        "residues", "write-maps", NULL};
  g_autoptr(GPtrArray) options = debye_options_of(debye_arguments_get_command(own));
  const DebyeOption *option = find_given(own, options, NULL, refused, TRUE);
  if (option == NULL)
    return debye_arguments_check_files(own, error);
  return debye_usage_refuse(
      error,
      g_str_equal(option->name, "threads") || g_str_equal(option->name, "device")
          ? "bench: --job: --%s belongs to bench or its --sweep; leave it out of the job"
          : "bench: --job: --%s can't be repeated; leave it out of the job",
      option->name);
}

static GStrv
list_suffixes(DebyeArguments *own)
{
  const char *const *outputs = debye_arguments_get_list(own, "output");
  g_autoptr(GStrvBuilder) list = g_strv_builder_new();
  for (gsize i = 0; outputs[i] != NULL; i++) {
    g_autofree char *name = g_path_get_basename(outputs[i]);
    const char *dot = strrchr(name, '.');
    g_strv_builder_add(list, dot != NULL ? dot : "");
  }
  if (*outputs == NULL)
    g_strv_builder_add(list, ".h5");
  return g_strv_builder_end(list);
}

gboolean
debye_bench_read_whole(const DebyeCommand *const *all, DebyeArguments *arguments, const char *line,
                       DebyeBenchWhole *whole, GError **error)
{
  static const char *const without[] = {"output", NULL};
  g_auto(GStrv) words = NULL;
  g_autoptr(GError) problem = NULL;
  if (!check_beside(arguments, error))
    return FALSE;
  if (!g_shell_parse_argv(line, NULL, &words, &problem))
    return debye_usage_refuse(error, "bench: --job: %s", problem->message);
  if (debye_analysis_find(words[0]) == NULL)
    return debye_usage_refuse(error,
                              "bench: --job: expected an analysis with its options and files, such as “map "
                              "protease.pqr”, found “%s”",
                              words[0]);
  g_autoptr(DebyeArguments) own =
      debye_arguments_parse(debye_command_find(all, words[0]), (const char *const *)words + 1, error);
  if (own == NULL || !check_within(own, error))
    return FALSE;
  whole->line = debye_arguments_to_command(own, without, NULL);
  whole->files = g_strdupv((char **)debye_arguments_get_files(own));
  whole->suffix = list_suffixes(own);
  return g_shell_parse_argv(whole->line, NULL, &whole->words, error);
}

gboolean
debye_bench_whole_check_sweep(const DebyeBenchJob *job, GError **error)
{
  for (gsize i = 0; job->whole.line != NULL && i < job->sweep.n_axes; i++) {
    const DebyeBenchVariable *variable = job->sweep.axes[i].variable;
    if (variable->size == DEBYE_BENCH_THREADS || variable->size == DEBYE_BENCH_DEVICES ||
        g_str_equal(variable->name, "device"))
      continue;
    return debye_usage_refuse(error, "bench: --job: expected --sweep of threads or devices, found %s",
                              variable->name);
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
  if ((has_source || job->whole.line != NULL) && debye_ranks_are_several(&job->ranks))
    return "--source and --job are timed alone, expected one process";
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
  return problem == NULL || debye_usage_refuse(error, "bench: %s", problem);
}
