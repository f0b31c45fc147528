/* SPDX-License-Identifier: MIT */
/* Markup of what a person types for an axis or a legend; called by the options of debye-cli. */
#include <string.h>

#include "plot_text.h"

/* What stands between a mark and its partner becomes an element of markup. */
static const struct {
  const char *begin, *end, *element;
} marks[] = {
    {"**", "**", "b"},
    {"*", "*", "i"},
    {"^{", "}", "sup"},
    {"_{", "}", "sub"},
};

static void
put_plain(GString *markup, const char *text, gsize length)
{
  g_autofree char *part = g_strndup(text, length);
  g_autofree char *escaped = debye_plot_text_from_plain(part);
  g_string_append(markup, escaped);
}

/* The end of a marked stretch that begins at `at`, which is not empty; NULL: none does. */
static const char *
find_marked(const char *at, gsize *mark)
{
  for (gsize i = 0; i < G_N_ELEMENTS(marks); i++) {
    const gsize length = strlen(marks[i].begin);
    const char *end = g_str_has_prefix(at, marks[i].begin) ? strstr(at + length, marks[i].end) : NULL;
    if (end == NULL || end == at + length)
      continue;
    *mark = i;
    return end;
  }
  return NULL;
}

char *
debye_plot_text_from_marked(const char *text)
{
  g_autoptr(GString) markup = g_string_new(NULL);
  g_autofree char *valid = g_utf8_make_valid(text, -1);
  const char *plain = valid;
  for (const char *at = valid; *at != '\0';) {
    gsize mark;
    const char *end = find_marked(at, &mark);
    if (end == NULL) {
      at++;
      continue;
    }
    const char *begin = at + strlen(marks[mark].begin);
    g_autofree char *inner = g_strndup(begin, (gsize)(end - begin));
    g_autofree char *inside = debye_plot_text_from_marked(inner);
    put_plain(markup, plain, (gsize)(at - plain));
    g_string_append_printf(markup, "<%s>%s</%s>", marks[mark].element, inside, marks[mark].element);
    at = plain = end + strlen(marks[mark].end);
  }
  put_plain(markup, plain, strlen(plain));
  return g_strdup(markup->str);
}

/* The mark that an element's tag, "<i>" or "</i>", stands for; *length of the tag. "" of others. */
static const char *
find_mark_of_tag(const char *tag, gsize *length)
{
  const char *end = strchr(tag, '>');
  const gboolean is_end = tag[1] == '/';
  const char *name = tag + (is_end ? 2 : 1);
  *length = end != NULL ? (gsize)(end - tag) + 1 : strlen(tag);
  for (gsize i = 0; i < G_N_ELEMENTS(marks) && end != NULL; i++) {
    const gsize n = strlen(marks[i].element);
    if ((gsize)(end - name) == n && strncmp(name, marks[i].element, n) == 0)
      return is_end ? marks[i].end : marks[i].begin;
  }
  return "";
}

/* One letter of markup, which may be an entity, as it is read; its length there. */
static gsize
append_letter(GString *text, const char *at)
{
  static const char *const entities[][2] = {{"&lt;", "<"},   {"&gt;", ">"},  {"&quot;", "\""},
                                            {"&apos;", "'"}, {"&#39;", "'"}, {"&amp;", "&"}};
  for (gsize i = 0; i < G_N_ELEMENTS(entities); i++)
    if (g_str_has_prefix(at, entities[i][0])) {
      g_string_append(text, entities[i][1]);
      return strlen(entities[i][0]);
    }
  g_string_append_c(text, *at);
  return 1;
}

char *
debye_plot_text_to_marked(const char *markup)
{
  g_autoptr(GString) marked = g_string_new(NULL);
  for (gsize length; *markup != '\0'; markup += length) {
    if (*markup == '<')
      g_string_append(marked, find_mark_of_tag(markup, &length));
    else
      length = append_letter(marked, markup);
  }
  return g_strdup(marked->str);
}
