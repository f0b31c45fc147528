/* SPDX-License-Identifier: MIT */
/* What debye-cli bench times beside a production kernel: --against and --source; called by command_bench.c. */
#include "bench_run.h"

#include <string.h>

#include "arguments.h"

/* "double, naive, all, or on cpu: grid-outer …; on cuda:0: gather …" */
static char *
list_variants(const DebyeBenchJob *job)
{
  GString *text = g_string_new(NULL);
  g_string_append_printf(text, "%s%sall, or of the teaching variants",
                         debye_bench_job_find_kind(job) == DEBYE_LADDER_MAP ||
                                 debye_bench_job_find_kind(job) == DEBYE_LADDER_CUTOFF
                             ? "double, "
                             : "",
                         debye_bench_job_find_kind(job) == DEBYE_LADDER_MAP ? "naive, " : "");
  for (gsize i = 0; i < job->n_devices; i++) {
    const DebyeLadderKernel *ladder = job->devices[i]->backend->ladder;
    const gsize n_variants = ladder != NULL ? ladder->n_variants : 0;
    g_string_append_printf(text, "%s on %s:", i > 0 ? ";" : "", job->devices[i]->info.id);
    for (gsize number = 0; number < n_variants; number++)
      if (ladder->variants[number].kind == debye_bench_job_find_kind(job))
        g_string_append_printf(text, " %s", ladder->variants[number].id);
  }
  return g_string_free(text, FALSE);
}

/* A variant of another kind of device than those that are chosen. */
static gboolean
is_elsewhere(const DebyeBenchJob *job, const char *id)
{
  gboolean found = FALSE;
  for (gsize i = 0; i < DEBYE_LADDER_N_CPU; i++)
    found |= debye_ladder_cpu_variants[i].kind == debye_bench_job_find_kind(job) &&
             strcmp(debye_ladder_cpu_variants[i].id, id) == 0;
  for (gsize i = 0; i < DEBYE_LADDER_N_CUDA; i++)
    found |= debye_ladder_cuda_variants[i].kind == debye_bench_job_find_kind(job) &&
             strcmp(debye_ladder_cuda_variants[i].id, id) == 0;
  return found;
}

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
    g_set_error(error, DEBYE_USAGE_ERROR, 0,
                "bench: --against: expected --kernel direct, cutoff, self or coherent, whose variants it "
                "names, found %s",
                job->is_ladder ? "histogram, which times all of its own" : job->asked.kernel->id);
    return FALSE;
  }
  for (gsize i = 0; variants[i] != NULL; i++) {
    if (is_known(job, variants[i]))
      continue;
    g_autofree char *there = list_variants(job);
    g_set_error(error, DEBYE_USAGE_ERROR, 0, "bench: --against: expected %s, found “%s”%s", there,
                variants[i], is_elsewhere(job, variants[i]) ? ", which needs a GPU or another --device" : "");
    return FALSE;
  }
  return TRUE;
}

gboolean
debye_bench_class_read(const DebyeBenchClassSettings *settings, DebyeBenchSource *source, GError **error)
{
  const struct {
    const char *option, *macro;
    gint64 value;
  } macros[] = {
      {"--block", "BLOCK", settings->block},
      {"--unroll", "UNROLL", settings->unroll},
      {"--points-per-thread", "POINTS", settings->points},
      {"--tile", "TILE", settings->tile},
      {"--chunk", "CHUNK", settings->chunk},
      {"--atom-block", "ATOMS", settings->atom_block},
  };
  if (settings->source != NULL && !debye_bench_source_read(source, settings->source, error))
    return FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS(macros); i++) {
    if (macros[i].value > 0 && settings->source == NULL) {
      g_set_error(error, DEBYE_USAGE_ERROR, 0, "bench: %s: expected --source, whose macro %s it sets",
                  macros[i].option, macros[i].macro);
      return FALSE;
    }
    if (macros[i].value > 0 &&
        !debye_bench_source_define(source, macros[i].option, macros[i].macro, macros[i].value, error))
      return FALSE;
  }
  return TRUE;
}

const char *
debye_bench_class_get_kernel(const DebyeBenchSource *source)
{
  return source->kind == DEBYE_LADDER_COUNT    ? "histogram"
         : source->kind == DEBYE_LADDER_CUTOFF ? "cutoff"
                                               : "direct";
}
