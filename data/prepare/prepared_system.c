/* SPDX-License-Identifier: MIT */
/* Implementation of prepared_system.h: residues of a topology as units, and the checks that they can be made ready. */
#include "prepared_system.h"

#include <string.h>

#include "data/files/error.h"
#include "data/messages/message.h"
#include "data/molecule/altloc.h"
#include "data/molecule/neighbours.h"
#include "data/molecule/periodic.h"
#include "data/molecule/residue_templates.h"
#include "data/tables/residue_class.h"

/* Å. Between residues nothing comes as near, whatever the errors; within one, 4HHB has a proline's CG 0.23 Å from its CD. */
#define SAME_PLACE 0.4
#define SAME_PLACE_WITHIN 0.1

DebyePreparedAtom *
debye_prepared_system_get_atom(const DebyePreparedSystem *self, guint32 atom)
{
  return &g_array_index(self->atoms, DebyePreparedAtom, atom);
}

DebyePreparedUnit *
debye_prepared_system_get_unit(const DebyePreparedSystem *self, guint32 unit)
{
  return &g_array_index(self->units, DebyePreparedUnit, unit);
}

guint32
debye_prepared_system_find(const DebyePreparedSystem *self, const DebyePreparedUnit *unit, const char *name)
{
  for (guint k = 0; k < unit->atoms->len; k++) {
    const guint32 atom = g_array_index(unit->atoms, guint32, k);
    if (strcmp(debye_prepared_system_get_atom(self, atom)->name, name) == 0)
      return atom;
  }
  return DEBYE_PREPARE_NONE;
}

DebyeVec3
debye_prepared_system_get_place(const DebyePreparedSystem *self, const DebyePreparedUnit *unit,
                                const char *name)
{
  return debye_prepared_system_get_atom(self, debye_prepared_system_find(self, unit, name))->position;
}

static const char *
get_string(const DebyePreparedSystem *self, guint32 code)
{
  return debye_string_pool_get(debye_topology_get_string_pool(self->topology), code);
}

static const char *
get_atom_name(const DebyePreparedSystem *self, guint32 atom)
{
  return get_string(self, debye_topology_get_names(self->topology)[atom]);
}

const char *
debye_prepared_unit_get_name(const DebyePreparedSystem *self, const DebyePreparedUnit *unit)
{
  return unit->is_cap
             ? unit->form->name
             : get_string(self, debye_topology_get_residue_table(self->topology)[unit->residue].name);
}

gint32
debye_prepared_unit_get_number(const DebyePreparedSystem *self, const DebyePreparedUnit *unit)
{
  return debye_topology_get_residue_table(self->topology)[unit->residue].number + unit->number_from_residue;
}

gboolean
debye_prepared_unit_is_meant(const DebyePreparedSystem *self, const DebyePreparedUnit *unit, guint32 place,
                             const char *chain, gint32 number, char insertion_code)
{
  if (place != 0)
    return !unit->is_cap && unit->residue == place - 1;
  const DebyeResidue *residue = &debye_topology_get_residue_table(self->topology)[unit->residue];
  return debye_prepared_unit_get_number(self, unit) == number && residue->insertion_code == insertion_code &&
         strcmp(get_string(self, residue->chain), chain) == 0;
}

char *
debye_prepared_unit_describe(const DebyePreparedSystem *self, const DebyePreparedUnit *unit)
{
  const DebyeResidue *residue = &debye_topology_get_residue_table(self->topology)[unit->residue];
  const char *chain = get_string(self, residue->chain);
  const char insertion[2] = {residue->insertion_code, '\0'};
  g_autofree char *number = g_strdup_printf("%s %d%s", debye_prepared_unit_get_name(self, unit),
                                            debye_prepared_unit_get_number(self, unit), insertion);
  return chain[0] == '\0' ? g_steal_pointer(&number) : debye_say("%s of chain %s", number, chain);
}

static void
add_sentence(GString *sentences, const char *sentence)
{
  g_string_append_printf(sentences, "%s%s", sentences->len > 0 ? "; " : "", sentence);
}

/* Returns the words; free with g_free. */
static char *
add_note(DebyePreparedUnit *unit, const char *format, va_list arguments)
{
  char *message = debye_message_new_valist(format, arguments);
  char *sentence = debye_message_english(message);
  g_ptr_array_add(unit->notes, message);
  add_sentence(unit->done, sentence);
  return sentence;
}

void
debye_prepared_unit_note(DebyePreparedUnit *unit, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  g_free(add_note(unit, format, arguments));
  va_end(arguments);
}

void
debye_prepared_unit_note_hydrogens(DebyePreparedUnit *unit, guint n_added)
{
  g_autofree char *sentence = g_strdup_printf("hydrogens added: %u", n_added);
  add_sentence(unit->done, sentence);
}

void
debye_prepared_unit_warn(DebyePreparedUnit *unit, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  g_autofree char *sentence = add_note(unit, format, arguments);
  va_end(arguments);
  add_sentence(unit->warnings, sentence);
}

/* --- Bonds --- */

/* In the order of the form; an atom that already has all it can keeps those. */
static void
add_neighbour(const DebyePreparedSystem *self, guint32 atom, guint32 neighbour)
{
  DebyePreparedAtom *own = debye_prepared_system_get_atom(self, atom);
  const guint8 rank = debye_prepared_system_get_atom(self, neighbour)->rank;
  guint k = own->n_neighbours;
  if (k == DEBYE_PREPARE_NEIGHBOURS)
    return;
  for (; k > 0 && debye_prepared_system_get_atom(self, own->neighbours[k - 1])->rank > rank; k--)
    own->neighbours[k] = own->neighbours[k - 1];
  own->neighbours[k] = neighbour;
  own->n_neighbours++;
}

void
debye_prepared_system_bond(DebyePreparedSystem *self, guint32 first, guint32 second)
{
  add_neighbour(self, first, second);
  add_neighbour(self, second, first);
}

/* In the form; G_MAXUINT8: the atom is none of it. */
static guint8
find_rank(const DebyeResidueForm *form, const char *name)
{
  DebyeFormAtom atoms[DEBYE_FORM_ATOMS];
  const guint n = debye_residue_form_parse(form, atoms);
  for (guint k = 0; k < n; k++)
    if (strcmp(atoms[k].name, name) == 0)
      return (guint8)k;
  return G_MAXUINT8;
}

guint32
debye_prepared_system_add(DebyePreparedSystem *self, guint32 unit, const char *name, guint8 element,
                          DebyeVec3 position, guint32 neighbour)
{
  DebyePreparedAtom atom = {
      .element = element, .unit = unit, .source = DEBYE_PREPARE_NONE, .position = position};
  const guint32 index = self->atoms->len;
  g_strlcpy(atom.name, name, sizeof atom.name);
  atom.rank = find_rank(debye_prepared_system_get_unit(self, unit)->form, name);
  g_array_append_val(self->atoms, atom);
  g_array_append_val(debye_prepared_system_get_unit(self, unit)->atoms, index);
  debye_prepared_system_bond(self, index, neighbour);
  return index;
}

static void
add_template_bonds(DebyePreparedSystem *self, const guint32 *heavy_of_atom)
{
  g_autoptr(DebyeResidueTemplates) templates = debye_residue_templates_new(self->topology);
  g_autoptr(GArray) bonds = g_array_new(FALSE, FALSE, sizeof(DebyeBond));
  for (guint u = 0; u < self->units->len; u++) {
    const DebyePreparedUnit *unit = debye_prepared_system_get_unit(self, u);
    if (unit->kind != DEBYE_UNIT_CHAIN)
      continue;
    debye_residue_templates_get_bonds(templates, unit->residue, bonds);
    for (guint b = 0; b < bonds->len; b++) {
      const DebyeBond bond = g_array_index(bonds, DebyeBond, b);
      debye_prepared_system_bond(self, heavy_of_atom[bond.i], heavy_of_atom[bond.j]);
    }
  }
}

/* --- Units --- */

static void
unit_clear(gpointer data)
{
  DebyePreparedUnit *unit = data;
  g_array_unref(unit->atoms);
  g_array_unref(unit->hydrogens);
  g_clear_pointer(&unit->charges, g_array_unref);
  g_clear_pointer(&unit->radii, g_array_unref);
  g_string_free(unit->done, TRUE);
  g_ptr_array_unref(unit->notes);
  g_string_free(unit->warnings, TRUE);
}

DebyePreparedUnit
debye_prepared_unit_init(guint32 residue)
{
  return (DebyePreparedUnit){.residue = residue,
                             .atoms = g_array_new(FALSE, FALSE, sizeof(guint32)),
                             .hydrogens = g_array_new(FALSE, FALSE, sizeof(DebyePreparedHydrogen)),
                             .previous = DEBYE_PREPARE_NONE,
                             .next = DEBYE_PREPARE_NONE,
                             .disulfide = DEBYE_PREPARE_NONE,
                             .metal = {DEBYE_PREPARE_NONE, DEBYE_PREPARE_NONE},
                             .pka = NAN,
                             .pk_half = NAN,
                             .pk_error = NAN,
                             .pk_half_of_end = {NAN, NAN},
                             .pk_error_of_end = {NAN, NAN},
                             .done = g_string_new(NULL),
                             .notes = g_ptr_array_new_with_free_func(g_free),
                             .caps = {DEBYE_PREPARE_NONE, DEBYE_PREPARE_NONE},
                             .warnings = g_string_new(NULL)};
}

/* A modified amino acid that the table lacks in all of its states is a residue
 * that no table knows: its charges are estimated. */
static gboolean
is_unknown_to(const DebyeResidueForm *family, DebyeChargeTable table)
{
  if (family->kind != DEBYE_FORM_AMINO_ACID)
    return FALSE;
  for (const DebyeResidueForm *form = debye_residue_forms; form->family != NULL; form++)
    if (strcmp(form->family, family->family) == 0 &&
        debye_residue_form_is_charged(form, table, DEBYE_END_NONE, DEBYE_END_NONE))
      return FALSE;
  return TRUE;
}

static DebyePreparedUnit
unit_new(const DebyePreparedSystem *self, guint32 residue, DebyeChargeTable table)
{
  const char *name = get_string(self, debye_topology_get_residue_table(self->topology)[residue].name);
  DebyePreparedUnit unit = debye_prepared_unit_init(residue);
  if ((debye_residue_class_of(name) & DEBYE_RESIDUE_WATER) != 0)
    unit.kind = DEBYE_UNIT_WATER;
  else if ((unit.form = debye_residue_form_find(name, &unit.is_stated)) != NULL)
    unit.kind = DEBYE_UNIT_CHAIN;
  if (unit.form != NULL && is_unknown_to(unit.form, table)) {
    unit.kind = DEBYE_UNIT_OTHER;
    unit.form = NULL;
    unit.is_stated = FALSE;
  }
  return unit;
}

/* The sugar is what its atoms are: files call residues of DNA A, too. */
static void
settle_sugar(DebyePreparedSystem *self, DebyePreparedUnit *unit)
{
  if (unit->kind != DEBYE_UNIT_CHAIN || !debye_residue_form_is_nucleotide(unit->form))
    return;
  const gboolean has_hydroxyl = debye_prepared_system_find(self, unit, "O2'") != DEBYE_PREPARE_NONE;
  const DebyeResidueForm *form =
      debye_residue_form_with_sugar(unit->form, has_hydroxyl ? DEBYE_FORM_RIBOSE : DEBYE_FORM_DEOXYRIBOSE);
  if (form != NULL)
    unit->form = form;
}

static gboolean
set_rank(DebyePreparedSystem *self, const DebyePreparedUnit *unit, const DebyeFormAtom *form_atoms, guint n,
         DebyePreparedAtom *atom, GError **error)
{
  for (guint k = 0; k < n; k++)
    if (strcmp(form_atoms[k].name, atom->name) == 0) {
      atom->rank = (guint8)k;
      return TRUE;
    }
  atom->rank = G_MAXUINT8;
  if (unit->form->kind == DEBYE_FORM_AMINO_ACID && strcmp(atom->name, "OXT") == 0)
    return TRUE;
  if (debye_residue_form_is_nucleotide(unit->form) && strcmp(atom->name, "O3P") == 0)
    g_strlcpy(atom->name, "OP3", sizeof atom->name);
  if (debye_residue_form_is_nucleotide(unit->form) && strcmp(atom->name, "OP3") == 0)
    return TRUE;
  g_autofree char *residue = debye_prepared_unit_describe(self, unit);
  return debye_error_set(
      error, DEBYE_ERROR_VALUE,
      "atom %s of residue %s: expected the atoms of %s. Rename the residue if it is another one, or "
      "leave it out",
      get_atom_name(self, atom->source), residue, unit->form->family);
}

static gboolean
set_ranks(DebyePreparedSystem *self, const DebyePreparedUnit *unit, GError **error)
{
  DebyeFormAtom form_atoms[DEBYE_FORM_ATOMS];
  if (unit->kind != DEBYE_UNIT_CHAIN)
    return TRUE;
  const guint n = debye_residue_form_parse(unit->form, form_atoms);
  for (guint k = 0; k < unit->atoms->len; k++) {
    const guint32 index = g_array_index(unit->atoms, guint32, k);
    DebyePreparedAtom *atom = debye_prepared_system_get_atom(self, index);
    if (!set_rank(self, unit, form_atoms, n, atom, error))
      return FALSE;
    if (debye_prepared_system_find(self, unit, atom->name) != index) {
      g_autofree char *residue = debye_prepared_unit_describe(self, unit);
      return debye_error_set(error, DEBYE_ERROR_VALUE, "residue %s has two atoms %s. Remove one of them",
                             residue, get_atom_name(self, atom->source));
    }
  }
  return TRUE;
}

/* What is no element in water is a site of a model, such as TIP4P's: it has no place in the structure that is made. */
static gboolean
is_water_site(const DebyePreparedSystem *self, guint32 source)
{
  const guint32 unit = debye_topology_get_residues(self->topology)[source];
  return debye_topology_get_elements(self->topology)[source] == 0 &&
         debye_prepared_system_get_unit(self, unit)->kind == DEBYE_UNIT_WATER;
}

/* A deuterium is a hydrogen of the same place: neutron structures have them by their own names, partly exchanged ones beside
 * it, before or behind. */
static void
add_hydrogen(const DebyePreparedSystem *self, DebyePreparedUnit *unit, DebyePreparedHydrogen *hydrogen)
{
  const gboolean is_deuterium = hydrogen->name[0] == 'D';
  if (is_deuterium)
    hydrogen->name[0] = 'H';
  for (guint k = 0; k < unit->hydrogens->len; k++) {
    const DebyePreparedHydrogen *other = &g_array_index(unit->hydrogens, DebyePreparedHydrogen, k);
    if (strcmp(other->name, hydrogen->name) == 0 &&
        (is_deuterium || get_atom_name(self, other->source)[0] == 'D'))
      return;
  }
  g_array_append_val(unit->hydrogens, *hydrogen);
}

static void
add_atom(DebyePreparedSystem *self, guint32 unit_index, guint32 source, guint32 *heavy_of_atom)
{
  DebyePreparedUnit *unit = debye_prepared_system_get_unit(self, unit_index);
  DebyePreparedAtom atom = {.element = debye_topology_get_elements(self->topology)[source],
                            .unit = unit_index,
                            .source = source,
                            .position = debye_frame_get_position(self->frame, source)};
  DebyePreparedHydrogen hydrogen = {.heavy = DEBYE_PREPARE_NONE, .source = source, .position = atom.position};
  if (is_water_site(self, source))
    return;
  if (unit->kind != DEBYE_UNIT_OTHER && atom.element == 1) {
    g_strlcpy(hydrogen.name, get_atom_name(self, source), sizeof hydrogen.name);
    add_hydrogen(self, unit, &hydrogen);
    return;
  }
  if (unit->kind == DEBYE_UNIT_CHAIN)
    debye_residue_form_normalise(unit->form, get_atom_name(self, source), atom.name);
  heavy_of_atom[source] = self->atoms->len;
  g_array_append_val(unit->atoms, self->atoms->len);
  g_array_append_val(self->atoms, atom);
}

static gboolean
add_units(DebyePreparedSystem *self, DebyeChargeTable table, guint32 *heavy_of_atom, GError **error)
{
  const guint32 *residues = debye_topology_get_residues(self->topology);
  const guint32 n_residues = (guint32)debye_topology_get_n_residues(self->topology);
  for (guint32 r = 0; r < n_residues; r++) {
    const DebyePreparedUnit unit = unit_new(self, r, table);
    g_array_append_val(self->units, unit);
  }
  for (guint32 i = 0; i < debye_topology_get_n_atoms(self->topology); i++)
    add_atom(self, residues[i], i, heavy_of_atom);
  for (guint32 r = 0; r < n_residues; r++) {
    DebyePreparedUnit *unit = debye_prepared_system_get_unit(self, r);
    settle_sugar(self, unit);
    if (!set_ranks(self, unit, error))
      return FALSE;
  }
  return TRUE;
}

/* --- Checks --- */

typedef struct {
  const DebyePreparedSystem *system;
  const guint32 *residues; /* of each atom */
  guint32 own, other;
  guint32 near_within; /* too near, in the same residue; DEBYE_PREPARE_NONE */
} Pair;

static gboolean
is_other(guint32 atom, double squared_distance, gpointer data)
{
  Pair *pair = data;
  const gboolean is_within = pair->residues[atom] == pair->residues[pair->own];
  if (atom == pair->own || is_water_site(pair->system, atom))
    return TRUE;
  if (is_within && squared_distance > SAME_PLACE_WITHIN * SAME_PLACE_WITHIN) {
    pair->near_within = atom;
    return TRUE;
  }
  pair->other = atom;
  return FALSE;
}

static char *
describe_atom(const DebyePreparedSystem *self, guint32 source)
{
  const guint32 residue = debye_topology_get_residues(self->topology)[source];
  g_autofree char *unit = debye_prepared_unit_describe(self, debye_prepared_system_get_unit(self, residue));
  return debye_say("atom %s of residue %s", get_atom_name(self, source), unit);
}

static gboolean
refuse_places(const DebyePreparedSystem *self, guint32 one, guint32 other, GError **error)
{
  g_autofree char *first = describe_atom(self, MIN(one, other)),
                  *second = describe_atom(self, MAX(one, other));
  return debye_error_set(error, DEBYE_ERROR_VALUE, "%s and %s are at the same position. Remove one of them",
                         first, second);
}

static void
warn_of_places(const DebyePreparedSystem *self, guint32 one, guint32 other)
{
  const guint32 unit = debye_topology_get_residues(self->topology)[one];
  if (one < other)
    debye_prepared_unit_warn(debye_prepared_system_get_unit(self, unit),
                             "atoms %s and %s are less than 0.4 Å apart", get_atom_name(self, one),
                             get_atom_name(self, other));
}

static gboolean
check_place(const DebyePreparedSystem *self, const DebyeNeighbours *neighbours, guint32 atom, GError **error)
{
  const DebyeVec3 position = debye_frame_get_position(self->frame, atom);
  Pair pair = {.system = self,
               .residues = debye_topology_get_residues(self->topology),
               .own = atom,
               .other = DEBYE_PREPARE_NONE,
               .near_within = DEBYE_PREPARE_NONE};
  if (!isfinite(position.x + position.y + position.z)) {
    g_autofree char *name = describe_atom(self, atom);
    return debye_error_set(error, DEBYE_ERROR_VALUE, "%s has no position", name);
  }
  debye_neighbours_visit(neighbours, position, is_other, &pair);
  if (pair.other != DEBYE_PREPARE_NONE)
    return refuse_places(self, atom, pair.other, error);
  if (pair.near_within != DEBYE_PREPARE_NONE)
    warn_of_places(self, atom, pair.near_within);
  return TRUE;
}

static gboolean
check_places(const DebyePreparedSystem *self, GError **error)
{
  g_autoptr(DebyeFrame) open = debye_frame_copy(self->frame);
  if (open == NULL)
    return debye_error_set_memory(error, NULL, self->frame->n_atoms, N_("positions"));
  open->has_cell = FALSE;
  g_autoptr(DebyeNeighbours) neighbours = debye_neighbours_new(open, NULL, 0, SAME_PLACE);
  for (guint32 i = 0; i < open->n_atoms; i++)
    if (!is_water_site(self, i) && !check_place(self, neighbours, i, error))
      return FALSE;
  return TRUE;
}

gboolean
debye_prepared_system_count(DebyeTopology *topology, const DebyeFrame *frame, DebyeTopology **counted,
                            DebyeFrame **counted_frame, GError **error)
{
  g_autoptr(GArray) atoms = debye_topology_list_counted(topology, G_MAXSIZE);
  const guint32 *list = (const guint32 *)(const void *)atoms->data;
  const gboolean is_whole = atoms->len == frame->n_atoms;
  *counted = is_whole ? g_object_ref(topology) : debye_topology_subset(topology, list, atoms->len);
  *counted_frame =
      is_whole ? debye_frame_ref((DebyeFrame *)frame) : debye_frame_subset(frame, list, atoms->len);
  return *counted_frame != NULL || debye_error_set_memory(error, NULL, atoms->len, N_("positions"));
}

DebyePreparedSystem *
debye_prepared_system_new(DebyeTopology *topology, const DebyeFrame *frame, DebyeChargeTable table,
                          GError **error)
{
  g_autoptr(DebyePreparedSystem) self = g_new0(DebyePreparedSystem, 1);
  self->topology = topology;
  self->frame = frame;
  self->atoms = g_array_new(FALSE, TRUE, sizeof(DebyePreparedAtom));
  self->units = g_array_new(FALSE, TRUE, sizeof(DebyePreparedUnit));
  self->links = g_array_new(FALSE, FALSE, sizeof(DebyePreparedLink));
  self->bonds = g_array_new(FALSE, FALSE, sizeof(DebyeBond));
  g_array_set_clear_func(self->units, unit_clear);
  g_autofree guint32 *heavy_of_atom = g_new0(guint32, MAX(frame->n_atoms, 1));
  if (!add_units(self, table, heavy_of_atom, error) || !check_places(self, error))
    return NULL;
  add_template_bonds(self, heavy_of_atom);
  return g_steal_pointer(&self);
}

void
debye_prepared_system_free(DebyePreparedSystem *self)
{
  if (self == NULL)
    return;
  g_array_unref(self->atoms);
  g_array_unref(self->units);
  g_array_unref(self->links);
  g_array_unref(self->bonds);
  g_free(self);
}
