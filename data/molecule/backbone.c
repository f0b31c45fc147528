/* SPDX-License-Identifier: MIT */
/* Finds the backbone's atoms and links. Atoms are told by their names, as the PDB and all force fields for
 * proteins and nucleic acids write them. */
#include "backbone.h"

#include <string.h>

#include "periodic.h"
#include "data/tables/residue_class.h"

/* Distances that no link exceeds, Å: a stretched peptide bond; CA to CA (3.8 trans, 2.9 cis); C3' to C3' and
 * P to P (5 to 7.5). */
#define LONGEST_PEPTIDE_BOND 2.5
#define LONGEST_CA_STEP 4.6
#define LONGEST_NUCLEIC_STEP 8.5
/* CA to CA across a stretched peptide bond: farther, atoms of one residue stand at both sides of a cell. */
#define LONGEST_CA_STEP_OF_BOND 6.0

#define CARBON 6

/* The names that a unit's atoms may have; the first found counts. */
typedef struct {
  const char *names[4]; /* NULL-terminated */
} AtomNames;

static const AtomNames trace_names = {{"CA", NULL}}, bead_names = {{"BB", NULL}}, n_names = {{"N", NULL}},
                       c_names = {{"C", NULL}}, o_names = {{"O", "OT1", "O1", NULL}},
                       h_names = {{"H", "HN", "H1", NULL}}, sugar_trace_names = {{"C3'", "C3*", NULL}},
                       sugar_names = {{"C1'", "C1*", NULL}}, phosphorus_names = {{"P", NULL}},
                       purine_names = {{"N9", NULL}}, purine_tip_names = {{"N1", NULL}},
                       pyrimidine_tip_names = {{"N3", NULL}};

typedef struct {
  DebyeTopology *topology;
  const DebyeStringPool *pool;
  const guint32 *names;
  const guint8 *elements;
  const guint8 *counted; /* NULL: all */
  gint16 *classes;       /* by code of the name; -1: not asked for */
} Reader;

/* Once a name: a hundred thousand waters have one. */
static DebyeResidueClass
class_of(const Reader *reader, guint32 name)
{
  if (reader->classes[name] < 0)
    reader->classes[name] = (gint16)debye_residue_class_of(debye_string_pool_get(reader->pool, name));
  return (DebyeResidueClass)reader->classes[name];
}

static guint32
find_atom(const Reader *reader, const DebyeResidue *residue, const AtomNames *wanted)
{
  for (gsize w = 0; wanted->names[w]; w++)
    for (guint32 atom = residue->first_atom; atom < residue->first_atom + residue->n_atoms; atom++)
      if ((reader->counted == NULL || reader->counted[atom]) &&
          strcmp(debye_string_pool_get(reader->pool, reader->names[atom]), wanted->names[w]) == 0)
        return atom;
  return DEBYE_NO_ATOM;
}

static gboolean
read_protein(const Reader *reader, const DebyeResidue *residue, DebyeResidueClass class,
             DebyeBackboneUnit *unit)
{
  guint32 trace = find_atom(reader, residue, &trace_names);
  /* CA in a residue CA is calcium. */
  if (trace != DEBYE_NO_ATOM && reader->elements[trace] != CARBON)
    return FALSE;
  if (trace == DEBYE_NO_ATOM && (class & DEBYE_RESIDUE_PROTEIN))
    trace = find_atom(reader, residue, &bead_names);
  if (trace == DEBYE_NO_ATOM)
    return FALSE;
  unit->polymer = DEBYE_POLYMER_PROTEIN;
  unit->trace = trace;
  unit->n = find_atom(reader, residue, &n_names);
  unit->c = find_atom(reader, residue, &c_names);
  unit->o = find_atom(reader, residue, &o_names);
  unit->h = find_atom(reader, residue, &h_names);
  unit->is_proline = strcmp(debye_string_pool_get(reader->pool, residue->name), "PRO") == 0;
  return (class & DEBYE_RESIDUE_PROTEIN) || (unit->n != DEBYE_NO_ATOM && unit->c != DEBYE_NO_ATOM);
}

static gboolean
read_nucleic(const Reader *reader, const DebyeResidue *residue, DebyeResidueClass class,
             DebyeBackboneUnit *unit)
{
  unit->polymer = DEBYE_POLYMER_NUCLEIC;
  unit->trace = find_atom(reader, residue, &sugar_trace_names);
  unit->sugar = find_atom(reader, residue, &sugar_names);
  gboolean is_purine = find_atom(reader, residue, &purine_names) != DEBYE_NO_ATOM;
  unit->tip = find_atom(reader, residue, is_purine ? &purine_tip_names : &pyrimidine_tip_names);
  if (unit->trace == DEBYE_NO_ATOM && (class & DEBYE_RESIDUE_NUCLEIC))
    unit->trace = find_atom(reader, residue, &phosphorus_names);
  /* A sugar alone is no nucleotide: its C3' needs a base. */
  return unit->trace != DEBYE_NO_ATOM && ((class & DEBYE_RESIDUE_NUCLEIC) || unit->tip != DEBYE_NO_ATOM);
}

static gboolean
read_unit(const Reader *reader, guint32 index, DebyeBackboneUnit *unit)
{
  const DebyeResidue *residue = &debye_topology_get_residue_table(reader->topology)[index];
  DebyeResidueClass class = class_of(reader, residue->name);
  if (class & (DEBYE_RESIDUE_WATER | DEBYE_RESIDUE_ION | DEBYE_RESIDUE_LIPID))
    return FALSE;
  *unit = (DebyeBackboneUnit){.residue = index,
                              .n = DEBYE_NO_ATOM,
                              .c = DEBYE_NO_ATOM,
                              .o = DEBYE_NO_ATOM,
                              .h = DEBYE_NO_ATOM,
                              .sugar = DEBYE_NO_ATOM,
                              .tip = DEBYE_NO_ATOM};
  return read_protein(reader, residue, class, unit) || read_nucleic(reader, residue, class, unit);
}

DebyeBackbone *
debye_backbone_new(DebyeTopology *topology)
{
  guint n_codes = debye_string_pool_get_count(debye_topology_get_string_pool(topology));
  g_autofree gint16 *classes = g_new(gint16, n_codes + 1);
  for (guint name = 0; name < n_codes; name++)
    classes[name] = -1;
  const Reader reader = {.topology = topology,
                         .pool = debye_topology_get_string_pool(topology),
                         .names = debye_topology_get_names(topology),
                         .elements = debye_topology_get_elements(topology),
                         .counted = debye_topology_get_counted(topology),
                         .classes = classes};
  GArray *units = g_array_new(FALSE, FALSE, sizeof(DebyeBackboneUnit));
  for (guint32 i = 0; i < debye_topology_get_n_residues(topology); i++) {
    DebyeBackboneUnit unit;
    if (read_unit(&reader, i, &unit))
      g_array_append_val(units, unit);
  }
  DebyeBackbone *backbone = g_new(DebyeBackbone, 1);
  backbone->n_units = units->len;
  backbone->units = (DebyeBackboneUnit *)(gpointer)g_array_free(units, FALSE);
  return backbone;
}

void
debye_backbone_free(DebyeBackbone *backbone)
{
  if (!backbone)
    return;
  g_free(backbone->units);
  g_free(backbone);
}

/* --- Links --- */

static gboolean
same_chain(DebyeTopology *topology, const DebyeBackboneUnit *a, const DebyeBackboneUnit *b)
{
  const DebyeResidue *table = debye_topology_get_residue_table(topology);
  return a->polymer == b->polymer && table[a->residue].chain == table[b->residue].chain &&
         table[a->residue].segment == table[b->residue].segment;
}

static gboolean
is_linked(const DebyePeriodic *periodic, const DebyeFrame *frame, const DebyeBackboneUnit *a,
          const DebyeBackboneUnit *b)
{
  gboolean has_bond = a->c != DEBYE_NO_ATOM && b->n != DEBYE_NO_ATOM;
  gboolean is_protein = a->polymer == DEBYE_POLYMER_PROTEIN;
  double longest = !is_protein ? LONGEST_NUCLEIC_STEP : has_bond ? LONGEST_PEPTIDE_BOND : LONGEST_CA_STEP;
  DebyeVec3 from = debye_frame_get_position(frame, is_protein && has_bond ? a->c : a->trace);
  DebyeVec3 to = debye_frame_get_position(frame, is_protein && has_bond ? b->n : b->trace);
  if (debye_periodic_distance(periodic, from, to) > longest)
    return FALSE;
  return !is_protein || !has_bond ||
         debye_periodic_distance(periodic, debye_frame_get_position(frame, a->trace),
                                 debye_frame_get_position(frame, b->trace)) <= LONGEST_CA_STEP_OF_BOND;
}

guint8 *
debye_backbone_find_links(const DebyeBackbone *backbone, DebyeTopology *topology, const DebyeFrame *frame,
                          gboolean periodic)
{
  DebyePeriodic cell;
  guint8 *links = g_new0(guint8, backbone->n_units + 1);
  debye_periodic_init(&cell, periodic && frame->has_cell ? &frame->cell : NULL);
  for (gsize i = 0; i + 1 < backbone->n_units; i++) {
    const DebyeBackboneUnit *a = &backbone->units[i], *b = &backbone->units[i + 1];
    links[i] = same_chain(topology, a, b) && is_linked(&cell, frame, a, b);
  }
  return links;
}

gboolean
debye_backbone_is_cut(DebyeTopology *topology, const DebyeFrame *frame)
{
  if (!frame->has_cell || !debye_cell_is_valid(&frame->cell))
    return FALSE;
  g_autoptr(DebyeBackbone) backbone = debye_backbone_new(topology);
  g_autofree guint8 *links = debye_backbone_find_links(backbone, topology, frame, TRUE);
  g_autofree guint8 *drawn = debye_backbone_find_links(backbone, topology, frame, FALSE);
  return memcmp(links, drawn, backbone->n_units) != 0;
}
