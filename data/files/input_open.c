/* SPDX-License-Identifier: MIT */
/* Opens the files that input.c reads, packed ones unpacked, and closes them. */
#include "error.h"
#include "input_packed.h"
#include "input_private.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static gboolean
open_file(DebyeInput *input, GError **error)
{
  struct stat status;
  /* Not blocking: a named pipe would otherwise wait here for its writer. */
  input->fd = open(input->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (input->fd < 0 || fstat(input->fd, &status) != 0)
    return debye_input_set_system_error(input, error, "can't be opened", errno);
  if (!S_ISREG(status.st_mode))
    return debye_input_set_error(input, error, DEBYE_ERROR_OPEN, "can't be opened: expected a file, found %s",
                                 S_ISDIR(status.st_mode) ? "a folder" : "a device or pipe");
  input->size = input->disk_size = (guint64)status.st_size;
  input->identity = (DebyeFileIdentity){status.st_dev, status.st_ino};
  input->mtime = (gint64)status.st_mtim.tv_sec * G_GINT64_CONSTANT(1000000000) + status.st_mtim.tv_nsec;
  return TRUE;
}

/* Where it must be unpacked first, that is told as the first half of all. */
static gboolean
unpack(DebyeInput *input, const DebyePacking *packing, GError **error)
{
  input->unpacked = debye_unpacked_find(input);
  if (input->unpacked == NULL) {
    input->end = 0.5;
    input->unpacked = debye_unpacked_make(input, packing, error);
    input->begin = 0.5;
    input->end = 1.0;
  }
  if (input->unpacked == NULL)
    return FALSE;
  close(input->fd);
  input->fd = input->unpacked->fd;
  input->size = input->unpacked->size;
  return TRUE;
}

DebyeInput *
debye_input_open(const char *path, GError **error)
{
  return debye_input_open_watched(path, NULL, NULL, error);
}

DebyeInput *
debye_input_open_watched(const char *path, DebyeProgressFunc progress, gpointer data, GError **error)
{
  g_autoptr(DebyeInput) input = g_new0(DebyeInput, 1);
  guint8 head[DEBYE_PACKED_HEAD];
  input->progress = progress;
  input->progress_data = data;
  input->end = 1.0;
  input->path = g_strdup(path);
  input->name = debye_error_name_file(path);
  input->fd = -1;
  input->window_next = DEBYE_INPUT_WINDOW_MINIMUM;
  if (!open_file(input, error))
    return NULL;
  input->window = g_malloc(DEBYE_INPUT_WINDOW_MAXIMUM);
  gssize n = debye_input_read_descriptor(input->fd, 0, head, sizeof head);
  if (n < 0)
    return debye_null(debye_input_set_read_error(input, error, 0));
  const DebyePacking *packing = debye_packing_find(head, (gsize)n);
  if (packing != NULL && !unpack(input, packing, error))
    return NULL;
  return g_steal_pointer(&input);
}

void
debye_input_close(DebyeInput *input)
{
  if (!input)
    return;
  if (input->unpacked != NULL)
    debye_unpacked_unref(input->unpacked);
  else if (input->fd >= 0)
    close(input->fd);
  g_free(input->window);
  g_free(input->path);
  g_free(input->name);
  g_free(input);
}
