/* SPDX-License-Identifier: MIT */
/* Counts and negative numbers as a person reads them, in the window's sentences and in titles. */
#pragma once

#include <glib.h>

/* "12,345"; with the language's own mark between thousands. Free with g_free. */
char *debye_count_text(guint64 count);
/* With its whole numbers of four digits and more as debye_count_text has them: a sentence from elsewhere. Free with g_free. */
char *debye_group_digits(const char *text);
/* The sentence with true minus signs: “−2 e” for "-2 e". Files, scripts and debye-cli have hyphens. What is quoted, a
 * selection or a name, stays as it was typed. Free with g_free. */
char *debye_true_minus_text(const char *sentence);
