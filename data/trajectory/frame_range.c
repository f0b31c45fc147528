/* SPDX-License-Identifier: MIT */
/* Ranges of frames, FIRST:LAST:STEP with LAST inclusive; parsed for the option and setting "frames". */
#include "data/files/error.h"
#include "frame_stream.h"
#include "data/files/input.h"
#include "data/messages/message.h"

#include <string.h>

/* Python's order with an inclusive end, as people write ranges of frames by hand. */
static gboolean
parse_part(const char *text, gint64 initial, gint64 *value, GError **error)
{
  if (*text == '\0') {
    *value = initial;
    return TRUE;
  }
  if (debye_text_to_int(text, strlen(text), value))
    return TRUE;
  return debye_error_set(error, DEBYE_ERROR_VALUE,
                         "frames: expected FIRST:LAST:STEP with whole numbers, found “%s”", text);
}

/* Counted from the end when negative. */
static gboolean
place_in_frames(gint64 value, gsize n_frames, const char *what, gsize *place, GError **error)
{
  gint64 counted = value < 0 ? value + (gint64)n_frames : value;
  if (counted < 0 || counted >= (gint64)n_frames)
    return debye_error_set(error, DEBYE_ERROR_VALUE,
                           "frames: expected a %s frame from 0 to %" G_GSIZE_FORMAT
                           " or from -%" G_GSIZE_FORMAT " to -1, found %" G_GINT64_FORMAT,
                           what, n_frames - 1, n_frames, value);
  *place = (gsize)counted;
  return TRUE;
}

static gboolean
check_range(const DebyeFrameRange *range, gint64 step, GError **error)
{
  if (step < 1)
    return debye_error_set(error, DEBYE_ERROR_VALUE,
                           "frames: expected a step of 1 or more, found %" G_GINT64_FORMAT, step);
  if (range->last < range->first) {
    return debye_error_set(error, DEBYE_ERROR_VALUE,
                           "frames: the last frame %" G_GSIZE_FORMAT " is before the first, %" G_GSIZE_FORMAT,
                           range->last, range->first);
  }
  return TRUE;
}

gboolean
debye_frame_range_parse(const char *text, gsize n_frames, DebyeFrameRange *range, GError **error)
{
  g_auto(GStrv) parts = g_strsplit(text ? text : "", ":", -1);
  guint n_parts = g_strv_length(parts);
  gint64 first = 0, last = -1, step = 1;
  for (guint k = 0; k < n_parts; k++)
    g_strstrip(parts[k]);
  if (n_frames == 0)
    return debye_error_set(error, DEBYE_ERROR_MISSING, "frames: expected at least one, found none");
  if (n_parts > 3) {
    return debye_error_set(error, DEBYE_ERROR_VALUE, "frames: expected FIRST:LAST:STEP, found “%s”", text);
  }
  if ((n_parts > 0 && !parse_part(parts[0], 0, &first, error)) ||
      (n_parts > 1 && !parse_part(parts[1], -1, &last, error)) ||
      (n_parts > 2 && !parse_part(parts[2], 1, &step, error)))
    return FALSE;
  if (n_parts == 1 && *parts[0] != '\0')
    last = first;
  if (!place_in_frames(first, n_frames, N_("first"), &range->first, error) ||
      !place_in_frames(last, n_frames, N_("last"), &range->last, error) || !check_range(range, step, error))
    return FALSE;
  range->step = (gsize)step;
  return TRUE;
}

gsize
debye_frame_range_count(const DebyeFrameRange *range)
{
  return range->last < range->first ? 0 : (range->last - range->first) / range->step + 1;
}

char *
debye_frame_range_to_string(const DebyeFrameRange *range)
{
  if (range->first == range->last)
    return g_strdup_printf("%" G_GSIZE_FORMAT, range->first);
  if (range->step == 1)
    return g_strdup_printf("%" G_GSIZE_FORMAT ":%" G_GSIZE_FORMAT, range->first, range->last);
  return g_strdup_printf("%" G_GSIZE_FORMAT ":%" G_GSIZE_FORMAT ":%" G_GSIZE_FORMAT, range->first,
                         range->last, range->step);
}
