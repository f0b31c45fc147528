/* SPDX-License-Identifier: MIT */
/* Finds hydrogen bonds by asking for the neighbours of each donor; called by the layer of hydrogen bonds. */
#include "hydrogen_bonds.h"

#include "neighbours.h"
#include "periodic.h"
#include "data/tables/residue_class.h"

#define HYDROGEN 1
#define NITROGEN 7
#define OXYGEN 8
#define FLUORINE 9
#define RADIAN (G_PI / 180.0)

typedef struct {
  DebyeTopology *topology;
  const DebyeFrame *frame;
  const guint8 *elements;
  const guint32 *residues, *offsets, *partners;
  DebyePeriodic periodic;
  double least_cosine;
  gboolean has_hydrogens;
  guint32 donor;
  GArray *bonds;
} Search;

static gboolean
is_polar(guint8 element)
{
  return element == NITROGEN || element == OXYGEN || element == FLUORINE;
}

static gboolean
is_water(const Search *search, guint32 atom)
{
  const DebyeResidue *residue = &debye_topology_get_residue_table(search->topology)[search->residues[atom]];
  const char *name = debye_string_pool_get(debye_topology_get_string_pool(search->topology), residue->name);
  return (debye_residue_class_of(name) & DEBYE_RESIDUE_WATER) != 0;
}

static DebyeVec3
way_between(const Search *search, guint32 from, guint32 to)
{
  return debye_periodic_minimum_image(&search->periodic,
                                      debye_vec3_subtract(debye_frame_get_position(search->frame, to),
                                                          debye_frame_get_position(search->frame, from)));
}

static gboolean
is_bonded(const Search *search, guint32 i, guint32 j)
{
  for (guint32 k = search->offsets[i]; k < search->offsets[i + 1]; k++)
    if (search->partners[k] == j)
      return TRUE;
  return FALSE;
}

/* The hydrogen of the donor that points best to the acceptor; G_MAXUINT32: none within the angle. */
static guint32
find_hydrogen(const Search *search, DebyeVec3 way)
{
  guint32 best = G_MAXUINT32;
  double most = search->least_cosine;
  for (guint32 k = search->offsets[search->donor]; k < search->offsets[search->donor + 1]; k++) {
    guint32 partner = search->partners[k];
    if (search->elements[partner] != HYDROGEN)
      continue;
    DebyeVec3 bond = way_between(search, search->donor, partner);
    double cosine = debye_vec3_dot(bond, way) / (debye_vec3_length(bond) * debye_vec3_length(way));
    if (cosine >= most) {
      most = cosine;
      best = partner;
    }
  }
  return best;
}

/* Without hydrogens a pair is looked at once, from its lower atom. */
static gboolean
may_be_pair(const Search *search, guint32 acceptor)
{
  guint32 donor = search->donor;
  if (donor > acceptor || search->residues[donor] == search->residues[acceptor])
    return FALSE;
  return search->elements[donor] == NITROGEN || search->elements[acceptor] == NITROGEN ||
         is_water(search, donor) || is_water(search, acceptor);
}

static gboolean
visit_acceptor(guint32 atom, double squared_distance, gpointer data)
{
  Search *search = data;
  if (atom == search->donor || !(squared_distance > 0.0) || is_bonded(search, search->donor, atom))
    return TRUE;
  DebyeVec3 way = way_between(search, search->donor, atom);
  guint32 hydrogen = search->has_hydrogens ? find_hydrogen(search, way) : G_MAXUINT32;
  if (search->has_hydrogens ? hydrogen == G_MAXUINT32 : !may_be_pair(search, atom))
    return TRUE;
  DebyeHydrogenBond bond = {.donor = search->donor,
                            .acceptor = atom,
                            .hydrogen = hydrogen,
                            .to =
                                debye_vec3_add(debye_frame_get_position(search->frame, search->donor), way)};
  g_array_append_val(search->bonds, bond);
  return TRUE;
}

/* Those of the chosen atoms that count, can take part and stand somewhere. */
static GArray *
list_polar(const Search *search, const guint32 *atoms, gsize n_atoms)
{
  const guint8 *counted = debye_topology_get_counted(search->topology);
  GArray *polar = g_array_new(FALSE, FALSE, sizeof(guint32));
  for (gsize i = 0; i < n_atoms; i++) {
    guint32 atom = atoms ? atoms[i] : (guint32)i;
    if (is_polar(search->elements[atom]) && (counted == NULL || counted[atom]) &&
        debye_vec3_is_finite(debye_frame_get_position(search->frame, atom)))
      g_array_append_val(polar, atom);
  }
  return polar;
}

static gboolean
has_any_hydrogen(DebyeTopology *topology)
{
  const guint8 *elements = debye_topology_get_elements(topology);
  for (gsize i = 0; i < debye_topology_get_n_atoms(topology); i++)
    if (elements[i] == HYDROGEN)
      return TRUE;
  return FALSE;
}

GArray *
debye_hydrogen_bonds_find(DebyeTopology *topology, const DebyeFrame *frame, const guint32 *atoms,
                          gsize n_atoms, double distance, double angle)
{
  Search search = {.topology = topology,
                   .frame = frame,
                   .elements = debye_topology_get_elements(topology),
                   .residues = debye_topology_get_residues(topology),
                   .least_cosine = cos(angle * RADIAN),
                   .has_hydrogens = has_any_hydrogen(topology),
                   .bonds = g_array_new(FALSE, FALSE, sizeof(DebyeHydrogenBond))};
  debye_topology_get_bond_graph(topology, &search.offsets, &search.partners);
  debye_periodic_init_for_frame(&search.periodic, frame);
  g_autoptr(GArray) polar = list_polar(&search, atoms, atoms ? n_atoms : frame->n_atoms);
  if (polar->len == 0)
    return search.bonds;
  const guint32 *chosen = (const guint32 *)(gpointer)polar->data;
  g_autoptr(DebyeNeighbours) neighbours = debye_neighbours_new(frame, chosen, polar->len, distance);
  for (guint i = 0; i < polar->len; i++) {
    search.donor = chosen[i];
    debye_neighbours_visit(neighbours, debye_frame_get_position(frame, chosen[i]), visit_acceptor, &search);
  }
  return search.bonds;
}
