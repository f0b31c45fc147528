/* SPDX-License-Identifier: MIT */
/* Long numbers of 32-bit words, the lowest first, and their digits in any base; used by tng_xtc2.c and tng_xtc3.c. */
#pragma once

#include <glib.h>

/* Divides in place and gives the rest. Words that become zero at the end are no longer counted. */
static inline guint32
debye_tng_divide(guint32 *words, gsize *n_words, guint32 base)
{
  guint64 rest = 0;
  for (gsize k = *n_words; k-- > 0;) {
    rest = rest << 32 | words[k];
    words[k] = (guint32)(rest / base);
    rest %= base;
  }
  while (*n_words > 0 && words[*n_words - 1] == 0)
    --*n_words;
  return (guint32)rest;
}

/* The n lowest digits in one base, the last one first; digit k goes to digits[k * stride]. As many at a time
 * as their product fits into a word: long divisions are what takes time. */
static inline void
debye_tng_take_digits(guint32 *words, gsize n_words, guint32 base, guint32 *digits, gsize n, gsize stride)
{
  guint64 product = base;
  gsize n_together = 1;
  while (product * base <= G_MAXUINT32 && n_together < n) {
    product *= base;
    n_together++;
  }
  for (gsize k = n; k > 0;) {
    guint32 rest = debye_tng_divide(words, &n_words, (guint32)product);
    for (gsize i = 0; i < n_together && k > 0; i++, rest /= base)
      digits[--k * stride] = rest % base;
  }
}
