/* SPDX-License-Identifier: MIT */
/* The design space of debye-cli bench --source: the same source with other values of its macros; called by bench_run.c. */
#include <math.h>

#include "bench_run.h"
#include "cli_work.h"
#include "data/messages/message.h"

/* As `--sweep tile=…` names it, for what is said of the macro. */
gboolean
debye_bench_design_define(DebyeBenchSource *source, const DebyeBenchSweep *sweep, const gsize *at,
                          GError **error)
{
  for (gsize i = 0; i < sweep->n_axes; i++) {
    const DebyeBenchAxis *axis = &sweep->axes[i];
    if (axis->variable->macro == NULL)
      continue;
    g_autofree char *option = g_strdup_printf("--sweep %s", axis->variable->name);
    if (!debye_bench_source_define(source, option, axis->variable->macro, (gint64)axis->values[at[i]], error))
      return FALSE;
  }
  return TRUE;
}

/* "bench: tile=4096: …" */
static void
tell_problem(const DebyeBenchSweep *sweep, const gsize *at, const GError *problem)
{
  g_autoptr(GString) place = g_string_new(NULL);
  for (gsize i = 0; i < sweep->n_axes; i++)
    g_string_append_printf(place, "%s%s=%s", i > 0 ? " " : "", sweep->axes[i].variable->name,
                           sweep->axes[i].words[at[i]]);
  g_autofree char *message = debye_message_english(problem->message);
  g_printerr("debye-cli: warning: %s: %s\n", place->str, message);
}

void
debye_bench_design_take(const DebyeBenchSource *source, const DebyeBenchSweep *sweep, const gsize *at,
                        DebyeBenchVerdict *verdict, DebyeBenchResult *result)
{
  if (verdict->problem != NULL)
    tell_problem(sweep, at, verdict->problem);
  if (verdict->is_right) {
    *result = verdict->result;
    verdict->result = (DebyeBenchResult){0};
    return;
  }
  *result = (DebyeBenchResult){.variant = g_strdup(DEBYE_BENCH_SOURCE_NAME),
                               .device = g_strdup(source->is_cuda ? "cuda" : "cpu"),
                               .seconds = NAN,
                               .rate = NAN,
                               .error = NAN};
}
