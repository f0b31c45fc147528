/* SPDX-License-Identifier: MIT */
/* A sentence as data, in one string: a pattern and what it is filled in with, between marks that no text has.
 * Kernels and the layers above them make it from a printf format; data/messages/message.h words it. A string
 * without marks is a message, too: its own pattern, filled in with nothing. No GLib.
 *
 * In a pattern "%s" stands for what stays as it is (a number, a quoted name), "%t" for what is translated in turn. Of a
 * format "%s" becomes "%t" unless it is quoted “%s” or has a width; other conversions become "%s", "%%" becomes "%". */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define DEBYE_MESSAGE_BEGIN '\x02'
#define DEBYE_MESSAGE_ARGUMENT '\x1f'
#define DEBYE_MESSAGE_END '\x03'

/* Longer patterns aren't translated. */
#define DEBYE_MESSAGE_PATTERN 1024

/* What is written: never beyond the size, counted all the same. */
typedef struct {
  char *text;
  size_t size, length;
} DebyeMessageBuffer;

static inline void
debye_message_put(DebyeMessageBuffer *buffer, const char *text, size_t length)
{
  for (size_t i = 0; i < length; i++, buffer->length++)
    if (buffer->length + 1 < buffer->size)
      buffer->text[buffer->length] = text[i];
}

static inline void
debye_message_finish(DebyeMessageBuffer *buffer)
{
  if (buffer->size > 0)
    buffer->text[buffer->length < buffer->size ? buffer->length : buffer->size - 1] = '\0';
}

/* How long a conversion is that begins with %. */
static inline size_t
debye_message_measure_place(const char *place)
{
  const size_t length = 1 + strspn(place + 1, "-+ #0'123456789.*hljzt");
  return place[length] != '\0' ? length + 1 : length;
}

/* The pattern as printf writes it from a format, where `is_pattern`, else an argument for each conversion. */
static inline void
debye_message_put_format(DebyeMessageBuffer *buffer, const char *format, bool is_pattern)
{
  for (const char *at = format; *at != '\0';) {
    const size_t words = strcspn(at, "%");
    const char *place = at + words;
    const size_t length = *place != '\0' ? debye_message_measure_place(place) : 0;
    const bool is_percent = length > 0 && place[length - 1] == '%';
    const bool is_text =
        length == 2 && place[1] == 's' && (place - format < 3 || memcmp(place - 3, "“", 3) != 0);
    if (is_pattern) {
      debye_message_put(buffer, at, words);
      if (length > 0)
        debye_message_put(buffer, is_percent ? "%%" : is_text ? "%%t" : "%%s", is_percent ? 2 : 3);
    } else if (length > 0 && !is_percent) {
      debye_message_put(buffer, &(char){DEBYE_MESSAGE_ARGUMENT}, 1);
      debye_message_put(buffer, place, length);
    }
    at = place + length;
  }
}

/* The message of a printf format, in at most `size` bytes with the NUL at its end; how long it is without. What
 * is cut is of no use. A format that makes a longer pattern is cut, too. */
static inline size_t
debye_message_encode(char *text, size_t size, const char *format, va_list arguments)
{
  char whole[2 * DEBYE_MESSAGE_PATTERN];
  DebyeMessageBuffer buffer = {whole, sizeof whole, 0};
  debye_message_put(&buffer, &(char){DEBYE_MESSAGE_BEGIN}, 1);
  debye_message_put_format(&buffer, format, true);
  debye_message_put_format(&buffer, format, false);
  debye_message_put(&buffer, &(char){DEBYE_MESSAGE_END}, 1);
  debye_message_finish(&buffer);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  va_list values;
  va_copy(values, arguments);
  const int length = vsnprintf(text, size, whole, values);
  va_end(values);
#pragma GCC diagnostic pop
  return length > 0 ? (size_t)length : 0;
}

/* A pattern or a text in another language, NULL or the same: there is none. */
typedef const char *(*DebyeMessageLookup)(const char *english);

static inline void
debye_message_put_known(DebyeMessageBuffer *buffer, const char *english, size_t length,
                        DebyeMessageLookup look_up)
{
  char whole[DEBYE_MESSAGE_PATTERN];
  const char *known = NULL;
  if (look_up != NULL && length > 0 && length < sizeof whole) {
    memcpy(whole, english, length);
    whole[length] = '\0';
    known = look_up(whole);
  }
  debye_message_put(buffer, known != NULL ? known : english, known != NULL ? strlen(known) : length);
}

/* The end of the pattern or argument that begins at `at`: at a mark of the message that it is of. */
static inline const char *
debye_message_find_end(const char *at, const char *end)
{
  int depth = 0;
  for (; at < end; at++) {
    if (depth == 0 && (*at == DEBYE_MESSAGE_ARGUMENT || *at == DEBYE_MESSAGE_END))
      return at;
    depth += *at == DEBYE_MESSAGE_BEGIN ? 1 : *at == DEBYE_MESSAGE_END ? -1 : 0;
  }
  return end;
}

/* Deeper than any message is: a file may hold anything. */
#define DEBYE_MESSAGE_DEPTH 16

/* `kind`: 't' for what is translated, 's' for what isn't; a message within is worded in any case. */
static inline void
debye_message_word(DebyeMessageBuffer *buffer, const char *text, const char *end, char kind,
                   DebyeMessageLookup look_up, int depth)
{
  char pattern[DEBYE_MESSAGE_PATTERN];
  DebyeMessageBuffer worded = {pattern, sizeof pattern, 0};
  if (text == end || *text != DEBYE_MESSAGE_BEGIN || depth == DEBYE_MESSAGE_DEPTH) {
    debye_message_put_known(buffer, text, (size_t)(end - text), kind == 't' ? look_up : NULL);
    return;
  }
  const char *argument = debye_message_find_end(text + 1, end);
  debye_message_put_known(&worded, text + 1, (size_t)(argument - text - 1), look_up);
  debye_message_finish(&worded);
  for (const char *at = pattern; *at != '\0';) {
    const bool is_place = at[0] == '%' && (at[1] == 's' || at[1] == 't');
    if (is_place && argument < end && *argument == DEBYE_MESSAGE_ARGUMENT) {
      const char *next = debye_message_find_end(argument + 1, end);
      debye_message_word(buffer, argument + 1, next, at[1], look_up, depth + 1);
      argument = next;
      at += 2;
    } else {
      debye_message_put(buffer, at++, 1);
    }
  }
}

/* The sentence, in English where `look_up` is NULL; as debye_message_encode. */
static inline size_t
debye_message_decode(char *text, size_t size, const char *message, DebyeMessageLookup look_up)
{
  DebyeMessageBuffer buffer = {text, size, 0};
  debye_message_word(&buffer, message, message + strlen(message), 't', look_up, 0);
  debye_message_finish(&buffer);
  return buffer.length;
}
