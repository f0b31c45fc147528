/* SPDX-License-Identifier: MIT */
/* Lines that are all equally long, as most programs write atoms: read a block at a time, and a block's parts on all
 * processors. Called by readers of text formats with a line for each atom. */
#pragma once

#include "data/files/input.h"

/* A part of a block. What `line` says of itself is of its first line; debye_text_part_next goes on. */
typedef struct {
  DebyeLineReader line; /* text isn't NUL-terminated here */
  gsize stride;         /* bytes from line to line */
  gsize first, n;       /* lines, counted from where the reader stood */
} DebyeTextPart;

/* Called on any thread. NULL: the lines aren't as expected, and nothing of their block is kept. */
typedef gpointer (*DebyeTextPartWork)(DebyeTextPart *part, gpointer data);
/* What a part has given, in the order of the file, on the thread that called; `result` is its to free. */
typedef void (*DebyeTextPartTake)(gpointer result, gpointer data);

typedef struct {
  DebyeTextPartWork work;
  DebyeTextPartTake take;
  GDestroyNotify free; /* of results that aren't taken */
  gpointer data;
} DebyeTextPartCalls;

/* Reads of the next `n_lines` lines those at the front that stand in whole blocks of equal lines and that `work` accepts.
 * The reader stands behind them then. How many: 0 where there are few, or where they differ; no error is lost by that,
 * since whoever goes on line by line meets it there. */
gsize debye_text_read_blocks(DebyeLineReader *lines, gsize n_lines, const DebyeTextPartCalls *calls);

void debye_text_part_next(DebyeTextPart *part);
