/* SPDX-License-Identifier: MIT */
/* Tripos Mol2. The first molecule is the topology; further molecules of the same atoms (conformations, poses)
 * are frames, others are left out. */
#include "data/tables/elements.h"
#include "data/files/error.h"
#include "data/formats/format.h"
#include "mol2_records.h"
#include "data/formats/text_frames.h"

#include <math.h>
#include <string.h>

static int
probe(const guint8 *bytes, gsize n)
{
  DebyeTextHead head = debye_text_head(bytes, n);
  const char *line;
  gsize length;
  while (debye_text_head_next(&head, &line, &length)) {
    DebyeTextField content = debye_text_columns(line, length, 0, length);
    if (content.length == 0 || content.text[0] == '#')
      continue;
    gsize n_heading = strlen(DEBYE_MOL2_HEADING);
    return length >= n_heading && memcmp(line, DEBYE_MOL2_HEADING, n_heading) == 0 ? 95 : 0;
  }
  return 0;
}

/* --- Frames --- */

static guint64
hash_field(guint64 hash, DebyeTextField field)
{
  for (gsize i = 0; i < field.length; i++)
    hash = (hash ^ (guint8)field.text[i]) * 1099511628211u; /* FNV-1a */
  return (hash ^ ' ') * 1099511628211u;
}

/* Hashes the kinds of atoms of a molecule, in order. */
static gboolean
hash_atom(const DebyeLineReader *lines, const DebyeTextField *fields, gsize n, gpointer data, GError **error)
{
  guint64 *hash = data;
  (void)lines;
  (void)n;
  (void)error;
  *hash = hash_field(*hash, fields[5]);
  return TRUE;
}

typedef struct {
  DebyeTextFrames frames;
  guint64 first_hash;
  gsize n_molecules, n_different, first_different;
} Molecules;

static void
note_molecule(Molecules *molecules, DebyeFrameIndex *index, const DebyeMol2Molecule *molecule, guint64 hash)
{
  if (molecules->n_molecules == 0)
    molecules->first_hash = hash;
  if (molecules->n_molecules > 0 && molecule->n_atoms == index->n_atoms && hash != molecules->first_hash) {
    if (molecules->n_different++ == 0)
      molecules->first_different = molecules->n_molecules;
  } else {
    debye_text_add_frame(&molecules->frames, index, molecule->offset, molecule->n_atoms, NAN);
  }
  molecules->n_molecules++;
}

static gboolean
index_frames(DebyeInput *input, DebyeFrameIndex *index, DebyeProgressFunc progress, gpointer data,
             GError **error)
{
  static const DebyeMol2Rows rows = {.atom = hash_atom};
  const guint64 empty = 14695981039346656037u;
  g_auto(DebyeLineReader) lines;
  debye_line_reader_init(&lines, input, 0, 1);
  DebyeMol2Reader reader = {.lines = &lines};
  g_auto(DebyeMol2Molecule) molecule = {.n_atoms = 0};
  Molecules molecules = {.n_molecules = 0};
  GError *problem = NULL;
  guint64 hash = empty;
  while (debye_mol2_read_molecule(&reader, &molecule, &rows, &hash, &problem)) {
    note_molecule(&molecules, index, &molecule, hash);
    hash = empty;
    if (!debye_text_report(&lines, progress, data, &problem))
      break;
  }
  if (!debye_text_end_frames(&molecules.frames, index, input, problem, error))
    return FALSE;
  if (molecules.n_different > 0)
    debye_frame_index_warn(index,
                           "%" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " molecules are left out because their "
                           "atoms are of other types than the first one's (molecule %" G_GSIZE_FORMAT " is "
                           "the first of them)",
                           molecules.n_different, molecules.n_molecules, molecules.first_different);
  return TRUE;
}

typedef struct {
  DebyeFrame *frame;
  gsize n_read;
} Positions;

static gboolean
read_position(const DebyeLineReader *lines, const DebyeTextField *fields, gsize n, gpointer data,
              GError **error)
{
  static const char *const axes[] = {"x", "y", "z"};
  Positions *positions = data;
  DebyeFrame *frame = positions->frame;
  float *const position[] = {frame->x, frame->y, frame->z};
  (void)n;
  for (int axis = 0; axis < 3; axis++) {
    double value;
    if (!debye_text_require_double(lines, fields[2 + axis], axes[axis], &value, error))
      return FALSE;
    if (positions->n_read < frame->n_atoms)
      position[axis][positions->n_read] = (float)value;
  }
  positions->n_read++;
  return TRUE;
}

static gboolean
parse_frame(DebyeLineReader *lines, gpointer state, DebyeFrame *frame, GError **error)
{
  static const DebyeMol2Rows rows = {.atom = read_position};
  (void)state;
  DebyeMol2Reader reader = {.lines = lines};
  g_auto(DebyeMol2Molecule) molecule = {.n_atoms = 0};
  Positions positions = {.frame = frame};
  if (!debye_mol2_read_molecule(&reader, &molecule, &rows, &positions, error) ||
      !debye_text_require_n_atoms(lines, frame->n_atoms, molecule.n_atoms, error))
    return FALSE;
  frame->cell = molecule.cell;
  frame->has_cell = molecule.has_cell;
  return TRUE;
}

DEBYE_TEXT_READ_FRAME(parse_frame)

/* --- The topology --- */

/* Texts are codes of the pool. */
typedef struct {
  guint32 name, type, substructure_name;
  gint64 substructure, id;
  double charge;
} Atom;

typedef struct {
  guint32 name, chain, type;
} Substructure;

typedef struct {
  DebyeStringPool *pool;
  GArray *atoms;             /* Atom */
  GHashTable *atom_by_id;    /* id → number + 1 */
  GArray *bonds;             /* gint64, two ids each */
  GHashTable *substructures; /* id → Substructure */
  gboolean are_types_sybyl;
} Contents;

static void
contents_init(Contents *contents)
{
  *contents = (Contents){
      .pool = debye_string_pool_new(),
      .atoms = g_array_new(FALSE, FALSE, sizeof(Atom)),
      .atom_by_id = g_hash_table_new(NULL, NULL),
      .bonds = g_array_new(FALSE, FALSE, sizeof(gint64)),
      .substructures = g_hash_table_new_full(NULL, NULL, NULL, g_free),
      .are_types_sybyl = TRUE,
  };
}

static void
contents_clear(Contents *contents)
{
  debye_string_pool_unref(contents->pool);
  g_array_unref(contents->atoms);
  g_hash_table_unref(contents->atom_by_id);
  g_array_unref(contents->bonds);
  g_hash_table_unref(contents->substructures);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Contents, contents_clear)

/* "****" stands for an empty text. */
static guint32
add_text(Contents *contents, const DebyeTextField *fields, gsize n, gsize i)
{
  if (i >= n || debye_text_field_is(fields[i], "****"))
    return 0;
  return debye_string_pool_add(contents->pool, fields[i].text, (gssize)fields[i].length);
}

static gboolean
read_atom(const DebyeLineReader *lines, const DebyeTextField *fields, gsize n, gpointer data, GError **error)
{
  Contents *contents = data;
  guint8 element;
  Atom atom = {.charge = NAN};
  if (!debye_text_require_int(lines, fields[0], "the atom's id", &atom.id, error))
    return FALSE;
  if (n > 6 && !debye_text_require_int(lines, fields[6], "the substructure's id", &atom.substructure, error))
    return FALSE;
  if (n > 8 && !debye_text_require_double(lines, fields[8], "the charge", &atom.charge, error))
    return FALSE;
  atom.name = add_text(contents, fields, n, 1);
  atom.type = add_text(contents, fields, n, 5);
  atom.substructure_name = add_text(contents, fields, n, 7);
  contents->are_types_sybyl = contents->are_types_sybyl && debye_mol2_parse_type(fields[5], &element);
  g_array_append_val(contents->atoms, atom);
  g_hash_table_insert(contents->atom_by_id, GSIZE_TO_POINTER(atom.id),
                      GSIZE_TO_POINTER(contents->atoms->len));
  return TRUE;
}

static gboolean
read_bond(const DebyeLineReader *lines, const DebyeTextField *fields, gsize n, gpointer data, GError **error)
{
  Contents *contents = data;
  gint64 ids[2];
  (void)n;
  if (!debye_text_require_int(lines, fields[1], "a bond's atom", &ids[0], error) ||
      !debye_text_require_int(lines, fields[2], "a bond's atom", &ids[1], error))
    return FALSE;
  /* "nc": not connected. */
  if (!debye_text_field_is(fields[3], "nc"))
    g_array_append_vals(contents->bonds, ids, 2);
  return TRUE;
}

static gboolean
read_substructure(const DebyeLineReader *lines, const DebyeTextField *fields, gsize n, gpointer data,
                  GError **error)
{
  Contents *contents = data;
  gint64 id;
  if (!debye_text_require_int(lines, fields[0], "the substructure's id", &id, error))
    return FALSE;
  Substructure *substructure = g_new0(Substructure, 1);
  substructure->name = add_text(contents, fields, n, 1);
  substructure->chain = add_text(contents, fields, n, 5);
  substructure->type = add_text(contents, fields, n, 6);
  g_hash_table_insert(contents->substructures, GSIZE_TO_POINTER(id), substructure);
  return TRUE;
}

/* "VAL395" to VAL and 395, where the first part is the residue's type as the file says it, or a well-known
 * one. */
static gboolean
split_residue(const char *text, const char *type, DebyeTextField *name, gint64 *number)
{
  gsize n = strlen(type);
  g_autofree char *known = NULL;
  if (n == 0) {
    n = strcspn(text, "-0123456789");
    known = g_strndup(text, n);
    if (!debye_element_residue_is_biopolymer(known))
      return FALSE;
  }
  *name = (DebyeTextField){text, n};
  return strncmp(text, known != NULL ? known : type, n) == 0 &&
         debye_text_to_int(text + n, strlen(text + n), number);
}

static void
open_residue(const Contents *contents, const Atom *atom, DebyeTopologyBuilder *builder)
{
  const Substructure *substructure =
      g_hash_table_lookup(contents->substructures, GSIZE_TO_POINTER(atom->substructure));
  guint32 text_code =
      substructure != NULL && substructure->name != 0 ? substructure->name : atom->substructure_name;
  const char *text = debye_string_pool_get(contents->pool, text_code);
  const char *type = debye_string_pool_get(contents->pool, substructure != NULL ? substructure->type : 0);
  const char *chain = debye_string_pool_get(contents->pool, substructure != NULL ? substructure->chain : 0);
  DebyeTextField name;
  gint64 number;
  if (!split_residue(text, type, &name, &number)) {
    name = (DebyeTextField){text, strlen(text)};
    number = atom->substructure;
  }
  debye_topology_builder_set_residue(builder, name.text, (gssize)name.length,
                                     (gint32)CLAMP(number, G_MININT32, G_MAXINT32), '\0', chain, -1, NULL, 0);
}

/* Programs put the hydrogens of all residues behind the other atoms. */
static gboolean
return_to_residue(GHashTable *residues, const Atom *atom, DebyeTopologyBuilder *builder)
{
  gpointer residue;
  if (!g_hash_table_lookup_extended(residues, GSIZE_TO_POINTER(atom->substructure), NULL, &residue))
    return FALSE;
  debye_topology_builder_return_to_residue(builder, GPOINTER_TO_UINT(residue));
  return TRUE;
}

static void
add_atoms(const Contents *contents, gboolean has_charges, DebyeTopologyBuilder *builder)
{
  g_autoptr(GHashTable) residues = g_hash_table_new(NULL, NULL);
  for (guint i = 0; i < contents->atoms->len; i++) {
    const Atom *from = &g_array_index(contents->atoms, Atom, i);
    DebyeAtom atom = DEBYE_ATOM_INIT;
    guint8 element;
    atom.name = debye_string_pool_get(contents->pool, from->name);
    atom.type = debye_string_pool_get(contents->pool, from->type);
    if (contents->are_types_sybyl &&
        debye_mol2_parse_type((DebyeTextField){atom.type, strlen(atom.type)}, &element))
      atom.atomic_number = element;
    atom.charge = has_charges ? from->charge : NAN;
    if (ABS(from->id) < G_MAXINT32)
      atom.serial = (gint32)from->id;
    if (!return_to_residue(residues, from, builder)) {
      open_residue(contents, from, builder);
      debye_topology_builder_new_residue(builder);
    }
    debye_topology_builder_add_atom(builder, &atom);
    g_hash_table_insert(residues, GSIZE_TO_POINTER(from->substructure),
                        GUINT_TO_POINTER(debye_topology_builder_get_last_residue(builder)));
  }
}

static void
add_bonds(const Contents *contents, DebyeTopologyBuilder *builder)
{
  for (guint i = 0; i + 1 < contents->bonds->len; i += 2) {
    gint64 atoms[2];
    for (guint k = 0; k < 2; k++) {
      gint64 id = g_array_index(contents->bonds, gint64, i + k);
      atoms[k] =
          (gint64)GPOINTER_TO_SIZE(g_hash_table_lookup(contents->atom_by_id, GSIZE_TO_POINTER(id))) - 1;
    }
    debye_topology_builder_add_bond(builder, atoms[0], atoms[1]);
  }
}

static gboolean
read_first(DebyeLineReader *lines, DebyeMol2Molecule *molecule, Contents *contents, GError **error)
{
  static const DebyeMol2Rows rows = {.atom = read_atom, .bond = read_bond, .substructure = read_substructure};
  DebyeMol2Reader reader = {.lines = lines};
  GError *problem = NULL;
  if (debye_mol2_read_molecule(&reader, molecule, &rows, contents, &problem)) {
    if (molecule->n_atoms > 0)
      return TRUE;
    debye_line_reader_set_error(lines, error, DEBYE_ERROR_SYNTAX, "expected atoms, found a count of 0");
  } else if (problem == NULL) {
    debye_text_set_truncated(lines, error, "@<TRIPOS>MOLECULE");
  } else {
    g_propagate_error(error, problem);
  }
  return FALSE;
}

static gboolean
read_topology(DebyeInput *input, DebyeTopologyBuilder *builder, GError **error)
{
  g_auto(DebyeLineReader) lines;
  debye_line_reader_init(&lines, input, 0, 1);
  g_auto(DebyeMol2Molecule) molecule = {.n_atoms = 0};
  g_auto(Contents) contents;
  contents_init(&contents);
  if (!read_first(&lines, &molecule, &contents, error))
    return FALSE;
  if (molecule.n_bonds_found != molecule.n_bonds)
    debye_topology_builder_warn(
        builder, "the molecule's header states %" G_GSIZE_FORMAT " bonds, but it has %" G_GSIZE_FORMAT,
        molecule.n_bonds, molecule.n_bonds_found);
  /* Five stars: it has no name. */
  if (strcmp(molecule.name, "*****") != 0)
    debye_topology_builder_set_title(builder, molecule.name, -1);
  if (molecule.has_cell)
    debye_topology_builder_set_cell(builder, &molecule.cell);
  add_atoms(&contents, molecule.has_charges, builder);
  add_bonds(&contents, builder);
  return TRUE;
}

const DebyeFormat debye_format_mol2 = {
    .name = "mol2",
    .title = "Tripos Mol2",
    .suffixes = (const char *const[]){"mol2", NULL},
    .probe = probe,
    .read_topology = read_topology,
    .index_frames = index_frames,
    .reader_new = debye_text_reader_new,
    .read_frame = read_frame,
    .reader_free = g_free,
};
