/* SPDX-License-Identifier: MIT */
/* A DebyeProgressFunc that stops what it watches: for tests that stop it at every moment. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Goes on so many times, a guint that is counted down. */
static inline gboolean
debye_count_down(G_GNUC_UNUSED double fraction, gpointer n_left)
{
  guint *left = n_left;
  return *left > 0 && (*left)-- > 0;
}

G_END_DECLS
