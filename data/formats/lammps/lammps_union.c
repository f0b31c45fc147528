/* SPDX-License-Identifier: MIT */
/* Goes through the frames of a dump for the ids of all their atoms; called by format_lammps_dump.c for files whose
 * number of atoms changes. */
#include "lammps_union.h"

#include "data/files/error.h"

gboolean
debye_lammps_require_field(const DebyeLineReader *lines, const DebyeLammpsColumns *columns,
                           const char **cursor, gsize column, DebyeTextField *field, GError **error)
{
  if (debye_text_next_field(cursor, lines->text + lines->length, &field->text, &field->length))
    return TRUE;
  debye_line_reader_set_error(lines, error, DEBYE_ERROR_SYNTAX,
                              "expected an atom with %" G_GSIZE_FORMAT " fields, found %" G_GSIZE_FORMAT,
                              columns->n_columns, column);
  return FALSE;
}

gboolean
debye_lammps_read_id(const DebyeLineReader *lines, const DebyeLammpsColumns *columns, gint64 *id,
                     GError **error)
{
  const char *cursor = lines->text;
  for (gsize column = 0; column < columns->n_columns; column++) {
    DebyeTextField field;
    if (!debye_lammps_require_field(lines, columns, &cursor, column, &field, error))
      return FALSE;
    if (columns->fields[column] == DEBYE_LAMMPS_ID)
      return debye_text_require_int(lines, field, "the id", id, error);
  }
  return FALSE;
}

typedef struct {
  const DebyeLammpsUnion *wanted;
  DebyeLineReader *lines;
  GArray *ids;           /* gint64: of the frames before, then new ones of this frame */
  DebyeLammpsIds *known; /* of the frames before; NULL: they had no atoms */
} Walk;

static gboolean
walk_row(Walk *walk, const DebyeLammpsDumpHead *head, GError **error)
{
  const DebyeLammpsUnion *wanted = walk->wanted;
  gint64 id;
  if (!debye_text_require_line(walk->lines, "an atom", error) ||
      !debye_text_report(walk->lines, wanted->progress, wanted->progress_data, error) ||
      !debye_lammps_read_id(walk->lines, &head->columns, &id, error))
    return FALSE;
  if (walk->known != NULL && debye_lammps_ids_find(walk->known, id) != DEBYE_LAMMPS_NO_ATOM)
    return TRUE;
  g_array_append_val(walk->ids, id);
  return wanted->take == NULL || wanted->take(walk->lines, head, wanted->data, error);
}

static gboolean
learn_ids(Walk *walk, GError **error)
{
  gint64 twice;
  DebyeLammpsIds *ids =
      debye_lammps_ids_new((const gint64 *)(gconstpointer)walk->ids->data, walk->ids->len, &twice);
  if (ids == NULL) {
    debye_line_reader_set_error(
        walk->lines, error, DEBYE_ERROR_SYNTAX,
        "expected each atom once in the frame that ends here, found the id %" G_GINT64_FORMAT " twice",
        twice);
    return FALSE;
  }
  g_clear_pointer(&walk->known, debye_lammps_ids_free);
  walk->known = ids;
  return TRUE;
}

/* FALSE without an error at the end of the file. */
static gboolean
walk_frame(Walk *walk, DebyeLammpsDumpHead *head, GError **error)
{
  guint n_before = walk->ids->len;
  if (!debye_lammps_dump_read_head(walk->lines, head, error))
    return FALSE;
  if (!head->columns.has[DEBYE_LAMMPS_ID]) {
    debye_line_reader_set_error(walk->lines, error, DEBYE_ERROR_MISMATCH,
                                "expected a column id as in the first frame, found none");
    return FALSE;
  }
  for (gsize i = 0; i < head->n_atoms; i++)
    if (!walk_row(walk, head, error))
      return FALSE;
  return walk->ids->len == n_before || learn_ids(walk, error);
}

DebyeLammpsIds *
debye_lammps_union_find(const DebyeLammpsUnion *wanted, DebyeInput *input, gsize *n_atoms, GError **error)
{
  g_auto(DebyeLineReader) lines;
  debye_line_reader_init(&lines, input, 0, 1);
  g_autoptr(GArray) ids = g_array_new(FALSE, FALSE, sizeof(gint64));
  Walk walk = {.wanted = wanted, .lines = &lines, .ids = ids};
  DebyeLammpsDumpHead head = {0};
  GError *problem = NULL;
  for (gsize frame = 0; frame < wanted->n_frames && ids->len < wanted->n_atoms; frame++)
    if (!walk_frame(&walk, &head, &problem))
      break;
  *n_atoms = ids->len;
  /* Whoever asks has seen atoms. */
  if (problem == NULL && walk.known == NULL)
    debye_input_set_changed(input, &problem);
  if (problem == NULL)
    return walk.known;
  g_clear_pointer(&walk.known, debye_lammps_ids_free);
  g_propagate_error(error, problem);
  return NULL;
}
