/* SPDX-License-Identifier: MIT */
/* Compares two listings line by line; called by classroom_code.c. */
#include "line_changes.h"

#include <string.h>

/* Without what only says where a block begins and ends. */
static char **
split_lines(const char *text)
{
  char **lines = g_strsplit(text, "\n", -1);
  for (gsize i = 0; lines[i] != NULL; i++) {
    const gsize length = strlen(g_strstrip(lines[i]));
    if (g_str_equal(lines[i], "}"))
      *lines[i] = '\0';
    else if (length > 0 && lines[i][length - 1] == '{')
      lines[i][length - 1] = '\0';
    g_strchomp(lines[i]);
  }
  return lines;
}

/* Entry (i, j) is the length of the longest common sequence of the lines from i and from j on. */
static guint *
measure_common(char **before, gsize n_before, char **after, gsize n_after)
{
  const gsize width = n_after + 1;
  guint *length = g_new0(guint, (n_before + 1) * width);
  for (gsize i = n_before; i-- > 0;)
    for (gsize j = n_after; j-- > 0;)
      length[i * width + j] = g_str_equal(before[i], after[j])
                                  ? length[(i + 1) * width + j + 1] + 1
                                  : MAX(length[(i + 1) * width + j], length[i * width + j + 1]);
  return length;
}

static void
note_new(DebyeLineChanges *self, gsize line, const char *text)
{
  if (*text == '\0')
    return;
  g_array_index(self->is_new, gboolean, line) = TRUE;
  self->n_new++;
}

void
debye_line_changes_init(DebyeLineChanges *self, const char *before, const char *text)
{
  g_auto(GStrv) lines = split_lines(text), former = split_lines(before != NULL ? before : text);
  const gsize n = g_strv_length(lines), n_former = g_strv_length(former);
  g_autofree guint *length = measure_common(former, n_former, lines, n);
  gsize i = 0, j = 0;
  *self = (DebyeLineChanges){.is_new = g_array_sized_new(FALSE, TRUE, sizeof(gboolean), (guint)n)};
  g_array_set_size(self->is_new, (guint)n);
  while (i < n_former || j < n) {
    if (i < n_former && j < n && g_str_equal(former[i], lines[j])) {
      i++, j++;
    } else if (j < n && (i == n_former || length[i * (n + 1) + j + 1] >= length[(i + 1) * (n + 1) + j])) {
      note_new(self, j, lines[j]);
      j++;
    } else {
      self->n_gone += *former[i++] != '\0';
    }
  }
}

void
debye_line_changes_clear(DebyeLineChanges *self)
{
  g_clear_pointer(&self->is_new, g_array_unref);
}
