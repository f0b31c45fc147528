/* SPDX-License-Identifier: MIT */
/* Walks the tables of a CIF row by row for the other files of the CIF reader. A row's values are copied into
 * one text that the next row uses again: a value may stand on a line of its own, and the scanner keeps one
 * line. */
#include "cif_table.h"

#include "data/files/error.h"
#include "data/messages/message.h"

#include <string.h>

/* --- Rows --- */

void
debye_cif_row_reader_init(DebyeCifRowReader *reader)
{
  *reader = (DebyeCifRowReader){.text = g_string_sized_new(256)};
}

void
debye_cif_row_reader_clear(DebyeCifRowReader *reader)
{
  g_string_free(reader->text, TRUE);
  reader->text = NULL;
}

/* The text may still move while the row is read: offsets first, as pointers in the end. */
static void
put_value(DebyeCifRowReader *reader, gint column, const DebyeCifScanner *scanner)
{
  if (column < 0)
    return;
  GString *text = reader->text;
  gsize at = text->len;
  reader->row.values[column] = (DebyeCifValue){GSIZE_TO_POINTER(at + 1), scanner->length, !scanner->is_null};
  /* Room is kept from row to row. */
  if (at + scanner->length >= text->allocated_len)
    g_string_set_size(text, at + scanner->length);
  memcpy(text->str + at, scanner->text, scanner->length);
  text->len = at + scanner->length;
}

static void
place_values(DebyeCifRowReader *reader)
{
  for (gsize k = 0; k < DEBYE_CIF_COLUMNS_MAXIMUM; k++)
    if (reader->row.values[k].text != NULL)
      reader->row.values[k].text = reader->text->str + (GPOINTER_TO_SIZE(reader->row.values[k].text) - 1);
}

static const char *
name_token(DebyeCifToken token)
{
  switch (token) {
  case DEBYE_CIF_END:
    return "the end of the file";
  case DEBYE_CIF_BLOCK:
    return N_("a data block");
  case DEBYE_CIF_SAVE:
    return N_("a save frame");
  case DEBYE_CIF_LOOP:
    return N_("a loop");
  case DEBYE_CIF_TAG:
    return N_("a tag");
  default:
    return "a value";
  }
}

static gboolean
set_short_row(const DebyeCifLayout *layout, const DebyeCifScanner *scanner, gsize found, GError **error)
{
  return debye_line_reader_set_error(
      scanner->lines, error, scanner->token == DEBYE_CIF_END ? DEBYE_ERROR_TRUNCATED : DEBYE_ERROR_SYNTAX,
      "expected %" G_GSIZE_FORMAT " values in a row of the loop, found %s after %" G_GSIZE_FORMAT,
      layout->n_tags, name_token(scanner->token), found);
}

gboolean
debye_cif_row_reader_read(DebyeCifRowReader *reader, const DebyeCifLayout *layout, DebyeCifScanner *scanner,
                          GError **error)
{
  reader->row = (DebyeCifRow){.is_in_loop = TRUE, .offset = scanner->offset, .line = scanner->line};
  g_string_truncate(reader->text, 0);
  for (gsize k = 0; k < layout->n_tags; k++) {
    if (scanner->token != DEBYE_CIF_VALUE)
      return set_short_row(layout, scanner, k, error);
    put_value(reader, g_array_index(layout->columns, gint, k), scanner);
    if (!debye_cif_scanner_next(scanner, error))
      return FALSE;
  }
  place_values(reader);
  return TRUE;
}

/* --- Layouts --- */

static DebyeCifLayout *
layout_new(void)
{
  DebyeCifLayout *layout = g_new0(DebyeCifLayout, 1);
  layout->columns = g_array_new(FALSE, FALSE, sizeof(gint));
  return layout;
}

DebyeCifLayout *
debye_cif_layout_copy(const DebyeCifLayout *layout)
{
  DebyeCifLayout *copy = layout_new();
  copy->n_tags = layout->n_tags;
  g_array_append_vals(copy->columns, layout->columns->data, layout->columns->len);
  return copy;
}

void
debye_cif_layout_free(DebyeCifLayout *layout)
{
  g_array_unref(layout->columns);
  g_free(layout);
}

/* mmCIF has a dot between category and item where the core dictionary has one more underscore. */
static gboolean
tag_is(const char *tag, gsize length, const char *column)
{
  for (gsize i = 0; i < length; i++) {
    char c = g_ascii_tolower(tag[i]);
    gboolean is_same = c == column[i] || (c == '_' && column[i] == '.');
    /* A NUL in the file is not the column's end. */
    if (!is_same || c == '\0')
      return FALSE;
  }
  return column[length] == '\0';
}

static gint
find_column(const DebyeCifTable *table, const char *tag, gsize length)
{
  for (gint k = 0; table->columns[k] != NULL; k++)
    if (tag_is(tag, length, table->columns[k]))
      return k;
  return -1;
}

/* --- Walking --- */

typedef struct {
  DebyeCifWalk *walk;
  DebyeCifScanner scanner;
  DebyeCifRowReader *single; /* one a table: the row of items that stand one by one */
  gboolean *has_single;
} Walker;

static void
begin_singles(Walker *walker)
{
  for (gsize t = 0; t < walker->walk->n_tables; t++) {
    walker->single[t].row = (DebyeCifRow){.is_in_loop = FALSE};
    g_string_truncate(walker->single[t].text, 0);
    walker->has_single[t] = FALSE;
  }
}

static gboolean
give_singles(Walker *walker, GError **error)
{
  DebyeCifWalk *walk = walker->walk;
  walk->layout = NULL;
  for (gsize t = 0; t < walk->n_tables && !walk->stop; t++) {
    if (!walker->has_single[t])
      continue;
    place_values(&walker->single[t]);
    if (!walk->tables[t].take_row(walk, &walker->single[t].row, error))
      return FALSE;
  }
  begin_singles(walker);
  return TRUE;
}

static gboolean
walk_block(Walker *walker, GError **error)
{
  DebyeCifWalk *walk = walker->walk;
  g_autofree char *name = g_strndup(walker->scanner.text, walker->scanner.length);
  if (!give_singles(walker, error))
    return FALSE;
  if (walk->begin_block != NULL && !walk->stop)
    walk->begin_block(walk, name, walker->scanner.length);
  return walk->stop || debye_cif_scanner_next(&walker->scanner, error);
}

static gboolean
walk_single(Walker *walker, GError **error)
{
  DebyeCifScanner *scanner = &walker->scanner;
  g_autofree char *tag = g_strndup(scanner->text, scanner->length);
  gsize length = scanner->length;
  if (!debye_cif_scanner_next(scanner, error))
    return FALSE;
  if (scanner->token != DEBYE_CIF_VALUE) {
    g_autofree char *shown = g_utf8_make_valid(tag, (gssize)MIN(length, 80));
    return debye_line_reader_set_error(
        scanner->lines, error, scanner->token == DEBYE_CIF_END ? DEBYE_ERROR_TRUNCATED : DEBYE_ERROR_SYNTAX,
        "expected a value of %s, found %s", shown, name_token(scanner->token));
  }
  for (gsize t = 0; t < walker->walk->n_tables; t++) {
    gint column = find_column(&walker->walk->tables[t], tag, length);
    put_value(&walker->single[t], column, scanner);
    if (column < 0)
      continue;
    walker->has_single[t] = TRUE;
    walker->single[t].row.line = scanner->line;
  }
  return debye_cif_scanner_next(scanner, error);
}

/* The tags behind loop_, as columns of the table that has the first known one; NULL with an error. */
static DebyeCifLayout *
read_layout(Walker *walker, const DebyeCifTable **table, GError **error)
{
  g_autoptr(DebyeCifLayout) layout = layout_new();
  DebyeCifScanner *scanner = &walker->scanner;
  *table = NULL;
  if (!debye_cif_scanner_next(scanner, error))
    return NULL;
  while (scanner->token == DEBYE_CIF_TAG) {
    gint column = -1;
    for (gsize t = 0; *table == NULL && t < walker->walk->n_tables; t++)
      if (find_column(&walker->walk->tables[t], scanner->text, scanner->length) >= 0)
        *table = &walker->walk->tables[t];
    if (*table != NULL)
      column = find_column(*table, scanner->text, scanner->length);
    g_array_append_val(layout->columns, column);
    layout->n_tags++;
    if (!debye_cif_scanner_next(scanner, error))
      return NULL;
  }
  if (layout->n_tags > 0)
    return g_steal_pointer(&layout);
  debye_line_reader_set_error(scanner->lines, error, DEBYE_ERROR_SYNTAX,
                              "expected tags after loop_, found %s", name_token(scanner->token));
  return NULL;
}

static gboolean
skip_rows(Walker *walker, GError **error)
{
  while (walker->scanner.token == DEBYE_CIF_VALUE)
    if (!debye_text_report(walker->walk->lines, walker->walk->progress, walker->walk->progress_data, error) ||
        !debye_cif_scanner_next(&walker->scanner, error))
      return FALSE;
  return TRUE;
}

static gboolean
walk_loop(Walker *walker, GError **error)
{
  DebyeCifWalk *walk = walker->walk;
  const DebyeCifTable *table;
  g_autoptr(DebyeCifLayout) layout = read_layout(walker, &table, error);
  if (layout == NULL)
    return FALSE;
  if (table == NULL)
    return skip_rows(walker, error);
  g_auto(DebyeCifRowReader) reader;
  debye_cif_row_reader_init(&reader);
  walk->layout = layout;
  walk->is_version_2 = walker->scanner.is_version_2;
  gboolean done = TRUE;
  while (done && !walk->stop && walker->scanner.token == DEBYE_CIF_VALUE)
    done = debye_text_report(walk->lines, walk->progress, walk->progress_data, error) &&
           debye_cif_row_reader_read(&reader, layout, &walker->scanner, error) &&
           table->take_row(walk, &reader.row, error);
  walk->layout = NULL;
  return done;
}

static gboolean
walk_token(Walker *walker, GError **error)
{
  switch (walker->scanner.token) {
  case DEBYE_CIF_BLOCK:
    return walk_block(walker, error);
  case DEBYE_CIF_LOOP:
    return walk_loop(walker, error);
  case DEBYE_CIF_TAG:
    return walk_single(walker, error);
  case DEBYE_CIF_VALUE: {
    const DebyeCifScanner *scanner = &walker->scanner;
    g_autofree char *found = debye_text_quote((DebyeTextField){scanner->text, scanner->length});
    return debye_line_reader_set_error(scanner->lines, error, DEBYE_ERROR_SYNTAX,
                                       "expected a tag or a loop, found the value %s", found);
  }
  default:
    return debye_cif_scanner_next(&walker->scanner, error);
  }
}

gboolean
debye_cif_walk(DebyeCifWalk *walk, GError **error)
{
  Walker walker = {.walk = walk,
                   .single = g_new0(DebyeCifRowReader, walk->n_tables),
                   .has_single = g_new0(gboolean, walk->n_tables)};
  for (gsize t = 0; t < walk->n_tables; t++)
    debye_cif_row_reader_init(&walker.single[t]);
  debye_cif_scanner_init(&walker.scanner, walk->lines);
  gboolean done = debye_cif_scanner_next(&walker.scanner, error);
  while (done && !walk->stop && walker.scanner.token != DEBYE_CIF_END)
    done = walk_token(&walker, error);
  done = done && (walk->stop || give_singles(&walker, error));
  debye_cif_scanner_clear(&walker.scanner);
  for (gsize t = 0; t < walk->n_tables; t++)
    debye_cif_row_reader_clear(&walker.single[t]);
  g_free(walker.single);
  g_free(walker.has_single);
  return done;
}

/* --- Values --- */

gboolean
debye_cif_value_to_double(const DebyeCifValue *value, double *number)
{
  return value->is_given && debye_cif_to_double(value->text, value->length, number);
}

char *
debye_cif_value_copy(const DebyeCifValue *value)
{
  return value->is_given ? g_strndup(value->text, value->length) : g_strdup("");
}

gboolean
debye_cif_value_is(const DebyeCifValue *value, const char *text)
{
  return value->is_given && value->length == strlen(text) &&
         g_ascii_strncasecmp(value->text, text, value->length) == 0;
}

gboolean
debye_cif_row_set_error(const DebyeCifWalk *walk, const DebyeCifRow *row, GError **error, int code,
                        const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  g_autofree char *text = debye_message_new_valist(format, arguments);
  va_end(arguments);
  return debye_input_set_error(walk->lines->input, error, code, "line %" G_GUINT64_FORMAT ": %s", row->line,
                               text);
}
