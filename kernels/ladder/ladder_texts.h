/* SPDX-License-Identifier: MIT */
/* The sources of the teaching variants as text: write_texts.py fills the list, ladder.c looks into it. */
#pragma once

#include <stddef.h>

typedef struct {
  const char *source; /* NULL: the end of the list */
  const char *text;
} DebyeLadderText;

extern const DebyeLadderText debye_ladder_texts[];
