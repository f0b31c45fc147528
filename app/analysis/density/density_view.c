/* SPDX-License-Identifier: MIT */
/* Finds references and centres in frames; called by density_plan.c, density_analysis.c and density_profile.c. */
#include "density_view.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/molecule/bonds.h"
#include "data/molecule/superpose.h"

void
debye_density_reference_clear(DebyeDensityReference *reference)
{
  g_clear_pointer(&reference->atoms, g_free);
  g_clear_pointer(&reference->owners, g_free);
  g_clear_pointer(&reference->model, debye_frame_unref);
  g_clear_pointer(&reference->copy, debye_frame_unref);
  g_clear_pointer(&reference->whole, debye_frame_unref);
  g_clear_pointer(&reference->gather, debye_gather_free);
  g_clear_pointer(&reference->molecules, debye_molecules_free);
  g_clear_object(&reference->bonded);
}

/* --- Copies --- */

char *
debye_density_describe_residue(DebyeTopology *topology, guint32 number)
{
  const DebyeResidue *residue = &debye_topology_get_residue_table(topology)[number];
  return g_strdup_printf("%s %d",
                         debye_string_pool_get(debye_topology_get_string_pool(topology), residue->name),
                         residue->number);
}

static gboolean
set_unlike_error(DebyeTopology *topology, guint32 first, guint32 other, GError **error)
{
  g_autofree char *one = debye_density_describe_residue(topology, first),
                  *two = debye_density_describe_residue(topology, other);
  return debye_error_set(
      error, DEBYE_ERROR_MISMATCH,
      "Reference: copies must have the same atoms in the same order, but those chosen of %s and %s differ",
      one, two);
}

/* The atoms ascend, so those of a residue stand together but where a file tears it apart. */
static gboolean
split_copies(DebyeDensityReference *reference, DebyeTopology *topology, const guint32 *atoms, gsize n,
             GError **error)
{
  const guint32 *residues = debye_topology_get_residues(topology);
  const guint8 *elements = debye_topology_get_elements(topology);
  gsize n_each = 0;
  while (n_each < n && residues[atoms[n_each]] == residues[atoms[0]])
    n_each++;
  reference->n_each = n_each;
  reference->n_copies = n / n_each;
  reference->owners = g_new(guint32, reference->n_copies);
  for (gsize i = 0; i < n; i++) {
    const guint32 residue = residues[atoms[i]], first = residues[atoms[i / n_each * n_each]];
    if (i / n_each >= reference->n_copies || residue != first ||
        elements[atoms[i]] != elements[atoms[i % n_each]] ||
        (i % n_each == 0 && i > 0 && residue == residues[atoms[i - 1]]))
      return set_unlike_error(topology, residues[atoms[0]], residue, error);
    reference->owners[i / n_each] = residue;
  }
  return TRUE;
}

/* --- Wholeness --- */

/* One molecule or several, which the cell may cut; copies are residues, small enough for nearest images. */
static gboolean
begin_gathering(DebyeDensityReference *reference, DebyeTopology *topology, const GArray *atoms,
                const DebyeFrame *first, GError **error)
{
  gsize n_molecules;
  if (!first->has_cell || atoms->len < 2)
    return TRUE;
  reference->bonded = debye_topology_with_guessed_bonds(topology, first);
  reference->molecules = debye_molecules_new(reference->bonded);
  reference->gather =
      debye_gather_new(reference->molecules, debye_topology_get_molecules(reference->bonded, &n_molecules),
                       atoms, NULL, first);
  reference->whole = debye_frame_copy(first);
  if (reference->whole == NULL)
    return debye_error_set_memory(error, NULL, first->n_atoms, "atoms of one more frame");
  debye_gather_apply(reference->gather, reference->whole, NULL);
  return TRUE;
}

static void
copy_positions(DebyeFrame *to, const DebyeFrame *from)
{
  const gsize bytes = from->n_atoms * sizeof(float);
  memcpy(to->x, from->x, bytes);
  memcpy(to->y, from->y, bytes);
  memcpy(to->z, from->z, bytes);
  to->cell = from->cell;
  to->has_cell = from->has_cell;
}

/* A copy's atoms, near to its first one. */
static void
take_copy(const DebyeDensityReference *reference, const DebyeFrame *frame, gsize number, DebyeFrame *copy)
{
  DebyePeriodic periodic;
  const guint32 *atoms = reference->atoms + number * reference->n_each;
  const DebyeVec3 first = debye_frame_get_position(frame, atoms[0]);
  debye_periodic_init_for_frame(&periodic, frame);
  for (gsize i = 0; i < reference->n_each; i++) {
    DebyeVec3 place = debye_frame_get_position(frame, atoms[i]);
    if (reference->owners != NULL)
      place =
          debye_vec3_add(first, debye_periodic_minimum_image(&periodic, debye_vec3_subtract(place, first)));
    debye_frame_set_position(copy, i, place);
  }
}

gboolean
debye_density_reference_init(DebyeDensityReference *reference, DebyeTopology *topology, const GArray *atoms,
                             gboolean copies, const DebyeFrame *first, GError **error)
{
  reference->n_copies = 1;
  reference->n_each = atoms->len;
  reference->atoms = g_memdup2(atoms->data, atoms->len * sizeof(guint32));
  if (copies ? !split_copies(reference, topology, reference->atoms, atoms->len, error)
             : !begin_gathering(reference, topology, atoms, first, error))
    return FALSE;
  reference->model = debye_frame_new(reference->n_each);
  reference->copy = debye_frame_new(reference->n_each);
  if (reference->model == NULL || reference->copy == NULL)
    return debye_error_set_memory(error, NULL, reference->n_each, "atoms of the reference");
  take_copy(reference, reference->whole != NULL ? reference->whole : first, 0, reference->model);
  return TRUE;
}

gboolean
debye_density_reference_look(DebyeDensityReference *reference, const DebyeFrame *frame,
                             DebyeDensityView *views, GError **error)
{
  DebyeSuperposition motion;
  if (reference->whole != NULL) {
    copy_positions(reference->whole, frame);
    debye_gather_apply(reference->gather, reference->whole, NULL);
    frame = reference->whole;
  }
  for (gsize i = 0; i < reference->n_copies; i++) {
    take_copy(reference, frame, i, reference->copy);
    if (!debye_superpose(reference->copy, reference->model, NULL, reference->n_each, NULL, &motion, NULL,
                         error))
      return FALSE;
    debye_density_view_init(&views[i], motion.from, motion.to);
    memcpy(views[i].rotation, motion.rotation, sizeof motion.rotation);
    if (reference->owners != NULL)
      views[i].owner = reference->owners[i];
  }
  return TRUE;
}

/* --- Centres --- */

/* The mean direction of fractions on a circle each. */
static DebyeVec3
find_direction(const DebyePeriodic *periodic, const GArray *atoms, const DebyeFrame *frame)
{
  double sums[3][2] = {{0.0}}, mean[3];
  for (guint i = 0; i < atoms->len; i++) {
    const DebyeVec3 f = debye_periodic_to_fraction(
        periodic, debye_frame_get_position(frame, g_array_index(atoms, guint32, i)));
    const double fractions[3] = {f.x, f.y, f.z};
    for (int k = 0; k < 3; k++) {
      sums[k][0] += cos(2.0 * G_PI * fractions[k]);
      sums[k][1] += sin(2.0 * G_PI * fractions[k]);
    }
  }
  for (int k = 0; k < 3; k++)
    mean[k] = atan2(sums[k][1], sums[k][0]) / (2.0 * G_PI);
  return debye_periodic_from_fraction(periodic, debye_vec3(mean[0], mean[1], mean[2]));
}

DebyeVec3
debye_density_find_center(DebyeTopology *topology, const GArray *atoms, const DebyeFrame *frame)
{
  const float *masses = debye_topology_get_masses(topology);
  DebyePeriodic periodic;
  DebyeVec3 sum = {0}, plain = {0}, about = {0};
  double mass = 0.0;
  debye_periodic_init_for_frame(&periodic, frame);
  if (periodic.is_periodic)
    about = find_direction(&periodic, atoms, frame);
  for (guint i = 0; i < atoms->len; i++) {
    const guint32 atom = g_array_index(atoms, guint32, i);
    DebyeVec3 place = debye_frame_get_position(frame, atom);
    place = debye_vec3_add(place, debye_periodic_wrap_shift(&periodic, place, about));
    sum = debye_vec3_add(sum, debye_vec3_scale(place, (double)masses[atom]));
    plain = debye_vec3_add(plain, place);
    mass += (double)masses[atom];
  }
  return mass > 0.0 ? debye_vec3_scale(sum, 1.0 / mass)
                    : debye_vec3_scale(plain, 1.0 / (double)MAX(atoms->len, 1));
}

void
debye_density_view_init(DebyeDensityView *view, DebyeVec3 from, DebyeVec3 to)
{
  *view = (DebyeDensityView){.from = {from.x, from.y, from.z},
                             .rotation = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}},
                             .to = {to.x, to.y, to.z},
                             .owner = DEBYE_DENSITY_NOBODY};
}
