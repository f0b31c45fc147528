/* SPDX-License-Identifier: MIT */
/* Goes through the frames of a dump for the ids of all their atoms, where the number of atoms changes, and reads rows of
 * atoms; called by format_lammps_dump.c. */
#include "lammps_union.h"

#include <math.h>

#include "data/files/error.h"

gboolean
debye_lammps_require_field(const DebyeLineReader *lines, const DebyeLammpsColumns *columns,
                           const char **cursor, gsize column, DebyeTextField *field, GError **error)
{
  if (debye_text_next_field(cursor, lines->text + lines->length, &field->text, &field->length))
    return TRUE;
  return debye_line_reader_set_error(
      lines, error, DEBYE_ERROR_SYNTAX,
      "expected an atom with %" G_GSIZE_FORMAT " fields, found %" G_GSIZE_FORMAT, columns->n_columns, column);
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
  if (ids == NULL)
    return debye_line_reader_set_error(
        walk->lines, error, DEBYE_ERROR_SYNTAX,
        "expected each atom once in the frame that ends here, found the id %" G_GINT64_FORMAT " twice",
        twice);
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
  if (!head->columns.has[DEBYE_LAMMPS_ID])
    return debye_line_reader_set_error(walk->lines, error, DEBYE_ERROR_MISMATCH,
                                       "expected a column id as in the first frame, found none");
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

/* --- By labels --- */

gboolean
debye_lammps_read_label(const DebyeLineReader *lines, const DebyeLammpsColumns *columns,
                        DebyeTextField *label, GError **error)
{
  /* The first of these columns that there is. */
  static const DebyeLammpsField kinds[] = {DEBYE_LAMMPS_TYPE, DEBYE_LAMMPS_TYPE_LABEL, DEBYE_LAMMPS_ELEMENT};
  DebyeLammpsField wanted = DEBYE_LAMMPS_UNUSED;
  for (gsize i = G_N_ELEMENTS(kinds); i-- > 0;)
    wanted = columns->has[kinds[i]] ? kinds[i] : wanted;
  const char *cursor = lines->text;
  *label = (DebyeTextField){lines->text, 0};
  for (gsize column = 0; wanted != DEBYE_LAMMPS_UNUSED && column < columns->n_columns; column++) {
    DebyeTextField field;
    if (!debye_lammps_require_field(lines, columns, &cursor, column, &field, error))
      return FALSE;
    if (columns->fields[column] == wanted) {
      *label = field;
      return TRUE;
    }
  }
  return TRUE;
}

static gboolean
walk_labelled_row(const DebyeLammpsUnion *wanted, DebyeLineReader *lines, const DebyeLammpsDumpHead *head,
                  DebyeAtomLabels *labels, GError **error)
{
  DebyeTextField label;
  gboolean is_new;
  if (!debye_text_require_line(lines, "an atom", error) ||
      !debye_text_report(lines, wanted->progress, wanted->progress_data, error) ||
      !debye_lammps_read_label(lines, &head->columns, &label, error))
    return FALSE;
  debye_atom_labels_add(labels, label, &is_new);
  return !is_new || wanted->take == NULL || wanted->take(lines, head, wanted->data, error);
}

/* FALSE without an error at the end of the file. */
static gboolean
walk_labelled_frame(const DebyeLammpsUnion *wanted, DebyeLineReader *lines, DebyeLammpsDumpHead *head,
                    DebyeAtomLabels *labels, GError **error)
{
  if (!debye_lammps_dump_read_head(lines, head, error))
    return FALSE;
  debye_atom_labels_begin_frame(labels);
  for (gsize i = 0; i < head->n_atoms; i++)
    if (!walk_labelled_row(wanted, lines, head, labels, error))
      return FALSE;
  return TRUE;
}

DebyeAtomLabels *
debye_lammps_union_find_labels(const DebyeLammpsUnion *wanted, DebyeInput *input, GError **error)
{
  g_auto(DebyeLineReader) lines;
  debye_line_reader_init(&lines, input, 0, 1);
  g_autoptr(DebyeAtomLabels) labels = debye_atom_labels_new();
  DebyeLammpsDumpHead head = {0};
  GError *problem = NULL;
  for (gsize frame = 0; frame < wanted->n_frames && debye_atom_labels_get_n_atoms(labels) < wanted->n_atoms;
       frame++)
    if (!walk_labelled_frame(wanted, &lines, &head, labels, &problem))
      break;
  if (problem == NULL)
    return g_steal_pointer(&labels);
  g_propagate_error(error, problem);
  return NULL;
}

/* --- What a row says of its atom besides where it is --- */

static guint32
add_text(DebyeLammpsAtoms *atoms, DebyeTextField field)
{
  return debye_string_pool_add(atoms->pool, field.text, (gssize)field.length);
}

static gboolean
read_property(const DebyeLineReader *lines, DebyeLammpsField which, DebyeTextField field,
              DebyeLammpsAtoms *atoms, DebyeLammpsAtom *atom, GError **error)
{
  gint64 integer;
  double number;
  switch (which) {
  case DEBYE_LAMMPS_ID:
    return debye_text_require_int(lines, field, "the id", &atom->id, error);
  case DEBYE_LAMMPS_MOLECULE:
    if (!debye_text_require_int(lines, field, "the molecule", &integer, error))
      return FALSE;
    atom->molecule = (gint32)CLAMP(integer, G_MININT32, G_MAXINT32);
    return TRUE;
  case DEBYE_LAMMPS_TYPE:
    /* A label says more, whichever column comes first. */
    atom->type = atom->type != 0 ? atom->type : add_text(atoms, field);
    return TRUE;
  case DEBYE_LAMMPS_TYPE_LABEL:
    atom->type = atom->name = add_text(atoms, field);
    return TRUE;
  case DEBYE_LAMMPS_ELEMENT:
    atom->element = add_text(atoms, field);
    return TRUE;
  case DEBYE_LAMMPS_MASS:
    if (!debye_text_require_double(lines, field, "the mass", &number, error))
      return FALSE;
    atom->mass = (float)number;
    return TRUE;
  case DEBYE_LAMMPS_CHARGE:
    if (!debye_text_require_double(lines, field, "the charge", &number, error))
      return FALSE;
    atom->charge = (float)number;
    return TRUE;
  case DEBYE_LAMMPS_RADIUS:
  case DEBYE_LAMMPS_DIAMETER:
    if (!debye_text_require_double(lines, field, "the radius", &number, error))
      return FALSE;
    atom->radius = (float)(which == DEBYE_LAMMPS_DIAMETER ? 0.5 * number : number);
    return TRUE;
  default:
    return TRUE;
  }
}

gboolean
debye_lammps_row_read(const DebyeLineReader *lines, const DebyeLammpsColumns *columns,
                      DebyeLammpsAtoms *atoms, GError **error)
{
  DebyeLammpsAtom atom = {.mass = NAN, .charge = NAN, .radius = NAN};
  const char *cursor = lines->text;
  for (gsize column = 0; column < columns->n_columns; column++) {
    DebyeTextField field;
    if (!debye_lammps_require_field(lines, columns, &cursor, column, &field, error) ||
        !read_property(lines, columns->fields[column], field, atoms, &atom, error))
      return FALSE;
  }
  g_array_append_val(atoms->atoms, atom);
  return TRUE;
}
