/* SPDX-License-Identifier: MIT */
/* XDR (RFC 4506), the byte order and widths of GROMACS' binary files: big-endian, multiples of four bytes.
 * Also the two things that XTC and TRR share: vectors and cells in nanometres. */
#pragma once

#include <string.h>

#include <glib.h>

#include "data/geometry.h"

/* Not GUINT32_FROM_BE: with some versions of gcc GLib's is a line of assembler, which no loop over vectors
 * can hold. */
#if G_BYTE_ORDER == G_LITTLE_ENDIAN
#define DEBYE_XDR_SWAP32(word) __builtin_bswap32(word)
#define DEBYE_XDR_SWAP64(word) __builtin_bswap64(word)
#else
#define DEBYE_XDR_SWAP32(word) (word)
#define DEBYE_XDR_SWAP64(word) (word)
#endif

static inline guint32
debye_xdr_get_uint32(const guint8 *bytes)
{
  guint32 word;
  memcpy(&word, bytes, sizeof word);
  return DEBYE_XDR_SWAP32(word);
}

static inline gint32
debye_xdr_get_int32(const guint8 *bytes)
{
  return (gint32)debye_xdr_get_uint32(bytes);
}

static inline guint64
debye_xdr_get_uint64(const guint8 *bytes)
{
  guint64 word;
  memcpy(&word, bytes, sizeof word);
  return DEBYE_XDR_SWAP64(word);
}

static inline float
debye_xdr_get_float(const guint8 *bytes)
{
  guint32 word = debye_xdr_get_uint32(bytes);
  float value;
  memcpy(&value, &word, sizeof value);
  return value;
}

static inline double
debye_xdr_get_double(const guint8 *bytes)
{
  guint64 word = debye_xdr_get_uint64(bytes);
  double value;
  memcpy(&value, &word, sizeof value);
  return value;
}

/* Each returns the place behind what it wrote. */
static inline guint8 *
debye_xdr_put_uint32(guint8 *bytes, guint32 value)
{
  guint32 word = DEBYE_XDR_SWAP32(value);
  memcpy(bytes, &word, sizeof word);
  return bytes + sizeof word;
}

static inline guint8 *
debye_xdr_put_int32(guint8 *bytes, gint32 value)
{
  return debye_xdr_put_uint32(bytes, (guint32)value);
}

static inline guint8 *
debye_xdr_put_uint64(guint8 *bytes, guint64 value)
{
  guint64 word = DEBYE_XDR_SWAP64(value);
  memcpy(bytes, &word, sizeof word);
  return bytes + sizeof word;
}

static inline guint8 *
debye_xdr_put_float(guint8 *bytes, float value)
{
  guint32 word;
  memcpy(&word, &value, sizeof word);
  return debye_xdr_put_uint32(bytes, word);
}

/* `n` vectors of three reals (of `width` bytes, 4 or 8) in nm to Å in three arrays. A float is multiplied by
 * 10 in float, as other programs do, so that coordinates agree with theirs to the last bit. */
void debye_xdr_get_vectors(const guint8 *bytes, gsize n, gsize width, float *x, float *y, float *z);
guint8 *debye_xdr_put_vectors(guint8 *bytes, gsize n, const float *x, const float *y, const float *z);

/* Three edge vectors in nm to a cell in Å. FALSE, and all zero, where they span none. */
gboolean debye_xdr_get_cell(const guint8 *bytes, gsize width, DebyeCell *cell);
/* Always floats; `cell` NULL: zeros. */
guint8 *debye_xdr_put_cell(guint8 *bytes, const DebyeCell *cell);
