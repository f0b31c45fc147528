/* SPDX-License-Identifier: MIT */
/* Implementation of error.h: the error domain of the data layer, and the errors that many callers word
 * alike. */
#include "error.h"

#include <gio/gio.h>
#include <string.h>

#include "data/messages/message.h"

typedef struct {
  gsize n_name;        /* how long "NAME: " is with which the words begin */
  const char *setting; /* whose label that is */
  char *message;       /* of the rest, as data */
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
  to->message = g_strdup(from->message);
}

static void
debye_error_private_clear(DebyeErrorPrivate *own)
{
  g_free(own->message);
}

G_DEFINE_EXTENDED_ERROR(DebyeError, debye_error)

gboolean
debye_error_is_stop(const GError *error)
{
  return g_error_matches(error, DEBYE_ERROR, DEBYE_ERROR_STOPPED) ||
         g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
set(GError **error, DebyeError code, const char *format, va_list arguments)
{
  g_autofree char *message = debye_message_new_valist(format, arguments);
  g_autofree char *words = debye_message_translate(message);
  GError *made = g_error_new_literal(DEBYE_ERROR, (int)code, words);
  debye_error_get_private(made)->message = g_steal_pointer(&message);
  g_propagate_error(error, made);
}

gboolean
debye_error_set(GError **error, DebyeError code, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  set(error, code, format, arguments);
  va_end(arguments);
  return FALSE;
}

static void
put_name(GError **error, const char *name, const char *setting)
{
  if (error == NULL || *error == NULL)
    return;
  const gboolean is_named = debye_error_get_text(*error) != (*error)->message;
  g_prefix_error(error, "%s: ", name);
  if ((*error)->domain != DEBYE_ERROR)
    return;
  DebyeErrorPrivate *own = debye_error_get_private(*error);
  own->n_name = strlen(name) + strlen(": ");
  own->setting = setting;
  if (is_named)
    g_clear_pointer(&own->message, g_free);
}

void
debye_error_name_setting(GError **error, const char *label)
{
  g_autofree char *name = debye_message_translate(label);
  put_name(error, name, label);
}

gboolean
debye_error_set_of_file(GError **error, DebyeError code, const char *name, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  set(error, code, format, arguments);
  va_end(arguments);
  put_name(error, name, NULL);
  return FALSE;
}

gboolean
debye_error_set_about(GError **error, DebyeError code, const char *label, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  set(error, code, format, arguments);
  va_end(arguments);
  debye_error_name_setting(error, label);
  return FALSE;
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

const char *
debye_error_get_message(const GError *error)
{
  const char *message = error->domain == DEBYE_ERROR ? debye_error_get_private(error)->message : NULL;
  return message != NULL ? message : debye_error_get_text(error);
}

void
debye_error_prefix(GError **error, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  g_autofree char *words = debye_say_valist(format, arguments);
  va_end(arguments);
  if (error == NULL || *error == NULL)
    return;
  g_prefix_error_literal(error, words);
  if ((*error)->domain != DEBYE_ERROR)
    return;
  debye_error_private_clear(debye_error_get_private(*error));
  debye_error_private_init(debye_error_get_private(*error));
}

gboolean
debye_error_set_memory(GError **error, const char *file, gsize n, const char *what)
{
  return debye_error_set(error, DEBYE_ERROR_MEMORY, "%s%snot enough memory for %" G_GSIZE_FORMAT " %s",
                         file != NULL ? file : "", file != NULL ? ": " : "", n, what);
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
