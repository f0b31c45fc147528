/* SPDX-License-Identifier: MIT */
/* Assigns secondary structure for cartoons. Kabsch and Sander's rules in their order: hydrogen bonds from
 * energies; turns, bridges; helices from turns; ladders and bulges from bridges. Indices are units of the
 * backbone throughout. */
#include "secondary_structure.h"

#include "neighbours.h"
#include "periodic.h"

#define COUPLING (0.42 * 0.20 * 332.0) /* kcal/mol Å: charges of ±0.42 e on C=O and ±0.20 e on N-H */
#define BOND_ENERGY -0.5               /* kcal/mol: a hydrogen bond below */
#define LEAST_DISTANCE 0.5             /* Å: closer, the formula means nothing */
#define LEAST_ENERGY -9.9
#define HYDROGEN_DISTANCE 1.0 /* Å */
#define PAIR_REACH 9.0        /* Å between CA atoms: beyond it no bond is possible */
#define BEND_ANGLE 70.0       /* degrees */
#define NONE G_MAXUINT32

/* A donor's two strongest bonds, as in the original: more are geometric accidents. */
typedef struct {
  guint32 acceptor[2];
  double energy[2];
} Bonds;

typedef struct {
  DebyeVec3 n, h, ca, c, o;
  gboolean is_whole; /* n, ca, c and o are there */
  gboolean is_donor; /* h is */
} Peptide;

typedef struct {
  const DebyeBackbone *backbone;
  DebyePeriodic periodic;
  Peptide *peptides;
  Bonds *bonds;
  guint8 *links;
  guint32 *unit_of_atom; /* by CA */
  guint8 *structure;
} Assignment;

/* --- Hydrogen bonds --- */

static double
energy_between(const Peptide *donor, const Peptide *acceptor, DebyeVec3 shift)
{
  DebyeVec3 o = debye_vec3_add(acceptor->o, shift), c = debye_vec3_add(acceptor->c, shift);
  double on = debye_vec3_length(debye_vec3_subtract(o, donor->n));
  double ch = debye_vec3_length(debye_vec3_subtract(c, donor->h));
  double oh = debye_vec3_length(debye_vec3_subtract(o, donor->h));
  double cn = debye_vec3_length(debye_vec3_subtract(c, donor->n));
  if (fmin(fmin(on, ch), fmin(oh, cn)) < LEAST_DISTANCE)
    return LEAST_ENERGY;
  return fmax(COUPLING * (1.0 / on + 1.0 / ch - 1.0 / oh - 1.0 / cn), LEAST_ENERGY);
}

static void
keep_bond(Bonds *bonds, guint32 acceptor, double energy)
{
  if (acceptor == bonds->acceptor[0] || acceptor == bonds->acceptor[1])
    return; /* another image of the same */
  if (energy < bonds->energy[0]) {
    bonds->acceptor[1] = bonds->acceptor[0];
    bonds->energy[1] = bonds->energy[0];
    bonds->acceptor[0] = acceptor;
    bonds->energy[0] = energy;
  } else if (energy < bonds->energy[1]) {
    bonds->acceptor[1] = acceptor;
    bonds->energy[1] = energy;
  }
}

typedef struct {
  Assignment *assignment;
  guint32 donor;
} Search;

static gboolean
visit_acceptor(guint32 atom, double squared_distance G_GNUC_UNUSED, gpointer data)
{
  const Search *search = data;
  Assignment *self = search->assignment;
  guint32 donor = search->donor, acceptor = self->unit_of_atom[atom];
  const Peptide *d = &self->peptides[donor], *a = &self->peptides[acceptor];
  gboolean is_next = acceptor + 1 == donor && self->links[acceptor];
  if (acceptor == donor || is_next || !a->is_whole)
    return TRUE;
  DebyeVec3 apart = debye_vec3_subtract(a->ca, d->ca);
  DebyeVec3 shift = debye_vec3_subtract(debye_periodic_minimum_image(&self->periodic, apart), apart);
  double energy = energy_between(d, a, shift);
  if (energy < BOND_ENERGY)
    keep_bond(&self->bonds[donor], acceptor, energy);
  return TRUE;
}

static void
find_bonds(Assignment *self, const DebyeFrame *frame)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(guint32));
  for (guint32 i = 0; i < self->backbone->n_units; i++) {
    self->bonds[i] = (Bonds){.acceptor = {NONE, NONE}};
    if (self->peptides[i].is_whole)
      g_array_append_val(atoms, self->backbone->units[i].trace);
    self->unit_of_atom[self->backbone->units[i].trace] = i;
  }
  g_autoptr(DebyeNeighbours) neighbours =
      debye_neighbours_new(frame, (const guint32 *)(gpointer)atoms->data, atoms->len, PAIR_REACH);
  for (guint32 i = 0; i < self->backbone->n_units; i++)
    if (self->peptides[i].is_donor)
      debye_neighbours_visit(neighbours, self->peptides[i].ca, visit_acceptor, &(Search){self, i});
}

/* The N-H of `donor` to the C=O of `acceptor`. */
static gboolean
is_bonded(const Assignment *self, guint32 donor, guint32 acceptor)
{
  const Bonds *bonds = &self->bonds[donor];
  return bonds->acceptor[0] == acceptor || bonds->acceptor[1] == acceptor;
}

/* --- Where the atoms stand --- */

static DebyeVec3
place_hydrogen(DebyeVec3 n, const Peptide *before)
{
  DebyeVec3 way = debye_vec3_subtract(before->c, before->o);
  double length = debye_vec3_length(way);
  return length > 0.0 ? debye_vec3_add(n, debye_vec3_scale(way, HYDROGEN_DISTANCE / length)) : n;
}

/* A residue that the cell's wall cuts is put together around its CA. */
static DebyeVec3
position_beside(const Assignment *self, const DebyeFrame *frame, guint32 atom, DebyeVec3 ca)
{
  DebyeVec3 way = debye_vec3_subtract(debye_frame_get_position(frame, atom), ca);
  return debye_vec3_add(ca, debye_periodic_minimum_image(&self->periodic, way));
}

static void
read_peptides(Assignment *self, const DebyeFrame *frame)
{
  for (gsize i = 0; i < self->backbone->n_units; i++) {
    const DebyeBackboneUnit *unit = &self->backbone->units[i];
    Peptide *peptide = &self->peptides[i];
    peptide->ca = debye_frame_get_position(frame, unit->trace);
    if (unit->n == DEBYE_NO_ATOM || unit->c == DEBYE_NO_ATOM || unit->o == DEBYE_NO_ATOM)
      continue;
    peptide->n = position_beside(self, frame, unit->n, peptide->ca);
    peptide->c = position_beside(self, frame, unit->c, peptide->ca);
    peptide->o = position_beside(self, frame, unit->o, peptide->ca);
    peptide->is_whole = debye_vec3_is_finite(peptide->n) && debye_vec3_is_finite(peptide->ca) &&
                        debye_vec3_is_finite(peptide->c) && debye_vec3_is_finite(peptide->o);
    gboolean has_before = i > 0 && self->links[i - 1] && self->peptides[i - 1].is_whole;
    peptide->is_donor = peptide->is_whole && !unit->is_proline && (has_before || unit->h != DEBYE_NO_ATOM);
    if (peptide->is_donor && unit->h != DEBYE_NO_ATOM)
      peptide->h = position_beside(self, frame, unit->h, peptide->ca);
    else if (peptide->is_donor)
      peptide->h = place_hydrogen(peptide->n, &self->peptides[i - 1]);
  }
}

/* All units from `first` to `last` are linked, one to the next. */
static gboolean
is_unbroken(const Assignment *self, gsize first, gsize last)
{
  if (last >= self->backbone->n_units)
    return FALSE;
  for (gsize i = first; i < last; i++)
    if (!self->links[i])
      return FALSE;
  return TRUE;
}

/* --- Turns and helices --- */

static gboolean
is_turn(const Assignment *self, gsize start, gsize length)
{
  return is_unbroken(self, start, start + length) &&
         is_bonded(self, (guint32)(start + length), (guint32)start);
}

/* Alpha helices replace everything; the others only loops and their own kind. Pi helices replace alpha
 * helices, too, as in DSSP since version 2: the turns of both lie in one another, and few of them would be
 * found. */
static gboolean
may_become(DebyeStructure now, DebyeStructure helix)
{
  if (helix == DEBYE_STRUCTURE_HELIX_ALPHA || now == DEBYE_STRUCTURE_LOOP || now == helix)
    return TRUE;
  return helix == DEBYE_STRUCTURE_HELIX_PI && now == DEBYE_STRUCTURE_HELIX_ALPHA;
}

static gboolean
may_all_become(const Assignment *self, gsize first, gsize length, DebyeStructure helix)
{
  for (gsize i = first; i < first + length; i++)
    if (!may_become((DebyeStructure)self->structure[i], helix))
      return FALSE;
  return TRUE;
}

/* Two turns in a row make a helix; its first residue is the second turn's first. */
static void
find_helices(Assignment *self, gsize length, DebyeStructure helix)
{
  for (gsize i = 1; i < self->backbone->n_units; i++)
    if (is_turn(self, i, length) && is_turn(self, i - 1, length) && may_all_become(self, i, length, helix))
      for (gsize k = i; k < i + length; k++)
        self->structure[k] = (guint8)helix;
}

static gboolean
is_in_turn(const Assignment *self, gsize i)
{
  for (gsize length = 3; length <= 5; length++)
    for (gsize back = 1; back < length && back <= i; back++)
      if (is_turn(self, i - back, length))
        return TRUE;
  return FALSE;
}

static gboolean
is_bend(const Assignment *self, gsize i)
{
  if (i < 2 || !is_unbroken(self, i - 2, i + 2))
    return FALSE;
  const Peptide *p = self->peptides;
  DebyeVec3 before = debye_periodic_minimum_image(&self->periodic, debye_vec3_subtract(p[i].ca, p[i - 2].ca));
  DebyeVec3 after = debye_periodic_minimum_image(&self->periodic, debye_vec3_subtract(p[i + 2].ca, p[i].ca));
  return debye_vec3_angle(before, after) > BEND_ANGLE;
}

static void
find_turns_and_bends(Assignment *self)
{
  for (gsize i = 0; i < self->backbone->n_units; i++) {
    if (self->structure[i] != DEBYE_STRUCTURE_LOOP || !self->peptides[i].is_whole)
      continue;
    if (is_in_turn(self, i))
      self->structure[i] = DEBYE_STRUCTURE_TURN;
    else if (is_bend(self, i))
      self->structure[i] = DEBYE_STRUCTURE_BEND;
  }
}

/* --- Bridges and ladders --- */

/* Bridges in a row; of a single one both ends are the same. */
typedef struct {
  gboolean is_parallel;
  gsize i_first, i_last, j_first,
      j_last; /* j runs down in an antiparallel ladder, first < last all the same */
} Ladder;

typedef enum { BRIDGE_NONE, BRIDGE_PARALLEL, BRIDGE_ANTIPARALLEL } Bridge;

static Bridge
look_at_bridge(const Assignment *self, guint32 i, guint32 j)
{
  if (i < 1 || j < 1 || !is_unbroken(self, i - 1, i + 1) || !is_unbroken(self, j - 1, j + 1))
    return BRIDGE_NONE;
  if ((is_bonded(self, i + 1, j) && is_bonded(self, j, i - 1)) ||
      (is_bonded(self, j + 1, i) && is_bonded(self, i, j - 1)))
    return BRIDGE_PARALLEL;
  if ((is_bonded(self, i + 1, j - 1) && is_bonded(self, j + 1, i - 1)) ||
      (is_bonded(self, j, i) && is_bonded(self, i, j)))
    return BRIDGE_ANTIPARALLEL;
  return BRIDGE_NONE;
}

static void
add_bridge(const Assignment *self, GArray *bridges, gint64 i, gint64 j)
{
  gint64 low = MIN(i, j), high = MAX(i, j);
  if (low < 0 || high >= (gint64)self->backbone->n_units || high - low < 3)
    return;
  Bridge kind = look_at_bridge(self, (guint32)low, (guint32)high);
  Ladder bridge = {.is_parallel = kind == BRIDGE_PARALLEL,
                   .i_first = (gsize)low,
                   .i_last = (gsize)low,
                   .j_first = (gsize)high,
                   .j_last = (gsize)high};
  if (kind != BRIDGE_NONE)
    g_array_append_val(bridges, bridge);
}

static int
compare_bridges(gconstpointer a, gconstpointer b)
{
  const Ladder *x = a, *y = b;
  if (x->i_first != y->i_first)
    return x->i_first < y->i_first ? -1 : 1;
  return (x->j_first > y->j_first) - (x->j_first < y->j_first);
}

/* Each bridge has a bond of one of four kinds, so the bonds lead to all of them. Sorted; some come twice. */
static GArray *
find_bridges(const Assignment *self)
{
  GArray *bridges = g_array_new(FALSE, FALSE, sizeof(Ladder));
  for (gint64 donor = 0; donor < (gint64)self->backbone->n_units; donor++)
    for (int k = 0; k < 2; k++) {
      if (self->bonds[donor].acceptor[k] == NONE)
        continue;
      gint64 acceptor = (gint64)self->bonds[donor].acceptor[k];
      add_bridge(self, bridges, donor - 1, acceptor);
      add_bridge(self, bridges, donor, acceptor + 1);
      add_bridge(self, bridges, donor - 1, acceptor + 1);
      add_bridge(self, bridges, donor, acceptor);
    }
  g_array_sort(bridges, compare_bridges);
  return bridges;
}

static gboolean
extend_ladder(const Assignment *self, Ladder *ladder, const Ladder *bridge)
{
  gboolean next_i = bridge->i_first == ladder->i_last + 1 && self->links[ladder->i_last];
  if (ladder->is_parallel != bridge->is_parallel || !next_i)
    return FALSE;
  if (ladder->is_parallel && bridge->j_first == ladder->j_last + 1 && self->links[ladder->j_last])
    ladder->j_last++;
  else if (!ladder->is_parallel && bridge->j_first + 1 == ladder->j_first && self->links[bridge->j_first])
    ladder->j_first--;
  else
    return FALSE;
  ladder->i_last++;
  return TRUE;
}

static GArray *
make_ladders(const Assignment *self, const GArray *bridges)
{
  GArray *ladders = g_array_new(FALSE, FALSE, sizeof(Ladder));
  for (guint b = 0; b < bridges->len; b++) {
    const Ladder *bridge = &g_array_index(bridges, Ladder, b);
    if (b > 0 && compare_bridges(bridge, bridge - 1) == 0)
      continue;
    gboolean extended = FALSE;
    for (guint l = ladders->len; l > 0 && !extended; l--)
      extended = extend_ladder(self, &g_array_index(ladders, Ladder, l - 1), bridge);
    if (!extended)
      g_array_append_vals(ladders, bridge, 1);
  }
  return ladders;
}

/* A bulge: at most one residue more on one strand and four on the other. `next` begins behind `ladder`. */
static gboolean
is_bulge(const Assignment *self, const Ladder *ladder, const Ladder *next)
{
  if (ladder->is_parallel != next->is_parallel || next->i_first <= ladder->i_last ||
      !is_unbroken(self, ladder->i_last, next->i_first))
    return FALSE;
  gsize before = ladder->is_parallel ? ladder->j_last : next->j_last;
  gsize after = ladder->is_parallel ? next->j_first : ladder->j_first;
  if (after <= before || !is_unbroken(self, before, after))
    return FALSE;
  gsize i_step = next->i_first - ladder->i_last, j_step = after - before;
  return (i_step < 3 && j_step < 6) || (i_step < 6 && j_step < 3);
}

static void
merge_bulges(const Assignment *self, GArray *ladders)
{
  for (guint l = 0; l < ladders->len; l++)
    for (guint m = l + 1; m < ladders->len; m++) {
      Ladder *ladder = &g_array_index(ladders, Ladder, l), *next = &g_array_index(ladders, Ladder, m);
      if (next->i_first > ladder->i_last + 5)
        break;
      if (!is_bulge(self, ladder, next))
        continue;
      ladder->i_last = next->i_last;
      ladder->j_first = MIN(ladder->j_first, next->j_first);
      ladder->j_last = MAX(ladder->j_last, next->j_last);
      g_array_remove_index(ladders, m--);
    }
}

static void
mark(Assignment *self, gsize first, gsize last, DebyeStructure structure)
{
  for (gsize i = first; i <= last; i++)
    self->structure[i] = MAX(self->structure[i], (guint8)structure);
}

static void
find_strands(Assignment *self)
{
  g_autoptr(GArray) bridges = find_bridges(self);
  g_autoptr(GArray) ladders = make_ladders(self, bridges);
  merge_bulges(self, ladders);
  for (guint l = 0; l < ladders->len; l++) {
    const Ladder *ladder = &g_array_index(ladders, Ladder, l);
    DebyeStructure structure =
        ladder->i_first == ladder->i_last ? DEBYE_STRUCTURE_BRIDGE : DEBYE_STRUCTURE_STRAND;
    mark(self, ladder->i_first, ladder->i_last, structure);
    mark(self, ladder->j_first, ladder->j_last, structure);
  }
}

/* --- The whole --- */

guint8 *
debye_secondary_structure_assign(const DebyeBackbone *backbone, DebyeTopology *topology,
                                 const DebyeFrame *frame)
{
  gsize n = backbone->n_units;
  Assignment self = {.backbone = backbone,
                     .peptides = g_new0(Peptide, n + 1),
                     .bonds = g_new0(Bonds, n + 1),
                     .links = debye_backbone_find_links(backbone, topology, frame, TRUE),
                     .unit_of_atom = g_new0(guint32, frame->n_atoms + 1),
                     .structure = g_new0(guint8, n + 1)};
  debye_periodic_init_for_frame(&self.periodic, frame);
  read_peptides(&self, frame);
  find_bonds(&self, frame);
  find_strands(&self);
  find_helices(&self, 4, DEBYE_STRUCTURE_HELIX_ALPHA);
  find_helices(&self, 3, DEBYE_STRUCTURE_HELIX_3_10);
  find_helices(&self, 5, DEBYE_STRUCTURE_HELIX_PI);
  find_turns_and_bends(&self);
  g_free(self.peptides);
  g_free(self.bonds);
  g_free(self.links);
  g_free(self.unit_of_atom);
  return self.structure;
}

gboolean
debye_secondary_structure_is_helix(DebyeStructure structure)
{
  return structure == DEBYE_STRUCTURE_HELIX_ALPHA || structure == DEBYE_STRUCTURE_HELIX_3_10 ||
         structure == DEBYE_STRUCTURE_HELIX_PI;
}
