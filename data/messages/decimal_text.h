/* SPDX-License-Identifier: MIT */
/* A number as text with a decimal point in every locale, for sentences that take several at a time. */
#pragma once

#include <glib.h>

typedef struct {
  char text[G_ASCII_DTOSTR_BUF_SIZE];
} DebyeDecimalText;

/* `format` is printf's for one double: "%.6g". Returns the text, which lies in *number. */
static inline const char *
debye_decimal_text_format(DebyeDecimalText *number, const char *format, double value)
{
  return g_ascii_formatd(number->text, sizeof number->text, format, value);
}
