/* SPDX-License-Identifier: MIT */
/* Decides the elements of atoms whose file names none, by type, name, residue and mass; called by topology_builder.c. */
#include "data/tables/elements.h"
#include "topology_builder_private.h"

/* What an atom of a given element may weigh: from three hydrogens' mass given away to four united ones. A
 * name that says nitrogen on a bead of 72 u says something else. */
static gboolean
mass_allows(float mass, guint8 element)
{
  if (isnan(mass))
    return TRUE;
  double standard = debye_element_get(element)->mass;
  return mass >= standard - 9.1 && mass <= standard + 4.1;
}

static guint8
decide_element(const char *type, const char *name, const char *residue, float mass, guint8 *source)
{
  /* Massless sites, and Drude particles of a few tenths of a mass unit. */
  if (!isnan(mass) && mass < 0.9F) {
    *source = DEBYE_ELEMENT_FROM_MASS;
    return 0;
  }
  guint8 element = isnan(mass) ? 0 : debye_element_from_mass(mass);
  *source = DEBYE_ELEMENT_FROM_MASS;
  if (element == 0) {
    element = debye_element_from_type(type);
    *source = DEBYE_ELEMENT_FROM_TYPE;
  }
  if (element == 0 || !mass_allows(mass, element)) {
    element = debye_element_from_name(name, residue);
    *source = DEBYE_ELEMENT_FROM_NAME;
  }
  if (element != 0 && mass_allows(mass, element))
    return element;
  *source = debye_element_name_is_virtual(name, residue) ? DEBYE_ELEMENT_FROM_NAME : DEBYE_ELEMENT_UNKNOWN;
  return 0;
}

/* The few distinct (type, name, residue, mass) of a large system are decided once each. */
typedef struct {
  guint32 type, name, residue;
  float mass;
} AtomKind;

static guint
hash_kind(gconstpointer data)
{
  const AtomKind *kind = data;
  guint32 bits;
  memcpy(&bits, &kind->mass, sizeof bits);
  return ((kind->type * 31U + kind->name) * 31U + kind->residue) * 31U + bits;
}

static gboolean
equal_kinds(gconstpointer left, gconstpointer right)
{
  return memcmp(left, right, sizeof(AtomKind)) == 0;
}

/* Element and source of a kind, as one number. */
static guint
decide_kind(DebyeTopologyBuilder *builder, const AtomKind *kind)
{
  guint8 from;
  guint8 element = decide_element(debye_string_pool_get(builder->pool, kind->type),
                                  debye_string_pool_get(builder->pool, kind->name),
                                  debye_string_pool_get(builder->pool, kind->residue), kind->mass, &from);
  return ((guint)from << 8) | element;
}

#define RECENT_KINDS 64 /* a power of two */

/* The kinds that come again at once, of which a solvent has three, stand before the table of all. */
typedef struct {
  DebyeTopologyBuilder *builder;
  GHashTable *all;
  AtomKind recent[RECENT_KINDS];
  guint decided[RECENT_KINDS];
  gboolean is_known[RECENT_KINDS];
} Deciding;

static guint
look_up_kind(Deciding *deciding, const AtomKind *kind)
{
  const guint hash = hash_kind(kind), slot = (hash ^ hash >> 16) & (RECENT_KINDS - 1);
  gpointer value;
  if (deciding->is_known[slot] && equal_kinds(&deciding->recent[slot], kind))
    return deciding->decided[slot];
  if (!g_hash_table_lookup_extended(deciding->all, kind, NULL, &value)) {
    value = GUINT_TO_POINTER(decide_kind(deciding->builder, kind));
    g_hash_table_insert(deciding->all, g_memdup2(kind, sizeof *kind), value);
  }
  deciding->is_known[slot] = TRUE;
  deciding->recent[slot] = *kind;
  return deciding->decided[slot] = GPOINTER_TO_UINT(value);
}

void
debye_topology_builder_decide_elements(DebyeTopologyBuilder *builder)
{
  g_autoptr(GHashTable) all = g_hash_table_new_full(hash_kind, equal_kinds, g_free, NULL);
  Deciding deciding = {.builder = builder, .all = all};
  for (guint i = 0; i < builder->names->len; i++) {
    guint8 *source = &g_array_index(builder->sources, guint8, i);
    if (*source != DEBYE_ELEMENT_UNKNOWN)
      continue;
    guint32 residue = g_array_index(builder->residues, guint32, i);
    AtomKind kind = {
        .type = g_array_index(builder->types, guint32, i),
        .name = g_array_index(builder->names, guint32, i),
        .residue = g_array_index(builder->residue_table, DebyeResidue, residue).name,
        .mass = g_array_index(builder->masses, float, i),
    };
    const guint decided = look_up_kind(&deciding, &kind);
    g_array_index(builder->elements, guint8, i) = (guint8)(decided & 0xFF);
    *source = (guint8)(decided >> 8);
  }
}

void
debye_topology_builder_fill_masses(DebyeTopologyBuilder *builder)
{
  for (guint i = 0; i < builder->masses->len; i++) {
    float *mass = &g_array_index(builder->masses, float, i);
    if (isnan(*mass))
      *mass = (float)debye_element_get(g_array_index(builder->elements, guint8, i))->mass;
  }
}
