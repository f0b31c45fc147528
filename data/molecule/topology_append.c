/* SPDX-License-Identifier: MIT */
/* Puts the atoms of one builder behind those of another, for readers whose threads each read a part of a file;
 * declared in topology.h. */
#include "topology_builder_private.h"

/* The strings of the part in the whole's pool. */
static guint32 *
add_strings(DebyeStringPool *pool, const DebyeStringPool *part)
{
  const guint n = debye_string_pool_get_count(part);
  guint32 *codes = g_new(guint32, n);
  for (guint32 code = 0; code < n; code++)
    codes[code] = debye_string_pool_add(pool, debye_string_pool_get(part, code), -1);
  return codes;
}

static void
append_codes(GArray *array, const GArray *part, const guint32 *codes)
{
  const guint n_before = array->len;
  g_array_set_size(array, n_before + part->len);
  guint32 *to = &g_array_index(array, guint32, n_before);
  for (guint i = 0; i < part->len; i++)
    to[i] = codes[g_array_index(part, guint32, i)];
}

/* A column that only some atoms have: zeros, as for atoms without. `codes`: NULL where the values are no strings. */
static void
append_column(GArray **array, const GArray *part, const guint32 *codes, guint n_before, guint n_atoms)
{
  if (*array == NULL && part == NULL)
    return;
  if (*array == NULL) {
    *array = g_array_new(FALSE, TRUE, sizeof(guint32));
    g_array_set_size(*array, n_before);
  }
  if (part == NULL)
    g_array_set_size(*array, n_before + n_atoms);
  else if (codes != NULL)
    append_codes(*array, part, codes);
  else
    g_array_append_vals(*array, part->data, part->len);
}

static gboolean
goes_on(const DebyeResidue *a, const DebyeResidue *b)
{
  return a->number == b->number && a->name == b->name && a->chain == b->chain && a->segment == b->segment &&
         a->insertion_code == b->insertion_code;
}

/* The first residue of the part may be the last one of the atoms before. */
static void
append_residues(DebyeTopologyBuilder *builder, const DebyeTopologyBuilder *part, const guint32 *codes)
{
  for (guint r = 0; r < part->residue_table->len; r++) {
    DebyeResidue residue = g_array_index(part->residue_table, DebyeResidue, r);
    const guint32 n_atoms = residue.n_atoms, begin = builder->residues->len;
    residue.name = codes[residue.name];
    residue.chain = codes[residue.chain];
    residue.segment = codes[residue.segment];
    builder->residue_is_new |= r > 0 || !goes_on(&residue, &builder->residue);
    builder->residue = residue;
    if (builder->residue_is_new)
      debye_topology_builder_begin_residue(builder, begin);
    g_array_index(builder->residue_table, DebyeResidue, builder->current_residue).n_atoms += n_atoms;
    g_array_set_size(builder->residues, begin + n_atoms);
    for (guint32 i = 0; i < n_atoms; i++)
      g_array_index(builder->residues, guint32, begin + i) = builder->current_residue;
  }
}

void
debye_topology_builder_append(DebyeTopologyBuilder *builder, const DebyeTopologyBuilder *part)
{
  const guint n_before = builder->names->len, n_atoms = part->names->len;
  if (n_atoms == 0)
    return;
  g_autofree guint32 *codes = add_strings(builder->pool, part->pool);
  append_codes(builder->names, part->names, codes);
  append_codes(builder->types, part->types, codes);
  append_residues(builder, part, codes);
  g_array_append_vals(builder->elements, part->elements->data, n_atoms);
  g_array_append_vals(builder->sources, part->sources->data, n_atoms);
  g_array_append_vals(builder->masses, part->masses->data, n_atoms);
  append_column(&builder->serials, part->serials, NULL, n_before, n_atoms);
  append_column(&builder->altlocs, part->altlocs, codes, n_before, n_atoms);
  for (int c = 0; c < DEBYE_N_COLUMNS; c++) {
    append_column(&builder->optional[c].values, part->optional[c].values, NULL, n_before, n_atoms);
    builder->optional[c].n_given += part->optional[c].n_given;
  }
}
