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
#include <stdint.h>
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
debye_message_put_mark(DebyeMessageBuffer *buffer, char mark)
{
  debye_message_put(buffer, &mark, 1);
}

static inline void
debye_message_finish(DebyeMessageBuffer *buffer)
{
  if (buffer->size > 0)
    buffer->text[buffer->length < buffer->size ? buffer->length : buffer->size - 1] = '\0';
}

/* A conversion of a printf format, from its % to behind its letter. */
typedef struct {
  const char *begin, *end;
  bool is_plain, is_quoted; /* without flags, width or precision; “ before it */
  int n_stars;              /* arguments for width and precision */
  int n_long;               /* l: 1; ll, j, z, t: 2, as wide as 64 bits */
} DebyeMessagePlace;

/* The next from `format` on; its begin is the end of the text where there is none. "%%" is one with the letter %. */
static inline DebyeMessagePlace
debye_message_find_place(const char *format)
{
  DebyeMessagePlace place = {.begin = format + strcspn(format, "%")};
  const char *at = place.begin;
  if (*at == '\0') {
    place.end = at;
    return place;
  }
  const char *options = ++at;
  for (; *at != '\0' && strchr("-+ #0'123456789.*", *at) != NULL; at++)
    place.n_stars += *at == '*';
  place.is_plain = at == options;
  place.is_quoted = place.begin - format >= 3 && memcmp(place.begin - 3, "“", 3) == 0;
  for (; *at != '\0' && strchr("hljzt", *at) != NULL; at++)
    place.n_long += *at == 'l' ? 1 : *at == 'h' ? 0 : 2;
  place.end = *at != '\0' ? at + 1 : at;
  return place;
}

static inline void
debye_message_put_pattern(DebyeMessageBuffer *buffer, const char *format)
{
  while (*format != '\0') {
    const DebyeMessagePlace place = debye_message_find_place(format);
    debye_message_put(buffer, format, (size_t)(place.begin - format));
    if (place.end > place.begin && place.end[-1] == '%')
      debye_message_put_mark(buffer, '%');
    else if (place.end > place.begin)
      debye_message_put(buffer, place.end[-1] == 's' && place.is_plain && !place.is_quoted ? "%t" : "%s", 2);
    format = place.end;
  }
}

/* Marks stay in a whole message; elsewhere nothing may be taken for one. */
static inline void
debye_message_put_argument(DebyeMessageBuffer *buffer, const char *text, size_t length)
{
  const bool is_message =
      length > 1 && text[0] == DEBYE_MESSAGE_BEGIN && text[length - 1] == DEBYE_MESSAGE_END;
  debye_message_put_mark(buffer, DEBYE_MESSAGE_ARGUMENT);
  for (size_t i = 0; i < length; i++) {
    const bool is_mark =
        text[i] == DEBYE_MESSAGE_BEGIN || text[i] == DEBYE_MESSAGE_ARGUMENT || text[i] == DEBYE_MESSAGE_END;
    debye_message_put_mark(buffer, is_mark && !is_message ? '?' : text[i]);
  }
}

/* Longest text of a number; a longer one is cut. */
#define DEBYE_MESSAGE_NUMBER 128

static inline void
debye_message_put_number(DebyeMessageBuffer *buffer, const DebyeMessagePlace *place, const int *stars,
                         va_list *values)
{
  char one[32], text[DEBYE_MESSAGE_NUMBER];
  const size_t length = (size_t)(place->end - place->begin);
  int written = 0;
  snprintf(one, sizeof one, "%.*s", (int)length, place->begin);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  if (strchr("eEfFgGaA", place->end[-1]) != NULL) {
    const double value = va_arg(*values, double);
    written = place->n_stars == 0   ? snprintf(text, sizeof text, one, value)
              : place->n_stars == 1 ? snprintf(text, sizeof text, one, stars[0], value)
                                    : snprintf(text, sizeof text, one, stars[0], stars[1], value);
  } else if (place->n_long > 0) {
    const int64_t value = va_arg(*values, int64_t);
    written = place->n_stars == 0 ? snprintf(text, sizeof text, one, value)
                                  : snprintf(text, sizeof text, one, stars[0], value);
  } else {
    const int value = va_arg(*values, int);
    written = place->n_stars == 0 ? snprintf(text, sizeof text, one, value)
                                  : snprintf(text, sizeof text, one, stars[0], value);
  }
#pragma GCC diagnostic pop
  const size_t n = written > 0 ? (size_t)written : 0;
  debye_message_put_argument(buffer, text, n < sizeof text ? n : sizeof text - 1);
}

static inline int
debye_message_read_width(const DebyeMessagePlace *place, const int *stars)
{
  const char *at = place->begin + 1;
  int width = 0;
  while (strchr("-+ #0'", *at) != NULL)
    at++;
  if (*at == '*')
    return stars[0];
  while (*at >= '0' && *at <= '9')
    width = 10 * width + (*at++ - '0');
  return width;
}

/* Cut as printf does it; "%*s" of nothing, before a caret, is blanks. Other widths are for columns, which messages
 * don't have. */
static inline void
debye_message_put_text(DebyeMessageBuffer *buffer, const DebyeMessagePlace *place, const int *stars,
                       const char *text)
{
  const char *point = memchr(place->begin, '.', (size_t)(place->end - place->begin));
  int most = -1;
  text = text != NULL ? text : "(null)";
  if (point != NULL && point[1] == '*')
    most = stars[place->n_stars - 1];
  else if (point != NULL)
    sscanf(point + 1, "%d", &most);
  if (*text == '\0') {
    debye_message_put_mark(buffer, DEBYE_MESSAGE_ARGUMENT);
    for (int width = debye_message_read_width(place, stars); width > 0; width--)
      debye_message_put_mark(buffer, ' ');
    return;
  }
  const char *end = most >= 0 ? memchr(text, '\0', (size_t)most) : NULL;
  debye_message_put_argument(buffer, text,
                             end != NULL ? (size_t)(end - text)
                             : most >= 0 ? (size_t)most
                                         : strlen(text));
}

static inline void
debye_message_put_arguments(DebyeMessageBuffer *buffer, const char *format, va_list *values)
{
  for (;;) {
    const DebyeMessagePlace place = debye_message_find_place(format);
    int stars[2] = {0};
    if (place.end == place.begin)
      return;
    format = place.end;
    if (place.end[-1] == '%')
      continue;
    for (int i = 0; i < place.n_stars && i < 2; i++)
      stars[i] = va_arg(*values, int);
    if (place.end[-1] == 's')
      debye_message_put_text(buffer, &place, stars, va_arg(*values, const char *));
    else
      debye_message_put_number(buffer, &place, stars, values);
  }
}

/* The message of a printf format, in at most `size` bytes with the NUL at its end; how long it is without. What
 * is cut is of no use. */
static inline size_t
debye_message_encode(char *text, size_t size, const char *format, va_list arguments)
{
  DebyeMessageBuffer buffer = {text, size, 0};
  va_list values;
  va_copy(values, arguments);
  debye_message_put_mark(&buffer, DEBYE_MESSAGE_BEGIN);
  debye_message_put_pattern(&buffer, format);
  debye_message_put_arguments(&buffer, format, &values);
  debye_message_put_mark(&buffer, DEBYE_MESSAGE_END);
  va_end(values);
  debye_message_finish(&buffer);
  return buffer.length;
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
      debye_message_put_mark(buffer, *at++);
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
