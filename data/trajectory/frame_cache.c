/* SPDX-License-Identifier: MIT */
/* Loads and stores frame indexes for trajectory.c. The cache file has a header with what it was made of, then
 * the offsets and the warnings, in this machine's byte order; the checksum tells a foreign one as it tells a
 * broken one. */
#include "frame_cache.h"
#include "data/files/replace_file.h"

#include <string.h>

#include <glib/gstdio.h>

#define MAGIC "DebyeIdx"
/* To be raised with every change of what a format's index means. */
#define VERSION 4
/* Bytes from the content's ends that tell a file from another one of its size and time. */
#define FINGERPRINT_BYTES 4096

typedef struct {
  char magic[8];
  guint64 version;
  guint64 disk_size; /* of the trajectory */
  gint64 modified;
  guint64 content_size;
  guint64 fingerprint;
  char format[16];
  guint64 n_atoms;
  guint64 has_odd_frames, known_atoms;
  double first_time, last_time, time_step;
  guint64 first_line;
  guint64 n_frames;
  guint64 warning_bytes; /* NUL after each */
  guint64 checksum;      /* of this head with 0 here, the offsets and the warnings */
} Head;

char *
debye_frame_cache_get_path_beside(const char *path)
{
  g_autofree char *folder = g_path_get_dirname(path);
  g_autofree char *base = g_path_get_basename(path);
  g_autofree char *name = g_strdup_printf(".%s.debye-index", base);
  return g_build_filename(folder, name, NULL);
}

char *
debye_frame_cache_get_path_of_user(const char *path)
{
  g_autofree char *absolute = g_canonicalize_filename(path, NULL);
  g_autofree char *sum = g_compute_checksum_for_string(G_CHECKSUM_SHA256, absolute, -1);
  g_autofree char *name = g_strconcat(sum, ".index", NULL);
  return g_build_filename(g_get_user_cache_dir(), "debye", name, NULL);
}

/* Against accidents, not against attackers: a word at a time, because millions of offsets are read on
 * opening. */
static guint64
add_to_checksum(guint64 sum, gconstpointer data, gsize n)
{
  const guint8 *bytes = data;
  for (gsize i = 0; i < n; i += 8) {
    guint64 word = 0;
    memcpy(&word, bytes + i, MIN(n - i, 8));
    sum = (sum ^ word) * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
    sum ^= sum >> 29;
  }
  return sum ^ n;
}

static guint64
make_checksum(const Head *head, const guint64 *offsets, const char *warnings)
{
  Head copy = *head;
  copy.checksum = 0;
  guint64 sum = add_to_checksum(0, &copy, sizeof copy);
  sum = add_to_checksum(sum, offsets, head->n_frames * sizeof *offsets);
  return add_to_checksum(sum, warnings, head->warning_bytes);
}

/* What can't be read adds nothing; the file is never small. */
static guint64
make_fingerprint(DebyeInput *input)
{
  guint8 bytes[FINGERPRINT_BYTES];
  guint64 sum = 0;
  const guint64 offsets[2] = {0, debye_input_get_size(input) - FINGERPRINT_BYTES};
  for (int i = 0; i < 2; i++)
    if (debye_input_read(input, offsets[i], bytes, sizeof bytes, NULL))
      sum = add_to_checksum(sum, bytes, sizeof bytes);
  return sum;
}

static Head
make_head(DebyeInput *input, const DebyeFormat *format)
{
  Head head = {.version = VERSION,
               .disk_size = debye_input_get_disk_size(input),
               .modified = debye_input_get_mtime(input),
               .content_size = debye_input_get_size(input),
               .fingerprint = make_fingerprint(input)};
  memcpy(head.magic, MAGIC, sizeof head.magic);
  g_strlcpy(head.format, format->name, sizeof head.format);
  return head;
}

/* Everything in the head that must be just so, before any of it is used. */
static gboolean
head_fits(const Head *head, const Head *expected, guint64 cache_size)
{
  gsize fixed = G_STRUCT_OFFSET(Head, n_atoms);
  if (memcmp(head, expected, fixed) != 0 || cache_size < sizeof *head)
    return FALSE;
  guint64 rest = cache_size - sizeof *head;
  /* Four atoms a byte are more than any format packs. */
  return head->n_frames > 0 && head->n_frames <= rest / sizeof(guint64) && head->n_frames < G_MAXUINT &&
         head->warning_bytes == rest - head->n_frames * sizeof(guint64) && head->n_atoms > 0 &&
         head->n_atoms / 4 <= head->content_size;
}

static gboolean
offsets_fit(const Head *head, const guint64 *offsets)
{
  for (guint64 i = 1; i < head->n_frames; i++)
    if (offsets[i] <= offsets[i - 1])
      return FALSE;
  return offsets[head->n_frames - 1] < head->content_size;
}

static void
take_warnings(DebyeFrameIndex *index, const char *warnings, gsize n)
{
  for (gsize at = 0; at < n; at += strlen(warnings + at) + 1)
    g_ptr_array_add(index->warnings, g_strdup(warnings + at));
}

static DebyeFrameIndex *
load_from(const char *path, const Head *expected)
{
  g_autoptr(DebyeInput) cache = debye_input_open(path, NULL);
  Head head;
  if (!cache || !debye_input_read(cache, 0, &head, sizeof head, NULL) ||
      !head_fits(&head, expected, debye_input_get_size(cache)))
    return NULL;
  g_autoptr(DebyeFrameIndex) index = debye_frame_index_new();
  gsize offset_bytes = head.n_frames * sizeof(guint64);
  g_array_set_size(index->offsets, (guint)head.n_frames);
  guint64 *offsets = (guint64 *)(gpointer)index->offsets->data;
  g_autofree char *warnings = g_malloc0(head.warning_bytes + 1);
  if (!debye_input_read(cache, sizeof head, offsets, offset_bytes, NULL) ||
      !debye_input_read(cache, sizeof head + offset_bytes, warnings, head.warning_bytes, NULL) ||
      make_checksum(&head, offsets, warnings) != head.checksum || !offsets_fit(&head, offsets))
    return NULL;
  index->n_atoms = head.n_atoms;
  index->has_odd_frames = head.has_odd_frames != 0;
  index->known_atoms = head.known_atoms;
  index->first_time = head.first_time;
  index->last_time = head.last_time;
  index->time_step = head.time_step;
  index->first_line = head.first_line;
  take_warnings(index, warnings, head.warning_bytes);
  return g_steal_pointer(&index);
}

DebyeFrameIndex *
debye_frame_cache_load(DebyeInput *input, const DebyeFormat *format)
{
  if (debye_input_get_size(input) < DEBYE_FRAME_CACHE_MINIMUM)
    return NULL;
  const char *path = debye_input_get_path(input);
  Head expected = make_head(input, format);
  g_autofree char *beside = debye_frame_cache_get_path_beside(path);
  g_autofree char *of_user = debye_frame_cache_get_path_of_user(path);
  DebyeFrameIndex *index = load_from(beside, &expected);
  return index ? index : load_from(of_user, &expected);
}

static gboolean
store_to(const char *path, const Head *head, const DebyeFrameIndex *index, const char *warnings)
{
  g_autoptr(DebyeReplaceFile) file = debye_replace_file_new(path, NULL);
  if (!file)
    return FALSE;
  GOutputStream *stream = debye_replace_file_get_stream(file);
  gsize offset_bytes = head->n_frames * sizeof(guint64);
  if (!g_output_stream_write_all(stream, head, sizeof *head, NULL, NULL, NULL) ||
      !g_output_stream_write_all(stream, index->offsets->data, offset_bytes, NULL, NULL, NULL) ||
      !g_output_stream_write_all(stream, warnings, head->warning_bytes, NULL, NULL, NULL))
    return FALSE;
  return debye_replace_file_commit(g_steal_pointer(&file), NULL);
}

/* By the mode and not by trying: root may write into a folder that is read-only on purpose. */
static gboolean
may_write_beside(const char *path)
{
  g_autofree char *folder = g_path_get_dirname(path);
  GStatBuf status;
  return g_stat(folder, &status) == 0 && (status.st_mode & 0222) != 0;
}

void
debye_frame_cache_store(DebyeInput *input, const DebyeFormat *format, const DebyeFrameIndex *index)
{
  if (debye_input_get_size(input) < DEBYE_FRAME_CACHE_MINIMUM || index->offsets->len == 0)
    return;
  const char *path = debye_input_get_path(input);
  g_autoptr(GString) warnings = g_string_new(NULL);
  for (guint i = 0; i < index->warnings->len; i++) {
    const char *warning = g_ptr_array_index(index->warnings, i);
    g_string_append_len(warnings, warning, (gssize)strlen(warning) + 1);
  }
  Head head = make_head(input, format);
  head.n_atoms = index->n_atoms;
  head.has_odd_frames = index->has_odd_frames;
  head.known_atoms = index->known_atoms;
  head.first_time = index->first_time;
  head.last_time = index->last_time;
  head.time_step = index->time_step;
  head.first_line = index->first_line;
  head.n_frames = index->offsets->len;
  head.warning_bytes = warnings->len;
  head.checksum = make_checksum(&head, (const guint64 *)(gconstpointer)index->offsets->data, warnings->str);
  g_autofree char *beside = debye_frame_cache_get_path_beside(path);
  if (may_write_beside(path) && store_to(beside, &head, index, warnings->str))
    return;
  g_autofree char *of_user = debye_frame_cache_get_path_of_user(path);
  g_autofree char *folder = g_path_get_dirname(of_user);
  if (g_mkdir_with_parents(folder, 0700) == 0)
    store_to(of_user, &head, index, warnings->str);
}
