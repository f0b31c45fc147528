/* SPDX-License-Identifier: MIT */
#include "small_system.h"

#include "data/molecule/periodic.h"

DebyeTopology *
small_topology_new(const SmallAtom *atoms, gsize n_atoms, const int *bonds)
{
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  for (gsize i = 0; i < n_atoms; i++) {
    const SmallAtom *small = &atoms[i];
    DebyeAtom atom = DEBYE_ATOM_INIT;
    debye_topology_builder_set_residue(builder, small->residue, -1, small->number, small->insertion_code,
                                       small->chain, -1, small->segment, -1);
    atom.name = small->name;
    atom.type = small->type;
    atom.element = small->element;
    atom.mass = small->mass;
    atom.charge = small->charge;
    debye_topology_builder_add_atom(builder, &atom);
  }
  for (const int *bond = bonds; bond && *bond >= 0; bond += 2)
    debye_topology_builder_add_bond(builder, bond[0], bond[1]);
  return debye_topology_builder_finish(builder);
}

DebyeTopology *
small_topology_of_elements(const char *const *elements, gsize n_atoms, gboolean alone)
{
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  for (gsize i = 0; i < n_atoms; i++) {
    DebyeAtom atom = DEBYE_ATOM_INIT;
    debye_topology_builder_set_residue(builder, "MOL", -1, alone ? (int)i : 1, 0, "", -1, "", -1);
    atom.name = elements[i];
    atom.element = elements[i];
    debye_topology_builder_add_atom(builder, &atom);
  }
  return debye_topology_builder_finish(builder);
}

DebyeFrame *
small_frame_new(double (*positions)[3], gsize n_atoms)
{
  DebyeFrame *frame = debye_frame_new(n_atoms);
  for (gsize i = 0; i < n_atoms; i++)
    debye_frame_set_position(frame, i, debye_vec3(positions[i][0], positions[i][1], positions[i][2]));
  return frame;
}

void
small_frame_set_cell(DebyeFrame *frame, DebyeVec3 a, DebyeVec3 b, DebyeVec3 c)
{
  frame->cell = (DebyeCell){a, b, c};
  frame->has_cell = TRUE;
}
