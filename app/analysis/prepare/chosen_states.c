/* SPDX-License-Identifier: MIT */
/* Implementation of chosen_states.h. */
#include "chosen_states.h"

#include <string.h>

#include "data/files/error.h"
#include "data/files/input.h"
#include "data/files/text_fields.h"

enum { CHAIN, RESIDUE, STATE, N_COLUMNS };

static const char *const titles[N_COLUMNS] = {"chain", "residue", "state"};

/* From `text` to the comma behind it, or the end; in double quotes it may have commas, and quotes that are doubled. */
static char *
take_field(const char **text)
{
  GString *field = g_string_new(NULL);
  gboolean is_quoted = FALSE;
  for (; **text != '\0' && (is_quoted || **text != ','); (*text)++) {
    if (**text != '"')
      g_string_append_c(field, **text);
    else if (is_quoted && (*text)[1] == '"')
      g_string_append_c(field, *(*text)++);
    else
      is_quoted = !is_quoted;
  }
  return g_strstrip(g_string_free(field, FALSE));
}

static char **
split(const DebyeLineReader *lines)
{
  g_autoptr(GStrvBuilder) fields = g_strv_builder_new();
  const char *at = lines->text;
  for (gboolean goes_on = TRUE; goes_on; at++) {
    g_autofree char *field = take_field(&at);
    g_strv_builder_add(fields, field);
    goes_on = *at == ',';
  }
  return g_strv_builder_end(fields);
}

static gboolean
read_titles(const DebyeLineReader *lines, int columns[N_COLUMNS], GError **error)
{
  g_auto(GStrv) fields = split(lines);
  for (int k = 0; k < N_COLUMNS; k++) {
    columns[k] = -1;
    for (int i = 0; fields[i] != NULL; i++)
      if (strcmp(fields[i], titles[k]) == 0)
        columns[k] = i;
    if (columns[k] >= 0)
      continue;
    debye_line_reader_set_error(lines, error, DEBYE_ERROR_SYNTAX,
                                "expected the columns chain, residue and state");
    return FALSE;
  }
  return TRUE;
}

/* "52", "52A", "ASP 52". */
static gboolean
parse_residue(DebyeChosenStates *self, const char *text, DebyePrepareState *state)
{
  const char *blank = strrchr(text, ' ');
  const char *number = blank != NULL ? blank + 1 : text;
  gsize length = strlen(number);
  gint64 value;
  state->insertion_code = 0;
  if (length > 1 && g_ascii_isalpha(number[length - 1]))
    state->insertion_code = number[--length];
  if (!debye_text_to_int(number, length, &value) || ABS(value) > G_MAXINT32)
    return FALSE;
  state->number = (gint32)value;
  g_autofree char *name = g_strndup(text, blank != NULL ? (gsize)(blank - text) : 0);
  g_strstrip(name);
  state->name = *name != '\0' ? g_string_chunk_insert(self->texts, name) : NULL;
  return TRUE;
}

static gboolean
read_row(DebyeChosenStates *self, const DebyeLineReader *lines, const int columns[N_COLUMNS], GError **error)
{
  g_auto(GStrv) fields = split(lines);
  const int n = (int)g_strv_length(fields);
  DebyePrepareState state = {0};
  const gboolean is_whole = columns[CHAIN] < n && columns[RESIDUE] < n && columns[STATE] < n;
  if (is_whole && fields[columns[STATE]][0] == '\0')
    return TRUE;
  if (!is_whole || !parse_residue(self, fields[columns[RESIDUE]], &state)) {
    debye_line_reader_set_error(lines, error, DEBYE_ERROR_SYNTAX,
                                "expected a chain, a residue's number and its state, found “%s”",
                                lines->text);
    return FALSE;
  }
  state.chain = g_string_chunk_insert(self->texts, fields[columns[CHAIN]]);
  state.state = g_string_chunk_insert(self->texts, fields[columns[STATE]]);
  g_array_append_val(self->states, state);
  return TRUE;
}

static gboolean
read_rows(DebyeChosenStates *self, DebyeLineReader *lines, GError **error)
{
  int columns[N_COLUMNS];
  gboolean has_titles = FALSE;
  GError *problem = NULL;
  while (debye_line_reader_next(lines, &problem)) {
    if (debye_text_line_is_blank(lines) || lines->text[0] == '#')
      continue;
    if (!(has_titles ? read_row(self, lines, columns, error) : read_titles(lines, columns, error)))
      return FALSE;
    has_titles = TRUE;
  }
  if (problem == NULL)
    return TRUE;
  g_propagate_error(error, problem);
  return FALSE;
}

gboolean
debye_chosen_states_read(DebyeChosenStates *self, const char *path, GError **error)
{
  g_auto(DebyeLineReader) lines = {0};
  g_autoptr(DebyeInput) input = debye_input_open(path, error);
  if (input == NULL)
    return FALSE;
  self->states = g_array_new(FALSE, FALSE, sizeof(DebyePrepareState));
  self->texts = g_string_chunk_new(256);
  debye_line_reader_init(&lines, input, 0, 1);
  return read_rows(self, &lines, error);
}

void
debye_chosen_states_clear(DebyeChosenStates *self)
{
  g_clear_pointer(&self->states, g_array_unref);
  g_clear_pointer(&self->texts, g_string_chunk_free);
}
