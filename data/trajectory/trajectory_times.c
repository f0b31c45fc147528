/* SPDX-License-Identifier: MIT */
/* Describes gaps and overlaps in time where one file follows another; called by trajectory.c. */
#include "trajectory_times.h"

#include <math.h>

#include "data/messages/message.h"

/* Steps are means over files whose times are floats: a hundredth of one is no gap. */
#define TOLERANCE 0.01

static char *
format_time(double time)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  return g_strdup(g_ascii_formatd(text, sizeof text, "%.7g", time));
}

static char *
describe(const DebyeFileTimes *before, const DebyeFileTimes *after, double step)
{
  double gap = after->first - before->last;
  g_autofree char *first = format_time(after->first);
  g_autofree char *last = format_time(before->last);
  g_autofree char *step_text = format_time(step);
  if (fabs(gap) <= TOLERANCE * step)
    return debye_message_new("%s: the first frame, at %s ps, is also the last of %s: it counts twice",
                             after->name, first, before->name);
  if (gap < 0.0)
    return debye_message_new("%s: begins at %s ps, before the end of %s at %s ps", after->name, first,
                             before->name, last);
  return debye_message_new("%s: begins at %s ps, %s ends at %s ps with steps of %s ps", after->name, first,
                           before->name, last, step_text);
}

char *
debye_file_times_describe_joint(const DebyeFileTimes *before, const DebyeFileTimes *after)
{
  double step = isfinite(before->step) ? before->step : after->step;
  double gap = after->first - before->last;
  if (!isfinite(gap) || !(step > 0.0) || fabs(gap - step) <= TOLERANCE * step)
    return NULL;
  return describe(before, after, step);
}
