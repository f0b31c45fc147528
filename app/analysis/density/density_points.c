/* SPDX-License-Identifier: MIT */
/* Gathers points and weights from frames; called by density_analysis.c and density_profile.c. */
#include "density_points.h"

#include "data/molecule/periodic.h"

void
debye_density_points_clear(DebyeDensityPoints *points)
{
  g_clear_pointer(&points->x, g_free);
  g_clear_pointer(&points->y, g_free);
  g_clear_pointer(&points->z, g_free);
  g_clear_pointer(&points->weights, g_free);
  g_clear_pointer(&points->owners, g_free);
}

guint
debye_density_weight_components(DebyeDensityWeight weight)
{
  if (weight == DEBYE_WEIGHT_NUMBER || weight == DEBYE_WEIGHT_OCCUPANCY)
    return 0;
  return weight == DEBYE_WEIGHT_DIPOLE ? 3 : 1;
}

gboolean
debye_density_points_init(DebyeDensityPoints *points, gsize capacity, guint n_components,
                          gboolean with_owners)
{
  const gsize n = MAX(capacity, 1);
  points->capacity = capacity;
  points->x = g_try_new(float, n);
  points->y = g_try_new(float, n);
  points->z = g_try_new(float, n);
  points->weights = n_components > 0 ? g_try_new(float, n *n_components) : NULL;
  points->owners = with_owners ? g_try_new(guint32, n) : NULL;
  return points->x != NULL && points->y != NULL && points->z != NULL &&
         (points->weights != NULL || n_components == 0) && (points->owners != NULL || !with_owners);
}

/* What an atom weighs. */
static double
weigh(DebyeTopology *topology, DebyeDensityWeight weight, guint32 atom)
{
  const float *charges = debye_topology_get_charges(topology);
  const double charge = charges != NULL ? (double)charges[atom] : 0.0;
  switch (weight) {
  case DEBYE_WEIGHT_MASS:
    return (double)debye_topology_get_masses(topology)[atom];
  case DEBYE_WEIGHT_CHARGE:
    return charge;
  case DEBYE_WEIGHT_ELECTRONS:
    return (double)debye_topology_get_elements(topology)[atom] - charge;
  case DEBYE_WEIGHT_Z:
    return (double)debye_topology_get_elements(topology)[atom];
  case DEBYE_WEIGHT_NUMBER:
  case DEBYE_WEIGHT_OCCUPANCY:
  case DEBYE_WEIGHT_DIPOLE:
    break;
  }
  return 1.0;
}

/* --- Dipoles --- */

typedef struct {
  DebyeVec3 place, moment;
} Dipole;

/* Of atoms [first, end), about their centre of mass: of a charged residue it depends on that. */
static Dipole
find_dipole(DebyeTopology *topology, const GArray *atoms, guint first, guint end, const DebyeFrame *frame)
{
  const float *charges = debye_topology_get_charges(topology), *masses = debye_topology_get_masses(topology);
  const DebyeVec3 start = debye_frame_get_position(frame, g_array_index(atoms, guint32, first));
  DebyeVec3 by_mass = {0}, by_charge = {0}, plain = {0};
  double mass = 0.0, charge = 0.0;
  DebyePeriodic periodic;
  debye_periodic_init_for_frame(&periodic, frame);
  for (guint i = first; i < end; i++) {
    const guint32 atom = g_array_index(atoms, guint32, i);
    const DebyeVec3 d = debye_periodic_minimum_image(
        &periodic, debye_vec3_subtract(debye_frame_get_position(frame, atom), start));
    by_mass = debye_vec3_add(by_mass, debye_vec3_scale(d, (double)masses[atom]));
    by_charge = debye_vec3_add(by_charge, debye_vec3_scale(d, (double)charges[atom]));
    plain = debye_vec3_add(plain, d);
    mass += (double)masses[atom];
    charge += (double)charges[atom];
  }
  const DebyeVec3 center = mass > 0.0 ? debye_vec3_scale(by_mass, 1.0 / mass)
                                      : debye_vec3_scale(plain, 1.0 / (double)(end - first));
  return (Dipole){debye_vec3_add(start, center),
                  debye_vec3_subtract(by_charge, debye_vec3_scale(center, charge))};
}

static void
set_dipoles(DebyeDensityPoints *points, DebyeTopology *topology, const GArray *atoms, const DebyeFrame *frame)
{
  const guint32 *residues = debye_topology_get_residues(topology);
  g_autoptr(GArray) dipoles = g_array_new(FALSE, FALSE, sizeof(Dipole));
  points->n = 0;
  for (guint first = 0, end; first < atoms->len; first = end) {
    const guint32 residue = residues[g_array_index(atoms, guint32, first)];
    for (end = first; end < atoms->len && residues[g_array_index(atoms, guint32, end)] == residue; end++)
      ;
    const Dipole dipole = find_dipole(topology, atoms, first, end, frame);
    g_array_append_val(dipoles, dipole);
    points->x[points->n] = (float)dipole.place.x;
    points->y[points->n] = (float)dipole.place.y;
    points->z[points->n] = (float)dipole.place.z;
    if (points->owners != NULL)
      points->owners[points->n] = residue;
    points->n++;
  }
  for (gsize i = 0; i < points->n; i++) {
    const DebyeVec3 moment = g_array_index(dipoles, Dipole, i).moment;
    points->weights[i] = (float)moment.x;
    points->weights[points->n + i] = (float)moment.y;
    points->weights[2 * points->n + i] = (float)moment.z;
  }
}

void
debye_density_points_set(DebyeDensityPoints *points, DebyeTopology *topology, DebyeDensityWeight weight,
                         const GArray *atoms, const DebyeFrame *frame)
{
  const guint32 *residues = debye_topology_get_residues(topology);
  if (weight == DEBYE_WEIGHT_DIPOLE) {
    set_dipoles(points, topology, atoms, frame);
    return;
  }
  points->n = MIN(atoms->len, points->capacity);
  if (frame->is_packed && points->weights == NULL && points->owners == NULL)
    return;
  for (gsize i = 0; i < points->n; i++) {
    const guint32 atom = g_array_index(atoms, guint32, i);
    if (!frame->is_packed) {
      points->x[i] = frame->x[atom];
      points->y[i] = frame->y[atom];
      points->z[i] = frame->z[atom];
    }
    if (points->weights != NULL)
      points->weights[i] = (float)weigh(topology, weight, atom);
    if (points->owners != NULL)
      points->owners[i] = residues[atom];
  }
}
