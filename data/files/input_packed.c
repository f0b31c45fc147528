/* SPDX-License-Identifier: MIT */
/* Decompresses files of gzip, bzip2 and xz into unnamed temporary files; used by input.c. */
#include "input_packed.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "decompressors.h"
#include "error.h"
#include "input_private.h"

/* Structure text compresses 3 to 20 times, maps of mostly zero 100 times; deflate could 1,032 times, bzip2 and
 * xz many thousand times. */
#define EXPANSION_FREE (64ull << 20)
#define EXPANSION_FACTOR 200ull
#define EXPANSION_BLOCK 65536

/* An unlinked file: nothing is left behind, however the program ends. */
static int
open_unlinked(GError **error)
{
  g_autofree char *name = NULL;
  int fd = g_file_open_tmp("debye-XXXXXX", &name, error);
  if (fd >= 0)
    unlink(name);
  return fd;
}

static gboolean
write_all(int fd, const guint8 *bytes, gsize n)
{
  while (n > 0) {
    gssize written = write(fd, bytes, n);
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return FALSE;
    bytes += written;
    n -= (gsize)written;
  }
  return TRUE;
}

/* --- Packings --- */

struct _DebyePacking {
  const char *name, *ending;
  gsize n_magic;
  gboolean (*is_magic)(const guint8 *head); /* of n_magic bytes */
  GConverter *(*make_decompressor)(void);
  /* What may stand between one stream and the next; bytes that begin no stream are padding otherwise. */
  gboolean has_zero_padding;
};

static gboolean
is_gzip(const guint8 *head)
{
  return head[0] == 0x1f && head[1] == 0x8b;
}

/* "BZh", the size of the blocks, and the first digits of π, or of its root where there is no block: a text could
 * begin with the four letters. */
static gboolean
is_bzip2(const guint8 *head)
{
  return memcmp(head, "BZh", 3) == 0 && head[3] >= '1' && head[3] <= '9' &&
         (memcmp(head + 4, "\x31\x41\x59\x26\x53\x59", 6) == 0 ||
          memcmp(head + 4, "\x17\x72\x45\x38\x50\x90", 6) == 0);
}

static gboolean
is_xz(const guint8 *head)
{
  return memcmp(head,
                "\xfd"
                "7zXZ",
                6) == 0;
}

static GConverter *
make_gzip_decompressor(void)
{
  return G_CONVERTER(g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP));
}

static const DebyePacking packings[] = {
    {"gzip", ".gz", 2, is_gzip, make_gzip_decompressor, FALSE},
    {"bzip2", ".bz2", DEBYE_PACKED_HEAD, is_bzip2, debye_bzip2_decompressor_new, FALSE},
    {"xz", ".xz", 6, is_xz, debye_xz_decompressor_new, TRUE},
};

const DebyePacking *
debye_packing_find(const guint8 *head, gsize n)
{
  for (gsize k = 0; k < G_N_ELEMENTS(packings); k++)
    if (n >= packings[k].n_magic && packings[k].is_magic(head))
      return &packings[k];
  return NULL;
}

void
debye_packing_strip_ending(char *name)
{
  gsize n = strlen(name);
  for (gsize k = 0; k < G_N_ELEMENTS(packings); k++) {
    gsize n_ending = strlen(packings[k].ending);
    if (n > n_ending && g_ascii_strcasecmp(name + n - n_ending, packings[k].ending) == 0) {
      name[n - n_ending] = '\0';
      return;
    }
  }
}

/* --- Unpacking --- */

/* One file being undone, which may hold several streams one after the other (as bgzip, pbzip2, pixz and `cat`
 * make them). */
typedef struct {
  DebyeInput *input;
  const DebyePacking *packing;
  GConverter *decompressor;
  int target;
  guint64 read_offset;
  guint64 written;
  guint64 limit;
  guint8 in[EXPANSION_BLOCK];
  guint8 out[EXPANSION_BLOCK];
  gsize begin, end; /* in `in` */
  gboolean at_end;  /* of the file */
} Expansion;

static gboolean
expansion_fill(Expansion *e, GError **error)
{
  if (!debye_input_goes_on(e->input, e->read_offset))
    return debye_input_set_stopped(e->input, error);
  memmove(e->in, e->in + e->begin, e->end - e->begin);
  e->end -= e->begin;
  e->begin = 0;
  gssize n = debye_input_read_descriptor(debye_input_get_descriptor(e->input), e->read_offset, e->in + e->end,
                                         sizeof e->in - e->end);
  if (n < 0)
    return debye_input_set_system_error(e->input, error, "can't be read", errno);
  e->at_end = (gsize)n < sizeof e->in - e->end;
  e->end += (gsize)n;
  e->read_offset += (guint64)n;
  return TRUE;
}

static gboolean
expansion_store(Expansion *e, gsize n, GError **error)
{
  e->written += n;
  if (e->written > e->limit)
    return debye_input_set_error(e->input, error, DEBYE_ERROR_LIMIT,
                                 "unpacks to more than %" G_GUINT64_FORMAT " bytes: expected less than %llu "
                                 "times its size",
                                 e->limit, EXPANSION_FACTOR);
  if (!write_all(e->target, e->out, n))
    return debye_input_set_system_error(e->input, error, "the temporary folder has no space to unpack it",
                                        errno);
  return TRUE;
}

/* What stands behind a stream, at least as much as tells of another one. */
static gboolean
expansion_look_on(Expansion *e, GError **error)
{
  do {
    while (e->packing->has_zero_padding && e->begin < e->end && e->in[e->begin] == 0)
      e->begin++;
    if (e->at_end || e->end - e->begin >= e->packing->n_magic)
      return TRUE;
  } while (expansion_fill(e, error));
  return FALSE;
}

/* After a stream: another one, or the end (bytes that begin none are padding, as gzip and bzip2 take them). */
static gboolean
expansion_begin_next(Expansion *e, gboolean *goes_on, GError **error)
{
  if (!expansion_look_on(e, error))
    return FALSE;
  *goes_on = e->end - e->begin >= e->packing->n_magic && e->packing->is_magic(e->in + e->begin);
  if (*goes_on)
    g_converter_reset(e->decompressor);
  if (*goes_on || e->begin == e->end || !e->packing->has_zero_padding)
    return TRUE;
  return debye_input_set_error(e->input, error, DEBYE_ERROR_SYNTAX,
                               "%s data broken after %" G_GUINT64_FORMAT " unpacked bytes: expected another "
                               "stream or the end",
                               e->packing->name, e->written);
}

/* What the library says is broken, as an error of the file. Always FALSE. */
static gboolean
expansion_set_error(const Expansion *e, const GError *problem, GError **error)
{
  gboolean is_cut = g_error_matches(problem, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT);
  if (g_error_matches(problem, G_IO_ERROR, G_IO_ERROR_NO_SPACE))
    debye_input_set_error(e->input, error, DEBYE_ERROR_LIMIT,
                          "expected xz data that %d MiB of memory can unpack, found some that need more",
                          DEBYE_XZ_MEMORY);
  else
    debye_input_set_error(e->input, error, is_cut ? DEBYE_ERROR_TRUNCATED : DEBYE_ERROR_SYNTAX,
                          "%s data broken after %" G_GUINT64_FORMAT " unpacked bytes: %s", e->packing->name,
                          e->written, is_cut ? "the file ends too early" : problem->message);
  return FALSE;
}

static gboolean
expansion_run(Expansion *e, GError **error)
{
  gboolean goes_on = TRUE;
  while (goes_on) {
    if (!e->at_end && e->end - e->begin < sizeof e->in / 2 && !expansion_fill(e, error))
      return FALSE;
    gsize used = 0, made = 0;
    g_autoptr(GError) local = NULL;
    GConverterResult result = g_converter_convert(
        e->decompressor, e->in + e->begin, e->end - e->begin, e->out, sizeof e->out,
        e->at_end ? G_CONVERTER_INPUT_AT_END : G_CONVERTER_NO_FLAGS, &used, &made, &local);
    if (result == G_CONVERTER_ERROR)
      return expansion_set_error(e, local, error);
    e->begin += used;
    if (!expansion_store(e, made, error))
      return FALSE;
    if (result == G_CONVERTER_FINISHED && !expansion_begin_next(e, &goes_on, error))
      return FALSE;
  }
  return TRUE;
}

/* --- Sharing --- */

static GMutex lock;
static GList *all; /* DebyeUnpacked, those with users */

static gboolean
is_of(const DebyeUnpacked *self, const DebyeInput *input)
{
  DebyeFileIdentity identity = debye_input_get_identity(input);
  return self->identity.device == identity.device && self->identity.number == identity.number &&
         self->packed_size == debye_input_get_disk_size(input) && self->mtime == debye_input_get_mtime(input);
}

DebyeUnpacked *
debye_unpacked_find(const DebyeInput *input)
{
  g_autoptr(GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new(&lock);
  for (GList *item = all; item != NULL; item = item->next) {
    DebyeUnpacked *found = item->data;
    if (is_of(found, input)) {
      found->n_users++;
      return found;
    }
  }
  return NULL;
}

DebyeUnpacked *
debye_unpacked_make(DebyeInput *input, const DebyePacking *packing, GError **error)
{
  g_autoptr(GConverter) decompressor = packing->make_decompressor();
  g_autofree Expansion *e = g_new0(Expansion, 1);
  g_autoptr(GError) local = NULL;
  e->input = input;
  e->packing = packing;
  e->decompressor = decompressor;
  e->limit = EXPANSION_FREE + EXPANSION_FACTOR * debye_input_get_disk_size(input);
  e->target = open_unlinked(&local);
  if (e->target < 0) {
    debye_input_set_error(input, error, DEBYE_ERROR_OPEN, "can't be unpacked: %s", local->message);
    return NULL;
  }
  if (!expansion_run(e, error)) {
    close(e->target);
    return NULL;
  }
  DebyeUnpacked *self = g_new(DebyeUnpacked, 1);
  *self = (DebyeUnpacked){.fd = e->target,
                          .size = e->written,
                          .n_users = 1,
                          .identity = debye_input_get_identity(input),
                          .packed_size = debye_input_get_disk_size(input),
                          .mtime = debye_input_get_mtime(input)};
  g_autoptr(GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new(&lock);
  all = g_list_prepend(all, self);
  return self;
}

/* TRUE if this was the last user. */
static gboolean
leave(DebyeUnpacked *self)
{
  g_autoptr(GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new(&lock);
  if (--self->n_users > 0)
    return FALSE;
  all = g_list_remove(all, self);
  return TRUE;
}

/* Letting go of a large file takes a disk seconds, for which nobody else waits. */
void
debye_unpacked_unref(DebyeUnpacked *self)
{
  if (!leave(self))
    return;
  close(self->fd);
  g_free(self);
}
