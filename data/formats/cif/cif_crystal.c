/* SPDX-License-Identifier: MIT */
/* Builds the unit cell of a small-molecule CIF for format_cif.c. Each operation makes an image of the whole
 * asymmetric unit, which is moved as one piece so that its middle is in the cell: molecules stay whole. The
 * unit itself stands where the file has it. */
#include "cif_crystal.h"

#include "cif_crystal_read.h"
#include "data/molecule/periodic.h"
#include "data/molecule/topology.h"

#include <math.h>
#include <string.h>

/* Two images of one atom nearer than this, in Å, are one atom on a special position: far above the rounding
 * of coordinates of three digits (0.0005 of 40 Å), far below any distance of two atoms, and below that of an
 * atom that is disordered about a symmetry element from its image. */
#define SPECIAL_POSITION 0.1

typedef struct {
  guint32 site;
  guint32 operation;
  DebyeVec3 position; /* Å */
} Image;

struct _DebyeCifCrystal {
  DebyeCifAsymmetricUnit *unit;
  DebyePeriodic periodic;
  GArray *images; /* Image */
  gsize n_special;
};

static const DebyeCifCrystalSite *
get_site(const DebyeCifCrystal *crystal, gsize i)
{
  return &g_array_index(crystal->unit->sites, DebyeCifCrystalSite, i);
}

static const DebyeSymmetryOperation *
get_operation(const DebyeCifCrystal *crystal, gsize i)
{
  return &g_array_index(crystal->unit->operations, DebyeSymmetryOperation, i);
}

static DebyeVec3
find_middle(const DebyeCifCrystal *crystal)
{
  DebyeVec3 sum = {0.0, 0.0, 0.0};
  gsize n = crystal->unit->sites->len;
  for (gsize i = 0; i < n; i++)
    sum = debye_vec3_add(sum, get_site(crystal, i)->fraction);
  return debye_vec3_scale(sum, 1.0 / (double)n);
}

/* The whole cells that bring an image of the middle into the cell; a middle on a face stays there. */
static DebyeVec3
find_shift(const DebyeSymmetryOperation *operation, DebyeVec3 middle)
{
  const double rounding = 1e-4;
  if (debye_symmetry_is_identity(operation))
    return debye_vec3(0.0, 0.0, 0.0);
  DebyeVec3 image = debye_symmetry_apply(operation, middle);
  return debye_vec3(-floor(image.x + rounding), -floor(image.y + rounding), -floor(image.z + rounding));
}

/* Rounding fractions finds the nearest image where that is as near as matters here. */
static gboolean
is_same_position(const DebyeCifCrystal *crystal, DebyeVec3 a, DebyeVec3 b)
{
  DebyeVec3 d = debye_vec3_subtract(a, b);
  d = debye_vec3(d.x - nearbyint(d.x), d.y - nearbyint(d.y), d.z - nearbyint(d.z));
  return debye_vec3_length(debye_periodic_from_fraction(&crystal->periodic, d)) < SPECIAL_POSITION;
}

/* Which operations give a new atom of the site. */
static guint
find_distinct(const DebyeCifCrystal *crystal, gsize site, guint32 distinct[DEBYE_SYMMETRY_OPERATIONS_MAXIMUM])
{
  DebyeVec3 found[DEBYE_SYMMETRY_OPERATIONS_MAXIMUM];
  guint n = 0;
  for (guint32 k = 0; k < crystal->unit->operations->len; k++) {
    DebyeVec3 image = debye_symmetry_apply(get_operation(crystal, k), get_site(crystal, site)->fraction);
    gboolean is_new = TRUE;
    for (guint i = 0; i < n && is_new; i++)
      is_new = !is_same_position(crystal, image, found[i]);
    if (!is_new)
      continue;
    found[n] = image;
    distinct[n++] = k;
  }
  return n;
}

static gint
compare_images(gconstpointer a, gconstpointer b)
{
  const Image *left = a, *right = b;
  if (left->operation != right->operation)
    return left->operation < right->operation ? -1 : 1;
  return left->site < right->site ? -1 : left->site > right->site;
}

static void
make_images(DebyeCifCrystal *crystal)
{
  guint32 distinct[DEBYE_SYMMETRY_OPERATIONS_MAXIMUM];
  DebyeVec3 middle = find_middle(crystal);
  for (guint32 i = 0; i < crystal->unit->sites->len; i++) {
    guint n = find_distinct(crystal, i, distinct);
    crystal->n_special += n < crystal->unit->operations->len;
    for (guint k = 0; k < n; k++) {
      const DebyeSymmetryOperation *operation = get_operation(crystal, distinct[k]);
      DebyeVec3 fraction = debye_vec3_add(debye_symmetry_apply(operation, get_site(crystal, i)->fraction),
                                          find_shift(operation, middle));
      Image image = {i, distinct[k], debye_periodic_from_fraction(&crystal->periodic, fraction)};
      g_array_append_val(crystal->images, image);
    }
  }
  /* One image of the unit behind the other. */
  g_array_sort(crystal->images, compare_images);
}

DebyeCifCrystal *
debye_cif_crystal_read(DebyeInput *input, GError **error)
{
  DebyeCifAsymmetricUnit *unit = debye_cif_asymmetric_unit_read(input, error);
  if (unit == NULL)
    return NULL;
  DebyeCifCrystal *crystal = g_new0(DebyeCifCrystal, 1);
  crystal->unit = unit;
  crystal->images = g_array_new(FALSE, FALSE, sizeof(Image));
  debye_periodic_init(&crystal->periodic, &unit->cell);
  make_images(crystal);
  return crystal;
}

void
debye_cif_crystal_free(DebyeCifCrystal *crystal)
{
  debye_cif_asymmetric_unit_free(crystal->unit);
  g_array_unref(crystal->images);
  g_free(crystal);
}

gsize
debye_cif_crystal_get_n_atoms(const DebyeCifCrystal *crystal)
{
  return crystal->images->len;
}

/* --- The topology --- */

static void
add_image(const DebyeCifCrystal *crystal, DebyeTopologyBuilder *builder, const Image *image)
{
  const DebyeCifCrystalSite *site = get_site(crystal, image->site);
  /* Each image of the asymmetric unit is a residue. */
  debye_topology_builder_set_residue(builder, crystal->unit->name, -1, (gint32)image->operation + 1, '\0',
                                     NULL, 0, NULL, 0);
  DebyeAtom atom = DEBYE_ATOM_INIT;
  atom.name = site->label;
  atom.atomic_number = site->element != 0 ? site->element : -1;
  atom.charge = site->charge;
  atom.occupancy = site->occupancy;
  atom.b_factor = site->b_factor;
  debye_topology_builder_add_atom(builder, &atom);
}

static void
warn_of_occupancy(const DebyeCifCrystal *crystal, DebyeTopologyBuilder *builder)
{
  gsize n_partial = 0;
  for (gsize i = 0; i < crystal->images->len; i++) {
    const DebyeCifCrystalSite *site = get_site(crystal, g_array_index(crystal->images, Image, i).site);
    n_partial += site->is_disordered || site->occupancy < 1.0;
  }
  if (n_partial > 0)
    debye_topology_builder_warn(
        builder, "%" G_GSIZE_FORMAT " atoms are disordered or partly occupied; all of them are kept",
        n_partial);
}

void
debye_cif_crystal_add_to(const DebyeCifCrystal *crystal, DebyeTopologyBuilder *builder)
{
  const DebyeCifAsymmetricUnit *unit = crystal->unit;
  debye_topology_builder_set_title(builder, unit->title, -1);
  for (gsize i = 0; i < crystal->images->len; i++)
    add_image(crystal, builder, &g_array_index(crystal->images, Image, i));
  warn_of_occupancy(crystal, builder);
  debye_cif_others_warn(&unit->others, builder);
  if (unit->n_without_position > 0)
    debye_topology_builder_warn(
        builder, "%" G_GSIZE_FORMAT " atoms have no coordinates or are dummies and are left out",
        unit->n_without_position);
  if (unit->lacks_operations)
    debye_topology_builder_warn(
        builder,
        "the symmetry operations of space group %s are not listed: only the atoms of the "
        "asymmetric unit are there",
        unit->space_group);
  if (unit->has_charges)
    debye_topology_builder_warn(builder, "the charges are the oxidation numbers that the file states");
}

void
debye_cif_crystal_fill_frame(const DebyeCifCrystal *crystal, DebyeFrame *frame)
{
  for (gsize i = 0; i < frame->n_atoms; i++)
    debye_frame_set_position(frame, i, g_array_index(crystal->images, Image, i).position);
  frame->cell = crystal->unit->cell;
  frame->has_cell = TRUE;
}
