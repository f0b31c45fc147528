/* SPDX-License-Identifier: MIT */
/* Unwrapping: the wrapped and the unwrapped centre of every molecule are remembered from frame to frame. */
#include "unwrap.h"

typedef struct {
  DebyeVec3 fraction;  /* of the last frame's centre, as that frame has it */
  DebyeVec3 position;  /* the same in Å */
  DebyeVec3 unwrapped; /* where the path has come to */
  gboolean is_known;
} Path;

struct _DebyeUnwrap {
  const DebyeMolecules *molecules;
  Path *paths;
};

DebyeUnwrap *
debye_unwrap_new(const DebyeMolecules *molecules)
{
  DebyeUnwrap *unwrap = g_new0(DebyeUnwrap, 1);
  unwrap->molecules = molecules;
  unwrap->paths = g_new0(Path, MAX(debye_molecules_get_count(molecules), 1));
  return unwrap;
}

void
debye_unwrap_free(DebyeUnwrap *unwrap)
{
  if (!unwrap)
    return;
  g_free(unwrap->paths);
  g_free(unwrap);
}

/* How far the centre moved: its plain displacement less the lattice vector by which it jumped. The jump is
 * read from the fractions, each in its own frame's cell. */
static DebyeVec3
displacement(const DebyePeriodic *periodic, const Path *path, DebyeVec3 fraction, DebyeVec3 position)
{
  DebyeVec3 moved = debye_vec3_subtract(position, path->position);
  DebyeVec3 scaled = debye_periodic_from_fraction(periodic, debye_vec3_subtract(fraction, path->fraction));
  DebyeVec3 jump = debye_vec3_subtract(scaled, debye_periodic_minimum_image(periodic, scaled));
  return debye_vec3_subtract(moved, jump);
}

static void
follow(Path *path, const DebyePeriodic *periodic, DebyeVec3 position)
{
  DebyeVec3 fraction = debye_periodic_to_fraction(periodic, position);
  if (path->is_known)
    path->unwrapped = debye_vec3_add(path->unwrapped, displacement(periodic, path, fraction, position));
  else
    path->unwrapped = position;
  path->fraction = fraction;
  path->position = position;
  path->is_known = TRUE;
}

void
debye_unwrap_apply(DebyeUnwrap *unwrap, DebyeFrame *frame)
{
  DebyePeriodic periodic;
  debye_periodic_init_for_frame(&periodic, frame);
  if (!periodic.is_periodic)
    return;
  debye_molecules_make_whole(unwrap->molecules, frame);
  gsize n_molecules = debye_molecules_get_count(unwrap->molecules);
  for (gsize m = 0; m < n_molecules; m++) {
    DebyeVec3 center;
    if (!debye_molecules_get_center(unwrap->molecules, m, frame, &center))
      continue;
    follow(&unwrap->paths[m], &periodic, center);
    DebyeVec3 shift = debye_vec3_subtract(unwrap->paths[m].unwrapped, center);
    debye_molecules_move(unwrap->molecules, m, frame, shift);
  }
}
