/* SPDX-License-Identifier: MIT */
/* Sentences as data (data/message_text.h) and their words: English, which files, scripts and debye-cli have, and the
 * language of the program's text domain, which the window has and debye-cli hasn't. */
#pragma once

#include <glib.h>

/* Marks a text that a message is filled in with, for those who collect what is to be translated. */
#define N_(String) (String)

/* A printf format with its arguments, which may be messages themselves: to be kept, or to fill in another. Free with g_free. */
char *debye_message_new(const char *format, ...) G_GNUC_PRINTF(1, 2);
char *debye_message_new_valist(const char *format, va_list arguments) G_GNUC_PRINTF(1, 0);

/* A message's words; a text that is none is worded as it is, or as the domain has it by itself. Free with g_free. */
char *debye_message_english(const char *message);
char *debye_message_translate(const char *message);

/* The same at once: for what is shown and never kept, such as errors. */
char *debye_say(const char *format, ...) G_GNUC_PRINTF(1, 2);
char *debye_say_valist(const char *format, va_list arguments) G_GNUC_PRINTF(1, 0);
