/* SPDX-License-Identifier: MIT */
/* What a system is made of, without coordinates: atoms, residues, bonds. Immutable once built, so any thread
 * may read it. Columns are arrays of n_atoms (or n_residues) elements, owned by the topology; an absent
 * column is NULL. */
#pragma once

#include <math.h>

#include <glib-object.h>

#include "data/geometry.h"
#include "data/files/string_pool.h"

#define DEBYE_TYPE_TOPOLOGY (debye_topology_get_type())
G_DECLARE_FINAL_TYPE(DebyeTopology, debye_topology, DEBYE, TOPOLOGY, GObject)

/* From what an atom's element was decided, surest first; what a person chose stands for itself. */
typedef enum {
  DEBYE_ELEMENT_FROM_FILE, /* an element column or an atomic number */
  DEBYE_ELEMENT_FROM_MASS,
  DEBYE_ELEMENT_FROM_TYPE,
  DEBYE_ELEMENT_FROM_NAME,
  DEBYE_ELEMENT_UNKNOWN,
  DEBYE_ELEMENT_CHOSEN,
  DEBYE_ELEMENT_SOURCES,
} DebyeElementSource;

/* A residue, its strings as codes of debye_topology_get_string_pool(). Its atoms need not be contiguous in
 * the file, but almost always are: first_atom and n_atoms describe the first run of them. */
typedef struct {
  guint32 name;
  guint32 chain;
  guint32 segment;
  gint32 number;       /* resid as in the file */
  char insertion_code; /* 0: none */
  guint32 first_atom;
  guint32 n_atoms;
} DebyeResidue;

typedef struct {
  guint32 i, j; /* atoms, 0-based, i < j */
} DebyeBond;

gsize debye_topology_get_n_atoms(DebyeTopology *self);
gsize debye_topology_get_n_residues(DebyeTopology *self);
const DebyeStringPool *debye_topology_get_string_pool(DebyeTopology *self);
const char *debye_topology_get_title(DebyeTopology *self);

/* Columns. names and types are codes; elements are atomic numbers (0: unknown or a virtual site, see
 * debye_element_*); residues are indices into debye_topology_get_residue_table(). Never NULL: names, types,
 * elements, element_sources, masses (u; 0 where unknown), residues. NULL where no file gave them: charges
 * (e), radii (Å), occupancies, b_factors (Å²), serials, altlocs (codes of alternate locations' labels; "" for
 * an atom with one location only). */
const guint32 *debye_topology_get_names(DebyeTopology *self);
const guint32 *debye_topology_get_types(DebyeTopology *self);
const guint8 *debye_topology_get_elements(DebyeTopology *self);
const guint8 *debye_topology_get_element_sources(DebyeTopology *self);
const float *debye_topology_get_masses(DebyeTopology *self);
const guint32 *debye_topology_get_residues(DebyeTopology *self);
const float *debye_topology_get_charges(DebyeTopology *self);
const float *debye_topology_get_radii(DebyeTopology *self);
const float *debye_topology_get_occupancies(DebyeTopology *self);
const float *debye_topology_get_b_factors(DebyeTopology *self);
const gint32 *debye_topology_get_serials(DebyeTopology *self);
const guint32 *debye_topology_get_altlocs(DebyeTopology *self);

/* 1 for each atom that counts, 0 for one at an alternate location that was not chosen (see altloc.h): it keeps
 * its index, but no selection finds it and it has no bonds. NULL: all atoms count. */
const guint8 *debye_topology_get_counted(DebyeTopology *self);
gsize debye_topology_get_n_counted(DebyeTopology *self);
/* How many of a residue's atoms that lie together in the file count. */
gsize debye_topology_get_n_counted_of(DebyeTopology *self, guint32 residue);

const DebyeResidue *debye_topology_get_residue_table(DebyeTopology *self);
/* Bonds, sorted by (i, j), each once. */
const DebyeBond *debye_topology_get_bonds(DebyeTopology *self, gsize *n_bonds);
/* Neighbours of an atom through bonds: CSR offsets (n_atoms + 1) and partners (2·n_bonds). */
void debye_topology_get_bond_graph(DebyeTopology *self, const guint32 **offsets, const guint32 **partners);
/* The molecule (connected component of the bond graph) of each atom, numbered by first atom. */
const guint32 *debye_topology_get_molecules(DebyeTopology *self, gsize *n_molecules);

/* The periodic cell of a file that has one beside the atoms (AMBER's prmtop: that of the moment it was made).
 * FALSE: none. A trajectory's frames have cells of their own; of those that hold only lengths, the angles
 * come from here. */
gboolean debye_topology_get_cell(DebyeTopology *self, DebyeCell *cell);

/* Sum of the charges in e of the atoms that count, summed in double. 0 with no charges. */
double debye_topology_get_total_charge(DebyeTopology *self);
/* A sum of charges in e as people are told it: 0 where there is but what single precision leaves of them. */
double debye_charge_round(double sum);
/* What the readers want said about it, one sentence each; NULL-terminated. */
const char *const *debye_topology_get_warnings(DebyeTopology *self);

/* A copy with other bonds (for instance from distances), other columns shared. */
DebyeTopology *debye_topology_with_bonds(DebyeTopology *self, const DebyeBond *bonds, gsize n_bonds);
/* A copy with other charges, e; n_atoms of them are copied. */
DebyeTopology *debye_topology_with_charges(DebyeTopology *self, const float *charges);
/* A copy with other radii, Å; n_atoms of them are copied. */
DebyeTopology *debye_topology_with_radii(DebyeTopology *self, const float *radii);
/* A copy with other elements and DebyeElementSources, n_atoms of each. A mass that was the old element's, not
 * a file's, becomes the new one's. */
DebyeTopology *debye_topology_with_elements(DebyeTopology *self, const guint8 *elements,
                                            const guint8 *sources);
/* A copy in which only atoms with 1 in `counted` (n_atoms of them) count, without the bonds of others. */
DebyeTopology *debye_topology_with_counted(DebyeTopology *self, const guint8 *counted);
/* A copy that holds only `atoms` (sorted, distinct indices). Where only atoms that count are left, each has one
 * location, and the labels are gone. */
DebyeTopology *debye_topology_subset(DebyeTopology *self, const guint32 *atoms, gsize n_atoms);

/* A copy that takes charges, radii, occupancies, B factors, serials and bonds from `other`, each where it has
 * none itself. Both have as many atoms. */
DebyeTopology *debye_topology_complete(DebyeTopology *self, DebyeTopology *other);
/* By their first atoms, then by their second ones. */
static inline int
debye_bond_compare(gconstpointer left, gconstpointer right)
{
  const DebyeBond *a = left, *b = right;
  if (a->i != b->i)
    return a->i < b->i ? -1 : 1;
  return a->j < b->j ? -1 : a->j > b->j;
}

/* Each bond as i < j, sorted, once, none of an atom with itself; the number that is left. */
gsize debye_topology_sort_bonds(DebyeBond *bonds, gsize n_bonds);

/* --- Building one: what readers use --- */

/* One atom as a reader found it. Fields that a format lacks stay as DEBYE_ATOM_INIT has them: NAN, 0 or NULL.
 */
typedef struct {
  const char *name, *type; /* any bytes; length < 0: NUL-terminated */
  gssize name_length, type_length;
  const char *element; /* symbol as in the file, or NULL; "D" and "T" are hydrogen */
  gssize element_length;
  const char *altloc; /* label of its alternate location; NULL or "": none */
  gssize altloc_length;
  int atomic_number;                                /* -1: not given */
  double mass, charge, radius, occupancy, b_factor; /* NAN: not given */
  gint32 serial;                                    /* G_MININT32: not given */
} DebyeAtom;

#define DEBYE_ATOM_INIT              \
  ((DebyeAtom){.name_length = -1,    \
               .type_length = -1,    \
               .element_length = -1, \
               .altloc_length = -1,  \
               .atomic_number = -1,  \
               .mass = NAN,          \
               .charge = NAN,        \
               .radius = NAN,        \
               .occupancy = NAN,     \
               .b_factor = NAN,      \
               .serial = G_MININT32})

/* What is known of an atom but its element's symbol, charge, radius and alternate location; names are the topology's. */
DebyeAtom debye_topology_describe_atom(DebyeTopology *self, guint32 atom);

typedef struct _DebyeTopologyBuilder DebyeTopologyBuilder;

DebyeTopologyBuilder *debye_topology_builder_new(void);
void debye_topology_builder_free(DebyeTopologyBuilder *builder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeTopologyBuilder, debye_topology_builder_free)

void debye_topology_builder_set_title(DebyeTopologyBuilder *builder, const char *title, gssize length);
/* The residue of the atoms added from now on. A call that differs from the last in any field opens a new
 * residue; a reader whose format says itself where residues begin calls debye_topology_builder_new_residue.
 * Where no reader did, finish() joins residues of the same fields that stand apart: programs put hydrogens or
 * alternate locations behind the other atoms. Numbers may also have started again, so they are only joined if
 * no atom's name comes twice, and not where a column of four or five digits was full. */
void debye_topology_builder_set_residue(DebyeTopologyBuilder *builder, const char *name, gssize name_length,
                                        gint32 number, char insertion_code, const char *chain,
                                        gssize chain_length, const char *segment, gssize segment_length);
void debye_topology_builder_new_residue(DebyeTopologyBuilder *builder);
/* The format's numbers never start again: what has the same fields is one residue, whatever its atoms are
 * called. */
void debye_topology_builder_trust_residues(DebyeTopologyBuilder *builder);
/* The atoms added from now on are of a residue that there is already, for files whose residues don't stand
 * together. */
void debye_topology_builder_return_to_residue(DebyeTopologyBuilder *builder, guint32 residue);
/* The residue of the last atom; finish() may number residues anew. */
guint32 debye_topology_builder_get_last_residue(const DebyeTopologyBuilder *builder);
guint32 debye_topology_builder_add_atom(DebyeTopologyBuilder *builder, const DebyeAtom *atom);
/* The atoms of `part`, which some thread has read of the same file, behind those that are there. Its residues, and the
 * first as the last one there if it has the same fields; no bonds, warnings, title or cell. `part` has none of its
 * residues returned to. */
void debye_topology_builder_append(DebyeTopologyBuilder *builder, const DebyeTopologyBuilder *part);
/* Atoms 0-based. A bond to an atom that isn't there is dropped and counted; finish() says so in a warning. A
 * bond between two different alternate locations is dropped: they are never there together. */
void debye_topology_builder_add_bond(DebyeTopologyBuilder *builder, gint64 i, gint64 j);
void debye_topology_builder_set_cell(DebyeTopologyBuilder *builder, const DebyeCell *cell);
gsize debye_topology_builder_get_n_atoms(const DebyeTopologyBuilder *builder);
void debye_topology_builder_warn(DebyeTopologyBuilder *builder, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* Decides elements, fills masses, closes the tables. The builder is empty afterwards. */
DebyeTopology *debye_topology_builder_finish(DebyeTopologyBuilder *builder);
