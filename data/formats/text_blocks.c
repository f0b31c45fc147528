/* SPDX-License-Identifier: MIT */
/* Implementation of text_blocks.h. */
#include "text_blocks.h"

#include <string.h>

#include "data/work/parts.h"

#define BLOCK_BYTES (16 * 1024 * 1024) /* what is held beside what is made of it */
#define LEAST_LINES 65536              /* fewer are read before threads have started */
#define LONGEST_LINE 1024

typedef struct {
  DebyeTextPart *parts;
  gpointer *results;
  const DebyeTextPartCalls *calls;
} Block;

/* Whether the end of the line stands at its place and nowhere before. */
static gboolean
is_regular(const char *text, gsize length, gsize stride)
{
  return text[stride - 1] == '\n' && (length == stride - 1 || text[length] == '\r') &&
         memchr(text, '\n', length) == NULL && memchr(text, '\r', length) == NULL;
}

static void
work_on_part(gsize k, gpointer data)
{
  Block *block = data;
  DebyeTextPart part = block->parts[k];
  for (gsize i = 0; i < part.n; i++)
    if (!is_regular(part.line.text + i * part.stride, part.line.length, part.stride))
      return;
  block->results[k] = block->calls->work(&part, block->calls->data);
}

void
debye_text_part_next(DebyeTextPart *part)
{
  part->line.text += part->stride;
  part->line.offset += part->stride;
  part->line.number++;
}

/* Of the line that begins at `offset`, with its end; 0 where it is too long, or the file ends within. */
static gsize
find_stride(DebyeInput *input, guint64 offset, gsize *length)
{
  char text[LONGEST_LINE];
  gssize n = debye_input_read_some(input, offset, text, sizeof text, NULL);
  const char *end = n > 0 ? memchr(text, '\n', (gsize)n) : NULL;
  if (end == NULL)
    return 0;
  *length = (gsize)(end - text);
  if (*length > 0 && end[-1] == '\r')
    --*length;
  return (gsize)(end - text) + 1;
}

static void
take_results(Block *block, gsize n_parts, gboolean is_whole)
{
  for (gsize k = 0; k < n_parts; k++) {
    if (is_whole && block->calls->take != NULL)
      block->calls->take(block->results[k], block->calls->data);
    else if (block->results[k] != NULL && block->calls->free != NULL)
      block->calls->free(block->results[k]);
  }
}

/* Whether all lines were as expected. */
static gboolean
work_on_block(const DebyeTextPart *all, const DebyeTextPartCalls *calls)
{
  const gsize n_parts = MIN(all->n, 2 * (gsize)debye_parts_count_threads());
  g_autofree DebyeTextPart *parts = g_new(DebyeTextPart, n_parts);
  g_autofree gpointer *results = g_new0(gpointer, n_parts);
  Block block = {.parts = parts, .results = results, .calls = calls};
  gboolean is_whole = TRUE;
  for (gsize k = 0; k < n_parts; k++) {
    const gsize begin = all->n * k / n_parts, end = all->n * (k + 1) / n_parts;
    parts[k] = *all;
    parts[k].line.text += begin * all->stride;
    parts[k].line.offset += begin * all->stride;
    parts[k].line.number += begin;
    parts[k].first += begin;
    parts[k].n = end - begin;
  }
  debye_parts_run(n_parts, work_on_part, &block);
  for (gsize k = 0; k < n_parts; k++)
    is_whole &= results[k] != NULL;
  take_results(&block, n_parts, is_whole);
  return is_whole;
}

gsize
debye_text_read_blocks(DebyeLineReader *lines, gsize n_lines, const DebyeTextPartCalls *calls)
{
  DebyeInput *input = lines->input;
  DebyeTextPart all = {.line = {.input = input, .offset = lines->next_offset, .number = lines->next_number}};
  if (n_lines < LEAST_LINES || (all.stride = find_stride(input, all.line.offset, &all.line.length)) == 0)
    return 0;
  const gsize n_block = BLOCK_BYTES / all.stride;
  g_autofree char *text = g_malloc(MIN(n_block, n_lines) * all.stride);
  all.line.text = text;
  while (all.first < n_lines) {
    all.n = MIN(n_block, n_lines - all.first);
    if (!debye_input_read(input, all.line.offset, text, all.n * all.stride, NULL) ||
        !work_on_block(&all, calls))
      break;
    all.first += all.n;
    all.line.offset += all.n * all.stride;
    all.line.number += all.n;
  }
  debye_line_reader_clear(lines);
  debye_line_reader_init(lines, input, all.line.offset, all.line.number);
  return all.first;
}
