/* SPDX-License-Identifier: MIT */
/* Internals of DebyeInput that input.c, input_open.c and input_packed.c share. */
#pragma once

#include "input.h"
#include "input_packed.h"

/* The window grows while the reads go on where it ends, and shrinks to this at a jump: hopping over frame
 * headers must not pull the frames in. */
#define DEBYE_INPUT_WINDOW_MINIMUM 4096
#define DEBYE_INPUT_WINDOW_MAXIMUM 262144

struct _DebyeInput {
  char *path;
  char *name;
  int fd;
  DebyeFileIdentity identity;
  int refusal; /* errno of the first read that the system refused */
  guint64 refused_at;
  guint64 size;
  guint64 disk_size;
  gint64 mtime;
  guint8 *window;
  guint64 window_offset;
  gsize window_length;
  gsize window_next;       /* how much the next filling reads */
  DebyeUnpacked *unpacked; /* NULL: the file isn't packed */
  DebyeProgressFunc progress;
  gpointer progress_data;
  double begin, end; /* of the progress: what is being read */
  double told;       /* of it; what is looked at once more doesn't take any of it back */
  gboolean is_stopped;
};

/* Asked before each call of the system that reads, at a place of the file itself. */
gboolean debye_input_goes_on(DebyeInput *input, guint64 offset);

/* As much of `n` bytes as there is; -1 with errno. */
gssize debye_input_read_descriptor(int fd, guint64 offset, gpointer buffer, gsize n);

/* The file refuses to be read there, as errno says; later reads say the same. Always FALSE, as the next. */
gboolean debye_input_set_read_error(DebyeInput *input, GError **error, guint64 offset);
/* "NAME: WHAT: " and what the system says of the number. */
gboolean debye_input_set_system_error(const DebyeInput *input, GError **error, const char *what, int number);
