/* SPDX-License-Identifier: MIT */
/* Implementation of tiff.h (TIFF 6.0, Adobe 1992): one directory, then one strip; called by those who save pictures. */
#include "tiff.h"

#include <string.h>

#include "error.h"

#define HEADER 8 /* bytes */
#define ENTRY 12
#define N_ENTRIES 14
#define DIRECTORY (2 + N_ENTRIES * ENTRY + 4)
#define LISTS (HEADER + DIRECTORY) /* where what is longer than four bytes begins */
#define RESOLUTION (LISTS + 8)     /* behind four numbers of bits */
#define DESCRIPTION (RESOLUTION + 8)

enum { ASCII = 2, SHORT = 3, LONG = 4, RATIONAL = 5 };

static void
put_16(GByteArray *bytes, guint16 number)
{
  const guint16 little = GUINT16_TO_LE(number);
  g_byte_array_append(bytes, (const guint8 *)&little, sizeof little);
}

static void
put_32(GByteArray *bytes, guint32 number)
{
  const guint32 little = GUINT32_TO_LE(number);
  g_byte_array_append(bytes, (const guint8 *)&little, sizeof little);
}

/* A short value stands at the left of its four bytes, which is where a little-endian long has it. */
static void
put_entry(GByteArray *bytes, guint16 tag, guint16 type, guint32 count, guint32 value)
{
  put_16(bytes, tag);
  put_16(bytes, type);
  put_32(bytes, count);
  put_32(bytes, value);
}

/* With the zero at its end, and even, as what follows begins at a word. */
static guint32
room_of(const char *description)
{
  return description != NULL ? ((guint32)strlen(description) + 2) & ~1u : 0;
}

static void
put_head(GByteArray *bytes, int width, int height, int n_channels, double dpi, const char *description)
{
  const guint32 channels = (guint32)n_channels, room = room_of(description);
  g_byte_array_append(bytes, (const guint8 *)"II*\0", 4);
  put_32(bytes, HEADER);
  put_16(bytes, (guint16)(N_ENTRIES - (n_channels > 3 ? 0 : 1) - (room > 0 ? 0 : 1)));
  put_entry(bytes, 256, LONG, 1, (guint32)width);
  put_entry(bytes, 257, LONG, 1, (guint32)height);
  put_entry(bytes, 258, SHORT, channels, LISTS); /* bits a sample */
  put_entry(bytes, 259, SHORT, 1, 1);            /* not packed */
  put_entry(bytes, 262, SHORT, 1, 2);            /* red, green, blue */
  if (room > 0)
    put_entry(bytes, 270, ASCII, (guint32)strlen(description) + 1, DESCRIPTION);
  put_entry(bytes, 273, LONG, 1, DESCRIPTION + room);
  put_entry(bytes, 277, SHORT, 1, channels);
  put_entry(bytes, 278, LONG, 1, (guint32)height); /* rows of the strip */
  put_entry(bytes, 279, LONG, 1, (guint32)width * (guint32)height * channels);
  put_entry(bytes, 282, RATIONAL, 1, RESOLUTION);
  put_entry(bytes, 283, RATIONAL, 1, RESOLUTION);
  put_entry(bytes, 296, SHORT, 1, 2); /* an inch */
  if (n_channels > 3)
    put_entry(bytes, 338, SHORT, 1, 2); /* straight opacity */
  put_32(bytes, 0);                     /* no other directory */
  while (bytes->len < LISTS)            /* where a directory has room for more */
    put_16(bytes, 0);
  for (int i = 0; i < 4; i++)
    put_16(bytes, 8);
  put_32(bytes, (guint32)(1000.0 * dpi + 0.5));
  put_32(bytes, 1000);
  if (room == 0)
    return;
  g_byte_array_append(bytes, (const guint8 *)description, (guint)strlen(description));
  g_byte_array_append(bytes, (const guint8 *)"\0", room - (guint)strlen(description));
}

gboolean
debye_tiff_save(const guint8 *pixels, int width, int height, int n_channels, double dpi,
                const char *description, GOutputStream *stream, GError **error)
{
  const guint64 n_bytes = (guint64)width * (guint64)height * (guint64)n_channels;
  if (n_bytes > G_MAXUINT32 - DESCRIPTION - room_of(description))
    return debye_error_set(error, DEBYE_ERROR_WRITE,
                           "a TIFF has at most 4 GB, and a picture of %d × %d pixels is larger: write a .png",
                           width, height);
  g_autoptr(GByteArray) head = g_byte_array_new();
  put_head(head, width, height, n_channels, dpi, description);
  return g_output_stream_write_all(stream, head->data, head->len, NULL, NULL, error) &&
         g_output_stream_write_all(stream, pixels, n_bytes, NULL, NULL, error);
}
