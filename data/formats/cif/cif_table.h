/* SPDX-License-Identifier: MIT */
/* The tables of a CIF, row by row and never in memory: a loop is a table, and so is a category whose items
 * stand one by one. Only the columns that a caller names are handed to it, whatever order the file has them
 * in. */
#pragma once

#include "cif_scanner.h"
#include "data/files/text_fields.h"

#define DEBYE_CIF_COLUMNS_MAXIMUM 32

typedef struct {
  const char *text; /* NULL: the file has no such column */
  gsize length;
  gboolean is_given; /* there is a value other than . and ? */
} DebyeCifValue;

typedef struct {
  DebyeCifValue
      values[DEBYE_CIF_COLUMNS_MAXIMUM]; /* in the order of the table's columns; valid until the next row */
  gboolean is_in_loop;
  guint64 offset; /* of its first value, in a loop */
  guint64 line;   /* of its first value in a loop, else of its last */
} DebyeCifRow;

typedef struct _DebyeCifWalk DebyeCifWalk;

/* A column is written as in mmCIF's dictionary, in small letters: "_cell.length_a". The core dictionary's
 * "_cell_length_a" is taken for the same. */
typedef struct {
  const char *const *columns; /* NULL-terminated */
  gboolean (*take_row)(DebyeCifWalk *walk, const DebyeCifRow *row, GError **error);
} DebyeCifTable;

/* Which value of a loop's row belongs to which column. */
typedef struct {
  gsize n_tags;
  GArray *columns; /* gint, one a tag: the column, or -1 */
} DebyeCifLayout;

/* Rows of one loop, from any of them on. */
typedef struct {
  DebyeCifRow row;
  GString *text;
} DebyeCifRowReader;

struct _DebyeCifWalk {
  DebyeLineReader *lines;
  const DebyeCifTable *tables;
  gsize n_tables;
  /* At the beginning of each data block, when all rows of the one before are given. NULL: nothing to do. */
  void (*begin_block)(DebyeCifWalk *walk, const char *name, gsize length);
  gpointer data;
  gboolean stop; /* set by a callback: go no further */
  DebyeProgressFunc progress;
  gpointer progress_data;
  const DebyeCifLayout *layout; /* of the loop whose row is given */
  gboolean is_version_2;
};

/* From the beginning of `lines` to the end of the file or until `stop`. */
gboolean debye_cif_walk(DebyeCifWalk *walk, GError **error);

DebyeCifLayout *debye_cif_layout_copy(const DebyeCifLayout *layout);
void debye_cif_layout_free(DebyeCifLayout *layout);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeCifLayout, debye_cif_layout_free)

void debye_cif_row_reader_init(DebyeCifRowReader *reader);
void debye_cif_row_reader_clear(DebyeCifRowReader *reader);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeCifRowReader, debye_cif_row_reader_clear)
/* The row that begins with the scanner's token, which is a value; the scanner then stands at the token after
 * it. */
gboolean debye_cif_row_reader_read(DebyeCifRowReader *reader, const DebyeCifLayout *layout,
                                   DebyeCifScanner *scanner, GError **error);

/* "" of one that isn't given. */
char *debye_cif_value_copy(const DebyeCifValue *value);
/* A given value as a number; FALSE where there is none. */
gboolean debye_cif_value_to_double(const DebyeCifValue *value, double *number);
/* "NAME: line N: " and the text, at the row's line. Always FALSE. */
gboolean debye_cif_row_set_error(const DebyeCifWalk *walk, const DebyeCifRow *row, GError **error, int code,
                                 const char *format, ...) G_GNUC_PRINTF(5, 6);
gboolean debye_cif_value_is(const DebyeCifValue *value, const char *text);
