/* SPDX-License-Identifier: MIT */
/* Made through the data layer's own builders, as a reader would. */
#include "sample_scene.h"

/* An α-helix turns by 100° and rises by 1.5 Å a residue; cylindrical coordinates of one residue's atoms (Å,
 * degrees). */
static const struct {
  const char *name, *element;
  double radius, angle, rise, charge;
  int bonded_to; /* an atom before it in the residue; −1: the last residue's C */
} helix_atoms[] = {
    {"N", "N", 1.55, -27.3, -0.90, -0.42, -1}, {"CA", "C", 2.29, 0.0, 0.0, 0.03, 0},
    {"C", "C", 1.64, 26.8, 1.13, 0.60, 1},     {"O", "O", 1.97, 22.6, 2.33, -0.57, 2},
    {"CB", "C", 3.32, -18.6, 0.62, -0.18, 1},  {"H", "H", 1.30, -28.0, -1.87, 0.27, 0},
    {"HA", "H", 2.80, 14.5, -0.76, 0.08, 1},
};

static void
add_residue_atoms(DebyeTopologyBuilder *builder, guint residue, guint first_of_chain)
{
  gint64 first = (gint64)debye_topology_builder_get_n_atoms(builder);
  for (gsize a = 0; a < G_N_ELEMENTS(helix_atoms); a++) {
    DebyeAtom atom = DEBYE_ATOM_INIT;
    atom.name = helix_atoms[a].name;
    atom.element = helix_atoms[a].element;
    atom.charge = helix_atoms[a].charge;
    debye_topology_builder_add_atom(builder, &atom);
    if (helix_atoms[a].bonded_to >= 0)
      debye_topology_builder_add_bond(builder, first + helix_atoms[a].bonded_to, first + (gint64)a);
    else if (residue > first_of_chain)
      debye_topology_builder_add_bond(builder, first - (gint64)G_N_ELEMENTS(helix_atoms) + 2, first);
  }
}

static void
place_residue(DebyeFrame *frame, guint residue, guint n_residues)
{
  for (gsize a = 0; a < G_N_ELEMENTS(helix_atoms); a++) {
    double angle = (100.0 * residue + helix_atoms[a].angle) * G_PI / 180.0;
    gsize i = residue * G_N_ELEMENTS(helix_atoms) + a;
    frame->x[i] = (float)(helix_atoms[a].radius * cos(angle));
    frame->y[i] = (float)(helix_atoms[a].radius * sin(angle));
    frame->z[i] = (float)(1.5 * (residue - 0.5 * (n_residues - 1)) + helix_atoms[a].rise);
  }
}

SampleMolecule
sample_helix(guint n_residues)
{
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  guint second = n_residues > 10 ? n_residues / 2 : n_residues;
  for (guint r = 0; r < n_residues; r++) {
    debye_topology_builder_set_residue(builder, r % 4 == 1 ? "LYS" : "ALA", -1, (gint32)r + 1, 0,
                                       r < second ? "A" : "B", -1, "", -1);
    add_residue_atoms(builder, r, r < second ? 0 : second);
  }
  SampleMolecule molecule = {.topology = debye_topology_builder_finish(builder)};
  molecule.frame = debye_frame_new(debye_topology_get_n_atoms(molecule.topology));
  for (guint r = 0; r < n_residues; r++)
    place_residue(molecule.frame, r, n_residues);
  debye_frame_check(molecule.frame);
  return molecule;
}

SampleMolecule
sample_liquid(gsize n_atoms)
{
  static const char *const elements[] = {"O", "H", "H", "C", "N"};
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  g_autoptr(GRand) random = g_rand_new_with_seed(20260101);
  double side = cbrt((double)n_atoms / 0.1);
  debye_topology_builder_set_residue(builder, "LIQ", -1, 1, 0, "", -1, "", -1);
  for (gsize i = 0; i < n_atoms; i++) {
    DebyeAtom atom = DEBYE_ATOM_INIT;
    atom.name = atom.element = elements[i % G_N_ELEMENTS(elements)];
    debye_topology_builder_add_atom(builder, &atom);
  }
  SampleMolecule molecule = {.topology = debye_topology_builder_finish(builder),
                             .frame = debye_frame_new(n_atoms)};
  float *const columns[3] = {molecule.frame->x, molecule.frame->y, molecule.frame->z};
  for (gsize i = 0; i < n_atoms; i++)
    for (int axis = 0; axis < 3; axis++)
      columns[axis][i] = (float)g_rand_double_range(random, 0.0, side);
  molecule.frame->cell = (DebyeCell){{side, 0, 0}, {0, side, 0}, {0, 0, side}};
  molecule.frame->has_cell = TRUE;
  debye_frame_check(molecule.frame);
  return molecule;
}

void
sample_molecule_clear(SampleMolecule *molecule)
{
  g_clear_object(&molecule->topology);
  g_clear_pointer(&molecule->frame, debye_frame_unref);
}

DebyeField *
sample_field(gsize n, double size, double (*value)(DebyeVec3 p))
{
  double h = size / (double)(n - 1);
  DebyeGrid grid = {.origin = {-0.5 * size, -0.5 * size, -0.5 * size},
                    .step = {{h, 0, 0}, {0, h, 0}, {0, 0, h}},
                    .shape = {n, n, n}};
  float *values = g_new(float, debye_grid_n_points(&grid));
  gsize index = 0;
  for (gsize k = 0; k < n; k++)
    for (gsize j = 0; j < n; j++)
      for (gsize i = 0; i < n; i++)
        values[index++] = (float)value(debye_grid_point(&grid, (double)i, (double)j, (double)k));
  return debye_field_new_of_kind(DEBYE_FIELD_POTENTIAL, &grid, values, "kT/e");
}

static double
potential(DebyeVec3 p)
{
  static const double charges[][4] = {{2.0, 1.0, 6.5, 0.9},
                                      {-2.5, 0.5, 1.5, -0.7},
                                      {2.2, -2.0, -2.5, 0.5},
                                      {-0.5, -1.0, -7.5, -0.9},
                                      {-1.0, 3.0, 4.5, 0.25}};
  double sum = 0.0;
  for (gsize i = 0; i < G_N_ELEMENTS(charges); i++) {
    DebyeVec3 d = {p.x - charges[i][0], p.y - charges[i][1], p.z - charges[i][2]};
    sum += 55.7 * charges[i][3] / sqrt(debye_vec3_dot(d, d) + 1.0);
  }
  return sum;
}

DebyeField *
sample_potential(gsize n, double size)
{
  return sample_field(n, size, potential);
}
