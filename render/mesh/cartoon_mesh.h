/* SPDX-License-Identifier: MIT */
/* Proteins and nucleic acids as ribbons: flat for helices, arrows for strands, tubes for the rest; a ribbon
 * with rungs for nucleic acids. */
#pragma once

#include <gio/gio.h>

#include "cartoon_path.h"
#include "mesh.h"

/* What of a chain is drawn, and how. */
typedef struct {
  const DebyeBackbone *backbone;
  const guint8 *links;     /* a byte a unit: the next one follows it; see backbone.h */
  const guint8 *structure; /* a DebyeStructure a unit */
  const guint8 *shown;     /* a byte a unit: drawn */
  const DebyeFrame *frame;
  double scale; /* of widths and radii; 1: as usual */
} DebyeCartoonPlan;

/* Vertices belong to the trace atom of the nearest unit. NULL: cancelled. */
DebyeMesh *debye_cartoon_mesh_new(const DebyeCartoonPlan *plan, GCancellable *cancellable);
