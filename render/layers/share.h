/* SPDX-License-Identifier: MIT */
/* Which of some primitives or rows belong to a part of a pass; called by layers that draw and by renderer_passes.c. */
#pragma once

#include <glib.h>

/* A part of some work, 0 ≤ from < to ≤ 1. Parts of a pass may be drawn at different times: what is nearest,
 * or nearest behind something, doesn't depend on the order. Each thing belongs to one part: twice drawn, its fragments would
 * be kept twice. */
typedef struct {
  double from, to;
} DebyeShare;

static inline gsize
debye_share_place(double fraction, gsize n)
{
  return fraction >= 1.0 ? n : (gsize)(fraction * (double)n);
}

/* Which of `n` things a share is: so that shares that follow each other leave none out. */
static inline gsize
debye_share_first(DebyeShare share, gsize n)
{
  return debye_share_place(share.from, n);
}

static inline gsize
debye_share_count(DebyeShare share, gsize n)
{
  return debye_share_place(share.to, n) - debye_share_place(share.from, n);
}
