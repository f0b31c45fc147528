/* SPDX-License-Identifier: MIT */
/* The clock of a run's stages; stopped on by the driver of analyses and the command line, kept in results. */
#include "stages.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "data/messages/message.h"

#define LEAST_SECONDS 1e-3 /* to be told */

static const struct {
  const char *key, *label;
} names[DEBYE_N_STAGES] = {
    [DEBYE_STAGE_START] = {"start", N_("starting")},
    [DEBYE_STAGE_OPEN] = {"open", N_("opening files")},
    [DEBYE_STAGE_DEVICES] = {"devices", N_("waiting for devices")},
    [DEBYE_STAGE_PLAN] = {"plan", N_("planning")},
    [DEBYE_STAGE_READ] = {"read", N_("waiting for frames")},
    [DEBYE_STAGE_PREPARE] = {"prepare", N_("preparing frames")},
    [DEBYE_STAGE_COMPUTE] = {"compute", N_("computing")},
    [DEBYE_STAGE_SAMPLE] = {"sample", N_("sampling")},
    [DEBYE_STAGE_DRAW] = {"draw", N_("drawing")},
    [DEBYE_STAGE_WRITE] = {"write", N_("writing")},
};

DebyeStage
debye_stages_enter(DebyeStages *stages, DebyeStage stage)
{
  if (stages == NULL)
    return stage;
  const DebyeStage before = stages->since != 0 ? stages->stage : stage;
  debye_stages_leave(stages);
  stages->stage = stage;
  stages->since = g_get_monotonic_time();
  return before;
}

void
debye_stages_leave(DebyeStages *stages)
{
  if (stages == NULL || stages->since == 0)
    return;
  stages->seconds[stages->stage] += (double)(g_get_monotonic_time() - stages->since) / G_USEC_PER_SEC;
  stages->since = 0;
}

/* When the process began, seconds since the machine did: field 22 of its line, in ticks (proc(5)). */
static double
find_start(void)
{
  g_autofree char *line = NULL;
  unsigned long long ticks = 0;
  if (!g_file_get_contents("/proc/self/stat", &line, NULL, NULL))
    return -1.0;
  const char *rest = strrchr(line, ')'); /* the program's name may hold anything */
  if (rest == NULL ||
      sscanf(rest, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
             &ticks) != 1)
    return -1.0;
  return (double)ticks / (double)sysconf(_SC_CLK_TCK);
}

void
debye_stages_begin_with_process(DebyeStages *stages)
{
  struct timespec now;
  const double start = find_start();
  debye_stages_enter(stages, DEBYE_STAGE_START);
  if (start >= 0.0 && clock_gettime(CLOCK_BOOTTIME, &now) == 0)
    stages->seconds[DEBYE_STAGE_START] += MAX((double)now.tv_sec + 1e-9 * (double)now.tv_nsec - start, 0.0);
}

const char *
debye_stage_get_key(DebyeStage stage)
{
  return names[stage].key;
}

char *
debye_stages_describe(const DebyeStages *stages)
{
  GString *text = g_string_new(NULL);
  for (guint i = 0; i < DEBYE_N_STAGES; i++) {
    char seconds[G_ASCII_DTOSTR_BUF_SIZE];
    g_autofree char *label = debye_message_translate(names[i].label);
    if (stages->seconds[i] < LEAST_SECONDS)
      continue;
    g_string_append_printf(text, "%s%s %s s", text->len > 0 ? ", " : "", label,
                           g_ascii_formatd(seconds, sizeof seconds, "%.3f", stages->seconds[i]));
  }
  return g_string_free(text, FALSE);
}
