/* SPDX-License-Identifier: MIT */
/* Reads how a picture was made from its file (picture_origin.h); called by debye-cli rerun. Of a file no more is read than
 * its texts, each of at most a megabyte. */
#include <string.h>

#include "error.h"
#include "picture_origin.h"
#include "picture_origin_private.h"

#define LARGEST_TEXT ((gsize)1 << 20)
#define SVG_HEAD ((gsize)1 << 18) /* metadata stand near the top */
#define MOST_CHUNKS 1000
#define TIFF_DESCRIPTION 270

/* Exactly so many bytes; NULL: there are fewer. */
static guint8 *
read_bytes(GInputStream *stream, gsize n)
{
  g_autofree guint8 *bytes = n <= LARGEST_TEXT ? g_malloc(n + 1) : NULL;
  gsize n_read = 0;
  if (bytes == NULL || !g_input_stream_read_all(stream, bytes, n, &n_read, NULL, NULL) || n_read != n)
    return NULL;
  bytes[n] = '\0';
  return g_steal_pointer(&bytes);
}

/* --- Bytes that texts can't hold --- */

/* The byte itself in the place of each escape. (transfer full) */
static char *
restore_bytes(const char *text, const char *before, const char *after)
{
  const gsize n = strlen(before);
  GString *plain = g_string_new(NULL);
  while (*text != '\0') {
    const char *digits = g_str_has_prefix(text, before) ? text + n : "";
    const gboolean is_byte =
        g_ascii_isxdigit(digits[0]) && g_ascii_isxdigit(digits[1]) && g_str_has_prefix(digits + 2, after);
    const int byte = is_byte ? g_ascii_xdigit_value(digits[0]) << 4 | g_ascii_xdigit_value(digits[1]) : *text;
    g_string_append_c(plain, (char)byte);
    text = is_byte ? digits + 2 + strlen(after) : text + 1;
  }
  return g_string_free(plain, FALSE);
}

/* --- Lines --- */

/* “SHA256 SIZE PATH”. */
static void
take_input(DebyePictureOrigin *origin, const char *line)
{
  guint64 size;
  g_auto(GStrv) parts = g_strsplit(line, " ", 3);
  if (g_strv_length(parts) != 3 || !g_ascii_string_to_unsigned(parts[1], 10, 0, G_MAXINT64, &size, NULL))
    return;
  g_autofree char *path = restore_bytes(parts[2], DEBYE_ORIGIN_BYTE, "");
  g_ptr_array_add(origin->inputs,
                  debye_input_record_new(path, size, strlen(parts[0]) == 64 ? parts[0] : NULL));
}

static void
take(DebyePictureOrigin *origin, const char *keyword, const char *text)
{
  char **member = strcmp(keyword, DEBYE_ORIGIN_TITLE) == 0     ? &origin->title
                  : strcmp(keyword, DEBYE_ORIGIN_COMMAND) == 0 ? &origin->command
                                                               : NULL;
  if (member != NULL && *member == NULL)
    *member = g_strdup(text);
  g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
  for (char **line = lines; g_str_has_prefix(keyword, DEBYE_ORIGIN_INPUT) && *line != NULL; line++)
    take_input(origin, *line);
}

static void
take_lines(DebyePictureOrigin *origin, const char *text)
{
  g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
  for (char **line = lines; *line != NULL; line++) {
    char *colon = strstr(*line, ": ");
    if (colon == NULL)
      continue;
    *colon = '\0';
    take(origin, g_strstrip(*line), colon + 2);
  }
}

/* --- PNG (ISO 15948) --- */

static guint32
get_32(const guint8 *bytes, gboolean big)
{
  guint32 word;
  memcpy(&word, bytes, sizeof word);
  return big ? GUINT32_FROM_BE(word) : GUINT32_FROM_LE(word);
}

/* iTXt: keyword, 0, whether packed, how, language, 0, keyword in it, 0, text. */
static void
take_chunk(DebyePictureOrigin *origin, const guint8 *bytes, gsize n)
{
  const char *keyword = (const char *)bytes, *end = keyword + n;
  const char *at = memchr(keyword, '\0', n);
  if (at == NULL || end - at < 3 || at[1] != 0)
    return;
  at += 3;
  for (int i = 0; i < 2 && at != NULL && at < end; i++) {
    at = memchr(at, '\0', (gsize)(end - at));
    at = at != NULL ? at + 1 : NULL;
  }
  if (at != NULL && at <= end && g_utf8_validate(at, end - at, NULL))
    take(origin, keyword, at);
}

/* Up to the pixels, before which texts stand. */
static void
read_png(GInputStream *stream, DebyePictureOrigin *origin)
{
  g_autofree guint8 *signature = read_bytes(stream, 8);
  for (int i = 0; signature != NULL && i < MOST_CHUNKS; i++) {
    g_autofree guint8 *head = read_bytes(stream, 8);
    const gsize n = head != NULL ? get_32(head, TRUE) : 0;
    if (head == NULL || memcmp(head + 4, "IDAT", 4) == 0)
      return;
    const gboolean is_text = memcmp(head + 4, "iTXt", 4) == 0 && n <= LARGEST_TEXT;
    g_autofree guint8 *content = is_text ? read_bytes(stream, n) : NULL;
    if (content != NULL)
      take_chunk(origin, content, n);
    const gssize rest = (gssize)(content != NULL ? 0 : n) + 4;
    if (g_input_stream_skip(stream, (gsize)rest, NULL, NULL) != rest)
      return;
  }
}

/* --- TIFF, as data/files/tiff.c writes it: little-endian, one directory --- */

static void
read_tiff(GInputStream *stream, DebyePictureOrigin *origin)
{
  g_autofree guint8 *head = read_bytes(stream, 10);
  const gsize n_entries = head != NULL && memcmp(head, "II*\0\10\0\0\0", 8) == 0 ? head[8] | head[9] << 8 : 0;
  g_autofree guint8 *entries = n_entries > 0 ? read_bytes(stream, 12 * n_entries) : NULL;
  for (gsize i = 0; entries != NULL && i < n_entries; i++) {
    const guint8 *entry = entries + 12 * i;
    const gsize n = get_32(entry + 4, FALSE), at = get_32(entry + 8, FALSE), here = 10 + 12 * n_entries;
    if ((entry[0] | entry[1] << 8) != TIFF_DESCRIPTION || at < here || n > LARGEST_TEXT)
      continue;
    if (g_input_stream_skip(stream, at - here, NULL, NULL) != (gssize)(at - here))
      return;
    g_autofree guint8 *text = read_bytes(stream, n);
    if (text != NULL && g_utf8_validate((const char *)text, -1, NULL))
      take_lines(origin, (const char *)text);
    return;
  }
}

/* --- SVG --- */

/* Of the five that XML has, those that are written. (transfer full) */
static char *
unescape(const char *text, gsize n)
{
  g_autofree char *copy = g_strndup(text, n);
  GString *plain = g_string_new(copy);
  g_string_replace(plain, "&lt;", "<", 0);
  g_string_replace(plain, "&gt;", ">", 0);
  g_string_replace(plain, "&quot;", "\"", 0);
  g_string_replace(plain, "&#39;", "'", 0);
  g_string_replace(plain, "&apos;", "'", 0);
  g_string_replace(plain, "&amp;", "&", 0);
  return g_string_free(plain, FALSE);
}

static void
read_svg(GInputStream *stream, DebyePictureOrigin *origin)
{
  g_autofree char *text = g_malloc(SVG_HEAD + 1);
  gsize n = 0;
  if (!g_input_stream_read_all(stream, text, SVG_HEAD, &n, NULL, NULL))
    return;
  text[n] = '\0';
  const char *begin = strstr(text, DEBYE_ORIGIN_SVG);
  const char *end = begin != NULL ? strstr(begin, "</metadata>") : NULL;
  if (end == NULL)
    return;
  begin += strlen(DEBYE_ORIGIN_SVG);
  g_autofree char *plain = unescape(begin, (gsize)(end - begin));
  if (g_utf8_validate(plain, -1, NULL))
    take_lines(origin, plain);
}

/* --- The command --- */

char **
debye_picture_origin_split_command(const DebyePictureOrigin *self)
{
  char **words = NULL;
  g_autofree char *line = self->command != NULL ? restore_bytes(self->command, DEBYE_ORIGIN_QUOTED_BYTE,
                                                                DEBYE_ORIGIN_QUOTED_BYTE_END)
                                                : NULL;
  return line != NULL && g_shell_parse_argv(line, NULL, &words, NULL) ? words : NULL;
}

/* --- The whole --- */

typedef void (*ReadFunc)(GInputStream *stream, DebyePictureOrigin *origin);

static ReadFunc
find_reader(const char *path)
{
  static const struct {
    const char *suffix;
    ReadFunc read;
  } readers[] = {{".png", read_png}, {".tiff", read_tiff}, {".tif", read_tiff}, {".svg", read_svg}};
  g_autofree char *lower = g_ascii_strdown(path, -1);
  for (gsize i = 0; i < G_N_ELEMENTS(readers); i++)
    if (g_str_has_suffix(lower, readers[i].suffix))
      return readers[i].read;
  return NULL;
}

gboolean
debye_picture_origin_can_read(const char *path)
{
  return find_reader(path) != NULL;
}

DebyePictureOrigin *
debye_picture_origin_read(const char *path, GError **error)
{
  g_autoptr(GFile) file = g_file_new_for_path(path);
  g_autoptr(GFileInputStream) stream = g_file_read(file, NULL, error);
  if (stream == NULL)
    return NULL;
  g_autoptr(DebyePictureOrigin) origin = debye_picture_origin_new(NULL, NULL);
  ReadFunc read = find_reader(path);
  if (read != NULL)
    read(G_INPUT_STREAM(stream), origin);
  if (origin->command != NULL)
    return g_steal_pointer(&origin);
  g_autofree char *name = debye_error_name_file(path);
  debye_error_set(
      error, DEBYE_ERROR_MISSING,
      "%s does not say how it was made: pictures of this program do, unless --no-provenance was given", name);
  return NULL;
}
