/* SPDX-License-Identifier: MIT */
/* Collects the positions of some atoms at all times; called by the incoherent parts in time. */
#include "scattering_positions.h"

#include "data/files/error.h"

void
debye_scattering_positions_clear(DebyeScatteringPositions *positions)
{
  g_free(positions->x);
  g_free(positions->y);
  g_free(positions->z);
  g_free(positions->species);
}

gboolean
debye_scattering_positions_init(DebyeScatteringPositions *positions, DebyeIntermediateScattering *scattering,
                                gsize capacity, GError **error)
{
  gsize n = scattering->plan->frames.n_frames * capacity;
  *positions = (DebyeScatteringPositions){.scattering = scattering, .capacity = capacity};
  positions->x = g_try_new(float, n);
  positions->y = g_try_new(float, n);
  positions->z = g_try_new(float, n);
  positions->species = g_try_new(guint32, capacity);
  if (positions->x != NULL && positions->y != NULL && positions->z != NULL && positions->species != NULL)
    return TRUE;
  return debye_error_set_about(error, DEBYE_ERROR_MEMORY, "Memory limit",
                               "no memory for the positions of %" G_GSIZE_FORMAT " atoms at %" G_GSIZE_FORMAT
                               " times: expected a smaller limit, which takes more passes",
                               capacity, scattering->plan->frames.n_frames);
}

static gboolean
keep_positions(gpointer data, DebyeFrame *frame, gsize time, GError **error)
{
  DebyeScatteringPositions *positions = data;
  const guint32 *atoms = positions->scattering->groups.atoms + positions->first;
  (void)error;
  for (gsize i = 0; i < positions->n; i++) {
    guint32 atom = atoms[i * positions->step];
    positions->x[time * positions->n + i] = frame->x[atom];
    positions->y[time * positions->n + i] = frame->y[atom];
    positions->z[time * positions->n + i] = frame->z[atom];
  }
  return TRUE;
}

static void
find_species(DebyeScatteringPositions *positions)
{
  const DebyeScatteringGroups *groups = &positions->scattering->groups;
  guint32 species = 0;
  for (gsize i = 0; i < positions->n; i++) {
    while (positions->first + i * positions->step >= groups->first[species + 1])
      species++;
    positions->species[i] = species;
  }
}

gboolean
debye_scattering_positions_read(DebyeScatteringPositions *positions, gsize first, gsize step, gsize n,
                                GError **error)
{
  g_return_val_if_fail(n <= positions->capacity, FALSE);
  positions->first = first;
  positions->step = step;
  positions->n = n;
  find_species(positions);
  return n == 0 || debye_intermediate_scattering_run_pass(positions->scattering, TRUE, FALSE, 0,
                                                          keep_positions, positions, error);
}

DebyeSelfBlock
debye_scattering_positions_get(const DebyeScatteringPositions *positions, gsize first, gsize n)
{
  return (DebyeSelfBlock){.x = positions->x + first,
                          .y = positions->y + first,
                          .z = positions->z + first,
                          .stride = positions->n,
                          .n_atoms = n,
                          .group = positions->species + first};
}
