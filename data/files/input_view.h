/* SPDX-License-Identifier: MIT */
/* A long stretch of a file to look at where the system keeps it, without a copy: mapped, and yet an error and
 * no signal where the file is cut or its disk fails meanwhile. (A handler of SIGBUS puts zeros where the page
 * is missing and notes it, as Wayland's compositors do with their clients' memory.) For values that are
 * used once, in order: another program may change what is seen at any moment. */
#pragma once

#include "input.h"

/* Below this a copy costs less than a mapping. */
#define DEBYE_INPUT_VIEW_MINIMUM (1u << 20)

typedef struct {
  const guint8 *bytes; /* `n` of them, from `offset` on */
  gsize n;
  DebyeInput *input; /* private from here */
  guint64 offset;
  guint8 *begin;
  gsize n_mapped;
} DebyeInputView;

/* FALSE where nothing is to be seen this way (too short, not in the file, no room): debye_input_read then
 * says why, or copies. A thread has one view at a time. */
gboolean debye_input_view_open(DebyeInputView *view, DebyeInput *input, guint64 offset, gsize n);
/* FALSE with debye_input_read's errors where some of it was missing: what was seen is then worth nothing. */
gboolean debye_input_view_close(DebyeInputView *view, GError **error);
