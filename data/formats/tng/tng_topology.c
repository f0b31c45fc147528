/* SPDX-License-Identifier: MIT */
/* Reads molecules, bonds, charges and masses of a TNG file; called by format_tng.c. */
#include "tng_topology.h"

#include "data/files/error.h"
#include "tng_bits.h"

/* The shortest atom: a number and two empty texts. */
#define ATOM_BYTES 10

typedef struct {
  const char *name, *type;
} Atom;

typedef struct {
  const char *name, *chain;
  gint64 number;
  gsize n_atoms;
} Residue;

typedef struct {
  gint64 from, to;
} Bond;

typedef struct {
  gint64 count;
  GArray *atoms, *residues, *bonds;
} Molecule;

static void
free_molecule(gpointer data)
{
  Molecule *molecule = data;
  g_array_unref(molecule->atoms);
  g_array_unref(molecule->residues);
  g_array_unref(molecule->bonds);
  g_free(molecule);
}

static Molecule *
add_molecule(GPtrArray *molecules)
{
  Molecule *molecule = g_new0(Molecule, 1);
  molecule->atoms = g_array_new(FALSE, FALSE, sizeof(Atom));
  molecule->residues = g_array_new(FALSE, FALSE, sizeof(Residue));
  molecule->bonds = g_array_new(FALSE, FALSE, sizeof(Bond));
  g_ptr_array_add(molecules, molecule);
  return molecule;
}

/* --- Reading --- */

typedef struct {
  const DebyeTngLayout *layout;
  DebyeTngBytes bytes; /* of the block; what is beyond its end is 0 and "" */
} Cursor;

static gint64
take_int(Cursor *cursor)
{
  const guint8 *bytes = debye_tng_take(&cursor->bytes, sizeof(gint64));
  return bytes != NULL ? debye_tng_get_int(cursor->layout, bytes) : 0;
}

/* A number of things of which each takes some bytes: more than the block can hold are none, and a fault. */
static gint64
take_count(Cursor *cursor, gsize bytes_each)
{
  gint64 n = take_int(cursor);
  gsize left = cursor->bytes.n_bytes - cursor->bytes.at;
  if (n >= 0 && (guint64)n <= left / bytes_each)
    return n;
  cursor->bytes.is_short = TRUE;
  return 0;
}

static const char *
take_text(Cursor *cursor)
{
  const guint8 *text = cursor->bytes.bytes + cursor->bytes.at;
  const guint8 *end = memchr(text, 0, cursor->bytes.n_bytes - cursor->bytes.at);
  if (end == NULL) {
    cursor->bytes.is_short = TRUE;
    return "";
  }
  cursor->bytes.at += (gsize)(end - text) + 1;
  return (const char *)text;
}

static void
take_atoms(Cursor *cursor, Molecule *molecule, gint64 n)
{
  for (gint64 i = 0; i < n && !cursor->bytes.is_short; i++) {
    Atom atom;
    take_int(cursor);
    atom.name = take_text(cursor);
    atom.type = take_text(cursor);
    g_array_append_val(molecule->atoms, atom);
  }
}

static void
take_residues(Cursor *cursor, Molecule *molecule, const char *chain, gint64 n)
{
  for (gint64 i = 0; i < n && !cursor->bytes.is_short; i++) {
    Residue residue = {.chain = chain, .number = take_int(cursor)};
    residue.name = take_text(cursor);
    residue.n_atoms = (gsize)take_count(cursor, ATOM_BYTES);
    g_array_append_val(molecule->residues, residue);
    take_atoms(cursor, molecule, (gint64)residue.n_atoms);
  }
}

static void
take_chains(Cursor *cursor, Molecule *molecule, gint64 n)
{
  for (gint64 i = 0; i < n && !cursor->bytes.is_short; i++) {
    take_int(cursor);
    const char *chain = take_text(cursor);
    take_residues(cursor, molecule, chain, take_count(cursor, 17));
  }
}

static void
take_bonds(Cursor *cursor, Molecule *molecule)
{
  gint64 n = take_count(cursor, sizeof(Bond));
  for (gint64 i = 0; i < n && !cursor->bytes.is_short; i++) {
    Bond bond = {.from = take_int(cursor)};
    bond.to = take_int(cursor);
    g_array_append_val(molecule->bonds, bond);
  }
}

static void
take_molecule(Cursor *cursor, GPtrArray *molecules)
{
  Molecule *molecule = add_molecule(molecules);
  take_int(cursor);
  take_text(cursor);
  take_int(cursor); /* how many of them make one */
  molecule->count = take_int(cursor);
  gint64 n_chains = take_int(cursor), n_residues = take_int(cursor), n_atoms = take_int(cursor);
  if (n_chains > 0)
    take_chains(cursor, molecule, n_chains);
  else if (n_residues > 0)
    take_residues(cursor, molecule, "", n_residues);
  else
    take_atoms(cursor, molecule, n_atoms);
  take_bonds(cursor, molecule);
  if (molecule->count < 0 || molecule->count > G_MAXINT32 || n_atoms != (gint64)molecule->atoms->len)
    cursor->bytes.is_short = TRUE;
}

static gboolean
fail(DebyeInput *input, guint64 at, const char *text, GError **error)
{
  return debye_input_set_error(input, error, DEBYE_ERROR_SYNTAX, "byte %" G_GUINT64_FORMAT ": %s", at, text);
}

/* --- Building --- */

/* Values an atom beside the molecules. NULL: none. */
typedef struct {
  DebyeTngData data;
  guint8 *bytes;
} Column;

typedef struct {
  DebyeTngLayout layout;
  guint8 *text; /* which the molecules' texts are in */
  GPtrArray *molecules;
  Column charges, masses;
} Topology;

static void
topology_clear(Topology *topology)
{
  g_free(topology->text);
  g_clear_pointer(&topology->molecules, g_ptr_array_unref);
  g_free(topology->charges.bytes);
  g_free(topology->masses.bytes);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Topology, topology_clear)

static double
get_value(const Topology *topology, const Column *column, gsize atom)
{
  return column->bytes != NULL && atom < (gsize)column->data.n_atoms
             ? debye_tng_get_value(&topology->layout, &column->data, column->bytes, atom)
             : NAN;
}

static void
add_atom(const Topology *topology, const Atom *from, DebyeTopologyBuilder *builder)
{
  DebyeAtom atom = DEBYE_ATOM_INIT;
  gsize i = debye_topology_builder_get_n_atoms(builder);
  atom.name = from->name;
  atom.type = from->type;
  atom.charge = get_value(topology, &topology->charges, i);
  atom.mass = get_value(topology, &topology->masses, i);
  debye_topology_builder_add_atom(builder, &atom);
}

/* One of so many alike: where it has a single residue, the numbers go on. */
static void
add_copy(const Topology *topology, const Molecule *molecule, gint64 copy, DebyeTopologyBuilder *builder)
{
  const Atom *atom = (const Atom *)(gconstpointer)molecule->atoms->data;
  gsize first = debye_topology_builder_get_n_atoms(builder), n = molecule->atoms->len;
  for (guint r = 0; r < molecule->residues->len; r++) {
    const Residue *residue = &g_array_index(molecule->residues, Residue, r);
    gint64 number = residue->number + (molecule->residues->len == 1 ? copy : 0);
    debye_topology_builder_set_residue(builder, residue->name, -1,
                                       (gint32)CLAMP(number, G_MININT32, G_MAXINT32), 0, residue->chain, -1,
                                       NULL, -1);
    debye_topology_builder_new_residue(builder);
    for (gsize k = 0; k < residue->n_atoms; k++, n--)
      add_atom(topology, atom++, builder);
  }
  if (n > 0)
    debye_topology_builder_set_residue(builder, NULL, 0, 0, 0, NULL, 0, NULL, 0);
  for (; n > 0; n--)
    add_atom(topology, atom++, builder);
  for (guint k = 0; k < molecule->bonds->len; k++) {
    const Bond *bond = &g_array_index(molecule->bonds, Bond, k);
    if (bond->from < 0 || bond->from >= molecule->atoms->len || bond->to < 0 ||
        bond->to >= molecule->atoms->len)
      debye_topology_builder_add_bond(builder, -1, -1);
    else
      debye_topology_builder_add_bond(builder, (gint64)first + bond->from, (gint64)first + bond->to);
  }
}

static gboolean
has_names(const Topology *topology)
{
  for (guint m = 0; m < topology->molecules->len; m++) {
    const Molecule *molecule = g_ptr_array_index(topology->molecules, m);
    for (guint i = 0; i < molecule->atoms->len; i++)
      if (g_array_index(molecule->atoms, Atom, i).name[0] != 0)
        return TRUE;
  }
  return FALSE;
}

static guint64
count_atoms(const Topology *topology)
{
  guint64 n = 0;
  for (guint m = 0; m < topology->molecules->len; m++) {
    const Molecule *molecule = g_ptr_array_index(topology->molecules, m);
    n += (guint64)molecule->count * molecule->atoms->len;
    if (n > G_MAXINT32)
      return n;
  }
  return n;
}

/* --- Blocks --- */

static gboolean
read_molecules(DebyeInput *input, Topology *topology, const DebyeTngBlock *block, GError **error)
{
  g_free(topology->text);
  topology->text = g_try_malloc(MAX(block->n_bytes, 1));
  if (topology->text == NULL)
    return debye_error_set_memory(error, debye_input_get_name(input), block->n_bytes, "bytes");
  if (!debye_input_read(input, block->contents_at, topology->text, block->n_bytes, error))
    return FALSE;
  Cursor cursor = {.layout = &topology->layout,
                   .bytes = {.bytes = topology->text, .n_bytes = block->n_bytes}};
  g_ptr_array_set_size(topology->molecules, 0);
  gint64 n = take_count(&cursor, 1);
  for (gint64 i = 0; i < n && !cursor.bytes.is_short; i++)
    take_molecule(&cursor, topology->molecules);
  return !cursor.bytes.is_short || fail(input, block->at, "the block of molecules is damaged", error);
}

static gboolean
read_column(DebyeInput *input, const Topology *topology, const DebyeTngBlock *block, Column *column,
            GError **error)
{
  g_clear_pointer(&column->bytes, g_free);
  if (!debye_tng_read_data_head(input, &topology->layout, block, NULL, &column->data, error))
    return FALSE;
  if (column->data.n_atoms == 0 || column->data.codec == DEBYE_TNG_AS_TNG)
    return TRUE;
  column->bytes = debye_tng_read_data(input, &column->data, error);
  return column->bytes != NULL;
}

/* Up to the first frame set. */
static gboolean
read_blocks(DebyeInput *input, Topology *topology, GError **error)
{
  guint64 size = debye_input_get_size(input);
  gboolean is_good = TRUE;
  for (guint64 at = topology->layout.blocks_at; is_good && at < size;) {
    DebyeTngBlock block;
    if (!debye_tng_read_block(input, &topology->layout, at, &block, error))
      return FALSE;
    if (block.id == DEBYE_TNG_FRAME_SET)
      return TRUE;
    if (block.id == DEBYE_TNG_MOLECULES)
      is_good = read_molecules(input, topology, &block, error);
    else if (block.id == DEBYE_TNG_CHARGES)
      is_good = read_column(input, topology, &block, &topology->charges, error);
    else if (block.id == DEBYE_TNG_MASSES)
      is_good = read_column(input, topology, &block, &topology->masses, error);
    at = block.next;
  }
  return is_good;
}

gboolean
debye_tng_add_topology(DebyeInput *input, DebyeTopologyBuilder *builder, GError **error)
{
  g_auto(Topology) topology = {.molecules = g_ptr_array_new_with_free_func(free_molecule)};
  if (!debye_tng_read_layout(input, &topology.layout, error) || !read_blocks(input, &topology, error))
    return FALSE;
  if (!has_names(&topology))
    return TRUE;
  /* A frame takes two bits an atom at the least. */
  guint64 n_atoms = count_atoms(&topology);
  if (n_atoms > G_MAXINT32 || n_atoms / 4 > debye_input_get_size(input))
    return debye_input_set_error(
        input, error, DEBYE_ERROR_LIMIT,
        "expected molecules of no more atoms than the file can hold, found %" G_GUINT64_FORMAT, n_atoms);
  for (guint m = 0; m < topology.molecules->len; m++) {
    const Molecule *molecule = g_ptr_array_index(topology.molecules, m);
    for (gint64 copy = 0; copy < molecule->count; copy++)
      add_copy(&topology, molecule, copy, builder);
  }
  return TRUE;
}
