/* SPDX-License-Identifier: MIT */
/* Implementation of pdb_assembly.h, after "Protein Data Bank Contents Guide" 3.3, REMARK 350. */
#include "pdb_assembly.h"

#include <string.h>

#include "data/files/error.h"
#include "data/files/text_fields.h"

#define REMARK "REMARK 350"
#define MOST_FIELDS 8

typedef struct {
  DebyeLineReader *lines;
  gint64 wanted;
  DebyeAssembly *assembly;
  GString *found; /* numbers of all assemblies */
  GPtrArray *chains;
  GArray *operations;
  gboolean is_wanted;
  int n_rows; /* of the operation that is being read */
} Reader;

static gboolean
refuse_row(const Reader *reader, GError **error)
{
  g_autofree char *found = debye_text_quote(debye_text_line(reader->lines));
  return debye_line_reader_set_error(reader->lines, error, DEBYE_ERROR_SYNTAX,
                                     "expected row %d of an operation (BIOMT%d) with four numbers, found %s",
                                     reader->n_rows + 1, reader->n_rows + 1, found);
}

/* FALSE with an error: the last operation has less than three rows. */
static gboolean
end_part(Reader *reader, GError **error)
{
  if (reader->n_rows != 0)
    return refuse_row(reader, error);
  if (reader->chains->len > 0 && reader->operations->len > 0) {
    g_ptr_array_add(reader->chains, NULL);
    debye_assembly_add_part(reader->assembly, g_strdupv((char **)reader->chains->pdata),
                            g_array_ref(reader->operations));
  }
  g_array_unref(reader->operations);
  reader->operations = g_array_new(FALSE, TRUE, sizeof(DebyeAssemblyOperation));
  g_ptr_array_set_size(reader->chains, 0);
  return TRUE;
}

/* "A, B, C" behind the colon. */
static void
add_chains(Reader *reader, const char *text)
{
  g_auto(GStrv) words = g_strsplit_set(text, ", ", -1);
  for (char **word = words; *word != NULL; word++) {
    g_strstrip(*word);
    if (**word != '\0')
      g_ptr_array_add(reader->chains, g_strdup(*word));
  }
}

/* "  BIOMT1   1  1.000000  0.000000  0.000000        0.00000". */
static gboolean
read_row(Reader *reader, const char *text, gsize length, GError **error)
{
  DebyeTextField fields[MOST_FIELDS];
  double numbers[4];
  const int row = text[5] - '1';
  const gsize n = debye_text_split(text, length, fields, MOST_FIELDS);
  if (n < 6 || row != reader->n_rows || reader->operations->len > DEBYE_ASSEMBLY_OPERATIONS)
    return refuse_row(reader, error);
  for (int k = 0; k < 4; k++)
    if (!debye_text_require_double(reader->lines, fields[2 + k], "an operation", &numbers[k], error))
      return FALSE;
  if (row == 0)
    g_array_set_size(reader->operations, reader->operations->len + 1);
  DebyeAssemblyOperation *operation =
      &g_array_index(reader->operations, DebyeAssemblyOperation, reader->operations->len - 1);
  memcpy(operation->rotation[row], numbers, 3 * sizeof(double));
  *(row == 0   ? &operation->translation.x
    : row == 1 ? &operation->translation.y
               : &operation->translation.z) = numbers[3];
  reader->n_rows = (row + 1) % 3;
  return TRUE;
}

static gboolean
read_remark(Reader *reader, GError **error)
{
  static const char number[] = "BIOMOLECULE:", apply[] = "APPLY THE FOLLOWING TO CHAINS:",
                    and[] = "AND CHAINS:";
  g_autofree char *line = g_strndup(reader->lines->text, reader->lines->length);
  const char *text = g_strstrip(line + strlen(REMARK));
  if (g_str_has_prefix(text, number)) {
    const gint64 value = g_ascii_strtoll(text + strlen(number), NULL, 10);
    if (!end_part(reader, error))
      return FALSE;
    reader->is_wanted = value == reader->wanted;
    if (reader->found->len < 200)
      g_string_append_printf(reader->found, "%s%" G_GINT64_FORMAT, reader->found->len > 0 ? ", " : "", value);
  } else if (reader->is_wanted && g_str_has_prefix(text, apply)) {
    if (!end_part(reader, error))
      return FALSE;
    add_chains(reader, text + strlen(apply));
  } else if (reader->is_wanted && g_str_has_prefix(text, and)) {
    add_chains(reader, text + strlen(and));
  } else if (reader->is_wanted && g_str_has_prefix(text, "BIOMT")) {
    return read_row(reader, text, strlen(text), error);
  }
  return TRUE;
}

static gboolean
read_all(Reader *reader, GError **error)
{
  while (debye_line_reader_next(reader->lines, error)) {
    if (g_str_has_prefix(reader->lines->text, "ATOM") || g_str_has_prefix(reader->lines->text, "HETATM"))
      break;
    if (g_str_has_prefix(reader->lines->text, REMARK) && !read_remark(reader, error))
      return FALSE;
  }
  return !reader->lines->has_failed && end_part(reader, error);
}

DebyeAssembly *
debye_pdb_assembly_read(DebyeInput *input, gint64 number, GError **error)
{
  g_auto(DebyeLineReader) lines = {0};
  g_autoptr(DebyeAssembly) assembly = debye_assembly_new(FALSE);
  g_autoptr(GString) found = g_string_new(NULL);
  g_autoptr(GPtrArray) chains = g_ptr_array_new_with_free_func(g_free);
  debye_line_reader_init(&lines, input, 0, 1);
  Reader reader = {.lines = &lines,
                   .wanted = number,
                   .assembly = assembly,
                   .found = found,
                   .chains = chains,
                   .operations = g_array_new(FALSE, TRUE, sizeof(DebyeAssemblyOperation))};
  const gboolean done = read_all(&reader, error);
  g_array_unref(reader.operations);
  if (!done)
    return NULL;
  if (assembly->parts->len > 0)
    return g_steal_pointer(&assembly);
  if (found->len == 0)
    debye_input_set_error(input, error, DEBYE_ERROR_MISSING,
                          "the file has no biological assemblies (REMARK 350)");
  else
    debye_input_set_error(input, error, DEBYE_ERROR_MISSING,
                          "the file has no biological assembly %" G_GINT64_FORMAT ", but %s", number,
                          found->str);
  return NULL;
}
