/* SPDX-License-Identifier: MIT */
/* LAMMPS' data files (read_data, write_data). Coordinates are those of the file; image flags are not applied.
 * Atoms stand in the order of their ids, as in a dump, so that the two go together. */
#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/formats/format.h"
#include "data/formats/text_frames.h"
#include "lammps_atoms.h"
#include "lammps_data_atoms.h"
#include "lammps_ids.h"

static int
probe(const guint8 *bytes, gsize n)
{
  DebyeTextHead head = debye_text_head(bytes, n);
  const char *line;
  gsize length;
  gboolean has_atoms = FALSE, has_box = FALSE;
  while (debye_text_head_next(&head, &line, &length)) {
    DebyeTextField fields[5];
    DebyeTextField content = debye_lammps_data_get_content(line, length);
    gsize n_fields = debye_text_split(content.text, content.length, fields, G_N_ELEMENTS(fields));
    if (debye_lammps_data_get_section(line, length) != DEBYE_LAMMPS_SECTION_NONE)
      break;
    has_atoms |= n_fields == 2 && debye_text_field_is(fields[1], "atoms") && debye_text_is_number(fields[0]);
    has_box |=
        n_fields == 4 && (debye_text_field_is(fields[3], "xhi") || debye_text_field_is(fields[3], "avec"));
  }
  return has_atoms && has_box ? 95 : 0;
}

static gboolean
set_twice(DebyeLineReader *lines, gint64 id, GError **error)
{
  return debye_input_set_error(lines->input, error, DEBYE_ERROR_SYNTAX,
                               "expected each atom once, found the id %" G_GINT64_FORMAT " twice", id);
}

/* --- The topology --- */

typedef struct {
  DebyeLammpsDataHeader header;
  DebyeLammpsTypes types;
  DebyeLammpsAtoms atoms;
  GArray *bonds; /* gint64, the two ids of each */
  const char *guessed_style;
  gboolean has_atoms, has_velocities;
} Contents;

static void
contents_clear(Contents *contents)
{
  debye_lammps_types_clear(&contents->types);
  debye_lammps_atoms_clear(&contents->atoms);
  g_clear_pointer(&contents->bonds, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Contents, contents_clear)

static void
append_atom(Contents *contents, const DebyeLammpsDataAtom *row)
{
  DebyeLammpsAtom atom = {
      .id = row->id,
      .type = (guint32)row->type, /* until the types are known */
      .molecule = (gint32)CLAMP(row->molecule, G_MININT32, G_MAXINT32),
      .mass = NAN,
      .charge = (float)row->charge,
      .radius = NAN,
  };
  g_array_append_val(contents->atoms.atoms, atom);
}

static gboolean
read_atoms(DebyeLineReader *lines, Contents *contents, GError **error)
{
  DebyeLammpsStyle style;
  if (contents->has_atoms)
    return debye_line_reader_set_error(lines, error, DEBYE_ERROR_SYNTAX,
                                       "expected one section Atoms, found another");
  if (!debye_lammps_data_find_style(lines, &contents->header,
                                    debye_lammps_types_have_labels(&contents->types), &style,
                                    &contents->guessed_style, error))
    return FALSE;
  contents->has_atoms = TRUE;
  contents->atoms.has_ids = TRUE;
  contents->atoms.has_molecules = style.molecule >= 0;
  for (gsize i = 0; i < contents->header.n_atoms; i++) {
    DebyeLammpsDataAtom row;
    if (!debye_lammps_data_read_atom(lines, &style, &contents->types, &row, error))
      return FALSE;
    append_atom(contents, &row);
  }
  return TRUE;
}

static gboolean
read_bonds(DebyeLineReader *lines, Contents *contents, GError **error)
{
  for (gsize i = 0; i < contents->header.n_bonds; i++) {
    DebyeTextField fields[4];
    gint64 ids[2];
    if (debye_lammps_data_next_row(lines, "a bond", fields, 4, 4, error) == 0 ||
        !debye_text_require_int(lines, fields[2], "a bond's atom", &ids[0], error) ||
        !debye_text_require_int(lines, fields[3], "a bond's atom", &ids[1], error))
      return FALSE;
    g_array_append_vals(contents->bonds, ids, 2);
  }
  return TRUE;
}

static gboolean
read_section(DebyeLineReader *lines, DebyeLammpsSection section, Contents *contents, GError **error)
{
  switch (section) {
  case DEBYE_LAMMPS_SECTION_ATOMS:
    return read_atoms(lines, contents, error);
  case DEBYE_LAMMPS_SECTION_MASSES:
    return debye_lammps_types_read_masses(&contents->types, lines, error);
  case DEBYE_LAMMPS_SECTION_TYPE_LABELS:
    return debye_lammps_types_read_labels(&contents->types, lines, error);
  case DEBYE_LAMMPS_SECTION_BONDS:
    return read_bonds(lines, contents, error);
  case DEBYE_LAMMPS_SECTION_VELOCITIES:
    contents->has_velocities = TRUE;
    return TRUE;
  default:
    return TRUE;
  }
}

static gboolean
require_atoms(DebyeLineReader *lines, gsize n_atoms, gboolean has_atoms, GError **error)
{
  if (n_atoms > 0 && has_atoms)
    return TRUE;
  return debye_input_set_error(lines->input, error, DEBYE_ERROR_SYNTAX, "expected atoms, found none");
}

static gboolean
read_contents(DebyeLineReader *lines, Contents *contents, GError **error)
{
  DebyeLammpsSection section;
  if (!debye_lammps_data_read_header(lines, &contents->header, &section, error))
    return FALSE;
  debye_lammps_atoms_init(&contents->atoms);
  debye_lammps_types_init(&contents->types, contents->header.n_types, contents->atoms.pool);
  contents->bonds = g_array_new(FALSE, FALSE, sizeof(gint64));
  while (section != DEBYE_LAMMPS_SECTION_NONE) {
    if (!read_section(lines, section, contents, error))
      return FALSE;
    /* Velocities are left to the frame. */
    if (section == DEBYE_LAMMPS_SECTION_VELOCITIES)
      section = DEBYE_LAMMPS_SECTION_OTHER;
    if (!debye_lammps_data_next_section(lines, &section, error))
      return FALSE;
  }
  return require_atoms(lines, contents->header.n_atoms, contents->has_atoms, error);
}

/* Types to masses and names, which may stand behind the atoms. */
static void
apply_types(Contents *contents)
{
  const DebyeLammpsTypes *types = &contents->types;
  g_autofree guint32 *codes = g_new0(guint32, types->n_types + 1);
  for (guint i = 0; i < contents->atoms.atoms->len; i++) {
    DebyeLammpsAtom *atom = &g_array_index(contents->atoms.atoms, DebyeLammpsAtom, i);
    guint32 type = atom->type;
    if (codes[type] == 0) {
      g_autofree char *number = g_strdup_printf("%u", type);
      codes[type] = types->labels[type] != 0 ? types->labels[type]
                                             : debye_string_pool_add(contents->atoms.pool, number, -1);
    }
    atom->type = codes[type];
    atom->name = types->labels[type] != 0 ? types->labels[type] : types->remarks[type];
    atom->mass = types->masses[type];
  }
}

/* The two places of each bond in the order of ids, as guint32; DEBYE_LAMMPS_NO_ATOM: there is no such id. */
static GArray *
find_bonds(const Contents *contents, const DebyeLammpsIds *ids)
{
  GArray *places = g_array_sized_new(FALSE, FALSE, sizeof(guint32), contents->bonds->len);
  for (guint i = 0; i < contents->bonds->len; i++) {
    const guint32 atom = debye_lammps_ids_find(ids, g_array_index(contents->bonds, gint64, i));
    g_array_append_val(places, atom);
  }
  return places;
}

static void
add_bonds(const GArray *places, DebyeTopologyBuilder *builder)
{
  for (guint i = 0; i + 1 < places->len; i += 2) {
    gint64 atoms[2];
    for (guint k = 0; k < 2; k++) {
      const guint32 atom = g_array_index(places, guint32, i + k);
      atoms[k] = atom != DEBYE_LAMMPS_NO_ATOM ? (gint64)atom : -1;
    }
    debye_topology_builder_add_bond(builder, atoms[0], atoms[1]);
  }
}

static guint8 *
count_bonds(const Contents *contents, const GArray *places)
{
  guint8 *n_bonds = places->len > 0 ? g_new0(guint8, contents->atoms.atoms->len) : NULL;
  for (guint i = 0; i < places->len; i++) {
    const guint32 atom = g_array_index(places, guint32, i);
    if (atom != DEBYE_LAMMPS_NO_ATOM && n_bonds[atom] < G_MAXUINT8)
      n_bonds[atom]++;
  }
  return n_bonds;
}

/* The first atom of the tree that `atom` is in; shortens the way there. */
static guint32
find_first(guint32 *parents, guint32 atom)
{
  while (parents[atom] != atom) {
    parents[atom] = parents[parents[atom]];
    atom = parents[atom];
  }
  return atom;
}

static void
join(guint32 *parents, guint32 left, guint32 right)
{
  const guint32 a = find_first(parents, left), b = find_first(parents, right);
  parents[MAX(a, b)] = MIN(a, b);
}

/* By bonds, for files that number none: `bonds` are pairs of places in 0 … n_atoms − 1, passed over with
 * DEBYE_LAMMPS_NO_ATOM. Molecules count from 1 in the order of their first atoms; 0, LAMMPS' own for none, is an atom
 * without bonds. */
static gint32 *
number_by_bonds(gsize n_atoms, const guint32 *bonds, gsize n_bonds)
{
  g_autofree guint32 *parents = g_new(guint32, n_atoms);
  g_autofree gboolean *is_bonded = g_new0(gboolean, n_atoms);
  gint32 *numbers = g_new0(gint32, n_atoms), n_molecules = 0;
  for (gsize i = 0; i < n_atoms; i++)
    parents[i] = (guint32)i;
  for (gsize b = 0; b < 2 * n_bonds; b += 2)
    if (bonds[b] != DEBYE_LAMMPS_NO_ATOM && bonds[b + 1] != DEBYE_LAMMPS_NO_ATOM) {
      join(parents, bonds[b], bonds[b + 1]);
      is_bonded[bonds[b]] = is_bonded[bonds[b + 1]] = TRUE;
    }
  /* An atom's parent is never behind it, so a molecule's first atom comes first. */
  for (gsize i = 0; i < n_atoms; i++) {
    const guint32 first = find_first(parents, (guint32)i);
    if (is_bonded[i])
      numbers[i] = first == i ? ++n_molecules : numbers[first];
  }
  return numbers;
}

/* Styles such as “charge” have no column for molecules, and programs that make files often write 0 into it: the bonds give
 * them then. */
static gint32 *
number_molecules(const Contents *contents, const GArray *places)
{
  for (guint i = 0; i < contents->atoms.atoms->len; i++)
    if (g_array_index(contents->atoms.atoms, DebyeLammpsAtom, i).molecule != 0)
      return NULL;
  return places->len == 0 ? NULL
                          : number_by_bonds(contents->atoms.atoms->len,
                                            (const guint32 *)(gconstpointer)places->data, places->len / 2);
}

static void
warn(const Contents *contents, DebyeTopologyBuilder *builder)
{
  if (contents->guessed_style != NULL)
    debye_topology_builder_warn(builder, "the atom style is not stated: assuming “%s” from the columns",
                                contents->guessed_style);
  if (contents->header.units == NULL && contents->has_velocities)
    debye_topology_builder_warn(builder, "the file doesn't state its units: assuming “real” (Å, fs, e)");
  if (!contents->header.box.is_valid)
    debye_topology_builder_warn(builder, "the box has no volume: there is no cell");
}

static gboolean
read_topology(DebyeInput *input, DebyeTopologyBuilder *builder, GError **error)
{
  g_auto(DebyeLineReader) lines;
  debye_line_reader_init(&lines, input, 0, 1);
  g_auto(Contents) contents = {.has_atoms = FALSE};
  if (!read_contents(&lines, &contents, error))
    return FALSE;
  gint64 twice;
  g_autoptr(DebyeLammpsIds) ids = debye_lammps_atoms_make_ids(&contents.atoms, &twice);
  if (ids == NULL)
    return set_twice(&lines, twice, error);
  apply_types(&contents);
  if (contents.header.box.is_valid)
    debye_topology_builder_set_cell(builder, &contents.header.box.cell);
  warn(&contents, builder);
  g_autoptr(GArray) places = find_bonds(&contents, ids);
  g_autofree guint8 *n_bonds = count_bonds(&contents, places);
  g_autofree gint32 *molecules = number_molecules(&contents, places);
  contents.atoms.n_bonds = n_bonds;
  contents.atoms.molecules = molecules;
  debye_lammps_atoms_build(&contents.atoms, contents.header.units, builder);
  add_bonds(places, builder);
  return TRUE;
}

/* --- Coordinates --- */

static gboolean
index_frames(DebyeInput *input, DebyeFrameIndex *index, DebyeProgressFunc progress, gpointer data,
             GError **error)
{
  (void)progress;
  (void)data;
  g_auto(DebyeLineReader) lines;
  debye_line_reader_init(&lines, input, 0, 1);
  DebyeLammpsDataHeader header;
  DebyeLammpsSection section;
  const guint64 offset = 0;
  if (!debye_lammps_data_read_header(&lines, &header, &section, error) ||
      !require_atoms(&lines, header.n_atoms, TRUE, error))
    return FALSE;
  index->n_atoms = header.n_atoms;
  g_array_append_val(index->offsets, offset);
  return TRUE;
}

/* What goes from section to section while the one frame is read. */
typedef struct {
  DebyeLammpsDataHeader header;
  DebyeLammpsTypes types;
  DebyeLammpsIds *ids; /* once the atoms are read */
  DebyeFrame *frame;
} Coordinates;

static void
coordinates_clear(Coordinates *coordinates)
{
  debye_lammps_types_clear(&coordinates->types);
  g_clear_pointer(&coordinates->ids, debye_lammps_ids_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Coordinates, coordinates_clear)

/* From the file's order to that of the ids. */
static void
reorder(const DebyeLammpsIds *ids, const gint64 *id_of_row, float *values, float *scratch, gsize n)
{
  memcpy(scratch, values, n * sizeof(float));
  for (gsize i = 0; i < n; i++)
    values[debye_lammps_ids_find(ids, id_of_row[i])] = scratch[i];
}

static gboolean
read_positions(DebyeLineReader *lines, Coordinates *c, GError **error)
{
  const DebyeLammpsUnits *units = c->header.units;
  double length = (units != NULL ? units : debye_lammps_units_get_default())->length;
  gsize n = c->frame->n_atoms;
  DebyeLammpsStyle style;
  const char *guessed;
  gint64 twice;
  if (!debye_lammps_data_find_style(lines, &c->header, debye_lammps_types_have_labels(&c->types), &style,
                                    &guessed, error))
    return FALSE;
  g_autofree gint64 *ids = g_new(gint64, n);
  for (gsize i = 0; i < n; i++) {
    DebyeLammpsDataAtom row;
    if (!debye_lammps_data_read_atom(lines, &style, &c->types, &row, error))
      return FALSE;
    ids[i] = row.id;
    c->frame->x[i] = (float)(row.position[0] * length);
    c->frame->y[i] = (float)(row.position[1] * length);
    c->frame->z[i] = (float)(row.position[2] * length);
  }
  g_clear_pointer(&c->ids, debye_lammps_ids_free);
  c->ids = debye_lammps_ids_new(ids, n, &twice);
  if (c->ids == NULL)
    return set_twice(lines, twice, error);
  g_autofree float *scratch = g_new(float, n);
  reorder(c->ids, ids, c->frame->x, scratch, n);
  reorder(c->ids, ids, c->frame->y, scratch, n);
  reorder(c->ids, ids, c->frame->z, scratch, n);
  return TRUE;
}

static gboolean
prepare_velocities(DebyeLineReader *lines, Coordinates *c, GError **error)
{
  if (c->ids == NULL)
    return debye_line_reader_set_error(lines, error, DEBYE_ERROR_SYNTAX, "expected Atoms before Velocities");
  if (!debye_frame_add_velocities(c->frame))
    return debye_error_set_memory(error, debye_input_get_name(lines->input), c->frame->n_atoms, "velocities");
  memset(c->frame->vx, 0, c->frame->n_atoms * sizeof(float));
  memset(c->frame->vy, 0, c->frame->n_atoms * sizeof(float));
  memset(c->frame->vz, 0, c->frame->n_atoms * sizeof(float));
  return TRUE;
}

static gboolean
read_velocities(DebyeLineReader *lines, Coordinates *c, GError **error)
{
  const DebyeLammpsUnits *units =
      c->header.units != NULL ? c->header.units : debye_lammps_units_get_default();
  if (!prepare_velocities(lines, c, error))
    return FALSE;
  float *const velocity[3] = {c->frame->vx, c->frame->vy, c->frame->vz};
  for (gsize i = 0; i < c->frame->n_atoms; i++) {
    DebyeTextField fields[4];
    gint64 id;
    if (debye_lammps_data_next_row(lines, "a velocity", fields, 4, 4, error) == 0 ||
        !debye_text_require_int(lines, fields[0], "the id", &id, error))
      return FALSE;
    guint32 atom = debye_lammps_ids_find(c->ids, id);
    if (atom == DEBYE_LAMMPS_NO_ATOM)
      return debye_line_reader_set_error(lines, error, DEBYE_ERROR_SYNTAX,
                                         "expected the velocity of an atom, found the id %" G_GINT64_FORMAT,
                                         id);
    for (int axis = 0; axis < 3; axis++) {
      double value;
      if (!debye_text_require_double(lines, fields[1 + axis], "a velocity", &value, error))
        return FALSE;
      velocity[axis][atom] = (float)(value * units->velocity);
    }
  }
  /* Reduced units have no Å/ps. */
  if (isnan(units->velocity))
    c->frame->vx = c->frame->vy = c->frame->vz = NULL;
  return TRUE;
}

static gboolean
read_coordinates_of_section(DebyeLineReader *lines, DebyeLammpsSection section, Coordinates *c,
                            GError **error)
{
  switch (section) {
  case DEBYE_LAMMPS_SECTION_ATOMS:
    return read_positions(lines, c, error);
  case DEBYE_LAMMPS_SECTION_VELOCITIES:
    return read_velocities(lines, c, error);
  case DEBYE_LAMMPS_SECTION_TYPE_LABELS:
    return debye_lammps_types_read_labels(&c->types, lines, error);
  default:
    return TRUE;
  }
}

static gboolean
parse_frame(DebyeLineReader *lines, gpointer state, DebyeFrame *frame, GError **error)
{
  (void)state;
  DebyeLammpsSection section;
  g_auto(Coordinates) c = {.frame = frame};
  if (!debye_lammps_data_read_header(lines, &c.header, &section, error) ||
      !debye_text_require_n_atoms(lines, frame->n_atoms, c.header.n_atoms, error))
    return FALSE;
  g_autoptr(DebyeStringPool) pool = debye_string_pool_new();
  debye_lammps_types_init(&c.types, c.header.n_types, pool);
  while (section != DEBYE_LAMMPS_SECTION_NONE) {
    if (!read_coordinates_of_section(lines, section, &c, error))
      return FALSE;
    if (section == DEBYE_LAMMPS_SECTION_MASSES || section == DEBYE_LAMMPS_SECTION_BONDS)
      section = DEBYE_LAMMPS_SECTION_OTHER;
    if (!debye_lammps_data_next_section(lines, &section, error))
      return FALSE;
  }
  frame->cell = c.header.box.cell;
  frame->cell_origin = c.header.box.origin;
  frame->has_cell = c.header.box.is_valid;
  return require_atoms(lines, frame->n_atoms, c.ids != NULL, error);
}

DEBYE_TEXT_READ_FRAME(parse_frame)

const DebyeFormat debye_format_lmpdata = {
    .name = "lmpdata",
    .title = "LAMMPS data",
    .suffixes = (const char *const[]){"data", "lmp", "lammps", NULL},
    .probe = probe,
    .read_topology = read_topology,
    .index_frames = index_frames,
    .reader_new = debye_text_reader_new,
    .read_frame = read_frame,
    .reader_free = g_free,
};
