/* SPDX-License-Identifier: MIT */
/* Each atom from the three before it. */
#include "peptide.h"

#define RADIAN (3.14159265358979323846 / 180.0)

enum { N, CA, C, O, N_ATOMS };

static DebyeVec3
unit(DebyeVec3 v)
{
  return debye_vec3_scale(v, 1.0 / debye_vec3_length(v));
}

/* `length` from c, with the angle at c to b, and the dihedral a-b-c-new. */
static DebyeVec3
place(DebyeVec3 a, DebyeVec3 b, DebyeVec3 c, double length, double angle, double dihedral)
{
  DebyeVec3 back = unit(debye_vec3_subtract(b, c));
  DebyeVec3 across = unit(debye_vec3_cross(debye_vec3_subtract(b, a), back));
  DebyeVec3 side = debye_vec3_cross(across, back);
  double s = length * sin(angle * RADIAN), x = length * cos(angle * RADIAN);
  DebyeVec3 p = debye_vec3_add(c, debye_vec3_scale(back, x));
  p = debye_vec3_add(p, debye_vec3_scale(side, s * cos(dihedral * RADIAN)));
  return debye_vec3_add(p, debye_vec3_scale(across, -s * sin(dihedral * RADIAN)));
}

static DebyeTopology *
build_topology(gsize n_residues)
{
  static const char *const names[N_ATOMS] = {"N", "CA", "C", "O"}, *const elements[N_ATOMS] = {"N", "C", "C",
                                                                                               "O"};
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  for (gsize r = 0; r < n_residues; r++) {
    debye_topology_builder_set_residue(builder, "ALA", -1, (gint32)r + 1, 0, "A", -1, "", -1);
    for (int i = 0; i < N_ATOMS; i++) {
      DebyeAtom atom = DEBYE_ATOM_INIT;
      atom.name = names[i];
      atom.element = elements[i];
      debye_topology_builder_add_atom(builder, &atom);
    }
  }
  return debye_topology_builder_finish(builder);
}

Peptide
peptide_build(double phi, double psi, gsize n_residues)
{
  Peptide peptide = {.topology = build_topology(n_residues), .frame = debye_frame_new(N_ATOMS * n_residues)};
  DebyeVec3 n = debye_vec3(0.0, 0.0, 0.0), ca = debye_vec3(1.458, 0.0, 0.0);
  DebyeVec3 c = place(debye_vec3(0.0, 1.0, 0.0), n, ca, 1.525, 111.0, phi);
  for (gsize r = 0; r < n_residues; r++) {
    DebyeVec3 next = place(n, ca, c, 1.329, 116.6, psi);
    const DebyeVec3 places[N_ATOMS] = {n, ca, c, place(n, ca, c, 1.231, 120.1, psi + 180.0)};
    for (gsize i = 0; i < N_ATOMS; i++)
      debye_frame_set_position(peptide.frame, N_ATOMS * r + i, places[i]);
    DebyeVec3 next_ca = place(ca, c, next, 1.458, 121.7, 180.0);
    DebyeVec3 next_c = place(c, next, next_ca, 1.525, 111.0, phi);
    n = next;
    ca = next_ca;
    c = next_c;
  }
  return peptide;
}

void
peptide_clear(Peptide *peptide)
{
  g_clear_object(&peptide->topology);
  g_clear_pointer(&peptide->frame, debye_frame_unref);
}
