/* SPDX-License-Identifier: MIT */
/* Implementation of missing_atoms.h. */
#include "missing_atoms.h"

#include <string.h>

#include "hydrogen_site.h"
#include "residue_geometry.h"

#define BOND_LENGTH 1.95 /* Å: C–S has 1.82 */
#define TOO_NEAR 2.4     /* Å, of heavy atoms that aren't bonded */
#define N_ROTAMERS 3
#define RADIAN (3.14159265358979323846 / 180.0)

/* An atom of the ideal residue. */
typedef struct {
  char name[DEBYE_FORM_NAME_SIZE];
  DebyeVec3 position;
  guint32 atom; /* of the system; DEBYE_PREPARE_NONE: missing */
} Ideal;

typedef struct {
  DebyePreparedSystem *system;
  guint32 unit;
  Ideal atoms[DEBYE_FORM_ATOMS];
  guint n_atoms;
} Building;

/* --- The ideal residue --- */

static const char *
read_coordinate(const char *text, double *value)
{
  char *end;
  *value = g_ascii_strtod(text + 1, &end);
  return end;
}

static void
read_ideal(Building *building, const char *text)
{
  const DebyePreparedUnit *unit = debye_prepared_system_get_unit(building->system, building->unit);
  for (; *text != '\0'; text += strspn(text, " ")) {
    Ideal *ideal = &building->atoms[building->n_atoms++];
    const gsize length = strcspn(text, ":");
    g_assert(building->n_atoms <= DEBYE_FORM_ATOMS && length < DEBYE_FORM_NAME_SIZE);
    *ideal = (Ideal){0};
    memcpy(ideal->name, text, length);
    text = read_coordinate(text + length, &ideal->position.x);
    text = read_coordinate(text, &ideal->position.y);
    text = read_coordinate(text, &ideal->position.z);
    ideal->atom = debye_prepared_system_find(building->system, unit, ideal->name);
  }
}

static const char *
find_geometry(const char *family)
{
  for (const DebyeResidueGeometry *row = debye_residue_geometries; row->family != NULL; row++)
    if (strcmp(row->family, family) == 0)
      return row->atoms;
  return NULL;
}

static gboolean
are_bonded(const Building *building, guint i, guint j)
{
  return i != j && debye_vec3_length(debye_vec3_subtract(building->atoms[i].position,
                                                         building->atoms[j].position)) < BOND_LENGTH;
}

/* --- What holds an atom --- */

/* Each an index into the ideal residue. */
typedef struct {
  guint atom, parent, axis, third;
  gboolean is_free; /* nothing but a torsion about the axis holds it */
} Frame;

/* An atom that is there, bonded to `bonded`, and none of those two. */
static gboolean
find_bonded(const Building *building, guint bonded, guint first, guint second, guint *found)
{
  for (guint k = 0; k < building->n_atoms; k++)
    if (k != first && k != second && building->atoms[k].atom != DEBYE_PREPARE_NONE &&
        are_bonded(building, k, bonded)) {
      *found = k;
      return TRUE;
    }
  return FALSE;
}

/* Bonds that side chains turn about, as parent and the atom before it. */
static gboolean
is_rotatable(const Building *building, const Frame *frame)
{
  static const char *const bonds[] = {"CA-CB", "CB-CG", "CB-CG1", "CG-CD", "CG-SD", "CD-CE", "CD-NE"};
  const char *family = debye_prepared_system_get_unit(building->system, building->unit)->form->family;
  g_autofree char *bond =
      g_strdup_printf("%s-%s", building->atoms[frame->axis].name, building->atoms[frame->parent].name);
  for (gsize k = 0; k < G_N_ELEMENTS(bonds) && strcmp(family, "PRO") != 0; k++)
    if (strcmp(bonds[k], bond) == 0)
      return TRUE;
  return FALSE;
}

/* A neighbour, one of its neighbours, and a third: another neighbour of the first, whose angles are fixed, or else the next
 * along the chain, about whose bond the side chain turns. */
static gboolean
find_frame(const Building *building, guint atom, Frame *frame)
{
  frame->atom = atom;
  if (!find_bonded(building, atom, atom, atom, &frame->parent) ||
      !find_bonded(building, frame->parent, atom, atom, &frame->axis))
    return FALSE;
  frame->is_free = FALSE;
  if (find_bonded(building, frame->parent, atom, frame->axis, &frame->third))
    return TRUE;
  frame->is_free = is_rotatable(building, frame);
  return find_bonded(building, frame->axis, frame->parent, atom, &frame->third);
}

/* --- Where it goes --- */

/* Degrees, IUPAC's sign. */
static double
get_torsion(DebyeVec3 a, DebyeVec3 b, DebyeVec3 c, DebyeVec3 d)
{
  const DebyeVec3 along = debye_vec3_subtract(c, b);
  const DebyeVec3 first = debye_vec3_cross(debye_vec3_subtract(b, a), along);
  const DebyeVec3 second = debye_vec3_cross(along, debye_vec3_subtract(d, c));
  const double sine = debye_vec3_dot(first, debye_vec3_subtract(d, c)) * debye_vec3_length(along);
  return atan2(sine, debye_vec3_dot(first, second)) / RADIAN;
}

static gboolean
place(const Building *building, const Frame *frame, double turn, DebyeVec3 *position)
{
  const Ideal *ideal = building->atoms;
  const DebyeVec3 a = ideal[frame->third].position, b = ideal[frame->axis].position,
                  c = ideal[frame->parent].position, d = ideal[frame->atom].position;
  const double length = debye_vec3_length(debye_vec3_subtract(d, c));
  const double angle = debye_vec3_angle(debye_vec3_subtract(b, c), debye_vec3_subtract(d, c));
  const guint indices[] = {frame->third, frame->axis, frame->parent};
  DebyeVec3 actual[3];
  for (int k = 0; k < 3; k++)
    actual[k] = debye_prepared_system_get_atom(building->system, ideal[indices[k]].atom)->position;
  return debye_place_by_torsion(actual[0], actual[1], actual[2], length, angle,
                                get_torsion(a, b, c, d) + turn, position);
}

/* To the nearest heavy atom of another residue or, of its own, beyond the three that hold it. */
static double
get_clearance(const Building *building, const Frame *frame, DebyeVec3 position)
{
  const guint32 holders[] = {building->atoms[frame->parent].atom, building->atoms[frame->axis].atom,
                             building->atoms[frame->third].atom};
  double least = INFINITY;
  for (guint32 i = 0; i < building->system->atoms->len; i++) {
    const DebyePreparedAtom *atom = debye_prepared_system_get_atom(building->system, i);
    if (i == holders[0] || i == holders[1] || i == holders[2])
      continue;
    const DebyeVec3 u = debye_vec3_subtract(atom->position, position);
    least = fmin(least, debye_vec3_dot(u, u));
  }
  return sqrt(least);
}

/* FALSE: the atoms that hold it lie on a line. */
static gboolean
choose_place(const Building *building, const Frame *frame, DebyeVec3 *position, double *clearance)
{
  *clearance = -1.0;
  for (int k = 0; k < (frame->is_free ? N_ROTAMERS : 1); k++) {
    DebyeVec3 candidate;
    if (!place(building, frame, k * 360.0 / N_ROTAMERS, &candidate))
      return FALSE;
    const double own = get_clearance(building, frame, candidate);
    if (own > *clearance + 1e-6) {
      *clearance = own;
      *position = candidate;
    }
  }
  return TRUE;
}

static guint8
get_element(const char *name)
{
  return name[0] == 'N' ? 7 : name[0] == 'O' ? 8 : name[0] == 'S' ? 16 : 6;
}

static void
add(Building *building, const Frame *frame, DebyeVec3 position, double clearance)
{
  Ideal *ideal = &building->atoms[frame->atom];
  DebyePreparedUnit *unit = debye_prepared_system_get_unit(building->system, building->unit);
  ideal->atom =
      debye_prepared_system_add(building->system, building->unit, ideal->name, get_element(ideal->name),
                                position, building->atoms[frame->parent].atom);
  /* Where it closes a ring. */
  for (guint k = 0; k < building->n_atoms; k++)
    if (k != frame->parent && building->atoms[k].atom != DEBYE_PREPARE_NONE &&
        are_bonded(building, k, frame->atom))
      debye_prepared_system_bond(building->system, ideal->atom, building->atoms[k].atom);
  debye_prepared_unit_note(unit, "atom %s added", ideal->name);
  if (frame->is_free && clearance < TOO_NEAR)
    debye_prepared_unit_warn(unit, "atom %s comes as near as %.1f Å to another", ideal->name, clearance);
}

/* One atom; FALSE where none is left that others hold. */
static gboolean
add_next(Building *building)
{
  for (guint k = 0; k < building->n_atoms; k++) {
    Frame frame;
    DebyeVec3 position;
    double clearance;
    if (building->atoms[k].atom != DEBYE_PREPARE_NONE || !find_frame(building, k, &frame) ||
        !choose_place(building, &frame, &position, &clearance))
      continue;
    add(building, &frame, position, clearance);
    return TRUE;
  }
  return FALSE;
}

void
debye_missing_atoms_add(DebyePreparedSystem *system, guint32 number)
{
  Building building = {.system = system, .unit = number};
  const DebyePreparedUnit *unit = debye_prepared_system_get_unit(system, number);
  const char *geometry = unit->form->kind == DEBYE_FORM_AMINO_ACID ? find_geometry(unit->form->family) : NULL;
  if (geometry == NULL)
    return;
  read_ideal(&building, geometry);
  while (add_next(&building)) {
  }
}
