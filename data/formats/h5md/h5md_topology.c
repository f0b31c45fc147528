/* SPDX-License-Identifier: MIT */
/* Reads the topology of an H5MD file for format_h5md.c. The convention says of species only that particles of
 * one kind have one number: names of an enumeration are taken as such, and numbers as atomic numbers where
 * they can't be a count of types. */
#include <math.h>
#include <string.h>

#include "data/tables/elements.h"
#include "h5md_file.h"
#include "h5md_skeleton.h"
#include "data/tables/unit.h"

#define NAMES_MAXIMUM 4096

typedef struct {
  DebyeH5mdElement *species, *mass, *charge, *radius;
  const gint64 *kinds, *ids; /* one a row; NULL: none */
  const double *masses, *charges, *radii;
  double mass_scale, charge_scale, radius_scale;
  GHashTable *names; /* kind → char *: of an enumeration; NULL: numbers only */
  gboolean are_atomic_numbers;
  char **labels; /* names of atoms; NULL: none */
} Columns;

/* As h5md_skeleton.c writes them. */
typedef struct {
  char **names, **chains, **segments, **codes;
  gint32 *numbers;
  gsize n;
  guint32 *of_atoms; /* by row; NULL: there are none, or not rightly */
  guint32 *built;    /* of each, what the builder calls it; G_MAXUINT32: none yet */
} Residues;

static void
residues_clear(Residues *residues)
{
  g_strfreev(residues->names);
  g_strfreev(residues->chains);
  g_strfreev(residues->segments);
  g_strfreev(residues->codes);
  g_free(residues->numbers);
  g_free(residues->of_atoms);
  g_free(residues->built);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Residues, residues_clear)

static void
columns_clear(Columns *columns)
{
  g_clear_pointer(&columns->species, debye_h5md_element_free);
  g_clear_pointer(&columns->mass, debye_h5md_element_free);
  g_clear_pointer(&columns->charge, debye_h5md_element_free);
  g_clear_pointer(&columns->radius, debye_h5md_element_free);
  g_strfreev(columns->labels);
  g_clear_pointer(&columns->names, g_hash_table_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Columns, columns_clear)

/* The values of the first frame; NULL: none, or not one a particle. */
static gconstpointer
open_column(const DebyeH5mdGroup *group, const char *name, hid_t type, DebyeInput *input,
            DebyeH5mdElement **element)
{
  *element = debye_h5md_element_open(group->group, name, 2, type, input);
  if (*element == NULL || (*element)->values->n_values != group->n_rows)
    return NULL;
  return debye_h5_series_read((*element)->values, 0, NULL);
}

static double
find_scale(const DebyeH5mdElement *element, DebyeUnitKind kind)
{
  double scale = 1.0;
  if (element != NULL)
    debye_unit_get_scale(element->unit, kind, &scale);
  return scale;
}

/* --- Species --- */

static gboolean
get_member_value(hid_t type, unsigned number, gint64 *value)
{
  union {
    gint64 number;
    guint8 bytes[8];
  } room = {0};
  g_auto(DebyeH5Type) base = H5Tget_super(type);
  if (base < 0 || H5Tget_size(base) > sizeof room || H5Tget_member_value(type, number, &room) < 0 ||
      H5Tconvert(base, H5T_NATIVE_INT64, 1, &room, NULL, H5P_DEFAULT) < 0)
    return FALSE;
  *value = room.number;
  return TRUE;
}

static GHashTable *
read_names(hid_t dataset)
{
  g_auto(DebyeH5Type) type = H5Dget_type(dataset);
  if (type < 0 || H5Tget_class(type) != H5T_ENUM)
    return NULL;
  GHashTable *names = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
  int n = MIN(H5Tget_nmembers(type), NAMES_MAXIMUM);
  for (int i = 0; i < n; i++) {
    gint64 value;
    char *name = H5Tget_member_name(type, (unsigned)i);
    if (name != NULL && get_member_value(type, (unsigned)i, &value))
      g_hash_table_replace(names, g_memdup2(&value, sizeof value), g_strdup(name));
    H5free_memory(name);
  }
  return names;
}

/* Types are counted from 0 or 1 without a gap: 1, 2, 3 may be anything, but 1, 8 or 29 are hydrogen and
 * oxygen or copper. */
static gboolean
look_like_atomic_numbers(const gint64 *kinds, gsize n)
{
  gboolean is_used[DEBYE_N_ELEMENTS] = {FALSE};
  gint64 most = 0;
  for (gsize i = 0; i < n; i++) {
    if (kinds[i] < 0 || kinds[i] >= DEBYE_N_ELEMENTS)
      return FALSE;
    is_used[kinds[i]] = TRUE;
    most = MAX(most, kinds[i]);
  }
  for (gint64 k = 1; k <= most; k++)
    if (!is_used[k])
      return TRUE;
  return FALSE;
}

/* --- Names --- */

static gboolean
has_length(char **texts, gsize n)
{
  return texts != NULL && g_strv_length(texts) == n;
}

static char **
read_labels(const DebyeH5mdGroup *group, DebyeInput *input)
{
  char **labels = debye_h5_get_strings(group->group, DEBYE_H5MD_NAMES, debye_input_get_size(input));
  if (!has_length(labels, group->n_rows))
    g_clear_pointer(&labels, g_strfreev);
  return labels;
}

static gboolean
read_table(Residues *residues, hid_t table, guint64 size)
{
  residues->numbers =
      debye_h5_get_numbers(table, "number", H5T_NATIVE_INT32, sizeof *residues->numbers, size, &residues->n);
  residues->names = debye_h5_get_strings(table, "name", size);
  residues->chains = debye_h5_get_strings(table, "chain", size);
  residues->segments = debye_h5_get_strings(table, "segment", size);
  residues->codes = debye_h5_get_strings(table, "insertion_code", size);
  return residues->numbers != NULL && has_length(residues->names, residues->n) &&
         has_length(residues->chains, residues->n) && has_length(residues->segments, residues->n) &&
         has_length(residues->codes, residues->n);
}

/* Nothing where a row is of none of them. */
static void
read_residues(Residues *residues, const DebyeH5mdFile *file, const DebyeH5mdGroup *group, DebyeInput *input)
{
  const guint64 size = debye_input_get_size(input);
  gsize n = 0;
  g_auto(DebyeH5Group) parameters = debye_h5_open_group(file->file, "parameters");
  g_auto(DebyeH5Group) table = parameters < 0 ? H5I_INVALID_HID : debye_h5_open_group(parameters, "residues");
  if (table < 0 || file->groups->len != 1 || !read_table(residues, table, size))
    return;
  residues->of_atoms = debye_h5_get_numbers(group->group, DEBYE_H5MD_RESIDUES, H5T_NATIVE_UINT32,
                                            sizeof *residues->of_atoms, size, &n);
  gboolean is_right = residues->of_atoms != NULL && n == group->n_rows;
  for (gsize row = 0; is_right && row < n; row++)
    is_right = residues->of_atoms[row] < residues->n;
  if (!is_right)
    g_clear_pointer(&residues->of_atoms, g_free);
  residues->built = g_new(guint32, residues->n + 1);
  for (gsize r = 0; r < residues->n; r++)
    residues->built[r] = G_MAXUINT32;
}

/* For an atom, whose residue may stand apart in the file. */
static void
begin_residue(const Residues *residues, guint32 residue, DebyeTopologyBuilder *builder)
{
  if (residues->built[residue] != G_MAXUINT32) {
    debye_topology_builder_return_to_residue(builder, residues->built[residue]);
    return;
  }
  debye_topology_builder_set_residue(builder, residues->names[residue], -1, residues->numbers[residue],
                                     residues->codes[residue][0], residues->chains[residue], -1,
                                     residues->segments[residue], -1);
  debye_topology_builder_new_residue(builder);
}

/* --- Atoms --- */

static void
open_columns(Columns *columns, const DebyeH5mdGroup *group, DebyeInput *input)
{
  columns->kinds = open_column(group, "species", H5T_NATIVE_INT64, input, &columns->species);
  columns->masses = open_column(group, "mass", H5T_NATIVE_DOUBLE, input, &columns->mass);
  columns->charges = open_column(group, "charge", H5T_NATIVE_DOUBLE, input, &columns->charge);
  columns->mass_scale = find_scale(columns->mass, DEBYE_UNIT_MASS);
  columns->charge_scale = find_scale(columns->charge, DEBYE_UNIT_CHARGE);
  columns->radii = open_column(group, DEBYE_H5MD_RADII, H5T_NATIVE_DOUBLE, input, &columns->radius);
  columns->radius_scale = find_scale(columns->radius, DEBYE_UNIT_LENGTH);
  columns->labels = read_labels(group, input);
  columns->ids = group->ids != NULL ? debye_h5_series_read(group->ids->values, 0, NULL) : NULL;
  if (columns->kinds != NULL)
    columns->names = read_names(columns->species->values->dataset);
  columns->are_atomic_numbers = columns->kinds != NULL && columns->names == NULL && columns->masses == NULL &&
                                look_like_atomic_numbers(columns->kinds, group->n_rows);
}

static const char *
describe_kind(const Columns *columns, gsize row, char number[24])
{
  const char *name =
      columns->names != NULL ? g_hash_table_lookup(columns->names, &columns->kinds[row]) : NULL;
  if (columns->are_atomic_numbers && columns->kinds[row] > 0)
    name = debye_element_get((guint8)columns->kinds[row])->symbol;
  if (name != NULL)
    return name;
  g_snprintf(number, 24, "%" G_GINT64_FORMAT, columns->kinds[row]);
  return number;
}

static void
add_atom(const Columns *columns, gsize row, DebyeTopologyBuilder *builder)
{
  char number[24];
  DebyeAtom atom = DEBYE_ATOM_INIT;
  if (columns->kinds != NULL) {
    atom.name = atom.type = describe_kind(columns, row, number);
    if (columns->names != NULL)
      atom.element = atom.name;
    if (columns->are_atomic_numbers)
      atom.atomic_number = (int)columns->kinds[row];
  }
  if (columns->labels != NULL)
    atom.name = columns->labels[row];
  if (columns->radii != NULL && isfinite(columns->radii[row]) && columns->radii[row] >= 0.0)
    atom.radius = columns->radii[row] * columns->radius_scale;
  if (columns->masses != NULL && isfinite(columns->masses[row]) && columns->masses[row] > 0.0)
    atom.mass = columns->masses[row] * columns->mass_scale;
  if (columns->charges != NULL && isfinite(columns->charges[row]))
    atom.charge = columns->charges[row] * columns->charge_scale;
  if (columns->ids != NULL && columns->ids[row] > 0 && columns->ids[row] < G_MAXINT32)
    atom.serial = (gint32)columns->ids[row];
  debye_topology_builder_add_atom(builder, &atom);
}

/* Each row's atom within the group; NULL: as they stand. */
static guint32 *
order_rows(const DebyeH5mdGroup *group, const gint64 *ids)
{
  if (!group->rows_change || ids == NULL)
    return NULL;
  guint32 *rows = g_new0(guint32, group->n_atoms);
  for (gsize row = 0; row < group->n_rows; row++) {
    gsize atom;
    if (debye_h5md_group_find_id(group, ids[row], &atom))
      rows[atom] = (guint32)row;
  }
  return rows;
}

static gboolean
add_group(const DebyeH5mdFile *file, const DebyeH5mdGroup *group, DebyeInput *input,
          DebyeTopologyBuilder *builder)
{
  g_auto(Columns) columns = {0};
  g_auto(Residues) residues = {0};
  open_columns(&columns, group, input);
  read_residues(&residues, file, group, input);
  g_autofree guint32 *rows = order_rows(group, columns.ids);
  const char *segment = file->groups->len > 1 ? group->name : NULL;
  debye_topology_builder_set_residue(builder, NULL, 0, 0, '\0', NULL, 0, segment, segment != NULL ? -1 : 0);
  guint32 last = G_MAXUINT32;
  for (gsize i = 0; i < group->n_atoms; i++) {
    const gsize row = rows != NULL ? rows[i] : i;
    const guint32 residue = residues.of_atoms != NULL ? residues.of_atoms[row] : last;
    if (residue != last)
      begin_residue(&residues, residue, builder);
    add_atom(&columns, row, builder);
    if (residue != last)
      residues.built[residue] = debye_topology_builder_get_last_residue(builder);
    last = residue;
  }
  return columns.are_atomic_numbers;
}

/* --- Bonds --- */

/* Pairs of ids, or of places where there are no ids; what is filled up with -1 is none. */
static void
add_bonds(const DebyeH5mdGroup *group, hid_t parent, const char *name, DebyeInput *input,
          DebyeTopologyBuilder *builder)
{
  hid_t dataset = debye_h5_open_dataset(parent, name);
  g_autoptr(DebyeH5Series) series =
      dataset < 0 ? NULL
                  : debye_h5_series_new(dataset, FALSE, 2, H5T_NATIVE_INT64, debye_input_get_size(input));
  if (series == NULL || series->rank != 2 || series->n_values != 2)
    return;
  for (gsize k = 0; k < series->n_frames; k++) {
    const gint64 *pair = debye_h5_series_read(series, k, NULL);
    gsize atoms[2];
    if (pair != NULL && debye_h5md_group_find_id(group, pair[0], &atoms[0]) &&
        debye_h5md_group_find_id(group, pair[1], &atoms[1]))
      debye_topology_builder_add_bond(builder, (gint64)atoms[0], (gint64)atoms[1]);
  }
}

/* /connectivity/NAME, or one group deeper. Where there are several particle groups it takes object references
 * to say whose they are; those are not followed. */
static void
add_connectivity(const DebyeH5mdFile *file, DebyeInput *input, DebyeTopologyBuilder *builder)
{
  g_auto(DebyeH5Group) connectivity = debye_h5_open_group(file->file, "connectivity");
  if (connectivity < 0 || file->groups->len != 1)
    return;
  const DebyeH5mdGroup *group = g_ptr_array_index(file->groups, 0);
  g_auto(GStrv) names = debye_h5_list(connectivity);
  for (gsize i = 0; names[i] != NULL; i++) {
    add_bonds(group, connectivity, names[i], input, builder);
    g_auto(DebyeH5Group) inner = debye_h5_open_group(connectivity, names[i]);
    g_auto(GStrv) inner_names = inner < 0 ? NULL : debye_h5_list(inner);
    for (gsize k = 0; inner_names != NULL && inner_names[k] != NULL; k++)
      add_bonds(group, inner, inner_names[k], input, builder);
  }
}

void
debye_h5md_file_add_to(DebyeH5mdFile *file, DebyeInput *input, DebyeTopologyBuilder *builder)
{
  gboolean are_atomic_numbers = FALSE;
  for (guint i = 0; i < file->groups->len; i++)
    if (add_group(file, g_ptr_array_index(file->groups, i), input, builder))
      are_atomic_numbers = TRUE;
  if (are_atomic_numbers)
    debye_topology_builder_warn(builder, "assuming that the numbers of the species are atomic numbers");
  add_connectivity(file, input, builder);
}
