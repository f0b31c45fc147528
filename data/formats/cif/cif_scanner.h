/* SPDX-License-Identifier: MIT */
/* The words of a CIF (Crystallographic Information File; International Tables G, 2.2; CIF 2.0: J. Appl.
 * Cryst. 2016, 49, 277): data blocks, loops, tags and values, whichever way a value is quoted. mmCIF is
 * written in the same words. */
#pragma once

#include "data/files/input.h"

typedef enum {
  DEBYE_CIF_END,
  DEBYE_CIF_BLOCK, /* data_NAME; the text is NAME */
  DEBYE_CIF_SAVE,  /* save_NAME, or save_ at the end of such a frame */
  DEBYE_CIF_LOOP,
  DEBYE_CIF_TAG, /* the text with its underscore */
  DEBYE_CIF_VALUE,
} DebyeCifToken;

typedef struct {
  DebyeLineReader *lines;
  DebyeCifToken token;
  const char *text; /* valid until the next call, not NUL-terminated */
  gsize length;
  gboolean is_null;      /* a value that is . or ? without quotes: there is none, or none is known */
  guint64 offset;        /* of the token's first byte */
  guint64 line;          /* where it begins, 1-based */
  gboolean is_version_2; /* set by the first line; where scanning begins later, by the caller */
  gboolean has_line;     /* private from here */
  gsize at;
  GString *field; /* a value of several lines */
} DebyeCifScanner;

/* `lines` stands at the beginning of the file or of a token. */
void debye_cif_scanner_init(DebyeCifScanner *scanner, DebyeLineReader *lines);
void debye_cif_scanner_clear(DebyeCifScanner *scanner);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeCifScanner, debye_cif_scanner_clear)

/* The next token; DEBYE_CIF_END at the end of the file. FALSE on an error. A list or table of CIF 2.0 is one
 * value without text; a value of several lines is cut at DEBYE_CIF_FIELD_LIMIT bytes. */
#define DEBYE_CIF_FIELD_LIMIT 65536
gboolean debye_cif_scanner_next(DebyeCifScanner *scanner, GError **error);

/* A number, its uncertainty in parentheses left out: 0.1234(5). */
gboolean debye_cif_to_double(const char *text, gsize length, double *value);
