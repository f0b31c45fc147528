/* SPDX-License-Identifier: MIT */
/* How a picture was made, as text; called by those who write pictures. picture_origin_read.c reads it. */
#include "picture_origin.h"

#include <glib/gstdio.h>

#include "picture_origin_private.h"

#define LARGEST_READ ((guint64)256 << 20)

DebyePictureOrigin *
debye_picture_origin_new(const char *title, const char *command)
{
  DebyePictureOrigin *self = g_new(DebyePictureOrigin, 1);
  *self =
      (DebyePictureOrigin){.title = g_strdup(title),
                           .command = g_strdup(command),
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

/* --- As text --- */

char *
debye_picture_origin_get_software(void)
{
  return g_strdup_printf("Debye %s", debye_provenance_get_version());
}

static char *
describe_input(const DebyeInputRecord *record)
{
  g_autofree char *path = g_utf8_make_valid(record->path, -1);
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
