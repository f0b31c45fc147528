/* SPDX-License-Identifier: MIT */
/* Implementation of message.h: strings of the size that each needs, and the text domain. */
#include "message.h"

#include <libintl.h>
#include <string.h>

#include "data/message_text.h"

#define DOMAIN "debye"

/* What is in one piece needs no marks. */
static char *
without_marks(char *message, gsize length)
{
  if (memchr(message, DEBYE_MESSAGE_ARGUMENT, length) != NULL)
    return message;
  memmove(message, message + 1, length - 2);
  message[length - 2] = '\0';
  return message;
}

char *
debye_message_new_valist(const char *format, va_list arguments)
{
  const gsize length = debye_message_encode(NULL, 0, format, arguments);
  char *message = g_malloc(length + 1);
  debye_message_encode(message, length + 1, format, arguments);
  return without_marks(message, length);
}

char *
debye_message_new(const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  char *message = debye_message_new_valist(format, arguments);
  va_end(arguments);
  return message;
}

static char *
word(const char *message, DebyeMessageLookup look_up)
{
  const gsize length = debye_message_decode(NULL, 0, message, look_up);
  char *words = g_malloc(length + 1);
  debye_message_decode(words, length + 1, message, look_up);
  return words;
}

char *
debye_message_english(const char *message)
{
  return word(message, NULL);
}

static const char *
look_up(const char *english)
{
  return dgettext(DOMAIN, english);
}

char *
debye_message_translate(const char *message)
{
  return word(message, look_up);
}

char *
debye_say_valist(const char *format, va_list arguments)
{
  g_autofree char *message = debye_message_new_valist(format, arguments);
  return debye_message_translate(message);
}

char *
debye_say(const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  char *words = debye_say_valist(format, arguments);
  va_end(arguments);
  return words;
}
