/* SPDX-License-Identifier: MIT */
/* Internals of DebyeInput that input.c and input_packed.c share. */
#pragma once

#include "input.h"

G_BEGIN_DECLS

/* Asked before each call of the system that reads, at a place of the file itself. */
gboolean debye_input_goes_on(DebyeInput *input, guint64 offset);

/* As much of `n` bytes as there is; -1 with errno. */
gssize debye_input_read_descriptor(int fd, guint64 offset, gpointer buffer, gsize n);

/* "NAME: WHAT: " and what the system says of the number. */
void debye_input_set_system_error(const DebyeInput *input, GError **error, const char *what, int number);

G_END_DECLS
