/* SPDX-License-Identifier: MIT */
/* Converts the manual's inline Markdown to Pango's markup for manual_page.c. A mark without its end stands
 * for itself. */
#include "manual_markup.h"

#include <string.h>

typedef struct {
  GString *text;
  gboolean plain;
} Output;

static void append(Output *output, const char *text, gsize length);

static void
append_tag(Output *output, const char *tag)
{
  if (!output->plain)
    g_string_append(output->text, tag);
}

static void
append_characters(Output *output, const char *text, gsize length)
{
  g_autofree char *escaped =
      output->plain ? g_strndup(text, length) : g_markup_escape_text(text, (gssize)length);
  g_string_append(output->text, escaped);
}

static const char *
find(const char *text, const char *end, const char *mark)
{
  return g_strstr_len(text, end - text, mark);
}

/* All three: the end of what was taken, NULL where there is no such mark here. */
static const char *
take_code(Output *output, const char *text, const char *end)
{
  const char *close = *text == '`' ? find(text + 1, end, "`") : NULL;
  if (close == NULL)
    return NULL;
  append_tag(output, "<tt>");
  append_characters(output, text + 1, (gsize)(close - text - 1));
  append_tag(output, "</tt>");
  return close + 1;
}

static const char *
take_emphasis(Output *output, const char *text, const char *end, const char *mark, const char *tag)
{
  gsize length = strlen(mark);
  if ((gsize)(end - text) <= length || strncmp(text, mark, length) != 0 || text[length] == ' ')
    return NULL;
  const char *close = find(text + length, end, mark);
  if (close == NULL)
    return NULL;
  g_autofree char *opening = g_strdup_printf("<%s>", tag), *closing = g_strdup_printf("</%s>", tag);
  append_tag(output, opening);
  append(output, text + length, (gsize)(close - text) - length);
  append_tag(output, closing);
  return close + length;
}

static const char *
take_link(Output *output, const char *text, const char *end)
{
  const char *middle = *text == '[' ? find(text, end, "](") : NULL;
  const char *close = middle != NULL ? find(middle, end, ")") : NULL;
  if (close == NULL)
    return NULL;
  g_autofree char *target = g_markup_escape_text(middle + 2, close - middle - 2);
  g_autofree char *opening = g_strdup_printf("<a href=\"%s\">", target);
  append_tag(output, opening);
  append(output, text + 1, (gsize)(middle - text - 1));
  append_tag(output, "</a>");
  return close + 1;
}

static void
append(Output *output, const char *text, gsize length)
{
  const char *end = text + length, *pending = text;
  while (text < end) {
    g_autoptr(GString) taken = g_string_new(NULL);
    Output inner = {taken, output->plain};
    const char *next = take_code(&inner, text, end);
    next = next != NULL ? next : take_emphasis(&inner, text, end, "**", "b");
    next = next != NULL ? next : take_emphasis(&inner, text, end, "*", "i");
    next = next != NULL ? next : take_link(&inner, text, end);
    if (next == NULL) {
      text++;
      continue;
    }
    append_characters(output, pending, (gsize)(text - pending));
    g_string_append_len(output->text, taken->str, (gssize)taken->len);
    text = pending = next;
  }
  append_characters(output, pending, (gsize)(end - pending));
}

static char *
convert(const char *text, gboolean plain)
{
  Output output = {g_string_new(NULL), plain};
  append(&output, text, strlen(text));
  return g_string_free(output.text, FALSE);
}

char *
debye_manual_markup(const char *text)
{
  return convert(text, FALSE);
}

char *
debye_manual_plain(const char *text)
{
  return convert(text, TRUE);
}
