/* SPDX-License-Identifier: MIT */
/* Reads --size of debye-cli bench, and refuses options that don't go together; called by command_bench.c. */
#include <math.h>

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

/* --- What doesn't go together --- */

gboolean
debye_bench_check_line(DebyeArguments *arguments, const DebyeBenchJob *job, GError **error)
{
  const char *const *outputs = debye_arguments_get_list(arguments, "output");
  const gboolean is_sweep = job->sweep.n_axes > 0;
  const char *problem = NULL;
  for (gsize i = 0; outputs[i] != NULL; i++)
    if (debye_plot_can_save(outputs[i]) && (!is_sweep || job->sweep.axes[0].values == NULL))
      problem = "a picture needs --sweep of something that has numbers, such as --sweep threads=1,2,4";
  if (debye_ranks_are_several(&job->ranks) && (job->is_ladder || job->against != NULL))
    problem = "several processes time production kernels, expected neither --kernel histogram nor --against";
  else if (is_sweep && job->is_ladder)
    problem = "--sweep times production kernels, expected --kernel pairs, found histogram";
  else if (job->source.name != NULL && (is_sweep || debye_ranks_are_several(&job->ranks)))
    problem = "--source is timed alone, expected neither --sweep nor several processes";
  else if (is_sweep && job->against != NULL)
    problem = "expected either --sweep or --against, found both";
  if (problem != NULL)
    g_set_error(error, DEBYE_USAGE_ERROR, 0, "bench: %s", problem);
  return problem == NULL;
}
