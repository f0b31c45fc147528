/* SPDX-License-Identifier: MIT */
/* Implementation of error.h: the error domain of the data layer, and the errors that many callers word
 * alike. */
#include "error.h"

#include <gio/gio.h>
#include <string.h>

#include "data/messages/message.h"

/* How long "NAME: " is with which the message begins, and the setting whose label that is. */
typedef struct {
  gsize n_name;
  const char *setting;
} DebyeErrorPrivate;

static void
debye_error_private_init(DebyeErrorPrivate *own)
{
  *own = (DebyeErrorPrivate){0};
}

static void
debye_error_private_copy(const DebyeErrorPrivate *from, DebyeErrorPrivate *to)
{
  *to = *from;
}

static void
debye_error_private_clear(DebyeErrorPrivate *own)
{
  *own = (DebyeErrorPrivate){0};
}

G_DEFINE_EXTENDED_ERROR(DebyeError, debye_error)

gboolean
debye_error_is_stop(const GError *error)
{
  return g_error_matches(error, DEBYE_ERROR, DEBYE_ERROR_STOPPED) ||
         g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

void
debye_error_set(GError **error, DebyeError code, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  g_autofree char *words = debye_say_valist(format, arguments);
  va_end(arguments);
  g_set_error_literal(error, DEBYE_ERROR, (int)code, words);
}

static void
put_name(GError **error, const char *name, const char *setting)
{
  if (error == NULL || *error == NULL)
    return;
  g_prefix_error(error, "%s: ", name);
  if ((*error)->domain == DEBYE_ERROR)
    *debye_error_get_private(*error) = (DebyeErrorPrivate){strlen(name) + strlen(": "), setting};
}

void
debye_error_name_setting(GError **error, const char *label)
{
  g_autofree char *name = debye_message_translate(label);
  put_name(error, name, label);
}

void
debye_error_set_of_file(GError **error, DebyeError code, const char *name, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  g_autofree char *words = debye_say_valist(format, arguments);
  va_end(arguments);
  g_set_error_literal(error, DEBYE_ERROR, (int)code, words);
  put_name(error, name, NULL);
}

void
debye_error_set_about(GError **error, DebyeError code, const char *label, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  g_autofree char *words = debye_say_valist(format, arguments);
  va_end(arguments);
  g_set_error_literal(error, DEBYE_ERROR, (int)code, words);
  debye_error_name_setting(error, label);
}

const char *
debye_error_get_setting(const GError *error)
{
  return error->domain == DEBYE_ERROR ? debye_error_get_private(error)->setting : NULL;
}

const char *
debye_error_get_text(const GError *error)
{
  const gboolean is_own = error->domain == DEBYE_ERROR;
  return error->message + (is_own ? debye_error_get_private(error)->n_name : 0);
}

void
debye_error_prefix(GError **error, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  g_autofree char *words = debye_say_valist(format, arguments);
  va_end(arguments);
  g_prefix_error_literal(error, words);
  if (error != NULL && *error != NULL && (*error)->domain == DEBYE_ERROR)
    *debye_error_get_private(*error) = (DebyeErrorPrivate){0};
}

gboolean
debye_error_set_memory(GError **error, const char *file, gsize n, const char *what)
{
  debye_error_set(error, DEBYE_ERROR_MEMORY, "%s%snot enough memory for %" G_GSIZE_FORMAT " %s",
                  file != NULL ? file : "", file != NULL ? ": " : "", n, what);
  return FALSE;
}

char *
debye_error_name_file(const char *path)
{
  return g_path_is_absolute(path) ? g_filename_display_basename(path) : g_filename_display_name(path);
}

void
debye_error_name_output(const char *path, GError **error)
{
  g_autofree char *name = debye_error_name_file(path);
  if (error == NULL || *error == NULL ||
      (debye_error_get_text(*error) != (*error)->message && debye_error_get_setting(*error) == NULL))
    return;
  if ((*error)->domain == G_IO_ERROR)
    debye_error_prefix(error, "%s: can't be written: ", name);
  else
    debye_error_prefix(error, "%s: ", name);
}
