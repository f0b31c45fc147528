/* SPDX-License-Identifier: MIT */
/* Reads the topology of an mmCIF from its first model; called by format_cif.c. The names are the authors'
 * (auth_), which are those of the PDB file of the same entry; label_asym_id becomes the segment. Formal
 * charges are no partial charges and are not taken for any; those that cif_writer.c wrote are. */
#include "cif_bonds.h"
#include "cif_site.h"
#include "data/files/error.h"
#include "data/molecule/topology.h"

#include <math.h>
#include <string.h>

typedef struct {
  DebyeTopologyBuilder *builder;
  DebyeCifBonds *bonds;
  DebyeCifOthers others;
  gboolean is_beyond; /* the first model is over */
  char *model;
} Molecule;

static gboolean
is_next_model(Molecule *molecule, const DebyeCifValue *model)
{
  g_autofree char *name = g_strndup(model->text != NULL ? model->text : "", model->length);
  if (molecule->model != NULL)
    return strcmp(name, molecule->model) != 0;
  molecule->model = g_steal_pointer(&name);
  return FALSE;
}

static void
set_residue(const Molecule *molecule, const DebyeCifRow *row)
{
  const DebyeCifValue *name =
      debye_cif_row_choose(row, DEBYE_CIF_SITE_AUTHOR_COMPONENT, DEBYE_CIF_SITE_LABEL_COMPONENT);
  const DebyeCifValue *number =
      debye_cif_row_choose(row, DEBYE_CIF_SITE_AUTHOR_NUMBER, DEBYE_CIF_SITE_LABEL_NUMBER);
  const DebyeCifValue *chain =
      debye_cif_row_choose(row, DEBYE_CIF_SITE_AUTHOR_CHAIN, DEBYE_CIF_SITE_LABEL_CHAIN);
  const DebyeCifValue *code = &row->values[DEBYE_CIF_SITE_INSERTION_CODE];
  const DebyeCifValue *segment = &row->values[DEBYE_CIF_SITE_LABEL_CHAIN];
  debye_topology_builder_set_residue(molecule->builder, name->text, name->is_given ? (gssize)name->length : 0,
                                     debye_cif_value_to_int(number, 0),
                                     code->is_given && code->length > 0 ? code->text[0] : '\0', chain->text,
                                     chain->is_given ? (gssize)chain->length : 0, segment->text,
                                     segment->is_given ? (gssize)segment->length : 0);
}

/* "Cl1-" and "Zn2+" are written too. */
static gssize
get_symbol_length(const DebyeCifValue *symbol)
{
  gsize n = 0;
  while (symbol->is_given && n < symbol->length && g_ascii_isalpha(symbol->text[n]))
    n++;
  return (gssize)n;
}

/* A column of Debye's own: a number of single precision, or nothing. */
static gboolean
read_parameter(const DebyeCifValue *value, double *number)
{
  return !value->is_given || (debye_cif_value_to_double(value, number) && isfinite((float)*number));
}

static gboolean
read_parameters(const DebyeCifWalk *walk, const DebyeCifRow *row, DebyeAtom *atom, GError **error)
{
  const DebyeCifValue *charge = &row->values[DEBYE_CIF_SITE_CHARGE];
  const DebyeCifValue *radius = &row->values[DEBYE_CIF_SITE_RADIUS];
  if (read_parameter(charge, &atom->charge) && read_parameter(radius, &atom->radius) && !(atom->radius < 0.0))
    return TRUE;
  return debye_cif_row_set_error(
      walk, row, error, DEBYE_ERROR_VALUE,
      "expected a finite charge and a radius of 0 or more, found “%.*s” and “%.*s”", (int)charge->length,
      charge->text != NULL ? charge->text : "", (int)radius->length,
      radius->text != NULL ? radius->text : "");
}

static gboolean
add_atom(const DebyeCifWalk *walk, const DebyeCifRow *row, GError **error)
{
  Molecule *molecule = walk->data;
  const DebyeCifValue *name =
      debye_cif_row_choose(row, DEBYE_CIF_SITE_AUTHOR_ATOM, DEBYE_CIF_SITE_LABEL_ATOM);
  const DebyeCifValue *symbol = &row->values[DEBYE_CIF_SITE_SYMBOL];
  const DebyeCifValue *altloc = &row->values[DEBYE_CIF_SITE_LABEL_ALTERNATIVE];
  DebyeAtom atom = DEBYE_ATOM_INIT;
  set_residue(molecule, row);
  atom.name = name->text;
  atom.name_length = name->is_given ? (gssize)name->length : 0;
  atom.altloc = altloc->text;
  atom.altloc_length = altloc->is_given ? (gssize)altloc->length : 0;
  atom.element = symbol->text != NULL ? symbol->text : "";
  atom.element_length = get_symbol_length(symbol);
  atom.serial = debye_cif_value_to_int(&row->values[DEBYE_CIF_SITE_ID], G_MININT32);
  debye_cif_value_to_double(&row->values[DEBYE_CIF_SITE_OCCUPANCY], &atom.occupancy);
  debye_cif_value_to_double(&row->values[DEBYE_CIF_SITE_B_FACTOR], &atom.b_factor);
  if (!read_parameters(walk, row, &atom, error))
    return FALSE;
  debye_topology_builder_add_atom(molecule->builder, &atom);
  return TRUE;
}

static gboolean
take_site(DebyeCifWalk *walk, const DebyeCifRow *row, GError **error)
{
  Molecule *molecule = walk->data;
  double position[3];
  if (molecule->others.is_on)
    debye_cif_others_take_site(&molecule->others, row);
  if (molecule->others.is_on || molecule->is_beyond || debye_cif_row_get_kind(row) != DEBYE_CIF_MOLECULE)
    return TRUE;
  molecule->is_beyond = is_next_model(molecule, &row->values[DEBYE_CIF_SITE_MODEL]);
  if (molecule->is_beyond)
    return TRUE;
  if (!debye_cif_row_get_position(walk, row, position, error) || !add_atom(walk, row, error))
    return FALSE;
  debye_cif_bonds_take_atom(molecule->bonds, row, position);
  return TRUE;
}

static gboolean
take_link(DebyeCifWalk *walk, const DebyeCifRow *row, G_GNUC_UNUSED GError **error)
{
  const Molecule *molecule = walk->data;
  if (!molecule->others.is_on)
    debye_cif_bonds_take_link(molecule->bonds, row);
  return TRUE;
}

static gboolean
take_component_bond(DebyeCifWalk *walk, const DebyeCifRow *row, G_GNUC_UNUSED GError **error)
{
  const Molecule *molecule = walk->data;
  /* Programs put each ligand's bonds into a block of its own behind the structure. */
  if (!molecule->others.is_on || molecule->others.name != NULL)
    debye_cif_bonds_take_component_bond(molecule->bonds, row);
  return TRUE;
}

static gboolean
take_title(DebyeCifWalk *walk, const DebyeCifRow *row, G_GNUC_UNUSED GError **error)
{
  const Molecule *molecule = walk->data;
  g_autofree char *title = molecule->others.is_on ? NULL : debye_cif_get_title(row);
  if (title != NULL)
    debye_topology_builder_set_title(molecule->builder, title, -1);
  return TRUE;
}

/* One block with atoms is read; of others only is told that they are there. */
static void
begin_block(DebyeCifWalk *walk, const char *name, gsize length)
{
  Molecule *molecule = walk->data;
  if (debye_topology_builder_get_n_atoms(molecule->builder) > 0) {
    debye_cif_others_begin_block(&molecule->others, name);
    return;
  }
  debye_topology_builder_set_title(molecule->builder, name, (gssize)length);
  g_clear_pointer(&molecule->bonds, debye_cif_bonds_free);
  molecule->bonds = debye_cif_bonds_new();
}

static gboolean
walk_molecule(Molecule *molecule, DebyeInput *input, GError **error)
{
  static const DebyeCifTable tables[] = {{debye_cif_site_columns, take_site},
                                         {debye_cif_link_columns, take_link},
                                         {debye_cif_component_bond_columns, take_component_bond},
                                         {debye_cif_title_columns, take_title}};
  g_auto(DebyeLineReader) lines;
  debye_line_reader_init(&lines, input, 0, 1);
  DebyeCifWalk walk = {.lines = &lines,
                       .tables = tables,
                       .n_tables = G_N_ELEMENTS(tables),
                       .begin_block = begin_block,
                       .data = molecule};
  GError *problem = NULL;
  /* A file that ends in a later model or block has told about the first one all it can: of models the frames'
   * index says so. */
  gboolean done = debye_cif_walk(&walk, &problem) || molecule->is_beyond || molecule->others.is_on;
  if (done) {
    debye_cif_others_warn(&molecule->others, molecule->builder);
    g_clear_error(&problem);
  } else {
    g_propagate_error(error, problem);
  }
  debye_cif_others_clear(&molecule->others);
  return done;
}

gboolean
debye_cif_read_molecule(DebyeInput *input, DebyeTopologyBuilder *builder, GError **error)
{
  Molecule molecule = {.builder = builder, .bonds = debye_cif_bonds_new()};
  debye_topology_builder_trust_residues(builder);
  gboolean done = walk_molecule(&molecule, input, error);
  if (done)
    debye_cif_bonds_add_to(molecule.bonds, builder);
  debye_cif_bonds_free(molecule.bonds);
  g_free(molecule.model);
  return done;
}
