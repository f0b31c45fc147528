/* SPDX-License-Identifier: MIT */
/* What TNG's codings share: little-endian numbers, bits of which the highest of a byte comes first, and
 * signed numbers as unsigned ones. What is asked for beyond the end is zero, and is_short then says so. */
#pragma once

#include <glib.h>
#include <string.h>

typedef struct {
  const guint8 *bytes;
  gsize n_bits, at;
  gboolean is_short;
} DebyeTngBits;

typedef struct {
  const guint8 *bytes;
  gsize n_bytes, at;
  gboolean is_short;
} DebyeTngBytes;

/* n of at most 32. */
static inline guint32
debye_tng_read_bits(DebyeTngBits *bits, guint n)
{
  guint64 window = 0;
  gsize byte = bits->at / 8, end = bits->n_bits / 8;
  if (n > bits->n_bits - bits->at) {
    bits->is_short = TRUE;
    return 0;
  }
  if (n == 0)
    return 0;
  if (byte + sizeof window <= end) {
    memcpy(&window, bits->bytes + byte, sizeof window);
    window = GUINT64_FROM_BE(window);
  } else {
    for (guint k = 0; k < sizeof window; k++)
      window = window << 8 | (byte + k < end ? bits->bytes[byte + k] : 0);
  }
  window = window << (bits->at % 8) >> (64 - n);
  bits->at += n;
  return (guint32)window;
}

/* The next n bytes, NULL beyond the end. */
static inline const guint8 *
debye_tng_take(DebyeTngBytes *from, gsize n)
{
  if (n > from->n_bytes - from->at) {
    from->is_short = TRUE;
    return NULL;
  }
  from->at += n;
  return from->bytes + from->at - n;
}

/* A number of 1 to 4 bytes, the lowest first. */
static inline guint32
debye_tng_take_number(DebyeTngBytes *from, guint n)
{
  guint32 number = 0;
  const guint8 *bytes = debye_tng_take(from, n);
  for (guint k = 0; bytes != NULL && k < n; k++)
    number |= (guint32)bytes[k] << (8 * k);
  return number;
}

/* 0, 1, 2, 3, 4 … as 0, 1, -1, 2, -2 … Wraps where a damaged file goes beyond 31 bits. */
static inline gint32
debye_tng_to_signed(guint32 value)
{
  guint32 half = value / 2 + value % 2;
  return (gint32)(value % 2 == 0 ? 0u - half : half);
}

static inline guint32
debye_tng_to_unsigned(gint32 value)
{
  guint32 twice = 2u * (guint32)value;
  return value > 0 ? twice - 1 : 0u - twice;
}

/* Wraps likewise. */
static inline gint32
debye_tng_add(gint32 a, gint32 b)
{
  return (gint32)((guint32)a + (guint32)b);
}
