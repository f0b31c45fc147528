/* SPDX-License-Identifier: MIT */
/* AMBER's topology files (prmtop, parm7): the form since 1999, the older one, and CHAMBER's, which carries
 * CHARMM's force field. Atoms with charges, masses and radii, residues, bonds, the cell; no coordinates. */
#include <math.h>
#include <string.h>

#include "amber_sections.h"
#include "data/files/error.h"
#include "data/formats/format.h"
#include "data/files/text_fields.h"

/* Charges are stored times the square root of the electrostatic constant (kcal/mol, Å, e): AMBER's own value,
 * and in files made by CHAMBER that of CHARMM, sqrt(332.0716), as they say in a comment. */
#define AMBER_CHARGE 18.2223
#define CHARMM_CHARGE 18.222832911389873

/* Names have four letters; newer programs may write eight. */
#define NAME_SIZE 9

/* The angle of the truncated octahedron, 2·arctan(√2) degrees, as files have it: seven digits or fewer. */
#define OCTAHEDRON_ANGLE 109.4712206344907

/* --- Recognising it --- */

static gboolean
are_integers(const char *line, gsize length, gsize n)
{
  for (gsize k = 0; k < n; k++) {
    gint64 value;
    DebyeTextField field = debye_text_columns(line, length, 6 * k, 6 * (k + 1));
    if (!debye_text_to_int(field.text, field.length, &value) || value < 0)
      return FALSE;
  }
  return TRUE;
}

/* A title and thirty integers, twelve a line. */
static gboolean
looks_old(DebyeTextHead head)
{
  static const gsize n_integers[] = {12, 12, 6};
  const char *line;
  gsize length;
  if (!debye_text_head_next(&head, &line, &length))
    return FALSE;
  for (gsize k = 0; k < G_N_ELEMENTS(n_integers); k++)
    if (!debye_text_head_next(&head, &line, &length) || !are_integers(line, length, n_integers[k]))
      return FALSE;
  return TRUE;
}

static int
probe(const guint8 *bytes, gsize n)
{
  DebyeTextHead head = debye_text_head(bytes, n);
  const char *line;
  gsize length;
  if (looks_old(head))
    return 85;
  if (!debye_text_head_next(&head, &line, &length))
    return 0;
  if (length >= 8 && memcmp(line, "%VERSION", 8) == 0)
    return 100;
  return length >= 6 && memcmp(line, "%FLAG ", 6) == 0 ? 95 : 0;
}

/* --- Columns --- */

typedef struct {
  const DebyeAmberSections *sections;
  gint32 pointers[DEBYE_AMBER_N_POINTERS];
  gsize n_atoms, n_residues;
  char *names, *types;
  double *charges, *masses, *radii;        /* radii: NULL where there are none */
  gint32 *atomic_numbers;                  /* NULL: none */
  char *labels, *chains, *insertion_codes; /* of residues; the last two NULL where there are none */
  gint32 *first_atoms, *numbers;           /* of residues; numbers NULL where there are none */
} Columns;

static void
columns_clear(Columns *columns)
{
  g_free(columns->names);
  g_free(columns->types);
  g_free(columns->charges);
  g_free(columns->masses);
  g_free(columns->radii);
  g_free(columns->atomic_numbers);
  g_free(columns->labels);
  g_free(columns->chains);
  g_free(columns->insertion_codes);
  g_free(columns->first_atoms);
  g_free(columns->numbers);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Columns, columns_clear)

static gboolean
read_texts(const Columns *columns, const char *name, gsize n, char **texts, GError **error)
{
  *texts = g_malloc0_n(n + 1, NAME_SIZE);
  return debye_amber_sections_read_texts(columns->sections, name, n, *texts, NAME_SIZE, error);
}

static gboolean
read_integers(const Columns *columns, const char *name, gsize n, gint32 **values, GError **error)
{
  *values = g_new0(gint32, n + 1);
  return debye_amber_sections_read_integers(columns->sections, name, n, *values, error);
}

static gboolean
read_reals(const Columns *columns, const char *name, gsize n, double **values, GError **error)
{
  *values = g_new0(double, n + 1);
  return debye_amber_sections_read_reals(columns->sections, name, n, *values, error);
}

static gboolean
has(const Columns *columns, const char *name)
{
  return debye_amber_sections_find(columns->sections, name) != NULL;
}

/* A radius of nothing would make an atom vanish from a PQR file's surface: a set of zeros is none. */
static gboolean
read_radii(Columns *columns, GError **error)
{
  gboolean has_one = FALSE;
  if (!has(columns, "RADII"))
    return TRUE;
  if (!read_reals(columns, "RADII", columns->n_atoms, &columns->radii, error))
    return FALSE;
  for (gsize i = 0; i < columns->n_atoms; i++)
    has_one = has_one || columns->radii[i] > 0.0;
  if (!has_one)
    g_clear_pointer(&columns->radii, g_free);
  return TRUE;
}

static gboolean
read_atom_columns(Columns *columns, GError **error)
{
  gsize n = columns->n_atoms;
  return read_texts(columns, "ATOM_NAME", n, &columns->names, error) &&
         read_reals(columns, "CHARGE", n, &columns->charges, error) &&
         read_reals(columns, "MASS", n, &columns->masses, error) &&
         read_texts(columns, "AMBER_ATOM_TYPE", n, &columns->types, error) &&
         (!has(columns, "ATOMIC_NUMBER") ||
          read_integers(columns, "ATOMIC_NUMBER", n, &columns->atomic_numbers, error)) &&
         read_radii(columns, error);
}

/* The last three are what ParmEd and add_pdb keep of the PDB file that a system came from. */
static gboolean
read_residue_columns(Columns *columns, GError **error)
{
  gsize n = columns->n_residues;
  return read_texts(columns, "RESIDUE_LABEL", n, &columns->labels, error) &&
         read_integers(columns, "RESIDUE_POINTER", n, &columns->first_atoms, error) &&
         (!has(columns, "RESIDUE_NUMBER") ||
          read_integers(columns, "RESIDUE_NUMBER", n, &columns->numbers, error)) &&
         (!has(columns, "RESIDUE_CHAINID") ||
          read_texts(columns, "RESIDUE_CHAINID", n, &columns->chains, error)) &&
         (!has(columns, "RESIDUE_ICODE") ||
          read_texts(columns, "RESIDUE_ICODE", n, &columns->insertion_codes, error));
}

static gboolean
check_residues(const Columns *columns, GError **error)
{
  for (gsize r = 0; r < columns->n_residues; r++) {
    gint32 least = r == 0 ? 1 : columns->first_atoms[r - 1] + 1;
    gint32 most = r == 0 ? 1 : (gint32)columns->n_atoms;
    if (columns->first_atoms[r] >= least && columns->first_atoms[r] <= most)
      continue;
    return debye_input_set_error(columns->sections->input, error, DEBYE_ERROR_SYNTAX,
                                 "expected the first atom of residue %" G_GSIZE_FORMAT
                                 " from %d to %d in RESIDUE_POINTER, found %d",
                                 r + 1, least, most, columns->first_atoms[r]);
  }
  return TRUE;
}

/* --- To the topology --- */

static void
set_residue(const Columns *columns, gsize r, DebyeTopologyBuilder *builder)
{
  const char *chain = columns->chains != NULL ? columns->chains + r * NAME_SIZE : "";
  char code = columns->insertion_codes != NULL ? columns->insertion_codes[r * NAME_SIZE] : '\0';
  gint32 number = columns->numbers != NULL ? columns->numbers[r] : (gint32)r + 1;
  /* The file says where each begins, also where two in a row are called alike. */
  debye_topology_builder_set_residue(builder, columns->labels + r * NAME_SIZE, -1, number, code, chain, -1,
                                     NULL, 0);
  debye_topology_builder_new_residue(builder);
}

static void
add_atoms(const Columns *columns, DebyeTopologyBuilder *builder)
{
  double unit = has(columns, "CTITLE") ? CHARMM_CHARGE : AMBER_CHARGE;
  gsize residue = 0;
  for (gsize i = 0; i < columns->n_atoms; i++) {
    DebyeAtom atom = DEBYE_ATOM_INIT;
    if (residue < columns->n_residues && columns->first_atoms[residue] == (gint32)i + 1)
      set_residue(columns, residue++, builder);
    atom.name = columns->names + i * NAME_SIZE;
    atom.type = columns->types + i * NAME_SIZE;
    atom.charge = columns->charges[i] / unit;
    atom.mass = columns->masses[i];
    if (columns->radii != NULL)
      atom.radius = columns->radii[i];
    /* Below 0: whoever wrote it didn't know. */
    if (columns->atomic_numbers != NULL)
      atom.atomic_number = MAX(columns->atomic_numbers[i], -1);
    debye_topology_builder_add_atom(builder, &atom);
  }
}

/* Three numbers a bond: three times the 0-based atoms, and its type. */
static gboolean
add_bonds(const Columns *columns, const char *name, gint32 n_bonds, DebyeTopologyBuilder *builder,
          GError **error)
{
  g_autofree gint32 *values = NULL;
  if (n_bonds == 0)
    return TRUE;
  if (!read_integers(columns, name, 3 * (gsize)n_bonds, &values, error))
    return FALSE;
  for (gint32 b = 0; b < n_bonds; b++) {
    gint32 i = values[3 * b], j = values[3 * b + 1];
    if (i % 3 == 0 && j % 3 == 0) {
      debye_topology_builder_add_bond(builder, i / 3, j / 3);
      continue;
    }
    return debye_input_set_error(columns->sections->input, error, DEBYE_ERROR_SYNTAX,
                                 "expected multiples of 3 for the atoms of bond %d in %s, found %d and %d",
                                 b + 1, name, i, j);
  }
  return TRUE;
}

/* The kinds of cells that IFBOX tells apart. */
enum { BOX_NONE, BOX_RIGHT_ANGLES, BOX_OCTAHEDRON, BOX_GENERAL };

/* One angle is stored for three: that of a truncated octahedron, 60° for a rhombic dodecahedron (60°, 90°,
 * 60°), or 90°. It doesn't tell a general cell. */
static void
set_cell(const Columns *columns, DebyeTopologyBuilder *builder)
{
  double box[4];
  DebyeCell cell;
  gint32 kind = columns->pointers[DEBYE_AMBER_IFBOX];
  if (kind == BOX_NONE || kind >= BOX_GENERAL || !has(columns, "BOX_DIMENSIONS") ||
      !debye_amber_sections_read_reals(columns->sections, "BOX_DIMENSIONS", 4, box, NULL))
    return;
  double beta = box[0];
  gboolean is_octahedron = fabs(beta - OCTAHEDRON_ANGLE) < 0.1;
  double angles[3] = {beta, beta, beta};
  if (kind == BOX_OCTAHEDRON && !is_octahedron)
    angles[0] = angles[1] = angles[2] = OCTAHEDRON_ANGLE;
  else if (beta == 60.0)
    angles[1] = 90.0;
  else if (kind == BOX_RIGHT_ANGLES && !is_octahedron)
    angles[0] = angles[2] = 90.0;
  if (debye_cell_from_lengths_angles(&cell, box + 1, angles))
    debye_topology_builder_set_cell(builder, &cell);
}

/* A file that was cut lacks several: all are named. */
static gboolean
check_sections(const Columns *columns, GError **error)
{
  static const char *const needed[] = {"POINTERS",
                                       "ATOM_NAME",
                                       "CHARGE",
                                       "MASS",
                                       "RESIDUE_LABEL",
                                       "RESIDUE_POINTER",
                                       "AMBER_ATOM_TYPE",
                                       "BONDS_INC_HYDROGEN",
                                       "BONDS_WITHOUT_HYDROGEN"};
  g_autoptr(GString) missing = g_string_new(NULL);
  for (gsize k = 0; k < G_N_ELEMENTS(needed); k++)
    if (!has(columns, needed[k]))
      g_string_append_printf(missing, "%s%s", missing->len > 0 ? ", " : "", needed[k]);
  if (missing->len == 0)
    return TRUE;
  return debye_input_set_error(
      columns->sections->input, error, DEBYE_ERROR_TRUNCATED,
      "expected the sections of an AMBER topology, found none of %s: the file may have been cut",
      missing->str);
}

static gboolean
read_topology(DebyeInput *input, DebyeTopologyBuilder *builder, GError **error)
{
  g_auto(DebyeAmberSections) sections = {0};
  g_auto(Columns) columns = {.sections = &sections};
  if (!debye_amber_sections_scan(&sections, input, error) || !check_sections(&columns, error) ||
      !debye_amber_sections_read_pointers(&sections, columns.pointers, error))
    return FALSE;
  columns.n_atoms = (gsize)columns.pointers[DEBYE_AMBER_NATOM];
  columns.n_residues = (gsize)columns.pointers[DEBYE_AMBER_NRES];
  if (!read_atom_columns(&columns, error) || !read_residue_columns(&columns, error) ||
      !check_residues(&columns, error))
    return FALSE;
  g_autofree char *title =
      debye_amber_sections_read_line(&sections, has(&columns, "CTITLE") ? "CTITLE" : "TITLE");
  debye_topology_builder_set_title(builder, title, -1);
  add_atoms(&columns, builder);
  set_cell(&columns, builder);
  return add_bonds(&columns, "BONDS_INC_HYDROGEN", columns.pointers[DEBYE_AMBER_NBONH], builder, error) &&
         add_bonds(&columns, "BONDS_WITHOUT_HYDROGEN", columns.pointers[DEBYE_AMBER_NBONA], builder, error);
}

const DebyeFormat debye_format_prmtop = {
    .name = "prmtop",
    .title = "AMBER topology",
    .suffixes = (const char *const[]){"prmtop", "parm7", "top", "parm", NULL},
    .probe = probe,
    .read_topology = read_topology,
};
