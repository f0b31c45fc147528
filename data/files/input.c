/* SPDX-License-Identifier: MIT */
/* Reads a file at any offset; the base of all readers. It uses pread and a window, no mapping: on a mapped
 * file a writer that truncates it, or a network drive that goes away, would be a signal instead of an error
 * (but see input_view.c). */
#include "error.h"
#include "input_private.h"
#include "data/messages/message.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/* From here a call of the system costs less than copying out of the window. */
#define PARTS_MINIMUM 131072

gboolean
debye_input_set_error(const DebyeInput *input, GError **error, int code, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  g_autofree char *text = debye_message_new_valist(format, arguments);
  va_end(arguments);
  return debye_error_set_of_file(error, (DebyeError)code, input->name, "%s", text);
}

gboolean
debye_input_set_changed(const DebyeInput *input, GError **error)
{
  return debye_input_set_error(input, error, DEBYE_ERROR_MISMATCH,
                               "expected the file that was opened, found it changed since");
}

gboolean
debye_input_set_stopped(const DebyeInput *input, GError **error)
{
  g_autofree char *words = debye_say("%s: opening was stopped", input->name);
  g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_CANCELLED, words);
  return FALSE;
}

gboolean
debye_input_set_system_error(const DebyeInput *input, GError **error, const char *what, int number)
{
  return debye_input_set_error(input, error, DEBYE_ERROR_OPEN, "%s: %s", what, g_strerror(number));
}

static gboolean
set_refusal(const DebyeInput *input, GError **error)
{
  g_autofree char *what = debye_message_new("can't be read at byte %" G_GUINT64_FORMAT, input->refused_at);
  return debye_input_set_system_error(input, error, what, input->refusal);
}

gboolean
debye_input_set_read_error(DebyeInput *input, GError **error, guint64 offset)
{
  input->refusal = errno;
  input->refused_at = offset;
  return set_refusal(input, error);
}

static gboolean
set_truncated(const DebyeInput *input, GError **error, guint64 offset, gsize expected, gsize got)
{
  return debye_input_set_error(input, error, DEBYE_ERROR_TRUNCATED,
                               "the file ends at byte %" G_GUINT64_FORMAT ", expected %" G_GSIZE_FORMAT
                               " bytes from byte %" G_GUINT64_FORMAT " on",
                               offset + got, expected, offset);
}

gssize
debye_input_read_descriptor(int fd, guint64 offset, gpointer buffer, gsize n)
{
  gsize done = 0;
  if (offset > G_MAXINT64)
    return 0;
  while (done < n) {
    gssize got = pread(fd, (guint8 *)buffer + done, n - done, (off_t)(offset + done));
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return -1;
    if (got == 0)
      break;
    done += (gsize)got;
  }
  return (gssize)done;
}

gboolean
debye_input_goes_on(DebyeInput *input, guint64 offset)
{
  double done = MIN((double)offset / (double)MAX(input->size, 1), 1.0);
  input->told = MAX(input->told, input->begin + (input->end - input->begin) * done);
  if (!input->is_stopped && input->progress != NULL)
    input->is_stopped = !input->progress(input->told, input->progress_data);
  return !input->is_stopped;
}

const char *
debye_input_get_path(const DebyeInput *input)
{
  return input->path;
}

const char *
debye_input_get_name(const DebyeInput *input)
{
  return input->name;
}

char *
debye_input_make_title(const DebyeInput *input)
{
  return g_filename_display_basename(input->path);
}

int
debye_input_get_descriptor(const DebyeInput *input)
{
  return input->fd;
}

DebyeFileIdentity
debye_input_get_identity(const DebyeInput *input)
{
  return input->identity;
}

gboolean
debye_input_confirm(const DebyeInput *input, gboolean good, GError **error)
{
  if (input->refusal == 0 && !input->is_stopped)
    return good;
  g_clear_error(error);
  if (input->is_stopped)
    return debye_input_set_stopped(input, error);
  return set_refusal(input, error);
}

guint64
debye_input_get_size(const DebyeInput *input)
{
  return input->size;
}

guint64
debye_input_get_disk_size(const DebyeInput *input)
{
  return input->disk_size;
}

double
debye_input_get_unpacked_part(const DebyeInput *input)
{
  return input->begin;
}

gint64
debye_input_get_mtime(const DebyeInput *input)
{
  return input->mtime;
}

static gsize
copy_from_window(const DebyeInput *input, guint64 offset, gpointer buffer, gsize n)
{
  if (offset < input->window_offset || offset >= input->window_offset + input->window_length)
    return 0;
  gsize start = (gsize)(offset - input->window_offset);
  gsize length = MIN(n, input->window_length - start);
  memcpy(buffer, input->window + start, length);
  return length;
}

/* From a page's beginning: the kernel copies whole pages twice as fast as bytes that begin anywhere. */
static gboolean
fill_window(DebyeInput *input, guint64 offset, gsize wanted)
{
  gboolean goes_on = offset == input->window_offset + input->window_length;
  guint64 start = offset & ~(guint64)(DEBYE_INPUT_WINDOW_MINIMUM - 1);
  gsize needed = (gsize)(offset - start) + wanted;
  gsize n = goes_on ? MIN(input->window_next * 2, DEBYE_INPUT_WINDOW_MAXIMUM) : DEBYE_INPUT_WINDOW_MINIMUM;
  n = MAX(n, MIN((needed + DEBYE_INPUT_WINDOW_MINIMUM - 1) / DEBYE_INPUT_WINDOW_MINIMUM *
                     DEBYE_INPUT_WINDOW_MINIMUM,
                 DEBYE_INPUT_WINDOW_MAXIMUM));
  gssize got = debye_input_read_descriptor(input->fd, start, input->window, n);
  input->window_offset = start;
  input->window_length = got < 0 ? 0 : (gsize)got;
  input->window_next = n;
  return got >= 0;
}

gssize
debye_input_read_some(DebyeInput *input, guint64 offset, gpointer buffer, gsize n, GError **error)
{
  gsize done = copy_from_window(input, offset, buffer, n);
  gsize rest = n - done;
  if (rest == 0)
    return (gssize)done;
  guint8 *target = (guint8 *)buffer + done;
  gssize got;
  if (!debye_input_goes_on(input, offset + done)) {
    debye_input_set_stopped(input, error);
    return -1;
  }
  if (rest > DEBYE_INPUT_WINDOW_MAXIMUM - DEBYE_INPUT_WINDOW_MINIMUM)
    got = debye_input_read_descriptor(input->fd, offset + done, target, rest);
  else
    got = fill_window(input, offset + done, rest)
              ? (gssize)copy_from_window(input, offset + done, target, rest)
              : -1;
  if (got < 0) {
    debye_input_set_read_error(input, error, offset + done);
    return -1;
  }
  return (gssize)(done + (gsize)got);
}

gboolean
debye_input_read(DebyeInput *input, guint64 offset, gpointer buffer, gsize n, GError **error)
{
  gssize got = debye_input_read_some(input, offset, buffer, n, error);
  if (got < 0)
    return FALSE;
  if ((gsize)got < n)
    return set_truncated(input, error, offset, n, (gsize)got);
  return TRUE;
}

/* How much of the parts the file has: less than asked for only at its end. -1 on an error. */
static gssize
read_vector(int fd, guint64 offset, struct iovec *vector, gsize n)
{
  gsize done = 0;
  while (n > 0) {
    gssize got = preadv(fd, vector, (int)n, (off_t)(offset + done));
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return -1;
    if (got == 0)
      break;
    done += (gsize)got;
    for (; n > 0 && (gsize)got >= vector->iov_len; n--)
      got -= (gssize)(vector++)->iov_len;
    if (n > 0) {
      vector->iov_base = (guint8 *)vector->iov_base + got;
      vector->iov_len -= (gsize)got;
    }
  }
  return (gssize)done;
}

static gboolean
read_parts_through_window(DebyeInput *input, guint64 offset, const DebyeInputPart *parts, gsize n_parts,
                          GError **error)
{
  for (gsize k = 0; k < n_parts; k++) {
    if (!debye_input_read(input, offset, parts[k].buffer, parts[k].n, error))
      return FALSE;
    offset += parts[k].n;
  }
  return TRUE;
}

gboolean
debye_input_read_parts(DebyeInput *input, guint64 offset, const DebyeInputPart *parts, gsize n_parts,
                       GError **error)
{
  struct iovec vector[DEBYE_INPUT_PARTS];
  gsize total = 0;
  g_return_val_if_fail(n_parts <= DEBYE_INPUT_PARTS, FALSE);
  for (gsize k = 0; k < n_parts; k++) {
    vector[k] = (struct iovec){.iov_base = parts[k].buffer, .iov_len = parts[k].n};
    total += parts[k].n;
  }
  if (total < PARTS_MINIMUM)
    return read_parts_through_window(input, offset, parts, n_parts, error);
  if (!debye_input_goes_on(input, offset))
    return debye_input_set_stopped(input, error);
  gssize got = read_vector(input->fd, offset, vector, n_parts);
  if (got < 0)
    return debye_input_set_read_error(input, error, offset);
  return (gsize)got == total || set_truncated(input, error, offset, total, (gsize)got);
}
