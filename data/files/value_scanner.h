/* SPDX-License-Identifier: MIT */
/* The numbers of a text map, one after the other, however they are spread over lines. */
#pragma once

#include "input.h"

typedef struct {
  DebyeInput *input;
  guint64 line;          /* of the next word, 1-based */
  guint64 buffer_offset; /* private from here */
  gsize begin, end;
  gboolean at_end;
  char *buffer;
} DebyeValueScanner;

void debye_value_scanner_init(DebyeValueScanner *scanner, DebyeInput *input, guint64 offset, guint64 line);
void debye_value_scanner_clear(DebyeValueScanner *scanner);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeValueScanner, debye_value_scanner_clear)

/* The next word; comments from # to the end of their line are left out. FALSE at the end of the file (no
 * error set) or on an error. The word is valid until the next call. */
gboolean debye_value_scanner_next(DebyeValueScanner *scanner, const char **word, gsize *length,
                                  GError **error);
/* The next word as value number `index` (0-based) of `n`: an error where the file ends or the word is no
 * number. */
gboolean debye_value_scanner_next_float(DebyeValueScanner *scanner, gsize index, gsize n, float *value,
                                        GError **error);
/* Where the next word would be looked for. */
guint64 debye_value_scanner_get_offset(const DebyeValueScanner *scanner);
