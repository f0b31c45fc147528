/* SPDX-License-Identifier: MIT */
/* Reads the form of a layer's line; layer_text_apply.c knows what the items mean. Called by
 * layer_texts.c. */
#include "layer_text_private.h"

#include <string.h>

#include "data/files/error.h"

static void
clear_item(gpointer data)
{
  DebyeLayerTextItem *item = data;
  g_free(item->word);
  g_free(item->value);
}

void
debye_layer_text_free(DebyeLayerText *self)
{
  if (self == NULL)
    return;
  g_free(self->text);
  g_free(self->subject);
  g_array_unref(self->items);
  g_free(self);
}

/* What is passed over by a search for a comma or a colon; `quoted` changes at each quote. */
static gboolean
is_inside(char c, gboolean *quoted, int *depth)
{
  if (c == '"')
    *quoted = !*quoted;
  else if (!*quoted)
    *depth += (c == '(') - (c == ')');
  return *quoted || *depth > 0;
}

/* “5:10” is a range of a selection, and “z:12.5” a place: a colon that parts is followed by something else. */
static gboolean
parts(const char *colon)
{
  return *colon == ':' && !g_ascii_isdigit(colon[1]) &&
         strchr("+-.", colon[1] != '\0' ? colon[1] : ' ') == NULL;
}

/* The colon after the atoms; NULL: there is none. */
static const char *
find_colon(const char *text)
{
  gboolean quoted = FALSE;
  int depth = 0;
  for (; *text != '\0'; text++)
    if (!is_inside(*text, &quoted, &depth) && parts(text))
      return text;
  return NULL;
}

/* The comma after an item, or the end. */
static const char *
find_end(const char *item)
{
  gboolean quoted = FALSE;
  int depth = 0;
  while (*item != '\0' && (is_inside(*item, &quoted, &depth) || *item != ','))
    item++;
  return item;
}

/* Without the quotes around it. (transfer full) */
static char *
unquote(const char *text)
{
  const gsize n = strlen(text);
  return n >= 2 && text[0] == '"' && text[n - 1] == '"' ? g_strndup(text + 1, n - 2) : g_strdup(text);
}

static void
add_item(GArray *items, const char *text)
{
  const gsize n = strcspn(text, " \t=");
  g_autofree char *value = g_strstrip(g_strdup(text + n));
  g_autofree char *bare = g_strstrip(g_strdup(*value == '=' ? value + 1 : value));
  DebyeLayerTextItem item = {.word = g_strndup(text, n), .value = *bare != '\0' ? unquote(bare) : NULL};
  g_array_append_val(items, item);
}

static gboolean
read_items(DebyeLayerText *self, const char *from, GError **error)
{
  for (guint number = 1;; number++) {
    const char *end = find_end(from);
    g_autofree char *text = g_strstrip(g_strndup(from, (gsize)(end - from)));
    if (*text == '\0')
      return debye_error_set(error, DEBYE_ERROR_SETTING,
                             "“%s”: expected a style or property as item %u, found nothing", self->text,
                             number);
    add_item(self->items, text);
    if (*end == '\0')
      return TRUE;
    from = end + 1;
  }
}

static gboolean
check_quotes(const DebyeLayerText *self, GError **error)
{
  gboolean quoted = FALSE;
  int depth = 0;
  for (const char *c = self->text; *c != '\0'; c++)
    is_inside(*c, &quoted, &depth);
  if (!quoted && depth == 0)
    return TRUE;
  return debye_error_set(error, DEBYE_ERROR_SETTING,
                         quoted ? "“%s”: a double quote is not closed" : "“%s”: brackets do not match",
                         self->text);
}

DebyeLayerText *
debye_layer_text_parse(const char *text, GError **error)
{
  g_autoptr(DebyeLayerText) self = g_new0(DebyeLayerText, 1);
  self->text = g_strstrip(g_strdup(text));
  self->items = g_array_new(FALSE, FALSE, sizeof(DebyeLayerTextItem));
  g_array_set_clear_func(self->items, clear_item);
  const char *colon = find_colon(self->text);
  if (colon != NULL)
    self->subject = g_strstrip(g_strndup(self->text, (gsize)(colon - self->text)));
  if (self->subject != NULL && *self->subject == '\0')
    g_clear_pointer(&self->subject, g_free);
  return check_quotes(self, error) && read_items(self, colon != NULL ? colon + 1 : self->text, error)
             ? g_steal_pointer(&self)
             : NULL;
}

void
debye_layer_text_list_files(const DebyeLayerText *self, GStrvBuilder *files)
{
  static const char *const of_files[] = {"color-field", "surface-color", NULL};
  for (guint i = 0; i < self->items->len; i++) {
    const DebyeLayerTextItem *item = &g_array_index(self->items, DebyeLayerTextItem, i);
    if (item->value != NULL && g_strv_contains(of_files, item->word))
      g_strv_builder_add(files, item->value);
  }
}

const char *
debye_layer_text_get_subject(const DebyeLayerText *self)
{
  return self->subject;
}
