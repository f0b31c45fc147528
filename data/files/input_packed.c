/* SPDX-License-Identifier: MIT */
/* Decompresses gzip files into unnamed temporary files; used by input.c. */
#include "input_packed.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "error.h"
#include "input_private.h"

/* Structure text compresses 3 to 20 times, maps of mostly zero 100 times; deflate could 1,032 times. */
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

/* One gzip file being undone, which may hold several members one after the other (as bgzip and `cat` make
 * them). */
typedef struct {
  DebyeInput *input;
  GZlibDecompressor *decompressor;
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
  if (n < 0) {
    debye_input_set_system_error(e->input, error, "can't be read", errno);
    return FALSE;
  }
  e->at_end = (gsize)n < sizeof e->in - e->end;
  e->end += (gsize)n;
  e->read_offset += (guint64)n;
  return TRUE;
}

static gboolean
expansion_store(Expansion *e, gsize n, GError **error)
{
  e->written += n;
  if (e->written > e->limit) {
    debye_input_set_error(e->input, error, DEBYE_ERROR_LIMIT,
                          "unpacks to more than %" G_GUINT64_FORMAT
                          " bytes: expected less than %llu times its size",
                          e->limit, EXPANSION_FACTOR);
    return FALSE;
  }
  if (!write_all(e->target, e->out, n)) {
    debye_input_set_system_error(e->input, error, "no room for unpacking it in the temporary folder", errno);
    return FALSE;
  }
  return TRUE;
}

/* After a member: another one, or the end (bytes that are no gzip are padding, as gzip itself takes them). */
static gboolean
expansion_has_next_member(Expansion *e)
{
  if (e->end - e->begin < 2 || e->in[e->begin] != 0x1f || e->in[e->begin + 1] != 0x8b)
    return FALSE;
  g_converter_reset(G_CONVERTER(e->decompressor));
  return TRUE;
}

static gboolean
expansion_run(Expansion *e, GError **error)
{
  for (;;) {
    if (!e->at_end && e->end - e->begin < sizeof e->in / 2 && !expansion_fill(e, error))
      return FALSE;
    gsize used = 0, made = 0;
    g_autoptr(GError) local = NULL;
    GConverterResult result = g_converter_convert(
        G_CONVERTER(e->decompressor), e->in + e->begin, e->end - e->begin, e->out, sizeof e->out,
        e->at_end ? G_CONVERTER_INPUT_AT_END : G_CONVERTER_NO_FLAGS, &used, &made, &local);
    if (result == G_CONVERTER_ERROR) {
      gboolean cut = g_error_matches(local, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT);
      debye_input_set_error(e->input, error, cut ? DEBYE_ERROR_TRUNCATED : DEBYE_ERROR_SYNTAX,
                            "gzip data broken after %" G_GUINT64_FORMAT " unpacked bytes: %s", e->written,
                            cut ? "the file ends too early" : local->message);
      return FALSE;
    }
    e->begin += used;
    if (!expansion_store(e, made, error))
      return FALSE;
    if (result == G_CONVERTER_FINISHED && !expansion_has_next_member(e))
      return TRUE;
  }
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
debye_unpacked_make(DebyeInput *input, GError **error)
{
  g_autoptr(GZlibDecompressor) decompressor = g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  g_autofree Expansion *e = g_new0(Expansion, 1);
  g_autoptr(GError) local = NULL;
  e->input = input;
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

/* Whose last user that was. */
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
