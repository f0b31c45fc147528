/* SPDX-License-Identifier: MIT */
/* Numbers and sizes as a person reads them, with a dot in every locale. */
#pragma once

#include "data/messages/count_text.h"

/* Up to `digits` significant digits, a true minus sign; "–" for NAN. */
char *debye_number_text(double value, int digits);
/* The same to be read alone, not typed again: with "−1.018 × 10⁴" in place of "−1.018e+04". */
char *debye_number_sentence(double value, int digits);
/* Whether the locale or the language has one. */
gboolean debye_number_has_decimal_comma(void);
/* A number as it is typed, with a dot: where the locale or the language has a decimal comma, its only comma, if
 * there is no dot, is one. Free with g_free. */
char *debye_number_with_dot(const char *text);
/* Numbers as they are typed, with dots, and commas between them. With semicolons between them (or colons, in a
 * range) commas are decimal ones as above; else they part the numbers, in every language. Free with g_free. */
char *debye_numbers_with_dots(const char *text);
/* What a person types: a decimal comma where the locale has one, blanks around it and a true minus sign are
 * fine. FALSE where it is no finite number. */
gboolean debye_number_parse(const char *text, double *value);
/* "64 B", "2.4 MB": powers of 1000. */
char *debye_size_text(guint64 bytes);
/* "0.8 s", "12 s", "3 min 20 s", "2 h 5 min". */
char *debye_duration_text(double seconds);
/* With a capital letter first, but for a symbol such as q²: texts that are worded for a command line begin a sentence here. */
char *debye_sentence_case(const char *text);
/* The same of a text whose first word may be a file's name, a setting or a symbol, which stay as they are. */
char *debye_remark_case(const char *text);
