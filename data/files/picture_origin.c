/* SPDX-License-Identifier: MIT */
/* How a picture was made, as text; called by those who write pictures. picture_origin_read.c reads it. */
#include "picture_origin.h"

#include <glib/gstdio.h>

#include "picture_origin_private.h"

#define LARGEST_READ ((guint64)256 << 20)

/* --- Text that every format can hold --- */

/* The length of the character at `text`; 0: it is a byte of none, a control character, or one that XML has no place for. */
static gsize
measure_character(const char *text)
{
  const gunichar c = g_utf8_get_char_validated(text, -1);
  const gboolean is_plain = c <= 0x10FFFF && !g_unichar_iscntrl(c) && c != 0xFFFE && c != 0xFFFF;
  return is_plain ? (gsize)(g_utf8_next_char(text) - text) : 0;
}

/* Of each byte that isn't plain its two digits, with `before` and `after` around them; `also`
 * is one more such byte, or 0. NULL for NULL. (transfer full) */
static char *
escape(const char *text, char also, const char *before, const char *after)
{
  GString *plain = text != NULL ? g_string_new(NULL) : NULL;
  while (plain != NULL && *text != '\0') {
    const gsize n = *text != also ? measure_character(text) : 0;
    if (n > 0)
      g_string_append_len(plain, text, (gssize)n);
    else
      g_string_append_printf(plain, "%s%02x%s", before, (guint)(guint8)*text, after);
    text += MAX(n, 1);
  }
  return plain != NULL ? g_string_free(plain, FALSE) : NULL;
}

static char *
escape_title(const char *title)
{
  return escape(title, '\0', DEBYE_ORIGIN_BYTE, "");
}

/* Can be turned back, as a backslash is escaped, too. */
static char *
escape_path(const char *path)
{
  return escape(path, '\\', DEBYE_ORIGIN_BYTE, "");
}

/* Words with such a byte are within single quotes: these end before it, and begin again. */
static char *
escape_command(const char *command)
{
  return escape(command, '\0', DEBYE_ORIGIN_QUOTED_BYTE, DEBYE_ORIGIN_QUOTED_BYTE_END);
}

void
debye_picture_origin_set_command(DebyePictureOrigin *self, const char *command)
{
  char *escaped = escape_command(command);
  g_free(self->command);
  self->command = escaped;
}

DebyePictureOrigin *
debye_picture_origin_new(const char *title, const char *command)
{
  DebyePictureOrigin *self = g_new(DebyePictureOrigin, 1);
  *self =
      (DebyePictureOrigin){.title = escape_title(title),
                           .command = escape_command(command),
                           .inputs = g_ptr_array_new_with_free_func((GDestroyNotify)debye_input_record_free)};
  return self;
}

void
debye_picture_origin_free(DebyePictureOrigin *self)
{
  if (self == NULL)
    return;
  g_free(self->title);
  g_free(self->command);
  g_ptr_array_unref(self->inputs);
  g_free(self);
}

gboolean
debye_picture_origin_add_input(DebyePictureOrigin *self, const char *path, GError **error)
{
  GStatBuf status;
  if (g_stat(path, &status) == 0 && (guint64)status.st_size > LARGEST_READ) {
    g_ptr_array_add(self->inputs, debye_input_record_new(path, (guint64)status.st_size, NULL));
    return TRUE;
  }
  DebyeInputRecord *record = debye_provenance_record_file(path, NULL, error);
  if (record != NULL)
    g_ptr_array_add(self->inputs, record);
  return record != NULL;
}

void
debye_picture_origin_drop_folders(DebyePictureOrigin *self)
{
  for (guint i = 0; i < self->inputs->len; i++) {
    DebyeInputRecord *record = self->inputs->pdata[i];
    char *name = g_path_get_basename(record->path);
    g_free(record->path);
    record->path = name;
  }
}

/* --- As text --- */

char *
debye_picture_origin_get_software(void)
{
  return g_strdup_printf("Debye %s", debye_provenance_get_version());
}

static char *
describe_input(const DebyeInputRecord *record)
{
  g_autofree char *path = escape_path(record->path);
  return g_strdup_printf("%s %" G_GUINT64_FORMAT " %s", *record->sha256 != '\0' ? record->sha256 : "-",
                         record->size, path);
}

char *
debye_picture_origin_list_inputs(const DebyePictureOrigin *self)
{
  GString *lines = g_string_new(NULL);
  for (guint i = 0; i < self->inputs->len; i++) {
    g_autofree char *line = describe_input(self->inputs->pdata[i]);
    g_string_append_printf(lines, "%s%s", i > 0 ? "\n" : "", line);
  }
  return g_string_free(lines, FALSE);
}

char *
debye_picture_origin_to_text(const DebyePictureOrigin *self)
{
  g_autofree char *software = debye_picture_origin_get_software();
  GString *text = g_string_new(NULL);
  if (self->title != NULL)
    g_string_append_printf(text, DEBYE_ORIGIN_TITLE ": %s\n", self->title);
  g_string_append_printf(text, DEBYE_ORIGIN_SOFTWARE ": %s\n", software);
  if (self->command != NULL)
    g_string_append_printf(text, DEBYE_ORIGIN_COMMAND ": %s\n", self->command);
  for (guint i = 0; i < self->inputs->len; i++) {
    g_autofree char *line = describe_input(self->inputs->pdata[i]);
    g_string_append_printf(text, DEBYE_ORIGIN_INPUT ": %s\n", line);
  }
  return g_string_free(text, FALSE);
}

static void
clear_text(gpointer text)
{
  g_free(((DebyePictureText *)text)->text);
}

static void
add_text(GArray *texts, const char *keyword, char *text)
{
  const DebyePictureText entry = {keyword, text};
  if (text != NULL && *text != '\0')
    g_array_append_val(texts, entry);
  else
    g_free(text);
}

GArray *
debye_picture_origin_list_texts(const DebyePictureOrigin *self)
{
  GArray *texts = g_array_new(FALSE, FALSE, sizeof(DebyePictureText));
  g_array_set_clear_func(texts, clear_text);
  add_text(texts, DEBYE_ORIGIN_TITLE, g_strdup(self->title));
  add_text(texts, DEBYE_ORIGIN_SOFTWARE, debye_picture_origin_get_software());
  add_text(texts, DEBYE_ORIGIN_COMMAND, g_strdup(self->command));
  add_text(texts, DEBYE_ORIGIN_INPUTS, debye_picture_origin_list_inputs(self));
  return texts;
}
