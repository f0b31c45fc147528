/* SPDX-License-Identifier: MIT */
/* Chooses the method that suits a plan; called by scattering_run.c and, for amplitudes, by the run in
 * time. */
#include "scattering_method.h"

/* Operations of a transform: an atom is spread over about 8³ points of the mesh, and the mesh, twice as fine
 * as the lattice, is transformed once for each species. */
#define SPREAD_TERMS 512.0
#define POINT_TERMS 40.0

/* Whether that is less than a term for each atom and vector. */
gboolean
debye_scattering_suits_transform(const DebyeScatteringPlan *plan)
{
  unsigned extent[3];
  double n = (double)plan->scatterers.n_atoms, n_vectors = (double)plan->vectors.vectors->len;
  debye_scattering_lattice_extent(plan, extent);
  double points = 8.0 * (2.0 * extent[0] + 1.0) * (2.0 * extent[1] + 1.0) * (2.0 * extent[2] + 1.0);
  double transform = SPREAD_TERMS * n + POINT_TERMS * points * plan->scatterers.species->len;
  return n * n_vectors > transform;
}

DebyeLaneSettings
debye_scattering_get_lanes(const DebyeScatteringPlan *plan, DebyeFormulaBasis *basis)
{
  DebyeLaneSettings lanes = plan->settings.lanes;
  if (!debye_scattering_takes_formula(plan) || debye_scattering_formula_wants(plan, basis))
    return lanes;
  lanes.device = "cpu";
  basis->speed = 0.0;
  return lanes;
}

const DebyeScatteringMethod *
debye_scattering_choose_method(const DebyeScatteringPlan *plan)
{
  switch (plan->orientation.kind) {
  case DEBYE_ORIENTATION_EXACT:
    return &debye_scattering_by_formula;
  case DEBYE_ORIENTATION_MULTIPOLE:
    return &debye_scattering_by_multipoles;
  case DEBYE_ORIENTATION_NONE:
  case DEBYE_ORIENTATION_SPHERE:
  case DEBYE_ORIENTATION_RANDOM:
  case DEBYE_ORIENTATION_CYLINDER:
  case DEBYE_ORIENTATION_VECTORS:
    break;
  case DEBYE_ORIENTATION_LATTICE:
    return plan->settings.volume_map || debye_scattering_suits_transform(plan) ? &debye_scattering_by_lattice
                                                                               : &debye_scattering_by_vectors;
  }
  return &debye_scattering_by_vectors;
}
